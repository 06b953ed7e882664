/// The open palette: what was typed, and below it what has it.
struct PaletteView {
  let palette: Palette
  let typed: String
  /// The entries that were found, by their places.
  let found: [Int]
  /// Which of those is the current one.
  var current = 0

  /// In the middle of the screen's width, and near its top; as large as it may be on a small one.
  static func area(on screen: Area) -> Area {
    let columns = min(screen.columns, max(40, min(72, screen.columns - 8)))
    let rows = min(screen.rows, max(6, min(16, screen.rows - 4)))
    return Area(
      row: screen.row + min(1, max(0, screen.rows - rows)), column: screen.column + (screen.columns - columns) / 2,
      rows: rows, columns: columns)
  }

  /// The line that is typed in has a row, the one below it a line.
  private static let head = 3

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    Frame.draw(on: &canvas, in: area, theme: theme)
    let inner = Area(row: area.row + 1, column: area.column + 2, rows: area.rows - 2, columns: area.columns - 4)
    guard inner.rows > 2, inner.columns > 8 else { return }
    drawLine(on: &canvas, in: inner, theme)
    canvas.put(
      "├" + String(repeating: "─", count: max(0, area.columns - 2)) + "┤", row: area.row + 2, column: area.column,
      style: theme.frame)
    let list = list(in: area)
    if found.isEmpty {
      canvas.put(
        "nothing has these letters in this order", row: list.row, column: inner.column, style: theme.disabled, in: inner
      )
      return
    }
    let top = top(in: list)
    for line in 0..<list.rows where top + line < found.count {
      draw(palette.entries[found[top + line]], isCurrent: top + line == current, on: &canvas, list, line, theme)
    }
  }

  private func list(in area: Area) -> Area {
    Area(row: area.row + Self.head, column: area.column + 1, rows: area.rows - 1 - Self.head, columns: area.columns - 2)
  }

  private func top(in list: Area) -> Int { max(0, min(current - list.rows + 1, found.count - list.rows)) }

  /// The place among what was found that is drawn in a row.
  func place(at row: Int, in area: Area) -> Int? {
    let list = list(in: area)
    guard list.holds(row: row) else { return nil }
    let place = top(in: list) + row - list.row
    return found.indices.contains(place) ? place : nil
  }

  private func drawLine(on canvas: inout Canvas, in inner: Area, _ theme: Theme) {
    let count = "\(found.count) of \(palette.entries.count)"
    let space = inner.columns - count.columns - 2
    // Of a long line its end is to be seen, where the cursor is.
    var shown = typed.glyphs
    while !shown.isEmpty, shown.reduce(0, { $0 + $1.width }) > space - 3 { shown.removeFirst() }
    let end = canvas.put("› ", row: inner.row, column: inner.column, style: theme.key)
    let cursor = canvas.put(shown, row: inner.row, column: end, style: theme.row)
    canvas.restyle(Area(row: inner.row, column: cursor, rows: 1, columns: 1)) { $0.marks.insert(.reverse) }
    canvas.put(count, row: inner.row, column: inner.endColumn - count.columns, style: theme.subtitle)
  }

  private func draw(
    _ entry: Palette.Entry, isCurrent: Bool, on canvas: inout Canvas, _ list: Area, _ line: Int, _ theme: Theme
  ) {
    let row = list.row + line
    let style = !entry.isEnabled ? theme.disabled : entry.isDestructive ? theme.destructive : theme.row
    if entry.isDestructive { canvas.put("!", row: row, column: list.column, style: style) }
    let key = entry.key.columns > 0 ? entry.key.columns + 2 : 0
    let space = list.columns - 2 - key
    // A reason has what the title leaves, and half of the row at least.
    let reason = entry.reason.isEmpty ? 0 : min(entry.reason.columns + 2, max(space / 2, space - entry.title.columns))
    let title = min(entry.title.columns, space - reason)
    let start = list.column + 1
    let end = canvas.put(entry.title.cut(toColumns: title), row: row, column: start, style: style)
    if isCurrent {
      canvas.restyle(Area(row: row, column: list.column, rows: 1, columns: end - list.column + 1)) {
        $0 = Style(marks: theme.current.marks)
      }
    }
    // Where it stands, for what has the same title as others; behind the title, and only where there is room for all of it.
    let path = entry.path.dropLast().joined(separator: " › ")
    if !path.isEmpty, end + 2 + path.columns <= start + space - reason {
      canvas.put(path, row: row, column: end + 2, style: theme.subtitle)
    }
    if reason > 2 {
      canvas.put(
        entry.reason.cut(toColumns: reason - 2), row: row, column: start + space - (reason - 2), style: theme.reason)
    }
    canvas.put(
      entry.key, row: row, column: list.endColumn - 1 - entry.key.columns,
      style: entry.isEnabled ? theme.key : theme.disabled)
  }
}
