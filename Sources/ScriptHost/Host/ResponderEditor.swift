/// Edits the behaviour that an owner gives to a responder.
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
  /// The edited responder.
  public let responder: Responder
  unowned let host: ScriptHost
  let owner: Owner

  var behaviour: Behaviour { responder.layer(of: owner) }

  // MARK: By action

  /// Registers a closure that does an action. Its return value is the outcome's `result`. A later closure replaces it.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Value) -> Registration {
    set(.on, action, NativeAction(owner: owner, body: body))
  }

  /// Registers a closure that does an action without a result.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Void) -> Registration {
    on(action) { command -> Value in
      try body(command)
      return .null
    }
  }

  /// Registers a closure that decides whether an action may be done now. A no is final and has a reason.
  @discardableResult
  public func can(_ action: String, _ body: @escaping (Command) throws -> Permission) -> Registration {
    set(.can, action, NativeCan(owner: owner, body: body))
  }

  /// Registers a closure that returns the present look of an action's items.
  @discardableResult
  public func look(_ action: String, _ body: @escaping (Command) throws -> Look) -> Registration {
    set(.look, action, NativeLook(owner: owner, body: body))
  }

  /// Names context keys that the action needs, each with the reason to show if it is missing.
  @discardableResult
  public func needs(_ action: String, _ keys: [(key: String, reason: String?)]) -> Registration {
    setNeeds(action, keys.map { Need(key: $0.key, reason: $0.reason) })
  }

  // MARK: Hooks

  /// Registers a closure that supplies context.
  public func provide(_ body: @escaping (Context) throws -> Void) {
    setHook(\.provide, NativeProvider(owner: owner, body: body))
  }

  /// Sets the catch-all, which handles actions that this responder claims, and actions that nobody else handles.
  public func unknown(_ body: @escaping (Command) throws -> Value) {
    setHook(\.unknown, NativeAction(owner: owner, body: body))
  }

  /// Sets a closure for actions that the responder doesn't handle: it may add a handler, and returns true if it did.
  public func resolve(_ body: @escaping (String) throws -> Bool) {
    setHook(\.resolve, NativeQuestion(owner: owner, body: body))
  }

  /// Sets a closure that may name another responder for an action that this responder doesn't handle.
  public func redirect(_ body: @escaping (String) throws -> Responder?) {
    setHook(\.redirect, Redirect.asked(NativeQuestion(owner: owner, body: body)))
  }

  /// Hands every action that it doesn't handle to one responder.
  public func redirect(to responder: Responder) { setHook(\.redirect, Redirect.to(responder.name)) }

  /// Sets a closure that decides whether the catch-all takes an action at this responder's place in the chain.
  public func claims(_ body: @escaping (String) throws -> Bool) {
    setHook(\.claims, Claims.asked(NativeQuestion(owner: owner, body: body)))
  }

  /// Sets a closure that decides whether the catch-all takes an action here, can do it now, and how it looks.
  public func claims(_ body: @escaping (String) throws -> Claim) {
    setHook(\.claims, Claims.asked(NativeQuestion(owner: owner, body: body)))
  }

  /// Lets the catch-all take these actions at this responder's place in the chain.
  public func claims(_ actions: [String]) { setHook(\.claims, Claims.these(actions)) }

  /// Lets the catch-all take every action at this responder's place in the chain.
  public func claimsAll() { setHook(\.claims, Claims.all) }

  /// Sets a closure that sees each failure on its way up the chain. It may change the failure, or return nil to end it.
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

  /// Sets whether the responder accepts the focus.
  public func acceptsFocus(_ answer: Bool) { setHook(\.acceptsFocus, .always(answer)) }

  /// Sets a closure that decides whether the responder accepts the focus now.
  public func acceptsFocus(_ body: @escaping () throws -> Bool) {
    setHook(\.acceptsFocus, .asked(NativeFocus(owner: owner, body: body)))
  }

  /// Sets a closure for when the responder gets the focus. If it returns false, the window gets the focus instead.
  public func become(_ body: @escaping () throws -> Bool) {
    setHook(\.become, NativeFocus(owner: owner, body: body))
  }

  /// Sets a closure for when the responder loses the focus; false keeps it. The focus can't be moved while it runs.
  public func resign(_ body: @escaping () throws -> Bool) {
    setHook(\.resign, NativeFocus(owner: owner, body: body))
  }

  /// Sets whether the responder may act in every modal session. For a window this applies to all responders in it.
  public func worksWhenModal(_ answer: Bool) { setHook(\.worksWhenModal, answer) }

  /// Sets whether digits before a stroke are a count, which the action reads as `count` in its context.
  public func counts(_ answer: Bool) { setHook(\.counts, answer) }

  // MARK: Keys

  /// Binds keys to an action. A later binding of the same keys replaces it.
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

  /// Binds keys to several actions, and performs the first that can be done.
  ///
  /// - Parameters:
  ///   - title: the title of the keys; nil for that of the action.
  ///   - wait: the time for the rest of a longer sequence, before the keys act alone; nil to act at once.
  ///   - condition: whether the keys apply now; else the next binding does. It must change nothing.
  @discardableResult
  public func bind(
    _ keys: String, toFirst references: [String], title: String? = nil, wait: Duration? = nil,
    when condition: ((Command) throws -> Bool)? = nil
  ) throws -> Registration {
    if references.isEmpty { throw Misuse(.wrongType, "'\(keys)' must be bound to an action") }
    return try bind(keys, to: references, isWhole: false, title, wait, condition)
  }

  /// Binds keys to several actions, and performs one after the other, until one isn't handled.
  @discardableResult
  public func bind(
    _ keys: String, toAll references: [String], title: String? = nil, wait: Duration? = nil,
    when condition: ((Command) throws -> Bool)? = nil
  ) throws -> Registration {
    if references.isEmpty { throw Misuse(.wrongType, "'\(keys)' must be bound to an action") }
    return try bind(keys, to: references, isWhole: true, title, wait, condition)
  }

  /// Removes keys from responders further along the chain and from the menus. The keys are free for faces.
  @discardableResult
  public func unbind(_ keys: String) throws -> Registration { try bind(keys, to: [], isWhole: false, nil, nil, nil) }

  private func bind(
    _ keys: String, to references: [String], isWhole: Bool, _ title: String?, _ wait: Duration?,
    _ condition: ((Command) throws -> Bool)?
  ) throws -> Registration {
    let keys = try KeySequence.bindable(keys)
    let all = try references.map { (reference: try Reference.parse($0), raw: $0) }
    let binding = KeyBinding(
      all, whole: isWhole, title: title,
      when: condition.map { NativeKeyCondition(for: responder, owner: owner, body: $0) },
      wait: wait.map { Int64($0 / .nanoseconds(1)) }, owner: owner, place: nil)
    let number = host.chain.set(keys, binding, in: behaviour)
    return host.chain.registration(of: number, keys, in: behaviour)
  }
}

/// A closure that decides whether keys apply.
private final class NativeKeyCondition: KeyCondition {
  private unowned let responder: Responder
  private let owner: Owner
  private let body: (Command) throws -> Bool

  init(for responder: Responder, owner: Owner, body: @escaping (Command) throws -> Bool) {
    (self.responder, self.owner, self.body) = (responder, owner, body)
  }

  override func holds(in context: Context) -> Result<Bool, Failure> {
    Result { try body(Command(context: context, responder: responder)) }
      .mapError { Failure(native: $0, of: owner) }
  }
}

/// A closure for moves of the focus.
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
