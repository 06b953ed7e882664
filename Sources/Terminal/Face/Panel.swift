import ScriptHost

/// The *panel* while it is shown: its rows, and which is the current one, by what it is, so that it stays through whatever changes.
struct Panel {
  private(set) var view = PanelView(rows: [])
  /// How often rows had come and gone when this was made; a row that only looks otherwise is drawn from where it is kept.
  private var shape = -1
  /// What was typed to find a row, and until when a letter adds to it.
  var typed = ""
  var typedUntil = Duration.zero
  /// The row that became the current one and has not been told to the app.
  private(set) var chosen: String?
  /// Whether a person has moved to it; else it was the current one before the app was read anew.
  private var hasMoved = false

  var isEmpty: Bool { view.rows.isEmpty }
  var currentNode: ShownMenus.Node? { view.current.map { view.rows[$0].node } }

  /// Takes the rows as they are now. Where the current one is gone, the nearest to its place is.
  mutating func show(_ menus: ShownMenus) {
    guard shape != menus.shape else { return }
    shape = menus.shape
    let (was, place, top) = (currentNode, view.current, view.top)
    view = PanelView(rows: menus.panel.shown.flatMap(Self.rows))
    view.top = top
    guard let place else { return }
    view.current = was.flatMap { was in view.rows.firstIndex { $0.node === was || $0.node.id == was.id } }
    if view.current == nil { makeNearestCurrent(to: place) }
  }

  private static func rows(_ node: ShownMenus.Node) -> [PanelView.Row] {
    guard node.element.kind == .label else { return [PanelView.Row(node: node)] }
    return node.element.titleLines.indices.map { PanelView.Row(node: node, line: $0) }
  }

  // MARK: - The current row

  /// Makes a row current; whether it can be, and wasn't.
  @discardableResult
  mutating func makeCurrent(_ place: Int?) -> Bool {
    guard let place, view.rows.indices.contains(place), view.rows[place].canBeCurrent, view.current != place else {
      return false
    }
    view.current = place
    (chosen, hasMoved) = (view.rows[place].node.id, true)
    return true
  }

  /// Makes a row current that the app knows to be; whether another one was.
  mutating func follow(_ id: String) -> Bool {
    guard let place = view.rows.firstIndex(where: { $0.node.id == id && $0.canBeCurrent }) else { return false }
    chosen = nil
    defer { view.current = place }
    return view.current != place
  }

  /// The current row, which an app that was read anew may not know: it is told once more, unless the app says itself which it is.
  mutating func chooseAnew() {
    guard chosen == nil, let node = currentNode else { return }
    (chosen, hasMoved) = (node.id, false)
  }

  /// Whether a person has moved, and the app doesn't know it yet.
  var isMoved: Bool { chosen != nil && hasMoved }

  /// The row that is to be told to the app, which knows it from then on.
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

  /// Moves by so many rows that can be current, up to the ends; without a current row to the first of that end. What stands between them is
  /// passed over by no move: where none of them is to be seen, or the next is more than a screen away or not there, so much is scrolled.
  mutating func move(by step: Int, in area: Area) {
    let (top, showsRows) = (view.top, view.showsRows(in: area))
    if !showsRows { scroll(by: step, in: area) }
    if view.top != top { return }
    let isLost = showsRows && !view.showsCurrent(in: area)
    let hasMoved = makeCurrent(view.row(movingBy: step, in: area))
    if hasMoved || isLost { scroll(in: area) } else { scroll(by: step, in: area) }
  }

  /// Moves to the first row or the last one; from there on to what stands before it or behind it.
  mutating func moveToEnd(isLast: Bool, in area: Area) {
    let end = isLast ? view.rows.lastIndex(where: \.canBeCurrent) : view.rows.firstIndex(where: \.canBeCurrent)
    let hasMoved = makeCurrent(end)
    scroll(by: isLast ? view.rows.count : -view.rows.count, in: area)
    if hasMoved { scroll(in: area) }
  }

  /// Goes to the next row whose title, or a word of it, begins with what was typed; the current one counts while it is typed on.
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

  /// Scrolls without moving: the current row may be out of sight then.
  mutating func scroll(by rows: Int, in area: Area) {
    view.top = max(0, min(view.lastTop(in: area), view.top + rows))
  }
}

extension String {
  /// Whether it, or one of its words, begins with small letters.
  fileprivate func begins(with letters: String, isWhole: Bool) -> Bool {
    let small = lowercased()
    if isWhole { return small.hasPrefix(letters) }
    return small.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(letters) }
  }
}
