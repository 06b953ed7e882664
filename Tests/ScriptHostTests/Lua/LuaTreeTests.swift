import Expectations
import Testing

@testable import ScriptHost

@Suite("Copies of values")
struct LuaTreeTests {
  static var cases: [(String, LuaTree)] {
    [
      ("nil", .nil), ("true", .bool(true)), ("1", .integer(1)), ("1.5", .number(1.5)), ("'a'", .text("a")),
      ("'\\xff'", .bytes([255])),
      ("{}", .map([])), ("{1, {2}}", .list([.integer(1), .list([.integer(2)])])),
      ("{x = {}}", .map([.init(key: .text("x"), value: .map([]))])),
      ("{nil, 2}", .map([.init(key: .integer(2), value: .integer(2))])),
      ("{[1.0] = 'one'}", .list([.text("one")])),
      ("{[math.maxinteger] = 1}", .map([.init(key: .integer(.max), value: .integer(1))])),
      ("{print or type}", .list([.opaque("function")])), ("coroutine.create(type)", .opaque("thread")),
      ("setmetatable({1}, {__index = error, __len = error, __pairs = error})", .list([.integer(1)])),
    ]
  }

  @Test("A copy of a value has all its parts")
  func copies() throws {
    for (text, tree) in Self.cases {
      try withLua { lua in
        let value = try lua.run("return \(text)").first ?? .nil
        try expect(lua.tree(value), is: tree, "\(text)")
      }
    }
  }

  @Test("A value that holds itself, is too deep or too large is an error with the limit")
  func refuses() throws {
    let deep = "local t = {}; for i = 1, 70 do t = {t} end return t"
    let cases: [(String, LuaError.Kind)] = [
      ("local t = {}; t[1] = {t}; return t", .cycle), ("local t = {}; t[t] = 1; return t", .cycle),
      (deep, .tooDeep(limit: 64)),
      ("local t = {}; for i = 1, 2000 do t[i] = i end return t", .tooLarge(limit: 1_000)),
    ]
    for (text, kind) in cases {
      try withLua { lua in
        let value = try lua.run(text)[0]
        let error = try #require(throws: LuaError.self) { try lua.tree(value, size: 1_000) }
        expect(error.kind, is: kind, "\(text)")
      }
    }
  }

  @Test("A text counts in each place, though Lua holds it once")
  func sharedTexts() throws {
    try withLua { lua in
      let value = try lua.run("local s, t = ('x'):rep(1000), {} for i = 1, 60 do t[i] = s end return t")[0]
      #expect(throws: Never.self) { try lua.tree(value, bytes: 60_000) }
      let error = try #require(throws: LuaError.self) { try lua.tree(value, bytes: 59_999) }
      expect(error.kind, is: .tooLarge(limit: 59_999))
    }
  }

  @Test("The same table twice side by side is no cycle")
  func shared() throws {
    try withLua { lua in
      let value = try lua.run("local t = {1}; return {t, t}")[0]
      try expect(lua.tree(value), is: .list([.list([.integer(1)]), .list([.integer(1)])]))
    }
  }
}
