import Glibc

/// A *test file* is a script that registers tests; each runs in a host and an interpreter of its own.
///
/// ```swift
/// let script = "test('it doubles', function(app) expect(2 * 4):is(9) end)"
/// let file = try ScriptTestFile(text: script, name: "double_test.lua")
/// let result = file.run(file.tests[0])
/// print(result.failures[0].failure)  // double_test.lua:1:48: expected 9, found 8
/// ```
///
/// `prepare` gives every host what the file needs of the embedding program. A file may be run on several threads at once.
public struct ScriptTestFile: Sendable {
  /// The name of the file in messages; the path that `subject` names is relative to it.
  public let name: String
  /// Its tests, in the order in which it registers them.
  public let tests: [ScriptTest]
  private let bytes: [UInt8]
  private let program: LuaProgram?
  private let root: String?
  private let limits: HostLimits
  private let prepare: @Sendable (ScriptHost) throws -> Void

  /// Reads a file and finds its tests: it is loaded once for that, and once for each test that is run.
  ///
  /// - Parameter root: a folder below which subjects and plugins may be too, as in `subject "../photos"`; nil if they may only be beside the file.
  public init(
    path: String, below root: String? = nil, limits: HostLimits = HostLimits(),
    prepare: @escaping @Sendable (ScriptHost) throws -> Void = { _ in }
  ) throws(LoadError) {
    try self.init(
      bytes: try ScriptFile.read(path), name: path, below: root, limits: limits, prepare: prepare)
  }

  /// Finds the tests of a text; the path that `subject` names is relative to the file's name.
  public init(
    text: String, name: String, limits: HostLimits = HostLimits(),
    prepare: @escaping @Sendable (ScriptHost) throws -> Void = { _ in }
  ) throws(LoadError) {
    try self.init(bytes: Array(text.utf8), name: name, limits: limits, prepare: prepare)
  }

  /// Finds the tests of bytes that were not checked yet.
  public init(
    bytes: [UInt8], name: String, below root: String? = nil, limits: HostLimits = HostLimits(),
    prepare: @escaping @Sendable (ScriptHost) throws -> Void = { _ in }
  ) throws(LoadError) {
    let stage = TestStage(bytes: bytes, name: name, below: root, limits: limits, prepare: prepare)
    let run = try stage.load(for: nil)
    self.name = name
    self.bytes = bytes
    program = stage.program
    self.root = root
    self.limits = limits
    self.prepare = prepare
    tests = run.registered.map(\.test)
  }

  /// Runs a test of this file on the calling thread, whose stack is best 16 MiB.
  ///
  /// - Parameter coverage: whether to record what the test sees of its subject.
  public func run(_ test: ScriptTest, coverage: Bool = false) -> ScriptTestResult {
    let began = Self.seconds
    let stage = TestStage(
      bytes: bytes, program: program, name: name, below: root, limits: limits, prepare: prepare)
    var result = stage.run(test, isMeasuring: coverage)
    result.seconds = Self.seconds - began
    return result
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A *scripted test* is a function that a test file registers under a name.
public struct ScriptTest: Sendable, Equatable {
  /// Separates the names of a test's groups and its own name.
  public static let separator = " / "

  /// The name that the file was loaded under.
  public let file: String
  /// The full name: the names of its groups, and its own.
  public let name: String
  /// Where the file registers it.
  public let place: Place
  /// The lines of the test.
  public let lines: ClosedRange<Int>
  /// The groups that the test is in, the outermost first.
  public let groups: [ScriptTestGroup]
  /// How many tests the file registers before this one.
  public let number: Int
}

/// A group of tests, registered by `describe`.
public struct ScriptTestGroup: Sendable, Equatable {
  /// The group's own name.
  public let name: String
  /// The lines of the group.
  public let lines: ClosedRange<Int>
}

extension [ScriptTest] {
  /// The tests at a line, else those of the innermost group at that line.
  public func written(at line: Int) -> [ScriptTest] {
    let tests = filter { $0.lines.contains(line) }
    if !tests.isEmpty { return tests }
    let groups = flatMap(\.groups).filter { $0.lines.contains(line) }
    guard let innermost = groups.min(by: { $0.lines.count < $1.lines.count }) else { return [] }
    return filter { $0.groups.contains(innermost) }
  }
}

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
