import ScriptHost

/// A *glyph* is what one or two cells show: a character with its marks, made harmless, and short.
struct Glyph: Equatable {
  let text: String
  /// How many columns it has: one or two.
  let width: Int
  /// Whether terminals disagree about its width. Such a one is written so that the rest of its line stands where it should in any.
  let isDoubtful: Bool

  static let blank = Glyph(text: " ", width: 1, isDoubtful: false)

  /// What stands where a glyph can't be drawn.
  static let unsure = Glyph(text: "·", width: 1, isDoubtful: false)

  /// So many bytes a glyph has at most: what else hangs on a character is left out.
  static let longest = 15
}

extension String {
  /// The glyphs of a text on one line. What a terminal would obey is shown as an escape.
  var glyphs: [Glyph] {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      return utf8.map { Glyph(text: String(Unicode.Scalar($0)), width: 1, isDoubtful: false) }
    }
    return visible.map(Glyph.init)
  }

  /// How many columns its glyphs have.
  var columns: Int {
    utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? utf8.count : glyphs.reduce(0) { $0 + $1.width }
  }
}

extension String {
  /// As many of the text's glyphs as fit so many columns, with an ellipsis where something is missing.
  func cut(toColumns most: Int) -> [Glyph] {
    let all = glyphs
    if all.reduce(0, { $0 + $1.width }) <= most { return all }
    var cut: [Glyph] = []
    var used = 1
    for glyph in all {
      used += glyph.width
      if used > most { break }
      cut.append(glyph)
    }
    return most > 0 ? cut + [Glyph(text: "…", width: 1, isDoubtful: false)] : []
  }
}

extension Glyph {
  fileprivate init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else {
      self = .blank
      return
    }
    // A mark with nothing below it stands on a blank of its own, and a joiner alone shows nothing.
    let base = first.isMark || first.width == 0 ? " " + String(first) : String(first)
    var text = first.isJoiner ? " " : base
    for scalar in scalars.dropFirst() {
      // Of pictures that are joined, terminals draw one or all of them: the first is shown.
      if scalar.isJoiner, first.isAmbiguous { break }
      if text.utf8.count + String(scalar).utf8.count > Self.longest { break }
      text.unicodeScalars.append(scalar)
    }
    let isPair = scalars.count > 1 && first.isRegional
    // A digit is a picture too where a key is drawn around it, but a letter with the same mark is none.
    let asEmoji =
      scalars.dropFirst().contains { $0 == "\u{FE0F}" } && (first.value > 0x7F || first.properties.isEmoji)
    self.text = text
    width = isPair || asEmoji ? 2 : max(1, first.width)
    isDoubtful =
      asEmoji || isPair || first.isAmbiguous || !scalars.dropFirst().allSatisfy { $0.width == 0 && $0.isMark }
  }
}

extension Unicode.Scalar {
  fileprivate var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }
  fileprivate var isRegional: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Whether fonts and terminals draw it wider or narrower than it is said to be.
  fileprivate var isAmbiguous: Bool {
    if value < 0x2190 { return false }
    if isRegional || (0x1F000...0x1FFFF).contains(value) { return true }
    // Arrows and boxes, dots and ticks that everybody draws in one column stay what they are; pictures among them do not.
    return properties.isEmoji || (0xE000...0xF8FF).contains(value)
  }
}
