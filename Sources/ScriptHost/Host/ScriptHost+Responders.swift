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
      menuTrees.removeAll(of: owner)
      engine?.forget(owner)
    }
  }

  /// Takes a responder out, with everything that it answered.
  public func remove(_ responder: Responder) throws(Misuse) {
    try checkNotAsking("a responder can't be removed")
    // Before the responder is removed, so that what its actions did is taken back.
    if chain.holds(responder), responder !== chain.app { dispatcher.cancelStrays { $0 === responder } }
    try dispatcher.movingFocus { () throws(Misuse) in try chain.remove(responder) }
  }

  func checkNotAsking(_ sentence: String) throws(Misuse) {
    if let misuse = dispatcher.whileAskingMisuse(sentence) { throw misuse }
  }
}
