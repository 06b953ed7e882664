/// Reads a reference from bytes: an id, and possibly arguments in parentheses.
///
/// It only moves forward. There is a function for each construct, which begins at the construct and leaves the cursor
/// after it. Functions that expect something after blanks skip the blanks.
struct ReferenceParser {
  var cursor: ByteCursor

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    cursor = ByteCursor(bytes)
  }

  mutating func reference() throws(ReferenceError) -> Reference {
    cursor.skipBlanks()
    let id = try id()
    cursor.skipBlanks()
    guard cursor.take(UInt8(ascii: "(")) else {
      guard cursor.byte == nil else { throw noEnd(behind: id) }
      return Reference(id: id, arguments: nil)
    }
    let arguments = try members(until: .parenthesis, depth: 0, of: id)
    cursor.skipBlanks()
    guard cursor.byte == nil else { throw unexpected(.end) }
    return Reference(id: id, arguments: arguments)
  }

  private mutating func id() throws(ReferenceError) -> String {
    let start = cursor.offset
    try component(or: .name)
    while cursor.take(UInt8(ascii: ".")) { try component(or: .nameAfterDot) }
    let bytes = cursor.bytes(from: start)
    guard bytes.count <= ReferenceLimit.idBytes else {
      throw failure(.idTooLong(bytes: bytes.count), at: start)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func component(or expected: ReferenceError.Expected) throws(ReferenceError) {
    if cursor.take(where: \.beginsName) == nil {
      if case .scalar(let scalar) = cursor.next, scalar.isDigit { throw failure(.nameBeginsWithDigit) }
      throw unexpected(expected)
    }
    cursor.skip(while: \.continuesName)
  }
}

extension ReferenceParser {
  /// Returns an error at an offset, or else at the cursor.
  func failure(_ problem: ReferenceError.Problem, at offset: Int? = nil) -> ReferenceError {
    ReferenceError(problem, in: cursor.bytes, at: offset ?? cursor.offset)
  }

  /// Returns the error that the expected syntax isn't at the cursor.
  func unexpected(_ expected: ReferenceError.Expected) -> ReferenceError {
    switch cursor.next {
    case .end: failure(.unexpected(expected, found: nil))
    case .scalar(let scalar): failure(.unexpected(expected, found: scalar))
    case .invalid(let byte): failure(.invalidUTF8(byte: byte))
    }
  }
}

extension ReferenceParser {
  /// Reads `key: value` pairs and the closing bracket. With an action's name, they are its arguments.
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

  /// Reads the values of a list and its closing bracket, after the opening one.
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

  /// Reads the separator after a value. Returns true for a comma, false for the closing bracket.
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

  /// Skips an opening bracket or brace. The depth limit keeps the recursion within the stack.
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

  /// Returns the nearest float to a number in JSON's spelling, in any locale.
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

/// Returns the beginning of a text, enough to recognise it in a message.
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

extension ReferenceParser {
  /// Reads a quoted string with JSON's escapes.
  mutating func string() throws(ReferenceError) -> String {
    let opening = cursor.offset
    _ = cursor.take(UInt8(ascii: "\""))
    var text: [UInt8] = []
    while true {
      let start = cursor.offset
      cursor.skip { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
      text += cursor.bytes(from: start)
      if cursor.take(UInt8(ascii: "\"")) { return String(decoding: text, as: UTF8.self) }
      guard cursor.byte == UInt8(ascii: "\\") else { throw noCharacter(opening: opening) }
      text += String(try escape(inStringFrom: opening)).utf8
    }
  }

  /// Returns why there is no character at the cursor, in a string that began at `opening`.
  private func noCharacter(opening: Int) -> ReferenceError {
    switch cursor.next {
    case .end: failure(.unclosedString, at: opening)
    case .scalar(let scalar): failure(.controlCharacter(scalar))
    case .invalid(let byte): failure(.invalidUTF8(byte: byte))
    }
  }

  /// Reads an escape, which begins with `\`.
  private mutating func escape(inStringFrom opening: Int) throws(ReferenceError) -> Unicode.Scalar {
    let start = cursor.offset
    _ = cursor.take(UInt8(ascii: "\\"))
    guard let letter = cursor.take(where: { _ in true }) else { throw noCharacter(opening: opening) }
    switch letter {
    case "\"", "\\", "/": return letter
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try codePoint(from: start)
    default: throw failure(.unknownEscape(letter), at: start)
    }
  }

  /// Reads the digits of a `\u`, and a second `\u` if the first is half of a pair.
  private mutating func codePoint(from start: Int) throws(ReferenceError) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), cursor.take(UInt8(ascii: "\\")), cursor.take(UInt8(ascii: "u")) else {
      throw failure(.loneSurrogate(unit), at: start)
    }
    let other = try codeUnit()
    guard UTF16.isTrailSurrogate(other) else { throw failure(.loneSurrogate(unit), at: start) }
    return UTF16.decode(UTF16.EncodedScalar([unit, other]))
  }

  /// Reads four hexadecimal digits.
  private mutating func codeUnit() throws(ReferenceError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = cursor.take(where: { $0.properties.isASCIIHexDigit }) else { throw unexpected(.hexDigits) }
      unit = unit << 4 | UInt16(digit.hexValue)
    }
    return unit
  }
}

extension Unicode.Scalar {
  /// The value of an ASCII hexadecimal digit.
  fileprivate var hexValue: UInt32 {
    value <= 57 ? value & 0xF : (value & 0xF) + 9
  }
}

// Errors with a guess at what the reference was meant to be.

extension ReferenceParser {
  /// Returns the error for a key without a colon. If `,` or `)` follows, the argument has no key.
  func noColon(behind written: UnsafeBufferPointer<UInt8>, at start: Int, of id: String?) -> ReferenceError {
    let key = clipped(String(decoding: written, as: UTF8.self))
    if cursor.byte == UInt8(ascii: "=") {
      var ahead = cursor
      _ = ahead.take(UInt8(ascii: "="))
      return failure(.equalsForColon(meant: "\(key): \(ahead.takeWord() ?? "…")"))
    }
    guard let id, cursor.byte == UInt8(ascii: ",") || cursor.byte == UInt8(ascii: ")") else {
      return unexpected(.colon)
    }
    return nameless(key, at: start, of: id)
  }

  /// Returns the error for an argument without a name.
  func nameless(_ argument: String, at start: Int, of id: String) -> ReferenceError {
    failure(.namelessArgument(meant: "\(clipped(id))(name: \(argument))"), at: start)
  }

  /// Returns the error for a value without a comma or closing bracket. If more words follow, quotes are missing.
  func noComma(before closing: ReferenceError.Closing, behind start: Int) -> ReferenceError {
    var ahead = cursor
    guard ahead.take(where: \.beginsBareWord) != nil else { return unexpected(.commaOr(closing)) }
    ahead.skip { $0.continuesBareWord || $0.isBlank }
    var words = String(decoding: ahead.bytes(from: start), as: UTF8.self).unicodeScalars[...]
    // If a key follows, the comma is missing instead.
    guard words.allSatisfy({ $0.continuesBareWord || $0.isBlank }), ahead.byte != UInt8(ascii: ":") else {
      return unexpected(.commaOr(closing))
    }
    while words.last?.isBlank ?? false { words.removeLast() }
    // All blanks become spaces, so that the text stays on one line.
    let line = String(String.UnicodeScalarView(words.map { $0.isBlank ? " " : $0 }))
    return failure(.blankInValue(meant: "\"\(clipped(line))\""), at: start)
  }

  /// Returns the error for an action's name that isn't followed by arguments or the end.
  func noEnd(behind id: String) -> ReferenceError {
    var ahead = cursor
    let isBehindBlank = ahead.bytes(from: 0).last.map { $0 <= UInt8(ascii: " ") } ?? false
    if ahead.take(UInt8(ascii: ":")) {
      let isAddress = !isBehindBlank && !(ahead.byte.map { $0 <= UInt8(ascii: " ") } ?? true)
      guard let word = ahead.takeWord() else { return unexpected(.openingOrEnd) }
      return failure(isAddress ? .addressed(action: word) : .colonInName(meant: "\(clipped(id))(name: \(word))"))
    }
    // A word like '.b' would belong to the name.
    guard isBehindBlank, let word = ahead.takeWord(), !word.hasPrefix(".") else { return unexpected(.openingOrEnd) }
    ahead.skipBlanks()
    let isKey = ahead.take(UInt8(ascii: ":")) || ahead.take(UInt8(ascii: "="))
    let argument = isKey ? "\(word): \(ahead.takeWord() ?? "…")" : "name: \(word)"
    return failure(.blankInName(meant: "\(clipped(id))(\(argument))"))
  }
}

extension ByteCursor {
  /// Skips blanks and a bare word. Returns the beginning of the word; nil if there is none.
  fileprivate mutating func takeWord() -> String? {
    skipBlanks()
    let start = offset
    guard take(where: \.beginsBareWord) != nil else { return nil }
    skip(while: \.continuesBareWord)
    return clipped(String(decoding: bytes(from: start), as: UTF8.self))
  }
}
