import ScriptHost

/// The view of the *panel*: rows with state, title, note and key, the current row highlighted.
/// Drawing costs only the visible rows, however many others there are.
struct PanelView {
  /// A row of the panel: an element, or one line of a multi-line label.
  struct Row {
    let node: ShownMenus.Node
    /// The line of the title; always 0 for an item.
    var line = 0

    var canBeCurrent: Bool { node.element.kind == .item || node.element.kind == .menu }
  }

  /// The rows that the app has sent: those in sight, and some around them.
  let rows: [Row]
  /// The place of the first of these rows among all rows.
  let first: Int
  /// The number of all rows.
  let count: Int
  var current: Int?
  var top = 0
  /// The blank columns at either side.
  private let inset: Int
  /// The search that narrows the rows, whose letters are highlighted.
  let query: FuzzyText.Query
  /// Whether a column of the rows has a title.
  let hasTitles: Bool
  /// The widest cells seen so far.
  private(set) var seen = SeenCells()

  init(rows: [Row], before: Int = 0, after: Int = 0, inset: Int = 2, filter: String = "") {
    query = FuzzyText.Query(filter)
    self.rows = rows
    self.inset = inset
    hasTitles = rows.contains { $0.node.element.cells?.hasTitles ?? false }
    first = before
    count = before + rows.count + after
  }

  /// The places of the rows that the app has sent.
  var known: Range<Int> { first..<first + rows.count }

  /// Returns the row at a place; nil if the app has not sent it.
  func row(_ place: Int) -> Row? { known.contains(place) ? rows[place - first] : nil }

  func canBeCurrent(_ place: Int) -> Bool { row(place)?.canBeCurrent ?? false }

  /// Returns the visible rows with their places.
  private func visible(in area: Area) -> [(place: Int, row: Row)] {
    (top..<top + max(0, area.rows)).compactMap { place in row(place).map { (place, $0) } }
  }

  /// The most columns of a line, for easy reading.
  private static let widest = 100

  private func width(in area: Area) -> Int {
    inset == 0 ? area.columns - 1 : min(Self.widest, area.columns) - 2 * inset
  }

  func lastTop(in area: Area) -> Int { max(0, count - area.rows) }

  /// Returns the `top` at which the current row is visible, with a header right above it.
  func top(showingCurrentIn area: Area) -> Int {
    guard let current, area.rows > 0 else { return max(0, min(top, lastTop(in: area))) }
    var first = current
    while first > 0, current - first < min(3, area.rows - 1), !canBeCurrent(first - 1) { first -= 1 }
    return max(0, min(max(top, current - area.rows + 1), first, lastTop(in: area)))
  }

  /// Returns true if a row that can be current is visible; true before the first drawing.
  func showsRows(in area: Area) -> Bool {
    area.isEmpty || visible(in: area).contains(where: \.row.canBeCurrent)
  }

  /// Returns true if the current row is visible, or if there is none.
  func showsCurrent(in area: Area) -> Bool { current.map { shows($0, in: area) } ?? true }

  private func shows(_ place: Int, in area: Area) -> Bool { place >= top && place < top + area.rows }

  /// Returns the row to which a move leads. Stops before a row that is neither visible nor within a screen.
  func row(movingBy step: Int, in area: Area) -> Int? {
    guard var place = current else {
      return step > 0 ? known.first(where: canBeCurrent) : known.last(where: canBeCurrent)
    }
    for _ in 0..<abs(step) {
      let next =
        step > 0
        ? known.clamped(to: place + 1..<Int.max).first(where: canBeCurrent)
        : known.clamped(to: 0..<place).last(where: canBeCurrent)
      guard let next, area.isEmpty || abs(next - place) <= area.rows || shows(next, in: area) else { break }
      place = next
    }
    return place
  }

  /// Returns the index of the row at a row of the screen.
  func row(at row: Int, in area: Area) -> Int? {
    guard area.holds(row: row) else { return nil }
    let index = top + row - area.row
    return known.contains(index) ? index : nil
  }

  /// Keeps the widths of earlier cells, as long as one of the rows still exists.
  mutating func keepSeen(of before: PanelView) {
    let ids = Set(before.rows.map(\.node.id))
    if rows.isEmpty || rows.contains(where: { ids.contains($0.node.id) }) { seen = before.seen }
  }

  /// Notes the widths of the visible cells; the columns keep at least these widths.
  mutating func see(in area: Area, theme: Theme) {
    for (_, row) in visible(in: area) {
      let row = drawnRow(row)
      guard let cells = row.cells else { continue }
      let widths = cells.all.enumerated().map { max(theme.glyphs(of: row, cell: $0).columns, $1.title.columns) }
      seen.see(widths, of: cells.section)
    }
  }

  /// Returns the content of a row. In a narrow pane, the status line shows why the current row is disabled.
  private func drawnRow(_ row: Row) -> MenuRow {
    var drawn = MenuRow.row(of: row.node.element, line: row.line)
    if inset == 0 { drawn.reason = "" }
    return drawn
  }

  /// - Parameter titles: the line for the titles of columns; nil without titles.
  func draw(
    on canvas: inout Canvas, in area: Area, titles: Area? = nil, theme: Theme = Theme(), isFocused: Bool = true
  ) {
    let shown = visible(in: area).map { seen in (place: seen.place, row: drawnRow(seen.row), node: seen.row.node) }
    let width = width(in: area)
    guard width > 4 else { return }
    let columns = Columns(shown.map(\.row), width)
    if let titles, let cells = shown.lazy.compactMap(\.row.cells).first(where: \.hasTitles) {
      let glyphs = cells.all.map { theme.glyphs(of: StyledText($0.title), over: theme.subtitle) }
      for (place, glyphs) in layout(of: cells, columns).placed(glyphs) {
        canvas.put(glyphs, row: titles.row, column: area.column + inset + 3 + place, in: titles)
      }
    }
    for (place, row, node) in shown {
      var found: [Area] = []
      draw(row, node.element, area.row + place - top, on: &canvas, area, columns, theme, &found)
      if place == current, row.canBeCurrent {
        markCurrent(row, area.row + place - top, isFocused, on: &canvas, area, columns, theme)
      }
      for area in found { canvas.restyle(area, theme.find) }
    }
    Frame.drawThumb(
      top: top, lastTop: lastTop(in: area), on: &canvas, in: area, column: area.endColumn - 1, theme: theme)
  }

  /// The widths of the columns, by the visible rows.
  private struct Columns {
    let width: Int
    let title: Int
    let note: Int
    let key: Int

    init(_ rows: [MenuRow], _ width: Int) {
      let all = rows.filter { $0.kind == .item || $0.kind == .menu }
      let items = all.filter { $0.cells == nil }
      key = min(width / 4, all.map(\.key.columns).max() ?? 0)
      let wanted = items.map(\.note.columns).max() ?? 0
      let room = max(0, width - 3 - (key > 0 ? key + 2 : 0))
      let widest = min(room, items.map(\.title.columns).max() ?? 0)
      // Titles are most important; notes get the rest, and at least a third beside long titles.
      title = wanted == 0 ? widest : min(widest, max(room - wanted - 2, room * 2 / 3))
      note = wanted == 0 ? 0 : max(0, min(wanted, room - title - 2))
      self.width = width
    }

    /// A row without a key uses the room of the key too.
    func room(of row: MenuRow) -> RowRoom {
      let end = row.key.isEmpty || key == 0 ? width : width - key - 2
      return RowRoom(title: row.title, note: row.note, room: end - 3, columns: (title, note))
    }
  }

  private func draw(
    _ row: MenuRow, _ element: MenuElement, _ y: Int, on canvas: inout Canvas, _ area: Area, _ columns: Columns,
    _ theme: Theme, _ found: inout [Area]
  ) {
    let left = area.column + inset
    switch row.kind {
    case .separator:
      canvas.put(String(repeating: "─", count: area.columns - 4), row: y, column: left, style: theme.frame)
      return
    case .label:
      // Next to a rule between columns a column stays blank.
      let start = left + (inset == 0 ? 1 : 0)
      let title = theme.glyphs(of: row.styled, over: theme.header)
      canvas.put(title.cut(toColumns: max(0, area.endColumn - inset - start)), row: y, column: start)
      return
    case .item, .menu: break
    }
    let style = !row.isEnabled ? theme.disabled : row.isDestructive ? theme.destructive : theme.row
    canvas.put(row.isDestructive ? "!" : row.mark, row: y, column: left + 1, style: style)
    let start = left + 3
    let letters = query.isEmpty ? [] : Set(FuzzyText(element.title).places(of: query) ?? [])
    if let cells = row.cells {
      let places = letters.isEmpty ? [] : cells.places(in: element.title)
      let drawn = cells.all.indices.map { index in
        let own = index < places.count ? places[index].map { first in Set(letters.map { $0 - first }) } : nil
        return theme.glyphs(of: row, cell: index, over: style, found: own ?? [])
      }
      for (place, glyphs) in layout(of: cells, columns).placed(drawn) {
        put(glyphs, row: y, column: start + place, on: &canvas, &found)
      }
    } else {
      let room = columns.room(of: row)
      let title =
        theme.glyphs(of: row.icon, over: style)
        + theme.glyphs(of: element.spans ?? StyledText(element.title), over: style, found: letters)
      put(title.cut(toColumns: room.title), row: y, column: start, on: &canvas, &found)
      row.putNote(
        toColumns: room.note.columns, row: y, column: start + room.note.column, on: &canvas, theme: theme)
    }
    if columns.key > 0 {
      let key = row.key.cut(toColumns: columns.key)
      canvas.put(
        key, row: y, column: left + columns.width - key.reduce(0) { $0 + $1.width },
        style: row.isEnabled ? theme.key : theme.disabled)
    }
  }

  private func layout(of cells: RowCells, _ columns: Columns) -> CellColumns {
    let room = columns.width - 3 - (columns.key > 0 ? columns.key + 2 : 0)
    return CellColumns(cells.all.map(\.column), seen: seen.widths(of: cells.section), room: room)
  }

  /// Draws glyphs, and notes the places of the letters that narrow the rows.
  private func put(
    _ glyphs: [StyledGlyph], row: Int, column: Int, on canvas: inout Canvas, _ found: inout [Area]
  ) {
    canvas.put(glyphs, row: row, column: column)
    var column = column
    for glyph in glyphs {
      if glyph.isFound { found.append(Area(row: row, column: column, rows: 1, columns: glyph.glyph.width)) }
      column += glyph.glyph.width
    }
  }

  private func markCurrent(
    _ row: MenuRow, _ y: Int, _ isFocused: Bool, on canvas: inout Canvas, _ area: Area, _ columns: Columns,
    _ theme: Theme
  ) {
    if inset == 0 {
      let row = Area(row: y, column: area.column, rows: 1, columns: area.columns)
      canvas.restyle(row) { theme.makeCurrent(&$0, isFocused: isFocused) }
      if !isFocused, theme.currentElsewhere.paper == .standard {
        canvas.put("▎", row: y, column: area.column, style: theme.frame)
      }
      return
    }
    // The bar is as wide as the titles, so that a move draws as little as possible.
    let room = columns.room(of: row)
    let widest = row.cells == nil ? max(columns.title, room.title) : columns.width - 4
    let end = row.note.isEmpty ? widest : min(widest, room.note.column - 2)
    canvas.restyle(Area(row: y, column: area.column + inset, rows: 1, columns: end + 4)) {
      theme.makeCurrent(&$0)
    }
  }

  /// Returns true if a row shows its whole reason; if not, the status line does.
  func showsReason(of row: MenuRow, in area: Area) -> Bool {
    if inset == 0 || row.cells != nil { return row.reason.isEmpty }
    let columns = Columns(visible(in: area).map { drawnRow($0.row) }, width(in: area))
    return row.reason.isEmpty || row.note.columns <= columns.room(of: row).note.columns
  }
}

extension RowCell {
  /// The title of its column.
  fileprivate var title: String { column.title ?? "" }
}

extension RowCells {
  fileprivate var hasTitles: Bool { all.contains { $0.column.title != nil } }

  /// Returns the places of the cells' texts in a title made of them, in scalars; empty for another title.
  fileprivate func places(in title: String) -> [Int?] {
    let joined = all.map(\.text).joinedAsTitle
    return joined.title == title ? joined.places : []
  }
}

extension Theme {
  /// Returns the glyphs of a row's cell, with the icon before the first cell.
  fileprivate func glyphs(
    of row: MenuRow, cell index: Int, over ground: Style = .plain, found: Set<Int> = []
  ) -> [StyledGlyph] {
    guard let cells = row.cells?.all, index < cells.count else { return [] }
    let glyphs = glyphs(of: cells[index].text, over: ground, found: found)
    return index == 0 ? self.glyphs(of: row.icon, over: ground) + glyphs : glyphs
  }
}
