import Expectations
import Testing

@testable import ScriptHost

/// An error reaches a script as a string, as its own value, or as an error value that nobody else has.
@Suite("Errors as values")
struct ErrorValueTests {
  /// A way in which an error reaches a script, and the result: its type and its text.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    let comes: String
    var testDescription: String { name }

    init(_ name: String, _ body: String, _ comes: String) { (self.name, self.body, self.comes) = (name, body, comes) }
  }

  private static let deep = "(('('):rep(500))"

  /// Ways that work everywhere, also while the script loads.
  static let anywhere = [
    Way("load", "select(2, load('(('))", "string [string \"((\"]:1: unexpected symbol near <eof>"),
    Way("load of what is nested deep", "select(2, load\(deep))", "string C stack overflow"),
    Way(
      "load of functions in functions", "select(2, load(('return function() '):rep(500)))", "string C stack overflow"),
    Way(
      "load in pieces that are nested deep",
      "(function() local s = \(deep) return select(2, load(function() local t = s s = nil return t end)) end)()",
      "string C stack overflow"),
    Way(
      "load of what is long", "select(2, load(('x'):rep(1e6)))",
      "string a chunk that a script loads can have 65536 bytes at most"),
    Way("load by a reader that raises", "select(2, load(function() error('r', 0) end))", "string r"),
    Way("load by a reader that raises a table", "select(2, load(function() error({ 'own' }) end))", "own table"),
    Way("load of a mode", "select(2, load('x', 'x', 'b'))", "string attempt to load a text chunk (mode is 'b')"),
    Way("pcall", "select(2, pcall(error, 'p'))", "string p"),
    Way("pcall of a table", "select(2, pcall(error, { 'own' }))", "own table"),
    Way("pcall of nothing", "tostring(select(2, pcall(error)))", "string nil"),
    Way("pcall of load", "select(3, pcall(load, \(deep)))", "string C stack overflow"),
    Way(
      "pcall of what Lua can't do", "select(2, pcall(function() return nil + 1 end))",
      "string app.lua:1: attempt to perform arithmetic on a nil value"),
    Way(
      "pcall to the end of the stack",
      "select(2, pcall(function() local function f() return 1 + f() end return f() end))",
      "string app.lua:1: stack overflow"),
    Way(
      "pcall to the end of C's stack",
      "select(2, pcall(function() local function f() return (('x'):gsub('x', f)) end return f() end))",
      "string C stack overflow"),
    Way("pcall of what is too large", "select(2, pcall(string.rep, 'x', 1e10))", "string resulting string too large"),
    Way(
      "what an xpcall's handler is handed",
      "(function() local e xpcall(error, function(m) e = m end, 'x') return e end)()", "string x"),
    Way(
      "what an xpcall's handler is handed of what it loads",
      "(function() local e = 'nothing' xpcall(function() load\(deep) end, function(m) e = m end) return e end)()",
      "string nothing"),
    Way("what an xpcall gives", "select(2, xpcall(error, function(m) return m end, 'x'))", "string x"),
    Way(
      "what an xpcall gives whose handler raises", "select(2, xpcall(error, function(m) error(m) end, 'x'))",
      "string error in error handling"),
    Way("coroutine.resume", "select(2, coroutine.resume(coroutine.create(error), 'r'))", "string r"),
    Way(
      "coroutine.resume of what loads",
      "select(2, coroutine.resume(coroutine.create(function() return select(2, load\(deep)) end)))",
      "string C stack overflow"),
    Way(
      "coroutine.resume of what is dead",
      "(function() local c = coroutine.create(error) coroutine.resume(c) return select(2, coroutine.resume(c)) end)()",
      "string cannot resume dead coroutine"),
    Way("coroutine.wrap", "select(2, pcall(coroutine.wrap(function() error('w', 0) end)))", "string w"),
    Way(
      "tostring of what fails",
      "select(2, pcall(tostring, setmetatable({}, { __tostring = function() return {} end })))",
      "string '__tostring' must return a string"),
    Way("what is raised again", "select(2, pcall(error, select(2, load\(deep))))", "string C stack overflow"),
    Way("sort", "select(2, pcall(table.sort, { 1, 2, 3 }, function() error('s', 0) end))", "string s"),
  ]

  /// Ways that begin with a perform.
  static let performing = [
    Way("an outcome", "app:perform('bad').error", "error bad"),
    Way("an outcome of what loads", "app:perform('deep').result", "string C stack overflow"),
    Way("an outcome of a table", "app:perform('worse').error", "error m"),
    Way("an outcome of what was loaded and raised", "app:perform('deepest').error", "error C stack overflow"),
    Way("an outcome of a reference", "app:perform('a(').error", "error expected a key or ')' but the reference ends"),
    Way("what a hook is handed", "(function() failed = nil app:perform('bad') return failed end)()", "error bad"),
    Way(
      "what an observer is told",
      "(function() local e local h = observe('bad', function(v) e = v.outcome and v.outcome.error end) app:perform('bad') h:remove() return e end)()",
      "error bad"),
    Way(
      "what one who asks is told",
      "(function() local e app:perform('bad', nil, { observe = function(v) e = v.outcome and v.outcome.error end }) return e end)()",
      "error bad"),
    Way("a validation", "app:validate('a(').reason", "string expected a key or ')' but the reference ends"),
  ]

  private static let stage = """
    failed = false
    local function own(e) if type(e) == "table" and rawequal(e[1], "own") then return "own table" end end
    local function deface(e)
      if type(e) ~= "table" and type(e) ~= "userdata" then return end
      for _, key in ipairs { "message", "file", "line", "traceback", "code", "owner", "ended", 1, 2, 3, 4, 5 } do
        local value = key == "line" and 1 or key == 4 and 1 or key == 3 and "=/etc/passwd" or key == "file" and "/etc/passwd" or "forged"
        pcall(function() e[key] = value end)
        pcall(rawset, e, key, value)
      end
      pcall(setmetatable, e, { __index = function() return "forged" end })
      pcall(table.insert, e, "forged")
    end
    local function said(e)
      local mt = getmetatable(e)
      if mt then return "a metatable" end
      if own(e) then return "own table" end
      local kind = type(e)
      if kind == "table" then
        for k, v in pairs(e) do if v == "forged" or v == "/etc/passwd" then return "what was forged" end end
        kind = type(e.message) == "string" and type(e.file) == "string" and "error" or "a table"
        return kind .. " " .. tostring(e.message)
      end
      return kind .. " " .. tostring(e)
    end
    function check(way)
      local first = way()
      local before = said(first)
      deface(first)
      local after = said(way())
      return before == after and before or before .. ", then " .. after, first
    end
    function app.on:bad() error("bad") end
    function app.on:worse() error({ message = "m", file = "/etc/passwd", line = 1 }) end
    function app.on:deep() return select(2, load\(deep)) end
    function app.on:deepest() error(select(2, load\(deep))) end
    function app.on:late() sleep(1) error("late") end
    function app:failed(err) failed = err end
    function app.on:raise(ctx) error(ctx.args.e) end
    """

  private func check(_ way: Way, loads: Bool) throws {
    let stage = try ScriptStage(
      """
      local function way() return \(way.body) end
      \(Self.stage)
      function app.on:go() print((check(way))) end
      function app.on:coroutine() print(coroutine.wrap(function() return (check(way)) end)()) end
      function app.on:handled() print((select(2, xpcall(check, function() return "raised" end, way)))) end
      function app.can:asked() return false, (check(way)) end
      function app.on:asked() end
      function app.on:forge() local _, first = check(way) error(first) end
      \(loads ? "print((check(way)))" : "")
      """, limits: .patient)
    _ = stage.perform("go")
    _ = stage.host.perform("coroutine", wait: true)
    _ = stage.perform("handled")
    var said = stage.takePrinted()
    if loads { said.append(stage.host.validate("asked").reason ?? "") }
    expect(Set(said) == [way.comes] && said.count == (loads ? 5 : 3), "\(way.name): \(said)")
    let outcome = stage.host.perform("forge", wait: true)
    let place = try require(outcome.error?.place, "\(way.name): \(outcome.line)")
    expect(place.file != "/etc/passwd" && (place.file == "app.lua" || place.file == "reference"), "\(way.name)")
  }

  @Test(
    "An error belongs to the script wherever it arises: scripts share nothing of it, and nothing in it forges a place",
    arguments: Self.anywhere)
  func comes(_ way: Way) throws { try check(way, loads: true) }

  @Test("Each receiver of a perform's error gets its own copy, which forges no place", arguments: Self.performing)
  func performed(_ way: Way) throws { try check(way, loads: false) }
}
