import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: progress and messages of the app") struct FaceTellingTests {
  private static let waiting = """
    app.title = "Waits"
    menubar { menu "M" { item "Export" { "export" }, item "Nap" { "nap" } } }
    function app.on:export() progress(0.42, "3 of 7") sleep(5) progress(1, "7 of 7") sleep(1) return "exported" end
    function app.on:nap() sleep(5) end
    app.keys = { esc = "escape" }
    escapes = 0
    function app.on:escape() escapes = escapes + 1 end
    """

  @Test("An action that takes time shows its progress and its outcome")
  func progress() throws {
    let stage = try FaceStage(Self.waiting, clock: TestClock())
    try stage.press("f10 enter")
    expect(stage.bottom, is: " Export ████████░░░░░░░░░░░░  42 %  3 of 7  esc esc cancels")
    try stage.host.advance(by: .seconds(5))
    stage.settle()
    expect(stage.bottom, is: " Export ████████████████████ 100 %  7 of 7  esc esc cancels")
    // A message shows for a while, and then the progress again.
    try stage.press("x")
    expect(stage.bottom, is: " ✗ nothing is bound to 'x'")
    stage.passes(.seconds(3))
    expect(stage.bottom.contains("100 %"))
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.bottom, is: " ✓ Export → exported")
  }

  @Test("A face shows the progress of an action that began before it, and how many others there are")
  func wentOnBefore() throws {
    let stage = try FaceStage(
      Self.waiting + "\nfunction app.on:early() progress(0.3, 'starting') sleep(20) end", columns: 80,
      clock: TestClock()
    ) { _ = $0.perform("early") }
    expect(stage.bottom.hasPrefix(" early ██████░░░░░░░░░░░░░░  30 %  starting  "), "\(stage.bottom)")
    try stage.press("f10 enter")
    expect(stage.bottom, is: " Export ████████░░░░░░░░░░░░  42 %  3 of 7  and 1 more          esc esc cancels")
    // Messages in between may get lost: the face asks again for the running actions.
    stage.face.jobs = [RunningJob(number: 99, title: "Gone")]
    stage.face.askWhatGoesOn()
    stage.settle()
    expect(stage.face.jobs.map(\.number).contains(99) == false && stage.face.jobs.count == 2)
    try stage.host.advance(by: .seconds(20))
    stage.settle()
    expect(stage.face.jobs.isEmpty)
  }

  @Test("Actions of timers leave no message and no log entry, and hide neither outcomes nor progress")
  func timers() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Go" { "go", key = "g" }, item "Export" { "export", key = "e" }, item "No" { "no", key = "n" } } }
      function app.on:go() return "went" end
      function app.on:export() progress(0.42) sleep(60) return "exported" end
      function app.can:no() return false, "not today" end
      function app.on:no() end
      function app.on:refresh() progress(0.5) sleep(0.1) end
      times = 0
      every(1, function() times = times + 1 sleep(0.2) app:perform("refresh") end)
      after(3, function() sleep(0.1) error("no such luck") end)
      """, clock: TestClock())
    func pass(_ tenths: Int) throws {
      for _ in 0..<tenths {
        try stage.host.advance(by: .milliseconds(100))
        stage.settle()
      }
    }
    try pass(11)
    expect(stage.bottom, is: " f10 menus   ctrl+p find   ? keys")
    try stage.press("g")
    try pass(10)
    expect(stage.bottom, is: " ✓ Go → went")
    try stage.press("n")
    try pass(1)
    expect(stage.bottom, is: " ✗ No: not today")
    expect(stage.face.log.entries.map(\.text), is: ["Go → went", "No: not today"])
    try pass(10)
    expect(stage.bottom.contains("no such luck"), "what fails is said")
    try stage.press("e")
    try pass(13)
    expect(stage.bottom.hasPrefix(" Export ████████░░░░░░░░░░░░  42 %"), "\(stage.bottom)")
    try stage.press("esc esc")
    expect(stage.bottom, is: " ✗ Export: it was cancelled")
    try expect(stage.value("times"), is: "4")
  }

  @Test("An app's work at its start leaves no message when it ends")
  func start() throws {
    let stage = try FaceStage(
      """
      function app:start() progress(0.5, "reading") sleep(1) app:perform("refresh") end
      function app.on:refresh() sleep(1) end
      """, clock: TestClock())
    stage.host.start()
    stage.settle()
    expect(stage.bottom.contains("reading"), "\(stage.bottom)")
    for _ in 0..<2 {
      try stage.host.advance(by: .seconds(1))
      stage.settle()
    }
    expect(stage.face.jobs.isEmpty && stage.face.said == nil && stage.face.log.entries.isEmpty, "\(stage.bottom)")
  }

  @Test("The bar shows the app's current title")
  func titles() throws {
    let stage = try FaceStage(
      Self.waiting + "\nfunction app.on:rename() app.title = 'Another' end app.keys.r = 'rename'")
    try stage.press("r")
    expect(stage.lines[0].hasSuffix("Another  ≡"), "\(stage.lines[0])")
    try stage.run("app.title = 'A third'")
    expect(stage.lines[0].hasSuffix("A third  ≡"), "\(stage.lines[0])")
  }

  @Test(
    "A question's button and the status line use the title from 'about', not that of a row with the same action"
  )
  func aboutTitles() throws {
    let stage = try FaceStage(
      """
      app.keys = { d = "drop", s = "show" }
      panel { item "Gulls" { "drop" }, item "Harbour" { "show" } }
      app.about.drop, app.confirm.drop = "Drop the photo", "Sure?"
      app.about.show = "Show it"
      function app.on:drop() end
      function app.on:show() end
      """)
    try stage.press("d")
    expect(stage.picture.contains("[ Drop the photo ]"), "\(stage.picture)")
    try stage.press("y")
    expect(stage.bottom, is: " ✓ Drop the photo")
    try stage.press("s")
    expect(stage.bottom, is: " ✓ Show it")
  }

  @Test("A question's button and the status line use the title that an action's look returns at that moment")
  func titlesOfNow() throws {
    let stage = try FaceStage(
      """
      count = 1
      app.keys = { d = "drop", s = "show", ["g d"] = "drop" }
      app.about.drop, app.about.show = "Drop", "Show"
      function app.confirm:drop() return "Sure?" end
      function app.on:drop() end
      function app.look:drop() return { title = "Drop " .. count } end
      shown = false
      function app.on:show() shown = not shown end
      function app.look:show() return { title = shown and "Hide it" or nil } end
      """)
    try stage.press("d")
    expect(stage.picture.contains("[ Drop 1 ]"), "\(stage.picture)")
    try stage.press("n")
    _ = try stage.host.evaluate("count = 2")
    try stage.press("d")
    expect(stage.picture.contains("[ Drop 2 ]"), "\(stage.picture)")
    try stage.press("y")
    expect(stage.bottom, is: " ✓ Drop 2")
    _ = try stage.host.evaluate("count = 3")
    try stage.press("g d")
    expect(stage.picture.contains("[ Drop 3 ]"), "\(stage.picture)")
    try stage.press("y s")
    expect(stage.bottom, is: " ✓ Show")
    try stage.press("s")
    expect(stage.bottom, is: " ✓ Hide it", "what was done, and not what it would do next")
  }

  @Test("A key that a script binds later is the app's from then on, even if nothing else changed")
  func boundLater() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Bold" { "bold" } } }
      app.keys = { m = "mode" }
      n = 0
      function app.on:mode() app.keys.b = "bold" end
      function app.on:bold() n = n + 1 end
      """)
    try stage.press("m b")
    try expect(stage.value("n"), is: "1", "\(stage.bottom)")
  }

  @Test("R3: A short action shows no progress; a longer action does")
  func shortly() throws {
    let stage = try FaceStage(
      "menubar { menu \"M\" { item \"Save\" { \"save\", key = \"s\" } } } function app.on:save() sleep(1) return \"saved\" end",
      clock: TestClock())
    try stage.press("s")
    expect(stage.face.jobs.count == 1 && !stage.bottom.contains("Save"), "\(stage.bottom)")
    expect(stage.face.deadline, is: .milliseconds(200))
    stage.passes(.milliseconds(200))
    expect(stage.bottom.hasPrefix(" Save goes on"))
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.bottom, is: " ✓ Save → saved")
  }

  @Test("A stopped app gets no more requests")
  func ending() throws {
    let stage = try FaceStage(Self.waiting)
    stage.live.stop()
    stage.settle()
    expect(stage.face.awaited.isEmpty)
  }

  @Test("esc esc cancels the action that began last; the first esc is the app's")
  func cancelling() throws {
    let stage = try FaceStage(Self.waiting, clock: TestClock())
    try stage.press("f10 enter f10 down enter")
    stage.passes(.milliseconds(200))
    expect(stage.bottom.hasPrefix(" Nap goes on  "))
    try stage.press("esc esc")
    expect(stage.bottom, is: " ✗ Nap: it was cancelled")
    try expect(stage.value("escapes"), is: "1")
    expect(stage.face.jobs.count, is: 1)
    try stage.press("esc")
    stage.passes(.seconds(2))
    try stage.press("esc")
    expect(stage.face.jobs.count, is: 1, "strokes that are far from each other are two")
    try expect(stage.value("escapes"), is: "3")
  }

  @Test("The first esc names the effect of a second one, if the app hasn't bound esc and an action is running")
  func firstEscape() throws {
    let stage = try FaceStage(
      "menubar { menu 'M' { item 'Nap' { 'nap' } } } function app.on:nap() sleep(5) end", clock: TestClock())
    try stage.press("f10 enter esc")
    expect(stage.bottom, is: " · esc again cancels Nap")
    stage.passes(.seconds(1))
    expect(stage.bottom.hasPrefix(" Nap goes on  "))
    try stage.press("esc")
    expect(stage.bottom, is: " · esc again cancels Nap")
    try stage.press("esc")
    expect(stage.bottom, is: " ✗ Nap: it was cancelled")
    try stage.press("esc")
    expect(
      !stage.bottom.contains("esc'") && !stage.bottom.contains("cancelled"), "with nothing to do, esc says nothing")
  }

  @Test("An error that recurs in each drawing shows once, and doesn't cover the outcome of actions")
  func failsAgainAndAgain() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Broken" { "broken" }, item "Export" { "export", key = "e" } } }
      function app.on:broken() end
      function app.look:broken() error("no look") end
      function app.on:export() progress(0.42) sleep(5) progress(1) sleep(1) return "exported" end
      local n = 0
      every(1, function() n = n + 1 end)
      panel { section "ticks" { items = function() return { n } end, row = function(n) return label(n .. "") end } }
      """, clock: TestClock())
    try stage.press("e")
    expect(stage.bottom.hasPrefix(" Export ████████░░░░░░░░░░░░  42 %"), "\(stage.bottom)")
    try stage.host.advance(by: .seconds(5))
    stage.settle()
    expect(stage.bottom.hasPrefix(" Export ████████████████████ 100 %"), "\(stage.bottom)")
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.bottom, is: " ✓ Export → exported")
    let told = stage.face.log.entries.count
    for _ in 0..<3 {
      try stage.host.advance(by: .seconds(1))
      try stage.run("app.passes = 1")
      stage.settle()
    }
    expect(stage.picture.contains("\n  9\n"), "\(stage.picture)")
    expect(stage.face.log.entries.count, is: told, "\(stage.face.log.entries.map(\.text))")
    expect(stage.bottom, is: " ✓ Export → exported")
  }

  @Test("Reload: Open menus stay by their ids; a failed reload shows its error over the old version, which stays")
  func reload() throws {
    let stage = try FaceStage(stars)
    try stage.press("f10 down")
    expect(
      stage.live.reload { () throws(Failure) in
        do throws(LoadError) {
          try stage.host.reload(
            text: stars.replacing("item \"Rate\"", with: "item \"New\" { \"next\" }, item \"Rate\""), name: "app.lua")
        } catch { throw error.failure }
      } == nil)
    stage.settle()
    expect(stage.face.bar.open[0].currentRow?.title, is: "Clear")
    expect(stage.face.bar.open[0].view.rows[0].title, is: "New")
    expect(stage.bottom, is: " ✓ the app was reloaded")
    try stage.press("esc")
    let wrong = stars.replacing("stars: 5", with: "stars 5")
    expect(
      stage.live.reload { () throws(Failure) in
        do throws(LoadError) { try stage.host.reload(text: wrong, name: "app.lua") } catch { throw error.failure }
      } != nil)
    stage.settle()
    expect(stage.picture.contains("Not reloaded: the old version is still running"))
    expect(stage.picture.contains("expected ':' after the key"))
    try stage.press("esc")
    expect(stage.face.over.isEmpty && stage.face.bar.open.isEmpty)
    stage.passes(.seconds(4))
    expect(stage.picture.contains("\n ! not reloaded: app.lua:"), "what goes on is the old one, as long as it does")
    try stage.press("r")
    expect(stage.bottom, is: " ✓ Rate → 5 stars")
    stage.passes(.seconds(4))
    expect(stage.picture.contains("\n ! not reloaded: "))
    // The page is closed, and the error persists.
    try stage.press("f12")
    let page = try require(stage.face.over.last as? InspectorPage)
    expect(page.lines.contains { $0.text.hasPrefix("  not reloaded: app.lua:") })
  }

  @Test(
    "Progress shows between 0 and 100 % for any number from the app",
    arguments: [("-1", "0 %"), ("1e300", "100 %"), ("-1e300", "0 %"), ("7", "100 %"), ("0.42", "42 %")])
  func fraction(said: String, shown: String) throws {
    let stage = try FaceStage("")
    let told = #"{"job": 1, "action": "export", "progress": {"fraction": \#(said)}}"#
    stage.face.job(try JSONReader.read(told.utf8))
    expect(stage.bottom.contains(" \(shown) "), "\(stage.bottom)")
    var lines: [String] = []
    PlainFace(stage.face) { lines.append($0) }.settled()
    expect(lines.last, is: "export: \(said == "0.42" ? "40 %" : shown)")
  }

  /// Reloads the app with a mistake in the script.
  private func breakApp(_ stage: FaceStage, _ script: String) {
    _ = stage.live.reload { () throws(Failure) in
      do throws(LoadError) { try stage.host.reload(text: script + "\nthis is wrong", name: "app.lua") } catch {
        throw error.failure
      }
    }
    stage.settle()
  }

  @Test("A failed reload while you type loses no letter: its error shows afterwards")
  func reloadWhileTyping() throws {
    let form = """
      menubar { menu "M" { item "Name" { "name", key = "n" } } }
      app.takes.name = { name = "string" }
      function app.on:name(ctx) return ctx.name end
      """
    let stage = try FaceStage(form)
    try stage.press("n j o")
    breakApp(stage, form)
    try stage.press("k q enter")
    expect(stage.bottom == " ✓ Name → jokq" && stage.picture.contains("Not reloaded"))
    try stage.press("esc")
    expect(stage.face.over.isEmpty)
    let keys = "app.keys = { j = 'go', enter = 'go', q = 'go' } count = 0 function app.on:go() count = count + 1 end"
    let other = try FaceStage(keys)
    for key in ["j", "enter", "q"] {
      breakApp(other, keys)
      expect(other.picture.contains("Not reloaded"))
      try other.press(key)
    }
    try expect(other.value("count"), is: "3")
    let rows = "panel { item 'Kind' { 'go' }, item 'Quince' { 'go' } } function app.on:go() end"
    let third = try FaceStage(rows)
    breakApp(third, rows)
    try third.press("q")
    expect(third.face.panel.currentNode?.element.title, is: "Quince")
  }

  @Test("U15: Undo warns once that the last action can't be undone, by a key, in the menu and in the palette")
  func passedOver() throws {
    let script = """
      mail = {}
      menubar { menu "M" {
        item "Rename" { "rename", key = "r" }, item "Send…" { "send", key = "s" }, item "Undo" { "undo", key = "ctrl+z" },
      } }
      function app.on:rename(ctx) ctx:set(mail, "title", "b", "Rename") end
      function app.on:send() end
      """
    let passed = " ✗ Undo Rename: 'Send' can't be undone; undo again to take back 'Rename'"
    for undo in ["ctrl+z", "f10 u"] {
      let stage = try FaceStage(script, columns: 90)
      try stage.press("r s \(undo)")
      expect(stage.bottom, is: passed, "\(undo)")
      try stage.press("esc ctrl+z")
      expect(stage.bottom, is: " ✓ Undo Rename")
    }
  }

  @Test("The outcome of undo names the title that the key's item had at the press")
  func titleWhenPressed() throws {
    let stage = try FaceStage(
      """
      app.undo = true
      menubar { menu "M" {
        item "Make" { "make", key = "m" }, item "Copy" { "copy", key = "c" }, item "Undo" { "undo", key = "ctrl+z" },
      } }
      state = { one = 0, two = 0 }
      function app.on:make(ctx) ctx:set(state, "one", 1, "Making") end
      function app.on:copy(ctx) ctx:set(state, "two", 1, "Copying") end
      """)
    try stage.press("m c ctrl+z")
    expect(stage.bottom, is: " ✓ Undo Copying")
    try stage.press("ctrl+z")
    expect(stage.bottom, is: " ✓ Undo Making")
    // The palette counts an action by key as last used, if it is enabled.
    try stage.press("c ctrl+p")
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.entry?.title, is: "Copy")
  }

  @Test("The log counts an error that each look at the menus reports again")
  func repeatedError() throws {
    let stage = try FaceStage(
      """
      n = 0
      menubar { menu "M" { item "Go" { "go" }, item "Count" { "count", key = "x" } } }
      function app.on:go() end
      function app.can:go() if n > 0 then error("no scale here") end return true end
      function app.on:count() n = n + 1 end
      """)
    try stage.press("x x x")
    let errors = stage.face.log.entries.filter { $0.kind == .error }
    expect(errors.count == 1 && errors[0].times > 1, "\(stage.face.log.entries)")
    try stage.press("ctrl+l")
    expect(stage.picture.contains("no scale here  ×\(errors[0].times)"), "\(stage.picture)")
  }

  @Test("An unbound key leaves no log entry, and an action that another client began has a title")
  func logAndJobs() throws {
    let stage = try FaceStage(Self.waiting, clock: TestClock())
    try stage.press("x y f10 enter")
    expect(stage.face.log.entries.isEmpty)
    stage.face.jobs = []
    try stage.host.advance(by: .seconds(5))
    stage.settle()
    expect(stage.bottom.contains("██") && !stage.bottom.hasPrefix("  "), "\(stage.bottom)")
  }

  @Test("Without menus the body shows the actions of responders, and why they are disabled")
  func noMenus() throws {
    let stage = try FaceStage(
      """
      app.title = "Hello"
      local page = responder "page"
      function page.on:greet() return "hi" end
      function page.on:invite() end
      page.needs.greet = { name = "invite somebody first" }
      page.keys = { i = "invite" }
      focus(page)
      """)
    expect(
      stage.picture.contains("  page\n         greet              invite somebody first\n    i    invite"),
      "\(stage.picture)")
    try stage.press("i")
    expect(stage.bottom, is: " ✓ invite")
  }

  @Test("Without menus titles come from 'about', and arrows scroll the body")
  func titlesWithoutMenus() throws {
    let stage = try FaceStage(
      """
      local page = responder "page"
      for n = 10, 30 do page.on["act" .. n] = function() end page.about["act" .. n] = "Act Number " .. n end
      function app.on:plain() end
      focus(page)
      """)
    let lines = stage.lines.map { $0.replacing(/\s+▐$/, with: "") }
    expect(lines[2...4].elementsEqual(["  page", "      Act Number 10", "      Act Number 11"]), "\(stage.picture)")
    try stage.press("down down")
    expect(stage.lines[2].contains("Act Number 11"), "\(stage.picture)")
    try stage.press("up")
    expect(stage.lines[2].contains("Act Number 10"))
    try stage.press("pagedown pagedown pagedown")
    let last = stage.lines.map { $0.replacing(/\s+▐$/, with: "") }.joined(separator: "\n")
    expect(last.contains("  app\n      plain"), "\(stage.picture)")
  }

  @Test("The inspector shows the current chain, context, running actions and keys")
  func inspector() throws {
    let stage = try FaceStage(stars, columns: 80, rows: 30)
    try stage.press("f12")
    expect(stage.picture.contains("▸ list"))
    expect(!stage.picture.contains("Gulls"))
    try stage.run("state.photo = 'Gulls'")
    expect(stage.picture.contains("photo: \"Gulls\"   from list"), "\(stage.picture)")
  }

  /// Errors of sections and builders recur with each build, and the inspector once showed each twice and more.
  @Test("The inspector shows each fault once, even if it was reported often")
  func repeated() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "A" { "a", key = "a" },
        section "s" { items = function(ctx) return ctx.n end, row = function() end } } }
      function app:provide(ctx) ctx.n = 1 end
      function app.on:a() end
      """, columns: 80, rows: 40)
    try stage.press("a a f12")
    let told = "'items' of section 's' must return a list, not a number"
    expect(stage.host.diagnostics.count { $0.message.contains(told) } > 1)
    let page = try require(stage.face.over.last as? InspectorPage)
    expect(page.lines.count { $0.text.contains(told) }, is: 1, "\(page.lines.map(\.text))")
  }

  @Test("The inspector shows undoable actions, and the trace of the last action")
  func history() throws {
    let stage = try FaceStage(
      """
      app.undo = true
      menubar { menu "M" { item "Add" { "add", key = "a" }, item "Undo" { "undo", key = "u" } } }
      function app.on:add(ctx) ctx:undo("Adding", function(undo) undo:undo("Adding", function() end) end) end
      """, columns: 80, rows: 40)
    try stage.press("a a u f12")
    expect(stage.picture.contains("  undo Adding\n") || stage.picture.contains("undo Adding "), "\(stage.picture)")
    expect(stage.picture.contains("redo Adding"))
    expect(stage.picture.contains("host: do undo → "))
  }

  @Test("X6: The mouse opens menus, picks, drags over a bar, answers questions, and its wheel moves")
  func mouse() throws {
    let stage = try FaceStage(stars)
    stage.click(0, 2)
    expect(stage.face.bar.open.count, is: 1)
    stage.click(3, 8)
    expect(stage.bottom, is: " ✓ Clear → 0 stars")
    stage.take(.mouse(Mouse(deed: .press(.left), row: 0, column: 2)))
    stage.take(.mouse(Mouse(deed: .move(.left), row: 0, column: 9)))
    stage.take(.mouse(Mouse(deed: .move(.left), row: 2, column: 12)))
    expect(stage.face.bar.open[0].currentRow?.title, is: "Next")
    stage.take(.mouse(Mouse(deed: .release(.left), row: 2, column: 12)))
    expect(stage.bottom, is: " ✓ Next → Gulls")
    stage.click(0, 58)
    expect(stage.face.bar.open.first?.source, is: .own)
    stage.click(12, 2)
    expect(stage.face.bar.open.isEmpty)
    try stage.press("delete")
    let row = try require(stage.lines.firstIndex { $0.contains("[ ! Delete ]") })
    let column = try require(
      stage.lines[row].firstRange(of: "[ ! Delete ]").map {
        stage.lines[row].distance(from: stage.lines[row].startIndex, to: $0.lowerBound)
      })
    stage.click(row, column + 3)
    expect(stage.bottom, is: " ✓ Delete → gone")
    try stage.press("ctrl+p")
    stage.take(.mouse(Mouse(deed: .wheel(rows: 1, columns: 0), row: 5, column: 20)))
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.current, is: 1)
    stage.click(0, 2)
    expect(stage.face.over.isEmpty)
    // A click in the body picks an enabled action.
    stage.click(3, 14)
    expect(stage.bottom, is: " ✓ Rate → 5 stars")
    try stage.press("f10 left m")
    expect(stage.wishes, is: [.useMouse(false)])
    stage.click(0, 2)
    expect(stage.face.bar.open.isEmpty)
  }

  @Test("After any changes the face shows the app's last snapshot")
  func shownMenus() throws {
    var chance = Chance(seed: 28)
    let shown = ShownMenus()
    func snapshot() -> MenuElement {
      var rows = (0..<8).filter { _ in chance.below(3) > 0 }.map {
        "item('\($0)', { 'go(n: \(chance.below(3)))', hidden = \(chance.below(4) == 0) })"
      }
      rows.shuffle(using: &chance)
      let menus = ["A", "B"].shuffled(using: &chance).map {
        "menu '\($0)' { menu 'in \($0)' { \(rows.joined(separator: ", ")) } }"
      }
      let host = ScriptHost()
      try? host.load(text: "menubar { \(menus.joined(separator: ", ")) } app.on.go = function() end", name: "app.lua")
      return host.menus()
    }
    func tree(_ node: ShownMenus.Node) -> [String] {
      ["\(node.id) \(node.element.action) \(node.element.isHidden)"] + node.children.flatMap(tree)
    }
    func tree(_ element: MenuElement) -> [String] {
      ["\(element.id) \(element.action) \(element.isHidden)"] + element.children.flatMap(tree)
    }
    var last = snapshot()
    shown.replace(last.children)
    for _ in 0..<60 {
      let next = snapshot()
      shown.apply(MenuChanges(from: last, to: next).all)
      expect(tree(shown.root).dropFirst(), is: tree(next).dropFirst())
      last = next
    }
  }
}
