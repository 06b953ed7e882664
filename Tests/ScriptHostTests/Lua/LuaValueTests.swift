import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Values in and out")
struct LuaValueTests {
  struct Crossing: CustomTestStringConvertible, Sendable {
    let value: @Sendable () -> LuaValue
    /// The value as the script sees it, as `type, tostring` or `#`.
    let seen: String
    let back: String
    var testDescription: String { back }

    init(_ value: @autoclosure @escaping @Sendable () -> LuaValue, _ seen: String, _ back: String) {
      self.value = value
      self.seen = seen
      self.back = back
    }
  }

  static let crossings: [Crossing] = [
    Crossing(nil, "nil nil", "nil"),
    Crossing(true, "boolean true", "true"),
    Crossing(false, "boolean false", "false"),
    Crossing(0, "integer 0", "0"),
    Crossing(.integer(.max), "integer 9223372036854775807", "9223372036854775807"),
    Crossing(.integer(.min), "integer -9223372036854775808", "-9223372036854775808"),
    Crossing(.integer(1 << 53 + 1), "integer \(1 << 53 + 1)", "\(1 << 53 + 1)"),
    Crossing(1.0, "float 1.0", "1.0"),
    Crossing(0.1, "float 0.1", "0.1"),
    Crossing(.number(-0.0), "float -0.0", "-0.0"),
    Crossing(.number(.infinity), "float inf", "inf"),
    Crossing(.number(-.infinity), "float -inf", "-inf"),
    Crossing(.number(.nan), "float nan", "nan"),
    Crossing(.number(9_223_372_036_854_775_808), "float 9.2233720368548e+18", "9.223372036854776e+18"),
    Crossing(.number(.leastNonzeroMagnitude), "float 4.9406564584125e-324", "5e-324"),
    Crossing("", "string 0", "\"\""),
    Crossing("text", "string 4", "\"text\""),
    Crossing("ä€😀", "string 9", "\"ä€😀\""),
    Crossing("10", "string 2", "\"10\""),
    Crossing(.text("a\0b"), "string 3", "\"a\0b\""),
    Crossing(
      .text(String(repeating: "long", count: 5_000)), "string 20000", "\"\(String(repeating: "long", count: 5_000))\""),
    Crossing(.bytes([]), "string 0", "\"\""),
    Crossing(.bytes([0x61]), "string 1", "\"a\""),
    Crossing(.bytes([0xff, 0]), "string 2", "<ff 0>"),
    Crossing(.bytes([0xed, 0xa0, 0x80]), "string 3", "<ed a0 80>"),
    Crossing(.bytes([0xe2, 0x82]), "string 2", "<e2 82>"),
  ]

  @Test("A value crosses with its type and comes back the same", arguments: crossings)
  func crosses(crossing: Crossing) throws {
    try withLua { lua in
      let look = """
        local v = ...
        local seen = type(v) == 'string' and 'string ' .. #v or (math.type(v) or type(v)) .. ' ' .. tostring(v)
        return (seen:gsub('%-nan', 'nan')), v
        """
      let results = try lua.run(look, crossing.value())
      try require(results.count == 2)
      expect(results[0].shown, is: "\"\(crossing.seen)\"")
      expect(results[1].shown, is: crossing.back)
    }
  }

  @Test("Tables, functions and coroutines come back as themselves")
  func sameOnes() throws {
    try withLua { lua in
      let made = try lua.run("return {}, function() end, coroutine.create(function() end), string.len")
      expect(made.map(\.typeName), is: ["table", "function", "thread", "function"])
      let same = try lua.run(
        "t, f, c, l = ...; return t, f, c, l, t == t, l == string.len", made[0], made[1], made[2], made[3])
      expect(same[4...].map(\.shown), is: ["true", "true"])
      try expect(
        lua.run("local a, b, d = ...; return a == t, b == f, d == c", same[0], same[1], same[2]).shown,
        is: "true, true, true")
    }
  }

  @Test(
    "A Swift object comes out as the same object, from any place in a script",
    arguments: [
      "return ...", "local t = {...}; return t[1]", "local t = {[(...)] = 1}; return (next(t))",
      "local o = ...; return (function() return o end)()", "kept = ...; return kept",
      "return coroutine.wrap(function(o) coroutine.yield(); return o end)(...) or ...",
      "return select(2, pcall(error, ...))",
    ])
  func objects(text: String) throws {
    try withLua { lua, census in
      let object = census.witness("one")
      guard case .object(let back)? = try lua.run(text, .object(object)).first else { throw LuaMisuse("no object") }
      expect(back as? Witness === object)
    }
  }

  @Test("An object lives as long as a script can reach it")
  func lifetime() throws {
    try withLua { lua, census in
      _ = try lua.run("kept = {...}; other = function() return kept end", .object(census.witness()))
      lua.collect()
      expect(census.living, is: 1)
      expect(clua_counters(lua.L).objects, is: 1)
      _ = try lua.run("kept = nil")
      lua.collect()
      expect(census.living, is: 0)
      expect(clua_counters(lua.L).objects, is: 0)
    }
  }

  @Test("A script can only hold an object")
  func opaque() throws {
    try withLua { lua, census in
      let object = LuaValue.object(census.witness())
      let results = try lua.run(
        """
        local o = ...
        return type(o), tostring(o):match('^(%a+): 0x%x+$'), getmetatable(o), pcall(setmetatable, o, {})
        """, object)
      expect(results.shown.hasPrefix("\"userdata\", \"object\", false, false, \"bad argument #1"))
      for text in ["o.x = 1", "return o.x", "return o()", "return #o", "return o + 1", "return o < o"] {
        #expect(throws: LuaError.self, "\(text)") { try lua.run("local o = ...; " + text, object) }
      }
    }
  }

  @Test("Values have Lua's type names and Lua's truth")
  func names() throws {
    try withLua { lua in
      let values = try lua.run(
        "return nil, false, true, 0, 0.5, '', '\\xff', {}, function() end, coroutine.create(type)")
      expect(
        values.map(\.typeName),
        is: [
          "nil", "boolean", "boolean", "number", "number", "string", "string", "table", "function", "thread",
        ])
      expect(values.map(\.isTrue), is: [false, false, true, true, true, true, true, true, true, true])
    }
  }

  @Test("More values than fit on a stack are an error that leaves the state unchanged")
  func tooMany() throws {
    try withLua { lua in
      let count = try lua.load("return select('#', ...)", name: "t")
      try expect(lua.call(count, arguments: [LuaValue](repeating: 1, count: 10_000)).shown, is: "10000")
      let error = try #require(throws: LuaError.self) {
        try lua.call(count, arguments: [LuaValue](repeating: 1, count: 1_000_000))
      }
      expect(error.kind, is: .tooLarge(limit: 1_000_000))
      try expect(lua.call(count, 1).shown, is: "1")
    }
  }

  @Test("Swift describes values as scripts see them")
  func described() throws {
    try withLua { lua, census in
      try expect(lua.describe(12), is: "12")
      try expect(lua.describe(1.0), is: "1.0")
      try expect(lua.describe(.bytes([0x61, 0xff])), is: "a\u{FFFD}")
      try expect(lua.describe(.object(census.witness())).hasPrefix("object: 0x"))
      let table = try lua.run("return setmetatable({}, {__tostring = function() return 'me' end})")[0]
      try expect(lua.describe(table), is: "me")
      let bad = try lua.run("return setmetatable({}, {__tostring = function() error('no') end})", name: "bad.lua")[0]
      let error = try #require(throws: LuaError.self) { try lua.describe(bad) }
      expect("\(error)", is: "bad.lua:1: no")
    }
  }
}
