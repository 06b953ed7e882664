/// The fields of an item as they are read.
struct ItemFields {
  var id: String?
  var keys: KeySequence?
  var action: ItemAction?
  var arguments: Arguments?
  var state = Look.State.off
  var isStated = false
  var isUntitled = false
  var current: ItemAction?
  var hidden = false
  var destructive = false
  var keepsOpen = false
  var disabled: String?
  var saysWhy = true
  var hasLook = false
  var look: MenuLook?
  var alternates: [Element.Alternate] = []
  var details = Facts.Details()

  func element(titled title: String, at place: Place?) -> Element {
    let facts = Facts(
      .item, title: title, isUntitled: isUntitled, action: action?.raw ?? "", key: keys?.text, state: state,
      isStated: isStated, hidden: hidden,
      destructive: destructive, keepsOpen: keepsOpen, details: details.isEmpty ? nil : details)
    return Element(
      facts, id: id, keys: keys, action: action, disabled: disabled, saysWhy: saysWhy, alternates: alternates,
      current: current, look: look, place: place)
  }
}
