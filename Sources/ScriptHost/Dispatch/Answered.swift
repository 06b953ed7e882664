/// A person's answers to the questions of an action.
package struct Answered {
  /// The answer to the question to confirm; nil if it was not asked.
  package var confirmed: Bool?
  /// The text of the question that was answered; nil if the yes is for whatever is asked.
  package var asked: String?
  /// The arguments that the person has given, which are put over those of the deed.
  package var arguments: Arguments

  package init(confirmed: Bool? = nil, asked: String? = nil, arguments: Arguments = Arguments()) {
    self.confirmed = confirmed
    self.asked = asked
    self.arguments = arguments
  }

  package var isEmpty: Bool { confirmed == nil && arguments.isEmpty }
}
