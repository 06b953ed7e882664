/// The *menu keys* are the keys that pick items of one tree, in the order of the menus, depth first.
final class MenuKeys {
  struct Entry {
    let keys: KeySequence
    let node: MenuNode
  }

  private(set) var entries: [Entry] = []
  // Nobody changes it once it was made.
  @exclusivity(unchecked) private var first: [KeySequence: MenuNode] = [:]

  /// Collects the keys below the roots of a tree.
  init(below roots: [MenuNode]) {
    for root in roots { add(root) }
  }

  /// The item that keys pick: the first that has them.
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
  /// Visits the keys of an item and of its alternates. An alternate has keys of its own, and the item's with its modifiers held.
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
