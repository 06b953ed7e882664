extension ReferenceError: CustomStringConvertible {
  /// The sentence, the text below it, and a caret below the place.
  public func render() -> String {
    "\(message)\n\(excerpt(indent: "  "))"
  }

  public var description: String { render() }

  /// The part of the text around the place, and a caret in the line below.
  ///
  /// What is before or behind it by more than a line's length is left out. Every scalar is shown as one that takes a
  /// column and stays on the line, so that the caret stands right; a mark stays on its letter and takes none.
  private func excerpt(indent: String) -> String {
    let scalars = text.unicodeScalars
    let place = scalars.index(scalars.startIndex, offsetBy: column - 1, limitedBy: scalars.endIndex) ?? scalars.endIndex
    let start = scalars.index(place, offsetBy: -Self.reach, limitedBy: scalars.startIndex) ?? scalars.startIndex
    let end = scalars.index(place, offsetBy: Self.reach, limitedBy: scalars.endIndex) ?? scalars.endIndex
    let before = (start > scalars.startIndex ? "…" : "") + shown(scalars[start..<place])
    let after = shown(scalars[place..<end]) + (end < scalars.endIndex ? "…" : "")
    let padding = String(repeating: " ", count: before.unicodeScalars.count { !$0.isMark })
    return "\(indent)\(before)\(after)\n\(indent)\(padding)^"
  }

  /// How many scalars are shown on each side of the place.
  private static let reach = 60

  private func shown(_ scalars: Substring.UnicodeScalarView) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar.isBlank {
        shown.append(" ")
      } else {
        shown.append(scalar.isVisible || scalar.isMark ? scalar : "\u{FFFD}")
      }
    }
    return String(shown)
  }
}
