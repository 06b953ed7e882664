import ScriptHost

extension Theme {
  /// The error in a theme file.
  package struct Misspelling: Error, Equatable {
    package let line: Int
    package let message: String
  }

  /// Reads a theme: lines of `style = "colour"`, such as `accent = "blue"` and `added = "bold #a6e3a1"`.
  /// Skips empty lines and lines that begin with `#`. `base = "light"` in the first line replaces the dark base theme.
  package init(reading text: String) throws(Misspelling) {
    self = Theme(named: "dark") ?? Theme()
    var isFirst = true
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      let (name, value) = try Self.pair(line, index + 1)
      if name == "base" {
        guard isFirst, let base = Theme(named: value) else {
          throw Misspelling(
            line: index + 1,
            message: "'base' is \(Theme.names.map { "\"\($0)\"" }.joined(separator: " or ")), in the first line")
        }
        self = base
      } else {
        try set(name, value, index + 1)
      }
      isFirst = false
    }
  }

  private static func pair(_ line: Substring, _ number: Int) throws(Misspelling) -> (name: String, value: String) {
    let parts = line.split(separator: "=", maxSplits: 1).map(\.trimmingBlanks)
    guard parts.count == 2, parts[1].utf8.count > 1, parts[1].hasPrefix("\""), parts[1].hasSuffix("\"") else {
      throw Misspelling(line: number, message: "a line of a theme is like: accent = \"blue\"")
    }
    return (String(parts[0]), String(parts[1].dropFirst().dropLast()))
  }

  /// The names of styles in a theme file.
  private static let styles = TextStyle.Meaning.allCases.map(\.rawValue) + ["reason", "key"]

  private mutating func set(_ name: String, _ value: String, _ line: Int) throws(Misspelling) {
    guard Self.styles.contains(name) else {
      let near = nearest(to: name, among: Self.styles).first.map { "; did you mean '\($0)'?" } ?? ""
      throw Misspelling(line: line, message: "there is no style '\(name.visible)'\(near)")
    }
    guard let words = TextStyle(words: value), words.meaning == nil, !words.isPlain else {
      throw Misspelling(
        line: line,
        message: "'\(name)' is a colour such as \"blue\", \"bright-green\", \"208\" or \"#a6e3a1\", with or without "
          + "bold, dim, italic or underline, not \"\(value.visible)\"")
    }
    let style = style(of: words, over: .plain)
    guard let meaning = TextStyle.Meaning(rawValue: name) else {
      if name == "key" { key = style } else { reason = style }
      return
    }
    meanings[meaning] = style
    switch meaning {
    case .quiet: (subtitle, disabled, frame) = (style, style, style)
    case .strong: header = style
    case .error: destructive = style
    default: break
    }
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var rest = self
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return rest
  }
}
