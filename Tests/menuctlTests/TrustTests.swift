import Expectations
import Glibc
import Testing

@Suite("Trust, and the questions to a person")
struct TrustTests {
  private func run(_ words: [String], in folder: ScriptFolder) throws -> Run {
    try Program.menuctl(
      words, environment: ["XDG_DATA_HOME": "\(folder.path)/data", "XDG_CONFIG_HOME": "\(folder.path)/config"],
      folder: folder.path)
  }

  /// Runs the tool at a terminal of 24 rows, where a person answers.
  private func onTerminal(_ answer: String, _ words: String, in folder: ScriptFolder) throws -> Run {
    try Program.atTerminal(
      "stty cols 80 rows 24; \(Program.folder)/menuctl \(words)", answering: answer, in: folder.path)
  }

  private static let asks = """
    plugin { name = "asks", version = "1", allow = { "env=HOME", "fs.write=log" } }
    function app.on:log() return fs.write("log", "x") end
    """

  @Test("'plugin info' trusts nothing: it asks nothing, stores nothing, loads nothing ungranted, and ends with 0")
  func info() throws {
    let folder = try ScriptFolder([
      "asks/plugin.lua": Self.asks, "app.lua": "app.name, app.version = 'demo', '1'",
      "needs.lua": "plugin { name = 'needs', version = '1', requires = { demo = '*' } } function app.on:x() end",
    ])
    let shown = """
      asks 1.0.0  asks/plugin.lua
        asks to read the environment variable HOME (env=HOME): not granted
        asks to write and remove files below \(folder.path)/asks/log (fs.write=log): not granted
        was not loaded, so what it registers is not known: its capabilities aren't granted yet

      """
    try expect(run(["plugin", "info", "asks"], in: folder), is: Run(status: 0, out: shown, err: ""))
    if Program.hasTerminals {
      let looked = try onTerminal("y", "plugin info asks --color never", in: folder)
      expect(
        looked.status == 0 && looked.out.replacing("\r\n", with: "\n").hasSuffix(shown)
          && !looked.out.contains("[y/N]"), "\(looked)")
    }
    expect(!Project.entries(of: folder.path).contains("config"))
    let some = try run(["plugin", "info", "asks", "--allow", "env=HOME"], in: folder)
    expect(
      some.status == 0 && some.out.contains("(env=HOME): granted\n") && some.out.contains("(fs.write=log): not granted")
    )
    let all = try run(["plugin", "info", "asks", "--allow", "env=HOME", "--allow", "fs.write=log"], in: folder)
    expect(all.status == 0 && all.out.hasSuffix("(fs.write=log): granted\n  has handlers: 1\n"), "\(all)")
    let needs = """
      needs 1.0.0  needs.lua
        requires demo *
        was not loaded, so what it registers is not known: it needs its app: menuctl plugin info needs.lua APP

      """
    try expect(run(["plugin", "info", "needs.lua"], in: folder), is: Run(status: 0, out: needs, err: ""))
    try expect(run(["plugin", "info", "none"], in: folder).status, is: 66)
  }

  @Test(
    "S2: '--allow' in a manifest's exact words grants the manifest's path; for another path the error shows both"
  )
  func sameWords() throws {
    let folder = try ScriptFolder([
      "asks/plugin.lua": Self.asks, "app.lua": "",
      "sub/app.lua": "function app.on:go() return fs.write('log', 'x') end",
    ])
    let log = ["perform", "app.lua", "log", "--plugin", "asks", "--allow", "env=HOME", "--allow"]
    try expect(run(log + ["fs.write=log"], in: folder), is: Run(status: 0, out: "handled by app → true\n", err: ""))
    try expect(folder.take("asks/log"), is: "x")
    let other = try run(log + ["fs.write=logs"], in: folder)
    let message =
      "the plugin 'asks' asks for 'fs.write=log', but has no grant for it: "
      + "it means '\(folder.path)/asks/log' by 'fs.write=log', and 'fs.write=logs' grants '\(folder.path)/logs'"
    expect(other.status == 77 && other.err.hasPrefix("asks/plugin.lua:1: error: \(message)\n"), "\(other)")
    // The app's script has no manifest: its path counts from the working folder.
    try expect(run(["perform", "sub/app.lua", "go", "--allow", "fs.write=log"], in: folder).status, is: 77)
  }

  @Test("Without a person, the question is printed, and the help names '--yes'")
  func unconfirmed() throws {
    let script = """
      menubar { menu "Edit" { item "Clear" { "clear", confirm = "Clear everything?" } } }
      function app.on:clear() end
      """
    try ToolCase(
      name: "no", words: ["pick", "-", "Edit/Clear"], script: script, status: 1,
      out: "asks by app: Clear everything?\n",
      err:
        "help: there is no terminal to ask on; '--yes' says yes\n"
    ).check()
    try ToolCase(name: "yes", words: ["pick", "-", "Edit/Clear", "--yes"], script: script, out: "handled by app\n")
      .check()
  }

  @Test(
    "A manifest can't forge the question: the tool refuses one that doesn't fit the screen, and draws blanks",
    .enabled(if: Program.hasTerminals))
  func forged() throws {
    let tall = (1...12).map { "'fs.write=/tmp/\($0)/\(String(repeating: "x", count: 900))'" }.joined(separator: ", ")
    let folder = try ScriptFolder([
      "app.lua": "",
      "forge.lua": """
      plugin { name = "forge", version = "1", allow = { "env=HOME", "fs.write=/tmp/" .. (" "):rep(3900) .. "The plugin nice asks to" } }
      """,
      "tall.lua": """
      plugin { name = "tall", version = "1", allow = { \(tall) } }
      """,
      "blanks.lua": """
      plugin { name = "blanks", version = "1", allow = { "fs.read=/tmp/a   b", "fs.read=\u{3000}/x", "fs.read=no/such/place" } }
      """,
    ])
    defer { unlink("\(folder.path)/config/menuctl/settings.lock") }
    let forged = try onTerminal("n", "load app.lua --plugin forge.lua --color never", in: folder)
    expect(
      forged.status == 77
        && forged.out.replacing("\r\n", with: "\n").contains(
          """
          The plugin forge 1.0.0 (forge.lua) asks to
            read the environment variable HOME
            write and remove files below /tmp/␣×3900The plugin nice asks to
          Allow it, until the plugin changes? [y/N]
          """),
      "\(forged)")
    let unseen = try onTerminal("y", "load app.lua --plugin tall.lua --color never", in: folder)
    expect(unseen.status == 77 && !unseen.out.contains("[y/N]"), "\(unseen)")
    let refusal = """
      menuctl: error: what the plugin 'tall' asks for takes 62 rows, more than this terminal shows
      'menuctl plugin info tall.lua' shows all of it, and '--allow CAPABILITY' grants it by name
      """
    expect(unseen.out.replacing("\r\n", with: "\n").contains(refusal), "\(unseen)")
    let blanks = try onTerminal("n", "load app.lua --plugin blanks.lua --color never", in: folder)
    let question = """
      The plugin blanks 1.0.0 (blanks.lua) asks to
        read files below /tmp/a␣␣␣b
        read files below \\u{3000}/x, but there is no such file
        read files below no/such/place, but there is no such file
      Allow it, until the plugin changes? [y/N]
      """
    expect(blanks.status == 77 && blanks.out.replacing("\r\n", with: "\n").contains(question), "\(blanks)")
  }

  @Test("The question is broken between words", .enabled(if: Program.hasTerminals))
  func wrapped() throws {
    let path = "/" + (1...16).map { "word\($0)" }.joined(separator: " ")
    let folder = try ScriptFolder(["app.lua": "app.name = 'notes' app.allow = { 'fs.read=\(path)' }"])
    defer { removeSettings(in: folder) }
    let asked = try onTerminal("n", "load app.lua --color never", in: folder)
    let question = """
        read files below /word1 word2 word3 word4 word5 word6 word7 word8 word9
          word10 word11 word12 word13 word14 word15 word16
      Allow it, until it asks for something else? [y/N]
      """
    expect(asked.status == 77 && asked.out.replacing("\r\n", with: "\n").contains(question), "\(asked)")
  }

  @Test("A plugin asks for a dozen capabilities at most")
  func dozen() throws {
    func plugin(_ count: Int) -> String {
      let all = (1...count).map { "'env=V\($0)'" }.joined(separator: ", ")
      return "plugin { name = 'many', version = '1', allow = { \(all) } }"
    }
    let folder = try ScriptFolder(["12.lua": plugin(12), "13.lua": plugin(13)])
    try expect(run(["plugin", "info", "12.lua"], in: folder).status, is: 0)
    let many = try run(["plugin", "info", "13.lua"], in: folder)
    expect(many.status == 65 && many.err.contains(": error: 'allow' can have 12 entries at most\n"), "\(many)")
  }

  // MARK: P20: the user's editor, and the folder where the tool is called

  @Test("P20: 'exec=$EDITOR' runs the variable's value, split at blanks; an unset variable returns the reason")
  func editor() throws {
    let folder = try ScriptFolder([
      "app.lua": "function app.on:go() local r, why = exec('$EDITOR', { 'it' }) return r and r.out or why end"
    ])
    for (value, result) in [
      ("echo  -n\tsome", "some it"), ("/bin/echo -n", "it"), ("", "the variable EDITOR is not set"),
      ("./echo", "'./echo', from $EDITOR, is not an absolute path"),
    ] {
      let run = try Program.menuctl(
        ["perform", "app.lua", "go", "--allow", "exec=$EDITOR", "--json"], environment: ["EDITOR": value],
        folder: folder.path)
      expect(run.out.contains("\"result\": \"\(result)\""), "\(run)")
    }
  }

  @Test(
    "S16: The question shows $EDITOR's value; after a change the tool asks again", .enabled(if: Program.hasTerminals)
  )
  func editorConsent() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.name, app.allow = "notes", { "exec=$EDITOR" }
      function app.on:go() return exec("$EDITOR").status end
      """
    ])
    defer { removeSettings(in: folder) }
    func call(_ editor: String, answering answer: String) throws -> String {
      try Program.atTerminal(
        "stty cols 80 rows 24; EDITOR=\"\(editor)\" \(Program.folder)/menuctl perform app.lua go --color never",
        answering: answer, in: folder.path
      ).out.replacing("\r\n", with: "\n")
    }
    let first = try call("true -f", answering: "y")
    expect(
      first.contains(
        """
          run the program $EDITOR, which is 'true -f' now
        Allow it, until it asks for something else, or $EDITOR changes? [y/N]
        """)
        && first.contains("handled"), "\(first)")
    let same = try call("true -f", answering: "n")
    expect(!same.contains("[y/N]") && same.contains("handled"), "\(same)")
    let other = try call("false", answering: "n")
    expect(other.contains("which is 'false' now") && other.contains("[y/N]") && !other.contains("handled"), "\(other)")
  }

  @Test("P20: The question shows the folder of '$PWD', and comes once in each", .enabled(if: Program.hasTerminals))
  func workingFolder() throws {
    let folder = try ScriptFolder([
      "app.lua": "app.name = 'looks' app.allow = { 'fs.read=$PWD' } function app.on:go() return #fs.list('$PWD') end",
      "one/a": "", "two/a": "", "two/b": "",
    ])
    defer { removeSettings(in: folder) }
    func call(in name: String, answering answer: String) throws -> String {
      try Program.atTerminal(
        "stty cols 80 rows 24; cd \(name); \(Program.folder)/menuctl perform ../app.lua go --color never",
        answering: answer, in: folder.path
      ).out.replacing("\r\n", with: "\n")
    }
    for (name, isAsked) in [("one", true), ("two", true), ("one", false), ("two", false)] {
      let out = try call(in: name, answering: "y")
      let flat = out.replacing("\n    ", with: " ")
      let question = "read files below \(folder.path)/\(name), the folder where you call it"
      expect(flat.contains(question), is: isAsked, "\(out)")
      expect(out.contains("handled by app → \(name == "one" ? 1 : 2)"), "\(out)")
    }
  }

  // MARK: S16: programs that a consent covers

  private static let runs = """
    plugin { name = "NAME", version = "1", allow = { "exec=./run.sh" } }
    function app.on:NAME() return (exec("./run.sh").out:gsub("%s", "")) end
    """

  /// A folder with plugins and an app. Each runs its own `run.sh`.
  private func programs() throws -> ScriptFolder {
    let folder = try ScriptFolder([
      "app.lua": "app.name = 'host'", "one/plugin.lua": Self.runs.replacing("NAME", with: "one"),
      "two/plugin.lua": Self.runs.replacing("NAME", with: "two"),
      "own/app.lua": """
      app.allow = { "exec=./run.sh" } function app.on:run() return (exec("./run.sh").out:gsub("%s", "")) end
      """,
      "one/run.sh": "#!/bin/sh\necho one", "two/run.sh": "#!/bin/sh\necho two", "own/run.sh": "#!/bin/sh\necho own",
    ])
    for name in ["one", "two", "own"] { chmod("\(folder.path)/\(name)/run.sh", 0o755) }
    return folder
  }

  private func removeSettings(in folder: ScriptFolder) {
    for name in ["settings.json", "settings.lock"] { unlink("\(folder.path)/config/menuctl/\(name)") }
    for name in ["config/menuctl", "config"] { rmdir("\(folder.path)/\(name)") }
  }

  @Test(
    "S16: A yes covers the programs in its folder: the tool asks again for a replaced one",
    .enabled(if: Program.hasTerminals),
    arguments: [("one", "perform app.lua one --plugin one"), ("own", "perform own/app.lua run")])
  func replaced(_ name: String, _ call: String) throws {
    let folder = try programs()
    defer { removeSettings(in: folder) }
    let words = call.split(separator: " ").map(String.init)
    let yes = try onTerminal("y", call, in: folder)
    expect(yes.status, is: 0, "\(yes)")
    try expect(run(words, in: folder), is: Run(status: 0, out: "handled by app → \"\(name)\"\n", err: ""))
    try folder.write("\(name)/run.sh", "#!/bin/sh\necho other")
    let replaced = try run(words, in: folder)
    expect(replaced.status == 77 && replaced.err.contains("no grant"), "\(replaced)")
    try folder.write("\(name)/run.sh", "#!/bin/sh\necho \(name)")
    try expect(run(words, in: folder).status, is: 0)
    // A long program is known by its modification time.
    expect(truncate("\(folder.path)/\(name)/run.sh", 20 << 20), is: 0)
    try expect(onTerminal("y", call, in: folder).status, is: 0)
    try expect(run(words, in: folder).status, is: 0)
    expect(truncate("\(folder.path)/\(name)/run.sh", (20 << 20) + 1), is: 0)
    try expect(run(words, in: folder).status, is: 77)
  }

  @Test("S16: '--allow' in one plugin's words grants only that plugin, and the help has the words for the other")
  func words() throws {
    let folder = try programs()
    defer { removeSettings(in: folder) }
    let allow = ["--allow", "exec=./run.sh"]
    for name in ["one", "two"] {
      try expect(
        run(["perform", "app.lua", name, "--plugin", name] + allow, in: folder).out,
        is: "handled by app → \"\(name)\"\n")
    }
    let both = ["perform", "app.lua", "two", "--plugin", "one", "--plugin", "two"] + allow
    let refused = try run(both, in: folder)
    expect(refused.status == 77 && refused.out == "", "\(refused)")
    let whole = "exec=\(folder.path)/two/run.sh"
    expect(refused.err.hasSuffix("--allow \(whole)\n"), "\(refused)")
    try expect(run(both + ["--allow", whole], in: folder).out, is: "handled by app → \"two\"\n")
    // The app asks first.
    let app = try run(["perform", "own/app.lua", "run", "--plugin", "one"] + allow, in: folder)
    expect(app.status, is: 77, "\(app)")
  }

  @Test("S16: Text typed before the question appears doesn't answer it", .enabled(if: Terminal.isPossible))
  func typedAhead() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.allow = { "env=HOME" }
      print("loading")
      local begun = os.clock() while os.clock() - begun < 0.5 do end
      function app.on:go() end
      """
    ])
    defer { removeSettings(in: folder) }
    let terminal = try Terminal(
      ["perform", "app.lua", "go"], columns: 80, rows: 24, environment: ["XDG_CONFIG_HOME": "\(folder.path)/config"],
      folder: folder.path)
    expect(terminal.waits { $0.text.contains("loading") })
    terminal.type("y\r")
    expect(terminal.waits { $0.text.hasSuffix("[y/N]") })
    terminal.type("n\r")
    expect(terminal.finish(), is: 77)
  }

  @Test("S16: The question makes invisible characters visible", .enabled(if: Program.hasTerminals))
  func unseen() throws {
    let hidden = ["\u{200D}", "\u{034F}", "\u{FE0F}", "\u{2060}", "\u{E0100}", "\u{3164}", "\u{17B4}", "\u{00AD}"]
    let folder = try ScriptFolder([
      "app.lua": "app.allow = { \(hidden.map { "\"exec=g\($0)it\"" }.joined(separator: ", ")) }"
    ])
    let asked = try onTerminal("n", "load app.lua --color never", in: folder)
    for scalar in hidden.compactMap(\.unicodeScalars.first) {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let shown =
        scalar.value < 0x100
        ? "\\x\(digits)" : "\\u{\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)}"
      expect(asked.out.contains("run the program g\(shown)it\r\n"), "\(asked)")
    }
  }
}
