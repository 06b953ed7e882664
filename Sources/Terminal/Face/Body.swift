import LiveHost
import ScriptHost

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
