/// A *stroke* is one key that is struck while modifiers are held.
package struct Stroke: Hashable, Sendable {
  /// The keys that are held.
  package let modifiers: Modifiers
  /// The key that is struck: one character, in lower case if it has one, or a name such as `enter`.
  package let key: String

  /// The key by which a sequence that was begun is given up.
  package static let escape = Stroke(modifiers: [], key: "esc")

  package init(modifiers: Modifiers, key: String) {
    self.modifiers = modifiers
    self.key = key
  }

  /// The same key with other modifiers held.
  package func with(_ modifiers: Modifiers) -> Stroke { Stroke(modifiers: modifiers, key: key) }
}

extension Stroke: CustomStringConvertible {
  /// Its one spelling: modifiers in a fixed order, then the key.
  package var text: String { modifiers.isEmpty ? key : modifiers.names.reduce("") { $0 + $1 + "+" } + key }

  package var description: String { text }
}
