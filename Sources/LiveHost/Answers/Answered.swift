import ScriptHost

/// A person's answers to what was asked.
package struct Answered {
  /// To what was to be confirmed; nil where that was not asked.
  package var confirmed: Bool?
  /// Laid over the arguments.
  package var arguments = Arguments()

  package init(confirmed: Bool? = nil, arguments: Arguments = Arguments()) {
    self.confirmed = confirmed
    self.arguments = arguments
  }

  package var isEmpty: Bool { confirmed == nil && arguments.isEmpty }
}
