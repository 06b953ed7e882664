import LiveHost
import ScriptHost

// What the face looks at: only that is asked of the app.

extension Face {
  /// As many rows are asked for at least, so that most panels are always in view as a whole.
  private static let fewRows = 100

  /// What the face has to look at now: the present view, as long as it is enough.
  var wantedView: FaceView {
    // The palette and the plain face list everything.
    let isWhole = hasBodyBesidePanel || over.contains(where: \.listsEverything)
    let count = menus.rowsAround.before + menus.panel.children.count + menus.rowsAround.after
    let height = max(10, rows)
    guard let asked = view.rows, menus.version > 0 else {
      return isWhole ? FaceView(rows: nil) : around(panel.view.top, height)
    }
    if asked.lowerBound == 0, asked.upperBound >= count { return view }
    if isWhole { return FaceView(rows: nil) }
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
      return FaceView(rows: asked.lowerBound..<asked.upperBound + asked.count)
    }
    return view
  }

  private func around(_ top: Int, _ height: Int) -> FaceView {
    let from = max(0, top - height)
    return FaceView(rows: from..<from + max(Self.fewRows, 3 * height))
  }

  /// Asks for another view where the present one isn't enough any more, one at a time.
  func lookAtWhatIsWanted() {
    guard menus.version > 0, !awaited.values.contains(where: \.isOfRows) else { return }
    let wanted = wantedView
    if wanted == view { return panel.giveUpAim() }
    // What comes into view or goes out of it as a whole is told as a whole.
    let isWhole = wanted.rows == nil || view.rows == nil
    view = wanted
    let topics: [(String, JSON)] = [("to", .list([.text("menus"), .text("panel")])), ("view", view.json)]
    ask("subscribe", topics + (isWhole ? [("now", .bool(true))] : []), for: isWhole ? .shown : .view)
  }

  /// Brings the current row into view, with those around it.
  func lookAtCurrentRow() {
    guard let id = panel.currentNode?.id, let place = panel.view.current, panel.aim == nil else { return }
    panel.go(to: .row(id, place: place))
    lookAtWhatIsWanted()
  }
}
