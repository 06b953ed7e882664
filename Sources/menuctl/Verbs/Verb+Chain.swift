import LiveHost

extension Verb {
  static let chain = Verb(
    name: "chain", operands: [.app, Operand(name: "REF", isOptional: true, kind: .names([.names]))],
    summary: "show the responder chain; with a reference, what each would answer",
    options: Option.loading, asksLive: true
  ) { session in
    let reference = try session.references().first
    try session.load()
    return Reply(answer: .chain(try session.asking { subject throws(Unanswered) in try subject.chain(reference) }))
  }
}
