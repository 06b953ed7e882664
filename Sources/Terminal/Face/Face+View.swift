import LiveHost
import ScriptHost

// The face's view: the face requests only this part of the app.

extension Face {
  /// The most rows of a pane that are requested without a range.
  private static let mostRows = 100_000
  /// The fewest requested rows, so that most panels are in view as a whole.
  private static let fewRows = 100

  /// The view that the face needs now. At first, and for palette, plain face and body, that is everything.
  var wantedView: FaceView {
    let isWhole = hasBodyBesidePanel || over.contains(where: \.listsEverything)
    let listsMenus = isWhole || menus.version == 0 || isBodyShown
    return FaceView(menus: listsMenus ? nil : bar.openIDs, panes: wantedPanes(isWhole), texts: seenTexts)
  }

  /// Returns the rows of each pane that the face needs; nil for all rows of all panes.
  private func wantedPanes(_ isWhole: Bool) -> [String: Range<Int>]? {
    var wanted: [String: Range<Int>] = [:]
    // Counted rows are never all in view. The other panes then need ranges too, for all of their rows.
    let counted = panels.filter { $0.id.flatMap { menus[$0] }?.element.area?.isCounted ?? false }
    for panel in panels {
      let isCounted = counted.contains { $0 === panel }
      if let rows = wantedRows(of: panel, isWhole && !isCounted) {
        wanted[panel.key] = rows
      } else if counted.isEmpty {
        return nil
      } else {
        wanted[panel.key] = 0..<Self.mostRows
      }
    }
    return wanted
  }

  /// Returns the rows of a list that the face needs: those in the current view, as long as they suffice.
  private func wantedRows(of panel: Panel, _ isWhole: Bool) -> Range<Int>? {
    let count = panel.rowCount(in: menus)
    let height = max(10, rows)
    guard let asked = view.panes?[panel.key], menus.version > 0 else {
      return isWhole ? nil : around(panel.view.top, height)
    }
    if asked.lowerBound == 0, asked.upperBound >= count { return asked }
    if isWhole { return nil }
    let top =
      switch panel.aim {
      case .row(_, let place)?: place - height / 2
      case .first?: 0
      case .last?: count - height
      case nil: panel.view.top
      }
    let end = max(0, min(count, top + height + height / 2))
    let needed = min(end, max(0, top - height / 2))..<end
    guard asked.lowerBound <= needed.lowerBound, needed.upperBound <= asked.upperBound
    else { return around(top, height) }
    // Hidden rows take no room, so the face requests more rows until the screen is full.
    if panel.view.rows.count < 2 * height, asked.upperBound < count {
      return asked.lowerBound..<asked.upperBound + asked.count
    }
    return asked
  }

  private func around(_ top: Int, _ height: Int) -> Range<Int> {
    let from = max(0, top - height)
    return from..<from + max(Self.fewRows, 3 * height)
  }

  /// Returns true if the face has the items of a menu.
  func isTold(_ menu: String) -> Bool { view.shows(menu) && !isAwaiting(.view) }

  /// Whether an open menu or the palette waits for its items.
  var isListIncomplete: Bool {
    guard let top = over.last else { return bar.isIncomplete }
    return top.listsEverything && (isAwaiting(.actions) || isAwaiting(.view))
  }

  /// Requests another view if the current view doesn't suffice, one request at a time.
  func lookAtWhatIsWanted() {
    guard menus.version > 0, !isAwaiting(.view) else { return }
    let wanted = wantedView
    if wanted == view { return panel.giveUpAim() }
    // A part that enters or leaves the view is sent as a whole.
    let isWhole =
      wanted.panes == nil || view.panes == nil || wanted.menus != view.menus
      || wanted.panes?.count != view.panes?.count
    view = wanted
    if isListIncomplete, busySince == nil { busySince = now }
    let topics: [(String, JSON)] = [("to", .list([.text("menus"), .text("panel")])), ("view", view.json)]
    ask("subscribe", topics + (isWhole ? [("now", .bool(true))] : []), for: .shown)
  }

  /// Brings the current row and its neighbours into view.
  func lookAtCurrentRow() {
    guard let id = panel.currentNode?.id, let place = panel.view.current, panel.aim == nil else { return }
    panel.go(to: .row(id, place: place))
    lookAtWhatIsWanted()
  }
}

// The current row of the panel: when the face reports it to the app, and when the app sets it.

extension Face {
  /// Makes the newly ticked row current, for apps whose keys move through their rows by ticking them.
  /// Requires that another row was unticked or the last followed row isn't ticked now. A moving person keeps the row.
  func followTick() {
    guard let id = menus.ticked.first, menus.ticked.count == 1, !isMovingRow else { return }
    let isLastStill = lastTicked.flatMap { menus[$0] }.map { $0.element.state == .on } ?? false
    guard menus.unticked.count == 1 || !isLastStill else { return }
    lastTicked = id
    follow(id)
  }

  /// Whether the person has moved to a row that the app doesn't know yet.
  var isMovingRow: Bool { panel.isMoved || isAwaiting(.choice) }

  /// Makes a row current because the app requests it, unless the person is moving.
  ///
  /// - Parameter number: the row's number among all rows, from 1; nil if it is in sight.
  func follow(_ id: String, number: Int? = nil) {
    if isMovingRow { return }
    panel.refresh(from: self)
    panel.follow(id, place: number.map { $0 - 1 })
  }

  /// Makes the row current that a message of the app names, if any.
  func followApp(_ json: JSON) {
    // Panes report their current rows themselves.
    guard panes.isEmpty, let row = json["current"]?.text else { return }
    rowOfApp = row
    follow(row, number: json["number"]?.integer)
  }

  /// Goes to the row that the app found for the typed letters.
  func found(_ json: JSON, _ typed: String) {
    guard let id = json["id"]?.text, let number = json["number"]?.integer else { return sayNotFound(typed) }
    panel.go(to: .row(id, place: number - 1))
    panel.isRowFollowed = true
  }

  func sayNotFound(_ typed: String) {
    say(.refused("no row begins with '\(typed)'" + (typed == Stroke.quitElsewhere.text ? howToQuit : "")))
  }

  /// The end of the message about an unbound 'q', for a person who wants to quit.
  var howToQuit: String {
    let stroke = strokeInUse(of: .quit).map { "\($0.text) \($0.text) quits" }
    return "; \(stroke ?? "\(strokeOfOwnMenu.text) \(BarView.own) has Quit")"
  }

  /// Picks the current row. If it is a menu, opens it beside the row.
  func enterRow() {
    guard let node = panel.currentNode else { return }
    if node.element.isOpen != nil { return openBranch(node.id) }
    if node.element.kind == .menu { return openMenu(.app(node.id)) }
    pick(node.id)
  }

  /// Makes the app open a branch of a tree, or close an open branch.
  func openBranch(_ id: String) {
    tellChosen()
    ask("pick", [("id", .text(id))], for: .narrowing)
  }

  /// Requests the context menu of the current row.
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

  // MARK: - Reporting the current row

  /// Called after drawing. Reports the current row to the app; of several moves only the last.
  func wasDrawn() {
    if settings.tellsFirstRow || !panel.isAtStart, !isAwaiting(.choice) { tellChosen() }
  }

  /// Reports a new current row to the app, because the next request is about that row.
  func tellChosen() {
    for panel in panels {
      guard let id = panel.told() else { continue }
      rowOfApp = id
      ask("choose", [("id", .text(id))], for: .choice(id))
    }
  }

  /// Handles the app's answer about the current row, and shows only a failure. A refusal is logged: the person is
  /// already moving on, and would see a random one of several.
  func came(ofChoice id: String, _ json: JSON) {
    stale.insert(.inspector)
    guard let performed = try? AnswerReader().read(json, as: Answer.Performed.self) else { return }
    switch performed.outcome.status {
    case .handled, .pending: break
    case .running:
      if let number = json["job"]?.integer { began(number, menus[id]?.element.title ?? id, json["progress"]) }
    case .asks: break
    case .failed, .cancelled:
      // Rows that are gone need no message.
      if let row = menus[id] { report(performed, row.element.title) }
    case .unhandled, .disabled, .blocked:
      if let row = menus[id], let reason = performed.outcome.whyNot {
        log.add(.init(text: "\(row.element.title): \(reason)", kind: .refusal))
        // A person who moves to another pane sees why that is impossible.
        if row.element.kind == .pane { say(.refused(reason)) }
      }
    }
  }
}
