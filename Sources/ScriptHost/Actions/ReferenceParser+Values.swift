extension ReferenceParser {
  /// Reads `key: value` pairs and the closing bracket behind them; with a name of an action, they are its arguments.
  mutating func members(
    until closing: ReferenceError.Closing, depth: Int, of id: String? = nil
  ) throws(ReferenceError) -> LiteralObject {
    cursor.skipBlanks()
    if cursor.take(closing.byte) { return LiteralObject() }
    var members = LiteralObject.Builder()
    var expected = ReferenceError.Expected.keyOr(closing)
    while true {
      let start = cursor.offset
      let key = try key(or: expected, of: id)
      guard !members.has(key) else { throw failure(.doubledKey(clipped(key)), at: start) }
      let written = cursor.bytes(from: start)
      cursor.skipBlanks()
      guard cursor.take(UInt8(ascii: ":")) else { throw noColon(behind: written, at: start, of: id) }
      cursor.skipBlanks()
      let valueStart = cursor.offset
      members.append(LiteralObject.Member(key: key, value: try value(or: .value, depth: depth)))
      if try !another(before: closing, behind: valueStart) { return members.object }
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
      let start = cursor.offset
      values.append(try value(or: expected, depth: depth))
      if try !another(before: .bracket, behind: start) { return values }
      expected = .valueAfterComma
    }
  }

  /// Reads what follows a value: a comma, which gives true, or the closing bracket, which gives false.
  private mutating func another(
    before closing: ReferenceError.Closing, behind start: Int
  ) throws(ReferenceError) -> Bool {
    cursor.skipBlanks()
    if cursor.take(closing.byte) { return false }
    guard cursor.take(UInt8(ascii: ",")) else { throw noComma(before: closing, behind: start) }
    cursor.skipBlanks()
    return true
  }

  private mutating func key(or expected: ReferenceError.Expected, of id: String?) throws(ReferenceError) -> String {
    if cursor.byte == UInt8(ascii: "\"") { return try string() }
    if let id, cursor.byte == UInt8(ascii: "[") || cursor.byte == UInt8(ascii: "{") {
      throw nameless("…", at: cursor.offset, of: id)
    }
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

  /// Skips an opening bracket or brace. The limit of depth keeps the recursion within the stack.
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
    guard cursor.take(where: \.beginsBareWord) != nil else {
      throw cursor.byte == UInt8(ascii: "'") ? failure(.singleQuote) : unexpected(expected)
    }
    cursor.skip(while: \.continuesBareWord)
    return cursor.bytes(from: start)
  }
}

/// The beginning of a text, which is enough to recognise it in a message.
func clipped(_ key: String) -> String {
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
