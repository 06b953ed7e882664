// Rows of a section whose owner was set aside: they are drawn as they were last, but disabled, with the reason.

extension MenuNode {
  /// Why a section around this node isn't asked, so that its rows are old ones; nil if all sections around it still answer.
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
  /// Disables the items and menus at and below this element, alternates included.
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
    elsewhere = nil
    self.reason = reason
  }
}
