import LiveHost
import ScriptHost

extension Verb {
  static let why = Verb(
    name: "why", operands: [.app, .target],
    summary: "show why an action, an item or a key can be done or can't, and who gets it",
    options: [.choose, .as] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let why = VerbBody(.why) { session in
    let name = session.invocation.operands[1]
    let kind = try session.invocation.choice(.as, of: Answer.Validated.Kind.self)
    try session.load()
    try session.chooseRows()
    let explanation = try session.asking { subject throws(Unanswered) in try subject.explanation(of: name, as: kind) }
    if !explanation.isEnabled, explanation.by == nil, kind == nil { try session.tellOthers(of: name) }
    return Reply(answer: .explanation(explanation))
  }
}
