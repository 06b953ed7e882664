import Expectations
import Foundation
import Testing

@Test("menuctl test runs the tests that it finds, and shows differences with their places", arguments: runs)
func testVerb(_ testCase: TestVerbCase) throws { try testCase.check() }

@Test("Tests show that start failed, and why: a passing one too, a failing one once")
func startFailsInTests() throws {
  let folder = try ScriptFolder([
    "app.lua": "function app:start() error('no disk') end\nfunction app.on:go() return 1 end",
    "a_test.lua": """
    subject "app.lua"
    test("it goes", function(app) expect(app:perform("go").result):is(1) end)
    test("it doesn't", function(app) expect(1):is(2) end)
    """,
  ])
  let shown = try Program.menuctl(["test"], folder: folder.path).out
  expect(shown.contains("  ✓ it goes\n      start failed: app.lua:1: no disk\n"), "\(shown)")
  expect(shown.contains("      reported: app.lua:1: error: no disk\n"), "\(shown)")
  expect(shown.components(separatedBy: "no disk").count, is: 3, "\(shown)")
  let tap = try Program.menuctl(["test", "--reporter", "tap"], folder: folder.path).out
  expect(tap.contains("ok 1 - a_test.lua: it goes\n# start failed: app.lua:1: no disk\nnot ok 2"), "\(tap)")
  expect(tap.components(separatedBy: "no disk").count, is: 2, "\(tap)")
  let junit = try Program.menuctl(["test", "--reporter", "junit"], folder: folder.path).out
  expect(
    junit.contains("      <system-err>start failed: app.lua:1: no disk</system-err>\n    </testcase>"), "\(junit)")
  expect(junit.components(separatedBy: "no disk").count, is: 2, "\(junit)")
}

private let lamp = """
  local lamp = responder "lamp"
  lamp.level = 0
  function lamp.on:turn(ctx) lamp.level = ctx.to return lamp.level end
  function lamp.can:turn(ctx) return ctx.to <= 3, "it has three steps" end
  focus(lamp)
  """

/// Time enough to fill the memory first.
private let spending = isSanitized ? "4.5" : "0.9"

private let runs: [TestVerbCase] = [
  TestVerbCase(
    name: "what a builder is warned of each time is reported once",
    files: [
      "app.lua": """
      menubar { menu "M" { item "A" { "a" } } }
      function app.on:a() end
      function app.build:main(m) m:insert_last("N", item "B" { "a" }) end
      """,
      "app_test.lua": """
      subject "app.lua"
      test("built twice", function(app)
        app:menu("M") app:rebuild() app:menu("M")
        expect(app:item("M/A").title):is("B")
      end)
      """,
    ], status: 1,
    out: """
      app_test.lua
        ✗ built twice
            app_test.lua:4:33: expected "B", found "A"
                expect(app:item("M/A").title):is("B")
                                              ^
            reported: app.lua:3: warning: there is no element 'N'
            again: menuctl test app_test.lua:2

      0 passed, 1 failed

      """),
  TestVerbCase(
    name: "all passed; each has a fresh app",
    files: [
      "lamp.lua": lamp,
      "lamp_test.lua": """
      subject "lamp.lua"
      test("it turns", function(app)
        expect(app:perform("turn(to: 2)").result):is(2)
        expect(app:find("lamp").level):is(2)
      end)
      test("nothing is left of another test", function(app)
        expect(app:find("lamp").level):is(0)
        expect(app:validate("turn(to: 4)").reason):is("it has three steps")
      end)
      """,
      "inner/empty_test.lua": #"test("without a subject", function(app) expect(app:chain()):is({ "app" }) end)"#,
      "inner/.hidden/x_test.lua": "error('not run')",
      "inner/other.lua": "error('not run')",
    ],
    out: """
      inner/empty_test.lua
        ✓ without a subject

      lamp_test.lua
        ✓ it turns
        ✓ nothing is left of another test

      3 passed

      """),
  lampRun,
  TestVerbCase(
    name: "a test that never ends, one that fills the memory and one that breaks the stack fail alone",
    words: ["--timeout", spending, "--memory", "8", "--budget", "1e12"],
    files: [
      "wild_test.lua": """
      test("spins", function()
        while true do end
      end)
      test("fills", function()
        local all = {}
        while true do pcall(function() all[#all + 1] = ("x"):rep(1000000) .. #all end) end
      end)
      test("nests", function() local function f() return 1 + f() end f() end)
      test("spins in an action", function(app)
        function app.on:spin() while true do end end
        expect(app:perform("spin").error.limit):is("time")
      end)
      test("is well", function() end)
      """
    ], status: 75,
    out: """
      wild_test.lua
        ✗ spins
            wild_test.lua:2: the limit of \(spending) s is spent: does a loop never end?
                while true do end
            again: menuctl test wild_test.lua:1 --timeout \(spending) --memory 8 --budget 1e12
        ✗ fills
            wild_test.lua:6: the scripts' memory limit of 8388608 bytes is spent
                while true do pcall(function() all[#all + 1] = ("x"):rep(100…
            again: menuctl test wild_test.lua:4 --timeout \(spending) --memory 8 --budget 1e12
        ✗ nests
            wild_test.lua:8: stack overflow
              test("nests", function() local function f() return 1 + f() e…
            again: menuctl test wild_test.lua:8 --timeout \(spending) --memory 8 --budget 1e12
        ✓ spins in an action
        ✓ is well

      2 passed, 3 failed

      """),
  TestVerbCase(
    name: "a file that does not load is told, and the others run", words: ["--color", "never"],
    files: [
      "a_test.lua": "test(\"one\", function() end)\ntest(\"one\", function() end)\n",
      "b_test.lua": "subject \"lam.lua\"\n",
      "c_test.lua": "subject \"lamp.lua\"\n", "lamp.lua": "responder(\n",
      "d_test.lua": "test(\"well\", function() end)",
      "e_test.lua": "subject(\"x.lua\", { plugins = { \"rate\" } })",
    ], status: 65,
    out: """
      d_test.lua
        ✓ well

      1 passed, 4 files do not load

      """,
    err: """
      a_test.lua:2:7: error: there is a test named 'one' already (the other is at a_test.lua:1)
        test("one", function() end)
              ^
      b_test.lua:1:10: error: can't read 'lam.lua': No such file or directory; did you mean 'lamp.lua'?
        subject "lam.lua"
                 ^
      lamp.lua:2:1: error: unexpected symbol near <eof>
        
        ^
      e_test.lua:1:33: error: can't read 'rate': No such file or directory
        subject("x.lua", { plugins = { "rate" } })
                                        ^

      """),
  TestVerbCase(
    name: "what is no text is told with its file", files: ["a_test.lua": "test\u{1B}"], status: 65,
    out: "0 passed, 1 file does not load\n", err: "a_test.lua:1: error: the script is no text: byte 5 can't be in one\n"
  ),
  TestVerbCase(
    name: "no such path, a folder without tests, and a line without one", words: ["nowhere", "empty", "a_test.lua:9"],
    files: ["a_test.lua": "test('one', function()\nend)", "empty/x.lua": ""], status: 66, out: "",
    err: """
      menuctl: error: can't read 'nowhere': No such file or directory
      menuctl: error: there are no tests below 'empty': no *_test.lua
      menuctl: error: no test stands at a_test.lua:9
      the nearest is 'one' at a_test.lua:1

      """),
  TestVerbCase(
    name: "no test of that name", words: ["--filter", "two"], files: ["a_test.lua": "test('one', function() end)"],
    status: 66, out: "", err: "menuctl: error: no test has 'two' in its name\n"),
  TestVerbCase(
    name: "a file without tests", words: ["a_test.lua"], files: ["a_test.lua": ""], status: 66, out: "",
    err: "menuctl: error: there are no tests in 'a_test.lua'\n"),
  TestVerbCase(
    name: "by name, and by the lines of a test or a group", words: ["b_test.lua", "a_test.lua:5", "--filter", "e"],
    files: [
      "a_test.lua": """
      test("one", function() end)
      describe("more", function()
        test("two", function()
        end)

        test("three", function() end)
      end)
      """,
      "b_test.lua": "test('four', function() end)\ntest('five', function() end)",
    ],
    out: """
      b_test.lua
        ✓ five

      a_test.lua
        ✓ more / two
        ✓ more / three

      3 passed

      """),
  TestVerbCase(
    name: "--fail-fast stops at the first that fails", words: ["--fail-fast", "--jobs", "3"],
    files: [
      "a_test.lua": """
      test("one", function() end)
      test("two", function() error("no", 0) end)
      test("three", function() error("neither", 0) end)
      test("four", function() end)
      """
    ], status: 1,
    out: """
      a_test.lua
        ✓ one
        ✗ two
            a_test.lua:2: no
              test("two", function() error("no", 0) end)
            again: menuctl test a_test.lua:2

      1 passed, 1 failed, 2 not run

      """),
  TestVerbCase(
    name: "--shuffle has the order of its seed", words: ["--shuffle=3"],
    files: ["a_test.lua": (1...6).map { "test('\($0)', function() end)" }.joined(separator: "\n")],
    out: """
      shuffled with --shuffle=3

      a_test.lua
        ✓ 6
        ✓ 1
        ✓ 3
        ✓ 5
        ✓ 2
        ✓ 4

      6 passed

      """),
  TestVerbCase(
    name: "what can't be", words: ["--jobs", "none"], files: [:], status: 64,
    err: "menuctl: error: '--jobs none': N is a whole number from 1 on, 256 at most\n"),
  TestVerbCase(
    name: "a seed that is none", words: ["--shuffle=x"], files: [:], status: 64,
    err: "menuctl: error: '--shuffle=x': SEED is a whole number from 0 on\n"),
  TestVerbCase(
    name: "two forms", words: ["--json", "--reporter", "tap"], files: [:], status: 64,
    out: """
      {"menuctl": 1, "ok": false, "diagnostics": [{"severity": "error", "code": "usage", "message": "'--json' is '--reporter json', and there is '--reporter tap' too"}]}

      """,
    err: "menuctl: error: '--json' is '--reporter json', and there is '--reporter tap' too\n"),
]

/// Shown in docs/testing.md too.
let lampRun = TestVerbCase(
  name: "what differs, in parts",
  files: [
    "lamp.lua": lamp,
    "lamp_test.lua": """
    subject "lamp.lua"
    local function turn(app, to)
      expect(app:perform("turn", { to = to }).status):is("handled")
    end
    describe("a lamp", function()
      before_each(function(app) print("fresh") end)
      test("turns", function(app)
        expect(app:perform("turn(to: 2)")):is({ status = "handled", by = "lamps", via = "on" })
      end)
      test("turns far", function(app) turn(app, 7) end)
    end)
    test("is not there", function(app)
      print("two\\nlines")
      return app:find("lamb").level
    end)
    test("comes later", function() skip("no lamp yet") end)
    """,
  ], status: 1,
  out: """
    lamp_test.lua
      ✗ a lamp / turns
          lamp_test.lua:8:40: at .by: expected "lamps", found "lamp" (and 1 more difference)
                expect(app:perform("turn(to: 2)")):is({ status = "handled", by = "lamps", via = "on" })
                                                   ^
            .by: expected "lamps", found "lamp"
            .result: expected nil, found 2
          │ fresh
          again: menuctl test lamp_test.lua:7
      ✗ a lamp / turns far
          lamp_test.lua:3:51: expected "handled", found "disabled": it has three steps
              expect(app:perform("turn", { to = to }).status):is("handled")
                                                              ^
          called from lamp_test.lua:10
          │ fresh
          again: menuctl test lamp_test.lua:10
      ✗ is not there
          lamp_test.lua:14:19: attempt to index a nil value: there is no responder 'lamb'; did you mean 'lamp'?
              return app:find("lamb").level
                              ^
          │ two
          │ lines
          again: menuctl test lamp_test.lua:12
      - comes later  skipped: no lamp yet

    0 passed, 3 failed, 1 skipped

    """)

/// They were once skipped silently: the name with replacement characters is no file's name.
@Test("S8: A test file or folder whose name is not UTF-8 is an error, and the others run")
func unnamedTests() throws {
  let folder = try ScriptFolder(["g_test.lua": "test('good', function() end)", "in/x.lua": ""])
  let make = """
    cd \(folder.path); bad=$(printf 'a\\377'); mkdir "$bad"
    for at in "$bad" in/"$bad"; do echo "test('bad', function() error('x') end)" >"$at"_test.lua; done
    touch "$bad".txt ."$bad"_test.lua
    """
  try expect(Program.shell("sh", make).status, is: 0)
  defer {
    _ = try? Program.shell("sh", "cd \(folder.path); bad=$(printf 'a\\377'); rm -r \"$bad\"* .\"$bad\"* in/\"$bad\"*")
  }
  let run = try Program.menuctl(["test"], folder: folder.path)
  expect(run.status, is: 66)
  expect(run.out.hasSuffix("1 passed\n"), "\(run)")
  expect(
    run.err,
    is: #"""
      menuctl: error: can't read 'a\xFF': its name is not UTF-8
      menuctl: error: can't read 'a\xFF_test.lua': its name is not UTF-8
      menuctl: error: can't read 'in/a\xFF_test.lua': its name is not UTF-8

      """#)
  let json = try Program.menuctl(["test", "in", "--json"], folder: folder.path)
  expect(json.status == 66 && json.out.contains(#"can't read 'in/a\\xFF_test.lua': its name is not UTF-8"#), "\(json)")
}

@Test("Coverage counts handlers that run by 'forward' and 'super', and those that pass")
func coverageOfInnerHandlers() throws {
  let files = [
    "app.lua": """
    local page = class "page" {}
    local main, line = responder "main", responder "line" { class = "page" }
    line.next = main
    function main.on:show() return "main" end
    function line.on:show(ctx) return ctx:forward() end
    function page.on:read() return "text" end
    function line.on:read(ctx) return ctx:super() end
    function line.on:del() return pass end
    function app.on:del() return "app" end
    function app.on:never() end
    focus(line)
    """,
    "app_test.lua": """
    subject "app.lua"
    test("all", function(app)
      for action, result in pairs { show = "main", read = "text", del = "app" } do
        expect(app:perform(action).result):is(result)
      end
    end)
    """,
  ]
  let folder = try ScriptFolder(files)
  let answer = try Program.menuctl(["test", "--coverage"], folder: folder.path)
  expect(answer.out.contains("(5 of 6)"), "\(answer)")
  expect(answer.out.contains("app.on.never  never ran"), "\(answer)")
}

@Test("Coverage lists the items, handlers and reasons of a subject that no test used")
func coverage() throws {
  let files = [
    "lamp.lua": """
    menubar { menu "Lamp" {
      item "On" { "turn(to: 3)" }, item "Off" { "turn(to: 0)" }, item "Hum" { enabled = "it is old" }, item "Dim" { "dim" },
    } }
    local lamp = responder "lamp"
    lamp.needs.dim = { dimmer = "there is no dimmer" }
    function lamp.on:dim() end
    function lamp.on:turn(ctx) lamp.level = ctx.to end
    function lamp.can:turn(ctx) return ctx.to ~= lamp.level, "it is turned so" end
    function lamp.on:hum() end
    function app:unknown() end
    focus(lamp)
    """,
    "lamp_test.lua": """
    subject "lamp.lua"
    responder("helper").on.help = function() end
    test("turns on", function(app)
      expect(app:item("Lamp/On").enabled):is_true()
      expect(app:pick("Lamp/On").status):is("handled")
      expect(app:item("Lamp/On").reason):is("it is turned so")
    end)
    test("is off", function(app) expect(app:perform("turn(to: 0)").status):is("handled") app:perform("fly") end)
    """,
  ]
  try TestVerbCase(
    name: "pretty", words: ["--min-coverage", "60.5"], files: files, status: 1,
    out: """
      lamp_test.lua
        ✓ turns on
        ✓ is off

      2 passed

      coverage of lamp.lua: 43 % (7 of 16)
        item Lamp/Off   never enabled, never disabled
        item Lamp/Hum   never seen
        item Lamp/Dim   never seen
        lamp.on.dim     never ran
        lamp.on.hum     never ran
        lamp.needs.dim  never shown: there is no dimmer

      """, err: "menuctl: error: of lamp.lua 43 % was seen, and '--min-coverage' asks for 60.5 %\n"
  ).check()
  try TestVerbCase(
    name: "json", words: ["--json", "--coverage", "--filter", "off"], files: files,
    out: #"""
      {"menuctl": 1, "ok": true, "passed": 1, "failed": 0, "skipped": 0, "tests": [{"name": "is off", "file": "lamp_test.lua", "line": 8, "status": "passed", "seconds": 0}], "coverage": [{"subject": "lamp.lua", "percent": 18, "seen": 3, "total": 16, "items": [{"id": "Lamp/On", "enabled": false, "disabled": false, "performed": false}, {"id": "Lamp/Off", "enabled": false, "disabled": false, "performed": true}, {"id": "Lamp/Hum", "enabled": false, "disabled": false, "performed": false}, {"id": "Lamp/Dim", "enabled": false, "disabled": false, "performed": false}], "handlers": [{"responder": "app", "ran": true}, {"responder": "lamp", "action": "dim", "ran": false}, {"responder": "lamp", "action": "hum", "ran": false}, {"responder": "lamp", "action": "turn", "ran": true}], "reasons": [{"responder": "lamp", "action": "dim", "reason": "there is no dimmer", "shown": false}, {"responder": "lamp", "action": "turn", "shown": false}]}]}

      """#
  ).check()
}
