import Expectations
import Testing

@Suite("Answers of verbs")
struct AnswerTests {
  private static let app = """
    menubar {
      menu "Edit" {
        item "Clear" { "clear" }, item "Secret" { "secret", hidden = true },
        menu "More" { hidden = true, item "Rest" { "rest" } },
      },
      menu "Debug" { hidden = true, item "Dump" { "dump" } },
    }
    function app.on:clear() end
    """

  @Test("'validate' without names lists all actions, so '--json' is ok; with names a disabled one is a no")
  func validate() throws {
    let all = try Program.menuctl(["validate", "-", "--json"], stdin: Self.app)
    expect(
      all.status == 0 && all.out.hasPrefix(#"{"menuctl": 1, "ok": true, "#) && all.out.contains(#""enabled": false"#))
    let named = try Program.menuctl(["validate", "-", "Edit/Secret", "--json"], stdin: Self.app)
    expect(named.status == 1 && named.out.hasPrefix(#"{"menuctl": 1, "ok": false, "#), "\(named)")
  }

  @Test(
    "'menu' shows the visible elements, and hidden ones only by name; 'load' shows everything",
    arguments: [
      ([], "Edit\n  ✓   Clear  clear\n"),
      (["Edit/Secret"], "✗   Secret  secret  nobody handles 'secret'  hidden  #Edit/Secret\n"),
      (["Debug"], "Debug  hidden\n  ✗   Dump  dump  nobody handles 'dump'\n"),
    ])
  func hidden(_ words: [String], _ shown: String) throws {
    try ToolCase(name: "menu", words: ["menu", "-"] + words, script: Self.app, out: shown).check()
    let load = try Program.menuctl(["load", "-"], stdin: Self.app)
    expect(
      load.out.contains("Secret") && load.out.contains("Debug  hidden\n") && load.out.contains("4 items"), "\(load)")
    let json = try Program.menuctl(["menu", "-", "--json"], stdin: Self.app)
    expect(json.out.contains(#""id": "Edit/Secret""#) && json.out.contains(#""id": "Debug""#))
  }

  @Test("A menu element has a name wherever it is shown", arguments: ["item 'X' { 'x' }", "menu 'M' {}", "separator"])
  func element(_ element: String) throws {
    let script = "function app.on:one() return \(element) end function app.on:two() return { e = \(element) } end"
    func result(_ action: String, _ options: String...) throws -> String {
      try Program.menuctl(["perform", "-", action] + options, stdin: script).out
    }
    try expect(result("one"), is: "handled by app → <element>\n")
    try expect(result("two"), is: "handled by app → {e: <element>}\n")
    try expect(result("one", "--json").contains(#""result": {"$": "element"}"#))
    try expect(result("two", "--json").contains(#""result": {"e": {"$": "element"}}"#))
  }

  @Test("Only 'load', 'check' and 'keys' report key conflicts")
  func conflicts() throws {
    let script = """
      menubar { menu "M" { item "A" { "a", key = "x" }, item "B" { "b", key = "x" } } }
      function app.on:a() end function app.on:b() end
      """
    for words in [["load", "-"], ["check", "-"], ["keys", "-"]] {
      let run = try Program.menuctl(words, stdin: script)
      expect((run.out + run.err).contains("'x' doesn't pick item 'B'"), "\(run)")
    }
    for words in [
      ["menu", "-"], ["perform", "-", "a"], ["press", "-", "x"], ["why", "-", "a"], ["validate", "-"], ["stubs", "-"],
    ] {
      let run = try Program.menuctl(words, stdin: script)
      expect(run.status == 0 && run.err == "", "\(run)")
    }
  }

  @Test("Results and errors of several lines are shown as lines")
  func lines() throws {
    let script = """
      function app.on:list() return "one\\ntwo\\n\\tthree\\n" end
      function app.on:single() return "one\\n" end
      function app.on:run() return { status = 0, out = "a\\nb\\n", err = "" } end
      function app.on:fail() error("first\\nmenuctl: error: second", 0) end
      function app.on:clear() return "a\\27[2J\\nb" end
      """
    let cases: [(String, Int32, String, String)] = [
      ("list", 0, "handled by app → <3 lines>\n  one\n  two\n  \tthree\n", ""),
      ("single", 0, "handled by app → \"one\\n\"\n", ""),
      ("run", 0, "handled by app → {err: \"\", out: <2 lines>, status: 0}\n  out:\n    a\n    b\n", ""),
      ("clear", 0, "handled by app → <2 lines>\n  a\\x1B[2J\n  b\n", ""),
      (
        "fail", 70, "failed in app: first\n  menuctl: error: second\n",
        "stdin:4: error: first\n  menuctl: error: second\n  function app.on:fail() error(\"first\\nmenuctl: error: second\"…\n"
      ),
    ]
    for (action, status, out, err) in cases {
      try ToolCase(name: action, words: ["perform", "-", action], script: script, status: status, out: out, err: err)
        .check()
    }
  }

  @Test("A section that never showed rows has none, and one that had rows keeps them")
  func sections() throws {
    let script = """
      local fails = true
      menubar { menu "M" { section "s" { items = function() if fails then error("no") end return { 1 } end, row = function(n) return item("R" .. n) { "x" } end } } }
      function app.on:work() fails = false end
      function app.on:fail() fails = true end
      """
    let never = try Program.menuctl(["menu", "-"], stdin: script)
    expect(never.err.hasPrefix("stdin:2: error: section 's' has no rows: no\n"), "\(never)")
    let later = try Program.menuctl(["load", "-", "--perform", "work", "--perform", "fail"], stdin: script)
    expect(later.err.contains("section 's' keeps its old rows: no\n"), "\(later)")
  }

  @Test("Paths are shown without redundant parts")
  func paths() throws {
    let folder = try ScriptFolder([
      "t/a_test.lua": "test('x', function(app) expect(1):is(2) end)", "t/app.lua": "x = = 1",
      "p/one.lua": "plugin { name = 'one', version = '1' }",
    ])
    let cases = [
      (["test", "././t//./"], "./t/a_test.lua\n"), (["load", "./t/."], "./t/app.lua:1: error: "),
      (["load", "t/././app.lua"], "t/app.lua:1: error: "),
      (["plugin", "list", "--plugins", "./p/.//"], "one 1.0.0  ./p/one.lua\n"),
      (["plugin", "info", "./p/./one.lua"], "one 1.0.0  ./p/one.lua\n"),
    ]
    for (words, shown) in cases {
      let run = try Program.menuctl(
        words, environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
      expect((run.out + run.err).hasPrefix(shown), "\(words): \(run)")
      expect(!(run.out + run.err).contains("/./"), "\(words): \(run)")
    }
  }

  @Test("A script that begins with '#!/usr/bin/env -S menuctl load' runs as a program, as the docs promise")
  func shebang() throws {
    let folder = try ScriptFolder([
      "app": "#!/usr/bin/env -S menuctl load\napp.title = \"Own\"\nfunction app.on:x() end\n"
    ])
    let run = try Program.shell(
      "sh", "chmod +x \(folder.path)/app; cd \(folder.path); PATH=\(Program.folder):$PATH ./app --perform x")
    expect(run.status == 0 && run.err == "" && run.out.hasPrefix("x: handled by app\n\nOwn (./app)\n"), "\(run)")
    try expect(Project.text("docs/tool.md").contains("#!/usr/bin/env -S menuctl load"))
  }

  @Test("A scripted test outlives the limits of its performs: its allowance is that of ten performs")
  func testLimits() throws {
    let folder = try ScriptFolder([
      "app.lua": "function app.on:spin() while true do end end function app.on:go() return 1 end",
      "endless.lua": "plugin { name = 'endless', version = '1' } while true do end",
      "a_test.lua": """
      subject "app.lua"
      test("a perform that never ends", function(app)
        for _ = 1, 3 do expect(app:perform("spin").error.limit):is("instructions") end
        expect(app:perform("go").result):is(1)
      end)
      test("a plugin that never ends", function(app)
        expect(app:load_plugin("endless.lua")):is(false)
        expect(app:perform("go").result):is(1)
      end)
      test("a test that never ends", function(app) while true do end end)
      """,
    ])
    let run = try Program.menuctl(["test", "--budget", "1000000"], folder: folder.path)
    expect(
      run.status == 75 && run.out.contains("✓ a perform that never ends")
        && run.out.contains("✓ a plugin that never ends"), "\(run)")
    expect(run.out.contains("✗ a test that never ends") && run.out.contains("2 passed, 1 failed"), "\(run)")
  }
}
