import ScriptHost

/// The open *palette*: a search by a few letters through all possible and impossible actions.
final class PaletteOverlay: Overlay {
  private(set) var palette: Palette
  private(set) var field = TextField()
  /// The places of the matching entries.
  private(set) var found: [Int]
  /// The index of the current entry in `found`.
  private(set) var current: Int
  /// The versions of the face's data from which the palette was made.
  private var version: [Int]
  var area = Area.nowhere

  /// - Parameter latest: the ids of the picked entries, newest first.
  init(_ palette: Palette, _ typed: String = "", current: Int = 0, latest: [String] = [], version: [Int] = []) {
    (self.palette, self.current, self.version) = (palette, current, version)
    // A longer search has no results, and a long paste would be searched letter by letter.
    field.most = 200
    field.replace(typed)
    found = palette.found(typed, latest: latest)
  }

  let listsEverything = true
  let hint = "enter does it   alt+enter why   esc closes"

  var entry: Palette.Entry? { found.indices.contains(current) ? palette.entries[found[current]] : nil }

  /// Makes the palette again after a change. The current entry stays current if it still matches.
  func refresh(from face: Face) {
    if version == face.versionOfPalette { return }
    let id = entry?.id
    (palette, version) = (face.palette, face.versionOfPalette)
    find(face)
    current = id.flatMap { id in found.firstIndex { palette.entries[$0].id == id } } ?? 0
  }

  private func find(_ face: Face) { (found, current) = (palette.found(field.text, latest: face.latest), 0) }

  // MARK: - Keys

  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    let count = found.count
    // One row less than the list shows, so that the last row stays in view.
    let page = max(1, area.rows - 5)
    switch (stroke.key, stroke.modifiers) {
    case ("esc", _), ("c", .ctrl): face.close(self)
    case ("up", []), ("p", .ctrl): current = count > 0 ? (current + count - 1) % count : 0
    case ("down", []), ("n", .ctrl): current = count > 0 ? (current + 1) % count : 0
    case ("pageup", []): move(by: -page)
    case ("pagedown", []): move(by: page)
    case ("home", []): current = 0
    case ("end", []): current = max(0, count - 1)
    case ("enter", .alt): face.askWhy(entry?.id)
    case ("enter", []): pick(face)
    case ("?", []) where field.text.isEmpty: face.askWhy(entry?.id)
    default: if field.key(stroke, text) == .edited { find(face) }
    }
    return true
  }

  /// Replaces the line breaks of a paste, because the palette has a single line.
  func paste(_ text: String, of face: Face) -> Bool {
    if field.type(text.onOneLine) == .edited { find(face) }
    return true
  }

  private func move(by step: Int) { current = max(0, min(found.count - 1, current + step)) }

  /// Picks the current entry. If it is disabled, the palette stays open.
  private func pick(_ face: Face) {
    guard let entry else { return }
    if entry.isEnabled { face.close(self) }
    face.pick(entry.id)
  }

  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    switch mouse.deed {
    case .wheel(let rows, _): move(by: rows)
    case .press(.left) where !area.holds(mouse): face.close(self)
    case .press(.left):
      guard let place = place(at: mouse.row) else { break }
      if place == current { pick(face) } else { current = place }
    default: break
    }
    return true
  }

  // MARK: - Drawing

  /// The most columns and rows, for easy reading.
  private static let widest = 100
  private static let highest = 40
  /// The fewest rows even with few entries, if the screen has so many.
  private static let lowest = 16

  /// Returns the palette's area in the middle near the top, larger on a small screen. Typing doesn't change it.
  func area(on screen: Area) -> Area {
    let columns = min(screen.columns, max(40, min(Self.widest, screen.columns - 8)))
    let wanted = min(Self.highest, max(Self.lowest, palette.entries.count + 4))
    let rows = min(screen.rows, max(10, min(Self.lowest, screen.rows - 4), min(wanted, screen.rows - 6)))
    return Area(
      row: screen.row + min(1, max(0, screen.rows - rows)), column: screen.column + (screen.columns - columns) / 2,
      rows: rows, columns: columns)
  }

  /// Returns true if there is room for a frame. Results are more important.
  private static func isFramed(_ area: Area) -> Bool { area.rows > 4 }
  private static func isRuled(_ area: Area) -> Bool { area.rows > 6 }

  func draw(on canvas: inout Canvas, theme: Theme) {
    let edge = Self.isFramed(area) ? 1 : 0
    if edge > 0 { Frame.draw(on: &canvas, in: area, theme: theme) } else { canvas.fill(area, style: theme.row) }
    let inner = Area(
      row: area.row + edge, column: area.column + 2, rows: area.rows - 2 * edge, columns: area.columns - 4)
    guard inner.rows > 0, inner.columns > 8 else { return }
    drawLine(on: &canvas, in: inner, theme)
    if Self.isRuled(area) {
      Frame.divide(area, atRow: area.row + 2, on: &canvas, theme: theme)
    }
    let list = list
    if found.isEmpty {
      canvas.put(
        "no command has these letters in this order".cut(toColumns: inner.columns), row: list.row, column: inner.column,
        style: theme.disabled, in: inner)
      return
    }
    let top = top(in: list)
    for line in 0..<list.rows where top + line < found.count {
      draw(found[top + line], isCurrent: top + line == current, on: &canvas, list, line, theme)
      // With its own background, the whole row is highlighted.
      if top + line == current, theme.overlay != nil {
        let row = Area(row: list.row + line, column: list.column, rows: 1, columns: list.columns)
        canvas.restyle(row) { theme.makeCurrent(&$0) }
      }
    }
    guard edge > 0 else { return }
    Frame.drawMore(above: top > 0, below: top + list.rows < found.count, on: &canvas, in: area, theme: theme)
  }

  private var list: Area {
    let edge = Self.isFramed(area) ? 1 : 0
    let head = edge + (Self.isRuled(area) ? 2 : 1)
    return Area(
      row: area.row + head, column: area.column + 1, rows: max(0, area.rows - head - edge), columns: area.columns - 2)
  }

  private func top(in list: Area) -> Int { max(0, min(current - list.rows + 1, found.count - list.rows)) }

  /// Returns the index in `found` of the entry at a row.
  private func place(at row: Int) -> Int? {
    let list = list
    guard list.holds(row: row) else { return nil }
    let place = top(in: list) + row - list.row
    return found.indices.contains(place) ? place : nil
  }

  private func drawLine(on canvas: inout Canvas, in inner: Area, _ theme: Theme) {
    let count = inner.columns < 24 ? "" : "\(found.count) of \(palette.entries.count)"
    let space = inner.columns - (count.isEmpty ? 0 : count.columns + 2)
    let end = canvas.put("› ", row: inner.row, column: inner.column, style: theme.key)
    field.draw(on: &canvas, in: Area(row: inner.row, column: end, rows: 1, columns: space - 2), theme: theme)
    canvas.put(count, row: inner.row, column: inner.endColumn - count.columns, style: theme.subtitle)
  }

  private func draw(
    _ place: Int, isCurrent: Bool, on canvas: inout Canvas, _ list: Area, _ line: Int, _ theme: Theme
  ) {
    let entry = palette.entries[place]
    let row = list.row + line
    let style = !entry.isEnabled ? theme.disabled : entry.isDestructive ? theme.destructive : theme.row
    // With little room, a title is more useful than a key.
    let needed = min(12, entry.title.columns) + (entry.reason.isEmpty ? 0 : 12)
    let hasKey = !entry.key.isEmpty && list.columns - 4 - entry.key.columns >= needed
    let space = list.columns - 2 - (hasKey ? entry.key.columns + 2 : 0)
    // A reason gets the room beside the title, and at least half of the row.
    let reason = entry.reason.isEmpty ? 0 : min(entry.reason.columns + 2, max(space / 2, space - entry.title.columns))
    let start = list.column + 1
    let mark = entry.isDestructive ? "! " : ""
    let title = min(entry.title.columns, space - reason - mark.columns)
    let begin = canvas.put(mark, row: row, column: start, style: style)
    let end = canvas.put(entry.title.cut(toColumns: title), row: row, column: begin, style: style)
    if isCurrent, theme.overlay == nil {
      canvas.restyle(Area(row: row, column: list.column, rows: 1, columns: end - list.column + 1)) {
        theme.makeCurrent(&$0)
      }
    }
    canvas.showMatches(
      of: FuzzyText.Query(field.text), in: entry.title, row: row, column: begin, columns: title, theme: theme)
    // The path distinguishes entries with the same title. It follows the title, if all of it fits.
    // If only the action of an entry matches, it is shown too.
    let path = entry.path.dropLast().joined(separator: " › ")
    let action = palette.isFoundByAction(place, field.text) ? entry.action : ""
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

extension Face {
  func openPalette() {
    bar.open = []
    tellChosen()
    over.append(PaletteOverlay(palette, latest: latest, version: versionOfPalette))
    ask("actions", for: .actions)
  }

  fileprivate var versionOfPalette: [Int] { [menus.version, facts] }

  fileprivate var palette: Palette {
    // A row without a title can't match one.
    let titled = menus.items.filter { !$0.node.element.title.allSatisfy(\.isWhitespace) }
    let items = titled.filter { $0.node.element.isInPalette || !menus.isInPanel($0.node.id) }.map(Palette.Entry.init)
    let own = OwnCommand.menu.compactMap { $0 }.filter { $0 != .palette }.map { command in
      Palette.Entry(id: command.id, path: [BarView.own, command.title], key: strokeShown(of: command)?.text ?? "")
    }
    let others = actions.filter { !$0.entry.isInternal }.map(\.paletteEntry)
    return Palette(items + others.filter { !$0.isUntitled } + own + others.filter(\.isUntitled))
  }
}

/// The *palette* finds actions by a few letters of their title, path, action name or key.
struct Palette {
  /// An entry of the palette, which a person can pick.
  struct Entry {
    /// The id that is picked.
    let id: String
    /// The titles from the outermost menu to the entry itself.
    let path: [String]
    var action = ""
    var key = ""
    var reason = ""
    var isDestructive = false
    /// Whether the title is only the name of the action.
    var isUntitled = false

    var isEnabled: Bool { reason.isEmpty }
    var title: String { path.last ?? "" }
  }

  let entries: [Entry]
  /// The texts that are searched: the title, which counts most, and everything together.
  private let texts: [(title: FuzzyText, whole: FuzzyText)]

  init(_ entries: [Entry]) {
    self.entries = entries
    // Consecutive entries of a menu have the same path, so its texts are folded once.
    var around: (path: ArraySlice<String>, texts: [FuzzyText]) = ([], [])
    texts = entries.map { entry in
      let path = entry.path.dropLast()
      if path != around.path { around = (path, path.map(FuzzyText.init)) }
      let title = FuzzyText(entry.title)
      return (title, FuzzyText(joining: around.texts + [title, FuzzyText(entry.action), FuzzyText(entry.key)]))
    }
  }

  /// The bonus of an entry whose title matches alone.
  private static let titleBonus = 20
  /// The bonus of an enabled entry.
  private static let enabledBonus = 4
  private static let latestBonus = 24
  /// The malus of an entry with only the name of its action.
  private static let untitledMalus = 3

  /// Returns the places of the matching entries, best first, then in the order of declaration.
  ///
  /// - Parameter latest: the ids of the picked entries, newest first.
  func found(_ typed: String, latest: [String] = []) -> [Int] {
    let query = FuzzyText.Query(typed)
    // With typed text, an entry that begins with it precedes a recent entry that only contains it.
    let most = query.isEmpty ? Self.latestBonus : Self.latestBonus / 2
    let bonus = Dictionary(
      latest.prefix(8).enumerated().map { ($1, max(0, most - 2 * $0)) }, uniquingKeysWith: { first, _ in first })
    var found: [(score: Int, place: Int)] = []
    for (place, text) in texts.enumerated() {
      let title = text.title.score(query).map { $0 + (query.isEmpty ? 0 : Self.titleBonus) }
      guard let score = title ?? text.whole.score(query) else { continue }
      let entry = entries[place]
      // A recent entry gets no bonus while it is disabled.
      let known = entry.isEnabled ? Self.enabledBonus + (bonus[entry.id] ?? 0) : 0
      found.append((score + known - (entry.isUntitled ? Self.untitledMalus : 0), place))
    }
    return found.sorted { $0.score != $1.score ? $0.score > $1.score : $0.place < $1.place }.map(\.place)
  }

  /// Returns true if an entry matches only by the reference of its action, which isn't shown.
  func isFoundByAction(_ place: Int, _ typed: String) -> Bool {
    let query = FuzzyText.Query(typed)
    let entry = entries[place]
    let seen = FuzzyText((entry.path + [entry.key]).joined(separator: " "))
    return texts[place].whole.score(query) != nil && texts[place].title.score(query) == nil && seen.score(query) == nil
  }
}

extension Palette.Entry {
  init(_ item: ShownMenus.Item) {
    let element = item.node.element
    self.init(
      id: element.id, path: item.path + [element.title], action: element.action, key: element.key ?? "",
      reason: element.isBlocked ? "not now" : element.whyNot, isDestructive: element.isDestructive)
  }
}

extension ListedAction {
  var paletteEntry: Palette.Entry {
    Palette.Entry(
      id: entryID, path: [title], action: entry.name, key: entry.keys.first ?? "", reason: reason ?? "",
      isUntitled: title == entry.name)
  }
}
