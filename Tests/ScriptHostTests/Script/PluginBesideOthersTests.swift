import Expectations
import Testing

@testable import ScriptHost

@Suite("A plugin beside other owners")
struct PluginBesideOthersTests {
  @Test("C10: pairs(ctx) shows the same responders as ctx to each reader, with or without plugins")
  func pairsOfContext() throws {
    let app = """
      app.name = "host"
      local g = responder "g"
      g.n = 1
      function g.on:x(ctx)
        for key, value in pairs(ctx) do
          if key == "taker" then return tostring(value == ctx.taker) .. " " .. tostring(value.n) end
        end
      end
      focus(g)
      """
    let stage = try PluginStage(["empty.lua": "plugin { name = 'empty', version = '1.0.0' }"], app: app)
    expect(stage.perform("x"), is: "handled by g via on → text(\"true 1\")")
    try stage.load("empty.lua")
    expect(stage.perform("x"), is: "handled by g via on → text(\"true 1\")")
    try stage.host.unload(plugin: "empty")
    expect(stage.perform("x"), is: "handled by g via on → text(\"true 1\")")
  }

  @Test("S6: A plugin's error never shows another owner's file, also if the plugin loads code by that file's name")
  func chunkNames() throws {
    let stage = try PluginStage(
      [
        "fp.lua": """
        plugin { name = "fp", version = "1.0.0" }
        local p = responder "p" { before = "r" }
        function p.on:blame(ctx) load("\\n\\nerror('blamed')", "@" .. ctx.file)() end
        function p.on:own(ctx) load("\\n\\nerror('own')", "@mine.lua")() end
        """
      ], app: "app.name = 'host'\nlocal r = responder 'r'\nfunction r.on:x() end\nfocus(r)")
    try stage.load("fp.lua")
    let outcome = stage.host.perform("blame(file: \"\(stage.path)/app.lua\")")
    expect(outcome.error?.message == "blamed" && outcome.error?.owner == "fp")
    expect(outcome.error?.place?.file.hasPrefix("[string ") ?? false, "\(outcome)")
    expect(stage.host.perform("own").error?.place?.file, is: "mine.lua")
  }

  @Test("S6: A plugin doesn't use up the names that all owners share")
  func names() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1.0.0" }
        count = 0
        function app.on:many()
          for _ = 1, 1000 do
            count = count + 1
            app.on["name" .. count] = print
            app.on["name" .. count] = nil
          end
        end
        """
      ], app: "function app.on:one(ctx) app.on[ctx.name] = function() return 1 end end", limits: .patient)
    try stage.load("p.lua")
    for _ in 0..<8 { expect(stage.perform("many"), is: "handled by app via on") }
    expect(stage.perform("many").contains("' would be one name more than the 8192 that a plugin may make"))
    expect(stage.perform("one(name: late)"), is: "handled by app via on")
    expect(stage.perform("late"), is: "handled by app via on → integer(1)")
  }
}
