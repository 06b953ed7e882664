import LiveHost

extension Verb {
  static let context = Verb(
    name: "context", operands: [.app, Operand(name: "REF", isOptional: true, kind: .names([.names]))],
    summary: "show the context and who supplied each key; with a reference, its arguments too",
    options: Option.loading, asksLive: true
  ) { session in
    let reference = try session.references().first
    try session.load()
    return Reply(answer: .context(try session.asking { subject throws(Unanswered) in try subject.context(reference) }))
  }
}
