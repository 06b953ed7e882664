// Modal sessions while performing: they block actions of responders outside, and close when something fails in them.

extension Dispatcher {
  /// Focuses a responder and opens a session on it; nil if the focus is refused.
  func modal(
    _ responder: Responder, isDismissable: Bool, owner: Owner, place: Place?
  ) throws(Misuse) -> ModalSession? {
    try owner.checkIsThere()
    let session = ModalSession(
      on: responder, title: responder.name, isDismissable: isDismissable, owner: owner, place: place,
      end: { [life] in life.object?.close($0) })
    try chain.checkRoomForSession()
    _ = try focus(responder, opening: session)
    if session.isOpen, !chain.isWithin(chain.focused, session) { close(session) }
    return session.isOpen ? session : nil
  }

  /// Closes a session and those above it, and restores the focus without asking anybody.
  func close(_ session: ModalSession) {
    guard session.isOpen else { return }
    try? movingFocus { () throws(Misuse) in chain.close(session) }
  }

  /// Closes the lowest session for which a condition holds, and those above it.
  func closeSessions(where isOver: (ModalSession) -> Bool) {
    if let session = chain.sessions.first(where: isOver) { close(session) }
  }

  /// Closes sessions after a failure that no hook ended: one that contains its responder, or was opened after the session of a number.
  func closeSessions(afterFailureOf responder: Responder, openedSince number: Int) {
    guard !chain.sessions.isEmpty else { return }
    closeSessions { $0.number > number || chain.isWithin(responder, $0) }
  }

  // MARK: The gate

  /// The session that blocks a candidate's action; nil if none does.
  @inline(__always)
  func session(blocking candidate: Candidate, whileDrawing: Bool = false) -> ModalSession? {
    guard state.value.isModal, !candidate.isHistory else { return nil }
    return session(blocking: candidate.responder, whileDrawing: whileDrawing)
  }

  /// The topmost session, if a responder is outside of it.
  ///
  /// An open menu disables nothing: what is picked in it, and what is drawn, is blocked only by the sessions below it.
  func session(blocking responder: Responder, whileDrawing: Bool = false) -> ModalSession? {
    let top = chain.sessions.last { !$0.isPicking && !(whileDrawing && $0.responder == nil) }
    return top.flatMap { chain.isInside(responder, $0) ? nil : $0 }
  }

  /// The outcome of an action that a session blocks. A dismissable session is closed by that, and the action is not done.
  func block(
    _ name: String, via: Outcome.Via, by session: ModalSession, _ options: PerformOptions
  ) -> Outcome {
    guard session.isDismissable, !options.isDelivery else {
      return Outcome(.blocked, by: name, via: via, reason: session.reason(for: name))
    }
    close(session)
    return Outcome(.blocked, by: name, via: via, reason: "dismissed")
  }
}

extension Candidate {
  /// Whether it is the host's own undo or redo, which every session lets through.
  fileprivate var isHistory: Bool { via == .native && (action == "undo" || action == "redo") }
}
