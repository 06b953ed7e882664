/// What one owner gives to a responder.
///
/// ```swift
/// let grid = try host.responder("grid")
/// grid.provide { context in
///   if let selection { context["photo"] = .opaque(selection) }
/// }
/// grid.can("rate") { command in command.context.has("photo") ? .yes : .no("select a photo first") }
/// grid.on("rate") { command in
///   try command.context["photo", as: Photo.self]?.rating = 5
/// }
/// try host.focus(grid)
/// print(host.validate("rate").reason ?? "")  // select a photo first
/// ```
public struct ResponderEditor {
  /// Whose behaviour this edits.
  public let responder: Responder
  unowned let host: ScriptHost
  let owner: Owner

  var behaviour: Behaviour { responder.layer(of: owner) }

  // MARK: By action

  /// Registers a closure that does an action; what it returns is the outcome's `result`. A later one replaces it.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Value) -> Registration {
    set(.on, action, NativeAction(owner: owner, body: body))
  }

  /// Registers a closure that does an action that has no result.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Void) -> Registration {
    on(action) { command -> Value in
      try body(command)
      return .null
    }
  }

  /// Registers a closure that says whether an action may be done now; a no is final and comes with its reason.
  @discardableResult
  public func can(_ action: String, _ body: @escaping (Command) throws -> Permission) -> Registration {
    set(.can, action, NativeCan(owner: owner, body: body))
  }

  /// Registers a closure that says how an action's items look now.
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

  /// Sets the catch-all, which takes the actions that this responder claims, and those that nobody else takes.
  public func unknown(_ body: @escaping (Command) throws -> Value) {
    setHook(\.unknown, NativeAction(owner: owner, body: body))
  }

  /// Sets a closure that is asked about an action that the responder doesn't answer; it may add a handler, and says whether it did.
  public func resolve(_ body: @escaping (String) throws -> Bool) {
    setHook(\.resolve, NativeQuestion(owner: owner, body: body))
  }

  /// Sets a closure that may name another responder for an action that this one doesn't answer.
  public func redirect(_ body: @escaping (String) throws -> Responder?) {
    setHook(\.redirect, Redirect.asked(NativeQuestion(owner: owner, body: body)))
  }

  /// Hands every action that it doesn't answer to one responder.
  public func redirect(to responder: Responder) { setHook(\.redirect, Redirect.to(responder.name)) }

  /// Sets a closure that says whether the catch-all takes an action at this responder's place in the chain.
  public func claims(_ body: @escaping (String) throws -> Bool) {
    setHook(\.claims, Claims.asked(NativeQuestion(owner: owner, body: body)))
  }

  /// Sets a closure that says whether the catch-all takes an action at this place in the chain, whether it can be done, and how it looks.
  public func claims(_ body: @escaping (String) throws -> Claim) {
    setHook(\.claims, Claims.asked(NativeQuestion(owner: owner, body: body)))
  }

  /// Lets the catch-all take these actions at this responder's place in the chain.
  public func claims(_ actions: [String]) { setHook(\.claims, Claims.these(actions)) }

  /// Lets the catch-all take every action at this responder's place in the chain.
  public func claimsAll() { setHook(\.claims, Claims.all) }

  /// Sets a closure that sees each failure on its way up the chain; it may change the failure, or end it by returning nil.
  public func failed(_ body: @escaping (Failure) throws -> Failure?) {
    setHook(\.failed, NativeFailed(owner: owner, body: body))
  }
}

extension ResponderEditor {
  func set(_ table: Behaviour.Table, _ action: String, _ handler: Handler?) -> Registration {
    let number = host.chain.set(table, action, handler, in: behaviour, of: responder)
    return host.chain.registration(of: number, table, action, in: behaviour, of: responder)
  }

  func set<Content>(_ table: Chain.Sayings<Content>, _ action: String, _ content: Content?) -> Registration {
    let number = host.chain.set(table, action, content, in: behaviour, of: responder)
    return host.chain.registration(of: number, table, action, in: behaviour, of: responder)
  }

  func setNeeds(_ action: String, _ needs: [Need]?) -> Registration {
    set(\.needs, action, needs)
  }

  func setHook<Content>(_ path: ReferenceWritableKeyPath<Behaviour, Content?>, _ hook: Content?) {
    let behaviour = behaviour
    behaviour[keyPath: path] = hook
    host.chain.hooksChanged(of: responder, in: behaviour)
  }
}

extension ResponderEditor {
  // MARK: Focus and modality

  /// Says whether it takes the focus.
  public func acceptsFocus(_ answer: Bool) { setHook(\.acceptsFocus, .always(answer)) }

  /// Sets a closure that says whether the responder takes the focus now.
  public func acceptsFocus(_ body: @escaping () throws -> Bool) {
    setHook(\.acceptsFocus, .asked(NativeFocus(owner: owner, body: body)))
  }

  /// Sets a closure that is called when the responder gets the focus; false refuses it, and the window has it then.
  public func become(_ body: @escaping () throws -> Bool) {
    setHook(\.become, NativeFocus(owner: owner, body: body))
  }

  /// Sets a closure that is called when the responder loses the focus; false keeps it. The focus can't be moved meanwhile.
  public func resign(_ body: @escaping () throws -> Bool) {
    setHook(\.resign, NativeFocus(owner: owner, body: body))
  }

  /// Says whether the responder may act whatever modal session is open; a window's answer holds for all that is in it.
  public func worksWhenModal(_ answer: Bool) { setHook(\.worksWhenModal, answer) }

  /// Whether digits before a stroke are its count, which the action finds as `count` in its context.
  public func counts(_ answer: Bool) { setHook(\.counts, answer) }

  // MARK: Keys

  /// Binds keys to an action; a later binding of the same keys replaces it.
  ///
  /// ```swift
  /// let grid = try host.responder("grid")
  /// grid.on("top") { _ in print("at the top") }
  /// try grid.bind("g g", to: "top")
  /// try host.focus(grid)
  /// print(host.press("g").status)  // pending
  /// print(host.press("g").status)  // at the top, handled
  /// ```
  @discardableResult
  public func bind(_ keys: String, to reference: String) throws -> Registration {
    try bind(keys, toFirst: [reference])
  }

  /// Binds keys to several actions: the first that can be done now is done.
  @discardableResult
  public func bind(_ keys: String, toFirst references: [String]) throws -> Registration {
    let keys = try KeySequence.bindable(keys)
    let all = try references.map { (reference: try Reference.parse($0), raw: $0) }
    if all.isEmpty { throw Misuse(.wrongType, "'\(keys.text)' has to be bound to something") }
    let binding = KeyBinding(all, owner: owner, place: nil)
    let number = host.chain.set(keys, binding, in: behaviour)
    return host.chain.registration(of: number, keys, in: behaviour)
  }
}

/// A closure that is asked when the focus moves.
final class NativeFocus: Handler {
  private let body: () throws -> Bool

  init(owner: Owner, body: @escaping () throws -> Bool) {
    self.body = body
    super.init(owner: owner)
  }

  private var answer: Result<Bool, Failure> { Result { try body() }.mapError { Failure(native: $0, of: owner) } }

  override func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> { answer }
  override func become(for responder: Responder) -> Result<Bool, Failure> { answer }
  override func resign(for responder: Responder) -> Result<Bool, Failure> { answer }
}
