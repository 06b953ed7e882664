import CLua
import Testing

@testable import ScriptHost

@Suite("The lean path")
struct LuaLeanTests {
  @Test("A table made of keys arrives as it was made, and is taken")
  func table() throws {
    try withLua { lua in
      let keys = ["text", "int", "number", "flag", "ä"].map { lua.key($0) }
      defer { for key in keys { clua_release(lua.L, key.id) } }
      lua.pushTable(fields: 5)
      lua.set(keys[0], "value")
      lua.set(keys[1], Int.max)
      lua.set(keys[2], 1.0)
      lua.set(keys[3], true)
      lua.set(keys[4], "")
      let table = lua.takeTable()
      try #expect(
        lua.run("local t = ...; return t.text, t.int, t.number, t.flag, t['ä']", .table(table)).shown
          == "\"value\", 9223372036854775807, 1.0, true, \"\"")
      #expect(clua_top(lua.L) == 1)
    }
  }

  @Test(
    "ask says whether the first result is true",
    arguments: [
      ("return true", true), ("return false", false), ("return nil", false), ("", false), ("return 0", true),
      ("return '', false", true), ("return false, true", false), ("return (...).x == 1", true),
    ])
  func asks(text: String, answer: Bool) throws {
    try withLua { lua in
      let key = lua.key("x")
      defer { clua_release(lua.L, key.id) }
      lua.pushTable(fields: 1)
      lua.set(key, 1)
      try #expect(lua.ask(lua.load(text, name: "t")) == answer)
      #expect(clua_top(lua.L) == 1)
    }
  }

  @Test(
    "A failure is an error, and takes what was on the stack",
    arguments: [
      ("error('x')", "t:1: x"), ("error({})", nil), ("fail()", "t:1: failed"),
      ("local t; return t.x", "t:1: attempt to index a nil value (local 't')"),
      ("while true do end", nil),
    ])
  func fails(text: String, description: String?) throws {
    try withLua { lua, census in
      try lua.define("fail") { _ in throw WitnessError("failed", in: census) }
      let function = try lua.load(text, name: "t")
      for _ in 1...3 {
        let asked = try #require(throws: LuaError.self) {
          try lua.within(LuaAllowance(instructions: 100_000)) {
            lua.pushTable(fields: 0)
            return try lua.ask(function)
          }
        }
        let invoked = try #require(throws: LuaError.self) {
          try lua.within(LuaAllowance(instructions: 100_000)) { try lua.invoke(function, lua.newTable()) }
        }
        if let description { #expect("\(asked)" == description && "\(invoked)" == description) }
        #expect(clua_top(lua.L) == 1)
      }
    }
  }

  @Test("The lean path works from within a call")
  func nested() throws {
    try withLua { lua in
      let inner = try lua.load("return (...) ~= nil", name: "inner")
      try lua.define("check") { call in
        call.state.pushTable(fields: 0)
        let answer = try call.state.ask(inner)
        try call.state.invoke(inner, call.state.newTable())
        return .values([.bool(answer)])
      }
      try #expect(lua.run("return check(), coroutine.wrap(check)()").shown == "true, true")
    }
  }
}

extension LuaState {
  fileprivate func leanFunction(_ text: String) throws -> LuaFunction {
    guard case .function(let function)? = try call(load(text, name: "lean.lua")).first else {
      throw LuaMisuse("no function")
    }
    return function
  }
}

@Test("The lean path calls, asks, and throws what the script raises")
func callsOnTheLeanPath() throws {
  let lua = try LuaState()
  let name = lua.key("name")
  let count = try lua.leanFunction("local n = 0; return function(t) n = n + 1; t.count = n end")
  let table = lua.newTable()
  try lua.invoke(count, table)
  try lua.invoke(count, table)
  #expect("\(try lua.get("count", of: table))" == "integer(2)")

  let isAna = try lua.leanFunction("return function(ctx) return ctx.name == 'ana' end")
  lua.pushTable(fields: 1)
  lua.set(name, "ana")
  #expect(try lua.ask(isAna))

  let raise = try lua.leanFunction("return function(t) error('no') end")
  #expect(throws: LuaError.self) { try lua.invoke(raise, table) }
  #expect(clua_top(lua.L) == 1)
}

@Test("A call from within a call has an error of its own")
func callsFromWithinACall() throws {
  let lua = try LuaState()
  let raise = try lua.leanFunction("return function(t) error('inner') end")
  let table = lua.newTable()
  var messages: [String] = []
  let middle = lua.function { [unowned lua] _ in
    do throws(LuaError) {
      try lua.invoke(raise, table)
    } catch {
      messages.append(error.message)
    }
    return .nothing
  }
  let outer = try lua.leanFunction("return function(middle) middle(); error('outer') end")
  #expect(throws: LuaError.self) { try lua.call(outer, .function(middle)) }
  #expect(messages == ["inner"])
  #expect(clua_top(lua.L) == 1)
}

@Test("The lean path refuses values of another interpreter: their numbers mean something else here")
func refusesForeignValues() throws {
  let lua = try LuaState()
  let other = try LuaState()
  let function = try lua.leanFunction("return function(t) end")
  let table = lua.newTable()
  let foreign = try other.leanFunction("return function(t) end")
  #expect(throws: LuaError.self) { try lua.invoke(foreign, table) }
  #expect(throws: LuaError.self) { try lua.invoke(function, other.newTable()) }
  lua.pushTable(fields: 0)
  #expect(throws: LuaError.self) { try lua.ask(foreign) }
  #expect(clua_top(lua.L) == 1)
}

@Test("Values that calls give and nobody keeps are given back while calls go on")
func givesBackWhatIsDropped() throws {
  let lua = try LuaState()
  let make = try lua.load("return {}", name: "make.lua")
  func calls(_ count: Int) throws -> Int {
    for _ in 0..<count {
      _ = try lua.call(make)
      lua.pushTable(fields: 1)
      _ = lua.takeTable()
    }
    lua.collect()
    return lua.memory
  }
  let before = try calls(100)
  let after = try calls(20_000)
  #expect(after <= before + 1024)
}
