/// A *stroke* is one key that is struck while modifiers are held.
public struct Stroke: Hashable, Sendable {
  /// The keys that are held.
  public let modifiers: Modifiers
  /// The key that is struck: one character, in lower case if it has one, or a name such as `enter`.
  public let key: String

  /// The key by which a sequence that was begun is given up.
  public static let escape = Stroke(modifiers: [], key: "esc")

  package init(modifiers: Modifiers, key: String) {
    self.modifiers = modifiers
    self.key = key
  }

  /// The same key with other modifiers held.
  public func with(_ modifiers: Modifiers) -> Stroke { Stroke(modifiers: modifiers, key: key) }
}

extension Stroke: CustomStringConvertible {
  /// Its one spelling: modifiers in a fixed order, then the key.
  public var text: String { modifiers.isEmpty ? key : modifiers.names.reduce("") { $0 + $1 + "+" } + key }

  public var description: String { text }
}
