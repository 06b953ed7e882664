extension ScriptHost {
  /// Performs an action: the first in the chain that answers it now does it. There is always exactly one outcome.
  @discardableResult
  public func perform(_ reference: String) -> Outcome { dispatcher.perform(reference) }

  /// Performs an action with options.
  @discardableResult
  public func perform(_ reference: String, _ options: PerformOptions) -> Outcome {
    let outcome = dispatcher.perform(reference, options)
    onPerformed?(reference, outcome)
    return outcome
  }

  /// Whether an action can be done now, why not, and how its item looks.
  public func validate(_ reference: String, _ options: PerformOptions = PerformOptions()) -> Validation {
    dispatcher.validate(reference, options)
  }

  /// Registers a closure that does an action when no responder does. A later one for the same action replaces it.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Value) -> Registration {
    setNative(.on, action, NativeAction(owner: program, body: body))
  }

  /// Registers a closure that does an action, without a result, when no responder does.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Void) -> Registration {
    on(action) { command -> Value in
      try body(command)
      return .null
    }
  }

  /// Registers a closure that says whether an action of the program's own may be done now; a no is final and comes with its reason.
  @discardableResult
  public func can(_ action: String, _ body: @escaping (Command) throws -> Permission) -> Registration {
    setNative(.can, action, NativeCan(owner: program, body: body))
  }

  /// Registers a closure that says how the items of an action of the program's own look.
  @discardableResult
  public func look(_ action: String, _ body: @escaping (Command) throws -> Look) -> Registration {
    setNative(.look, action, NativeLook(owner: program, body: body))
  }

  private func setNative(_ table: Behaviour.Table, _ action: String, _ handler: Handler) -> Registration {
    let added = dispatcher.setNative(action, handler, in: table)
    return Registration { [life = dispatcher.life] in
      life.object?.removeNative(added.name, number: added.number, in: table)
    }
  }

  /// Watches actions: before one is done, and what came of it.
  @discardableResult
  public func observe(_ pattern: ActionPattern = .all, _ body: @escaping (ActionEvent) -> Void) -> Registration {
    observe(NativeObserver(pattern, owner: program, body: body))
  }

  func observe(_ observer: Observer) -> Registration {
    let number = chain.newEntryNumber()
    observer.number = number
    dispatcher.add(observer)
    return Registration { [life = dispatcher.life] in life.object?.forgetObservers(where: { $0.number == number }) }
  }
}
