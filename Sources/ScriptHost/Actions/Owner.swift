/// An *owner* is who registered something, and with whom it goes: the embedding program, the app's script, a plugin.
public final class Owner {
  /// What people know it by.
  public let name: String
  /// Whether everything of its was taken out, for good.
  var isGone = false

  /// An owner of that name, who is nobody else's equal.
  public init(name: String) { self.name = name }
}
