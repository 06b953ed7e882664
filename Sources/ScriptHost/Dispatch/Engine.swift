/// What runs the functions of scripts.
protocol Engine: AnyObject {
  /// Whether a script is being asked a question.
  var isAsking: Bool { get }
  /// Whether what runs now has spent its allowance, so that nothing of a script's can be run.
  var isSpent: Bool { get }
  /// Gives what runs from now on an allowance of its own, until its end.
  func beginAllowance()
  func endAllowance()
  /// Bounds one of many questions, so that the others can still be asked when it is endless.
  func beginQuestion()
  func endQuestion()
  /// Lays out what a taker does to be performed in one go; nil where something on the way is not its own.
  func fuse(_ candidate: Candidate, _ resolution: Resolution) -> QuickPlan?
  /// Builds the context of a walk in one go; nil where something on the way is not its own.
  func context(of walk: Walk) -> Context?
  /// Whether a question can be asked in one go with others.
  func canAsk(_ question: QuickQuestions.Question) -> Bool
  /// Lays out questions that can be.
  func layOut(_ questions: [QuickQuestions.Question]) -> QuickQuestions
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
