extension ScriptHost {
  /// Makes a responder; the app is next where no other is named.
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

  /// The behaviour that the embedding program gives to a responder, whoever made it.
  public func edit(_ responder: Responder) -> ResponderEditor {
    ResponderEditor(responder: responder, host: self, owner: program)
  }

  /// The responder or window of that name.
  public func find(_ name: String) -> Responder? { chain.find(name) }

  /// The windows, in the order in which they were made.
  public var windows: [Responder] { chain.windows }

  /// Who has the focus.
  public var focused: Responder { chain.focused }

  /// The names of those who are asked, nearest first.
  public var chainNames: [String] { dispatcher.defaultWalk().nodes.map(\.name) }

  /// Makes a responder the one that is asked after another; a circle is refused.
  public func setNext(_ next: Responder, of responder: Responder) throws(Misuse) {
    try checkNotAsking("next can't be set")
    try chain.setNext(next, of: responder)
    endTurn()
  }

  /// Gives a window, or the app, a delegate that is asked right after it; nil takes it away.
  public func setDelegate(_ delegate: Responder?, of window: Responder) throws(Misuse) {
    try checkNotAsking("a delegate can't be set")
    try chain.setDelegate(delegate, of: window)
    endTurn()
  }

  /// Makes a window the main one, whose chain is asked after the key window's.
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

  /// Makes a responder the first of its window, and that window key. False if it refuses the focus, or the responder that has it does.
  @discardableResult
  public func focus(_ responder: Responder) throws(Misuse) -> Bool {
    try checkNotAsking("the focus can't be moved")
    return try dispatcher.focus(responder)
  }

  /// Makes a responder the first of its window, and that window key.
  public func focus(_ editor: ResponderEditor) throws(Misuse) { try focus(editor.responder) }

  /// Cancels an owner's waiting actions, which takes back what they did, then removes everything of the owner's.
  func removeAll(of owner: Owner) {
    if !isLoading { stop(owner) }
    dispatcher.cancelJobs(of: owner)
    takeOut(owner)
    dispatcher.cancelStrays()
  }

  /// Removes everything of an owner that has no waiting actions. Others are told when all of it is gone.
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

  /// Takes a responder out, with everything that it answered.
  public func remove(_ responder: Responder) throws(Misuse) {
    try checkNotAsking("a responder can't be removed")
    if chain.holds(responder), responder !== chain.app { stop(responder) { _ in true } }
    // Before the responder is removed, so that what its actions did is taken back.
    if chain.holds(responder), responder !== chain.app { dispatcher.cancelStrays { $0 === responder } }
    try dispatcher.movingFocus { () throws(Misuse) in try chain.remove(responder) }
  }

  func checkNotAsking(_ sentence: String) throws(Misuse) {
    if let misuse = dispatcher.whileAskingMisuse(sentence) { throw misuse }
  }
}

extension ScriptHost {
  /// Focuses a responder and lets only it act, with whatever reaches it by `next`, until the session ends.
  ///
  /// Outside of it, only responders that work when modal and the host's own undo and redo act; everything else is `blocked`. A
  /// dismissable session is closed by the first action from outside, which is not done.
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

  /// Opens a session for an owner; nil where the focus is refused.
  func modal(
    _ responder: Responder, dismissable: Bool, owner: Owner, place: Place?
  ) throws(Misuse) -> ModalSession? {
    try checkNotAsking("a modal session can't be opened")
    return try dispatcher.modal(responder, isDismissable: dismissable, owner: owner, place: place)
  }

  /// What is wrong with a modal session on a responder that doesn't take the focus.
  func refusedFocus(_ responder: Responder) -> Misuse {
    Misuse(.refused, "the focus didn't get to '\(responder.name)', so no modal session is open on it")
  }

  /// The modal sessions that are open, the topmost last.
  public var modalSessions: [ModalSession] { chain.sessions }
}

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
