import ScriptHost

extension Verb {
  static let perform = Verb(
    name: "perform", operands: [.app, .reference], summary: "perform one action and show what came of it",
    options: [.from, .to, .argument, .skipValidation, .trace] + Option.loading
  ) { session in
    let reference = try session.references()[0]
    let performing = Deed.Performing(
      from: session.invocation.values(.from).last, to: session.invocation.values(.to).last,
      arguments: try session.invocation.pairs(.argument), skipsValidation: session.invocation.has(.skipValidation))
    try session.load()
    let done = try session.tracing(session.invocation.has(.trace)) { () throws(Problem) in
      try session.carryOut(.perform(reference, performing))
    }
    return Reply(answer: .done(done), status: done.status)
  }
}

extension Session {
  /// Notes how what is performed goes, where that is wanted.
  fileprivate func tracing(_ isWanted: Bool, _ body: () throws(Problem) -> Answer.Done) throws(Problem) -> Answer.Done {
    guard isWanted else { return try body() }
    var traces: [Trace] = []
    host.onTrace = { traces.append($0) }
    defer { host.onTrace = nil }
    let done = try body()
    guard case .performed(var performed) = done else { return done }
    performed.traces = traces
    return .performed(performed)
  }

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
