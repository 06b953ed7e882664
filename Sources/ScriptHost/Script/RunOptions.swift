import CScript

// How runs of plans go, and who takes the steps that are Swift's.

extension ScriptEngine {
  /// Has Swift's steps of a run taken on the stack on which that runs.
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
  /// Asks the providers alone, for a context on top.
  static func providers(from step: Int, _ taker: StepTaker) -> clua_RunOptions {
    clua_RunOptions(
      taker: Unmanaged.passUnretained(taker).toOpaque(), from: Int32(clamping: step), given: 0, hasContext: true,
      putsArguments: false, asksItself: false, tells: false, isAlone: false, question: 0, noted: nil)
  }

  /// Asks a handler alone, whose context is on top.
  static var handlerAlone: clua_RunOptions {
    clua_RunOptions(
      taker: nil, from: Int32(CLUA_STEP_DO.rawValue), given: 0, hasContext: true, putsArguments: true, asksItself: true,
      tells: false, isAlone: false, question: 0, noted: nil)
  }
}
