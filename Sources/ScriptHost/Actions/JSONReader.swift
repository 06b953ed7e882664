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

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0

  /// Reads one value and nothing behind it but blanks.
  package static func literal(_ bytes: some Collection<UInt8>) throws(JSONError) -> Literal {
    let bytes = Array(bytes)
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes: bytes)
        return try reader.whole()
      }
    }
    return try result.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func whole() throws(JSONError) -> Literal {
    if let offset = String.firstNonText(in: bytes) { throw error("this is not UTF-8", at: offset) }
    let value = try value()
    skipBlanks()
    if index < bytes.count { throw error("nothing may stand behind the value") }
    return value
  }

  // MARK: Values

  private mutating func value() throws(JSONError) -> Literal {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{")?: return .object(try nested { reader throws(JSONError) in try reader.members() })
    case UInt8(ascii: "[")?: return .list(try nested { reader throws(JSONError) in try reader.elements() })
    case UInt8(ascii: "\"")?: return .text(try string())
    case UInt8(ascii: "-")?, (0x30...0x39)?: return try number()
    case UInt8(ascii: "t")?: return try word("true", .bool(true))
    case UInt8(ascii: "f")?: return try word("false", .bool(false))
    case UInt8(ascii: "n")?: return try word("null", .null)
    case nil: throw error("a value is missing")
    default: throw error("a value can't begin so")
    }
  }

  private mutating func nested<Content>(
    _ read: (inout JSONReader) throws(JSONError) -> Content
  ) throws(JSONError) -> Content {
    if depth == Self.deepest { throw error("this is nested more than \(Self.deepest) deep") }
    depth += 1
    index += 1
    let content = try read(&self)
    depth -= 1
    return content
  }

  private mutating func elements() throws(JSONError) -> [Literal] {
    var elements: [Literal] = []
    if takes(UInt8(ascii: "]")) { return elements }
    repeat { elements.append(try value()) } while takes(UInt8(ascii: ","))
    guard takes(UInt8(ascii: "]")) else { throw error("a ',' or ']' is missing") }
    return elements
  }

  private mutating func members() throws(JSONError) -> LiteralObject {
    var members = LiteralObject.Builder()
    if takes(UInt8(ascii: "}")) { return members.object }
    repeat {
      skipBlanks()
      let start = index
      guard peek == UInt8(ascii: "\"") else { throw error("a name between quotes is missing") }
      let name = try string()
      if members.has(name) { throw error("'\(name)' stands here twice", at: start) }
      guard takes(UInt8(ascii: ":")) else { throw error("a ':' is missing") }
      members.append(LiteralObject.Member(key: name, value: try value()))
    } while takes(UInt8(ascii: ","))
    guard takes(UInt8(ascii: "}")) else { throw error("a ',' or '}' is missing") }
    return members.object
  }

  private mutating func word(_ word: StaticString, _ value: Literal) throws(JSONError) -> Literal {
    let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[index...].starts(with: text) else { throw error("a value can't begin so") }
    index += text.count
    if let next = peek, next.isLetterOrDigit { throw error("a value can't go on so") }
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(JSONError) -> Literal {
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
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let integer = Int(text), text != "-0" { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw error("this number is too large", at: start) }
    return .number(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
    if index == start { throw error("a digit is missing") }
  }

  // MARK: Bytes

  fileprivate var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  /// Whether a byte stands here, blanks before it left out; goes behind it if so.
  private mutating func takes(_ byte: UInt8) -> Bool {
    skipBlanks()
    if peek != byte { return false }
    index += 1
    return true
  }

  fileprivate func error(_ message: String, at offset: Int? = nil) -> JSONError {
    let before = bytes[..<(offset ?? index)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONError(
      message: message, line: before.count { $0 == 0x0A } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
  }
}

// MARK: Strings

extension JSONReader {
  fileprivate mutating func string() throws(JSONError) -> String {
    index += 1
    var text: [UInt8] = []
    while true {
      let start = index
      while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
      text += bytes[start..<index]
      switch peek {
      case UInt8(ascii: "\"")?:
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\")?:
        let scalar = try escaped()
        text += Array(String(scalar).utf8)
      case nil: throw error("a '\"' is missing")
      default: throw error("a control character is written with an escape")
      }
    }
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

extension String {
  /// Where bytes stop to be UTF-8; nil where all are.
  fileprivate static func firstNonText(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var decoder = Unicode.UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += String(scalar).utf8.count }
    return offset
  }
}
