/// The view of the body: keys first, since a person looks for them, then titles, then the menu or the reason.
struct BodyView {
  let lines: [Line]
  var top = 0

  /// A line of the body.
  struct Line: Equatable {
    enum Kind: Equatable {
      case header, item, empty
    }

    var kind: Kind
    var key = ""
    var mark = ""
    var title = ""
    /// The menus around the item, or the reason why it is disabled.
    var note = ""
    var isEnabled = true
    var isDestructive = false
    /// The id by which it is picked; empty if it can't be.
    var id = ""
  }

  /// The largest `top` to which the body can be scrolled.
  func lastTop(in area: Area) -> Int { max(0, lines.count - area.rows) }

  /// The most columns of a line, so that it is easy to read.
  private static let widest = 100

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    let top = max(0, min(top, lastTop(in: area)))
    let shown = lines.dropFirst(top).prefix(max(0, area.rows))
    // The widths are those of the visible lines, so that thousands of others cost nothing.
    let width = min(Self.widest, area.columns) - 2
    // On a narrow screen titles tell more than keys.
    let key = min(width < 32 ? max(0, width / 3) : 16, shown.map(\.key.columns).max() ?? 0)
    let room = max(0, width - key - 6)
    let title = min(room, max(room / 3, min(40, shown.map(\.title.columns).max() ?? 0)))
    for (index, line) in shown.enumerated() {
      let row = area.row + index
      let column = area.column + 2
      if line.kind == .header { canvas.put(line.title, row: row, column: column, style: theme.header, in: area) }
      guard line.kind == .item else { continue }
      let style = !line.isEnabled ? theme.disabled : line.isDestructive ? theme.destructive : theme.row
      canvas.put(
        line.key.cut(toColumns: key), row: row, column: column + 2, style: line.isEnabled ? theme.key : theme.disabled,
        in: area)
      let start = column + 2 + key + (key > 0 ? 2 : 0)
      let mark = line.isDestructive ? "!" : line.mark
      canvas.put(mark, row: row, column: start, style: style, in: area)
      let space = area.endColumn - 1 - (start + 2)
      let own = RowRoom(
        title: line.title, note: line.note, room: space, columns: (title, max(0, space - title - 2)))
      canvas.put(line.title.cut(toColumns: own.title), row: row, column: start + 2, style: style, in: area)
      canvas.put(
        line.note.cut(toColumns: own.note.columns), row: row, column: start + 2 + own.note.column,
        style: line.isEnabled ? theme.subtitle : theme.reason, in: area)
    }
    if top > 0 { canvas.put("▴", row: area.row, column: area.endColumn - 2, style: theme.frame) }
    if top < lastTop(in: area) {
      canvas.put("▾", row: area.endRow - 1, column: area.endColumn - 2, style: theme.frame)
    }
  }
}
