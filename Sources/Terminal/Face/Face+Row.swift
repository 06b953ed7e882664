import LiveHost
import ScriptHost

// The current row of the panel: when the app is told of it, and when the app says which one it is.

extension Face {
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
  var isMovingRow: Bool { panel.isMoved || isAwaiting(.choice) }

  /// Makes a row current because the app says so, unless the person is moving.
  ///
  /// - Parameter number: its number among all rows, from 1; nil if it is in sight.
  func follow(_ id: String, number: Int? = nil) {
    if isMovingRow { return }
    panel.refresh(from: self)
    panel.follow(id, place: number.map { $0 - 1 })
  }

  /// Makes the row current that the app names in a message, if it names one.
  func followApp(_ json: JSON) {
    // A pane says itself which of its rows is current.
    guard panes.isEmpty, let row = json["current"]?.text else { return }
    rowOfApp = row
    follow(row, number: json["number"]?.integer)
  }

  /// Goes to the row that begins with what was typed, as the app has found it.
  func found(_ json: JSON, _ typed: String) {
    guard let id = json["id"]?.text, let number = json["number"]?.integer else { return sayNotFound(typed) }
    panel.go(to: .row(id, place: number - 1))
    panel.isRowFollowed = true
  }

  func sayNotFound(_ typed: String) {
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
    if node.element.isOpen != nil { return openBranch(node.id) }
    if node.element.kind == .menu { return openMenu(.app(node.id)) }
    pick(node.id)
  }

  /// Has the app open a branch of a tree, or close it if it is open.
  func openBranch(_ id: String) {
    tellChosen()
    ask("pick", [("id", .text(id))], for: .narrowing)
  }

  /// Asks for the context menu of the current row.
  func opensMenuOfRow() -> Bool {
    guard let node = panel.currentNode else { return false }
    if node.element.kind == .menu, node.element.isOpen == nil {
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
    bar.context.replace(elements)
    openMenu(.context)
  }

  // MARK: - What becomes current

  /// Called after the screen was drawn: tells the app the current row, of several that became current only the last.
  func wasDrawn() {
    if settings.tellsFirstRow || !panel.isAtStart, !isAwaiting(.choice) { tellChosen() }
  }

  /// Tells the app the current row if it doesn't know it, because the next request is about that row.
  func tellChosen() {
    for panel in panels {
      guard let id = panel.told() else { continue }
      rowOfApp = id
      ask("choose", [("id", .text(id))], for: .choice(id))
    }
  }

  /// Takes the app's answer about the current row; only a failure is reported. A person who moves wants to be elsewhere, so a refusal is only logged:
  /// else it would depend on how fast the person moves which of several is said.
  func came(ofChoice id: String, _ json: JSON) {
    stale.insert(.inspector)
    guard let performed = try? AnswerReader().read(json, as: Answer.Performed.self) else { return }
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
        // Whoever goes to another pane is told why that isn't possible.
        if row.element.kind == .pane { say(.refused(reason)) }
      }
    }
  }
}
