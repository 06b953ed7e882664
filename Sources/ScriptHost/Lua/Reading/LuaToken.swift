/// A word, a text, a number or a sign in the text of a script.
struct LuaToken {
  enum Kind { case name, keyword, text, number, sign, end }

  let kind: Kind
  /// The source text; for a string, its value.
  let word: String
  /// The offset in the source.
  let offset: Int
  let line: Int
}

/// Splits the text of a script into tokens. It ends for any text: unknown characters are signs.
struct LuaLexer {
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1

  static func tokens(of bytes: [UInt8]) -> [LuaToken] {
    var lexer = LuaLexer(bytes: bytes)
    var tokens: [LuaToken] = []
    repeat { tokens.append(lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the byte at a distance; 0 after the end.
  private func byte(_ ahead: Int = 0) -> UInt8 { at + ahead < bytes.count ? bytes[at + ahead] : 0 }

  private mutating func next() -> LuaToken {
    skip()
    let (start, begin) = (at, line)
    func token(_ kind: LuaToken.Kind, _ word: String) -> LuaToken {
      LuaToken(kind: kind, word: word, offset: start, line: begin)
    }
    guard at < bytes.count else { return token(.end, "") }
    switch byte() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return token(.text, quoted())
    case UInt8(ascii: "["):
      if let text = long() { return token(.text, text) }
    case let first where first.isDigit || first == UInt8(ascii: ".") && byte(1).isDigit:
      repeat { at += byte(1).isSignOfNumber && byte().isExponent ? 2 : 1 } while byte().isOfWord || byte() == 0x2E
      at = min(at, bytes.count)
      return token(.number, written(from: start))
    case let first where first.isOfWord:
      while byte().isOfWord { at += 1 }
      let word = written(from: start)
      return token(String.luaWords.contains(word) ? .keyword : .name, word)
    default: break
    }
    let sign = Self.signs.first { bytes[at...].starts(with: $0.utf8) }
    at += sign?.utf8.count ?? 1
    return token(.sign, sign ?? written(from: start))
  }

  private static let signs = ["...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"]

  private func written(from start: Int) -> String { String(decoding: bytes[start..<at], as: UTF8.self) }

  /// Skips blanks and comments.
  private mutating func skip() {
    while at < bytes.count {
      if byte().isBlank {
        if byte() == UInt8(ascii: "\n") { line += 1 }
        at += 1
      } else if byte() == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") {
        at += 2
        if long() == nil { while at < bytes.count, byte() != UInt8(ascii: "\n") { at += 1 } }
      } else {
        return
      }
    }
  }

  /// Reads a text or a comment in long brackets; nil if none begins here.
  private mutating func long() -> String? {
    var start = at + 1
    while start < bytes.count, bytes[start] == UInt8(ascii: "=") { start += 1 }
    guard byte() == UInt8(ascii: "["), start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return nil }
    let end = [UInt8(ascii: "]")] + bytes[(at + 1)..<start] + [UInt8(ascii: "]")]
    at = start + 1
    while at < bytes.count, byte() != end[0] || !bytes[at...].starts(with: end) {
      if byte() == UInt8(ascii: "\n") { line += 1 }
      at += 1
    }
    let first = bytes[(start + 1)..<at].first == UInt8(ascii: "\n") ? start + 2 : start + 1
    let text = String(decoding: bytes[first..<at], as: UTF8.self)
    at = min(at + end.count, bytes.count)
    return text
  }

  /// Reads a text in quotes. One without an end ends with its line.
  private mutating func quoted() -> String {
    let quote = byte()
    var value: [UInt8] = []
    at += 1
    while at < bytes.count, byte() != quote, byte() != UInt8(ascii: "\n") {
      let isEscape = byte() == UInt8(ascii: "\\")
      if !isEscape { value.append(byte()) }
      at += 1
      if isEscape { value += escaped() }
    }
    if byte() == quote { at += 1 }
    return String(decoding: value, as: UTF8.self)
  }

  /// Returns the bytes that an escape represents, from after the backslash.
  private mutating func escaped() -> [UInt8] {
    guard at < bytes.count else { return [] }
    let letter = byte()
    if letter.isDigit { return digits(most: 3, radix: 10).map { [UInt8(truncatingIfNeeded: $0)] } ?? [] }
    at += 1
    switch letter {
    case UInt8(ascii: "x"): return digits(most: 2, radix: 16).map { [UInt8(truncatingIfNeeded: $0)] } ?? []
    case UInt8(ascii: "u"):
      at += 1
      let scalar = digits(most: 8, radix: 16).flatMap(Unicode.Scalar.init)
      at = min(at + 1, bytes.count)
      return scalar.map { Array(String($0).utf8) } ?? []
    case UInt8(ascii: "z"):
      while byte().isBlank {
        if byte() == UInt8(ascii: "\n") { line += 1 }
        at += 1
      }
      return []
    case UInt8(ascii: "\n"):
      line += 1
      return [letter]
    default: return [Self.escapes[letter] ?? letter]
    }
  }

  private static let escapes: [UInt8: UInt8] = [0x61: 7, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9, 0x76: 11]

  private mutating func digits(most: Int, radix: Int) -> UInt32? {
    let start = at
    while at - start < most, byte().isDigit || radix == 16 && byte().isOfWord { at += 1 }
    return UInt32(written(from: min(start, at)), radix: radix)
  }
}

extension UInt8 {
  var isOfWord: Bool { isDigit || self | 0x20 >= 0x61 && self | 0x20 <= 0x7A || self == 0x5F || self >= 0x80 }
  fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  fileprivate var isBlank: Bool { self == 0x20 || self >= 9 && self <= 13 }
  /// Whether a sign may follow in a number: `1e+5`, `0x1p-3`.
  fileprivate var isExponent: Bool { self | 0x20 == 0x65 || self | 0x20 == 0x70 }
  fileprivate var isSignOfNumber: Bool { self == 0x2B || self == 0x2D }
}
