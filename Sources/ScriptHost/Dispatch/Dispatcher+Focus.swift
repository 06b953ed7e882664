// Moves the focus. The responders that get and lose it may refuse; listeners hear of the move afterwards.

extension Dispatcher {
  /// Focuses a responder and makes its window key, unless either responder refuses. Returns true if it has the focus
  /// now. The session, if any, opens once neither has refused.
  func focus(_ responder: Responder, opening session: ModalSession? = nil) throws(Misuse) -> Bool {
    try chain.check(responder, "it can't have the focus")
    if session == nil, moves.isUnheard, !chain.asksForFocus(chain.focused), !chain.asksForFocus(responder) {
      chain.giveFocus(to: responder)
      return true
    }
    try checkFocusIsFree()
    return try movingFocus { () throws(Misuse) in
      let old = chain.focused
      if old !== responder, chain.asksForFocus(old) || chain.asksForFocus(responder) {
        guard accepts(responder), resigns(old), chain.holds(responder) else { return false }
      }
      if let session { chain.open(session) }
      try chain.setFocus(responder)
      guard old !== responder, !becomes(responder), chain.focused === responder else {
        return chain.focused === responder
      }
      try chain.setFocus(chain.window(of: responder) ?? chain.app)
      return false
    }
  }

  /// Makes a window key without calling hooks. Its first responder gets the focus.
  func makeKey(_ window: Responder) throws(Misuse) {
    try checkFocusIsFree()
    try movingFocus { () throws(Misuse) in try chain.makeKey(window) }
  }

  /// Throws if a responder is resigning the focus, or moves are nested too deep.
  ///
  /// Only the answer of the resigning responder decides where the focus goes.
  func checkFocusIsFree() throws(Misuse) {
    if let resigning = moves.resigning {
      throw Misuse(.notNow, "the focus can't be moved while '\(resigning.name)' is losing it")
    }
    if moves.depth >= Self.nestingLimit {
      throw Misuse(.notNow, "moves of the focus are nested more than \(Self.nestingLimit) deep")
    }
  }

  /// Runs a body that may move the focus, then notifies listeners.
  func movingFocus<Answer>(_ body: () throws(Misuse) -> Answer) throws(Misuse) -> Answer {
    if moves.depth == 0 { moves.told = chain.focused }
    moves.depth += 1
    engine?.beginAllowance()
    defer {
      tellFocus()
      endAllowance()
      moves.depth -= 1
      if moves.depth == 0 {
        moves.told = nil
        moves.onSettled?()
      }
    }
    return try body()
  }

  /// Runs a body that may move the focus several times, then notifies listeners once.
  func tellingFocusOnce(_ body: () -> Void) {
    try? movingFocus { () throws(Misuse) in
      let isHeld = moves.isHeld
      moves.isHeld = true
      body()
      moves.isHeld = isHeld
    }
  }

  /// Notifies listeners of a move. Nested moves have notified them already, so they see a path from responder to
  /// responder.
  private func tellFocus() {
    guard !moves.isHeld, let old = moves.told, old !== chain.focused else { return }
    moves.told = chain.focused
    moves.onMove?(chain.focused, old)
  }

  // MARK: Asking

  private func accepts(_ responder: Responder) -> Bool {
    moves.asked = responder
    switch responder.hook(\.acceptsFocus) {
    case nil: return true
    case .always(let answer)?: return answer
    case .asked(let hook)?:
      switch whileAsking({ hook.acceptsFocus(for: responder) }) {
      case .success(let answer): return answer
      case .failure(let failure):
        report(Diagnostic(failure))
        return true
      }
    }
  }

  private func resigns(_ responder: Responder) -> Bool {
    guard let hook = responder.hook(\.resign) else { return true }
    moves.asked = responder
    moves.resigning = responder
    let answer = hook.resign(for: responder)
    moves.resigning = nil
    return consent(answer, of: responder)
  }

  private func becomes(_ responder: Responder) -> Bool {
    guard chain.asksForFocus(responder), let hook = responder.hook(\.become) else { return true }
    moves.asked = responder
    return consent(hook.become(for: responder), of: responder)
  }

  /// Returns the hook's answer. A hook that fails doesn't refuse: an error must not hold the focus.
  private func consent(_ answer: Result<Bool, Failure>, of responder: Responder) -> Bool {
    switch answer {
    case .success(let answer): return answer
    case .failure(let failure):
      _ = travel(failure, from: responder, along: walks.walk(from: responder).nodes)
      return true
    }
  }
}

// Modal sessions block actions of responders outside them, and close when something inside fails.

extension Dispatcher {
  /// Focuses a responder and opens a session on it. Returns nil if the focus is refused.
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

  /// Closes a session and those above it, and restores the focus without calling hooks.
  func close(_ session: ModalSession) {
    guard session.isOpen else { return }
    try? movingFocus { () throws(Misuse) in chain.close(session) }
  }

  /// Closes the lowest session that meets a condition, and those above it.
  func closeSessions(where isOver: (ModalSession) -> Bool) {
    if let session = chain.sessions.first(where: isOver) { close(session) }
  }

  /// Closes the sessions that contain a failed responder, and those opened after session `number`.
  func closeSessions(afterFailureOf responder: Responder, openedSince number: Int) {
    guard !chain.sessions.isEmpty else { return }
    closeSessions { $0.number > number || chain.isWithin(responder, $0) }
  }

  // MARK: The gate

  /// Returns the session that blocks a candidate's action; nil if none does.
  @inline(__always)
  func session(blocking candidate: Candidate, whileDrawing: Bool = false) -> ModalSession? {
    guard state.isModal, !candidate.isOfHost else { return nil }
    return session(blocking: candidate.responder, whileDrawing: whileDrawing)
  }

  /// Returns the topmost session if a responder is outside it.
  ///
  /// An open menu blocks nothing: only the sessions below it block its items.
  func session(blocking responder: Responder, whileDrawing: Bool = false) -> ModalSession? {
    let top = chain.sessions.last { !$0.isPicking && !(whileDrawing && $0.responder == nil) }
    return top.flatMap { chain.isInside(responder, $0) ? nil : $0 }
  }

  /// Returns the outcome of a blocked action. A dismissable session closes instead, and the action isn't done.
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
  /// Whether this is the host's undo, redo or quit, which no session blocks.
  fileprivate var isOfHost: Bool {
    via == .native && (action == "undo" || action == "redo" || handler is QuitAction)
  }
}

// Key bindings, looked up along the chain, nearest first.

extension Dispatcher {
  /// The current bindings along the chain.
  var boundKeys: BoundKeys {
    let walk = defaultWalk()
    if let known = walk.boundKeys, known.changes == chain.keyChanges { return known }
    let made = BoundKeys(of: walk, under: chain.keymap, changes: chain.keyChanges)
    walk.boundKeys = made
    return made
  }
}
