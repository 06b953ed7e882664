/// A line of Lua that was not evaluated to its end.
public struct LineError: Error, CustomStringConvertible {
  /// How far the line came.
  public enum Kind: Sendable {
    /// It can't be read yet: something may follow, as after `if x then`.
    case incomplete
    /// It can't be read.
    case unreadable
    /// It was read, and ended by an error or a limit.
    case raised
  }

  /// How far it came.
  public var kind: Kind
  /// What is wrong, and where.
  public var failure: Failure

  public var description: String { failure.description }
}
