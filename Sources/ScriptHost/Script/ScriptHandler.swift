import CLua

/// A function of a script's as a handler.
final class ScriptHandler: Handler {
  let engine: ScriptEngine
  let script: ScriptOwner
  let function: LuaFunction
  /// What tells the function from others.
  let identity: UnsafeRawPointer?

  /// Which context keys it reads and writes, read off its code.
  private(set) lazy var fieldUse = engine.lua.fieldUse(of: function, parameter: 2)
  /// Whether it can be told from its code that it supplies nothing under a name of the host's.
  private(set) lazy var keepsHostNames = fieldUse.isComplete && !fieldUse.writes.contains(where: HostNames.contains)

  override var suppliedKeys: [String] { fieldUse.writes }

  private var L: OpaquePointer { engine.lua.L }

  init(_ function: LuaFunction, of script: ScriptOwner, engine: ScriptEngine) {
    self.engine = engine
    self.script = script
    self.function = function
    clua_pushReference(engine.lua.L, function.reference.id)
    identity = clua_identity(engine.lua.L, -1)
    clua_pop(engine.lua.L, 1)
    super.init(owner: script.owner, place: engine.place(engine.lua.place(of: function)))
  }

  func handlerRef(for responder: Responder) -> clua_HandlerRef {
    clua_HandlerRef(function: function.reference.id, self: engine.object(of: responder, for: script))
  }

  // MARK: Doing

  override func perform(for responder: Responder, in context: Context) -> Reply {
    guard let context = context as? ScriptContext else { return .pass }
    var plan = clua_Plan()
    plan.on = handlerRef(for: responder)
    clua_pushReference(L, context.reference.id)
    let answer = clua_perform(L, &plan, 0, true)
    defer { clua_pop(L, 1) }
    return engine.reply(answer, of: self)
  }

  // MARK: Asking

  override func provide(for responder: Responder, into context: Context) -> Failure? {
    guard let context = context as? ScriptContext else { return nil }
    let before = context.onRead == nil ? nil : engine.copy(of: context)
    defer { before.map { engine.noteSupplied(in: context, since: $0) } }
    clua_setGroup(L, Int32(clamping: context.suppliers?.group ?? 0))
    beginCall(for: responder)
    clua_pushReference(L, context.reference.id)
    if let failure = call(arguments: 2, results: 0) { return failure }
    engine.dropHostNames(context)
    return nil
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    guard let context = context as? ScriptContext else { return .yes }
    let failure = askWithFace(for: responder, context, results: 2)
    if let failure { return .failed(failure) }
    defer { clua_pop(L, 2) }
    if clua_isPass(L, -2) { return .pass }
    if clua_bool(L, -2) { return .yes }
    return .no(engine.lua.text(at: -1, on: L).flatMap { $0.isEmpty ? nil : $0 })
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    guard let context = context as? ScriptContext else { return .success(Look()) }
    if let failure = askWithFace(for: responder, context, results: 1) { return .failure(failure) }
    defer { clua_pop(L, 1) }
    return engine.look(at: -1, of: self)
  }

  override func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> {
    engine.resolving.append(responder)
    defer { engine.resolving.removeLast() }
    return question(action, for: responder) { clua_bool(L, -1) }
  }

  override func claims(_ action: String, for responder: Responder) -> Result<Bool, Failure> {
    question(action, for: responder) { clua_bool(L, -1) }
  }

  override func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> {
    question(action, for: responder) {
      if let target = engine.responder(at: -1, on: L)?.responder { return target }
      return engine.lua.text(at: -1, on: L).flatMap { engine.chain.find($0) }
    }
  }

  override func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> {
    beginCall(for: responder)
    engine.push(failure, on: L)
    if let own = call(arguments: 2, results: 1) { return .failure(own) }
    defer { clua_pop(L, 1) }
    return .success(engine.failure(at: -1, insteadOf: failure, on: L))
  }

  // MARK: Calls

  private func beginCall(for responder: Responder) {
    _ = clua_room(L, 8)
    clua_pushReference(L, function.reference.id)
    clua_pushReference(L, engine.object(of: responder, for: script))
  }

  private func call(arguments: Int32, results: Int32) -> Failure? {
    let status = clua_call(L, arguments, results)
    guard status != CLUA_OK.rawValue else { return nil }
    return engine.failure(engine.lua.takeError(status, on: L), owner: owner)
  }

  private func askWithFace(for responder: Responder, _ context: ScriptContext, results: Int32) -> Failure? {
    beginCall(for: responder)
    clua_pushReference(L, context.reference.id)
    if let onRead = context.onRead {
      engine.pushWitnessedFace(onRead, on: L)
      clua_remove(L, -2)
      return call(arguments: 2, results: results)
    }
    clua_pushFace(L, -1)
    clua_remove(L, -2)
    defer { clua_popFace(L) }
    return call(arguments: 2, results: results)
  }

  private func question<Answer>(
    _ action: String, for responder: Responder, _ read: () -> Answer
  ) -> Result<Answer, Failure> {
    engine.dispatcher.whileAsking {
      beginCall(for: responder)
      engine.lua.push(text: action, on: L)
      if let failure = call(arguments: 2, results: 1) { return .failure(failure) }
      defer { clua_pop(L, 1) }
      return .success(read())
    }
  }
}
