/// An *outcome* is what came of a perform; every perform has exactly one.
public struct Outcome {
  /// How it ended.
  public enum Status: String, Sendable {
    case handled, unhandled, disabled, blocked, failed, cancelled, running, pending
  }

  /// The way in which the taker was found.
  public enum Via: String, Sendable {
    case on, resolve, redirect, claims, unknown, native
  }

  // It is copied more often than made, and a short name is a value without anything to retain.

  /// The name of the responder whose function ran.
  public let by: String?
  /// What the handler gave back.
  public var result: Value
  /// How it ended.
  public var status: Status
  /// The way in which the taker was found.
  public let via: Via?
  /// Why it was not done.
  public var reason: String? {
    get { trouble?.reason }
    set { trouble = Outcome.trouble(newValue, error) }
  }
  /// What failed.
  public var error: Failure? {
    get { trouble?.failure }
    set { trouble = Outcome.trouble(reason, newValue) }
  }
  /// What most outcomes don't have: what went wrong, or what goes on.
  var aside: AnyObject?
  private var trouble: Trouble? {
    get { aside as? Trouble }
    set { aside = newValue }
  }

  /// It is rare and large, so it lies apart.
  private final class Trouble {
    let reason: String?
    let failure: Failure?

    init(_ reason: String?, _ failure: Failure?) {
      self.reason = reason
      self.failure = failure
    }
  }

  /// An outcome of these facts.
  public init(
    _ status: Status, by: String? = nil, via: Via? = nil, result: Value = .null, reason: String? = nil,
    error: Failure? = nil
  ) {
    self.status = status
    self.by = by
    self.via = via
    self.result = result
    aside = Outcome.trouble(reason, error)
  }

  /// A class's own initializer would allocate before it found that there is nothing to hold.
  @inline(__always)
  private static func trouble(_ reason: String?, _ failure: Failure?) -> Trouble? {
    reason == nil && failure == nil ? nil : Trouble(reason, failure)
  }

  /// The outcome of what was done.
  @inline(__always)
  init(handledBy taker: Taker, result: Value) {
    status = .handled
    by = taker.name
    via = taker.via
    self.result = result
  }

  /// The outcome of what goes on as a job.
  @inline(__always)
  init(running job: AnyObject, by taker: Taker) {
    status = .running
    by = taker.name
    via = taker.via
    result = .null
    aside = job
  }

  /// Who did it, and how that one was found.
  struct Taker {
    let name: String?
    let via: Via?
  }
}
