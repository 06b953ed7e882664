import Expectations
import Testing

@testable import ScriptHost

/// Functions of texts that try to hold up the host, to fill its memory, or to change the panel meanwhile.
@Suite("Hostile texts")
struct HostileTextTests {
  static let functions = [
    "a loop that never ends": "while true do end",
    "a loop of lines that never ends": "while true do add('x') end",
    "an error that is a table": "error({})",
    "an error that is a text": "error('no')",
    "a line that is a function": "add(print)",
    "a list that holds itself": "local t = {} t[1] = t add(t)",
    "lists in lists": "local t = 'x' for i = 1, 100 do t = { t } end return t",
    "lines of a million bytes": "for i = 1, 3000 do add(('x'):rep(1000000)) end",
    "a move at each run": "app:choose(ctx.row == 'a' and 'b' or 'a') add(ctx.row)",
    "a rebuild at each run": "app:rebuild() add(ctx.row)",
    "an action at each run": "app:perform('other') add(ctx.row)",
    "a text that asks for itself": "for i = 1, 100 do app:text('t') end add(ctx.row)",
    "texts that ask for each other": "app:perform('other') app:text('u') add('x')",
    "an 'add' that is kept and called later": "kept = kept or add kept('x') after(0.01, function() kept('late') end)",
    "another panel": "pcall(panel, { text 'other' { lines = function() return 'y' end } }) add('x')",
    "a wait for ever": "add('x') sleep(1e8) add('y')",
    "a thousand waits": "for i = 1, 1000 do sleep(0.001) add('x') end",
    "a selection at each run": "add('x') app:select('t', 1) app:select('t', 1)",
    "garbage for the terminal": "add('\\27[2J\\27]0;title\\7\\r\\0\\x9b31m')",
  ]

  @Test(
    "P14, S15: No function of a text holds up the host: each ends by itself or by its limit",
    arguments: HostileTextTests.functions.keys.sorted())
  func ends(name: String) throws {
    let body = try require(Self.functions[name])
    let host = ScriptHost(
      limits: HostLimits(memory: 8 << 20, perform: .milliseconds(200)), clock: TestClock())
    try host.load(
      text: """
        panel { stack {
          pane "rows" { item "a" { "go", id = "a" }, item "b" { "go", id = "b" } },
          text "t" { of = "rows", lines = function(ctx, add) \(body) end },
          text "u" { lines = function(ctx, add) return app:text("t") end } } }
        function app.on:go() return "went" end
        function app.on:other() end
        """, name: "app.lua")
    let began = SystemClock().now
    for row in ["a", "b", "a"] {
      host.choose(row)
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10]))
      try host.advance(by: .milliseconds(50))
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10]))
    }
    for text in ["t", "u"] {
      guard let lines = try? host.lines(of: text) else { continue }
      expect(lines.count <= PaneText.most + 1)
      expect(lines.allSatisfy { $0.text.utf8.count <= PaneText.longest && !$0.text.utf8.contains(27) })
    }
    expect(host.perform("go").status, is: .handled)
    expect(SystemClock().now - began < .seconds(60))
  }
}
