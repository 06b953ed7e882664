/// Counts the memory of elements that scripts hold: it is Swift's, so Lua's limits don't include it.
final class ElementMemory {
  static let base = 256
  var bytes = 0
}
