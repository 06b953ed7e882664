// What is drawn as it was drawn last, because whose functions would say how it is now is set aside: it is disabled, with that reason.

extension MenuNode {
  /// Why the rows that it is one of, or a part of, are those that were said last; nil where they are what is said now.
  var trouble: String? {
    var node = parent
    while let known = node {
      if let trouble = known.element.section?.source.trouble { return trouble }
      node = known.parent
    }
    return nil
  }
}

extension MenuElement {
  /// Disables it and all below it, as far as it is something to pick or to open.
  mutating func disable(because reason: String) {
    for index in children.indices { children[index].disable(because: reason) }
    if let known = extras, !known.alternates.isEmpty {
      let alternates = known.alternates.map { alternate in
        var element = alternate.element
        element.disable(because: reason)
        return Alternate(modifiers: alternate.modifiers, element: element)
      }
      extras = Extras(look: known.look, alternates: alternates)
    }
    guard kind == .item || kind == .menu else { return }
    isEnabled = false
    isBlocked = false
    self.reason = reason
  }
}
