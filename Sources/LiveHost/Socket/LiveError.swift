import Glibc

/// The error of a host that can't be made live.
public struct LiveError: Error, CustomStringConvertible, Sendable {
  /// What stands in the way.
  public enum Kind: Sendable, Equatable {
    /// Another process has a live app of the name; its number, if known.
    case taken(process: Int32?)
    /// The folder of the sockets belongs to another user, or is open to others.
    case unsafe
    /// A call to the system failed.
    case system(errno: Int32)
  }

  /// What stands in the way.
  public let kind: Kind
  /// One sentence.
  public let message: String

  public var description: String { message }

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The error of the last call to the system, from `errno`.
  static func system(_ what: String, _ number: Int32 = errno) -> LiveError {
    LiveError(.system(errno: number), "\(what): \(strerror(number).map { String(cString: $0) } ?? "error \(number)")")
  }
}
