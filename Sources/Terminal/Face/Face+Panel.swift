import LiveHost
import ScriptHost

// The panel: the list that is always open, below the bar.

extension Face {
  /// Updates the panel's rows.
  func refreshPanel() {
    let isAiming = panel.aim != nil
    panel.show(menus)
    if isAiming, panel.aim == nil { isRowFollowed = true }
  }

  /// Makes the one row current that the app has just ticked, if another was unticked or the row followed last isn't ticked any more: else an app
  /// whose keys move through its rows would seem to have two current rows. While the person moves, the current row stays.
  func followTick() {
    guard let id = menus.ticked.first, menus.ticked.count == 1, !isMovingRow else { return }
    let isLastStill = lastTicked.flatMap { menus[$0] }.map { $0.element.state == .on } ?? false
    guard menus.unticked.count == 1 || !isLastStill else { return }
    lastTicked = id
    follow(id)
  }

  /// Whether the person has moved to a row and the app doesn't know it yet.
  var isMovingRow: Bool { panel.isMoved || awaited.values.contains(where: \.isOfChoice) }

  /// Makes a row current because the app says so, unless the person is moving.
  ///
  /// - Parameter number: its number among all rows, from 1; nil if it is in sight.
  func follow(_ id: String, number: Int? = nil) {
    if isMovingRow { return }
    refreshPanel()
    if panel.follow(id, place: number.map { $0 - 1 }) { isRowFollowed = true }
  }

  // MARK: - Keys

  /// Takes a key for the panel while nothing is open; returns whether it was one. A key that the app has bound is the app's.
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

  /// Makes the row of an id current; returns whether there is one.
  func makeCurrent(_ id: String) -> Bool {
    refreshPanel()
    guard let place = panel.view.known.first(where: { panel.view.row($0)?.node.id == id }),
      panel.view.canBeCurrent(place)
    else { return false }
    panel.makeCurrent(place)
    return true
  }

  /// How long a letter adds to those typed before it.
  private static let typing = Duration.seconds(1)

  /// Whether a key is a letter that finds a row. The app hasn't bound it; within a second after the first one it may be any other.
  func isTypeAhead(_ stroke: Stroke, _ text: String?) -> Bool {
    // A stroke that the app has bound always reaches its binding.
    guard !isBound(stroke) else { return false }
    if isTypingAhead { return text?.isEmpty == false || stroke.key == "backspace" && stroke.modifiers.isEmpty }
    // A stroke of the face's own commands doesn't begin a search.
    guard let letter = text?.first, !letter.isWhitespace else { return false }
    return command(of: stroke) == nil && stroke.key != "?" && stroke.key != "."
  }

  private var isTypingAhead: Bool { !panel.typed.isEmpty && now < panel.typedUntil }

  /// Moves to the row that begins with the typed letters; returns whether the key was one of them.
  private func typesAhead(_ stroke: Stroke, _ text: String?) -> Bool {
    let isTypeAhead = isTypeAhead(stroke, text)
    if !isTypingAhead || isBound(stroke) { panel.typed = "" }
    guard isTypeAhead else { return false }
    panel.typedUntil = now + Self.typing
    guard let text else {
      panel.typed.removeLast()
      return true
    }
    panel.typed += text
    if panel.view.known.count < panel.view.count {
      ask("find", [("text", .text(panel.typed)), ("from", .integer(panel.findsFrom + 1))], for: .row(panel.typed))
    } else if panel.find() {
      isRowFollowed = true
    } else {
      sayNotFound(panel.typed)
    }
    return true
  }

  /// Goes to the row that begins with what was typed, as the app has found it.
  func found(_ json: JSON, _ typed: String) {
    guard let id = json["id"]?.text, let number = json["number"]?.integer else { return sayNotFound(typed) }
    panel.go(to: .row(id, place: number - 1))
    isRowFollowed = true
  }

  private func sayNotFound(_ typed: String) {
    say(.refused("no row begins with '\(typed)'" + (typed == Stroke.quitElsewhere.text ? howToQuit : "")))
  }

  /// The end of the sentence that says that 'q' means nothing here, for a person who wants to quit.
  var howToQuit: String {
    let stroke = strokeInUse(of: .quit).map { "\($0.text) \($0.text) quits" }
    return "; \(stroke ?? "\(strokeOfOwnMenu.text) \(BarView.own) has Quit")"
  }

  /// Picks the current row; if it is a menu, opens it beside the row.
  func enterRow() {
    guard let node = panel.currentNode else { return }
    if node.element.kind == .menu { return openMenu(.app(node.id)) }
    pick(node.id)
  }

  /// Whether the panel has a row that can be current; one of them then is.
  var hasRows: Bool { panel.currentNode != nil }

  private func asksWhyOfRow() -> Bool {
    guard let node = panel.currentNode else { return false }
    askWhy(node.id)
    return true
  }

  /// Asks for the context menu of the current row.
  func opensMenuOfRow() -> Bool {
    guard let node = panel.currentNode else { return false }
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
    guard !elements.isEmpty else { return refuse("\(title): there is no menu for it") }
    context.replace(elements)
    openMenu(.context)
  }

  private func openMenu(_ source: OpenMenu.Source) {
    open = [OpenMenu(source)]
    refreshMenus()
    // `refreshMenus` has closed the menu if it is gone by now.
    if !open.isEmpty { open[0].makeFirstCurrent() }
  }

  // MARK: - What becomes current

  /// Called after the screen was drawn: tells the app the current row, of several that became current only the last. The first row is told with the
  /// first deed, so that looking at an app changes nothing in it.
  func wasDrawn() {
    if !panel.isAtStart, !awaited.values.contains(where: \.isOfChoice) { tellChosen() }
  }

  /// Tells the app the current row if it doesn't know it, because the next request is about that row.
  func tellChosen() {
    guard let id = panel.told() else { return }
    ask("choose", [("id", .text(id))], for: .choice(id))
  }

  /// Takes the app's answer about the current row; only a failure is reported. A person who moves wants to be elsewhere, so a refusal is only logged:
  /// else it would depend on how fast the person moves which of several is said.
  func came(ofChoice id: String, _ json: JSON) {
    stale.insert(.inspector)
    guard let performed = try? AnswerReader().performed(json, before: .nothing) else { return }
    switch performed.outcome.status {
    case .handled, .pending: break
    case .running:
      if let number = json["job"]?.integer { began(number, menus[id]?.element.title ?? id, json["progress"]) }
    case .asks: break
    case .failed, .cancelled:
      // For a row that isn't there any more nothing is reported.
      if let row = menus[id] { report(performed, row.element.title) }
    case .unhandled, .disabled, .blocked:
      if let row = menus[id], let reason = performed.outcome.whyNot {
        log.add(.init(text: "\(row.element.title): \(reason)", kind: .refusal))
      }
    }
  }

  // MARK: - The mouse

  /// The row under the mouse.
  func panelPlace(_ mouse: Mouse) -> Int? {
    guard layout.body.holds(row: mouse.row, column: mouse.column) else { return nil }
    return panel.view.row(at: mouse.row, in: layout.body)
  }
}
