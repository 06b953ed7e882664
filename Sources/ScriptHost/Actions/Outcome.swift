/// An *outcome* is what came of a perform; every perform has exactly one.
public struct Outcome {
  /// How a perform ended.
  public enum Status: String, Sendable, CaseIterable {
    case handled, unhandled, disabled, blocked, failed, cancelled, asks, running, pending

    /// How an action or a line ends by a failure.
    init(_ failure: Failure) { self = failure.code == .cancelled ? .cancelled : .failed }
  }

  /// The way in which the taker was found.
  public enum Via: String, Sendable, CaseIterable {
    case on, resolve, redirect, claims, unknown, native
  }

  // An outcome is copied more often than made, and a copied short name retains nothing.

  /// The name of the responder whose function ran.
  public let by: String?
  /// What the handler gave back.
  public var result: Value
  /// How it ended.
  public var status: Status {
    didSet { if (status == .running) != (oldValue == .running) { aside = nil } }
  }
  /// The way in which the taker was found.
  public internal(set) var via: Via?
  /// Why it was not done.
  public var reason: String? {
    get { obstacle?.reason }
    set { obstacle = Outcome.obstacle(newValue, error, asks, misfit, elsewhere) }
  }
  /// What failed.
  public var error: Failure? {
    get { obstacle?.failure }
    set { obstacle = Outcome.obstacle(reason, newValue, asks, misfit, elsewhere) }
  }
  /// What a person has to be asked first. Nothing was done yet; performing again with the answer does it.
  public var asks: Question? { obstacle?.question }
  /// The argument because of which it was not done, if there is one.
  public var misfit: Misfit? { obstacle?.misfit }
  /// The name of a responder outside of the chain that would take it, where nobody in the chain does.
  public var elsewhere: String? { obstacle?.elsewhere }
  /// What most outcomes don't have: the job while the status is `running`, else the `Obstacle`. It is cast unchecked, because a checked cast
  /// takes as long as everything else that is done with an outcome.
  private var aside: Optional<AnyObject>
  @inline(__always)
  var goesOn: AnyObject? { status == .running ? aside : nil }
  private var obstacle: Obstacle? {
    get { status == .running ? nil : aside.map { unsafeDowncast($0, to: Obstacle.self) } }
    set { if status != .running { aside = newValue } }
  }

  /// Whether there is a reason, an error, a question, a misfit or a taker elsewhere.
  var hasObstacle: Bool { obstacle != nil }

  /// The parts that only an outcome that isn't simply handled has. They are rare and large, so they are stored apart.
  private final class Obstacle {
    let reason: String?
    let failure: Failure?
    let question: Question?
    let misfit: Misfit?
    let elsewhere: String?

    init(_ reason: String?, _ failure: Failure?, _ question: Question?, _ misfit: Misfit?, _ elsewhere: String?) {
      self.reason = reason
      self.failure = failure
      self.question = question
      self.misfit = misfit
      self.elsewhere = elsewhere
    }
  }

  /// An outcome of these facts.
  public init(
    _ status: Status, by: String? = nil, via: Via? = nil, result: Value = .null, reason: String? = nil,
    error: Failure? = nil, asks: Question? = nil, misfit: Misfit? = nil, elsewhere: String? = nil
  ) {
    self.status = status
    self.by = by
    self.via = via
    self.result = result
    aside = status == .running ? nil : Outcome.obstacle(reason, error, asks, misfit, elsewhere)
  }

  /// An outcome with a status and nothing else.
  package init(plainly status: Status) {
    self.status = status
    by = nil
    via = nil
    result = .null
    aside = nil
  }

  /// An `Obstacle`, or nil if there is nothing to hold. An initializer of the class would allocate before it finds that out.
  @inline(__always)
  private static func obstacle(
    _ reason: String?, _ failure: Failure?, _ question: Question?, _ misfit: Misfit?, _ elsewhere: String?
  ) -> Obstacle? {
    reason == nil && failure == nil && question == nil && misfit == nil && elsewhere == nil
      ? nil : Obstacle(reason, failure, question, misfit, elsewhere)
  }

  /// What a person is asked.
  public struct Question {
    /// What is to be confirmed.
    public var confirm: String?
    /// The arguments that were not given, required ones first.
    public var arguments: [AskedArgument]

    /// A question of these parts.
    public init(confirm: String? = nil, arguments: [AskedArgument] = []) {
      self.confirm = confirm
      self.arguments = arguments
    }

    /// The arguments without which it can't be done, in a sentence.
    var keys: String { arguments.filter(\.isRequired).map { "'\($0.key)'" }.joined(separator: ", ") }

    /// What a person has to say, in a sentence.
    package var text: String { confirm ?? "it asks for \(keys)" }

    /// The question as a plain value, with JSON's names.
    package var value: Value {
      .object(
        (confirm.map { [("confirm", .text($0))] } ?? []) + [("arguments", .list(arguments.map(\.value)))])
    }
  }

  /// The outcome of an action that was done.
  @inline(__always)
  init(handledBy taker: Taker, result: Value) {
    status = .handled
    by = taker.name
    via = taker.via
    self.result = result
    aside = nil
  }

  /// The outcome of an action that the host itself did.
  @inline(__always)
  static var handledByHost: Outcome { Outcome(handledBy: Taker(name: hostName, via: .native), result: .null) }

  /// The outcome of an action that goes on as a job.
  @inline(__always)
  init(running job: AnyObject, by taker: Taker) {
    status = .running
    by = taker.name
    via = taker.via
    result = .null
    aside = job
  }

  /// The name of the host as the one who did something.
  static let hostName = "host"

  /// The responder that did it, and how it was found.
  struct Taker {
    let name: String?
    let via: Via?
  }
}
