import Glibc

/// A *test file* is a script that registers tests. Each test runs in its own host and interpreter.
///
/// ```swift
/// let script = "test('it doubles', function(app) expect(2 * 4):is(9) end)"
/// let file = try ScriptTestFile(text: script, name: "double_test.lua")
/// let result = file.run(file.tests[0])
/// print(result.failures[0].failure)  // double_test.lua:1:48: expected 9, found 8
/// ```
///
/// `prepare` adds to each host what the file needs from the embedding program. A file may run on several threads.
public struct ScriptTestFile: Sendable {
  /// The name of the file in messages. The path of `subject` is relative to it.
  public let name: String
  /// The tests, in the order in which the file registers them.
  public let tests: [ScriptTest]
  private let bytes: [UInt8]
  private let program: LuaProgram?
  private let root: String?
  private let limits: HostLimits
  private let prepare: @Sendable (ScriptHost) throws -> Void

  /// Reads a file and finds its tests. The file is loaded once for that, and once more for each test run.
  ///
  /// - Parameter root: a folder with further subjects and plugins, as in `subject "../photos"`; nil for none.
  public init(
    path: String, below root: String? = nil, limits: HostLimits = HostLimits(),
    prepare: @escaping @Sendable (ScriptHost) throws -> Void = { _ in }
  ) throws(LoadError) {
    try self.init(
      bytes: try ScriptFile.read(path), name: path, below: root, limits: limits, prepare: prepare)
  }

  /// Finds the tests of a text. The path of `subject` is relative to the file's name.
  public init(
    text: String, name: String, limits: HostLimits = HostLimits(),
    prepare: @escaping @Sendable (ScriptHost) throws -> Void = { _ in }
  ) throws(LoadError) {
    try self.init(bytes: Array(text.utf8), name: name, limits: limits, prepare: prepare)
  }

  /// Finds the tests of unchecked bytes.
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

  /// The name under which the file was loaded.
  public let file: String
  /// The full name: the names of its groups, and its own.
  public let name: String
  /// The line that registers it.
  public let place: Place
  /// The lines of the test.
  public let lines: ClosedRange<Int>
  /// The groups that the test is in, the outermost first.
  public let groups: [ScriptTestGroup]
  /// The number of tests that the file registers before this one.
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
  /// Returns the tests at a line, else those of the innermost group at that line.
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
  /// The way in which a test ended.
  public enum Status: String, Sendable {
    case passed, failed, skipped
  }

  /// The test that ran.
  public var test: ScriptTest
  /// The way in which it ended.
  public var status: Status
  /// The failures in order; more than one if a script caught the first.
  public var failures: [ScriptTestFailure] = []
  /// The failures of its scripts' `start` functions. A test may pass in spite of them.
  public var startFailures: [Failure] = []
  /// The reason why it was skipped.
  public var reason: String?
  /// The duration, with loading the file.
  public var seconds: Double
  /// The printed and logged text of its scripts, and the host's diagnostics.
  public var output = ScriptTestOutput()

  /// The coverage of its subject, if it was requested and there is a subject.
  package var coverage: ScriptCoverage?

  /// The limit that ended it, if there was one.
  public var limit: Failure.Limit? { failures.lazy.compactMap(\.failure.limit).first }
  /// Whether it was cancelled from outside.
  public var isCancelled: Bool { failures.contains { $0.failure.code == .cancelled } }
}

/// A failure of a scripted test.
public struct ScriptTestFailure: Sendable {
  /// The failure with its place.
  public var failure: Failure
  /// The call of the failed function, and its callers up to the test.
  public var callers: [Place] = []
  /// The first few parts in which two values differ.
  public var differences: [ScriptTestDifference] = []
  /// The number of further differing parts.
  public var moreDifferences = 0
}

/// A part in which a value differs from the expected value.
public struct ScriptTestDifference: Sendable, Equatable {
  /// The path of the part in Lua's syntax, after the value: `.photo.rating`, `[3]`; empty for the value itself.
  public var path: String
  /// The expected part, shortened.
  public var expected: String
  /// The found part, shortened.
  public var found: String
}

/// The output of a test's scripts, beside its result. Its size is limited.
public struct ScriptTestOutput: Sendable {
  private static let most = 1 << 20

  /// The printed lines, one for each call of `print`.
  public private(set) var printed: [String] = []
  /// The entries of the log.
  public private(set) var log: [LogEntry] = []
  /// The diagnostics of the host.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The number of dropped entries, because there was too much output.
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
