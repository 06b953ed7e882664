/// A script that could not be loaded.
public struct LoadError: Error, CustomStringConvertible {
  /// Whether the script could be read at all.
  public enum Kind: Sendable, Equatable {
    /// There is no such file, or it can't be read.
    case unreadable(errno: Int32)
    case failed
  }

  /// Whether it could be read at all.
  public var kind: Kind
  /// What is wrong, and where.
  public var failure: Failure
  /// What a person may be asked, where it wasn't loaded because nobody granted yet what it asks for. Whoever got a yes adds it to the host's
  /// `consents` and loads again.
  public var asks: ConsentRequest?

  public var description: String { failure.description }
}
