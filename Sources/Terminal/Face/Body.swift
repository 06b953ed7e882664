import LiveHost
import ScriptHost

/// The *body* of the screen, below the bar: what can be done now, and what can't, with its reason, by who does it.
struct Body {
  private(set) var lines: [BodyView.Line] = []
  /// The version of the menus that it was made of.
  private var version = -1

  func isCurrent(_ version: Int) -> Bool { self.version == version }

  /// Makes it of the menus' items, under the names of who takes or refuses them: those of the chain first, in its order. What can't be done
  /// stays where it stands when it can, so that nothing moves about.
  init(_ menus: ShownMenus, chain: [String]) {
    version = menus.version
    var order = chain
    var groups: [String: [BodyView.Line]] = [:]
    for (node, path) in menus.items {
      let element = node.element
      let by = element.by ?? ""
      if groups[by] == nil, !order.contains(by) { order.append(by) }
      groups[by, default: []].append(
        BodyView.Line(
          kind: .item, key: element.key ?? "", mark: element.stateMark, title: element.title,
          note: element.isEnabled ? path.joined(separator: " › ") : element.reason ?? "",
          isEnabled: element.isEnabled, isDestructive: element.isDestructive, id: node.id))
    }
    add(order.filter { !$0.isEmpty }.map { ($0, groups[$0] ?? []) } + [(Self.nobody, groups[""] ?? [])])
  }

  /// The header of what nobody takes.
  private static let nobody = "nobody"

  /// Makes it of what responders answer, nearest first, where there are no menus; of what is said to be done of it, by what that is called.
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
