// The host's objects where nobody expects them, after their end, and wrong values everywhere.

extension HostileScript {
  /// A value of each kind that a script can have.
  private static let everything = """
    local r, w, c = responder "mine", window "mine w", class "mine c"
    local function things(ctx)
      local job = app:perform("nap", {}, { wait = false })
      return { nil, false, true, 0, -1, 1e300, 0/0, 1/0, math.mininteger, "", "x", "\\0", "\\xff\\xfe", ("x"):rep(70000), {}, { {} }, print,
        function() end, coroutine.create(print), pass, null, separator, item "x" { "rate" }, item "named", menu "m" {}, section "s", label "l",
        app, r, w, c, app:find("grid"), app:find("shelf"), r.on, r.keys, app.on, ctx, ctx.args, job.job, app:menu(), app.keep, app.settings,
        observe("nothing", print), setmetatable({}, { __index = print, __call = print, __len = print, __tostring = print }), fs, string, _G, n = 44 }
    end
    app:define("nap", { on = function() sleep(1e5) end, reentrant = true })

    """

  static let handling: [HostileScript] = [
    HostileScript(
      "every call of the host with everything", .says("menubar has no field 'holders'"),
      everything + """
        function app.on:go(ctx)
          local all = things(ctx)
          local calls = { responder, window, class, menubar, menu, item, label, section, observe, listen, progress, log, print, require, modal,
            app.perform, app.validate, app.chain, app.context, app.why, app.find, app.windows, app.jobs, app.menu, app.item, app.context_menu,
            app.open_menu, app.pick, app.press, app.open_urls, app.rebuild, app.revalidate, app.undo_stack, app.plugins, app.define, app.enter,
            app.load_plugin, app.unload_plugin, app.reload_plugin, r.perform, r.define, r.derive, w.make_main, ctx.append, ctx.each, ctx.flag, ctx.has,
            ctx.undo, ctx.set, ctx.super, ctx.forward, fs.read, fs.write, env, clipboard.set }
          for _, call in ipairs(calls) do
            for i = 1, all.n do
              pcall(call, all[i]) pcall(call, app, all[i]) pcall(call, all[i], all[all.n - i]) pcall(call, app, all[i], all[all.n - i], all[i])
              pcall(call, ctx, all[i], all[all.n - i], all[i])
            end
          end
          return "survived"
        end
        """, then: [":perform go", "app:enter('inactive')", "focus(app:find('grid'))", "app:find('main'):make_key()"]),
    HostileScript(
      "everything called, indexed, written to, counted, compared, joined", .prints("survived"),
      everything + """
        function app.on:go(ctx)
          local all = things(ctx)
          for i = 1, all.n do
            local a = all[i]
            pcall(function() return a() end) pcall(function() return a.x end) pcall(function() return a[a] end) pcall(function() return #a end)
            pcall(function() return -a, ~a end) pcall(function() return a .. a end) pcall(tostring, a) pcall(next, a) pcall(rawlen, a)
            pcall(setmetatable, a, {}) pcall(getmetatable, a) pcall(table.unpack, a) pcall(table.concat, a) pcall(table.sort, a) pcall(table.remove, a)
            pcall(string.rep, a, 2) pcall(load, a) pcall(select, a, 1) pcall(coroutine.resume, a) pcall(coroutine.wrap, a) pcall(math.max, a, a)
            pcall(error, a) pcall(pcall, a) pcall(xpcall, a, a) pcall(ipairs, a) pcall(pairs, a) pcall(tonumber, a) pcall(utf8.char, a)
            for j = 1, all.n do
              local b = all[j]
              pcall(function() return a == b, a < b end) pcall(function() return a + b end) pcall(function() return a[b] end)
              if a ~= app and a ~= _G then pcall(function() a[b] = b end) pcall(rawset, a, b, b) end
            end
          end
          return "survived"
        end
        """, then: [":perform go", "focus(app:find('grid'))"]),
    HostileScript(
      "every field of a responder with everything", .limitOr("survived"),
      everything + """
        function app.on:go(ctx)
          local all = things(ctx)
          for i = 1, all.n do
            for _, one in ipairs { r, w, c } do
              for _, field in ipairs { "name", "next", "before", "class", "delegate", "undo", "works_when_modal", "on", "can", "look", "needs", "keys", "build",
                "provide", "resolve", "redirect", "claims", "unknown", "accepts_focus", "become", "resign", "failed", "perform", "define", "derive", "remove",
                "first", "is_key", "is_main", "own" } do
                -- Whoever is ended here while it redirects in a circle keeps actions from others until it is unloaded.
                if field ~= "redirect" or all[i] ~= r and all[i] ~= w then pcall(function() one[field] = all[i] end) end
                if field == "redirect" then pcall(function() one.redirect = nil end) end
                pcall(function() one.on[field] = all[i] one.can[field] = all[i] one.look[field] = all[i] one.needs[field] = all[i] end)
                pcall(function() one.on[all[i]] = function() end end) pcall(function() one.keys[all[i]] = all[i] end)
                pcall(function() one.needs[all[i]] = all[i] end) pcall(function() one.build[all[i]] = all[i] end)
              end
            end
          end
          return "survived"
        end
        """, then: [":perform go", "focus(app:find('grid'))"]),
    HostileScript(
      "every field of an element with everything", .says("menubar has no field 'id'"),
      everything + """
        function app.on:go(ctx)
          local all = things(ctx)
          for i = 1, all.n do
            for _, field in ipairs { "id", "key", "args", "subtitle", "icon", "state", "hidden", "enabled", "alternates", "destructive", "keeps_open", "confirm",
              "inline", "single", "auto", "look", "items", "row", "header", "footer", "empty", "nothing", 1 } do
              pcall(item "x", { "rate", [field] = all[i] }) pcall(menu "x", { [field] = all[i] }) pcall(section "x", { [field] = all[i] })
              pcall(menubar, { [field] = all[i] })
            end
          end
          return "survived"
        end
        """),
    HostileScript(
      "every answer with everything", .says("look must return a table or nil, not a string"),
      everything + """
        local all, at = {}, 0
        local function answer() at = at % 44 + 1 return all[at], all[44 - at] end
        menubar { menu "Mine" { look = answer, item "One" { "one" }, section "s" { items = answer, row = answer, id = answer } } }
        local front = responder "front" { next = app:find("grid"), claims = answer, redirect = answer, resolve = answer, unknown = answer, failed = answer, accepts_focus = answer }
        function app.on:one() return answer() end
        app.can.one, app.look.one, app.build.main, app.build.url = answer, answer, answer, answer
        function app:provide(ctx) if all then ctx[tostring(answer())] = answer() ctx.x = answer() end end
        function app.on:go(ctx) all, at = things(ctx), 0 end
        """,
      then: [":perform go"] + [String](repeating: ":perform one", count: 46) + [
        ":menu", "app:rebuild()", ":menu", "app:context_menu('url', 1)", ":why one", ":chain one", ":context",
        "focus(app:find('front'))", "focus(app:find('grid'))",
      ]),
    // After their end.
    HostileScript(
      "a responder after its removal", .says("'r' was removed"),
      """
      local r = responder "r" { next = app } local on, keys = r.on, r.keys
      function r.on:go() r:remove() r.x = 1 return pcall(function() r.on.x = print end) end
      function app.on:later() print(r.name, tostring(r), pcall(function() return r.on end), pcall(function() on.x = print end), pcall(function() keys["a"] = "b" end), pcall(r.perform, r, "go"), pcall(r.remove, r), pcall(r.define, r, "x", {}), pcall(focus, r), pcall(modal, r), pcall(app.perform, app, "go", {}, { to = r, from = r }), pcall(responder "s", { next = r })) end
      """, then: ["app:perform('go', {}, { to = 'r' })", ":perform later"]),
    HostileScript(
      "a responder that removes itself in everything that it is asked", .says("nobody handles 'go'"),
      """
      for i, hook in ipairs { "provide", "resolve", "claims", "redirect", "unknown", "failed", "accepts_focus", "become", "resign" } do
        local r = responder("r" .. i) { before = "grid" } r[hook] = function(self) pcall(self.remove, self) end
      end
      local r = responder "r" { before = "grid" } function r.on:go(ctx) self:remove() return ctx:forward() end function r.can:go() pcall(r.remove, r) return true end
      """,
      then: [
        ":perform go", ":perform nobody", ":menu", "for i = 1, 9 do pcall(focus, app:find('r' .. i)) end",
        "focus(app:find('grid'))", ":perform go",
      ]),
    HostileScript(
      "a handle after its removal", .says("nobody handles 'go'"),
      "local h = observe('*', print) h:remove() h:remove() local d = app:define('go', { on = function() d2:remove() return 'x' end }) d2 = d",
      then: [":perform go", ":perform go"]),
    HostileScript(
      "an observer that removes itself and others while they are told", .says("rated a.jpg nil"),
      "local all = {} for i = 1, 50 do all[i] = observe('*', function() for j = 1, 50 do all[j]:remove() end end) end",
      then: [":perform rate", ":perform rate"]),
    HostileScript(
      "a context after its action", .says("ctx:super() is possible only while the action runs"),
      "local kept function app.on:go(ctx) kept = ctx end function app.on:later() for _, call in ipairs { 'set', 'undo', 'super', 'forward', 'append', 'refuse', 'each', 'flag', 'has' } do print(pcall(kept[call], kept, app, 'x', 1)) end print(kept.photo, kept.action) kept.x = 1 end",
      then: [":perform go", ":perform later"]),
    HostileScript(
      "the context of another action, in this one", .says("is for a running handler, on its own context"),
      "local kept function app.on:go(ctx) kept = ctx return app:perform('inner').status end function app.on:inner(ctx) print(pcall(kept.super, kept), pcall(kept.forward, kept), pcall(kept.set, kept, responder('r' .. os.clock() * 1e9 // 1), 'x', 1), pcall(kept.undo, kept, 'x', print)) end"
    ),
    HostileScript(
      "a job after its end", .quiet,
      "function app.on:nap() sleep(0.001) end function app.on:go() local o = app:perform('nap', {}, { wait = false }) o.job:wait() o.job:cancel() o.job:wait() o.job:cancel() return tostring(o.job), o.job.progress end",
      then: ["app:perform('go')"]),
    HostileScript(
      "a modal session after its end", .prints("false"),
      "local r = responder 'r' function app.on:go() local s = modal(r) s:close() s:close() print(s.open) end"),
    HostileScript(
      "an open menu after its end", .prints("false"),
      "function app.on:go() local m = app:open_menu('Image') m:close() m:close() print(m.open, pcall(m.pick, m, 'Image/Rate')) end"
    ),
    HostileScript(
      "an element that stands twice", .says("the id 'x' is used twice, on item 'x' too"),
      "local one = item 'x' { 'rate', id = 'x' } menubar { menu 'M' { one, one } }", then: [":menu"]),
    HostileScript(
      "an element called twice", .says("called like a function"), "item 'x' { 'rate' } { 'rate' }", then: []),
    HostileScript(
      "an iterator of the host's, kept", .prints("true\t1"),
      "local f, s, v function app.on:go(ctx) ctx:append('l', 1) f, s, v = ctx:each('l') end function app.on:later() print(pcall(f, s, v)) end",
      then: [":perform go", ":perform later"]),
    HostileScript(
      "handlers that replace, remove and add while they run", .says("nobody handles 'go'"),
      "function app.on:go(ctx) app.on.go = nil app.on.go = function() return 'new' end app:define('go', { on = function() return 'newer' end }):remove() local r = responder('r') { before = 'grid' } r:remove() return ctx:forward() end",
      then: [":perform go", ":perform go"]),
    HostileScript(
      "a builder's calls after its menu is made", .says("only in a builder"),
      "local kept function app.build:main(m) kept = m end function app.on:go() kept:remove('Image') end",
      then: [":menu", ":perform go"]),
  ]

  static let malformed: [HostileScript] = [
    HostileScript(
      "numbers where they can't be", .quiet,
      "local r = responder 'r' for _, n in ipairs { 0/0, 1/0, -1/0, -1, 1e300, math.maxinteger, math.mininteger, 0.5 } do pcall(function() r.undo = { levels = n } end) pcall(app.perform, app, 'rate(stars: ' .. n .. ')') pcall(item, n) end function app.on:go() for _, n in ipairs { 0/0, 1/0, -1/0, -1, 1e300, math.maxinteger, math.mininteger } do pcall(sleep, n) pcall(progress, n) pcall(app.perform, app, 'nobody', { n = n }) end end"
    ),
    HostileScript(
      "a result that is no number that JSON has", .quiet,
      "function app.on:go() return { 0/0, 1/0, -1/0, [0/1] = 1, [1.5] = 2, [true] = 3 } end"),
    HostileScript(
      "references that can't be read", .says("a reference or an id must be a string, not a string that is not UTF-8"),
      "function app.on:go() for _, t in ipairs { '', '(', 'a(', 'a)', 'a(k', 'a(k:', 'a(k:)', 'a(\"k\")', 'a(k: \"', 'a.', '.a', 'a..b', '1a', 'a b', 'a(k: [)', 'a(k: {)', 'a(k: 1e999)', 'a(k: \\1)', 'a(k: \"\\\\u12\")', 'a(k: \"\\\\ud800\")', '\\xff', 'a(k: 1, k: 2)', '\\0', 'a\\0b' } do local o = app:perform(t) if o.status ~= 'failed' then print(t, o.status) end app:validate(t) app:why(t) app:chain(t) app:context(t) end end"
    ),
    HostileScript(
      "references in menus that can't be read", .says("the action of item 'x'"),
      "menubar { menu 'M' { item 'x' { 'a(' } } }", then: []),
    HostileScript(
      "keys that can't be read", .quiet,
      "local r = responder 'r' for _, k in ipairs { '', ' ', '+', 'ctrl+', 'ctrl++', 'ctrl+ctrl+k', 'hyper+k', '\\0', '\\xff', ('x'):rep(300), 'ctrl+\\27' } do pcall(function() r.keys[k] = 'go' end) end",
      then: ["for _, k in ipairs { '', ' ', '+', 'ctrl+', '\\0', '\\xff', 'nothing' } do pcall(app.press, app, k) end"]),
    HostileScript(
      "titles that would write to the terminal",
      .says("the title of a menu has control characters: the host shows them as U+FFFD"),
      "menubar { menu '\\27[2JM\\7' { item '\\27]0;x\\7\\r\\n\\xc2\\x9b31m' { 'go', subtitle = '\\27c', icon = '\\27' } } } function app.on:go() return '\\27[31m' end function app.can:go() return false, '\\27[31mno\\27' end function app.look:go() return { title = '\\27[5m\\xff' } end",
      then: [":menu", ":perform go", ":why go"]),
    HostileScript(
      "prints, logs, errors that would write to the terminal", .says("[31m"),
      "print('\\27[2J\\7\\r') log('error', '\\27]0;x\\7') function app.on:go() error('\\27[31m\\xff\\0') end function app.on:refuses(ctx) ctx:refuse('\\27[31m') end",
      then: [":perform go", ":perform refuses"]),
    HostileScript(
      "text that is no UTF-8 everywhere", .says("nobody handles 'go'"),
      "local b = '\\xff\\xc0\\x80' print(b) function app.on:go(ctx) ctx[b] = b return { [b] = b } end function app:provide(ctx) ctx[b] = b ctx.b = b end observe(b, print) pcall(responder, b) pcall(item, b) pcall(section, b) pcall(class, b) pcall(log, b, b)",
      then: [":perform go", ":context", ":why go"]),
    HostileScript(
      "bytes of zero everywhere", .says("holders"),
      "local z = 'a\\0b' print(z) function app.on:go(ctx) ctx[z] = z return { [z] = z } end function app:provide(ctx) ctx[z] = z end pcall(responder, z) pcall(class, z) pcall(observe, z, print) pcall(function() app.on[z] = print end) pcall(require, z)",
      then: [":perform go", ":context"]),
    HostileScript(
      "menus of what is no element",
      .says("entry 0 of menu 'M' can't have a name, so the host skips it"),
      "menubar { menu 'M' { 1, 'x', true, {}, print, app, null, pass, false, nil, [0] = item 'x' { 'rate' }, [-1] = 1, [1.5] = 2, [1e15] = item 'y' { 'rate' }, [math.maxinteger] = item 'z' { 'rate' }, [true] = 1 } }",
      then: [":menu"]),
    HostileScript(
      "ids that stand twice", .says("used twice"),
      "menubar { menu 'M' { item 'x' { 'rate', id = 'same' }, item 'y' { 'rate', id = 'same' } } }", then: [":menu"]),
    HostileScript(
      "rows whose ids stand twice",
      .says("has two rows with the id 'same', of value 1 (1) and of value 2 (2): the second is 'same#2'"),
      "menubar { menu 'M' { section 's' { items = { 1, 2 }, id = function() return 'same' end, row = function() return item 'x' { 'rate' } end } } }",
      then: [":menu"]),
    HostileScript(
      "a section of items that change while they are read", .says("nobody handles 'clear'"),
      "local t = { 1, 2, 3 } menubar { menu 'M' { section 's' { items = function() return t end, row = function(v) for i = 1, 100 do t[i] = nil t['k' .. i] = i end return item('x' .. tostring(v)) { 'rate' } end } } }",
      then: [":menu", "app:rebuild()", ":menu"]),
    HostileScript("a text that is no Lua", .says(""), "this is no Lua {{{", then: []),
    HostileScript("bytecode", .says(""), as: .whole, "\u{1B}Lua", then: []),
    HostileScript("nothing", .says("manifest"), as: .whole, "", then: []),
    HostileScript(
      "a text as long as it can be", .quiet, "local x = '\(String(repeating: "x", count: 130_000))'", then: []),
    HostileScript(
      "a text that is too long", .says(""), "local x = '\(String(repeating: "x", count: 140_000))'", then: []),
  ]
}
