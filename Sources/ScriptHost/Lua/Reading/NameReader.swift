import CLua

/// Finds names of very many parts, `a.b.c…`, in the source of a script. A state refuses to compile them.
///
/// If a part is nil, Lua's error message contains its name. For that, Lua goes from part to part, and each time through
/// the function from its beginning. For a source with one very long name this takes seconds, and nothing can interrupt
/// it. With `CLUA_PARTS` parts, in the longest function, it takes 4 ms. Names in a part's brackets count too. A part
/// after a call begins a new name, because Lua has no name for a call's result.
struct NameReader {
  private enum Token {
    /// An operator, a keyword, or the beginning.
    case other
    /// A dot or colon before a part's name.
    case dot
    /// A name, or a keyword.
    case name
    /// The end of a value that can be called or indexed.
    case operand
  }

  private enum Bracket { case call, group, index, table }

  /// Lua accepts no source with deeper brackets.
  private static let deepest = 256

  private let source: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var line = 1
  private var last = Token.other
  /// The range of the last name.
  private var name = 0..<0
  /// The number of parts of the name that ends here.
  private var parts = 0
  private var depth = 0
  /// The brackets around, with the number of name parts before each.
  private var brackets: [(kind: Bracket, parts: Int)] = []

  private init(_ source: UnsafeBufferPointer<UInt8>) { self.source = source }

  /// Returns the line of the first name with more than `CLUA_PARTS` parts; 0 if there is none.
  static func lineOfLongName(in source: UnsafeBufferPointer<UInt8>) -> Int {
    let most = Int(CLUA_PARTS)
    guard source.count >= 2 * most else { return 0 }
    var reader = NameReader(source)
    while reader.at < source.count {
      reader.skipToken()
      if reader.parts > most { return reader.line }
    }
    return 0
  }

  private var next: UInt8? { at < source.count ? source[at] : nil }

  /// Whether a bracket here calls or indexes the operand before it.
  private var isBehindOperand: Bool {
    last == .operand
      || last == .name && !String.luaWords.contains(String(decoding: source[name], as: UTF8.self))
  }

  private mutating func end(_ token: Token) { (last, parts) = (token, 0) }

  private mutating func skipToken() {
    let byte = source[at]
    if byte.isLetterOfName { return skipName() }
    if byte.isDecimal {
      while let next, next.isLetterOfName || next.isDecimal || next == UInt8(ascii: ".") { at += 1 }
      return end(.other)
    }
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return skipOne()
    case UInt8(ascii: "["):
      if skipLong() { return end(.operand) }
      open(isBehindOperand ? .index : .table)
    case UInt8(ascii: "("): open(isBehindOperand ? .call : .group)
    case UInt8(ascii: "{"): open(.table)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return skipText(in: byte)
    case UInt8(ascii: "-") where at + 1 < source.count && source[at + 1] == byte: return skipComment()
    case UInt8(ascii: "."), UInt8(ascii: ":"): return skipDots(byte)
    case 0x20, 9, 11, 12: break
    default: end(.other)
    }
    at += 1
  }

  private mutating func skipName() {
    let start = at
    while let next, next.isLetterOfName || next.isDecimal { at += 1 }
    name = start..<at
    parts = last == .dot ? parts + 1 : 0
    last = .name
  }

  /// Skips dots or colons. Several of them are an operator.
  private mutating func skipDots(_ byte: UInt8) {
    let start = at
    while next == byte { at += 1 }
    if at - start > 1 { end(.other) } else { last = .dot }
  }

  /// Skips one byte. A line end of two bytes counts as one line.
  private mutating func skipOne() {
    let byte = source[at]
    at += 1
    guard byte.isLineEnd else { return }
    line += 1
    if let next, next.isLineEnd, next != byte { at += 1 }
  }

  /// Returns the length of the long bracket here; 0 if there is none.
  private func longBracket(_ bracket: UInt8) -> Int {
    guard next == bracket else { return 0 }
    var end = at + 1
    while end < source.count, source[end] == UInt8(ascii: "=") { end += 1 }
    return end < source.count && source[end] == bracket ? end + 1 - at : 0
  }

  /// Skips a text or a comment in long brackets. Returns false if none begins here.
  private mutating func skipLong() -> Bool {
    let length = longBracket(UInt8(ascii: "["))
    if length == 0 { return false }
    at += length
    while at < source.count, longBracket(UInt8(ascii: "]")) != length { skipOne() }
    at = min(at + length, source.count)
    return true
  }

  private mutating func skipComment() {
    at += 2
    if skipLong() { return }
    while let next, !next.isLineEnd { at += 1 }
  }

  private mutating func skipText(in quote: UInt8) {
    at += 1
    while let next, next != quote {
      if next == UInt8(ascii: "\\"), at + 1 < source.count { at += 1 }
      skipOne()
    }
    at = min(at + 1, source.count)
    end(.operand)
  }

  private mutating func open(_ kind: Bracket) {
    if depth < Self.deepest { brackets.append((kind, parts)) }
    depth += 1
    end(.other)
  }

  private mutating func close() {
    last = .operand
    guard depth > 0 else { return }
    depth -= 1
    guard depth < Self.deepest, let bracket = brackets.popLast() else { return }
    switch bracket.kind {
    case .call, .table: parts = 0
    case .group: break
    case .index: parts += bracket.parts + 1
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOfName: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A || self == 0x5F }
  fileprivate var isDecimal: Bool { self >= 0x30 && self <= 0x39 }
  fileprivate var isLineEnd: Bool { self == 10 || self == 13 }
}
