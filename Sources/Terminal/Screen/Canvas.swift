/// A *cell* is one place of a screen: its glyph and its style.
struct Cell: Equatable {
  var glyph = Glyph.blank
  var style = Style.plain
  /// Whether the cell is the right half of the glyph before it.
  var isCovered = false

  static let blank = Cell()
}

/// A *canvas* is a grid of cells on which views draw. Everything outside of it is cut off.
struct Canvas {
  let columns: Int
  let rows: Int
  /// The cells of each row; empty for an undrawn row of plain blanks.
  private var lines: [[Cell]]

  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    lines = Array(repeating: [], count: self.rows)
  }

  var frame: Area { Area(row: 0, column: 0, rows: rows, columns: columns) }

  subscript(row: Int, column: Int) -> Cell { lines[row].isEmpty ? .blank : lines[row][column] }

  /// Returns true if a row was drawn.
  func isDrawn(_ row: Int) -> Bool { !lines[row].isEmpty }

  /// Draws a text on one line, and returns the column after it. Cuts text outside the area, even half of a wide glyph.
  @discardableResult
  mutating func put(_ text: String, row: Int, column: Int, style: Style = .plain, in area: Area? = nil) -> Int {
    put(text.glyphs, row: row, column: column, style: style, in: area)
  }

  @discardableResult
  mutating func put(_ glyphs: [Glyph], row: Int, column: Int, style: Style = .plain, in area: Area? = nil) -> Int {
    let area = area.map(frame.common) ?? frame
    guard area.holds(row: row) else { return column }
    var column = column
    for glyph in glyphs where !put(glyph, style, row, &column, in: area) { break }
    return column
  }

  /// Draws a glyph and goes to the column after it; returns false if the glyph doesn't fit.
  mutating func put(_ glyph: Glyph, _ style: Style, _ row: Int, _ column: inout Int, in area: Area) -> Bool {
    if column + glyph.width > area.endColumn { return false }
    // In the last column some terminals move a wide glyph one column back, over its neighbour.
    let isTooFar = glyph.isDoubtful && column + 1 == columns
    if column >= area.column { set(isTooFar ? .unsure : glyph, style, row, column) }
    column += glyph.width
    return true
  }

  /// Fills an area with blanks.
  mutating func fill(_ area: Area, style: Style = .plain) {
    let area = frame.common(with: area)
    for row in area.row..<area.endRow {
      for column in area.column..<area.endColumn { set(.blank, style, row, column) }
    }
  }

  /// Changes the style of the cells in an area, and keeps their glyphs.
  mutating func restyle(_ area: Area, _ change: (inout Style) -> Void) {
    let area = frame.common(with: area)
    for row in area.row..<area.endRow {
      begin(row)
      for column in area.column..<area.endColumn { change(&lines[row][column].style) }
    }
  }

  private mutating func set(_ glyph: Glyph, _ style: Style, _ row: Int, _ column: Int) {
    begin(row)
    Self.set(glyph, style, column, in: &lines[row])
  }

  /// Fills a row with cells before the first drawing on it.
  private mutating func begin(_ row: Int) {
    if lines[row].isEmpty { lines[row] = Array(repeating: .blank, count: columns) }
  }

  private static func set(_ glyph: Glyph, _ style: Style, _ column: Int, in cells: inout [Cell]) {
    // A half covered wide glyph disappears.
    if cells[column].isCovered { cells[column - 1].glyph = .blank }
    let next = column + glyph.width
    if next < cells.count, cells[next].isCovered { cells[next] = Cell(style: cells[next].style) }
    cells[column] = Cell(glyph: glyph, style: style)
    if glyph.width == 2 { cells[column + 1] = Cell(style: style, isCovered: true) }
  }
}

/// A rectangle of cells.
struct Area: Equatable {
  var row: Int
  var column: Int
  var rows: Int
  var columns: Int

  var endRow: Int { row + rows }
  var endColumn: Int { column + columns }
  var isEmpty: Bool { rows <= 0 || columns <= 0 }

  /// The area within a frame around this area, with a blank on either side.
  var inFrame: Area { Area(row: row + 1, column: column + 2, rows: rows - 2, columns: columns - 4) }

  static let nowhere = Area(row: 0, column: 0, rows: 0, columns: 0)

  func holds(row other: Int) -> Bool { other >= row && other < endRow }
  func holds(row: Int, column other: Int) -> Bool { holds(row: row) && other >= column && other < endColumn }

  func holds(_ mouse: Mouse) -> Bool { holds(row: mouse.row, column: mouse.column) }

  /// Returns the intersection of two areas; empty if they are disjoint.
  func common(with other: Area) -> Area {
    let (top, left) = (max(row, other.row), max(column, other.column))
    return Area(
      row: top, column: left, rows: max(0, min(endRow, other.endRow) - top),
      columns: max(0, min(endColumn, other.endColumn) - left))
  }
}

extension Canvas {
  /// The text of the canvas, a line for each row, without blanks at the ends; for tests and `--screenshot`.
  var text: String {
    var bytes: [UInt8] = []
    for row in 0..<rows {
      if row > 0 { bytes.append(UInt8(ascii: "\n")) }
      var end = columns
      while end > 0, !self[row, end - 1].isCovered, self[row, end - 1].glyph == .blank { end -= 1 }
      for column in 0..<end where !self[row, column].isCovered { bytes += self[row, column].glyph.text.utf8 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The *frame writer* knows the terminal's current canvas, and writes only the difference to the next.
struct FrameWriter {
  var depth: ColorDepth
  /// Whether the terminal can hold back its output until a frame is complete.
  var isSynchronized = false
  private var shown: Canvas?

  init(depth: ColorDepth) { self.depth = depth }

  /// Forgets the terminal's content, so that the next frame is drawn whole.
  mutating func forget() { shown = nil }

  /// Returns the bytes that make the terminal show a canvas; empty if it shows it already.
  mutating func write(_ canvas: Canvas) -> [UInt8] {
    let known = shown.flatMap { $0.columns == canvas.columns && $0.rows == canvas.rows ? $0 : nil }
    var pen = Pen(depth: depth, columns: canvas.columns)
    if known == nil { pen.clear() }
    // A row that is blank in both is skipped.
    for row in 0..<canvas.rows where canvas.isDrawn(row) || known?.isDrawn(row) ?? false {
      Self.write(row, of: canvas, over: known, with: &pen)
    }
    shown = canvas
    guard !pen.bytes.isEmpty else { return [] }
    pen.end()
    return isSynchronized ? Array("\u{1B}[?2026h".utf8) + pen.bytes + Array("\u{1B}[?2026l".utf8) : pen.bytes
  }

  private static func write(_ row: Int, of canvas: Canvas, over before: Canvas?, with pen: inout Pen) {
    // From this column on there are only plain blanks, which one sequence draws.
    var end: Int?
    var column = 0
    var isUnsure = false
    while column < canvas.columns {
      let cell = canvas[row, column]
      if cell.isCovered || !isUnsure && cell == (before?[row, column] ?? .blank) {
        column += 1
        continue
      }
      let endOfText = end ?? canvas.endOfText(row)
      end = endOfText
      if column >= endOfText, canvas.columns - column > 4 { return pen.eraseRest(row, column) }
      pen.put(cell, row, column, over: canvas)
      column += cell.glyph.width
      // A glyph of uncertain width may have covered the cell after it.
      isUnsure = cell.glyph.isDoubtful
    }
  }
}

extension Canvas {
  /// Returns the column after the last cell of a row that isn't a plain blank.
  fileprivate func endOfText(_ row: Int) -> Int {
    var end = columns
    while end > 0, self[row, end - 1] == .blank { end -= 1 }
    return end
  }
}

extension String {
  /// The text on one line, with blanks for its line breaks.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

  /// Returns the text's lines, broken to a width, between words if possible. Continuations keep the indentation.
  func broken(toColumns columns: Int) -> [String] {
    let columns = max(4, columns)
    return split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      if String(line).columns <= columns { return [String(line)] }
      let indent = String(line.prefix { $0 == " " }.prefix(columns / 2))
      var broken: [String] = []
      var current = ""
      for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
        let next = current.isEmpty && broken.isEmpty || current.isEmpty ? current + word : current + " " + word
        if (indent + next).columns <= columns {
          current = next
          continue
        }
        if !current.isEmpty { broken.append(indent + current) }
        // A word that is wider than a line is cut anywhere.
        var rest = String(word).glyphs[...]
        while rest.reduce(0, { $0 + $1.width }) > columns - indent.columns {
          var piece = ""
          var used = indent.columns
          while let glyph = rest.first, used + glyph.width <= columns {
            piece += glyph.text
            used += glyph.width
            rest = rest.dropFirst()
          }
          if piece.isEmpty { break }
          broken.append(indent + piece)
        }
        current = rest.map(\.text).joined()
      }
      return broken + [indent + current]
    }
  }
}
