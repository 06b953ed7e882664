import ScriptHost

extension Verb {
  static let pick = Verb(
    name: "pick", operands: [.app, Operand(name: "ID")],
    summary: "pick an item as a person does, and show what came of it",
    options: Option.loading
  ) { session in
    try session.load()
    let id = session.invocation.operands[1]
    let root = session.host.menus()
    guard root.find(id) != nil else { throw session.unknownElement(id, in: root) }
    let done = try session.carryOut(.pick(id))
    return Reply(answer: .done(done), status: done.status)
  }
}
