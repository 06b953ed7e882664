extension ReferenceParser {
  /// Reads `key: value` pairs and what closes them, after what opened them.
  mutating func members(until closing: ReferenceError.Closing, depth: Int) throws(ReferenceError) -> LiteralObject {
    cursor.skipBlanks()
    if cursor.take(closing.byte) { return LiteralObject() }
    var members = LiteralObject.Builder()
    var expected = ReferenceError.Expected.keyOr(closing)
    while true {
      let start = cursor.offset
      let key = try key(or: expected)
      guard !members.has(key) else { throw failure(.doubledKey(clipped(key)), at: start) }
      cursor.skipBlanks()
      guard cursor.take(UInt8(ascii: ":")) else { throw unexpected(.colon) }
      cursor.skipBlanks()
      members.append(LiteralObject.Member(key: key, value: try value(or: .value, depth: depth)))
      if try !another(before: closing) { return members.object }
      expected = .keyAfterComma
    }
  }

  /// Reads values and the bracket that closes them, after the one that opened them.
  private mutating func list(depth: Int) throws(ReferenceError) -> [Literal] {
    cursor.skipBlanks()
    if cursor.take(ReferenceError.Closing.bracket.byte) { return [] }
    var values: [Literal] = []
    var expected = ReferenceError.Expected.valueOr(.bracket)
    while true {
      values.append(try value(or: expected, depth: depth))
      if try !another(before: .bracket) { return values }
      expected = .valueAfterComma
    }
  }

  /// Reads a comma and says yes, or what closes and says no.
  private mutating func another(before closing: ReferenceError.Closing) throws(ReferenceError) -> Bool {
    cursor.skipBlanks()
    if cursor.take(closing.byte) { return false }
    guard cursor.take(UInt8(ascii: ",")) else { throw unexpected(.commaOr(closing)) }
    cursor.skipBlanks()
    return true
  }

  private mutating func key(or expected: ReferenceError.Expected) throws(ReferenceError) -> String {
    if cursor.byte == UInt8(ascii: "\"") { return try string() }
    return String(decoding: try bareWord(or: expected), as: UTF8.self)
  }

  private mutating func value(or expected: ReferenceError.Expected, depth: Int) throws(ReferenceError) -> Literal {
    switch cursor.byte {
    case UInt8(ascii: "\""):
      return .text(try string())
    case UInt8(ascii: "["):
      try open(depth: depth)
      return .list(try list(depth: depth + 1))
    case UInt8(ascii: "{"):
      try open(depth: depth)
      return .object(try members(until: .brace, depth: depth + 1))
    default:
      return try bareValue(or: expected)
    }
  }

  /// Goes past an opening bracket or brace; the depth is what keeps the recursion within the stack.
  private mutating func open(depth: Int) throws(ReferenceError) {
    guard depth < ReferenceLimit.depth else { throw failure(.tooDeep) }
    _ = cursor.take { _ in true }
  }

  private mutating func bareValue(or expected: ReferenceError.Expected) throws(ReferenceError) -> Literal {
    let start = cursor.offset
    let word = try bareWord(or: expected)
    let text = String(decoding: word, as: UTF8.self)
    switch BareWord(word) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .text: return .text(text)
    case .integer:
      if let value = Int(text) { return .integer(value) }
      return .number(try float(text, at: start))
    case .fraction: return .number(try float(text, at: start))
    }
  }

  /// The nearest float to a number in JSON's spelling, whatever the locale.
  private func float(_ text: String, at start: Int) throws(ReferenceError) -> Double {
    guard let value = Double(text), value.isFinite else { throw failure(.numberTooLarge, at: start) }
    return value
  }

  private mutating func bareWord(
    or expected: ReferenceError.Expected
  ) throws(ReferenceError) -> UnsafeBufferPointer<UInt8> {
    let start = cursor.offset
    guard cursor.take(where: \.beginsBareWord) != nil else { throw unexpected(expected) }
    cursor.skip(while: \.continuesBareWord)
    return cursor.bytes(from: start)
  }
}

/// The beginning of a key, which is enough to know it by.
private func clipped(_ key: String) -> String {
  let beginning = key.unicodeScalars.prefix(40)
  return beginning.endIndex == key.endIndex ? key : "\(Substring(beginning))…"
}

extension ReferenceError.Closing {
  fileprivate var byte: UInt8 {
    switch self {
    case .parenthesis: UInt8(ascii: ")")
    case .bracket: UInt8(ascii: "]")
    case .brace: UInt8(ascii: "}")
    }
  }
}
