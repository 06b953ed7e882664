// More of everything: of what Lua holds, and of what the host does.

extension HostileScript {
  /// A handler that does something again and again, without an end.
  private static func forEver(_ before: String, _ body: String) -> String {
    "\(before) local kept = {} function app.on:go(ctx) local i = 0 while true do i = i + 1 \(body) end end"
  }

  /// Memory of Lua's, by way of the host's calls: the ceiling, or the time until there.
  static let filling: [HostileScript] = [
    HostileScript("strings for ever", .spent, forEver("", "kept[i] = ('x'):rep(1000) .. i")),
    HostileScript("tables for ever", .spent, forEver("", "kept[i] = { i, {} }")),
    HostileScript("closures for ever", .spent, forEver("", "kept[i] = function() return i, kept end")),
    HostileScript("coroutines for ever", .spent, forEver("", "kept[i] = coroutine.create(function() return i end)")),
    HostileScript(
      "upvalues for ever", .spent,
      forEver("", "local a, b, c, d = i, i, i, i kept[i] = function() return a + b + c + d end")),
    HostileScript(
      "a string that doubles", .says("not enough memory: one table"), forEver("local s = 'x'", "s = s .. s")),
    HostileScript(
      "a pattern as long as a block", .limitOr(""),
      forEver("", "kept[i] = pcall(string.find, ('a'):rep(1 << 19), ('[a-z]?'):rep(1 << 16))")),
    HostileScript(
      "replacements that grow", .says("not enough memory: one table"),
      forEver("local s = 'x'", "s = s:gsub('.', '%0%0')")),
    HostileScript(
      "contexts for ever", .spent,
      forEver("function app.on:keep(c) kept2 = c return c end kept2 = nil", "kept[i] = app:perform('keep').result")),
    HostileScript("outcomes for ever", .spent, forEver("", "kept[i] = app:perform('nobody' .. i)")),
    HostileScript("menus for ever", .spent, forEver("", "kept[i] = app:menu()")),
    HostileScript("explanations for ever", .spent, forEver("", "kept[i] = app:why('rate')")),
    HostileScript("chains for ever", .spent, forEver("", "kept[i] = app:chain('rate')")),
    HostileScript("elements for ever", .spent, forEver("", "kept[i] = item('x' .. i) { 'rate' }")),
    HostileScript(
      "menus of elements for ever", .spent, forEver("", "kept[i] = menu('x' .. i) { item 'y' { 'rate' } }")),
    HostileScript(
      "jobs for ever", .spent,
      forEver(
        "app:define('nap', { on = function() sleep(1e6) end, reentrant = true })",
        "kept[i] = app:perform('nap', {}, { wait = false })")),
    HostileScript("what a context holds, for ever", .spent, forEver("", "ctx['k' .. i] = i")),
    HostileScript("a list in a context, for ever", .spent, forEver("", "ctx:append('list', i)")),
    HostileScript("lists in a context, for ever", .spent, forEver("", "ctx:append('list' .. i, ('x'):rep(100))")),
    HostileScript(
      "a provider that supplies a great deal", .says("k10020"),
      "function app:provide(ctx) for i = 1, 20000 do ctx['k' .. i] = i end end",
      then: [":context", ":perform rate", ":menu"]),
    HostileScript("undo functions for ever", .spent, forEver("", "ctx:undo('x', function() return i end)")),
    HostileScript("values inserted for ever", .spent, forEver("local l = {}", "ctx:insert(l, 1, i)")),
    HostileScript(
      "values removed for ever", .spent,
      forEver("local l = {} for i = 1, 1000 do l[i] = i end", "ctx:insert(l, 1, i) ctx:remove(l, i)")),
    HostileScript("fields set for ever", .spent, forEver("local r = responder 'r'", "ctx:set(r, 'f' .. i, i)")),
    HostileScript(
      "a great many undo groups", .quiet,
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) for i = 1, 200 do app:perform('one') end end function r.on:one(ctx) ctx:undo(('x'):rep(1000), function() end) end",
      then: [":perform go", ":undo"]),
    HostileScript(
      "titles of what can be undone, of a megabyte each", .prints("2"),
      "local r = responder 'r' { before = 'grid' } function r.on:go(ctx) ctx:undo(('x'):rep(1 << 19), function() end) end",
      then: [":perform go", ":perform go", "print(#app:undo_stack().undo)", ":undo"]),
    HostileScript("what is kept, for ever", .spent, forEver("", "app.keep['k' .. i] = ('x'):rep(1000)")),
    HostileScript("globals for ever", .spent, "local i = 0 while true do i = i + 1 _ENV['g' .. i] = i end", then: []),
    HostileScript("fields of a responder for ever", .spent, forEver("local r = responder 'r'", "r['f' .. i] = i")),
    HostileScript(
      "arguments for ever", .spent,
      forEver("local t = {}", "t['k' .. i] = i if i % 1000 == 0 then app:perform('nobody', t) end")),
    HostileScript("chunks for ever", .spent, forEver("", "kept[i] = load('return ' .. i)")),
    HostileScript("errors for ever", .spent, forEver("", "kept[i] = select(2, pcall(error, { i }))")),
    HostileScript(
      "a result of a great many values", .quiet,
      "function app.on:go() local t = {} for i = 1, 50000 do t[i] = { i } end return t end"),
    HostileScript("a result of a megabyte", .says("xxxxxxxxxx"), "function app.on:go() return ('x'):rep(1 << 19) end"),
  ]

  /// What the host holds for scripts.
  static let filledHost: [HostileScript] = [
    HostileScript(
      "responders for ever", .limit, "local i = 0 while true do i = i + 1 responder('r' .. i) end", then: []),
    HostileScript("responders for ever, by an action", .limit, forEver("", "responder('r' .. i)")),
    HostileScript(
      "responders for ever, each next to the one before", .limit,
      "local i, last = 0, app while true do i = i + 1 last = responder('r' .. i) { next = last } end", then: []),
    HostileScript(
      "responders before the same one for ever", .limit,
      "local i = 0 while true do i = i + 1 responder('r' .. i) { before = 'grid' } end", then: []),
    HostileScript("windows for ever", .limit, "local i = 0 while true do i = i + 1 window('w' .. i) end", then: []),
    HostileScript("classes for ever", .limit, "local i = 0 while true do i = i + 1 class('c' .. i) end", then: []),
    HostileScript(
      "classes for ever, each of the one before", .says("classes build on each other more than 64 deep"),
      "local i, last = 0, nil while true do i = i + 1 last = class('c' .. i) { class = last } end", then: []),
    HostileScript(
      "derived classes for ever", .limit,
      "local r, i = responder 'r', 0 while true do i = i + 1 r:derive('D' .. i, { on = { go = function() end } }) end",
      then: []),
    HostileScript(
      "actions for ever", .says("would be one name more than the 8192 that a plugin may make"),
      forEver("local r = responder 'r'", "r:define('a' .. i, { on = function() end })")),
    HostileScript(
      "handlers for ever, and taken back", .says("would be one name more than the 8192 that a plugin may make"),
      forEver("local r = responder 'r'", "r:define('a' .. i, { on = function() end }):remove()")),
    HostileScript(
      "keys for ever", .limit,
      forEver(
        "local r = responder 'r'",
        "r.keys['ctrl+k ' .. string.char(97 + i % 26) .. ' ' .. string.char(97 + i // 26 % 26) .. ' ' .. string.char(97 + i // 676 % 26)] = 'go'"
      )),
    HostileScript(
      "observers for ever", .says("has 1000 observers already"),
      "while true do observe('rate', function() end) end", then: []),
    HostileScript(
      "observers for ever, by an action", .says("has 1000 observers already"),
      forEver("", "observe('rate', function() end)"),
      then: [":perform go", ":perform rate"]),
    HostileScript(
      "an observer with a great many patterns", .says("rated a.jpg nil"),
      "local t = {} for i = 1, 30000 do t[i] = 'a' .. i end observe(t, function() end)", then: [":perform rate"]),
    HostileScript("listeners for ever", .limit, "while true do listen('menu', function() end) end", then: []),
    HostileScript(
      "a great many claims", .says("rated a.jpg nil"),
      "local t = {} for i = 1, 30000 do t[i] = 'a' .. i end local r = responder 'r' { before = 'grid', claims = t } function r:unknown() end",
      then: [":perform a30000", ":perform rate"]),
    HostileScript(
      "a great many needs", .says("needs.go can have 256 keys at most"),
      "local t = {} for i = 1, 30000 do t[i] = 'k' .. i end function app.on:go() end app.needs.go = t",
      then: [":perform go", ":validate go"]),
    HostileScript(
      "modal sessions for ever", .says("64 deep already"), forEver("local r = responder 'r'", "modal(r)"),
      then: [":perform go", "app:enter('background')", "app:enter('inactive')"]),
    HostileScript(
      "URLs for ever", .quiet, "function app.on:go() local i = 0 while true do i = i + 1 app:perform('rate') end end",
      then: ["for i = 1, 1000 do app:open_urls { 'a:' .. i } end"]),
    HostileScript(
      "URLs of a megabyte", .prints("failed"), "", then: ["print(app:open_urls { ('x'):rep(1 << 19) }[1].status)"]),
    HostileScript(
      "a menu of a great many items", .quiet,
      "local t = {} for i = 1, 20000 do t[i] = item('x' .. i) { 'rate' } end menubar { menu 'M' (t) }",
      then: [":validate rate"]),
    HostileScript(
      "a menu of more items than there can be", .says("100000 elements at most"),
      "local t = {} for i = 1, 50000 do t[i] = item 'x' { 'rate' } end menubar { menu 'A' (t), menu 'B' (t), menu 'C' (t) }",
      then: []),
    HostileScript(
      "a menu that shares its parts two to the thirtieth times", .says("a menu can have 100000 elements at most"),
      "local m = item 'x' { 'rate' } for i = 1, 30 do m = menu('m' .. i) { m, m } end menubar { m }", then: []),
    HostileScript(
      "a section of a great many rows", .quiet,
      "menubar { menu 'M' { section 's' { items = function() local t = {} for i = 1, 20000 do t[i] = i end return t end, row = function(v) return item('x' .. v) { 'rate' } end } } }",
      then: [":validate rate", "app:item('x')"]),
    HostileScript(
      "a builder that inserts for ever", .limit,
      "function app.build:main(m) local i = 0 while true do i = i + 1 m:insert_last('Image', item('x' .. i) { 'rate' }) end end",
      then: [":validate M", ":menu Other"]),
    HostileScript(
      "a builder that inserts and removes for ever", .limit,
      "function app.build:main(m) while true do m:insert_last('Image', item 'x' { 'rate', id = 'x' }) m:remove('x') end end",
      then: [":menu"]),
    HostileScript(
      "a builder that asks for what is not there for ever", .limit,
      "function app.build:main(m) local i = 0 while true do i = i + 1 m:find('nothing' .. i) end end",
      then: [":menu Other"]),
    HostileScript(
      "a builder that shares one element everywhere", .says("nobody handles 'clear'"),
      "local one = item 'x' { 'rate' } function app.build:main(m) for i = 1, 1000 do m:insert_last('Image', one) end end",
      then: [":menu Other"]),
    HostileScript(
      "titles of a megabyte", .says("longer than 4096 bytes"),
      "menubar { menu(('x'):rep(1 << 19)) { item(('y'):rep(1 << 19)) { 'rate', subtitle = ('z'):rep(1 << 19) } } }",
      then: [":menu"]),
    HostileScript(
      "a look that answers megabytes", .says("longer than 4096 bytes"),
      "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.look:go() return { title = ('x'):rep(1 << 19), subtitle = ('y'):rep(1 << 19) } end",
      then: [":menu"]),
    HostileScript(
      "ten thousand arguments, at each way in", .prints("handled\thandled\thandled"),
      """
      function app.on:take(ctx) return 1 end
      function app.on:go(ctx)
        local t = {}
        for i = 1, 10000 do t['k' .. i] = i end
        item 'x' { 'take', args = t }
        local parts = {}
        for k in pairs(t) do parts[#parts + 1] = k .. ':1' end
        print(
          app:perform('take', t).status, app:perform('take', nil, { info = t }).status,
          app:perform('take(' .. table.concat(parts, ',') .. ')', t).status)
      end
      """),
    HostileScript(
      "a reason of a megabyte", .says("xxxxxxxxxx"),
      "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end function app.can:go() return false, ('x'):rep(1 << 19) end",
      then: [":menu", ":perform go"]),
    HostileScript(
      "questions and titles of a megabyte for ever", .says("declares have more than"),
      forEver(
        "local S, r = ('x'):rep(1000000), responder 'r'",
        "r.confirm['c' .. i % 8000] = S r.about['c' .. i % 8000] = { title = S, help = S, icon = S } r.needs['c' .. i % 8000] = { k = S }"
      )),
    HostileScript(
      "arguments with texts of a megabyte for ever", .says("declares have more than"),
      forEver(
        "local S, r = ('x'):rep(1000000), responder 'r'",
        "r.takes['c' .. i % 8000] = { n = { 'string', title = S, help = S }, m = { 'string', default = S } }")),
    HostileScript(
      "choices of a megabyte", .limit,
      "local S, t = ('x'):rep(1000000), {} for i = 1, 60 do t[i] = S end app.takes.go = { n = { one_of = t } }",
      then: []),
    HostileScript(
      "patterns that are observed for ever", .says("declares have more than"),
      forEver("local t = {} for i = 1, 1000 do t[i] = ('a'):rep(200) .. i end", "kept[i] = observe(t, print)")),
    HostileScript(
      "a pattern of a megabyte that is observed", .says("a pattern can have 256 bytes at most"),
      "observe(('x'):rep(1000000), print)", then: []),
    HostileScript(
      "progress of a megabyte, of a great many jobs", .quiet,
      "local S = ('x'):rep(1000000) app:define('nap', { on = function() progress(0.5, S) sleep(1e6) end, reentrant = true }) function app.on:go() for i = 1, 200 do app:perform('nap', {}, { wait = false }) end end"
    ),
    HostileScript(
      "arguments of an item of a megabyte", .says("have texts of more than 65536 bytes together"),
      "menubar { menu 'M' { item 'x' { 'rate', args = { a = ('x'):rep(1000000) } } } }", then: []),
    HostileScript(
      "choices that are compared with as many values", .limit,
      "local t = {} for i = 1, 30000 do t[i] = i end app.takes.compare = { n = { one_of = t, many = true } } function app.on:compare() end function app.on:go() for i = 1, 1000 do app:perform('compare', { n = t }) end end"
    ),
    HostileScript(
      "choices that are large tables", .limitOr(""),
      "local t, u = {}, {} for i = 1, 60000 do u[i] = i end for i = 1, 60000 do t[i] = u end function app.on:go() end app.takes.go = { n = { one_of = function() return t end } }",
      then: [":perform go", ":validate go", ":perform go(n: 1)"]),
    HostileScript(
      "a great many arguments that are declared", .says("256 arguments at most"),
      "local t = {} for i = 1, 15000 do t['a' .. i] = 'string' end app.takes.go = t", then: []),
    HostileScript(
      "errors of a megabyte", .says("xxxxxxxxxx"), "function app.on:go() error(('x'):rep(1 << 19)) end",
      then: [":perform go", ":perform go"]),
    HostileScript(
      "diagnostics of a megabyte, again and again", .says("'provide' of 'app' failed: xxx"),
      "local n = 0 function app:provide() n = n + 1 error(('x'):rep(1 << 19) .. n) end",
      then: Array(repeating: ":perform rate", count: 20)),
    HostileScript(
      "warnings for ever", .limit,
      forEver("", "app:perform('nobody', {}, { to = app }) pcall(item('x' .. i), { 'rate', ['field' .. i] = 1 })")),
    HostileScript("progress for ever", .limit, forEver("", "progress(i % 2, ('x'):rep(100000))")),
    HostileScript("traces of what is performed for ever", .limit, forEver("", "app:perform('rate')")),
    HostileScript("printing for ever", .limit, forEver("", "print(('x'):rep(1000))")),
    HostileScript("printing at every load", .limit, "while true do print(('x'):rep(1000)) end", then: []),
    HostileScript(
      "printing megabytes", .says("wrote 1048576 bytes in one call"),
      "function app.on:go() for i = 1, 200 do print(('x'):rep(1 << 19)) end end"),
    HostileScript("logging for ever", .limit, forEver("", "log('error', ('x'):rep(1000))")),
    HostileScript(
      "logging megabytes", .says("wrote 1048576 bytes in one call"),
      "function app.on:go() for i = 1, 200 do log('error', ('x'):rep(1 << 19)) end end"),
    HostileScript("distinct actions that nobody answers, for ever", .limit, forEver("", "app:perform('nobody' .. i)")),
    HostileScript("distinct questions for ever", .limit, forEver("", "app:validate('nobody' .. i)")),
    HostileScript(
      "distinct references with long arguments for ever", .limit,
      forEver("", "app:perform('nobody(k' .. i .. ': \"' .. ('x'):rep(5000) .. '\")')")),
  ]
}
