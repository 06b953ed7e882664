extension Dispatcher {
  /// Runs a body that asks scripts, with an allowance of its own.
  func allowing<Answer, Trouble: Error>(_ body: () throws(Trouble) -> Answer) throws(Trouble) -> Answer {
    engine?.beginAllowance()
    defer { engine?.endAllowance() }
    return try body()
  }

  /// Charges the allowance in use for steps that the host took, and for those that the chain has counted.
  func chargeWalk(_ steps: Int) { engine?.charge(steps + chain.takeWork()) }
}
