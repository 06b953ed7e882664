import LiveHost
import ScriptHost

/// The *panel*: the list that is always open, with the current row, known by its node so that it stays the same when rows change.
///
/// The app tells only the rows in sight, and some around them. The current row may be out of sight.
final class Panel: Component {
  private(set) var view = PanelView(rows: [])
  /// The `shape` of the menus from which the rows were made. A row that only changes its look is drawn from its node.
  private var shape = -1
  /// The letters typed to find a row, and the time until which another one is added to them.
  private(set) var typed = TextField()
  private(set) var typedUntil = Duration.zero
  /// Whether the panel has to scroll to its current row, since a key or the app made it current.
  var isRowFollowed = false
  var area = Area.nowhere {
    willSet {
      // Where the current row is seen, a screen of another size shows it too.
      if currentNode != nil, newValue != area, view.showsCurrent(in: area) { isRowFollowed = true }
    }
  }
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

  func refresh(from face: Face) { show(face.menus) }

  func draw(on canvas: inout Canvas, theme: Theme) {
    if isRowFollowed { scrollToCurrent() } else { scroll(by: 0) }
    isRowFollowed = false
    if !area.isEmpty { view.draw(on: &canvas, in: area, theme: theme) }
  }

  /// Replaces the rows. If the current one is gone, the nearest to its place becomes current. Without a current one the first row becomes it.
  private func show(_ menus: ShownMenus) {
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
    let isAiming = aim != nil
    reachAim()
    if isAiming, aim == nil { isRowFollowed = true }
  }

  private func place(of id: String) -> Int? {
    view.rows.firstIndex { $0.node.id == id }.map { view.first + $0 }
  }

  /// Makes the row current at which the panel aims, if the app has told it by now.
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

  /// Makes a row current, at once or as soon as the app has told it.
  func go(to aim: Aim) {
    self.aim = aim
    reachAim()
  }

  /// Gives up the row at which the panel aims, because it is not there any more.
  func giveUpAim() { aim = nil }

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
  func makeCurrent(_ place: Int?) -> Bool { makeCurrent(place, .move) }

  @discardableResult
  private func makeCurrent(_ place: Int?, _ cause: Cause) -> Bool {
    guard let place, view.current != place, let row = view.row(place), row.canBeCurrent else { return false }
    (view.current, currentNode) = (place, row.node)
    (chosen, self.cause) = (row.node.id, cause)
    return true
  }

  /// Makes a row current because the app says so, out of sight or not.
  ///
  /// - Parameter place: its place among all rows; nil if it is in sight.
  func follow(_ id: String, place other: Int?) {
    if let place = place(of: id), let row = view.row(place), row.canBeCurrent {
      if view.current != place { isRowFollowed = true }
      (chosen, aim) = (nil, nil)
      return (view.current, currentNode) = (place, row.node)
    }
    if let other, !view.known.contains(other) { (aim, isRowFollowed) = (.row(id, place: other), true) }
  }

  /// Marks the current row to be told again, because an app that was reloaded may not know it; unless the app names one itself.
  func chooseAnew() {
    guard chosen == nil, let node = currentNode else { return }
    (chosen, cause) = (node.id, .reload)
  }

  /// Whether the person has moved to a row and the app doesn't know it yet.
  var isMoved: Bool { chosen != nil && cause == .move }
  /// Whether the first row is current only because nobody has made another one current.
  var isAtStart: Bool { chosen != nil && cause == .start }

  /// Takes the id of the row of which the app has to be told; nil if it knows it.
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

  /// Makes the row of an id current; returns whether there is one.
  func makeCurrent(_ id: String, of face: Face) -> Bool {
    refresh(from: face)
    guard let place = place(of: id), view.canBeCurrent(place) else { return false }
    makeCurrent(place)
    return true
  }

  // MARK: - Keys

  /// Takes a key; one that the app has bound is the app's.
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    refresh(from: face)
    guard !isEmpty, face.strokes.begun.isEmpty else { return false }
    if typesAhead(stroke, text, face) { return true }
    if face.isBound(stroke) { return false }
    let page = max(1, area.rows - 1)
    switch (stroke.key, stroke.modifiers) {
    case ("up", []): move(by: -1)
    case ("down", []): move(by: 1)
    case ("pageup", []): move(by: -page)
    case ("pagedown", []): move(by: page)
    case ("home", []): moveToEnd(isLast: false)
    case ("end", []): moveToEnd(isLast: true)
    case ("enter", []) where currentNode != nil: face.enterRow()
    case ("enter", .alt), ("?", []):
      guard let node = currentNode else { return false }
      face.askWhy(node.id)
    case ("menu", []), ("f10", .shift), (".", []): return face.opensMenuOfRow()
    default: return false
    }
    return true
  }

  /// Moves by a number of rows that can be current, up to the ends; without a current row, to the first from that end. A move never skips text
  /// between rows unseen: if no such row is in view, or the next is more than a screen away or missing, it scrolls instead.
  private func move(by step: Int) {
    let (top, showsRows) = (view.top, view.showsRows(in: area))
    if !showsRows { scroll(by: step) }
    if view.top != top { return }
    let isLost = showsRows && !view.showsCurrent(in: area)
    let hasMoved = makeCurrent(view.row(movingBy: step, in: area))
    if hasMoved || isLost { scrollToCurrent() } else { scroll(by: step) }
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

  private func scrollToCurrent() { view.top = view.top(showingCurrentIn: area) }

  /// Scrolls without moving; the current row may go out of view.
  private func scroll(by rows: Int) { view.top = max(0, min(view.lastTop(in: area), view.top + rows)) }

  // MARK: - Typed letters

  /// How long a letter adds to those typed before it.
  private static let typing = Duration.seconds(1)

  /// Whether letters were typed a moment ago, so that others are added to them.
  func isTyping(_ now: Duration) -> Bool { !typed.text.isEmpty && now < typedUntil }

  /// Whether a key is a letter that finds a row. The app hasn't bound it; within a second after the first one it may be any other.
  func isTypeAhead(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    // A stroke that the app has bound always reaches its binding. Where no row can be current, none can be found.
    guard currentNode != nil, !face.isBound(stroke) else { return false }
    if isTyping(face.now) { return text?.isEmpty == false || stroke.key == "backspace" && stroke.modifiers.isEmpty }
    // A stroke of the face's own commands doesn't begin a search.
    guard let letter = text?.first, !letter.isWhitespace else { return false }
    return face.command(of: stroke) == nil && stroke.key != "?" && stroke.key != "."
  }

  /// Moves to the row that begins with the typed letters; returns whether the key was one of them.
  private func typesAhead(_ stroke: Stroke, _ text: String?, _ face: Face) -> Bool {
    let isTypeAhead = isTypeAhead(stroke, text, of: face)
    if !isTyping(face.now) || face.isBound(stroke) { typed.replace("") }
    guard isTypeAhead else { return false }
    typedUntil = face.now + Self.typing
    _ = typed.key(stroke, text)
    if text != nil { find(face) }
    return true
  }

  /// Moves to the next row whose title, or a word of it, begins with the typed letters; if not all rows are told, the app looks for it.
  private func find(_ face: Face) {
    // From the second letter on the current row counts too.
    let from = view.current.map { typed.text.count > 1 ? $0 : $0 + 1 } ?? 0
    if view.known.count < view.count {
      let parameters: [(String, JSON)] = [("text", .text(typed.text)), ("from", .integer(from + 1))]
      return face.ask("find", parameters, for: .row(typed.text))
    }
    let titles = view.rows.map { $0.canBeCurrent ? $0.node.element.title : "" }
    guard let found = titles.first(beginningWith: typed.text, from: from) else { return face.sayNotFound(typed.text) }
    makeCurrent(found)
    isRowFollowed = true
  }

  // MARK: - The mouse

  /// A press makes a row current; a press on the current row picks it.
  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    if case .wheel(let rows, _) = mouse.deed { scroll(by: 3 * rows) }
    guard area.holds(mouse), let place = view.row(at: mouse.row, in: area) else { return true }
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
