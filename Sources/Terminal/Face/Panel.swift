import ScriptHost

/// The *panel* of a face: its rows, and the current one, known by its node so that it stays the same when rows change.
///
/// The app tells only the rows in sight, and some around them. The current row may be out of sight.
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

  /// A row out of sight that becomes the current one as soon as the app has told it.
  enum Aim: Equatable {
    case row(String, place: Int)
    case first, last
  }

  private(set) var aim: Aim?
  private(set) var currentNode: ShownMenus.Node?

  private enum Cause {
    /// It was the first row when there was no current one. The app is told with the next request that is about the current row.
    case start
    case move
    /// It was current before the app was reloaded.
    case reload
  }

  var isEmpty: Bool { view.count == 0 }

  /// Replaces the rows. If the current one is gone, the nearest to its place becomes current. Without a current one the first row becomes it.
  mutating func show(_ menus: ShownMenus) {
    guard shape != menus.shape else { return }
    shape = menus.shape
    let (was, before) = (currentNode, view)
    view = PanelView(
      rows: menus.panel.shown.flatMap(Self.rows), before: menus.rowsAround.before, after: menus.rowsAround.after)
    view.top = before.top
    // Where other rows came into sight, hidden ones among them have shifted the places of the others.
    if before.first != view.first, let top = before.row(before.top), let place = place(of: top.node.id) {
      view.top = place + (before.row(before.top - 1)?.node === top.node ? top.line : 0)
    }
    if let was, let place = before.current {
      view.current = self.place(of: was.id)
      if let now = view.current {
        currentNode = view.row(now)?.node
      } else if view.known.contains(place) || view.count <= place {
        makeNearestCurrent(to: place)
      } else {
        view.current = place
      }
    }
    if view.current == nil { makeCurrent(view.known.first(where: view.canBeCurrent), .start) }
    reachAim()
  }

  private func place(of id: String) -> Int? {
    view.rows.firstIndex { $0.node.id == id }.map { view.first + $0 }
  }

  /// Makes the row current at which the panel aims, if the app has told it by now.
  private mutating func reachAim() {
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

  /// Makes a row current, at once or as soon as the app has told it.
  mutating func go(to aim: Aim) {
    self.aim = aim
    reachAim()
  }

  /// Gives up the row at which the panel aims, because it is not there any more.
  mutating func giveUpAim() { aim = nil }

  /// Whether the app has told the rows within some of the current one.
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

  /// Makes a row current; returns whether it can be and wasn't.
  @discardableResult
  mutating func makeCurrent(_ place: Int?) -> Bool { makeCurrent(place, .move) }

  @discardableResult
  private mutating func makeCurrent(_ place: Int?, _ cause: Cause) -> Bool {
    guard let place, view.current != place, let row = view.row(place), row.canBeCurrent else { return false }
    (view.current, currentNode) = (place, row.node)
    (chosen, self.cause) = (row.node.id, cause)
    return true
  }

  /// Makes a row current because the app says so, out of sight or not; returns whether another one was.
  ///
  /// - Parameter place: its place among all rows; nil if it is in sight.
  mutating func follow(_ id: String, place other: Int?) -> Bool {
    if let place = place(of: id), let row = view.row(place), row.canBeCurrent {
      let isOther = view.current != place
      (chosen, aim) = (nil, nil)
      (view.current, currentNode) = (place, row.node)
      return isOther
    }
    guard let other, !view.known.contains(other) else { return false }
    aim = .row(id, place: other)
    return true
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
    (view.current, currentNode) = (nil, nil)
    let from = min(max(place, view.first), view.known.upperBound)
    for distance in 0...max(1, view.rows.count) {
      if makeCurrent(from + distance) || makeCurrent(from - distance) { return }
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
    let isTold = isLast ? view.known.upperBound == view.count : view.first == 0
    if !isTold { return aim = isLast ? .last : .first }
    let end = isLast ? view.known.last(where: view.canBeCurrent) : view.known.first(where: view.canBeCurrent)
    let hasMoved = makeCurrent(end)
    scroll(by: isLast ? view.count : -view.count, in: area)
    if hasMoved { scroll(in: area) }
  }

  /// The place from which typed letters find a row: from the second letter on the current row counts too.
  var findsFrom: Int { view.current.map { typed.count > 1 ? $0 : $0 + 1 } ?? 0 }

  /// Moves to the next row whose title, or a word of it, begins with the typed letters; all rows are told.
  mutating func find() -> Bool {
    let titles = view.rows.map { $0.canBeCurrent ? $0.node.element.title : "" }
    guard let found = titles.first(beginningWith: typed, from: findsFrom) else { return false }
    makeCurrent(found)
    return true
  }

  // MARK: - What is to be seen

  mutating func scroll(in area: Area) { view.top = view.top(showingCurrentIn: area) }

  /// Scrolls without moving; the current row may go out of view.
  mutating func scroll(by rows: Int, in area: Area) {
    view.top = max(0, min(view.lastTop(in: area), view.top + rows))
  }
}
