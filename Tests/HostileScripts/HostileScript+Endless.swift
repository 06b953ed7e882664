// Loops without end, in every place where a script can run.

extension HostileScript {
  static let endless: [HostileScript] = [
    HostileScript("a chunk that loops", .limit, spin, then: []),
    HostileScript(
      "a manifest that loops", .limit, as: .whole, "plugin { name = (function() while true do end end)() }", then: []),
    HostileScript(
      "a loop before the manifest", .limit, as: .whole, "while true do end plugin { name = 'mallory', version = '1' }",
      then: []),
    HostileScript("a handler that loops", .limit, "function app.on:go() while true do end end"),
    HostileScript(
      "a handler that loops in a protected call", .limit,
      "function app.on:go() while true do pcall(function() while true do end end) end end"),
    HostileScript(
      "a handler that loops through __index", .limit,
      "local t = setmetatable({}, { __index = function() while true do end end }) function app.on:go() return t.x end"),
    HostileScript(
      "a handler that loops through __eq", .limit,
      "local m = { __eq = function() while true do end end } function app.on:go() return setmetatable({}, m) == setmetatable({}, m) end"
    ),
    HostileScript(
      "a handler that loops in a comparator", .limit,
      "function app.on:go() table.sort({ 3, 2, 1 }, function() while true do end end) end"),
    HostileScript(
      "a handler that loops in a replacement", .limit,
      "function app.on:go() return (('x'):gsub('x', function() while true do end end)) end"),
    HostileScript(
      "a handler that loops in a coroutine", .limit,
      "function app.on:go() coroutine.wrap(function() while true do end end)() end"),
    HostileScript(
      "a handler whose coroutine yields for ever", .limit,
      "function app.on:go() local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end end"
    ),
    HostileScript(
      "a handler that loops in a loaded chunk", .limit, "function app.on:go() load('while true do end')() end"),
    HostileScript(
      "a handler that backtracks without end", .limit,
      "function app.on:go() return (('a'):rep(60)):find(('a?'):rep(60) .. ('a'):rep(60)) end"),
    HostileScript(
      "a timer that loops", .limit, "every(1, function() while true do end end)", then: ["app:advance(5)"]),
    HostileScript(
      "a timer that raises", .says("boom"), "every(1, function() error('boom') end)", then: ["app:advance(5)"]),
    HostileScript(
      "a timer that makes timers without end", .says("1000 timers"),
      "local function go() every(0, go) end every(0, go)",
      then: ["app:advance(1)"]),
    HostileScript(
      "a timer that takes itself out", .quiet, "local t t = every(0, function() t:remove() t:remove() end)",
      then: ["app:advance(1)"]),
    HostileScript(
      "an action that needs sixty thousand keys", .says("256 keys at most"),
      "function app.on:go() end local t = {} for i = 1, 60000 do t[i] = 'action' end app.needs.go = t", then: []),
    HostileScript(
      "sixty thousand observers, at which each perform would look", .says("1000 observers"),
      "for i = 1, 60000 do observe('x' .. i, print) end", then: []),
    HostileScript(
      "a responder that is looked for among twenty thousand long names", .says("there is no responder named"),
      """
      local stem = ('abcdefghij'):rep(6)
      function app.on:make() for i = 1, 4000 do n = (n or 0) + 1 responder(stem .. n) end end
      function app.on:go() app:perform('x', nil, { to = stem .. 'x' }) end
      """, then: Array(repeating: ":perform make", count: 5) + [":perform go"]),
    HostileScript(
      "a million timers", .says("1000 timers"), "function app.on:go() for i = 1, 1e6 do after(i, print) end end"),
    HostileScript(
      "choices that loop", .limit,
      "function app.on:go() end app.takes.go = { n = { one_of = function() while true do end end } }"),
    HostileScript(
      "a default that loops", .limit,
      "function app.on:go() end app.takes.go = { n = { 'integer', default = function() while true do end end } }"),
    HostileScript(
      "a question that loops", .limit,
      "function app.on:go() end function app.confirm:go() while true do end end app.keys = { q = 'go' }",
      then: [":press q"]),
    HostileScript(
      "an argument that is matched without end", .says("takes too long: write a pattern with fewer"),
      "function app.on:go() end app.takes.go = { n = { 'string', matches = ('a?'):rep(60) .. ('a'):rep(60) .. '$', default = ('a'):rep(59) .. 'b' } }"
    ),
    HostileScript(
      "choices that raise", .says("no choices"),
      "function app.on:go() end app.takes.go = { n = { one_of = function() error('no choices') end } }",
      then: [":perform go(n: 1)"]),
    HostileScript(
      "choices that take out who asks for them", .says("removing is not possible here: the host only asks"),
      "local r = responder 'r' { before = 'grid' } function r.on:go() end r.takes.go = { n = { one_of = function() r:remove() return {} end } }"
    ),
    HostileScript(
      "choices without end", .says("not enough memory: one table"),
      "function app.on:go() end app.takes.go = { n = { one_of = function() local t = {} for i = 1, 1e6 do t[i] = i end return t end } }"
    ),
    HostileScript(
      "a default that raises", .says("no default"),
      "function app.on:go() end app.takes.go = { n = { 'integer', default = function() error('no default') end } }",
      then: [":perform go"]),
    HostileScript(
      "a default that takes out who asks for it", .says("removing is not possible here: the host only asks"),
      "local r = responder 'r' { before = 'grid' } function r.on:go() end r.takes.go = { n = { 'integer', default = function() r:remove() return 1 end } }"
    ),
    HostileScript(
      "a question that raises", .says("no question"),
      "function app.on:go() end function app.confirm:go() error('no question') end app.keys = { q = 'go' }",
      then: [":press q"]),
    HostileScript(
      "a question that takes out who asks it", .says("removing is not possible here: the host only asks"),
      "local r = responder 'r' { before = 'grid', keys = { q = 'go' } } function r.on:go() end function r.confirm:go() r:remove() return 'x' end",
      then: [":press q"]),
    HostileScript(
      "a look of an item that raises", .says("no look"),
      "menubar { menu 'M' { item 'Go' { 'go', id = 'go', look = function() error('no look') end } } } function app.on:go() end",
      then: [":menu"]),
    HostileScript(
      "a look of an item that takes out who does it", .says("removing is not possible here: the host only asks"),
      "local r = responder 'r' { before = 'grid' } function r.on:go() end menubar { menu 'M' { item 'Go' { 'go', look = function() r:remove() end } } }",
      then: [":menu"]),
    HostileScript(
      "timers that take out whose they are and each other", .quiet,
      "local r, all = responder 'r' { before = 'grid' }, {} function r.on:go() end for i = 1, 99 do all[i] = every(0, function() for _, t in ipairs(all) do t:remove() end r:remove() end) end",
      then: ["app:advance(1)"]),
    HostileScript(
      "timers that wait for ever", .quiet, "for i = 1, 1000 do every(0, function() sleep(1e9) end) end",
      then: ["app:advance(1)"]),
    HostileScript(
      "a title for an action whose fields never end", .limitOr("about"),
      "function app.on:go() end app.about.go = setmetatable({}, { __index = function() while true do end end, __pairs = function() while true do end end })",
      then: ["app:actions()"]),
    HostileScript(
      "claims that answer what never ends", .quiet,
      "local r = responder 'r' { before = 'grid' } function r:claims(action) return action == 'go' and setmetatable({}, { __index = function() while true do end end }) end function r:unknown() end"
    ),
    HostileScript("a can that loops", .limit, "function app.on:go() end function app.can:go() while true do end end"),
    HostileScript(
      "a can that loops where it is asked to draw", .limit,
      "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.can:go() while true do end end",
      then: [":menu"]),
    HostileScript(
      "a can that loops where it is validated", .limit,
      "function app.on:go() end function app.can:go() while true do end end", then: [":validate go"]),
    HostileScript(
      "a can that loops where one asks why", .limit,
      "function app.on:go() end function app.can:go() while true do end end", then: [":why go"]),
    HostileScript(
      "a look that loops", .limit,
      "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.look:go() while true do end end",
      then: [":menu"]),
    HostileScript(
      "a provider that loops", .limit, "function app:provide(ctx) while true do end end", then: [":context"]),
    HostileScript(
      "a provider that loops, in the way of others", .limit, "function app:provide(ctx) while true do end end",
      then: [":perform rate"]),
    HostileScript(
      "a provider that loops, beside what is drawn", .limit, "function app:provide(ctx) while true do end end",
      then: [":menu"]),
    HostileScript(
      "a resolve that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r:resolve(action) if action == 'go' then while true do end end end"
    ),
    HostileScript(
      "a resolve that loops for everything", .limit,
      "local r = responder 'r' { before = 'grid' } function r:resolve(action) while true do end end",
      then: [":perform rate"]),
    HostileScript(
      "a claims that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r:claims(action) if action == 'go' then while true do end end end function r:unknown() end"
    ),
    HostileScript(
      "a redirect that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r:redirect(action) if action == 'go' then while true do end end end"
    ),
    HostileScript(
      "a catch-all that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r:unknown(ctx) while true do end end",
      then: [":perform nobody"]),
    HostileScript(
      "an accepts_focus that loops", .limit,
      "local r = responder 'r' { next = app:find('grid') } function r:accepts_focus() while true do end end function app.on:go() focus(r) end"
    ),
    HostileScript(
      "a become that loops", .limit,
      "local r = responder 'r' { next = app:find('grid') } function r:become() while true do end end function app.on:go() focus(r) end"
    ),
    HostileScript(
      "a resign that loops", .limit,
      "local r = responder 'r' { next = app:find('grid') } function r:resign() while true do end end function app.on:go() focus(r) end",
      then: [":perform go", "focus(app:find('grid'))"]),
    HostileScript(
      "a failed hook that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go() error('x') end function r:failed(e) while true do end end"
    ),
    HostileScript(
      "a builder of the main menu that loops", .limit, "function app.build:main(m) while true do end end",
      then: [":menu"]),
    HostileScript(
      "a builder of a context menu that loops", .limit, "function app.build:url(m, url) while true do end end",
      then: ["app:context_menu('url', 'x')"]),
    HostileScript(
      "a function for replace_children that loops", .limit,
      "function app.build:main(m) m:replace_children('Image', function() while true do end end) end", then: [":menu"]),
    HostileScript(
      "a look of an item that loops", .limit,
      "menubar { menu 'M' { item 'Go' { 'go', look = function() while true do end end } } } function app.on:go() end",
      then: [":menu"]),
    HostileScript(
      "a look of an item that performs", .says("must not change anything"),
      "menubar { menu 'M' { item 'Go' { 'go', look = function() app:perform('go') end } } } function app.on:go() end",
      then: [":menu"]),
    HostileScript(
      "a look of an item that makes more of them", .quiet,
      "local function more(n) return item('x' .. n) { 'go', look = function() return { title = more(n + 1) and 'x' } end } end menubar { menu 'M' { more(1) } } function app.on:go() end",
      then: ["app:item('M/x1')"]),
    HostileScript(
      "storing without an end", .says("app.store"),
      "function app.on:go() for i = 1, 1e9 do app.store[i] = ('x'):rep(1000) if i == 2000 then return end end end",
      then: [":perform go"]),
    HostileScript(
      "storing what holds itself, functions and hosts", .says("app.store"),
      "function app.on:go() local s = app.store s.s = s s.f = print s[app] = app s[1] = setmetatable({}, { __index = function() while true do end end }) end",
      then: [":perform go"]),
    HostileScript(
      "JSON that nests, and JSON of what holds itself", .prints("done"),
      "local t = {} t.t = t function app.on:go() json.read(('['):rep(500000)) json.read(('{\"a\":'):rep(90000)) pcall(json.write, t) pcall(json.write, setmetatable({}, { __pairs = function() while true do end end })) print('done') end",
      then: [":perform go"]),
    HostileScript(
      "reading JSON without an end", .limit,
      "function app.on:go() local t = '[' .. ('1,'):rep(100000) .. '1]' while true do json.read(t) end end"),
    HostileScript(
      "a look of a menu that loops", .limit,
      "menubar { menu 'M' { look = function() while true do end end, item 'Go' { 'go' } } }", then: [":menu"]),
    HostileScript(
      "items of a section that loop", .limit,
      "menubar { menu 'M' { section 's' { items = function() while true do end end, row = function() return item 'x' { 'rate' } end } } }",
      then: [":menu"]),
    HostileScript(
      "ids of a section that loop", .limit,
      "menubar { menu 'M' { section 's' { items = { 1 }, id = function() while true do end end, row = function() return item 'x' { 'rate' } end } } }",
      then: [":menu"]),
    HostileScript(
      "rows of a section that loop", .limit,
      "menubar { menu 'M' { section 's' { items = { 1 }, row = function() while true do end end } } }", then: [":menu"]),
    HostileScript(
      "rows of a section that each take long", .limit,
      "menubar { menu 'M' { section 's' { items = function() local t = {} for i = 1, 1e4 do t[i] = i end return t end, row = function() for i = 1, 1e6 do end return item 'x' { 'rate' } end } } }",
      then: [":menu"]),
    HostileScript(
      "events that emit each other", .says("1000 events were emitted in this turn already"),
      "listen('a.b', function() emit('a.c') end) listen('a.c', function() emit('a.b') end) function app.on:go() emit('a.b') end"
    ),
    HostileScript(
      "a listener of an event that loops", .limit,
      "listen('a.b', function() while true do end end) function app.on:go() emit('a.b') end"),
    HostileScript(
      "a stop that loops", .limit,
      "local r = responder 'r' function r:stop() while true do end end function app.on:go() r:remove() end"),
    HostileScript(
      "a when of an argument that loops", .limit,
      "app.takes.go = { n = { 'integer', when = function() while true do end end } } function app.on:go() end"),
    HostileScript(
      "an item's can that loops", .limit,
      "function app.on:go() end menubar { menu 'P' { item 'X' { 'go', can = function() while true do end end } } }",
      then: [":menu"]),
    HostileScript(
      "a thousand questions", .says("100 open questions"),
      "for i = 1, 1000 do app.on['q' .. i] = function() return ask { confirm = 'q' .. i } end end function app.on:go() for i = 1, 1000 do local o = app:perform('q' .. i, {}, { wait = false }) if o.error then error(o.error.message) end end end"
    ),
    HostileScript(
      "an observer that loops", .limit, "observe('*', function(e) while true do end end)", then: [":perform rate"]),
    HostileScript(
      "an observer of one perform that loops", .limit,
      "function app.on:go() app:perform('rate', {}, { observe = function(e) while true do end end }) end"),
    HostileScript(
      "a listener for the phase that loops", .limit, "listen('phase', function() while true do end end)",
      then: ["app:enter('active')", "app:enter('inactive')"]),
    HostileScript(
      "a listener for the focus that loops", .limit, "listen('focus', function() while true do end end)",
      then: ["focus(app:find('main'))", "focus(app:find('grid'))"]),
    HostileScript(
      "a listener for the menu that loops", .limit,
      "local n = 0 function app.build:main(m) n = n + 1 m:insert_last('Image', item('x' .. n) { 'rate' }) end listen('menu', function() while true do end end)",
      then: [":menu", "app:rebuild()", ":menu"]),
    HostileScript(
      "a listener for validation that loops", .limit,
      "local on = false menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.look:go() on = not on return { state = on } end listen('validation', function() while true do end end)",
      then: [":menu", ":perform go", ":menu", ":menu"]),
    HostileScript(
      "a listener for what nobody answers that loops", .limit, "listen('unhandled', function() while true do end end)",
      then: [":perform nobody"]),
    HostileScript(
      "a listener for reloads that loops", .limit, "listen('reload', function() while true do end end)",
      then: ["app:reload_plugin('other')"]),
    HostileScript(
      "a handler for URLs that loops", .limit, "function app.on:openURL(ctx) while true do end end",
      then: ["app:open_urls { 'a:b', 'c:d' }"]),
    HostileScript(
      "an undo function that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) ctx:undo('Go', function() while true do end end) end",
      then: [":perform go", ":undo"]),
    HostileScript(
      "a redo function that loops", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) ctx:undo('Go', function(c) c:undo('Go', function() while true do end end) end) end",
      then: [":perform go", ":undo", ":redo"]),
    HostileScript(
      "an undo function that loops while a failure is taken back", .limit,
      "function app.on:go(ctx) ctx:undo('Go', function() while true do end end) error('x') end"),
    HostileScript(
      "a class whose handler loops", .limit,
      "class 'k' { on = { go = function() while true do end end } } responder 'r' { class = 'k', before = 'grid' }"),
    HostileScript(
      "a derived class whose handler loops", .limit,
      "local r = responder 'r' { before = 'grid' } r:derive('D', { on = { go = function() while true do end end } })"),
    HostileScript(
      "a handler that loops below super", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go() while true do end end r:derive('D', { on = { go = function(self, ctx) return ctx:super() end } })"
    ),
    HostileScript(
      "a handler that loops behind forward", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) return ctx:forward() end function app.on:go() while true do end end"
    ),
    HostileScript(
      "a handler that loops once it was woken", .limit, "function app.on:go() sleep(0.001) while true do end end",
      then: ["app:perform('go')"]),
    HostileScript(
      "a handler that loops while it undoes a cancelled wait", .limit,
      "function app.on:go(ctx) ctx:undo('x', function() while true do end end) sleep(1000) end",
      then: ["app:perform('go', {}, { wait = false }).job:cancel()"]),
    HostileScript("a module that loops", .limit, "require 'm'", then: [], with: ["m.lua": "while true do end"]),
    HostileScript(
      "a print that loops", .limit,
      "local t = setmetatable({}, { __tostring = function() while true do end end }) function app.on:go() print(t) end"),
    HostileScript(
      "a log that loops", .limit,
      "local t = setmetatable({}, { __tostring = function() while true do end end }) function app.on:go() log('warn', t) end"
    ),
    HostileScript(
      "a line of a person's that loops", .says("does a loop never end?"), as: .app, "", then: ["while true do end"]),

    // Values that loop when they are looked at, in the hands of the host: it looks at them raw, and asks only what is raised what it says.
    HostileScript(
      "an error whose __tostring loops", .limit,
      "local t = setmetatable({}, { __tostring = function() while true do end end, __index = function() while true do end end }) function app.on:go() error(t) end"
    ),
    HostileScript(
      "a reason whose __tostring loops", .says("'app' refuses 'go'"),
      "local t = setmetatable({}, { __tostring = function() while true do end end }) function app.on:go() end function app.can:go() return false, t end"
    ),
    HostileScript(
      "a refusal whose __tostring loops", .limit,
      "local t = setmetatable({}, { __tostring = function() while true do end end }) function app.on:go(ctx) ctx:refuse(t) end"
    ),
    HostileScript(
      "a result with every metamethod that loops", .quiet,
      "local f = function() while true do end end local m = { __index = f, __newindex = f, __call = f, __len = f, __eq = f, __lt = f, __le = f, __pairs = f, __tostring = f, __name = 'x' } function app.on:go() return setmetatable({}, m) end"
    ),
    HostileScript(
      "a look whose table loops", .says("nobody handles 'clear'"),
      "local f = function() while true do end end menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.look:go() return setmetatable({}, { __index = f, __pairs = f, __len = f }) end",
      then: [":menu"]),
    HostileScript(
      "elements whose tables loop", .says("nobody handles 'go'"),
      "local f = function() while true do end end local function t(x) return setmetatable(x, { __index = f, __pairs = f, __len = f, __newindex = f }) end menubar(t { menu 'M' (t { item 'Go' (t { 'go', args = t { a = t {} } }), section 's' (t { items = t { 1 }, row = function() return item 'x' (t { 'rate' }) end }) }) })",
      then: [":menu", ":pick M/Go"]),
    HostileScript(
      "items of a section whose table loops", .says("nobody handles 'clear'"),
      "local f = function() while true do end end menubar { menu 'M' { section 's' { items = function() return setmetatable({ 1, 2 }, { __index = f, __pairs = f, __len = f }) end, row = function(v) return item('x' .. v) { 'rate' } end } } }",
      then: [":menu"]),
    HostileScript(
      "tables for the host that loop", .quiet,
      "local f = function() while true do end end local function t(x) return setmetatable(x, { __index = f, __pairs = f, __len = f, __newindex = f }) end local r = responder 'r' (t { before = 'grid' }) r.keys = t { ['ctrl+k'] = 'go' } r.on = t { go = function() end } r.needs = t { } r.claims = t { 'x' } observe(t { 'rate' }, function() end) app.keep.x = nil function app.on:go2() app:perform('rate', t { x = t {} }, t { info = t { y = t {} } }) end",
      then: [":perform go", ":perform go2", ":press ctrl+k"]),
    HostileScript(
      "what is kept with a table that loops", .says("has a metatable"),
      "app.keep = setmetatable({}, { __pairs = function() while true do end end })", then: []),

    // Things that go round in the host.
    HostileScript(
      "an action that performs itself", .says("nested more than 50 deep"),
      "function app.on:go() local o = app:perform('go') return o.result or o.error.message end",
      then: ["print(app:perform('go').result)"]),
    HostileScript(
      "two actions that perform each other", .says("nested more than 50 deep"),
      "function app.on:go() local o = app:perform('back') return o.result or o.error.message end function app.on:back() local o = app:perform('go') return o.result or o.error.message end",
      then: ["print(app:perform('go').result)"]),
    HostileScript(
      "a listener for the focus that moves it back and forth", .says("moves of the focus are nested more than 50 deep"),
      "local a, b = responder 'a' { next = app:find('grid') }, responder 'b' { next = app:find('grid') } listen('focus', function(new) focus(new.name == 'a' and b or a) end) function app.on:go() focus(a) end"
    ),
    HostileScript(
      "a become that moves the focus on and on", .says("moves of the focus are nested more than 50 deep"),
      "local a, b = responder 'a' { next = app:find('grid') }, responder 'b' { next = app:find('grid') } function a:become() focus(b) end function b:become() focus(a) end function app.on:go() focus(a) end"
    ),
    HostileScript(
      "a listener for what nobody answers that performs what nobody answers", .says("nobody handles 'nobody'"),
      "listen('unhandled', function() app:perform('nobody') end)", then: [":perform nobody"]),
    HostileScript(
      "a listener for the menu that has it made again, other each time",
      .says("listeners of 'menu' change the menus again at every call"),
      "local n = 0 function app.build:main(m) n = n + 1 m:insert_last('Image', item('x' .. n) { 'rate', id = 'x' }) end listen('menu', function() app:rebuild() end)",
      then: [":menu", "app:rebuild()", ":menu", ":perform rate", ":menu"]),
    HostileScript(
      "a listener for validation that has it validated again, other each time",
      .says("listeners of 'menu' change the menus again at every call"),
      "local n = 0 menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.look:go() n = n + 1 return { title = 'x' .. n } end listen('validation', function() app:revalidate() end)",
      then: [":menu", ":perform go", ":menu", ":perform go", ":menu"]),
    HostileScript(
      "a handler for URLs that opens URLs", .quiet, "function app.on:openURL(ctx) app:open_urls { ctx.url } end",
      then: ["app:open_urls { 'a:b' }"]),
    HostileScript(
      "an undo function that undoes", .says("there is nothing to redo"),
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) ctx:undo('Go', function() app:undo() app:redo() end) end",
      then: [":perform go", ":undo", ":redo"]),
    HostileScript(
      "a builder that asks for the menu", .says("nobody handles 'clear'"), "function app.build:main(m) app:menu() end",
      then: [":menu"]),
    HostileScript(
      "a can that validates itself", .prints("false\tbeing validated"),
      "function app.on:go() end function app.can:go() local v = app:validate('go') print(v.enabled, v.reason) return v.enabled end"
    ),
    HostileScript(
      "redirections in a circle", .says("redirect leads in a circle: a → b → a"),
      "local a, b = responder 'a', responder 'b' a.redirect = 'b' b.redirect = 'a'",
      then: ["app:perform('go', {}, { to = 'a' })", "app:perform('go', {}, { from = 'b' })"]),
    HostileScript(
      "responders next to each other in a circle", .says("circle"),
      "local a = responder 'a' local b = responder 'b' { next = a } a.next = b", then: []),
    HostileScript(
      "classes of each other", .says("classes would build on each other in a circle: a → b → a"),
      "local a = class 'a' local b = class 'b' { class = 'a' } a.class = 'b'", then: []),
    HostileScript(
      "a job that waits for itself", .says("'go' would wait for itself"),
      "local j function app.on:go() sleep(0.001) return j:wait() end function app.on:start() j = app:perform('go', {}, { wait = false }).job return j:wait().status end",
      then: ["app:perform('start')"]),
    HostileScript(
      "an action that sleeps for ever in small steps", .quiet,
      "function app.on:go() while true do sleep(0.0001) end end",
      then: ["j = app:perform('go', {}, { wait = false }).job", "j:cancel()"]),
    HostileScript(
      "a wait behind cancellation that catches it", .prints("0"),
      "function app.on:go() while true do pcall(sleep, 1000) end end",
      then: ["j = app:perform('go', {}, { wait = false }).job", "j:cancel()", "print(#app:jobs())"]),
  ]

  static let swallowing: [HostileScript] = [
    HostileScript(
      "performs in a loop, each of which loops", .limit,
      "function app.on:spin() while true do end end function app.on:go() while true do app:perform('spin') end end"),
    HostileScript(
      "a protected perform of a loop", .limit,
      "function app.on:spin() while true do end end function app.on:go() while true do pcall(app.perform, app, 'spin') end end"
    ),
    HostileScript(
      "a perform of a loop in a coroutine", .limit,
      "function app.on:spin() while true do end end function app.on:go() while true do coroutine.wrap(function() pcall(app.perform, app, 'spin') end)() end end"
    ),
    HostileScript(
      "super in a loop that catches", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go() while true do end end r:derive('D', { on = { go = function(self, ctx) while true do pcall(ctx.super, ctx) end end } })"
    ),
    HostileScript(
      "forward in a loop that catches", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) while true do pcall(ctx.forward, ctx) end end function app.on:go() while true do end end"
    ),
    HostileScript(
      "a failed hook that performs what failed", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go() while true do end end function r:failed(e) app:perform('go') end"
    ),
    HostileScript(
      "a failed hook that loads more to do", .limit,
      "local r = responder 'r' { before = 'grid' } function r.on:go() while true do end end function r:failed(e) while true do pcall(function() while true do end end) end end"
    ),
    HostileScript(
      "a can that catches everything", .limit,
      "function app.on:go() end function app.can:go() while true do pcall(error) pcall(function() while true do end end) end end",
      then: [":validate go", ":menu"]),
    HostileScript(
      "a refusal caught for ever", .says("no"),
      "function app.on:go(ctx) while true do pcall(ctx.refuse, ctx, 'no') end end"),
    HostileScript(
      "a handler on each of a hundred responders that fails by a limit", .limit,
      "for i = 1, 100 do local r = responder('r' .. i) { before = 'grid' } r.on.go = function(self, ctx) pcall(function() while true do end end) end end",
      then: [":perform go", ":perform go", ":perform go"]),
    HostileScript(
      "reversals that never end, of actions within each other", .limit,
      "function app.on:go(ctx) ctx:undo('x', function() while true do end end) app:perform('go') while true do end end",
      then: [":perform go"]),
    HostileScript(
      "whoever hears of a failure never ends", .limit,
      """
      function app.on:inner() while true do end end
      function app.on:go() app:perform('inner') end
      function app:failed() while true do end end
      observe('*', function(event) if event.stage == 'failed' then while true do end end end)
      """,
      then: [":perform go", ":perform go"]),
    HostileScript(
      "a plugin that spends its limits over and over", .says("is set aside"),
      "function app.on:go() while true do end end",
      then: [":perform go", ":perform go", ":perform go", ":perform go", ":perform go"]),
    HostileScript(
      "a provider that spends its limits over and over", .says("is set aside"),
      "function app:provide() while true do end end", then: [":context", ":context", ":context", ":context"]),
    HostileScript(
      "an observer that spends its limits over and over", .says("is set aside"),
      "observe('*', function() while true do end end)",
      then: [":perform rate", ":perform rate", ":perform rate", ":perform rate"]),
    HostileScript(
      "a builder that spends its limits over and over", .says("is set aside"),
      "function app.build:main() while true do end end",
      then: [":menu", "app:rebuild()", ":menu", "app:rebuild()", ":menu", "app:rebuild()", ":menu"]),
    HostileScript(
      "a section that spends its limits over and over", .says("is set aside"),
      "menubar { menu 'M' { section 's' { items = function() while true do end end, row = function() end } } }",
      then: [":menu", "app:rebuild()", ":menu", "app:rebuild()", ":menu", "app:rebuild()", ":menu"]),
    HostileScript(
      "memory, caught for ever", .limit,
      "function app.on:go() local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(100000) .. #t end) end end"
    ),
    HostileScript(
      "memory in a perform, caught for ever", .limit,
      "local t = {} function app.on:eat() while true do t[#t + 1] = ('x'):rep(100000) .. #t end end function app.on:go() while true do app:perform('eat') end end"
    ),
    HostileScript(
      "listing the actions of a long chain for ever", .limit,
      "for i = 1, 2000 do responder('r' .. i) { before = 'grid', on = { ['x' .. i] = print } } end function app.on:go() while true do pcall(app.actions, app) end end"
    ),
    HostileScript(
      "asking a long chain for ever", .limit,
      "for i = 1, 2000 do responder('r' .. i) { before = 'grid', on = { ['x' .. i] = print } } end function app.on:go() while true do pcall(app.chain, app, 'x1') end end"
    ),
  ]
}
