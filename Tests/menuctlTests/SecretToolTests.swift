import Expectations
import Glibc
import Testing

// A7: no verb shows a secret, and no recording has one, from any source.

private let app = """
  app.takes.login = { user = "string", pw = { "string", secret = true } }
  function app.on:login(ctx)
    if ctx.pw == "wrong" then error("no " .. ctx.pw, 0) end
    if ctx.pw == "poor" then ctx:refuse("poor " .. ctx.pw) end
    ctx:undo("Log in with " .. ctx.pw, function() end)
    app.last = ctx.pw
    return "in with " .. ctx.pw
  end
  function app.look:last() return { subtitle = app.last } end
  function app.on:last() end
  menubar { menu "M" { item "Log in" { "login(user: a, pw: xyzzy)", key = "ctrl+l" }, item "Last" { "last" },
    item "Wrong" { "login", args = { user = "a", pw = "wrong" } } } }
  app.keys = { p = "login(user: b, pw: xyzzy)" }
  """

@Test(
  "A7: No verb shows what is secret in a reference, an item or a key, as text or as JSON",
  arguments: [
    ["load"], ["menu"], ["keys"], ["validate"], ["validate", "login(user: a, pw: xyzzy)"], ["validate", "M/Log in"],
    ["context", "login(user: a, pw: xyzzy)"], ["context", "M/Log in"], ["why", "login(user: a, pw: xyzzy)"],
    ["why", "M/Log in"], ["why", "p"], ["chain", "login(user: a, pw: xyzzy)"], ["actions"],
    ["actions", "login(user: a, pw: xyzzy)"], ["check"], ["stubs"],
  ], [false, true])
func secretsShown(_ words: [String], _ isJSON: Bool) throws {
  if isJSON, words == ["stubs"] { return }
  let call = [words[0], "-"] + words.dropFirst() + (isJSON ? ["--json"] : [])
  let run = try Program.menuctl(call, stdin: app)
  expect(!run.out.contains("xyzzy") && !run.err.contains("xyzzy") && run.status < 64, "\(run)")
}

@Test(
  "A7: An outcome is recorded without secrets, replays equal, and makes a test that passes",
  arguments: [
    (["--perform", "login(user: a, pw: xyzzy)"], "xyzzy"), (["--pick", "M/Log in"], "xyzzy"),
    (["--press", "p"], "xyzzy"), (["--pick", "M/Wrong"], "wrong"), (["--perform", "login(user: a, pw: poor)"], "poor"),
    (["--eval", "app:perform(\"login(user: a, pw: xyzzy)\").result"], "xyzzy"),
    (["--eval", "app:perform('login', { user = 'a', pw = 'xyzzy' }).result"], "xyzzy"),
    (["--eval", "app:context('login(user: a, pw: xyzzy)').pw"], "xyzzy"),
  ])
func secretsRecorded(_ words: [String], _ secret: String) throws {
  let folder = try ScriptFolder(["app.lua": app])
  let recorded = try Program.menuctl(["record", "app.lua"] + words + ["--perform", "last"], folder: folder.path)
  expect(!recorded.out.contains(secret) && !recorded.out.isEmpty, "\(recorded)")
  try folder.write("x.jsonl", recorded.out)
  // The replay asks for a person's secret, which nobody answers here. A secret in the app is there again.
  if words[0] == "--pick" || words[0] == "--press" {
    let replayed = try Program.menuctl(["replay", "x.jsonl"], folder: folder.path)
    expect(replayed.status, is: 0, "\(replayed)\n\(recorded.out)")
  }
  let made = try Program.menuctl(
    ["record", "app.lua", "--as-test"] + words + ["--perform", "last"], folder: folder.path)
  expect(!made.out.contains(secret), "\(made)")
  if words[0] != "--eval", secret != "poor" {
    expect(made.status, is: 0, "\(made)")
    try folder.write("app_test.lua", made.out)
    let tested = try Program.menuctl(["test", "app_test.lua"], folder: folder.path)
    expect(tested.status, is: 0, "\(tested)\n\(made.out)")
  }
}

@Test("A7: A recording of a live app contains no secret, from any client")
func secretsOfLiveApp() throws {
  let live = try LiveApp([
    "app.lua": """
    app.takes.login = { user = "string", pw = { "string", secret = true } }
    function app.confirm:login(ctx) return "with " .. ctx.pw end
    function app.on:login(ctx)
      if ctx.pw == "poor-xyzzy" then ctx:refuse("poor " .. ctx.pw) end
      ctx:undo("Log in with " .. ctx.pw, function() end)
      return "in with " .. ctx.pw
    end
    """
  ])
  let recorder = try live.start(["record", "@app", "--output", "r.jsonl"])
  try expect(live.wait(for: ["sessions", "--json"]) { $0.out.contains(#""clients": 1"#) })
  // The recorder gets outcomes once it has subscribed.
  usleep(300_000)
  for words in [
    ["perform", "@app", "login(user: a, pw: xyzzy)"], ["perform", "@app", "login(user: a, pw: xyzzy)", "--yes"],
    ["perform", "@app", "login(user: a, pw: poor-xyzzy)", "--yes"],
    ["load", "@app", "--eval", "app:perform('login', { user = 'a', pw = 'xyzzy' }).result"],
  ] { _ = try live.ask(words) }
  kill(recorder.id, SIGINT)
  let run = recorder.finish()
  let recorded = try Program.shell("sh", "cat '\(live.folder.path)/r.jsonl'").out
  expect(run.status == 0 && !recorded.contains("xyzzy"), "\(recorded)")
  for unsaid in [#""confirm": {"$": "secret"}"#, #""result": {"$": "secret"}"#] {
    expect(recorded.contains(unsaid), "\(recorded)")
  }
  expect(recorded.contains("app:perform('login'"), "of a line the rest is to be seen")
  live.end()
}

@Suite(.enabled(if: Terminal.isPossible, "there are no terminals here"))
struct SecretHistoryTests {
  @Test("A7: A replay asks for a secret once for a question and its answer, and again for the next")
  func replaying() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.takes.login = { pw = { "string", secret = true } }
      function app.confirm:login() return "Sure?" end
      function app.on:login(ctx) return #ctx.pw end
      """
    ])
    func lines(_ words: [String]) throws -> [String] {
      let words = ["record", "app.lua", "--perform", "login(pw: xyzzy)"] + words
      return try Program.menuctl(words, folder: folder.path).out.split(separator: "\n").map(String.init)
    }
    let (asked, done) = (try lines([]), try lines(["--yes"]))
    expect(asked.count == 2 && done.count == 3 && asked[..<2] == done[..<2], "\(asked) \(done)")
    let steps = [done[0], done[1], done[2], done[1], done[2]]
    try folder.write("r.jsonl", steps.map { $0 + "\n" }.joined())
    let terminal = try Terminal(
      ["replay", "\(folder.path)/r.jsonl", "\(folder.path)/app.lua"], columns: 100, rows: 20)
    for count in 1...2 {
      expect(
        terminal.waits { $0.text.matches(of: /which is missing from the recording/).count == count },
        "\(terminal.screen.text)")
      terminal.type("xyzzy\r")
    }
    expect(terminal.finish(), is: 0, "\(terminal.screen.text)")
    expect(terminal.screen.text.contains("4 steps, all as recorded"), "\(terminal.screen.text)")
  }

  @Test("A7: A replay asks for a secret URL, and without a person prints that nobody can answer")
  func replayingURL() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.takes.openURL = { url = { "string", secret = true } }
      function app.on:openURL(ctx) return #ctx.url .. " of " .. ctx.url end
      """,
      "r.jsonl": """
      {"menuctl": 1, "recording": 1, "source": "app.lua", "settings": {}}
      {"do": {"open": {"$": "secret"}}, "status": "handled", "by": "app", "via": "on", \
      "result": {"$": "secret"}, "changes": []}

      """,
    ])
    let words = ["replay", "\(folder.path)/r.jsonl", "\(folder.path)/app.lua"]
    let terminal = try Terminal(words, columns: 100, rows: 20)
    expect(terminal.waits { $0.text.contains("url, which is missing from the recording") }, "\(terminal.screen.text)")
    terminal.type("harbour://7\r")
    expect(terminal.finish(), is: 0, "\(terminal.screen.text)")
    expect(terminal.screen.text.contains("1 step, all as recorded"), "\(terminal.screen.text)")
    let alone = try Program.menuctl(words)
    expect(alone.status == 1 && alone.err == "help: there is no terminal to ask on\n", "\(alone)")
  }

  @Test("A7: The history has references without secrets, and no line with a secret in another form")
  func history() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.takes.login = { user = "string", pw = { "string", secret = true } }
      function app.on:login(ctx) return #ctx.pw end
      """
    ])
    let state = try ReplTerminalTests.State()
    let person = try ReplTerminalTests.Person(["\(folder.path)/app.lua"], state: state, columns: 100, rows: 30)
    person.see(">")
    person.type(":perform login(user: a, pw: xyzzy)\r", untilEndsWith: "→ 5\n>")
    person.type(":validate \"login(user: a, pw: xyzzy)\"\r", untilEndsWith: "enabled by app\n>")
    person.type("app:perform('login', { user = 'a', pw = 'xyzzy' }).status\r", untilEndsWith: "\"handled\"\n>")
    person.type(":perform login --arg user=a --arg pw=xyzzy\r", untilEndsWith: "→ 5\n>")
    person.type(":perform login(user: a, pw: xyzzy\r", untilEndsWith: "^\n>")
    person.type("20 + 1\r", untilEndsWith: "\n21\n>")
    person.leave()
    let masked = #"login(user: a, pw: {"$": secret})"#
    expect(state.history, is: ":perform \(masked)\n:validate \(masked)\n20 + 1\n")
  }
}
