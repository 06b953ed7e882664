import Expectations
import Testing

@Test("A script that spends a limit ends with 75, and the error names the limit and the line")
func limits() throws {
  let spin = try Program.menuctl(["perform", "-", "spin"], stdin: "function app.on:spin()\n  while true do end\nend\n")
  expect(spin.status, is: 75)
  // The machine's speed decides which of the two is spent first.
  let spent = [
    "the limit of 200000000 instructions is spent: does a loop never end?",
    "the limit of 1 s is spent: does a loop never end?",
  ]
  expect(spent.contains { spin.out == "failed in app: \($0)\n" }, "\(spin)")
  expect(spent.contains { spin.err == "stdin:2: error: \($0)\n    while true do end\n\(limitHelp)" }, "\(spin)")

  let load = try Program.menuctl(["load", "-"], stdin: "while true do end")
  expect(load.status == 75 && load.out.isEmpty, "\(load)")

  let fill = "function app.on:fill() local all = {} while true do all[#all + 1] = ('x'):rep(100000) .. #all end end"
  let memory = try Program.menuctl(["perform", "-", "fill"], stdin: fill)
  expect(memory.status, is: 75, "\(memory)")
}

private let limitHelp =
  "help: '--timeout S', '--budget N' and '--memory MB' set other limits; 'menuctl help limits' has more\n"

@Test("--timeout, --budget and --memory set a script's limits; --set adds to app.settings")
func limitsOfOnesOwn() throws {
  let spin = "function app.on:spin()\n  while true do end\nend\n"
  let timeout = try Program.menuctl(["perform", "-", "spin", "--timeout", "0.05"], stdin: spin)
  expect(
    timeout.status == 75
      && timeout.out == "failed in app: the limit of 0.05 s is spent: does a loop never end?\n",
    "\(timeout)")
  let budget = try Program.menuctl(["perform", "-", "spin", "--budget", "100000"], stdin: spin)
  expect(
    budget.status == 75
      && budget.out == "failed in app: the limit of 100000 instructions is spent: does a loop never end?\n",
    "\(budget)")
  let fill =
    "function app.on:fill() local all = {} for i = 1, 40 do all[i] = ('x'):rep(100000) .. i end return #all end"
  try expect(Program.menuctl(["perform", "-", "fill"], stdin: fill).status, is: 0)
  try expect(Program.menuctl(["perform", "-", "fill", "--memory", "2"], stdin: fill).status, is: 75)

  let show = "function app.on:show() return app.settings end function app.on:set() app.settings = 1 end"
  let settings = try Program.menuctl(
    ["perform", "-", "show", "--set", "n=1", "--set", "list=[1, x]", "--set", "text=hello world"], stdin: show)
  expect(settings.out, is: "handled by app → {list: [1, \"x\"], n: 1, text: \"hello world\"}\n", "\(settings)")
  let set = try Program.menuctl(["perform", "-", "set"], stdin: show)
  expect(
    set.status == 70 && set.out == "failed in app: 'settings' belongs to the host and can't be assigned\n", "\(set)")
}

@Test("N8: --source sets the size of scripts and of code that they load; the stack grows with it")
func sourceLimits() throws {
  let long =
    "-- " + String(repeating: "x", count: 200 << 10)
    + "\nfunction app.on:load() return load((' '):rep(100000)) ~= nil end\n"
  let refused = try Program.menuctl(["perform", "-", "load"], stdin: long)
  let sentence =
    "the script has \(long.utf8.count) bytes, and can have 131072 at most; 'menuctl --source KB' allows more"
  expect(refused.status != 0 && (refused.out + refused.err).contains(sentence), "\(refused)")
  let huge = "-- " + String(repeating: "x", count: 1 << 20)
  let tooLong = try Program.menuctl(["load", "-", "--source", "1024"], stdin: huge)
  expect((tooLong.out + tooLong.err).contains("the script has more than 1048576 bytes"), "\(tooLong)")
  let taken = try Program.menuctl(["perform", "-", "load", "--source", "256"], stdin: long)
  expect(taken.status == 0 && taken.out == "handled by app → true\n", "\(taken)")
  let usage = try Program.menuctl(["perform", "-", "load", "--source", "4096"], stdin: long)
  expect(usage.status == 64 && usage.err.contains("1024 at most"), "\(usage)")
}

@Test("Colour depends on --color, then NO_COLOR, CLICOLOR_FORCE and TERM, then on the terminal")
func colours() throws {
  let script = "function app.on:x() end"
  for (words, environment, isColoured) in [
    ([], [:], false), (["--color", "always"], ["NO_COLOR": "1"], true), ([], ["CLICOLOR_FORCE": "1"], true),
    ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (["--color=never"], ["CLICOLOR_FORCE": "1"], false),
    ([], ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true), ([], ["TERM": "dumb"], false),
  ] as [([String], [String: String], Bool)] {
    let run = try Program.menuctl(["load", "-"] + words, stdin: script, environment: environment)
    expect(run.out.contains("\u{1B}[32m✓\u{1B}[0m x"), is: isColoured, "\(words) \(environment): \(run)")
  }
}

@Test("S4: Values of scripts are shown up to the limit of print: a text counts in every place")
func shownSizes() throws {
  let script = """
    local text, list = ("\\1"):rep(100000), {}
    for i = 1, 60 do list[i] = text end
    function app.on:big() return list end
    function app:provide(ctx) for i = 10, 69 do ctx["k" .. i] = text end end
    """
  let result = try Program.menuctl(["perform", "-", "big", "--json"], stdin: script)
  expect(result.status == 0 && result.out.contains(#""result": {"$": "too large"}"#))
  let context = try Program.menuctl(["context", "-", "--json"], stdin: script)
  expect(context.status == 0 && context.out.contains(#""k19": {"value": "\u0001"#))
  expect(context.out.contains(#""k69": {"value": {"$": "too large"}"#) && context.out.utf8.count < 7 << 20)
  let item = #"menubar { menu "M" { item "I" { "big", args = { list = LIST, short = { "x" } } } } }"#
  let menu = try Program.menuctl(
    ["menu", "-", "--json"], stdin: item.replacing("LIST", with: #"{ ("\1"):rep(1000000) }"#))
  expect(menu.out.contains(##""args": {"list": {"$": "too large"}, "short": ["x"]}"##), "\(menu.out)")
  let refused = try Program.menuctl(
    ["menu", "-", "--json"], stdin: item.replacing("LIST", with: #"("\1"):rep(70000)"#))
  expect(refused.status != 0 && refused.out.contains("the args of item 'I' have texts of more than 65536 bytes"))
}

@Test(
  "S4: An app without menus, whose actions never finish validating, is shown in one allowance, with the script named"
)
func endlessActions() throws {
  let script = (1...40).map { "app.on.a\($0) = print function app.can:a\($0)() while true do end end\n" }.joined()
  let run = try Program.menuctl(["load", "-"], stdin: script)
  expect(run.status == 0 && run.out.contains("\n40 actions, 0 can be done now, "), "\(run)")
  let named = run.err.split(separator: "\n").filter { $0.hasPrefix("stdin:") && $0.contains("spent") }
  expect(named.first?.hasPrefix("stdin:1: error: ") == true && (1..<40).contains(named.count), "\(run)")
}

@Test("S4: A file of 300 endless tests ends after a few of them, which are named")
func endlessTests() throws {
  let tests = (1...300).map { "test('t\($0)', function() while true do end end)\n" }.joined()
  let folder = try ScriptFolder(["a_test.lua": tests])
  let words = ["test", "--budget", "200000", "--jobs", "2", "--color", "never"]
  let run = try Program.menuctl(words, folder: folder.path)
  let named = run.out.split(separator: "\n").filter { $0.hasPrefix("  ✗ t") }
  expect(run.status == 75 && (5...6).contains(named.count), "\(run)")
  expect(named.first == "  ✗ t1" && run.out.contains(" failed, \(300 - named.count) not run\n"), "\(run)")
  expect(
    run.out.contains("\n\n5 tests spent their limits, so the run ends; to give each less time: --timeout S\n"))
  let tap = try Program.menuctl(words + ["--reporter", "tap"], folder: folder.path)
  expect(tap.out.hasSuffix("Bail out! 5 tests spent their limits\n"))
  // Other failures cost little, and all of them are useful.
  let failing = try ScriptFolder([
    "a_test.lua": (1...40).map { "test('t\($0)', function() error('no') end)\n" }.joined()
  ])
  try expect(Program.menuctl(words, folder: failing.path).out.hasSuffix("\n0 passed, 40 failed\n"))
}

@Test(
  "S4: Many endless steps in one call end after a few: load, record, and replay of the recording")
func endlessSteps() throws {
  let script = "function app.on:spin() while true do end end function app.on:go() end"
  let folder = try ScriptFolder(["app.lua": script])
  func run(_ words: [String]) throws -> Run {
    try Program.menuctl(words + ["--budget", "200000"], folder: folder.path)
  }
  let deeds = Array(repeating: ["--perform", "spin"], count: 300).flatMap(\.self)
  let help = "help: 5 of these spent their limits, so the rest was not performed\n"
  let load = try run(["load", "app.lua", "--perform", "go"] + deeds)
  expect(load.status == 75 && load.err.contains(help), "\(load)")
  expect(load.out.split(separator: "\n").filter { $0.hasPrefix("spin: failed in app: ") }.count, is: 5)
  let record = try run(["record", "app.lua", "--output", "r.jsonl"] + deeds)
  expect(record.err.hasSuffix(help), "\(record)")
  let step = try folder.text("r.jsonl").split(separator: "\n").last.map(String.init) ?? ""
  try expect(folder.text("r.jsonl").split(separator: "\n").count, is: 6)
  try expect(run(["replay", "r.jsonl"]).out, is: "5 steps, all as recorded\n")
  let header = #"{"menuctl": 1, "recording": 1, "source": "app.lua", "settings": {}}"#
  let many = try ScriptFolder([
    "app.lua": script, "r.jsonl": ([header] + Array(repeating: step, count: 300)).joined(separator: "\n") + "\n",
  ])
  let replay = try Program.menuctl(["replay", "r.jsonl", "--budget", "200000"], folder: many.path)
  expect(
    replay,
    is: Run(
      status: 75, out: "ended after 5 of 300 steps, all as recorded: 5 of them spent their limits\n", err: ""))
}

@Test(
  "S4: A 'can' that never ends stops a call after a few steps too, performed or picked, with 75"
)
func endlessQuestions() throws {
  let folder = try ScriptFolder([
    "app.lua": """
    menubar { menu "M" { item "Spin" { "spin" } } }
    function app.on:spin() end
    function app.can:spin() while true do end end
    """
  ])
  let help = "help: 5 of these spent their limits, so the rest was not performed\n"
  for words in [["--perform", "spin"], ["--pick", "M/Spin"]] {
    let deeds = Array(repeating: words, count: 300).flatMap(\.self)
    let run = try Program.menuctl(["load", "app.lua", "--budget", "200000"] + deeds, folder: folder.path)
    expect(run.status == 75 && run.err.contains(help), "\(run)")
  }
}
