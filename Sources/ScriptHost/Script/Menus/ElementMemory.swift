/// How much memory the elements take that scripts hold: it is Swift's, and Lua's limits don't see it.
final class ElementMemory {
  static let base = 256
  var bytes = 0
}
