import Expectations
import Testing

@testable import ScriptHost

@Suite("Focus, modality, phase and URLs that scripts use")
struct FocusScriptTests {
  @Test("F0: A responder's window, the key window, and a window's first responder")
  func windows() throws {
    try expect(
      """
      local main, panel = window "main", window "panel"
      local grid = responder "grid" { next = main }
      local field = responder "field" { next = panel }
      function app.on:go()
        print(main.is_key, main.is_main, main.first == main, panel.first == panel)
        print(focus(field), panel.is_key, main.is_key, panel.first == field, main.first == main)
        main:make_key() panel:make_main()
        print(main.is_key, panel.is_main, app:chain()[1])
        fails(grid.make_key, grid)
      end
      """,
      prints: """
        true\ttrue\ttrue\ttrue
        true\ttrue\tfalse\ttrue\ttrue
        true\ttrue\tmain
        attempt to call a nil value
        """)
  }

  @Test("F1: accepts_focus, resign, become, the event; false refuses, anything else doesn't")
  func order() throws {
    try expect(
      """
      local main = window "main"
      local a, b = responder "a" { next = main }, responder "b" { next = main, accepts_focus = true }
      for _, r in ipairs { a, b } do
        function r:become() print("become " .. self.name) return self.becomes end
        function r:resign() print("resign " .. self.name) return self.resigns end
      end
      function a:accepts_focus() print("accepts " .. self.name) return self.accepts end
      listen("focus", function(new, old) print(old.name .. " → " .. new.name) end)
      function app.on:go()
        print(focus(b)) print(focus(a)) print(focus(a))
        a.resigns = false print(focus(b)) a.resigns = nil
        b.accepts_focus = false print(focus(b)) b.accepts_focus = nil
        b.becomes = false print(focus(b)) print(main.first == main)
        a.accepts = false print(focus(a))
      end
      """,
      prints: """
        become b
        main → b
        true
        accepts a
        resign b
        become a
        b → a
        true
        true
        resign a
        false
        false
        resign a
        become b
        a → main
        false
        true
        accepts a
        false
        """)
  }

  @Test("F1: focusing inside resign raises there; in become it may be done")
  func inside() throws {
    try expect(
      """
      local main = window "main"
      local a, b = responder "a" { next = main }, responder "b" { next = main }
      function a:resign()
        fails(focus, b) fails(function() main:make_key() end) fails(modal, b)
        print(app:perform("note").status)
      end
      function app.on:note() print("noted") end
      function app.on:go()
        print(focus(a), focus(b))
        function a:become() return focus(b) end
        print(focus(a), main.first.name)
      end
      """,
      prints: """
        the focus can't be moved while 'a' is losing it
        app.lua:4: the focus can't be moved while 'a' is losing it
        the focus can't be moved while 'a' is losing it
        noted
        handled
        true\ttrue
        the focus can't be moved while 'a' is losing it
        app.lua:4: the focus can't be moved while 'a' is losing it
        the focus can't be moved while 'a' is losing it
        noted
        handled
        false\tb
        """)
  }

  @Test(
    "F1: accepts_focus is read-only; an error in it, resign or become is a diagnostic with its line and refuses nothing"
  )
  func errors() throws {
    let stage = try ScriptStage(
      """
      local a, b = responder "a", responder "b"
      function a:accepts_focus() app:perform("x") end
      function a:become() error("become broke") end
      function b:resign() error("resign broke") end
      function app.on:go() return tostring(focus(b)) .. tostring(focus(a)) end
      """)
    expect(stage.perform("go"), is: "handled by app via on → text(\"truetrue\")")
    expect(
      stage.host.takeDiagnostics().map { "\($0.place?.line ?? 0): \($0.message)" },
      is: [
        "2: performing is not possible here: the host only asks this function, so it must not change anything",
        "4: resign broke",
        "3: become broke",
      ])
  }

  @Test("F1: a hook that never ends is ended, from Swift too")
  func endless() throws {
    let stage = try ScriptStage(
      """
      local a = responder "a"
      function a:become() while true do end end
      listen("phase", function() while true do end end)
      """)
    let a = try require(stage.host.find("a"))
    try expect(stage.host.focus(a))
    expect(stage.host.takeDiagnostics().map(\.code), is: ["limit"])
    try stage.host.enter(.active)
    expect(stage.host.takeDiagnostics().map(\.code), is: ["limit"])
  }

  @Test("F2: a removed first responder hands over to its next, a removed key window to the last key one")
  func removal() throws {
    try expect(
      """
      local main, panel = window "main", window "panel"
      local grid = responder "grid" { next = main }
      local cell = responder "cell" { next = grid }
      focus(panel) focus(cell)
      listen("focus", function(new, old) print(old.name .. " → " .. new.name) end)
      function app.on:go() cell:remove() main:remove() print(panel.is_key) end
      """,
      prints: """
        cell → grid
        grid → panel
        true
        """)
  }

  @Test("F3: modal(r) focuses r; responders outside of it are blocked, and items show that")
  func modality() throws {
    try expect(
      """
      local main, panel = window "main", window "panel"
      local grid, field = responder "grid" { next = main }, responder "field" { next = panel }
      function grid.on:edit() return "grid" end
      function field.on:edit() return "field" end
      function panel.on:ok(ctx) print(ctx:forward()) return "ok" end
      function app.on:ok() return "never" end
      function app.on:save() return "saved" end
      function app.on:go()
        focus(grid)
        say("open")
        say("edit", nil, { from = field }) say("edit", nil, { to = "grid" }) say("ok") say("save") look("save")
        print(app:perform("save").by, app:why("save").reason ~= nil, panel.is_key)
        session:close()
        print(session.open, app:chain()[1]) say("save")
      end
      main.works_when_modal = false
      function main.on:open() session = modal(panel) print(session.open) end
      session = false
      """,
      prints: """
        true
        handled by main via on
        handled by field via on → field
        blocked by grid via on: a modal session on 'panel' is open (since app.lua:17), and 'grid' is outside of it
        nil\ta modal session on 'panel' is open (since app.lua:17), and 'app' is outside of it
        handled by panel via on → ok
        blocked by app via on: a modal session on 'panel' is open (since app.lua:17), and 'app' is outside of it
        disabled by app: a modal session on 'panel' is open (since app.lua:17), and 'app' is outside of it
        app\ttrue\ttrue
        false\tgrid
        handled by app via on → saved
        """, after: ["go"])
  }

  @Test("F8: works_when_modal is let through; F4: sessions stack, closing one closes those above")
  func stacking() throws {
    try expect(
      """
      local main, panel, tools = window "main", window "panel", window "tools" { works_when_modal = true }
      local sheet = responder "sheet" { next = panel }
      local pen = responder "pen" { next = tools }
      function pen.on:draw() return "drawn" end
      function panel.on:ok() return "ok" end
      function app.on:go()
        local one = modal(panel)
        local two, three = modal(sheet), modal(sheet)
        say("ok") say("draw", nil, { from = pen })
        two:close()
        print(one.open, two.open, three.open)
        say("ok")
        tools.works_when_modal = false say("draw", nil, { from = pen })
        one:close() one:close()
        print(one.open, main.is_key)
      end
      """,
      prints: """
        blocked by panel via on: a modal session on 'sheet' is open (since app.lua:8), and 'panel' is outside of it
        handled by pen via on → drawn
        true\tfalse\tfalse
        handled by panel via on → ok
        blocked by pen via on: a modal session on 'panel' is open (since app.lua:7), and 'pen' is outside of it
        false\ttrue
        """)
  }

  @Test(
    "F5: A session ends by its handle, on an unended error, with its responder, in the background; never by collection")
  func ends() throws {
    let stage = try ScriptStage(
      """
      local main, panel = window "main", window "panel"
      local sheet = responder "sheet" { next = panel }
      held = nil
      function sheet.on:broken() error("broken") end
      function app.on:open() modal(sheet) end
      function app.on:hold() held = modal(sheet) end
      function sheet.on:done() held:close() end
      function app.on:breaks() modal(sheet) error("too late") end
      function sheet.on:leave() sheet:remove() end
      """)
    let host = stage.host
    for end in ["done", "broken"] {
      _ = stage.perform("hold")
      for _ in 0..<50 { _ = host.validate("save") }
      expect(host.modalSessions.count, is: 1)
      _ = stage.perform(end)
      expect(host.modalSessions.isEmpty && host.focused.name == "main", "\(end)")
    }
    _ = stage.perform("breaks")
    expect(host.modalSessions.isEmpty)
    _ = stage.perform("open")
    // Nothing holds its handle now. The session survives any number of collections.
    _ = host.perform("x(text: \"\(String(repeating: "y", count: 1000))\")")
    expect(host.modalSessions.count, is: 1)
    try host.enter(.background)
    expect(host.modalSessions.isEmpty)
    _ = stage.perform("open")
    _ = stage.perform("leave")
    expect(host.modalSessions.isEmpty && host.find("sheet") == nil && host.focused.name == "main")
  }

  @Test(
    "F5: A waiting action that fails closes the session that it opened, and no session that others open meanwhile",
    arguments: [false, true])
  func failureAfterWaiting(isObserved: Bool) throws {
    let stage = try ScriptStage(
      """
      local panel, other = window "panel", window "other"
      function app.on:opens_once() modal(panel):close() end
      function app.on:waits() sleep(1) error("broken", 0) end
      function app.on:opens() modal(panel) sleep(1) error("broken", 0) end
      function app.on:opens_for_a_while() local one = modal(panel) sleep(1) one:close() sleep(1) error("broken", 0) end
      """)
    let host = stage.host
    let other = try require(host.find("other"))
    if isObserved { host.observe { _ in } }
    expect(host.perform("opens_once").status, is: .handled)
    for _ in 0..<3 {
      let waits = host.perform("waits").job
      let session = try host.modal(other)
      try host.advance(by: .seconds(1))
      expect(waits?.outcome?.status == .failed && session.isOpen)
      session.close()

      let opens = host.perform("opens").job
      expect(host.modalSessions.count, is: 1)
      try host.advance(by: .seconds(1))
      expect(opens?.outcome?.status == .failed && host.modalSessions.isEmpty)

      let closed = host.perform("opens_for_a_while").job
      try host.advance(by: .seconds(1))
      let later = try host.modal(other)
      try host.advance(by: .seconds(1))
      expect(closed?.outcome?.status == .failed && later.isOpen)
      later.close()
    }
  }

  @Test("F5: a failed hook that ends the error keeps the session")
  func endedError() throws {
    try expect(
      """
      local panel = window "panel"
      function panel.on:broken() error("broken") end
      function panel:failed(err) end
      function app.on:go()
        local session = modal(panel)
        print(app:perform("broken").error.ended, session.open)
        panel.failed = nil
        print(app:perform("broken").error.ended, session.open)
      end
      """,
      prints: """
        true\ttrue
        nil\tfalse
        """)
  }

  @Test("F6: a dismissable session is closed by the first action from outside, which is consumed")
  func dismissable() throws {
    try expect(
      """
      local panel = responder "panel" { keys = { k = "save" } }
      function panel.on:ok() return "ok" end
      function app.on:save() return "saved" end
      function app.on:go()
        local session = modal(panel, { dismissable = true })
        say("ok") look("save") print(session.open)
        say("save") print(session.open)
        session = modal(panel, { dismissable = true })
        print(line(app:press("k")), session.open)
        say("save")
      end
      """,
      prints: """
        handled by panel via on → ok
        disabled by app: a modal session on 'panel' is open (since app.lua:5), and 'app' is outside of it
        true
        blocked by app via on: dismissed
        false
        blocked by app via on: dismissed\tfalse
        handled by app via on → saved
        """)
  }

  @Test("F3: modal checks its arguments; a handle has close and open, and nothing else of the host's")
  func misuse() throws {
    try expect(
      """
      local panel = responder "panel"
      local deaf = responder "deaf" { accepts_focus = false }
      function app.on:go()
        fails(modal) fails(modal, "panl") fails(modal, panel, true)
        fails(modal, panel, { dismisable = true }) fails(modal, panel, { dismissable = 1 }) fails(modal, panel, { 1 })
        print(modal(deaf))
        local session = modal "panel"
        print(session.opened, pcall(function() session.open = false end))
        session.close()
        print(session.open, getmetatable(session))
        panel:remove() fails(modal, panel)
      end
      """,
      prints: """
        the responder of a modal session must be a responder or its name, not nil
        there is no responder named 'panl'; did you mean 'panel'?
        the options of modal must be a table, not a boolean
        modal has no option 'dismisable'; did you mean 'dismissable'?
        'dismissable' must be a boolean, not a number
        options are named, as in { wait = false }: a number can't be a name
        nil\t'deaf' didn't get the focus, so it has no modal session
        nil\tfalse\tapp.lua:8: the fields of this modal session can only be read
        false\tfalse
        'panel' was removed
        """)
  }

  @Test("V8: while the host asks, no session opens or closes, nothing is pressed, no phase entered, no URL opened")
  func asking() throws {
    try expect(
      """
      local panel = responder "panel" { keys = { k = "x" } }
      local function refused(body, ...)
        print((select(2, pcall(body, ...)):gsub("^app.lua:%d+:[%d:]* ?", "")))
      end
      function panel.on:x() end
      function panel.can:x()
        refused(modal, panel) refused(session.close) refused(app.press, app, "k") refused(app.enter, app, "active")
        refused(app.open_urls, app, {}) refused(function() panel.keys.j = "x" end) refused(function() panel.keys = {} end)
        refused(function() panel.become = print end) refused(function() panel.accepts_focus = true end)
        refused(function() panel.works_when_modal = true end)
        return true
      end
      function app.on:go() session = modal(panel) app:validate("x") print(session.open, panel.keys.k) end
      session = false
      """,
      prints: [
        "opening a modal session", "closing a session", "pressing keys", "entering a phase", "opening URLs",
        "registering", "assigning 'keys'", "assigning 'become'", "assigning 'accepts_focus'",
        "assigning 'works_when_modal'",
      ].map { "\($0) is not possible here: the host only asks this function, so it must not change anything" }.joined(
        separator: "\n")
        + "\ntrue\tx")
  }

  @Test(
    "E3: while a script loads, modal, press, enter and open_urls raise",
    arguments: [
      ("modal(r)", "opening a modal session"), ("app:press('k')", "pressing keys"),
      ("app:enter('active')", "entering a phase"),
      ("app:open_urls { 'x' }", "opening URLs"),
    ])
  func loading(call: String, what: String) throws {
    let error = try loadError("r = responder 'r' focus(r) \(call)")
    expect(error.hasSuffix("\(what) is not possible while a script loads: do it in an action or in 'start'"))
  }

  @Test("F9: app.phase starts inactive, app:enter sets it; listeners run on changes only")
  func phases() throws {
    try expect(
      """
      listen("phase", function(new, old) print(old .. " → " .. new) end)
      function app.on:go()
        print(app.phase)
        app:enter("active") app:enter("active") print(app.phase)
        app:enter("background") app:enter("inactive")
        fails(app.enter, app, "actve") fails(app.enter, app, 1) fails(app.enter, app, "away")
        fails(function() app.phase = "active" end)
      end
      """,
      prints: """
        inactive
        inactive → active
        active
        active → background
        background → inactive
        there is no phase 'actve'; did you mean 'active'?
        the phase must be a string, not a number
        there is no phase 'away': there are inactive, active and background
        app.lua:7: 'phase' belongs to the host and can't be assigned
        """)
  }

  @Test("F10: open_urls performs openURL with ctx.url, in order; an unhandled URL is pending and is delivered once")
  func urls() throws {
    try expect(
      """
      function app:unknown(ctx) print("unknown " .. ctx.action) end
      function app.on:note() print("noted") end
      function app.on:go()
        for _, outcome in ipairs(app:open_urls { "a", "b" }) do print(line(outcome)) end
        local grid = responder "grid" { next = app }
        function grid.on:openURL(ctx) print("open " .. ctx.url) return ctx.args.url end
        focus(grid)
        say("note")
        for _, outcome in ipairs(app:open_urls { "c" }) do print(line(outcome)) end
        print(#app:open_urls {})
        fails(app.open_urls, app, "x") fails(app.open_urls, app, { 1 }) fails(app.open_urls, app)
      end
      """,
      prints: """
        pending: 'a' waits until a script handles openURL
        pending: 'b' waits until a script handles openURL
        open a
        open b
        noted
        handled by app via on
        open c
        handled by grid via on → c
        0
        the URLs must be a table, not a string
        a URL is a string, not a number
        app:open_urls takes a list of URLs: { "https://…" }
        """)
  }

  @Test("F10: While a URL opens, the next one waits; it opens when the first has ended")
  func slowURLs() throws {
    let host = try ScriptStage(
      """
      opened = ""
      function app.on:openURL(ctx) sleep(1) opened = opened .. ctx.url end
      function app.on:go() return opened end
      """
    ).host
    expect(host.openURLs(["a", "b"]).map(\.status) == [.running, .pending] && host.waitingURLs == ["b"])
    expect(host.openURLs(["c"])[0].reason, is: "'c' waits: another URL is being opened")
    for (opened, waiting) in [("a", ["c"]), ("ab", []), ("abc", [])] {
      try host.advance(by: .seconds(1))
      expect(host.waitingURLs == waiting && host.jobs.isEmpty == (opened == "abc"), "the next is being opened")
      expect(host.perform("go").result.shown, is: opened)
    }
  }

  @Test("F10: A URL whose taker passes after it has waited stays pending, before those behind it")
  func passedLate() throws {
    let host = try ScriptStage(
      """
      isReady, opened = false, ""
      function app.on:openURL(ctx) sleep(1) if not isReady then return pass end opened = opened .. ctx.url end
      function app.on:ready() isReady = true end
      function app.on:opened() return opened end
      menubar { menu "M" { item "R" { "ready" } } }
      """
    ).host
    let outcomes = host.openURLs(["a", "b"])
    expect(outcomes.map(\.status), is: [.running, .pending])
    try host.advance(by: .seconds(1))
    expect(outcomes[0].job?.outcome?.reason, is: "'a' waits until a script handles openURL")
    expect(host.waitingURLs == ["a", "b"] && host.jobs.isEmpty, "it isn't opened again by itself")
    _ = host.menus()
    expect(host.jobs.isEmpty, "nor by a snapshot")
    expect(host.perform("ready").status == .handled && host.waitingURLs == ["b"] && host.jobs.count == 1)
    for _ in 1...2 { try host.advance(by: .seconds(1)) }
    expect(host.waitingURLs == [] && host.perform("opened").result.shownText == "ab")
  }

  @Test("F10: A URL waits for the responder that would open it, and for no other")
  func otherTakers() throws {
    let host = try ScriptStage(
      """
      slow, quick, opened = responder "slow" { next = app }, responder "quick" { next = app }, ""
      function slow.on:openURL(ctx) sleep(9) end
      function quick.on:openURL(ctx) sleep(1) opened = opened .. ctx.url end
      function app.on:turn() focus(quick) end
      function app.on:opened() return opened end
      focus(slow)
      """
    ).host
    expect(host.openURLs(["a"]).map(\.status), is: [.running])
    host.perform("turn")
    expect(host.openURLs(["b", "c"]).map(\.status), is: [.running, .pending])
    try host.advance(by: .seconds(1))
    expect(host.perform("opened").result.shown == "b" && host.waitingURLs == [] && host.jobs.count == 2)
  }

  @Test("F10: Waiting URLs aren't part of an opening URL; each goes out separately, however that opening ends")
  func eachOnItsOwn() throws {
    let stage = try ScriptStage(
      """
      opened = {}
      function app.on:openURL(ctx)
        ctx:set(opened, ctx.url, true)
        if ctx.url == "fails" then sleep(1) app:perform("x") error("no", 0) end
        if ctx.url == "waits" then sleep(9) end
        while ctx.url == "loops" do end
      end
      function app.on:x() end
      function app.on:shown()
        local urls = {}
        for url in pairs(opened) do urls[#urls + 1] = url end
        table.sort(urls)
        return table.concat(urls, " ")
      end
      """, limits: HostLimits(perform: .milliseconds(500, instructions: 200_000)))
    let host = stage.host
    expect(host.openURLs(["fails", "a", "b"]).map(\.status), is: [.running, .pending, .pending])
    try host.advance(by: .seconds(1))
    expect(host.perform("shown").result.shown, is: "a b", "what failed is taken back, and nothing else")
    let waits = host.openURLs(["waits", "loops", "c"])
    expect(waits.map(\.status) == [.running, .pending, .pending] && host.nextDeadline == .seconds(10))
    waits[0].job?.cancel()
    expect(host.nextDeadline == host.now && host.waitingURLs == ["loops", "c"])
    host.run()
    expect(host.waitingURLs == ["c"] && host.nextDeadline == host.now, "what the one has spent is not the other's")
    host.run()
    expect(host.perform("shown").result.shown == "a b c" && host.waitingURLs.isEmpty && host.nextDeadline == nil)
  }
}
