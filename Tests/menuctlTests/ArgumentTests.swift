import Expectations
import Testing

private let app = """
  local grid = responder "grid"
  grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" }, by = { "string", optional = true } }
  grid.takes.export = { format = { one_of = { "jpeg", { "png", "PNG" } } }, size = { "integer", default = 3 } }
  grid.takes.login = { password = { "string", secret = true } }
  grid.confirm.rate = "Rate it?"
  function grid.on:rate(ctx) return ctx.rating .. tostring(ctx.by) end
  function grid.on:export(ctx) return ctx.format .. ctx.size end
  function grid.on:login(ctx) return #ctx.password end
  menubar { menu "M" { item "Rate…" { "rate", key = "r" } } }
  focus(grid)
  """

@Test(
  "A5: If nobody can answer, perform, press and pick print the question and end with 1; --arg and --yes answer",
  arguments: cases)
func asking(_ toolCase: ToolCase) throws { try toolCase.check() }

private func unasked(_ ways: String) -> String { "help: there is no terminal to ask on; \(ways)\n" }

private let cases: [ToolCase] = [
  ToolCase(
    name: "perform", words: ["perform", "-", "rate"], script: app, status: 1,
    out: """
      asks by grid: Rate it?
        rating: Stars, an integer from 0 to 5
        by: a string, can be left out

      """, err: unasked("'--arg rating=…' answers, '--yes' says yes")),
  ToolCase(
    name: "press", words: ["press", "-", "r", "--arg", "rating=3"], script: app, status: 1,
    out: "asks by grid: Rate it?\n", err: unasked("'--yes' says yes")),
  ToolCase(
    name: "where the verb takes no arguments", words: ["load", "-", "--pick", "M/Rate…"], script: app, status: 1,
    out: """
      M/Rate…: asks by grid: Rate it?

      stdin

      chain: grid (focus) → app

      M
        ✓   Rate…  r  rate

      1 item, 1 can be done now

      """, err: unasked("'menuctl pick' takes '--arg rating=…', '--yes' says yes")),
  ToolCase(
    name: "where it is performed by its name", words: ["load", "-", "--perform", "export"],
    script: "function app.on:export() end app.takes.export = { to = 'string' }", status: 1,
    out: """
      export: asks by app: it asks for 'to'

      stdin

      ▸ app  (focus)
          ✓ export

      1 action, 1 can be done now

      """, err: unasked("'menuctl perform' takes '--arg to=…'")),
  ToolCase(
    name: "pick", words: ["pick", "-", "M/Rate…", "--arg", "rating=3", "--arg", "by=Ada", "--yes"], script: app,
    out: "handled by grid → \"3Ada\"\n"),
  ToolCase(
    name: "wrong", words: ["pick", "-", "M/Rate…", "--arg", "rating=9"], script: app, status: 1,
    out: "disabled by grid: 'rating' must be an integer from 0 to 5, not 9\n"),
  ToolCase(
    name: "a long choice is whole, and a long answer says that it goes on",
    words: ["perform", "-", "pick", "--arg", "song=\"\(String(repeating: "x", count: 60))\""],
    script: """
      app.takes.pick = { song = { one_of = { "Smells Like Teen Spirit (remastered 2021 deluxe edition)", "b" } } }
      function app.on:pick() end
      """, status: 1,
    out:
      "disabled by app: 'song' must be one of 'Smells Like Teen Spirit (remastered 2021 deluxe edition)', 'b', "
      + "not '\(String(repeating: "x", count: 40))…'\n"),
  ToolCase(
    name: "as JSON", words: ["perform", "-", "export", "--json"], script: app, status: 1,
    out: """
      {"menuctl": 1, "ok": false, "action": "export", "status": "asks", "by": "grid", "via": "on", "asks": {"arguments": [{"key": "format", "type": "one_of", "one_of": ["jpeg", {"value": "png", "title": "PNG"}]}, {"key": "size", "type": "integer", "default": 3}]}, "changes": []}

      """, err: unasked("'--arg format=…' answers")),
  ToolCase(
    name: "what is missing validates", words: ["validate", "-", "rate"], script: app,
    out: "✓ rate  enabled by grid\n"),
  ToolCase(
    name: "start runs first, and its failure is the status", words: ["perform", "-", "x"],
    script: "function app:start() sleep(0.01) error('no start', 0) end function app.on:x() return 1 end", status: 70,
    out: "handled by app → 1\n",
    err: "stdin:1: error: no start\n  function app:start() sleep(0.01) error('no start', 0) end fu…\n"),
  ToolCase(
    name: "start failed, as JSON", words: ["chain", "-", "--json"],
    script: "function app:start() error('no start', 0) end",
    status: 70, out: #"{"menuctl": 1, "ok": false, "chain": [{"name": "app", "owner": "host"}]}"# + "\n",
    err: "stdin:1: error: no start\n  function app:start() error('no start', 0) end\n"),
  ToolCase(
    name: "check starts nothing", words: ["check", "-"], script: "function app:start() print('started') end",
    out: "nothing was found\n"),
  ToolCase(
    name: "a panel", words: ["load", "-", "--json"], script: "panel { label 'a' }",
    out: """
      {"menuctl": 1, "ok": true, "app": {"source": "stdin"}, "focus": "app", "chain": [{"name": "app", "owner": "host"}], "menus": [], "panel": [{"kind": "label", "title": "a"}], "outcomes": [], "diagnostics": []}

      """),
]

@Test(
  "S4a, A3: If a question before an action spends its limit, the status is 75, for any hook",
  arguments: [
    "app.takes.x = { a = { one_of = endless } }", "app.takes.x = { a = { 'string', default = endless } }",
    "app.confirm.x = endless", "app.can.x = endless",
  ])
func endlessQuestions(_ asking: String) throws {
  let script = "local function endless() while true do end end function app.on:x() end \(asking)"
  let run = try Program.menuctl(["perform", "-", "x", "--timeout", "0.2"], stdin: script)
  expect(run.status == 75 && run.out.hasPrefix("disabled by app: error: the limit of 0.2 s"), "\(run)")
}

@Suite("Arguments at a terminal", .enabled(if: Program.hasTerminals))
struct ArgumentTerminalTests {
  @Test("A5: The tool prompts for one argument a line, with its range; a wrong value gets a reason and a new prompt")
  func prompts() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["perform", "app.lua", "rate"], columns: 80, rows: 12, folder: folder.path)
    expect(terminal.waits { $0.text == "Stars (an integer from 0 to 5):" })
    terminal.type("9\r")
    expect(terminal.waits { $0.text.contains("'rating' must be an integer from 0 to 5, not 9") })
    terminal.type("4\r")
    expect(terminal.waits { $0.text.hasSuffix("by (a string; can be left out):") })
    terminal.type("\r")
    expect(terminal.waits { $0.text.hasSuffix("Rate it? (y/N)") })
    terminal.type("y\r")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.lines.last, is: "handled by grid → \"4nil\"")
  }

  @Test("A5: If only the app can refuse an answer, the tool prompts for it again with the reason, and keeps the others")
  func patterns() throws {
    let zip = """
      app.takes.zip = { letters = { "string", matches = "^%a+$", help = "A to Z", order = 1 }, n = "integer" }
      function app.on:zip(ctx) return ctx.letters .. ctx.n end
      """
    let folder = try ScriptFolder(["app.lua": zip])
    let terminal = try Terminal(["perform", "app.lua", "zip"], columns: 90, rows: 12, folder: folder.path)
    expect(terminal.waits { $0.text == "letters (A to Z; a string that matches '^%a+$'):" })
    terminal.type("x y\r")
    expect(terminal.waits { $0.text.contains("'letters' must be a string that matches '^%a+$', not 'x y'") })
    expect(terminal.waits { $0.text.hasSuffix("letters (A to Z; a string that matches '^%a+$'):") })
    terminal.type("xy\r")
    expect(terminal.waits { $0.text.hasSuffix("n (an integer):") })
    terminal.type("7\r")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.lines.last, is: "handled by app → \"xy7\"", "\(terminal.screen.text)")
  }

  @Test("A6: If the question has changed when a person says yes, the tool asks the new one")
  func changedQuestion() throws {
    let app = """
      local n = 0
      function app.confirm:delete() n = math.min(n + 1, 2) return "Delete " .. n .. "?" end
      function app.on:delete() return "deleted " .. n end
      """
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["perform", "app.lua", "delete"], columns: 80, rows: 12, folder: folder.path)
    expect(terminal.waits { $0.text.hasSuffix("Delete 1? (y/N)") })
    terminal.type("y\r")
    expect(terminal.waits { $0.text.hasSuffix("Delete 2? (y/N)") })
    terminal.type("y\r")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.text.contains("deleted 2"))
    let run = try Program.menuctl(["perform", "-", "delete", "--yes"], stdin: app)
    expect(run.status, is: 0, "\(run)")
  }

  @Test(
    "A12: Choices of a question depend on the answers before, and an error has its place, for every verb",
    arguments: [
      ["perform", "app.lua", "book"], ["press", "app.lua", "b"], ["pick", "app.lua", "M/Book"],
      ["load", "app.lua", "--pick", "M/Book"], ["load", "app.lua", "--choose", "row"], ["repl", "app.lua"],
    ])
  func dependent(words: [String]) throws {
    let trip = """
      local cities = { CH = { "Bern", "Basel" }, FR = { "Lyon", "Nice" } }
      app.takes.book = {
        country = { one_of = { "CH", "FR", "IT" }, order = 1 },
        city = { one_of = function(self, ctx)
          return cities[ctx.country] or error("no cities of " .. tostring(ctx.country), 0)
        end, order = 2 },
      }
      menubar { menu "M" { item "Book" { "book", key = "b" } } }
      panel { item "Row" { "x", id = "row", current = "book" } }
      function app.on:book(ctx) return ctx.city .. ", " .. ctx.country end
      """
    let folder = try ScriptFolder(["app.lua": trip])
    let terminal = try Terminal(words, columns: 90, rows: 30, folder: folder.path)
    if words[0] == "repl" { terminal.type(":pick M/Book\r") }
    expect(terminal.waits { $0.text.contains("country (one of 'CH', 'FR', 'IT'):") }, "\(terminal.screen.text)")
    expect(terminal.screen.text.contains("app.lua:5:"), "\(terminal.screen.text)")
    terminal.type("FR\r")
    expect(terminal.waits { $0.text.contains("city (one of 'Lyon', 'Nice'):") }, "\(terminal.screen.text)")
    terminal.type("Bern\r")
    expect(terminal.waits { $0.text.contains("'city' must be one of 'Lyon', 'Nice', not 'Bern'") })
    terminal.type("Nice\r")
    expect(terminal.waits { $0.text.contains("\"Nice, FR\"") }, "\(terminal.screen.text)")
    if words[0] == "repl" { terminal.type(":quit\r") }
    expect(terminal.finish(), is: 0)
  }

  @Test(
    "A5: A wrong answer is refused at once, and optional arguments may be left empty, for every verb",
    arguments: [["perform", "app.lua", "save"], ["press", "app.lua", "s"], ["pick", "app.lua", "M/Save"]])
  func leavingOut(words: [String]) throws {
    let save = """
      app.takes.save = {
        name = { "string", order = 1 }, note = { "string", optional = true, matches = "^[a-z]+$", order = 2 },
        tag = { "string", optional = true, order = 3 },
      }
      menubar { menu "M" { item "Save" { "save", key = "s" } } }
      function app.on:save(ctx) return ctx.name .. tostring(ctx.note) .. tostring(ctx.tag) end
      """
    let folder = try ScriptFolder(["app.lua": save])
    let terminal = try Terminal(words, columns: 90, rows: 12, folder: folder.path)
    expect(terminal.waits { $0.text == "name (a string):" })
    terminal.type("x\r")
    let note = "note (a string that matches '^[a-z]+$'; can be left out):"
    expect(terminal.waits { $0.text.hasSuffix(note) })
    terminal.type("ABC\r")
    expect(terminal.waits { $0.text.contains("'note' must be a string that matches '^[a-z]+$', not 'ABC'") })
    expect(terminal.waits { $0.text.hasSuffix(note) })
    terminal.type("\r")
    expect(terminal.waits { $0.text.hasSuffix("tag (a string; can be left out):") })
    terminal.type("\r")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.lines.last?.contains("\"xnilnil\"") ?? false, "\(terminal.screen.text)")
  }

  @Test("A5: Choices have a value or a title, secrets aren't shown, and Ctrl-D answers nothing")
  func choices() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let export = try Terminal(["perform", "app.lua", "export"], columns: 80, rows: 12, folder: folder.path)
    expect(export.waits { $0.text == "format (one of 'jpeg', 'png' (PNG)):" })
    export.type("PNG\r")
    expect(export.waits { $0.text.hasSuffix("size (an integer; by default 3):") })
    export.type("\r")
    expect(export.finish() == 0 && export.screen.lines.last == "handled by grid → \"png3\"")
    let login = try Terminal(["perform", "app.lua", "login"], columns: 80, rows: 12, folder: folder.path)
    expect(login.waits { $0.text == "password (a string; not shown):" })
    login.type("xyzzy\r")
    expect(login.finish() == 0 && !login.screen.text.contains("xyzzy"))
    expect(login.screen.lines.last, is: "handled by grid → 5")
    let interrupted = try Terminal(["perform", "app.lua", "login"], columns: 80, rows: 12, folder: folder.path)
    expect(interrupted.waits { $0.text == "password (a string; not shown):" } && !interrupted.echoes)
    interrupted.type("\u{3}")
    expect(interrupted.finish() == 130 && interrupted.echoes && interrupted.written.suffix(2) == [0x0D, 0x0A])
    let left = try Terminal(["perform", "app.lua", "export"], columns: 80, rows: 12, folder: folder.path)
    expect(left.waits { $0.text.hasPrefix("format") })
    left.type("\u{4}")
    expect(left.finish() == 1 && left.screen.text.contains("asks by grid: it asks for 'format'"))
  }
}

@Test("T8: Stubs and completions start nothing, and a test's subject has started")
func starting() throws {
  let folder = try ScriptFolder([
    "app.lua": "function app:start() print('started') sleep(2) app.isReady = true end function app.on:x() end",
    "app_test.lua": """
    subject "app.lua"
    test("it has begun", function() expect(app.isReady):is_true() end)
    """,
  ])
  let stubs = try Program.menuctl(["stubs", "app.lua"], folder: folder.path)
  expect(stubs.status == 0 && !stubs.out.contains("started\n") && !stubs.err.contains("started"))
  let names = try Program.menuctl(["complete", "actions", "app.lua"], folder: folder.path)
  expect(names.out == "x\n" && names.err == "", "\(names)")
  let tested = try Program.menuctl(["test", "app_test.lua"], folder: folder.path)
  expect(tested.status == 0 && tested.out.contains("1 passed"), "\(tested)")
}

@Test("A7: A recording contains no secret, and a replay that can't ask for it differs")
func secretRecording() throws {
  let folder = try ScriptFolder(["app.lua": app])
  let recorded = try Program.menuctl(
    ["record", "app.lua", "--perform", "login(password: xyzzy)"], folder: folder.path)
  expect(recorded.status == 0 && !recorded.out.contains("xyzzy") && recorded.out.contains("secret"))
  try folder.write("login.jsonl", recorded.out)
  let replayed = try Program.menuctl(["replay", "login.jsonl"], folder: folder.path)
  expect(replayed.status == 1 && replayed.out.contains("expected \"handled\", found \"asks\""))
}
