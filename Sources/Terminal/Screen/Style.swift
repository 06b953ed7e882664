import ScriptHost

/// The *style* of a cell: its colours, and marks such as bold.
struct Style: Hashable, Sendable {
  var ink = Color.standard
  var paper = Color.standard
  var marks: Marks = []

  static let plain = Style()

  /// The marks of letters, such as bold.
  struct Marks: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = Marks(rawValue: 1)
    static let dim = Marks(rawValue: 2)
    static let italic = Marks(rawValue: 4)
    static let underline = Marks(rawValue: 8)
    static let reverse = Marks(rawValue: 16)
  }
}

/// A *colour* of a cell: the terminal's standard colour, one of its sixteen, one of the palette of 256, or any.
enum Color: Hashable, Sendable {
  case standard
  case own(UInt8)
  case palette(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// The number of colours that a terminal has.
package enum ColorDepth: Int, Comparable, Sendable {
  case none, sixteen, palette, all

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

  /// Reads the environment: no colours for NO_COLOR or a missing or `dumb` TERM; else from COLORTERM, then TERM.
  package init(_ environment: (String) -> String?) {
    let term = environment("TERM") ?? ""
    if let no = environment("NO_COLOR"), !no.isEmpty { self = .none; return }
    if term == "dumb" || term.isEmpty { self = .none; return }
    let color = environment("COLORTERM")
    if color == "truecolor" || color == "24bit" || term.hasSuffix("-direct") { self = .all; return }
    self = term.says("256color") || term.hasPrefix("xterm-kitty") || term.hasPrefix("foot") ? .palette : .sixteen
  }
}

extension String {
  /// Returns true if the text contains a word. Compares bytes, since characters take a tenth of a face's start.
  fileprivate func says(_ word: String) -> Bool { utf8.indices.contains { utf8[$0...].starts(with: word.utf8) } }
}

extension Color {
  /// Returns the nearest colour at this depth.
  func reduced(to depth: ColorDepth) -> Color {
    if depth == .none { return .standard }
    switch self {
    case .standard, .own: return self
    case .palette(let index):
      if depth >= .palette { return self }
      if index < 16 { return .own(index) }
      return Self.own(near: Self.components(ofPalette: index))
    case .rgb(let red, let green, let blue):
      if depth == .all { return self }
      return depth == .palette ? Self.palette(near: (red, green, blue)) : Self.own(near: (red, green, blue))
    }
  }

  /// Returns the colour of a palette number beyond the first sixteen.
  static func rgb(ofPalette index: UInt8) -> Color {
    let (red, green, blue) = components(ofPalette: index)
    return .rgb(red, green, blue)
  }

  private static func palette(near color: (UInt8, UInt8, UInt8)) -> Color {
    func step(_ value: UInt8) -> UInt8 { value < 48 ? 0 : value < 115 ? 1 : UInt8((Int(value) - 35) / 40) }
    let (red, green, blue) = (step(color.0), step(color.1), step(color.2))
    return .palette(16 + 36 * red + 6 * green + blue)
  }

  private static func components(ofPalette index: UInt8) -> (UInt8, UInt8, UInt8) {
    if index >= 232 {
      let level = 8 + 10 * (index - 232)
      return (level, level, level)
    }
    func level(_ step: UInt8) -> UInt8 { step == 0 ? 0 : 55 + 40 * step }
    let cube = index - 16
    return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
  }

  /// Returns the nearest of the sixteen colours, from the strong components of red, green and blue.
  private static func own(near color: (UInt8, UInt8, UInt8)) -> Color {
    let most = max(color.0, color.1, color.2)
    if most < 40 { return .own(0) }
    let half = most / 2
    let hue: UInt8 = (color.0 > half ? 1 : 0) | (color.1 > half ? 2 : 0) | (color.2 > half ? 4 : 0)
    if hue == 7 { return most > 200 ? .own(15) : most > 130 ? .own(7) : .own(8) }
    return .own(most > 190 ? hue + 8 : hue)
  }
}

/// A *glyph* fills one or two cells: a character with its marks, limited in length, without control characters.
struct Glyph: Equatable {
  let text: String
  /// The number of its columns, one or two.
  let width: Int
  /// Whether terminals disagree about its width. The pen then keeps the rest of the line in place on all of them.
  let isDoubtful: Bool

  static let blank = Glyph(text: " ", width: 1, isDoubtful: false)

  /// The glyph that replaces an undrawable one.
  static let unsure = Glyph(text: "·", width: 1, isDoubtful: false)

  /// The most bytes of a glyph; further marks of the character are dropped.
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
  /// Returns as many glyphs as fit a number of columns, with an ellipsis if some are missing.
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
