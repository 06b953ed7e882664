import Expectations
import Testing

@testable import ScriptHost

@Suite("All questions to scripts and all reading of foreign text come to an end")
struct AskingTests {
  @Test(
    "S4: Each question of the embedding program has an allowance: an endless question ends, and the host works on",
    arguments: ["context", "chain", "pick", "press", "why", "validate", "check", "menus", "context menu", "keys"])
  func allowance(_ question: String) throws {
    let stage = try PluginStage(
      [
        "endless.lua": """
        plugin { name = "endless", version = "1" }
        function app:provide(ctx) while true do end end
        local front = responder "front" { before = "grid" }
        function front:claims(action) if action == "rate" then while true do end end end
        function front:unknown(ctx) end
        """
      ], app: pluginApp, limits: HostLimits(perform: .milliseconds(50)))
    try stage.load("endless.lua")
    let host = stage.host
    let before = threadTime()
    switch question {
    case "context": _ = try host.context("rate")
    case "chain": _ = try host.chain("rate")
    case "pick": _ = host.pick("Image/Rate")
    case "press": _ = host.press("ctrl+r")
    case "why": _ = try host.why("rate")
    case "validate": _ = host.validate("rate")
    case "check": _ = host.check()
    case "menus": _ = host.menus()
    case "context menu": _ = host.contextMenu("url", subject: .text("x"))
    default: _ = host.keys()
    }
    expect(threadTime() - before < 5_000_000_000)
    try host.unload(plugin: "endless")
    expect(host.perform("rate").status, is: .handled)
  }

  @Test("S1: The number of names that scripts make is bounded, since a host keeps them")
  func names() throws {
    let stage = try ScriptStage(
      "function app.on:known() return 1 end function app.on:go(ctx) app:define(ctx.name, { on = function() return 2 end }) end"
    )
    expect(stage.perform("go(name: early)"), is: "handled by app via on")
    for number in stage.host.names.count..<NameTable.limit { _ = stage.host.names.intern("name\(number)") }
    expect(
      stage.host.perform("go(name: late)").error?.message,
      is: "'late' would be one name more than the 65536 that a host knows")
    expect(stage.perform("go(name: known)"), is: "handled by app via on")
    expect(stage.perform("known"), is: "handled by app via on → integer(2)")
  }

  @Test("F10: A handler that opens a URL while it gets one gets it the next time, and not for ever")
  func urls() throws {
    let stage = try ScriptStage(
      "count = 0 function app.on:openURL(ctx) count = count + 1 app:open_urls { ctx.url } end function app.on:count() return count end"
    )
    _ = try stage.host.evaluate("app:open_urls { 'a:b' }")
    let first = stage.perform("count")
    let second = stage.perform("count")
    expect(first != second && first.hasPrefix("handled") && second.hasPrefix("handled"), "\(first), \(second)")
  }

  @Test("S4: An endless 'redirect' doesn't hold up the list of the items' actions")
  func redirects() throws {
    let stage = try ScriptStage(
      """
      local t = {}
      for i = 1, 60 do t[i] = item("i" .. i) { "a" .. i .. ".b" } end
      menubar { menu "M"(t) }
      app.redirect = function() while true do end end
      """, limits: HostLimits(perform: .milliseconds(200)))
    let clock = ContinuousClock()
    let start = clock.now
    _ = try stage.host.actions()
    expect(clock.now - start < .seconds(20))
  }

  @Test("S2: A pipe in place of a plugin or module doesn't block the host")
  func pipes() throws {
    let stage = try PluginStage(
      [
        "p/plugin.lua": "|", "lone.lua": "|",
        "q/plugin.lua": "plugin { name = 'q', version = '1', allow = { 'clipboard' } }", "q/module.lua": "|",
        "r/plugin.lua": "plugin { name = 'r', version = '1' } require 'module'", "r/module.lua": "|",
      ], app: pluginApp)
    stage.host.granted = [try Capability.parse("clipboard")]
    expect(stage.refusal("p"), is: "can't read 'p/plugin.lua': Invalid argument")
    expect(stage.refusal("lone.lua"), is: "can't read 'lone.lua': Invalid argument")
    expect(stage.refusal("q"), is: "can't read 'q/module.lua': Invalid argument")
    expect(stage.refusal("r"), is: "there is no module 'module': can't read 'r/module.lua': Invalid argument")
  }
}
