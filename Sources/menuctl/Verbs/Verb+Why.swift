import ScriptHost

extension Verb {
  static let why = Verb(
    name: "why", operands: [.app, .target],
    summary: "show why an action, an item or a key can be done or can't, and who gets it",
    options: [.as] + Option.loading
  ) { session in
    let name = session.invocation.operands[1]
    let kind = try session.invocation.choice(.as, of: Answer.Validated.Kind.self)
    try session.load()
    if kind == nil || kind == .id, let explanation = session.host.why(item: name) {
      return Reply(answer: .explanation(explanation))
    }
    if kind == .id { throw session.unknownElement(name, in: session.host.menus()) }
    let keys = try? KeySequence.parse(name)
    if kind == .key { try Session.check(keys: name) }
    if kind != .ref, let keys, kind == .key || session.host.keys().contains(where: { $0.keys == keys.text }) {
      return Reply(answer: .explanation(try session.host.why(keys: keys.text)))
    }
    try Session.check(name)
    return Reply(answer: .explanation(try session.host.why(name)))
  }
}
