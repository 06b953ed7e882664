import Expectations
import Testing

@testable import ScriptHost

@Suite("No plan outlives the functions it was made of")
struct StaleTests {
  private static let app = """
    app.name, app.version = "photos", "1"
    menubar { menu "M" { item "X" { "x" } } }
    function app.on:x() return "did" end
    function app.on:read(ctx) return ctx.v end
    """

  private static func plugin(_ value: Int) -> String {
    """
    plugin { name = "p", version = "1" }
    local function layers(n)
      function app.can:x() return n % 2 == 0, "odd " .. n end
      function app.look:x() return { title = "X" .. n } end
      function app:provide(ctx) ctx.v = n end
      function app.build:main(m) m:insert_last("M", item("Built " .. n) { "read" }) end
    end
    layers(\(value))
    function app.on:swap(ctx) layers(ctx.n) end
    function app.on:spin() while true do end end
    """
  }

  /// The view of a person, read in every way and twice, so that the host uses its plans.
  private func seen(_ stage: PluginStage) throws -> String {
    var all: Set<String> = []
    for _ in 0..<3 {
      let host = stage.host
      let performed = host.perform("x").line
      var options = PerformOptions()
      options.observe = { _ in }
      let general = host.perform("x", options).line
      let validated = host.validate("x")
      let drawn = host.menus().children.first?.children ?? []
      let item = host.item("M/X")
      expect(general == performed && validated.isEnabled == item?.isEnabled && validated.reason == item?.reason)
      let supplied = try host.context().first { $0.key == "v" }?.value ?? .null
      expect("\(supplied)", is: "\(host.perform("read").result)")
      all.insert(
        "\(performed) | \(drawn.map { "\($0.title) \($0.isEnabled)" }) | \(host.perform("read").result) | \(host.pick("M/X").line)"
      )
    }
    expect(all.count, is: 1, "\(all)")
    return all.first ?? ""
  }

  @Test(
    "D11, S6: After a plugin's functions are replaced, set aside, reloaded or unloaded, no plan, question, provider or menu is stale"
  )
  func stale() throws {
    let stage = try PluginStage(
      ["p.lua": Self.plugin(2)], app: Self.app, limits: HostLimits(perform: .milliseconds(100)))
    let host = stage.host
    let alone = try seen(stage)
    try stage.load("p.lua")
    let two = try seen(stage)
    expect(
      two.contains("did") && two.contains("X2 true") && two.contains("Built 2") && two.contains("integer(2)"), "\(two)")

    host.perform("swap(n: 3)")
    let three = try seen(stage)
    expect(
      three.hasPrefix("disabled by app via on: odd 3 |") && three.contains("X3 false") && three.contains("Built 3")
        && three.contains("integer(3)"), "\(three)")
    host.perform("swap(n: 2)")
    try expect(seen(stage), is: two)

    for _ in 0..<3 { host.perform("spin") }
    expect(host.plugins[0].trouble != nil)
    try expect(seen(stage), is: alone)

    stage.write(Self.plugin(5), to: "p.lua")
    try host.reload(plugin: "p")
    let five = try seen(stage)
    expect(five.contains("odd 5") && five.contains("X5 false") && five.contains("Built 5"), "\(five)")
    stage.write(Self.plugin(2), to: "p.lua")
    try host.reload(plugin: "p")
    try expect(seen(stage), is: two)

    try host.unload(plugin: "p")
    try expect(seen(stage), is: alone)
  }
}
