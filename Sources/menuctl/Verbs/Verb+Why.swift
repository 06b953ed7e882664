extension Verb {
  static let why = Verb(
    name: "why", operands: [.app, .reference], summary: "show why an action can be done or can't, and who gets it",
    options: Option.loading
  ) { session in
    let reference = try session.references()[0]
    try session.load()
    return Reply(answer: .explanation(try session.host.why(reference)))
  }
}
