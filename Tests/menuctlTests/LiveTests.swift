import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

/// A live app in its own process, with its own folder for the socket.
final class LiveApp {
  let folder: ScriptFolder
  let process: Process
  private let guardian: Guardian
  let runtime: String
  private var hasEnded = false

  var socket: String { "\(runtime)/menuctl/app.sock" }

  init(_ scripts: [String: String], _ words: [String] = [], _ app: String = "app.lua") throws {
    folder = try ScriptFolder(scripts)
    runtime = "\(folder.path)/run"
    mkdir(runtime, 0o700)
    process = try Process(
      "\(Program.folder)/menuctl", ["serve", app, "--name", "app"] + words,
      environment: ["XDG_RUNTIME_DIR": runtime], folder: folder.path)
    guardian = try Guardian(of: process)
    for _ in 0..<2000 where access("\(runtime)/menuctl/app.sock", F_OK) != 0 { usleep(5000) }
    // It listens right after the socket exists.
    for _ in 0..<100 where try ask(["chain", "@app"]).status == 66 { usleep(5000) }
  }

  deinit {
    if !hasEnded { _ = end(SIGKILL) }
    _ = try? Program.shell("sh", "rm -rf '\(runtime)'")
  }

  func ask(_ words: [String], stdin: String = "") throws -> Run {
    try Program.menuctl(words, stdin: stdin, environment: ["XDG_RUNTIME_DIR": runtime], folder: folder.path)
  }

  /// Runs a shell script that finds the tool, and this app.
  func shell(_ name: String, _ script: String, _ options: [String] = []) throws -> Run {
    let place = "cd \(folder.path); export XDG_RUNTIME_DIR=\(runtime); export PATH=\"\(Program.folder):$PATH\""
    return try Program.shell(name, "\(place)\n\(script)", options)
  }

  func start(_ words: [String]) throws -> Process {
    try Process(
      "\(Program.folder)/menuctl", words, environment: ["XDG_RUNTIME_DIR": runtime], folder: folder.path)
  }

  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Run {
    hasEnded = true
    kill(process.id, signal)
    process.write("")
    return process.finish()
  }

  func finish() -> Run {
    hasEnded = true
    process.write("")
    return process.finish()
  }

  /// Waits until an answer is as wanted.
  func wait(for words: [String], to isSo: (Run) -> Bool) throws -> Bool {
    for _ in 0..<200 {
      if isSo(try ask(words)) { return true }
      usleep(20_000)
    }
    return false
  }
}

@Suite("Live apps") struct LiveTests {
  private static let script = """
    app.title = "Stars"
    stars = 3
    menubar { menu "Image" {
      item "Rate" { "rate(stars: 5)", key = "r" }, separator, label "Other",
      item "Clear" { "rate(stars: 0)", key = "g c", confirm = "Sure?" },
    } }
    local list = responder "list"
    function list:provide(ctx) ctx.photo = { name = "a", size = { 1, 2.5 } } end
    function list.on:rate(ctx) stars = ctx.stars print("rated " .. stars) return { stars = stars } end
    function list.can:rate(ctx) return stars ~= ctx.stars, "it has so many" end
    function list.look:rate(ctx) return { state = stars == ctx.stars and "on" or "off" } end
    function list.on:break_() error("broken") end
    function list.on:nap() progress(0.5, "dozing") sleep(1000) end
    app.catch = 1
    focus(list)
    """

  private static let questions: [[String]] = [
    ["load"], ["menu"], ["menu", "Image"], ["menu", "Imag"], ["validate"],
    ["validate", "rate(stars: 3)", "Image/Rate", "fly"],
    ["validate", "rate("], ["why", "Image/Rate"], ["why", "rate(stars: 3)"], ["why", "r"],
    ["why", "nothing", "--as", "id"],
    ["why", "g", "--as", "key"], ["chain"], ["chain", "rate"], ["chain", "rate("], ["context"],
    ["context", "x(n: [1, {a: b}])"], ["keys"], ["check"], ["actions"], ["actions", "rate"], ["actions", "rate("],
    ["actions", "fly"],
  ]

  @Test(
    "L2: A live app answers a read-only verb like a loaded app, in text and JSON, with the same exit status")
  func questions() throws {
    let live = try LiveApp(["app.lua": Self.script])
    for words in Self.questions {
      for form in [[], ["--json"]] {
        let loaded = try live.ask([words[0], "app.lua"] + words.dropFirst() + form)
        let asked = try live.ask([words[0], "@app"] + words.dropFirst() + form)
        expect(asked, is: loaded, "\(words + form)")
      }
      try expect(
        live.ask([words[0], "@\(live.socket)"] + words.dropFirst()),
        is: live.ask([words[0], "@app"] + words.dropFirst()), "\(words) by the path of its socket")
    }
  }

  @Test("L2: A live app prints the outcome of an action like a loaded app, and the next client sees the change")
  func deeds() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let deeds: [[String]] = [
      ["load", "--perform", "rate(stars: 4)", "--press", "r"], ["load", "--perform", "rate("],
      ["load", "--pick", "Image/Rate", "--eval", "stars", "--focus", "list"],
      ["perform", "rate(stars: 4)"], ["perform", "rate", "--arg", "stars=4", "--trace"], ["perform", "fly"],
      ["perform", "break_"], ["press", "r"], ["press", "g"], ["press", "x", "y"], ["pick", "Image/Rate"],
      ["pick", "Image/Nothing"], ["perform", "rate(stars: 1)", "--to", "list", "--skip-validation"],
      ["perform", "rate(stars: 1)", "--from", "lst"],
    ]
    for words in deeds {
      for form in [[], ["--json"]] {
        // The same state before both.
        _ = try live.ask(["load", "@app", "--eval", "stars = 3"])
        let asked = try live.ask([words[0], "@app"] + words.dropFirst() + form)
        let loaded = try live.ask([words[0], "app.lua"] + words.dropFirst() + form)
        expect(asked.out == loaded.out && asked.status == loaded.status, "\(words + form)\n\(asked)\n\(loaded)")
      }
    }
    _ = try live.ask(["perform", "@app", "rate(stars: 1)"])
    try expect(live.ask(["load", "@app", "--eval", "stars"]).out.hasPrefix("stars: → 1\n"))
  }

  @Test("L2: A row of a live app's panel is picked by its id, and its change is printed")
  func rowsOfPanels() throws {
    let app = try LiveApp([
      "app.lua": """
      local pier = { shown = 0 }
      panel { item "Pier" { "show", look = function() return { subtitle = "seen " .. pier.shown } end } }
      function app.on:show() pier.shown = pier.shown + 1 end
      """
    ])
    try expect(
      app.ask(["pick", "@app", "Pier"]),
      is: Run(status: 0, out: "handled by app\n  Pier subtitle \"seen 1\"\n", err: ""))
    try expect(
      app.ask(["pick", "@app", "Peir"]).err, is: "menuctl: error: there is no element 'Peir'; did you mean 'Pier'?\n")
  }

  @Test("L2: A REPL on a live app has the same lines, commands and answers as one on a loaded app")
  func repl() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let lines = [
      "stars", "{ a = { 1 } }, 'x'", "x = 4", "x", "if x == 4 then", "print('four') end", ":perform rate(stars: 4)",
      ":press r", ":pick Image/Rate", ":why Image/Rate", ":context", ":chain", ":keys", ":focus list", ":undo",
      ":nonsense", "error('no')", "?item", ":trace on", ":perform rate(stars: 2)", ":menu", ":validate", ":trace off",
    ].joined(separator: "\n")
    let asked = try live.ask(["repl", "@app"], stdin: lines)
    let own = try live.ask(["repl", "app.lua"], stdin: lines)
    expect(asked.out == own.out && asked.status == own.status, "\(asked)\n\(own)")
    try expect(live.ask(["load", "@app", "--eval", "x"]).out.hasPrefix("x: → 4\n"), "the app is the live one")
  }

  @Test("L2: A REPL refuses commands that a live app can't run; if the app ends, the REPL ends")
  func replRefusals() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let run = try live.ask(
      ["repl", "@app"],
      stdin: ":save-test a_test.lua\n:plugins\n:reload\n:record r.jsonl\n:perform rate(stars: 4)\n:quit")
    expect(
      run.out.hasPrefix("no plugins\nreloaded @app\n  nothing changed\n")
        && run.err.contains("a live app's session can't become a test"))
    let recorded = try live.folder.text("r.jsonl")
    expect(recorded.contains(#""source": "app.lua""#) && recorded.contains(#"{"perform": "rate(stars: 4)"}"#))
    try expect(live.ask(["replay", "r.jsonl"]).status, is: 0)
    let gone = try live.ask(["repl", "@app"], stdin: "host = 1\n:perform rate(stars: 2)\n")
    expect(gone.status, is: 0)
    live.end()
    try expect(live.ask(["repl", "@app"], stdin: "1").status, is: 66)
  }

  @Test(
    "L2: record @NAME writes all clients' actions in a live app until an interrupt; the recording can be replayed")
  func recording() throws {
    let opening = "\nfunction app.on:openURL(ctx) stars = tonumber(ctx.url:match('%d')) end"
    let live = try LiveApp(["app.lua": Self.script + opening])
    let recorder = try live.start(["record", "@app", "--output", "r.jsonl"])
    try expect(live.wait(for: ["sessions", "--json"]) { $0.out.contains(#""clients": 1"#) })
    // The recorder gets outcomes once it has subscribed.
    usleep(300_000)
    for words in [
      ["perform", "@app", "rate(stars: 4)"], ["press", "@app", "r"], ["pick", "@app", "Image/Rate"],
      ["load", "@app", "--focus", "app"], ["perform", "@app", "rate(stars: 1)"], ["load", "@app", "--focus", "list"],
      ["load", "@app", "--eval", "stars = 2", "--eval", "stars, {}", "--eval", "error('no')"],
      ["perform", "@app", "break_"], ["perform", "@app", "rate(stars: 2)"],
    ] { _ = try live.ask(words) }
    let client = try RawClient("\(live.runtime)/menuctl/app.sock")
    expect(client.ask("open_urls", #"{"urls": ["stars:3", "stars:4"]}"#)?.contains("handled"), is: true)
    kill(recorder.id, SIGINT)
    let run = recorder.finish()
    expect(run.status == 0 && run.out.isEmpty, "\(run)")
    let replayed = try live.ask(["replay", "r.jsonl"])
    expect(replayed.status == 0 && replayed.out.contains("13"), "\(replayed)")
    for option in [["--perform", "rate"], ["--as-test"], ["--memory", "5"]] {
      try expect(live.ask(["record", "@app"] + option).status, is: 64)
    }
  }

  @Test("L2: A recording of a live app has the changes of its panes, and is replayed the same way")
  func recordingOfPanes() throws {
    let script = """
      app.name = "app"
      local r = responder "r"
      function r.on:go() end
      panel { pane "p" { responder = r, section "s" { items = { "a", "b" }, id = tostring,
        row = function(v) return item(v) { "go" } end } } }
      """
    let live = try LiveApp(["app.lua": script])
    let recorder = try live.start(["record", "@app", "--output", "r.jsonl"])
    try expect(live.wait(for: ["sessions", "--json"]) { $0.out.contains(#""clients": 1"#) })
    usleep(300_000)
    _ = try live.ask(["load", "@app", "--choose", "b"])
    kill(recorder.id, SIGINT)
    expect(recorder.finish().status, is: 0)
    try expect(live.folder.text("r.jsonl").contains(#""id": "p/b""#))
    let replayed = try live.ask(["replay", "r.jsonl"])
    expect(replayed.status, is: 0, "\(replayed)")
  }

  @Test("L2: A waiting action is recorded with its changes from beginning to end, and is replayed the same way")
  func recordingOfWaiting() throws {
    let live = try LiveApp([
      "app.lua": """
      stars = 0
      menubar { menu "A" { item "Rate" { "rate" }, item "Clear" { "clear" } } }
      function app.on:rate() sleep(0.3) stars = 1 end
      function app.look:rate() return { title = "Rate " .. stars } end
      function app.on:clear() stars = 0 end
      function app.can:clear() return stars > 0 end
      """
    ])
    let recorder = try live.start(["record", "@app", "--output", "r.jsonl"])
    try expect(live.wait(for: ["sessions", "--json"]) { $0.out.contains(#""clients": 1"#) })
    usleep(300_000)
    for action in ["rate", "clear", "rate"] { try expect(live.ask(["perform", "@app", action]).status, is: 0) }
    kill(recorder.id, SIGINT)
    expect(recorder.finish().status, is: 0)
    let replayed = try live.ask(["replay", "r.jsonl"])
    expect(replayed.status == 0 && replayed.out.contains("3"), "\(replayed)")
    let recorded = try Program.shell("sh", "cat '\(live.folder.path)/r.jsonl'").out
    expect(recorded.matches(of: /Rate 1/).count == 2 && !recorded.contains("running"), "\(recorded)")
  }

  @Test("menu --follow shows the menus at each change, until the live app ends")
  func following() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let all = try live.start(["menu", "@app", "--follow"])
    let one = try live.start(["menu", "@app", "Image/Rate", "--follow", "--json"])
    try expect(live.wait(for: ["sessions", "--json"]) { $0.out.contains(#""clients": 2"#) })
    usleep(300_000)
    for stars in [4, 4, 5, 1] { _ = try live.ask(["perform", "@app", "rate(stars: \(stars))"]) }
    usleep(300_000)
    live.end()
    for process in [all, one] { process.write("") }
    let (shown, told) = (all.finish(), one.finish())
    expect(shown.status == 0 && shown.out.matches(of: /Rate/).count == 3, "\(shown)")
    expect(told.status == 0 && told.out.split(separator: "\n").count == 3, "\(told)")
    expect(told.out.contains("it has so many"))
    try expect(Program.menuctl(["menu", "app.lua", "--follow"]).status, is: 64)
    let other = try LiveApp(["app.lua": Self.script])
    try expect(other.ask(["menu", "@app", "nothing", "--follow"]).status, is: 64)
  }

  @Test("L6: pick --number N --of REVISION picks by the number in that revision, unless that is outdated")
  func numbers() throws {
    let live = try LiveApp(["app.lua": Self.script])
    try expect(RawClient("\(live.runtime)/menuctl/app.sock").ask("menus")?.contains(#""revision": 1"#), is: true)
    let picked = try live.ask(["pick", "@app", "--number", "1", "--of", "1"])
    expect(picked.status == 0 && picked.out.contains("handled by list"), "\(picked)")
    let over = try live.ask(["pick", "@app", "--number", "1", "--of", "1"])
    expect(over.status == 1 && over.out.contains("the menus have changed since revision 1"), "\(over)")
    let usages: [([String], String)] = [
      (["--number", "1"], "'--number' and '--of' need each other"),
      (["--of", "1"], "'--number' and '--of' need each other"),
      (["Image/Rate", "--number", "1", "--of", "1"], "by its id or by '--number', not both"),
      (["--number", "one", "--of", "1"], "'--number one': it must be a whole number"), ([], "ID is missing"),
      (["--number", "99", "--of", "2"], "there is no item 99"),
    ]
    for (words, sentence) in usages {
      let run = try live.ask(["pick", "@app"] + words)
      expect(run.status == 64 && run.err.contains(sentence), "\(words): \(run)")
    }
    try expect(live.ask(["pick", "app.lua", "--number", "1", "--of", "1"]).err.contains("are only for live apps"))
  }

  @Test(
    "L2: A missing session is 66, with the running ones; options for loading, and verbs that need a script, are 64")
  func refusals() throws {
    let live = try LiveApp(["app.lua": Self.script])
    try expect(
      live.ask(["menu", "@ap"]),
      is: Run(
        status: 66, out: "",
        err: "menuctl: error: there is no live app 'ap'; did you mean '@app'?\nthose that run: @app\n"))
    try expect(
      live.ask(["menu", "@app", "--memory", "3"]),
      is: Run(
        status: 64, out: "", err: "menuctl: error: '--memory' is only for loading an app, and '@app' is running\n"))
    for words in [["stubs", "@app"], ["serve", "@app"], ["test", "@app"], ["test", "x_test.lua", "@app"]] {
      let run = try live.ask(words)
      expect(run.status == 64 && run.err.contains("can't use a live app"), "\(words): \(run)")
    }
    for option in [
      "--memory 3", "--budget 3", "--timeout 3", "--plugin x", "--plugins /nowhere", "--allow clipboard",
      "--allow nonsense", "--set a=1", "--watch",
    ] {
      let run = try live.ask(["load", "@app"] + option.split(separator: " ").map(String.init))
      let name = option.prefix { $0 != " " }
      expect(
        run.err, is: "menuctl: error: '\(name)' is only for loading an app, and '@app' is running\n",
        "\(option): \(run)")
      expect(run.status, is: 64)
    }
  }

  @Test("L3: sessions lists running sessions, stop ends one with 0, and the leftovers of a killed one are removed")
  func sessions() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let listed = try live.ask(["sessions"])
    expect(
      listed.out.contains(/^@app  Stars  app\.lua  process \d+  0 clients  since \d{4}-\d\d-\d\d \d\d:\d\d\n$/),
      "\(listed)")
    let json = try live.ask(["sessions", "--json"])
    try expect(Schema.inDocs().problems(of: StrictJSON(json.out), as: "sessions"), is: [], "\(json)")
    try expect(live.ask(["stop", "@app"]), is: Run(status: 0, out: "stopped @app\n", err: ""))
    expect(live.finish().status, is: 0)
    try expect(live.ask(["sessions"]).out, is: "no live app runs\n")
    try expect(live.ask(["stop", "@app"]).status, is: 66)
    let killed = try LiveApp(["app.lua": Self.script])
    killed.end(SIGKILL)
    try expect(killed.ask(["menu", "@app"]).status, is: 66)
    expect(Project.entries(of: "\(killed.folder.path)/run/menuctl"), is: [])
  }

  @Test("L4: A second session of the same name is refused with 1 and its process; after a kill the next one starts")
  func second() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let run = try live.ask(["serve", "app.lua", "--name", "app"])
    expect(run.status == 1 && run.err.contains("'app' is a live app already: process "), "\(run)")
    live.end(SIGKILL)
    let next = try live.start(["serve", "app.lua", "--name", "@app"])
    try expect(live.wait(for: ["chain", "@app"]) { $0.status == 0 })
    kill(next.id, SIGTERM)
    expect(next.finish().status, is: 0)
  }

  @Test(
    "L5: SIGTERM and SIGINT end a session like stop, with 0 and 130, and waiting actions are taken back",
    arguments: [SIGTERM, SIGINT])
  func signals(_ signal: Int32) throws {
    let live = try LiveApp([
      "app.lua": "function app.on:nap(ctx) ctx:undo(function() print('taken back') end) sleep(1000) end"
    ])
    let waiting = try live.start(["perform", "@app", "nap"])
    try expect(live.wait(for: ["validate", "@app", "nap"]) { $0.out.contains("running") })
    let run = live.end(signal)
    expect(run.status == (signal == SIGTERM ? 0 : 130) && run.out == "taken back\n", "\(run)")
    waiting.write("")
    expect(waiting.finish().status, is: 1)
  }

  @Test("L5: A second signal to end has the same result as one", arguments: [SIGTERM, SIGINT])
  func toldTwice(_ signal: Int32) throws {
    let live = try LiveApp([
      "app.lua": "function app.on:nap(ctx) ctx:undo(function() print('taken back') end) sleep(1000) end"
    ])
    let waiting = try live.start(["perform", "@app", "nap"])
    try expect(live.wait(for: ["validate", "@app", "nap"]) { $0.out.contains("running") })
    kill(live.process.id, signal)
    let run = live.end(signal)
    expect(run.status == (signal == SIGTERM ? 0 : 130) && run.out == "taken back\n", "\(run)")
    waiting.write("")
    _ = waiting.finish()
  }

  @Test("With --stdio a session also ends if nobody would read the answer of a waiting request")
  func nobodyReads() throws {
    let folder = try ScriptFolder(["app.lua": "function app.on:nap() sleep(1000) end"])
    let request = #"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "nap", "wait": true}}"#
    let began = time(nil)
    let words = "'\(Program.folder)/menuctl' serve '\(folder.path)/app.lua' --stdio"
    _ = try Program.shell("sh", "printf '%s\\n' '\(request)' | timeout 100 \(words) 2>/dev/null | true")
    expect(time(nil) - began < 90)
  }

  @Test("L5: If a session is stopped and resumed while it ends, it doesn't take that for its time limit")
  func stoppedAtTheEnd() throws {
    let live = try LiveApp(
      [
        "app.lua": """
        function app.on:nap(ctx)
          ctx:undo(function() local began = os.clock() while os.clock() < began + 0.3 do end print('taken back') end)
          sleep(1000)
        end
        """
      ], ["--timeout", "20"])
    let waiting = try live.start(["perform", "@app", "nap"])
    try expect(live.wait(for: ["validate", "@app", "nap"]) { $0.out.contains("running") })
    kill(live.process.id, SIGTERM)
    usleep(200_000)
    kill(live.process.id, SIGSTOP)
    kill(live.process.id, SIGCONT)
    let run = live.finish()
    expect(run.status == 0 && run.out == "taken back\n", "\(run)")
    waiting.write("")
    expect(waiting.finish().status, is: 1)
  }

  @Test(
    "L5: With --watch a save reloads the app, a broken one leaves the old version, and SIGHUP reloads too"
  )
  func reload() throws {
    let live = try LiveApp(["app.lua": Self.script], ["--watch"])
    func save(_ title: String) throws {
      try Project.write(Self.script.replacing("Stars", with: title), to: "\(live.folder.path)/app.lua")
    }
    func isCalled(_ title: String) throws -> Bool { try live.wait(for: ["load", "@app"]) { $0.out.hasPrefix(title) } }
    usleep(100_000)
    try save("Moons")
    try expect(isCalled("Moons (app.lua)"))
    try Project.write("broken(", to: "\(live.folder.path)/app.lua")
    usleep(300_000)
    try expect(isCalled("Moons (app.lua)"))
    try save("Suns")
    try expect(isCalled("Suns (app.lua)"))
    let run = live.end()
    expect(run.err.contains("the version that was loaded before goes on") && run.status == 0, "\(run)")
    let other = try LiveApp(["app.lua": Self.script])
    try Project.write(Self.script.replacing("Stars", with: "Moons"), to: "\(other.folder.path)/app.lua")
    kill(other.process.id, SIGHUP)
    try expect(other.wait(for: ["load", "@app"]) { $0.out.hasPrefix("Moons (app.lua)") })
    expect(other.end().status, is: 0)
  }

  @Test("L4: If several start at once, exactly one gets the name, and the others name its process")
  func together() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let rivals = try (0..<5).map { _ in try live.start(["serve", "app.lua", "--name", "rival"]) }
    func hasEnded(_ process: Process) -> Bool {
      (try? String(decoding: Project.bytes("/proc/\(process.id)/stat"), as: UTF8.self))?.contains(") Z ") ?? true
    }
    for _ in 0..<3000 where rivals.filter(hasEnded).count < rivals.count - 1 { usleep(10_000) }
    try expect(live.ask(["stop", "@rival"]).status, is: 0)
    let runs = rivals.map { rival in
      rival.write("")
      return rival.finish()
    }
    expect(runs.map(\.status).sorted(), is: [0, 1, 1, 1, 1], "\(runs)")
    let winner = zip(rivals, runs).first { $1.status == 0 }?.0.id ?? 0
    expect(runs.allSatisfy { $0.status == 0 || $0.err.contains("\(winner)") }, "\(runs)")
  }

  @Test("L5: A save of another file, or of the same bytes, changes nothing")
  func unrelated() throws {
    let script =
      Self.script + "\napp.keep.loads = (app.keep.loads or 0) + 1\nfunction app.on:loads() return app.keep.loads end"
    let live = try LiveApp(["app.lua": script, "other.lua": "x = 1"], ["--watch"])
    usleep(100_000)
    try Project.write("x = 2", to: "\(live.folder.path)/other.lua")
    try Project.write("notes", to: "\(live.folder.path)/notes.txt")
    try Project.write(script, to: "\(live.folder.path)/app.lua")
    usleep(500_000)
    try expect(live.ask(["perform", "@app", "loads"]).out, is: "handled by app → 1\n")
    try Project.write(script + " ", to: "\(live.folder.path)/app.lua")
    try expect(live.wait(for: ["perform", "@app", "loads"]) { $0.out == "handled by app → 2\n" })
  }

  @Test("L9: A client that is stopped blocks nobody, and continues when it is resumed")
  func stopped() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let client = try live.start(["record", "@app", "--output", "r.jsonl"])
    try expect(live.wait(for: ["sessions", "--json"]) { $0.out.contains(#""clients": 1"#) })
    usleep(200_000)
    kill(client.id, SIGSTOP)
    for stars in [1, 2, 4, 5, 1] {
      try expect(live.ask(["perform", "@app", "rate(stars: \(stars))"]).status, is: 0)
    }
    kill(client.id, SIGCONT)
    usleep(200_000)
    kill(client.id, SIGINT)
    expect(client.finish().status, is: 0)
    try expect(live.folder.text("r.jsonl").split(separator: "\n").count, is: 6)
  }

  @Test("L5: If its terminal is gone, a session ends like with stop", .enabled(if: Terminal.isPossible))
  func hangUp() throws {
    let folder = try ScriptFolder(["app.lua": Self.script])
    let runtime = "\(folder.path)/run"
    mkdir(runtime, 0o700)
    let terminal = try Terminal(
      ["serve", "app.lua", "--name", "held"], environment: ["XDG_RUNTIME_DIR": runtime], folder: folder.path)
    expect(terminal.waits { $0.text.contains("@held is live") })
    expect(terminal.hangUp(), is: 0)
    expect(access("\(runtime)/menuctl/held.sock", F_OK) != 0)
    _ = try Program.shell("sh", "rm -rf '\(runtime)'")
  }

  @Test("L2: Ctrl-C cancels the action that perform @NAME waits for, with 130, and no other client's")
  func interrupt() throws {
    let live = try LiveApp(["app.lua": Self.script + "\nfunction app.on:other() sleep(1000) end"])
    let other = try live.start(["perform", "@app", "other"])
    let waiting = try live.start(["perform", "@app", "nap"])
    try expect(live.wait(for: ["validate", "@app", "nap", "other"]) { $0.out.matches(of: /running/).count == 2 })
    kill(waiting.id, SIGINT)
    waiting.write("")
    let run = waiting.finish()
    expect(run.status == 130 && run.out.hasPrefix("cancelled by list: cancelled\n"), "\(run)")
    try expect(live.ask(["validate", "@app", "nap"]).status, is: 0)
    let still = try live.ask(["validate", "@app", "other"])
    expect(still.out.contains("running"), "\(still)")
    kill(other.id, SIGKILL)
    other.write("")
    _ = other.finish()
    try expect(
      live.wait(for: ["validate", "@app", "other"]) { $0.status == 0 }, "its client went away, and it was owned")
  }

  @Test("L2: A REPL on a live app waits for a line; ctrl-c ends the line's work, and no other client's")
  func waitingLines() throws {
    let live = try LiveApp([
      "app.lua": Self.script + """

        function app.on:other() sleep(1000) end
        function app.on:slow() print("begun") sleep(0.05) return "slept" end
        """
    ])
    let run = try live.ask(["repl", "@app"], stdin: "app:perform('slow').result\nsleep(0.01)\nprint('last')")
    expect(run.out == "begun\n\"slept\"\nlast\n" && run.status == 0, "\(run)")
    let other = try live.start(["perform", "@app", "other"])
    let waiting = try live.start(["repl", "@app"])
    waiting.write("app:perform('nap')\n")
    try expect(live.wait(for: ["validate", "@app", "nap", "other"]) { $0.out.matches(of: /running/).count == 2 })
    kill(waiting.id, SIGINT)
    waiting.write("")
    let ended = waiting.finish()
    expect(ended.status == 130 && ended.err.contains("error: cancelled"), "\(ended)")
    try expect(live.ask(["validate", "@app", "nap"]).status, is: 0)
    let still = try live.ask(["validate", "@app", "other"])
    expect(still.out.contains("running"), "\(still)")
    let gone = try live.start(["repl", "@app"])
    gone.write("app:perform('nap')\n")
    try expect(live.wait(for: ["validate", "@app", "nap"]) { $0.out.contains("running") })
    kill(gone.id, SIGKILL)
    _ = gone.finish()
    try expect(live.wait(for: ["validate", "@app", "nap"]) { $0.status == 0 }, "its client went away")
    kill(other.id, SIGKILL)
    _ = other.finish()
  }

  @Test("L2: Ctrl-C ends a job even before the client knows its number")
  func earlyInterrupt() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let subject = LiveSubject(try require(try LiveClient(at: live.socket, within: 8000)))
    for deed in [Deed.evaluate("sleep(600)", name: "line"), .perform("nap")] {
      subject.client.ring(0)
      switch try subject.carryOut(deed, Manner()) {
      case .evaluated(let done): expect(done.failure?.message, is: "cancelled")
      case .performed(let done): expect(done.outcome.status, is: .cancelled)
      case .focused: Issue.record("nothing was focused")
      }
    }
  }

  @Test(
    "L2: In a terminal too ctrl-c ends the waiting line, with its place, and the session continues",
    .enabled(if: Terminal.isPossible))
  func waitingLinesInTerminal() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let terminal = try Terminal(
      ["repl", "@app"], columns: 60, rows: 16,
      environment: ["XDG_RUNTIME_DIR": live.runtime, "XDG_STATE_HOME": "/proc/nowhere"])
    func see(_ end: String, _ location: SourceLocation = #_sourceLocation) {
      expect(terminal.waits { $0.text.hasSuffix(end) }, "\(terminal.screen.text)", sourceLocation: location)
    }
    see(">")
    terminal.type("print('naps') sleep(600)\r")
    // On a new line. Text typed before the line has begun would be typed ahead.
    see("\nnaps")
    terminal.type("\u{3}")
    see("cancelled\n  print('naps') sleep(600)\n>")
    terminal.type("print('dozes') while true do pcall(sleep, 0.2) end\r")
    see("\ndozes")
    terminal.type("\u{3}")
    see("pcall(sleep, 0.2) end\n>")
    terminal.type("star\t\r")
    see("> stars\n3\n>")
    terminal.type("\u{4}")
    expect(terminal.finish(), is: 0)
    try expect(live.ask(["chain", "@app"]).status, is: 0)
  }

  @Test("With --stdio stdout has the protocol only, and the end of stdin ends the session")
  func stdio() throws {
    let folder = try ScriptFolder(["app.lua": Self.script])
    let lines = """
      {"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "rate(stars: 5)"}}
      {"jsonrpc": "2.0", "id": 2, "method": "evaluate", "params": {"line": "stars"}}

      """
    let run = try Program.menuctl(["serve", "app.lua", "--stdio"], stdin: lines, folder: folder.path)
    expect(
      run,
      is: Run(
        status: 0,
        out: """
          {"jsonrpc": "2.0", "id": 1, "result": {"action": "rate(stars: 5)", "status": "handled", "by": "list", "via": "on", "result": {"stars": 5}, "revision": 0}}
          {"jsonrpc": "2.0", "id": 2, "result": {"eval": "stars", "values": [5], "inspected": [5], "revision": 0}}

          """, err: "menuctl: note: live on stdin and stdout: app.lua\nrated 5\n"))
    let closed = try Program.menuctl(
      ["serve", "app.lua", "--stdio", "--no-eval"], stdin: lines, folder: folder.path)
    expect(closed.out.contains("-32601") && closed.status == 0)
    expect(closed.out.contains("this app doesn't evaluate lines of Lua"), "\(closed)")
  }

  @Test("L1: serve refuses stdin without a name, stdin twice, and a folder that is open to others")
  func unservable() throws {
    try expect(Program.menuctl(["serve", "-"]).status, is: 64)
    try expect(Program.menuctl(["serve", "-", "--stdio"]).status, is: 64)
    let folder = try ScriptFolder(["app.lua": ""])
    mkdir("\(folder.path)/run", 0o700)
    mkdir("\(folder.path)/run/menuctl", 0o755)
    chmod("\(folder.path)/run/menuctl", 0o755)
    let run = try Program.menuctl(
      ["serve", "app.lua"], environment: ["XDG_RUNTIME_DIR": "\(folder.path)/run"], folder: folder.path)
    expect(run.status == 1 && run.err.contains("is open to others"), "\(run)")
    for (words, status) in [(["sessions"], 1), (["menu", "@app"], 66), (["stop", "@app"], 66)] as [([String], Int32)] {
      let run = try Program.menuctl(words, environment: ["XDG_RUNTIME_DIR": "\(folder.path)/run"])
      expect(run.status == status && run.err.contains("is open to others"), "\(words): \(run)")
    }
    rmdir("\(folder.path)/run/menuctl")
    rmdir("\(folder.path)/run")
  }

  @Test(
    "A Swift program makes its own host live, or drives it from its own loop",
    arguments: ["LiveExample", "OwnLoopExample"])
  func embedding(_ name: String) throws {
    let folder = try ScriptFolder([:])
    mkdir("\(folder.path)/run", 0o700)
    defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)/run'") }
    let environment = ["XDG_RUNTIME_DIR": "\(folder.path)/run"]
    let process = try Process("\(Program.folder)/\(name)", [], environment: environment)
    let guardian = try Guardian(of: process)
    defer { withExtendedLifetime(guardian) {} }
    func ask(_ words: [String]) throws -> Run { try Program.menuctl(words, environment: environment) }
    for _ in 0..<500 where try ask(["chain", "@clock"]).status != 0 { usleep(10_000) }
    try expect(ask(["load", "@clock"]).out.hasPrefix("Clock"))
    try expect(ask(["perform", "@clock", "tick"]).out, is: "tick\nhandled by app\n")
    if name == "OwnLoopExample" {
      try expect(ask(["perform", "@clock", "quit"]).status, is: 0)
    } else {
      try expect(ask(["stop", "@clock"]).status, is: 0)
    }
    process.write("")
    let run = process.finish()
    expect(run.status == 0 && run.out == "tick\n", "\(run)")
    expect(Project.entries(of: "\(folder.path)/run/menuctl"), is: [])
    expect(
      CodeBlock.all(in: try Project.text("docs/live.md")).map(\.text).contains(
        try Project.text("Tests/\(name)/main.swift")))
  }

  @Test(
    "Clients in other languages show the menus, perform and follow changes",
    arguments: [("python3", "client.py"), ("sh", "client.sh"), ("nvim", "client.lua")])
  func clients(_ interpreter: String, _ file: String) throws {
    guard Program.isInstalled(interpreter) else { return }
    let live = try LiveApp(["app.lua": Self.script])
    let client = try Process(
      "/usr/bin/env",
      ["PATH=\(Program.folder):/usr/local/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR=\(live.folder.path)/run", interpreter]
        // Neovim before 0.9 has no '-l', and takes this as well.
        + (interpreter == "nvim" ? ["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"] : [])
        + ["\(Project.folder)/scripts/clients/\(file)", "app", "rate(stars: 4)"])
    let guardian = try Guardian(of: client)
    defer { withExtendedLifetime(guardian) {} }
    var out = ""
    func wait(for text: String) -> Bool {
      while !out.contains(text) {
        let more = client.readSome()
        if more.isEmpty { return false }
        out += more
      }
      return true
    }
    expect(wait(for: "Rate") && wait(for: "handled"), "\(out)")
    out = ""
    _ = try live.ask(["perform", "@app", "rate(stars: 5)"])
    expect(wait(for: "it has so many"), "\(out)")
    client.write("")
    if file == "client.sh" { kill(client.id, SIGTERM) }
    live.end()
    _ = client.finish()
  }

  @Test(
    "A session that is killed while it starts, answers or stops never prevents the next one from starting")
  func kills() throws {
    let count = getenv("LIVE_KILLS").flatMap { Int(String(cString: $0)) } ?? 24
    let live = try LiveApp(["app.lua": Self.script])
    live.end(SIGKILL)
    var chance = SystemRandomNumberGenerator()
    func wait(upTo microseconds: UInt32) { usleep(UInt32.random(in: 0...microseconds, using: &chance)) }
    for number in 0..<count {
      let next = try live.start(["serve", "app.lua", "--name", "app"])
      if number % 2 == 0 {
        // While it begins, and right before.
        wait(upTo: 60_000)
      } else {
        // While it answers clients that don't read, or stops.
        for _ in 0..<400 where access(live.socket, F_OK) != 0 { usleep(2000) }
        let clients = (0..<3).compactMap { _ in try? RawClient(live.socket) }
        for client in clients {
          client.send("subscribe", #"{"to": ["menus", "outcomes", "log"]}"#)
          for stars in 0..<200 { client.send("perform", #"{"ref": "rate(stars: \#(stars % 6))"}"#) }
        }
        wait(upTo: 8000)
        if number % 4 == 3 { clients.first?.send("stop") }
        if number % 8 == 5 { kill(next.id, SIGTERM) }
        wait(upTo: 3000)
      }
      kill(next.id, SIGKILL)
      next.write("")
      _ = next.finish()
    }
    let last = try live.start(["serve", "app.lua", "--name", "app"])
    try expect(live.wait(for: ["chain", "@app"]) { $0.status == 0 })
    kill(last.id, SIGTERM)
    last.write("")
    expect(last.finish().status, is: 0)
    expect(Project.entries(of: "\(live.folder.path)/run/menuctl"), is: [])
  }
}
