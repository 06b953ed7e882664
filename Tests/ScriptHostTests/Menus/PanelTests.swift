import Expectations
import Testing

@testable import ScriptHost

@Suite("The panel")
struct PanelTests {
  private static let script = """
    local photos = { { n = 1, title = "Harbour" }, { n = 2, title = "Pier" } }
    menubar { menu "M" { item "Open" { "open(n: 9)", key = "o" } } }
    panel {
      label "Photos",
      section "photos" {
        header = "All", current = "show(deep: true)",
        items = function() return photos end, id = function(p) return "p" .. p.n end,
        row = function(p) return item(p.title) { "open", args = { n = p.n }, key = "o" } end,
      },
      item "Own" { "open(n: 3)", current = "preview", key = "p" },
      item "Plain" { "open(n: 4)" },
    }
    function app.on:open(ctx) return "open " .. ctx.n end
    function app.can:open(ctx) return ctx.n ~= 2, "not this one" end
    function app.on:show(ctx) return "show " .. ctx.n .. " " .. tostring(ctx.deep) .. " " .. ctx.sender.id end
    function app.on:preview(ctx) return "preview " .. ctx.n end
    function app.on:add() photos[#photos + 1] = { n = 3, title = "Gulls" } end

    """

  @Test("P1: The panel is a tree with sections and keys after the menus', validated in the same pass")
  func tree() throws {
    let stage = try ScriptStage(Self.script)
    let panel = try require(stage.host.panel())
    expect(panel.id == "panel" && panel.children.map(\.title) == ["Photos", "All", "Harbour", "Pier", "Own", "Plain"])
    expect(panel.find("p2")?.reason == "not this one" && panel.find("p1")?.isEnabled ?? false)
    expect(stage.host.menus().children.map(\.title) == ["M"] && stage.host.item("Own")?.title == "Own")
    expect(stage.perform("open(n: 1)").contains("open 1") && stage.host.press("o").result.shownText == "open 9")
    expect(stage.host.press("p").result.shownText == "open 3" && stage.host.pick("p1").result.shownText == "open 1")
  }

  @Test("P9: Choosing a row cancels the action of the row chosen before, if it still waits")
  func moves() throws {
    let stage = try ScriptStage(
      """
      panel { section "s" { items = { "A", "B", "C" }, id = function(n) return n end, current = "show",
        row = function(n) return item(n) { "open", args = { n = n } } end } }
      app.shown = ""
      function app.on:show(ctx)
        ctx:set(self, "shown", ctx.n)
        sleep(1)
        print("shown " .. ctx.n)
        if ctx.n == "B" then print(app:choose("A").status, "after it") end
      end
      """)
    let host = stage.host
    let first = host.choose("A")
    expect(first.status, is: .running)
    // Only a choice cancels it.
    expect(host.perform(#"show(n: "x")"#).reason, is: "running")
    expect(host.choose("C").status == .running && first.job?.outcome?.reason == "another row was chosen")
    try expect(host.evaluate("app.shown").map(\.shownText), is: ["C"])
    try host.advance(by: .seconds(3))
    expect(stage.printed, is: ["shown C"])
    // The action can choose another row itself, and goes on.
    expect(host.choose("B").status, is: .running)
    try host.advance(by: .seconds(3))
    expect(stage.printed, is: ["shown C", "shown B", "shown A", "handled\tafter it"])
  }

  private static let processes = """
    local list = responder "list"
    names, did = { "alpha", "beta", "gamma" }, ""
    panel { stack {
      pane "names" { responder = list, marks = true,
        section "all" { kind = "name", items = function() return names end, id = function(n) return n end,
          row = function(n) return item(n) { "open" } end } },
      text "lines" { responder = responder "text", lines = function() return lines end } } }
    lines = { "one", "two" }
    list.keys = { r = "nice", x = "kill", c = "note", n = "needy" }
    list.takes.nice = { value = "integer" }
    list.takes.note = { text = "string" }
    list.needs.needy = "row"
    list.confirm = { kill = "Kill this process?", needy = "Sure?" }
    function list.on:open() end
    function list.on:nice(ctx) did = "niced " .. ctx.row end
    function list.on:kill(ctx) did = "killed " .. table.concat(ctx.rows, " ") end
    function list.on:note(ctx) did = "noted " .. ctx.text end
    function list.on:needy() did = "needy" end
    function list.build:name(m) m:insert_last("root", item "Do" { "doit" }) end
    function list.on:doit(ctx) did = "did " .. ctx.row end
    function app.on:cut() lines = { "two" } app:rebuild("lines") end
    app:find("text").confirm.drop = "Drop this line?"
    app:find("text").on.drop = function(self, ctx) did = "dropped " .. ctx.lines[1] end
    """
  private static let changed = "what this was about has changed meanwhile, so nothing was done"

  @Test("P9: A form or a question acts on the rows that it was about, and on no row that took their place")
  func askedRows() throws {
    func did(_ host: ScriptHost) throws -> String? { try host.evaluate("return did").first?.shownText }
    for (key, arguments) in [("r", Arguments([("value", .integer(5))])), ("x", nil), ("n", nil)] {
      let host = try ScriptStage(Self.processes).host
      host.choose("beta")
      let about = try require(host.press(key).asks?.about)
      expect(about.count, is: 1)
      try host.evaluate("table.remove(names, 2) app:rebuild()")
      let yes = arguments == nil ? true : nil
      let outcome = host.press(key, confirmed: yes, about: about, arguments: arguments)
      expect(outcome.status == .disabled && outcome.reason == Self.changed, "\(key): \(outcome)")
      try expect(did(host), is: "")
      // Without the names, it acts on the current row.
      expect(host.press(key, confirmed: yes, arguments: arguments).status, is: .handled, "\(key)")
    }
    let host = try ScriptStage(Self.processes).host
    try host.mark(["beta", "gamma"])
    let about = try require(host.press("x").asks?.about)
    expect(host.press("x", confirmed: true, about: about).status, is: .handled)
    try expect(did(host), is: "killed beta gamma")
    try host.mark(["beta"])
    expect(host.press("x", confirmed: true, about: about).reason, is: Self.changed, "another row is marked")
  }

  @Test("P9: An action that needs no row is done even if the row is gone; a row's menu acts on its row only")
  func askedWithoutRow() throws {
    let host = try ScriptStage(Self.processes).host
    host.choose("beta")
    let about = try require(host.press("c").asks?.about)
    _ = try require(host.contextMenu(ofRow: "beta"))
    try host.evaluate("table.remove(names, 2) app:rebuild()")
    expect(host.press("c", about: about, arguments: Arguments([("text", .text("t"))])).status, is: .handled)
    host.choose("alpha")
    let menu = try require(host.contextMenu(ofRow: "alpha"))
    host.choose("gamma")
    expect(host.pick(try require(menu.children.first).id).reason, is: Self.changed)
  }

  @Test("P15: A question about the selected lines isn't about others that took their place")
  func askedLines() throws {
    let stage = try ScriptStage(Self.processes)
    let host = stage.host
    _ = try host.lines(of: "lines")
    try host.focus(try require(host.find("text")))
    var options = PerformOptions()
    options.asks = true
    let about = try require(host.perform("drop", options).asks?.about)
    (options.confirmed, options.about) = (true, about)
    expect(host.perform("drop", options).status, is: .handled)
    host.perform("cut")
    _ = try host.lines(of: "lines")
    try host.advance(by: .seconds(1))
    expect(host.perform("drop", options).reason, is: Self.changed)
  }

  @Test("P9: Each pane has its own choice; a row without an action cancels, too")
  func movesInPanes() throws {
    let stage = try ScriptStage(
      """
      panel { stack {
        pane "p" { item "A" { "open(n: A)", current = "show", id = "a" }, item "Plain" { "open", id = "plain" } },
        pane "q" { item "B" { "open(n: B)", current = "show", id = "b" } },
      } }
      function app.on:show(ctx) sleep(1) print("shown " .. ctx.n) end
      app:define("show", { on = app.on.show, reentrant = true })
      function app.on:open() end
      """)
    let (first, other) = (stage.host.choose("a"), stage.host.choose("b"))
    expect(first.job?.isWaiting == true && other.status == .running)
    expect(stage.host.choose("plain").status, is: .handled)
    expect(first.job?.outcome?.reason == "another row was chosen" && other.job?.isWaiting == true)
    try stage.host.advance(by: .seconds(2))
    expect(stage.printed, is: ["shown B"])
  }

  @Test("P1: Menus and panel share one name space of ids")
  func names() throws {
    try expect(
      loadError("menubar { menu 'A' { item 'B' { 'x', id = 'i' } } }\npanel { item 'C' { 'y', id = 'i' } }")
        .contains(
          "the id 'i' is used twice"))
    try expect(loadError("panel { label 'a' }\npanel { label 'b' }").contains("the panel is declared already"))
    try expect(
      loadError("panel { label 'a' }\nmenubar { menu 'A' { item 'B' { 'x', id = 'panel' } } }")
        .contains("'panel' is the id of the panel itself"))
    let other = try ScriptStage("menubar { menu 'panel' {} }\npanel { label 'a' }").host
    expect(other.menus().children[0].id == "panel#2" && other.item("panel") == nil && other.menu("panel") == nil)
    expect(other.choose("panel").error?.message, is: "'panel' is a section, which can't be chosen")
    let stage = try ScriptStage("menubar { item 'A' { 'x' } }\npanel { item 'A' { 'x' } }")
    expect(stage.host.menus().children[0].id == "A" && stage.host.panel()?.children[0].id == "A#2")
  }

  @Test(
    "P1: build:panel edits the panel, nearest first, each on the previous result; builders of main don't see it as root"
  )
  func builders() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      function r.build:panel(m) m:insert_first("root", label "near") end
      function app.build:panel(m) m:insert_last("root", item "far" { "x" }) m:remove("near") m:insert_first("root", label "first") end
      function app.build:main(m) m:insert_last("root", menu "Built" { item "X" { "x" } }) end
      function app.on:x() end
      panel { label "declared" }
      focus(r)
      """)
    expect(stage.host.panel()?.children.map(\.title), is: ["first", "declared", "far"])
    expect(stage.host.menus().children.map(\.title), is: ["Built"])
  }

  @Test("P1, M5: Listeners and changes cover the panel like the menus; applied changes give the new panel")
  func changesOfBoth() throws {
    let stage = try ScriptStage(
      """
      local rows, inMenu = { "a", "b" }, false
      menubar { menu "M" { item "Open" { "open", id = "open" },
        section "s" { items = function() return inMenu and { "a" } or {} end, id = tostring, row = function(v) return item(v) { "open" } end } } }
      panel { section "rows" { items = function() return rows end, id = tostring, row = function(v) return item(v) { "open" } end } }
      function app.on:open() end
      function app.can:open() return not app.isShut, "shut" end
      function app.on:add() rows[#rows + 1] = "c" end
      function app.on:shut() app.isShut = true end
      function app.on:over() inMenu, rows = true, { "b" } end
      function app.on:back() inMenu, rows = false, { "a", "b" } end
      local function text(list)
        local all = {}
        for _, c in ipairs(list) do all[#all + 1] = c.change .. " " .. c.id .. (c.parent and " in " .. c.parent or "") end
        table.sort(all)
        return table.concat(all, ", ")
      end
      listen("menu", function(changes) print("menu: " .. text(changes)) end)
      listen("validation", function(changes) print("validation: " .. text(changes)) end)
      """)
    var shown = stage.host.menus()
    func heard(_ action: String) throws -> [String] {
      expect(stage.host.perform(action).status, is: .handled)
      let changes = stage.host.changes()
      let now = stage.host.menus()
      expect(shown.applying(changes) == now && shown != now, "\(action)")
      shown = now
      return stage.takePrinted()
    }
    try expect(heard("add"), is: ["menu: insert c in panel"])
    try expect(heard("shut"), is: ["validation: update a, update b, update c, update open"])
    try expect(heard("over"), is: ["menu: move a in M, remove c"])
    try expect(heard("back"), is: ["menu: move a in panel"])
  }

  @Test("P3, M5: A panel that appears or disappears with a reload is a change too")
  func panelComes() throws {
    let stage = try ScriptStage("menubar { menu 'M' {} }")
    let without = stage.host.menus()
    try stage.host.reload(text: "menubar { menu 'M' {} }\npanel { label 'a' }", name: "app.lua")
    let coming = stage.host.changes()
    let with = stage.host.menus()
    expect(coming.map(\.id) == ["panel"] && without.applying(coming) == with && with.panel?.children.count == 1)
    try stage.host.reload(text: "menubar { menu 'M' {} }", name: "app.lua")
    let going = stage.host.changes()
    expect(going == [.remove(id: "panel")] && with.applying(going) == without && stage.host.panel() == nil)
  }

  @Test("P1: New rows appear after an action, and changes applied to the old panel give the new panel")
  func changes() throws {
    let stage = try ScriptStage(Self.script)
    let before = try require(stage.host.panel())
    expect(stage.host.perform("add").status, is: .handled)
    let after = try require(stage.host.panel())
    let changes = MenuChanges(from: before, to: after).all
    expect(changes.count == 1 && before.applying(changes) == after && after.find("p3")?.title == "Gulls")
  }

  @Test(
    "P2: choose performs the current of a section or item with the row's arguments; you can choose disabled rows"
  )
  func choosing() throws {
    let host = try ScriptStage(Self.script).host
    expect(host.choose("p1").result.shownText, is: "show 1 true p1")
    expect(host.choose("p2").result.shownText, is: "show 2 true p2")
    expect(host.choose("Own").result.shownText, is: "preview 3")
    let plain = host.choose("Plain")
    expect(plain.status == .handled && plain.result.isNull)
    expect(host.choose("Photos").error?.message, is: "'Photos' is a label, which can't be chosen")
    expect(host.choose("M/Open").error?.message, is: "'M/Open' is no row of the panel")
    expect(host.choose("p4").error?.message.hasPrefix("there is no element 'p4'") ?? false)
  }

  @Test("P2: You can choose and pick in a menu inside the panel like anywhere in it")
  func menusInside() throws {
    let host = try ScriptStage(
      """
      panel { menu "More" { item "Deep" { "open(n: 7)", current = "show" }, item "Bare" { "open(n: 8)" } },
        section "s" { current = "show", items = { 1 }, id = function() return "row" end,
          row = function() return menu "Rows" { item "In" { "open(n: 9)" } } end } }
      function app.on:open(ctx) return "open " .. ctx.n end
      function app.on:show(ctx) return "show " .. tostring(ctx.n) .. " " .. ctx.sender.id end
      """
    ).host
    expect(host.choose("More/Deep").result.shownText, is: "show 7 More/Deep")
    expect(host.choose("More/Bare").status == .handled && host.choose("More/Bare").result.isNull)
    expect(host.pick("More/Deep").result.shownText, is: "open 7")
    expect(host.choose("row").result.shownText, is: "show nil row")
  }

  @Test("P2, A4: If the current action asks, so does choosing, and nothing is performed")
  func asking() throws {
    let stage = try ScriptStage(
      """
      panel { item "Row" { "open", current = "show" }, item "Sure" { "open", current = "wipe" } }
      app.takes.show = { n = { "integer", from = 0, to = 5 } }
      app.confirm.wipe = "Wipe?"
      function app.on:open() end
      function app.on:show() print("shown") end
      function app.on:wipe() print("wiped") end
      """)
    let asked = stage.host.choose("Row")
    expect(asked.status == .asks && asked.asks?.arguments.map(\.key) == ["n"] && stage.takePrinted() == [])
    // Only picks and presses ask for a confirmation; a row becomes current without it.
    expect(stage.host.choose("Sure").status == .handled && stage.takePrinted() == ["wiped"])
  }

  @Test("P2: Scripts can choose too, and see the panel")
  func scripts() throws {
    try expect(
      Self.script + """
        function app.on:go()
          local p = app:panel()
          print(p.id, #p.children, p.children[3].id, p.children[4].reason)
          say("x") print(line(app:choose("p1")))
        end
        """,
      prints: """
        panel\t6\tp1\tnot this one
        unhandled: nobody handles 'x'
        handled by app via on → show 1 true p1
        """)
  }

  @Test("P2: A section's kind names the context menu of its rows; the row's value is the subject")
  func contextMenus() throws {
    let stage = try ScriptStage(
      """
      local photos = { { name = "Pier" }, { name = "Gulls" } }
      local function rows(name, kind)
        return section(name) {
          kind = kind, header = "All", items = function() return photos end,
          id = function(p) return name .. p.name end, row = function(p) return item(p.name) { "open" } end,
        }
      end
      panel { rows("a", "photo"), rows("b"), item "Own" { "open" } }
      function app.build:photo(m, photo) m:insert_last("root", item("Rate " .. photo.name) { "open" }) end
      function app.on:open() end
      """)
    expect(stage.host.contextMenu(ofRow: "aGulls")?.children.map(\.title), is: ["Rate Gulls"])
    expect(stage.host.pick("Rate Gulls").status, is: .handled)
    for id in ["bGulls", "Own", "All", "nobody"] { expect(stage.host.contextMenu(ofRow: id), is: nil) }
    try expect(
      loadError("panel { section 's' { kind = 1, items = {}, row = print } }")
        .contains("'kind' of section 's' must be a string"))
  }

  @Test("A label can have several lines; other texts show replacements for control characters, with a warning")
  func lines() throws {
    let stage = try ScriptStage("panel { label 'one\\ntwo', item 'a\\nb' { 'x' } }")
    expect(stage.host.panel()?.children[0].titleLines, is: ["one", "two"])
    expect(stage.host.panel()?.children[1].title, is: "a\u{FFFD}b")
    expect(stage.host.takeDiagnostics().map(\.message).filter { $0.contains("control characters") }.count, is: 1)
  }

  @Test("P3: Without a declared panel snapshots have none, even if a script builds one")
  func none() throws {
    let stage = try ScriptStage(
      "menubar { item 'A' { 'x' } }\nfunction app.build:panel(m) m:insert_last('root', label 'b') end\nfunction app.on:go() print(app:panel()) end"
    )
    expect(stage.host.panel() == nil && stage.host.menus().children.count == 1)
    expect(stage.host.perform("go").status == .handled && stage.takePrinted() == ["nil"])
  }

  @Test("P3: A reload replaces the panel; a failed reload leaves it")
  func reloading() throws {
    let host = try ScriptStage(Self.script).host
    #expect(throws: LoadError.self) { try host.reload(text: "panel { label 'x' } error('no')", name: "app.lua") }
    expect(host.panel()?.children.count, is: 6)
    try host.reload(text: "panel { label 'x' }", name: "app.lua")
    expect(host.panel()?.children.map(\.title) == ["x"] && host.menus().children.isEmpty)
    try host.reload(text: "", name: "app.lua")
    expect(host.panel(), is: nil)
  }

  @Test("P4: mark is radio in a single menu, check if a state was declared or returned, else nothing")
  func marks() throws {
    let stage = try ScriptStage(
      """
      local isOn
      menubar { menu "M" {
        menu "One" { single = true, item "A" { "x" }, item "B" { "x", state = true } },
        item "Stated" { "x", state = true }, item "Looked" { "look" }, item "Plain" { "x" },
      } }
      function app.on:x() end
      function app.on:look() isOn = true end
      function app.on:off() isOn = nil end
      function app.look:look() return { state = isOn } end
      """)
    let host = stage.host
    func mark(_ id: String) -> MenuElement.Mark? { host.menus().find(id)?.mark }
    expect(mark("M/One/A") == .radio && mark("M/One/B") == .radio && mark("M/Stated") == .check)
    expect(mark("M/Plain") == nil && mark("M/Looked") == nil)
    _ = host.perform("look")
    expect(mark("M/Looked"), is: .check)
    _ = host.perform("off")
    expect(mark("M/Looked"), is: .check, "once answered, it stays")
  }

  @Test("P4, V11: A running action gives its item no lasting state", arguments: [false, true])
  func marksOfWhatRuns(_ isOfSwift: Bool) throws {
    let stage = try ScriptStage(
      """
      menubar { menu "M" { item "Slow" { "slow"\(isOfSwift ? ", look = function() end" : "") } } }
      function app.on:slow() sleep(1) end
      """)
    let host = stage.host
    let job = host.perform("slow").job
    expect(host.menus().find("M/Slow")?.state, is: .mixed)
    expect(host.menus().find("M/Slow")?.mark, is: nil)
    job?.cancel()
    expect(host.menus().find("M/Slow")?.state, is: .off)
    expect(host.menus().find("M/Slow")?.mark, is: nil, "it is as it was before it ran")
  }

  @Test(
    "P4: mark is check if a state is declared, even off, for quickly read items and others",
    arguments: [
      ("", nil), ("state = true", .check), ("state = 'on'", .check), ("state = 'mixed'", .check),
      ("state = false", .check), ("state = 'off'", .check),
    ] as [(String, MenuElement.Mark?)], ["", "mnemonic = 'I'"])
  func stated(_ field: (String, MenuElement.Mark?), _ other: String) throws {
    let fields = "{ 'x', \([field.0, other].filter { !$0.isEmpty }.joined(separator: ", ")) }"
    let host = try ScriptStage(
      """
      menubar { menu "M" { item "I" \(fields), section "s" {
        items = { 1 }, id = function() return "row" end, row = function() return item "I" \(fields) end } } }
      function app.on:x() end
      """
    ).host
    expect(host.item("M/I")?.mark == field.1 && host.item("row")?.mark == field.1)
  }

  @Test("P4: mark is radio for all items in a single menu, in submenus and inline menus too")
  func nestedSingle() throws {
    let host = try ScriptStage(
      """
      menubar { menu "One" { single = true, item "A" { "x" }, menu "Sub" { item "B" { "x", state = true },
        menu "Deep" { item "C" { "x" } } }, menu "In" { inline = true, item "D" { "x", state = true } } },
        menu "Two" { item "E" { "x" }, menu "Sub" { single = true, item "F" { "x" } } } }
      function app.on:x() end
      """
    ).host
    for id in ["One/A", "One/Sub/B", "One/Sub/Deep/C", "One/In/D", "Two/Sub/F"] {
      expect(host.item(id)?.mark, is: .radio, "\(id)")
    }
    expect(host.menus().find("Two/E")?.mark, is: nil)
    expect(host.menus().find("One/Sub/B")?.state == .on && host.menus().find("One/In/D")?.state == .off)
  }

  @Test("P4, M4: A reload that only declares a state of off makes a change")
  func statedByReload() throws {
    func script(_ fields: String) -> String {
      "menubar { menu 'M' { item 'I' { 'x'\(fields) } } } function app.on:x() end"
    }
    let host = try ScriptStage(script("")).host
    let before = host.menus()
    try host.reload(text: script(", state = false"), name: "app.lua")
    let changes = host.changes()
    expect(changes.map(\.id) == ["M/I"] && before.applying(changes) == host.menus())
    expect(host.item("M/I")?.mark, is: .check)
  }

  @Test("P4: A new tree keeps the marks from states that looks returned since the load")
  func marksStay() throws {
    let stage = try ScriptStage(
      """
      local isOn, extra = true, "x"
      menubar { menu "M" { item "I" { "look" }, section "s" { items = function() return { extra } end,
        id = function(v) return v end, row = function(v) return item(v) { "look" } end } } }
      function app.build:main(m) m:insert_last("root", menu "B" { item("b" .. extra) { "x" } }) end
      function app.on:look() isOn, extra = nil, "y" end
      function app.on:x() end
      function app.look:look() return { state = isOn } end
      """)
    let host = stage.host
    expect(host.item("M/I")?.mark == .check && host.item("x")?.mark == .check)
    _ = host.perform("look")
    expect(host.item("B/by") != nil && host.item("M/I")?.mark == .check && host.item("y")?.mark == nil)
  }

  @Test("P21: 'typing' and 'palette' are booleans, and snapshots show which panel elements a palette lists")
  func palette() throws {
    func element(_ fields: String) throws -> MenuElement? {
      let host = ScriptHost()
      try host.load(
        text: """
          panel {
            section "rows" { items = { "a" }, id = function(v) return v end, \(fields)
              row = function(v) return item(v) { "go", id = v } end },
            menu "More" { item "Below" { "go", id = "below" } },
          }
          """, name: "app.lua")
      expect(host.menus().panel?.find("below")?.isInPalette, is: true)
      return host.menus().panel?.find("a")
    }
    try expect(element("")?.isInPalette, is: false)
    let listed = try require(try element("palette = true,"))
    expect(listed.isInPalette && listed.json.contains(#""palette": true"#))
    for (script, message) in [
      ("panel { typing = 1 }", "'typing' of panel must be a boolean, not a number"),
      ("panel { section 's' { palette = 'no', row = print } }", "'palette' of section 's' must be a boolean"),
    ] {
      let error = #expect(throws: LoadError.self) { try ScriptHost().load(text: script, name: "app.lua") }
      expect(error?.failure.message.contains(message), is: true, "\(error?.failure.message ?? "")")
    }
  }
}
