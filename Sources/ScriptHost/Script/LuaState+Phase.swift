import CLua
import CScript

extension LuaState {
  /// Says what runs, so that it is known what is allowed, while a body runs.
  func inPhase<Result>(_ phase: clua_Phase, _ body: () -> Result) -> Result {
    let before = clua_setPhase(L, phase.rawValue)
    defer { _ = clua_setPhase(L, before) }
    return body()
  }
}
