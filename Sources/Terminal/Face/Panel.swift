import LiveHost
import ScriptHost

/// The *panel*: the list that is always open. Its current row is known by id and survives changes of the rows.
///
/// The app sends only the rows in sight, and some around them. The current row may be out of sight.
final class Panel: Component {
  /// The id of the pane with these rows; nil if the panel is one list.
  let id: String?
  private(set) var view = PanelView(rows: [])
  /// The `shape` of the menus from which the rows were made. A change of a row's look only needs drawing.
  private var shape = -1
  /// The letters typed to find a row, and the time until which another letter continues them.
  private(set) var typed = TextField()
  private(set) var typedUntil = Duration.zero
  /// Whether the panel must scroll to its current row, since a key or the app has set it.
  var isRowFollowed = false
  var area = Area.nowhere {
    willSet {
      // If the current row is visible, it stays visible when the screen's size changes.
      if currentNode != nil, newValue != area, view.showsCurrent(in: areaOfRows) { isRowFollowed = true }
    }
  }
  /// The area below the titles of the columns, which don't scroll. With two lines at most there are no titles.
  var areaOfRows: Area {
    guard view.hasTitles, area.rows > 2 else { return area }
    return Area(row: area.row + 1, column: area.column, rows: area.rows - 1, columns: area.columns)
  }
  /// The id of the current row, until it is reported to the app.
  private(set) var chosen: String?
  /// The reason why `chosen` became current.
  private var cause = Cause.move

  /// A row out of sight that becomes current as soon as the app sends it.
  enum Aim: Equatable {
    case row(String, place: Int)
    case first, last
  }

  private(set) var aim: Aim?
  private(set) var currentNode: ShownMenus.Node?

  init(_ id: String? = nil) { self.id = id }

  /// The name of the list in views.
  var key: String { id ?? "panel" }

  /// Returns the number of rows, in sight or not.
  func rowCount(in menus: ShownMenus) -> Int {
    guard let id else { return menus.rowsAround.before + menus.panel.children.count + menus.rowsAround.after }
    return menus[id]?.element.area?.rows ?? 0
  }

  /// The line in which the person types a filter; nil if closed.
  private var filter: TextField?
  /// The id of the first row of a range of marks.
  private var anchor: String?
  /// The id of the app's last current row, and its last filter.
  private var currentOfApp: String?
  private var filterOfApp = ""

  private enum Cause {
    /// The first row became current by default. The app gets it with the next request about the current row.
    case start
    case move
    /// The row was current before the app was reloaded.
    case reload
  }

  var isEmpty: Bool { view.count == 0 }

  func refresh(from face: Face) {
    let isNew = shape != face.menus.shape
    let wasAiming = aim != nil
    show(face.menus)
    if wasAiming, aim == nil { markRange(of: face) }
    guard let area = id.flatMap({ face.menus[$0] })?.element.area, isNew || area.current != currentOfApp else { return }
    // While the person moves, the current row stays.
    if isMoved || face.isAwaiting(.choice) { return }
    currentOfApp = area.current
    chosen = nil
    if let current = area.current { follow(current, place: area.place) }
    // The rows around the current one are others after another filter.
    if area.filter != filterOfApp { isRowFollowed = true }
    filterOfApp = area.filter
  }

  func draw(on canvas: inout Canvas, theme: Theme) { draw(on: &canvas, theme: theme, isFocused: true) }

  func draw(on canvas: inout Canvas, theme: Theme, isFocused: Bool) {
    if isRowFollowed { scrollToCurrent() } else { scroll(by: 0) }
    isRowFollowed = false
    view.see(in: areaOfRows, theme: theme)
    if area.isEmpty { return }
    let titles = areaOfRows == area ? nil : Area(row: area.row, column: area.column, rows: 1, columns: area.columns)
    view.draw(on: &canvas, in: areaOfRows, titles: titles, theme: theme, isFocused: isFocused)
  }

  /// Replaces the rows. If the current row is gone, the nearest row becomes current; without one, the first.
  private func show(_ menus: ShownMenus) {
    guard shape != menus.shape else { return }
    shape = menus.shape
    let (was, before) = (currentNode, view)
    view = rows(of: menus)
    view.keepSeen(of: before)
    view.top = before.top
    // The first visible row stays in its place when other rows come above it. The beginning of the list stays visible.
    if before.top > 0, let top = before.row(before.top), let place = place(of: top.node.id) {
      view.top = place + (before.row(before.top - 1)?.node === top.node ? top.line : 0)
    }
    if was != nil, before.top == 0, before.showsCurrent(in: areaOfRows) { isRowFollowed = true }
    if let was, let place = before.current {
      view.current = self.place(of: was.id)
      if let now = view.current {
        currentNode = view.row(now)?.node
      } else if view.known.contains(place) || view.count <= place {
        let wasMoved = isMoved
        makeNearestCurrent(to: place)
        // The app knows the next row of a pane. Reporting it would focus the pane.
        if id != nil, !wasMoved { chosen = nil }
      } else {
        view.current = place
      }
    }
    if view.current == nil { makeCurrent(view.known.first(where: view.canBeCurrent), .start) }
    let isAiming = aim != nil
    reachAim()
    if isAiming, aim == nil { isRowFollowed = true }
  }

  private func rows(of menus: ShownMenus) -> PanelView {
    guard let id else {
      return PanelView(
        rows: menus.panel.shown.flatMap(Self.rows), before: menus.rowsAround.before, after: menus.rowsAround.after)
    }
    guard let node = menus[id], let area = node.element.area else { return PanelView(rows: [], inset: 0) }
    return PanelView(
      rows: node.shown.flatMap(Self.rows), before: area.first,
      after: max(0, area.rows - area.first - node.children.count), inset: 0, filter: area.filter)
  }

  private func place(of id: String) -> Int? {
    view.rows.firstIndex { $0.node.id == id }.map { view.first + $0 }
  }

  /// Makes the row current at which the panel aims, if the app has sent it.
  private func reachAim() {
    switch aim {
    case .row(let id, let place)?:
      guard let found = self.place(of: id) ?? (view.known.contains(place) ? place : nil) else { return }
      makeCurrent(found)
    case .first?:
      guard view.first == 0 else { return }
      makeCurrent(view.known.first(where: view.canBeCurrent))
    case .last?:
      guard view.known.upperBound == view.count else { return }
      makeCurrent(view.known.last(where: view.canBeCurrent))
    case nil: return
    }
    aim = nil
  }

  /// Makes a row current, at once or as soon as the app has sent it.
  func go(to aim: Aim) {
    self.aim = aim
    reachAim()
  }

  /// Gives up the row at which the panel aims, because it is gone.
  func giveUpAim() { aim = nil }

  /// Returns true if the app has sent the rows within this distance of the current row.
  func knowsRows(within distance: Int) -> Bool {
    guard let current = view.current else { return true }
    return view.known.lowerBound <= max(0, current - distance)
      && min(view.count, current + distance + 1) <= view.known.upperBound
  }

  private static func rows(_ node: ShownMenus.Node) -> [PanelView.Row] {
    guard node.element.kind == .label else { return [PanelView.Row(node: node)] }
    return node.element.titleLines.indices.map { PanelView.Row(node: node, line: $0) }
  }

  // MARK: - The current row

  /// Makes a row current. Returns false if it is impossible or the row was current already.
  @discardableResult
  func makeCurrent(_ place: Int?) -> Bool { makeCurrent(place, .move) }

  @discardableResult
  private func makeCurrent(_ place: Int?, _ cause: Cause) -> Bool {
    guard let place, view.current != place, let row = view.row(place), row.canBeCurrent else { return false }
    (view.current, currentNode) = (place, row.node)
    (chosen, self.cause) = (row.node.id, cause)
    return true
  }

  /// Makes a row current because the app requests it, in sight or not.
  ///
  /// - Parameter place: the row's place among all rows; nil if it is in sight.
  func follow(_ id: String, place other: Int?) {
    if let place = place(of: id), let row = view.row(place), row.canBeCurrent {
      if view.current != place { isRowFollowed = true }
      (chosen, aim) = (nil, nil)
      return (view.current, currentNode) = (place, row.node)
    }
    if let other, !view.known.contains(other) { (aim, isRowFollowed) = (.row(id, place: other), true) }
  }

  /// Marks the current row to be reported again after a reload, unless the app sets a current row itself.
  func chooseAnew() {
    guard chosen == nil, let node = currentNode else { return }
    (chosen, cause) = (node.id, .reload)
  }

  /// Whether the person has moved to a row that the app doesn't know yet.
  var isMoved: Bool { chosen != nil && cause == .move }
  /// Whether the first row is current only by default.
  var isAtStart: Bool { chosen != nil && cause == .start }

  /// Returns the id of the row to report to the app, once; nil if the app knows it.
  func told() -> String? {
    defer { chosen = nil }
    return chosen
  }

  private func makeNearestCurrent(to place: Int) {
    (view.current, currentNode) = (nil, nil)
    let from = min(max(place, view.first), view.known.upperBound)
    for distance in 0...max(1, view.rows.count) {
      if makeCurrent(from + distance) || makeCurrent(from - distance) { return }
    }
  }

  /// Makes the row with an id current. Returns false if there is none.
  func makeCurrent(_ id: String, of face: Face) -> Bool {
    refresh(from: face)
    guard let place = place(of: id), view.canBeCurrent(place) else { return false }
    makeCurrent(place)
    return true
  }

  // MARK: - Keys

  /// Handles a key, unless the app has bound it.
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    refresh(from: face)
    guard !isEmpty, face.strokes.begun.isEmpty else { return false }
    if typesAhead(stroke, text, face) { return true }
    if face.isBound(stroke) { return false }
    let stroke = face.movingKey(stroke)
    let page = max(1, areaOfRows.rows - 1)
    switch (stroke.key, stroke.modifiers) {
    case ("up", []): move(by: -1)
    case ("down", []): move(by: 1)
    case ("pageup", []): move(by: -page)
    case ("pagedown", []): move(by: page)
    case ("home", []): moveToEnd(isLast: false)
    case ("end", []): moveToEnd(isLast: true)
    case ("enter", []) where currentNode != nil: face.enterRow()
    case ("right", []), ("left", []): return movesInTree(isInward: stroke.key == "right", face)
    case ("enter", .alt), ("?", []):
      guard let node = currentNode else { return false }
      face.askWhy(node.id)
    case ("menu", []), ("f10", .shift), (".", []): return face.opensMenuOfRow()
    default: return false
    }
    markRange(of: face)
    return true
  }

  /// Moves by a number of rows that can be current, at most to the ends. Without a current row, begins at that end.
  /// If the next row is more than a screen away or missing, it scrolls instead, so that no text is skipped unseen.
  private func move(by step: Int) {
    let (top, showsRows) = (view.top, view.showsRows(in: areaOfRows))
    if !showsRows { scroll(by: step) }
    if view.top != top { return }
    let isLost = showsRows && !view.showsCurrent(in: areaOfRows)
    let hasMoved = makeCurrent(view.row(movingBy: step, in: areaOfRows))
    if hasMoved || isLost { scrollToCurrent() } else { scroll(by: step) }
  }

  /// Opens a closed branch of a tree or enters an open one; or closes an open branch or leaves a closed one.
  /// Returns false if the current row isn't in a tree.
  private func movesInTree(isInward: Bool, _ face: Face) -> Bool {
    guard let place = view.current, let element = currentNode?.element else { return false }
    if element.isOpen == nil, element.level == 0 { return false }
    switch (element.isOpen, isInward) {
    case (false?, true), (true?, false): face.openBranch(element.id)
    case (true?, true): move(by: 1)
    case (nil, true): break
    case (_, false):
      let around = view.known.clamped(to: 0..<place).last { view.row($0)?.node.element.level ?? 0 < element.level }
      if makeCurrent(around) { scrollToCurrent() }
    }
    return true
  }

  /// Moves to the first or the last row that can be current; the next time scrolls to the text before or after it.
  private func moveToEnd(isLast: Bool) {
    let isTold = isLast ? view.known.upperBound == view.count : view.first == 0
    if !isTold { return aim = isLast ? .last : .first }
    let end = isLast ? view.known.last(where: view.canBeCurrent) : view.known.first(where: view.canBeCurrent)
    let hasMoved = makeCurrent(end)
    scroll(by: isLast ? view.count : -view.count)
    if hasMoved { scrollToCurrent() }
  }

  private func scrollToCurrent() { view.top = view.top(showingCurrentIn: areaOfRows) }

  /// Scrolls without moving; the current row may go out of view.
  private func scroll(by rows: Int) { view.top = max(0, min(view.lastTop(in: areaOfRows), view.top + rows)) }

  // MARK: - Typed letters

  /// The time in which another letter continues the typed letters.
  private static let typing = Duration.seconds(1)

  /// Returns true if letters were typed a moment ago, so that others continue them.
  func isTyping(_ now: Duration) -> Bool { !typed.text.isEmpty && now < typedUntil }

  /// Returns true if a key is an unbound letter that finds a row; within a second after it, any key that types.
  func isTypeAhead(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    // A stroke that the app has bound always reaches its binding. Without a current row, no row can be found.
    guard face.findsTyped, currentNode != nil, !face.isBound(stroke), !isOfPane(stroke, face) else { return false }
    if isTyping(face.now) { return text?.isEmpty == false || stroke.key == "backspace" && stroke.modifiers.isEmpty }
    // A stroke of the face's commands doesn't begin a search.
    guard let letter = text?.first, !letter.isWhitespace else { return false }
    return face.command(of: stroke) == nil && stroke.key != "?" && stroke.key != "."
  }

  /// Moves to the row that begins with the typed letters. Returns false if the key doesn't search.
  private func typesAhead(_ stroke: Stroke, _ text: String?, _ face: Face) -> Bool {
    let isTypeAhead = isTypeAhead(stroke, text, of: face)
    if !isTyping(face.now) || face.isBound(stroke) { typed.replace("") }
    guard isTypeAhead else { return false }
    typedUntil = face.now + Self.typing
    _ = typed.key(stroke, text)
    if text != nil { find(face) }
    return true
  }

  /// Moves to the next row in which the title or a word begins with the typed letters. The app searches unknown rows.
  private func find(_ face: Face) {
    // From the second letter on the current row counts too.
    let from = view.current.map { typed.text.count > 1 ? $0 : $0 + 1 } ?? 0
    if view.known.count < view.count {
      let parameters: [(String, JSON)] = [("text", .text(typed.text)), ("from", .integer(from + 1))]
      return face.ask("find", parameters + (id.map { [("pane", .text($0))] } ?? []), for: .row(typed.text))
    }
    let titles = view.rows.map { $0.canBeCurrent ? $0.node.element.title : "" }
    guard let found = titles.first(beginningWith: typed.text, from: from) else { return face.sayNotFound(typed.text) }
    makeCurrent(found)
    isRowFollowed = true
  }

  // MARK: - Filter and marks

  /// Returns the filter that a pane shows; nil if there is none.
  func shownFilter(of element: MenuElement) -> ShownFilter? {
    if let filter { return ShownFilter(text: filter.text, cursor: filter.cursor) }
    guard let text = element.area?.filter, !text.isEmpty else { return nil }
    return ShownFilter(text: text)
  }

  /// Returns true if a stroke is a key of the pane, which doesn't find a row.
  private func isOfPane(_ stroke: Stroke, _ face: Face) -> Bool {
    guard let area = id.flatMap({ face.menus[$0] })?.element.area, !isTyping(face.now) else { return false }
    if face.paneOfKey(stroke) != nil { return true }
    return area.hasFilter && stroke == .filter || area.hasMarks && stroke == .range
  }

  /// Handles a key while the person types a filter, and the key that opens its line.
  func keyOfFilter(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    guard let id, let area = face.menus[id]?.element.area, area.hasFilter else { return false }
    guard var field = filter else {
      guard stroke == .filter, !face.isBound(stroke), !isTyping(face.now) else { return false }
      filter = TextField(area.filter)
      return true
    }
    switch (stroke.key, stroke.modifiers) {
    case ("enter", []):
      filter = nil
      // The found row stays current when the filter is cleared.
      if let node = currentNode, !field.text.isEmpty { (chosen, cause) = (node.id, .move) }
    case ("escape", []), ("esc", []):
      filter = nil
      face.ask("filter", [("pane", .text(id)), ("text", .text(""))], for: .narrowing)
    case ("up", []), ("down", []): return false
    default:
      let effect = field.key(stroke, text)
      filter = field
      if effect == .edited { face.ask("filter", [("pane", .text(id)), ("text", .text(field.text))], for: .narrowing) }
    }
    return true
  }

  /// Clears the first of range, marks and filter. Returns false if there is none.
  func clears(of face: Face) -> Bool {
    guard let id, let node = face.menus[id], let area = node.element.area else { return false }
    if anchor != nil {
      anchor = nil
    } else if area.marked > 0 {
      mark([], of: face)
    } else if !area.filter.isEmpty {
      face.ask("filter", [("pane", .text(id)), ("text", .text(""))], for: .narrowing)
    } else {
      return false
    }
    return true
  }

  /// Handles the keys that mark rows: space the current row, `v` a range from there, ctrl+a all.
  func keyOfMarks(_ stroke: Stroke, of face: Face) -> Bool {
    guard let area = id.flatMap({ face.menus[$0] })?.element.area, area.hasMarks, let node = currentNode else {
      return false
    }
    switch (stroke.key, stroke.modifiers) {
    case ("space", []):
      mark([node.id], node.element.isMarked ? .remove : .add, of: face)
      move(by: 1)
    case ("v", []):
      anchor = anchor == nil ? node.id : nil
      markRange(of: face)
    case ("a", .ctrl): mark([], .all, of: face)
    default: return false
    }
    return true
  }

  /// Marks the rows between the first row of a range and the current row.
  private func markRange(of face: Face) {
    if let anchor, let current = currentNode?.id { mark([anchor, current], .through, of: face) }
  }

  /// Makes the app mark exactly these rows, or change the marks: rows out of sight may be marked too.
  private func mark(_ ids: [String], _ change: MarkChange? = nil, of face: Face) {
    guard let id else { return }
    let how = change.map { [("how", JSON.text($0.rawValue))] } ?? []
    face.ask("mark", [("ids", .list(ids.map { .text($0) })), ("pane", .text(id))] + how, for: .narrowing)
  }

  // MARK: - The mouse

  /// A press makes a row current; a press on the current row picks it.
  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    if case .wheel(let rows, _) = mouse.deed { scroll(by: 3 * rows) }
    guard areaOfRows.holds(mouse), let place = view.row(at: mouse.row, in: areaOfRows) else { return true }
    switch mouse.deed {
    case .press(.left): if !makeCurrent(place), view.current == place { face.enterRow() }
    case .press(.right):
      makeCurrent(place)
      if view.current == place { _ = face.opensMenuOfRow() }
    default: break
    }
    return true
  }
}

/// A *pane area* is a pane on the screen: its title, its filter, and its rows or lines.
final class PaneArea: Component {
  /// The rows of the pane; empty for a text.
  let panel: Panel
  /// The lines of a text; nil for a pane with rows.
  let text: TextView?
  var area = Area.nowhere
  private var element = MenuElement.nothing
  private var isFocused = false

  init(_ panel: Panel, isText: Bool = false) {
    self.panel = panel
    text = isText ? panel.id.map { TextView($0) } : nil
  }

  func refresh(from face: Face) {
    panel.refresh(from: face)
    text?.refresh(from: face)
    isFocused = face.panel === panel
    if let id = panel.id, let node = face.menus[id] { element = node.element }
  }

  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool { panel.key(stroke, text, of: face) }

  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    if let text, let id = panel.id {
      if case .press(.left) = mouse.deed { face.focusPane(id) }
      text.mouse(mouse, of: face)
      return true
    }
    guard let id = panel.id, case .press(.left) = mouse.deed, !panel.areaOfRows.holds(mouse) else {
      return panel.mouse(mouse, of: face)
    }
    face.focusPane(id)
    return true
  }

  /// Returns the number of rows for the whole pane: its titles, an open filter, and at least one row or line.
  func rowsNeeded(by element: MenuElement) -> Int {
    let filter = text.map(\.search) ?? panel.shownFilter(of: element)
    let content = element.area?.text?.lines ?? element.area?.rows ?? 0
    return 1 + (filter == nil ? 0 : 1) + (panel.view.hasTitles && content > 1 ? 1 : 0) + max(1, content)
  }

  // MARK: - Drawing

  func draw(on canvas: inout Canvas, theme: Theme) {
    panel.area = Area.nowhere
    guard !area.isEmpty else { return }
    drawTitle(on: &canvas, theme)
    var rows = Area(row: area.row + 1, column: area.column, rows: area.rows - 1, columns: area.columns)
    if rows.rows > 1, let filter = text.map(\.search) ?? panel.shownFilter(of: element) {
      draw(filter, in: rows, on: &canvas, theme)
      rows = Area(row: rows.row + 1, column: rows.column, rows: rows.rows - 1, columns: rows.columns)
    }
    guard rows.rows > 0 else { return }
    if let text { return text.draw(on: &canvas, in: rows, theme: theme, isFocused: isFocused) }
    panel.area = rows
    if let area = element.area, !area.filter.isEmpty, area.rows == 0 {
      let text = "no row has these letters".cut(toColumns: max(0, rows.columns - 5))
      canvas.put(text, row: rows.row, column: rows.column + 3, style: theme.subtitle, in: rows)
    }
    panel.draw(on: &canvas, theme: theme, isFocused: isFocused)
  }

  /// Draws the key quiet, the title strong, or accented if focused, and the note of its `look` at the right.
  private func drawTitle(on canvas: inout Canvas, _ theme: Theme) {
    var column = area.column + 1
    let end = area.endColumn - 1
    if let key = element.key {
      column = canvas.put(key, row: area.row, column: column, style: isFocused ? theme.accent : theme.key, in: area) + 1
    }
    let title = element.spans ?? StyledText(element.title.isEmpty ? element.id : element.title)
    let glyphs = theme.glyphs(of: title, over: isFocused ? theme.accent : theme.header)
    column = canvas.put(glyphs.cut(toColumns: max(0, end - column)), row: area.row, column: column, in: area) + 2
    guard end - column > 2 else { return }
    var shown =
      element.subtitle.map {
        theme.glyphs(of: element.subtitleSpans ?? StyledText($0), over: theme.subtitle)
      } ?? []
    if let marked = element.area?.marked, marked > 0 {
      let count = theme.glyphs(of: StyledText("\(marked) marked"), over: theme.look(of: .changed))
      shown = count + (shown.isEmpty ? [] : theme.glyphs(of: StyledText("  "), over: theme.subtitle)) + shown
    }
    shown = shown.cut(toColumns: end - column)
    canvas.put(shown, row: area.row, column: end - shown.columns, in: area)
  }

  private func draw(_ filter: ShownFilter, in rows: Area, on canvas: inout Canvas, _ theme: Theme) {
    let start = canvas.put("/ ", row: rows.row, column: rows.column + 1, style: theme.accent, in: rows)
    let line = Area(row: rows.row, column: start, rows: 1, columns: max(0, rows.endColumn - 1 - start))
    filter.draw(on: &canvas, in: line, theme: theme)
  }
}
