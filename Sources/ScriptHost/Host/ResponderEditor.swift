/// What one owner gives to a responder.
///
///     let grid = try host.responder("grid")
///     grid.provide { context in context["photo"] = .opaque(selection) }
///     grid.can("rate") { command in command.context.has("photo") ? .yes : .no("select a photo first") }
///     grid.on("rate") { command in … }
public struct ResponderEditor {
  public let responder: Responder
  unowned let host: ScriptHost
  let owner: Owner

  var behaviour: Behaviour { responder.layer(of: owner) }

  // MARK: By action

  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Value) -> Registration {
    set(.on, action, NativeAction(owner: owner, body: body))
  }

  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Void) -> Registration {
    on(action) { command -> Value in
      try body(command)
      return .null
    }
  }

  @discardableResult
  public func can(_ action: String, _ body: @escaping (Command) throws -> Permission) -> Registration {
    set(.can, action, NativeCan(owner: owner, body: body))
  }

  @discardableResult
  public func look(_ action: String, _ body: @escaping (Command) throws -> Look) -> Registration {
    set(.look, action, NativeLook(owner: owner, body: body))
  }

  /// Names context keys without which the action can't be done, with what to say then.
  @discardableResult
  public func needs(_ action: String, _ keys: [(key: String, reason: String?)]) -> Registration {
    setNeeds(action, keys.map { Need(key: $0.key, reason: $0.reason) })
  }

  // MARK: Hooks

  /// Supplies context.
  public func provide(_ body: @escaping (Context) throws -> Void) {
    setHook(\.provide, NativeProvider(owner: owner, body: body))
  }

  /// Takes what it claims, and what nobody else takes.
  public func unknown(_ body: @escaping (Command) throws -> Value) {
    setHook(\.unknown, NativeAction(owner: owner, body: body))
  }

  /// Is asked about an action that it doesn't answer; may add it, and says whether it did.
  public func resolve(_ body: @escaping (String) throws -> Bool) {
    setHook(\.resolve, NativeQuestion(owner: owner, body: body))
  }

  /// Hands an action that it doesn't answer to another responder.
  public func redirect(_ body: @escaping (String) throws -> Responder?) {
    setHook(\.redirect, Redirect.asked(NativeQuestion(owner: owner, body: body)))
  }

  public func redirect(to responder: Responder) { setHook(\.redirect, Redirect.to(responder.name)) }

  /// Has its catch-all take an action in its place in the chain.
  public func claims(_ body: @escaping (String) throws -> Bool) {
    setHook(\.claims, Claims.asked(NativeQuestion(owner: owner, body: body)))
  }

  public func claims(_ actions: [String]) { setHook(\.claims, Claims.these(actions)) }

  public func claimsAll() { setHook(\.claims, Claims.all) }

  /// Sees a failure on its way up: may change it, or end it with nil.
  public func failed(_ body: @escaping (Failure) throws -> Failure?) {
    setHook(\.failed, NativeFailed(owner: owner, body: body))
  }
}

extension ResponderEditor {
  func set(_ table: Behaviour.Table, _ action: String, _ handler: Handler?) -> Registration {
    host.chain.set(table, action, handler, in: behaviour, of: responder)
  }

  func setNeeds(_ action: String, _ needs: [Need]?) -> Registration {
    host.chain.set(needs: action, needs, in: behaviour, of: responder)
  }

  func setHook<Hook>(_ path: ReferenceWritableKeyPath<Behaviour, Hook?>, _ hook: Hook?) {
    let behaviour = behaviour
    behaviour[keyPath: path] = hook
    host.chain.hooksChanged(of: responder, in: behaviour)
  }
}
