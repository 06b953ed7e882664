extension ScriptHost {
  /// The responders and windows, the app among them, in the order in which they were made.
  public var responders: [Responder] { chain.responders.values.sorted { $0.number < $1.number } }

  /// The actions that a responder has handlers for, in the order of their bytes.
  ///
  /// What it would resolve, redirect or claim is found out when it is asked, and not here.
  public func actions(of responder: Responder) -> [String] {
    let actions = responder.stack.reduce(into: Set<Name>()) { $0.formUnion($1.on.keys) }
    return actions.map(names.text).sorted { $0.precedesByBytes($1) }
  }

  /// What those of a responder's actions take that declare it; nobody is asked for choices.
  package func takes(of responder: Responder) -> [(action: String, arguments: [AskedArgument])] {
    actions(of: responder).compactMap { action in
      names.name(of: action).flatMap { responder.said(\.takes, $0) }.map { (action, $0.facts) }
    }
  }

  /// The actions that the embedding program does itself, in the order of their bytes.
  public var nativeActions: [String] { dispatcher.nativeNames.map(names.text).sorted { $0.precedesByBytes($1) } }

  /// The key window, at whose first responder a walk begins.
  public var keyWindow: Responder? { chain.key }

  /// The main window.
  public var mainWindow: Responder? { chain.main }
}
