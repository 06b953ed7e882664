/// An *owner* is who registered something, and with whom it goes: the embedding program, the app's script, a plugin.
public final class Owner {
  /// What people know it by.
  public let name: String

  /// An owner of that name, who is nobody else's equal.
  public init(name: String) { self.name = name }
}
