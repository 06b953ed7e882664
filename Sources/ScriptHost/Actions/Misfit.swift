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
