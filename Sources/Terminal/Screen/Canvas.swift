/// A *cell* is one place of a screen: what stands there, and its style.
struct Cell: Equatable {
  var glyph = Glyph.blank
  var style = Style.plain
  /// Whether it is the right half of the glyph before it.
  var isCovered = false

  static let blank = Cell()
}

/// A *canvas* is a grid of cells that views draw on. What lies outside of it is cut off.
struct Canvas {
  let columns: Int
  let rows: Int
  /// The cells of each row. One that nothing was drawn on has none: plain blanks stand there.
  private var lines: [[Cell]]

  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    lines = Array(repeating: [], count: self.rows)
  }

  var frame: Area { Area(row: 0, column: 0, rows: rows, columns: columns) }

  subscript(row: Int, column: Int) -> Cell { lines[row].isEmpty ? .blank : lines[row][column] }

  /// Whether something was drawn on a row.
  func isDrawn(_ row: Int) -> Bool { !lines[row].isEmpty }

  /// Draws a text on one line, and gives the column behind it. What does not fit an area is cut off, a half of a wide glyph too.
  @discardableResult
  mutating func put(_ text: String, row: Int, column: Int, style: Style = .plain, in area: Area? = nil) -> Int {
    put(text.glyphs, row: row, column: column, style: style, in: area)
  }

  @discardableResult
  mutating func put(_ glyphs: [Glyph], row: Int, column: Int, style: Style = .plain, in area: Area? = nil) -> Int {
    let area = area.map(frame.common) ?? frame
    guard area.holds(row: row) else { return column }
    var column = column
    for glyph in glyphs {
      if column + glyph.width > area.endColumn { break }
      // In the last column some terminals move back what they draw in two, over its neighbour.
      let isTooFar = glyph.isDoubtful && column + 1 == columns
      if column >= area.column { set(isTooFar ? .unsure : glyph, style, row, column) }
      column += glyph.width
    }
    return column
  }

  /// Fills an area with blanks.
  mutating func fill(_ area: Area, style: Style = .plain) {
    let area = frame.common(with: area)
    for row in area.row..<area.endRow {
      for column in area.column..<area.endColumn { set(.blank, style, row, column) }
    }
  }

  /// Draws what stands in an area otherwise, and leaves it where it is.
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

  /// There is something on a row.
  private mutating func begin(_ row: Int) {
    if lines[row].isEmpty { lines[row] = Array(repeating: .blank, count: columns) }
  }

  private static func set(_ glyph: Glyph, _ style: Style, _ column: Int, in cells: inout [Cell]) {
    // Of a wide glyph that is half covered, nothing stays.
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

  func holds(row other: Int) -> Bool { other >= row && other < endRow }
  func holds(row: Int, column other: Int) -> Bool { holds(row: row) && other >= column && other < endColumn }

  /// What two areas have in common; without rows and columns where that is nothing.
  func common(with other: Area) -> Area {
    let (top, left) = (max(row, other.row), max(column, other.column))
    return Area(
      row: top, column: left, rows: max(0, min(endRow, other.endRow) - top),
      columns: max(0, min(endColumn, other.endColumn) - left))
  }
}

extension Canvas {
  /// What stands on it, a line a row, without the blanks at their ends: a picture for tests and `--screenshot`.
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
