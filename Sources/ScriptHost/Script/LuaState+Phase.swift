import CLua
import CScript

extension LuaState {
  /// Runs a body in a phase, which decides what scripts may do meanwhile.
  func inPhase<Result>(_ phase: clua_Phase, _ body: () -> Result) -> Result {
    let before = clua_setPhase(L, phase.rawValue)
    defer { _ = clua_setPhase(L, before) }
    return body()
  }
}
