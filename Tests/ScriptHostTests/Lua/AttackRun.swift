import CLua
import Expectations
import Testing

@testable import ScriptHost

/// A Swift error that scripts meet.
struct Refusal: Error, Equatable {}

/// An interpreter under attack, and the checks after each script.
struct AttackRun {
  let lua: LuaState
  private let canary: LuaFunction
  private let objects: Int32
  private let references: Int
  private let top: Int32

  init() throws {
    lua = try LuaState()
    canary = try lua.load(
      """
      local t = setmetatable({}, {__index = function(_, k) return k * 2 end})
      local co = coroutine.wrap(function(a) coroutine.yield(a + 1) end)
      local caught = select(2, pcall(error, "e", 0))
      return t[21], co(1), caught, #table.concat({("x"):rep(5000), "y"}), tostring(12)
      """, name: "canary")
    lua.collect()
    objects = clua_counters(lua.L).objects
    top = clua_top(lua.L)
    references = lua.referenceCount
  }

  /// Runs an attack; returns its outcome, and the CPU time that it took beyond its allowance.
  func run(_ attack: Attack) -> (outcome: Attack.Outcome, overshoot: Int64) {
    let before = threadTime()
    let outcome = outcome(of: attack)
    return (outcome, Int64(threadTime() - before) - Int64(attack.allowance.nanoseconds))
  }

  private func outcome(of attack: Attack) -> Attack.Outcome {
    do {
      let environment = try environment()
      return .result(
        try lua.within(attack.allowance) {
          let script = try lua.load(attack.script, name: "attack", environment: environment)
          return shown(try lua.call(script))
        })
    } catch let error as LuaError {
      if let limit = error.limit { return .limit(limit) }
      return error.kind == .syntax ? .refused(error.message) : .error(error.message)
    } catch {
      return .error("\(error)")
    }
  }

  /// Swift functions for scripts to misuse.
  private func environment() throws -> LuaTable {
    let environment = lua.newEnvironment()
    let lua = lua
    try lua.rawSet("echo", .function(lua.function { .values(try $0.arguments) }), of: environment)
    try lua.rawSet("throw", .function(lua.function { _ in throw Refusal() }), of: environment)
    try lua.rawSet("yield", .function(lua.function { .yield(try $0.arguments) }), of: environment)
    try lua.rawSet("object", .object(LuaFailure(Refusal())), of: environment)
    try lua.rawSet("make", .function(lua.function { _ in .values([.object(LuaFailure(Refusal()))]) }), of: environment)
    let call = lua.function { call in
      guard case .function(let function) = try call[0] else { throw LuaMisuse("a function is wanted") }
      return .values(try call.state.call(function, arguments: Array(try call.arguments.dropFirst())))
    }
    try lua.rawSet("call", .function(call), of: environment)
    let swallow = lua.function { call in
      guard case .function(let function) = try call[0] else { throw LuaMisuse("a function is wanted") }
      return .values((try? call.state.call(function)) ?? ["swallowed"])
    }
    try lua.rawSet("swallow", .function(swallow), of: environment)
    return environment
  }

  private func shown(_ values: [LuaValue]) -> String {
    values.map { value in
      switch value {
      case .nil: "nil"
      case .bool(let value): "\(value)"
      case .integer(let value): "\(value)"
      case .number(let value): "\(value)"
      case .text(let value): value
      default: value.typeName
      }
    }.joined(separator: " ")
  }

  /// Checks the state after an attack.
  func checkUnharmed(after name: String) {
    do {
      expect(shown(try lua.call(canary)), is: "42 2 e 5001 12", "after \(name)")
    } catch {
      Issue.record("after \(name): \(error)")
    }
    lua.collect()
    lua.collect()
    let counters = clua_counters(lua.L)
    expect(counters.hostDepth, is: 1, "after \(name)")
    expect(counters.objects, is: objects, "after \(name)")
    // Collects unreachable values: a leak shows here, even a small one.
    expect(lua.referenceCount, is: references, "after \(name)")
    expect(clua_top(lua.L), is: top, "after \(name)")
    expect(clua_trip(lua.L) == CLUA_TRIP_NONE.rawValue, "after \(name)")
  }
}
