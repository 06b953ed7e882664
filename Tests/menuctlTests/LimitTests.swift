import Testing

@Test("A script that spends a limit ends with 75, and says which and where")
func limits() throws {
  let spin = try Program.menuctl(["perform", "-", "spin"], stdin: "function app.on:spin()\n  while true do end\nend\n")
  #expect(spin.status == 75)
  // Which of the two is spent first depends on the machine.
  let spent = [
    "the instructions that it may run, 200000000, are spent: does a loop never end?",
    "the time that it may run, 1 s, is spent: does a loop never end?",
  ]
  #expect(spent.contains { spin.out == "failed in app: \($0)\n" }, "\(spin)")
  #expect(spent.contains { spin.err == "stdin:2: error: \($0)\n    while true do end\n\(limitHelp)" }, "\(spin)")

  let load = try Program.menuctl(["load", "-"], stdin: "while true do end")
  #expect(load.status == 75 && load.out.isEmpty, "\(load)")

  let fill = "function app.on:fill() local all = {} while true do all[#all + 1] = ('x'):rep(100000) .. #all end end"
  let memory = try Program.menuctl(["perform", "-", "fill"], stdin: fill)
  #expect(memory.status == 75, "\(memory)")
}

private let limitHelp =
  "help: '--timeout S', '--budget N' and '--memory MB' set other limits; 'menuctl help limits' has more\n"

@Test("--timeout, --budget and --memory say what a script may spend; --set what it finds in app.settings")
func limitsOfOnesOwn() throws {
  let spin = "function app.on:spin()\n  while true do end\nend\n"
  let timeout = try Program.menuctl(["perform", "-", "spin", "--timeout", "0.05"], stdin: spin)
  #expect(
    timeout.status == 75
      && timeout.out == "failed in app: the time that it may run, 0.05 s, is spent: does a loop never end?\n",
    "\(timeout)")
  let budget = try Program.menuctl(["perform", "-", "spin", "--budget", "100000"], stdin: spin)
  #expect(
    budget.status == 75
      && budget.out == "failed in app: the instructions that it may run, 100000, are spent: does a loop never end?\n",
    "\(budget)")
  let fill =
    "function app.on:fill() local all = {} for i = 1, 40 do all[i] = ('x'):rep(100000) .. i end return #all end"
  #expect(try Program.menuctl(["perform", "-", "fill"], stdin: fill).status == 0)
  #expect(try Program.menuctl(["perform", "-", "fill", "--memory", "2"], stdin: fill).status == 75)

  let show = "function app.on:show() return app.settings end function app.on:set() app.settings = 1 end"
  let settings = try Program.menuctl(
    ["perform", "-", "show", "--set", "n=1", "--set", "list=[1, x]", "--set", "text=hello world"], stdin: show)
  #expect(settings.out == "handled by app → {list: [1, \"x\"], n: 1, text: \"hello world\"}\n", "\(settings)")
  let set = try Program.menuctl(["perform", "-", "set"], stdin: show)
  #expect(set.status == 70 && set.out == "failed in app: 'settings' is the host's and can't be assigned\n", "\(set)")
}

@Test("Colour is a choice: --color, then NO_COLOR, CLICOLOR_FORCE and TERM, then whether it is a terminal")
func colours() throws {
  let script = "function app.on:x() end"
  for (words, environment, isColoured) in [
    ([], [:], false), (["--color", "always"], ["NO_COLOR": "1"], true), ([], ["CLICOLOR_FORCE": "1"], true),
    ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (["--color=never"], ["CLICOLOR_FORCE": "1"], false),
    ([], ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true), ([], ["TERM": "dumb"], false),
  ] as [([String], [String: String], Bool)] {
    let run = try Program.menuctl(["load", "-"] + words, stdin: script, environment: environment)
    #expect(run.out.contains("\u{1B}[32m✓\u{1B}[0m x") == isColoured, "\(words) \(environment): \(run)")
  }
}

@Test("S4: Of what scripts made no more is shown than they may print: a text counts wherever it stands")
func shownSizes() throws {
  let script = """
    local text, list = ("\\1"):rep(100000), {}
    for i = 1, 60 do list[i] = text end
    menubar { menu "M" { item "I" { "big", args = { list = list, text = text, short = { "x" } } } } }
    function app.on:big() return list end
    function app:provide(ctx) for i = 10, 69 do ctx["k" .. i] = text end end
    """
  let result = try Program.menuctl(["perform", "-", "big", "--json"], stdin: script)
  #expect(result.status == 0 && result.out.contains(#""result": {"$": "too large"}"#))
  let context = try Program.menuctl(["context", "-", "--json"], stdin: script)
  #expect(context.status == 0 && context.out.contains(#""k19": {"value": "\u0001"#))
  #expect(context.out.contains(#""k69": {"value": {"$": "too large"}"#) && context.out.utf8.count < 7 << 20)
  let menu = try Program.menuctl(["menu", "-", "--json"], stdin: script)
  #expect(
    menu.out.contains(##""args": {"list": {"$": "too large"}, "short": ["x"], "text": {"$": "too large"}}"##),
    "\(menu.out)")
}

@Test(
  "S4: An app without menus, all of whose actions are endless to ask, is shown in one allowance, and who spent it is named"
)
func endlessActions() throws {
  let script = (1...40).map { "app.on.a\($0) = print function app.can:a\($0)() while true do end end\n" }.joined()
  let run = try Program.menuctl(["load", "-"], stdin: script)
  #expect(run.status == 0 && run.out.contains("\n40 actions, 0 can be done now, "), "\(run)")
  let named = run.err.split(separator: "\n").filter { $0.hasPrefix("stdin:") && $0.contains("spent") }
  #expect(named.first?.hasPrefix("stdin:1: error: ") == true && (1..<40).contains(named.count), "\(run)")
}
