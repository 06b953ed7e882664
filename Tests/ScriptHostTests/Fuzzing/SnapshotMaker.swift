@testable import ScriptHost

/// Makes snapshots that no host has drawn, and changes that fit no snapshot.
enum SnapshotMaker {
  /// A tree over few ids, so that most elements occur in two trees.
  static func tree(_ choices: inout Choices) -> MenuElement {
    var ids = (0..<choices.below(24)).map { "e\($0)" }
    var shuffled: [String] = []
    while !ids.isEmpty { shuffled.append(ids.remove(at: choices.below(ids.count))) }
    var root = MenuElement(nothingOf: "root")
    root.children = children(&shuffled, depth: 0, &choices)
    return root
  }

  private static func children(_ ids: inout [String], depth: Int, _ choices: inout Choices) -> [MenuElement] {
    var children: [MenuElement] = []
    while let id = ids.popLast() {
      var element = element(id, &choices)
      if element.kind == .menu, depth < 8 { element.children = self.children(&ids, depth: depth + 1, &choices) }
      children.append(element)
      if depth > 0, choices.isLikely(80) { break }
    }
    return children
  }

  private static func element(_ id: String, _ choices: inout Choices) -> MenuElement {
    let facts = Facts(
      choices.one(of: [.item, .menu, .menu, .separator, .label]),
      title: choices.one(of: ["t", "u", "é", "e\u{301}", ""]),
      action: choices.one(of: ["", "a", "b(k: 1)"]), key: choices.one(of: [nil, "k", "ctrl+k"]),
      details: choices.one(of: [nil, nil, Facts.Details(subtitle: "s"), Facts.Details(confirm: "c")]))
    var element = MenuElement(
      id: id, facts: facts, isEnabled: choices.isLikely(128), isHidden: choices.isLikely(40),
      state: choices.one(of: [.off, .on, .mixed]))
    element.reason = choices.one(of: [nil, "no", "not now"])
    element.by = choices.one(of: [nil, "grid"])
    if choices.isLikely(40) {
      var look = Look()
      look.title = choices.one(of: ["t", "other", nil])
      var alternates: [MenuElement.Alternate] = []
      if choices.isLikely(128) {
        let other = MenuElement(
          id: "\(id)/other", facts: Facts(.item, title: choices.one(of: ["x", "y"])), isEnabled: choices.isLikely(128),
          isHidden: false, state: .off)
        alternates = [MenuElement.Alternate(modifiers: [choices.one(of: ["alt", "ctrl"])], element: other)]
      }
      element.extras = MenuElement.Extras(look: look, alternates: alternates)
    }
    return element
  }

  /// Changes made without regard to the tree.
  static func changes(_ choices: inout Choices) -> [MenuChange] {
    func id(_ choices: inout Choices) -> String { choices.isLikely(24) ? "root" : "e\(choices.below(26))" }
    return (0..<choices.below(6)).map { _ in
      let parent = id(&choices)
      let after = choices.isLikely(128) ? id(&choices) : nil
      switch choices.below(4) {
      case 0: return .insert(element("e\(choices.below(26))", &choices), parent: parent, after: after)
      case 1: return .remove(id: parent)
      case 2: return .move(id: id(&choices), parent: parent, after: after)
      default: return .update(element(parent, &choices))
      }
    }
  }
}
