/// The argument of a native handler: what was asked, the context, and ways to answer.
public struct Command {
  /// What the handler knows.
  public let context: Context
  /// Whose handler this is.
  public let responder: Responder

  /// The name of the action, as the responder that takes it calls it.
  public var action: String { context.request?.action ?? "" }
  /// The arguments of the reference and of the options together.
  public var arguments: Arguments { context.request?.arguments ?? Arguments() }
  /// Who asked: an item, a responder, else the app.
  public var sender: Sender { context.request?.sender ?? .app }

  /// A refusal with a reason, for the handler to throw: the outcome is `disabled`.
  public func refuse(_ reason: String) -> Refusal { Refusal(reason: reason) }
}

/// Thrown by a native handler that can't do the action after all.
public struct Refusal: Error {
  /// Why it can't be done; the outcome's `reason`.
  public let reason: String
}

/// Thrown or answered by a native handler that leaves the action to the next candidate of the walk.
public struct Pass: Error {
  public init() {}
}

/// What a native `can` answers.
public enum Permission: Sendable {
  case yes
  case no(String)
  case pass
}

extension Permission: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = value ? .yes : .no("not now") }
}
