import ScriptHost

/// The *theme* has a style for each meaning. Colour is never the only sign, and defaults to the terminal's sixteen.
package struct Theme: Sendable {
  var bar = Style.plain
  var openMenu = Style(marks: .reverse)
  var appTitle = Style(marks: .bold)
  var frame = Style(marks: .dim)
  var row = Style.plain
  /// The current row, which enter picks.
  var current = Style(marks: .reverse)
  /// The current row of an unfocused pane. In 16 colours the row keeps its colours, and a thin bar marks it.
  var currentElsewhere = Style(marks: .bold)
  /// The style of each meaning of a text.
  var meanings: [TextStyle.Meaning: Style] = [
    .strong: Style(marks: .bold), .quiet: Style(marks: .dim), .accent: Style(ink: .own(6), marks: .bold),
    .heading: Style(ink: .own(6)), .added: Style(ink: .own(2)), .removed: Style(ink: .own(1)),
    .changed: Style(ink: .own(3)), .warning: Style(ink: .own(3)), .error: Style(ink: .own(1), marks: .bold),
    .link: Style(ink: .own(4), marks: .underline), .match: Style(ink: .own(3), marks: .bold),
  ]
  /// Whether the terminal shows colours; if not, marks and signs show the meaning of texts.
  private(set) var hasColour = true
  var disabled = Style(marks: .dim)
  /// The style of reasons: a colour that is readable on light and dark backgrounds, unlike yellow and blue.
  var reason = Style(ink: .own(5))
  var subtitle = Style(marks: .dim)
  /// The ink of quiet text on the ground of the current row, where it would be hard to read; nil for its usual ink.
  var quietOfCurrent: Color?
  var key = Style(marks: .dim)
  var destructive = Style(ink: .own(1))
  var header = Style(marks: .bold)
  var mnemonic: Style.Marks = .underline
  /// The most bytes of one of its colours.
  private(set) var bytesOfColour = "\u{1B}[31m".utf8.count
  /// Whether the theme is for a light background.
  private(set) var isLight = false
  /// Whether it may tint the terminal's background; the terminal's own colours don't.
  private(set) var hasTints = false
  /// The backgrounds of bars and of overlays; nil for the terminal's. Overlays with a background need no frame.
  var overBar, overlay: Color?

  package init() {}

  /// The names of the built-in themes.
  package static let names = ["terminal", "dark", "light"]

  /// Makes the theme of a name, with the terminal's colours or for a dark or light ground. The ground is the
  /// terminal's.
  package init?(named name: String) {
    self.init()
    switch name {
    case "terminal": break
    case "dark":
      ink(
        reason: .rgb(229, 181, 103), quiet: .rgb(150, 156, 171), key: .rgb(130, 170, 255),
        destructive: .rgb(255, 122, 133))
      currentElsewhere = Style(paper: .rgb(52, 58, 70))
      ink([
        .strong: .rgb(242, 244, 248), .quiet: .rgb(150, 156, 171), .accent: .rgb(138, 180, 248),
        .heading: .rgb(138, 180, 248), .added: .rgb(159, 211, 154), .removed: .rgb(242, 139, 130),
        .changed: .rgb(232, 199, 123), .warning: .rgb(232, 199, 123), .error: .rgb(255, 122, 133),
        .link: .rgb(138, 180, 248), .match: .rgb(245, 194, 107),
      ])
    case "light":
      isLight = true
      ink(reason: .rgb(138, 83, 0), quiet: .rgb(99, 104, 117), key: .rgb(0, 87, 184), destructive: .rgb(184, 20, 46))
      currentElsewhere = Style(paper: .rgb(226, 229, 236))
      ink([
        .strong: .rgb(16, 20, 26), .quiet: .rgb(99, 104, 117), .accent: .rgb(0, 87, 184), .heading: .rgb(0, 87, 184),
        .added: .rgb(17, 99, 41), .removed: .rgb(184, 20, 46), .changed: .rgb(138, 83, 0), .warning: .rgb(138, 83, 0),
        .error: .rgb(184, 20, 46), .link: .rgb(0, 87, 184), .match: .rgb(158, 63, 0),
      ])
    default: return nil
    }
  }

  private mutating func ink(reason: Color, quiet: Color, key: Color, destructive: Color) {
    self.reason = Style(ink: reason)
    subtitle = Style(ink: quiet)
    disabled = Style(ink: quiet)
    frame = Style(ink: quiet)
    self.key = Style(ink: key)
    self.destructive = Style(ink: destructive)
    hasTints = true
    bytesOfColour = "\u{1B}[38;2;255;255;255m".utf8.count
  }

  /// Changes the colours of meanings; their marks stay.
  private mutating func ink(_ inks: [TextStyle.Meaning: Color]) {
    for (meaning, ink) in inks {
      let marks = meaning == .quiet ? [] : look(of: meaning).marks
      meanings[meaning] = Style(ink: ink, marks: marks)
    }
  }

  /// Returns the theme for a terminal with so many colours.
  package func shown(with depth: ColorDepth) -> Theme {
    guard depth == .none else { return self }
    var theme = self
    theme.hasColour = false
    for meaning in TextStyle.Meaning.allCases { theme.meanings[meaning] = Style(marks: Self.marks(of: meaning)) }
    return theme
  }

  /// Returns the marks of a meaning without colours. Added, removed and changed text has a sign in front instead.
  private static func marks(of meaning: TextStyle.Meaning) -> Style.Marks {
    switch meaning {
    case .strong, .error: .bold
    case .quiet: .dim
    case .accent, .match: [.bold, .underline]
    case .heading, .warning, .link: .underline
    case .added, .removed, .changed: []
    }
  }

  func look(of meaning: TextStyle.Meaning) -> Style { meanings[meaning] ?? .plain }

  /// The keys in the hints of the status line.
  var hintedKey: Style {
    if overBar != nil || !hasColour { return look(of: .strong) }
    return key.ink == .standard ? look(of: .heading) : key
  }

  /// The title of the focused pane.
  var accent: Style { look(of: .accent) }
  /// Typed letters where they match.
  var match: Style { look(of: .match) }

  /// Changes a letter's style to that of a match.
  func find(_ style: inout Style) {
    let isCurrent = style.marks.contains(.reverse)
    if !isCurrent, match.ink != .standard { style.ink = match.ink }
    style.marks.formUnion(isCurrent ? [match.marks, .underline] : match.marks)
  }
}

extension Canvas {
  /// Highlights the letters of a query in a title that was drawn in so many columns.
  mutating func showMatches(
    of query: FuzzyText.Query, in title: String, row: Int, column: Int, columns: Int, theme: Theme
  ) {
    guard !query.isEmpty, let found = FuzzyText(title).places(of: query) else { return }
    let places = Set(found)
    let end = column + (title.columns > columns ? columns - 1 : columns)
    var (scalar, start) = (0, column)
    for character in title {
      let (count, width) = (character.unicodeScalars.count, String(character).columns)
      if start + width <= end, (scalar..<scalar + count).contains(where: places.contains) {
        restyle(Area(row: row, column: start, rows: 1, columns: width), theme.find)
      }
      scalar += count
      start += width
    }
  }
}

/// A *frame* is the border of menus and overlays.
enum Frame {
  /// Fills an area with blanks, and draws a line around it with a title.
  static func draw(on canvas: inout Canvas, in area: Area, title: String = "", theme: Theme) {
    canvas.fill(area, style: theme.row)
    let inner = area.columns - 2
    guard inner > 0, area.rows > 1 else { return }
    if theme.overlay == nil { drawLines(on: &canvas, around: area, theme) }
    if !title.isEmpty, inner > 6 {
      canvas.put(
        " ".glyphs + title.cut(toColumns: inner - 4) + " ".glyphs, row: area.row, column: area.column + 2,
        style: theme.header)
    }
  }

  /// Draws a line across an area, which joins the frame if there is one.
  static func divide(_ area: Area, atRow row: Int, on canvas: inout Canvas, theme: Theme) {
    let ends = theme.overlay == nil ? ("├", "┤") : (" ", " ")
    let line = ends.0 + String(repeating: "─", count: max(0, area.columns - 2)) + ends.1
    canvas.put(line, row: row, column: area.column, style: theme.frame)
  }

  private static func drawLines(on canvas: inout Canvas, around area: Area, _ theme: Theme) {
    let line = String(repeating: "─", count: area.columns - 2)
    canvas.put("┌\(line)┐", row: area.row, column: area.column, style: theme.frame)
    canvas.put("└\(line)┘", row: area.endRow - 1, column: area.column, style: theme.frame)
    for row in (area.row + 1)..<(area.endRow - 1) {
      canvas.put("│", row: row, column: area.column, style: theme.frame)
      canvas.put("│", row: row, column: area.endColumn - 1, style: theme.frame)
    }
  }

  /// Joins the lines of two neighbouring frames.
  static func join(_ one: Area, _ other: Area, on canvas: inout Canvas, theme: Theme) {
    let (left, right) = one.column < other.column ? (one, other) : (other, one)
    guard !left.isEmpty, !right.isEmpty, left.endColumn - 1 == right.column, theme.overlay == nil else { return }
    let column = right.column
    func isLine(_ row: Int, _ column: Int, of area: Area) -> Bool {
      area.holds(row: row) && canvas[row, column].glyph.text == "─"
    }
    for row in max(0, min(left.row, right.row))..<min(canvas.rows, max(left.endRow, right.endRow)) {
      let areas = [left, right].filter { $0.holds(row: row) }
      let arms = Arms(
        up: areas.contains { row > $0.row }, down: areas.contains { row < $0.endRow - 1 },
        left: column > 0 && isLine(row, column - 1, of: left),
        right: column + 1 < canvas.columns && isLine(row, column + 1, of: right))
      if let glyph = Self.joints[arms] { canvas.put(glyph, row: row, column: column, style: theme.frame) }
    }
  }

  /// The directions of lines from the middle of a cell.
  private struct Arms: Hashable {
    let up, down, left, right: Bool
  }

  private static let joints: [Arms: String] = [
    Arms(up: false, down: true, left: true, right: true): "┬",
    Arms(up: true, down: false, left: true, right: true): "┴",
    Arms(up: true, down: true, left: true, right: true): "┼",
    Arms(up: true, down: true, left: true, right: false): "┤",
    Arms(up: true, down: true, left: false, right: true): "├",
    Arms(up: true, down: true, left: false, right: false): "│",
  ]

  /// Draws signs in a frame's line for more rows above or below.
  static func drawMore(above: Bool, below: Bool, on canvas: inout Canvas, in area: Area, theme: Theme) {
    if above { canvas.put("▴", row: area.row, column: area.endColumn - 3, style: theme.frame) }
    if below { canvas.put("▾", row: area.endRow - 1, column: area.endColumn - 3, style: theme.frame) }
  }

  /// Draws, beside a list that doesn't fit, a thumb that is as long as its visible part. It is at an end of the area
  /// only if the first or the last row is visible.
  static func drawThumb(top: Int, lastTop: Int, on canvas: inout Canvas, in area: Area, column: Int, theme: Theme) {
    guard lastTop > 0, area.rows > 0 else { return }
    let length = max(1, area.rows * area.rows / (lastTop + area.rows))
    let room = area.rows - length
    let way = top * room / lastTop
    let start = top <= 0 ? 0 : top >= lastTop ? room : max(min(1, room), min(way, room - 1))
    for row in start..<start + length { canvas.put("▐", row: area.row + row, column: column, style: theme.frame) }
  }

  /// Returns an area in the middle of a screen. Uses the whole width if only a column or two would remain at the sides.
  static func middle(columns: Int, rows: Int, of screen: Area) -> Area {
    let (columns, rows) = (columns > screen.columns - 5 ? screen.columns : columns, min(rows, screen.rows))
    return Area(
      row: screen.row + (screen.rows - rows) / 2, column: screen.column + (screen.columns - columns) / 2, rows: rows,
      columns: columns)
  }
}

extension Color {
  /// Returns the colour with so many hundredths of another; unchanged if its own parts aren't known.
  fileprivate func mixed(_ hundredths: Int, with colour: (UInt8, UInt8, UInt8)) -> Color {
    func mixed(_ own: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Int(own) * (100 - hundredths) + Int(other) * hundredths) / 100)
    }
    guard case .rgb(let red, let green, let blue) = self else { return self }
    return .rgb(mixed(red, colour.0), mixed(green, colour.1), mixed(blue, colour.2))
  }
}

extension TerminalGround {
  /// Returns the background with so many hundredths of another colour.
  fileprivate func tinted(_ hundredths: Int, with colour: (UInt8, UInt8, UInt8)) -> Color {
    Color.rgb(red, green, blue).mixed(hundredths, with: colour)
  }
}

extension Theme {
  /// Returns the theme for a terminal with all colours and a known background, which tints bar, rows, overlays (P18).
  ///
  /// - Parameter isChosen: whether a person has chosen the theme; else it is the dark or the light theme.
  package func tinted(on ground: TerminalGround, isChosen: Bool) -> Theme {
    var theme = isChosen ? self : Theme(named: ground.isLight ? "light" : "dark") ?? self
    guard theme.hasTints else { return theme }
    let text: (UInt8, UInt8, UInt8) = ground.isLight ? (0, 0, 0) : (255, 255, 255)
    let accent: (UInt8, UInt8, UInt8) =
      if case .rgb(let red, let green, let blue) = theme.accent.ink { (red, green, blue) } else { text }
    theme.overBar = ground.tinted(5, with: text)
    theme.overlay = ground.tinted(ground.isLight ? 6 : 8, with: text)
    theme.current = Style(paper: ground.tinted(ground.isLight ? 22 : 34, with: accent))
    theme.currentElsewhere = Style(paper: ground.tinted(9, with: text))
    theme.openMenu = theme.current
    theme.quietOfCurrent = theme.subtitle.ink.mixed(50, with: text)
    theme.frame = Style(ink: ground.tinted(30, with: text))
    return theme
  }

  /// Makes a cell a part of the current row. Without its own background the row is inverse, and loses its colours.
  func makeCurrent(_ style: inout Style, isFocused: Bool = true, keeping kept: Style.Marks = []) {
    let look = isFocused ? current : currentElsewhere
    if look.paper == .standard, !look.marks.contains(.reverse) {
      style.marks.formUnion(look.marks)
    } else if look.paper == .standard {
      style = Style(marks: look.marks.union(style.marks.intersection(kept)))
    } else {
      style.paper = look.paper
      if isFocused, style.ink == subtitle.ink, let quietOfCurrent { style.ink = quietOfCurrent }
    }
  }
}

extension Canvas {
  /// Puts a background below cells that have none.
  mutating func lay(_ ground: Color?, in area: Area) {
    guard let ground else { return }
    restyle(area) { if $0.paper == .standard, !$0.marks.contains(.reverse) { $0.paper = ground } }
  }
}

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
