/// The *frame writer* knows what a terminal shows, and writes only the difference to the next canvas.
struct FrameWriter {
  var depth: ColorDepth
  /// Whether the terminal can hold back its output until a frame is complete.
  var isSynchronized = false
  private var shown: Canvas?

  init(depth: ColorDepth) { self.depth = depth }

  /// Forgets what the terminal shows, so that the next frame is drawn as a whole.
  mutating func forget() { shown = nil }

  /// The bytes that make the terminal show a canvas; none if it already does.
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
      // A glyph of doubtful width may have covered the cell after it.
      isUnsure = cell.glyph.isDoubtful
    }
  }
}

extension Canvas {
  /// The column after the last cell of a row that is no plain blank.
  fileprivate func endOfText(_ row: Int) -> Int {
    var end = columns
    while end > 0, self[row, end - 1] == .blank { end -= 1 }
    return end
  }
}
