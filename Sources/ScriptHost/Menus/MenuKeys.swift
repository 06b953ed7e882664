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
    if let panel = tree.panel { add(panel) }
  }

  /// The first item that keys pick.
  subscript(keys: KeySequence) -> MenuNode? { first[keys] }

  private func add(_ node: MenuNode) {
    node.element.forEachKeys { keys, element in
      let node = element === node.element ? node : node.alternates.first { $0.element === element } ?? node
      entries.append(Entry(keys: keys, node: node))
      if first[keys] == nil { first[keys] = node }
    }
    for child in node.children { add(child) }
  }
}

extension Element {
  /// Visits the keys of an item, and those of what stands in its place while modifiers are held: its own, and the item's with the modifiers.
  func forEachKeys(_ visit: (KeySequence, Element) -> Void) {
    if let keys { visit(keys, self) }
    for alternate in alternates {
      if let keys { visit(keys.holding(alternate.modifiers), alternate.element) }
      alternate.element.forEachKeys(visit)
    }
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

  /// Visits the items that were declared with keys, in the order of the menus, and who declared them.
  func forEachDeclaredKeys(_ visit: (KeySequence, Element, Owner) -> Void) {
    for declaration in declarations {
      for element in declaration.elements { element.forEachKeysWithin { visit($0, $1, declaration.owner) } }
    }
  }
}

extension Element {
  fileprivate func forEachKeysWithin(_ visit: (KeySequence, Element) -> Void) {
    forEachKeys(visit)
    for child in menu?.seenChildren ?? [] { child.forEachKeysWithin(visit) }
  }
}
