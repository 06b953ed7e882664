extension ReferenceParser {
  /// Reads a quoted string with JSON's escapes.
  mutating func string() throws(ReferenceError) -> String {
    let opening = cursor.offset
    _ = cursor.take(UInt8(ascii: "\""))
    var text = String.UnicodeScalarView()
    while !cursor.take(UInt8(ascii: "\"")) {
      if cursor.byte == UInt8(ascii: "\\") {
        text.append(try escape(inStringFrom: opening))
      } else if let scalar = cursor.take(where: { $0.value >= 0x20 }) {
        text.append(scalar)
      } else {
        throw noCharacter(opening: opening)
      }
    }
    return String(text)
  }

  /// Why nothing can be read at the cursor in a string that began at an offset.
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

  /// Reads the digits of one `\u`, and a second `\u` where the first was the first half of a pair.
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
  /// What an ASCII hexadecimal digit counts.
  fileprivate var hexValue: UInt32 {
    value <= 57 ? value & 0xF : (value & 0xF) + 9
  }
}
