import ScriptHost

/// The *panel* of a face: its rows, and the current one, known by its node so that it stays the same when rows change.
struct Panel {
  private(set) var view = PanelView(rows: [])
  /// The `shape` of the menus from which the rows were made. A row that only changes its look is drawn from its node.
  private var shape = -1
  /// The letters typed to find a row, and the time until which another one is added to them.
  var typed = ""
  var typedUntil = Duration.zero
  /// The id of the current row, if the app has still to be told of it.
  private(set) var chosen: String?
  /// Why `chosen` became current.
  private var cause = Cause.move

  private enum Cause {
    /// It was the first row when there was no current one. The app is told with the next request that is about the current row.
    case start
    case move
    /// It was current before the app was reloaded.
    case reload
  }

  var isEmpty: Bool { view.rows.isEmpty }
  var currentNode: ShownMenus.Node? { view.current.map { view.rows[$0].node } }

  /// Replaces the rows. If the current one is gone, the nearest to its place becomes current. Without a current one the first row becomes it.
  mutating func show(_ menus: ShownMenus) {
    guard shape != menus.shape else { return }
    shape = menus.shape
    let (was, place, top) = (currentNode, view.current, view.top)
    view = PanelView(rows: menus.panel.shown.flatMap(Self.rows))
    view.top = top
    view.current = was.flatMap { was in view.rows.firstIndex { $0.node === was || $0.node.id == was.id } }
    if let place, view.current == nil { makeNearestCurrent(to: place) }
    if view.current == nil { makeCurrent(view.rows.firstIndex(where: \.canBeCurrent), .start) }
  }

  private static func rows(_ node: ShownMenus.Node) -> [PanelView.Row] {
    guard node.element.kind == .label else { return [PanelView.Row(node: node)] }
    return node.element.titleLines.indices.map { PanelView.Row(node: node, line: $0) }
  }

  // MARK: - The current row

  /// Makes a row current; returns whether it can be and wasn't.
  @discardableResult
  mutating func makeCurrent(_ place: Int?) -> Bool { makeCurrent(place, .move) }

  @discardableResult
  private mutating func makeCurrent(_ place: Int?, _ cause: Cause) -> Bool {
    guard let place, view.rows.indices.contains(place), view.rows[place].canBeCurrent, view.current != place else {
      return false
    }
    view.current = place
    (chosen, self.cause) = (view.rows[place].node.id, cause)
    return true
  }

  /// Makes a row current because the app says so; returns whether another one was.
  mutating func follow(_ id: String) -> Bool {
    guard let place = view.rows.firstIndex(where: { $0.node.id == id && $0.canBeCurrent }) else { return false }
    chosen = nil
    defer { view.current = place }
    return view.current != place
  }

  /// Marks the current row to be told again, because an app that was reloaded may not know it; unless the app names one itself.
  mutating func chooseAnew() {
    guard chosen == nil, let node = currentNode else { return }
    (chosen, cause) = (node.id, .reload)
  }

  /// Whether the person has moved to a row and the app doesn't know it yet.
  var isMoved: Bool { chosen != nil && cause == .move }
  /// Whether the first row is current only because nobody has made another one current.
  var isAtStart: Bool { chosen != nil && cause == .start }

  /// Takes the id of the row of which the app has to be told; nil if it knows it.
  mutating func told() -> String? {
    defer { chosen = nil }
    return chosen
  }

  private mutating func makeNearestCurrent(to place: Int) {
    view.current = nil
    for distance in 0...max(1, view.rows.count) {
      for near in [place + distance, place - distance] where view.rows.indices.contains(near) {
        if makeCurrent(near) { return }
      }
    }
  }

  /// Moves by a number of rows that can be current, up to the ends; without a current row, to the first from that end. A move never skips text
  /// between rows unseen: if no such row is in view, or the next is more than a screen away or missing, it scrolls instead.
  mutating func move(by step: Int, in area: Area) {
    let (top, showsRows) = (view.top, view.showsRows(in: area))
    if !showsRows { scroll(by: step, in: area) }
    if view.top != top { return }
    let isLost = showsRows && !view.showsCurrent(in: area)
    let hasMoved = makeCurrent(view.row(movingBy: step, in: area))
    if hasMoved || isLost { scroll(in: area) } else { scroll(by: step, in: area) }
  }

  /// Moves to the first or the last row that can be current; the next time scrolls to the text before or after it.
  mutating func moveToEnd(isLast: Bool, in area: Area) {
    let end = isLast ? view.rows.lastIndex(where: \.canBeCurrent) : view.rows.firstIndex(where: \.canBeCurrent)
    let hasMoved = makeCurrent(end)
    scroll(by: isLast ? view.rows.count : -view.rows.count, in: area)
    if hasMoved { scroll(in: area) }
  }

  /// Moves to the next row whose title, or a word of it, begins with the typed letters; from the second letter on the current row counts too.
  mutating func find() -> Bool {
    let typed = typed.lowercased()
    let from = view.current.map { typed.count > 1 ? $0 : $0 + 1 } ?? 0
    let order = Array(from..<max(from, view.rows.count)) + Array(0..<min(from, view.rows.count))
    for isWhole in [true, false] {
      let found = order.first { place in
        view.rows[place].canBeCurrent && view.rows[place].node.element.title.begins(with: typed, isWhole: isWhole)
      }
      guard let found else { continue }
      makeCurrent(found)
      return true
    }
    return false
  }

  // MARK: - What is to be seen

  mutating func scroll(in area: Area) { view.top = view.top(showingCurrentIn: area) }

  /// Scrolls without moving; the current row may go out of view.
  mutating func scroll(by rows: Int, in area: Area) {
    view.top = max(0, min(view.lastTop(in: area), view.top + rows))
  }
}

extension String {
  /// Whether the text, or one of its words, begins with these lower-case letters.
  fileprivate func begins(with letters: String, isWhole: Bool) -> Bool {
    let small = lowercased()
    if isWhole { return small.hasPrefix(letters) }
    return small.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(letters) }
  }
}
