extension String {
  /// The text on one line, with everything escaped that a terminal would obey rather than show.
  package var visible: String { escaped { _ in false } }

  /// The text of a script's print: its lines and tabs stay.
  package var visibleLines: String { escaped { $0 == "\n" || $0 == "\t" } }

  /// The text on one line with its blanks, and all that is there but not to be seen, made visible: a single blank inside the text is kept, any other is drawn.
  package var visibleBlanks: String {
    var result = ""
    var rest = Array(visible.unicodeScalars)[...]
    while let scalar = rest.first {
      let count = rest.prefix { $0 == scalar }.count
      let isAlone = count == 1 && !result.isEmpty && rest.count > 1
      rest = rest.dropFirst(count)
      guard scalar == " " || scalar.hidesItself else {
        for _ in 0..<count { result.unicodeScalars.append(scalar) }
        continue
      }
      let drawn = scalar != " " ? scalar.escape : isAlone ? " " : "␣"
      result += count > 8 ? "\(drawn)×\(count)" : String(repeating: drawn, count: count)
    }
    return result
  }

  /// The same for a script's text of any length: a long one is cut to its beginning and its end, with how much was left out.
  package var visibleBlanksInShort: String {
    let scalars = Array(visibleBlanks.unicodeScalars)
    guard scalars.count > 240 else { return visibleBlanks }
    func text(_ part: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }
    return "\(text(scalars.prefix(150))) … \(scalars.count - 210) characters … \(text(scalars.suffix(60)))"
  }

  /// A text of several lines. Lines after the first are indented, so that none can be mistaken for a line of the tool's own.
  package func visibleBlock(indent: String = "  ", most: Int = 40) -> String {
    guard utf8.contains(UInt8(ascii: "\n")) else { return visible }
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped { $0 == "\t" } }
    while lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    if lines.count > most { lines = lines.prefix(most) + ["… and \(lines.count - most) lines more"] }
    return lines.joined(separator: "\n\(indent)")
  }

  /// The text with U+FFFD in place of control characters, but for the ends of lines where it may have several.
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
        // Appended as a string, because appending scalars to the scalar view copies all of it.
        result += scalar.escape
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Joins and spaces that text needs and no terminal obeys.
  fileprivate var isHarmless: Bool {
    switch self {
    case "\u{200C}", "\u{200D}": true
    default: properties.generalCategory == .spaceSeparator
    }
  }

  /// Whether it shows nothing, whatever room it takes: blanks, joiners, variation selectors, fillers.
  fileprivate var hidesItself: Bool {
    switch value {
    case 0x2800: true
    default: properties.generalCategory == .spaceSeparator || properties.isDefaultIgnorableCodePoint
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
