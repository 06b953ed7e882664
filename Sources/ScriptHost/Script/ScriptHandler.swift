import CLua
import CScript

/// A script's function as a handler.
final class ScriptHandler: Handler {
  unowned let engine: ScriptEngine
  let script: ScriptOwner
  let function: LuaFunction
  /// The identity of the function.
  let identity: UnsafeRawPointer?

  /// The context keys that it reads and writes, found by static analysis.
  private(set) lazy var fieldUse = engine.lua.fieldUse(of: function, parameter: 2)
  /// Computed on demand: most handlers never need their place.
  private lazy var foundPlace = engine.place(engine.lua.place(of: function))
  override var place: Place? { foundPlace }

  override var suppliedKeys: [String] { fieldUse.writes }
  override var readKeys: [String] { fieldUse.reads }
  override var isReadable: Bool { fieldUse.isComplete }
  override var lineCount: Int { engine.lua.lines(of: function)?.count ?? 1 }
  override var parameters: [String] { engine.lua.parameters(of: function) }
  override var answeredText: String? { engine.lua.answers(of: function).text }
  override var answeredDenial: String? { engine.lua.answers(of: function).denial }
  override var answersTable: Bool { engine.lua.answers(of: function).isTable }

  private var L: OpaquePointer { engine.lua.L }

  init(_ function: LuaFunction, of script: ScriptOwner, engine: ScriptEngine) {
    self.engine = engine
    self.script = script
    self.function = function
    clua_pushReference(engine.lua.L, function.reference.id)
    identity = clua_identity(engine.lua.L, -1)
    clua_pop(engine.lua.L, 1)
    super.init(owner: script.owner)
  }

  // MARK: Doing

  override func perform(for responder: Responder, in context: Context) -> Reply {
    guard let context = context as? ScriptContext else { return .pass }
    let object = context.engine.numbered(responder, for: script)
    let number = Int64(script.index) << 32 | object.number
    return context.run(function.reference.id, for: object.reference, number, of: script)
  }

  // MARK: Asking

  override func provide(for responder: Responder, into context: Context) -> Failure? {
    guard let context = context as? ScriptContext else { return nil }
    let before = context.onRead == nil ? nil : engine.copy(of: context)
    defer { before.map { engine.noteSupplied(in: context, since: $0) } }
    beginCall(for: responder, by: context.engine)
    context.show(to: script)
    return failure(of: clua_provide(context.engine.lua.L, context.record, Int32(clamping: context.group), 1))
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    guard let context = context as? ScriptContext else { return .yes }
    let failure = ask(for: responder, context, results: 2)
    if let failure { return .failed(failure) }
    let L = context.engine.lua.L
    defer { clua_pop(L, 2) }
    if clua_isPass(L, -2) { return .pass }
    if clua_bool(L, -2) { return .yes }
    return .no(engine.reason(at: -1, on: L))
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    guard let context = context as? ScriptContext else { return .success(Look()) }
    if let failure = ask(for: responder, context, results: 1) { return .failure(failure) }
    defer { clua_pop(L, 1) }
    return engine.look(at: -1, of: self)
  }

  override func value(for responder: Responder, in context: Context) -> Result<Value, Failure> {
    guard let context = context as? ScriptContext else { return .success(.null) }
    _ = clua_takeTriedToWait(L)
    if let failure = ask(for: responder, context, results: 1) {
      if clua_takeTriedToWait(L) { waits = true }
      return .failure(failure)
    }
    defer { clua_pop(L, 1) }
    return .success(engine.value(at: -1, on: L))
  }

  override func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> {
    engine.resolving.append(responder)
    defer { engine.resolving.removeLast() }
    return question(action, for: responder) { clua_bool(L, -1) }
  }

  override func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> {
    question(action, for: responder) { try engine.claim(at: -1, of: self) }
  }

  override func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> {
    question(action, for: responder, target)
  }

  /// Returns the responder to which the value on top redirects an action.
  private func target() throws -> Responder? {
    guard clua_bool(L, -1) else { return nil }
    if let target = engine.responder(at: -1, on: L)?.responder { return target }
    if engine.hostName(at: -1, on: L) != nil { return nil }
    return try engine.responder(try engine.lua.value(at: -1, on: L), "the result of 'redirect'")
  }

  override func build(for responder: Responder, _ editor: AnyObject, _ subject: Value) -> Failure? {
    guard let editor = editor as? TreeEditor else { return nil }
    engine.editors.append(editor)
    defer { engine.editors.removeLast() }
    beginCall(for: responder)
    clua_pushReference(L, engine.builderTable)
    engine.speaking(to: script) { engine.push(subject, on: L) }
    return call(in: CLUA_ASKING, arguments: 3, results: 0)
  }

  override func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> {
    beginCall(for: responder)
    engine.push(failure, on: L)
    if let own = call(in: CLUA_IDLE, arguments: 2, results: 1) { return .failure(own) }
    defer { clua_pop(L, 1) }
    return .success(engine.failure(at: -1, insteadOf: failure, on: L))
  }

  // MARK: Focus

  override func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> {
    consent(of: responder, in: CLUA_ASKING)
  }

  override func become(for responder: Responder) -> Result<Bool, Failure> { consent(of: responder, in: CLUA_IDLE) }

  override func resign(for responder: Responder) -> Result<Bool, Failure> { consent(of: responder, in: CLUA_IDLE) }

  override func stop(for responder: Responder) -> Failure? {
    beginCall(for: responder)
    return call(in: CLUA_IDLE, arguments: 1, results: 0)
  }

  /// Calls the function for its consent: any result but false is a yes.
  private func consent(of responder: Responder, in phase: clua_Phase) -> Result<Bool, Failure> {
    beginCall(for: responder)
    if let failure = call(in: phase, arguments: 1, results: 1) { return .failure(failure) }
    defer { clua_pop(L, 1) }
    return .success(clua_type(L, -1) != CLUA_TBOOLEAN.rawValue || clua_bool(L, -1))
  }

  // MARK: Calls

  private func beginCall(for responder: Responder) { beginCall(for: responder, by: engine) }

  @inline(__always)
  private func beginCall(for responder: Responder, by engine: ScriptEngine) {
    let L = engine.lua.L
    _ = clua_room(L, 8)
    clua_pushReference(L, function.reference.id)
    clua_pushReference(L, engine.numbered(responder, for: script).reference)
  }

  private func call(in phase: clua_Phase, arguments: Int32, results: Int32) -> Failure? {
    failure(of: engine.lua.inPhase(phase) { clua_call(L, arguments, results) })
  }

  /// Returns the failure of a call; nil if it succeeded.
  private func failure(of status: Int32) -> Failure? {
    guard status != CLUA_OK.rawValue else { return nil }
    return engine.failure(engine.lua.takeError(status, on: L), owner: owner)
  }

  private func ask(for responder: Responder, _ context: ScriptContext, results: Int32) -> Failure? {
    beginCall(for: responder, by: context.engine)
    context.show(to: script)
    return failure(of: context.ask(arguments: 1, results: results))
  }

  private func question<Answer>(
    _ action: String, for responder: Responder, _ read: () throws -> Answer
  ) -> Result<Answer, Failure> {
    engine.dispatcher.whileAsking {
      beginCall(for: responder)
      engine.lua.push(text: action, on: L)
      if let failure = call(in: CLUA_ASKING, arguments: 2, results: 1) { return .failure(failure) }
      defer { clua_pop(L, 1) }
      return Result { try read() }.mapError { engine.misuse($0, self) }
    }
  }
}

/// A script's function that watches actions.
final class ScriptObserver: Observer {
  private unowned let engine: ScriptEngine
  private let lua: LuaState
  private let function: LuaFunction
  /// The number of its reference.
  private let functionNumber: Int32
  private let script: ScriptOwner
  private let share: KeptBytes.Share

  init(_ pattern: ActionPattern, _ function: LuaFunction, of script: ScriptOwner, engine: ScriptEngine) {
    self.engine = engine
    lua = engine.lua
    self.function = function
    functionNumber = function.reference.id
    self.script = script
    share = script.kept.share(pattern.keptBytes)
    super.init(pattern, owner: script.owner)
  }

  override func notify(_ event: ActionEvent) -> Failure? {
    let failed = lua.notify(functionNumber, of: owner, count: 1) { L in
      engine.speaking(to: script) { engine.push(event, on: L) }
    }
    return failed.map { engine.takeFailure($0, owner) }
  }
}

extension LuaState {
  /// Calls an observer with the values that a body pushes. Returns the status of a failure.
  @inline(__always)
  fileprivate func notify(
    _ function: Int32, of owner: Owner, count: Int32, _ push: (OpaquePointer) -> Void
  ) -> Int32? {
    guard owner.whySetAside == nil, clua_room(L, 8) else { return nil }
    clua_pushReference(L, function)
    push(L)
    let status = inPhase(CLUA_IDLE) { clua_call(L, count, 0) }
    return status == CLUA_OK.rawValue ? nil : status
  }
}

extension ScriptEngine {
  /// Returns the failure of an observer, which affects no other code.
  fileprivate func takeFailure(_ status: Int32, _ owner: Owner) -> Failure {
    failure(lua.takeError(status, on: lua.L), owner: owner)
  }

  /// Calls an observer with the values that a body pushes, in its script's view.
  func notify(
    _ function: LuaFunction, of script: ScriptOwner, count: Int = 1, _ push: (OpaquePointer) -> Void
  ) -> Failure? {
    let failed = lua.notify(function.reference.id, of: script.owner, count: Int32(count)) { L in
      speaking(to: script) { push(L) }
    }
    return failed.map { takeFailure($0, script.owner) }
  }

  func notify(_ function: LuaFunction, of script: ScriptOwner, _ arguments: [Value]) -> Failure? {
    notify(function, of: script, count: arguments.count) { L in for argument in arguments { push(argument, on: L) } }
  }

  /// Pushes an event for an observer.
  func push(_ event: ActionEvent, near: [String]? = nil, on L: OpaquePointer) {
    guard clua_room(L, 8) else { return clua_pushNil(L) }
    clua_newTable(L, 0, 8)
    let keys = eventKeys
    set(keys.stage, .text(event.stage.rawValue), on: L)
    set(keys.action, .text(event.action), on: L)
    set(keys.raw, .text(event.raw), on: L)
    set(keys.args, .object(event.arguments.given), on: L)
    set(keys.sender, sender(event.sender), on: L)
    if let by = event.by { set(keys.by, .text(by), on: L) }
    if let outcome = event.outcome { set(keys.outcome, .opaque(ScriptOutcome(outcome)), on: L) }
    if let job = event.job { set(keys.job, .opaque(job), on: L) }
    if let near { set(keys.near, .list(near.map { .text($0) }), on: L) }
  }
}
