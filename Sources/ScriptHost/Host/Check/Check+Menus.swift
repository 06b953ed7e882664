// Finds mistakes in menus that work nevertheless.

extension Check {
  /// Items or menus with the same title that one menu shows at once. Rows of sections are left out, because they are data.
  func duplicates() -> [Diagnostic] {
    var found: [Diagnostic] = []
    var hiding: [String: Bool] = [:]
    let tree = host.menuTrees.snapshotTree()
    tree.forEach { node in
      let isPanel = node === tree.panel
      guard isPanel || node.element.kind == .menu,
        !(node.element.menu?.inline ?? false) || node.element.menu?.look != nil
      else {
        return
      }
      var first: [String: [MenuNode]] = [:]
      for child in shown(in: node) {
        let key = "\(child.element.kind.rawValue) \(child.element.title)"
        defer { first[key, default: []].append(child) }
        // After eight elements with the same title, more comparisons say nothing new.
        guard let other = first[key]?.prefix(8).first(where: { standTogether($0, child, &hiding) }) else { continue }
        let menu = isPanel ? "the panel" : node.parent == nil ? "the menubar" : "menu '\(node.element.title)'"
        let otherPlace = other.element.place.map { " (the other is at \($0))" } ?? ""
        found.append(
          Diagnostic(
            .warning, "duplicate-title", "\(child.element.described) stands twice in \(menu)\(otherPlace)",
            place: place(of: child.element.title, at: child.element.place, lines: 1)))
      }
    }
    return found
  }

  /// Whether two elements are certainly shown at once: no `look` may hide one of them, or the same action decides about both.
  private func standTogether(_ one: MenuNode, _ other: MenuNode, _ hiding: inout [String: Bool]) -> Bool {
    if let left = one.element.action, let right = other.element.action, left.raw.hasSameBytes(as: right.raw),
      left.own.isEmpty, right.own.isEmpty
    {
      return true
    }
    return !mayHide(one, &hiding) && !mayHide(other, &hiding)
  }

  /// Items whose declared mnemonic is not in their title, and no `look` may title them anew.
  func strayMnemonics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    Check.forEachNode(of: host) { node in
      let element = node.element
      // Rows are data, and a `look` may give another title.
      guard let letter = element.facts.details?.mnemonic, !element.facts.isUntitled,
        node.parent?.element.kind != .section,
        !element.title.lowercased().contains(letter.lowercased()), element.look == nil,
        element.action.map({ !mayTitle($0.reference) }) ?? true
      else { return }
      found.append(
        Diagnostic(
          .warning, "unknown-field",
          "'mnemonic' of \(element.described) is '\(letter)', which is not in its title: it is not read",
          place: place(of: "mnemonic", behind: element.title, at: element.place)))
    }
    return found
  }

  /// Whether any responder has a `look` for an action, wherever it stands.
  private func mayTitle(_ reference: Reference) -> Bool {
    let names = reference.candidates.compactMap { host.names.name(of: $0.name) }
    return host.responders.contains { responder in names.contains { responder.entry(.look, $0) != nil } }
  }

  /// Whether a `look` may hide it or title it anew. The answer is cached for each action.
  private func mayHide(_ node: MenuNode, _ hiding: inout [String: Bool]) -> Bool {
    if node.element.menu?.look != nil || node.element.look != nil { return true }
    guard let reference = node.element.action?.reference else { return false }
    if let known = hiding[reference.id] { return known }
    let resolution = Resolution(
      reference, raw: reference.id, on: dispatcher.defaultWalk(), dispatcher: dispatcher, isKept: false)
    let mayHide = resolution.candidate(0, witness: nil)?.look != nil
    hiding[reference.id] = mayHide
    return mayHide
  }

  /// The elements that a menu shows side by side, without rows.
  private func shown(in node: MenuNode) -> [MenuNode] {
    node.children.flatMap { child -> [MenuNode] in
      switch child.element.kind {
      case .item: child.element.facts.hidden ? [] : [child]
      case .menu:
        if child.element.facts.hidden {
          []
        } else if !(child.element.menu?.inline ?? false) {
          [child]
        } else {
          // An inline menu with a `look` is hidden as a whole, so its elements are compared only with each other.
          child.element.menu?.look == nil ? shown(in: child) : []
        }
      case .section, .label, .separator: []
      }
    }
  }

  /// Items that are disabled without a reason from a script.
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
