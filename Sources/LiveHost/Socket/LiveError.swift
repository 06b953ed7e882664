import Glibc

/// Why a host can't be made live.
public struct LiveError: Error, CustomStringConvertible, Sendable {
  /// What stands in the way.
  public enum Kind: Sendable, Equatable {
    /// Another process has a live app of the name; its number, where it is known.
    case taken(process: Int32?)
    /// The folder of the sockets is another's, or open to others.
    case unsafe
    /// The system refused.
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

  /// What the system said last.
  static func system(_ what: String, _ number: Int32 = errno) -> LiveError {
    LiveError(.system(errno: number), "\(what): \(strerror(number).map { String(cString: $0) } ?? "error \(number)")")
  }
}
