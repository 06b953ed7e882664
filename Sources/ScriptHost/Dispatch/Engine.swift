/// What runs the functions of scripts.
protocol Engine: AnyObject {
  /// Whether a script is being asked a question.
  var isAsking: Bool { get }
  /// Gives what runs from now on an allowance of its own, until its end.
  func beginAllowance()
  func endAllowance()
  /// Lays out the first candidate of a resolution to be performed in one go; nil where something on the way is not its own.
  func fuse(_ resolution: Resolution) -> AnyObject?
  /// Performs what it laid out.
  func run(_ fused: AnyObject) -> QuickAnswer
}

/// What came of a perform that went the quick way.
enum QuickAnswer {
  case outcome(Outcome)
  /// The first candidate passed; the context is built, where it can be gone on with.
  case passed(Context?)
  case failed(Failure)
}
