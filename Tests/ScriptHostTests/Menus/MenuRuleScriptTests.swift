import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Menus, as scripts declare them")
struct MenuRuleScriptTests {
  /// A near and a far responder that both build, and a menu with two items.
  private static let building = """
    menubar { menu "A" { item "one" { "x" }, item "two" { "x" } } }
    local far = responder "far"
    local near = responder "near" { next = far }
    function app.on:x() end
    focus(near)
    """

  @Test("M5: A row whose action alone has changed performs the new action")
  func changedAction() throws {
    let stage = try ScriptStage(
      """
      does = "one"
      menubar { menu "M" { section "s" { items = function() return { "a" } end, id = function(v) return v end,
        row = function(v) return item(v) { does } end } } }
      function app.on:one() return "one" end
      function app.on:two() return "two" end
      function app.on:change() does = "two" end
      """)
    expect(stage.host.pick("a").result.shownText, is: "one")
    stage.host.perform("change")
    _ = stage.host.menus()
    expect(stage.host.pick("a").result.shownText, is: "two")
  }

  @Test("M7: A row with the id of another gets a number that no row has")
  func numberedIDs() throws {
    let host = try ScriptStage(
      """
      menubar { menu "M" { section "s" { items = { "a", "a", "a#2" }, id = function(v) return v end,
        row = function(v) return item("row " .. v) { "go" } end } } }
      """
    ).host
    var ids: [String: String] = [:]
    for item in host.menus().children[0].children { ids[item.id] = item.title }
    expect(ids, is: ["a": "row a", "a#3": "row a", "a#2": "row a#2"])
  }

  @Test("M9, D1: A picked item that nobody handles is disabled as it is drawn, and names who would handle it elsewhere")
  func handledElsewhere() throws {
    let host = try ScriptStage(
      """
      menubar { menu "M" { item "Go" { "go", id = "go" }, item "No" { "no", id = "no" } } }
      local other = responder "other"
      function other.on:go() end
      """
    ).host
    let (picked, performed) = (host.pick("go"), host.perform("go"))
    expect(picked.status == .disabled && picked.elsewhere == "other", "\(picked)")
    expect(performed.status == .unhandled && performed.elsewhere == "other", "\(performed)")
    expect(host.pick("no").status, is: .disabled)
  }

  @Test("M1: Builders run after the declaration, nearest first, each on the result of the previous builder")
  func builders() throws {
    let stage = try ScriptStage(
      Self.building + """

        function near.build:main(m)
          print("near", m:insert_last("A", item "near" { "x" }))
        end
        function far.build:main(m)
          print("far", m:find("A/near").title, m:replace("A/one", item "far" { "x" }))
        end
        function app.build:main(m)
          print("app", m:remove("A/two"), m:insert_before("A/far", item "app" { "x" }), m:insert_after("A/app", separator))
        end
        """)
    expect(stage.drawn, is: "A\n  app\n  ---\n  far\n  near")
    expect(stage.takePrinted(), is: ["near\ttrue", "far\tnear\ttrue", "app\ttrue\ttrue\ttrue"])
    // The declaration is unchanged: a rebuild begins with it.
    stage.host.rebuild()
    expect(stage.drawn, is: "A\n  app\n  ---\n  far\n  near")
    expect(stage.takeMessages(), is: [])
  }

  @Test("M2: insert_first twice with A, then B, gives B, A")
  func insertFirst() throws {
    let stage = try ScriptStage(
      Self.building + """

        function near.build:main(m)
          m:insert_first("A", item "A" { "x" })
          m:insert_first("A", item "B" { "x" })
          m:insert_last("A", item "C" { "x" })
          m:insert_last("A", item "D" { "x" })
          m:insert_first("root", menu "R" { item "r" { "x" } })
        end
        """)
    expect(stage.drawn, is: "R\n  r\nA\n  B\n  A\n  one\n  two\n  C\n  D")
  }

  @Test(
    "M2: replace_children passes the children and uses the returned list; a builder can move an element that it found")
  func replaceChildren() throws {
    let stage = try ScriptStage(
      Self.building + """

        function near.build:main(m)
          m:insert_last("root", menu "B" {})
          local two = m:find("A/two")
          m:replace_children("A", function(children)
            print(#children, children[1].id, children[1].kind, children[2].action)
            return { children[2], item "new" { "x" }, false, children[1] }
          end)
          m:remove("A/two")
          m:insert_last("B", two)
        end
        """)
    expect(stage.drawn, is: "A\n  new\n  one\nB\n  two")
    expect(stage.takePrinted(), is: ["2\tA/one\titem\tx"])
  }

  /// A mutation of `BuilderCalls` that also warned of `false` survived without this test.
  @Test("M2: replace_children skips nil and false, and reports each value that isn't an element, once")
  func replaceChildrenWithOthers() throws {
    let stage = try ScriptStage(
      Self.building + """

        function near.build:main(m)
          m:replace_children("A", function(c) return { c[1], 5, false, c[2] } end)
        end
        """)
    expect(stage.drawn, is: "A\n  one\n  two")
    expect(
      stage.host.takeDiagnostics().map { "\($0.severity) \($0.code) \($0.place?.line ?? 0): \($0.message)" },
      is: [
        "warning not-an-element 7: entry 2 of the new children is a number, no menu element, so the host skips it"
      ])
  }

  @Test(
    "M1: An unknown or duplicate id returns false and a message, makes a diagnostic and changes nothing")
  func refusals() throws {
    let stage = try ScriptStage(
      Self.building + """

        function near.build:main(m)
          print(m:remove("A/oen"))
          print(m:insert_last("A/one", item "x" { "x" }))
          print(m:insert_last("A", item "x" { "x", id = "k" }))
          print(m:insert_last("A", item "y" { "x", id = "k" }))
          print(m:replace("A/two", menu "M" { item "a" { "x", id = "k" } }))
          print(m:remove("root"))
          print(m:find("nosuch"))
          print(m:replace("k", item "z" { "x", id = "k" }))
          print(m:find("A/two").title)
        end
        """)
    expect(stage.drawn, is: "A\n  one\n  two\n  z")
    expect(
      stage.takePrinted(),
      is: [
        "false\tthere is no element 'A/oen'; did you mean 'A/one'?",
        "false\t'A/one' is no menu, so nothing can be added to it", "true",
        "false\tthe id 'k' is used twice, on item 'x' too (the other is at app.lua:9)",
        "false\tthe id 'k' is used twice, on item 'x' too (the other is at app.lua:9)",
        "false\t'root' can't be an anchor: it is the whole tree",
        "false\tthere is no element 'nosuch'", "true", "two",
      ])
    expect(
      stage.host.takeDiagnostics().map { "\($0.severity) \($0.place?.line ?? 0)" },
      is: ["warning 7", "warning 8", "warning 10", "warning 11", "warning 12", "note 13"])
  }

  @Test("M1: The host reports a failing builder and runs the others; a builder is a question, so it can't do anything")
  func brokenBuilders() throws {
    let stage = try ScriptStage(
      Self.building + """

        function near.build:main(m) error("broken") end
        function far.build:main(m)
          kept = m
          print(pcall(app.perform, app, "x"))
          print(pcall(focus, near))
          print(pcall(function() near.on.y = print end))
          print(pcall(m.remove, "A/one"))
          print(pcall(function() return m.insert_frist end))
          print(pcall(function() return m.append end))
          m:remove("A/one")
        end
        kept = nil
        function app.on:late() print(pcall(kept.remove, kept, "A/two")) end
        """)
    expect(stage.drawn, is: "A\n  two")
    let printed = stage.takePrinted().map { String($0.split(separator: "\t", maxSplits: 1)[1]) }
    expect(printed[0].contains("performing is not possible here"))
    expect(printed[1].contains("focusing is not possible here"))
    expect(printed[2].contains("registering is not possible here"))
    expect(printed[3].contains("call it with a colon: m:remove(…)"))
    expect(printed[4].contains("a builder has no 'insert_frist'; did you mean 'insert_first'?"))
    expect(printed[5].contains(#"a builder has no 'append'; to add at the end: m:insert_last("root", element)"#))
    expect(stage.takeMessages(), is: ["the builder of 'near' for 'main' failed: broken"])
    _ = stage.perform("late")
    expect(stage.takePrinted()[0].contains("only in a builder, while it runs"))
  }

  @Test("M1, M10: Builders and sections are questions even if an action makes the menu: they can't act in its name")
  func asking() throws {
    let stage = try ScriptStage(
      """
      local handler
      local function try(who)
        for _, call in ipairs { function() sleep(1) end, function() handler:undo(print) end, function() handler:refuse() end } do
          local ok, message = pcall(call)
          print(who, ok and "done" or (tostring(message):gsub("^[^ ]* ", "")))
        end
      end
      menubar { menu "A" { section "s" {
        items = function() try "items" return { 1 } end, id = function(v) try "id" return v end,
        row = function(v) try "row" return item("r" .. v) { "x" } end,
      } } }
      function app.build:main(m) try "build" end
      function app.on:show(ctx) handler = ctx app:menu() end
      """)
    expect(stage.perform("show"), is: "handled by app via on")
    let refusals = [
      "nothing can wait here: the host only asks this function, so it must return at once",
      "ctx:undo(title, function) is for handlers: the host only asks this function, so it must not change anything",
      "ctx:refuse is for handlers: here, return false and the reason",
    ]
    expect(
      stage.takePrinted(), is: ["items", "row", "id", "build"].flatMap { who in refusals.map { "\(who)\t\($0)" } })
    expect(stage.host.undoHistory.undo, is: [])
  }

  @Test(
    "M3: A context menu uses only builders of its subject's kind, nearest first, and shows the result of the last")
  func contextMenus() throws {
    let stage = try ScriptStage(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      function near.build:url(m, url)
        m:insert_last("root", item("Open " .. url) { "open" })
        m:insert_last("root", item "Copy" { "copy", args = { what = url } })
      end
      function near.build:photo(m) error("not asked") end
      function far.build:url(m) m:insert_first("root", item "Far" { "copy" }); m:remove("Copy") end
      function far.on:copy(ctx) return ctx.subject end
      function far.can:copy(ctx) return ctx.subject == "u", "only u" end
      function near.on:open(ctx) return ctx.sender.id .. " " .. ctx.subject .. " " .. ctx.sender.title end
      function app.on:show()
        local m = app:context_menu("url", "u", { from = near })
        for _, e in ipairs(m.children) do print(e.id, e.title, e.enabled, e.by) end
        m = app:context_menu("url", "v", { from = "far" })
        for _, e in ipairs(m.children) do print(e.id, e.title, e.reason) end
        print(#app:context_menu("nothing").children)
      end
      """)
    _ = stage.perform("show")
    expect(stage.takePrinted(), is: ["Far\tFar\ttrue\tfar", "Open u\tOpen u\ttrue\tnear", "Far\tFar\tonly u", "0"])
    let near = try require(stage.host.find("near"))
    expect(stage.host.contextMenu("url", subject: "u", from: near).ids, is: ["Far", "Open u"])
    // A pick in the last context menu uses its chain and its subject.
    expect(stage.host.pick("Open u").line, is: "handled by near via on → text(\"Open u u Open u\")")
    expect(stage.host.pick("Far").line, is: "handled by far via on → text(\"u\")")
    expect(stage.host.contextMenu("url", subject: "v", from: near).drawn, is: "Far {only u}\nOpen v")
    expect(stage.host.pick("Far").line, is: "disabled by far: only u")
    expect(stage.takeMessages(), is: ["there is no element 'Copy'"])
  }

  @Test("M4: Rebuilding to an equal tree changes nothing and notifies nobody, but replaces functions")
  func equalRebuild() throws {
    let stage = try ScriptStage(
      """
      local count = 0
      menubar { menu "A" { section "s" {
        items = function() count = count + 1; return { "a", "b" } end,
        id = function(v) return v end,
        row = function(v)
          local mine = count
          return item(v) { "x", args = { f = function() return mine end } }
        end,
      } } }
      function app.on:x(ctx) return ctx.f() end
      listen("menu", function(changes) print("menu", #changes) end)
      listen("validation", function(changes) print("validation", #changes) end)
      """)
    let before = stage.host.menus()
    expect(stage.host.pick("a").result.shownInteger, is: 1)
    for _ in 0..<5 { stage.host.rebuild() }
    expect(stage.host.menus(), is: before)
    expect(stage.host.changes().isEmpty)
    expect((stage.host.pick("a").result.shownInteger ?? 0) > 1)
    expect(stage.takePrinted(), is: [])
  }

  @Test("M5: No question removes changes from changes(), in Swift or in Lua")
  func changesAfterQuestions() throws {
    let stage = try ScriptStage(
      """
      local count = 0
      menubar { menu "M" { item "I" { "a" } } }
      panel { item "P" { "a", current = "a" } }
      function app.on:a() count = count + 1 end
      function app.look:a() return { title = "T" .. count } end
      function app.build:k(m) m:append(item "K" { "a" }) end
      """)
    let host = stage.host
    let questions: [(String, () throws -> Void)] = [
      ("actions", { _ = try host.actions() }), ("keys", { _ = host.keys() }), ("check", { _ = host.check() }),
      ("item", { _ = host.item("M/I") }), ("menu", { _ = host.menu("M") }), ("panel", { _ = host.panel() }),
      ("why", { _ = try host.why("a") }), ("why of an item", { _ = host.why(item: "M/I") }),
      ("chain", { _ = try host.chain() }), ("context", { _ = try host.context() }),
      ("validate", { _ = host.validate("a") }), ("a context menu", { _ = host.contextMenu("k") }),
    ]
    let lines = [
      "app:actions()", "app:item('M/I')", "app:menu('M')", "app:panel()", "app:why('a')",
      "app:validate('a')",
      "app:context_menu('k')", "app:open_menu('M'):close()",
    ]
    let asked = questions + lines.map { line in (line, { _ = try host.evaluate(line) }) }
    for (name, ask) in asked {
      _ = host.changes()
      _ = host.perform("a")
      try ask()
      expect(host.changes().map(\.id).contains("M/I"), "\(name)")
    }
  }

  @Test("M5, M6: Listeners get changes by id as insert, remove, move and update; a row that moves is a move")
  func changes() throws {
    let stage = try ScriptStage(
      """
      local list, title = { "a", "b", "c", "d" }, "T"
      menubar { menu "A" {
        item "fixed" { "x" },
        section "s" { items = function() return list end, id = function(v) return v end,
          row = function(v) return item(v == "b" and title or v) { "x" } end },
      } }
      function app.on:x() end
      function app.on:set(ctx) list, title = ctx.list, ctx.title or title end
      listen("menu", function(changes)
        for _, c in ipairs(changes) do
          print(c.change, c.id, c.parent, c.after, c.element and c.element.title)
        end
      end)
      """)
    let before = stage.host.menus()
    _ = stage.perform(#"set(list: [d, a, b, c])"#)
    expect(stage.takePrinted(), is: ["move\td\tA\tA/fixed\tnil"])
    _ = stage.perform(#"set(list: [d, e, b, c], title: U)"#)
    expect(stage.takePrinted(), is: ["insert\te\tA\td\te", "remove\ta\tnil\tnil\tnil", "update\tb\tnil\tnil\tU"])
    let changes = stage.host.changes()
    expect(before.applying(changes), is: stage.host.menus())
    expect(changes.map(\.id), is: ["d", "e", "a", "b"])
    _ = stage.perform(#"set(list: [d, e, b, c])"#)
    expect(stage.takePrinted(), is: [])
  }

  @Test("M7: A duplicate row id is an error naming both values, and the second row gets a number behind it")
  func duplicateRows() throws {
    let stage = try ScriptStage(
      """
      local list = { { id = 1, name = "one" }, { id = 2, name = "two" } }
      menubar { menu "A" { item "k" { "x", id = "7" }, section "s" {
        items = function() return list end, id = function(v) return v.id end, row = function(v) return item(v.name) { "x" } end,
      } } }
      function app.on:x() end
      function app.on:set(ctx) list = ctx.list end
      """)
    expect(stage.drawn, is: "A\n  k\n  one\n  two")
    _ = stage.perform(#"set(list: [{id: 5, name: a}, {id: 5, name: b}])"#)
    expect(stage.drawn, is: "A\n  k\n  a\n  b")
    expect(
      stage.takeMessages(),
      is: [
        #"section 's' has two rows with the id '5', of value 1 { id = 5, name = "a" } and of value 2 { id = 5, name = "b" }: the second is '5#2'"#
      ])
    expect(stage.host.menus().find("5#2")?.title, is: "b")
    _ = stage.perform(##"set(list: [{id: "5#2", name: a}, {id: 5, name: b}, {id: 5, name: c}, {id: 5, name: d}])"##)
    expect(stage.host.menus().find("A")?.children.map(\.id), is: ["7", "5#2", "5", "5#3", "5#4"])
    expect(stage.takeMessages().count, is: 1)
    _ = stage.perform(#"set(list: [{id: 1, name: one}, {id: 2, name: two}])"#)
    expect(stage.drawn, is: "A\n  k\n  one\n  two")
    _ = stage.perform(#"set(list: [{id: 7, name: a}])"#)
    expect(stage.drawn, is: "A\n  k\n  one\n  two")
    expect(
      stage.takeMessages(),
      is: [
        "section 's' keeps its old rows: the id '7' is used twice, on item 'k' too (the other is at app.lua:2)"
      ])
    _ = stage.perform(#"set(list: [{id: 8, name: a}])"#)
    expect(stage.drawn, is: "A\n  k\n  a")
  }

  @Test("M8: Separators are never first, last or doubled among shown items, and surround shown inline menus")
  func separators() throws {
    let stage = try ScriptStage(
      """
      local hide = item "h" { "x", hidden = true }
      menubar { menu "A" {
        separator, separator, hide, separator, item "a" { "x" }, separator, hide, separator, item "b" { "x" }, separator, hide, separator,
      }, menu "B" {
        item "a" { "x" }, menu "I" { inline = true, item "i" { "x" }, item "j" { "x" } }, menu "J" { inline = true, item "k" { "x" } },
        item "b" { "x" }, menu "E" { inline = true, hide }, menu "H" { inline = true, hidden = true, item "l" { "x" } }, item "c" { "x" },
      }, menu "C" { label "text", separator, separator, label "more", separator } }
      function app.on:x() end
      """)
    expect(
      stage.drawn,
      is: """
        A
          ~h
          a
          ---
          ~h
          b
          ~h
        B
          a
          ---
          i
          j
          ---
          k
          ---
          b
          ---
          ~h
          ~l
          c
        C {there is nothing in 'C' to pick}
          (text)
          ---
          (more)
        """)
  }

  @Test("M9: Menus nest 64 deep at most; a menu that holds itself is an error with its path")
  func depth() throws {
    func nested(_ depth: Int, _ innermost: String = "item 'i' { 'x' }") -> String {
      "local m = \(innermost)\nfor i = \(depth - 1), 1, -1 do m = menu('m' .. i) { m } end\nmenubar { m }"
    }
    try expect(ScriptStage(nested(64)).host.menus().ids.count, is: 64)
    let others = [
      "item 'i' { 'x', look = function() end }", "label 'l'", "separator", "menu 'm'",
      "section 's' { items = {}, row = print }",
    ]
    for innermost in ["item 'i' { 'x' }"] + others {
      try expect(!ScriptStage(nested(64, innermost)).host.menus().ids.isEmpty)
      try expect(
        loadError(nested(65, innermost)).hasPrefix("app.lua:3: menus are nested more than 64 deep: m1 → m2"))
    }
    try expect(
      loadError("local m = menu 'A'\nm { menu 'B' { m } }\nmenubar { m }"),
      is: "app.lua:3: menu 'A' holds itself: A → B → A")
    try expect(
      loadError("local list = {}\nlocal m = menu 'A' (list)\nlist[1] = m\nmenubar { m }"),
      is: "app.lua:4: menu 'A' holds itself: A → A")
    let stage = try ScriptStage(
      """
      local m = item 'i' { 'x' }
      for i = 62, 1, -1 do m = menu('m' .. i) { m } end
      menubar { menu 'A' { menu 'B' {} } }
      function app.build:main(b) print(b:insert_last("A", m)); print(b:insert_last("A/B", m)) end
      """)
    _ = stage.host.menus()
    expect(stage.takePrinted(), is: ["true", "false\tmenu 'm1' would be more than 64 deep"])
  }

  @Test("M10: A section's function that raises or returns a wrong value leaves the old rows and a diagnostic")
  func brokenSections() throws {
    let stage = try ScriptStage(
      """
      local items = function() return { 1, 2 } end
      local row = function(v) return item("r" .. v) { "x" } end
      menubar { menu "A" { section "s" {
        items = function(ctx) return items(ctx) end, row = function(v, ctx) return row(v, ctx) end, id = function(v) return v end,
      }, item "after" { "x" } } }
      function app.on:x() end
      function app.on:break_items() items = function() error("no list") end end
      function app.on:break_type() items = function() return 5 end end
      function app.on:break_row() items = function() return { 3 } end; row = function() return "r" end end
      local function inner() return section "in" { items = {}, row = row } end
      function app.on:break_section() items = function() return { 3 } end; row = inner end
      function app.on:do_it() row = function() app:perform("x") end end
      function app.on:do_first() items = function() app:perform("x") end end
      function app.on:write() items, row = function() return { 3 } end, function(v, ctx) ctx.k = 1 end end
      """)
    let before = "A\n  r1\n  r2\n  after"
    // A row of this kind once vanished without a message.
    let sectioned = "'row' of section 's' returns section 'in', but that is already in a menu: make a new element"
    expect(stage.drawn, is: before)
    for (action, message) in [
      ("break_items", "no list"), ("break_type", "'items' of section 's' must return a list, not a number"),
      (
        "break_row",
        "'row' of section 's' must return a menu element, not a string; make an item of it: item(text) { \"action\" }"
      ),
      ("break_section", sectioned),
      ("do_it", "performing is not possible here: the host only asks this function, so it must not change anything"),
      ("do_first", "performing is not possible here: the host only asks this function, so it must not change anything"),
      ("write", "'k' can't be set: here the context can only be read"),
    ] {
      _ = stage.perform(action)
      expect(stage.drawn, is: before)
      expect(stage.takeMessages(), is: ["section 's' keeps its old rows: \(message)"])
    }
  }

  @Test("M11: Rebuilding 10,000 times leaves memory flat")
  func flatMemory() throws {
    let stage = try ScriptStage(
      """
      local n = 0
      menubar { menu "A" { section "s" {
        header = "H", items = function() n = n + 1; return { n, n + 1, n + 2 } end, id = function(v) return v end,
        row = function(v) return item("row " .. v) { "x", args = { t = { v } } } end,
      } } }
      function app.on:x() end
      function app.build:main(m) m:insert_last("A", item "built" { "x" }) end
      """)
    let engine = try stage.host.scriptEngine()
    func rebuild(_ times: Int) {
      for _ in 0..<times {
        stage.host.rebuild()
        _ = stage.host.menus()
      }
      engine.lua.collect()
    }
    // From here on the numbers in the titles keep the same number of digits.
    rebuild(10_000)
    let (memory, elements, objects) = (
      engine.lua.memory, stage.host.dispatcher.kept.bytes, clua_counters(engine.lua.L).objects
    )
    rebuild(10_000)
    expect(engine.lua.memory, is: memory, "\(memory), then \(engine.lua.memory) bytes")
    expect(stage.host.dispatcher.kept.bytes <= elements)
    expect(clua_counters(engine.lua.L).objects <= objects)
    expect(stage.drawn.hasPrefix("A\n  (H)\n  row 20000\n"))
  }

  @Test(
    "M11: A host with menus frees everything, and so does a script that failed to load"
  )
  func lifetime() throws {
    weak var host: ScriptHost?
    weak var memory: KeptBytes?
    weak var tree: MenuTree?
    do {
      let stage = try ScriptStage(
        """
        menubar { menu "A" { look = function() end, item "x" { "x", args = { f = print } }, section "s" {
          items = function() return { 1 } end, row = function(v) return item("r" .. v) { "x" } end } } }
        function app.build:main(m) kept = m:find("A/x") end
        kept = nil
        function app.on:x() end
        function app.can:x() return true end
        listen("menu", print)
        """)
      _ = stage.host.menus()
      _ = stage.perform("x")
      _ = stage.host.contextMenu("k")
      #expect(throws: LoadError.self) { try stage.load(#"menubar { menu "B" {} } error("no")"#, name: "b.lua") }
      _ = stage.host.menus()
      host = stage.host
      memory = stage.host.dispatcher.kept
      tree = stage.host.menuTrees.tree
      expect(tree != nil)
    }
    expect(host == nil && memory == nil && tree == nil)
  }

  @Test("M12: Label, header, footer and empty are rows that you can't pick and the host doesn't count")
  func labels() throws {
    let stage = try ScriptStage(
      """
      local list = {}
      menubar { menu "A" { label "L", section "s" {
        header = "H", footer = "F", empty = "E", items = function() return list end, row = function(v) return item(v) { "x" } end,
      } } }
      function app.on:x() end
      function app.on:fill() list = { "a" } end
      """)
    expect(stage.drawn, is: "A {there is nothing in 'A' to pick}\n  (L)\n  (H)\n  (E)\n  (F)")
    for id in ["A/L", "s/header", "s/empty", "s/footer"] {
      expect(stage.host.pick(id).line, is: "failed! '\(id)' is a label, which can't be picked")
    }
    _ = stage.perform("fill")
    expect(stage.drawn, is: "A\n  (L)\n  (H)\n  a\n  (F)")
  }

  @Test("M13: Builders and sections run at the first snapshot after an event; otherwise the tree stays")
  func timing() throws {
    let stage = try ScriptStage(
      """
      local other = responder "other"
      menubar { menu "A" { item "x" { "x" }, section "s" { items = function() print "items"; return {} end, row = print } } }
      function app.build:main(m) print "build" end
      function app:provide(ctx) print "provide" end
      function app.on:x() end
      function app.can:x() print "can"; return true end
      function app.on:rebuild_thrice() app:rebuild(); app:rebuild(); app:rebuild() end
      """)
    func snapshot() -> String {
      _ = stage.host.menus()
      return stage.takePrinted().joined(separator: " ")
    }
    expect(stage.takePrinted(), is: [])
    // A build runs `provide` first, and a snapshot shares its context.
    let built = "provide items build can", stood = "provide can"
    expect(snapshot(), is: built)
    expect(snapshot(), is: stood)
    _ = stage.perform("x")
    _ = stage.takePrinted()
    expect(snapshot(), is: built)
    expect(snapshot(), is: stood)
    let other = try require(stage.host.find("other"))
    try stage.host.focus(other)
    expect(snapshot(), is: built)
    let third = try stage.host.responder("third").responder
    expect(snapshot(), is: built)
    try stage.host.setNext(third, of: other)
    expect(snapshot(), is: built)
    stage.host.revalidate()
    expect(snapshot(), is: stood)
    stage.host.rebuild()
    stage.host.rebuild()
    expect(snapshot(), is: built)
    expect(stage.host.pick("A/x").status, is: .handled)
    _ = stage.takePrinted()
    expect(snapshot(), is: built)
  }

  @Test("M13: Changes come before a snapshot returns, or at the end of the turn; many requests make one pass")
  func delivery() throws {
    let stage = try ScriptStage(
      """
      local list, ok, passes = { "a" }, true, 0
      menubar { menu "A" { item "x" { "x" }, section "s" {
        items = function() return list end, id = function(v) return v end, row = function(v) return item(v) { "x" } end } } }
      function app:provide() passes = passes + 1 end
      function app.on:x() end
      function app.can:x() return ok, "no" end
      function app.on:add(ctx)
        list[#list + 1] = ctx.v
        app:rebuild(); app:revalidate(); app:rebuild()
        if ctx.ask then app:menu(); print "asked" end
        print "done"
      end
      function app.on:off() ok = false; app:perform("add(v: z)") end
      function app.on:count() local n = passes; passes = 0; return n end
      listen("menu", function(c) print("menu", #c, c[1].change, c[1].id) end)
      listen("validation", function(c) print("validation", #c, c[1].id, c[1].element.reason) end)
      """)
    expect(stage.takePrinted(), is: [])
    _ = stage.perform("add(v: b)")
    expect(stage.takePrinted(), is: ["done", "menu\t1\tinsert\tb"])
    _ = stage.perform("add(v: c, ask: true)")
    expect(stage.takePrinted(), is: ["menu\t1\tinsert\tc", "asked", "done"])
    _ = stage.perform("off")
    expect(stage.takePrinted(), is: ["done", "menu\t1\tinsert\tz", "validation\t4\tA/x\tno"])
    _ = stage.perform("count")
    _ = stage.perform("add(v: d)")
    // One context for the perform, one pass at the end of the turn of `count`, and one at the end of this turn.
    expect(stage.host.perform("count").result.shownInteger, is: 4)
  }

  @Test("M13: Listeners that change the menus get the new changes too, but not for ever")
  func restless() throws {
    let stage = try ScriptStage(
      """
      local n, settled = 0, true
      menubar { menu "A" { section "s" { items = function() return { n } end, id = tostring, row = function(v) return item("n" .. v) { "x" } end } } }
      function app.on:x() n = n + 1 end
      function app.on:unsettle() settled = false; n = n + 1 end
      listen("menu", function(c) if n < 4 or not settled then app:perform("x") end end)
      """)
    _ = stage.perform("x")
    expect(stage.drawn.hasSuffix("n4"))
    expect(stage.takeMessages(), is: [])
    _ = stage.perform("unsettle")
    expect(stage.takeMessages(), is: ["listeners of 'menu' change the menus again at every call"])
  }
}

extension Value {
  /// The integer; nil for other values.
  var shownInteger: Int? { if case .integer(let number) = self { number } else { nil } }
}
