import Expectations
import Testing

@testable import ScriptHost

/// Items whose questions go to the embedding program.
/// As long as no script is asked, the host doesn't copy their arguments to where scripts find them.
@Suite("Passes of the embedding program")
struct NativePassTests {
  private let stage: ScriptStage
  private let page: ResponderEditor
  private let log = Log()

  private final class Log {
    var lines: [String] = []
  }

  init() throws {
    stage = try ScriptStage("function app:provide(ctx) ctx.n = 7 ctx.shade = 'grey' ctx.far = 'far' end")
    page = try stage.host.responder("page")
    try stage.load(
      """
      local cell = responder "cell" { next = "page" }
      function cell.on:back() end
      function cell.can:back(ctx) if ctx.n == 1 then return pass end return false, "cell: " .. ctx.n .. ctx.shade end
      function app.on:act() end
      function app.can:act(ctx) return false, "app: " .. ctx.n .. tostring(ctx.shade) .. ctx.far .. ctx.action .. ctx.sender.id end
      function app.look:act(ctx) return { title = "looked " .. ctx.n } end
      menubar { menu "M" {
        item "0" { "act(n: 0)" }, item "1" { "act(n: 1)" }, item "2" { "act(n: 2, shade: null, each: 5)" }, item "3" { "act" },
        item "4" { "back(n: 0)" }, item "5" { "back(n: 1)" },
      } }
      focus(cell)
      """, name: "more.lua")
    let reads = { [log] (command: Command) -> String in
      let context = command.context
      let read = ["n", "shade", "far", "each", "action"].map { context[$0].shown } + ["\(context.has("shade"))"]
      log.lines.append(read.joined(separator: " "))
      return (command.arguments["n"] ?? .null).shown
    }
    for action in ["act", "back"] {
      page.on(action) { _ in }
      page.can(action) { reads($0) == "1" && action == "act" ? .pass : .no("page") }
      page.look(action) {
        var look = Look()
        look.title = "page " + $0.context["n"].shown
        return look
      }
    }
  }

  private func drawn() -> [String] {
    stage.host.menus().children[0].children.map { "\($0.title): \($0.reason ?? "") (\($0.by ?? ""))" }
  }

  @Test("C1, C5: Handlers in Swift, in Lua and mixed read arguments before provided values")
  func turns() throws {
    let expected = [
      "page 0: page (page)", "looked 1: app: 1greyfaractM/1 (app)", "page 2: page (page)", "page 7: page (page)",
      "4: cell: 0grey (cell)", "page 1: page (page)",
    ]
    for pass in 1...3 {
      expect(drawn(), is: expected, "pass \(pass)")
      expect(
        log.lines,
        is: [
          "0 grey far null act true", "1 grey far null act true", "2 null far null act false",
          "7 grey far null act true",
          "1 grey far null back true",
        ], "pass \(pass)")
      log.lines = []
    }
  }

  @Test("C1: Swift reads a caller's info as Lua does")
  func info() throws {
    for (reference, expected) in [
      ("act(n: 0)", "0 info far null act true"), ("act(n: 0, shade: null)", "0 null far null act false"),
    ] {
      var options = PerformOptions()
      options.info = ["shade": "info", "n": 9]
      let validation = stage.host.validate(reference, options)
      expect(validation.reason, is: "page")
      expect(log.lines, is: [expected])
      log.lines = []
    }
  }

  @Test("V13: `why` explains the same questions in the same way")
  func told() throws {
    for reference in ["act(n: 0)", "act(n: 1)", "back(n: 0)", "back(n: 1)"] {
      let validation = stage.host.validate(reference)
      let why = try stage.host.why(reference)
      expect(why.reason, is: validation.reason)
      expect(why.by, is: validation.by)
    }
  }
}
