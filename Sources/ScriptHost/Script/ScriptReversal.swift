import CLua

/// What the handlers of a script did in one stretch: steps in a table of Lua's, which `CLua/Undo.c` writes and takes back.
final class ScriptReversal: Reversal {
  private unowned let engine: ScriptEngine
  private let script: ScriptOwner
  private let steps: LuaReference

  private var L: OpaquePointer { engine.lua.L }

  init(_ steps: LuaReference, of script: ScriptOwner, taker: Responder, engine: ScriptEngine) {
    self.engine = engine
    self.script = script
    self.steps = steps
    super.init(owner: script.owner, taker: taker)
  }

  override func reverse(_ makeContext: () -> Context) -> Reply {
    guard clua_room(L, 16) else { return .failed(Failure(.limit, "the stack has no room", owner: owner.name)) }
    engine.reversing.append((taker, script))
    defer { engine.reversing.removeLast() }
    clua_pushReference(L, steps.id)
    var left = clua_stepCount(L, -1)
    clua_pop(L, 1)
    while left > 0 {
      if let failure = takeBackFields(&left) { return .failed(failure) }
      guard left > 0 else { break }
      switch call(left, makeContext) {
      case .value, .pass: left -= 1
      case let other: return other
      }
    }
    return .value(.null)
  }

  /// Puts back what fields held, down to a function.
  private func takeBackFields(_ left: inout Int32) -> Failure? {
    clua_pushStep(L, steps.id, left)
    let isFunction = clua_type(L, -1) == CLUA_TFUNCTION.rawValue
    clua_pop(L, 1)
    if isFunction { return nil }
    clua_newTable(L, 3 * left, 0)
    let other = ScriptReversal(engine.lua.takeReference(), of: script, taker: taker, engine: engine)
    let isKept = engine.dispatcher.undo.register(other)
    let status = clua_takeBack(L, steps.id, isKept ? other.steps.id : 0, &left)
    return status == CLUA_OK.rawValue ? nil : engine.failure(engine.lua.takeError(status, on: L), owner: owner)
  }

  /// Calls the function of a step with a context of its own.
  private func call(_ step: Int32, _ makeContext: () -> Context) -> Reply {
    guard let context = makeContext() as? ScriptContext else { return .pass }
    clua_pushStep(L, steps.id, step)
    let function = engine.lua.takeReference()
    var plan = clua_Plan()
    plan.on.function = function.id
    clua_pushReference(L, context.reference.id)
    let answer = clua_perform(L, &plan, 0, true)
    defer { clua_pop(L, 1) }
    return engine.reply(answer, owner: owner)
  }

  override func absorb(_ later: Reversal) -> Bool {
    guard let later = later as? ScriptReversal, later.script === script, later.taker === taker, clua_room(L, 16) else {
      return false
    }
    return clua_mergeSteps(L, steps.id, later.steps.id)
  }
}
