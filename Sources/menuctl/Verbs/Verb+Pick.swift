import LiveHost
import ScriptHost

extension Verb {
  static let pick = Verb(
    name: "pick", operands: [.app, Operand(name: "ID", names: [.items])],
    summary: "pick an item as a person does, and show what came of it",
    options: [.argument] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let pick = VerbBody(.pick) { session in
    try session.load()
    let id = session.invocation.operands[1]
    let root = try session.asking { subject throws(Unanswered) in try subject.menus() }
    guard root.find(id) != nil else { throw Problem(HostSubject.unknown(id, in: root)) }
    let done = try session.carryOut(.pick(id), with: try session.given())
    return Reply(answer: .done(done), status: done.status)
  }
}
