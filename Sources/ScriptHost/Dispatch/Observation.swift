/// What an observer is told of a perform.
public struct ActionEvent {
  /// When an observer is told: before the first handler, and when it is done or failed.
  public enum Stage: String, Sendable {
    case will, did, failed
  }

  /// When this is.
  public let stage: Stage
  /// The action's name.
  public var action: String { asked.action }
  /// The reference as it was written.
  public var raw: String { asked.raw }
  /// The arguments of the reference and of the options together.
  public var arguments: Arguments { asked.arguments }
  /// Who asked.
  public var sender: Sender { asked.sender }
  /// Who takes it.
  public let by: String?
  /// What came of it; nil before.
  public let outcome: Outcome?
  /// The job as which the perform went on, if it waited.
  public let job: Job?
  let asked: Asked

  init(_ stage: Stage, _ asked: Asked, by: String?, _ outcome: Outcome?, _ job: Job?) {
    self.stage = stage
    self.asked = asked
    self.by = by
    self.outcome = outcome
    self.job = job
  }

  /// The request with its secrets masked, the same in all events of a perform.
  final class Asked {
    let action: String
    let raw: String
    let sender: Sender
    /// Made when they are read, because most observers don't read them.
    private(set) lazy var arguments = Arguments(written, under: given)
    private let written: LiteralObject?
    private let given: Arguments

    /// A request whose arguments are those written in the reference, with the given ones put over them.
    init(_ action: String, raw: String, sender: Sender, _ written: LiteralObject?, _ given: Arguments) {
      self.action = action
      self.raw = raw
      self.sender = sender
      self.written = written
      self.given = given
    }
  }
}

/// The actions of which an observer is told: by name, several names, all, or those that begin alike.
public struct ActionPattern: Sendable {
  let patterns: [String]
  private let isForAll: Bool

  /// The actions of these names; one that ends in `*` means all that begin so.
  public init(_ patterns: [String]) {
    self.patterns = patterns
    isForAll = patterns.contains("*")
  }

  /// Every action.
  public static let all = ActionPattern(["*"])

  func matches(_ action: String) -> Bool {
    isForAll
      || patterns.contains { pattern in
        guard pattern.utf8.last == UInt8(ascii: "*") else { return pattern.hasSameBytes(as: action) }
        return action.utf8.starts(with: pattern.utf8.dropLast())
      }
  }
}

extension ActionPattern: ExpressibleByStringLiteral {
  public init(stringLiteral pattern: String) { self.init([pattern]) }
}

/// An *observer* is told of actions; each subclass says how.
class Observer {
  private final let pattern: ActionPattern
  final let owner: Owner
  /// The number that identifies it.
  final var number = 0

  init(_ pattern: ActionPattern, owner: Owner) {
    self.pattern = pattern
    self.owner = owner
  }

  /// Tells the observer. Returns the failure of its own function, which affects nobody else.
  func notify(_ event: ActionEvent) -> Failure? { nil }

  /// Whether it is told of an action.
  final func watches(_ action: String) -> Bool { !owner.isLeaving && pattern.matches(action) }
}

/// An event of a script's own (E5).
struct EmittedEvent {
  let name: String
  let data: Value
}

/// A listener of an event of the scripts' own.
final class EventListener {
  let owner: Owner
  /// Where a script began to listen.
  let place: Place?
  let notify: (EmittedEvent) -> Failure?

  init(owner: Owner, at place: Place?, notify: @escaping (EmittedEvent) -> Failure?) {
    self.owner = owner
    self.place = place
    self.notify = notify
  }
}
