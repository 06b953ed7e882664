import CLua

// `expect(v)` and its checks: `expect(v):is(x)`.

extension TestRun {
  /// The mark in the number of an expectation's table: no number of a responder, a class or a job has both bits.
  private static let mark: Int64 = ScriptClass.mark | 1 << 60

  /// The methods of an expectation. Each checks the value in its way.
  private static let methods: [String: @Sendable (TestRun, ExpectationCall) throws -> Void] = [
    "is": { try $0.checkIs($1) },
    "isnt": { try $0.checkIsnt($1) },
    "is_true": { try $0.check($1, isExactly: true) },
    "is_false": { try $0.check($1, isExactly: false) },
    "is_nil": { try $0.check($1, isExactly: .nil) },
    "contains": { try $0.checkContains($1) },
    "matches": { try $0.checkMatches($1) },
    "raises": { try $0.checkRaises($1) },
    "is_near": { try $0.checkIsNear($1) },
  ]

  /// Names of these methods in other test libraries. Errors suggest the right name.
  private static let elsewhere = [
    "equals": "is", "equal": "is", "eq": "is", "same": "is", "be": "is", "to_be": "is", "toBe": "is", "toEqual": "is",
    "to_equal": "is", "is_equal": "is", "isEqual": "is", "isnot": "isnt", "is_not": "isnt", "isNot": "isnt",
    "not_equals": "isnt", "not_equal": "isnt", "toBeTruthy": "is_true", "truthy": "is_true", "is_truthy": "is_true",
    "toBeFalsy": "is_false", "falsy": "is_false", "is_falsy": "is_false", "toBeNil": "is_nil", "to_be_nil": "is_nil",
    "exists": "isnt(nil)", "is_not_nil": "isnt(nil)", "not_nil": "isnt(nil)", "include": "contains",
    "includes": "contains", "has": "contains", "toContain": "contains", "to_contain": "contains",
    "toMatch": "matches", "like": "matches", "throws": "raises", "error": "raises", "errors": "raises",
    "has_error": "raises", "fails": "raises", "toThrow": "raises", "close_to": "is_near", "near": "is_near",
    "toBeCloseTo": "is_near",
  ]

  /// The fields of outcomes, validations and items that tests look at.
  static let facts: Set = [
    "status", "by", "via", "result", "reason", "enabled", "title", "state", "key", "text", "error", "asks", "subtitle",
    "hidden", "destructive", "progress", "children", "action", "message",
  ]
  /// The fields of an outcome, and the calls that return an outcome.
  private static let outcomeFacts: Set = ["status", "by", "via", "result", "reason", "error", "asks", "job"]
  private static let outcomeCalls = [":perform(", ":press(", ":pick(", ":choose(", ":undo(", ":redo("]

  /// Returns the field that a line probably means when it reads an unknown field.
  private func meantFact(_ call: ExpectationCall, in text: String?) -> String? {
    guard case .nil = call.found, let text else { return nil }
    let fields = text.split(separator: ".").dropFirst().map { String($0.prefix { $0 == "_" || $0.isLetter }) }
    let known = Self.outcomeCalls.contains(where: text.contains) ? Self.outcomeFacts : Self.facts
    return fields.lazy.filter { $0.utf8.count > 3 && !known.contains($0) }
      .compactMap { nearest(to: $0, among: known).first }.first
  }

  func makeExpect() throws -> LuaFunction {
    var functions: [String: LuaFunction] = [:]
    let metatable = engine.metatable(
      name: "expectation",
      index: { [weak self] call in
        guard case .text(let name) = try call[1] else { return .values([.nil]) }
        if let known = functions[name] { return .values([.function(known)]) }
        if let check = Self.methods[name], let self {
          let made = function { run, call in
            try check(run, try run.expectation(call, name))
            clua_setTop(call.L, 1)
            return .pushed(1)
          }
          functions[name] = made
          return .values([.function(made)])
        }
        if Self.facts.contains(name) {
          throw LuaMisuse("expect takes the value itself: expect(outcome.\(name)):is(…)")
        }
        let meant = Self.elsewhere[name] ?? nearest(to: name, among: Self.methods.keys).first
        let known = Self.methods.keys.sorted().joined(separator: ", ")
        throw LuaMisuse(
          "an expectation has no '\(name)'" + (meant.map { "; did you mean '\($0)'?" } ?? ": there are \(known)"))
      },
      newIndex: { _ in throw LuaMisuse("an expectation can't be assigned; call it with a colon: expect(x):is(1)") },
      string: nil)
    return function { run, call in
      if run.stage == .loading {
        throw LuaMisuse("call 'expect' in a test: nothing can be performed while the file loads")
      }
      let number = run.expectations.open(at: run.lua.place(level: 1, on: call.L, withText: false))
      clua_setTop(call.L, 1)
      clua_newHostTable(call.L, Self.mark | number, metatable)
      clua_copy(call.L, 1)
      clua_rawSetAt(call.L, -2, 1)
      return .pushed(1)
    }
  }

  /// Returns the expectation of a method call.
  private func expectation(_ call: LuaCall, _ method: String) throws -> ExpectationCall {
    let number = clua_hostNumber(call.L, 1)
    guard number > 0, number & Self.mark == Self.mark else {
      throw LuaMisuse("call it with a colon: expect(x):\(method)(…)")
    }
    expectations.close(number & ~Self.mark)
    clua_rawGetAt(call.L, 1, 1)
    defer { clua_pop(call.L, 1) }
    return ExpectationCall(call: call, method: method, found: try lua.value(at: -1, on: call.L))
  }
}

/// A call that checks one expectation of a value.
struct ExpectationCall {
  let call: LuaCall
  let method: String
  let found: LuaValue

  /// Returns the argument after the expectation. It is required, even if it is nil.
  func expected(_ what: String) throws -> LuaValue {
    guard call.count > 1 else { throw LuaMisuse("\(method) takes \(what)") }
    return try call[1]
  }
}

extension TestRun {
  /// Ends the test with a sentence about the difference.
  func fail(_ call: ExpectationCall, _ sentence: String, _ comparison: Comparison? = nil) -> any Error {
    let place = call.call.place
    var shown = engine.place(place)
    if let text = place?.text, let column = LuaColumn.find(method: call.method, line: text) { shown?.column = column }
    let hint = meantFact(call, in: place?.text).map { "; did you mean '\($0)'?" } ?? reason(of: call) ?? ""
    var failure = ScriptTestFailure(failure: Failure(.expectation, sentence + hint, place: shown, text: place?.text))
    failure.callers = callers(of: call.call)
    failure.differences = comparison?.differences ?? []
    failure.moreDifferences = comparison?.more ?? 0
    return fail(failure)
  }

  /// Returns the reason of the last outcome if its status was found where another was expected.
  private func reason(of call: ExpectationCall) -> String? {
    guard let outcome = lastOutcome, outcome.status != .handled, case .text(outcome.status.rawValue) = call.found else {
      return nil
    }
    return (outcome.reason ?? outcome.error?.message).map { ": \($0)" }
  }

  /// Returns the callers of the function with the expectation, up to the test.
  private func callers(of call: LuaCall) -> [Place] {
    var places: [Place] = []
    var level: Int32 = 1
    while places.count < 9, level < 64, let found = engine.place(lua.place(level: level, on: call.L, withText: false)) {
      // A function of Swift or C has the place of its caller.
      if places.last != found { places.append(found) }
      level += 1
    }
    return Array(places.dropFirst())
  }
}

/// The expectations of a test without a method call: `expect(x)` with nothing after it checks nothing.
struct OpenExpectations {
  private var places: [Int64: LuaError.Place] = [:]
  private var last: Int64 = 0

  /// Adds an expectation, and returns its number.
  mutating func open(at place: LuaError.Place?) -> Int64 {
    last += 1
    if let place { places[last] = place }
    return last
  }

  mutating func close(_ number: Int64) { places[number] = nil }

  /// The place of the first open expectation.
  var firstOpen: LuaError.Place? { places.min { $0.key < $1.key }?.value }
}
