import LiveHost
import ScriptHost

extension Verb {
  static let actions = Verb(
    name: "actions", operands: [.app, Operand(name: "REF|ID", isOptional: true, names: [.names, .ids])],
    summary: "show every action that can be reached now, what it takes, who answers, and why not",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let actions = VerbBody(.actions) { session in
    let reference = session.invocation.operands.dropFirst().first
    try session.load()
    let actions = try session.asking { subject throws(Unanswered) in try subject.actions(reference) }
    if let reference, actions.isEmpty { try session.tellWhetherAnswered(reference) }
    return Reply(answer: .actions(actions))
  }
}
