import Expectations
import Testing

@testable import ScriptHost

@Suite("The function start")
struct StartScriptTests {
  @Test("T8: start runs once, when everything is loaded, with a context; it may wait, and its outcomes are reported")
  func once() throws {
    let stage = try ScriptStage(
      """
      function app:provide(ctx) ctx.user = "Ada" end
      function app:start(ctx) print("start " .. ctx.user) sleep(2) print("ready") end
      """)
    expect(stage.takePrinted(), is: [])
    expect(stage.host.start().map(\.status) == [.running] && stage.takePrinted() == ["start Ada"])
    expect(stage.host.start().isEmpty)
    try stage.host.advance(by: .seconds(2))
    expect(stage.takePrinted(), is: ["ready"])
  }

  @Test("T8: start runs again after a reload, by itself, and late for late loads; a failed load runs nothing")
  func again() throws {
    let stage = try ScriptStage("function app:start() print('one') end")
    stage.host.start(wait: true)
    try stage.host.reload(text: "function app:start() sleep(1) print('two') end", name: "app.lua")
    try stage.host.advance(by: .seconds(1))
    #expect(throws: LoadError.self) {
      try stage.host.reload(text: "function app:start() print('three') end error('no')", name: "app.lua")
    }
    expect(stage.takePrinted(), is: ["one", "two"])
  }

  @Test("T8: A failure of start is a diagnostic, and its performs are a separate undo group")
  func failing() throws {
    let stage = try ScriptStage(
      "app.n = 1 function app.on:add(ctx) ctx:set(app, 'n', app.n + 1) end function app:start() app:perform('add') error('no start', 0) end"
    )
    expect(stage.host.start(wait: true).map(\.status), is: [.failed])
    expect(stage.host.diagnostics.map(\.message) == ["no start"] && stage.host.undoHistory.undo.isEmpty)
  }

  @Test("T8: A start that refuses has failed: its reason is a diagnostic, also after a wait", arguments: [true, false])
  func refusing(waits: Bool) throws {
    let stage = try ScriptStage(
      """
      app.ready = false
      function app:start(ctx) ctx:set(app, 'ready', true) \(waits ? "sleep(1)" : "") ctx:refuse "it is locked" end
      function app.on:state() return tostring(app.ready) end
      """)
    let outcome = stage.host.start(wait: true).first
    expect(outcome?.status == .failed && outcome?.error?.message == "'start' refuses: it is locked")
    expect(stage.host.diagnostics.map(\.message), is: ["'start' refuses: it is locked"])
    expect(stage.host.diagnostics.first?.place?.line, is: 2)
    expect(stage.host.perform("state").result.shownText, is: "false")
  }

  @Test("M14: forward runs the farther builders now, once; stop skips them; without either they follow")
  func building() throws {
    func titles(_ near: String) throws -> [String] {
      let stage = try ScriptStage(
        """
        local far = responder "far"
        local near = responder "near" { next = far }
        function near.build:main(m) \(near) end
        function far.build:main(m) m:insert_last("root", label "far") end
        function app.build:main(m) m:insert_last("root", label "app") end
        menubar { label "declared" }
        focus(near)
        """)
      return stage.host.menus().children.map(\.title)
        + stage.host.diagnostics.map(\.message).map { String($0.suffix(60)) }
    }
    try expect(titles("m:insert_last('root', label 'near')"), is: ["declared", "near", "far", "app"])
    try expect(titles("m:forward() m:insert_last('root', label 'near')"), is: ["declared", "far", "app", "near"])
    try expect(titles("m:stop() m:insert_last('root', label 'near')"), is: ["declared", "near"])
    try expect(titles("m:forward() m:forward()").last?.hasSuffix("the builders farther up have run already") ?? false)
    try expect(titles("m:stop() m:forward()").last?.hasSuffix("a builder stopped the builders farther up") ?? false)
    try expect(titles("m:forward() m:stop()").last?.hasSuffix("the builders farther up have run already") ?? false)
  }

  @Test(
    "M14: No plugin's builder stops another at the same responder, nor the forward of another",
    arguments: [
      (["m:stop()", "m:forward()"], ["one", "far", "two"]), (["m:forward()", "m:stop()"], ["far", "one", "two"]),
      (["m:stop()", "m:stop()"], ["one", "two"]), (["m:forward()", "m:forward()"], ["far", "one", "two"]),
      (["", "m:stop()"], ["one", "two"]), (["m:stop()", ""], ["one", "two"]), (["", ""], ["one", "two", "far"]),
    ])
  func buildersOfPlugins(_ calls: [String], _ titles: [String]) throws {
    func plugin(_ name: String, _ call: String) -> String {
      """
      plugin { name = '\(name)', version = '1' }
      app:find("near").build.main = function(self, m) \(call) m:insert_last("root", label "\(name)") end
      """
    }
    let stage = try PluginStage(
      ["one.lua": plugin("one", calls[0]), "two.lua": plugin("two", calls[1])],
      app: """
        local far = responder "far"
        focus(responder "near" { next = far })
        function far.build:main(m) m:insert_last("root", label "far") end
        """)
    try stage.load("one.lua", "two.lua")
    expect(stage.host.menus().children.map(\.title) == titles && stage.host.diagnostics.isEmpty)
  }

  @Test("A7: Only can, confirm and the handler see a secret")
  func secrets() throws {
    let stage = try ScriptStage(
      """
      app.takes.login = { name = "string", password = { "string", from = 3, secret = true } }
      function app.can:login(ctx) print("can " .. ctx.password) return true end
      function app.confirm:login(ctx) print("confirm " .. ctx.password) end
      function app.on:login(ctx) return #ctx.password end
      observe("login", function(e) print(e.stage, e.raw, type(e.args.password), e.args.name, e.sender == app) end)
      """)
    var traces: [Trace] = []
    stage.host.onTrace = { traces.append($0) }
    var options = PerformOptions()
    options.asks = true
    expect(stage.host.perform("login(name: ada, password: xyzzy)", options).status, is: .handled)
    expect(
      stage.takePrinted(),
      is: [
        "can xyzzy", "confirm xyzzy", "will\tlogin(name: ada, password: {\"$\": secret})\ttable\tada\ttrue",
        "did\tlogin(name: ada, password: {\"$\": secret})\ttable\tada\ttrue",
      ])
    expect(!traces.map(\.text).joined().contains("xyzzy"))
    let refused = stage.host.perform("login(name: ada, password: zz)")
    expect(refused.reason, is: "'password' must be a string of 3 or more characters, not what was given")
    expect(stage.host.masked("login(password: xyzzy)"), is: "login(password: {\"$\": secret})")
    expect(stage.host.masked("other(password: xyzzy)"), is: "other(password: xyzzy)")
  }
}
