// Registrations in tables; each change counts from the next perform on.

extension Chain {
  /// Puts a handler into a table, or removes it. Returns the number of the entry.
  @discardableResult
  func set(
    _ table: Behaviour.Table, _ action: String, _ handler: Handler?, in behaviour: Behaviour, of responder: Responder?
  ) -> Int {
    set(table, intern(action), handler, in: behaviour, of: responder)
  }

  @discardableResult
  func set(
    _ table: Behaviour.Table, _ name: Name, _ handler: Handler?, in behaviour: Behaviour, of responder: Responder?
  ) -> Int {
    let number = newEntryNumber()
    if behaviour.set(table, name, handler, number: number) { changeAnswers() } else { noteReplacement() }
    askAgain(responder, behaviour)
    if table == .build { changeShape() }
    return number
  }

  /// The handle that removes an entry.
  func registration(
    of number: Int, _ table: Behaviour.Table, _ action: String, in behaviour: Behaviour, of responder: Responder?
  ) -> Registration {
    let name = intern(action)
    return Registration { [life, weak behaviour, responder = responder?.name] in
      guard let chain = life.object, let behaviour, behaviour.entry(table, name)?.number == number else { return }
      _ = behaviour.set(table, name, nil, number: 0)
      chain.changeAnswers()
      chain.askAgain(responder.flatMap(chain.find), behaviour)
      if table == .build { chain.changeShape() }
    }
  }

  /// A table of values declared for actions, which are not functions.
  typealias Sayings<Content> = ReferenceWritableKeyPath<Behaviour, [Name: Entry<Content>]>

  @discardableResult
  func set<Content>(
    _ table: Sayings<Content>, _ action: String, _ content: Content?, in behaviour: Behaviour, of responder: Responder?
  ) -> Int {
    let name = intern(action)
    let number = newEntryNumber()
    behaviour[keyPath: table][name] = content.map { Entry(content: $0, number: number) }
    // A cast of a type that doesn't conform would search all conformances of the program, so the type is compared
    // first.
    if Content.self == Takes.self, let takes = content as? Takes, takes.hasSecrets { hasSecrets = true }
    changeAnswers()
    askAgain(responder, behaviour)
    return number
  }

  func registration<Content>(
    of number: Int, _ table: Sayings<Content>, _ action: String, in behaviour: Behaviour, of responder: Responder?
  ) -> Registration {
    let name = intern(action)
    return Registration { [life, weak behaviour, responder = responder?.name] in
      guard let chain = life.object, let behaviour, behaviour[keyPath: table][name]?.number == number else { return }
      behaviour[keyPath: table][name] = nil
      chain.changeAnswers()
      chain.askAgain(responder.flatMap(chain.find), behaviour)
    }
  }

  private func askAgain(_ responder: Responder?, _ behaviour: Behaviour) {
    guard let responder else {
      // A class's table: `resolve` of all its responders may have to be asked again.
      for other in responders.values where other.has(behaviour) { askAgain(other) }
      return
    }
    askAgain(responder)
  }

  /// Forgets the actions for which `resolve` was asked, so that it is asked again.
  private func askAgain(_ responder: Responder) {
    guard !responder.resolved.isEmpty else { return }
    responder.resolved = []
    changeShape()
  }

  /// Notes that a hook changed: walks are made again, because they contain hooks.
  func hooksChanged(of responder: Responder?, in behaviour: Behaviour) {
    responder?.resolved = []
    // A class's hook is a hook of all its responders.
    if responder == nil { for other in responders.values where other.has(behaviour) { other.resolved = [] } }
    changeShape()
  }
}
