/// An event of a perform, for observers.
public struct ActionEvent {
  /// When an observer is called: before the first handler, and when the action is done or has failed.
  public enum Stage: String, Sendable {
    case will, did, failed
  }

  /// The stage of the perform.
  public let stage: Stage
  /// The action's name.
  public var action: String { asked.action }
  /// The reference, as written.
  public var raw: String { asked.raw }
  /// The arguments of the reference, with those of the options over them.
  public var arguments: Arguments { asked.arguments }
  /// The sender of the action.
  public var sender: Sender { asked.sender }
  /// The responder that handles the action.
  public let by: String?
  /// The outcome; nil at the `will` stage.
  public let outcome: Outcome?
  /// The job of the perform, if it waited.
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
    /// Computed when first read, because most observers don't read them.
    private(set) lazy var arguments = Arguments(written, under: given)
    private let written: LiteralObject?
    private let given: Arguments

    /// Creates a request. The given arguments override those written in the reference.
    init(_ action: String, raw: String, sender: Sender, _ written: LiteralObject?, _ given: Arguments) {
      self.action = action
      self.raw = raw
      self.sender = sender
      self.written = written
      self.given = given
    }
  }
}

/// The actions that an observer watches: names, prefixes, or all.
public struct ActionPattern: Sendable {
  let patterns: [String]
  private let isForAll: Bool

  /// Creates a pattern of names. A name that ends in `*` matches all actions with that prefix.
  public init(_ patterns: [String]) {
    self.patterns = patterns
    isForAll = patterns.contains("*")
  }

  /// Matches every action.
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

/// Watches actions. Each subclass defines how it is notified.
class Observer {
  private final let pattern: ActionPattern
  final let owner: Owner
  /// The observer's id.
  final var number = 0

  init(_ pattern: ActionPattern, owner: Owner) {
    self.pattern = pattern
    self.owner = owner
  }

  /// Notifies the observer. Returns the failure of its function, which affects no other observer.
  func notify(_ event: ActionEvent) -> Failure? { nil }

  /// Returns true if it watches an action.
  final func watches(_ action: String) -> Bool { !owner.isLeaving && pattern.matches(action) }
}

/// An event that a script, the program or a client emits (E5).
struct EmittedEvent {
  let name: String
  let data: Value
}

/// A listener for events that scripts emit.
final class EventListener {
  let owner: Owner
  /// The place in the script that registered the listener.
  let place: Place?
  let notify: (EmittedEvent) -> Failure?

  init(owner: Owner, at place: Place?, notify: @escaping (EmittedEvent) -> Failure?) {
    self.owner = owner
    self.place = place
    self.notify = notify
  }
}
