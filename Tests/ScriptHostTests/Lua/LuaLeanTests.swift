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
