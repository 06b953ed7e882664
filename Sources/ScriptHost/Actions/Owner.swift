/// An *owner* is who registered something, and with whom it goes: the embedding program, the app's script, a plugin.
public final class Owner {
  public let name: String

  public init(name: String) { self.name = name }
}
