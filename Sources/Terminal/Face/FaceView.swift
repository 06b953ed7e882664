import LiveHost
import ScriptHost

/// What of the app's panel a face looks at: the rows in sight and some around them, so that most moves need no others.
struct FaceView: Equatable {
  /// The rows for which the app is asked, from 0; nil for all.
  var rows: Range<Int>?

  /// The view as `subscribe` takes it.
  var json: JSON {
    guard let rows else { return .object([]) }
    return .object([
      ("rows", .object([("panel", .list([.integer(rows.lowerBound + 1), .integer(rows.upperBound)]))]))
    ])
  }
}

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

/// The *body* of the screen, below the bar: what can be done now, and what can't and why, grouped by responder.
struct Body {
  private(set) var lines: [BodyView.Line] = []
  /// The version of the menus from which it was made.
  private var version = -1

  func isCurrent(_ version: Int) -> Bool { self.version == version }

  /// Makes it from the menus' items, under the names of the responders that answer or refuse them, those of the chain first, in its order.
  /// A disabled item keeps its place, so that nothing moves about.
  init(_ menus: ShownMenus, chain: [String]) {
    version = menus.version
    var order = chain
    var groups: [String: [BodyView.Line]] = [:]
    var elsewhere: [BodyView.Line] = []
    for (node, path) in menus.items {
      let element = node.element
      let by = element.by ?? ""
      if groups[by] == nil, !order.contains(by) { order.append(by) }
      var line = BodyView.Line(
        kind: .item, key: element.key ?? "", mark: element.stateMark, title: element.title,
        note: element.isEnabled ? path.joined(separator: " › ") : element.whyNotInRow,
        isEnabled: element.isEnabled, isDestructive: element.isDestructive, id: node.id)
      if element.elsewhere == nil {
        groups[by, default: []].append(line)
      } else {
        // The header says so already.
        line.note = ""
        elsewhere.append(line)
      }
    }
    add(
      order.filter { !$0.isEmpty }.map { ($0, groups[$0] ?? []) }
        + [(.notHere, elsewhere), (Self.answeredByNobody, groups[""] ?? [])])
  }

  /// The header of items that can't be done because no responder answers them.
  private static let answeredByNobody = "can't be done"

  /// Makes it from the responders' actions, nearest first, for an app without menus; actions with a title are under that.
  init(_ responders: [Answer.Node], keys: [BoundKeys], actions: [ListedAction], version: Int) {
    self.version = version
    add(
      responders.map { responder in
        (
          responder.name,
          responder.actions.map { action in
            BodyView.Line(
              kind: .item, key: keys.first { $0.entry.reference == action.name }?.sequence.text ?? "",
              title: actions.first { $0.entry.name == action.name && $0.entry.by == responder.name }?.title
                ?? action.name,
              note: action.validation.reason ?? "", isEnabled: action.validation.isEnabled)
          }
        )
      })
  }

  init() {}

  private mutating func add(_ groups: [(name: String, lines: [BodyView.Line])]) {
    for (name, group) in groups where !group.isEmpty {
      if !lines.isEmpty { lines.append(BodyView.Line(kind: .empty)) }
      lines.append(BodyView.Line(kind: .header, title: name))
      lines += group
    }
  }
}

/// The areas in which a face drew its parts last, by which it finds what the mouse points at.
struct FaceLayout {
  var bar: [Area] = []
  var menus: [Area] = []
  var body = Area(row: 0, column: 0, rows: 0, columns: 0)
  /// The area of the top overlay.
  var over = Area(row: 0, column: 0, rows: 0, columns: 0)
}
