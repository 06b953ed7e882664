// A7: what is secret is not shown to who didn't give it.

extension ScriptHost {
  /// A reference as it is shown to others than who does it: without what is secret.
  package func masked(_ reference: String) -> String {
    guard chain.hasSecrets, let parsed = try? Reference.parse(reference) else { return reference }
    return dispatcher.masked(reference, parsed)
  }

  /// Arguments for a reference as they are shown to others; where it is not known which, whatever is secret to anybody is.
  package func masked(_ arguments: Arguments, of reference: String?) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    if let parsed = reference.flatMap({ try? Reference.parse($0) }) { return dispatcher.masked(arguments, of: parsed) }
    var masked = arguments
    for responder in responders + [dispatcher.hostResponder] {
      for takes in responder.stack.flatMap(\.takes.values) {
        for argument in takes.content.arguments where argument.facts.isSecret && arguments.has(argument.key) {
          masked[argument.key] = Value(.secret)
        }
      }
    }
    return masked
  }
}
