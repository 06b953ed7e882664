/// The *menu keys* are the keys that pick items of one tree, in the order of the menus, depth first.
final class MenuKeys {
  struct Entry {
    let keys: KeySequence
    let node: MenuNode
  }

  /// The tree that they are of; it holds this.
  unowned let tree: MenuTree
  private(set) var entries: [Entry] = []
  private var first: [KeySequence: MenuNode] = [:]

  init(_ tree: MenuTree) {
    self.tree = tree
    add(tree.root)
  }

  /// The first item that keys pick.
  subscript(keys: KeySequence) -> MenuNode? { first[keys] }

  private func add(_ node: MenuNode) {
    for (keys, element) in node.element.boundKeys {
      let node = element === node.element ? node : node.alternates.first { $0.element === element } ?? node
      entries.append(Entry(keys: keys, node: node))
      if first[keys] == nil { first[keys] = node }
    }
    for child in node.children { add(child) }
  }
}

extension Element {
  /// The keys of an item, and those of what stands in its place while modifiers are held: its own, and the item's with the modifiers.
  var boundKeys: [(keys: KeySequence, element: Element)] {
    let own = facts.key.flatMap { try? KeySequence.parse($0) }
    var bound = own.map { [($0, self)] } ?? []
    for alternate in alternates {
      if let own { bound.append((own.holding(alternate.modifiers), alternate.element)) }
      bound += alternate.element.boundKeys
    }
    return bound
  }
}

extension KeySequence {
  /// The same keys with more modifiers held at the last stroke.
  fileprivate func holding(_ modifiers: [String]) -> KeySequence {
    guard let last = strokes.last else { return self }
    let held = modifiers.compactMap(Modifiers.init(name:)).reduce(last.modifiers) { $0.union($1) }
    return KeySequence(strokes: strokes.dropLast() + [last.with(held)])
  }
}

extension MenuTrees {
  /// The keys of the main menu as it stands.
  func keys() -> MenuKeys {
    let tree = snapshotTree()
    if let known = tree.knownKeys { return known }
    let keys = MenuKeys(tree)
    tree.knownKeys = keys
    return keys
  }

  /// The items that were declared with keys, in the order of the menus, and who declared them.
  var declaredKeys: [(keys: KeySequence, element: Element, owner: Owner)] {
    declarations.flatMap { declaration in
      declaration.elements.flatMap(\.keysWithin).map { ($0.keys, $0.element, declaration.owner) }
    }
  }
}

extension Element {
  fileprivate var keysWithin: [(keys: KeySequence, element: Element)] {
    boundKeys + (menu?.seenChildren.flatMap(\.keysWithin) ?? [])
  }
}
