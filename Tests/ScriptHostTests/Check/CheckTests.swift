import Expectations
import Testing

@testable import ScriptHost

// The tests of `check`, which performs nothing.

/// The findings of `check` in a script, a line each: `app.lua:1:5 code: message (help)`.
private func findings(_ script: String, prepare: (ScriptHost) throws -> Void = { _ in }) throws -> [String] {
  let host = ScriptHost(clock: TestClock())
  try prepare(host)
  try host.load(text: script, name: "app.lua")
  return host.check().map { finding in
    "\(finding.place.map { "\($0) " } ?? "")\(finding.code): \(finding.message)\(finding.help.map { " (\($0))" } ?? "")"
  }
}

struct CheckTests {
  @Test(
    "check finds exactly the code in each code's bad example and nothing in the good one; allow_warnings silences it",
    arguments: DiagnosticKind.all.filter { !$0.isLater }.map(\.code))
  func codeExamples(_ code: String) throws {
    let kind = try require(DiagnosticKind.named(code))
    let host = ScriptHost()
    try host.load(text: kind.bad, name: "bad.lua")
    let found = host.check()
    expect(found.map(\.code), is: [code], "\(found)")
    expect(found.first?.severity, is: kind.severity, "\(found)")
    expect(found.first?.place != nil, "it has a place")
    let good = ScriptHost()
    try good.load(text: kind.good, name: "good.lua")
    expect(good.check().isEmpty, "\(good.check())")
    if found.first?.severity == .warning, code != "unknown-code" {
      let silent = ScriptHost()
      try silent.load(text: "app.allow_warnings = { '\(code)' }\n\(kind.bad)", name: "silent.lua")
      expect(silent.check().isEmpty, "\(silent.check())")
    }
  }

  @Test(
    "check reads code as it was loaded, even if Lua has collected it",
    arguments: ["misspelt-field", "unplaced-element", "unnamed-handler", "out-of-chain"])
  func collected(_ code: String) throws {
    for script in [DiagnosticKind.named(code)?.bad, DiagnosticKind.named(code)?.good] {
      let host = ScriptHost()
      try host.load(text: require(script), name: "app.lua")
      let found = host.check()
      host.scripts?.lua.collect()
      expect("\(host.check())", is: "\(found)", "what is compiled anew says the same")
      expect(found.map(\.code).contains(code), is: (script == DiagnosticKind.named(code)?.bad))
    }
  }

  @Test("check finds a mnemonic that is not in its item's title, unless a look may change the title")
  func mnemonics() throws {
    try expect(
      findings(
        """
        menubar { menu "M" {
          item "A" { "a", mnemonic = "Z" }, item "Bz" { "a", mnemonic = "Z" }, item "C" { "b", mnemonic = "Z" },
          item "D" { "a", mnemonic = "Z", look = function() return { title = "Z" } end },
        } }
        function app.on:a() end
        function app.on:b() end
        function app.look:b() return { title = "Z" } end
        """),
      is: [
        "app.lua:2:19 unknown-field: the mnemonic 'Z' of item 'A' is ignored: the title has no 'Z'"
      ])
  }

  @Test("check finds an argument without choices")
  func choices() throws {
    try expect(
      findings(
        """
        menubar { menu "M" { item "A" { "a" } } }
        function app.on:a(ctx) return ctx.size, ctx.kind, ctx.name end
        app.takes.a = { size = { one_of = { 1, 2 } }, kind = { one_of = {} },
          name = { one_of = function() return {} end } }
        """),
      is: [
        "app.lua:3:56 unfit-argument: takes.a.kind has no choices, so no value fits it "
          + "(list the choices in 'one_of', or write a function that returns them)"
      ])
  }

  @Test("check performs nothing, and finds the same again")
  func checkIsQuiet() throws {
    let host = ScriptHost()
    var printed: [String] = []
    host.onPrint = { printed.append($0) }
    try host.load(
      text: """
        menubar { menu "File" { item "Save" { "save" }, item "Close" { "colse" } } }
        function app.on:save() print("saves") end
        function app.on:close() print("closes") end
        function app:unknown() print("unknown") end
        """, name: "app.lua")
    let first = host.check().map(\.message)
    expect(first.count, is: 2)
    expect(host.check().map(\.message), is: first)
    expect(printed.isEmpty)
  }

  @Test(
    "A8: check tests the arguments of app:perform and app:validate if the call has no other arguments",
    arguments: [
      (
        "app:perform(\"rate(rating: 44)\")",
        ["app.lua:4:35 unfit-argument: 'app:perform' performs 'rate': 'rating' must be an integer from 0 to 5, not 44"]
      ),
      (
        "app:perform 'nosuch'",
        ["app.lua:4:35 unanswered-action: 'app:perform' performs 'nosuch', but no responder handles it"]
      ),
      (
        "local ok = app:validate('rate(stars: 4)').enabled",
        [
          "app.lua:4:47 unfit-argument: 'app:validate' performs 'rate': 'rate' takes no 'stars'"
        ]
      ),
      // A script may test for an action; other objects have methods of that name; the call's own arguments win.
      ("app:validate('nosuch')", []), ("app:perform('rate(rating: 44)', { rating = 4 })", []),
      ("local o = { perform = print } o:perform('nosuch')", []), ("app:perform('no such')", []),
      ("app:perform('rate(rating: 4)')", []), ("app:perform('rate')", []), ("app:perform('undo')", []),
      ("app.on.made = print app:perform('made')", []),
    ])
  func performedByScripts(_ call: String, _ expected: [String]) throws {
    let found = try findings(
      """
      app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
      function app.on:rate(ctx) end
      menubar { menu 'M' { item 'Go' { 'go' } } }
      function app.on:go() \(call) end
      app.allow_warnings = { 'unnamed-handler' }
      """)
    expect(found, is: expected)
  }

  @Test("A8: With a catch-all, a script may perform an unhandled action")
  func performedOfCatchAll() throws {
    try expect(
      findings(
        "menubar { item 'Go' { 'go' } }\nfunction app.on:go() app:perform('nosuch') end\nfunction app:unknown() end"),
      is: [])
  }

  @Test("A8: Each of several findings on one line has its column")
  func columns() throws {
    let found = try findings(
      """
      app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
      function app.on:rate(ctx) end
      app.keys = { b = "rate(rating: 7)", c = { "rate", "rate(rating: 8)" }, d = "rate(rating: 8)" }
      menubar { menu "M" { item "A" { "nosuch" }, item "B" { "nosuch" }, item "F" { "rate(rating: 9)" } } }
      """)
    expect(
      found.map { String($0.prefix { $0 != " " }) },
      is: [
        "app.lua:3:19", "app.lua:3:52", "app.lua:3:77", "app.lua:4:34", "app.lua:4:57", "app.lua:4:80",
      ], "\(found)")
  }

  @Test("A finding about a declared, unhandled action is at its declaration")
  func straysHavePlaces() throws {
    let found = try findings(
      """
      function app.on:rate() end
      app.takes.raet = { n = "integer" }
      app.confirm.raet = "Sure?"
      app.about.raet = "Rate"
      app.needs["r-t"] = "x"
      """)
    expect(
      found.map { String($0.prefix { $0 != " " }) }, is: ["app.lua:2:5", "app.lua:3:5", "app.lua:4:5", "app.lua:5:5"],
      "\(found)")
  }

  @Test("K6, A8: check tests each action of a key bound to a list, and its arguments")
  func listedKeys() throws {
    let found = try findings(
      """
      app.keys.tab = { "indnt", "complet" }
      app.keys["ctrl+k"] = { "indent", "nobody" }
      app.keys["ctrl+l"] = { "move(by: 1)", "move(by: far)" }
      app.takes.move = { by = "integer" }
      function app.on:indent() end
      function app.on:move(ctx) return ctx.by end
      """)
    expect(
      found,
      is: [
        "app.lua:1:19 unanswered-action: 'tab' of 'app' performs 'indnt', but no responder handles it (did you mean 'indent'?)",
        "app.lua:1:28 unanswered-action: 'tab' of 'app' performs 'complet', but no responder handles it",
        "app.lua:2:35 unanswered-action: 'ctrl+k' of 'app' performs 'nobody', but no responder handles it",
        "app.lua:3:40 unfit-argument: 'ctrl+l' of 'app' performs 'move': 'by' must be an integer, not 'far'",
      ])
  }

  @Test("K3: check finds the key of a pane that an item or another pane has; not that of a pane with a 'look'")
  func keysOfPanes() throws {
    let found = try findings(
      """
      panel { beside { pane "a" { title = "A", key = "1", item "x" { "go" } }, pane "b" { title = "B", key = "1", item "y" { "go" } } } }
      function app.on:go() end
      """)
    expect(found, is: ["app.lua:1 key-conflict: '1' doesn't focus pane 'b': pane 'a' (app.lua:1) has the same key"])
    let free = try findings(
      """
      local function look() return { hidden = true } end
      panel { beside { pane "a" { key = "1", look = look, item "x" { "go" } }, pane "b" { key = "1", item "y" { "go" } } } }
      function app.on:go() end
      """)
    expect(free.filter { $0.contains("key-conflict") }, is: [])
    let longer = try findings(
      """
      panel { beside { pane "a" { key = "g", item "x" { "go" } } } }
      menubar { menu "M" { item "Go" { "go", key = "g x" } } }
      function app.on:go() end
      """)
    expect(longer.filter { $0.contains("key-conflict") }, is: [], "a sequence comes before the key of a pane")
  }

  @Test(
    "P1, A8: check tests items of the panel like menus, and the actions of rows that become current"
  )
  func panel() throws {
    let found = try findings(
      """
      panel {
        item "One" { "opn" },
        item "Two" { "open(n: 9)" },
        item "Two" { "open(n: 1)", current = "shwo" },
        section "s" {
          items = function() return { 1 } end, id = tostring, current = "show",
          row = function(v) return item("row " .. v) { "open", args = { n = v } } end,
        },
        item "Three" { "shut" },
      }
      app.takes.open = { n = { "integer", to = 5 } }
      app.takes.show = { m = "integer" }
      function app.on:open(ctx) return ctx.n end
      function app.on:show(ctx) return ctx.m end
      function app.on:shut() end
      function app.can:shut() return false end
      """)
    expect(
      found,
      is: [
        "app.lua:2:17 unanswered-action: item 'One' performs 'opn', but no responder handles it (did you mean 'open'?)",
        "app.lua:3:17 unfit-argument: item 'Two' performs 'open': 'n' must be an integer of 5 or less, not 9",
        "app.lua:4:9 duplicate-title: item 'Two' is twice in the panel (the other is at app.lua:3)",
        "app.lua:4:41 unanswered-action: 'current' of item 'Two' performs 'shwo', but no responder handles it (did you mean 'show'?)",
        "app.lua:6:68 unfit-argument: 'current' of section 's' performs 'show': 'show' takes no 'n'",
        "app.lua:16 no-reason: item 'Three' is disabled without a reason: 'app' refuses 'shut' (give the reason: return false, \"why not\")",
      ])
  }

  @Test("Findings about unhandled dotted names and their handlers use the whole name")
  func unansweredDottedNames() throws {
    let found = try findings(
      """
      menubar { menu "M" { item "A" { "pr.opn" }, item "B" { "menu.file.clsoe" }, item "C" { "a.b" } } }
      app.on["pr.open"] = function() end
      function app.on:close() end
      """)
    expect(
      found,
      is: [
        "app.lua:1:34 unanswered-action: item 'A' performs 'pr.opn', but no responder handles it (did you mean 'pr.open'?)",
        "app.lua:1:57 unanswered-action: item 'B' performs 'menu.file.clsoe', but no responder handles it (did you mean 'menu.file.close'?)",
        "app.lua:1:89 unanswered-action: item 'C' performs 'a.b', but no responder handles it",
        "app.lua:2:9 unnamed-handler: 'on.pr.open' of 'app' handles an action that no item, key or perform names (did you mean 'pr.opn'?)",
        "app.lua:3:17 unnamed-handler: 'on.close' of 'app' handles an action that no item, key or perform names (did you mean 'menu.file.clsoe'?)",
      ])
  }

  @Test("Findings about unhandled actions suggest the nearest name, for items everywhere and for keys")
  func unansweredActions() throws {
    let found = try findings(
      """
      menubar {
        menu "File" {
          item "Save" { "svae", alternates = { alt = item "Save All" { "saveAl" } } },
          section "more" {
            items = { "one", "two" },
            row = function(n) return item(n) { "opne" } end,
          },
        },
      }
      local grid = responder "grid"
      function app.on:save() end
      function grid.on:saveAll() end
      function grid.on:open() end
      grid.keys = { ["ctrl+k"] = "file.sav", ["ctrl+l"] = "file.save" }
      function grid.build:main(m) m:insert_last("File", item "Close" { "clsoe" }) end
      function grid.on:close() end
      app.allow_warnings = { "unnamed-handler" }
      focus(grid)
      """)
    expect(
      found,
      is: [
        "app.lua:3:20 unanswered-action: item 'Save' performs 'svae', but no responder handles it (did you mean 'save'?)",
        "app.lua:3:67 unanswered-action: item 'Save All' performs 'saveAl', but no responder handles it (did you mean 'saveAll'?)",
        "app.lua:6:43 unanswered-action: item 'one' performs 'opne', but no responder handles it (did you mean 'open'?)",
        "app.lua:14:29 unanswered-action: 'ctrl+k' of 'grid' performs 'file.sav', but no responder handles it (did you mean 'file.save'?)",
        "app.lua:15:67 unanswered-action: item 'Close' performs 'clsoe', but no responder handles it (did you mean 'close'?)",
      ])
  }

  @Test(
    "check accepts actions with a possible handler: outside the chain, added later, claimed or the program's",
    arguments: [
      "window 'other' function app:find('other').on:go() end", "responder 'aside' { on = { go = function() end } }",
      "function app:resolve(a) if a == 'go' then self.on.go = function() end return true end end",
      "app.claims = { 'go' } function app:unknown() end", "app.claims = true function app:unknown() end",
      "function app:claims(a) return a == 'go' end function app:unknown() end",
      "function app.on:begin() app:define('go', { on = print }) end app.keys = { b = 'begin' }",
      "function app.on:begin(ctx) app:define(ctx.name, { on = print }) end app.keys = { b = 'begin(name: go)' }",
      "function app.on:begin() self.on.go = print end app.keys = { b = 'begin' }",
      "function app.on:begin() responder 'late' { on = { stop = 1 and print, go = print } } end app.keys = { b = 'begin' }",
      "local on = app.on function app.on:begin() on.go = print end app.keys = { b = 'begin' }",
      "local t = { go = print } function app.on:begin() for n, f in pairs(t) do self.on[n] = f end end app.keys = { b = 'begin' }",
      "local t = { go = true } function app.on:begin() for n in pairs(t) do self.on[n] = print end end app.keys = { b = 'begin' }",
      "function app.on:begin(ctx) responder 'late' { on = { go = ctx.n > 1 and print or nil } } end app.keys = { b = 'begin(n: 2)' }",
      "local t = { go = function() end } function app.on:begin() return t end app.keys = { b = 'begin' }",
      "local function f() end local function all() return { go = f } end function app.on:begin() responder 'late' { on = all() } end app.keys = { b = 'begin' }",
      "class 'walker' { on = { go = function() end } }",
      "local r = responder 'r' function r.on:go() end responder 's' { redirect = 'r' }",
    ])
  func mayBeAnswered(_ script: String) throws {
    let script = script.replacing(
      "window 'other' function app:find('other')", with: "local w = window 'other' function w")
    let silenced = "app.allow_warnings = { 'out-of-chain' } " + script
    try expect(findings("menubar { menu 'M' { item 'Go' { 'go' } } } " + silenced), is: [])
    try expect(
      findings("menubar { menu 'M' { item 'Go' { 'go' } } }", prepare: { $0.on("go") { _ in } }), is: [],
      "the program's")
  }

  @Test(
    "A name without a possible handler doesn't hide an unhandled action of the same name",
    arguments: [
      "responder 'r' { go = 0 }", "responder 'r' { go = {} }", "app.go = 'home'", "go = 1", "function go() end",
      "app.takes.go = { n = 'integer' }", "app.about.go = 'Go'", "function app.can:go() return true end",
      "function app.on:other() self.other.go, self.go = 1, 2 end",
    ])
  func onlyCalledSo(_ script: String) throws {
    let found = try findings("menubar { menu 'M' { item 'Go' { 'go' } } } \(script)")
    expect(found.filter { $0.contains("unanswered-action: item 'Go' performs 'go'") }.count, is: 1, "\(found)")
  }

  @Test(
    "Items, keys, performed strings and the host's actions name a handler",
    arguments: [
      ("item 'A' { 'a' }", "function app.on:a() end", true), ("item 'A' { 'x.a' }", "function app.on:a() end", true),
      ("label 'A'", "function app.on:a() end app.keys = { a = 'a(n: 1)' }", true),
      ("item 'B' { 'b' }", "function app.on:b() app:perform('a') end function app.on:a() end", true),
      ("item 'B' { 'b' }", "function app.on:b() self:perform('a(n: 1)') end function app.on:a() end", true),
      ("item 'B' { 'b' }", "function app.on:b(ctx) app:perform(ctx.raw .. 'x') end function app.on:a() end", true),
      ("item 'B' { 'b' }", "function app.on:b() local p = app.perform p(app, 'a') end function app.on:a() end", true),
      ("item 'B' { 'b' }", "function app.on:b() end observe('a', print) function app.on:a() end", true),
      ("item 'B' { 'b' }", "function app.on:b() end function app.on:openURL() end function app.on:undo() end", true),
      (
        "item 'B' { 'b' }",
        "function app.on:b() end function app.build:photo(m) m:insert_last('root', item 'A' { 'a' }) end function app.on:a() end",
        true
      ),
      ("item 'B' { 'b' }", "function app.on:b() end function app.on:a() end", false),
      ("item 'B' { 'b' }", "function app.on:b() app:perform('c') end function app.on:a() end", false),
      ("label 'nothing'", "function app.on:a() end", true),
    ])
  func namedHandlers(_ item: String, _ script: String, _ isNamed: Bool) throws {
    let found = try findings("menubar { menu 'M' { \(item) } }\n\(script)")
    expect(found.filter { $0.contains("unnamed-handler: 'on.") }.count, is: (isNamed ? 0 : 1), "\(found)")
  }

  @Test("The finding about a handler suggests the misspelt action that probably means it")
  func unnamedHelp() throws {
    let found = try findings(
      "menubar { menu 'M' { item 'Go' { 'og' } } }\nlocal g = responder 'g'\nfunction g.on:go() end")
    expect(
      found,
      is: [
        "app.lua:1:35 unanswered-action: item 'Go' performs 'og', but no responder handles it (did you mean 'go'?)",
        "app.lua:3:15 unnamed-handler: 'on.go' of 'g' handles an action that no item, key or perform names (did you mean 'og'?)",
      ])
  }

  @Test("check finds can, look and needs of actions that their responder doesn't handle, in classes too")
  func strayQuestions() throws {
    let found = try findings(
      """
      local k = class "photo"
      function k.on:rate() end
      function k.can:raet() return true end
      function k.look:rate() return {} end
      local grid = responder "grid" { class = "photo" }
      grid.needs.rate = "photo"
      grid.needs.rat = "photo"
      function grid.can:define() return true end
      grid:define("defined", { can = function() return true end })
      """)
    expect(
      found,
      is: [
        "app.lua:3:16 stray-can: 'can.raet' of class 'photo' is never used: no responder that has it handles 'raet' (did you mean 'rate'?)",
        "app.lua:7:6 stray-can: 'needs.rat' of 'grid' is never used: no responder that has it handles 'rat' (did you mean 'rate'?)",
        "app.lua:8:19 stray-can: 'can.define' of 'grid' is never used: no responder that has it handles 'define'",
      ])
  }

  @Test(
    "check finds keys that functions read and nobody supplies, at the read, unless a script may supply them",
    arguments: [
      (
        "function app.on:go(ctx) return ctx.foto end",
        "app.lua:2:36 unsupplied-key: 'on.go' of 'app' reads 'foto' of the context, but nothing supplies it"
      ),
      (
        "function app.on:go() end function app.can:go(ctx) return ctx:has('foto'), 'no' end",
        "app.lua:2:67 unsupplied-key: 'can.go' of 'app' reads 'foto' of the context, but nothing supplies it"
      ),
      (
        "function app.on:go() end app.needs.go = { foto = 'no' }",
        "app.lua:2:43 unsupplied-key: 'needs.go' of 'app' reads 'foto' of the context, but nothing supplies it"
      ),
      (
        "local r = responder 'r' { needs = { go = { foto = 'no' } } } function r.on:go() end focus(r)",
        "app.lua:2:44 unsupplied-key: 'needs.go' of 'r' reads 'foto' of the context, but nothing supplies it"
      ),
      ("function app.on:go(ctx) return ctx.foto end app.fields = { app.needs, { foto = 1 } }", nil),
      ("function app.on:go(ctx) return ctx.foto end type({ foto = 1 }) app.needs = { go = { by = 'no' } }", nil),
      ("function app.on:go(ctx) return ctx.photo end", nil), ("function app.on:go(ctx) return ctx.by end", nil),
      ("function app.on:go(ctx) return ctx.sender, ctx.args.x end", nil),
      ("function app.on:go(ctx) ctx.mine = 1 return ctx.mine end", nil),
      (
        "function app.on:go() end function app.on:other(ctx) return ctx.foto end app.allow_warnings = { 'unnamed-handler' }",
        nil
      ),
      (
        "function app.on:go(ctx) return ctx.foto end function app.on:x() return { foto = 1 } end app.keys = { x = 'x' }",
        nil
      ),
      (
        "function app.on:go(ctx) return ctx.foto end function app.on:x(ctx) local k = 'foto' ctx[k] = 1 end app.keys = { x = 'x' }",
        nil
      ),
      (
        "local keys = { 'foto' } function app.on:go(ctx) return ctx.foto end function app.on:x(ctx) for _, k in ipairs(keys) do ctx[k] = 1 end end app.keys = { x = 'x' }",
        nil
      ),
      (
        "function app.on:go(ctx) return ctx.foto end function app.on:x() app:perform('go(foto: 1)') end app.keys = { x = 'x' }",
        nil
      ),
    ])
  func unsuppliedKeys(_ script: String, _ expected: String?) throws {
    let found = try findings(
      "menubar { menu 'M' { item 'Go' { 'go(by: 1)' } } } function app:provide(ctx) ctx.photo = 1 end\n\(script)")
    expect(found, is: (expected.map { [$0] } ?? []))
  }

  @Test("The advice for a responder outside the chain is to focus it")
  func wayIn() throws {
    let script =
      "local r = responder 'r' { next = window 'w' } function r.on:b() end menubar { menu 'A' { item 'B' { 'b' } } }"
    try expect(findings(script).first?.hasSuffix("isn't in the chain (put it there: focus(r))"), is: true)
    try expect(findings(script + " focus(r)"), is: [])
  }

  @Test("check counts keys that sections and menus read, too")
  func readsOfMenus() throws {
    let found = try findings(
      """
      menubar { menu "M" {
        look = function(ctx) return { title = ctx.titel } end,
        section "places" {
          items = function(ctx) return ctx.places or { ctx.place } end,
          row = function(place, ctx) return item(place) { "go", subtitle = ctx.sub } end,
        },
      } }
      function app.on:go() end
      function app:provide(ctx) ctx.title = "Go" ctx.place = "here" end
      """)
    expect(
      found,
      is: [
        "app.lua:2:45 unsupplied-key: 'look' of menu 'M' reads 'titel' of the context, but nothing supplies it (did you mean 'title'?)",
        "app.lua:4:38 unsupplied-key: 'items' of section 'places' reads 'places' of the context, but nothing supplies it (did you mean 'place'?)",
        "app.lua:5:74 unsupplied-key: 'row' of section 'places' reads 'sub' of the context, but nothing supplies it",
      ])
  }

  @Test("If a provider is a closure of the program, check assumes that it supplies any key")
  func nativeProviders() throws {
    let script = "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go(ctx) return ctx.foto end"
    try expect(findings(script).count, is: 1)
    try expect(findings(script, prepare: { $0.edit($0.app).provide { $0["foto"] = 1 } }), is: [])
    try expect(findings(script, prepare: { $0["foto"] = 1 }), is: [])
  }

  @Test("check reports items that are disabled without a reason once per place where a script could give it")
  func silentItems() throws {
    let found = try findings(
      """
      menubar {
        menu "M" {
          item "One" { "go(n: 1)" },
          item "Two" { "go(n: 2)" },
          item "Rate" { "rate" },
          item "Off" { "rate(n: 1)", enabled = false },
          item "Said" { "rate(n: 2)", enabled = "not today" },
          item "Empty" {},
        },
      }
      function app.on:go() end
      function app.can:go(ctx) return ctx.n > 2 end
      function app.on:rate() end
      app.needs.rate = "photo"
      function app.on:choose() app.photo = 1 end
      app.keys = { c = "choose" }
      """)
    expect(
      found,
      is: [
        "app.lua:5:11 no-reason: item 'Rate' is disabled without a reason: needs 'photo', but nothing supplies it now (give the reason: needs.rate = { photo = \"why not\" })",
        "app.lua:6:11 no-reason: item 'Off' is disabled without a reason: item 'Off' is declared disabled (give the reason: enabled = \"why not\")",
        "app.lua:8:11 no-reason: item 'Empty' is disabled without a reason: it has no action (give it an action, or make it a label)",
        "app.lua:12 no-reason: item 'One' is disabled without a reason: 'app' refuses 'go' (give the reason: return false, \"why not\")",
      ])
  }

  @Test("check finds duplicate titles side by side, but not of rows, hidden items and items in other menus")
  func duplicateTitles() throws {
    let found = try findings(
      """
      local function go(title) return item(title) { "go" } end
      menubar {
        menu "A" { go "x", menu "y" { go "x" }, separator, menu "z" { inline = true, go "x" } },
        menu "B" { go "x", item "x" { "go", hidden = true }, menu "x" { go "y" } },
        menu "B" { section "rows" { items = { 1, 2 }, row = function() return go "x" end } },
      }
      function app.on:go() end
      """)
    expect(
      found,
      is: [
        "app.lua:1 duplicate-title: item 'x' is twice in menu 'A' (the other is at app.lua:1)",
        "app.lua:5:9 duplicate-title: menu 'B' is twice in the menubar (the other is at app.lua:4)",
      ])
  }

  @Test(
    "Titles that a look shows alternately are no duplicates, but titles hidden together are"
  )
  func titlesInTurns() throws {
    let found = try findings(
      """
      menubar { menu "File" {
        item "Save" { "save" }, item "Save" { "store" },
        item "Go" { "go" }, item "Go" { "come" }, item "Go" { "save" },
        item "Twice" { "go(n: 1)" },
        item "Twice" { "go(n: 1)" },
        item "Alt" { "save", alternates = { alt = item "Alt" { "store" } } },
        menu "a" { inline = true, look = function(ctx) return { hidden = ctx.x } end, item "In" { "save" } },
        menu "b" { inline = true, look = function(ctx) return { hidden = not ctx.x } end, item "In" { "save" } },
        menu "c" { look = function(ctx) return { hidden = ctx.x } end, item "Out" { "save" } },
        menu "c" { look = function(ctx) return { hidden = not ctx.x } end, item "Out" { "save" } },
        menu "d" { inline = true, look = function(ctx) return { hidden = ctx.x } end,
          item "Both" { "save" },
          item "Both" { "store" } },
      } }
      function app.on:save() end function app.on:store() end function app.on:go() end function app.on:come() end
      function app.look:go(ctx) return { hidden = not ctx.x } end
      function app.look:come(ctx) return { hidden = ctx.x } end
      function app:provide(ctx) ctx.x = true end
      """)
    expect(
      found,
      is: [
        "app.lua:2:9 duplicate-title: item 'Save' is twice in menu 'File' (the other is at app.lua:2)",
        "app.lua:5:9 duplicate-title: item 'Twice' is twice in menu 'File' (the other is at app.lua:4)",
        "app.lua:13:11 duplicate-title: item 'Both' is twice in menu 'd' (the other is at app.lua:12)",
      ])
  }

  @Test(
    "check finds a responder outside the chain only if nothing can bring it in",
    arguments: [
      ("focus(page)", false), ("page.next = app focus(page)", false), ("local f = focus f(page)", false),
      ("function app.on:open() focus(page) end app.keys = { o = 'open' }", false),
      ("function app.on:open() modal(page) end app.keys = { o = 'open' }", false),
      ("local f = focus function app.on:open() f(page) end app.keys = { o = 'open' }", false),
      ("function app.on:open() window 'w':make_key() end app.keys = { o = 'open' }", false),
      ("local d = responder 'd' function app.on:open() d.next = page end app.keys = { o = 'open' } focus(d)", false),
      ("app.redirect = 'page'", false), ("function app:redirect(action) return page end", false),
      ("app.delegate = page", false), ("function app.on:go() end", false),
      ("local w = window 'w' w.delegate = page", false),
      ("", true), ("local d = responder 'd' focus(d)", true), ("page.next = responder 'd'", true),
      ("page.keys = { g = 'go' }", true),
    ])
  func outsideOfTheChain(_ script: String, _ isTold: Bool) throws {
    let found = try findings(
      """
      menubar { menu "M" { item "Go" { "go" } } }
      local page = responder "page"
      function page.on:go() end
      \(script)
      """)
    expect(found.filter { $0.contains("out-of-chain") }.count, is: (isTold ? 1 : 0), "\(found)")
  }

  @Test("If the program makes a responder, check reports no responder outside the chain")
  func programsOwn() throws {
    let script = "menubar { menu 'M' { item 'Go' { 'go' } } } local p = responder 'p' function p.on:go() end"
    try expect(findings(script).count, is: 1)
    try expect(findings(script, prepare: { _ = try $0.responder("canvas") }), is: [])
  }

  @Test(
    "A field that a script reads, an unlike name or a wrong type is no misspelling",
    arguments: [
      ("app.titel = 'x'", true), ("app.titel = 'x' function app.on:go() return self.titel end", false),
      ("app.titel = 'x' function app.on:go() return self['titel'] end", false), ("app.titel = 5", false),
      ("app.note = 'x'", false), ("app.colour = 'x'", false), ("function app:provid(ctx) end", true),
      ("app.provid = 5", false), ("class 'k' { calims = true }", true), ("class 'k' { count = 1 }", false),
      ("local r = responder 'r' r.nxt = app", true), ("local r = responder 'r' { redirct = 'app' }", true),
    ])
  func misspeltFields(_ script: String, _ isTold: Bool) throws {
    let found = try findings(script)
    expect(found.filter { $0.contains("misspelt-field") }.count, is: (isTold ? 1 : 0), "\(found)")
  }

  @Test(
    "check finds functions without self by their parameters: a handler with the responder first is correct",
    arguments: [
      ("function app.on.go(ctx) end", true), ("function app.on:go(ctx) end", false),
      ("app.on.go = function(self, ctx) end", false), ("app.on.go = function(_, ctx) end", false),
      ("app.on.go = function() end", false), ("app.on.go = print", false), ("app.on.go = function(me) end", false),
      ("function app.on.go(context) end", true), ("function app.look.go(ctx) end function app.on:go() end", true),
      ("function app.provide(ctx) end", true), ("function app.resolve(action) end", true),
      ("function app.failed(args) end", true), ("function app.build.main(m) end", true),
      ("class 'k' { on = { go = function(ctx) end } }", true),
      ("class 'k' { on = { go = function(_, ctx) end } }", false),
    ])
  func withoutSelf(_ script: String, _ isTold: Bool) throws {
    let found = try findings(script)
    expect(found.filter { $0.contains("missing-self") }.count, is: (isTold ? 1 : 0), "\(found)")
  }

  @Test(
    "check finds a can that returns only a text, but not a text after false or in an expression",
    arguments: [
      ("return 'no'", true), ("if self.x then return 'no' end return true", true), ("return self.x or 'no'", true),
      ("return false, 'no'", false), ("return self.x, 'no'", false), ("return self.name", false),
      ("local reason = 'no' return not self.x, reason", false), ("return ctx:has('no')", false),
      ("return self.x == 'no'", false),
    ])
  func textsOfCan(_ body: String, _ isTold: Bool) throws {
    let found = try findings("function app.on:go() end function app.can:go(ctx) \(body) end")
    expect(found.filter { $0.contains("text-as-yes") }.count, is: (isTold ? 1 : 0), "\(found)")
  }

  @Test(
    "check finds an on that returns a reason after false or nil, as a can does",
    arguments: [
      ("return false, 'no'", true), ("if self.x then return nil, 'no' end", true), ("return false", false),
      ("return 'a', 'b'", false), ("return true, 'no'", false), ("return not self.x, 'no'", false),
      ("return self.x == nil, 'no'", false), ("ctx:refuse('no')", false),
      ("local function f() return nil, 'no' end return f()", false),
    ])
  func denialsOfOn(_ body: String, _ isTold: Bool) throws {
    let found = try findings("app.keys.x = 'go' function app.on:go(ctx) \(body) end")
    expect(found.filter { $0.contains("no-as-done") }.count, is: (isTold ? 1 : 0), "\(found)")
  }

  @Test(
    "Showing an app reports an items that never returns; check also reports an items that returns nil",
    arguments: [
      ("function() end", "never returns anything", true), ("function(ctx) return nil end", "returns nil now", false),
      ("function(ctx) return app.list end", "returns nil now", false), ("function(ctx) return {} end", nil, false),
      ("function(ctx) if ctx.x then return {} end end", "returns nil now", false), ("{}", nil, false),
      ("function() error \"no\" end", nil, false),
    ])
  func listless(_ items: String, _ sentence: String?, _ isMistake: Bool) throws {
    let host = ScriptHost()
    try host.load(
      text: "menubar { menu 'M' { section 's' { items = \(items), row = function(v) return label(v) end } } }",
      name: "a.lua")
    expect(
      host.check().filter { $0.code == "no-list" }.map(\.message),
      is: (sentence.map { ["'items' of section 's' \($0)"] } ?? []))
    expect(host.mistakes().count, is: (isMistake ? 1 : 0))
  }

  @Test("S1: check ends in bounded time, for any number of declarations")
  func manyDeclarations() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        local items = {}
        for i = 1, 600 do items[i] = item("i" .. i) { "act" .. i } end
        menubar { menu "M" { menu "N" (items) } }
        for i = 1, 60 do class("k" .. i) { class = i > 1 and "k" .. i - 1 or nil, on = { ["act" .. i] = function() end } } end
        for i = 1, 100 do local r = responder("r" .. i) { class = "k60" } for j = 1, 20 do r["titel" .. j] = j end end
        for i = 1, 4000 do app["titl" .. i] = "x" end
        """, name: "app.lua")
    let start = ContinuousClock.now
    expect(host.mistakes().count < 400)
    expect(host.validate("act7").reason?.hasPrefix("nobody handles 'act7'") ?? false)
    expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("check tests keys of rows too")
  func keysOfRows() throws {
    let found = try findings(
      """
      menubar {
        menu "A" {
          item "x" { "go", key = "1" },
          section "rows" { items = { "r" }, row = function(t) return item(t) { "go", key = "1" } end },
        },
      }
      function app.on:go() end
      """)
    expect(found, is: ["app.lua:4 key-conflict: '1' doesn't pick item 'r': item 'x' (app.lua:3) has the same key"])
  }

  @Test("check includes diagnostics of the load and errors that functions raise during the check")
  func otherFindings() throws {
    let found = try findings(
      """
      menubar { menu "A" { item "x" { "go", colour = 1 } } }
      function app.on:go() end
      function app.can:go() error("broken") end
      """)
    expect(found.count, is: 2)
    expect(found[0].hasPrefix("app.lua:1:39 unknown-field: "))
    expect(found[1].hasPrefix("app.lua:3") && found[1].contains("script: broken"))
  }

  @Test("allow_warnings is a list of codes, and check finds an unknown code")
  func allowedWarnings() throws {
    try expect(
      findings("app.allow_warnings = { 'no-raeson' }"),
      is: [
        "app.lua:1:24 unknown-code: app.allow_warnings names 'no-raeson', but no warning has that code (did you mean 'no-reason'?)"
      ])
    for wrong in ["'no-reason'", "{ 1 }", "{ a = 'no-reason' }", "true"] {
      #expect(throws: LoadError.self) { try findings("app.allow_warnings = \(wrong)") }
    }
  }

  @Test("The example apps have no findings")
  func examplesAreClean() throws {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    for path in ["scripts/hello.lua", "scripts/photos/app.lua", "Tests/Apps/photos.lua"] {
      let host = ScriptHost()
      try host.load(path: "\(folder)/\(path)")
      expect(host.check().isEmpty, "\(path): \(host.check())")
      // The example apps have no findings after actions either.
      for action in ["next", "export(format: jpeg)", "delete"] { host.perform(action) }
      expect(host.check().isEmpty, "\(path): \(host.check())")
    }
  }
}
