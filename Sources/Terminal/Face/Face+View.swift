import LiveHost
import ScriptHost

// What the face looks at: only that is asked of the app.

extension Face {
  /// The most rows that a pane has that aren't asked for by number.
  private static let mostRows = 100_000
  /// As many rows are asked for at least, so that most panels are always in view as a whole.
  private static let fewRows = 100

  /// What the face has to look at now. The palette, the plain face and the body list everything; at first nobody knows whether there is a body.
  var wantedView: FaceView {
    let isWhole = hasBodyBesidePanel || over.contains(where: \.listsEverything)
    let listsMenus = isWhole || menus.version == 0 || isBodyShown
    return FaceView(menus: listsMenus ? nil : bar.openIDs, panes: wantedPanes(isWhole), texts: seenTexts)
  }

  /// The rows of each pane to look at; nil for all rows of all panes.
  private func wantedPanes(_ isWhole: Bool) -> [String: Range<Int>]? {
    var wanted: [String: Range<Int>] = [:]
    // Of rows that are asked for by number, only some are ever looked at; then all of the other panes are named by their number.
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

  /// The rows of a list to look at: those in the present view, as long as they are enough.
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
    let needed = max(0, top - height / 2)..<max(0, min(count, top + height + height / 2))
    guard asked.lowerBound <= needed.lowerBound, needed.upperBound <= asked.upperBound
    else { return around(top, height) }
    // Rows that are hidden take no room, so more are asked for until the screen is full.
    if panel.view.rows.count < 2 * height, asked.upperBound < count {
      return asked.lowerBound..<asked.upperBound + asked.count
    }
    return asked
  }

  private func around(_ top: Int, _ height: Int) -> Range<Int> {
    let from = max(0, top - height)
    return from..<from + max(Self.fewRows, 3 * height)
  }

  /// Whether the app has told the items of a menu.
  func isTold(_ menu: String) -> Bool { view.shows(menu) && !isAwaiting(.view) }

  /// Whether the app has still to tell what an open menu or the palette lists.
  var isListIncomplete: Bool {
    guard let top = over.last else { return bar.isIncomplete }
    return top.listsEverything && (isAwaiting(.actions) || isAwaiting(.view))
  }

  /// Asks for another view where the present one isn't enough any more, one at a time.
  func lookAtWhatIsWanted() {
    guard menus.version > 0, !isAwaiting(.view) else { return }
    let wanted = wantedView
    if wanted == view { return panel.giveUpAim() }
    // What comes into view or goes out of it as a whole is told as a whole.
    let isWhole =
      wanted.panes == nil || view.panes == nil || wanted.menus != view.menus
      || wanted.panes?.count != view.panes?.count
    view = wanted
    if isListIncomplete, busySince == nil { busySince = now }
    let topics: [(String, JSON)] = [("to", .list([.text("menus"), .text("panel")])), ("view", view.json)]
    ask("subscribe", topics + (isWhole ? [("now", .bool(true))] : []), for: .shown)
  }

  /// Brings the current row into view, with those around it.
  func lookAtCurrentRow() {
    guard let id = panel.currentNode?.id, let place = panel.view.current, panel.aim == nil else { return }
    panel.go(to: .row(id, place: place))
    lookAtWhatIsWanted()
  }
}
