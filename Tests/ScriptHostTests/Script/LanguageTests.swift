import Expectations
import Testing

@testable import ScriptHost

@Suite("The language: globals, objects, control calls")
struct LanguageTests {
  @Test("A global is created at its first read, and stays the same from then on, also behind a nil")
  func words() throws {
    try expect(
      """
      separator = nil
      local files = fs
      function app.on:go()
        print(fs == files, print == print, os == os, rawget(_G, "fs"), type(separator), type(clipboard.get))
        fails(function() exec = 1 end)
        fails(function() clipbord = 1 end)
      end
      """,
      prints: """
        true\ttrue\ttrue\tnil\tuserdata\tfunction
        app.lua:5: 'exec' belongs to the host, so it can't be assigned now; did you mean 'local exec'?
        app.lua:6: 'clipbord' was not defined while the script loaded, so it can't be assigned now; did you mean 'clipboard'?
        """)
  }

  @Test("Globals are defined while the script loads; reading or assigning others later raises, with a did-you-mean")
  func globals() throws {
    try expect(
      """
      selected = nil
      count = 1
      gone = 5
      gone = nil
      log = nil
      function helper() return "helper" end
      local environment = _G
      function app.on:go()
        print(selected, count, gone, helper(), rawequal(_G, environment), _G.count)
        selected, count, gone = "s", nil, "g"
        print(selected, count, gone)
        count = 2
        fails(function() return cuont end)
        fails(function() cuont = 1 end)
        fails(function() brandNew = 1 end)
        fails(function() print = 1 end)
        fails(function() app = nil end)
        fails(function() _G[nil] = 1 end)
        print(load("return count")(), rawget(_G, "print"), getmetatable(_G), pass, null, tostring(null) == "null")
        fails(load("return nowhere", "=chunk"))
        local found = {}
        for name in pairs(_G) do found[#found + 1] = name end
        print(#found > 3, math.floor(2.5), #string.format("%d", 1), utf8.len("é"))
      end
      """,
      prints: """
        nil\t1\tnil\thelper\ttrue\t1
        s\tnil\tg
        app.lua:13: 'cuont' is not defined; did you mean 'count'?
        app.lua:14: 'cuont' was not defined while the script loaded, so it can't be assigned now; did you mean 'count'?
        app.lua:15: 'brandNew' was not defined while the script loaded, so it can't be assigned now; did you mean 'local brandNew'?
        app.lua:16: 'print' belongs to the host, so it can't be assigned now; did you mean 'local print'?
        app.lua:17: 'app' belongs to the host, so it can't be assigned now; did you mean 'local app'?
        app.lua:18: the name of a global can't be nil or NaN
        2\tnil\tfalse\tpass\tnull\ttrue
        chunk:1: 'nowhere' is not defined
        true\t2\t1\t1
        """)
  }

  @Test("print and log write their arguments, log with its place")
  func speaking() throws {
    let stage = try ScriptStage("function app.on:go() print(1, nil, 'x', app) log('warn', 'low', 5) end")
    var entries: [LogEntry] = []
    stage.host.onLog = { entries.append($0) }
    expect(stage.perform("go"), is: "handled by app via on")
    expect(stage.printed, is: ["1\tnil\tx\tapp 'app'"])
    let entry = try require(entries.first)
    expect(entry.level == .warn && entry.text == "low 5" && entry.owner == "app")
    expect(entry.place, is: Place(file: "app.lua", line: 1))
  }

  @Test("A responder has its host fields and any fields of the script; a class provides fields and hooks")
  func objects() throws {
    try expect(
      """
      class "base" {
        provide = function(self, ctx) ctx.from = self.name end,
        unknown = function(_, ctx) return "base caught " .. ctx.action end,
        shared = { 1 }, limit = 3,
      }
      local kind = class "kind" { class = class "between" { class = "base" }, limit = 4 }
      function kind:describe() return self.name .. " of " .. self.class end
      local main = window "main" { size = 5 }
      local grid = responder "grid" { next = main, class = kind, state = { a = 1 }, [1] = "first" }
      app.title, app.name, app.version = "T", "photos", "1.0"
      function grid.on:x(ctx) return ctx.from end
      focus(grid)
      function app.on:go()
        print(app.title, app.name, app.version, app.keepsake)
        print(grid.name, grid.next == main, grid.class, grid.state.a, grid[1], grid.limit, grid.shared[1], grid:describe())
        print(tostring(grid), tostring(main), tostring(app), main.size, main.next == app, app.next, grid.delegate)
        grid.limit, grid.nan = 9, 0 / 0
        print(grid.limit, kind.limit, kind.shared[1], kind.class, kind.name, kind.unknown ~= nil, grid.unknown)
        say("x") say("y")
        grid.class = nil
        say("x") say("y") print(grid.limit, grid.class, grid.shared)
        grid.next = nil
        print(grid.next == app, type(grid.on.x), grid.on.nothing, grid.on[5])
        local dup = responder "dup"
        dup:remove() dup = responder "dup"
        print(app:find("dup") == dup, app:find("nobody"), app:find("app") == app)
        print(table.concat(app:windows(), " "), main.is_key, main.is_main, main.first == grid)
        fails(function() app:find() end)
        fails(function() grid.on = 5 end)
        fails(function() grid:define() end)
        fails(function() grid.define("x", {}) end)
        fails(function() grid[nil] = 1 end)
      end
      """,
      prints: """
        T\tphotos\t1.0\tnil
        grid\ttrue\tkind\t1\tfirst\t4\t1\tgrid of kind
        responder 'grid'\twindow 'main'\tapp 'app'\t5\ttrue\tnil\tnil
        9\t4\t1\tbetween\tkind\tfalse\tnil
        handled by grid via on → grid
        handled by grid via unknown → base caught y
        handled by grid via on
        unhandled: nobody handles 'y'
        9\tnil\tnil
        true\tfunction\tnil\tnil
        true\tnil\ttrue
        main\ttrue\ttrue\ttrue
        app.lua:28: the name of a responder must be a string, not nil
        app.lua:29: 'on' must be a table of functions, not a number
        app.lua:30: the name of an action must be a string, not nil
        app.lua:31: call it with a colon: responder:define(…)
        app.lua:32: a field's name can't be nil or NaN
        """)
  }

  @Test("ctx:refuse disables in any case: no pcall, xpcall or coroutine catches it, nested performs end there")
  func refuse() throws {
    try expect(
      """
      function app.on:a(ctx) pcall(function() ctx:refuse("pcall") end) end
      function app.on:b(ctx) xpcall(function() ctx:refuse("xpcall") end, print) end
      function app.on:c(ctx) coroutine.wrap(function() ctx:refuse("wrap") end)() end
      function app.on:d(ctx) coroutine.resume(coroutine.create(function() pcall(ctx.refuse, ctx, "resume") end)) end
      function app.on:e(ctx) return pcall(pcall, error) and ctx:refuse() end
      function app.on:f(ctx) return (" "):gsub(" ", function() ctx:refuse(42) end) end
      function app.on:g(ctx) return app:perform("a").reason end
      function app.on:h(ctx) table.sort({ 1, 2 }, function() ctx:refuse("sort") end) end
      function app.on:i(ctx) setmetatable({}, { __index = function() ctx:refuse("index") end }).x() end
      local function speaks(ctx, why) return setmetatable({}, { __tostring = function() ctx:refuse(why) end }) end
      function app.on:j(ctx) load(function() ctx:refuse("load") end) end
      function app.on:k(ctx) pcall(print, speaks(ctx, "print")) end
      function app.on:l(ctx) pcall(log, "info", speaks(ctx, "log")) end
      function app.on:go() for action in ("abcdefghijkl"):gmatch(".") do say(action) end end
      """,
      prints: """
        disabled by app via on: pcall
        disabled by app via on: xpcall
        disabled by app via on: wrap
        disabled by app via on: resume
        disabled by app via on: 'app' refuses it
        disabled by app via on: 42
        handled by app via on → pcall
        disabled by app via on: sort
        disabled by app via on: index
        disabled by app via on: load
        disabled by app via on: print
        disabled by app via on: log
        """)
  }

  @Test("perform takes every option; an unknown option is an error with a did-you-mean")
  func options() throws {
    try expect(
      """
      local grid = responder "grid"
      function grid.on:x(ctx)
        local held = {}
        for name in pairs(ctx.modifiers) do held[#held + 1] = name end
        table.sort(held)
        return ("%s %s %s"):format(ctx.info, ctx.sender.name, table.concat(held, "+"))
      end
      function grid.can:x(ctx) return false, "never" end
      function app.on:go()
        local seen = 0
        say("x", nil, {
          to = grid, sender = grid, info = { info = 7 }, modifiers = { "shift", alt = true, ctrl = false }, skip_validation = true,
          observe = function() seen = seen + 1 end, confirmed = true,
        })
        print(seen)
        say("x", {}, { from = "grid" })
        print(grid:perform("x").reason, grid:perform("x", nil, { skip_validation = true, sender = grid }).status)
        for _, options in ipairs { { form = grid }, { to = "gird" }, { info = 5 }, { observe = 5 }, { modifiers = 5 }, { 5 }, { sender = 5 } } do
          fails(function() app:perform("x", nil, options) end)
        end
      end
      """,
      prints: """
        handled by grid via on → 7 grid alt+shift
        2
        disabled by grid via on: never
        never\thandled
        app.lua:19: perform has no option 'form'; did you mean 'from'?
        app.lua:19: there is no responder named 'gird'; did you mean 'grid'?
        app.lua:19: info must be a table, not a number
        app.lua:19: observe must be a function, not a number
        app.lua:19: modifiers must be a table, not a number
        app.lua:19: options are named, as in { wait = false }: a number can't be a name
        app.lua:19: sender must be a responder or its name, not a number
        """)
  }

  @Test("The control calls return plain tables")
  func shapes() throws {
    try expect(
      """
      local main = window "main"
      local grid = responder "grid" { next = main }
      function grid:provide(ctx) ctx.photo = "p" ctx:append("l", 1) end
      function grid.on:x(ctx) return { k = ctx.photo } end
      function main.on:x() end
      focus(grid)
      function app.on:go()
        local outcome = app:perform("x")
        print(outcome.status, outcome.by, outcome.via, outcome.result.k, outcome.reason, outcome.error)
        local v = app:validate("x")
        print(v.enabled, v.reason, v.by, v.title, v.subtitle, v.state, v.hidden, v.icon)
        print(table.concat(app:chain(), " "))
        for _, link in ipairs(app:chain("x")) do print(link.name, link.owner, link.answer) end
        local context = app:context()
        print(context.photo, context.l[1], context.k, getmetatable(context))
        print(app:context("x(k: [1], photo: q)").k[1], app:context("x(photo: q)").photo)
      end
      """,
      prints: """
        handled\tgrid\ton\tp\tnil\tnil
        true\tnil\tgrid\tnil\tnil\toff\tfalse\tnil
        grid main app
        grid\tapp\ton: takes it
        main\tapp\ton: takes it
        app\thost\tnil
        p\t1\tnil\tnil
        1\tq
        """)
  }

  @Test("Two hosts in one process share nothing; both can load the same script")
  func twoHosts() throws {
    let script = """
      count = 0
      local grid = responder "grid"
      function grid.on:x() count = count + 1 return count end
      focus(grid)
      """
    let first = try ScriptStage(script)
    let second = try ScriptStage(script)
    expect(first.perform("x"), is: "handled by grid via on → integer(1)")
    expect(first.perform("x"), is: "handled by grid via on → integer(2)")
    expect(second.perform("x"), is: "handled by grid via on → integer(1)")
    try first.host.remove(require(first.host.find("grid")))
    expect(first.perform("x").hasPrefix("unhandled"))
    expect(second.perform("x"), is: "handled by grid via on → integer(2)")
  }

  @Test("Two scripts in one host have their own globals, and one chain")
  func twoScripts() throws {
    let stage = try ScriptStage(
      "shared = 1 local a = responder 'a' function a.on:x(ctx) return ctx.taker == a end focus(a)")
    try stage.load("function app.on:y(ctx) return tostring(ctx.sender == app) end shared = 2", name: "second.lua")
    expect(stage.perform("x"), is: "handled by a via on → bool(true)")
    expect(stage.perform("y"), is: "handled by app via on → text(\"true\")")
    #expect(throws: LoadError.self) { try stage.load("responder 'a'", name: "third.lua") }
    expect(stage.perform("x"), is: "handled by a via on → bool(true)")
    expect(stage.perform("y"), is: "handled by app via on → text(\"true\")")
  }

  @Test("A redirect to a missing name is a warning after loading")
  func strayRedirect() throws {
    let stage = try ScriptStage(
      "responder 'grid'\nresponder 'a' { redirect = 'gird' }\nresponder 'b' { redirect = 'grid' }")
    let diagnostics = stage.host.takeDiagnostics()
    expect(diagnostics.map(\.message), is: ["'a' redirects to 'gird', but there is no such responder"])
    expect(diagnostics.first?.help == "did you mean 'grid'?" && diagnostics.first?.place?.line == 2)
  }
}
