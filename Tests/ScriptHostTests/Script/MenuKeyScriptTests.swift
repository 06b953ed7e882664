import Expectations
import Testing

@testable import ScriptHost

@Suite("Keys of items, and open menus")
struct MenuKeyScriptTests {
  private static let menus = """
    menubar {
      menu "Image" {
        item "Five" { "rate(rating: 5)", key = "5", alternates = { alt = item "All Five" { "rate_all(rating: 5)" } } },
        item "Clear" { "clear", key = "Ctrl+K" },
        menu "More" { item "Top" { "top", key = "g g" }, item "Quiet" { "quiet", key = "q", keeps_open = true } },
        section "rows" {
          items = function(ctx) return { "x", "y" } end,
          row = function(v) return item(v) { "row(v: " .. v .. ")", key = "ctrl+" .. v } end,
          id = function(v) return v end,
        },
      },
      menu "Edit" { item "Second Clear" { "clear(where: edit)", key = "ctrl+k" } },
    }
    local main = window "main"
    local grid = responder "grid" { next = main }
    focus(grid)

    """

  private func lines(_ script: String, prints expected: String, at location: SourceLocation = #_sourceLocation) throws {
    try expect(Self.menus + script, prints: expected, at: location)
  }

  @Test("K1: Keys are looked up along the chain first, then in the menus in order, depth first")
  func order() throws {
    try lines(
      """
      function app.on:clear(ctx) return ctx.where or "image" end
      function app.on:row(ctx) return ctx.v .. " " .. ctx.sender.id .. " " .. ctx.sender.key end
      function app.on:rate(ctx) return ctx.rating end
      function app.on:top(ctx) return tostring(ctx.modifiers.ctrl) .. ctx.sender.title end
      function app.on:go()
        print(line(app:press("ctrl+k")), line(app:press("CTRL+Y")), line(app:press("5")))
        print(line(app:press("g")), line(app:press("g")), line(app:press("g 5")))
        grid.keys["ctrl+k"] = "rate(rating: 1)"
        print(line(app:press("ctrl+k")))
      end
      """,
      prints: """
        handled by app via on → image\thandled by app via on → y y ctrl+y\thandled by app via on → 5
        pending: 'g' waits for the rest of a sequence\thandled by app via on → nilTop\thandled by app via on → 5
        handled by app via on → 1
        """)
  }

  @Test("K1: The keys of rows belong to the current rows, as they come and go")
  func rows() throws {
    let stage = try ScriptStage(
      """
      local rows = { "w", "x" }
      menubar {
        section "rows" { items = function() return rows end, id = function(v) return v end,
          row = function(v) return item(v) { "row(v: " .. v .. ")", key = "ctrl+" .. v } end } }
      function app.on:row(ctx) return ctx.v end
      function app.on:have(ctx) rows = ctx.rows end
      """)
    func pressed() -> [String] { ["w", "x", "y"].map { stage.host.press("ctrl+\($0)").line } }
    func none(_ key: String) -> String { "unhandled: nothing is bound to 'ctrl+\(key)'" }
    expect(pressed(), is: ["handled by app via on → text(\"w\")", "handled by app via on → text(\"x\")", none("y")])
    _ = stage.perform("have(rows: [w, y])")
    expect(pressed(), is: ["handled by app via on → text(\"w\")", none("x"), "handled by app via on → text(\"y\")"])
  }

  @Test("K2: A disabled item consumes its key, for any reason")
  func disabled() throws {
    try lines(
      """
      function app.on:clear() return "cleared" end
      function app.can:clear(ctx) return ctx.where ~= nil, "nothing to clear" end
      function app:unknown(ctx) return "unknown" end
      function app.on:go()
        print(line(app:press("ctrl+k")))
        print(line(app:press("5")), line(app:perform("rate")))
      end
      """,
      prints: """
        disabled by app: nothing to clear
        disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions\thandled by app via unknown → unknown
        """)
  }

  @Test("K1: The key with an alternate's modifier picks the alternate")
  func alternates() throws {
    try lines(
      """
      function app.on:rate() return "one" end
      function app.on:rate_all(ctx) return "all " .. ctx.sender.title .. " " .. tostring(ctx.modifiers.alt) end
      function app.on:go()
        print(line(app:press("5")), line(app:press("alt+5")), line(app:press("ctrl+5")))
      end
      """,
      prints:
        "handled by app via on → one\thandled by app via on → all All Five true\tunhandled: nothing is bound to 'ctrl+5'"
    )
  }

  @Test(
    "K3: Two items with one key, and keys bound alone and as a prefix, are diagnostics at load; other keys are none"
  )
  func conflicts() throws {
    let stage = try ScriptStage(
      Self.menus + """
        grid.keys = { g = "x", ["ctrl+x ctrl+c"] = "x", ["ctrl+k"] = "x" }
        local other = responder "other" { keys = { z = "x" } }
        local lone = responder "lone" { next = main, keys = { ["z z"] = "x" } }
        app.keys["z y"] = "x"
        other.keys["m n"] = "x"
        app.keys.m = "x"
        responder "front" { before = "lone", keys = { z = "x" } }
        main.keys["t t"] = "x"
        main.delegate = responder "helper" { keys = { t = "x" } }
        responder "far" { keys = { ["d d"] = "x" } }
        app.delegate = responder "agent" { keys = { d = "x" } }
        """)
    expect(
      stage.host.takeDiagnostics().map { "\($0.code) \($0.place?.line ?? 0): \($0.message)" },
      is: [
        "key-conflict 12: 'ctrl+k' doesn't pick item 'Second Clear': item 'Clear' (app.lua:4) has the same key",
        "key-conflict 24: 't t' of 'main' never works: 't' alone is bound by 'helper' (app.lua:25)",
        "key-conflict 21: 'm n' of 'other' never works: 'm' alone is bound by 'app' (app.lua:22)",
        "key-conflict 19: 'z z' of 'lone' never works: 'z' alone is bound by 'front' (app.lua:23)",
        "key-conflict 26: 'd d' of 'far' never works: 'd' alone is bound by 'agent' (app.lua:27)",
      ])
    try stage.load("responder 'later' { keys = { k = 'x' } }", name: "later.lua")
    expect(stage.host.takeDiagnostics().isEmpty, "each is told once")
    expect(stage.host.press("g").reason, is: "nobody handles 'x'", "alone wins")
    expect(stage.host.press("ctrl+k").reason, is: "nobody handles 'x'")
  }

  @Test(
    "K3: A sequence is reachable past a responder that is in front only while focused or modal, without a diagnostic"
  )
  func reachedElsewhere() throws {
    let stage = try ScriptStage(
      Self.menus + """
        local normal = responder "normal" { next = main, keys = { ["m a"] = "x" } }
        local pick = responder "pick" { next = normal, keys = { m = "y" } }
        local finder = responder "finder" { keys = { g = "y" } }
        function app.on:x(ctx) return "reached" end
        function app.on:top() return "the top" end
        function app.on:y() return "alone" end
        """)
    expect(
      stage.host.takeDiagnostics().map(\.message),
      is: [
        "'ctrl+k' doesn't pick item 'Second Clear': item 'Clear' (app.lua:4) has the same key"
      ])
    for (focus, keys) in [("normal", "m a"), ("grid", "g g")] {
      _ = try stage.host.focus(require(stage.host.find(focus)))
      let outcome = stage.host.press(keys)
      expect(outcome.line.hasSuffix(focus == "normal" ? "text(\"reached\")" : "text(\"the top\")"), "\(outcome.line)")
    }
    _ = try stage.host.focus(require(stage.host.find("pick")))
    expect(stage.host.press("m").line.hasSuffix("text(\"alone\")"))
    expect(
      stage.host.keys().first { $0.keys == "m a" }?.conflict, is: "'m' alone is bound by 'pick'",
      "'keys' says what is so now")
  }

  @Test("K3: Keys that do the same as an item, with its arguments, don't conflict, wherever each has its arguments")
  func sameArguments() throws {
    let stage = try ScriptStage(
      """
      menubar {
        item "PS" { "save", args = { as = "ps", n = 2, how = { a = 1, b = 2 } }, key = "p" },
        item "PDF" { "save(as: pdf)", key = "q" },
        item "PNG" { "save(as: png)", args = { as = "gif" }, key = "r" },
        item "TXT" { "save", args = { as = "txt" }, key = "s" },
      }
      app.keys = {
        p = "save(how: {b: 2, a: 1}, n: 2, as: ps)", q = 'save("as": "pdf")',
        r = "save(as: png)",
        s = "save(as: txt, n: 1)",
      }
      function app.on:save() end
      """)
    expect(
      stage.host.takeDiagnostics().map(\.message),
      is: [
        "'r' doesn't pick item 'PNG': 'app' (app.lua:11) has the same key",
        "'s' doesn't pick item 'TXT': 'app' (app.lua:11) has the same key",
      ])
  }

  @Test("K3: If the app has an item's keys, they never pick it, which is a diagnostic unless both do the same")
  func shadowed() throws {
    let stage = try ScriptStage(
      Self.menus + """
        app.keys = { q = "x", ["g g"] = "top", ["5"] = { "rate(rating: 5)", "x" } }
        grid.keys["ctrl+x"] = "x"
        """)
    expect(
      stage.host.takeDiagnostics().map { "\($0.place?.line ?? 0): \($0.message)" },
      is: [
        "3: '5' doesn't pick item 'Five': 'app' (app.lua:17) has the same key",
        "12: 'ctrl+k' doesn't pick item 'Second Clear': item 'Clear' (app.lua:4) has the same key",
        "5: 'q' doesn't pick item 'Quiet': 'app' (app.lua:17) has the same key",
      ])
  }

  @Test("K1: keys lists every bound key: its action, its owner and its conflict")
  func listing() throws {
    let stage = try ScriptStage(
      Self.menus + """
        grid.keys = { ["CTRL+K"] = "x", g = "x" }
        app.keys = { ["ctrl+k"] = "y" }
        responder "other" { keys = { z = "z" } }
        """)
    let shown = stage.host.keys().map { entry in
      "\(entry.keys) \(entry.reference) by \(entry.by)\(entry.isItem ? " item" : "")\(entry.isReached ? "" : " not reached")"
        + (entry.conflict.map { ": \($0)" } ?? "") + " \(entry.place?.line ?? 0)"
    }
    expect(
      shown,
      is: [
        "ctrl+k x by grid 17", "g x by grid 17", "ctrl+k y by app: 'grid' is asked first 18",
        "5 rate(rating: 5) by Image/Five item 3", "alt+5 rate_all(rating: 5) by Image/All Five item 3",
        "ctrl+k clear by Image/Clear item: 'grid' is asked first 4",
        "g g top by Image/More/Top item: 'g' alone is bound by 'grid' 5", "q quiet by Image/More/Quiet item 5",
        "ctrl+x row(v: x) by x item 8", "ctrl+y row(v: y) by y item 8",
        "ctrl+k clear(where: edit) by Edit/Second Clear item: 'grid' is asked first 12",
        "z z by other not reached: 'other' is not in the chain 19",
      ])
  }

  @Test("V13: why shows the owners of a key's bindings, and whether and why their action is enabled")
  func why() throws {
    let stage = try ScriptStage(
      Self.menus + """
        grid.keys = { ["CTRL+K"] = "x", j = "clear" }
        function app.on:clear() end
        function app.can:clear() return false, "nothing to clear" end
        function app.on:quiet() end
        """)
    let host = stage.host
    let bound = try host.why(keys: "Ctrl+k")
    expect(!bound.isEnabled && bound.reason == "nobody handles 'x'")
    expect(
      bound.steps.prefix(3).map { "\($0.node): \($0.asked) → \($0.answer)" },
      is: [
        "grid: key ctrl+k → performs x", "Image/Clear: key ctrl+k → picks it: clear, but 'grid' is asked first",
        "Edit/Second Clear: key ctrl+k → picks it: clear(where: edit), but 'grid' is asked first",
      ])
    try expect(host.why(keys: "j").reason, is: "nothing to clear")
    let item = try host.why(keys: "q")
    expect(item.isEnabled && item.by == "app" && item.steps.first?.node == "Image/More/Quiet")
    try expect(host.why(keys: "g").reason, is: "'g' is only the beginning of 'g g'")
    try expect(host.why(keys: "z").reason, is: "nothing is bound to 'z'")
    try stage.load("responder 'other' { keys = { z = 'clear' } }", name: "other.lua")
    try expect(host.why(keys: "z").reason, is: "'z' is bound by 'other', but that is not in the chain")
    #expect(throws: KeyError.self) { try host.why(keys: "ctrl+") }
  }

  @Test("V13, K10: why of a key asks the conditions of its bindings, and explains the binding that the press performs")
  func whyCondition() throws {
    let stage = try ScriptStage(
      """
      grid = responder "grid"
      function grid.on:save() return "saved" end
      function app.on:far() return "far" end
      function grid:provide(ctx) ctx.editing = self.editing end
      grid.keys = {
        s = { "save", when = function(ctx) return ctx.editing end },
        w = { "save", when = function(ctx) return ctx.editing end },
      }
      app.keys = { w = "far" }
      focus(grid)
      """)
    let host = stage.host
    let off = try host.why(keys: "s")
    expect(off.reason == host.press("s").reason && !off.isEnabled && off.keys.map(\.key) == ["editing"])
    expect(
      off.text,
      is: """
        disabled: 's' does 'save', but not now: its 'when' says no
          grid: key s → its 'when' returns false, else performs save (app.lua:8)
          key 'editing': missing; could come from 'grid'
        """)
    let other = try host.why(keys: "w")
    expect(other.isEnabled && other.by == "app" && host.press("w").result.shownText == "far")
    try host.evaluate("grid.editing = true")
    let on = try host.why(keys: "w")
    expect(on.by == "grid" && on.keys.map(\.by) == ["grid"])
    expect(on.steps.first?.answer, is: "its 'when' returns true: performs save")
  }

  @Test(
    "D13: An item that only a modal session prevents is blocked, picked or pressed; a disabled one stays disabled"
  )
  func blocked() throws {
    try lines(
      """
      local panel = responder "panel"
      function app.on:clear() return "cleared" end
      function app.on:rate() return "rated" end
      function app.can:rate() return false, "never" end
      function app.on:go()
        local session = modal(panel)
        print(line(app:pick("Image/Clear")))
        print(line(app:press("ctrl+k")), app:item("Image/Clear").enabled, app:item("Image/Clear").by)
        print(line(app:pick("Image/More/Top")))
        session:close()
        session = modal(panel, { dismissable = true })
        print(app:item("Image/Clear").enabled, app:menu("Image").enabled, session.open)
        print(line(app:press("ctrl+k")), session.open, line(app:pick("Image/Clear")))
        session = modal(panel, { dismissable = true })
        print(line(app:pick("Image/Clear")), session.open)
      end
      """,
      prints: """
        blocked by app via on: a modal session on 'panel' is open (since app.lua:22), and 'app' is outside of it
        blocked by app via on: a modal session on 'panel' is open (since app.lua:22), and 'app' is outside of it\tfalse\tapp
        disabled: nobody handles 'top'
        false\ttrue\ttrue
        blocked by app via on: dismissed\tfalse\thandled by app via on → cleared
        blocked by app via on: dismissed\tfalse
        """)
  }

  @Test(
    "D13: A pick validates an item's taker once, and refuses a disabled item without telling observers"
  )
  func picked() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        asked, done, told, heard, isOff = 0, 0, 0, {}, false
        observe("*", function() told = told + 1 end)
        function app.can:go() asked = asked + 1 return not isOff, "off" end
        function app.on:go() done = done + 1 end
        function app.can:skip() return pass end
        function app.on:skip() done = done + 1 end
        function app.on:shown() done = done + 1 end
        function app.look:shown() error "no look" end
        function app.unknown(action) heard[#heard + 1] = action end
        menubar { menu "All" {
          item "Go" { "go", id = "go" }, item "Skip" { "skip", id = "skip" }, item "None" { "none", id = "none" },
          item "Shown" { "shown", id = "shown" }, item "Own" { "go", id = "own", look = function() error "own" end },
        }, menu "Free" { auto = false, item "Any" { "none", id = "any" } } }
        """, name: "app.lua")
    func numbers(_ line: String) throws -> [Int] {
      try host.evaluate(line).map { if case .integer(let number) = $0 { number } else { -1 } }
    }
    expect(host.pick("go").status, is: .handled)
    try expect(numbers("asked, done, told"), is: [1, 1, 2])
    try host.evaluate("isOff = true")
    for id in ["go", "skip", "none", "shown", "own"] {
      let outcome = host.pick(id)
      let drawn = try require(host.item(id))
      expect(outcome.status == .disabled && !drawn.isEnabled && outcome.reason == drawn.reason, "\(id): \(outcome)")
    }
    try expect(numbers("done, told, #heard"), is: [1, 2, 0])
    // If the menu leaves enabling to the script, the catch-all handles unhandled actions.
    expect(host.pick("any").status, is: .handled)
    try expect(numbers("#heard"), is: [1])
  }

  @Test("F7: An open menu is a session: picking, cancelling and background end it; keeps_open doesn't")
  func openMenus() throws {
    try lines(
      """
      function app.on:clear() return "cleared" end
      function app.on:quiet() return "quiet" end
      function app.on:rate_all() return "all" end
      function app.on:rate() return "rated" end
      function app.on:go()
        local m = app:open_menu("Image")
        print(m.open, app:item("Image/Clear").enabled, line(m:pick("Image/Clear")), m.open)
        m = app:open_menu("Image")
        print(line(m:pick("Image/More/Quiet")), m.open, line(m:pick("Image/More/Top")), m.open)
        print(line(m:pick("Image/Five", { alt = true })), m.open, line(m:pick("Image/Clear")))
        m = app:open_menu("Image") m:close() print(m.open)
        m = app:open_menu("Image") app:enter("background") print(m.open)
        m = app:open_menu("Image/More")
        print(line(m:pick("Image/Clear")), m.open, line(app:perform("clear")), m.open, line(app:perform("clear")))
        m = app:open_menu("Image")
        print(line(app:pick("Image/Clear")), m.open)
        m = app:open_menu("Image")
        print(line(app:pick("Edit/Second Clear")), m.open)
        m = app:open_menu("root") print(line(app:pick("Edit/Second Clear")), m.open)
        print(app:open_menu("Image/Clear")) print(app:open_menu("Imag")) print(app:open_menu("Edit").open)
      end
      """,
      prints: """
        true\ttrue\thandled by app via on → cleared\tfalse
        handled by app via on → quiet\ttrue\tdisabled: nobody handles 'top'\ttrue
        handled by app via on → all\tfalse\tfailed ! the menu 'Image' is not open any more
        false
        false
        failed ! 'Image/Clear' is not in the open menu 'More'\ttrue\tblocked by app via on: dismissed\tfalse\thandled by app via on → cleared
        handled by app via on → cleared\tfalse
        blocked by app via on: dismissed\tfalse
        handled by app via on → cleared\tfalse
        nil\t'Image/Clear' can't be opened: it is no menu
        nil\tthere is no element 'Imag'; did you mean 'Image'?
        true
        """)
  }

  @Test("F7: A context menu opens by its snapshot or by an id in it; a modal session below it still counts")
  func contextMenus() throws {
    try lines(
      """
      local panel = responder "panel"
      function grid.build:url(m, url)
        m:insert_last("root", item("Open") { "open" })
        m:insert_last("root", menu "Copy" { item "As Text" { "copy" } })
      end
      function grid.on:open(ctx) return ctx.subject end
      function grid.on:copy(ctx) return "copied " .. ctx.subject end
      function app.on:go()
        local m = app:open_menu(app:context_menu("url", "u1"))
        print(m.open, line(m:pick("Open")), m.open)
        m = app:open_menu(app:context_menu("url", "u2"))
        print(line(app:pick("Copy/As Text")), m.open)
        m = app:open_menu("Copy")
        print(line(m:pick("Open")), line(m:pick("Copy/As Text")), m.open)
        print(app:open_menu(app:menu()).open, line(app:perform("nobody")), line(app:perform("go2")))
        local session = modal(panel)
        m = app:open_menu(app:context_menu("url", "u3", { from = "grid" }))
        print(line(m:pick("Open")), m.open)
        session:close() print(m.open)
        fails(app.open_menu, app) fails(app.open_menu, app, {}) fails(function() m.open = true end)
      end
      function app.on:go2() return "go2" end
      """,
      prints: """
        true\thandled by grid via on → u1\tfalse
        handled by grid via on → copied u2\tfalse
        failed ! 'Open' is not in the open menu 'Copy'\thandled by grid via on → copied u2\tfalse
        true\tunhandled: nobody handles 'nobody'\tblocked by app via on: dismissed
        blocked by grid via on: a modal session on 'panel' is open (since app.lua:32), and 'grid' is outside of it\ttrue
        false
        the id of a menu must be a string, not nil
        open_menu takes the id of a menu or a snapshot of one
        app.lua:36: the fields of this open menu can only be read
        """)
  }

  @Test("F7: Opened from Swift, a menu ends with its host, and stays open if nothing holds it")
  func fromSwift() throws {
    var stage: ScriptStage? = try ScriptStage(Self.menus + "function app.on:clear() return 1 end")
    let menu = try require(try stage?.host.openMenu("Image"))
    expect(menu.isOpen && menu.menu.children.count == 5 && stage?.host.modalSessions.count == 1)
    expect(menu.pick("Image/Clear").status == .handled && !menu.isOpen)
    #expect(throws: Misuse.self) { try stage?.host.openContextMenu() }
    _ = try stage?.host.openMenu("Image")
    expect(stage?.host.modalSessions.count, is: 1)
    expect(stage?.host.pick("Image/Clear").status, is: .handled)
    expect(stage?.host.modalSessions.count, is: 0)
    let left = try require(try stage?.host.openMenu("Image"))
    stage = nil
    expect(!left.isOpen)
    expect(left.pick("Image/Clear").status, is: .failed)
  }

  @Test("F7: A refused pick in an open menu calls can once, and leaves the menu open")
  func refusedOnce() throws {
    let stage = try ScriptStage(
      Self.menus
        + """

        function app.can:clear() print("asked") return false, "not yet" end
        function app.on:clear() end
        """)
    let menu = try stage.host.openMenu("Image")
    _ = stage.takePrinted()
    expect(menu.pick("Image/Clear").status == .disabled && menu.isOpen)
    expect(stage.takePrinted(), is: ["asked"])
  }

  @Test("F10: Waiting URLs go out before a snapshot")
  func urlsBeforeSnapshot() throws {
    try lines(
      """
      function app.on:go()
        print(app:open_urls({ "a" })[1].status)
        function app.on:openURL(ctx) print("open " .. ctx.url) end
        print(#app:menu().children)
        print(app:open_urls({ "b" })[1].status)
      end
      """,
      prints: """
        pending
        open a
        2
        open b
        handled
        """)
  }

  @Test("F9: A phase change (M13) runs builders again, and a session tells listeners which items it disables")
  func changes() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "File" { item "Save" { "save" } } }
      builds = 0
      local panel = responder "panel"
      function app.build:main(m) builds = builds + 1 end
      function app.on:save() end
      function app.on:open() session = modal(panel) end
      function app.on:count() return builds end
      session = false
      listen("validation", function(changes)
        for _, c in ipairs(changes) do print(c.id, c.element.enabled) end
      end)
      """)
    _ = stage.host.menus()
    let before = stage.host.perform("count").result
    try stage.host.enter(.active)
    expect(stage.host.perform("count").result.shown != before.shown)
    _ = stage.takePrinted()
    _ = stage.host.perform("open")
    expect(stage.takePrinted(), is: ["File/Save\tfalse"])
    stage.host.modalSessions.first?.close()
    expect(stage.takePrinted(), is: ["File/Save\ttrue"])
  }
}
