import ScriptHost

/// A *text field* is a text that a person edits, single-line or multi-line, with a cursor between characters.
struct TextField {
  private(set) var text = ""
  /// The place of the next character, counted in characters.
  private(set) var cursor = 0
  /// Whether the text is a proposal, which the first typed character replaces.
  private(set) var isProposed = false
  /// The most characters of the text.
  var most = Int.max

  /// The effect of a key.
  enum Effect {
    /// The key has no meaning in a text field.
    case none
    case moved, edited
  }

  init(_ text: String = "", isProposed: Bool = false) {
    replace(text)
    self.isProposed = isProposed && !text.isEmpty
  }

  mutating func key(_ stroke: Stroke, _ text: String?) -> Effect {
    switch (stroke.key, stroke.modifiers) {
    case ("left", []): return move(to: cursor - 1)
    case ("right", []): return move(to: cursor + 1)
    case ("home", []), ("a", .ctrl): return move(to: 0)
    case ("end", []), ("e", .ctrl): return move(to: self.text.count)
    case ("backspace", []): return erase()
    case ("delete", []): return erase(cursor..<cursor + 1)
    case ("w", .ctrl), ("backspace", .ctrl), ("backspace", .alt): return erase(startOfWord..<cursor)
    case ("u", .ctrl): return erase(0..<cursor)
    case ("k", .ctrl): return erase(cursor..<self.text.count)
    default: return text.map { type($0) } ?? .none
    }
  }

  /// Inserts a text at the cursor, as far as it fits.
  @discardableResult
  mutating func type(_ typed: String) -> Effect {
    if isProposed { replace("") }
    let room = most - text.count
    guard room > 0 else { return .none }
    let typed = typed.prefix(room)
    let place = text.index(text.startIndex, offsetBy: cursor, limitedBy: text.endIndex) ?? text.endIndex
    let before = text[..<place] + typed
    return set(before + text[place...], before.count)
  }

  mutating func replace(_ text: String) { set(text[...], text.count) }

  /// Erases the character before the cursor, or all of a proposal.
  @discardableResult
  mutating func erase() -> Effect { isProposed ? set("", 0) : erase(cursor - 1..<cursor) }

  /// The place where the word before the cursor begins; the blanks after it belong to it.
  private var startOfWord: Int {
    let before = Array(text.prefix(cursor))
    let end = before.lastIndex { $0 != " " } ?? 0
    return before[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
  }

  mutating func erase(_ range: Range<Int>) -> Effect {
    let all = Array(text)
    let range = range.clamped(to: 0..<all.count)
    guard !range.isEmpty else { return move(to: cursor) }
    return set(String(all[..<range.lowerBound] + all[range.upperBound...]), range.lowerBound)
  }

  /// Moves the cursor, which turns a proposal into typed text.
  mutating func move(to place: Int) -> Effect {
    isProposed = false
    cursor = max(0, min(text.count, place))
    return .moved
  }

  /// - Parameter cursor: the new place of the cursor, limited to the end of the text.
  @discardableResult
  private mutating func set(_ text: some StringProtocol, _ cursor: Int) -> Effect {
    self.text = String(text)
    (self.cursor, isProposed) = (min(cursor, self.text.count), false)
    return .edited
  }

  // MARK: - Drawing

  /// Returns the text to draw: a secret as a dot for each character.
  func shown(isSecret: Bool) -> String { isSecret ? String(repeating: "•", count: text.count) : text }

  /// Draws the text with its cursor; of a long text the part with the cursor.
  func draw(on canvas: inout Canvas, in line: Area, isSecret: Bool = false, theme: Theme) {
    let text = shown(isSecret: isSecret)
    let before = String(text.prefix(cursor)).end(toColumns: line.columns - 1)
    let after = String(text.dropFirst(cursor)).glyphs
    let end = canvas.put(before, row: line.row, column: line.column, style: theme.row, in: line)
    canvas.put(after, row: line.row, column: end, style: theme.row, in: line)
    // The whole proposal is highlighted, because the next character replaces it.
    Self.mark(isProposed ? line.column : end, to: end + (after.first?.width ?? 1), on: &canvas, in: line)
  }

  /// Highlights columns of a line like a cursor.
  static func mark(_ column: Int, to end: Int, on canvas: inout Canvas, in line: Area) {
    canvas.restyle(Area(row: line.row, column: column, rows: 1, columns: end - column).common(with: line)) {
      $0.marks.insert(.reverse)
    }
  }
}

/// A filter or a search on the screen: its text, and the cursor if the person types in it.
struct ShownFilter {
  let text: String
  var cursor: Int?

  /// Draws the text, of a long text the part with the cursor.
  func draw(on canvas: inout Canvas, in line: Area, theme: Theme) {
    guard let cursor else {
      canvas.put(text.cut(toColumns: line.columns), row: line.row, column: line.column, style: theme.row, in: line)
      return
    }
    let before = String(text.prefix(cursor)).end(toColumns: line.columns - 1)
    let end = canvas.put(before, row: line.row, column: line.column, style: theme.row, in: line)
    let next = canvas.put("▏", row: line.row, column: end, style: theme.accent, in: line)
    canvas.put(String(text.dropFirst(cursor)), row: line.row, column: next, style: theme.row, in: line)
  }
}

// A multi-line text field, whose words wrap.

extension TextField {
  /// A row of a field on the screen: a line, or a part of a wrapped line.
  struct Row: Equatable {
    /// The places of its characters, without the line's end.
    let places: Range<Int>
    /// Whether the line ends with this row.
    let endsLine: Bool

    /// The last cursor place in this row.
    var end: Int { endsLine ? places.upperBound : places.upperBound - 1 }
  }

  /// The most characters of a multi-line field, so that each key responds at once.
  static let mostInLines = 1 << 16

  /// Returns the rows of the text. A row has at least one character, even if it is too narrow.
  func rows(columns: Int) -> [Row] {
    var rows: [Row] = []
    var (start, width, blank) = (0, 0, (place: 0, width: 0))
    var place = 0
    for character in text {
      if character.isNewline {
        rows.append(Row(places: start..<place, endsLine: true))
        (start, width, blank) = (place + 1, 0, (place + 1, 0))
      } else {
        let own = Self.width(of: character)
        // A blank at the end of a row may be beyond its edge.
        if width + own > columns, place > start, character != " " {
          let cut = blank.place > start ? blank : (place, width)
          rows.append(Row(places: start..<cut.0, endsLine: false))
          (start, width) = (cut.0, width - cut.1)
          blank = (start, 0)
        }
        width += own
        if character == " " { blank = (place + 1, width) }
      }
      place += 1
    }
    return rows + [Row(places: start..<place, endsLine: true)]
  }

  private static func width(of character: Character) -> Int { character.isASCII ? 1 : String(character).columns }

  /// Returns the index of the row with the cursor.
  func row(ofCursorIn rows: [Row]) -> Int { rows.lastIndex { $0.places.lowerBound <= cursor } ?? 0 }

  /// Performs a key in a multi-line field.
  mutating func keyInLines(_ stroke: Stroke, _ text: String?, columns: Int) -> Effect {
    func row() -> Row {
      let rows = rows(columns: columns)
      return rows[self.row(ofCursorIn: rows)]
    }
    switch (stroke.key, stroke.modifiers) {
    case ("enter", []): return type("\n")
    case ("up", []): return move(by: -1, columns: columns)
    case ("down", []): return move(by: 1, columns: columns)
    case ("home", []), ("a", .ctrl): return move(to: row().places.lowerBound)
    case ("end", []), ("e", .ctrl): return move(to: row().end)
    case ("u", .ctrl): return erase(row().places.lowerBound..<cursor)
    case ("k", .ctrl): return erase(cursor..<max(row().places.upperBound, cursor))
    default: return key(stroke, text)
    }
  }

  /// Moves the cursor to another row, to the nearest column there; the effect is `none` without another row.
  private mutating func move(by step: Int, columns: Int) -> Effect {
    let rows = rows(columns: columns)
    let from = row(ofCursorIn: rows)
    guard rows.indices.contains(from + step) else { return .none }
    let characters = Array(text)
    let wanted = characters[rows[from].places.lowerBound..<cursor].reduce(0) { $0 + Self.width(of: $1) }
    let row = rows[from + step]
    var (place, column) = (row.places.lowerBound, 0)
    while place < row.end, column < wanted {
      column += Self.width(of: characters[place])
      place += 1
    }
    return move(to: place)
  }

  // MARK: - Drawing

  /// Draws the rows around the cursor.
  ///
  /// - Parameters:
  ///   - wide: the columns after which the rest of the first line is highlighted; nil for no limit.
  ///   - isCurrent: whether the cursor is visible.
  func drawLines(on canvas: inout Canvas, in area: Area, wide: Int?, isCurrent: Bool, theme: Theme) {
    // The last column is for the cursor at the end of a row.
    let rows = rows(columns: area.columns - 1)
    let characters = Array(text)
    let current = row(ofCursorIn: rows)
    let top = isCurrent ? max(0, current - area.rows + 1) : 0
    let excess = wide.map { Self.excess(of: characters, over: $0) } ?? 0..<0
    for (index, row) in rows.enumerated().dropFirst(top).prefix(area.rows) {
      let y = area.row + index - top
      func put(_ places: Range<Int>, _ column: Int, _ style: Style) -> Int {
        canvas.put(String(characters[places]), row: y, column: column, style: style, in: area)
      }
      let over = excess.clamped(to: row.places)
      let before = row.places.lowerBound..<(over.isEmpty ? row.places.upperBound : over.lowerBound)
      var end = put(before, area.column, theme.row)
      if !over.isEmpty { end = put(over, end, theme.reason) }
      guard isCurrent, index == current else { continue }
      let left = characters[row.places.lowerBound..<cursor].reduce(0) { $0 + Self.width(of: $1) }
      let width = cursor < row.places.upperBound ? max(1, Self.width(of: characters[cursor])) : 1
      Self.mark(area.column + left, to: area.column + left + width, on: &canvas, in: area.row(y))
    }
    let edge = area.endColumn - 1
    if top > 0 { canvas.put("▴", row: area.row, column: edge, style: theme.frame, in: area) }
    if top + area.rows < rows.count {
      canvas.put("▾", row: area.endRow - 1, column: edge, style: theme.frame, in: area)
    }
  }

  /// Returns the places of the characters in the first line that exceed so many columns.
  private static func excess(of characters: [Character], over columns: Int) -> Range<Int> {
    let end = characters.firstIndex(where: \.isNewline) ?? characters.count
    var (place, width) = (0, 0)
    while place < end {
      width += Self.width(of: characters[place])
      if width > columns { break }
      place += 1
    }
    return place..<end
  }
}

extension Area {
  /// Returns one of its rows.
  fileprivate func row(_ row: Int) -> Area { Area(row: row, column: column, rows: 1, columns: columns) }
}

extension String {
  /// Returns as many of its last glyphs as fit so many columns.
  fileprivate func end(toColumns columns: Int) -> [Glyph] {
    var glyphs = self.glyphs
    while !glyphs.isEmpty, glyphs.reduce(0, { $0 + $1.width }) > columns { glyphs.removeFirst() }
    return glyphs
  }

  /// The lines of a pasted text, each ended by "\n", for a multi-line field.
  var inLines: String {
    // "\r\n" is one character.
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).onOneLine }
      .joined(separator: "\n")
  }
}
