extension Verb {
  static let chain = Verb(
    name: "chain", operands: [.app, Operand(name: "REF", isOptional: true)],
    summary: "show the responder chain; with a reference, what each would answer",
    options: Option.loading
  ) { session in
    let reference = try session.references().first
    try session.load()
    return Reply(answer: .chain(try session.host.chain(reference), focus: session.host.focused.name))
  }
}
