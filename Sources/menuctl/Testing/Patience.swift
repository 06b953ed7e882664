/// The *patience* for a run of many tests or steps: once `most` of them have spent their limits, the rest isn't run.
struct Patience {
  /// Fewer would tell less about what is wrong, and each may take ten seconds.
  static let most = 5

  private(set) var spent = 0

  /// Whether the rest isn't run.
  var isOver: Bool { spent >= Self.most }

  /// Counts a test or step, if it spent a limit.
  mutating func take(spent isSpent: Bool) { if isSpent { spent += 1 } }
}
