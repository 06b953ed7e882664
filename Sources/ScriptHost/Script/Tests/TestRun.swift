import CLua

/// The tests that a file registers while it loads, and the result of the test that runs.
final class TestRun {
  /// A test, with everything needed to run it.
  struct Registered {
    let test: ScriptTest
    /// The test's function, kept only for the wanted test.
    let function: LuaFunction?
    let scopes: [Scope]
  }

  /// The file, or the body of one `describe`.
  final class Scope {
    let group: ScriptTestGroup?
    var beforeEach: [LuaFunction] = []
    /// The reason why later tests in this scope are skipped.
    var skipReason: String?

    init(_ group: ScriptTestGroup?) { self.group = group }
  }

  /// The stages of a run.
  enum Stage {
    case loading, running, over
  }

  unowned let engine: ScriptEngine
  let script: ScriptOwner
  let file: String
  /// The folder where the tests run, if it is known.
  let root: String?
  /// The number of the test to run.
  private let wanted: Int?
  /// Whether to record what the test sees of its subject.
  private let isMeasuring: Bool
  private(set) var environment: LuaTable
  /// The names that the file defined, including those that are nil now.
  var defined: Set<String> = []
  private(set) var stage = Stage.loading
  /// The file, and the groups that are being described, innermost last.
  var scopes = [Scope(nil)]
  private(set) var registered: [Registered] = []
  /// The number of declared tests. If one is wanted, the others are counted but not registered.
  var count = 0
  private var numbers: [ByteText: Int] = [:]
  /// The place where the file names the subject.
  var subject: Place?
  /// The reason why the subject does not load.
  var subjectError: (any Error)?
  private(set) var failures: [ScriptTestFailure] = []
  private(set) var skipped: String?
  /// True if nobody handled an action that the test performed.
  private var isLost = false
  /// A sentence about the first action that was disabled, or asked, in a call whose outcome the test drops.
  private var undoneBefore: String?
  /// The outcome that a script was given last.
  var lastOutcome: Outcome?
  var expectations = OpenExpectations()
  /// The plugins to load after the file.
  var plugins: [String] = []

  var lua: LuaState { engine.lua }

  init(
    engine: ScriptEngine, script: ScriptOwner, file: String, below root: String?, wanted: Int?, isMeasuring: Bool
  ) throws {
    self.engine = engine
    self.script = script
    self.file = file
    self.root = root
    self.wanted = wanted
    self.isMeasuring = isMeasuring
    environment = engine.lua.newTable()
    environment = try makeEnvironment()
    script.environments.append(environment)
  }

  // MARK: Loading

  /// True if the next test isn't the wanted test. To run one test, the file registers only that.
  var isOther: Bool { wanted.map { $0 != count } ?? false }

  func register(_ name: String, _ function: LuaFunction, at place: Place) throws {
    let groups = scopes.compactMap(\.group)
    let full = (groups.map(\.name) + [name]).joined(separator: ScriptTest.separator)
    if let other = numbers.updateValue(registered.count, forKey: ByteText(full)) {
      throw LuaMisuse("there is a test named '\(full)' already (the other is at \(registered[other].test.place))")
    }
    let test = ScriptTest(
      file: file, name: full, place: place, lines: lines(of: function, calledAt: place), groups: groups,
      number: count)
    count += 1
    registered.append(Registered(test: test, function: test.number == wanted ? function : nil, scopes: scopes))
    if test.number == wanted { skipped = scopes.lazy.compactMap(\.skipReason).first }
  }

  /// Returns the lines of a test: from the call to the end of the function.
  func lines(of function: LuaFunction, calledAt place: Place) -> ClosedRange<Int> {
    guard let lines = lua.lines(of: function), lua.place(of: function, withText: false)?.source == place.file else {
      return place.line...place.line
    }
    return min(place.line, lines.lowerBound)...max(place.line, lines.upperBound)
  }

  /// Throws the error of a subject that doesn't load, even if the file caught it.
  func endLoading() throws {
    stage = .over
    if let subjectError { throw subjectError }
  }

  /// Begins to record the coverage of the subject.
  func measure(_ subject: String) {
    if isMeasuring { engine.coverage = CoverageRecorder(of: subject, host: engine.host, without: file) }
  }

  // MARK: Running

  /// Runs the wanted test, and records its failures.
  func perform(_ test: ScriptTest, within allowance: Allowance) {
    guard let own = registered.first(where: { $0.test.number == wanted }), own.test == test, let body = own.function
    else {
      let sentence = "the file registers other tests each time it loads, and this one is missing now"
      return note(Failure(.misuse, sentence, place: test.place))
    }
    if skipped != nil { return }
    engine.coverage?.watch(engine.host)
    engine.onGiven = { [unowned self] in look(at: $0, of: $1) }
    stage = .running
    defer {
      stage = .over
      engine.onGiven = nil
    }
    do {
      let app = LuaValue.table(LuaTable(reference: engine.object(engine.chain.app, for: script).reference))
      try engine.within(allowance) {
        for function in own.scopes.flatMap(\.beforeEach) + [body] { _ = try engine.callDriving(function, app) }
      }
    } catch {
      note(error)
    }
    if !failures.isEmpty, let hint = missingSubject ?? undoneBefore { failures[0].failure.message += "; \(hint)" }
    if failures.isEmpty, skipped == nil, let place = expectations.firstOpen {
      let sentence = "this expect(…) checks nothing; say what you expect: expect(x):is(1)"
      note(
        Failure(.expectation, sentence, place: engine.place(place), text: lua.line(place.line, of: place.source)))
    }
  }

  /// Checks the outcome of a call that a test makes as a statement. It records a failure if the action failed or nobody
  /// handled it, because the test can't see the outcome. If it was disabled, or asked, a later failure
  /// says so.
  private func look(at outcome: Outcome, of call: LuaCall) {
    lastOutcome = outcome
    if outcome.status == .unhandled { isLost = true }
    guard [.failed, .unhandled, .disabled, .asks].contains(outcome.status), failures.isEmpty, skipped == nil,
      let place = lua.place(level: 1, on: call.L), place.source == file,
      lua.isCall(.dropped, level: 1, on: call.L)
    else { return }
    let status = outcome.status.rawValue
    let reason = outcome.reason ?? outcome.asks?.text ?? outcome.error?.message ?? ""
    if outcome.status == .disabled || outcome.status == .asks {
      undoneBefore = undoneBefore ?? "line \(place.line) did nothing, its outcome is '\(status)': \(reason)"
      return
    }
    let sentence = "this action was '\(status)', and no expectation checks that: \(reason)"
    var failure = Failure(.expectation, sentence, place: engine.place(place), text: place.text)
    failure.limit = outcome.error?.limit
    note(failure)
  }

  private func note(_ failure: Failure) { failures.append(ScriptTestFailure(failure: failure)) }

  /// Records the error that ended a test, unless it is recorded already.
  private func note(_ error: any Error) {
    guard let error = error as? LuaError else {
      return note(Failure(.misuse, "\(error)"))
    }
    if error.cause is ExpectationError || error.cause is SkipError { return }
    note(engine.failure(error, owner: script.owner))
  }

  /// A hint for a failure in a file that loads no subject and declares nothing.
  private var missingSubject: String? {
    guard subject == nil, isLost || engine.lastMissed != nil, engine.host.menuTrees.declarations.isEmpty,
      engine.host.responders.allSatisfy({ engine.host.actions(of: $0).isEmpty })
    else { return nil }
    return "no app is loaded here; before the tests, write subject(\"app.lua\") with the script beside this file"
  }

  /// Records a failed expectation. A script may catch the returned error.
  func fail(_ failure: ScriptTestFailure) -> any Error {
    failures.append(failure)
    return ExpectationError(description: failure.failure.message)
  }

  func skip(_ reason: String) -> any Error {
    if failures.isEmpty, skipped == nil { skipped = reason }
    return SkipError(description: "skipped: \(reason)")
  }
}

/// Ends a test whose expectation failed.
private struct ExpectationError: Error, CustomStringConvertible {
  let description: String
}

/// Ends a test that is skipped.
private struct SkipError: Error, CustomStringConvertible {
  let description: String
}

/// The fresh host of one test, and the output of its scripts.
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

// The globals of a test file: its own, then the language and the words of tests, then the subject's.

extension TestRun {
  func makeEnvironment() throws -> LuaTable {
    clua_newGlobals(lua.L)
    let own = LuaTable(reference: lua.takeReference())
    let language = LuaTable(reference: lua.takeReference())
    // Its `math` is the subject's, whose seed a test may set.
    try lua.rawSet("math", .nil, of: language)
    for (name, function) in try words() { try lua.rawSet(.text(name), .function(function), of: language) }
    try setMetatable(["__index": .function(function { try $0.read($1, language) })], of: language)
    try setMetatable(
      [
        "__index": .table(language), "__newindex": .function(function { try $0.write($1, language) }),
        "__metatable": false,
      ],
      of: own)
    return own
  }

  /// Makes a function of the language of tests, which doesn't retain this object.
  func function(_ body: @escaping (TestRun, LuaCall) throws -> LuaReturn) -> LuaFunction {
    lua.function { [weak self] call in
      guard let self else { throw LuaMisuse("the test that made this is over") }
      return try body(self, call)
    }
  }

  private func setMetatable(_ fields: [String: LuaValue], of table: LuaTable) throws {
    let metatable = lua.newTable()
    for (name, value) in fields { try lua.rawSet(.text(name), value, of: metatable) }
    try lua.push(table.reference, on: lua.L)
    try lua.push(metatable.reference, on: lua.L)
    clua_setRawMetatable(lua.L, -2)
    clua_pop(lua.L, 1)
  }

  /// Reads a name of the language or of the subject. Throws for an undefined name.
  private func read(_ call: LuaCall, _ language: LuaTable) throws -> LuaReturn {
    guard case .text(let name) = try call[1] else { return .values([.nil]) }
    let word = try engine.scriptName(name, of: script)
    if case .nil = word {
    } else {
      try lua.rawSet(.text(name), word, of: language)
      return .values([word])
    }
    if script.defined.contains(name) { return .values([try lua.rawGet(.text(name), of: script.environment)]) }
    if defined.contains(name) { return .values([.nil]) }
    if name == "io" { return .values([.table(try engine.refusedIO())]) }
    throw LuaMisuse("'\(name)' is not defined\(try near(name, call, language))")
  }

  /// Assigns a global. While the file loads, that defines it. A test assigns names of the file, else of its subject.
  private func write(_ call: LuaCall, _ language: LuaTable) throws -> LuaReturn {
    let key = try call[1]
    if case .text(let name) = key {
      if stage == .loading { defined.insert(name) }
      if !defined.contains(name) {
        guard script.defined.contains(name) else {
          throw LuaMisuse(
            "'\(name)' was not defined while the file loaded, so a test can't assign it\(try near(name, call, language)); "
              + "did you mean 'local \(name)'?")
        }
        try lua.rawSet(key, try call[2], of: script.environment)
        return .nothing
      }
    }
    clua_setTop(call.L, 3)
    if !clua_rawSet(call.L, 1) { throw LuaMisuse("the name of a global can't be nil or NaN") }
    return .nothing
  }

  private func near(_ name: String, _ call: LuaCall, _ language: LuaTable) throws -> String {
    var known = try defined.union(script.defined).union(engine.languageNames(of: script))
    try lua.forEach(in: language) { key, _ in
      if case .text(let text) = key { known.insert(text) }
      return true
    }
    let guess = engine.guess(of: name, call, among: known)
    return guess.isEmpty && name == "it" ? "; did you mean 'test'?" : guess
  }
}
