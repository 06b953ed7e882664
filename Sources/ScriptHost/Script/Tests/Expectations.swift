// The checks of expectations. Each failure is one sentence with the expected and the found value.

extension TestRun {
  private var text: ValueText { ValueText(engine) }

  // MARK: Equal

  func checkIs(_ call: ExpectationCall) throws {
    let expected = try call.expected("the expected value; for nil write is_nil()")
    let comparison = try compare(expected, call.found)
    if let sentence = comparison.sentence { throw fail(call, sentence, comparison) }
  }

  func checkIsnt(_ call: ExpectationCall) throws {
    let unexpected = try call.expected("what is not expected")
    if try compare(unexpected, call.found).sentence == nil {
      throw fail(call, "expected anything but \(text.of(unexpected))")
    }
  }

  func check(_ call: ExpectationCall, isExactly expected: LuaValue) throws {
    if call.call.count > 1 { throw LuaMisuse("\(call.method) takes no value; to compare with one write is(x)") }
    let comparison = try compare(expected, call.found)
    if let sentence = comparison.sentence { throw fail(call, sentence, comparison) }
  }

  private func compare(_ expected: LuaValue, _ found: LuaValue) throws -> Comparison {
    var comparison = Comparison(engine)
    try comparison.compare(expected, found)
    return comparison
  }

  // MARK: Numbers

  func checkIsNear(_ call: ExpectationCall) throws {
    guard let expected = number(try call.expected("a number and the greatest distance")) else {
      throw LuaMisuse("is_near takes a number, not \(try call.call[1].described)")
    }
    guard let tolerance = number(try call.call[2]), tolerance >= 0 else {
      throw LuaMisuse(
        "is_near takes the greatest distance second, a number from 0 on: is_near(\(text.of(try call.call[1])), 0.01)")
    }
    if let found = number(call.found), found == expected || abs(found - expected) <= tolerance { return }
    let range = "\(text.of(try call.call[1])) ± \(text.of(try call.call[2]))"
    throw fail(call, "expected \(range), found \(text.of(call.found))")
  }

  private func number(_ value: LuaValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  // MARK: Parts

  func checkContains(_ call: ExpectationCall) throws {
    let part = try call.expected("what is to be in it")
    switch call.found {
    case .text, .bytes:
      guard let sought = bytes(part) else {
        throw LuaMisuse("to look into a string, 'contains' takes a string, not \(part.described)")
      }
      if let all = bytes(call.found), all.contains(sought) { return }
    case .table(let table):
      var isThere = false
      try lua.forEach(in: table) { _, value in
        isThere = try compare(part, value).sentence == nil
        return !isThere
      }
      if isThere { return }
    default:
      throw fail(call, "expected a string or a table that contains \(text.of(part)), found \(text.of(call.found))")
    }
    throw fail(call, "expected \(text.of(call.found)) to contain \(text.of(part))")
  }

  private func bytes(_ value: LuaValue) -> [UInt8]? {
    switch value {
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    default: nil
    }
  }

  // MARK: Patterns

  func checkMatches(_ call: ExpectationCall) throws {
    let pattern = try call.expected("a pattern of Lua's")
    guard bytes(pattern) != nil else { throw LuaMisuse("a pattern must be a string, not \(pattern.described)") }
    guard bytes(call.found) != nil else {
      throw fail(call, "expected a string that matches \(text.of(pattern)), found \(text.of(call.found))")
    }
    if try matches(call.found, pattern) { return }
    throw fail(call, "expected \(text.of(call.found)) to match \(text.of(pattern))")
  }

  /// Returns true if a string matches a pattern, by `string.find`, whose steps count against the limits.
  private func matches(_ value: LuaValue, _ pattern: LuaValue) throws -> Bool {
    guard case .table(let library) = try lua.rawGet("string", of: script.language),
      case .function(let find) = try lua.get("find", of: library)
    else { throw LuaMisuse("there is no string.find") }
    do {
      return try lua.call(find, value, pattern).first?.isTrue ?? false
    } catch {
      if error.limit != nil { throw error }
      throw LuaMisuse("the pattern can't be used: \(error.message)")
    }
  }

  // MARK: Errors

  func checkRaises(_ call: ExpectationCall) throws {
    guard case .function(let function) = call.found else {
      throw LuaMisuse(
        "raises needs a function: expect(function() … end):raises(), not \(call.found.described)")
    }
    let pattern = try call.call[1]
    if case .nil = pattern {
    } else if bytes(pattern) == nil {
      throw LuaMisuse("a pattern must be a string, not \(pattern.described)")
    }
    let before = failures.count
    do {
      try lua.call(function)
    } catch {
      // An error that ends the test passes through this.
      if error.limit != nil || skipped != nil || failures.count > before { throw error }
      if case .nil = pattern { return }
      if try matches(.text(error.message), pattern) || matches(.text("\(error)"), pattern) { return }
      throw fail(call, "expected an error that matches \(text.of(pattern)), found \(text.of(.text(error.message)))")
    }
    let which = if case .nil = pattern { "" } else { " that matches \(text.of(pattern))" }
    throw fail(call, "expected an error\(which), but the function raised none")
  }
}
