extension ScriptHost {
  /// What stands in the body of a face as it is now, validated: a root, whose children are the rows; nil where no panel is declared.
  ///
  /// ```swift
  /// try host.load(text: #"panel { item "Pier" { "open(n: 1)", current = "show" } }"#, name: "app.lua")
  /// host.on("show") { command in command.arguments["n"] ?? .null }
  /// print(host.panel()?.children.map(\.title) ?? [])  // ["Pier"]
  /// print(host.choose("Pier").result)  // integer(1)
  /// ```
  public func panel() -> MenuElement? { snapshot().panel }

  /// A row of the panel becomes the current one: what it, or its section, says is performed with the row's arguments.
  ///
  /// Disabled rows may be chosen, and what is only to be read not. Which row is the current one is each face's own.
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
    guard let current = found.node.current else { return Outcome(.handled) }
    let own = found.node.element.action?.arguments ?? Arguments()
    // Confirmations are asked of who picks and presses: a row becomes the current one without.
    var options = found.options
    options.sender = found.node.sender
    options.arguments = own.merging(arguments)
    return dispatcher.perform(current.raw, options)
  }
}

extension MenuNode {
  /// Whether it stands in the panel: its root stands in no tree but beside one.
  fileprivate var isInPanel: Bool {
    var node = self
    while let parent = node.parent, parent.parent != nil { node = parent }
    return node.parent.map { root in !root.children.contains { $0 === node } } ?? false
  }

  /// What is performed when it becomes the current row: its own, else its section's; nil of what can't become it.
  var current: ItemAction? { currentHolder?.ownCurrent }

  /// Who says what is performed when it becomes the current row.
  var currentHolder: MenuNode? {
    guard [.item, .menu].contains(element.kind) else { return nil }
    var node: MenuNode? = self
    while let known = node, known.ownCurrent == nil { node = known.parent }
    return node
  }

  /// What it says itself of that.
  var ownCurrent: ItemAction? { element.current ?? element.section?.current }
}
