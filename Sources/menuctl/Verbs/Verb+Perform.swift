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
    let performed = session.doing(reference) { session.host.perform(reference, options) }
    return Reply(answer: .outcome(performed), status: ExitStatus(performed.outcome))
  }
}

extension Session {
  /// Waits for what takes time, and shows on a terminal how far it is.
  private func ended(_ outcome: Outcome) -> Outcome {
    guard let job = outcome.job else { return outcome }
    job.onProgress = { [output] in output.show($0.progress) }
    output.show(job.progress)
    defer { output.show(nil) }
    return host.wait(for: job)
  }

  /// Does something, and tells what came of it: its result copied, which no later script can change, and what changed in the menus.
  func doing(_ name: String, _ body: () -> Outcome) -> Answer.Performed {
    let before = host.menus()
    let undo = host.undoHistory.undo
    let outcome = ended(body())
    let changes = Answer.Changes(before: before, all: host.changes())
    let history = host.undoHistory.undo
    return Answer.Performed(
      name: name, outcome: outcome, result: host.tree(of: outcome.result), changes: changes,
      undo: history.count > undo.count ? history.first : nil)
  }
}
