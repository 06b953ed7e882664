import ScriptHost

extension Verb {
  static let why = Verb(
    name: "why", operands: [.app, .target],
    summary: "show why an action or an item can be done or can't, and who gets it", options: [.as] + Option.loading
  ) { session in
    let name = session.invocation.operands[1]
    let kind = try session.invocation.choice(.as, of: Answer.Validated.Kind.self)
    try session.load()
    if kind != .ref, let explanation = session.host.why(item: name) { return Reply(answer: .explanation(explanation)) }
    if kind == .id { throw session.unknownElement(name, in: session.host.menus()) }
    try Session.check(name)
    return Reply(answer: .explanation(try session.host.why(name)))
  }
}
