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
