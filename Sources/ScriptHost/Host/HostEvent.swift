/// An event of a host, for its listeners.
public enum HostEvent {
  case phase(new: Phase, old: Phase)
  case focus(new: Responder, old: Responder)
  case unhandled(ActionEvent, near: [String])
  /// The declared parts of menus changed, or their order.
  case menu([MenuChange])
  /// The validation of items changed.
  case validation([MenuChange])
  /// A script was reloaded. If `ok` is false, the reload failed and the old version stays.
  case reload(ok: Bool)

  /// The kinds of events for listeners.
  public enum Kind: String, Sendable, CaseIterable {
    case phase, focus, unhandled, menu, validation, reload
  }

  /// The kind of this event.
  public var kind: Kind {
    switch self {
    case .phase: .phase
    case .focus: .focus
    case .unhandled: .unhandled
    case .menu: .menu
    case .validation: .validation
    case .reload: .reload
    }
  }
}

/// A listener of the host's events.
final class Listener {
  let owner: Owner
  let notify: (HostEvent) -> Failure?

  init(owner: Owner, notify: @escaping (HostEvent) -> Failure?) {
    self.owner = owner
    self.notify = notify
  }
}

extension ScriptHost {
  /// Calls a closure for each event of a kind.
  @discardableResult
  public func listen(_ kind: HostEvent.Kind, _ body: @escaping (HostEvent) -> Void) -> Registration {
    listen(kind, owner: program) { event in
      body(event)
      return nil
    }
  }

  func listen(_ kind: HostEvent.Kind, owner: Owner, notify: @escaping (HostEvent) -> Failure?) -> Registration {
    let listener = Listener(owner: owner, notify: notify)
    listeners[kind, default: []].append(listener)
    return Registration { [life, weak listener] in life.object?.listeners[kind]?.removeAll { $0 === listener } }
  }

  var listenerCount: Int { listeners.values.reduce(0) { $0 + $1.count } }

  func isListened(_ kind: HostEvent.Kind) -> Bool { listeners[kind]?.isEmpty == false }

  /// Reports focus moves only while somebody listens for them.
  func watchFocus() {
    dispatcher.moves.onMove = isListened(.focus) ? { [unowned self] in tell(.focus(new: $0, old: $1)) } : nil
  }

  func tell(_ event: HostEvent) {
    guard isListened(event.kind) else { return }
    engine?.beginAllowance()
    defer { dispatcher.endAllowance() }
    for listener in listeners[event.kind] ?? [] where !listener.owner.isLeaving {
      if let failure = listener.notify(event) { report(Diagnostic(failure)) }
    }
  }
}

extension ScriptHost {
  /// Returns the holdings of an owner in this host, by kind.
  func receipt(of owner: Owner) -> Receipt {
    let all = Array(chain.responders.values)
    var behaviours = all.flatMap { $0.layers.filter { $0.owner === owner } }
    behaviours += chain.classes.filter { $0.owner === owner }.map(\.behaviour)
    let waiting = dispatcher.scheduler.jobs.filter { $0.memory.subject.owner === owner }
    let own = all.filter { $0.owner === owner && $0 !== chain.app }
    return Receipt([
      "responders": own.count { $0.kind == .responder },
      "windows": own.count { $0.kind == .window },
      "classes": chain.classes.count { $0.owner === owner },
      "handlers": behaviours.reduce(0) { $0 + $1.handlerCount },
      "keys": behaviours.reduce(0) { $0 + $1.keys.count },
      "menus": menuTrees.declarations.filter { $0.owner === owner }.reduce(0) { $0 + $1.elements.count },
      "observers": dispatcher.observers.count { $0.owner === owner },
      "listeners": listeners.values.joined().count { $0.owner === owner }
        + eventListeners.values.joined().count { $0.owner === owner },
      "sessions": chain.sessions.count { $0.owner === owner },
      "jobs": waiting.count { !$0.isTimer },
      "timers": waiting.count { $0 is Timing },
      "undo": all.reduce(0) { $0 + ($1.undoStack?.count { $0.owner === owner } ?? 0) },
    ])
  }
}

extension Behaviour {
  /// The number of its functions and conditions.
  fileprivate var handlerCount: Int {
    let hooks = [
      provide != nil, resolve != nil, unknown != nil, failed != nil, redirect != nil, claims != nil,
      acceptsFocus != nil, become != nil, resign != nil, start != nil, stop != nil,
    ]
    return on.count + can.count + look.count + needs.count + takes.count + confirm.count + about.count + build.count
      + hooks.count { $0 }
  }
}

/// The level of an entry of the log.
public enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warn, error
}

/// An entry that a script wrote to the log.
public struct LogEntry: Sendable {
  /// The level of the entry.
  public var level: LogLevel
  /// The text of the entry.
  public var text: String
  /// The name of the script's owner.
  public var owner: String
  /// The line that wrote it.
  public var place: Place?
}

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
    let isName = words.allSatisfy { word in
      word.first.map { $0 == "_" || $0.isLetter } ?? false
        && word.allSatisfy { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber }
    }
    guard words.count > 1, isName, name.utf8.count <= 200 else {
      throw Misuse(
        .refused,
        "'\(name.shortened(toBytes: 40))' can't be an event's name: it needs words with a dot between them, as in photo.changed"
      )
    }
  }

  /// Calls the listeners of an event.
  func tell(_ event: EmittedEvent) {
    onEmitted?(event.name, event.data)
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
