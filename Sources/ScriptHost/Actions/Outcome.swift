/// The result of a perform; every perform has exactly one.
public struct Outcome {
  /// How a perform ended.
  public enum Status: String, Sendable, CaseIterable {
    case handled, unhandled, disabled, blocked, failed, cancelled, asks, running, pending

    /// The status of an action or a line that failed.
    init(_ failure: Failure) { self = failure.code == .cancelled ? .cancelled : .failed }
  }

  /// How the responder was found.
  public enum Via: String, Sendable, CaseIterable {
    case on, resolve, redirect, claims, unknown, native
  }

  // `by` is a name, because outcomes are often copied, and copying a short name retains nothing.

  /// The name of the responder whose function ran.
  public let by: String?
  /// The handler's result.
  public var result: Value
  /// How the perform ended.
  public var status: Status {
    didSet { if (status == .running) != (oldValue == .running) { aside = nil } }
  }
  /// How the responder was found.
  public internal(set) var via: Via?
  /// Why the action wasn't done.
  public var reason: String? {
    get { obstacle?.reason }
    set { obstacle = Outcome.obstacle(newValue, error, asks, misfit, elsewhere) }
  }
  /// The error, if something failed.
  public var error: Failure? {
    get { obstacle?.failure }
    set { obstacle = Outcome.obstacle(reason, newValue, asks, misfit, elsewhere) }
  }
  /// Whether the action only moved or showed something (U15).
  package internal(set) var onlyLooks = false
  /// The question for a person. Nothing is done yet; perform again with the answer.
  public var asks: Question? { obstacle?.question }
  /// The argument that prevented the action, if any.
  public var misfit: Misfit? { obstacle?.misfit }
  /// If nobody in the chain handles the action, the name of a responder outside it that would.
  public var elsewhere: String? { obstacle?.elsewhere }
  private var aside: Aside?
  /// The waiting job, if the status is `running`. `job` gives it its type.
  var goesOn: AnyObject? { if case .job(let job)? = aside { job } else { nil } }
  private var obstacle: Obstacle? {
    get { if case .obstacle(let obstacle)? = aside { obstacle } else { nil } }
    set { if status != .running { aside = newValue.map(Aside.obstacle) } }
  }

  /// Few outcomes have one.
  private enum Aside {
    case job(AnyObject)
    case obstacle(Obstacle)
  }

  /// Whether there is a reason, an error, a question, a misfit or a responder elsewhere.
  var hasObstacle: Bool { obstacle != nil }

  /// The fields of unusual outcomes. They are rare and large, so they are stored separately.
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

  /// Creates an outcome.
  public init(
    _ status: Status, by: String? = nil, via: Via? = nil, result: Value = .null, reason: String? = nil,
    error: Failure? = nil, asks: Question? = nil, misfit: Misfit? = nil, elsewhere: String? = nil
  ) {
    self.status = status
    self.by = by
    self.via = via
    self.result = result
    aside = status == .running ? nil : Outcome.obstacle(reason, error, asks, misfit, elsewhere).map(Aside.obstacle)
  }

  /// Creates an outcome with only a status.
  package init(plainly status: Status) {
    self.status = status
    by = nil
    via = nil
    result = .null
    aside = nil
  }

  /// Returns an `Obstacle`; nil if all fields are nil. A class initializer would allocate before it can return nil.
  @inline(__always)
  private static func obstacle(
    _ reason: String?, _ failure: Failure?, _ question: Question?, _ misfit: Misfit?, _ elsewhere: String?
  ) -> Obstacle? {
    reason == nil && failure == nil && question == nil && misfit == nil && elsewhere == nil
      ? nil : Obstacle(reason, failure, question, misfit, elsewhere)
  }

  /// A question for a person.
  public struct Question {
    /// The text to confirm.
    public var confirm: String?
    /// The missing arguments, in the order of the form.
    public var arguments: [AskedArgument]
    /// Names the rows and lines that it asks about, for the answer.
    public var about: [String]
    /// The title of the row that a form is about, or the number of rows, as in "3 rows"; nil if it is about none.
    public var rows: String?

    /// Creates a question.
    public init(
      confirm: String? = nil, arguments: [AskedArgument] = [], about: [String] = [], rows: String? = nil
    ) {
      self.confirm = confirm
      self.arguments = arguments
      self.about = about
      self.rows = rows
    }

    /// The required arguments, in a sentence.
    var keys: String { arguments.filter(\.isRequired).map { "'\($0.key)'" }.joined(separator: ", ") }

    /// The question, in a sentence.
    package var text: String { confirm ?? "it asks for \(keys)" }

    /// The question as a plain value, with JSON's names.
    package var value: Value {
      .object(
        (confirm.map { [("confirm", .text($0))] } ?? []) + [("arguments", .list(arguments.map(\.value)))])
    }
  }

  /// Creates the outcome of an action that was done.
  @inline(__always)
  init(handledBy taker: Taker, result: Value) {
    status = .handled
    by = taker.name
    via = taker.via
    self.result = result
    aside = nil
  }

  /// Creates the outcome of an action that continues as a job.
  @inline(__always)
  init(running job: AnyObject, by taker: Taker) {
    status = .running
    by = taker.name
    via = taker.via
    result = .null
    aside = .job(job)
  }

  /// The name of the host in outcomes.
  static let hostName = "host"

  /// The responder that handled the action, and how it was found.
  struct Taker {
    let name: String?
    let via: Via?
  }
}
