import ScriptHost

/// The *panel* of an app as it fills the body of the screen: rows with their state, title, what is said of them, and key, the current one marked.
/// What is drawn costs what is to be seen, however many rows there are.
struct PanelView {
  /// A row of the panel: an element, or one line of a label that has several.
  struct Row {
    let node: ShownMenus.Node
    /// Which line of its title; items have one.
    var line = 0

    var canBeCurrent: Bool { node.element.kind == .item || node.element.kind == .menu }
  }

  let rows: [Row]
  var current: Int?
  var top = 0

  /// A line is never wider than one reads easily.
  private static let widest = 100

  func lastTop(in area: Area) -> Int { max(0, rows.count - area.rows) }

  /// The first row to be shown where the current one is to be seen; a header right above it is too.
  func top(showingCurrentIn area: Area) -> Int {
    guard let current, area.rows > 0 else { return max(0, min(top, lastTop(in: area))) }
    var first = current
    while first > 0, current - first < min(3, area.rows - 1), !rows[first - 1].canBeCurrent { first -= 1 }
    return max(0, min(max(top, current - area.rows + 1), first))
  }

  /// Whether any row that can be current is to be seen; before anything was drawn, none is missed.
  func showsRows(in area: Area) -> Bool {
    area.isEmpty || rows.dropFirst(top).prefix(area.rows).contains(where: \.canBeCurrent)
  }

  /// Whether the current row is to be seen, if there is one.
  func showsCurrent(in area: Area) -> Bool { current.map { shows($0, in: area) } ?? true }

  private func shows(_ place: Int, in area: Area) -> Bool { place >= top && place < top + area.rows }

  /// The row that is so many rows from the current one, as far as each is to be seen, or within a screen of the one before.
  func row(movingBy step: Int, in area: Area) -> Int? {
    guard var place = current else {
      return step > 0 ? rows.firstIndex(where: \.canBeCurrent) : rows.lastIndex(where: \.canBeCurrent)
    }
    for _ in 0..<abs(step) {
      let rest = step > 0 ? rows[(place + 1)...] : rows[..<place]
      let next = step > 0 ? rest.firstIndex(where: \.canBeCurrent) : rest.lastIndex(where: \.canBeCurrent)
      guard let next, area.isEmpty || abs(next - place) <= area.rows || shows(next, in: area) else { break }
      place = next
    }
    return place
  }

  /// The row that is drawn in a place.
  func row(at row: Int, in area: Area) -> Int? {
    guard area.holds(row: row) else { return nil }
    let index = top + row - area.row
    return rows.indices.contains(index) ? index : nil
  }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    let shown = rows.dropFirst(top).prefix(max(0, area.rows)).map { MenuRow.row(of: $0.node.element, line: $0.line) }
    let width = min(Self.widest, area.columns) - 4
    guard width > 4 else { return }
    let columns = Columns(shown, width)
    for (index, row) in shown.enumerated() {
      draw(row, isCurrent: top + index == current, area.row + index, on: &canvas, area, columns, theme)
    }
    if top > 0 { canvas.put("▴", row: area.row, column: area.endColumn - 1, style: theme.frame) }
    if top < lastTop(in: area) {
      canvas.put("▾", row: area.endRow - 1, column: area.endColumn - 1, style: theme.frame)
    }
  }

  /// The widths of the columns of those rows that are to be seen.
  private struct Columns {
    let width: Int
    let title: Int
    let note: Int
    let key: Int

    init(_ rows: [MenuRow], _ width: Int) {
      let items = rows.filter { $0.kind == .item || $0.kind == .menu }
      key = min(width / 4, items.map(\.key.columns).max() ?? 0)
      let wanted = items.map { max($0.subtitle.columns, $0.reason.columns) }.max() ?? 0
      let room = max(0, width - 3 - (key > 0 ? key + 2 : 0))
      let widest = min(room, items.map(\.title.columns).max() ?? 0)
      // Titles are read first; what is said of them has the rest, and a third at least where they are long.
      title = wanted == 0 ? widest : min(widest, max(room - wanted - 2, room * 2 / 3))
      note = wanted == 0 ? 0 : max(0, min(wanted, room - title - 2))
      self.width = width
    }

    /// A row without a key has the room of one as well.
    func room(of row: MenuRow) -> RowRoom {
      let end = row.key.isEmpty || key == 0 ? width : width - key - 2
      return RowRoom(title: row.title, note: row.note, room: end - 3, columns: (title, note))
    }
  }

  private func draw(
    _ row: MenuRow, isCurrent: Bool, _ y: Int, on canvas: inout Canvas, _ area: Area, _ columns: Columns,
    _ theme: Theme
  ) {
    let left = area.column + 2
    switch row.kind {
    case .separator:
      canvas.put(String(repeating: "─", count: columns.width), row: y, column: left, style: theme.frame)
      return
    case .label:
      canvas.put(row.title.cut(toColumns: area.columns - 4), row: y, column: left, style: theme.header)
      return
    case .item, .menu: break
    }
    let style = !row.isEnabled ? theme.disabled : row.isDestructive ? theme.destructive : theme.row
    canvas.put(row.isDestructive ? "!" : row.mark, row: y, column: left + 1, style: style)
    let start = left + 3
    let room = columns.room(of: row)
    canvas.put(row.title.cut(toColumns: room.title), row: y, column: start, style: style)
    canvas.put(
      row.note.cut(toColumns: room.note.columns), row: y, column: start + room.note.column,
      style: row.reason.isEmpty ? theme.subtitle : theme.reason)
    if columns.key > 0 {
      let key = row.key.cut(toColumns: columns.key)
      canvas.put(
        key, row: y, column: left + columns.width - key.reduce(0) { $0 + $1.width },
        style: row.isEnabled ? theme.key : theme.disabled)
    }
    // As wide as the titles, so that a move draws no more than it must.
    if isCurrent {
      let widest = max(columns.title, room.title)
      let end = row.note.isEmpty ? widest : min(widest, room.note.column - 2)
      let titled = Area(row: y, column: left, rows: 1, columns: end + 4)
      canvas.restyle(titled) { $0 = Style(marks: theme.current.marks) }
    }
  }

  /// Whether the whole of what is said of the current row is to be seen; where not, the status line has it.
  func showsReason(of row: MenuRow, in area: Area) -> Bool {
    let shown = rows.dropFirst(top).prefix(max(0, area.rows)).map { MenuRow.row(of: $0.node.element, line: $0.line) }
    return row.reason.columns <= Columns(shown, min(Self.widest, area.columns) - 4).room(of: row).note.columns
  }
}
