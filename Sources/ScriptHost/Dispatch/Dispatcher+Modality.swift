// Modal sessions at work: they gate who may do an action, and end when something fails in them.

extension Dispatcher {
  /// Focuses a responder and opens a session on it; nil where the focus is refused.
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

  /// Ends a session and those above it; the focus is where it was before, and nobody is asked.
  func close(_ session: ModalSession) {
    guard session.isOpen else { return }
    try? movingFocus { () throws(Misuse) in chain.close(session) }
  }

  /// Ends sessions, from the lowest on of which something is true.
  func closeSessions(where isOver: (ModalSession) -> Bool) {
    if let session = chain.sessions.first(where: isOver) { close(session) }
  }

  /// Ends what a failure that nobody ended leaves behind: a session in which it rose, or that was opened since a number.
  func closeSessions(afterFailureOf responder: Responder, openedSince number: Int) {
    guard !chain.sessions.isEmpty else { return }
    closeSessions { $0.number > number || chain.isWithin(responder, $0) }
  }

  // MARK: The gate

  /// The session that keeps an action from who would do it; nil where none does.
  @inline(__always)
  func session(blocking candidate: Candidate, whileDrawing: Bool = false) -> ModalSession? {
    guard state.value.isModal, !candidate.isHistory else { return nil }
    return session(blocking: candidate.responder, whileDrawing: whileDrawing)
  }

  /// The topmost session, where a responder is outside of it.
  ///
  /// What is picked in an open menu is gated by what is below the menu, and so is what is drawn: a menu disables nothing.
  func session(blocking responder: Responder, whileDrawing: Bool = false) -> ModalSession? {
    let top = chain.sessions.last { !$0.isPicking && !(whileDrawing && $0.responder == nil) }
    return top.flatMap { chain.isInside(responder, $0) ? nil : $0 }
  }

  /// The outcome of an action that a session keeps from being done; one that can be dismissed ends, and the action with it.
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
