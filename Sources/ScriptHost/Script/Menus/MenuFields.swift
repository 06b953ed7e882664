/// The fields of a menu as they were given.
struct MenuFields {
  var id: String?
  var inline = false
  var single = false
  var hidden = false
  var auto = true
  var hasLook = false
}

/// The fields of a section as they were given.
struct SectionFields {
  var header: Element?
  var footer: Element?
  var empty: Element?
  var current: ItemAction?
  var kind: String?
  var isListed = false
  var hasID = false
}
