import Expectations
import Testing

@testable import ScriptHost

@Suite("Errors that scripts see")
struct ErrorScriptTests {
  @Test("E1: An error has message, file, line, column, traceback, code, owner; tostring returns the message")
  func facts() throws {
    let stage = try ScriptStage(
      """
      local function inner(t) return t.field end
      function app.on:x() inner(nil) end
      function app.on:go()
        local e = app:perform("x").error
        print(e.message, e.file, e.line, e.column, e.code, e.owner, e.limit, e.ended, tostring(e) == e.message)
        print(e.traceback:find("inner", 1, true) ~= nil)
      end
      """)
    expect(stage.perform("go"), is: "handled by app via on")
    expect(
      stage.printed,
      is: [
        "attempt to index a nil value (local 't')\tapp.lua\t1\tnil\tscript\tapp\tnil\tnil\ttrue", "true",
      ])
    let failure = try require(stage.host.takeDiagnostics().first)
    expect(failure.message == "attempt to index a nil value (local 't')" && failure.place?.line == 1)
  }

  @Test(
    "E1: An error travels up the chain: failed hooks may rewrite, end or raise; the host reports the last error")
  func travel() throws {
    let stage = try ScriptStage(
      """
      local top = responder "top"
      local middle = responder "middle" { next = top }
      local grid = responder "grid" { next = middle }
      local ends
      function grid.on:x() error("broken") end
      function grid:failed(err) print("grid", err.message, err.line) err.message = "grid: " .. err.message return err end
      function middle:failed(err) print("middle", err) error("the hook breaks") end
      function top:failed(err) print("top", err.message) if ends then return nil end return "top: " .. err.message end
      focus(grid)
      function app.on:go(ctx)
        ends = ctx.ends
        local outcome = app:perform("x")
        print(line(outcome), outcome.error.ended, outcome.error.line)
      end
      """)
    expect(stage.perform("go"), is: "handled by app via on")
    expect(
      stage.takePrinted(),
      is: [
        "grid\tbroken\t5", "middle\tgrid: broken", "top\tgrid: broken",
        "failed by grid via on ! top: grid: broken\tnil\t5",
      ])
    expect(stage.host.takeDiagnostics().map(\.message), is: ["the hook breaks", "top: grid: broken"])
    expect(stage.perform("go(ends: true)"), is: "handled by app via on")
    expect(stage.takePrinted().last, is: "failed by grid via on ! grid: broken\ttrue\t5")
    expect(stage.host.takeDiagnostics().map(\.message), is: ["the hook breaks"])
  }

  @Test(
    "E1: `failed` hooks run for a perform that spent its allowance, watched or not, the first time and later",
    arguments: [false, true])
  func spentFailures(isWatched: Bool) throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      function grid.on:spins() while true do end end
      function grid.on:wakes() sleep(1) while true do end end
      function app:failed(failure) print(failure.limit) end
      if \(isWatched) then observe("*", function() end) end
      focus(grid)
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    for action in ["spins", "spins", "spins", "wakes", "wakes"] {
      expect(stage.host.perform(action, wait: true).error?.ended, is: true)
      expect(stage.takePrinted(), is: ["instructions"])
    }
    expect(stage.host.takeDiagnostics().isEmpty)
  }

  @Test("S4: Converting a raised value to text may take a fifth of a second, however long the raising action may run")
  func endlessMessage() throws {
    let stage = try ScriptStage(
      """
      local odd = setmetatable({}, { __tostring = function() while true do end end })
      function app.on:x() error(odd) end
      """, limits: HostLimits(perform: .milliseconds(3000)))
    expect(stage.host.perform("x").error?.message.contains(" 0.2 s is spent"), is: true)
  }

  @Test("E1: Scripts may raise anything; a table's message counts, and an error raised again keeps its place")
  func raised() throws {
    try expect(
      """
      function app.on:inner() error("first") end
      function app.on:x(ctx) error(ctx.value, 0) end
      function app.on:again() error(app:perform("inner").error) end
      function app.on:go()
        local named = setmetatable({}, { __tostring = function() return "by its tostring" end })
        for _, value in ipairs { "plain", 42, true, { message = "in a table", more = 1 }, named, print } do
          local e = app:perform("x", { value = value }).error
          print(type(e.message), (e.message:gsub("0x%x+", "…")), e.line)
        end
        print(app:perform("x").error.message)
        local e = app:perform("again").error
        print(e.message, e.line, e.owner)
      end
      """,
      prints: """
        string\tplain\t2
        string\t42\t2
        string\ttrue\t2
        string\tin a table\t2
        string\tby its tostring\t2
        string\t(error object is a function value)\t2
        nil
        first\t1\tapp
        """)
  }

  @Test("E4: A message has at most 4 KiB, wherever it was raised or rewritten")
  func longMessages() throws {
    let stage = try ScriptStage(
      """
      local long = ("m"):rep(9000)
      function app.on:text() error(long, 0) end
      function app.on:table() error { message = long } end
      function app.on:misuse() app:find(long).x = 1 responder(long) end
      function app.on:rewritten() error("short") end
      function app.failed(self, err) if err.message:find("short") then return long end return err end
      """)
    for action in ["text", "table", "misuse", "rewritten"] {
      let message = stage.host.perform(action).error?.message
      expect(message.map { $0.utf8.count <= 4096 && !$0.isEmpty }, is: true, "\(action)")
    }
    expect(stage.host.perform("rewritten").error?.message, is: String(repeating: "m", count: 4096))
    expect(stage.host.takeDiagnostics().allSatisfy { $0.message.utf8.count <= 4096 })
  }

  @Test("E2: The host continues after every kind of failure")
  func goesOn() throws {
    let stage = try ScriptStage(
      """
      count = 0
      function app.on:forever() while true do end end
      function app.on:big() local t = {} while true do t[#t + 1] = ("x"):rep(100000) .. #t end end
      function app.on:deep() local function f() return 1 + f() end return f() end
      function app.on:yields() coroutine.yield() end
      function app.on:breaks() error() end
      function app.on:counts() count = count + 1 return count end
      """)
    for (number, action) in ["forever", "big", "deep", "yields", "breaks"].enumerated() {
      let outcome = stage.host.perform(action)
      expect(outcome.status, is: .failed, "\(action): \(outcome.line)")
      expect(outcome.error?.message.isEmpty, is: false)
      expect(stage.perform("counts"), is: "handled by app via on → integer(\(number + 1))")
    }
  }

  @Test(
    "E4: An error of loading names its place and cause, with a did-you-mean",
    arguments: [
      ("x = = 1", "app.lua:1: unexpected symbol near '='"),
      ("local a = 1\nprnt(a)", "app.lua:2:1: 'prnt' is not defined; did you mean 'print'?"),
      (
        "responder 'grid'\nresponder 'grid'",
        "app.lua:2:12: there is a responder named 'grid' already (the other is at app.lua:1)"
      ),
      (
        "window 'grid'\nresponder 'grid'",
        "app.lua:2:12: there is a window named 'grid' already (the other is at app.lua:1)"
      ),
      ("class 'c'\nclass 'c'", "app.lua:2:8: there is a class named 'c' already (the other is at app.lua:1)"),
      ("responder 'app'", "app.lua:1:12: 'app' is the name of the app itself"),
      ("responder ''", "app.lua:1: the name of a responder can't be empty"),
      ("responder(('x'):rep(257))", "app.lua:1: the name of a responder can have 256 bytes at most, this one has 257"),
      ("responder(5)", "app.lua:1: the name of a responder must be a string, not a number"),
      ("responder('\\xff')", "app.lua:1: the name of a responder must be a string, not a string that is not UTF-8"),
      ("responder('a\\nb')", "app.lua:1: the name of a responder can't have control characters"),
      ("responder 'a' { next = 'b' }", "app.lua:1:25: there is no responder named 'b': declare it before it is named"),
      (
        "window 'main'\nresponder 'a' { next = 'mian' }",
        "app.lua:2:25: there is no responder named 'mian'; did you mean 'main'?"
      ),
      ("responder 'a' { next = 5 }", "app.lua:1: next must be a responder or its name, not a number"),
      (
        "responder 'a' { class = 'none' }",
        "app.lua:1:26: there is no class named 'none': declare it before it is named"
      ),
      ("responder 'a' { class = app }", "app.lua:1:17: 'class' must be a class or its name, not a table"),
      ("responder 'a' { on = 5 }", "app.lua:1:17: 'on' must be a table of functions, not a number"),
      ("responder 'a' { on = app.on }", "app.lua:1:17: 'on' must be a table of functions, not a table of the host's"),
      ("responder 'a' { on = { x = 5 } }", "app.lua:1:24: on.x must be a function, not a number"),
      ("responder 'a' { on = { print } }", "app.lua:1:17: 'on' is indexed by the names of actions, not by a number"),
      (
        "responder 'a' { needs = { x = 5 } }",
        "app.lua:1:27: needs.x must be a context key or a list of them, not a number"
      ),
      ("responder 'a' { provide = {} }", "app.lua:1:17: 'provide' must be a function, not a table"),
      (
        "responder 'a' { claims = 5 }",
        "app.lua:1:17: 'claims' must be true, a list of actions or a function, not a number"
      ),
      ("responder 'a' { claims = { 5 } }", "app.lua:1:17: 'claims' must list names of actions, not a number"),
      (
        "responder 'a' { redirect = true }",
        "app.lua:1:17: 'redirect' must be a responder, its name or a function, not a boolean"
      ),
      ("responder 'a' { undo = 5 }", "app.lua:1:17: 'undo' must be a boolean or a table, not a number"),
      (
        "responder 'a' { works_when_modal = 5 }",
        "app.lua:1:17: 'works_when_modal' must be a boolean, not a number: NAME.works_when_modal = true"
      ),
      ("responder 'a' { perform = 5 }", "app.lua:1:17: 'perform' belongs to the host and can't be assigned"),
      ("local a = responder 'a'\na.name = 'b'", "app.lua:2:3: 'name' belongs to the host and can't be assigned"),
      ("app.find = print", "app.lua:1:5: 'find' belongs to the host and can't be assigned"),
      ("app.title = 5", "app.lua:1:5: 'title' must be a string, not a number"),
      ("window('w').first = nil", "app.lua:1:13: 'first' belongs to the host and can't be assigned"),
      ("responder 'a' { delegate = app }", "app.lua:1: only windows and the app have a delegate"),
      ("app.on['1x'] = print", "app.lua:1:9: '1x' can't be the name of an action"),
      (
        "app:perform('x')",
        "app.lua:1: performing is not possible while a script loads: do it in an action or in 'start'"
      ),
      (
        "local window = window 'main'\nwindow 'other'",
        "app.lua:2:1: this calls the window 'main' without a table of fields, but with a string: rename the local 'window' that hides the host's"
      ),
      (
        "local responder = 'main'\nresponder 'other'",
        "app.lua:2:1: attempt to call a string value (local 'responder'): rename this local, it hides the host's 'responder'"
      ),
      ("log('inof', 'x')", "app.lua:1:6: there is no level 'inof'; did you mean 'info'?"),
      ("class 'a' { class = 'a' }", "app.lua:1: classes would build on each other in a circle: a → a"),
      ("app:remove()", "app.lua:1: the app can't be removed"),
      ("focus 'nobody'", "app.lua:1:8: there is no responder named 'nobody': declare it before it is named"),
    ])
  func loading(_ script: String, _ message: String) throws {
    try expect(loadError(script), is: message)
  }

  @Test("Loading is all or nothing: if a script fails, its changes of others' responders are undone")
  func allOrNothing() throws {
    let host = ScriptHost()
    let window = try host.window("native")
    let pane = try host.responder("pane", next: window.responder)
    try host.focus(pane)
    pane.on("x") { _ -> Value in "native" }
    func state() -> String {
      "\(host.chainNames) \(host.windows.map(\.name)) \(host.app.delegate?.name ?? "-") \(host.perform("x").line) \(host.perform("y").line)"
    }
    let before = state()
    _ = try? host.load(
      text: """
        app.title = "changed"
        local mine = window "mine"
        app.delegate = responder "agent"
        function app.on:y() end
        app:find("pane").on.x = function() return "script" end
        observe("*", print) listen("unhandled", print)
        focus(mine)
        mine:make_main()
        error("at the end")
        """, name: "bad.lua")
    expect(state(), is: before)
    expect(host.dispatcher.observers.isEmpty && host.listenerCount == 0)
    try host.load(text: "function app.on:title() return tostring(app.title) end responder 'mine'", name: "good.lua")
    expect(host.perform("title").line, is: "handled by app via on → text(\"nil\")")
    expect(state(), is: before)
  }

  @Test(
    "A script can't move others' responders in the chain; it may handle actions for them and be their next")
  func othersResponders() throws {
    let stage = try ScriptStage("function app.on:nothing() end")
    let pane = try stage.host.responder("pane")
    try stage.load(
      """
      local pane = app:find("pane")
      local mine = responder "mine" { next = pane }
      function pane.on:x() return "layer" end
      function app.on:go()
        for _, deed in ipairs { function() pane.next = mine end, function() pane:remove() end, function() pane:derive("D") end, function() pane.class = nil end } do
          fails(deed)
        end
      end
      """, name: "other.lua")
    try stage.host.focus(pane)
    expect(stage.perform("x"), is: "handled by pane via on → text(\"layer\")")
    expect(stage.perform("go"), is: "handled by app via on")
    expect(
      stage.printed,
      is: [
        "other.lua:5: 'pane' belongs to 'host': its 'next' is not for other scripts",
        "other.lua:5: 'pane' belongs to 'host': its 'remove' is not for other scripts",
        "other.lua:5: 'pane' belongs to 'host': its 'derive' is not for other scripts",
        "other.lua:5: 'pane' belongs to 'host': its 'class' is not for other scripts",
      ])
  }

  @Test(
    "E4: For a mistake in a table of several lines, the error names the line and column of the mistake",
    arguments: [
      (
        "r.takes.x = {\n  a = 'integer',\n  b = 'integr',\n}",
        "3:8: takes.x.b has an unknown type 'integr'; did you mean 'integer'?"
      ),
      ("r.takes.x = { a = 'int', c = { one_of = { 1 } } }", "1:20: takes.x.a has an unknown type 'int'"),
      (
        "r.takes.x = {\n  a = 'any', c = 'integr',\n  b = 'integer',\n}", "2:19: takes.x.c has an unknown type 'integr'"
      ),
      (
        "r.keys = {\n  ['ctrl+a'] = 'x',\n  ['ctl+b'] = 'y',\n}",
        "3:5: keys['ctl+b']: there is no modifier 'ctl'; did you mean 'ctrl'?"
      ),
      ("r.keys = { f25 = 'x' }", "1:12: keys['f25']: there is no key 'f25'; did you mean 'f15'?"),
      ("r.about = {\n  x = { title = 'a', hlp = 'b' },\n}", "2:22: about.x has no field 'hlp'; did you mean 'help'?"),
      (
        "r.takes.n = { a = 'any' } r.takes.x = { n = { 'integer', from = 5, to = 1 } }",
        "1:41: takes.x.n goes from 5 to 1, so no value fits"
      ),
      ("r.can.x = function() end r.about.x = 5", "1:34: about.x must be a title or a table with one, not a number"),
      (
        "r.needs = {\n  -- a } that closes nothing\n  x = { selection = 5 },\n}",
        "3:3: needs.x must list context keys, each alone or with a reason: { \"photo\", text = \"write something first\" }"
      ),
      (
        "responder 's' {\n  a = '{',\n  next = 'nowhere',\n}",
        "3:11: there is no responder named 'nowhere': declare it before it is named"
      ),
      ("item('New', 'new')", "1: item takes the title of an item alone"),
      ("log('warning', 'x')", "1:6: there is no level 'warning': there are debug, info, warn and error"),
      (
        "local größe = 5", "1:9: unexpected symbol near '<\\195>'; use the letters a to z, digits and '_' in names"
      ),
      ("app.title = “x”", "1:13: unexpected symbol near '<\\226>'; use straight quotes: \"…\""),
      ("app.title\u{A0}= 2", "1:10: syntax error near '<\\194>'; replace this character by an ordinary blank"),
    ])
  func statements(_ script: String, _ error: String) throws {
    let first = script.hasPrefix("r.") ? "local r = responder 'r' " : ""
    let said = try loadError(first.isEmpty ? script : first + "\n" + script)
    let start = error.prefix { $0 != ":" }
    let line = (Int(start) ?? 0) + (first.isEmpty ? 0 : 1)
    expect(said.contains("app.lua:\(line)\(error.dropFirst(start.count))"), "\(said)")
  }

  /// Each word's line was once searched from the beginning. That took half a minute.
  @Test("S1: The host finds an error's place at once, however many lines its script has and however much it quotes")
  func manyLines() throws {
    let script = """
      function app.on:x(ctx) ctx:set(app, "selektion", 1) end
      function app.on:y() return app.selection end
      app.selection = 2
      function app.on:z(ctx) app.on[ctx.text] = 5 end
      """
    let host = ScriptHost(limits: .patient)
    let before = threadTime()
    try host.load(text: String(repeating: "\n", count: 60_000) + script, name: "app.lua")
    let mistakes = host.mistakes()
    expect(mistakes.map { $0.place?.line }, is: [60_001], "\(mistakes)")
    for text in [String(repeating: "'zz' ", count: 20_000), String(repeating: "z", count: 100_000)] {
      var options = PerformOptions()
      options.arguments = ["text": .text(text)]
      for _ in 0..<10 { expect(host.perform("z", options).error?.place?.line, is: 60_004) }
    }
    expect(threadTime() - before < (isUnoptimized ? 60_000_000_000 : 3_000_000_000))
  }
}
