import LiveHost
import ScriptHost

extension Verb {
  static let validate = Verb(
    name: "validate",
    operands: [.app, Operand(name: "REF|ID", isOptional: true, isRepeated: true, names: [.names, .ids])],
    summary: "show whether actions or items can be done now, and why not; without one, every item",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let validate = VerbBody(.validate) { session in
    let names = Array(session.invocation.operands.dropFirst())
    try session.load()
    let validated = try session.asking { subject throws(Unanswered) in try subject.validations(of: names) }
    if names.isEmpty { return Reply(answer: .validations(validated, named: false)) }
    return Reply(
      answer: .validations(validated, named: true), status: validated.allSatisfy(\.validation.isEnabled) ? .done : .no)
  }
}
