import ScriptHost

extension Verb {
  static let perform = Verb(
    name: "perform", operands: [.app, .reference], summary: "perform one action and show what came of it",
    options: [.from, .to, .argument, .skipValidation] + Option.loading
  ) { session in
    let reference = try session.references()[0]
    let arguments = try session.invocation.pairs(.argument)
    try session.load()
    var options = PerformOptions()
    options.arguments = arguments
    options.skipValidation = session.invocation.has(.skipValidation)
    options.from = try session.invocation.values(.from).last.map(session.responder)
    options.to = try session.invocation.values(.to).last.map(session.responder)
    let outcome = session.host.perform(reference, options)
    return Reply(answer: .outcome(session.performed(reference, outcome)), status: ExitStatus(outcome))
  }
}

extension Session {
  /// An outcome with its result copied, which no later script can change.
  func performed(_ reference: String, _ outcome: Outcome) -> Answer.Performed {
    Answer.Performed(reference: reference, outcome: outcome, result: host.tree(of: outcome.result))
  }
}
