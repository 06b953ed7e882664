extension String {
  /// The text on one line, with escapes for everything that a terminal would obey.
  package var visible: String { escaped { _ in false } }

  /// The text of a script's `print`, with its lines and tabs.
  package var visibleLines: String { escaped { $0 == "\n" || $0 == "\t" } }

  /// The text on one line, with blanks and invisible characters made visible. Single blanks inside the text stay.
  package var visibleBlanks: String {
    var result = ""
    var rest = Array(visible.unicodeScalars)[...]
    // The previous scalar, if it is visible.
    var before: Unicode.Scalar?
    while let scalar = rest.first {
      let count = rest.prefix { $0 == scalar }.count
      let isAlone = count == 1 && !result.isEmpty && rest.count > 1
      rest = rest.dropFirst(count)
      guard scalar == " " || scalar.hidesItself || !scalar.joins(before, rest.first, count) else {
        for _ in 0..<count { result.unicodeScalars.append(scalar) }
        before = scalar
        continue
      }
      before = nil
      let drawn = scalar != " " ? scalar.escape : isAlone ? " " : "␣"
      result += count > 8 ? "\(drawn)×\(count)" : String(repeating: drawn, count: count)
    }
    return result
  }

  /// The same for a script's text of any length. A long one is cut to its beginning and end, with the number of missing
  /// characters.
  package var visibleBlanksInShort: String {
    let scalars = Array(visibleBlanks.unicodeScalars)
    guard scalars.count > 240 else { return visibleBlanks }
    func text(_ part: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }
    return "\(text(scalars.prefix(150))) … \(scalars.count - 210) characters … \(text(scalars.suffix(60)))"
  }

  /// Returns a text of several lines. Lines after the first are indented, so that they can't pass as lines of the tool.
  package func visibleBlock(indent: String = "  ", most: Int = 40) -> String {
    guard utf8.contains(UInt8(ascii: "\n")) else { return visible }
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped { $0 == "\t" } }
    while lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    if lines.count > most { lines = lines.prefix(most) + ["… and \(lines.count - most) lines more"] }
    return lines.joined(separator: "\n\(indent)")
  }

  /// Returns the text with U+FFFD in place of control characters. With `hasLines`, newlines stay.
  func withoutControls(hasLines: Bool) -> String {
    func isOdd(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl && !(hasLines && scalar == "\n") }
    guard unicodeScalars.contains(where: isOdd) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { isOdd($0) ? "\u{FFFD}" : $0 }))
  }

  private func escaped(but stays: (Unicode.Scalar) -> Bool) -> String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isVisible || scalar.isMark || stays(scalar) || scalar.isHarmless {
        result.unicodeScalars.append(scalar)
      } else {
        // Appended as a string, because appending to the scalar view copies all of it.
        result += scalar.escape
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it is a joiner or space that text needs and no terminal obeys.
  fileprivate var isHarmless: Bool {
    switch self {
    case "\u{200C}", "\u{200D}": true
    default: properties.generalCategory == .spaceSeparator
    }
  }

  /// Whether it is invisible, even if it has a width: blanks, joiners, variation selectors, fillers.
  fileprivate var hidesItself: Bool {
    switch value {
    // Unicode lists these as symbols, letters or marks, but they are blanks or placeholders: in braille, musical
    // notation, Khitan and hieroglyphs.
    case 0x2800, 0xFFFC, 0x16FE4, 0x1D159, 0x13441, 0x13442: true
    // These only change the sign before them: hieroglyphs and signs of sign languages.
    case 0x13440, 0x1DA9B...0x1DAAF: true
    default: properties.generalCategory == .spaceSeparator || properties.isDefaultIgnorableCodePoint
    }
  }

  /// Returns true if its effect on its neighbours makes it visible, or if it needs no neighbours.
  ///
  /// The vowels and final consonants of Korean syllables have no width, and signs that join two letters have no shape.
  ///
  /// - Parameter before: the previous scalar, if it is visible.
  fileprivate func joins(_ before: Unicode.Scalar?, _ next: Unicode.Scalar?, _ count: Int) -> Bool {
    switch value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FB:
      guard count == 1, let before = before?.value else { return false }
      switch before {
      case 0x1100...0x1112: return (0x1161...0x1175).contains(value)
      case 0x1161...0x1175: return (0x11A8...0x11C2).contains(value)
      case 0xAC00...0xD7A3: return (before - 0xAC00) % 28 == 0 && (0x11A8...0x11C2).contains(value)
      default: return false
      }
    case 0x1039, 0x17D2, 0x1A60, 0x2D7F, 0xAAF6, 0x10A3F, 0x1107F, 0x11133, 0x113D0, 0x1193E, 0x11A47, 0x11A99, 0x11D45,
      0x11D97, 0x11F42:
      guard count == 1, let before, let next else { return false }
      return before.value >> 7 == value >> 7 && next.value >> 7 == value >> 7
    default: return true
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: value < 0x100 ? "\\x" + hexadecimal(2) : "\\u{" + hexadecimal(4) + "}"
    }
  }

  fileprivate func hexadecimal(_ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension String {
  /// Returns the text, cut to whole characters within a number of bytes.
  func cut(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, most))
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }

  /// Returns the text, cut to a number of bytes, with an ellipsis if something is missing.
  package func shortened(toBytes most: Int) -> String { utf8.count > most ? cut(toBytes: most) + "…" : self }
}

extension [String] {
  /// Joins the texts with a separator. The standard library's `joined` is generic. Its first call looks up the type at
  /// run time, which takes a fiftieth of the tool's start.
  package func joined(separator: String = "") -> String {
    var text = ""
    text.reserveCapacity(reduce(0) { $0 + $1.utf8.count + separator.utf8.count })
    var isFirst = true
    for part in self {
      if !isFirst { text += separator }
      text += part
      isFirst = false
    }
    return text
  }
}

extension String {
  /// The width in terminal columns: wide characters take two, marks none.
  package var width: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : unicodeScalars.reduce(0) { $0 + $1.width }
  }

  /// Returns the number of rows of its lines, with `columns` columns in a row.
  package func rows(of columns: Int) -> Int {
    split(separator: "\n", omittingEmptySubsequences: false)
      .reduce(0) { $0 + max(1, (String($1).width + columns - 1) / columns) }
  }

  package func padded(to width: Int) -> String {
    var padded = self
    padded.appendBlanks(width - self.width)
    return padded
  }

  /// Appends blanks; none if the count is negative.
  package mutating func appendBlanks(_ count: Int) {
    var rest = count
    while rest > 0 {
      append(contentsOf: Substring(Self.blanks.utf8.prefix(rest)))
      rest -= Self.blanks.utf8.count
    }
  }

  private static let blanks: Substring = "                                                                "

  /// Returns as much of the text as fits, with an ellipsis if something is missing.
  package func cut(to width: Int) -> String {
    guard self.width > width else { return self }
    var cut = String.UnicodeScalarView()
    var used = 1
    for scalar in unicodeScalars {
      used += scalar.width
      if used > width { break }
      cut.append(scalar)
    }
    return String(cut) + "…"
  }
}

extension Unicode.Scalar {
  package var width: Int {
    if value < 0x300 { return 1 }
    if isMark || self == "\u{200C}" || self == "\u{200D}" || (0xFE00...0xFE0F).contains(value) { return 0 }
    // The vowels and final consonants of Korean syllables.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    return value >= 0x1100 && isWide ? 2 : 1
  }

  private var isWide: Bool {
    // Binary search for the last range that begins at or before this scalar.
    var (low, high) = (0, Self.wide.count / 2)
    while low < high {
      let middle = (low + high) / 2
      if Self.wide[2 * middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low > 0 && value <= Self.wide[2 * low - 1]
  }

  /// The East Asian scalars and emoji with two columns: the first and last of each range, in order. Plain numbers,
  /// because building an array of ranges would slow the tool's start.
  private static let wide: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
    0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
    0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
    0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x303E,
    0x3041, 0x33FF, 0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xA000, 0xA4CF, 0xA960, 0xA97F, 0xAC00, 0xD7A3,
    0xF900, 0xFAFF, 0xFE10, 0xFE19, 0xFE30, 0xFE6F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18AFF,
    0x1B000, 0x1B2FF, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A,
    0x1F200, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA,
    0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440,
    0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A,
    0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC,
    0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D7, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC,
    0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF,
    0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD,
  ]
}
