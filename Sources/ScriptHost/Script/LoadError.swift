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
  /// The question for a person, if it wasn't loaded because nobody has granted what it asks for. After a yes, add it to the host's `consents` and
  /// load again.
  public var asks: ConsentRequest?

  public var description: String { failure.description }
}
