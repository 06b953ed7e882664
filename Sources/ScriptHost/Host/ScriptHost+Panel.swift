extension ScriptHost {
  /// The panel, which is shown in the body of a face, validated now: a root whose children are the rows. Nil if none is declared.
  ///
  /// ```swift
  /// try host.load(text: #"panel { item "Pier" { "open(n: 1)", current = "show" } }"#, name: "app.lua")
  /// host.on("show") { command in command.arguments["n"] ?? .null }
  /// print(host.panel()?.children.map(\.title) ?? [])  // ["Pier"]
  /// print(host.choose("Pier").result)  // integer(1)
  /// ```
  public func panel() -> MenuElement? { snapshot().panel }

  /// Makes a row of the panel the current one: performs the `current` of the row, or of its section, with the row's arguments.
  ///
  /// Disabled rows may be chosen; labels and separators may not. The row stays the current one whatever comes of its `current`; faces go there.
  ///
  /// - Parameter arguments: put over those of the row.
  @discardableResult
  public func choose(_ id: String, arguments: Arguments = Arguments()) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(id)' can't be chosen") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    guard let found = menuTrees.find(id), found.node.isInPanel else {
      let message = menuTrees.find(id) == nil ? unknownElement(id) : "'\(id)' is no row of the panel"
      return Outcome(.failed, error: Failure(.misuse, message))
    }
    guard [.item, .menu].contains(found.node.element.kind) else {
      return Outcome(
        .failed, error: Failure(.misuse, "'\(id)' is \(found.node.element.kind.described), which can't be chosen"))
    }
    currentRow = id
    defer { onChosen?(id) }
    guard let chosen = choosing(found) else { return Outcome(.handled) }
    var options = chosen.options
    options.arguments = options.arguments.merging(arguments)
    return dispatcher.perform(chosen.reference, options)
  }

  /// What is performed when a row becomes the current one; nil if nothing is.
  func choosing(_ found: MenuTrees.Found) -> (reference: String, options: PerformOptions)? {
    guard let current = found.node.current else { return nil }
    // A row becomes the current one without confirmation; only picks and presses ask for one.
    var options = found.options
    options.sender = found.node.sender
    options.arguments = found.node.element.action?.arguments ?? Arguments()
    return (current.raw, options)
  }
}

extension MenuNode {
  /// Whether it stands in the panel, whose root has the menus' root as its parent without being among its children.
  fileprivate var isInPanel: Bool {
    var node = self
    while let parent = node.parent, parent.parent != nil { node = parent }
    return node.parent.map { root in !root.children.contains { $0 === node } } ?? false
  }

  /// The action performed when it becomes the current row: its own, else its section's; nil if it can't become that.
  var current: ItemAction? { currentHolder?.ownCurrent }

  /// The node that declares the action for when this becomes the current row: itself or a section around it.
  var currentHolder: MenuNode? {
    guard [.item, .menu].contains(element.kind) else { return nil }
    var node: MenuNode? = self
    while let known = node, known.ownCurrent == nil { node = known.parent }
    return node
  }

  /// The `current` that this node itself declares.
  var ownCurrent: ItemAction? { element.current ?? element.section?.current }
}
