import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Values that scripts tell apart")
struct LuaCrossingTests {
  @Test("A Swift object that is passed twice is equal to itself; two objects are not equal")
  func sameObject() throws {
    try withLua { lua, census in
      let (first, second) = (census.witness(), census.witness())
      let results = try lua.run(
        "local a, b, c = ...; return rawequal(a, b), a == b, a == c, a == 1", .object(first), .object(first),
        .object(second))
      expect(results.shown, is: "false, true, false, false")
    }
  }

  @Test("A sentinel crosses to Swift and back as itself")
  func sentinels() throws {
    let lua = try LuaState()
    let null = clua_newSentinel(lua.L, "null")
    clua_pushReference(lua.L, null)
    let value = try lua.value(at: -1, on: lua.L)
    clua_pop(lua.L, 1)
    try lua.define("echo") { .values(try $0.arguments) }
    let results = try lua.run("local n = ...; return rawequal(echo(n), n), tostring(echo(n)), n == nil", value)
    expect(results.shown, is: "true, \"null\", false")
  }

  @Test("getmetatable of a value without a metatable returns one value, nil, as in stock Lua")
  func noMetatable() throws {
    try withLua { lua in
      let results = try lua.run("return select('#', getmetatable({})), getmetatable({})")
      expect(results.shown, is: "1, nil")
    }
  }

  @Test("E4: The error of a raised table is its message, at the table's place if an error was reported there")
  func raisedTables() throws {
    try withLua { lua in
      let plain = try lua.error(of: "\nerror({ message = 'full', code = 28 })")
      expect(plain.message == "full" && plain.place?.line == 2)
      _ = try lua.load("one = 1\ntwo = 2", name: "other.lua")
      for (line, name) in [(2, "other.lua"), (3, "other.lua"), (0, "other.lua"), (2, "none.lua")] {
        lua.noteTold(line: line, of: name)
      }
      let places = [
        ("'other.lua', line = 2, column = 3", "other.lua:2:3"), ("'other.lua', line = 2, column = 8", "other.lua:2:8"),
        ("'other.lua', line = 2", "other.lua:2"), ("'other.lua', line = 2, column = 9", "other.lua:2"),
        ("'other.lua', line = 2, column = 0", "other.lua:2"),
        ("'other.lua', line = 2, column = math.mininteger", "other.lua:2"), ("'other.lua', line = 1", "test.lua:1"),
        ("'other.lua', line = 3", "test.lua:1"), ("'other.lua', line = 0", "test.lua:1"),
        ("'other.lua', line = -5", "test.lua:1"), ("'other.lua', line = math.maxinteger", "test.lua:1"),
        ("'none.lua', line = 2", "test.lua:1"), ("'', line = 1", "test.lua:1"),
      ]
      for (fields, place) in places {
        let again = try lua.error(of: "error({ message = 'full', file = \(fields) })")
        expect(again.description, is: "\(place): full", "\(fields)")
      }
      let odd = try lua.error(of: "error({ message = 5, file = 'x' })")
      expect(odd.place?.source == "test.lua" && odd.message == "(error object is a table value)")
    }
  }

  @Test("A message that begins with a quoted name has the name's column, if it occurs once in the line")
  func columns() throws {
    expect(LuaColumn.find(message: "'prnt' is not defined; did you mean 'print'?", line: "  prnt(x)"), is: 3)
    expect(LuaColumn.find(message: "'a' must be a string", line: "a = a"), is: nil)
    expect(LuaColumn.find(message: "'' is odd", line: "a = a"), is: nil)
  }
}
