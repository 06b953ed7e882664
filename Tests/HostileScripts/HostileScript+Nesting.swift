// Deep in every direction.

extension HostileScript {
  private static let deepTable = "local deep = {} for i = 1, 1e5 do deep = { deep } end "
  private static let cycle = "local round = {} round.round = round round[1] = round "

  static let nesting: [HostileScript] = [
    HostileScript(
      "a handler that calls itself", .says("stack overflow"),
      "function app.on:go() local function f() return 1 + f() end return f() end"),
    HostileScript(
      "a handler that catches itself to the end of the stack", .quiet,
      "function app.on:go() local function f() return pcall(f) end return f() end"),
    HostileScript(
      "performs through metamethods to the end of the stack", .says("performs are nested more than 50"),
      "function app.on:go() local m = {} m.__index = function(t, k) return app:perform('go').status end return setmetatable({}, m).x end"
    ),
    HostileScript(
      "validation in validation in validation", .says("'app' refuses 'a1'"),
      "for i = 1, 200 do app.on['a' .. i] = function() end app.can['a' .. i] = function() return app:validate('a' .. i + 1).enabled end end",
      then: [":validate a1", ":perform a1"]),
    HostileScript(
      "super through a thousand derived classes", .says("C stack overflow"),
      "local r = responder 'r' { before = 'grid' } for i = 1, 1000 do r:derive('D' .. i, { on = { go = function(self, ctx) return ctx:super() end } }) end"
    ),
    HostileScript(
      "super through two hundred classes", .says("classes build on each other more than 64 deep"),
      "local last for i = 1, 200 do local c = class('c' .. i) { class = last } c.on.go = function(self, ctx) return ctx:super() end last = c end responder 'r' { class = 'c200', before = 'grid' }"
    ),
    HostileScript(
      "fields through ten thousand classes", .says("classes build on each other more than 64 deep"),
      "local last for i = 1, 10000 do last = class('c' .. i) { class = last } end local r = responder 'r' { class = 'c10000' } function app.on:go() return r.nothing end"
    ),
    HostileScript(
      "forward through ten thousand responders", .says("C stack overflow"),
      "local last = app:find('grid') for i = 1, 10000 do last = responder('r' .. i) { next = last } last.on.go = function(self, ctx) return ctx:forward() end end function app.on:start() return app:perform('go', {}, { from = last }).status end",
      then: [":perform start"]),
    HostileScript(
      "providers on two thousand responders", .limitOr("handled"),
      "local last = app:find('grid') for i = 1, 2000 do last = responder('r' .. i) { next = last } last.provide = function(self, ctx) ctx['k' .. i] = i end end function app.on:go() return app:perform('rate', {}, { from = last }).status end"
    ),
    HostileScript(
      "redirections through a thousand responders",
      .says("'r1000' redirects to 'r1001', but there is no such responder"),
      "for i = 1, 1000 do responder('r' .. i) { redirect = 'r' .. i + 1 } end local r = responder 'r' { before = 'grid', redirect = 'r1' }"
    ),
    HostileScript(
      "menus in menus in menus", .says("64"),
      "local m = item 'x' { 'rate' } for i = 1, 70 do m = menu('m' .. i) { m } end menubar { m }", then: [":menu"]),
    HostileScript(
      "sections in menus in sections", .says("would be more than 64 deep"),
      "local function s(n) return section('s' .. n) { items = { 1 }, row = function() return menu('m' .. n) { n < 100 and s(n + 1) } end } end menubar { menu 'M' { s(1) } }",
      then: [":menu"]),
    HostileScript(
      "alternates of alternates", .says("nobody handles 'clear'"),
      "local m = item 'x' { 'rate' } for i = 1, 1000 do m = item('x' .. i) { 'rate', alternates = { alt = m } } end menubar { menu 'M' { m } }",
      then: [":menu"]),
    HostileScript(
      "a builder that builds ever deeper", .says("menu 'm63' would be more than 64 deep"),
      "function app.build:main(m) local id = 'Image' for i = 1, 200 do m:insert_last(id, menu('m' .. i) { id = 'm' .. i, item 'x' { 'rate' } }) id = 'm' .. i end end",
      then: [":menu"]),
    HostileScript(
      "a menu that replaces its children inside itself",
      .says("the builder of 'app' for 'main' failed: C stack overflow"),
      "function app.build:main(m) local function f(n) return function(c) if n < 300 then m:replace_children('Image', f(n + 1)) end return c end end m:replace_children('Image', f(1)) end",
      then: [":menu"]),
    HostileScript(
      "a result that is deep", .quiet, deepTable + "function app.on:go() return deep end",
      then: [":perform go", "app:perform('go').result"]),
    HostileScript(
      "a result that holds itself", .quiet, cycle + "function app.on:go() return round end",
      then: [":perform go", "app:perform('go').result"]),
    HostileScript(
      "a result of shared parts, two to the thirtieth", .quiet,
      "local t = {} for i = 1, 30 do t = { t, t } end function app.on:go() return t end",
      then: [":perform go", "app:perform('go').result"]),
    HostileScript(
      "an argument that is deep", .prints("handled"), deepTable + "function app.on:go(ctx) return ctx.x ~= nil end",
      then: [":perform go", "print(app:perform('go', { x = { {} } }).status)"]),
    HostileScript(
      "arguments that hold themselves", .says("arguments are named, as in { to = \"disk\" }: a number can't be a name"),
      cycle + "function app.on:go() return app:perform('rate', round, { info = round }).status end"),
    HostileScript(
      "arguments of an item that hold themselves and are deep", .says("nobody handles 'clear'"),
      cycle + deepTable
        + "menubar { menu 'M' { item 'Go' { 'go', args = { a = round, b = deep } } } } function app.on:go(ctx) return ctx.a.round == ctx.a end",
      then: [":menu", ":pick M/Go"]),
    HostileScript(
      "a supplied value that is deep, and one that holds itself", .says("rated a.jpg nil"),
      cycle + deepTable + "function app:provide(ctx) ctx.deep, ctx.round = deep, round end",
      then: [":context", ":why rate", ":perform rate", "app:context()"]),
    HostileScript("an error that is deep", .says("table value"), deepTable + "function app.on:go() error(deep) end"),
    HostileScript(
      "an error that holds itself", .says("table value"),
      cycle + "function app.on:go() round.message = round error(round) end"),
    HostileScript(
      "errors of failed hooks of errors", .says("1"),
      "local r = responder 'r' { before = 'grid' } function r.on:go() error('1') end function r:failed(e) error(e) end"),
    HostileScript(
      "what is kept that is deep", .says("nested more than 64 deep"), deepTable + "app.keep = { deep }", then: []),
    HostileScript("what is kept that holds itself", .says("holds itself"), cycle + "app.keep = round", then: []),
    HostileScript(
      "what is kept that is large", .says("more than 100000 values"),
      "local t = {} for i = 1, 12000 do t[i] = { i, i, i, i, i, i, i, i } end app.keep = t", then: []),
    HostileScript(
      "a reference that is deep", .says("nested 64 deep at most"),
      "function app.on:go() return app:perform('rate(x: ' .. ('['):rep(1000) .. ')').error.message end",
      then: ["print(app:perform('go').result)"]),
    HostileScript(
      "a reference as long as a block", .prints("handled"),
      "function app.on:go() return app:perform('rate(x: \"' .. ('x'):rep(1 << 19) .. '\")').status end"),
    HostileScript(
      "a reference of a great many arguments", .prints("handled"),
      "function app.on:go() local t = {} for i = 1, 20000 do t[i] = 'k' .. i .. ': ' .. i end return app:perform('rate(' .. table.concat(t, ', ') .. ')').status end"
    ),
    HostileScript(
      "a name of a great many parts", .says("at most 256 bytes"),
      "function app.on:go() return app:perform(('a.'):rep(100000) .. 'b').error.message end",
      then: ["print(app:perform('go').result)"]),
    HostileScript(
      "a key sequence without end", .says("256 bytes at most"), "",
      then: ["print(pcall(app.press, app, ('ctrl+k '):rep(100000)))", "print(app:press(('g '):rep(1000)).error)"]),
    HostileScript(
      "an observer's pattern that is deep", .says("rated a.jpg nil"),
      deepTable + "pcall(observe, deep, function() end) pcall(observe, { deep }, function() end)",
      then: [":perform rate"]),
    HostileScript(
      "needs, claims and keys that hold themselves", .says("rated a.jpg nil"),
      cycle
        + "local r = responder 'r' pcall(function() r.needs.go = round end) pcall(function() r.claims = round end) pcall(function() r.keys = round end) pcall(function() r.on = round end) pcall(function() r.build = round end) pcall(r, round)",
      then: [":perform rate"]),
    HostileScript(
      "a module that requires itself", .says("in a circle"), "require 'm'", then: [], with: ["m.lua": "require 'm'"]),
    HostileScript(
      "coroutines in coroutines around performs", .prints("handled"),
      "local function f(n) return coroutine.wrap(function() if n > 150 then return app:perform('rate').status end return f(n + 1) end)() end function app.on:go() return f(1) end"
    ),
  ]
}
