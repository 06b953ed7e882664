/// What runs the functions of scripts.
protocol Engine: AnyObject {
  /// Whether a script is being asked a question.
  var isAsking: Bool { get }
  /// Gives what runs from now on an allowance of its own, until its end.
  func beginAllowance()
  func endAllowance()
  /// Lays out what a taker does to be performed in one go; nil where something on the way is not its own.
  func fuse(_ taker: QuickTaker, _ resolution: Resolution) -> AnyObject?
  /// Performs what it laid out; nil where the general way goes on after `takeQuickEnd`.
  func run(_ fused: Unmanaged<AnyObject>) -> Outcome?
  func takeQuickEnd() -> QuickEnd
  /// Charges no allowance for time in which nothing was done.
  func rested(_ nanoseconds: Int64)
  /// Whether somebody asked to end what goes on; once.
  func takeInterrupt() -> Bool
}

/// Why a perform that went the quick way goes on the general way.
enum QuickEnd {
  /// The first candidate passed; the context is built, where it can be gone on with.
  case passed(Context?)
  case failed(Failure)
  case waiting(Suspension)
}
