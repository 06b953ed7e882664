import ScriptHost

extension String {
  /// The text on one line, with everything escaped that a terminal would obey rather than show.
  var visible: String { escaped { _ in false } }

  /// The text of a script's print: its lines and tabs stay.
  var visibleLines: String { escaped { $0 == "\n" || $0 == "\t" } }

  private func escaped(but stays: (Unicode.Scalar) -> Bool) -> String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isVisible || scalar.isMark || stays(scalar) || scalar.isHarmless {
        result.append(scalar)
      } else {
        result.append(contentsOf: scalar.escape.unicodeScalars)
      }
    }
    return String(result)
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
