/// A *failure* is an error of a script or of a native handler, as facts.
public struct Failure: Error, Sendable {
  /// The limit that was spent.
  public enum Limit: String, Sendable, CaseIterable {
    case time, instructions, memory
  }

  static let longestMessage = 4096

  /// One sentence, without the place; its first 4 KiB where it is longer, since scripts say what is in it.
  public var message: String { didSet { message = message.cut(toBytes: Self.longestMessage) } }
  /// The message as a reason why something can't be done now.
  var asReason: String { "error: \(message)".cut(toBytes: Self.longestMessage) }
  /// Where it was raised, if it was in a script.
  public var place: Place?
  /// The line of the script that the place names.
  public var text: String?
  /// The calls that led there.
  public var traceback: String?
  /// What kind of failure it is, for programs.
  public var code: Code
  /// The name of the owner whose function failed.
  public var owner: String?
  /// Which limit was spent, if one was.
  public var limit: Limit?
  /// Whether a `failed` hook ended it.
  public var ended = false
  /// Whether it has travelled up the chain already, and was reported at the top.
  var hasTravelled = false
  /// The error of Swift's that began it.
  public var cause: (any Error)?

  /// What kind of failure it is.
  public enum Code: String, Sendable, CaseIterable {
    /// A function raised.
    case script
    /// The reference can't be read.
    case reference
    /// The keys can't be read.
    case keys
    /// Performs nested too deep.
    case nesting
    /// A limit was spent.
    case limit
    /// It was cancelled.
    case cancelled
    /// Redirections lead in a circle.
    case circle
    /// The host was asked for something that it can't do.
    case misuse
    /// A script tried something outside of the host that was not granted.
    case capability
    /// A scripted test didn't find what it expects.
    case expectation
    /// A client failed to do an action, or didn't answer.
    case client
  }

  /// A failure with these facts.
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

/// Why an argument is not taken.
public struct Misfit: Sendable, Equatable {
  /// The argument.
  public var argument: String
  /// What may be given.
  public var expected: String
  /// All of it in a sentence, with what was given.
  public var reason: String

  package init(argument: String, expected: String, reason: String) {
    self.argument = argument
    self.expected = expected
    self.reason = reason
  }
}

extension Misfit {
  /// The misfit of an argument whose value isn't what the action takes.
  init(_ argument: AskedArgument, given: Value) {
    let shown = argument.isSecret ? "what was given" : given.shown
    self.init(
      argument: argument.key, expected: argument.expected,
      reason: "'\(argument.key)' must be \(argument.expected), not \(shown)")
  }

  /// The misfit of an argument that the action doesn't take.
  init(undeclared key: String, of action: String, taking known: [String]) {
    let near = nearest(to: key, among: known).first.map { "; did you mean '\($0)'?" }
    let none = known.isEmpty ? ": it takes none" : ""
    self.init(
      argument: key, expected: known.isEmpty ? "nothing" : known.joined(separator: ", "),
      reason: "'\(action)' takes no '\(key.shortened(toBytes: 40))'\(near ?? none)")
  }
}
