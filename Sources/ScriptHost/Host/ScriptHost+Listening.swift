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
    return Registration { [life, weak listener] in life.object?.listeners[kind]?.removeAll { $0 === listener } }
  }

  var listenerCount: Int { listeners.values.reduce(0) { $0 + $1.count } }

  func isListened(_ kind: HostEvent.Kind) -> Bool { listeners[kind]?.isEmpty == false }

  /// Turns notices of focus moves on or off, as they are listened for or not.
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
