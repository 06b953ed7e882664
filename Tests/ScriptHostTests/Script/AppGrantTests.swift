import Expectations
import Glibc
import Testing

@testable import ScriptHost

@Suite("app.allow, and its stand-ins in tests")
struct AppGrantTests {
  private static let app = """
    app.name = "notes"
    app.allow = { "exec=echo", "fs.read" }
    print(pcall(fs.read, "app.lua"))
    function app.on:go() return exec("echo", { "hi" }).out end
    """

  private func stage(_ script: String = app) throws -> PluginStage {
    let stage = try PluginStage([:])
    stage.write(script, to: "app.lua")
    return stage
  }

  private func load(_ stage: PluginStage) throws { try stage.host.load(path: "\(stage.path)/app.lua") }

  @Test("S2: An app whose grants are missing doesn't load, and the error names them; after a yes it loads")
  func asks() throws {
    let stage = try stage()
    let error = try #require(throws: LoadError.self) { try load(stage) }
    expect(error.failure.code == .capability && error.failure.owner == "notes")
    expect(error.failure.message, is: "the app asks for 'exec=echo', 'fs.read', but has no grant for it")
    expect(stage.host.scripts?.app == nil)
    let request = try require(error.asks)
    expect(request.name == "notes" && request.sentences.first == "run the program echo" && request.grants.count == 2)
    stage.host.consents = [try require(request.yes)]
    _ = stage.take()
    try load(stage)
    // Before the app was loaded, nothing is granted.
    expect(stage.take().first?.contains("fs.read is not granted to 'app'") ?? false)
    expect(stage.host.perform("go", wait: true).line, is: "handled by app via on → text(\"hi\\n\")")
  }

  @Test("S2: A yes covers the list and the script's path: edits need no new yes, another list or path does")
  func remembered() throws {
    let stage = try stage()
    try stage.consenting { try load(stage) }
    stage.write(Self.app + "\nprint('edited')", to: "app.lua")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    expect(stage.take().last, is: "edited")
    stage.write(Self.app.replacing("\"fs.read\"", with: "\"fs.write\""), to: "app.lua")
    let error = try #require(throws: LoadError.self) { try stage.host.reload(path: "\(stage.path)/app.lua") }
    expect(error.asks?.capabilities.map(\.description), is: ["exec=echo", "fs.write"])
    // The old version continues with its grants.
    expect(stage.host.perform("go", wait: true).line, is: "handled by app via on → text(\"hi\\n\")")
    for name in ["other.lua", "sub/app.lua"] {
      let other = ScriptHost()
      other.consents = stage.host.consents
      stage.write(Self.app, to: name)
      #expect(throws: LoadError.self, "\(name)") { try other.load(path: "\(stage.path)/\(name)") }
    }
    // Grants by name need no yes.
    let named = ScriptHost()
    named.granted = [try Capability.parse("exec=echo"), try Capability.parse("fs.read")]
    try named.load(path: "\(stage.path)/sub/app.lua")
  }

  @Test("S2: A yes covers the folders that were shown: if a link leads elsewhere later, the app needs a new yes")
  func links() throws {
    let stage = try PluginStage(["one/a": "1", "two/a": "2", "data": "→one"])
    stage.write("app.allow = { 'fs.read=data' } function app.on:go() return fs.read('data/a') end", to: "app.lua")
    try stage.consenting { try load(stage) }
    expect(stage.host.perform("go").line, is: "handled by app via on → text(\"1\")")
    stage.write("→two", to: "data")
    let error = try #require(throws: LoadError.self) { try stage.host.reload(path: "\(stage.path)/app.lua") }
    expect(error.asks?.grants.map { stage.short("\($0)") }, is: ["fs.read=two"])
  }

  // MARK: S16: the program that a yes covers

  private static let runs = """
    app.allow = { "exec=./run.sh" }
    function app.on:go() return (exec("./run.sh", {}, { folder = "." }).out:gsub("%s", "")) end
    function app.on:go_below() return (exec("./run.sh", {}, { folder = "sub" }).out:gsub("%s", "")) end
    """

  /// Writes a program that prints a word itself or through another program.
  private func write(_ text: String, to name: String, in stage: PluginStage) {
    stage.write(text.replacing("HERE", with: stage.path), to: name)
    chmod("\(stage.path)/\(name)", 0o755)
  }

  /// An app whose program a person granted.
  private func running(_ program: String) throws -> PluginStage {
    let stage = try PluginStage(["app.lua": Self.runs])
    write(program, to: "run.sh", in: stage)
    write(Self.says, to: "tools/says", in: stage)
    write("#!/bin/sh\necho sub", to: "sub/tools/says", in: stage)
    try stage.consenting { try load(stage) }
    return stage
  }

  private static let says = "#!/bin/sh\necho one"

  private static let one = "handled by app via on → text(\"one\")"

  @Test(
    "S16: The host doesn't run a program if it, or its interpreter in the folder, was replaced after the yes",
    arguments: [
      ("#!/bin/sh\necho one", "run.sh"), ("#!HERE/tools/says", "run.sh"), ("#!HERE/tools/says", "tools/says"),
      ("#! tools/says -x", "tools/says"), ("#!/usr/bin/env HERE/tools/says", "tools/says"),
      ("#!/usr/bin/env -S HERE/tools/says -x", "tools/says"), ("#!/bin/sh HERE/tools/says", "tools/says"),
    ])
  func replacedProgram(_ program: String, _ name: String) throws {
    let stage = try running(program + "\n")
    expect(stage.host.perform("go", wait: true).line, is: Self.one)
    // The same text, written again, is the same program.
    write(name == "run.sh" ? program + "\n" : Self.says, to: name, in: stage)
    expect(stage.host.perform("go", wait: true).line, is: Self.one)
    for text in ["#!/bin/sh\necho two", "#!/bin/sh\necho 2"] {
      write(text, to: name, in: stage)
      let refused = stage.host.perform("go", wait: true)
      expect(refused.error?.code, is: .capability, "\(refused.line)")
      expect(
        refused.error?.message,
        is:
          "'./run.sh' has changed since it was allowed, or another program starts it; reload the app to be asked again"
      )
    }
    #expect(throws: LoadError.self) { try stage.host.reload(path: "\(stage.path)/app.lua") }
    try stage.consenting { try stage.host.reload(path: "\(stage.path)/app.lua") }
    expect(stage.host.perform("go", wait: true).line.hasSuffix("→ text(\"2\")"))
  }

  @Test("S16: The host knows an older program by its times, and doesn't run one that was replaced")
  func replacedLater() throws {
    let stage = try PluginStage(["app.lua": Self.runs])
    write(Self.says, to: "run.sh", in: stage)
    usleep(3_100_000)
    try stage.consenting { try load(stage) }
    expect(stage.host.perform("go", wait: true).line, is: Self.one)
    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    write("#!/bin/sh\necho two", to: "run.sh", in: stage)
    expect(utimensat(AT_FDCWD, "\(stage.path)/run.sh", &times, 0), is: 0)
    expect(stage.host.perform("go", wait: true).error?.code, is: .capability)
  }

  @Test("S16: An interpreter that depends on the working folder runs only from the folder that was allowed")
  func relativeInterpreter() throws {
    let stage = try running("#! tools/says\n")
    expect(stage.host.perform("go", wait: true).line, is: Self.one)
    expect(stage.host.perform("go_below", wait: true).error?.code, is: .capability)
  }

  @Test("S16: A yes for '$EDITOR' covers the variable's value; another or a replaced program doesn't run")
  func editor() throws {
    let stage = try PluginStage(["app.lua": "app.allow = { 'exec=$EDITOR' } function app.on:go() exec('$EDITOR') end"])
    try stage.consenting { try load(stage) }
    let script = try require(stage.host.scripts?.app)
    var grant = try require(script.grants.first)
    expect(grant.capability.programVariable == "$EDITOR" && grant.path == nil && grant.isWhole(workingIn: nil))
    let now = ProgramVariable.words(of: "$EDITOR")
    grant.seal = ProgramSeal(files: [], folder: stage.path, words: now + ["-x"])
    expect(!grant.isWhole(workingIn: nil))
    grant.seal = nil
    expect(grant.isWhole(workingIn: nil))
  }

  @Test(
    "P20: Other variables name no program and no folder",
    arguments: ["exec=$SHELL", "exec=$EDITOR/x", "fs.read=$HOME", "fs.write=$PWDX", "exec=$PWD"])
  func otherVariables(_ text: String) { #expect(throws: Misuse.self) { try Capability.parse(text) } }

  @Test(
    "P20: 'fs.read=$PWD' is the folder where the tool was called; without the grant a script can't learn that folder"
  )
  func workingFolder() throws {
    let stage = try PluginStage([:])
    stage.host.granted = [try Capability.parse("fs.read=$PWD")]
    stage.write(
      """
      function app.on:go()
        print(fs.read("$PWD/Package.swift") ~= nil, fs.stat("$PWD").kind, pcall(fs.read, "$PWD/../../etc/passwd"))
        print(pcall(fs.write, "$PWD/x", ""))
      end
      """, to: "app.lua")
    try load(stage)
    stage.host.perform("go", wait: true)
    let lines = stage.take()
    expect(lines.first?.hasPrefix("true\tfolder\tfalse") ?? false, "\(lines)")
    stage.host.granted = []
    let other = try PluginStage(["app.lua": "function app.on:go() return fs.list('$PWD') end"])
    try other.host.load(path: "\(other.path)/app.lua")
    expect(
      other.host.perform("go").error?.message,
      is: "fs.list is not granted to 'app' for '$PWD': it takes the capability 'fs.read=$PWD'")
  }

  @Test("S16: The host doesn't compare programs that were granted by name")
  func replacedAllowed() throws {
    let stage = try PluginStage(["app.lua": Self.runs, "run.sh": "#!/bin/sh\necho two"])
    stage.host.granted = [try Capability.parse("exec=./run.sh")]
    try load(stage)
    write(Self.says, to: "run.sh", in: stage)
    expect(stage.host.perform("go", wait: true).line, is: Self.one)
  }

  @Test(
    "A wrong app.allow is an error: it lists capabilities, a dozen at most",
    arguments: [
      ("app.allow = 'exec=git'", "'allow' must be a list of capabilities"),
      ("app.allow = { x = 'exec=git' }", "'allow' must be a list of capabilities"),
      ("app.allow = { 'exe=git' }", "there is no capability 'exe'; did you mean 'exec'?"),
      ("local t = {} for i = 1, 13 do t[i] = 'env=V' .. i end app.allow = t", "12 entries at most"),
      ("app.allow = {} app.allow[1] = 'nonsense'", "there is no capability 'nonsense'"),
    ])
  func wrong(_ script: String, _ message: String) throws {
    let error = try #require(throws: LoadError.self) { try load(try stage(script)) }
    expect(error.failure.message.contains(message), "\(error)")
  }

  @Test("Neither a later assignment nor a plugin can set app.allow")
  func notNow() throws {
    let stage = try stage("function app.on:go() app.allow = { 'exec=sh' } end")
    try load(stage)
    expect(stage.host.perform("go").error?.message.contains("can't be changed now") ?? false)
    stage.write("plugin { name = 'p', version = '1' } app.allow = { 'exec=sh' }", to: "p.lua")
    expect(stage.refusal("p.lua").contains("only the app can use 'app.allow'"))
  }

  @Test("If the host doesn't ask for grants, the app loads without them, and everything else works")
  func onlyRead() throws {
    let stage = try stage()
    stage.host.asksForGrants = false
    try load(stage)
    expect(stage.host.perform("go").error?.code, is: .capability)
  }

  // MARK: Stand-ins

  private func run(_ test: String, files: [String: String] = ["app.lua": app]) throws -> ScriptTestResult {
    let stage = try PluginStage(files)
    stage.write(test, to: "a_test.lua")
    let file = try ScriptTestFile(path: "\(stage.path)/a_test.lua")
    return file.run(file.tests[0])
  }

  @Test(
    "Stand-ins replace granted calls for the subject and its plugins; they may wait, and the host asks for no grant"
  )
  func standIns() throws {
    let result = try run(
      """
      local calls = {}
      subject("app.lua", { plugins = { "p.lua" }, stand_ins = {
        exec = function(program, arguments, options)
          sleep(1)
          calls[#calls + 1] = program .. " " .. table.concat(arguments, " ")
          return { status = 0, out = "faked", err = "" }
        end,
        ["fs.read"] = function(path) return "read " .. path end,
        env = function(name) return name:lower() end,
      } })
      test("it is faked", function(app)
        expect(app:perform("go").result):is("faked")
        expect(app:perform("plugged").result):is("read x home")
        expect(calls):is({ "echo hi" })
        expect(function() fs.write("x", "") end):raises("fs.write is not granted")
      end)
      """,
      files: [
        "app.lua": Self.app,
        "p.lua": """
        plugin { name = 'p', version = '1', allow = { 'fs.read=/etc', 'env=HOME' } }
        function app.on:plugged() return fs.read("x") .. " " .. env("HOME") end
        """,
      ])
    expect(result.status, is: .passed, "\(result.failures)")
  }

  @Test(
    "A wrong stand-in is an error that names the valid choice",
    arguments: [
      ("{ exce = print }", "'exce' is no granted function, so a stand-in can't replace it; did you mean 'exec'?"),
      ("{ print }", "'a number' is no granted function"),
      ("{ exec = 1 }", "the stand-in for 'exec' must be a function"),
      ("7", "stand_ins must be a table of functions by the names that they replace, not a number"),
    ])
  func wrongStandIns(_ standIns: String, _ message: String) throws {
    let stage = try PluginStage(["app.lua": ""])
    stage.write("subject('app.lua', { stand_ins = \(standIns) })", to: "a_test.lua")
    let error = try #require(throws: LoadError.self) { _ = try ScriptTestFile(path: "\(stage.path)/a_test.lua") }
    expect(error.failure.message.contains(message), "\(error)")
  }

  @Test("In a test without stand-ins the app loads, and a call without its grant raises")
  func without() throws {
    let result = try run(
      """
      subject "app.lua"
      test("it is refused", function(app) expect(app:perform("go").error.message):contains("exec is not granted") end)
      """)
    expect(result.status, is: .passed, "\(result.failures)")
  }
}
