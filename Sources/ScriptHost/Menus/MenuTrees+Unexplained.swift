/// An item that is disabled without words of its script's.
struct Unexplained {
  let node: MenuNode
  /// What is said instead.
  let reason: String
  /// Where a reason could be said.
  let place: Place?
  /// Whether that is where the item is declared.
  let isOfItem: Bool
  let help: String
}

extension MenuTrees {
  /// The items of the main menu and the panel that are disabled now, and nobody says why in words of its own. What nobody answers is another matter.
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
        node: node, reason: disabled, place: element.place, isOfItem: true, help: "enabled = \"why not\" says it")
    }
    guard let action = element.action else {
      return Unexplained(
        node: node, reason: "it has no action", place: element.place, isOfItem: true,
        help: "give it an action, or make it a label")
    }
    guard !action.skipsValidation else { return nil }
    pass.silence = nil
    let resolution = tree.resolution(node.action, on: pass.walk, by: dispatcher)
    let validation = pass.validate(action.reference, node.asked(action, about: .null), resolution)
    guard !validation.isEnabled, let silence = pass.silence else { return nil }
    return Unexplained(
      node: node, reason: validation.reason ?? "", place: silence.place ?? element.place,
      isOfItem: silence.place == nil, help: silence.help)
  }
}
