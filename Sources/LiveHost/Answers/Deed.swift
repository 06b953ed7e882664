import ScriptHost

/// A *deed* is one thing that is done to an app, as a person would.
package enum Deed {
  case perform(String, Performing = Performing())
  case press(String)
  case pick(String, modifiers: [String] = [])
  /// A row of the panel becomes the current one.
  case choose(String)
  case focus(String)
  /// A line of Lua; what errors call it.
  case evaluate(String, name: String? = nil)

  /// How an action is performed, where it is otherwise than usual.
  package struct Performing {
    package var from: String?
    package var to: String?
    package var arguments = Arguments()
    package var skipsValidation = false

    package init(
      from: String? = nil, to: String? = nil, arguments: Arguments = Arguments(), skipsValidation: Bool = false
    ) {
      self.from = from
      self.to = to
      self.arguments = arguments
      self.skipsValidation = skipsValidation
    }
  }
}

extension Deed {
  /// The arguments that are laid over those of what is performed.
  package var arguments: Arguments {
    if case .perform(_, let performing) = self { performing.arguments } else { Arguments() }
  }
}
