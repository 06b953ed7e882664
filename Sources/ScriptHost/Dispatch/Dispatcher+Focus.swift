// Moves of the focus: the responder that gets it and the one that loses it may refuse, and listeners are told afterwards.

extension Dispatcher {
  /// Makes a responder the first of its window and that window key, unless it or the focused one refuses. Returns whether it has the
  /// focus now.
  ///
  /// The session, if one is given, opens once nobody has refused.
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

  /// Makes a window key without asking anybody; its first responder gets the focus.
  func makeKey(_ window: Responder) throws(Misuse) {
    try checkFocusIsFree()
    try movingFocus { () throws(Misuse) in try chain.makeKey(window) }
  }

  /// Throws while a responder is asked to resign the focus, because only its answer decides where the focus stays, and where moves are
  /// nested too deep.
  func checkFocusIsFree() throws(Misuse) {
    if let resigning = moves.resigning {
      throw Misuse(.notNow, "the focus can't be moved while '\(resigning.name)' gives it up")
    }
    if moves.depth >= Self.nestingLimit {
      throw Misuse(.notNow, "moves of the focus are nested more than \(Self.nestingLimit) deep")
    }
  }

  /// Runs a body that may move the focus, then tells listeners where it is now.
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

  /// Runs a body that may move the focus several times, then tells listeners of one move.
  func tellingFocusOnce(_ body: () -> Void) {
    try? movingFocus { () throws(Misuse) in
      let isHeld = moves.isHeld
      moves.isHeld = true
      body()
      moves.isHeld = isHeld
    }
  }

  /// Tells listeners of a move. A nested move was told already, so that they hear of a path from responder to responder.
  private func tellFocus() {
    guard !moves.isHeld, let old = moves.told, old !== chain.focused else { return }
    moves.told = chain.focused
    moves.onMove?(chain.focused, old)
  }

  // MARK: Asking

  private func accepts(_ responder: Responder) -> Bool {
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
    moves.resigning = responder
    let answer = hook.resign(for: responder)
    moves.resigning = nil
    return consent(answer, of: responder)
  }

  private func becomes(_ responder: Responder) -> Bool {
    guard chain.asksForFocus(responder), let hook = responder.hook(\.become) else { return true }
    return consent(hook.become(for: responder), of: responder)
  }

  /// A hook that fails doesn't refuse: an error must not hold the focus where it is.
  private func consent(_ answer: Result<Bool, Failure>, of responder: Responder) -> Bool {
    switch answer {
    case .success(let answer): return answer
    case .failure(let failure):
      _ = travel(failure, from: responder, along: walks.walk(from: responder).nodes)
      return true
    }
  }
}

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
    guard state.value.isModal, !candidate.isOfHost else { return nil }
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
  /// Whether it is the host's own undo, redo or quit, which every session lets through.
  fileprivate var isOfHost: Bool {
    via == .native && (action == "undo" || action == "redo" || handler is QuitAction)
  }
}

// Key bindings: they are looked up along the chain, nearest first.

extension Dispatcher {
  /// The bindings along the chain, as they are now.
  var boundKeys: BoundKeys {
    let walk = defaultWalk()
    if let known = walk.boundKeys, known.changes == chain.keyChanges { return known }
    let made = BoundKeys(of: walk, under: chain.keymap, changes: chain.keyChanges)
    walk.boundKeys = made
    return made
  }
}
