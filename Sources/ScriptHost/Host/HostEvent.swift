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
    let waiting = dispatcher.scheduler.jobs.filter { $0.memory.value.subject.owner === owner }
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
