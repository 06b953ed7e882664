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
