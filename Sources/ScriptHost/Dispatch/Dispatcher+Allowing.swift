extension Dispatcher {
  /// Does something in which scripts are asked, on an allowance of its own.
  func allowing<Answer, Trouble: Error>(_ body: () throws(Trouble) -> Answer) throws(Trouble) -> Answer {
    engine?.beginAllowance()
    defer { engine?.endAllowance() }
    return try body()
  }

  /// Charges the script on whose allowance this is done for steps of a walk over what is declared.
  func chargeWalk(_ steps: Int) { engine?.charge(steps + chain.takeWork()) }
}
