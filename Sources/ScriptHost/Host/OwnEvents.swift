// Events of the scripts' own (E5), and the `stop` of what goes.

extension ScriptHost {
  /// Emits an event, whose name has a dot in it: those who listen for it are told at the end of the turn, in order.
  public func emit(_ name: String, _ data: Value = .null) throws(Misuse) {
    try checkNotAsking("an event can't be emitted")
    try note(EmittedEvent(name: name, data: data))
    dispatcher.doPostponed()
  }

  /// Notes an event, to be told at the end of the turn.
  func note(_ event: EmittedEvent) throws(Misuse) {
    try Self.checkEvent(event.name)
    if emittedNames.count < Self.mostNames { emittedNames.insert(event.name) }
    try dispatcher.emit(event)
  }

  /// The most names of events that are remembered for `check`.
  private static let mostNames = 10_000

  /// Listens for an event of the scripts' own.
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

  /// Throws unless a name is that of an event of the scripts' own: words with dots between them.
  static func checkEvent(_ name: String) throws(Misuse) {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = words.allSatisfy { $0.first.map { $0 == "_" || $0.isLetter } ?? false }
    guard words.count > 1, isName, name.utf8.count <= 200 else {
      throw Misuse(
        .refused, "the name of an event has a dot, as in photo.changed, and '\(name.shortened(toBytes: 40))' has not")
    }
  }

  /// Tells an event to those who listen for it.
  func tell(_ event: EmittedEvent) {
    for listener in eventListeners[event.name] ?? [] where !listener.owner.isLeaving {
      if let failure = listener.notify(event) { report(Diagnostic(failure)) }
    }
  }
}

extension ScriptHost {
  /// Runs the `stop` functions of everything that is loaded, of what was loaded last first. They are run once, and what is loaded stays.
  ///
  /// The tool does so before it ends; a program that wants it calls this before it lets the host go.
  public func stop() {
    for owner in chain.app.layers.map(\.owner).reversed() { stop(owner) }
  }

  /// Runs the `stop` functions that an owner has, and those of its responders.
  func stop(_ owner: Owner) {
    for responder in chain.responders.values.sorted(by: { $0.number < $1.number }) {
      stop(responder) { $0.owner === owner || responder.owner === owner && responder !== chain.app }
    }
  }

  /// Runs the `stop` functions of a responder, each once.
  func stop(_ responder: Responder, where isGoing: (Behaviour) -> Bool) {
    for behaviour in responder.stack where isGoing(behaviour) && behaviour.owner.whySetAside == nil {
      guard let hook = behaviour.stop, responder.stopped.insert(ObjectIdentifier(behaviour)).inserted else { continue }
      dispatcher.allowing { if let failure = hook.stop(for: responder) { report(Diagnostic(failure)) } }
    }
  }
}
