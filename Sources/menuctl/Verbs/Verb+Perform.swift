import ScriptHost

extension Verb {
  static let perform = Verb(
    name: "perform", operands: [.app, .reference], summary: "perform one action and show what came of it",
    options: [.from, .to, .argument, .skipValidation] + Option.loading
  ) { session in
    let reference = try session.references()[0]
    let arguments = try session.arguments()
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

  /// What `--arg` gives; a value that is not one of a reference's is a string.
  fileprivate func arguments() throws(Problem) -> Arguments {
    var arguments = Arguments()
    for word in invocation.values(.argument) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Problem(.usage, "'\(word)' is no argument: \(Option.argument.usage)")
      }
      let literal = (try? Reference.parse("a(value: \(parts[1]))"))?.arguments
      arguments[parts[0]] = literal?.members.count == 1 ? literal?["value"].map(Value.init) : .text(parts[1])
    }
    return arguments
  }
}
