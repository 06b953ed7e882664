import Expectations
import Testing

@testable import ScriptHost

@Suite("The output of scripts is rationed, and old diagnostics are dropped")
struct RationTests {
  private static let loud = """
    plugin { name = "loud", version = "1" }
    function app.on:shout(ctx) for i = 1, ctx.n do print(("x"):rep(99)) log("info", ("y"):rep(99)) end end
    function app.on:mixed() print(("x"):rep(990)) print(("x"):rep(99)) print("short") end
    function app.on:dozes() for i = 1, 1200 do print(("x"):rep(499)) sleep(0) end end
    function app.on:naps() print(("x"):rep(1000)) print("lost") sleep(1) print("woken") end
    """

  @Test(
    "S1: Each call of a script has a ration of output; one diagnostic names the script that exceeds it"
  )
  func ration() throws {
    let stage = try PluginStage(
      ["loud.lua": Self.loud],
      app: pluginApp
        + "\nfunction app.on:both() app:perform('shout(n: 3)') app:perform('shout(n: 100)') print('mine') end",
      limits: HostLimits(output: 1000))
    var logged = 0
    stage.host.onLog = { _ in logged += 1 }
    try stage.load("loud.lua")
    func told() -> [String] { stage.host.takeDiagnostics().filter { $0.code == "output" }.map(\.message) }
    let left =
      "'loud' wrote 1000 bytes in one call: output after this line is dropped until the host calls the script again"

    stage.host.perform("shout(n: 5)")
    expect(stage.take().count == 5 && logged == 5 && told() == [])
    stage.host.perform("shout(n: 100)")
    expect(stage.take().count == 5 && logged == 10 && told() == [left])
    // A nested action counts for the same call, and each script has its own ration.
    stage.host.perform("both")
    expect(stage.take() == Array(repeating: String(repeating: "x", count: 99), count: 5) + ["mine"] && logged == 15)
    expect(told(), is: [left])
    // The output has no gap in the middle.
    stage.host.perform("mixed")
    expect(stage.take().map(\.utf8.count) == [990] && told() == [left])
    // After a wait of at least a second a new ration begins.
    stage.host.perform("naps", wait: true)
    expect(stage.take() == ["woken"] && told() == [left])
    stage.host.perform("dozes", wait: true)
    expect(stage.take().map(\.utf8.count) == Array(repeating: 499, count: 4) && told() == [left, left])
  }

  @Test("S1: Output while a script loads is rationed too, and the diagnostic has the line")
  func loading() throws {
    let stage = try PluginStage(
      ["loud.lua": "plugin { name = 'loud', version = '1' }\nfor i = 1, 1e4 do print(i) end"], app: pluginApp,
      limits: HostLimits(output: 100))
    try stage.load("loud.lua")
    expect(stage.take().last, is: "36")
    let told = stage.host.takeDiagnostics()
    expect(told.count == 1 && told[0].severity == .warning && told[0].place?.line == 2, "\(told)")
  }

  @Test("S1: Diagnostics rotate: the newest are kept, and each is cut to a readable length")
  func diagnostics() throws {
    let stage = try ScriptStage(
      "function app.on:go(ctx) app:perform('nobody', {}, {}) return _ENV[('é'):rep(3000) .. ctx.n] end")
    for n in 0..<2500 { stage.host.perform("go(n: \(n))") }
    let kept = stage.host.diagnostics
    expect((ScriptHost.diagnosticsLimit * 9 / 10...ScriptHost.diagnosticsLimit).contains(kept.count))
    expect(kept.allSatisfy { $0.message.utf8.count <= 4096 && $0.message.hasPrefix("'éé") })
    stage.host.perform("nowhere(")
    let long = String(repeating: "h", count: 10_000)
    stage.host.report(Diagnostic(.note, "x", "the newest" + long, help: long))
    let last = try require(stage.host.diagnostics.last)
    expect(last.message.hasPrefix("the newest") && last.message.count == 4096 && last.help?.count == 4096)
  }
}
