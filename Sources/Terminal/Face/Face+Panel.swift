import LiveHost
import ScriptHost

// The panel: a list that is always open, below the bar.

extension Face {
  /// Has the panel show what there is now.
  func refreshPanel() {
    panel.show(menus)
  }

  /// A tick that has gone from one row to another, or stands where none did, takes the current row with it: else an app whose keys lead
  /// through its rows would have two. Where a person moves meanwhile, the row stays where they are.
  func followTick() {
    guard let id = menus.ticked.first, menus.ticked.count == 1, !isMovingRow else { return }
    let isLastStill = lastTicked.flatMap { menus[$0] }.map { $0.element.state == .on } ?? false
    guard menus.unticked.count == 1 || !isLastStill else { return }
    lastTicked = id
    follow(id)
  }

  /// Whether a person has moved, and the app doesn't know it yet.
  var isMovingRow: Bool { panel.isMoved || awaited.values.contains(where: \.isOfChoice) }

  /// Goes where the app says, as long as nobody moves.
  func follow(_ id: String) {
    if isMovingRow { return }
    refreshPanel()
    if panel.follow(id) { isRowFollowed = true }
  }

  // MARK: - Keys

  /// A key while nothing is open: whether it means anything to the panel. What the app has bound is the app's, but for a row that is being typed.
  func panelKey(_ stroke: Stroke, _ text: String?) -> Bool {
    refreshPanel()
    guard !panel.isEmpty, strokes.begun.isEmpty else { return false }
    if typesAhead(stroke, text) { return true }
    if isBound(stroke) { return false }
    let page = max(1, layout.body.rows - 1)
    switch (stroke.key, stroke.modifiers) {
    case ("up", []): panel.move(by: -1, in: layout.body)
    case ("down", []): panel.move(by: 1, in: layout.body)
    case ("pageup", []): panel.move(by: -page, in: layout.body)
    case ("pagedown", []): panel.move(by: page, in: layout.body)
    case ("home", []): panel.moveToEnd(isLast: false, in: layout.body)
    case ("end", []): panel.moveToEnd(isLast: true, in: layout.body)
    case ("enter", []) where hasRows: enterRow()
    case ("enter", .alt), ("?", []): return asksWhyOfRow()
    case ("menu", []), ("f10", .shift), (".", []): return opensMenuOfRow()
    default: return false
    }
    return true
  }

  /// Makes a row current by its id; whether there is such a row.
  func makeCurrent(_ id: String) -> Bool {
    refreshPanel()
    guard let place = panel.view.rows.firstIndex(where: { $0.node.id == id && $0.canBeCurrent }) else { return false }
    panel.makeCurrent(place)
    return true
  }

  /// So long a letter adds to those typed before.
  private static let typing = Duration.seconds(1)

  /// Letters that the app has not bound go to the row that begins so; until a second has passed every letter does.
  private func typesAhead(_ stroke: Stroke, _ text: String?) -> Bool {
    let isTyping = !panel.typed.isEmpty && now < panel.typedUntil
    if !isTyping { panel.typed = "" }
    if isTyping, stroke.key == "backspace", stroke.modifiers.isEmpty {
      panel.typed.removeLast()
      panel.typedUntil = now + Self.typing
      return true
    }
    guard let text, let letter = text.first, !letter.isWhitespace || isTyping else { return false }
    if !isTyping {
      // What begins something of the app's, or is the face's own, is that.
      guard !isBound(stroke), command(of: stroke) == nil, stroke.key != "?", stroke.key != "." else { return false }
    }
    panel.typed += text
    panel.typedUntil = now + Self.typing
    if panel.find() { isRowFollowed = true } else { say(.refused("no row begins with '\(panel.typed)'")) }
    return true
  }

  /// Picks the current row; one that is a menu opens beside it.
  func enterRow() {
    guard let node = panel.currentNode else { return sayThatNoRowIsCurrent() }
    if node.element.kind == .menu { return openMenu(.app(node.id)) }
    pick(node.id)
  }

  /// Whether the panel has anything that can be current.
  var hasRows: Bool { panel.view.rows.contains(where: \.canBeCurrent) }

  private func sayThatNoRowIsCurrent() {
    refuse("no row is current yet" + (isBound(.down) ? "" : "; ↓ goes to the first"))
  }

  private func asksWhyOfRow() -> Bool {
    guard let node = panel.currentNode else { return false }
    askWhy(node.id)
    return true
  }

  /// Asks for the context menu of the current row.
  func opensMenuOfRow() -> Bool {
    guard let node = panel.currentNode else {
      if hasRows { sayThatNoRowIsCurrent() }
      return hasRows
    }
    if node.element.kind == .menu {
      openMenu(.app(node.id))
    } else {
      tellChosen()
      ask("context_menu", [("id", .text(node.id))], for: .contextMenu(node.element.title))
    }
    return true
  }

  /// Shows a context menu beside the current row.
  func show(contextMenu json: JSON, of title: String) {
    let elements = (try? AnswerReader().menus(json["children"])) ?? []
    guard !elements.isEmpty else {
      // What was typed was for the menu.
      early = []
      return refuse("\(title): there is no menu for it")
    }
    context.replace(elements)
    openMenu(.context)
  }

  private func openMenu(_ source: OpenMenu.Source) {
    open = [OpenMenu(source)]
    refreshMenus()
    // What is gone by now was closed again.
    if !open.isEmpty { open[0].makeFirstCurrent() }
  }

  // MARK: - What becomes current

  /// The screen was drawn: of the rows that became current, the last is told to the app.
  func wasDrawn() {
    if !awaited.values.contains(where: \.isOfChoice) { tellChosen() }
  }

  /// Tells the app which row is the current one, where it doesn't know: what is asked of it next is asked of that row.
  func tellChosen() {
    guard let id = panel.told() else { return }
    ask("choose", [("id", .text(id))], for: .choice(id))
  }

  /// What came of telling the app: nothing is said of what went well.
  func came(ofChoice id: String, _ json: JSON) {
    stale.insert(.inspector)
    guard let performed = try? AnswerReader().performed(json, before: .nothing) else { return }
    switch performed.outcome.status {
    case .handled, .pending: break
    case .running:
      if let number = json["job"]?.integer { began(number, menus[id]?.element.title ?? id, json["progress"]) }
    case .asks: break
    default:
      // A row that is not there any more is no news.
      if menus[id] != nil { report(performed, menus[id]?.element.title ?? id) }
    }
  }

  // MARK: - The mouse

  /// The row under the mouse.
  func panelPlace(_ mouse: Mouse) -> Int? {
    guard layout.body.holds(row: mouse.row, column: mouse.column) else { return nil }
    return panel.view.row(at: mouse.row, in: layout.body)
  }
}
