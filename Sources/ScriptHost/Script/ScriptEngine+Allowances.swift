import CLua
import CScript

// What scripts may spend, as the core asks for it.

extension ScriptEngine {
  var phase: UnsafePointer<Int32> { clua_phasePointer(lua.L) }

  var turns: UInt64 { clua_turns(lua.L) }
  var isSpent: Bool { clua_trip(lua.L) != CLUA_TRIP_NONE.rawValue }
  func spent(by owner: Owner) -> Failure? {
    LuaLimit(clua_trip(lua.L)).map { failure(lua.error(for: $0), owner: owner) }
  }

  func beginAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginSmallAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds / 64, allowance.instructions / 64) }
  func beginTest() { _ = clua_begin(lua.L, host.limits.test.nanoseconds, host.limits.test.instructions) }
  func endAllowance() { dispatcher.endAllowance(of: lua) }
  func renewAllowance() {
    endAllowance()
    beginAllowance()
  }

  /// Runs something within an allowance that is not a perform's.
  func within<Result>(_ allowance: LuaAllowance, _ body: () throws -> Result) throws -> Result {
    defer { dispatcher.doPostponed() }
    return try lua.within(allowance, body)
  }

  func charge(_ steps: Int) { if steps > 0 { clua_chargeWork(lua.L, UInt64(steps)) } }

  // Without a time of its own, which would cost a look at the clock each time.
  func beginQuestion() { _ = clua_begin(lua.L, 0, questionInstructions) }
  func endQuestion() { _ = clua_end(lua.L) }

  func prepare(_ candidate: Candidate, _ resolution: Resolution) -> Plan? {
    FusedPlan.canFuse(candidate, resolution) ? FusedPlan(candidate, resolution, engine: self) : nil
  }
}

extension Dispatcher {
  /// Ends an allowance, for who has no engine at hand: to ask it is to count who holds it.
  @inline(__always)
  func endAllowance(of lua: LuaState) {
    _ = clua_end(lua.L)
    doPostponed()
  }
}
