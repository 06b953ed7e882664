/// A handle that removes a registration.
public struct Registration {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Removes the registration. Does nothing if a later registration has replaced it.
  public func remove() { body() }
}

/// Counts the bytes that the host keeps in Swift for scripts: Lua's memory limit doesn't include them.
final class KeptBytes {
  /// The bytes of each declaration besides its texts.
  static let base = 64
  private(set) var bytes = 0

  /// A part of the bytes. It counts as long as it is retained.
  final class Share {
    private let whole: KeptBytes
    private(set) var bytes: Int

    fileprivate init(_ bytes: Int, of whole: KeptBytes) {
      self.bytes = bytes
      self.whole = whole
      whole.bytes += bytes
    }

    deinit { whole.bytes -= bytes }

    func add(_ more: Int) {
      bytes += more
      whole.bytes += more
    }
  }

  func share(_ bytes: Int) -> Share { Share(bytes, of: self) }
}

/// The error for a declaration or a call that the host refuses, with a message that says why.
public struct Misuse: Error, Sendable, CustomStringConvertible {
  /// The kinds of misuse, for programs.
  public enum Code: String, Sendable {
    case nameTaken, badName, unknownName, cycle, removed, wrongType, notNow, refused
  }

  /// The kind of misuse, for programs.
  public var code: Code
  /// The reason, in one sentence.
  public var message: String
  /// The line of the declaration, if it differs from the line of the call.
  public var place: Place?
  /// The line of the other thing, if two conflict.
  public var other: Place?

  /// Creates a misuse of these facts.
  public init(_ code: Code, _ message: String, place: Place? = nil, other: Place? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.other = other
  }

  public var description: String { message }
}
