/// The fresh host in which one test runs, and the output of its scripts.
final class TestStage {
  private let bytes: [UInt8]
  /// The compiled file, once it was compiled.
  private(set) var program: LuaProgram?
  private let name: String
  private let root: String?
  private let host: ScriptHost
  private let prepare: (ScriptHost) throws -> Void
  private var output = ScriptTestOutput()

  init(
    bytes: [UInt8], program: LuaProgram? = nil, name: String, below root: String?, limits: HostLimits,
    prepare: @escaping (ScriptHost) throws -> Void
  ) {
    self.bytes = bytes
    self.program = program
    self.name = name
    self.root = root
    self.prepare = prepare
    host = ScriptHost(limits: limits, clock: TestClock())
    host.onPrint = { [unowned self] in output.print($0) }
    host.onLog = { [unowned self] in output.add($0) }
    host.onDiagnostic = { [unowned self] in output.add($0) }
  }

  /// Loads the file. If a test is to run, its function is kept.
  func load(for test: ScriptTest?, isMeasuring: Bool = false) throws(LoadError) -> TestRun {
    do {
      try prepare(host)
    } catch {
      throw LoadError(kind: .failed, failure: Failure(native: error, of: host.program))
    }
    var run: TestRun?
    try host.load(host.newOwner("app")) { engine, script in
      script.grant(host.granted, folder: ScriptFile.folder(of: name))
      let made = try TestRun(
        engine: engine, script: script, file: name, below: root, wanted: test?.number, isMeasuring: isMeasuring)
      run = made
      try engine.run(of: script) {
        if let program { return try engine.lua.load(program, environment: made.environment, owner: script.code) }
        let chunk = try engine.lua.load(bytes: bytes, name: name, environment: made.environment, owner: script.code)
        program = try engine.lua.program(of: chunk, name: name)
        return chunk
      }
      try made.endLoading()
    }
    // If the load succeeded, its body has run.
    guard let run else { throw LoadError(kind: .failed, failure: Failure(.misuse, "nothing was loaded")) }
    if !run.plugins.isEmpty { try host.load(plugins: run.plugins) }
    return run
  }

  func run(_ test: ScriptTest, isMeasuring: Bool) -> ScriptTestResult {
    var result = ScriptTestResult(test: test, status: .passed, seconds: 0)
    do {
      let run = try load(for: test, isMeasuring: isMeasuring)
      result.startFailures = host.start(wait: true).filter { $0.status == .failed }.compactMap(\.error)
      run.perform(test, within: host.limits.test)
      result.failures = run.failures
      result.reason = run.skipped
      result.coverage = run.engine.coverage?.coverage
    } catch {
      result.failures = [ScriptTestFailure(failure: error.failure)]
    }
    if !result.failures.isEmpty { result.status = .failed } else if result.reason != nil { result.status = .skipped }
    result.output = output
    return result
  }
}
