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
    let needed = max(0, top - height / 2)..<max(0, min(count, top + height + height / 2))
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
