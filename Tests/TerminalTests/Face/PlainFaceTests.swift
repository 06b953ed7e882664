import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("X7: The plain face") struct PlainFaceTests {
  /// The lines that the plain face prints for input lines.
  private func said(_ lines: [String], to script: String = stars, clock: HostClock? = nil) throws -> [String] {
    let stage = try FaceStage(script, clock: clock)
    var said: [String] = []
    let plain = PlainFace(stage.face) { said.append($0) }
    stage.settle()
    plain.settled()
    for line in lines {
      plain.take(line)
      repeat {
        stage.settle()
        plain.settled()
      } while !stage.face.awaited.isEmpty
    }
    return said
  }

  @Test("Menus have numbers, and disabled items show the reason in words")
  func menus() throws {
    try expect(
      said(["", "1", "5", "4", "1", "no", "back"]),
      is: [
        "  1  Image, menu", "  2  Go, menu", "Image", "  1  Rate, not checked, key r",
        "  2  Clear, not checked, key g c", "  3  Export, menu",
        "  4  Delete, key delete, destroys", "there are the numbers 1 to 4", "Delete it for good? (yes or no)",
        "yes or no?", "Delete it for good? (yes or no)", "Delete: you said no", "  1  Image, menu",
        "  2  Go, menu",
      ])
    try expect(
      said(["image", "Export", "1", "why 1"]),
      is: [
        "there is no 'image' here; 'help' says what can be written",
        "there is no 'Export' here; 'help' says what can be written", "nothing here has a number",
        "nothing here has a number",
      ])
    try expect(
      said(["", "1", "why 9", "why", "why claer", "Raet", "menues", "as jpeg", "more 7"]).dropFirst(7),
      is: [
        "there are the numbers 1 to 4", "why what? As in: why 2", "there is no 'claer' here; did you mean 'Clear'?",
        "there is no 'Raet' here; did you mean 'Rate'?", "there is no 'menues' here; did you mean 'menus'?",
        "there is no 'as jpeg' here; 'find as jpeg' finds it", "there are the numbers 1 to 4",
      ])
  }

  @Test("P20: An app that handles 'quit' decides in the plain face too")
  func quits() throws {
    let script = "function app.on:quit() end app.confirm.quit = 'Leave it?'"
    try expect(
      said(["quit", "no", "quit"], to: script),
      is: [
        "Leave it? (yes or no)", "Quit: you said no", "Leave it? (yes or no)",
      ])
  }

  @Test("P14: 'lines' prints the lines of a text, or why there are none")
  func texts() throws {
    let script = """
      panel { stack {
        text "notes" { title = "Notes", lines = function(ctx, add) add("first") add(span("second", "added")) end },
        text "none" { lines = function() error("no luck", 0) end },
      } }
      """
    let said = try said(["", "lines Notes", "lines", "lines none"], to: script)
    expect(said.contains("Notes  ('lines notes' says its lines)"))
    expect(said.contains("     first") && said.contains("     second"))
    expect(said.contains("which text? There are 'lines notes', 'lines none'"))
    expect(said.last?.hasSuffix("no luck"), is: true, "\(said)")
  }

  private static let panes = """
    files, notes = responder "files", responder "notes"
    panel { stack {
      pane "files" { title = "Files", responder = files, filter = true, marks = true,
        item "alpha" { "open" }, item "beta" { "open" }, item "gamma" { "open" } },
      pane "more" { title = "More", item "delta" { "open" } },
      text "notes" { title = "Notes", responder = notes, lines = { "first", "second", "third" } },
      text "fixed" { lines = { "x" } },
    } }
    function files.on:open(ctx) return table.concat(ctx.rows, " ") end
    function notes.on:take(ctx) print(table.concat(ctx.lines, " ")) end
    notes.keys.t = "take"
    """

  @Test("X7, P10: 'mark' marks and unmarks rows of a pane, all or none")
  func marks() throws {
    let said = try said(
      ["", "mark 1 gamma", "", "mark 1", "mark all", "mark none", "mark", "mark 9", "mark 4"], to: Self.panes)
    expect(
      said,
      is: [
        "Files, has the focus, at alpha", "  1  alpha", "  2  beta", "  3  gamma", "More, at delta", "  4  delta",
        "Notes  ('lines notes' says its lines)", "fixed  ('lines fixed' says its lines)", "2 marked in Files",
        "Files, has the focus, at alpha", "  1  alpha, marked", "  2  beta", "  3  gamma, marked", "More, at delta",
        "  4  delta", "Notes  ('lines notes' says its lines)",
        "fixed  ('lines fixed' says its lines)", "1 marked in Files", "3 marked in Files", "0 marked in Files",
        "which rows? As in: mark 2 3, mark all, mark none", "there are the numbers 1 to 4",
        "the rows of 'More' can't be marked",
      ])
  }

  @Test("X7, P10: 'filter' shows only the rows of the focused pane that have these letters")
  func filters() throws {
    let said = try said(["filter mm", "filter", "at 4", "filter x"], to: Self.panes)
    expect(
      said.filter { !$0.contains("says its lines") },
      is: [
        "Files, filtered by 'mm': 1 row", "Files, has the focus, filtered by 'mm', at gamma", "  1  gamma",
        "More, at delta", "  2  delta", "Files: all rows", "Files, has the focus, at alpha", "  1  alpha", "  2  beta",
        "  3  gamma", "More, at delta", "  4  delta", "at delta",
        "the rows of 'More' can't be filtered",
      ])
  }

  @Test("X7, P15: 'select' selects lines of the last written text, for its actions")
  func selects() throws {
    try expect(
      said(
        ["select 1", "lines notes", "select 2 3", "press t", "select 4", "select x", "lines fixed", "select 1"],
        to: Self.panes),
      is: [
        "of which text? 'lines TEXT' says its lines first", "  1> first", "  2  second", "  3  third",
        "lines 2 to 3 of Notes selected", "second third", "done: take", "'Notes' has the lines 1 to 3",
        "which lines? As in: select 2 5", "     x", "the lines of 'fixed' can't be selected",
      ])
  }

  @Test("X7, P12: A branch of a tree opens, and its rows have numbers; each pane says where you are")
  func tree() throws {
    let script = """
      function branch(name, ...)
        local files = { ... }
        return menu(name) { section(name) { items = files, id = function(f) return f end,
          row = function(f) return item(f) { "open" } end } }
      end
      panel { stack { pane "p" { title = "Folders", section "s" { items = { "src" }, id = function(n) return n end,
        row = function(n) return branch(n, "main.c", "readme") end } } } }
      function app.on:open(ctx) return "opened" end
      """
    try expect(
      said(["", "1", "3"], to: script),
      is: [
        "Folders, has the focus, at src", "  1  src, closed", "Folders, has the focus, at src", "  1  src, open",
        "  2  main.c, level 2", "  3  readme, level 2", "done: readme → opened",
      ])
  }

  @Test("E6: A menu or the palette that an action opens is listed")
  func openedByApp() throws {
    let script = """
      menubar { menu "Edit" { item "Copy" { "copy" } }, menu "File" { item "Open" { "opens" } } }
      function app.on:copy() end
      function app.on:opens() open_menu "Edit" end
      function app.on:finds() open_palette() end
      app.keys = { o = "opens", f = "finds" }
      """
    try expect(said(["press o"], to: script).suffix(3), is: ["done: Open", "Edit", "  1  Copy"])
    try expect(said(["press f"], to: script).contains { $0.contains("Edit › Copy") })
  }

  @Test("U15: An action that only looks needs no warning")
  func looks() throws {
    let script = """
      mail = {}
      menubar { menu "M" { item "Rename" { "rename" }, item "Next" { "next" }, item "Undo" { "undo", key = "u" } } }
      function app.on:rename(ctx) ctx:set(mail, "title", "b", "Rename") end
      app.on["next"] = function() return "" end
      app.about["next"] = { title = "Next", looks = true }
      """
    try expect(said(["", "1", "1", "2", "press u"], to: script).suffix(2), is: ["done: Rename", "done: Undo Rename"])
  }

  @Test("U15: Undo warns once that the last action can't be undone, then goes on")
  func passedOver() throws {
    let script = """
      mail = {}
      menubar { menu "M" { item "Rename" { "rename" }, item "Send" { "send" }, item "Undo" { "undo", key = "u" } } }
      function app.on:rename(ctx) ctx:set(mail, "title", "b", "Rename") end
      function app.on:send() end
      """
    try expect(
      said(["", "1", "1", "2", "press u", "3"], to: script).suffix(4),
      is: [
        "done: Rename", "done: Send",
        "not done: Undo Rename: 'Send' can't be undone; undo again to take back 'Rename'", "done: Undo Rename",
      ])
  }

  @Test("An action that only a responder outside the chain handles is not here")
  func notHere() throws {
    try expect(
      said(
        ["", "1", "1", "press e", "now"],
        to: """
          menubar { menu "File" { item "Edit" { "edit", key = "e" } } }
          local files = responder "files"
          function files.on:edit() end
          """),
      is: [
        "  1  File, menu", "File", "  1  Edit, key e, not here", "not done: Edit: not here",
        "not done: Edit: not here",
        "not here", "     Edit, key e",
      ])
  }

  @Test("A question is printed once, with any events while it waits")
  func asksOnce() throws {
    let stage = try FaceStage(stars)
    var said: [String] = []
    let plain = PlainFace(stage.face) { said.append($0) }
    for line in ["press delete", "press g"] {
      plain.take(line)
      stage.settle()
      for _ in 0..<3 { plain.settled() }
      if line == "press delete" { plain.take("no") }
    }
    expect(
      said,
      is: [
        "Delete it for good? (yes or no)", "Delete: you said no", "'g' was begun; press one of these, or esc:",
        "  g: top", "  c: Clear",
      ])
  }

  /// An app that reloads while a person answers its form.
  private static func rates(_ takes: String) -> String {
    """
    rated = 0
    app.takes.rate = { \(takes) }
    function app.on:rate(ctx) rated = rated + 1 return "rated " .. tostring(ctx.stars) .. " " .. tostring(ctx.note) end
    app.keys.r = "rate"
    """
  }

  @Test(
    "Reload: An answer to a closed form doesn't count for the next; a new argument is requested first")
  func reload() throws {
    let stars = "stars = { 'integer', from = 0, to = 5 }"
    let stage = try FaceStage(Self.rates(stars))
    var said: [String] = []
    let plain = PlainFace(stage.face) { said.append($0) }
    func take(_ line: String) {
      plain.take(line)
      stage.settle()
      plain.settled()
    }
    take("press r")
    plain.take("3")
    stage.reload(Self.rates(""))
    plain.settled()
    stage.reload(Self.rates(stars))
    plain.settled()
    take("press r")
    expect(stage.told("rated") == "0" && stage.face.over.count == 1, "\(said)")
    plain.take("4")
    stage.reload(Self.rates(stars + ", note = { 'string', optional = true }"))
    for _ in 0..<2 {
      plain.settled()
      stage.settle()
    }
    expect(stage.told("rated") == "0" && said.last?.contains("note") ?? false, "\(said)")
    for _ in 0..<2 { take("well") }
    expect(stage.told("rated") == "1" && said.contains { $0.contains("rated 4 well") }, "\(said)")
  }

  @Test("While the face asks or waits for an answer it has no deadline, with any progress of a job")
  func deadline() throws {
    let clock = TestClock()
    let stage = try FaceStage(
      """
      app.takes.ask = { v = "string" }
      function app.on:ask() end
      function app.on:slow() progress(0.1, "one") sleep(1) progress(0.1, "two") sleep(100) end
      app.keys = { s = "slow", a = "ask" }
      """, clock: clock)
    let plain = PlainFace(stage.face) { _ in }
    plain.take("press s")
    stage.settle()
    plain.settled()
    expect(plain.deadline, is: nil)
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    plain.settled()
    expect(plain.deadline != nil)
    plain.take("press a")
    expect(plain.deadline, is: nil)
    stage.settle()
    plain.settled()
    expect(stage.face.over.count == 1 && plain.deadline == nil)
  }

  @Test("A long list is printed in parts, and the face reports that there is more")
  func parts() throws {
    let rows = """
      panel { section "s" { items = function() local all = {} for n = 1, 250 do all[n] = n end return all end,
        row = function(n) return item("Row " .. n) { "go", args = { n = n } } end } }
      function app.on:go(ctx) return ctx.n end
      """
    let all = try said(["", "next", "n", "next", "250"], to: rows)
    expect(all.filter { $0.contains("  Row ") }.count, is: 250)
    expect(
      all.filter { !$0.contains("  Row ") },
      is: [
        "     and 150 more: 'next' says them, 'find TEXT' finds one",
        "     and 50 more: 'next' says them, 'find TEXT' finds one", "that was all", "done: Row 250 → 250",
      ])
    let found = try said(["find row", "31"], to: rows)
    expect(
      found.dropFirst(30),
      is: [
        "     and 220 more: 'next' says them, 'find TEXT' finds one", "there are the numbers 1 to 30",
      ])
  }

  @Test("An action prints its outcome, and a confirmation prints its question")
  func deeds() throws {
    try expect(
      said(["m", "image", "rate", "delete", "yes"]).suffix(3),
      is: [
        "done: Rate → 5 stars", "Delete it for good? (yes or no)", "done: Delete → gone",
      ])
    try expect(said(["press g"]), is: ["'g' was begun; press one of these, or esc:", "  g: top", "  c: Clear"])
    try expect(said(["press g g"]), is: ["done: top → top"])
    try expect(said(["press crtl+g"]), is: ["'crtl+g': there is no modifier 'crtl'; did you mean 'ctrl'?"])
    try expect(
      said(["find jpeg", "1", "why 1"]).prefix(4),
      is: [
        "  1  Image › Export › As JPEG, not now: select a photo first", "not done: As JPEG: select a photo first",
        "As JPEG",
        "  disabled by 'list': select a photo first",
      ])
    try expect(said(["quit"]).isEmpty)
  }

  @Test("A4: A proposal is printed, and an empty line accepts it")
  func proposal() throws {
    let script = """
      app.takes.rename = { to = { "string", proposal = "old" } }
      function app.on:rename(ctx) return ctx.to end
      app.keys.r = "rename"
      """
    try expect(
      said(["press r", ""], to: script),
      is: [
        "rename: to, an empty line is old; 'stop' leaves it", "done: rename → old",
      ])
    try expect(said(["press r", "new"], to: script).last, is: "done: rename → new")
  }

  @Test("A4: An empty line chooses nothing for a required argument, and skips an optional argument")
  func emptyLine() throws {
    let script = """
      app.takes.wipe = { really = { "boolean" }, also = { "boolean", optional = true } }
      function app.on:wipe(ctx) return tostring(ctx.really) .. " " .. tostring(ctx.also) end
      app.takes.drop = { kinds = { many = true, one_of = { "a", "b" } } }
      function app.on:drop(ctx) return table.concat(ctx.kinds) end
      app.keys.w, app.keys.d = "wipe", "drop"
      """
    try expect(
      said(["press w", "", "no", ""], to: script),
      is: [
        "wipe: really, yes or no; 'stop' leaves it", "really: it is needed",
        "wipe: really, yes or no; 'stop' leaves it",
        "wipe: also, yes or no, can be left out; 'stop' leaves it", "done: wipe → false nil",
      ])
    try expect(
      said(["press d", "", ",", "b"], to: script).filter { !$0.hasPrefix(" ") },
      is: [
        "drop: kinds, numbers or titles, with commas between them; 'stop' leaves it", "kinds: it is needed",
        "drop: kinds, numbers or titles, with commas between them; 'stop' leaves it", "kinds: it is needed",
        "drop: kinds, numbers or titles, with commas between them; 'stop' leaves it", "done: drop → b",
      ])
  }

  @Test("An error of several lines is printed in one")
  func linesOfErrors() throws {
    let script = """
      function app.on:fail() error("one\\n\\ntwo\\n", 0) end
      function app.on:no(ctx) ctx:refuse("three\\nfour") end
      app.keys.f, app.keys.n = "fail", "no"
      """
    try expect(said(["press f"], to: script).last?.hasSuffix(": one two"), is: true)
    try expect(said(["press n"], to: script).last, is: "not done: no: three four")
  }

  @Test("A long action prints its progress, and a word cancels it")
  func jobs() throws {
    let waits =
      "menubar { menu 'M' { item 'Nap' { 'nap' } } } function app.on:nap() progress(0.42, 'dozing') sleep(9) end"
    try expect(
      said(["m", "1", "1", "cancel", "cancel"], to: waits, clock: TestClock()),
      is: [
        "  1  M, menu", "M", "  1  Nap", "Nap: 40 %, dozing", "not done: Nap: it was cancelled", "nothing goes on",
      ])
  }

  @Test("Progress is printed in tens; messages without progress now and then; an error once")
  func talkative() throws {
    let stage = try FaceStage(
      """
      app.keys = { w = "work", t = "talk", b = "boom" }
      function app.on:work() for n = 1, 40 do progress(n / 40, "step " .. n) sleep(0.1) end end
      function app.on:talk() for n = 1, 80 do progress(0.5, "word " .. n) sleep(0.1) end end
      function app.on:boom() error("boom here") end
      """, clock: TestClock())
    var said: [String] = []
    let plain = PlainFace(stage.face) { said.append($0) }
    func passes(tenths: Int) throws {
      for _ in 0..<tenths {
        stage.passes(.milliseconds(100))
        try stage.host.advance(by: .milliseconds(100))
        stage.settle()
        plain.settled()
      }
    }
    plain.take("press w")
    stage.settle()
    plain.settled()
    try passes(tenths: 41)
    expect(
      said, is: (0..<10).map { "work: \($0 * 10) %, step \(max(1, $0 * 4))" } + ["work: 100 %, step 40", "done: work"],
      "\(said)")
    said = []
    plain.take("press t")
    stage.settle()
    plain.settled()
    expect(plain.deadline, is: nil)
    try passes(tenths: 1)
    expect(plain.deadline != nil, "what waits has its time")
    try passes(tenths: 80)
    expect(said, is: ["talk: 50 %, word 1", "talk: 50 %, word 51", "done: talk"], "\(said)")
    said = []
    plain.take("press b")
    stage.settle()
    plain.settled()
    expect(said, is: ["error: boom: app.lua:4: boom here"], "\(said)")
  }

  @Test(
    "The plain face prints the app's objection to an answer before the next question, and repeats only that question")
  func misfits() throws {
    let script = """
      app.takes.zip = { h = { "string", matches = "^%a+$", title = "Letters", order = 1 }, k = { "integer", title = "K", order = 2 } }
      function app.on:zip(ctx) return ctx.h .. ctx.k end
      app.takes.log = { h = app.takes.zip.h, p = { "string", secret = true, title = "Word", order = 2 } }
      function app.on:log(ctx) return ctx.h .. #ctx.p end
      app.keys = { z = "zip", l = "log" }
      """
    let first = try said(["press z", "a1", "ab", "x", "7"], to: script)
    expect(first.count, is: 7, "\(first)")
    expect(first[1].hasPrefix("Letters: must be a string that matches '^%a+$'") && first[2] == first[0], "\(first)")
    expect(first[4].hasPrefix("K: ") && first[6] == "done: zip → ab7", "\(first)")
    // The face sends a secret only with the action, and still learns the other faults.
    let second = try said(["press l", "a1", "ab", "word"], to: script)
    expect(second.count == 5 && second[1].hasPrefix("Letters: must be") && second[2] == second[0], "\(second)")
    expect(second[4], is: "done: log → ab4", "\(second)")
  }

  @Test("A12: The plain face completes a form whose choices depend on earlier answers")
  func dependent() throws {
    let said = try said(["press b", "2", "Nice by the sea"], to: FaceFormTests.trip)
    expect(
      said,
      is: [
        "error: app.lua:7: choose a country first", "Book: country, a number or a title; 'stop' leaves it",
        "  1  Switzerland", "  2  France",
        "Book: city, a number or a title; 'stop' leaves it", "  1  Lyon", "  2  Nice by the sea",
        "done: Book → Nice, FR",
      ], "\(said)")
  }

  @Test("A title in the current list comes before a command of the same name; with a colon it is the command")
  func titledAsCommands() throws {
    let script = """
      menubar { menu "Find" { item "Quit" { "leave" }, item "Log" { "note" } } }
      function app.on:leave() return "left" end
      function app.on:note() return "noted" end
      """
    try expect(
      said(["", "find", "quit", "Log", ":find quit", ":m", ":log"], to: script),
      is: [
        "  1  Find, menu", "Find", "  1  Quit", "  2  Log", "done: Quit → left", "done: Log → noted",
        "  1  Find › Quit", "  1  Find, menu", "  ✓ Quit → left", "  ✓ Log → noted",
      ])
    try expect(said(["find log"], to: script), is: ["  1  Find › Log"], "nothing here is called so")
    let help = try said(["help"])
    for word in [":WORD", "f TEXT", "menus, m", "p KEYS", "quit, q"] {
      expect(help.contains { $0.contains(word) }, "\(word)")
    }
  }

  @Test("A row prints 'marked' only if it is marked, and a row without a title prints 'empty'")
  func rows() throws {
    let script = """
      panel { section "lines" { items = function() return { "One", " ", "Three" } end, id = function(line) return "of " .. line end,
        row = function(line) return item(line) { "go", args = { line = line }, state = line == "Three" } end } }
      function app.on:go() end
      """
    try expect(said([""], to: script), is: ["  1  One", "  2  empty", "  3  Three, marked"])
  }

  @Test("Each of several keys waits for the previous action; after a failure the rest is dropped")
  func keysInOrder() throws {
    try expect(said(["press z r"]), is: ["not done: nothing is bound to 'z'"])
    try expect(said(["press r z r"]), is: ["done: Rate → 5 stars", "not done: nothing is bound to 'z'"])
    try expect(said(["press r g g"]), is: ["done: Rate → 5 stars", "done: top → top"])
    try expect(
      said(["press delete r", "no"]), is: ["Delete it for good? (yes or no)", "Delete: you said no"])
    try expect(
      said(["press delete r", "yes"]).suffix(1), is: ["done: Rate → 5 stars"])
  }

  @Test("The plain face also prints keys, log, inspector and help")
  func rest() throws {
    try expect(said(["now"]).prefix(3), is: ["list", "     Rate, key r", "     Clear, key g c"])
    try expect(said(["keys"]).contains("  g c: Clear"))
    try expect(said(["press r", "log"]).suffix(1), is: ["  ✓ Rate → 5 stars"])
    try expect(said(["inspect"]).contains("  ▸ list"))
    try expect(said(["help"]).contains { $0.hasPrefix("  find TEXT, f TEXT: ") })
    try expect(said(["x\u{1B}[2J"]), is: [#"there is no 'x\x1B[2J' here; 'help' says what can be written"#])
  }

  private static let marks = """
    app.title = "Marks"
    menubar { menu "M" {
      item "Wide" { "wide" }, item "Tall" { "tall", state = true },
      menu "Order" { single = true, item "Name" { "by(n: 1)", state = true }, item "Size" { "by(n: 2)", state = false } },
      item "Pick" { "pick" }, item "Sure" { "sure", confirm = "Sure?" },
    } }
    function app.on:wide() end function app.look:wide() return { state = false } end function app.on:tall() end function app.on:by() end function app.on:sure() end
    app.takes.pick = { fruits = { one_of = { "apple", { "c", "Cherry" }, "back" }, many = true }, word = "string" }
    function app.on:pick(ctx) return table.concat(ctx.fruits, "+") .. " " .. ctx.word end
    function app.on:hidden() return "found" end
    app.about.hidden = "Do the hidden thing"
    """

  @Test("The output distinguishes checks from single choices, and off from neither")
  func states() throws {
    try expect(
      said(["m", "1"], to: Self.marks).suffix(5),
      is: [
        "  1  Wide, not checked", "  2  Tall, checked", "  3  Order, menu", "  4  Pick", "  5  Sure",
      ])
    try expect(said(["m", "1", "3"], to: Self.marks).suffix(2), is: ["  1  Name, chosen", "  2  Size, not chosen"])
  }

  @Test("X7: You can find and perform actions without an item there too")
  func actions() throws {
    try expect(
      said(["find hidden thing", "1"], to: Self.marks).suffix(2),
      is: [
        "  1  Do the hidden thing", "done: Do the hidden thing → found",
      ])
    try expect(said(["find hidden thing", "why 1"], to: Self.marks).contains("Do the hidden thing"))
  }

  @Test("Numbers and titles choose several values; help, back and quit work inside a question as elsewhere")
  func answers() throws {
    try expect(
      said(["m", "1", "pick", "1, cherry, 9", "1, cherry", "\\quit"], to: Self.marks).suffix(7),
      is: [
        "there is no '9' to choose", "Pick: fruits, numbers or titles, with commas between them; 'stop' leaves it",
        "  1  apple", "  2  Cherry", "  3  back", "Pick: word; 'stop' leaves it", "done: Pick → apple+c quit",
      ])
    try expect(said(["m", "1", "pick", "stop"], to: Self.marks).last, is: "Pick: you left it")
    try expect(said(["m", "1", "pick", "1", "back"], to: Self.marks).last, is: "Pick: you left it")
    try expect(
      said(["m", "1", "sure", "help", "back"], to: Self.marks).suffix(3).first?.hasPrefix("  yes does it") ?? false)
    try expect(said(["m", "1", "sure", "back"], to: Self.marks).last, is: "Sure: you said no")
  }

  @Test(
    "X7: 'stop' leaves any question; a choice of that name needs its number or a '\\'",
    arguments: [("stop", "End: you left it"), ("2", "done: End → stop"), (#"\stop"#, "done: End → stop")])
  func stop(line: String, last: String) throws {
    let script = """
      menubar { menu "M" { item "End" { "finish" } } }
      app.takes.finish = { how = { one_of = { "pause", "stop" } } }
      function app.on:finish(ctx) return ctx.how end
      """
    try expect(said(["m", "1", "1", line], to: script).last, is: last)
  }
}
