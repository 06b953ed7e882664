/// A value of JSON, as the strictest reader has it.
indirect enum StrictJSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([StrictJSON])
  /// In the order in which they stand.
  case object([Member])

  struct Member: Equatable {
    let key: String
    let value: StrictJSON
  }

  subscript(key: String) -> StrictJSON? {
    if case .object(let members) = self { members.first { $0.key == key }?.value } else { nil }
  }
}

extension StrictJSON {
  struct Wrong: Error, CustomStringConvertible {
    let what: String
    let offset: Int
    var description: String { "\(what) at byte \(offset)" }
  }

  /// Reads exactly one value, with nothing but blanks around it.
  init(_ text: String) throws(Wrong) { try self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) throws(Wrong) {
    var reader = Reader(bytes: bytes)
    self = try reader.value(depth: 0)
    reader.skipBlanks()
    if reader.at < bytes.count { throw reader.wrong("something stands behind the value") }
  }
}

/// Reads JSON as RFC 8259 has it, and no more: doubled keys and lone surrogates are wrong too.
private struct Reader {
  let bytes: [UInt8]
  var at = 0

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  func wrong(_ what: String) -> StrictJSON.Wrong { StrictJSON.Wrong(what: what, offset: at) }

  mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
  }

  private mutating func take(_ word: String) -> Bool {
    guard bytes[at...].starts(with: word.utf8) else { return false }
    at += word.utf8.count
    return true
  }

  mutating func value(depth: Int) throws(StrictJSON.Wrong) -> StrictJSON {
    guard depth < 512 else { throw wrong("nested too deep") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{")?: return try object(depth)
    case UInt8(ascii: "[")?: return try list(depth)
    case UInt8(ascii: "\"")?: return .text(try text())
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): return try number()
    default: break
    }
    if take("null") { return .null }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    throw wrong("no value stands here")
  }

  private mutating func object(_ depth: Int) throws(StrictJSON.Wrong) -> StrictJSON {
    var members: [StrictJSON.Member] = []
    var keys: Set<[UInt8]> = []
    at += 1
    skipBlanks()
    if take("}") { return .object([]) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw wrong("a key must be a string") }
      let key = try text()
      guard keys.insert(Array(key.utf8)).inserted else { throw wrong("the key '\(key)' is here twice") }
      skipBlanks()
      guard take(":") else { throw wrong("':' is missing") }
      members.append(StrictJSON.Member(key: key, value: try value(depth: depth + 1)))
      skipBlanks()
      if take("}") { return .object(members) }
      guard take(",") else { throw wrong("',' is missing") }
    }
  }

  private mutating func list(_ depth: Int) throws(StrictJSON.Wrong) -> StrictJSON {
    var values: [StrictJSON] = []
    at += 1
    skipBlanks()
    if take("]") { return .list([]) }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if take("]") { return .list(values) }
      guard take(",") else { throw wrong("',' is missing") }
    }
  }

  private mutating func digits() throws(StrictJSON.Wrong) {
    let start = at
    while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    if at == start { throw wrong("a digit is missing") }
  }

  private mutating func number() throws(StrictJSON.Wrong) -> StrictJSON {
    let start = at
    _ = take("-")
    if !take("0") { try digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    if isWhole, let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw wrong("'\(text)' is no number that can be had") }
    return .number(number)
  }

  private mutating func text() throws(StrictJSON.Wrong) -> String {
    var units: [UInt8] = []
    at += 1
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: units, as: UTF8.self) else { throw wrong("the string is not UTF-8") }
        return text
      case UInt8(ascii: "\\"): units += Array(String(Character(try escaped())).utf8)
      case 0..<0x20: throw wrong("a control character stands in a string")
      default: units.append(byte)
      }
    }
    throw wrong("the string has no end")
  }

  private mutating func escaped() throws(StrictJSON.Wrong) -> Unicode.Scalar {
    let byte = next
    at += 1
    switch byte {
    case UInt8(ascii: "\"")?: return "\""
    case UInt8(ascii: "\\")?: return "\\"
    case UInt8(ascii: "/")?: return "/"
    case UInt8(ascii: "b")?: return "\u{8}"
    case UInt8(ascii: "f")?: return "\u{C}"
    case UInt8(ascii: "n")?: return "\n"
    case UInt8(ascii: "r")?: return "\r"
    case UInt8(ascii: "t")?: return "\t"
    case UInt8(ascii: "u")?: break
    default: throw wrong("there is no such escape")
    }
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), take("\\u") else { throw wrong("a surrogate stands alone") }
    let second = try unit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
    else { throw wrong("a surrogate stands alone") }
    return scalar
  }

  private mutating func unit() throws(StrictJSON.Wrong) -> UInt16 {
    guard at + 4 <= bytes.count else { throw wrong("four digits are missing") }
    let word = String(decoding: bytes[at..<at + 4], as: UTF8.self)
    guard word.allSatisfy(\.isHexDigit), let unit = UInt16(word, radix: 16) else {
      throw wrong("four hexadecimal digits are missing")
    }
    at += 4
    return unit
  }
}
