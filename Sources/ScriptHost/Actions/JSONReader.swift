/// Why a text is not JSON, and where.
package struct JSONError: Error, Equatable {
  /// One sentence.
  package let message: String
  /// Counted from 1.
  package let line: Int
  /// Counted in characters from 1.
  package let column: Int

  package init(message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}

/// Reads JSON as RFC 8259 has it, and nothing else: no comments, no trailing commas, no name twice in an object.
package struct JSONReader {
  /// Nobody nests deeper on purpose, and what reads nests with it.
  package static let deepest = 128
  /// From so many names on in an object they are hashed, because somebody could write a hundred thousand.
  private static let handful = 8

  private let bytes: UnsafeBufferPointer<UInt8>
  private let tape: JSONTape
  private var index = 0
  private var depth = 0

  /// Reads one value and nothing behind it but blanks.
  package static func literal(_ bytes: some Collection<UInt8>) throws(JSONError) -> Literal {
    try value(bytes) { $0.literal(at: 0, in: $1) }
  }

  /// Reads one value and nothing behind it but blanks, and has something made of it.
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

  mutating func whole() throws(JSONError) {
    guard bytes.count < UInt32.max else { throw JSONError(message: "this is too long", line: 1, column: 1) }
    if let offset = String.firstNonText(in: bytes) { throw error("this is not UTF-8", at: offset) }
    try value()
    skipBlanks()
    if index < bytes.count { throw error("nothing may stand behind the value") }
  }

  // MARK: Values

  private mutating func value() throws(JSONError) {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{")?: try nested(.object)
    case UInt8(ascii: "[")?: try nested(.list)
    case UInt8(ascii: "\"")?: try string()
    case UInt8(ascii: "-")?, (0x30...0x39)?: try number()
    case UInt8(ascii: "t")?: try word("true", .yes)
    case UInt8(ascii: "f")?: try word("false", .no)
    case UInt8(ascii: "n")?: try word("null", .null)
    case nil: throw error("a value is missing")
    default: throw error("a value can't begin so")
    }
  }

  /// Notes what began somewhere and ends here.
  @inline(__always)
  private mutating func note(_ kind: JSONTape.Kind, isPlain: Bool = true, from start: Int, to end: Int) {
    tape.add(
      JSONTape.Node(
        kind: kind, isPlain: isPlain, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: tape.count + 1)))
  }

  private mutating func nested(_ kind: JSONTape.Kind) throws(JSONError) {
    if depth == Self.deepest { throw error("this is nested more than \(Self.deepest) deep") }
    depth += 1
    let node = tape.count
    note(kind, from: index, to: index)
    index += 1
    if kind == .object { try members(of: node) } else { try elements() }
    tape.end(node, at: index)
    depth -= 1
  }

  private mutating func elements() throws(JSONError) {
    if takes(UInt8(ascii: "]")) { return }
    repeat { try value() } while takes(UInt8(ascii: ","))
    guard takes(UInt8(ascii: "]")) else { throw error("a ',' or ']' is missing") }
  }

  private mutating func members(of object: Int) throws(JSONError) {
    if takes(UInt8(ascii: "}")) { return }
    var count = 0
    // Of each name a bit: one that no other name has stands here once.
    var marks: UInt64 = 0
    var known: Set<ByteText> = []
    repeat {
      skipBlanks()
      let start = index
      guard peek == UInt8(ascii: "\"") else { throw error("a name between quotes is missing") }
      let name = tape.count
      let mark = try string() ? mark(from: start + 1, to: index - 1) : .max
      if marks & mark != 0 || count >= Self.handful, isKnown(name, of: object, count, &known) {
        throw error("'\(tape.text(at: name, in: bytes))' stands here twice", at: start)
      }
      marks |= mark
      guard takes(UInt8(ascii: ":")) else { throw error("a ':' is missing") }
      try value()
      count += 1
    } while takes(UInt8(ascii: ","))
    guard takes(UInt8(ascii: "}")) else { throw error("a ',' or '}' is missing") }
  }

  /// One of 64 bits, the same for the same name; all of them for the empty one.
  @inline(__always)
  private func mark(from start: Int, to end: Int) -> UInt64 {
    guard start < end else { return .max }
    let length = UInt8(truncatingIfNeeded: end &- start)
    return 1 << UInt64((length &* 7 &+ bytes[start] &* 5 &+ bytes[end &- 1]) & 63)
  }

  /// Whether a name stands among so many before it.
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

  private mutating func word(_ word: StaticString, _ kind: JSONTape.Kind) throws(JSONError) {
    let start = index
    let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[index...].starts(with: text) else { throw error("a value can't begin so") }
    index += text.count
    if let next = peek, next.isLetterOrDigit { throw error("a value can't go on so") }
    note(kind, from: start, to: index)
  }

  // MARK: Numbers

  private mutating func number() throws(JSONError) {
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    let isZero = peek == UInt8(ascii: "0")
    try digits()
    if isZero, index - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
      throw error("a number can't begin with 0", at: start)
    }
    var isWhole = true
    if peek == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isWhole = false
      index += 1
      if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { index += 1 }
      try digits()
    }
    if let next = peek, next.isLetterOrDigit { throw error("a number can't go on so") }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
    if isWhole, Self.integer(text) != nil { return note(.integer, from: start, to: index) }
    guard Self.number(text) != nil else { throw error("this number is too large", at: start) }
    note(.number, from: start, to: index)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
    if index == start { throw error("a digit is missing") }
  }

  /// The number that digits say; nil where it is too large, and of -0, which no whole number is.
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

  /// The number that a text says; nil where it is too large.
  static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  // MARK: Bytes

  @inline(__always)
  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  @inline(__always)
  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  /// Whether a byte stands here, blanks before it left out; goes behind it if so.
  @inline(__always)
  private mutating func takes(_ byte: UInt8) -> Bool {
    skipBlanks()
    if peek != byte { return false }
    index += 1
    return true
  }

  private func error(_ message: String, at offset: Int? = nil) -> JSONError {
    let before = bytes[..<(offset ?? index)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONError(
      message: message, line: before.count { $0 == 0x0A } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
  }
}

// MARK: Strings

extension JSONReader {
  /// Reads a string; whether it is written without escapes.
  @discardableResult
  private mutating func string() throws(JSONError) -> Bool {
    index += 1
    let start = index
    var isPlain = true
    while true {
      index = bytes.endOfPlainText(from: index)
      switch peek {
      case UInt8(ascii: "\"")?:
        note(.text, isPlain: isPlain, from: start, to: index)
        index += 1
        return isPlain
      case UInt8(ascii: "\\")?:
        isPlain = false
        _ = try escaped()
      case nil: throw error("a '\"' is missing")
      default: throw error("a control character is written with an escape")
      }
    }
  }

  /// Resolves a text's escapes, which are in order.
  static func unescaped(_ written: UnsafeBufferPointer<UInt8>) -> String {
    var reader = JSONReader(written, JSONTape())
    var text: [UInt8] = []
    while reader.index < written.count {
      if reader.peek == UInt8(ascii: "\\") {
        guard let scalar = try? reader.escaped() else { break }
        text += UTF8.encode(scalar).unsafelyUnwrapped
      } else {
        text.append(written[reader.index])
        reader.index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard let byte = peek else { throw error("an escape has no end", at: start) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error("there is no such escape", at: start)
    }
    let first = try unit(at: start)
    if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
    if first < 0xDC00, peek == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") {
      index += 2
      let second = try unit(at: start)
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
      {
        return scalar
      }
    }
    throw error("half a character is none", at: start)
  }

  /// The four digits of an escape.
  private mutating func unit(at start: Int) throws(JSONError) -> UInt16 {
    guard index + 4 <= bytes.count else { throw error("an escape has no end", at: start) }
    var unit: UInt16 = 0
    for byte in bytes[index..<index + 4] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: throw error("\\u takes four digits of base 16", at: start)
      }
      unit = unit << 4 | UInt16(digit)
    }
    index += 4
    return unit
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool { (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & ~0x20) }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where what is written in a string as it is ends, looked at eight bytes at a time.
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

  /// Of eight bytes, marks the first that is a control character, a quotation mark or a backslash. What it marks behind that says nothing.
  private static func ends(in word: UInt64) -> UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    let (mark, slash) = (word ^ (each &* 0x22), word ^ (each &* 0x5C))
    let isBelow = (word &- (each &* 0x20)) & ~word
    return (isBelow | (mark &- each) & ~mark | (slash &- each) & ~slash) & (each &* 0x80)
  }
}

extension String {
  /// Where bytes stop to be UTF-8; nil where all are.
  fileprivate static func firstNonText(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if isPlain(bytes) || String(validating: bytes, as: UTF8.self) != nil { return nil }
    var decoder = Unicode.UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += String(scalar).utf8.count }
    return offset
  }

  /// Whether all bytes are of ASCII, looked at eight at a time.
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
