import LiveHost

extension Verb {
  static let chain = Verb(
    name: "chain", operands: [.app, Operand(name: "REF|ID", isOptional: true, names: [.names, .ids])],
    summary: "show the responder chain; with a reference, what each would answer",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let chain = VerbBody(.chain) { session in
    let reference = session.invocation.operands.dropFirst().first
    try session.load()
    let chain = try session.asking { subject throws(Unanswered) in try subject.chain(reference) }
    if let reference { try session.tellWhetherAnswered(reference) }
    return Reply(answer: .chain(chain))
  }
}
