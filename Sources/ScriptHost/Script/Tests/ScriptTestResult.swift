/// The result of a scripted test.
public struct ScriptTestResult: Sendable {
  /// How a test ended.
  public enum Status: String, Sendable {
    case passed, failed, skipped
  }

  /// Which test it was.
  public var test: ScriptTest
  /// How it ended.
  public var status: Status
  /// What went wrong, in the order in which it did; more than one where a script caught the first.
  public var failures: [ScriptTestFailure] = []
  /// Why `start` functions of its scripts failed; a test may pass all the same.
  public var startFailures: [Failure] = []
  /// Why it was skipped.
  public var reason: String?
  /// How long it took, its file's loading included.
  public var seconds: Double
  /// What its scripts printed and logged, and what the host reported.
  public var output = ScriptTestOutput()

  /// What it saw of its subject, where that was asked for and there is one.
  package var coverage: ScriptCoverage?

  /// The limit that ended it, if one did.
  public var limit: Failure.Limit? { failures.lazy.compactMap(\.failure.limit).first }
  /// Whether it was cancelled from outside.
  public var isCancelled: Bool { failures.contains { $0.failure.code == .cancelled } }
}

/// One thing that went wrong in a scripted test.
public struct ScriptTestFailure: Sendable {
  /// What it is, and where.
  public var failure: Failure
  /// The call of the function that failed, and the callers of that, up to the test.
  public var callers: [Place] = []
  /// The first few parts in which two values differ.
  public var differences: [ScriptTestDifference] = []
  /// How many more parts differ.
  public var moreDifferences = 0
}

/// A part in which a value differs from what a test expects.
public struct ScriptTestDifference: Sendable, Equatable {
  /// Which part, as a script would write it after the value: `.photo.rating`, `[3]`; empty for the value itself.
  public var path: String
  /// What is expected there, shortened.
  public var expected: String
  /// What is there, shortened.
  public var found: String
}

/// The output of the scripts of one test, beside its result; its size is limited.
public struct ScriptTestOutput: Sendable {
  private static let most = 1 << 20

  /// The printed lines, one for each call of `print`.
  public private(set) var printed: [String] = []
  /// What was logged.
  public private(set) var log: [LogEntry] = []
  /// What the host reported.
  public private(set) var diagnostics: [Diagnostic] = []
  /// How much was left out because there was too much.
  public private(set) var leftOut = 0
  private var bytes = 0

  /// No output.
  public init() {}

  mutating func print(_ text: String) { if take(text) { printed.append(text) } }
  mutating func add(_ entry: LogEntry) { if take(entry.text) { log.append(entry) } }
  mutating func add(_ diagnostic: Diagnostic) { if take(diagnostic.message) { diagnostics.append(diagnostic) } }

  private mutating func take(_ text: String) -> Bool {
    guard bytes + text.utf8.count + 64 <= Self.most else {
      leftOut += 1
      return false
    }
    bytes += text.utf8.count + 64
    return true
  }
}
