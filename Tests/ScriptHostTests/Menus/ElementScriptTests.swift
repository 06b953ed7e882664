import Expectations
import Testing

@testable import ScriptHost

@Suite("Menu elements, as scripts declare them")
struct ElementScriptTests {
  @Test("Snapshots and app:item have every field of an item")
  func fields() throws {
    try expect(
      """
      menubar { menu "A" { item "T" {
        "x(a: 1, b: [2])", id = "t", key = "Shift+CTRL+K", args = { b = "own", c = { d = 1 } }, subtitle = "s", icon = "i", state = true, hidden = false,
        destructive = true, keeps_open = true, confirm = "sure?", alternates = { alt = item "O" { "y", id = "o" } },
      } } }
      function app.on:x() end
      function app.on:go()
        local i = app:item("t")
        print(i.kind, i.id, i.title, i.subtitle, i.action, i.key, i.enabled, i.hidden, i.state, i.by, i.icon, i.destructive, i.keeps_open, i.confirm)
        print(i.args.a, i.args.b, i.args.c.d)
        print(i.alternates.alt.id, i.alternates.alt.title, i.alternates.alt.reason)
        print(app:item("o").action, app:item("nosuch"))
        print(app:menu("A").title, #app:menu("A").children, app:menu("t"))
        local root = app:menu()
        print(root.kind, root.id, #root.children)
      end
      """,
      prints: """
        item\tt\tT\ts\tx(a: 1, b: [2])\tctrl+shift+k\ttrue\tfalse\ton\tapp\ti\ttrue\ttrue\tsure?
        1\town\t1
        o\tO\tnobody handles 'y'
        y\tnil\tthere is no element 'nosuch'
        A\t1\tnil\t't' is an item, not a menu
        menu\troot\t1
        """)
  }

  @Test(
    "A wrong element is an error at its line",
    arguments: [
      (#"item "T" { "a(" }"#, "the action of item 'T': expected a key or ')' but the reference ends"),
      (
        #"item "T" { "a" .. "(" }"#, "the action of item 'T': expected a key or ')' but the reference ends, at column 3"
      ),
      (
        #"item "T" { key = "control+k" }"#,
        "the key of item 'T': there is no modifier 'control'; did you mean 'ctrl'?"
      ),
      (
        #"item "T" { "x", state = function() end }"#,
        "'state' of item 'T' must be a plain value, not a function: to change it later, write a 'look' of the action or the menu"
      ),
      (
        #"item(function() end)"#,
        "the title of an item must be a plain value, not a function: to change it later, write a 'look' of the action or the menu"
      ),
      (
        #"item "T" { "x", enabled = function() end }"#,
        "'enabled' of item 'T' must be a plain value, not a function: write a 'can' beside the handler: function page.can:save() … end"
      ),
      (
        #"item "T" { function() end }"#,
        "'1' of item 'T' must be the name of an action, not a function: put the function into a handler: function page.on:save() … end"
      ),
      (#"item "T" { 5 }"#, "'1' of item 'T' must be an action's reference as a string, not a number"),
      (#"item "T" { "x", hidden = 1 }"#, "'hidden' of item 'T' must be a boolean, not a number"),
      (#"item "T" { "x", subtitle = {} }"#, "'subtitle' of item 'T' must be a string, not a table"),
      (
        #"item "T" { "x", state = "maybe" }"#,
        "'state' of item 'T' must be a boolean, \"on\", \"off\" or \"mixed\", not \"maybe\""
      ),
      (#"item "T" { "x", args = { 1 } }"#, "the args of item 'T' have names, not a number as key"),
      (#"item "T" { "x", id = "" }"#, "the id of item 'T' can't be empty"),
      (#"item "T" { "x", id = ("i"):rep(257) }"#, "the id of item 'T' can have 256 bytes at most, this one has 257"),
      (#"item "T" { "x", id = "a\n" }"#, "the id of item 'T' can't have control characters"),
      (#"item "T" { "x", alternates = { alt = 1 } }"#, "the alternate 'alt' of item 'T' must be an item, not a number"),
      (
        #"item "T" { "x", alternates = { all = item "O" } }"#,
        "the alternates of item 'T' need modifiers as names: there is no modifier 'all'; did you mean 'alt'?"
      ),
      (
        #"item "T" "x""#,
        "item 'T' takes a table of its fields, not a string; put its action in braces: { \"x\" }"
      ),
      (#"item()"#, "the title of an item must be a string, not nil"),
      (#"item(5)"#, "the title of an item must be a string, not a number; write tostring(…)"),
      (#"menu "T" { look = 1 }"#, "'look' of menu 'T' must be a function, not a number"),
      (#"section "s" { items = {} }"#, "section 's' needs 'row', a function that makes an element of each value"),
      (#"section "s" { row = print }"#, "section 's' needs 'items', a list of values or a function that returns one"),
      (#"section "s" { row = print, items = 1 }"#, "'items' of section 's' must be a function or a list, not a number"),
      (#"menubar(item "T")"#, "menubar takes a table of menus, not a menu element"),
      (
        "menubar { menu \"A\" { item \"T\" { \"x\" }\n (item \"U\") } }",
        "item 'T' is called like a function; put a comma after it"
      ),
      (
        "menubar { menu \"A\" { separator\n { item \"U\" } } }",
        "the separator is called like a function; put a comma after it"
      ),
      (
        "menubar { menu \"A\" { item \"T\" {}\n item \"U\" {} } }",
        "'}' expected (to close '{' at line 1) near 'item'; put a comma before it"
      ),
      (#"item "T" { "x" key = "k" }"#, "'}' expected near 'key'; put a comma before it"),
      (#"item "T" { id = "x" "y" }"#, "'}' expected near '\"y\"'; put a comma before it"),
      (#"if item "T" { id = "x" then end"#, "'}' expected near 'then'"),
      (
        "local item = 'x'\nitem 'T' { 'x' }",
        "attempt to call a string value (local 'item'): rename this local, it hides the host's 'item'"
      ),
      (#"menubar {} menubar {}"#, "the menubar is declared already (the other is at app.lua:1)"),
      (
        "menubar { menu \"A\" { id = \"k\" },\nmenu \"B\" { item \"T\" { \"x\", id = \"k\" } } }",
        "the id 'k' is used twice, on menu 'A' too (the other is at app.lua:1)"
      ),
      (#"menubar { menu "A" { id = "root" } }"#, "'root' is the id of the tree itself"),
      (#"item "T" {}.title = "U""#, "item 'T' can't be changed: set its fields where you declare it"),
    ])
  func errors(script: String, message: String) throws {
    let script = script.contains("}.title") ? "local i = item \"T\" {} i.title = \"U\"" : script
    let found = try loadError(script)
    let place = found.prefix { $0 != " " }
    expect(found.dropFirst(place.count + 1) == message, "\(found)")
    expect(place.hasPrefix("app.lua:"))
  }

  @Test("E4: A duplicate id is one error, at the place of the second")
  func idsTwice() throws {
    let error = try loadError(
      "menubar {\n  menu \"A\" { id = \"k\" },\n  menu \"B\" { item \"T\" { \"x\", id = \"k\" } } }")
    expect(error, is: "app.lua:3: the id 'k' is used twice, on menu 'A' too (the other is at app.lua:2)")
  }

  @Test("I7: A malformed reference in a menu declaration is a load error with file and line")
  func malformed() throws {
    let error = try loadError("menubar {\n  menu \"A\" {\n    item \"T\" { \"a(k:)\" },\n  },\n}")
    expect(error.hasPrefix("app.lua:3:21: the action of item 'T': expected a value"))
    let below = try loadError("menubar {\n  menu \"A\" {\n    item \"T\" {\n      'a(k:)' },\n  },\n}")
    expect(below.hasPrefix("app.lua:4:12: the action of item 'T': expected a value"))
  }

  @Test("Unknown fields and values that aren't elements are warnings with their place; nil and false are skipped")
  func warnings() throws {
    let stage = try ScriptStage(
      """
      local list = { [30] = item "c" { "x" }, [2] = item "b" { "x" }, [-1] = item "never" { "x" }, [1.5] = 1, single = true }
      list[1] = item "a" { "x" }
      menubar {
        menu "A"(list),
        menu "B" { nil, false, item "d" { "x", subtitel = "s" }, "text", {}, true, inlin = true, nil and item "e" { "x" }, [40] = false },
        menu "C" { item "e" { "x", "y", args = { sender = 1 } } }, title = "T",
      }
      function app.on:x() end
      """)
    expect(stage.drawn, is: "A\n  a\n  b\n  c\nB\n  d\nC\n  e")
    expect(
      stage.host.takeDiagnostics().map { "\($0.place?.description ?? ""): \($0.message) \($0.help ?? "")" }.sorted(),
      is: [
        "app.lua:4: entry -1 of menu 'A' can't have a name, so the host skips it ",
        "app.lua:4: entry 1.5 of menu 'A' is a number, no menu element, so the host skips it ",
        "app.lua:5: entry 4 of menu 'B' is a string, no menu element, so the host skips it; write an item: item \"…\" { \"text\" } ",
        "app.lua:5: entry 5 of menu 'B' is a table, no menu element, so the host skips it ",
        "app.lua:5: entry 6 of menu 'B' is a boolean, no menu element, so the host skips it ",
        "app.lua:5:42: item 'd' has no field 'subtitel' did you mean 'subtitle'?",
        "app.lua:5:78: menu 'B' has no field 'inlin' did you mean 'inline'?",
        "app.lua:6: item 'e' has an argument 'sender', which hides behind a name of the host: read it as ctx.args.sender ",
        "app.lua:6: item 'e' takes one action and named fields: the host skips the rest ",
        "app.lua:6:62: menubar has no field 'title' ",
      ])
  }

  @Test(
    "An element's id is its given id or its escaped path of titles; the second equal path is #2, given ids win")
  func ids() throws {
    let stage = try ScriptStage(
      """
      menubar {
        menu "A/B" { item "C" { "x" }, item "C" { "x" }, item "C" { "x" }, separator, item "D" { "x", id = "d" }, label "L",
          menu "I" { inline = true, item "i" { "x" } }, menu "S" { id = "s", item "C" { "x" } },
          section "sec" { header = "H", items = { "r" }, row = function(v) return item(v) { "x" } end },
          section "rows" { items = { 7 }, id = function(v) return v end, row = function(v) return item(v .. "") { "x", id = "mine" } end } },
        menu "Z" { item "z" { "x", id = "Z" } },
      }
      function app.on:x() end
      """)
    expect(
      stage.host.menus().ids,
      is: [
        #"A\/B"#, #"A\/B/C"#, #"A\/B/C#2"#, #"A\/B/C#3"#, #"A\/B/"#, "d", #"A\/B/L"#, #"A\/B/I/^"#, #"A\/B/I/i"#,
        #"A\/B/I/$"#, "s",
        #"A\/B/S/C"#, "sec/header", #"A\/B/r"#, "7", "Z#2", "Z",
      ])
  }

  @Test("The host replaces characters that can't be shown and cuts long texts, each with a warning")
  func texts() throws {
    let stage = try ScriptStage(
      #"""
      menubar { menu "A" { item "a\27[31mb" { "x" }, item("\xff\xfe!") { "x" }, item(("é"):rep(3000)) { "x" }, item "l" { "x" } } }
      function app.on:x() end
      function app.look:x(ctx) if ctx.sender.title == "l" then return { title = "b\7l" } end end
      """#)
    let titles = stage.host.menus().children[0].children.map(\.title)
    expect(titles, is: ["a\u{FFFD}[31mb", "\u{FFFD}\u{FFFD}!", String(repeating: "é", count: 2048), "b\u{FFFD}l"])
    expect(stage.host.takeDiagnostics().map(\.code), is: ["text", "text", "text", "text"])
  }

  @Test(
    "C7, D13: A picked item is the sender, with its arguments; a modifier picks an alternate, and confirm asks first")
  func picking() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" {
        item "T" { "x(a: 1, b: 2)", key = "ctrl+t", args = { b = 3, f = print }, alternates = { ["shift+alt"] = item "O" { "y" } } },
        item "D" { "x(a: 9)", confirm = "sure?" },
      } }
      function app.on:x(ctx) return table.concat({ ctx.sender.id, ctx.sender.title, ctx.sender.action, ctx.sender.key or "", ctx.a, ctx.b or "" }, " ") end
      function app.on:y(ctx) return ctx.sender.id .. (ctx.modifiers.alt and " alt" or "") end
      function app.on:go()
        print(line(app:pick("A/T")))
        print(line(app:pick("A/T", { "alt", shift = true, ctrl = false })))
        print(line(app:pick("A/T", { alt = true })))
        print(line(app:pick("A/O")))
        print(line(app:pick("A/D")))
        print(line(app:pick("A/D", { confirmed = true })))
        print(line(app:pick("A/D", {}, { confirmed = true })))
        print(select(2, pcall(function() app:pick("A/D", { al = true }) end)))
        print(select(2, pcall(function() app:pick("A/D", { yes = true }) end)))
        print(select(2, pcall(function() app:pick("A/D", { "hold" }) end)))
        print(select(2, pcall(function() app:perform("y", nil, { modifiers = { hold = true } }) end)))
      end
      """)
    let expected = [
      "handled by app via on → A/T T x(a: 1, b: 2) ctrl+t 1 3", "handled by app via on → A/O alt",
      "handled by app via on → A/T T x(a: 1, b: 2) ctrl+t 1 3", "handled by app via on → A/O",
      "asks by app via on", "handled by app via on → A/D D x(a: 9)  9 ",
      "handled by app via on → A/D D x(a: 9)  9 ",
      "app.lua:15: there is no modifier 'al'; did you mean 'alt'?",
      "app.lua:16: there is no modifier 'yes'; did you mean 'confirmed'?",
      "app.lua:17: there is no modifier 'hold': the modifiers are ctrl, alt, shift, super and mod",
      "app.lua:18: there is no modifier 'hold': the modifiers are ctrl, alt, shift, super and mod",
    ]
    _ = stage.perform("go")
    expect(stage.takePrinted(), is: expected)
    expect(stage.host.pick("A/D").asks?.confirm, is: "sure?")
    expect(stage.host.pick("A/D", confirmed: true).status, is: .handled)
    expect(stage.host.pick("A/D", confirmed: false).status, is: .cancelled)
  }

  @Test("D13: A pick with an unknown modifier is refused, in the menus and in an open menu; names have any case")
  func unknownModifiers() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "T" { "x", alternates = { alt = item "O" { "y" } } } } }
      function app.on:x() return "x" end
      function app.on:y() return "y" end
      """)
    let known = "the modifiers are ctrl, alt, shift, super and mod"
    expect(stage.host.pick("A/T", modifiers: ["hold"]).error?.message, is: "there is no modifier 'hold': \(known)")
    let both = stage.host.pick("A/T", modifiers: ["alt", "cntrl"])
    expect(both.error?.message, is: "there is no modifier 'cntrl'; did you mean 'ctrl'?")
    expect(stage.host.pick("A/T", modifiers: ["ALT"]).line.hasSuffix(#"→ text("y")"#))
    let open = try stage.host.openMenu("A")
    expect(open.pick("A/T", modifiers: ["hold"]).error?.message, is: "there is no modifier 'hold': \(known)")
    expect(open.isOpen)
    expect(open.pick("A/T", modifiers: ["alt"]).line.hasSuffix(#"→ text("y")"#))
  }

  @Test("E3: A failed load removes the script's declarations and its menubar")
  func failedLoad() throws {
    let stage = try ScriptStage(#"menubar { menu "A" { item "a" { "x" } } } function app.on:x() end"#)
    let before = stage.host.menus()
    #expect(throws: LoadError.self) {
      try stage.load(
        #"menubar { menu "B" { item "b" { "x" } } } function app.build:main(m) m:remove("A") end error("no")"#,
        name: "b.lua")
    }
    expect(stage.host.menus(), is: before)
    try stage.load(
      #"menubar { menu "B" { item "b" { "x" } } } function app.build:main(m) m:remove("A/a") end"#, name: "b.lua")
    expect(stage.drawn, is: "A {there is nothing in 'A' to pick}\nB\n  b")
  }

  @Test("Elements are values: you can use one twice, and place it later")
  func values() throws {
    let stage = try ScriptStage(
      """
      local shared, list = item "s" { "x" }, {}
      local m = menu "M"(list)
      for i = 1, 3 do list[#list + 1] = item("i" .. i) { "x" } end
      print(shared, shared.kind, shared.title, shared.id, m, separator)
      menubar { menu "A" { shared, separator, shared }, menu "B" { shared, m } }
      function app.on:x() end
      """)
    expect(stage.takePrinted(), is: ["item 's'\titem\ts\tnil\tmenu 'M'\tthe separator"])
    expect(stage.drawn, is: "A\n  s\n  ---\n  s\nB\n  s\n  M\n    i1\n    i2\n    i3")
  }

  @Test("A script can make 10,000 items, and the memory of its elements is bounded")
  func many() throws {
    let host = ScriptHost(limits: .patient)
    try host.load(
      text: """
        local list = {}
        for i = 1, 10000 do list[i] = item("item " .. i) { "x(n: " .. i .. ")" } end
        menubar { menu "A"(list) }
        function app.on:x(ctx) return ctx.n end
        function app.can:x(ctx) return ctx.n % 2 == 0, "odd" end
        """, name: "app.lua")
    let menu = host.menus().children[0]
    expect(menu.children.count == 10_000 && menu.children.filter(\.isEnabled).count == 5000)
    expect(host.pick("A/item 9998").result.shownInteger, is: 9998)
    let small = ScriptHost(limits: HostLimits(memory: 2 << 20, load: .milliseconds(60_000)))
    let error = try #require(throws: LoadError.self) {
      try small.load(
        text: "local list = {} local t = ('x'):rep(4000) for i = 1, 1e6 do list[i] = menu(t) end", name: "app.lua")
    }
    expect(
      error.description,
      is:
        "app.lua:1: the menu elements, the lines of texts and the results of jobs that the scripts hold have more than 2097152 bytes together"
    )
    try expect(
      loadError("local m = item 'i' for i = 1, 60 do m = menu 'm' { m, m } end menubar { m }"),
      is: "app.lua:1: a menu can have 100000 elements at most")
  }
}
