import CLua

/// The tests that a file registers while it loads, and the result of the one that is run.
final class TestRun {
  /// A test, with what it takes to run it.
  struct Registered {
    let test: ScriptTest
    /// The test's function, kept only for the test that is wanted.
    let function: LuaFunction?
    let scopes: [Scope]
  }

  /// The file, or the body of one `describe`.
  final class Scope {
    let group: ScriptTestGroup?
    var beforeEach: [LuaFunction] = []
    /// Why the tests that are registered here from now on are skipped.
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
  /// The folder in which the tests are run, if it is known.
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
  /// How many tests were declared; if one is wanted, the others are counted but not registered.
  var count = 0
  private var numbers: [ByteText: Int] = [:]
  /// The place where the subject was named.
  var subject: Place?
  /// Why the subject does not load.
  var subjectError: (any Error)?
  private(set) var failures: [ScriptTestFailure] = []
  private(set) var skipped: String?
  /// Whether an action that the test performed was taken by nobody.
  private var isLost = false
  var expectations = OpenExpectations()
  /// The plugins to load once the file is loaded.
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

  /// Whether the next test isn't the wanted one; when the file is loaded to run one test, only that is kept.
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

  /// The lines of a test: from the call to the end of the function.
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

  /// Begins the record of what there is to see of the subject.
  func measure(_ subject: String) {
    if isMeasuring { engine.coverage = CoverageRecorder(of: subject, host: engine.host, without: file) }
  }

  // MARK: Running

  /// Runs the wanted test, and records its failures.
  func perform(_ test: ScriptTest, within allowance: Allowance) {
    guard let own = registered.first(where: { $0.test.number == wanted }), own.test == test, let body = own.function
    else {
      let sentence = "the file registers other tests than it did before: this one is not among them"
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
    if !failures.isEmpty, let missingSubject { failures[0].failure.message += "; \(missingSubject)" }
    if failures.isEmpty, skipped == nil, let place = expectations.firstOpen {
      let sentence = "nothing is expected here: expect(…) is followed by what to expect, as in expect(x):is(1)"
      note(
        Failure(.expectation, sentence, place: engine.place(place), text: lua.line(place.line, of: place.source)))
    }
  }

  /// Looks at the outcome of a call that a test makes as a statement: one that failed or was taken by nobody is recorded, because the test can't look
  /// at its outcome.
  private func look(at outcome: Outcome, of call: LuaCall) {
    if outcome.status == .unhandled { isLost = true }
    guard outcome.status == .failed || outcome.status == .unhandled, failures.isEmpty, skipped == nil,
      let place = lua.place(level: 1, on: call.L), place.source == file,
      lua.isCall(.dropped, level: 1, on: call.L)
    else { return }
    let status = outcome.status.rawValue
    let reason = outcome.reason ?? outcome.error?.message ?? ""
    let sentence = "this came to '\(status)', which nothing here expects: \(reason)"
    var failure = Failure(.expectation, sentence, place: engine.place(place), text: place.text)
    failure.limit = outcome.error?.limit
    note(failure)
  }

  private func note(_ failure: Failure) { failures.append(ScriptTestFailure(failure: failure)) }

  /// Records the error that ended a test, unless that is recorded already.
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
    return "nothing is tested here: subject(\"app.lua\"), before the tests, loads the script beside this file"
  }

  /// Records a failed expectation; a script may catch the error that is thrown for it.
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
