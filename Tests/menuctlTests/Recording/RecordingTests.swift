import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import menuctl

/// Recording actions of an app, replaying them, and making tests of them.
@Suite struct RecordingTests {
  /// Steps for the photo app, with some of everything.
  static let drive = [
    "--press", "right", "--perform", "rate(rating: 2)", "--pick", "Image/★★★★★", "--press", "5", "--perform", "fly",
    "--pick", "Image/Export/As JPEG", "--pick", "recent Pictures", "--focus", "main", "--focus", "grid", "--press",
    "delete", "--eval", "app:find('grid').order", "--eval", "step = app:press('right')", "--press",
    "right", "--eval",
    "app:context().photo, 1", "--eval", "error('not now')", "--perform", "undo",
  ]

  /// The photo app, or a variant of its script, with the files that it requires.
  private func photos(_ app: String? = nil) throws -> ScriptFolder {
    let script = try app ?? Project.text("scripts/photos/app.lua")
    return try ScriptFolder([
      "app.lua": script, "paint.lua": try Project.text("scripts/photos/paint.lua"),
      "scenes.lua": try Project.text("scripts/photos/scenes.lua"),
    ])
  }

  @Test("A recording of the photo app replays equal, on the app that it names and on another")
  func replaysEqual() throws {
    let folder = try photos()
    let recorded = try Program.menuctl(["record", "scripts/photos"] + Self.drive)
    expect(recorded.status, is: 0)
    expect(recorded.out.split(separator: "\n").count, is: Self.drive.count / 2 + 1)
    try folder.write("photos.jsonl", recorded.out)
    let equal = Run(status: 0, out: "16 steps, all as recorded\n", err: "")
    try expect(Program.menuctl(["replay", "\(folder.path)/photos.jsonl"]).without("nobody answers fly\n"), is: equal)
    try expect(
      Program.menuctl(["replay", "\(folder.path)/photos.jsonl", folder.path]).without("nobody answers fly\n"), is: equal
    )
  }

  @Test(
    "If a replay differs and the scripts iterate in Lua's order, which no recording has, the help says so",
    arguments: [
      ("for k in pairs({ a = 1 }) do return k end", true), ("return (next({ a = 1 }))", true),
      ("for _, v in ipairs({ 'a' }) do return v end", false),
    ])
  func order(body: String, isTold: Bool) throws {
    let folder = try ScriptFolder(["app.lua": "function app.on:list() \(body) end"])
    let words = ["record", "app.lua", "--perform", "list", "--output", "r.jsonl"]
    try expect(Program.menuctl(words, folder: folder.path).status, is: 0)
    try expect(Program.menuctl(["replay", "r.jsonl"], folder: folder.path).err, is: "")
    try folder.write("r.jsonl", try folder.text("r.jsonl").replacing(#""result": "a""#, with: #""result": "b""#))
    let run = try Program.menuctl(["replay", "r.jsonl"], folder: folder.path)
    expect(run.status, is: 1)
    let told =
      "help: scripts here call 'pairs' or 'next', whose order is different at each load: sort their results\n"
    expect(run.err, is: (isTold ? told : ""), "\(run)")
  }

  @Test(
    "A9: A recording has the seed of 'math.random' once, and a replay and a recorded test use it too")
  func chance() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      first = nil
      function app.on:load() first = math.random() end
      function app.on:rand() return math.random(1000000000) end
      function app.on:seed(ctx) return (math.randomseed(ctx.n)) end
      function app.on:anew() return (math.randomseed()) end
      """
    ])
    let deeds =
      ["load", "rand", "rand", "anew", "rand", "seed(n: 5)", "rand"].flatMap { ["--perform", $0] } + [
        "--eval", "math.random(1000000000)",
      ]
    let recorded = try Program.menuctl(["record", "app.lua"] + deeds + ["--output", "r.jsonl"], folder: folder.path)
    expect(recorded.status, is: 0, "\(recorded)")
    let lines = try folder.text("r.jsonl").split(separator: "\n")
    let given = lines.map { $0.contains(#""given": [{"call": "math.randomseed", "gave": ["#) }
    expect(given, is: [false, true, false, false, true, false, false, false, false], "\(lines)")
    let replayed = try Program.menuctl(["replay", "r.jsonl"], folder: folder.path)
    expect(replayed.out, is: "8 steps, all as recorded\n", "\(replayed)")
    let other = try Program.menuctl(
      ["record", "app.lua", "--perform", "rand", "--output", "other.jsonl"], folder: folder.path)
    expect(other.status, is: 0)
    expect(lines[2].contains(#""result": "#))
    try expect(folder.text("other.jsonl").split(separator: "\n")[1].suffix(40) != lines[2].suffix(40))
    let test = try Program.menuctl(
      ["record", "app.lua"] + deeds + ["--as-test", "--output", "app_test.lua"], folder: folder.path)
    expect(test, is: Run(status: 0, out: "", err: ""), "\(test)")
    try expect(Program.menuctl(["test", "app_test.lua"], folder: folder.path).status, is: 0)
    let own = try Program.menuctl(
      ["record", "app.lua", "--perform", "seed(n: 5)", "--perform", "rand"], folder: folder.path)
    expect(
      own.status == 0 && !own.out.contains("given"), "what a script begins with itself comes from nowhere else: \(own)")
    // Older recordings have no seed.
    let old = try folder.text("other.jsonl").replacing(#/"given": .*?\}\], /#, with: "")
    try folder.write("other.jsonl", old)
    let differs = try Program.menuctl(["replay", "other.jsonl"], folder: folder.path)
    expect(differs.status == 1 && differs.out.contains("math.randomseed()"), "\(differs)")
  }

  @Test("'math.random' refuses the same arguments in a recording as elsewhere")
  func refusedChance() throws {
    let script =
      "function app.on:go() return math.random(5, 1) end\nfunction app.on:no() return math.randomseed('x') end\n"
    for action in ["go", "no"] {
      let words = ["-", "--perform", action]
      let (plain, recorded) = (
        try Program.menuctl(["load"] + words, stdin: script), try Program.menuctl(["record"] + words, stdin: script)
      )
      expect(plain.status == 70 && plain.err == recorded.err, "\(plain) \(recorded)")
    }
  }

  @Test("Each line is an object: a header, then each step with its outcome and the changes in the menus")
  func lines() throws {
    let run = try Program.menuctl(
      [
        "record", "-", "--set", "n=2", "--perform", "add(n: 1)", "--eval", "print, 0/0", "--press", "x", "--perform",
        "boom",
      ],
      stdin: """
        local count = 0
        menubar { menu "Count" { item "Add" { "add(n: 1)" } } }
        function app.on:add(ctx) count = count + ctx.n return count end
        function app.look:add() return { title = "Add to " .. count } end
        function app.on:boom() error("no", 0) end
        print("loaded")

        """)
    expect(
      run,
      is: Run(
        status: 0,
        out: #"""
          {"menuctl": 1, "recording": 1, "source": "stdin", "settings": {"n": 2}}
          {"do": {"perform": "add(n: 1)"}, "status": "handled", "by": "app", "via": "on", "result": 1, "changes": [{"change": "update", "id": "Count/Add", "element": {"kind": "item", "id": "Count/Add", "title": "Add to 1", "action": "add(n: 1)", "args": {"n": 1}, "enabled": true, "hidden": false, "state": "off", "by": "app"}}]}
          {"do": {"eval": "print, 0/0"}, "values": [{"$": "function"}, {"$": "nan"}], "changes": []}
          {"do": {"press": "x"}, "status": "unhandled", "reason": "nothing is bound to 'x'", "changes": []}
          {"do": {"perform": "boom"}, "status": "failed", "by": "app", "via": "on", "error": {"message": "no", "code": "script"}, "changes": []}

          """#,
        err: """
          loaded
          stdin:5: error: no
            function app.on:boom() error("no", 0) end

          """))
  }

  @Test("A9: A question is its own step, and the answer a part of the next; a replay asks nobody")
  func confirmed() throws {
    let folder = try ScriptFolder([:])
    let words = ["record", "scripts/photos", "--press", "right", "--pick", "Edit/Delete", "--press", "left"]
    for (option, status) in [([], "asks"), (["--yes"], "handled")] {
      let recorded = try Program.menuctl(words + option + ["--output", "\(folder.path)/photos.jsonl"])
      expect(recorded.status == 0 && recorded.out == "" && recorded.err.contains("'--yes'") == option.isEmpty)
      let text = try folder.text("photos.jsonl")
      expect(text.contains(#""status": "\#(status)""#))
      expect(text.contains(#"{"do": {"pick": "Edit/Delete"}, "status": "asks""#))
      expect(text.contains(#""do": {"pick": "Edit/Delete", "confirmed": true}"#), is: (status == "handled"))
      let count = status == "handled" ? 4 : 3
      try expect(
        Program.menuctl(["replay", "\(folder.path)/photos.jsonl"]).out, is: "\(count) steps, all as recorded\n")
    }
    try folder.remove("photos.jsonl")
  }

  /// An app that uses everything outside: once while it loads, once when it is drawn, and in an action.
  private static let asking = """
    app.name, app.allow = "asking", { "exec=sh", "fs.read", "fs.write", "env=PLANET" }
    local began, here = os.time(), nil
    function app:start() here = #fs.list(".") end
    menubar { menu "A" { item "Look" { "look" }, item "Write" { "write(text: x)" } } }
    function app.look:look() return { subtitle = "since " .. began .. ", " .. (fs.read("note.txt") or "no note") } end
    function app.on:look()
      local lines = {}
      local answer = assert(exec("sh", { "-c", "cat note.txt; printf '\\\\377'; date +%N >&2" }, {
        folder = ".", line = function(line, isError) lines[#lines + 1] = isError and "e" or line end }))
      return { out = answer.out, err = answer.err, lines = #lines, clock = os.clock(), planet = env("PLANET"), here = here }
    end
    function app.on:write(ctx) return fs.write("note.txt", ctx.text), select(2, fs.read("missing.txt")) end
    function app.on:denied() return env("HOME") end
    """

  @Test(
    "A9: A recording has the results of granted calls and the clock; a replay uses them, without grants or programs"
  )
  func given() throws {
    let folder = try ScriptFolder(["app/app.lua": Self.asking, "app/note.txt": "hello"])
    let deeds = ["look", "write(text: there)", "look", "denied"].flatMap { ["--perform", $0] }
    let record = [
      "record", "app", "--allow", "exec=sh", "--allow", "fs.read=app", "--allow", "fs.write=app", "--allow",
      "env=PLANET",
    ]
    let recorded = try Program.menuctl(
      record + deeds + ["--output", "asking.jsonl"], environment: ["PLANET": "Mars"], folder: folder.path)
    expect(recorded.status, is: 0, "\(recorded)")
    let text = try folder.text("asking.jsonl")
    expect(text.contains(#"{"call": "env", "args": ["PLANET"], "gave": ["Mars"]}"#))
    expect(text.contains(#""raised": {"message": "env is not granted to 'app'"#), "\(text)")
    expect(text.contains(#"{"$": "68656c6c6fff"}"#))
    // None of the files exists any more.
    try folder.write("app/note.txt", "untouched")
    let replayed = try Program.menuctl(["replay", "asking.jsonl"], environment: ["PATH": "/"], folder: folder.path)
    expect(replayed.status == 0 && replayed.out == "4 steps, all as recorded\n", "\(replayed)")
    try expect(folder.text("app/note.txt"), is: "untouched")
    try folder.write("other.lua", Self.asking.replacing("cat note.txt", with: "cat other.txt"))
    let other = try Program.menuctl(["replay", "asking.jsonl", "other.lua"], folder: folder.path)
    expect(other.status == 1 && other.out.contains("the result of exec was not recorded"), "\(other)")
    expect(other.out.contains("\n  what exec(\"sh\", [\"-c\", \"cat other.txt;"), "\(other)")
    // If the raised error doesn't say so, the step still does.
    try folder.write(
      "other.lua", Self.asking.replacing("assert(exec", with: "(exec").replacing("cat note", with: "cat"))
    let unsaid = try Program.menuctl(["replay", "asking.jsonl", "other.lua", "--json"], folder: folder.path)
    expect(unsaid.out.contains("attempt to index a nil value"), "\(unsaid)")
    expect(unsaid.out.contains(#""unrecorded": [{"call": "exec", "args": ["sh", ["-c", "cat.txt;"#), "\(unsaid)")
    let test = try Program.menuctl(
      record + deeds.prefix(2) + ["--as-test", "--output", "app/given_test.lua"], environment: ["PLANET": "Mars"],
      folder: folder.path)
    expect(test.status, is: 0, "\(test)")
    try folder.remove("app/note.txt")
    let passed = try Program.menuctl(["test", "app"], environment: ["PATH": "/"], folder: folder.path)
    expect(passed.status, is: 0, "\(passed)")
    for name in ["asking.jsonl", "other.lua", "app/given_test.lua"] { try folder.remove(name) }
  }

  @Test("U13, A9: The REPL undoes what an earlier run did; a recording has the history that a replay undoes")
  func keptUndo() throws {
    let app = """
      app.name = "kept" app.undo = { keep = true }
      function app.on:add(ctx) app.store.n = (app.store.n or 0) + 1 ctx:undo("Add", "take") return app.store.n end
      function app.on:take(ctx) app.store.n = app.store.n - 1 ctx:undo("Take", "add") return app.store.n end
      """
    let folder = try ScriptFolder(["app.lua": app])
    let state = try ScriptFolder([:])
    func run(_ words: [String], _ typed: String = "") throws -> Run {
      try Program.menuctl(words, stdin: typed, environment: ["XDG_STATE_HOME": state.path], folder: folder.path)
    }
    func number() throws -> String { try run(["repl", "app.lua"], "app.store.n\n").out }
    defer { _ = try? Program.shell("rm", "rm -r '\(state.path)/menuctl'") }
    try expect(run(["perform", "app.lua", "add"]).out.hasSuffix("→ 1\n"))
    try expect(run(["repl", "app.lua"], ":undo\n").out.hasPrefix("handled"))
    try expect(number(), is: "0\n")
    try expect(run(["repl", "app.lua"], ":redo\n").out.hasPrefix("handled"))
    let recorded = try run(["record", "app.lua", "--perform", "undo"])
    expect(
      recorded.out.contains(#"{"call": "app.undo", "args": ["app"], "gave": [{"menuctl_history": 1"#), "\(recorded)")
    try expect(number(), is: "1\n", "a recording writes nothing")
    try folder.write("undo.jsonl", recorded.out)
    try expect(run(["replay", "undo.jsonl"]).out, is: "1 step, all as recorded\n")
  }

  @Test("A9, T7: Timers run in a replay when they ran in the session, though it takes no time")
  func timers() throws {
    let app = """
      app.ticks = 0
      every(0.05, function() app.ticks = app.ticks + 1 end)
      function app.on:count() return app.ticks > 1 end
      """
    let folder = try ScriptFolder(["app.lua": app])
    let typed = ":record ticks.jsonl\napp:perform('count').result\nsleep(0.2)\n:perform count\n:record off\n"
    try expect(Program.menuctl(["repl", "app.lua"], stdin: typed, folder: folder.path).status, is: 0)
    let text = try folder.text("ticks.jsonl")
    expect(text.contains(#""do": {"perform": "count"}, "at": 0."#) && text.contains(#""result": true"#), "\(text)")
    let equal = Run(status: 0, out: "3 steps, all as recorded\n", err: "")
    try expect(Program.menuctl(["replay", "ticks.jsonl"], folder: folder.path), is: equal)
    // An hour goes by, in which a timer runs 72,000 times.
    let lines = text.split(separator: "\n")
    try folder.write("late.jsonl", "\(lines[0])\n\(lines[3].replacing(/"at": [0-9.]+/, with: "\"at\": 3600"))\n")
    try expect(Program.menuctl(["replay", "late.jsonl"], folder: folder.path).out, is: "1 step, all as recorded\n")
    for name in ["ticks.jsonl", "late.jsonl"] { try folder.remove(name) }
  }

  @Test("A9, T7: A replay returns the recorded values to timers that ran before the first step")
  func timersBeforeTheFirstStep() throws {
    let app = """
      every(0.05, function() app.seen = os.time() end)
      function app.on:seen() return app.seen end
      """
    let folder = try ScriptFolder(["app.lua": app])
    let repl = "'\(Program.folder)/menuctl' repl app.lua --strict"
    let typed = "(sleep 0.3; printf ':record seen.jsonl\\n:perform seen\\n:record off\\n') | \(repl)"
    try expect(Program.shell("sh", "cd '\(folder.path)' && \(typed)").status, is: 0)
    let text = try folder.text("seen.jsonl")
    expect(text.matches(of: /"result": [0-9]{10}/).count, is: 1, "\(text)")
    let replayed = try Program.menuctl(["replay", "seen.jsonl"], folder: folder.path)
    expect(replayed.out, is: "1 step, all as recorded\n", "\(replayed) \(text)")
    try folder.remove("seen.jsonl")
  }

  /// An app that continues while a program runs.
  private static let patient = """
    app.allow = { "exec=sleep" }
    function app.on:go(ctx)
      app.state = "waits"
      app.state = exec("sleep", { ctx.time }) and "went on"
    end
    function app.on:look() return app.state end
    """

  @Test("A9: A recorded call is at its beginning, and returns as late as it did; one that never ended never returns")
  func waited() throws {
    let folder = try ScriptFolder(["app.lua": Self.patient])
    let typed = """
      :record waited.jsonl
      app:perform("go(time: 0.1)", nil, { wait = false }).status
      :perform look
      sleep(0.6)
      :perform look
      app:perform("go(time: 1000)", nil, { wait = false }).status
      sleep(0.05)
      app:jobs()[1]:cancel()
      :perform look
      :save-test app_test.lua
      :record off
      """
    let words = ["repl", "app.lua", "--allow", "exec=sleep", "--strict"]
    let typing = try Program.menuctl(words, stdin: typed + "\n", folder: folder.path)
    expect(typing.status, is: 0, "\(typing)")
    let text = try folder.text("waited.jsonl")
    expect(text.contains(#""given": [{"call": "exec", "args": ["sleep", [1000]]}]"#), "\(text)")
    let results = text.matches(of: /"result": "([a-z ]+)"/).map(\.1)
    expect(results, is: ["waits", "went on", "waits"], "\(text)")
    let replayed = try Program.menuctl(["replay", "waited.jsonl"], environment: ["PATH": "/"], folder: folder.path)
    expect(replayed.out, is: "8 steps, all as recorded\n", "\(replayed)\n\(text)")
    let tested = try Program.menuctl(["test"], environment: ["PATH": "/"], folder: folder.path)
    expect(tested.status, is: 0, "\(tested)")
    for name in ["waited.jsonl", "app_test.lua"] { try folder.remove(name) }
  }

  @Test("Recording a live app as a test is refused with the reason and the right call")
  func testOfLiveApp() throws {
    let run = try Program.menuctl(["record", "@app", "--as-test"])
    expect(run.status == 64 && run.err.contains("a test begins with the load, and '@app' is running"), "\(run)")
    expect(run.err.contains("menuctl record FILE --as-test"), "\(run)")
  }

  @Test("A7, A9: The recorded results of calls contain no secret")
  func secretGiven() throws {
    let app = """
      app.allow = { "exec=sh" }
      app.takes.log_in = { password = { "string", secret = true } }
      function app.on:log_in(ctx) return #exec("sh", { "-c", "echo got " .. ctx.password }).out end
      """
    let folder = try ScriptFolder(["app.lua": app])
    let recorded = try Program.menuctl(
      ["record", "app.lua", "--allow", "exec=sh", "--perform", "log_in(password: hunter2)"], folder: folder.path)
    expect(recorded.status == 0 && !recorded.out.contains("hunter2"), "\(recorded)")
    expect(recorded.out.contains(#""args": ["sh", ["-c", {"$": "secret"}]]"#), "\(recorded)")
  }

  @Test("A pick with modifiers is replayed with them, and modifiers that aren't texts are an error")
  func modifiers() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      menubar { menu "A" { item "x" { "touch", alternates = { alt = item "y" { "other" } } } } }
      function app.on:touch() return "touched" end
      function app.on:other() return "other" end
      """
    ])
    for (modifiers, status) in [(#"["alt"]"#, 0), ("[]", 1), (#""alt""#, 65)] as [(String, Int32)] {
      try folder.write(
        "r.jsonl",
        """
        {"menuctl": 1, "recording": 1, "source": "app.lua", "settings": {}}
        {"do": {"pick": "A/x", "modifiers": \(modifiers)}, "status": "handled", "by": "app", "via": "on", "result": "other", "changes": []}

        """)
      let run = try Program.menuctl(["replay", "r.jsonl"], folder: folder.path)
      expect(run.status, is: status, "\(modifiers): \(run)")
    }
  }

  @Test("A script that menuctl has not recorded is not overwritten, by any command")
  func notWrittenOver() throws {
    let app = "function app.on:go() end"
    let folder = try ScriptFolder(["app.lua": app])
    for words in [
      ["record", "app.lua", "--perform", "go", "--output", "app.lua"],
      ["record", "app.lua", "--as-test", "--output", "app.lua"],
    ] {
      let run = try Program.menuctl(words, folder: folder.path)
      expect(
        run.status == 1 && run.err.contains("'app.lua' is a script, and menuctl has not recorded it"), "\(run)")
    }
    let lines = ":record app.lua\n:save-test app.lua\n:record r.jsonl\n:perform go\n:record r.jsonl\n"
    _ = try Program.menuctl(["repl", "app.lua"], stdin: lines, folder: folder.path)
    try expect(folder.text("app.lua") == app && folder.text("r.jsonl").contains("recording"))
  }

  @Test("Time moves only for waiting actions, so a recording takes none, and neither does its replay")
  func time() throws {
    let folder = try ScriptFolder(["app.lua": "function app.on:nap() sleep(3600) return 'rested' end"])
    let recorded = try Program.menuctl(["record", folder.path, "--perform", "nap"])
    expect(recorded.out.contains(#""result": "rested""#))
    try folder.write("nap.jsonl", recorded.out)
    try expect(Program.menuctl(["replay", "\(folder.path)/nap.jsonl"]).status, is: 0)
  }

  @Test("The first step with another outcome is shown, as text and as JSON", arguments: changes)
  func difference(_ change: Change) throws {
    let app = try Project.text("scripts/photos/app.lua")
    expect(app.contains(change.old))
    let folder = try photos(app.replacing(change.old, with: change.new))
    let words = ["--press", "right", "--press", "5", "--press", "0", "--perform", "rate(rating: 6)"]
    let recorded = try Program.menuctl(["record", "scripts/photos"] + words)
    try folder.write("photos.jsonl", recorded.out)
    let run = try Program.menuctl(["replay", "photos.jsonl", "."], folder: folder.path)
    expect(run, is: Run(status: 1, out: change.shown, err: ""))
    let json = try Program.menuctl(["replay", "photos.jsonl", ".", "--json"], folder: folder.path)
    expect(json.status, is: 1)
    expect(json.out.hasPrefix(#"{"menuctl": 1, "ok": false, "steps": 4, "same": \#(change.same), "difference": {"#))
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let same: Int
    let shown: String
    var testDescription: String { new }
  }

  @Test("A recording that can't be read is a diagnostic with its line", arguments: malformed)
  func refusesRecording(_ text: String, _ error: String) throws {
    let folder = try ScriptFolder(["x.jsonl": text])
    let run = try Program.menuctl(["replay", "x.jsonl"], folder: folder.path)
    expect(run.status, is: 65)
    expect(run.out, is: "")
    expect(run.err.split(separator: "\n").first.map(String.init), is: error)
  }

  @Test("--as-test writes a test that passes, and fails when the script acts differently")
  func asTest() throws {
    let app = try Project.text("scripts/photos/app.lua")
    let folder = try photos(app)
    let recorded = try Program.menuctl(
      ["record", ".", "--as-test", "--yes", "--output", "recorded_test.lua"] + Self.drive, folder: folder.path)
    expect(recorded.status, is: 0, "\(recorded)")
    let passed = try Program.menuctl(["test"], folder: folder.path)
    expect(passed.status, is: 0, "\(passed)")
    expect(passed.out.hasSuffix("1 passed\n"))
    for (old, new) in Self.bugs {
      expect(app.contains(old))
      try folder.write("app.lua", app.replacing(old, with: new))
      let failed = try Program.menuctl(["test"], folder: folder.path)
      expect(failed.status, is: 1, "\(new): \(failed)")
    }
    try folder.remove("recorded_test.lua")
  }

  /// Bugs that a test of the photo app must find: an outcome, a reason, a mark, an enabled state, a line's value.
  private static let bugs = [
    ("ctx.photo.rating == ctx.rating", "ctx.photo.rating >= ctx.rating"),
    ("\"select a photo first\"", "\"select one\""),
    ("return photos[at + by].name", "return photos[at + by].path"),
    ("return ctx.photo ~= shown()[edge]", "return ctx.photo == shown()[edge]"),
    ("grid.selects = \"date\"", "grid.selects = \"rating\""), ("\"this is the first photo\"", "\"the first\""),
  ]

  /// Tables whose keys JSON can't write, and their form in a test. Nil if there is none.
  private static let keyed: [(name: String, table: String, written: String?)] = [
    ("one", "{ [1] = 'a', ['1'] = 'b' }", #"{ ["1"] = "b", [1] = "a" }"#),
    ("null", "{ [null] = 6, x = null, { null } }", "{ [1] = { null }, [null] = 6, x = null }"),
    ("app", "{ [app] = 6 }", nil), ("table", "{ [{}] = 6 }", nil), ("functions", "{ [print] = 1, [type] = 2 }", nil),
    (
      "numbers", "{ [1.5] = 1, [math.huge] = 2, [true] = 3, ['1.5'] = 4 }",
      #"{ ["1.5"] = 4, [1.5] = 1, [math.huge] = 2, [true] = 3 }"#
    ),
    (
      "accents", "{ ['caf\\u{e9}'] = 1, ['cafe\\u{301}'] = 2 }",
      "{ [\"caf\u{E9}\"] = 1, [\"cafe\u{301}\"] = 2 }"
    ),
  ]

  /// An object once had two keys of one name, and was refused when it was read.
  @Test(
    "Tables with any keys are recorded in a readable form, replay equal, and pass as a test")
  func keys() throws {
    let app = Self.keyed.map { "function app.on:\($0.name)() return \($0.table) end\n" }.joined()
    let folder = try ScriptFolder(["app.lua": app])
    let deeds = Self.keyed.flatMap { ["--perform", $0.name, "--eval", "app:perform('\($0.name)').result"] }
    try expect(Program.menuctl(["record", ".", "--output", "k.jsonl"] + deeds, folder: folder.path).status, is: 0)
    let replayed = try Program.menuctl(["replay", "k.jsonl"], folder: folder.path)
    expect(replayed, is: Run(status: 0, out: "\(Self.keyed.count * 2) steps, all as recorded\n", err: ""))
    try expect(
      Program.menuctl(["record", ".", "--as-test", "--output", "k_test.lua"] + deeds, folder: folder.path).status, is: 0
    )
    let test = try folder.text("k_test.lua")
    for (name, _, written) in Self.keyed {
      if let written { expect(test.contains("is(\(written))"), "\(name): \(test)") }
    }
    expect(test.contains("-- Its result can't be written."))
    let passed = try Program.menuctl(["test"], folder: folder.path)
    expect(passed.status, is: 0, "\(passed)")
    for name in ["k.jsonl", "k_test.lua"] { try folder.remove(name) }
  }

  /// Each of sixteen thousand names was once searched among all of them, which took over a minute.
  @Test("S8: Comparing five thousand names in an outcome takes no longer for each than five hundred")
  func manyNames() throws {
    func time(_ count: Int) -> UInt64 {
      let object = JSON.object((0..<count).map { ("k\($0)", .integer($0)) })
      let before = threadTime()
      expect(JSONDifference.all(object, object), is: [])
      return threadTime() - before
    }
    let few = (0..<3).map { _ in time(500) }.min() ?? 0
    // Cold caches make it three times as long. A search among all would make it ten times.
    expect((0..<3).map { _ in time(5000) }.min() ?? 0 < 30 * few)
  }

  /// Mistakes of older versions: an expression as a statement, a keyword as a name, `null` as nil, an error's number.
  @Test(
    "For any raised, defined or returned value the recorded test loads and passes, and the recording replays equal"
  )
  func oddLines() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      function app.on:table() error({ code = 1 }) end
      function app.on:thing() error(setmetatable({}, { __name = "thing" })) end
      """
    ])
    let lines = [
      "app.nope.x", #"_ENV["end"] = 1"#, #"_ENV["a b"] = 2"#, #"_ENV["end"] + _ENV["a b"]"#, "null", "_", "return nil",
      "error({})", "error({ code = 1 })", "error(print)", "error('it is 0x…: 0x0123456789abcd')",
    ]
    let deeds = ["--perform", "table", "--perform", "thing"] + lines.flatMap { ["--eval", $0] }
    let recorded = try Program.menuctl(
      ["record", ".", "--as-test", "--output", "odd_test.lua"] + deeds, folder: folder.path)
    expect(recorded.status, is: 0, "\(recorded)")
    let passed = try Program.menuctl(["test"], folder: folder.path)
    expect(passed.status, is: 0, "\(passed)")
    try expect(Program.menuctl(["record", ".", "--output", "odd.jsonl"] + deeds, folder: folder.path).status, is: 0)
    let equal = Run(status: 0, out: "\(lines.count + 2) steps, all as recorded\n", err: "")
    try expect(Program.menuctl(["replay", "odd.jsonl"], folder: folder.path), is: equal)
    for name in ["odd.jsonl", "odd_test.lua"] { try folder.remove(name) }
  }

  /// Once the whole text was split into lines, and all steps were kept as values: 48 MiB took 2.2 GB.
  @Test("S8: A recording is read line by line, and takes memory for one of its steps at a time")
  func memory() throws {
    func peak(_ text: String, _ error: String, status: Int32 = 65) throws -> Int {
      let folder = try ScriptFolder(["x.jsonl": text])
      let process = try Process("\(Program.folder)/menuctl", ["replay", "x.jsonl"], folder: folder.path)
      process.write("")
      let run = process.finish()
      expect(run.status == status && run.err.hasPrefix(error), "\(run)")
      return process.peak
    }
    let blank = try peak(String(repeating: "\n", count: 8 << 20), "x.jsonl:1:1: error: a value is missing")
    expect(blank < 150 << 20 || blank <= Process.parentPeak, "\(blank >> 20) MiB")
    let step = #"{"do": {"pick": "a"}, "x": ["# + String(repeating: "1,", count: 50_000) + "1]}\n"
    let steps = try peak(
      header + String(repeating: step, count: 60) + "{}", "x.jsonl:62: error: what was done is missing")
    expect(steps < 100 << 20 || steps <= Process.parentPeak, "\(steps >> 20) MiB")
  }

  @Test("S8: A line that is too long is an error with its number, and isn't read")
  func longLine() throws {
    let text = header + "{\"do\": {\"pick\": \"a\"}}\n"
    let bytes = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: Recording.longestLine + 1)
    do throws(Problem) {
      _ = try Recording(Source(name: "x.jsonl", bytes: bytes))
      Issue.record("it was read")
    } catch {
      guard case .script(let diagnostic) = error.content else { return expect(Bool(false), "\(error)") }
      expect(diagnostic.place, is: Place(file: "x.jsonl", line: 3))
      expect(diagnostic.message, is: "the line is longer than 16 MiB, the most that a recording can have")
    }
  }

  /// The limit once counted anew for each value, so a line with many values showed too much.
  @Test("The values of one line together show no more than one value may")
  func severalValues() throws {
    let folder = try ScriptFolder(["app.lua": ""])
    let line = "local s = ('x'):rep(300000) return s, s, s, s, s, s"
    let recorded = try Program.menuctl(["record", ".", "--eval", line], folder: folder.path)
    expect(recorded.status == 0 && recorded.out.utf8.count < 1 << 20)
    expect(recorded.out.contains(#"{"$": "too large"}"#))
  }

  @Test("P20: The recorded test of an app that watches files needs no grant")
  func watching() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.allow = { "fs.read=sub" }
      ready = false
      function app.on:go() return ready end
      function app:start() watch("sub", function() end) ready = true end
      """, "sub/a.txt": "a",
    ])
    let test = [
      "record", "app.lua", "--allow", "fs.read=sub", "--perform", "go", "--as-test", "--output", "go_test.lua",
    ]
    let recorded = try Program.menuctl(test, folder: folder.path)
    expect(recorded.status == 0 && recorded.err.isEmpty, "\(recorded)")
    let run = try Program.menuctl(["test", "go_test.lua"], folder: folder.path)
    expect(run.status == 0 && !"\(run)".contains("not granted"), "\(run)")
  }

  @Test("A test is beside its script or above it, else it is refused")
  func beside() throws {
    let folder = try ScriptFolder(["inner/app.lua": "app.title = 'x'", "other/x": ""])
    let above = try Program.menuctl(
      ["record", "inner", "--as-test", "--output", "above_test.lua"], folder: folder.path)
    expect(above.status == 0 && above.out.isEmpty)
    try expect(folder.text("above_test.lua").contains("subject \"inner/app.lua\"\n"))
    let apart = try Program.menuctl(
      ["record", "inner", "--as-test", "--output", "other/x_test.lua"], folder: folder.path)
    expect(
      apart,
      is: Run(
        status: 64, out: "",
        err: """
          menuctl: error: a test must be beside its script or in a folder above it, and 'other/x_test.lua' isn't
          the script is 'inner/app.lua'

          """))
    try folder.remove("above_test.lua")
  }

  @Test("The steps of a REPL session are recorded, and saved as a test that passes")
  func fromRepl() throws {
    let folder = try photos()
    let run = try Program.menuctl(
      ["repl", "."],
      stdin: """
        :press right
        n = 2
        app:perform("rate(rating: " .. n .. ")").status
        _ .. "!"
        local t = { n } return t
        :record session.jsonl
        error("a + b (c)")
        x = = 1
        :pick --yes Edit/Delete
        :undo
        :save-test saved_test.lua
        for i = 1, 2 do
          app:press("left")
        end
        :record off
        :record off
        """, folder: folder.path)
    expect(run.status, is: 70)
    expect(
      run.err,
      is: """
        stdin:7: error: a + b (c)
          error("a + b (c)")
        stdin:8: error: unexpected symbol near '='
          x = = 1
        menuctl: 9 steps written to 'saved_test.lua'
        menuctl: 10 steps recorded in 'session.jsonl'
        menuctl: error: nothing is being recorded

        """)
    try expect(Program.menuctl(["test"], folder: folder.path).out.hasSuffix("1 passed\n"))
    try expect(
      Program.menuctl(["replay", "session.jsonl"], folder: folder.path),
      is: Run(status: 0, out: "10 steps, all as recorded\n", err: ""))
    try folder.remove("saved_test.lua")
    try folder.remove("session.jsonl")
  }

  @Test("A line may use '...', as in the REPL: its test loads and passes")
  func varyingLines() throws {
    let folder = try ScriptFolder(["app.lua": "app.title = 'A'"])
    let lines = ["select('#', ...)", "local n = select('#', ...) return n", "error('got ' .. select('#', ...))"]
    let run = try Program.menuctl(
      ["record", ".", "--as-test", "--output", "varying_test.lua"] + lines.flatMap { ["--eval", $0] },
      folder: folder.path)
    expect(run.status != 64, "\(run)")
    let passed = try Program.menuctl(["test"], folder: folder.path)
    expect(passed.status == 0 && passed.out.hasSuffix("1 passed\n"), "\(passed)")
    try folder.remove("varying_test.lua")
  }

  @Test("A reload starts the recording again")
  func reloaded() throws {
    let folder = try photos()
    let run = try Program.menuctl(
      ["repl", "."],
      stdin: """
        :press right
        :press esc
        :reload
        :press left
        :record session.jsonl
        :save-test saved_test.lua
        """, folder: folder.path)
    expect(run.status, is: 0, "\(run)")
    expect(run.err, is: "menuctl: 1 step written to 'saved_test.lua'\nmenuctl: 1 step recorded in 'session.jsonl'\n")
    try expect(
      Program.menuctl(["replay", "session.jsonl"], folder: folder.path),
      is: Run(status: 0, out: "1 step, all as recorded\n", err: ""))
    try folder.remove("saved_test.lua")
    try folder.remove("session.jsonl")
  }

  @Test("A9, E3: A recording and a test that begin with a reload begin with the focus that the reload kept")
  func keptFocus() throws {
    let script = """
      local r, q = responder "r", responder "q"
      function r.on:a() end
      function q.on:b() end
      focus(r)
      """
    let folder = try ScriptFolder(["app.lua": script])
    let lines = ":focus q\n:reload\n:perform b\n:save-test saved_test.lua\n:record session.jsonl\n"
    let run = try Program.menuctl(["repl", "."], stdin: lines, folder: folder.path)
    expect(run.status, is: 0, "\(run)")
    try expect(folder.text("session.jsonl").contains(#""focus": "q""#))
    for words in [["replay", "session.jsonl"], ["test", "saved_test.lua"]] {
      let again = try Program.menuctl(words, folder: folder.path)
      expect(again.status, is: 0, "\(again)")
    }
    try folder.remove("saved_test.lua")
    try folder.remove("session.jsonl")
  }

  @Test("A file is written completely or not at all, keeps its permissions, and follows links")
  func atomic() throws {
    let folder = try ScriptFolder(["app.lua": "", "old.jsonl": "old"])
    chmod("\(folder.path)/old.jsonl", 0o640)
    symlink("old.jsonl", "\(folder.path)/link.jsonl")
    let run = try Program.menuctl(["record", ".", "--output", "link.jsonl"], folder: folder.path)
    expect(run.status == 0 && run.out.isEmpty)
    try expect(folder.text("old.jsonl").hasPrefix("{\"menuctl\": 1"))
    var status = stat()
    expect(lstat("\(folder.path)/link.jsonl", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    expect(stat("\(folder.path)/old.jsonl", &status) == 0 && status.st_mode & 0o7777 == 0o640)
    expect(Project.entries(of: folder.path).sorted(), is: ["app.lua", "link.jsonl", "old.jsonl"])
    let refused = try Program.menuctl(["record", ".", "--output", "nowhere/x"], folder: folder.path)
    expect(
      refused, is: Run(status: 66, out: "", err: "menuctl: error: can't write 'nowhere/x': No such file or directory\n")
    )
    try folder.remove("link.jsonl")
  }
}

private let changes: [RecordingTests.Change] = [
  RecordingTests.Change(
    old: "\"it has no rating\"", new: "\"no stars\"", same: 2,
    shown: """
      ✗ step 3 of 4, press 0 (photos.jsonl:4)
        .changes[2].element.reason: expected "it has no rating", found "no stars"

      """),
  RecordingTests.Change(
    old: "return photos[at + by].name", new: "return { photos[at + by].name }", same: 0,
    shown: """
      ✗ step 1 of 4, press right (photos.jsonl:2)
        .result: expected "Harbour at dawn", found ["Harbour at dawn"]

      """),
  RecordingTests.Change(
    old: "from = 0, to = 5, title", new: "from = 0, to = 6, title", same: 3,
    shown: """
      ✗ step 4 of 4, perform rate(rating: 6) (photos.jsonl:5)
        .status: expected "disabled", found "handled"
        .reason: expected "'rating' must be an integer from 0 to 5, not 6", found nothing
        .argument: expected "rating", found nothing
        .expected: expected "an integer from 0 to 5", found nothing
        .changes[0]: expected nothing, found {"change": "update", "id": "Edit/Undo", "element": {"kind": "item", "id": "Edit/Undo", "title": "Undo Rating", "action": "undo", "args": {}, "key": "ctrl+z", "enabled": true, "hidden": false, "state"…
        .changes[1]: expected nothing, found {"change": "update", "id": "Image/Clear", "element": {"kind": "item", "id": "Image/Clear", "title": "Clear", "action": "rate(rating: 0)", "args": {"rating": 0}, "key": "0", "enabled": true, "hidden":…
        .changes[2]: expected nothing, found {"change": "update", "id": "albums/Favourites", "element": {"kind": "item", "id": "albums/Favourites", "title": "Favourites 4", "action": "open", "args": {"album": "Favourites"}, "enabled": true, "hi…
        .changes[3]: expected nothing, found {"change": "update", "id": "photos/harbour.raw", "element": {"kind": "item", "id": "photos/harbour.raw", "title": "Harbour at dawn", "subtitle": "★★★★★★", "action": "rate", "args": {"photo": {"album"…
        .result: expected nothing, found "Harbour at dawn: ★★★★★★"
        .undo: expected nothing, found "Rating"

      """),
  RecordingTests.Change(
    old: "key = \"5\"", new: "key = \"6\"", same: 0,
    shown: """
      ✗ step 1 of 4, press right (photos.jsonl:2)
        .changes[2].element.key: expected "5", found "6"

      """),
]

private let header = #"{"menuctl": 1, "recording": 1, "settings": {}}"# + "\n"

private let malformed: [(String, String)] = [
  ("", "x.jsonl:1: error: the file is empty: a recording begins with a header"),
  ("{}\n", "x.jsonl:1: error: this is no recording: its first line needs \"recording\": 1"),
  ("hello\n", "x.jsonl:1:1: error: a value can't begin like this"),
  ("[]\n", "x.jsonl:1:1: error: each line is an object"),
  (#"{"recording": 2}"#, "x.jsonl:1: error: this is a recording of version 2, and this menuctl reads 1"),
  (#"{"recording": 1, "source": 5}"#, "x.jsonl:1: error: 'source' is a string"),
  (#"{"recording": 1, "source": null}"#, "x.jsonl:1: error: 'source' is a string"),
  (#"{"recording": 1, "settings": []}"#, "x.jsonl:1: error: 'settings' is an object"),
  (header + "\n", "x.jsonl:2:1: error: a value is missing"),
  (header + "{\"do\": {\"press\": \"a\"}}\n{\"do\"\n", "x.jsonl:3:6: error: a ':' is missing"),
  (header + "{}\n", "x.jsonl:2: error: what was done is missing: \"do\": {…}"),
  (
    header + #"{"do": {}}"#,
    "x.jsonl:2: error: 'do' has one of perform, press, pick, choose, mark, filter, select, focus, open, eval"
  ),
  (header + #"{"do": {"press": 5}}"#, "x.jsonl:2: error: 'press' is a string"),
  (header + #"{"do": {"press": {"$": "secret"}}}"#, "x.jsonl:2: error: 'press' is a string"),
  (header + #"{"do": {"perform": "a("}}"#, "x.jsonl:2: error: 'a(': expected a key or ')' but the reference ends"),
  (header + #"{"do": {"press": "nokey+x"}}"#, "x.jsonl:2: error: 'nokey+x': there is no modifier 'nokey'"),
  (header + #"{"do": {"perform": "a", "too": "b"}}"#, "x.jsonl:2: error: 'perform' has no 'too'; did you mean 'to'?"),
  (header + #"{"do": {"perform": "a", "args": []}}"#, "x.jsonl:2: error: 'args' is an object"),
  (header + #"{"do": {"perform": "a", "skip_validation": 1}}"#, "x.jsonl:2: error: 'skip_validation' is true or false"),
  (header + #"{"do": {"pick": "a", "confirmed": 1}}"#, "x.jsonl:2: error: 'confirmed' is true or false"),
  (header + #"{"do": {"press": "a", "args": 1}}"#, "x.jsonl:2: error: 'args' is an object"),
  (header + #"{"do": {"focus": "a", "args": {}}}"#, "x.jsonl:2: error: 'focus' has no 'args'"),
]

extension Run {
  /// The recording without a print of a script.
  fileprivate func without(_ text: String) -> Run { Run(status: status, out: out.replacing(text, with: ""), err: err) }
}
