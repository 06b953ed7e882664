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

/// A glyph with its style, for drawing styled texts.
struct StyledGlyph: Equatable {
  var glyph: Glyph
  var style: Style
  /// Whether it is one of the letters that narrow the rows.
  var isFound = false
}

extension Canvas {
  /// Draws styled glyphs on one line, and returns the column after them.
  @discardableResult
  mutating func put(_ glyphs: [StyledGlyph], row: Int, column: Int, in area: Area? = nil) -> Int {
    let area = area.map(frame.common) ?? frame
    guard area.holds(row: row) else { return column }
    var column = column
    for glyph in glyphs where !put(glyph.glyph, glyph.style, row, &column, in: area) { break }
    return column
  }
}

extension Theme {
  /// Returns the style of a text's meaning over a background style.
  func style(of text: TextStyle, over ground: Style) -> Style {
    var style = ground
    if let meaning = text.meaning {
      let look = look(of: meaning)
      if look.ink != .standard { style.ink = look.ink }
      if look.paper != .standard { style.paper = look.paper }
      // Bold and dim exclude each other.
      if look.marks.contains(.bold) { style.marks.remove(.dim) }
      style.marks.formUnion(look.marks)
    }
    if let ink = text.ink { style.ink = Color(ink) }
    if let paper = text.paper { style.paper = Color(paper) }
    if text.marks.contains(.bold) { style.marks.remove(.dim) }
    style.marks.formUnion(Style.Marks(rawValue: text.marks.rawValue).subtracting(.reverse))
    if text.marks.contains(.reverse) { style.marks.formSymmetricDifference(.reverse) }
    return style
  }

  /// The columns between two tab stops.
  private static let tab = 8

  /// Returns the glyphs of a text on one line, over a background style.
  ///
  /// - Parameters:
  ///   - most: the wanted columns; text beyond them is dropped.
  ///   - found: the places of letters that narrow the rows, counted in the text's scalars.
  func glyphs(
    of text: StyledText, over ground: Style = .plain, columns most: Int = .max, found: Set<Int> = []
  ) -> [StyledGlyph] {
    var glyphs: [StyledGlyph] = []
    var (width, scalar) = (0, 0)
    for span in text.spans {
      let style = style(of: span.style, over: ground)
      if let sign = sign(before: span) {
        glyphs.append(StyledGlyph(glyph: sign, style: style))
        width += 1
      }
      for character in span.text {
        if width > most { return glyphs }
        let count = character.unicodeScalars.count
        let isFound = !found.isEmpty && (scalar..<scalar + count).contains(where: found.contains)
        scalar += count
        if character == "\t" {
          let blanks = Self.tab - width % Self.tab
          glyphs += Array(repeating: StyledGlyph(glyph: .blank, style: style), count: blanks)
          width += blanks
          continue
        }
        for glyph in character.glyphs {
          glyphs.append(StyledGlyph(glyph: glyph, style: style, isFound: isFound))
          width += glyph.width
        }
      }
    }
    return glyphs
  }

  /// Returns the sign for a text's meaning without colours, unless the text begins with it.
  private func sign(before span: StyledText.Span) -> Glyph? {
    guard !hasColour, let meaning = span.style.meaning, let first = span.text.first(where: { $0 != " " }) else {
      return nil
    }
    let sign: Character? =
      switch meaning {
      case .added: "+"
      case .removed: "-"
      case .changed: "~"
      default: nil
      }
    guard let sign, sign != first else { return nil }
    return Glyph(text: String(sign), width: 1, isDoubtful: false)
  }
}

extension Character {
  fileprivate var glyphs: [Glyph] {
    guard let ascii = asciiValue, (0x20..<0x7F).contains(ascii) else { return String(self).glyphs }
    return [Glyph(text: String(self), width: 1, isDoubtful: false)]
  }
}

extension Color {
  init(_ colour: TextStyle.Colour) {
    switch colour {
    case .palette(let index): self = index < 16 ? .own(index) : .palette(index)
    case .rgb(let red, let green, let blue): self = .rgb(red, green, blue)
    }
  }
}

/// The place where a too long text is cut.
enum Cut: Sendable {
  case end
  /// In the middle. A path is cut between folders, so that its beginning and its name stay.
  case middle
}

extension [StyledGlyph] {
  var columns: Int { reduce(0) { $0 + $1.glyph.width } }

  /// Returns as many of the glyphs as fit a number of columns, with an ellipsis for missing glyphs.
  func cut(toColumns most: Int, at cut: Cut = .end) -> [StyledGlyph] {
    if columns <= most { return self }
    if most <= 0 { return [] }
    switch cut {
    case .end: return joined(first(most - 1), nil)
    case .middle: return path(most - 1) ?? joined(first((most - 1) / 2), last(most - 1 - (most - 1) / 2))
    }
  }

  private func first(_ columns: Int) -> ArraySlice<StyledGlyph> {
    var (end, used) = (startIndex, 0)
    while end < endIndex, used + self[end].glyph.width <= columns {
      used += self[end].glyph.width
      end += 1
    }
    return self[..<end]
  }

  private func last(_ columns: Int) -> ArraySlice<StyledGlyph> {
    var (start, used) = (endIndex, 0)
    while start > startIndex, used + self[start - 1].glyph.width <= columns {
      start -= 1
      used += self[start].glyph.width
    }
    return self[start...]
  }

  /// Returns the first folder of a path, an ellipsis, and its end from a slash on; nil if the last name doesn't fit.
  private func path(_ columns: Int) -> [StyledGlyph]? {
    let slashes = indices.filter { self[$0].glyph.text == "/" }
    func width(_ part: ArraySlice<StyledGlyph>) -> Int { part.reduce(0) { $0 + $1.glyph.width } }
    guard let first = slashes.first else { return nil }
    let ends = slashes.dropFirst().map { self[$0...] }
    if let end = ends.first(where: { width($0) + width(self[...first]) <= columns }) {
      return joined(self[...first], end)
    }
    return slashes.map { self[$0...] }.first { width($0) <= columns }.map { joined([], $0) }
  }

  private func joined(_ start: ArraySlice<StyledGlyph>, _ end: ArraySlice<StyledGlyph>?) -> [StyledGlyph] {
    let style = start.last?.style ?? end?.first?.style ?? self[0].style
    let sign = StyledGlyph(glyph: Glyph(text: "…", width: 1, isDoubtful: false), style: style)
    return Array(start) + [sign] + (end ?? [])
  }
}
