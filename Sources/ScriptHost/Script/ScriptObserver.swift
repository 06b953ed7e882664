import CLua

/// A script's function that watches actions.
final class ScriptObserver: Observer {
  /// Unowned and unchecked: the engine lives as long as the host, which alone calls observers.
  private unowned(unsafe) let engine: ScriptEngine
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
