import CLua
import CScript

// The limits of scripts, as the core asks for them.

extension ScriptEngine {
  var phase: UnsafePointer<Int32> { clua_phasePointer(lua.L) }

  var turns: UInt64 { clua_turns(lua.L) }
  var isSpent: Bool { clua_trip(lua.L) != CLUA_TRIP_NONE.rawValue }
  func spent(by owner: Owner) -> Failure? {
    LuaLimit(clua_trip(lua.L)).map { failure(lua.error(for: $0), owner: owner) }
  }

  func beginAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginPerform() { _ = clua_beginPerform(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginSmallAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds / 64, allowance.instructions / 64) }
  func beginTest() { _ = clua_begin(lua.L, host.limits.test.nanoseconds, host.limits.test.instructions) }
  func endAllowance() { _ = clua_end(lua.L) }
  var isOutermost: Bool { clua_isOutermost(lua.L) }
  func stepOutside() -> Bool { clua_stepOutside(lua.L) }
  func stepBack() { clua_stepBack(lua.L) }
  func renewAllowance() {
    dispatcher.endAllowance()
    beginPerform()
  }

  /// Runs a body within an allowance that is not a perform's.
  func within<Result>(_ allowance: Allowance, _ body: () throws -> Result) throws -> Result {
    defer { dispatcher.doPostponed() }
    return try lua.within(nanoseconds: allowance.nanoseconds, instructions: allowance.instructions, body)
  }

  func charge(_ steps: Int) { if steps > 0 { clua_chargeWork(lua.L, UInt64(steps)) } }

  // Limits no time, because that would cost a look at the clock each time.
  func beginQuestion() { _ = clua_begin(lua.L, 0, questionInstructions) }
  func endQuestion() { _ = clua_end(lua.L) }
}
