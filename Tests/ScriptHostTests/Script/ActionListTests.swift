import Expectations
import Testing

@testable import ScriptHost

@Suite("The list of reachable actions")
struct ActionListTests {
  private static let script = """
    local outer = responder "outer"
    local grid = responder "grid" { next = outer, claims = { "claimed" } }
    function grid:unknown() end
    grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars", order = 2 }, by = { "string", optional = true } }
    grid.about.rate = { title = "Rate the photo", help = "Gives it stars.", icon = "star" }
    grid.confirm.clear = "Sure?"
    function grid.confirm:rate() return "Rate it?" end
    function grid.on:rate() end
    function grid.on:clear() end
    function grid.can:clear() return false, "there is nothing" end
    function outer.on:export() end
    function outer.on:bare() end
    function outer.can:bare(ctx) return ctx.n > 1 end
    function outer.look:export() return { title = "Export it" } end
    grid.takes.export = { to = { "folder", optional = true } }
    grid.about.export = { title = "Not here", help = "Not here." }
    function grid.on:export() end
    function grid.can:export() return pass end
    grid.keys = { r = "rate", ["g g"] = { "image.rate(rating: 5)", "export" } }
    menubar { menu "M" { item "Rate…" { "rate" }, item "Five" { "x.rate(rating: 5)" }, item "Nobody" { "nosuch" } } }
    local away = responder "away"
    function away.on:away() end
    focus(grid)
    """

  @Test(
    "A8: The list has responders, arguments, state, reasons, keys and items; actions that nobody handles have no 'by'"
  )
  func all() throws {
    let stage = try ScriptStage(Self.script)
    let actions = try stage.host.actions()
    expect(actions.map(\.name), is: ["bare", "claimed", "clear", "export", "nosuch", "rate", "redo", "undo"])
    let rate = try require(actions.first { $0.name == "rate" })
    expect(
      rate.title == "Rate the photo" && rate.help == "Gives it stars." && rate.icon == "star" && rate.by == "grid")
    expect(rate.takes.map(\.key) == ["rating", "by"] && rate.isDeclared && rate.isEnabled && rate.confirm == .asked)
    expect(rate.keys == ["g g", "r"] && rate.items == ["M/Rate…", "M/Five"])
    expect(stage.host.takeDiagnostics().isEmpty)
    let clear = try require(actions.first { $0.name == "clear" })
    expect(!clear.isEnabled && clear.reason == "there is nothing" && clear.confirm == .said("Sure?"))
    // A responder that passes contributes nothing.
    let export = try require(actions.first { $0.name == "export" })
    expect(export.title == "Export it" && export.by == "outer" && export.help == nil && !export.isDeclared)
    expect(actions.first { $0.name == "claimed" }?.via, is: .claims)
    let nobody = try require(actions.first { $0.name == "nosuch" })
    expect(nobody.by == nil && !nobody.isEnabled && nobody.items == ["M/Nobody"])
    expect(actions.first { $0.name == "undo" }?.by, is: "host")
  }

  @Test("A8: An action that 'look' hides is listed only if you name it")
  func hidden() throws {
    let stage = try ScriptStage(
      """
      hides = true
      function app.on:go() end
      function app.on:secret() end
      function app.look:secret() return { hidden = hides } end
      function app.on:toggle() hides = not hides end
      app.claims = function(_, name) return name == "claimed" and { hidden = true } or nil end
      function app:unknown() end
      menubar { menu "M" { item "Claimed" { "claimed" }, item "Secret" { "secret" } } }
      """)
    func names() throws -> [String] { try stage.host.actions().map(\.name) }
    try expect(names(), is: ["go", "redo", "toggle", "undo"])
    try expect(stage.host.actions("secret").map(\.by), is: ["app"])
    stage.host.perform("toggle")
    try expect(names(), is: ["go", "redo", "secret", "toggle", "undo"])
  }

  @Test("A8: For a reference the list has that action only, and checks its arguments")
  func one() throws {
    let stage = try ScriptStage(Self.script)
    let found = try stage.host.actions("image.rate(rating: 9)")
    expect(found.map(\.name) == ["rate"] && found[0].reason == "'rating' must be an integer from 0 to 5, not 9")
    #expect(throws: ReferenceError.self) { try stage.host.actions("rate(") }
  }

  @Test("A8: Scripts get the same list")
  func scripts() throws {
    try expect(
      Self.script + """

        function app.on:go()
          local names = {}
          for _, a in ipairs(app:actions()) do names[#names + 1] = a.name end
          print(table.concat(names, " "))
          local rate = app:actions("rate")[1]
          print(rate.name, rate.by, rate.via, rate.takes[1].title, rate.declared, rate.confirm, rate.enabled)
          print(app:actions("export")[1].takes, select(2, app:actions("rate(")))
        end
        """,
      prints: """
        bare claimed clear export go nosuch rate redo undo
        rate\tgrid\ton\tStars\ttrue\ttrue\ttrue
        nil\texpected a key or ')' but the reference ends
          rate(
               ^
        """)
  }
}
