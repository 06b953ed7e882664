/// The view of the open palette: the typed text, and the results below it.
struct PaletteView {
  let palette: Palette
  let typed: String
  /// The places of the entries that were found.
  let found: [Int]
  /// The index of the current one in `found`.
  var current = 0

  /// The most columns and rows, so that the list is easy to read.
  private static let widest = 100
  private static let highest = 40
  /// The fewest rows, if the screen has them, however few entries there are.
  private static let lowest = 16

  /// The palette's area: in the middle, near the top; as large as possible on a small screen. It keeps its height while the person types.
  func area(on screen: Area) -> Area {
    let columns = min(screen.columns, max(40, min(Self.widest, screen.columns - 8)))
    let wanted = min(Self.highest, max(Self.lowest, palette.entries.count + 4))
    let rows = min(screen.rows, max(10, min(Self.lowest, screen.rows - 4), min(wanted, screen.rows - 6)))
    return Area(
      row: screen.row + min(1, max(0, screen.rows - rows)), column: screen.column + (screen.columns - columns) / 2,
      rows: rows, columns: columns)
  }

  /// Whether there is room for a frame; results are more important.
  private static func isFramed(_ area: Area) -> Bool { area.rows > 4 }
  private static func isRuled(_ area: Area) -> Bool { area.rows > 6 }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    let edge = Self.isFramed(area) ? 1 : 0
    if edge > 0 { Frame.draw(on: &canvas, in: area, theme: theme) } else { canvas.fill(area, style: theme.row) }
    let inner = Area(
      row: area.row + edge, column: area.column + 2, rows: area.rows - 2 * edge, columns: area.columns - 4)
    guard inner.rows > 0, inner.columns > 8 else { return }
    drawLine(on: &canvas, in: inner, theme)
    if Self.isRuled(area) {
      canvas.put(
        "├" + String(repeating: "─", count: max(0, area.columns - 2)) + "┤", row: area.row + 2, column: area.column,
        style: theme.frame)
    }
    let list = list(in: area)
    if found.isEmpty {
      canvas.put(
        "nothing has these letters in this order".cut(toColumns: inner.columns), row: list.row, column: inner.column,
        style: theme.disabled, in: inner)
      return
    }
    let top = top(in: list)
    for line in 0..<list.rows where top + line < found.count {
      draw(found[top + line], isCurrent: top + line == current, on: &canvas, list, line, theme)
    }
    guard edge > 0 else { return }
    Frame.drawMore(above: top > 0, below: top + list.rows < found.count, on: &canvas, in: area, theme: theme)
  }

  private func list(in area: Area) -> Area {
    let edge = Self.isFramed(area) ? 1 : 0
    let head = edge + (Self.isRuled(area) ? 2 : 1)
    return Area(
      row: area.row + head, column: area.column + 1, rows: max(0, area.rows - head - edge), columns: area.columns - 2)
  }

  private func top(in list: Area) -> Int { max(0, min(current - list.rows + 1, found.count - list.rows)) }

  /// The index in `found` of the entry that is drawn in a row.
  func place(at row: Int, in area: Area) -> Int? {
    let list = list(in: area)
    guard list.holds(row: row) else { return nil }
    let place = top(in: list) + row - list.row
    return found.indices.contains(place) ? place : nil
  }

  private func drawLine(on canvas: inout Canvas, in inner: Area, _ theme: Theme) {
    let count = inner.columns < 24 ? "" : "\(found.count) of \(palette.entries.count)"
    let space = inner.columns - (count.isEmpty ? 0 : count.columns + 2)
    // The end of a long line is shown, where the cursor is.
    var shown = typed.glyphs
    while !shown.isEmpty, shown.reduce(0, { $0 + $1.width }) > space - 3 { shown.removeFirst() }
    let end = canvas.put("› ", row: inner.row, column: inner.column, style: theme.key)
    let cursor = canvas.put(shown, row: inner.row, column: end, style: theme.row)
    canvas.restyle(Area(row: inner.row, column: cursor, rows: 1, columns: 1)) { $0.marks.insert(.reverse) }
    canvas.put(count, row: inner.row, column: inner.endColumn - count.columns, style: theme.subtitle)
  }

  private func draw(
    _ place: Int, isCurrent: Bool, on canvas: inout Canvas, _ list: Area, _ line: Int, _ theme: Theme
  ) {
    let entry = palette.entries[place]
    let row = list.row + line
    let style = !entry.isEnabled ? theme.disabled : entry.isDestructive ? theme.destructive : theme.row
    // If there is hardly any room, a title tells more than a key.
    let needed = min(12, entry.title.columns) + (entry.reason.isEmpty ? 0 : 12)
    let hasKey = !entry.key.isEmpty && list.columns - 4 - entry.key.columns >= needed
    let space = list.columns - 2 - (hasKey ? entry.key.columns + 2 : 0)
    // A reason gets the room that the title leaves, and at least half of the row.
    let reason = entry.reason.isEmpty ? 0 : min(entry.reason.columns + 2, max(space / 2, space - entry.title.columns))
    let start = list.column + 1
    let mark = entry.isDestructive ? "! " : ""
    let title = min(entry.title.columns, space - reason - mark.columns)
    let begin = canvas.put(mark, row: row, column: start, style: style)
    let end = canvas.put(entry.title.cut(toColumns: title), row: row, column: begin, style: style)
    if isCurrent {
      canvas.restyle(Area(row: row, column: list.column, rows: 1, columns: end - list.column + 1)) {
        $0 = Style(marks: theme.current.marks)
      }
    }
    // The path, which tells apart entries of the same title, is after the title, and only if there is room for all of it.
    // An entry that was found by its action alone shows that too.
    let path = entry.path.dropLast().joined(separator: " › ")
    let action = palette.isFoundByAction(place, typed) ? entry.action : ""
    let notes = [[path, action].filter { !$0.isEmpty }.joined(separator: "  "), action, path]
    if let path = notes.first(where: { end + 2 + $0.columns <= start + space - reason }), !path.isEmpty {
      canvas.put(path, row: row, column: end + 2, style: theme.subtitle)
    }
    if reason > 2 {
      canvas.put(
        entry.reason.cut(toColumns: reason - 2), row: row, column: start + space - (reason - 2), style: theme.reason)
    }
    guard hasKey else { return }
    canvas.put(
      entry.key, row: row, column: list.endColumn - 1 - entry.key.columns,
      style: entry.isEnabled ? theme.key : theme.disabled)
  }
}
