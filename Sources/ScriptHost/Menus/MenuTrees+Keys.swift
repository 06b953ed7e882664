// The keys that pick items, as they are drawn and as they were declared.

extension MenuTrees {
  /// The keys of the main menu as it stands.
  var keys: MenuKeys { snapshotTree().keys }

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
    for child in menu?.children ?? [] { child.forEachKeysWithin(visit) }
  }
}
