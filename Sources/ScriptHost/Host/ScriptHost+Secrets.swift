// A7: what is secret is not shown to who didn't give it.

extension ScriptHost {
  /// Told of each secret that is given, by whomever: who writes things down leaves it out.
  package var onSecret: ((Value) -> Void)? {
    get { dispatcher.onSecret }
    set { dispatcher.onSecret = newValue }
  }

  /// The names of all arguments that somebody declares secret.
  package var secretNames: Set<String> {
    guard chain.hasSecrets else { return [] }
    let takes = (responders + [dispatcher.hostResponder]).flatMap { $0.stack.flatMap(\.takes.values) }
    return Set(takes.flatMap(\.content.arguments).filter(\.facts.isSecret).map(\.key))
  }

  /// A reference as it is shown to others than who does it: without what is secret.
  package func masked(_ reference: String) -> String {
    guard chain.hasSecrets else { return reference }
    guard let parsed = try? Reference.parse(reference) else { return Dispatcher.maskedUnreadable(reference) }
    return dispatcher.masked(reference, parsed)
  }

  /// A URL as it is shown to others: where it is secret to anybody who opens some, the action that opens it.
  package func masked(url: String) -> String {
    guard chain.hasSecrets else { return url }
    if case .text? = masked(Arguments([("url", .text(url))]), of: "openURL")["url"] { return url }
    return "openURL"
  }

  /// Arguments for a reference as they are shown to others; where it is not known which, whatever is secret to anybody is.
  package func masked(_ arguments: Arguments, of reference: String?) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    if let parsed = reference.flatMap({ try? Reference.parse($0) }) { return dispatcher.masked(arguments, of: parsed) }
    var masked = arguments
    for key in secretNames where arguments.has(key) { masked[key] = Value(.secret) }
    return masked
  }
}
