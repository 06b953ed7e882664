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

/// The *pen* writes cells for a terminal in few bytes: it remembers the cursor's place and the current style.
struct Pen {
  private(set) var bytes: [UInt8] = []
  private let depth: ColorDepth
  private let columns: Int
  /// The cursor's place; nil if it depends on the terminal.
  private var place: (row: Int, column: Int)?
  private var style = Style.plain

  init(depth: ColorDepth, columns: Int) {
    self.depth = depth
    self.columns = columns
  }

  /// The longest gap that is written again; a longer gap is skipped with a sequence.
  private static let shortGap = 4

  mutating func clear() {
    add("\u{1B}[0m\u{1B}[H\u{1B}[2J")
    place = (0, 0)
  }

  mutating func end() { use(.plain) }

  /// Writes a cell; the cells between the cursor and it may be written again on the way.
  mutating func put(_ cell: Cell, _ row: Int, _ column: Int, over canvas: Canvas) {
    move(row, column, over: canvas)
    use(cell.style)
    if cell.glyph.isDoubtful {
      // Blanks come before the glyph: a narrower glyph then leaves no hole, and the next cells cover a wider one.
      for _ in 0..<cell.glyph.width { bytes.append(0x20) }
      jump(row, column)
      add(cell.glyph.text)
      place = nil
      return
    }
    add(cell.glyph.text)
    // After the last column terminals disagree about the cursor's place.
    place = column + cell.glyph.width < columns ? (row, column + cell.glyph.width) : nil
  }

  /// Makes the rest of a row plain blanks.
  mutating func eraseRest(_ row: Int, _ column: Int) {
    go(row, column)
    use(.plain)
    add("\u{1B}[K")
  }

  // MARK: - The cursor

  private mutating func move(_ row: Int, _ column: Int, over canvas: Canvas) {
    guard let place, place.row == row, place.column < column, column - place.column <= Self.shortGap else {
      go(row, column)
      return
    }
    let gap = (place.column..<column).map { canvas[row, $0] }
    guard gap.allSatisfy({ $0.style == style && !$0.isCovered && $0.glyph.width == 1 && !$0.glyph.isDoubtful }) else {
      go(row, column)
      return
    }
    for cell in gap { add(cell.glyph.text) }
    self.place = (row, column)
  }

  private mutating func go(_ row: Int, _ column: Int) {
    guard let place else { return jump(row, column) }
    if place == (row, column) { return }
    if place.row == row {
      let distance = column - place.column
      if column == 0 { bytes.append(0x0D) } else { step(abs(distance), distance > 0 ? "C" : "D") }
    } else if column == 0, place.row + 1 == row {
      add("\r\n")
    } else {
      return jump(row, column)
    }
    self.place = (row, column)
  }

  private mutating func step(_ count: Int, _ letter: String) {
    add(count == 1 ? "\u{1B}[\(letter)" : "\u{1B}[\(count)\(letter)")
  }

  private mutating func jump(_ row: Int, _ column: Int) {
    add(column == 0 ? (row == 0 ? "\u{1B}[H" : "\u{1B}[\(row + 1)H") : "\u{1B}[\(row + 1);\(column + 1)H")
    place = (row, column)
  }

  // MARK: - The style

  private mutating func use(_ wanted: Style) {
    if wanted == style { return }
    let whole = parameters(of: wanted, over: .plain)
    let reset = whole.isEmpty ? "" : "0;" + whole.joined(separator: ";")
    let change = changes(to: wanted).joined(separator: ";")
    // Writes the shorter of the change and the reset. Colours that the terminal doesn't have are no change.
    if !change.isEmpty { add("\u{1B}[\(change.utf8.count < reset.utf8.count ? change : reset)m") }
    style = wanted
  }

  /// Returns the parameters that change the current style to another.
  private func changes(to wanted: Style) -> [String] {
    let gone = style.marks.subtracting(wanted.marks)
    var (kept, parameters) = (style, [String]())
    // One number turns off both bold and dim.
    if !gone.isDisjoint(with: [.bold, .dim]) {
      kept.marks.subtract([.bold, .dim])
      parameters.append("22")
    }
    for (mark, number) in Self.offs where gone.contains(mark) { parameters.append(number) }
    return parameters + self.parameters(of: wanted, over: kept)
  }

  /// Returns the parameters that change a style to another with at least the same marks.
  private func parameters(of style: Style, over before: Style) -> [String] {
    var parameters: [String] = []
    for (mark, number) in Self.marks where style.marks.subtracting(before.marks).contains(mark) {
      parameters.append(number)
    }
    let (ink, paper) = (style.ink.reduced(to: depth), style.paper.reduced(to: depth))
    if ink != before.ink.reduced(to: depth) {
      parameters.append(ink.parameter(standard: 39, first: 30, bright: 90, other: 38))
    }
    if paper != before.paper.reduced(to: depth) {
      parameters.append(paper.parameter(standard: 49, first: 40, bright: 100, other: 48))
    }
    return parameters
  }

  private static let marks: [(Style.Marks, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
  ]

  private static let offs: [(Style.Marks, String)] = [(.italic, "23"), (.underline, "24"), (.reverse, "27")]

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension Color {
  fileprivate func parameter(standard: Int, first: Int, bright: Int, other: Int) -> String {
    switch self {
    case .standard: "\(standard)"
    case .own(let index): index < 8 ? "\(first + Int(index))" : "\(bright + Int(index & 7))"
    case .palette(let index): "\(other);5;\(index)"
    case .rgb(let red, let green, let blue): "\(other);2;\(red);\(green);\(blue)"
    }
  }
}
