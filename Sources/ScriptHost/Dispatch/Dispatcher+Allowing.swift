extension Dispatcher {
  /// Runs a body that asks scripts, with an allowance of its own.
  func allowing<Answer, Trouble: Error>(_ body: () throws(Trouble) -> Answer) throws(Trouble) -> Answer {
    engine?.beginAllowance()
    defer { engine?.endAllowance() }
    return try body()
  }

  /// Runs a perform, with an allowance of its own.
  func allowingPerform(_ body: () -> Outcome) -> Outcome {
    engine?.beginPerform()
    defer { engine?.endAllowance() }
    return body()
  }

  /// Has a handler do its action. What one of the program's does takes nothing from a perform's allowance, unless that is spent already or a
  /// script called for it, and each perform that it begins has an allowance of its own.
  func reply(of handler: Handler, for responder: Responder, in context: Context) -> Reply {
    guard handler.isOfProgram, let engine, engine.stepOutside() else {
      return handler.perform(for: responder, in: context)
    }
    defer { engine.stepBack() }
    return handler.perform(for: responder, in: context)
  }

  /// Charges the allowance in use for steps that the host took, and for those that the chain has counted.
  func chargeWalk(_ steps: Int) { engine?.charge(steps + chain.takeWork()) }
}
