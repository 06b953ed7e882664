import LiveHost

extension Verb {
  static let context = Verb(
    name: "context", operands: [.app, Operand(name: "REF|ID", isOptional: true, names: [.names, .ids])],
    summary: "show the context and who supplied each key; with a reference, its arguments too",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let context = VerbBody(.context) { session in
    let reference = session.invocation.operands.dropFirst().first
    try session.load()
    let context = try session.asking { subject throws(Unanswered) in try subject.context(reference) }
    if let reference { try session.tellWhetherAnswered(reference) }
    return Reply(answer: .context(context))
  }
}
