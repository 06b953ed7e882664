import ScriptHost

/// An open menu: its source, and its current row, known by its id so that it survives changes of the rows.
struct OpenMenu {
  enum Source: Equatable {
    case app(String)
    case own
    /// The context menu of a row, and a submenu of one.
    case context
    case contextMenu(String)
  }

  let source: Source
  private(set) var ids: [String] = []
  private(set) var view = PulldownView(rows: [MenuRow(kind: .label, title: "…")])
  /// The version of the menus from which its rows were made; -1 if the app hasn't sent them.
  private var version = -1
  var isTold: Bool { version >= 0 }

  init(_ source: Source) { self.source = source }

  var currentID: String? { view.current.map { ids[$0] } }
  var currentRow: MenuRow? { view.current.map { view.rows[$0] } }

  /// Replaces the rows. The current row stays current if it still exists, else the nearest; at first the first row.
  mutating func show(_ listed: [(id: String, row: MenuRow)], version: Int, theme: Theme) {
    let (was, place, top, isFirst) = (currentID, view.current, view.top, !isTold)
    self.version = version
    ids = listed.map(\.id)
    view = PulldownView(rows: listed.map(\.row), bytesOfColour: theme.bytesOfColour)
    view.top = top
    if isFirst { makeFirstCurrent() }
    guard let place else { return }
    view.current = was.flatMap { ids.firstIndex(of: $0) } ?? nearest(to: place)
  }

  func isCurrent(_ version: Int) -> Bool { self.version == version }

  private func nearest(to place: Int) -> Int? {
    let can = view.rows.indices.filter { view.rows[$0].canBeCurrent }
    return can.min { abs($0 - place) < abs($1 - place) }
  }

  // MARK: - The current row

  mutating func makeCurrent(_ place: Int) {
    if view.rows.indices.contains(place), view.rows[place].canBeCurrent { view.current = place }
  }

  /// In a context menu the first row that can be done becomes current, so that no reason hides the hints at once.
  mutating func makeFirstCurrent() {
    let enabled = source == .context ? view.rows.firstIndex { $0.canBeCurrent && $0.isEnabled } : nil
    view.current = enabled ?? view.rows.firstIndex(where: \.canBeCurrent)
  }

  /// Moves by a number of rows that can be current. A step of one wraps around the ends, a longer step stops there.
  mutating func move(by step: Int) {
    let count = view.rows.count
    guard var place = view.current else {
      view.current = step > 0 ? view.rows.firstIndex(where: \.canBeCurrent) : view.rows.lastIndex(where: \.canBeCurrent)
      return
    }
    var left = abs(step)
    var next = place
    for _ in 0..<count where left > 0 {
      next += step > 0 ? 1 : -1
      if !view.rows.indices.contains(next) {
        if abs(step) > 1 { break }
        next = step > 0 ? 0 : count - 1
      }
      if view.rows[next].canBeCurrent { (place, left) = (next, left - 1) }
    }
    view.current = place
  }

  mutating func scroll(in area: Area) { view = view.scrolled(in: area) }

  /// Returns the row with this letter as its mnemonic, else the next row that begins with it.
  func place(of letter: String) -> (place: Int, isMnemonic: Bool)? {
    let small = letter.lowercased()
    func letterOf(_ row: MenuRow) -> String? {
      row.mnemonic.map { String(row.title.dropFirst($0).prefix(1)).lowercased() }
    }
    if let place = view.rows.firstIndex(where: { $0.canBeCurrent && letterOf($0) == small }) { return (place, true) }
    let after = (view.current ?? -1) + 1
    let order = Array(view.rows.indices.dropFirst(after)) + Array(view.rows.indices.prefix(after))
    let next = order.first { view.rows[$0].canBeCurrent && view.rows[$0].title.lowercased().hasPrefix(small) }
    return next.map { ($0, false) }
  }
}

/// The view of an open menu: a frame with a row for each element, beside or below its anchor.
struct PulldownView {
  let rows: [MenuRow]
  /// The width of the widest content of each column.
  private let widest: Columns
  /// The most title columns that a move may draw again.
  private let barOfTitles: Int
  /// The place of the current row.
  var current: Int?
  /// The first visible row.
  var top = 0

  /// - Parameter bytesOfColour: the bytes of a colour, which leave fewer for the titles in a move.
  init(rows: [MenuRow], current: Int? = nil, bytesOfColour: Int = Theme().bytesOfColour) {
    self.rows = rows
    self.current = current
    widest = Columns(
      title: rows.map(\.title.columns).max() ?? 0,
      note: rows.map(\.note.columns).max() ?? 0,
      key: rows.map(\.key.columns).max() ?? 0)
    let most = Self.mostBytes - bytesOfColour * 2 / 3
    barOfTitles = rows.lazy.filter(\.canBeCurrent).compactMap { $0.columns(ofBytes: most) }.min() ?? .max
  }

  // MARK: - Layout

  /// The widths of the columns. The frame needs one column on either side, the mark two.
  private struct Columns {
    let title: Int
    /// Reasons and subtitles, in one column.
    let note: Int
    let key: Int

    var total: Int { 2 + 3 + title + (note > 0 ? 2 + note : 0) + (key > 0 ? 2 + key : 0) + 1 }

    /// Returns the room of a row, which is wider without a key. If the notes don't fit, none is shown.
    func room(of row: MenuRow, in area: Area) -> RowRoom {
      let end = area.columns - 2 - (row.key.isEmpty || key == 0 ? 0 : key + 2)
      return RowRoom(title: row.title, note: note == 0 ? "" : row.note, room: end - 4, columns: (title, note))
    }
  }

  /// The most columns of a menu. With a long reason, keys would be a screen away from their titles.
  private static let widestMenu = 80
  /// The columns of a title that are more important than a reason.
  private static let titleBeforeNote = 44

  private func columns(_ most: Int) -> Columns {
    let most = min(most, Self.widestMenu)
    let (title, note) = (widest.title, widest.note)
    // With little room, a title is more useful than a key.
    let key = Columns(title: min(title, 8), note: 0, key: widest.key).total <= most ? widest.key : 0
    // Reasons are cut first, then titles; keys stay. The end of a long title is less important than a reason.
    let space = most - Columns(title: 0, note: 0, key: key).total
    let before = note == 0 ? space : max(min(space, Self.titleBeforeNote), space - note - 2)
    let kept = min(title, max(8, before))
    let left = space - kept - 2
    return Columns(title: kept, note: left < min(note, 8) ? 0 : min(note, left), key: key)
  }

  /// Returns the menu's area: below or beside an anchor, or on the other side, never outside the screen.
  func area(at anchor: Anchor, on screen: Area, atLeast least: Int = 0) -> Area {
    let columns = min(screen.columns, max(least, columns(screen.columns).total))
    let height = min(screen.rows, rows.count + 2)
    var area = Area(row: anchor.row, column: anchor.column, rows: height, columns: columns)
    if area.endColumn > screen.endColumn {
      area.column = max(screen.column, anchor.isBeside ? anchor.other - columns : screen.endColumn - columns)
    }
    if area.endRow > screen.endRow { area.row = max(screen.row, screen.endRow - height) }
    return area
  }

  /// The place of the menu's corner.
  struct Anchor {
    var row: Int
    var column: Int
    /// Whether it is a submenu beside its menu, which may change to the other side.
    var isBeside = false
    /// The column at which a submenu on the other side ends.
    var other = 0
  }

  /// Returns the number of visible rows.
  private func visible(_ area: Area) -> Int { max(0, area.rows - 2) }

  /// Returns the view scrolled so that the current row is visible.
  func scrolled(in area: Area) -> PulldownView {
    var view = self
    let count = visible(area)
    if let current { view.top = min(max(top, current - count + 1), current) }
    view.top = max(0, min(view.top, rows.count - count))
    return view
  }

  /// Returns the index of the row at a place; nil on the frame and outside.
  func row(at row: Int, column: Int, in area: Area) -> Int? {
    guard row > area.row, row < area.endRow - 1, column > area.column, column < area.endColumn - 1 else { return nil }
    let index = top + row - area.row - 1
    return rows.indices.contains(index) ? index : nil
  }

  // MARK: - Path

  private static let between = " › "

  /// Returns the columns of a frame with room for a path.
  static func columns(naming path: [String]) -> Int { path.joined(separator: between).columns + 6 }

  /// Returns a path cut to a number of columns: the end stays, with a sign for the missing part.
  private static func named(_ path: [String], toColumns most: Int) -> String {
    var rest = path[...]
    while rest.count > 1, text(rest, of: path).columns > most { rest = rest.dropFirst() }
    return text(rest, of: path)
  }

  private static func text(_ rest: ArraySlice<String>, of path: [String]) -> String {
    (rest.count < path.count ? "…" + between : "") + rest.joined(separator: between)
  }

  // MARK: - Drawing

  /// - Parameter path: the menu's title, after the titles of hidden menus around it.
  func draw(on canvas: inout Canvas, in area: Area, path: [String] = [], theme: Theme = Theme()) {
    let columns = columns(area.columns)
    Frame.draw(on: &canvas, in: area, title: Self.named(path, toColumns: area.columns - 6), theme: theme)
    Frame.drawMore(
      above: top > 0, below: top + visible(area) < rows.count, on: &canvas, in: area, theme: theme)
    for line in 0..<visible(area) where top + line < rows.count {
      draw(rows[top + line], isCurrent: top + line == current, on: &canvas, area, line, columns, theme)
    }
  }

  private func draw(
    _ row: MenuRow, isCurrent: Bool, on canvas: inout Canvas, _ area: Area, _ line: Int, _ columns: Columns,
    _ theme: Theme
  ) {
    let y = area.row + 1 + line
    if row.kind == .separator {
      Frame.divide(area, atRow: y, on: &canvas, theme: theme)
      return
    }
    let style =
      row.kind == .label
      ? theme.header : !row.isEnabled ? theme.disabled : row.isDestructive ? theme.destructive : theme.row
    // A destructive item has a mark even without colours.
    let mark = row.isDestructive && row.mark.isEmpty ? "!" : row.mark
    let end = canvas.put(mark, row: y, column: area.column + 2, style: style)
    if row.isDestructive, mark != "!" { canvas.put("!", row: y, column: end, style: style) }
    let start = area.column + 4
    let room = columns.room(of: row, in: area)
    let title = theme.glyphs(of: row.styled, over: style).cut(toColumns: room.title)
    canvas.put(title, row: y, column: start)
    if let mnemonic = row.mnemonic, row.isEnabled {
      let place = start + String(row.title.prefix(mnemonic)).columns
      canvas.restyle(Area(row: y, column: place, rows: 1, columns: 1)) { $0.marks.formUnion(theme.mnemonic) }
    }
    row.putNote(
      toColumns: room.note.columns, row: y, column: start + room.note.column, on: &canvas, theme: theme)
    if columns.key > 0 || row.kind == .menu {
      canvas.put(
        row.key, row: y, column: area.endColumn - 2 - row.key.columns, style: row.isEnabled ? theme.key : theme.disabled
      )
    }
    if isCurrent {
      // As wide as the titles, as in the panel and the palette, so that a move draws as little as possible. A disabled
      // row is dim here too. With its own background the whole row is highlighted.
      let titles = start + (room.note.columns > 0 ? min(room.note.column - 1, bar(columns)) : bar(columns))
      let end = theme.overlay == nil ? titles : area.endColumn - 1
      canvas.restyle(Area(row: y, column: area.column + 1, rows: 1, columns: end - area.column - 1)) {
        if !row.isEnabled { $0.marks.formUnion(.dim) }
        theme.makeCurrent(&$0, keeping: [.underline, .dim])
      }
    }
  }

  /// The most bytes of the current row's bar that a move draws again, for its title and most of a colour.
  private static let mostBytes = 38

  /// Returns the columns of the titles that the bar covers.
  private func bar(_ columns: Columns) -> Int { min(columns.title, barOfTitles) }

  /// Returns true if a row shows its whole reason; if not, the status line does.
  func showsReason(of row: MenuRow, in area: Area) -> Bool {
    row.reason.isEmpty || row.note.columns <= columns(area.columns).room(of: row, in: area).note.columns
  }
}

extension MenuRow {
  /// Returns the columns of the title that fit a number of bytes; nil if all do.
  fileprivate func columns(ofBytes most: Int) -> Int? {
    let count = title.utf8.count
    if count <= most, title.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    var (columns, bytes) = (0, 0)
    for glyph in title.glyphs {
      // Around a glyph of uncertain width the cursor is placed anew.
      bytes += glyph.text.utf8.count + (glyph.isDoubtful ? Self.bytesOfDoubt : 0)
      if bytes > most { return columns }
      columns += glyph.width
    }
    return nil
  }

  private static let bytesOfDoubt = 18
}

/// A *cascade* is the layout of the open menus, each beside its parent row and none over another.
///
/// If not all fit, only the last menus are shown, and the line above them names the others.
struct Cascade {
  /// The area of each menu; `nowhere` for outer menus without room.
  private(set) var areas: [Area]
  /// The titles above the first visible menu: those of the hidden menus around it, outermost first, and its own title.
  private(set) var path: [String] = []

  /// No menus.
  init() { areas = [] }

  /// - Parameters:
  ///   - anchor: the place of the first menu.
  ///   - titles: the titles of the menus; the first is in the bar or in a row of the panel.
  init(_ menus: [PulldownView], from anchor: PulldownView.Anchor, titles: [String], on screen: Area) {
    areas = Self.beside(menus, from: anchor, on: screen)
    if !Self.covers(areas) { return }
    // Two neighbouring menus share the line between them.
    let widths = menus.map { $0.area(at: anchor, on: screen).columns }
    func width(_ first: Int) -> Int { widths[first...].reduce(1 - (menus.count - first)) { $0 + $1 } }
    let first = menus.indices.first { width($0) <= screen.columns } ?? menus.count - 1
    path = Array(titles.prefix(first + 1).dropFirst())
    // The titles above the first menu may need more room than its rows.
    let room = screen.columns - width(first) + widths[first]
    let named = path.isEmpty ? 0 : min(room, max(widths[first], PulldownView.columns(naming: path)))
    let total = width(first) + max(0, named - widths[first])
    var start = anchor
    start.isBeside = false
    start.column = max(screen.column, min(anchor.column, screen.endColumn - total))
    let shown = Self.beside(Array(menus[first...]), from: start, on: screen, atLeast: named)
    areas = Array(repeating: Area.nowhere, count: first) + shown
  }

  /// Returns the areas with each menu beside the previous one, the first with a minimum width.
  private static func beside(
    _ menus: [PulldownView], from anchor: PulldownView.Anchor, on screen: Area, atLeast columns: Int = 0
  ) -> [Area] {
    var areas: [Area] = []
    var anchor = anchor
    for menu in menus {
      let area = menu.area(at: anchor, on: screen, atLeast: areas.isEmpty ? columns : 0)
      areas.append(area)
      let view = menu.scrolled(in: area)
      anchor = .init(
        row: area.row + (view.current ?? 0) - view.top, column: area.endColumn - 1, isBeside: true,
        other: area.column + 1)
    }
    return areas
  }

  /// Returns true if a menu covers more of another than the line between them.
  private static func covers(_ areas: [Area]) -> Bool {
    areas.indices.contains { index in
      areas[..<index].contains { other in
        let common = areas[index].common(with: other)
        return common.rows > 0 && common.columns > 1
      }
    }
  }
}
