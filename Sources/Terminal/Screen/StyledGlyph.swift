import ScriptHost

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
