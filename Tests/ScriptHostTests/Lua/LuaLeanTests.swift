import CLua
import Testing

@testable import ScriptHost

extension LuaState {
  fileprivate func function(_ text: String) throws -> LuaFunction {
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
  let count = try lua.function("local n = 0; return function(t) n = n + 1; t.count = n end")
  let table = lua.newTable()
  try lua.invoke(count, table)
  try lua.invoke(count, table)
  #expect("\(try lua.get("count", of: table))" == "integer(2)")

  let isAna = try lua.function("return function(ctx) return ctx.name == 'ana' end")
  lua.pushTable(fields: 1)
  lua.set(name, "ana")
  #expect(try lua.ask(isAna))

  let raise = try lua.function("return function(t) error('no') end")
  #expect(throws: LuaError.self) { try lua.invoke(raise, table) }
  #expect(clua_top(lua.L) == 1)
}

@Test("A call from within a call has an error of its own")
func callsFromWithinACall() throws {
  let lua = try LuaState()
  let raise = try lua.function("return function(t) error('inner') end")
  let table = lua.newTable()
  var messages: [String] = []
  let middle = lua.function { _ in
    do throws(LuaError) {
      try lua.invoke(raise, table)
    } catch {
      messages.append(error.message)
    }
    return .nothing
  }
  let outer = try lua.function("return function(middle) middle(); error('outer') end")
  #expect(throws: LuaError.self) { try lua.call(outer, .function(middle)) }
  #expect(messages == ["inner"])
  #expect(clua_top(lua.L) == 1)
}

@Test("The lean path refuses values of another interpreter: their numbers mean something else here")
func refusesForeignValues() throws {
  let lua = try LuaState()
  let other = try LuaState()
  let function = try lua.function("return function(t) end")
  let table = lua.newTable()
  let foreign = try other.function("return function(t) end")
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
