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

  /// How it ended.
  public var status: Status
  /// The name of the responder whose function ran.
  public var by: String?
  /// The way in which the taker was found.
  public var via: Via?
  /// What the handler gave back.
  public var result: Value
  /// Why it was not done.
  public var reason: String?
  /// What failed. It is rare and large, so it lies apart.
  public var error: Failure? {
    get { (aside as? Failed)?.failure }
    set { aside = newValue.map(Failed.init) }
  }
  /// What few outcomes have: what failed, or what goes on.
  var aside: AnyObject?

  private final class Failed {
    let failure: Failure

    init(_ failure: Failure) { self.failure = failure }
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
    self.reason = reason
    aside = error.map(Failed.init)
  }
}
