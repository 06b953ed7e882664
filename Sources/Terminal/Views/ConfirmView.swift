/// A question before something is done: the safe answer first, the other called what would be done.
struct ConfirmView {
  let question: String
  /// What the button that does it is called.
  let deed: String
  /// Whether that button is the current one; at first the other is.
  var does = false

  static let safe = "Cancel"

  func area(on screen: Area) -> Area {
    let lines = question.broken(toColumns: min(56, screen.columns - 6))
    let buttons = Self.safe.columns + deed.columns + 11
    let columns = max(buttons, lines.map(\.columns).max() ?? 0) + 6
    return Frame.middle(columns: columns, rows: lines.count + 6, of: screen)
  }

  /// Where the buttons stand: the safe one, and the other.
  func buttons(in area: Area) -> (safe: Area, deed: Area) {
    let row = area.endRow - 3
    let safe = Area(row: row, column: area.column + 3, rows: 1, columns: Self.safe.columns + 4)
    let width = min(deed.columns + 4, max(0, area.endColumn - 2 - safe.endColumn - 2))
    return (safe, Area(row: row, column: safe.endColumn + 2, rows: 1, columns: width))
  }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    Frame.draw(on: &canvas, in: area, theme: theme)
    let inner = Area(row: area.row + 1, column: area.column + 3, rows: area.rows - 2, columns: area.columns - 6)
    for (line, text) in question.broken(toColumns: inner.columns).enumerated() {
      canvas.put(text, row: area.row + 2 + line, column: inner.column, style: theme.header, in: inner)
    }
    let buttons = buttons(in: area)
    draw(Self.safe, buttons.safe, isCurrent: !does, theme.row, on: &canvas, theme)
    draw(deed, buttons.deed, isCurrent: does, theme.destructive, on: &canvas, theme)
  }

  private func draw(
    _ text: String, _ area: Area, isCurrent: Bool, _ style: Style, on canvas: inout Canvas, _ theme: Theme
  ) {
    canvas.put(
      "[ ".glyphs + text.cut(toColumns: area.columns - 4) + " ]".glyphs, row: area.row, column: area.column,
      style: style, in: area)
    if isCurrent { canvas.restyle(area) { $0 = Style(marks: theme.current.marks) } }
  }
}
