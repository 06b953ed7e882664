/// A registration that can be taken back.
public struct Registration {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Takes it back. Once something later has replaced it, this does nothing.
  public func remove() { body() }
}

/// Counts the bytes that the host keeps in Swift for scripts: Lua's memory limit doesn't include them.
final class KeptBytes {
  /// What each declaration takes besides its texts.
  static let base = 64
  private(set) var bytes = 0

  /// A share of the bytes, which counts as long as somebody holds it.
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

/// Something was declared or asked for that the host refuses, with a sentence that says why.
public struct Misuse: Error, Sendable, CustomStringConvertible {
  /// What kind of misuse it is, for programs.
  public enum Code: String, Sendable {
    case nameTaken, badName, unknownName, cycle, removed, wrongType, notNow, refused
  }

  /// What kind of misuse it is, for programs.
  public var code: Code
  /// Why it is refused, in one sentence.
  public var message: String
  /// Where it is declared, if that is another place than that of the call.
  public var place: Place?
  /// Where the other of two things stands, when two are in each other's way.
  public var other: Place?

  /// A misuse of these facts.
  public init(_ code: Code, _ message: String, place: Place? = nil, other: Place? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.other = other
  }

  public var description: String { message }
}
