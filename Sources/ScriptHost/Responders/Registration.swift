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

/// A *binding* says which actions a key sequence performs for a responder: the first one that can be done.
final class KeyBinding {
  /// All references, with what was written, in the order in which they are tried; none where the keys are taken away (K9).
  let all: [(reference: Reference, raw: String)]
  /// What a person calls it; nil where its action says that.
  let title: String?
  /// What must hold for it to be done; else the next binding of the keys is (K10).
  let condition: KeyCondition?
  let owner: Owner
  /// Where it was bound.
  let place: Place?

  init(
    _ all: [(reference: Reference, raw: String)], title: String? = nil, when condition: KeyCondition? = nil,
    owner: Owner,
    place: Place?
  ) {
    self.all = all
    self.title = title
    self.condition = condition
    self.owner = owner
    self.place = place
  }
}

/// What must hold for a binding to be done; a script's function has a subclass.
class KeyCondition {
  func holds(in context: Context) -> Result<Bool, Failure> { .success(true) }
}

extension KeyBinding {
  /// Its owner and its place, as a person calls them.
  var described: String { place.map { "'\(owner.name)' (\($0))" } ?? "'\(owner.name)'" }

  /// Whether it takes keys away from bindings of earlier layers, of farther responders and of the menus (K9).
  var isRemoval: Bool { all.isEmpty }
  /// Its first reference as it was written.
  var raw: String { all.first?.raw ?? "" }
}
