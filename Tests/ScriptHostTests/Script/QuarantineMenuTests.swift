import Expectations
import Testing

@testable import ScriptHost

@Suite("Menus of plugins that are set aside")
struct QuarantineMenuTests {
  private static let app = """
    menubar { menu "App" { item "Mine" { "mine" } } }
    function app.on:mine() return "done" end
    function app.on:others() return "done" end
    """

  private static let plugin = """
    plugin { name = "bad", version = "1" }
    local note = print
    menubar {
      menu "Bad" { look = function() note("look") return { title = "Very bad" } end,
        item "Spin" { "spin" },
        item "Others" { "others" },
        section "rows" {
          items = function() note("items") return { "a", "b" } end, id = function(v) return v end,
          row = function(v)
            note("row " .. v)
            return item(v) { "others", alternates = { alt = item("other " .. v) { "others" } } }
          end,
        },
      },
    }
    function app.build:main(m) note("build") m:insert_last("App", item "Built" { "others" }) end
    function app.on:spin() while true do end end
    function app:provide(ctx) note("provide") end
    function app:failed(e) note("failed") return e end
    observe("*", function() note("observe") end)
    listen("validation", function() note("listen") end)
    """

  private func stage() throws -> PluginStage {
    let stage = try PluginStage(
      ["bad.lua": Self.plugin], app: Self.app,
      limits: HostLimits(perform: .milliseconds(200, instructions: 1_000_000)))
    try stage.load("bad.lua")
    return stage
  }

  @Test(
    "S6: The menus of a plugin that is set aside keep their last rows, disabled with that reason, and don't call it")
  func rows() throws {
    let stage = try stage()
    let reason = QuarantineTests.reason
    expect(stage.host.item("a")?.isEnabled == true && stage.host.item("App/Built")?.isEnabled == true)
    expect(stage.host.menus().children.map(\.title), is: ["App", "Very bad"])
    var options = PerformOptions()
    options.skipValidation = true
    for _ in 0..<3 { _ = stage.host.perform("spin", options) }
    _ = stage.host.menus()
    _ = stage.take()
    _ = stage.host.takeDiagnostics()
    for _ in 0..<2 {
      // Normally the host would run sections again after an action.
      expect(stage.perform("mine").hasPrefix("handled"))
      let menu = try require(stage.host.menus().children.last)
      expect(menu.title == "Bad" && !menu.isEnabled && menu.reason == reason)
      expect(menu.children.map(\.title), is: ["Spin", "Others", "a", "b"])
      expect(menu.children.map(\.reason), is: [reason, nil, reason, reason])
      expect(menu.children.map(\.isEnabled), is: [false, true, false, false])
      expect(menu.children.last?.alternates.map(\.element.reason), is: [reason])
      expect(stage.host.pick("a").line.hasSuffix(reason))
      expect(stage.host.pick("a", modifiers: ["alt"]).line.hasSuffix(reason))
      expect(stage.host.pick("Bad/Others").status, is: .handled)
      expect(stage.host.item("App/Built"), is: nil)
    }
    expect(stage.take() == [] && stage.host.takeDiagnostics().isEmpty)
    try stage.host.reload(plugin: "bad")
    expect(stage.host.item("a")?.isEnabled == true && stage.host.item("App/Built")?.isEnabled == true)
  }
}
