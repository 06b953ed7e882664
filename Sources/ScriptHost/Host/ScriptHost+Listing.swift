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

  /// The arguments that a responder's actions declare; functions that list choices aren't called.
  package func takes(of responder: Responder) -> [(action: String, arguments: [AskedArgument])] {
    let declared = responder.stack.reduce(into: Set<Name>()) { $0.formUnion($1.takes.keys) }
    let answered = declared.filter { responder.entry(.on, $0) != nil }.map { (text: names.text(of: $0), name: $0) }
    return answered.sorted { $0.text.precedesByBytes($1.text) }.compactMap { action in
      responder.said(\.takes, action.name).map { (action.text, $0.facts) }
    }
  }

  /// How many handlers for actions a responder has, in all of its behaviours; one that replaces another counts beside it.
  package func handlerCount(of responder: Responder) -> Int { responder.stack.reduce(0) { $0 + $1.on.count } }

  /// Whether somebody has a handler for an action.
  package func isAnswered(_ action: String) -> Bool {
    guard let name = names.name(of: action) else { return false }
    return chain.responders.values.contains { $0.entry(.on, name) != nil }
  }

  /// Every action that responders have handlers for, in the order in which these were made, each with the first so many that have one, and
  /// whether there are more. What responders share is looked at once.
  package func answeredActions(by most: Int) -> [(action: String, by: [Responder], isMore: Bool)] {
    var sharing: [ObjectIdentifier: [Responder]] = [:]
    var having: [Name: [ObjectIdentifier]] = [:]
    var order: [Name] = []
    for responder in responders {
      var found: [Name] = []
      for behaviour in responder.stack where !behaviour.on.isEmpty {
        let id = ObjectIdentifier(behaviour)
        if sharing[id] == nil {
          for name in behaviour.on.keys {
            if having[name] == nil { found.append(name) }
            having[name, default: []].append(id)
          }
        }
        if sharing[id, default: []].count <= most { sharing[id, default: []].append(responder) }
      }
      order += found.sorted { names.text(of: $0).precedesByBytes(names.text(of: $1)) }
    }
    return order.map { name in
      let known = (having[name] ?? []).flatMap { sharing[$0] ?? [] }
      let by = Dictionary(known.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        .values.sorted { $0.number < $1.number }
      return (names.text(of: name), Array(by.prefix(most)), by.count > most)
    }
  }

  /// The actions that the embedding program does itself, in the order of their bytes.
  public var nativeActions: [String] { dispatcher.nativeNames.map(names.text).sorted { $0.precedesByBytes($1) } }

  /// The key window, at whose first responder a walk begins.
  public var keyWindow: Responder? { chain.key }

  /// The main window.
  public var mainWindow: Responder? { chain.main }
}
