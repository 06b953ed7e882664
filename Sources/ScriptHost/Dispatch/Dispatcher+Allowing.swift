extension Dispatcher {
  /// Ends the current allowance; what was postponed because it was spent is done.
  func endAllowance() {
    guard let engine else { return }
    engine.endAllowance()
    if state.value.hasPostponed { doPostponed() }
  }

  /// Runs a body that asks scripts, with an allowance of its own.
  func allowing<Answer, Thrown: Error>(_ body: () throws(Thrown) -> Answer) throws(Thrown) -> Answer {
    engine?.beginAllowance()
    defer { endAllowance() }
    return try body()
  }

  /// Runs a perform, with an allowance of its own.
  func allowingPerform(_ body: () -> Outcome) -> Outcome {
    engine?.beginPerform()
    defer { endAllowance() }
    return body()
  }

  /// Has a handler do its action. What one of the program's does takes nothing from a perform's allowance, unless a script called for it, and
  /// each perform that it begins has an allowance of its own.
  func reply(of handler: Handler, for responder: Responder, in context: Context) -> Reply {
    guard handler.isOfProgram else { return handler.perform(for: responder, in: context) }
    return outside { handler.perform(for: responder, in: context) }
  }

  /// Runs what is the program's own doing, outside of the allowances of performs.
  @inline(__always)
  func outside(_ body: () -> Reply) -> Reply {
    guard let engine, engine.stepOutside() else { return body() }
    defer { engine.stepBack() }
    // What had to wait because a limit was spent comes first: it was to be done before.
    doPostponed()
    return body()
  }

  /// Charges the allowance in use for steps that the host took, and for those that the chain has counted.
  func chargeWalk(_ steps: Int) { engine?.charge(steps + chain.takeWork()) }
}
