extension ScriptHost {
  /// Makes a responder. Its next is the app, unless you name another.
  public func responder(_ name: String, next: Responder? = nil) throws(Misuse) -> ResponderEditor {
    try make(name, kind: .responder, next: next)
  }

  /// Makes a window: a responder that has a first responder and a delegate.
  public func window(_ name: String, next: Responder? = nil) throws(Misuse) -> ResponderEditor {
    try make(name, kind: .window, next: next)
  }

  private func make(_ name: String, kind: Responder.Kind, next: Responder?) throws(Misuse) -> ResponderEditor {
    try checkNotAsking("a responder can't be made")
    let responder = try chain.add(name, kind: kind, next: next, owner: program, place: nil)
    return ResponderEditor(responder: responder, host: self, owner: program)
  }

  /// Edits the behaviour that the embedding program gives to any responder.
  public func edit(_ responder: Responder) -> ResponderEditor {
    ResponderEditor(responder: responder, host: self, owner: program)
  }

  /// Returns the responder or window of that name.
  public func find(_ name: String) -> Responder? { chain.find(name) }

  /// The windows, in the order in which they were made.
  public var windows: [Responder] { chain.windows }

  /// The responder that has the focus.
  public var focused: Responder { chain.focused }

  /// The names of the responders of the chain, nearest first.
  public var chainNames: [String] { dispatcher.defaultWalk().nodes.map(\.name) }

  /// Makes a responder the next of another. Throws if that closes a circle.
  public func setNext(_ next: Responder, of responder: Responder) throws(Misuse) {
    try checkNotAsking("next can't be set")
    try chain.setNext(next, of: responder)
    endTurn()
  }

  /// Sets the delegate of a window or the app, which comes right after it in the chain; nil removes it.
  public func setDelegate(_ delegate: Responder?, of window: Responder) throws(Misuse) {
    try checkNotAsking("a delegate can't be set")
    try chain.setDelegate(delegate, of: window)
    endTurn()
  }

  /// Makes a window the main window, whose chain follows the key window's.
  public func makeMain(_ window: Responder) throws(Misuse) {
    try checkNotAsking("a window can't be made main")
    try chain.makeMain(window)
    endTurn()
  }

  /// Makes a window key: the walk begins at its first responder.
  public func makeKey(_ window: Responder) throws(Misuse) {
    try checkNotAsking("a window can't be made key")
    try dispatcher.makeKey(window)
  }

  /// Gives a responder the focus in its window, and makes that window key. Returns false if a hook refuses the move.
  @discardableResult
  public func focus(_ responder: Responder) throws(Misuse) -> Bool {
    try checkNotAsking("the focus can't be moved")
    return try dispatcher.focus(responder)
  }

  /// Gives a responder the focus in its window, and makes that window key.
  public func focus(_ editor: ResponderEditor) throws(Misuse) { try focus(editor.responder) }

  /// Cancels an owner's waiting actions and undoes what they did, then removes everything of the owner.
  func removeAll(of owner: Owner) {
    if !isLoading { stop(owner) }
    dispatcher.cancelJobs(of: owner)
    takeOut(owner)
    dispatcher.cancelStrays()
  }

  /// Removes everything of an owner that has no waiting actions. Notifications come when all of it is gone.
  func takeOut(_ owner: Owner) {
    owner.hasLeft = true
    dispatcher.tellingFocusOnce {
      dispatcher.closeSessions { $0.owner === owner }
      try? chain.removeAll(of: owner)
      dispatcher.undo.removeDone(by: owner, from: chain.responders.values)
      dispatcher.forgetObservers(where: { $0.owner === owner })
      for kind in listeners.keys { listeners[kind]?.removeAll { $0.owner === owner } }
      for name in eventListeners.keys { eventListeners[name]?.removeAll { $0.owner === owner } }
      menuTrees.removeAll(of: owner)
      engine?.forget(owner)
    }
  }

  /// Removes a responder, with all its handlers.
  public func remove(_ responder: Responder) throws(Misuse) {
    try checkNotAsking("a responder can't be removed")
    if chain.holds(responder), responder !== chain.app { stop(responder) { _ in true } }
    // This comes before the removal, so that the effects of its actions are undone.
    if chain.holds(responder), responder !== chain.app { dispatcher.cancelStrays { $0 === responder } }
    try dispatcher.movingFocus { () throws(Misuse) in try chain.remove(responder) }
  }

  func checkNotAsking(_ sentence: String) throws(Misuse) {
    if let misuse = dispatcher.whileAskingMisuse(sentence) { throw misuse }
  }
}

extension ScriptHost {
  /// Focuses a responder and lets only it act, with all that reach it by `next`, until the session ends.
  ///
  /// Outside of it, only responders that work when modal and the host's own undo and redo act. Everything else is
  /// `blocked`. The first action from outside closes a dismissable session, and is not done.
  ///
  /// ```swift
  /// let panel = try host.responder("panel")
  /// panel.on("ok") { _ in print("ok") }
  /// let session = try host.modal(panel.responder)
  /// print(host.perform("quit").status)  // blocked
  /// print(host.perform("ok").status)  // ok, handled
  /// session.close()
  /// ```
  public func modal(_ responder: Responder, dismissable: Bool = false) throws(Misuse) -> ModalSession {
    guard let session = try modal(responder, dismissable: dismissable, owner: program, place: nil) else {
      throw refusedFocus(responder)
    }
    return session
  }

  /// Opens a session for an owner; nil if a hook refuses the focus.
  func modal(
    _ responder: Responder, dismissable: Bool, owner: Owner, place: Place?
  ) throws(Misuse) -> ModalSession? {
    try checkNotAsking("a modal session can't be opened")
    return try dispatcher.modal(responder, isDismissable: dismissable, owner: owner, place: place)
  }

  /// Returns the error for a modal session on a responder that doesn't accept the focus.
  func refusedFocus(_ responder: Responder) -> Misuse {
    Misuse(.refused, "'\(responder.name)' didn't get the focus, so it has no modal session")
  }

  /// The open modal sessions, the topmost last.
  public var modalSessions: [ModalSession] { chain.sessions }
}

extension ScriptHost {
  /// The responders and windows, with the app, in the order in which they were made.
  public var responders: [Responder] { chain.responders.values.sorted { $0.number < $1.number } }

  /// Returns the actions that a responder has handlers for, in the order of their bytes.
  ///
  /// Actions that it would resolve, redirect or claim are not included.
  public func actions(of responder: Responder) -> [String] {
    let actions = responder.stack.reduce(into: Set<Name>()) { $0.formUnion($1.on.keys) }
    return actions.map(names.text).sorted { $0.precedesByBytes($1) }
  }

  /// Returns the declared arguments of a responder's actions, without calling functions for choices.
  package func takes(of responder: Responder) -> [(action: String, arguments: [AskedArgument])] {
    let declared = responder.stack.reduce(into: Set<Name>()) { $0.formUnion($1.takes.keys) }
    let answered = declared.filter { responder.entry(.on, $0) != nil }.map { (text: names.text(of: $0), name: $0) }
    return answered.sorted { $0.text.precedesByBytes($1.text) }.compactMap { action in
      responder.said(\.takes, action.name).map { (action.text, $0.facts) }
    }
  }

  /// Returns the number of action handlers in all behaviours of a responder. A replaced handler counts too.
  package func handlerCount(of responder: Responder) -> Int { responder.stack.reduce(0) { $0 + $1.on.count } }

  /// Returns true if a responder has a handler for an action.
  package func isAnswered(_ action: String) -> Bool {
    guard let name = names.name(of: action) else { return false }
    return chain.responders.values.contains { $0.entry(.on, name) != nil }
  }

  /// Returns every action with a handler, in the order in which the responders were made. Each has its first few
  /// responders, and whether there are more. Shared behaviours are visited once.
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
