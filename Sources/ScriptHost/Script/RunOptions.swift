import CScript

// The options of runs in C: how a run goes on, and which object takes Swift's steps.

extension ScriptEngine {
  /// Makes steps of Swift's be taken on the stack on which the run goes on.
  func takeSteps() {
    clua_setTakeStep(lua.L, Unmanaged.passUnretained(lua).toOpaque()) { lua, L, taker, step in
      guard let lua, let L, let taker else { return false }
      return Unmanaged<LuaState>.fromOpaque(lua)._withUnsafeGuaranteedRef { lua in
        lua.on(L) { Unmanaged<StepTaker>.fromOpaque(taker)._withUnsafeGuaranteedRef { $0.take(Int(step)) } }
      }
    }
  }
}

extension clua_RunOptions {
  /// Options for calling only the providers; the context is on top.
  static func providers(from step: Int, _ taker: StepTaker) -> clua_RunOptions {
    clua_RunOptions(
      taker: Unmanaged.passUnretained(taker).toOpaque(), from: Int32(clamping: step), given: 0, hasContext: true,
      putsArguments: false, asksItself: false, tells: false, isAlone: false, question: 0, noted: nil)
  }

  /// Options for calling only a handler, whose context is on top.
  static var handlerAlone: clua_RunOptions {
    clua_RunOptions(
      taker: nil, from: Int32(CLUA_STEP_DO.rawValue), given: 0, hasContext: true, putsArguments: true, asksItself: true,
      tells: false, isAlone: false, question: 0, noted: nil)
  }
}
