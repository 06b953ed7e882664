import ScriptHost

/// A *glyph* is the content of one or two cells: a character with its marks, limited in length, without control characters.
struct Glyph: Equatable {
  let text: String
  /// The number of its columns, one or two.
  let width: Int
  /// Whether terminals disagree about its width. The pen writes such a glyph so that the rest of the line is in its place on all of them.
  let isDoubtful: Bool

  static let blank = Glyph(text: " ", width: 1, isDoubtful: false)

  /// The glyph that replaces one that can't be drawn.
  static let unsure = Glyph(text: "·", width: 1, isDoubtful: false)

  /// The most bytes of a glyph; further marks of the character are left out.
  static let longest = 15
}

extension String {
  /// The glyphs of a text on one line, with control characters shown as escapes.
  var glyphs: [Glyph] {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      return utf8.map { Glyph(text: String(Unicode.Scalar($0)), width: 1, isDoubtful: false) }
    }
    return visible.map(Glyph.init)
  }

  /// The number of columns of the text's glyphs.
  var columns: Int {
    utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? utf8.count : glyphs.reduce(0) { $0 + $1.width }
  }
}

extension String {
  /// As many of the text's glyphs as fit a number of columns, with an ellipsis if some are missing.
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
    // A combining mark without a base gets a blank as its base; a joiner alone shows as a blank.
    let base = first.isMark || first.width == 0 ? " " + String(first) : String(first)
    var text = first.isJoiner ? " " : base
    for scalar in scalars.dropFirst() {
      // Terminals draw joined emoji as one or as several, so only the first is kept.
      if scalar.isJoiner, first.isAmbiguous { break }
      if text.utf8.count + String(scalar).utf8.count > Self.longest { break }
      text.unicodeScalars.append(scalar)
    }
    let isPair = scalars.count > 1 && first.isRegional
    // A digit with this mark is an emoji too, as in a keycap, but a letter with it isn't.
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

  /// Whether some fonts and terminals draw the character wider or narrower than its declared width.
  fileprivate var isAmbiguous: Bool {
    if value < 0x2190 { return false }
    if isRegional || (0x1F000...0x1FFFF).contains(value) { return true }
    // Arrows, boxes, dots and ticks have one column everywhere; the emoji among them don't.
    return properties.isEmoji || (0xE000...0xF8FF).contains(value)
  }
}
