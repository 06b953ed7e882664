import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Tables and environments")
struct LuaTableTests {
  @Test("Swift reads fields as a script does, or raw, and writes them raw")
  func fields() throws {
    try withLua { lua in
      let made = try lua.run(
        """
        return setmetatable({own = 1}, {
          __index = function(t, k) return k .. '?' end, __newindex = error, __len = function() return 9 end})
        """)
      let table = try require(made.first?.table)
      try expect([lua.get("own", of: table), lua.get("other", of: table)].shown, is: "1, \"other?\"")
      try expect(lua.rawGet("other", of: table).shown, is: "nil")
      try lua.rawSet("x", 6, of: table)
      try expect(lua.get("x", of: table).shown, is: "6")
      try lua.rawSet(1, "one", of: table)
      try expect(lua.rawCount(of: table), is: 1)
      expect(clua_top(lua.L), is: 1)
    }
  }

  @Test("A key that is nil or NaN is an error", arguments: [LuaKeyCase.nil, .nan])
  func badKeys(key: LuaKeyCase) throws {
    try withLua { lua in
      let table = lua.newTable()
      let raw = try #require(throws: LuaError.self) { try lua.rawSet(key.value, 1, of: table) }
      expect(raw.message, is: "a table's key can't be nil or NaN")
      try expect(lua.rawGet(key.value, of: table).shown, is: "nil")
      expect(clua_top(lua.L), is: 1)
    }
  }

  enum LuaKeyCase: Sendable {
    case `nil`, nan
    var value: LuaValue { self == .nil ? .nil : .number(.nan) }
  }

  @Test("A failing metamethod is an error, and leaves nothing on the stack")
  func failing() throws {
    try withLua { lua in
      let made = try lua.run("return setmetatable({}, {__index = function() error('no') end})", name: "m.lua")
      let table = try require(made.first?.table)
      let error = try #require(throws: LuaError.self) { try lua.get("x", of: table) }
      expect("\(error)", is: "m.lua:1: no")
      expect(clua_top(lua.L), is: 1)
    }
  }

  @Test("A visit sees every field, stops if the visitor returns false, and passes on the visitor's errors")
  func visits() throws {
    try withLua { lua in
      let table = try require(lua.run("return {10, 20, x = {30}, [2.5] = false}").first?.table)
      var seen: [String] = []
      try lua.forEach(in: table) { key, value in
        seen.append([key, value].shown)
        return true
      }
      expect(seen.sorted(), is: ["\"x\", table", "1, 10", "2, 20", "2.5, false"])
      var count = 0
      try lua.forEach(in: table) { _, _ in
        count += 1
        return count < 2
      }
      expect(count, is: 2)
      #expect(throws: LuaMisuse.self) { try lua.forEach(in: table) { _, _ in throw LuaMisuse("stop") } }
      expect(clua_top(lua.L), is: 1)
    }
  }

  @Test("A visitor can run scripts, change the table, and visit again, to any depth")
  func nestedVisits() throws {
    try withLua { lua in
      let table = try require(lua.run("return {1, 2, 3, x = 1}").first?.table)
      let function = try lua.load("local t, k = ...; t[k] = nil; return #t", name: "t")
      var depth = 0
      func visit() throws {
        try lua.forEach(in: table) { key, _ in
          depth += 1
          _ = try lua.call(function, .table(lua.newTable()), key)
          if depth < 100 { try visit() }
          return depth < 100
        }
      }
      try visit()
      expect(depth >= 100)
      try lua.forEach(in: table) { key, _ in
        _ = try lua.call(function, .table(table), key)
        return true
      }
      try expect(lua.run("return next(...)", .table(table)).shown, is: "nil")
    }
  }

  @Test("Environments have separate globals and share the library")
  func environments() throws {
    try withLua { lua in
      let one = lua.newEnvironment()
      let two = lua.newEnvironment()
      try lua.call(lua.load("x = 1; _G.y = 2; load('z = 3')()", name: "one", environment: one))
      let look = "return x, y, z, _G.x, load('return x')(), string.len('ab'), pcall(function() string.len = nil end)"
      try expect(
        lua.call(lua.load(look, name: "one", environment: one)).shown,
        is:
          "1, 2, 3, 1, 1, 2, false, \"one:1: 'len' can't be set: this table is shared by all scripts and can't be changed\""
      )
      try expect(lua.call(lua.load("return x, y, z", name: "two", environment: two)).shown, is: "nil, nil, nil")
      try expect(lua.run("return x, y, z").shown, is: "nil, nil, nil")
      try lua.call(lua.load("string = nil; load = nil", name: "one", environment: one))
      try expect(
        lua.call(lua.load("return type(string), type(load)", name: "two", environment: two)).shown,
        is: "\"table\", \"function\"")
      let bare = lua.newTable()
      try lua.call(lua.load("answer = 42", name: "bare", environment: bare))
      try expect(lua.rawGet("answer", of: bare).shown, is: "42")
    }
  }
}
