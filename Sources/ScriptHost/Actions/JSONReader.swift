/// Why a text isn't JSON, and where.
package struct JSONError: Error, Equatable {
  /// One sentence.
  package let message: String
  /// The line, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int

  package init(message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}

/// Reads JSON according to RFC 8259, without extensions: no comments, trailing commas or repeated names.
package struct JSONReader {
  /// The deepest nesting of values, because the reader recurses.
  package static let deepest = 128
  /// From this many names on, an object's names are hashed, because a client could write a hundred thousand.
  private static let handful = 8

  private let bytes: UnsafeBufferPointer<UInt8>
  private let tape: JSONTape

  /// Reads one value, with only blanks after it.
  package static func literal(_ bytes: some Collection<UInt8>) throws(JSONError) -> Literal {
    try value(bytes) { $0.literal(at: 0, in: $1) }
  }

  /// Reads one value, with only blanks after it, and passes the tape to `make`.
  package static func value<Value>(
    _ bytes: some Collection<UInt8>, _ make: (JSONTape, UnsafeBufferPointer<UInt8>) -> Value
  ) throws(JSONError) -> Value {
    func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Value, JSONError> {
      Result { () throws(JSONError) in
        let tape = JSONTape()
        try tape.read(bytes)
        return make(tape, bytes)
      }
    }
    let result = bytes.withContiguousStorageIfAvailable(read) ?? Array(bytes).withUnsafeBufferPointer(read)
    return try result.get()
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ tape: JSONTape) {
    self.bytes = bytes
    self.tape = tape
  }

  func whole() throws(JSONError) {
    guard bytes.count < UInt32.max else { throw JSONError(message: "this is too long", line: 1, column: 1) }
    if let offset = String.firstNonText(in: bytes) { throw error("this is not UTF-8", at: offset) }
    let end = afterBlanks(try value(from: 0, depth: 0))
    if end < bytes.count { throw error("there is text after the value", at: end) }
  }

  // MARK: Values

  // Each function reads what begins at an index, and returns the index after it.

  private func value(from start: Int, depth: Int) throws(JSONError) -> Int {
    let start = afterBlanks(start)
    switch byte(at: start) {
    case UInt8(ascii: "{")?: return try nested(.object, from: start, depth: depth)
    case UInt8(ascii: "[")?: return try nested(.list, from: start, depth: depth)
    case UInt8(ascii: "\"")?: return try string(from: start).end
    case UInt8(ascii: "-")?, (0x30...0x39)?: return try number(from: start)
    case UInt8(ascii: "t")?: return try word("true", .yes, from: start)
    case UInt8(ascii: "f")?: return try word("false", .no, from: start)
    case UInt8(ascii: "n")?: return try word("null", .null, from: start)
    case nil: throw error("a value is missing", at: start)
    default: throw error("a value can't begin like this", at: start)
    }
  }

  /// Adds a node for a value with its range.
  @inline(__always)
  private func note(_ kind: JSONTape.Kind, isPlain: Bool = true, from start: Int, to end: Int) {
    tape.add(
      JSONTape.Node(
        kind: kind, isPlain: isPlain, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: tape.count &+ 1)))
  }

  private func nested(_ kind: JSONTape.Kind, from start: Int, depth: Int) throws(JSONError) -> Int {
    if depth == Self.deepest { throw error("this is nested more than \(Self.deepest) deep", at: start) }
    let node = tape.count
    note(kind, from: start, to: start)
    let inside = afterBlanks(start + 1)
    let end =
      kind == .object
      ? try members(of: node, from: inside, depth: depth + 1) : try elements(from: inside, depth: depth + 1)
    tape.end(node, at: end)
    return end
  }

  private func elements(from start: Int, depth: Int) throws(JSONError) -> Int {
    var index = start
    if byte(at: index) == UInt8(ascii: "]") { return index + 1 }
    while true {
      index = afterBlanks(try value(from: index, depth: depth))
      guard byte(at: index) == UInt8(ascii: ",") else { break }
      index += 1
    }
    guard byte(at: index) == UInt8(ascii: "]") else { throw error("a ',' or ']' is missing", at: index) }
    return index + 1
  }

  private func members(of object: Int, from start: Int, depth: Int) throws(JSONError) -> Int {
    var index = start
    if byte(at: index) == UInt8(ascii: "}") { return index + 1 }
    var count = 0
    // One bit for each name so far. If a name's bit isn't set yet, the name is new.
    var marks: UInt64 = 0
    var known: Set<ByteText> = []
    while true {
      guard byte(at: index) == UInt8(ascii: "\"") else {
        throw error("a name in quotes is missing", at: index)
      }
      let name = tape.count
      let (end, isPlain) = try string(from: index)
      let mark = isPlain ? mark(from: index + 1, to: end - 1) : .max
      if marks & mark != 0 || count >= Self.handful, isKnown(name, of: object, count, &known) {
        throw error("'\(tape.text(at: name, in: bytes))' is here twice", at: index)
      }
      marks |= mark
      count += 1
      index = afterBlanks(end)
      guard byte(at: index) == UInt8(ascii: ":") else { throw error("a ':' is missing", at: index) }
      index = afterBlanks(try value(from: index + 1, depth: depth))
      guard byte(at: index) == UInt8(ascii: ",") else { break }
      index = afterBlanks(index + 1)
    }
    guard byte(at: index) == UInt8(ascii: "}") else { throw error("a ',' or '}' is missing", at: index) }
    return index + 1
  }

  /// One of 64 bits, chosen by the name; all bits for an empty name.
  @inline(__always)
  private func mark(from start: Int, to end: Int) -> UInt64 {
    guard start < end else { return .max }
    let length = UInt8(truncatingIfNeeded: end &- start)
    return 1 << UInt64((length &* 7 &+ bytes[start] &* 5 &+ bytes[end &- 1]) & 63)
  }

  /// Returns true if a name equals one of the `count` names before it.
  @inline(never)
  private func isKnown(_ name: Int, of object: Int, _ count: Int, _ known: inout Set<ByteText>) -> Bool {
    if count < Self.handful { return tape.repeats(name, of: object, in: bytes) }
    if known.isEmpty {
      var other = object + 1
      for _ in 0..<count {
        known.insert(ByteText(tape.text(at: other, in: bytes)))
        other = tape.next(other + 1)
      }
    }
    return !known.insert(ByteText(tape.text(at: name, in: bytes))).inserted
  }

  private func word(_ word: StaticString, _ kind: JSONTape.Kind, from start: Int) throws(JSONError) -> Int {
    let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[start...].starts(with: text) else { throw error("a value can't begin like this", at: start) }
    let end = start + text.count
    if let next = byte(at: end), next.isLetterOrDigit { throw error("a value can't continue like this", at: end) }
    note(kind, from: start, to: end)
    return end
  }

  // MARK: Numbers

  private func number(from start: Int) throws(JSONError) -> Int {
    let firstDigit = byte(at: start) == UInt8(ascii: "-") ? start + 1 : start
    var end = try digits(from: firstDigit)
    if byte(at: firstDigit) == UInt8(ascii: "0"), end - firstDigit > 1 {
      throw error("a number can't begin with 0", at: start)
    }
    var isWhole = true
    if byte(at: end) == UInt8(ascii: ".") {
      isWhole = false
      end = try digits(from: end + 1)
    }
    if byte(at: end) == UInt8(ascii: "e") || byte(at: end) == UInt8(ascii: "E") {
      isWhole = false
      let isSigned = byte(at: end + 1) == UInt8(ascii: "-") || byte(at: end + 1) == UInt8(ascii: "+")
      end = try digits(from: isSigned ? end + 2 : end + 1)
    }
    if let next = byte(at: end), next.isLetterOrDigit { throw error("a number can't continue like this", at: end) }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
    // A number with fewer digits than `Int.max` always fits.
    let isShort = firstDigit == start && end - start < 19
    if !isWhole || !isShort && Self.integer(text) == nil {
      guard Self.number(text) != nil else { throw error("this number is too large", at: start) }
      isWhole = false
    }
    note(isWhole ? .integer : .number, from: start, to: end)
    return end
  }

  private func digits(from start: Int) throws(JSONError) -> Int {
    var end = start
    while let byte = byte(at: end), (0x30...0x39).contains(byte) { end += 1 }
    if end == start { throw error("a digit is missing", at: end) }
    return end
  }

  /// Parses an integer; nil if it is too large, and for -0, which isn't an integer.
  static func integer(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
    let isNegative = digits.first == UInt8(ascii: "-")
    var value = 0
    for digit in digits.dropFirst(isNegative ? 1 : 0) {
      let (tens, isTooMany) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooMuch) = tens.subtractingReportingOverflow(Int(digit & 0xF))
      if isTooMany || isTooMuch { return nil }
      value = sum
    }
    if isNegative { return value == 0 ? nil : value }
    return value == .min ? nil : -value
  }

  /// Parses a number; nil if it is too large.
  static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  // MARK: Bytes

  @inline(__always)
  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  @inline(__always)
  private func afterBlanks(_ start: Int) -> Int {
    var index = start
    while let byte = byte(at: index), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    return index
  }

  @inline(never)
  private func error(_ message: String, at offset: Int) -> JSONError {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONError(
      message: message, line: before.count { $0 == 0x0A } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
  }
}

// MARK: Strings

extension JSONReader {
  /// Reads a string. Returns its end, and whether it has no escapes.
  @inline(__always)
  private func string(from start: Int) throws(JSONError) -> (end: Int, isPlain: Bool) {
    let end = bytes.endOfPlainText(from: start + 1)
    guard byte(at: end) == UInt8(ascii: "\"") else { return (try escapedString(from: start, plainTo: end), false) }
    note(.text, from: start + 1, to: end)
    return (end + 1, true)
  }

  @inline(never)
  private func escapedString(from start: Int, plainTo plainEnd: Int) throws(JSONError) -> Int {
    var index = plainEnd
    while true {
      switch byte(at: index) {
      case UInt8(ascii: "\"")?:
        note(.text, isPlain: false, from: start + 1, to: index)
        return index + 1
      case UInt8(ascii: "\\")?: index = bytes.endOfPlainText(from: try escaped(at: index).end)
      case nil: throw error("a '\"' is missing", at: index)
      default: throw error("a control character needs an escape", at: index)
      }
    }
  }

  /// Resolves the escapes of a valid text.
  static func unescaped(_ written: UnsafeBufferPointer<UInt8>) -> String {
    let reader = JSONReader(written, JSONTape())
    var text: [UInt8] = []
    var index = 0
    while index < written.count {
      if written[index] == UInt8(ascii: "\\") {
        guard let (scalar, end) = try? reader.escaped(at: index) else { break }
        text += UTF8.encode(scalar).unsafelyUnwrapped
        index = end
      } else {
        text.append(written[index])
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the character of an escape, and the index after it.
  private func escaped(at start: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
    guard let byte = byte(at: start + 1) else { throw error("an escape has no end", at: start) }
    let end = start + 2
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (Unicode.Scalar(byte), end)
    case UInt8(ascii: "b"): return ("\u{8}", end)
    case UInt8(ascii: "f"): return ("\u{C}", end)
    case UInt8(ascii: "n"): return ("\n", end)
    case UInt8(ascii: "r"): return ("\r", end)
    case UInt8(ascii: "t"): return ("\t", end)
    case UInt8(ascii: "u"): break
    default: throw error("there is no such escape", at: start)
    }
    let first = try unit(at: end, of: start)
    if let scalar = Unicode.Scalar(UInt32(first)) { return (scalar, end + 4) }
    let other = end + 4
    if first < 0xDC00, self.byte(at: other) == UInt8(ascii: "\\"), self.byte(at: other + 1) == UInt8(ascii: "u") {
      let second = try unit(at: other + 2, of: start)
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
      {
        return (scalar, other + 6)
      }
    }
    throw error("half of a surrogate pair is missing", at: start)
  }

  /// Reads the four digits of an escape.
  private func unit(at start: Int, of escape: Int) throws(JSONError) -> UInt16 {
    guard start + 4 <= bytes.count else { throw error("an escape has no end", at: escape) }
    var unit: UInt16 = 0
    for byte in bytes[start..<start + 4] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: throw error("\\u takes four digits of base 16", at: escape)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool { (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & ~0x20) }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the end of the part of a string without escapes. Checks eight bytes in each step.
  fileprivate func endOfPlainText(from start: Int) -> Int {
    guard let base = baseAddress else { return start }
    var end = start
    while end + 8 <= count {
      let ends = Self.ends(in: UInt64(littleEndian: word(base, at: end)))
      if ends != 0 { return end + ends.trailingZeroBitCount / 8 }
      end += 8
    }
    while end < count {
      let byte = base[end]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      end += 1
    }
    return end
  }

  /// Marks the first of eight bytes that is a control character, a quotation mark or a backslash. Later marks are
  /// undefined.
  private static func ends(in word: UInt64) -> UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    let (mark, slash) = (word ^ (each &* 0x22), word ^ (each &* 0x5C))
    let isBelow = (word &- (each &* 0x20)) & ~word
    return (isBelow | (mark &- each) & ~mark | (slash &- each) & ~slash) & (each &* 0x80)
  }
}

extension String {
  /// Returns the index of the first byte that isn't UTF-8; nil if all are.
  fileprivate static func firstNonText(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if isPlain(bytes) || String(validating: bytes, as: UTF8.self) != nil { return nil }
    var decoder = Unicode.UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += String(scalar).utf8.count }
    return offset
  }

  /// Returns true if all bytes are ASCII. Checks eight at a time.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var offset = 0
    while offset + 8 <= bytes.count {
      if word(start, at: offset) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < bytes.count {
      if start[offset] >= 0x80 { return false }
      offset += 1
    }
    return true
  }
}
