// What is wrong with menus that can be used all the same.

extension Check {
  /// Items or menus of one menu that are called the same; the rows of a section are data.
  func duplicates() -> [Diagnostic] {
    var found: [Diagnostic] = []
    host.menuTrees.snapshotTree().root.forEach { node in
      guard node.element.kind == .menu, !(node.element.menu?.inline ?? false) else { return }
      var first: [String: MenuNode] = [:]
      for child in shown(in: node) {
        let key = "\(child.element.kind.rawValue) \(child.element.title)"
        guard let other = first[key] else {
          first[key] = child
          continue
        }
        let menu = node.parent == nil ? "the menubar" : "menu '\(node.element.title)'"
        let otherPlace = other.element.place.map { " (the other is at \($0))" } ?? ""
        found.append(
          Diagnostic(
            .warning, "duplicate-title", "\(child.element.described) stands twice in \(menu)\(otherPlace)",
            place: place(of: child.element.title, at: child.element.place, lines: 1)))
      }
    }
    return found
  }

  /// What is seen side by side in a menu, but for rows.
  private func shown(in node: MenuNode) -> [MenuNode] {
    node.children.flatMap { child -> [MenuNode] in
      switch child.element.kind {
      case .item: child.element.facts.hidden ? [] : [child]
      case .menu: child.element.menu?.inline ?? false ? shown(in: child) : child.element.facts.hidden ? [] : [child]
      case .section, .label, .separator: []
      }
    }
  }

  /// Items that are disabled, and nobody says why in words of its own.
  func unexplained() -> [Diagnostic] {
    var met: Set<String> = []
    return host.menuTrees.unexplained().compactMap { one in
      guard met.insert("\(one.place.map { "\($0)" } ?? "") \(one.isOfItem ? one.node.id : one.reason)").inserted else {
        return nil
      }
      return Diagnostic(
        .warning, "no-reason", "\(one.node.element.described) is disabled without a reason of its own: \(one.reason)",
        place: one.isOfItem ? place(of: one.node.element.title, at: one.place, lines: 1) : one.place, help: one.help)
    }
  }
}
