import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Errors of scripts")
struct LuaErrorTests {
  /// All facts of an error, one on a line.
  private func facts(_ error: LuaError) -> String {
    var lines = ["\(error.kind): \(error)"]
    if let text = error.place?.text { lines.append("| " + text) }
    if let traceback = error.traceback {
      lines += traceback.split(separator: "\n").dropFirst().map { "  " + $0.drop { $0 == "\t" } }
    }
    return lines.joined(separator: "\n")
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let script: String
    let facts: String
    var testDescription: String { script }

    init(_ script: String, _ facts: String) {
      self.script = script
      self.facts = facts
    }
  }

  static let cases: [Case] = [
    Case("x = = 1", "syntax: e.lua:1: unexpected symbol near '='\n| x = = 1"),
    Case("local a = 1\nlocal b = }", "syntax: e.lua:2:11: unexpected symbol near '}'\n| local b = }"),
    Case("if x then\n  y()", "syntax: e.lua:2:6: 'end' expected (to close 'if' at line 1) near <eof>\n|   y()"),
    Case("return 'abc", "syntax: e.lua:1:12: unfinished string near <eof>\n| return 'abc"),
    Case("goto out", "syntax: e.lua:1: no visible label 'out' for <goto> at line 1\n| goto out"),
    Case("local ä = 1", "syntax: e.lua:1: <name> expected near '<\\195>'\n| local ä = 1"),
    Case(
      "x.y = 1", "runtime: e.lua:1:1: attempt to index a nil value (global 'x')\n| x.y = 1\n  e.lua:1: in main chunk"),
    Case(
      "local t\nt.y = 1",
      "runtime: e.lua:2:1: attempt to index a nil value (local 't')\n| t.y = 1\n  e.lua:2: in main chunk"),
    Case(
      "local t = {}\nt.a.b = 1",
      "runtime: e.lua:2:3: attempt to index a nil value (field 'a')\n| t.a.b = 1\n  e.lua:2: in main chunk"),
    Case(
      "nope()", "runtime: e.lua:1:1: attempt to call a nil value (global 'nope')\n| nope()\n  e.lua:1: in main chunk"),
    Case(
      "local t = {}\nt:nope()",
      "runtime: e.lua:2:3: attempt to call a nil value (method 'nope')\n| t:nope()\n  e.lua:2: in main chunk"),
    Case(
      "local t = {}\nreturn 1 + t.count",
      "runtime: e.lua:2:14: attempt to perform arithmetic on a nil value (field 'count')\n| return 1 + t.count\n"
        + "  e.lua:2: in main chunk"),
    Case(
      "local s = 'x'; return s .. {}",
      "runtime: e.lua:1: attempt to concatenate a table value\n| local s = 'x'; return s .. {}\n  e.lua:1: in main chunk"
    ),
    Case(
      "local up = nil; local function f() return up.x end f()",
      "runtime: e.lua:1: attempt to index a nil value (upvalue 'up')\n"
        + "| local up = nil; local function f() return up.x end f()\n  e.lua:1: in local 'f'\n  e.lua:1: in main chunk"
    ),
    Case(
      "local function f()\n  error('here')\nend\nlocal function g() f() return 1 end\ng()",
      "runtime: e.lua:2: here\n|   error('here')\n  [C]: in global 'error'\n  e.lua:2: in upvalue 'f'\n"
        + "  e.lua:4: in local 'g'\n  e.lua:5: in main chunk"),
    Case(
      "local function f()\n  error('there', 2)\nend\nf() return 1",
      "runtime: e.lua:4: there\n| f() return 1\n  [C]: in global 'error'\n  e.lua:2: in local 'f'\n  e.lua:4: in main chunk"
    ),
    Case(
      "error('no place', 0)",
      "runtime: e.lua:1: no place\n| error('no place', 0)\n  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case(
      "error('a:7: b', 0)",
      "runtime: e.lua:1: a:7: b\n| error('a:7: b', 0)\n  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case("error()", "runtime: e.lua:1: nil\n| error()\n  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case("error(nil)", "runtime: e.lua:1: nil\n| error(nil)\n  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case("error(42)", "runtime: e.lua:1: 42\n| error(42)\n  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    // The message once contained the object's number, which differs in each run.
    Case(
      "error({ code = 5 })",
      "runtime: e.lua:1: (error object is a table value)\n| error({ code = 5 })\n  [C]: in global 'error'\n"
        + "  e.lua:1: in main chunk"),
    Case(
      "error(setmetatable({}, { __name = 'thing' }))",
      "runtime: e.lua:1: (error object is a table value)\n| error(setmetatable({}, { __name = 'thing' }))\n"
        + "  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case(
      "error(pcall)",
      "runtime: e.lua:1: (error object is a function value)\n| error(pcall)\n  [C]: in global 'error'\n"
        + "  e.lua:1: in main chunk"),
    Case(
      "error(setmetatable({}, {__tostring = function() return 'mine' end}))",
      "runtime: e.lua:1: mine\n| error(setmetatable({}, {__tostring = function() return 'mine' end}))\n"
        + "  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case(
      "error(setmetatable({}, {__tostring = function() error('x') end}))",
      "runtime: e.lua:1: the script raised a value that can't be shown\n"
        + "| error(setmetatable({}, {__tostring = function() error('x') end}))\n"
        + "  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case(
      "local t = setmetatable({}, {__index = function(t, k) error('no ' .. k) end})\nreturn t.key",
      "runtime: e.lua:1: no key\n| local t = setmetatable({}, {__index = function(t, k) error('no ' .. k) end})\n"
        + "  [C]: in global 'error'\n  e.lua:1: in metamethod 'index'\n  e.lua:2: in main chunk"),
    Case(
      "local co = coroutine.wrap(function()\n  error('inside')\nend)\nco() return 1",
      "runtime: e.lua:2: inside\n|   error('inside')\n  [C]: in local 'co'\n  e.lua:4: in main chunk"),
    Case(
      "local co = coroutine.wrap(function() coroutine.wrap(function() error('inside') end)() end) co() return 1",
      "runtime: e.lua:1: inside\n"
        + "| local co = coroutine.wrap(function() coroutine.wrap(function() error('inside') end)() end) co() return 1\n"
        + "  [C]: in local 'co'\n  e.lua:1: in main chunk"),
    Case(
      "error('e.lua:0: e.lua:x: e.lua:')",
      "runtime: e.lua:1: e.lua:0: e.lua:x: e.lua:\n| error('e.lua:0: e.lua:x: e.lua:')\n"
        + "  [C]: in global 'error'\n  e.lua:1: in main chunk"),
    Case(
      "string.rep()",
      "runtime: e.lua:1: bad argument #1 to 'rep' (string expected, got no value)\n| string.rep()\n"
        + "  [C]: in field 'rep'\n  e.lua:1: in main chunk"),
    Case(
      "('x'):rep({})",
      "runtime: e.lua:1: bad argument #1 to 'rep' (number expected, got table)\n| ('x'):rep({})\n"
        + "  [C]: in method 'rep'\n  e.lua:1: in main chunk"),
    Case(
      "load('error(\"inner\")')()",
      "runtime: [string \"error(\"inner\")\"]:1: inner\n  [C]: in global 'error'\n"
        + "  [string \"error(\"inner\")\"]:1: in main chunk\n  e.lua:1: in main chunk"),
    Case(
      "local function f() return f() + 1 end f()",
      "runtime: e.lua:1: stack overflow\n| local function f() return f() + 1 end f()"),
  ]

  @Test("E4: An error has all known facts, and one place", arguments: cases)
  func tells(of expected: Case) throws {
    try withLua { lua in
      let error = try lua.error(of: expected.script, name: "e.lua")
      expect(facts(error), is: expected.facts)
      expect(error.cause == nil)
    }
  }

  @Test("A Swift error in a nested callback has the place of the script that called it")
  func nestedCallbacks() throws {
    try withLua { lua, census in
      let inner = try lua.load("\nfail() return 1", name: "inner.lua")
      try lua.define("fail") { _ in throw WitnessError("deep", in: census) }
      try lua.define("call") { .values(try $0.state.call(inner)) }
      let error = try lua.error(of: "call() return 1", name: "outer.lua")
      expect(
        facts(error),
        is: "thrown: inner.lua:2: deep\n| fail() return 1\n  [C]: in global 'fail'\n  inner.lua:2: in main chunk"
          + "\n  [C]: in global 'call'\n  outer.lua:1: in main chunk")
      expect(error.cause is WitnessError)
    }
  }

  // bug once: the name of a chunk could look like a place in the message of the compiler.
  @Test(
    "A syntax error has its own line, for any name of the script",
    arguments: ["a.lua", "a:3: b", ":1: ", "", String(repeating: "long/", count: 40), "ä", "@a", "=a"])
  func anyName(name: String) throws {
    try withLua { lua in
      let error = try lua.error(of: "\n\n\n\n\n\n\nlocal = 5", name: name)
      expect(error.kind, is: .syntax)
      expect(error.place, is: LuaError.Place(source: name, line: 8, column: 7, text: "local = 5"))
      expect(error.message, is: "<name> expected near '='")
      let runtime = try lua.error(of: "\nerror('x')", name: name)
      expect(runtime.place?.source == name && runtime.place?.line == 2 && runtime.message == "x")
    }
  }

  @Test("A long message is cut, and so is a long traceback")
  func huge() throws {
    try withLua { lua in
      try expect(lua.error(of: "error(('x'):rep(100000))").message.utf8.count, is: 4_096)
      let deep = try lua.error(of: "local function f(n) if n == 0 then error('x') end f(n - 1) return 1 end f(5000)")
      expect(deep.traceback.map { $0.split(separator: "\n").count }, is: 23)
    }
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let name: String
    let kind: LuaError.Kind
    var testDescription: String { "\(kind)" }
  }

  static let refusals: [Refusal] = [
    Refusal(bytes: [0x1b, 0x4c, 0x75, 0x61], name: "b", kind: .notText(offset: 0)),
    Refusal(bytes: Array("return 1\0".utf8), name: "b", kind: .notText(offset: 8)),
    Refusal(bytes: Array("# \u{1b}Lua".utf8), name: "b", kind: .notText(offset: 2)),
    Refusal(bytes: Array("return 1".utf8), name: "a\0b", kind: .badName),
    Refusal(bytes: Array("return 1".utf8), name: "a\nb", kind: .badName),
    Refusal(
      bytes: [UInt8](repeating: 0x20, count: 200_000), name: "b", kind: .tooLong(bytes: 200_000, limit: 128 << 10)),
    Refusal(
      bytes: [UInt8](repeating: 0x20, count: 100 << 20), name: "b", kind: .tooLong(bytes: 100 << 20, limit: 128 << 10)),
  ]

  @Test("A source that can't be a script is refused with the fact", arguments: refusals)
  func refused(refusal: Refusal) throws {
    try onThread(stack: 32 << 10) {
      try withLua { lua in
        let error = try #require(throws: LuaError.self) { try lua.load(bytes: refusal.bytes, name: refusal.name) }
        expect(error.kind, is: refusal.kind)
      }
    }
  }

  @Test("Invalid UTF-8 in a script stays in strings, and errors show replacement characters")
  func invalidText() throws {
    try withLua { lua in
      let bytes = Array("return '".utf8) + [0xff] + Array("'".utf8)
      try expect(lua.call(lua.load(bytes: bytes, name: "b")).shown, is: "<ff>")
      let error = try #require(throws: LuaError.self) { try lua.load(bytes: Array("x = '".utf8) + [0xff], name: "b") }
      expect(error.place?.text, is: "x = '\u{FFFD}")
    }
  }
}
