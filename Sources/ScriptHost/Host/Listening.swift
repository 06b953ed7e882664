/// What happens to a host, for those who watch it.
public enum HostEvent {
  case phase(new: Phase, old: Phase)
  case focus(new: Responder, old: Responder)
  case unhandled(ActionEvent, near: [String])
  /// What was declared changed, or its order.
  case menu([MenuChange])
  /// What those who take the actions say of items changed.
  case validation([MenuChange])
  /// A script was loaded anew; or it was not, and the old one goes on.
  case reload(ok: Bool)

  /// What can be listened for.
  public enum Kind: String, Sendable, CaseIterable {
    case phase, focus, unhandled, menu, validation, reload
  }

  /// What happened, without its details.
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

/// One who watches the host.
final class Listener {
  let owner: Owner
  let notify: (HostEvent) -> Failure?

  init(owner: Owner, notify: @escaping (HostEvent) -> Failure?) {
    self.owner = owner
    self.notify = notify
  }
}

extension ScriptHost {
  /// Watches the host itself.
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
    return Registration { [weak self, weak listener] in self?.listeners[kind]?.removeAll { $0 === listener } }
  }

  var listenerCount: Int { listeners.values.reduce(0) { $0 + $1.count } }

  func isListened(_ kind: HostEvent.Kind) -> Bool { listeners[kind]?.isEmpty == false }

  /// Has moves of the focus told, as long as somebody wants to know.
  func watchFocus() {
    dispatcher.moves.onMove = isListened(.focus) ? { [unowned self] in tell(.focus(new: $0, old: $1)) } : nil
  }

  func tell(_ event: HostEvent) {
    guard isListened(event.kind) else { return }
    engine?.beginAllowance()
    defer { engine?.endAllowance() }
    for listener in listeners[event.kind] ?? [] where !listener.owner.isGone {
      if let failure = listener.notify(event) { report(Diagnostic(failure)) }
    }
  }
}
