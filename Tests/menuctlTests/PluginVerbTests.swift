import Expectations
import Glibc
import Testing

@Suite("Plugins at the command line")
struct PluginVerbTests {
  private static let app = """
    app.name, app.version = "demo", "1"
    menubar { menu "Edit" { item "Clear" { "clear" } } }
    function app.on:clear() end
    """
  private static let hello = """
    plugin { name = "hello", version = "1.2", summary = "says hello", requires = { demo = ">=1" } }
    function app.on:hello() return "hello" end
    """
  private static let asks = """
    plugin { name = "asks", version = "1", allow = { "env=HOME", "fs.read" } }
    function app.on:home() return env("HOME") ~= nil end
    """

  private func folder(_ more: [String: String] = [:]) throws -> ScriptFolder {
    try ScriptFolder(
      [
        "app.lua": Self.app, "hello.lua": Self.hello, "asks/plugin.lua": Self.asks,
        "data/menuctl/plugins/found.lua": """
        plugin { name = "found", version = "1" }
        function app.on:found() return "found" end
        """,
      ].merging(more) { $1 })
  }

  private func run(_ words: [String], in folder: ScriptFolder) throws -> Run {
    try Program.menuctl(words, environment: environment(in: folder), folder: folder.path)
  }

  private func environment(in folder: ScriptFolder) -> [String: String] {
    ["XDG_DATA_HOME": "\(folder.path)/data", "XDG_CONFIG_HOME": "\(folder.path)/config"]
  }

  @Test("--plugin loads after the app, by path or name; a broken plugin is 65, a missing one 66, an ungranted one 77")
  func loading() throws {
    let folder = try folder(["broken.lua": "plugin { name = 'broken', version = '1' }\nlocal x = = 1"])
    try expect(
      run(["perform", "app.lua", "hello", "--plugin", "hello.lua"], in: folder),
      is: Run(status: 0, out: "handled by app → \"hello\"\n", err: ""))
    try expect(
      run(["perform", "app.lua", "found", "--plugin", "found"], in: folder),
      is: Run(status: 0, out: "handled by app → \"found\"\n", err: ""))
    let broken = try run(["menu", "app.lua", "--plugin", "broken.lua"], in: folder)
    expect(
      broken.status == 65 && broken.err.hasPrefix("broken.lua:2: error: unexpected symbol near '='\n"), "\(broken)")
    try expect(run(["menu", "app.lua", "--plugin", "nothing.lua"], in: folder).status, is: 66)
    let refused = try run(["menu", "app.lua", "--plugin", "asks"], in: folder)
    expect(
      refused.status == 77
        && refused.err.contains("the plugin 'asks' asks for 'env=HOME', 'fs.read', but has no grant for it"))
    let granted = try run(
      ["perform", "app.lua", "home", "--plugin", "asks", "--allow", "env=HOME", "--allow", "fs.read"], in: folder)
    expect(granted, is: Run(status: 0, out: "handled by app → true\n", err: ""))
    try expect(run(["menu", "app.lua", "--allow", "fs.raed"], in: folder).status, is: 64)
  }

  @Test("S2: A file in an error is not opened to show its line: the tool shows loaded text only")
  func namedFiles() throws {
    let plugin = """
      plugin { name = "plug", version = "1" }
      for _, name in ipairs { "pipe", "leak", "input", "good" } do
        pcall(require, name)
        app.on[name] = function() error { message = "m", file = "plug/" .. name .. ".lua", line = 1 } end
      end
      """
    let folder = try folder([
      "plug/plugin.lua": plugin, "plug/pipe.lua": "|", "plug/leak.lua": "→/etc/passwd",
      "plug/input.lua": "→/dev/stdin", "plug/good.lua": "function app.on:bad() error('bad') end",
    ])
    for name in ["pipe", "leak", "input", "bad"] {
      let process = try Process(
        "\(Program.folder)/menuctl", ["perform", "app.lua", name, "--plugin", "plug"], folder: folder.path)
      let guardian = try Guardian(of: process)
      defer { withExtendedLifetime(guardian) {} }
      process.write("a secret\n")
      let run = process.finish()
      expect(run.status, is: 70, "\(name): \(run)")
      expect(!run.err.contains("root:") && !run.err.contains("secret"), "\(name): \(run)")
      // The line of a loaded module is shown.
      expect(run.err.contains("function app.on:bad()"), is: (name == "bad"), "\(name): \(run)")
    }
  }

  @Test("A missing folder of --plugins is 66; the user's folder may be missing")
  func missingFolder() throws {
    let folder = try folder()
    for (name, reason) in [("none", "No such file or directory"), ("app.lua", "Not a directory")] {
      let missing = try run(["plugin", "list", "--plugins", name], in: folder)
      expect(missing, is: Run(status: 66, out: "", err: "menuctl: error: '--plugins \(name)': \(reason)\n"))
    }
    let own = try Program.menuctl(
      ["plugin", "list"], environment: ["XDG_DATA_HOME": "\(folder.path)/none"], folder: folder.path)
    expect(own, is: Run(status: 0, out: "no plugins\n", err: ""))
  }

  @Test("E4: A misfit in a manifest is shown at its place, and its code blames the script")
  func misfits() throws {
    let folder = try folder([
      "new.lua": """
      plugin {
        name = "new", version = "1",
        requires = { menuctl = ">=9" },
      }
      """,
      "again.lua": #"plugin { name = "demo", version = "1" }"#,
    ])
    let new = try run(["menu", "app.lua", "--plugin", "new.lua"], in: folder)
    let shown = """
      new.lua:3:3: error: 'new' requires menuctl >=9, and menuctl is 0.1.0
          requires = { menuctl = ">=9" },
          ^

      """
    expect(new, is: Run(status: 65, out: "", err: shown))
    let json = try run(["menu", "app.lua", "--plugin", "again.lua", "--json"], in: folder)
    let place = #""message": "there is the app 'demo' already", "file": "again.lua", "line": 1, "column": 10"#
    expect(json.status == 65 && json.out.contains(#""code": "misuse", \#(place)"#), "\(json)")
  }

  @Test("A script without the grant ends with 77, and one with the grant works")
  func capabilities() throws {
    let folder = try folder(["reads.lua": "function app.on:go() return fs.read('hello.txt') end", "hello.txt": "hello"])
    let refused = try run(["perform", "reads.lua", "go"], in: folder)
    expect(refused.status == 77 && refused.err.contains("it takes the capability 'fs.read=.'"), "\(refused)")
    expect(refused.err.hasSuffix("help: '--allow CAPABILITY' grants one; 'menuctl help capabilities' has them all\n"))
    let granted = try run(["perform", "reads.lua", "go", "--allow", "fs.read"], in: folder)
    expect(granted, is: Run(status: 0, out: "handled by app → \"hello\"\n", err: ""))
  }

  @Test("S8: A plugin whose name is not UTF-8 is listed as unloadable")
  func unnamed() throws {
    let folder = try folder(["found/good.lua": "plugin { name = 'good', version = '1' }"])
    let make = """
      cd \(folder.path)/found; bad=$(printf 'p\\377'); mkdir "$bad"
      for at in "$bad"/plugin "$bad"; do echo 'plugin { name = "x", version = "1" }' >"$at".lua; done
      touch "$bad".txt ."$bad".lua
      """
    try expect(Program.shell("sh", make).status, is: 0)
    defer {
      _ = try? Program.shell("sh", "cd \(folder.path)/found; bad=$(printf 'p\\377'); rm -r \"$bad\"* .\"$bad\"*")
    }
    let list = try run(["plugin", "list", "--plugins", "found"], in: folder)
    expect(list.status == 1 && list.err == "")
    expect(
      list.out,
      is: #"""
        good 1.0.0   found/good.lua
        found 1.0.0  \#(folder.path)/data/menuctl/plugins/found.lua
        ?            found/p\xFF  its name is not UTF-8
        ?            found/p\xFF.lua  its name is not UTF-8

        """#)
  }

  /// Each once took as long as loading may.
  @Test("S1: Endless manifests of many plugins end quickly in a list, and the plugins beside them are listed")
  func endlessManifests() throws {
    let names = (1...9).map { "found/p\($0).lua" } + ["found/tight.lua"]
    let folder = try folder(Dictionary(uniqueKeysWithValues: names.map { ($0, "while true do end") }))
    try folder.write("found/good.lua", "plugin { name = 'good', version = '1' }")
    /// The result of a call, and its processor time in nanoseconds.
    func spent(_ words: [String]) throws -> (run: Run, time: UInt64) {
      let process = try Process(
        "\(Program.folder)/menuctl", words, environment: environment(in: folder), folder: folder.path)
      process.write("")
      return (process.finish(), process.time)
    }
    let one = try spent(["load", "found/p1.lua"])
    expect(one.run.status != 0)
    let (list, time) = try spent(["plugin", "list", "--plugins", "found"])
    expect(time < one.time * 4, "\(time) against \(one.time): \(list)")
    expect(list.status == 1 && list.out.hasPrefix("good 1.0.0   found/good.lua\n"), "\(list)")
    expect(
      list.out.split(separator: "\n").count { $0.contains("is spent") }, is: 10, "\(list)")
  }

  @Test("plugin list, info, check, forget")
  func verbs() throws {
    let folder = try folder()
    let list = try run(["plugin", "list"], in: folder)
    expect(list, is: Run(status: 0, out: "found 1.0.0  \(folder.path)/data/menuctl/plugins/found.lua\n", err: ""))
    let both = try run(["plugin", "list", "--plugins", ".", "--json"], in: folder)
    expect(both.out.contains(#"{"name": "hello", "path": "./hello.lua", "version": "1.2.0""#), "\(both)")
    expect(both.status == 1 && both.out.contains(#""ok": false"#), "app.lua is no plugin, the others are listed")
    let info = try run(["plugin", "info", "hello.lua", "app.lua"], in: folder)
    expect(
      info,
      is: Run(
        status: 0, out: "hello 1.2.0  hello.lua\n  says hello\n  requires demo >=1\n  has handlers: 1\n", err: ""))
    try expect(
      run(["plugin", "check", "hello.lua", "app.lua"], in: folder),
      is: Run(status: 0, out: "hello 1.2.0 loads\n", err: ""))
    let alone = try run(["plugin", "check", "hello.lua"], in: folder)
    expect(
      alone,
      is: Run(
        status: 65, out: "",
        err: """
          hello.lua:1:67: error: 'hello' requires 'demo', but there is no such plugin
            … { name = "hello", version = "1.2", summary = "says hello", requires = { demo = ">=1" } }
                                                                         ^
          help: name its app: menuctl plugin check hello.lua APP

          """))
    try expect(run(["plugin", "forget", "hello"], in: folder).status, is: 1)
    try expect(run(["plugin", "inof", "hello"], in: folder).err.contains("did you mean 'info'?"))
    try expect(run(["plugin", "info"], in: folder).status, is: 64)
  }

  @Test(
    "The tool asks a person at a terminal; a yes lasts for that plugin until it changes or is forgotten",
    .enabled(if: Program.hasTerminals))
  func consent() throws {
    let folder = try folder()
    defer { removeSettings(in: folder) }
    func onTerminal(_ answer: String) throws -> Run {
      try self.onTerminal(answer, "perform app.lua home --plugin asks", in: folder)
    }
    let no = try onTerminal("n")
    expect(
      no.out.contains("asks to") && no.out.contains("read the environment variable HOME") && no.status == 77, "\(no)")
    try expect(run(["perform", "app.lua", "home", "--plugin", "asks"], in: folder).status, is: 77)
    let yes = try onTerminal("y")
    expect(yes.out.contains("handled by app → true") && yes.status == 0, "\(yes)")
    let remembered = try run(["perform", "app.lua", "home", "--plugin", "asks"], in: folder)
    expect(remembered, is: Run(status: 0, out: "handled by app → true\n", err: ""))
    let info = try run(["plugin", "info", "asks"], in: folder)
    expect(info.out.contains("read the environment variable HOME (env=HOME): granted"), "\(info)")
    // A changed plugin needs a new yes.
    let file = try require(fopen("\(folder.path)/asks/plugin.lua", "a"))
    fputs("\n", file)
    fclose(file)
    try expect(run(["perform", "app.lua", "home", "--plugin", "asks"], in: folder).status, is: 77)
    _ = try onTerminal("y")
    try expect(run(["perform", "app.lua", "home", "--plugin", "asks"], in: folder).status, is: 0)
    try expect(run(["plugin", "forget", "asks"], in: folder).status, is: 0)
    try expect(run(["perform", "app.lua", "home", "--plugin", "asks"], in: folder).status, is: 77)
  }

  @Test(
    "S2: A yes covers the folders that were shown: the tool asks again if a path leads elsewhere, or had no folder",
    .enabled(if: Program.hasTerminals))
  func consentToPaths() throws {
    let plugin = """
      plugin { name = "reads", version = "1", allow = { "env=HOME", "fs.read=data" } }
      function app.on:read() return fs.read("data/x") end
      """
    let folder = try folder([
      "reads/plugin.lua": plugin, "reads/data": "→../open", "open/x": "open", "secret/x": "secret",
      "copy/reads/plugin.lua": plugin, "copy/reads/data/x": "copy",
    ])
    defer { removeSettings(in: folder) }
    func lead(to target: String) {
      unlink("\(folder.path)/reads/data")
      symlink(target, "\(folder.path)/reads/data")
    }
    let read = ["perform", "app.lua", "read", "--plugin", "reads"]
    let yes = try onTerminal("y", read.joined(separator: " "), in: folder)
    expect(yes.status == 0 && yes.out.contains("read files below \(folder.path)/open\r\n"), "\(yes)")
    try expect(run(read, in: folder).out, is: "handled by app → \"open\"\n")
    lead(to: "../secret")
    try expect(run(read, in: folder).status, is: 77)
    let info = try run(["plugin", "info", "reads", "--allow", "env=HOME"], in: folder)
    expect(
      info.status == 0 && info.out.contains("below \(folder.path)/secret (fs.read=data): not granted\n"), "\(info)")
    let asked = try onTerminal("n", read.joined(separator: " "), in: folder)
    expect(asked.status == 77 && asked.out.contains("read files below \(folder.path)/secret\r\n"), "\(asked)")
    try expect(run(["perform", "app.lua", "read", "--plugin", "copy/reads"], in: folder).status, is: 77)
    // A grant by name covers the current target only.
    let granted = try run(read + ["--allow", "env=HOME", "--allow", "fs.read=secret"], in: folder)
    expect(granted.out, is: "handled by app → \"secret\"\n")
    lead(to: "../open")
    try expect(run(read, in: folder).status, is: 0)
    // Settings of an older version, with the manifest's words and without their targets.
    let settings = "config/menuctl/settings.json"
    let remembered = try folder.text(settings)
    let shown = #""grants": ["env=HOME", "fs.read=\#(folder.path)/open"]"#
    expect(remembered.contains(shown), "\(remembered)")
    let older = remembered.replacing(shown, with: #""allow": ["env=HOME", "fs.read=data"]"#)
    try Project.write(older, to: "\(folder.path)/\(settings)")
    try expect(run(read, in: folder).status, is: 77)
  }

  @Test(
    "S2: Grants by name for one run aren't in the question, and aren't stored",
    .enabled(if: Program.hasTerminals))
  func consentToTheRest() throws {
    let folder = try folder()
    defer { removeSettings(in: folder) }
    let home = ["perform", "app.lua", "home", "--plugin", "asks"]
    let yes = try onTerminal("y", (home + ["--allow", "env=HOME"]).joined(separator: " "), in: folder)
    expect(yes.status == 0 && !yes.out.contains("environment"), "\(yes)")
    try expect(run(home + ["--allow", "env=HOME"], in: folder).status, is: 0)
    let rest = try run(home, in: folder)
    expect(
      rest.status == 77 && rest.err.contains("asks for 'env=HOME', 'fs.read', but has no grant for it"), "\(rest)")
  }

  @Test(
    "S2: A yes covers the plugin in its folder: a copy elsewhere needs a new yes",
    .enabled(if: Program.hasTerminals))
  func consentToPlace() throws {
    let plugin = """
      plugin { name = "home", version = "1", allow = { "env=HOME" } }
      function app.on:home() return env("HOME") ~= nil end
      """
    let folder = try folder(["home/plugin.lua": plugin, "copy/home/plugin.lua": plugin, "link": "→home"])
    defer { removeSettings(in: folder) }
    let home = ["perform", "app.lua", "home", "--plugin"]
    try expect(onTerminal("y", (home + ["home"]).joined(separator: " "), in: folder).status, is: 0)
    try expect(run(home + ["home"], in: folder).status, is: 0)
    try expect(run(home + ["link"], in: folder).status, is: 0, "it is the same folder")
    try expect(run(home + ["copy/home"], in: folder).status, is: 77)
    // Settings of an older version, without the plugin's folder.
    let settings = "config/menuctl/settings.json"
    let older = try folder.text(settings).replacing("\"path\": \"\(folder.path)/home\", ", with: "")
    expect(!older.contains("path"))
    try Project.write(older, to: "\(folder.path)/\(settings)")
    try expect(run(home + ["home"], in: folder).status, is: 77)
  }

  @Test(
    "S2: A program given by path belongs to the plugin, and is shown and stored with its real path",
    .enabled(if: Program.hasTerminals))
  func consentToPrograms() throws {
    let folder = try folder([
      "runs/plugin.lua": """
      plugin { name = "runs", version = "1", allow = { "exec=./run.sh" } }
      function app.on:run() return (exec("./run.sh").out:gsub("%s", "")) end
      """,
      "runs/run.sh": "#!/bin/sh\necho own", "run.sh": "#!/bin/sh\necho stranger", "other.sh": "#!/bin/sh\necho other",
    ])
    defer { removeSettings(in: folder) }
    for name in ["runs/run.sh", "run.sh", "other.sh"] { chmod("\(folder.path)/\(name)", 0o755) }
    let perform = ["perform", "app.lua", "run", "--plugin", "runs"]
    let yes = try onTerminal("y", perform.joined(separator: " "), in: folder)
    expect(yes.status == 0 && yes.out.contains("run the program \(folder.path)/runs/run.sh\r\n"), "\(yes)")
    try expect(run(perform, in: folder), is: Run(status: 0, out: "handled by app → \"own\"\n", err: ""))
    unlink("\(folder.path)/runs/run.sh")
    symlink("../other.sh", "\(folder.path)/runs/run.sh")
    try expect(run(perform, in: folder).status, is: 77)
    // A grant by name counts from the working folder, like every path, or matches the plugin's words.
    try expect(run(perform + ["--allow", "exec=./other.sh"], in: folder).status, is: 0, "it leads there")
    try expect(run(perform + ["--allow", "exec=run.sh"], in: folder).status, is: 77)
    try expect(run(perform + ["--allow", "exec=./run.sh"], in: folder).out, is: "handled by app → \"other\"\n")
    let granted = try run(perform + ["--allow", "exec=runs/run.sh"], in: folder)
    expect(granted, is: Run(status: 0, out: "handled by app → \"other\"\n", err: ""))
  }

  @Test(
    "S2: A grant that is withdrawn while a person answers another question stays withdrawn",
    .enabled(if: Program.hasTerminals))
  func withdrawnMeanwhile() throws {
    let other = #"{"consent": {"other": {"digest": "0", "path": "/", "grants": ["env=HOME"]}}}"#
    let folder = try folder(["config/menuctl/settings.json": other])
    defer { removeSettings(in: folder) }
    let set = "export XDG_CONFIG_HOME=\(folder.path)/config; cd \(folder.path); touch shown"
    let forget =
      "for i in $(seq 200); do grep -q 'y/N' shown && break; sleep 0.05; done; \(Program.folder)/menuctl plugin forget other"
    let ask = "script -qefc '\(Program.folder)/menuctl perform app.lua home --plugin asks' shown"
    let yes = try Program.shell("sh", "\(set); (\(forget) >&2; echo y; sleep 0.5) | \(ask)")
    unlink("\(folder.path)/shown")
    expect(yes.status == 0 && yes.err == "the grants of 'other' are forgotten\n", "\(yes)")
    let settings = try folder.text("config/menuctl/settings.json")
    expect(settings.contains(#"{"consent": {"asks": {"#) && !settings.contains("other"), "\(settings)")
  }

  @Test("S9: If many calls change the settings at once, none undoes another's change")
  func changedAtOnce() throws {
    let names = (1...12).map { "p\($0)" }
    let one = #"{"digest": "0", "path": "/", "grants": ["env=\#(String(repeating: "A", count: 50_000))"]}"#
    let all = names.map { "\"\($0)\": \(one)" }.joined(separator: ", ")
    let folder = try folder(["config/menuctl/settings.json": "{\"consent\": {\(all)}}"])
    defer { removeSettings(in: folder) }
    let forget = names.map { "\(Program.folder)/menuctl plugin forget \($0) &" }.joined(separator: "\n")
    let run = try Program.shell("sh", "export XDG_CONFIG_HOME=\(folder.path)/config\n\(forget)\nwait")
    expect(run.status == 0 && run.err == "", "\(run)")
    try expect(folder.text("config/menuctl/settings.json"), is: "{\"consent\": {}}\n")
    expect(Project.entries(of: "\(folder.path)/config/menuctl").sorted(), is: ["settings.json", "settings.lock"])
  }

  @Test("S9: If the settings' lock is a link, nothing is made or locked at its target")
  func linkedLock() throws {
    let consent = #"{"consent": {"other": {"digest": "0", "path": "/", "grants": ["env=HOME"]}}}"#
    let folder = try folder(["config/menuctl/settings.json": consent])
    defer { removeSettings(in: folder) }
    symlink("\(folder.path)/elsewhere", "\(folder.path)/config/menuctl/settings.lock")
    let run = try Program.shell(
      "sh", "export XDG_CONFIG_HOME=\(folder.path)/config; \(Program.folder)/menuctl plugin forget other")
    let lock = "\(folder.path)/config/menuctl/settings.lock"
    expect(run.status == 66 && run.err.contains("can't write '\(lock)'"), "\(run)")
    expect(!Project.entries(of: folder.path).contains("elsewhere"))
  }

  @Test("docs/plugins.md shows the stored form of a yes", .enabled(if: Program.hasTerminals))
  func remembered() throws {
    let folder = try folder(["save.lua": #"plugin { name = "save", version = "1", allow = { "fs.write=saved" } }"#])
    defer { removeSettings(in: folder) }
    try expect(onTerminal("y", "menu app.lua --plugin save.lua", in: folder).status, is: 0)
    let settings = try folder.text("config/menuctl/settings.json")
      .replacing(folder.path, with: "/home/me/notes").replacing(/[0-9a-f]{64}/, with: "6a1c…")
    try expect(settings, is: CodeBlock.first("json", in: "docs/plugins.md"))
  }

  /// Runs the tool at a terminal, where a person answers.
  private func onTerminal(_ answer: String, _ words: String, in folder: ScriptFolder) throws -> Run {
    try Program.atTerminal("\(Program.folder)/menuctl \(words)", answering: answer, in: folder.path)
  }

  private func removeSettings(in folder: ScriptFolder) {
    for name in ["settings.json", "settings.lock"] { unlink("\(folder.path)/config/menuctl/\(name)") }
    rmdir("\(folder.path)/config/menuctl")
    rmdir("\(folder.path)/config")
  }

  @Test("Settings that menuctl did not write stay unchanged, and grant nothing")
  func brokenSettings() throws {
    let folder = try folder(["config/menuctl/settings.json": "{ not json"])
    let run = try run(["perform", "app.lua", "home", "--plugin", "asks"], in: folder)
    expect(run.status == 77 && run.err.contains("it can't be read as JSON"), "\(run)")
  }

  @Test("A manifest with a wrong 'allow' is refused with its place", arguments: ["info", "check"])
  func refusedManifest(_ verb: String) throws {
    // The thread sanitizer slows a manifest down beyond its time.
    let many = isThreadSanitized ? 300 : 30_000
    let cases = [
      ("{ a = 'fs.read' }", "'allow' must be a list of capabilities, { \"fs.read\" }"),
      (
        "(function() local t = {} for i = 1, \(many) do t[i] = 'fs.read=/' .. i end return t end)()",
        "'allow' can have 12 entries at most"
      ),
    ]
    for (allow, message) in cases {
      let folder = try folder(["m.lua": "plugin { name = 'm', version = '1',\n  allow = \(allow) }"])
      let refused = try run(["plugin", verb, "m.lua"], in: folder)
      expect(refused.status == 65 && refused.err.hasPrefix("m.lua:2:3: error: \(message)\n"), "\(refused)")
    }
  }

  @Test(
    "If the settings have no room for a yes, the tool asks nothing, and the settings stay readable",
    .enabled(if: Program.hasTerminals))
  func fullSettings() throws {
    let other = String(repeating: "A", count: (1 << 20) - 100)
    let before = "{\"consent\": {\"other\": {\"digest\": \"0\", \"allow\": [\"env=\(other)\"]}}}\n"
    let folder = try folder(["config/menuctl/settings.json": before])
    let refused = try onTerminal("y", "perform app.lua home --plugin asks", in: folder)
    expect(
      refused.status == 77 && !refused.out.contains("asks to")
        && refused.out.contains("bytes, and settings can have 1048576 at most"), "\(refused)")
    try expect(folder.text("config/menuctl/settings.json"), is: before)
    try expect(run(["plugin", "forget", "other"], in: folder).status, is: 0)
    removeSettings(in: folder)
  }

  @Test("load --watch reloads the saved plugin, and the app if that was saved")
  func watching() throws {
    let folder = try folder([
      "mod.lua": "return 'Clear'", "uses.lua": "local t = require 'mod' menubar { menu 'M' { item(t) { 'x' } } }",
    ])
    let process = try Process(
      "\(Program.folder)/menuctl",
      ["load", "uses.lua", "--watch", "--plugin", "asks", "--allow", "env=HOME", "--allow", "fs.read"],
      folder: folder.path)
    process.write("")
    let guardian = try Guardian(of: process)
    defer { withExtendedLifetime(guardian) {} }
    var out = ""
    func wait(for text: String) {
      while !out.contains(text) { let more = process.readSome(); if more.isEmpty { return }; out += more }
    }
    func save(_ text: String, to name: String) {
      guard let file = fopen("\(folder.path)/.new~", "w") else { return }
      fputs(text, file)
      fclose(file)
      rename("\(folder.path)/.new~", "\(folder.path)/\(name)")
    }
    wait(for: "Clear")
    out = ""
    save("return 'Empty'", to: "mod.lua")
    wait(for: "Empty")
    expect(out, is: "reloaded uses.lua\n  + M/Empty: nobody handles 'x'\n  - M/Clear\n")
    out = ""
    save(Self.asks + "\nfunction app.on:x() end", to: "asks/plugin.lua")
    wait(for: "enabled")
    expect(out, is: "reloaded asks/plugin.lua\n  M/Empty disabled → enabled\n", "\(out)")
    kill(process.id, SIGINT)
    expect(process.finish().status, is: 130)
  }
}
