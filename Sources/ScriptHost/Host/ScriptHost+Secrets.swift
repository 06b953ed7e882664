// A7: secret values are not shown to anyone who didn't give them.

extension ScriptHost {
  /// Called with each secret value that is given, so that a recorder can leave it out.
  package var onSecret: ((Value) -> Void)? {
    get { dispatcher.onSecret }
    set { dispatcher.onSecret = newValue }
  }

  /// Replaces the secrets in undo titles, which stand in menus and answers.
  package var maskingTitle: ((String) -> String)? {
    get { dispatcher.maskingTitle }
    set { dispatcher.maskingTitle = newValue }
  }

  /// The names of all arguments that somebody declares secret.
  package var secretNames: Set<String> {
    guard chain.hasSecrets else { return [] }
    let takes = (responders + [dispatcher.hostResponder]).flatMap { $0.stack.flatMap(\.takes.values) }
    return Set(takes.flatMap(\.content.arguments).filter(\.facts.isSecret).map(\.key))
  }

  /// A reference without its secret arguments, as it is shown to anyone but the action's handler.
  package func masked(_ reference: String) -> String {
    guard chain.hasSecrets else { return reference }
    guard let parsed = try? Reference.parse(reference) else { return Dispatcher.maskedUnreadable(reference) }
    return dispatcher.masked(reference, parsed)
  }

  /// A URL as it is shown to others: if a handler of `openURL` declares it secret, the name of that action instead.
  package func masked(url: String) -> String {
    guard chain.hasSecrets else { return url }
    if case .text? = masked(Arguments([("url", .text(url))]), of: "openURL")["url"] { return url }
    return "openURL"
  }

  /// Arguments for a reference as they are shown to others; without a reference, each that anyone declares secret is masked.
  package func masked(_ arguments: Arguments, of reference: String?) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    if let parsed = reference.flatMap({ try? Reference.parse($0) }) { return dispatcher.masked(arguments, of: parsed) }
    var masked = arguments
    for key in secretNames where arguments.has(key) { masked[key] = Value(.secret) }
    return masked
  }
}
