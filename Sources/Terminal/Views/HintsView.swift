/// The view of the *hints* on a sequence that was begun: the strokes that may follow, and what they do, above the status line.
struct HintsView {
  let begun: String
  let hints: [(stroke: String, what: String)]

  private static let gap = 3
  private static let widestHint = 36

  private var hintColumns: Int {
    min(Self.widestHint, hints.map { $0.stroke.columns + 1 + $0.what.columns }.max() ?? 0)
  }

  func area(on screen: Area) -> Area {
    let across = max(1, (screen.columns - 4 + Self.gap) / (hintColumns + Self.gap))
    let lines = (hints.count + across - 1) / max(1, across)
    let rows = min(screen.rows, lines + 2)
    return Area(row: screen.endRow - rows, column: screen.column, rows: rows, columns: screen.columns)
  }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    Frame.draw(on: &canvas, in: area, title: "\(begun) …", theme: theme)
    let inner = Area(row: area.row + 1, column: area.column + 2, rows: area.rows - 2, columns: area.columns - 4)
    guard inner.rows > 0, inner.columns > 4 else { return }
    let width = min(hintColumns, inner.columns)
    let across = max(1, (inner.columns + Self.gap) / (width + Self.gap))
    for (index, hint) in hints.enumerated() where index / across < inner.rows {
      let (row, column) = (inner.row + index / across, inner.column + index % across * (width + Self.gap))
      let cell = Area(row: row, column: column, rows: 1, columns: width)
      let end = canvas.put(hint.stroke, row: row, column: column, style: theme.header, in: cell)
      canvas.put(
        hint.what.cut(toColumns: max(0, cell.endColumn - end - 1)), row: row, column: end + 1, style: theme.row,
        in: cell)
    }
  }
}
