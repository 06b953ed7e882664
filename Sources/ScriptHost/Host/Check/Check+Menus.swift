// Finds mistakes in menus that work nevertheless.

extension Check {
  /// Finds items or menus with the same title in one menu at the same time. Skips rows of sections, because they are
  /// data.
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
        // After eight elements with the same title, more comparisons find nothing new.
        guard let other = first[key]?.prefix(8).first(where: { standTogether($0, child, &hiding) }) else { continue }
        let menu = isPanel ? "the panel" : node.parent == nil ? "the menubar" : "menu '\(node.element.title)'"
        let otherPlace = other.element.place.map { " (the other is at \($0))" } ?? ""
        found.append(
          Diagnostic(
            .warning, "duplicate-title", "\(child.element.described) is twice in \(menu)\(otherPlace)",
            place: place(of: child.element.title, at: child.element.place, lines: 1)))
      }
    }
    return found
  }

  /// Returns true if two elements surely appear together: no `look` hides either, or both perform the same action.
  private func standTogether(_ one: MenuNode, _ other: MenuNode, _ hiding: inout [String: Bool]) -> Bool {
    if let left = one.element.action, let right = other.element.action, left.raw.hasSameBytes(as: right.raw),
      left.own.isEmpty, right.own.isEmpty
    {
      return true
    }
    return !mayHide(one, &hiding) && !mayHide(other, &hiding)
  }

  /// Finds items whose mnemonic is not in their title, unless a `look` may change the title.
  func strayMnemonics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    Check.forEachNode(of: host) { node in
      let element = node.element
      // Rows are data, and a `look` may return another title.
      guard let letter = element.facts.details?.mnemonic, !element.facts.isUntitled,
        node.parent?.element.kind != .section,
        !element.title.lowercased().contains(letter.lowercased()), element.look == nil,
        element.action.map({ !mayTitle($0.reference) }) ?? true
      else { return }
      found.append(
        Diagnostic(
          .warning, "unknown-field",
          "the mnemonic '\(letter)' of \(element.described) is ignored: the title has no '\(letter)'",
          place: place(of: "mnemonic", behind: element.title, at: element.place)))
    }
    return found
  }

  /// Returns true if any responder has a `look` for an action.
  private func mayTitle(_ reference: Reference) -> Bool {
    let names = reference.candidates.compactMap { host.names.name(of: $0.name) }
    return host.responders.contains { responder in names.contains { responder.entry(.look, $0) != nil } }
  }

  /// Returns true if a `look` may hide or rename a node. The result is cached for each action.
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

  /// Returns the elements that a menu shows side by side, without rows.
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
          // A `look` hides an inline menu as a whole, so its elements are compared only with each other.
          child.element.menu?.look == nil ? shown(in: child) : []
        }
      case .section, .label, .separator, .pane, .text, .beside, .stack, .tabs: []
      }
    }
  }

  /// Finds items that are disabled without a reason from a script.
  func unexplained() -> [Diagnostic] {
    var met: Set<String> = []
    return host.menuTrees.unexplained().compactMap { one in
      guard met.insert("\(one.place.map { "\($0)" } ?? "") \(one.isOfItem ? one.node.id : one.reason)").inserted else {
        return nil
      }
      return Diagnostic(
        .warning, "no-reason", "\(one.node.element.described) is disabled without a reason: \(one.reason)",
        place: one.isOfItem ? place(of: one.node.element.title, at: one.place, lines: 1) : one.place, help: one.help)
    }
  }
}

// Finds responders that handle named actions but are out of reach.

extension Check {
  /// Finds responders outside of the chain that alone could handle the actions of items and keys, and can't get into
  /// it.
  func unreached() -> [Diagnostic] {
    // A script that moves the focus later may move it to them, and the embedding program may do so at any time.
    guard !words.focusesLater, host.responders.allSatisfy({ $0.kind == .app || $0.owner !== host.program }),
      !behaviours.contains(where: { if case .asked? = $0.redirect { true } else { false } })
    else { return [] }
    // A pane brings its responder into the chain when it gets the focus.
    let ofPanes = host.menuTrees.panes.all.compactMap { $0.element.area?.responder }
    let walks = [dispatcher.defaultWalk()] + ofPanes.map(dispatcher.walks.walk)
    let chained = Set(walks.flatMap(\.nodes).map(ObjectIdentifier.init))
    let targets = behaviours.compactMap { if case .to(let name)? = $0.redirect { name } else { nil } }
    let outside = host.responders.filter { one in
      !chained.contains(ObjectIdentifier(one)) && !targets.contains { $0.hasSameBytes(as: one.name) }
    }
    if outside.isEmpty { return [] }
    let lost = unansweredInChain(chained).compactMap { name in host.names.name(of: name).map { (name, $0) } }
    // The search is bounded, since scripts can declare thousands of responders, behaviours and items.
    var steps = 1 << 22
    return outside.compactMap { responder in
      steps -= lost.count * (1 + responder.stack.count)
      if steps < 0 { return nil }
      let answers = lost.filter { responder.entry(.on, $0.1) != nil }.map(\.0)
      guard let first = answers.first else { return nil }
      let more = answers.count > 1 ? " and \(answers.count - 1) more actions of items or keys" : ""
      return Diagnostic(
        .warning, "out-of-chain", "'\(responder.name)' handles '\(first)'\(more), but isn't in the chain",
        place: place(of: responder.name, at: responder.place, lines: 1), help: wayIn(for: responder))
    }
  }

  /// Returns the actions of items and keys that nobody in the present chain handles, in the order of their uses.
  private func unansweredInChain(_ chained: Set<ObjectIdentifier>) -> [String] {
    let walk = dispatcher.defaultWalk()
    var met: Set<String> = []
    return uses.filter { $0.holder.map { chained.contains(ObjectIdentifier($0)) } ?? true }.flatMap { use in
      guard met.insert(use.reference.id).inserted else { return [String]() }
      let resolution = Resolution(
        use.reference, raw: use.reference.id, on: walk, dispatcher: dispatcher, isKept: false)
      return resolution.candidate(0, witness: nil) == nil ? use.reference.candidates.map(\.name) : []
    }
  }

  /// Returns help: the line that brings a responder into the chain.
  private func wayIn(for responder: Responder) -> String {
    let focused = host.focused
    var behind = responder.next
    while let known = behind, known !== focused { behind = known.next }
    // If the focus already follows this responder, it can't be put behind the focus.
    if focused.kind == .app || behind != nil { return "put it there: focus(\(responder.spelt))" }
    return "put it after '\(focused.name)', which has the focus: \(focused.spelt).next = \(responder.spelt)"
  }
}

extension Check {
  /// Returns the declaration of a function for an action: with a colon, if the action's name is a Lua identifier.
  static func declaration(_ table: String, _ action: String, of parameter: String = "ctx") -> String {
    action.isLuaWord
      ? "function \(table):\(action)(\(parameter))" : "\(table)[\"\(action)\"] = function(self, \(parameter))"
  }
}

extension Check.RegisteredHandler {
  /// The likely name of its class or responder in a script.
  var spelt: String { registered.behaviour.className ?? registered.by?.spelt ?? "" }

  /// Returns the declaration in a table, with the responder as `self` and the context as the parameter.
  func declaration(in table: String, of parameter: String) -> String {
    Check.declaration("\(spelt).\(table)", registered.action, of: parameter)
  }
}

extension Responder {
  /// The likely name of the responder in a script.
  var spelt: String {
    let isName = name.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x5F }
    return isName ? name : "app:find(\"\(name)\")"
  }
}

// X1: finds keys that few terminals send, unless another key performs the same action.

extension Check {
  func rareKeys() -> [Diagnostic] {
    var bound: [(keys: KeySequence, action: ByteText, what: String, place: Place?)] = []
    Check.forEachNode(of: host) { node in
      guard let keys = node.element.keys, let action = node.element.action else { return }
      bound.append((keys, ByteText(action.reference.format()), node.element.described, node.element.place))
    }
    for responder in host.responders {
      for (keys, binding) in responder.bindings where keys != .text {
        for (reference, _) in binding.all {
          bound.append((keys, ByteText(reference.format()), "'\(responder.name)'", binding.place))
        }
      }
    }
    let known = Set(bound.filter { $0.keys.isSentByTerminals }.map(\.action))
    return bound.filter { !$0.keys.isSentByTerminals && !known.contains($0.action) }.map { one in
      let rare = one.keys.strokes.first { !$0.isSentByTerminals }?.text ?? one.keys.text
      return Diagnostic(
        .note, "rare-key", "'\(rare)' of \(one.what) reaches few terminals; give a second way",
        place: place(of: one.keys.text, at: one.place), help: "bind another key to '\(one.action.text)' too")
    }
  }
}

extension KeySequence {
  fileprivate var isSentByTerminals: Bool { strokes.allSatisfy(\.isSentByTerminals) }
}
