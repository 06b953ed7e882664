import Expectations
import Glibc
import Testing

@testable import ScriptHost

private func results(_ text: String) throws -> [ScriptTestResult] {
  let file = try ScriptTestFile(text: text, name: "x_test.lua")
  return file.tests.map { file.run($0) }
}

private func lines(_ results: [ScriptTestResult]) -> [String] {
  results.map { result in
    let detail = result.reason.map { " (\($0))" } ?? result.failures.map { ": \($0.failure)" }.joined()
    return "\(result.test.name): \(result.status.rawValue)\(detail)"
  }
}

private func loadError(_ text: String) throws -> String {
  let error = try #require(throws: LoadError.self) { try ScriptTestFile(text: text, name: "x_test.lua") }
  return error.description
}

@Suite("Files of scripted tests")
struct ScriptTestFileTests {
  @Test("S1: A pipe in place of a test file, or of its subject, is refused without waiting")
  func pipes() throws {
    let stage = try PluginStage([
      "pipe_test.lua": "|", "pipe.lua": "|", "x_test.lua": "subject 'pipe.lua' test('x', print)",
    ])
    for (name, pipe) in [("pipe_test.lua", "pipe_test.lua"), ("x_test.lua", "pipe.lua")] {
      let error = try #require(throws: LoadError.self) { try ScriptTestFile(path: "\(stage.path)/\(name)") }
      expect(error.description.hasSuffix("\(pipe)': Invalid argument"), "\(error)")
    }
  }

  @Test("Each test has its app and interpreter: nothing leaks from one to the next")
  func fresh() throws {
    let text = """
      count = 0
      local main = window "main"
      test("one", function(app) count = count + 1 main.seen = true responder "late" string.x = nil end)
      test("two", function(app) expect(count):is(0) expect(main.seen):is_nil() expect(app:find("late")):is_nil() end)
      """
    let all = try results(text)
    expect(
      lines(all),
      is: [
        "one: failed: x_test.lua:3:86: 'x' can't be set: this table is shared by all scripts and can't be changed",
        "two: passed",
      ])
  }

  @Test("In a test too, the error for a missing function names the replacement")
  func refusals() throws {
    let said = try lines(results("test('home', function() os.getenv('HOME') end)"))
    expect(said.count, is: 1)
    expect(
      said[0].hasSuffix("os.getenv is not available to scripts; use env(name), with the capability 'env=NAME'"),
      "\(said)")
    let ofIO = try lines(results("test('file', function() io.open('x') end)"))
    expect(
      ofIO.count == 1
        && ofIO[0].hasSuffix("io.open is not available to scripts; use fs.read(path), with the capability 'fs.read'"),
      "\(ofIO)")
  }

  @Test("before_each runs before every test of its group, the outer group's first, with the app")
  func beforeEach() throws {
    let text = """
      local said = {}
      local function say(word) return function(app) said[#said + 1] = word .. #app:chain() end end
      describe("group", function()
        test("inner", function() expect(said):is({ "file1", "group1" }) end)
        before_each(say("group"))
      end)
      test("outer", function() expect(said):is({ "file1" }) end)
      before_each(say("file"))
      """
    try expect(lines(results(text)), is: ["group / inner: passed", "outer: passed"])
  }

  @Test("skip outside of a test skips the tests of its group that are registered after it")
  func skip() throws {
    let text = """
      test("first", function() end)
      describe("group", function()
        skip("not here")
        before_each(function() error("runs") end)
        test("one", function() error("runs") end)
        describe("deeper", function() test("two", function() error("runs") end) end)
      end)
      test("last", function() end)
      """
    try expect(
      lines(results(text)),
      is: [
        "first: passed", "group / one: skipped (not here)", "group / deeper / two: skipped (not here)", "last: passed",
      ])
  }

  @Test("Tests and groups have their lines, and a line finds its test or group")
  func standing() throws {
    let text = """
      test("one", function()
      end)
      describe("a", function()
        describe("b",
          function()
            test(
              "two",
              function() end)
          end)
        test("three", function() end)
      end)
      for i = 1, 2 do test("many " .. i, function() end) end
      """
    let tests = try ScriptTestFile(text: text, name: "x_test.lua").tests
    expect(tests.map(\.name), is: ["one", "a / b / two", "a / three", "many 1", "many 2"])
    expect(tests.map(\.lines), is: [1...2, 6...8, 10...10, 12...12, 12...12])
    let found = (1...13).map { line in tests.written(at: line).map(\.number) }
    expect(
      found, is: [[0], [0], [1, 2], [1], [1], [1], [1], [1], [1], [2], [1, 2], [3, 4], []])
  }

  @Test("A wrong registration is an error at its line")
  func registering() throws {
    for (text, expected) in [
      (
        "test('x', print)\ntest('x', print)",
        "x_test.lua:2:7: there is a test named 'x' already (the other is at x_test.lua:1)"
      ),
      (
        "describe('a', function() test('x', print) end) test('a / x', print)",
        "x_test.lua:1:54: there is a test named 'a / x' already (the other is at x_test.lua:1)"
      ),
      ("test('', print)", "x_test.lua:1: the name of a test can't be empty"),
      (
        "test('x')",
        "x_test.lua:1: put the test's function into the same parentheses as its name: test(name, function(app) … end)"
      ),
      ("test(1, print)", "x_test.lua:1: the name of a test must be a string, not a number"),
      (
        "test(print)",
        "x_test.lua:1: the name of a test must be a string, not a function; write it first: test(\"…\", function(app) … end)"
      ),
      ("describe('x', 1)", "x_test.lua:1:1: the function of 'describe' must be a function, not a number"),
      ("describe('x', function()\nerror('no')\nend)", "x_test.lua:2: no"),
      (
        "expect(1):is(1)",
        "x_test.lua:1:1: call 'expect' in a test: nothing can be performed while the file loads"
      ),
      (
        "app:perform('x')",
        "x_test.lua:1: performing is not possible while a script loads: do it in an action or in 'start'"
      ),
      ("tset('x', print)", "x_test.lua:1:1: 'tset' is not defined; did you mean 'test'?"),
      ("local function nest() describe('x', nest) end nest()", "x_test.lua:1: groups are nested 16 deep at most"),
    ] {
      try expect(loadError(text), is: expected)
    }
  }

  @Test("A test file has the app script's rights, sees its globals, and assigns them; its own words win")
  func globals() throws {
    let folder = try TemporaryScripts([
      "app.lua": """
      library = { "pier" }
      expect, nothing = "mine", nil
      function fetch() return "from afar" end
      local grid = responder "grid"
      grid.selection = 1
      function grid.on:show() return fetch() .. expect end
      focus(grid)
      """
    ])
    let file = try ScriptTestFile(
      text: """
        subject "app.lua"
        local grid = app:find("grid")
        own = 1
        test("reads", function(app)
          expect(library):is({ "pier" })
          expect(grid.selection):is(1)
          expect(nothing):is_nil()
          expect(own):is(1)
        end)
        test("assigns", function(app)
          own = 2
          fetch = function() return "at hand, " end
          expect(app:perform("show").result):is("at hand, mine")
          expect(own):is(2)
        end)
        test("defines nothing", function() other = 1 end)
        test("is the app", function(app)
          grid.next = nil
          grid.on.show = nil
          app.title = "T"
          expect(app:perform("show").status):is("unhandled")
          expect(app.title):is("T")
        end)
        """, name: "\(folder.path)/x_test.lua")
    expect(
      lines(file.tests.map { file.run($0) }),
      is: [
        "reads: passed", "assigns: passed",
        "defines nothing: failed: \(folder.path)/x_test.lua:16:36: 'other' was not defined while the file loaded, so a test can't assign it; did you mean 'local other'?",
        "is the app: passed",
      ])
  }

  @Test("A subject is beside its test file: a script, or a folder with app.lua; nothing leads out")
  func subjects() throws {
    let folder = try TemporaryScripts([
      "in/app.lua": "app.title = 'Folder'", "in/x.lua": "app.title = 'X'", "out.lua": "app.title = 'Out'",
      "in/bad.lua": "local function f()\n", "in/deep/y.lua": "app.title = 'Y'",
    ])
    symlink("\(folder.path)/out.lua", "\(folder.path)/in/link.lua")
    defer { unlink("\(folder.path)/in/link.lua") }
    func title(_ subject: String) -> String {
      do {
        let text = "subject(\(subject)) test('t', function(app) print(app.title) end)"
        let file = try ScriptTestFile(text: text, name: "\(folder.path)/in/x_test.lua")
        return file.run(file.tests[0]).output.printed.joined()
      } catch {
        return "\(error.failure.message)"
      }
    }
    let path = folder.path
    for (subject, expected) in [
      ("'x.lua'", "X"), ("'./x.lua'", "X"), ("'.'", "Folder"), ("'deep/y.lua'", "Y"), ("'x.lua', {}", "X"),
      ("'x.lua', { plugins = {} }", "X"),
      ("'../out.lua'", "a subject must be beside its test file, as in \"photos.lua\", not at '../out.lua'"),
      ("'/etc/passwd'", "a subject must be beside its test file, as in \"photos.lua\", not at '/etc/passwd'"),
      ("'link.lua'", "a subject must be beside its test file, but 'link.lua' leads out of its folder"),
      ("'y.lua'", "can't read '\(path)/in/y.lua': No such file or directory; did you mean 'x.lua'?"),
      ("'deep'", "can't read '\(path)/in/deep/app.lua': No such file or directory"),
      ("'bad.lua'", "'end' expected (to close 'function' at line 1) near <eof>"),
      ("''", "a subject must be beside its test file, as in \"photos.lua\", not at ''"),
      ("1", "the path of a subject must be a string, not a number"),
      ("'x.lua', { plugin = {} }", "subject has no option 'plugin'; did you mean 'plugins'?"),
      ("'x.lua', { plugins = { 'p' } }", "can't read '\(path)/in/p': No such file or directory"),
      (
        "'x.lua', { plugins = { '../out.lua' } }",
        "a plugin must be beside its test file, as in \"photos.lua\", not at '../out.lua'"
      ),
    ] {
      expect(title(subject), is: expected, "\(subject)")
    }
    expect(
      title("'x.lua') subject('x.lua'").hasPrefix("there is a subject already"))
    expect(title("'x.lua') pcall(subject, 'bad.lua'").hasPrefix("X"))
    let caught = try #require(throws: LoadError.self) {
      try ScriptTestFile(text: "pcall(subject, 'bad.lua')", name: "\(path)/in/x_test.lua")
    }
    expect(caught.failure.message.hasPrefix("'end' expected"), "a subject that does not load is never overlooked")
  }

  @Test(
    "A subject in another folder requires its modules from there, early and late; a test file requires its own"
  )
  func modulesOfSubjects() throws {
    let folder = try TemporaryScripts([
      "app/app.lua": """
      local words = require "lib.words"
      function app.on:early() return words.here end
      function app.on:late() return require("lib.late").here end
      """,
      "app/lib/words.lua": "return { here = 'app, ' .. require('lib.deep') }", "app/lib/deep.lua": "return 'deep'",
      "app/lib/late.lua": "return { here = 'late, ' .. require('lib.deep') }",
      "tests/lib/words.lua": "return { here = 'tests, ' .. require('lib.deep') }",
      "tests/lib/deep.lua": "return 'deep in tests'", "tests/lib/late.lua": "error('this is not the app')",
    ])
    func printed(by name: String, of subject: String, _ more: String = "") throws -> [String] {
      let text = """
        subject "\(subject)"
        test("t", function(app) print(app:perform("early").result, app:perform("late").result) \(more) end)
        """
      let file = try ScriptTestFile(bytes: Array(text.utf8), name: "\(folder.path)/\(name)", below: folder.path)
      let result = file.run(file.tests[0])
      expect(result.failures.isEmpty, "\(result)")
      return result.output.printed
    }
    let own = "print(select(2, pcall(require, 'lib.words')).here)"
    try expect(
      printed(by: "tests/x_test.lua", of: "../app", own), is: ["app, deep\tlate, deep", "tests, deep in tests"])
    try expect(printed(by: "x_test.lua", of: "app"), is: ["app, deep\tlate, deep"])
    try expect(printed(by: "app/x_test.lua", of: "app.lua", own), is: ["app, deep\tlate, deep", "app, deep"])
  }

  @Test(
    "S2: If tests run from a folder above, a subject may be any script below that folder, and nothing else"
  )
  func subjectsBelowTheRoot() throws {
    let folder = try TemporaryScripts([
      "top/in/x.lua": "app.title = 'X'", "top/app/app.lua": "app.title = 'App'", "top/notes.txt": "secret",
      "out.lua": "",
      "top/in/p/plugin.lua": "plugin { name = 'p', version = '1' }",
    ])
    let top = "\(folder.path)/top"
    symlink("\(folder.path)/out.lua", "\(top)/link.lua")
    defer { unlink("\(top)/link.lua") }
    func said(_ subject: String) -> String {
      do {
        let text = Array("subject(\(subject)) test('t', function(app) print(app.title, #app:plugins()) end)".utf8)
        let file = try ScriptTestFile(bytes: text, name: "\(top)/in/p/x_test.lua", below: top)
        return file.run(file.tests[0]).output.printed.joined()
      } catch {
        return "\(error.failure.message)"
      }
    }
    func nothing(_ path: String) -> String {
      "'\(path)' leads out of the folder in which the tests run"
    }
    for (subject, expected) in [
      ("'../../app'", "App\t0"), ("'../x.lua', { plugins = { '.' } }", "X\t1"),
      ("'../x.lua', { plugins = { '../p' } }", "X\t1"),
      // The error doesn't show whether a file exists elsewhere.
      ("'../../../out.lua'", nothing("../../../out.lua")), ("'../../../none.lua'", nothing("../../../none.lua")),
      ("'../../notes.txt'", nothing("../../notes.txt")), ("'../../link.lua'", nothing("../../link.lua")),
      ("'\(top)/app'", "a subject must be beside its test file, as in \"photos.lua\", not at '\(top)/app'"),
      ("'../x.lua', { plugins = { '../../../p' } }", nothing("../../../p")),
    ] {
      expect(said(subject), is: expected, "\(subject)")
    }
  }

  @Test("S4a: Each test has its allowance; spending it ends that test, and nothing catches it")
  func allowance() throws {
    let limits = HostLimits(
      memory: 4 << 20, perform: .milliseconds(100), test: .milliseconds(1500, instructions: 1_000_000_000_000))
    let file = try ScriptTestFile(
      text: """
        test("spins", function() while true do pcall(function() while true do end end) end end)
        test("fills", function() local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end end)
        test("an action that spins", function(app)
          function app.on:spin() while true do end end
          expect(app:perform("spin").error.limit):is("time")
        end)
        """, name: "x_test.lua", limits: limits)
    let all = file.tests.map { file.run($0) }
    expect(all.map(\.status), is: [.failed, .failed, .passed], "\(lines(all))")
    expect(all.map(\.limit), is: [.time, .memory, nil])
    let brief = try ScriptTestFile(
      text: "test('spins', function() while true do end end)", name: "x_test.lua",
      limits: HostLimits(test: .milliseconds(60_000, instructions: 1_000_000)))
    expect(brief.run(brief.tests[0]).limit, is: .instructions)
  }

  // Each question fails then. The host once asked one behind the last, which doesn't exist.
  @Test("Drawing menus when a test has spent everything leaves the host intact")
  func nothingLeft() throws {
    let file = try ScriptTestFile(
      text: """
        menubar { menu "M" { item "No" { "no" }, item "Never" { "never" } } }
        function app.on:no() end
        function app.can:no() return false, "never" end
        function app.on:never() end
        function app.can:never() return false, "never" end
        function app.on:spend() while true do end end
        test("spends", function()
          listen("menu", function() end)
          app:menu()
          app:perform("spend")
        end)
        test("goes on", function() expect(app:item("M/No").reason):is("never") end)
        """, name: "x_test.lua", limits: HostLimits(test: .milliseconds(10_000, instructions: 1_000_000)))
    let all = file.tests.map { file.run($0) }
    expect(all.map(\.limit), is: [.instructions, nil])
    expect(all.map(\.status), is: [.failed, .passed])
  }

  @Test("T5: A test has its own clock: a waiting perform moves it by itself, app:advance otherwise")
  func time() throws {
    let text = """
      function app.on:rest(ctx) sleep(ctx.hours * 3600) return "rested" end
      test("waits", function(app) expect(app:perform("rest(hours: 100)").result):is("rested") end)
      test("advances", function(app)
        local started = app:perform("rest(hours: 1)", nil, { wait = false })
        expect(started.status):is("running")
        expect(app:validate("rest").reason):is("running")
        app:advance(3599)
        expect(#app:jobs()):is(1)
        app:advance(1)
        expect(#app:jobs()):is(0)
      end)
      """
    let all = try results(text)
    expect(lines(all), is: ["waits: passed", "advances: passed"])
    expect(all.allSatisfy { $0.seconds < 5 })
  }

  @Test("T6: A test and before_each may wait; a group and a file may not")
  func waiting() throws {
    let text = """
      before_each(function() sleep(1) end)
      test("waits", function() sleep(3600) expect(function() sleep(1) end):isnt(nil) end)
      """
    try expect(lines(results(text)), is: ["waits: passed"])
    try expect(loadError("describe('x', function() sleep(1) end)").hasPrefix("x_test.lua:1: "))
  }

  @Test("T6: A plugin that a test loads can't wait while it loads")
  func loadingPlugin() throws {
    let plugin = "plugin { name = 'NAME', version = '1.0.0' }"
    let test = """
      subject "app.lua"
      test("loads", function(app)
        sleep(1)
        expect(app:load_plugin("p.lua")):is(false)
        expect(app:load_plugin("q.lua")):is_true()
        sleep(1)
      end)
      """
    let stage = try PluginStage([
      "p.lua": plugin.replacing("NAME", with: "p") + " sleep(1)", "q.lua": plugin.replacing("NAME", with: "q"),
      "app.lua": "app.name = 'a'", "a_test.lua": test,
    ])
    let file = try ScriptTestFile(path: "\(stage.path)/a_test.lua")
    expect(lines(file.tests.map { file.run($0) }), is: ["loads: passed"])
  }

  @Test("A file that registers other tests the second time is an error")
  func changing() throws {
    let text = """
      test("a" .. app.settings.n, function() end)
      test("b", function() end)
      """
    let runs = Counter()
    let file = try ScriptTestFile(text: text, name: "x_test.lua") { host in
      host.settings = ["n": .integer(runs.next())]
    }
    expect(
      lines([file.run(file.tests[0])]),
      is: [
        "a1: failed: x_test.lua:1: the file registers other tests each time it loads, and this one is missing now"
      ])
  }

  @Test("Tests find the actions that a program adds to every host")
  func prepared() throws {
    let file = try ScriptTestFile(
      text: "test('t', function(app) expect(app:perform('native').result):is(7) end)", name: "x_test.lua"
    ) { host in host.on("native") { _ in .integer(7) } }
    expect(lines([file.run(file.tests[0])]), is: ["t: passed"])
  }

  @Test("A result has the printed, logged and reported lines, up to a limit")
  func output() throws {
    let all = try results(
      """
      test("says", function(app)
        print("a", 1) log("warn", "b") log("debug", "c")
        function app.on:x() end function app.can:x() error("d") end
        app:validate("x")
      end)
      test("says much", function() for i = 1, 20000 do print(("x"):rep(50)) end end)
      """)
    expect(all[0].output.printed, is: ["a\t1"])
    expect(all[0].output.log.map(\.text), is: ["b", "c"])
    expect(all[0].output.diagnostics.map(\.message), is: ["d"])
    expect(all[1].output.printed.count + all[1].output.leftOut == 20000 && all[1].output.leftOut > 10000)
  }

  @Test("A failure in a helper function names its callers, up to the test")
  func callers() throws {
    let all = try results(
      """
      local function inner(x) expect(x):is(1) end
      local function outer(x)
        inner(x)
      end
      test("t", function()
        outer(2)
      end)
      """)
    expect(all[0].failures[0].failure.place, is: Place(file: "x_test.lua", line: 1, column: 35))
    expect(all[0].failures[0].callers.map(\.line), is: [3, 6])
  }
}

/// Counts from 1.
private final class Counter: @unchecked Sendable {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// A folder with scripts, deleted at the end.
private final class TemporaryScripts {
  let path: String
  private let files: [String]

  init(_ scripts: [String: String]) throws {
    let template = try require(strdup("/tmp/menuctl-subjects-XXXXXX"))
    defer { free(template) }
    try require(mkdtemp(template) != nil)
    path = String(cString: template)
    files = scripts.keys.sorted()
    for name in files {
      let parts = name.split(separator: "/").dropLast()
      for count in parts.indices { mkdir("\(path)/\(parts[...count].joined(separator: "/"))", 0o755) }
      let file = try require(fopen("\(path)/\(name)", "w"))
      fputs(scripts[name] ?? "", file)
      fclose(file)
    }
  }

  deinit {
    for name in files {
      unlink("\(path)/\(name)")
      var parts = name.split(separator: "/").dropLast()
      while !parts.isEmpty {
        rmdir("\(path)/\(parts.joined(separator: "/"))")
        parts = parts.dropLast()
      }
    }
    rmdir(path)
  }
}
