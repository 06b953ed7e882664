// Rows of a section whose owner was set aside: they look the same as before, but are disabled, with the reason.

extension MenuNode {
  /// Why a section around this node isn't called, so that its rows are outdated; nil if all sections are called.
  var whyOld: String? {
    var node = parent
    while let known = node {
      if let reason = known.element.section?.source.whyNotCalled { return reason }
      node = known.parent
    }
    return nil
  }
}

extension MenuElement {
  /// Disables the items and menus at and below this element, including alternates.
  mutating func disable(because reason: String) {
    for index in children.indices { children[index].disable(because: reason) }
    if let known = extras, !known.alternates.isEmpty {
      let alternates = known.alternates.map { alternate in
        var element = alternate.element
        element.disable(because: reason)
        return Alternate(modifiers: alternate.modifiers, element: element)
      }
      extras = Extras(look: known.look, alternates: alternates, area: known.area)
    }
    guard kind == .item || kind == .menu else { return }
    isEnabled = false
    isBlocked = false
    elsewhere = nil
    self.reason = reason
  }
}

/// An item that is disabled without a reason from its script.
struct Unexplained {
  let node: MenuNode
  /// The host's reason, shown instead.
  let reason: String
  /// Where the script could give a reason.
  let place: Place?
  /// Whether `place` is the item's declaration.
  let isOfItem: Bool
  let help: String
}

extension MenuTrees {
  /// Returns the items of the main menu and panel that are disabled without a script's reason. Unhandled actions don't
  /// count.
  func unexplained() -> [Unexplained] {
    let tree = snapshotTree()
    let pass = ValidationPass(dispatcher, PerformOptions())
    pass.notesSilence = true
    var found: [Unexplained] = []
    tree.forEach { node in
      guard node.element.kind == .item else { return }
      unexplained(node, pass, in: tree).map { found.append($0) }
    }
    return found
  }

  private func unexplained(_ node: MenuNode, _ pass: ValidationPass, in tree: MenuTree) -> Unexplained? {
    let element = node.element
    if let disabled = element.disabled {
      guard !element.saysWhy else { return nil }
      return Unexplained(
        node: node, reason: disabled, place: element.place, isOfItem: true,
        help: "give the reason: enabled = \"why not\"")
    }
    guard let action = element.action else {
      return Unexplained(
        node: node, reason: "it has no action", place: element.place, isOfItem: true,
        help: "give it an action, or make it a label")
    }
    guard !action.skipsValidation else { return nil }
    pass.silence = nil
    let resolution = tree.resolution(node.action, on: pass.walk, by: dispatcher)
    let validation = pass.validate(action.reference, node.asked(action, about: .null, in: nil), resolution)
    guard !validation.isEnabled, let silence = pass.silence else { return nil }
    return Unexplained(
      node: node, reason: validation.reason ?? "", place: silence.place ?? element.place,
      isOfItem: silence.place == nil, help: silence.help)
  }
}
