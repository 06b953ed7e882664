import Expectations
import Testing

@testable import ScriptHost

@Suite("The order of start functions")
struct StartOrderTests {
  private static let files = [
    "one.lua": """
    plugin { name = 'one', version = '1' }
    function app:start(ctx) print("one", ctx.taker) sleep(1) print("one goes on") end
    """,
    "two.lua": "plugin { name = 'two', version = '1' }\nfunction app:start(ctx) print('two', ctx.taker) end",
    "none.lua": "plugin { name = 'none', version = '1' }",
  ]

  @Test("T8: The app's start runs first, then the plugins' in load order; all layers' run, each without a taker")
  func order() throws {
    let stage = try PluginStage(Self.files, app: "function app:start(ctx) print('app', ctx.taker) end")
    try stage.load("two.lua", "none.lua", "one.lua")
    expect(stage.host.start(wait: true).map(\.status), is: [.handled, .handled, .handled])
    expect(stage.take(), is: ["app\tnil", "two\tnil", "one\tnil", "one goes on"])
  }

  @Test("T8: After a plugin's reload only its own start runs again")
  func again() throws {
    let stage = try PluginStage(Self.files, app: "function app:start() print('app') end")
    try stage.load("two.lua")
    stage.host.start(wait: true)
    expect(stage.take(), is: ["app", "two\tnil"])
    try stage.host.reload(plugin: "two")
    stage.host.start(wait: true)
    expect(stage.take(), is: ["two\tnil"])
  }

  // MARK: Layers of takes, confirm and about

  private static let layers = """
    plugin { name = 'p', version = '1' }
    local grid = app:find("grid")
    grid.takes.rate = { stars = { "integer", from = 0, to = 3 } }
    grid.confirm.rate = "Really?"
    grid.about.rate = "Plugin's rating"
    """

  @Test("A1: For takes, confirm and about the latest layer wins per name, and unloading uncovers the layer below")
  func layers() throws {
    let stage = try PluginStage(
      ["p.lua": Self.layers],
      app: pluginApp + """

        grid.takes.rate = { stars = { "integer", from = 0, to = 5 } }
        grid.confirm.rate = "Sure?"
        grid.about.rate = "The app's rating"
        """)
    func said() throws -> [String] {
      var options = PerformOptions()
      options.asks = true
      return [
        stage.host.validate("rate(stars: 4)").reason ?? "fits",
        stage.host.perform("rate(stars: 2)", options).asks?.confirm ?? "",
        try stage.host.actions("rate").first?.title ?? "",
      ]
    }
    let below = ["fits", "Sure?", "The app's rating"]
    try expect(said(), is: below)
    try stage.load("p.lua")
    try expect(said(), is: ["'stars' must be an integer from 0 to 3, not 4", "Really?", "Plugin's rating"])
    let receipt = try stage.host.unload(plugin: "p")
    expect(receipt.counts.map { "\($0.kind) \($0.count)" }, is: ["handlers 3"])
    try expect(said(), is: below)
  }
}
