// Events that scripts define (E5), and the `stop` functions of responders and owners.

extension ScriptHost {
  /// Emits an event, whose name has a dot. The host calls its listeners at the end of the turn, in order.
  public func emit(_ name: String, _ data: Value = .null) throws(Misuse) {
    try checkNotAsking("an event can't be emitted")
    try note(EmittedEvent(name: name, data: data))
    dispatcher.doPostponed()
  }

  /// Queues an event for the end of the turn.
  func note(_ event: EmittedEvent) throws(Misuse) {
    try Self.checkEvent(event.name)
    if emittedNames.count < Self.mostNames { emittedNames.insert(event.name) }
    try dispatcher.emit(event)
  }

  /// The most names of events that are remembered for `check`.
  private static let mostNames = 10_000

  /// Calls a closure for each event of a name that scripts define.
  @discardableResult
  public func listen(_ name: String, _ body: @escaping (Value) -> Void) throws(Misuse) -> Registration {
    try listen(name, owner: program, at: nil) { event in
      body(event.data)
      return nil
    }
  }

  func listen(
    _ name: String, owner: Owner, at place: Place?, notify: @escaping (EmittedEvent) -> Failure?
  ) throws(Misuse) -> Registration {
    try Self.checkEvent(name)
    let listener = EventListener(owner: owner, at: place, notify: notify)
    eventListeners[name, default: []].append(listener)
    return Registration { [life, weak listener] in life.object?.eventListeners[name]?.removeAll { $0 === listener } }
  }

  /// Throws unless a name suits an event of scripts: words with dots between them.
  static func checkEvent(_ name: String) throws(Misuse) {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = words.allSatisfy { $0.first.map { $0 == "_" || $0.isLetter } ?? false }
    guard words.count > 1, isName, name.utf8.count <= 200 else {
      throw Misuse(
        .refused, "'\(name.shortened(toBytes: 40))' can't be an event's name: it needs a dot, as in photo.changed")
    }
  }

  /// Calls the listeners of an event.
  func tell(_ event: EmittedEvent) {
    for listener in eventListeners[event.name] ?? [] where !listener.owner.isLeaving {
      if let failure = listener.notify(event) { report(Diagnostic(failure)) }
    }
  }
}

extension ScriptHost {
  /// Runs each `stop` function of everything that is loaded once, the last loaded first. Nothing is removed.
  ///
  /// The tool calls this before it ends. A program may call it before it releases the host.
  public func stop() {
    for owner in chain.app.layers.map(\.owner).reversed() { stop(owner) }
  }

  /// Runs the `stop` functions of an owner and of its responders. The action that unloads the owner doesn't pay for
  /// them.
  func stop(_ owner: Owner) {
    for responder in chain.responders.values.sorted(by: { $0.number < $1.number }) {
      stop(responder, apart: true) { $0.owner === owner || responder.owner === owner && responder !== chain.app }
    }
  }

  /// Runs the `stop` functions of a responder, each once.
  ///
  /// - Parameter isApart: whether the caller doesn't pay for them.
  func stop(_ responder: Responder, apart isApart: Bool = false, where isGoing: (Behaviour) -> Bool) {
    for behaviour in responder.stack where isGoing(behaviour) && behaviour.owner.whySetAside == nil {
      guard let hook = behaviour.stop, responder.stopped.insert(ObjectIdentifier(behaviour)).inserted else { continue }
      func stopped() -> Failure? { hook.stop(for: responder) }
      let failure = isApart ? stopApart(behaviour.owner, stopped) : dispatcher.allowing(stopped)
      if let failure { report(Diagnostic(failure)) }
    }
  }

  /// Gives a `stop` function its own allowance. After one that never ended, the others of its owner and of this turn
  /// get little, so that all together hold up nobody.
  private func stopApart(_ owner: Owner, _ stopped: () -> Failure?) -> Failure? {
    let isHurried = owner.hasStoppedLate || engine.map { $0.turns == lastLateStop } ?? false
    let failure = dispatcher.allowingApart(isHurried: isHurried, stopped)
    if failure?.limit != nil { (owner.hasStoppedLate, lastLateStop) = (true, engine?.turns) }
    return failure
  }
}
