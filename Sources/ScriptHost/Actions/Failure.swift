/// An error of a script or a native handler.
public struct Failure: Error, Sendable {
  /// A limit for scripts.
  public enum Limit: String, Sendable, CaseIterable {
    case time, instructions, memory
  }

  static let longestMessage = 4096

  /// One sentence without the place. Only its first 4 KiB are kept, because scripts write it.
  public var message: String { didSet { message = message.cut(toBytes: Self.longestMessage) } }
  /// The message as a reason why an action is disabled.
  var asReason: String { "error: \(message)".cut(toBytes: Self.longestMessage) }
  /// The place in the script where it was raised, if any.
  public var place: Place?
  /// The line of the script at the place.
  public var text: String?
  /// The stack of calls.
  public var traceback: String?
  /// The kind of failure, for programs.
  public var code: Code
  /// The name of the owner whose function failed.
  public var owner: String?
  /// The limit that was exceeded, if any.
  public var limit: Limit?
  /// Whether a `failed` hook ended it.
  public var ended = false
  /// Whether it has already travelled up the chain, and was reported at the top.
  var hasTravelled = false
  /// The original Swift error.
  public var cause: (any Error)?

  /// The kind of failure.
  public enum Code: String, Sendable, CaseIterable {
    /// A function raised an error.
    case script
    /// The reference is invalid.
    case reference
    /// The keys are invalid.
    case keys
    /// Performs are nested too deep.
    case nesting
    /// A limit was exceeded.
    case limit
    /// The action was cancelled.
    case cancelled
    /// Redirections form a cycle.
    case circle
    /// The caller requested something that the host can't do.
    case misuse
    /// A script lacks the capability for something outside the host.
    case capability
    /// A scripted test didn't find the expected result.
    case expectation
    /// A client failed to do an action, or didn't answer.
    case client
  }

  /// Creates a failure.
  public init(
    _ code: Code, _ message: String, place: Place? = nil, text: String? = nil, traceback: String? = nil,
    owner: String? = nil, limit: Limit? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.cut(toBytes: Self.longestMessage)
    self.place = place
    self.text = text
    self.traceback = traceback
    self.owner = owner
    self.limit = limit
    self.cause = cause
  }
}

extension Failure: CustomStringConvertible {
  public var description: String { place.map { "\($0): \(message)" } ?? message }
}

/// Why an argument isn't accepted.
public struct Misfit: Sendable, Equatable {
  /// The name of the argument.
  public var argument: String
  /// The allowed values.
  public var expected: String
  /// The problem in a sentence, with the given value.
  public var reason: String

  package init(argument: String, expected: String, reason: String) {
    self.argument = argument
    self.expected = expected
    self.reason = reason
  }
}

extension Misfit {
  /// Creates the misfit of an argument with a wrong value.
  init(_ argument: AskedArgument, given: Value) {
    let shown = argument.isSecret ? "what was given" : given.shown
    self.init(
      argument: argument.key, expected: argument.expected,
      reason: "'\(argument.key)' must be \(argument.expected), not \(shown)")
  }

  /// Creates the misfit of an undeclared argument.
  init(undeclared key: String, of action: String, taking known: [String]) {
    let near = nearest(to: key, among: known).first.map { "; did you mean '\($0)'?" }
    let none = known.isEmpty ? ": it takes none" : ""
    self.init(
      argument: key, expected: known.isEmpty ? "nothing" : known.joined(separator: ", "),
      reason: "'\(action)' takes no '\(key.shortened(toBytes: 40))'\(near ?? none)")
  }
}
