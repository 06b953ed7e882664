// Reaching for what is not one's own: globals, libraries, metatables, loaders, what belongs to others.

extension HostileScript {
  /// Tries each, and prints which of them went through.
  private static func none(of attempts: String...) -> String {
    let functions = attempts.map { "function() \($0) end" }.joined(separator: ", ")
    return
      "function app.on:go(ctx) local done = {} for i, f in ipairs { \(functions) } do if pcall(f) then done[#done + 1] = i end end print('went through: ' .. table.concat(done, ' ') .. '.') end"
  }

  static let reaching: [HostileScript] = [
    HostileScript(
      "what is not there", .prints("went through: ."),
      none(
        of: "return debug", "return package", "return dofile('x')", "return loadfile('x')",
        "return io.open('/etc/passwd')", "return io.lines('/etc/passwd')", "return io.popen('id')",
        "return os.execute('id')", "return os.getenv('HOME')", "return os.remove('x')",
        "return os.rename('x', 'y')",
        "return os.tmpname()", "return os.exit()", "return os.setlocale('C')",
        "return string.dump(print)()",
        "return coroutine.close(coroutine.create(print))", "collectgarbage('stop')",
        "collectgarbage()",
        "return newproxy()", "return setfenv(1, {})", "return getfenv(1).x", "return module('x')",
        "return unpack({})",
        "return _VERSION.x.y", "return arg[0]")),
    HostileScript(
      "capabilities that nobody granted", .prints("went through: ."),
      none(
        of: "fs.read('/etc/passwd')", "fs.list('/')", "fs.stat('/')", "fs.write('x', 'y')",
        "fs.make('x')",
        "fs.remove('x')", "fs.rename('x', 'y')", "exec('id')", "exec('id', {})", "env('HOME')",
        "clipboard.get()",
        "clipboard.set('x')", "open('http://x')", "notify('x', 'y')", "exec('id', {}, { folder = '/' })",
        "exec('sh', {}, { terminal = true })", "exec('sh', {}, { env = { LD_PRELOAD = 'x' } })",
        "exec('$EDITOR')", "exec('$PAGER', {}, { terminal = true })", "exec('$SHELL')", "fs.read('$PWD/x')",
        "fs.list('$PWD')", "fs.write('$PWD/x', 'y')", "watch('/', print)", "watch('$PWD', print)")),
    HostileScript(
      "a refusal names what to ask for", .says("fs.read"),
      "function app.on:go() return fs.read('/etc/passwd') end"),
    HostileScript(
      "writing to the libraries", .prints("went through: ."),
      none(
        of: "string.format = nil", "table.insert = print", "math.pi = 3", "os.time = nil",
        "utf8.char = nil",
        "coroutine.wrap = nil", "rawset(string, 'format', nil)", "rawset(table, 'insert', nil)",
        "table.insert(string, 1)", "table.move({ 1 }, 1, 1, 1, math)", "table.remove(string)",
        "setmetatable(string, {})", "('x').rep = nil", "getmetatable('').__index = nil",
        "setmetatable('', {})",
        "string.__index = nil", "next(string, 'x')")),
    HostileScript(
      "writing to one's own globals changes nobody else's", .prints("done"),
      "print, string, table, pcall, tostring, ipairs = print, nil, nil, pcall, nil, nil app = app function app.on:go() print('done') end"
    ),
    HostileScript(
      "taking away one's own globals", .says("nobody handles 'go'"),
      "local pairs, rawset, all = pairs, rawset, _G for name in pairs(all) do rawset(all, name, nil) end",
      then: [":perform go"]),
    HostileScript(
      "raw writes into one's own globals", .says("nobody handles 'go'"),
      "for _, name in ipairs { 'app', 'item', 'menu', 'responder', 'print', 'error', 'pcall', 'setmetatable' } do rawset(_G, name, false) end",
      then: [":perform go"]),
    HostileScript(
      "a metatable for the globals", .says("cannot change a protected metatable"),
      "setmetatable(_G, { __index = function() while true do end end })", then: []),
    HostileScript(
      "the metatable of the globals", .prints("false"), "print(getmetatable(_G))", then: []),
    HostileScript(
      "an environment of one's own", .prints("nil"),
      "local print = print local _ENV = setmetatable({}, { __index = function() return nil end }) print(app)",
      then: []),
    HostileScript(
      "an environment for a chunk that lies about whose it is", .quiet,
      "function app.on:go() local f = load('return grid, main, shelf', '=other.lua', 't', {}) return f() end"
    ),
    HostileScript(
      "globals of others by name", .prints("went through: ."),
      none(
        of: "return grid", "return main.x", "return shelf", "return _G.grid.x",
        "return load('return grid')()")),
    HostileScript(
      "the coroutine that runs it", .quiet,
      "function app.on:go() local co = coroutine.running() return coroutine.resume(co), coroutine.status(co), coroutine.isyieldable() end"
    ),
    HostileScript(
      "yielding out of a handler", .says("yield"), "function app.on:go() coroutine.yield(1) end"),
    HostileScript("yielding out of a chunk", .says("yield"), "coroutine.yield(1)", then: []),
    HostileScript(
      "yielding out of everything that is asked", .says("attempt to yield from outside a coroutine"),
      "local y = coroutine.yield menubar { menu 'M' { look = y, item 'Go' { 'go' }, section 's' { items = y, row = y, id = y } } } local r = responder 'r' { next = app:find('grid'), provide = y, resolve = y, claims = y, redirect = y, unknown = y, failed = y, accepts_focus = y, become = y, resign = y } function app.on:go() error('x') end app.can.go = y app.look.go = y app.build.main = y app.build.url = y observe('*', y) listen('menu', y) listen('unhandled', y) listen('focus', y)",
      then: [
        ":menu", ":perform go", ":perform nobody", ":perform rate", ":validate go",
        "app:context_menu('url', 1)",
        "focus(app:find('r'))", "focus(app:find('grid'))",
      ]),
  ]

  /// What belongs to others.
  static let taking: [HostileScript] = [
    HostileScript(
      "fields of the app's responders", .prints("went through: ."),
      none(
        of: "return app:find('grid').selection .. 'x'", "app:find('grid').selection = 'b'",
        "app:find('grid').new = 1",
        "return app:find('shelf').books + 1", "app:find('shelf').books = 4", "app.title = 'mine'",
        "app.name = 'mine'",
        "app.version = '9'", "app.mine = 1", "app.settings = {}", "app.phase = 'active'",
        "return app:find('main').selection.x")),
    HostileScript(
      "fields of others, raw", .prints("went through: ."),
      none(
        of: "return rawget(app:find('grid'), 'selection') .. 'x'",
        "rawset(app:find('grid'), 'selection', 'b')",
        "rawset(app, 'title', 'mine')", "return next(app:find('grid')) .. 'x'",
        "for k, v in pairs(app:find('grid')) do return end error()",
        "table.insert(app:find('grid'), 1)",
        "table.move({ 1 }, 1, 1, 1, app:find('grid'))", "setmetatable(app:find('grid'), {})",
        "getmetatable(app:find('grid')).__index = nil", "setmetatable(app, {})",
        "getmetatable(app).x = 1",
        "return #app:find('grid') + app")),
    HostileScript(
      "where others stand", .prints("went through: ."),
      none(
        of: "app:find('grid').next = app", "return app:find('grid').next.name .. ''",
        "app:find('grid'):remove()",
        "app:find('shelf'):remove()", "app:find('main'):remove()", "app:remove()",
        "app:find('grid'):derive('D', {})",
        "app:find('grid').class = nil", "app:find('grid').undo = true",
        "app:find('shelf').before = 'main'",
        "app:find('main').delegate = app:find('grid')", "app:find('grid').name = 'x'",
        "app.next = app:find('grid')")),
    HostileScript(
      "the app's own calls", .prints("went through: ."),
      none(
        of: "app:load_plugin('other')", "app:unload_plugin('other')", "app:reload_plugin('other')",
        "app:enter('background')", "app.perform = nil", "app.find = print",
        "rawset(app, 'perform', print)")),
    HostileScript(
      "a layer on what is not required", .says("add it to 'requires'"),
      "app:find('shelf').on.help = function() return 'mine' end", then: []),
    HostileScript(
      "a layer on what is not required, by define", .says("add it to 'requires'"),
      "app:find('shelf'):define('help', { on = function() return 'mine' end })", then: []),
    HostileScript(
      "hooks of what is not required", .says("add it to 'requires'"),
      "app:find('shelf').provide = function() end", then: []),
    HostileScript(
      "handlers of others", .prints("went through: ."),
      none(
        of: "return app:find('grid').on.rate.x", "return app:find('grid').on.rate()",
        "return app:find('grid').provide()", "return app.on.secret()")),
    HostileScript(
      "the names of others", .says("there is a responder named 'grid' already"), "responder 'grid'",
      then: []),
    HostileScript(
      "the names of others, for windows", .says("there is a"), "window 'main'", then: []),
    HostileScript("the name of the app", .says("'app'"), "responder 'app'", then: []),
    HostileScript(
      "what the taker of an action is", .prints("went through: ."),
      none(
        of: "return ctx.taker.selection .. 'x'", "ctx.taker.selection = 1",
        "return ctx.sender.next.x")),
    HostileScript(
      "responders that others supply", .prints("went through: ."),
      none(
        of: "return ctx.holder.selection .. ''", "ctx.holder.selection = 'b'", "ctx.holder.new = 1",
        "return ctx.holders[1].selection .. ''",
        "for r in ctx:each('holders') do return r.selection .. '' end error()",
        "return rawget(ctx, 'holder').selection .. ''",
        "for k, v in pairs(ctx) do if k == 'holder' then return v.selection .. '' end end error()",
        "for k, v in next, ctx do if k == 'holder' then return v.selection .. '' end end error()",
        "ctx.holder:remove()", "ctx.holder.next = app",
        "ctx.holder:derive('D', {})", "return app:context().holder.selection .. ''",
        "return app:perform('give').result.selection .. ''",
        "return coroutine.wrap(function() return ctx.holder.selection end)() .. ''",
        "return load('local c = ... return c.holder.selection')(ctx) .. ''",
        "return (function(c) return c.holder.selection end)(ctx) .. ''",
        "return table.pack(ctx.holder)[1].selection .. ''")),
    HostileScript(
      "responders that others supply, before and after those below are asked",
      .prints("asked a.jpg a.jpg true\nfalse\tfalse\nfalse\tfalse"),
      """
      local function look(ctx) return (pcall(function() return ctx.holder.selection .. "" end)), (pcall(function() return ctx.args.r.selection .. "" end)) end
      app.on.ask = function(self, ctx) local before, answer = { look(ctx) }, ctx:super() print("asked " .. answer) print(table.unpack(before)) print(look(ctx)) return answer end
      local front = responder "front" { before = "grid" }
      front.on.ask = function(self, ctx) local before, answer = { look(ctx) }, ctx:forward() print("asked " .. answer) print(table.unpack(before)) print(look(ctx)) return answer end
      """, then: [":perform asks"]),
    HostileScript(
      "responders that others supply, after those below failed", .prints("false\tfalse"),
      "function app.on:fails(ctx) pcall(ctx.super, ctx) print((pcall(function() return ctx.holder.selection .. '' end)), (pcall(function() return ctx.holders[1].selection .. '' end))) end",
      then: [":perform fails"]),
    HostileScript(
      "responders that others supply, in everything that is asked", .prints("went through: 0"),
      """
      local through = 0
      local function try(ctx) if pcall(function() return ctx.holder.selection .. "" end) then through = through + 1 end if pcall(function() return ctx.holders[1].selection .. "" end) then through = through + 1 end end
      menubar { menu "M" { look = function(ctx) try(ctx) end, item "Go" { "go" }, section "s" { items = function(ctx) try(ctx) return { 1 } end, row = function(v, ctx) try(ctx) return item "row" { "go" } end } } }
      local front = responder "front" { before = "grid" }
      function front:provide(ctx) try(ctx) end
      function front.on:go(ctx) try(ctx) ctx:undo("Go", function(c) try(c) end) end
      function front.can:go(ctx) try(ctx) return true end
      function front.look:go(ctx) try(ctx) end
      function front:unknown(ctx) try(ctx) end
      observe("*", function(e) try(e.args) try(e) end)
      function app.on:count() print("went through: " .. through) end
      """,
      then: [
        ":menu", ":perform go", ":undo", ":perform nobody", ":menu", ":why go", ":validate go",
        ":context",
        "app:perform('go', { holder = app:find('grid') })", ":perform rate", ":perform count",
      ]),
    HostileScript(
      "what can be done with responders that others put into tables of theirs",
      .prints("went through: ."),
      """
      local function leaked() return app:perform("leak").result end
      local tries = {
        function() return leaked().grid.next.name .. "" end, function() leaked().grid:remove() end,
        function() leaked().grid.next = app end, function() leaked().grid:derive("D", {}) end, function() leaked().grid.new = 1 end,
        function() leaked().app:unload_plugin("other") end, function() leaked().app:load_plugin("x") end, function() leaked().app:enter("active") end,
        function() leaked().grid.class = "x" end, function() leaked().main.delegate = "grid" end, function() leaked().grid.before = "main" end,
        function() local f = leaked().grid.on.rate f() end, function() (function(h) h:remove() end)(leaked().grid) end,
        function() (function(h) local self = h return self.next.next end)(leaked().grid).title = "x" end, function() coroutine.wrap(leaked().grid.remove)(leaked().grid) end,
        function() load("local h = ... h:remove()", "=./app.lua", "t", {})(leaked().grid) end, function() load("local h = ... h:remove()", "=app.lua")(leaked().grid) end,
        function() load("local h = ... h.next = nil")(leaked().grid) end, function() table.sort({ 1, 2 }, function() leaked().grid:remove() end) end,
        function() setmetatable({}, { __index = leaked().grid.remove }).x() end, function() ("x"):gsub("x", function() leaked().grid:remove() end) end,
      }
      function app.on:go()
        local done = {}
        for i, f in ipairs(tries) do if pcall(f) then done[#done + 1] = i end end
        leaked().grid.on.rate_later = function() end
        print("went through: " .. table.concat(done, " ") .. ".")
      end
      observe("leak", function(e) local r = e.outcome and e.outcome.result if r then r.grid.on.later = function() return "mine" end end end)
      """,
      then: [
        ":perform go", ":perform leak", "app:perform('leak').result.grid.on.rate_later.x = 1",
        "for i, p in ipairs(app:plugins()) do print(p.name) end",
      ]),
    HostileScript(
      "the context of others, while asked",
      .says("this context is over: it is valid only during the call that received it"),
      "function app.on:go() end function app.can:go(ctx) pcall(function() ctx.photo = 'mine' end) pcall(rawset, ctx, 'photo', 'mine') kept = ctx return true end kept = nil function app.on:later() print(pcall(function() return kept.photo end)) end",
      then: [":perform go", ":perform later", ":perform rate"]),
    HostileScript(
      "performing while asked", .prints("false"),
      "function app.on:go() end function app.can:go() print((pcall(app.perform, app, 'rate'))) return true end"
    ),
    HostileScript(
      "declaring, focusing, observing while asked", .prints("went through: ."),
      "function app.on:go() end function app.can:go(ctx) local done = {} for i, f in ipairs { function() responder 'x' end, function() focus(app) end, function() observe('*', print) end, function() app.on.x = print end, function() modal(app) end, function() app:undo() end, function() sleep(1) end, function() app:press('ctrl+r') end, function() app:rebuild() end, function() menubar {} end, function() class 'x' end, function() listen('menu', print) end, function() app:open_urls { 'x' } end, function() app.delegate = nil end, function() app:define('x', {}) end } do if pcall(f) then done[#done + 1] = i end end print('went through: ' .. table.concat(done, ' ') .. '.') return true end"
    ),
    HostileScript(
      "performing while it loads", .says("not possible while a script loads"),
      "app:perform('rate')", then: []),
    HostileScript(
      "what the plugins are", .quiet,
      "function app.on:go() local p = app:plugins() p[1].name = 'mine' p[1].holds.handlers = 1e9 table.remove(p) return #app:plugins() end"
    ),
    HostileScript(
      "what a snapshot is", .quiet,
      "function app.on:go() local m = app:menu() m.children[1].title = 'mine' m.children = nil app:item('Image/Rate').enabled = false end"
    ),
    HostileScript(
      "the settings of others", .prints("mine 1, theirs nil"),
      "function app.on:go() pcall(function() app.settings.x = 1 end) print('mine ' .. tostring(app.settings.x) .. ', theirs ' .. tostring(app:perform('set').result)) end"
    ),
    HostileScript(
      "a result with which another's action answers, changed", .quiet,
      "function app.on:go() local r = app:perform('secret').result r.code = nil r[1] = r return r end"
    ),
    HostileScript(
      "what an error is", .says("cannot change a protected metatable"),
      "function app.on:go() local o = app:perform('rate(') o.error.message = nil setmetatable(o.error, nil) return tostring(o.error) end"
    ),
    HostileScript(
      "pass, null and the separator", .prints("went through: ."),
      none(
        of: "pass.x = 1", "null.x = 1", "separator.title = 'x'", "rawset(pass, 1, 1)",
        "rawset(null, 1, 1)",
        "rawset(separator, 1, 1)", "setmetatable(pass, {})", "setmetatable(null, {})",
        "setmetatable(separator, {})",
        "separator {}", "pass()", "null()", "return #null")),
    HostileScript(
      "what a builder is handed", .prints("went through: ."),
      "function app.build:main(m) local done = {} for i, f in ipairs { function() m.find = print end, function() rawset(m, 'find', print) end, function() setmetatable(m, {}) end, function() return m.nothing end, function() m.find(app, 'x') end, function() m:insert_last('Image', app) end, function() m:insert_last('Image', {}) end, function() m:insert_last('Image', m) end, function() m:replace_children('Image', function() return app end) end, function() m:replace_children('Image', print) end, function() m:find(m) end } do if pcall(f) then done[#done + 1] = i end end print('went through: ' .. table.concat(done, ' ') .. '.') kept = m end kept = nil function app.on:go() print(pcall(kept.insert_last, kept, 'Image', item 'x' { 'rate' })) end",
      then: [":menu", ":perform go"]),
  ]
}
