extension ScriptHost {
  /// Picks an item of the main menu, or of the last context menu, as a person does: what is drawn disabled is not done.
  ///
  /// ```swift
  /// try host.load(text: #"menubar { menu "File" { item "Delete" { "delete", confirm = "Sure?" } } }"#, name: "app.lua")
  /// host.on("delete") { command in print("deleted") }
  /// let outcome = host.pick("File/Delete")
  /// print(outcome.asks?.confirm ?? "")  // Sure?
  /// print(host.pick("File/Delete", confirmed: true).status)  // deleted, handled
  /// ```
  /// - Parameters:
  ///   - confirmed: the answer to what is asked; where it is left out, the outcome is the question.
  ///   - arguments: laid over those of the item.
  @discardableResult
  public func pick(
    _ id: String, modifiers: [String] = [], confirmed: Bool? = nil, arguments: Arguments = Arguments()
  ) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(id)' can't be picked") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if let menu = openMenu(holding: id) {
      return menu.pick(id, modifiers: modifiers, confirmed: confirmed, arguments: arguments)
    }
    guard let found = menuTrees.find(id) else {
      return Outcome(.failed, error: Failure(.misuse, unknownElement(id)))
    }
    return pick(found.holding(modifiers), modifiers, confirmed, arguments)
  }

  /// Picks what was found, and tells when it begins to be done. What only a modal session keeps from being done is performed, and so is blocked there.
  func pick(
    _ found: MenuTrees.Found, _ modifiers: [String], _ confirmed: Bool?, _ arguments: Arguments = Arguments(),
    beginning: (() -> Void)? = nil
  ) -> Outcome {
    let element = found.node.element
    guard element.kind == .item else {
      let message =
        "'\(found.node.id)' is \(element.kind == .item ? "an item" : "a \(element.kind.rawValue)"), which can't be picked"
      return Outcome(.failed, error: Failure(.misuse, message))
    }
    let item = menuTrees.validated(found)
    onPicked?(item)
    guard item.isEnabled || item.isBlocked, let action = element.action else {
      return Outcome(.disabled, by: item.by, reason: item.reason ?? "\(element.described) is disabled")
    }
    var options = PerformOptions(
      asking: confirmed, modifiers: modifiers, arguments: action.own.merging(arguments), by: found.node.sender,
      found.options)
    options.drawnTitle = item.title
    if let question = item.confirm { options.question = question }
    if let beginning { options.beginning = beginning }
    return dispatcher.perform(
      action.reference, raw: action.raw, index: try? dispatcher.references.index(of: action.raw), options)
  }
}

extension MenuTrees.Found {
  /// What stands in its place while modifiers are held.
  func holding(_ modifiers: [String]) -> MenuTrees.Found {
    guard !modifiers.isEmpty, !node.alternates.isEmpty else { return self }
    let held = Set(modifiers)
    for (alternate, node) in zip(node.element.alternates, node.alternates) where Set(alternate.modifiers) == held {
      return MenuTrees.Found(node: node, tree: tree, options: options)
    }
    return self
  }
}
