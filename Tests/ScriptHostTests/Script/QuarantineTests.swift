import Expectations
import Testing

@testable import ScriptHost

@Suite("Plugins that are set aside: their jobs end, and none of their code runs")
struct QuarantineTests {
  private static let app = """
    app.undo = true
    menubar { menu "App" { item "Mine" { "mine" } } }
    local page = responder "page" { n = 0 }
    focus(page)
    page.keys["x"] = "mine"
    function app.on:mine(ctx) ctx:undo("Mine", function() print("mine undone") end) return "done" end
    function app.on:part(ctx) ctx:undo("Part", function() print("part taken back") end) end
    function app.on:outer(ctx) app:perform("did") app:perform("part") end
    function app.on:later(ctx) app:perform("did") sleep(1) end
    function app.on:waits_for_it(ctx) return app:perform("waits").status end
    listen("focus", function(new, old) print(old.name .. " to " .. new.name) end)
    """

  private static let plugin = """
    plugin { name = "bad", version = "1" }
    local panel = responder "panel"
    function app.on:spin() while true do end end
    function app.on:grow() local t = {} for i = 1, 200000 do t[i] = i end end
    function app.on:did(ctx) ctx:undo("Did", function() print("did undone") end) end
    function app.on:waits(ctx)
      ctx:set(panel, "n", 1)
      app:perform("part")
      ctx:undo("Waits", function() print("waits taken back") end)
      sleep(100)
      print("went on")
    end
    function app.on:open() modal(panel) end
    function app.on:goes_on(ctx)
      for _ = 1, 3 do app:perform("grow") end
      for _, body in ipairs {
        function() listen("focus", print) end, function() observe("*", print) end, function() responder "left" end,
        function() app.on.left = print end, function() modal(panel) end, function() ctx:undo("x", print) end,
      } do print(select(2, pcall(body))) end
      if ctx.sleeps then sleep(1) print("went on") end
    end
    """

  private static let slowPattern =
    "takes.match.text.matches takes too long: write a pattern with fewer '*', '+' and '-'"

  static let reason = "'bad' is set aside: it spent its limits 3 times; reload it to try again"

  private static let limits = HostLimits(perform: .milliseconds(200, instructions: 1_000_000))

  private func stage(
    _ plugin: String = Self.plugin, _ more: String = "", limits: HostLimits = Self.limits
  ) throws -> PluginStage {
    let stage = try PluginStage(["bad.lua": plugin + "\n" + more], app: Self.app, limits: limits)
    try stage.load("bad.lua")
    return stage
  }

  /// Makes the host set the plugin aside, with actions that spend its limits.
  private func setAside(_ stage: PluginStage) {
    var options = PerformOptions()
    options.skipValidation = true
    for _ in 0..<3 { _ = stage.host.perform("spin", options) }
    expect(stage.host.plugins.first?.trouble, is: Self.reason)
  }

  @Test(
    "S6, T3: Jobs of a plugin that is set aside are cancelled, and taken back except for the plugin's own part")
  func jobs() throws {
    let stage = try stage()
    let job = try require(stage.host.perform("waits").job)
    let panel = try require(stage.host.find("panel"))
    expect(stage.host.ownFields(of: panel).map(\.name), is: ["n"])
    setAside(stage)
    expect(job.outcome?.line, is: "cancelled by app via on: \(Self.reason)")
    expect(stage.take() == ["part taken back"] && stage.host.jobs.isEmpty)
    expect(stage.host.ownFields(of: panel).isEmpty)
    let said = stage.host.takeDiagnostics().map(\.message).filter { $0.hasPrefix("'waits'") }
    expect(said, is: ["'waits' could not be undone: \(Self.reason)"])
    try stage.host.advance(by: .seconds(200))
    expect(stage.take(), is: [])
  }

  @Test("S6, T2: An action that waits for one of a plugin that is set aside continues with the outcome")
  func parents() throws {
    let stage = try stage()
    let job = try require(stage.host.perform("waits_for_it").job)
    setAside(stage)
    try stage.host.advance(by: .zero)
    expect(job.outcome?.line == "handled by app via on → text(\"cancelled\")" && stage.host.jobs.isEmpty)
  }

  @Test("S6, U9: Entries of a plugin that is set aside leave the histories; other owners' entries with its parts stay")
  func histories() throws {
    let stage = try stage()
    for action in ["mine", "did", "outer"] { stage.host.perform(action) }
    stage.host.undo()
    expect(stage.take(), is: ["part taken back", "did undone"])
    stage.host.redo()
    stage.host.perform("outer")
    let later = try require(stage.host.perform("later").job)
    _ = stage.take()
    setAside(stage)
    stage.host.perform("mine")
    try stage.host.advance(by: .seconds(1))
    expect(later.outcome?.status, is: .handled)
    expect(stage.host.undoHistory.undo, is: ["Mine", "Part", "Mine"])
    for _ in 0..<3 { expect(stage.host.undo().status, is: .handled) }
    expect(stage.take(), is: ["mine undone", "part taken back", "mine undone"])
    expect(stage.host.undo().status, is: .disabled)
  }

  @Test(
    "S6, F5: Sessions of a plugin that is set aside, and those on its responders, end; the focus returns")
  func sessions() throws {
    for isOwn in [true, false] {
      let stage = try stage()
      if isOwn {
        stage.host.perform("open")
      } else {
        _ = try stage.host.modal(try require(stage.host.find("panel")))
      }
      expect(stage.perform("mine").hasPrefix("blocked"))
      expect(stage.host.modalSessions.count, is: 1)
      // Its actions belong to the app's responder, so they are outside of the session too.
      for _ in 0..<3 { try require(stage.host.scripts).spend(by: "bad") }
      expect(stage.perform("mine").hasPrefix("handled") && stage.host.modalSessions.isEmpty)
      expect(stage.host.press("x").status == .handled && stage.host.focused.name == "page")
      expect(stage.take(), is: ["page to panel", "panel to page"])
    }
  }

  @Test(
    "S6, T4: A running function of a plugin that is set aside finishes its stretch, registers nothing, and can't wait"
  )
  func executing() throws {
    for sleeps in [false, true] {
      let stage = try stage()
      let portrait = stage.host.receipt(of: try require(stage.host.scripts?.plugins.first?.owner))
      let outcome = stage.host.perform("goes_on(sleeps: \(sleeps))")
      expect(outcome.status == (sleeps ? .cancelled : .handled) && outcome.reason == (sleeps ? Self.reason : nil))
      let lines = stage.take()
      expect(lines.count == 6 && lines.allSatisfy { $0.hasSuffix(Self.reason) }, "\(lines)")
      expect(stage.host.receipt(of: try require(stage.host.scripts?.plugins.first?.owner)), is: portrait)
      expect(stage.host.undoHistory.undo == [] && stage.host.jobs.isEmpty && stage.host.modalSessions.isEmpty)
    }
  }

  @Test("S6: If a line makes the host set a plugin aside, the plugin's jobs end before the line does")
  func lines() throws {
    let stage = try stage(
      Self.plugin,
      """
      local hoard = {}
      function app.on:give() return function() while true do hoard[#hoard + 1] = ("x"):rep(1 << 16) .. #hoard end end end
      """, limits: HostLimits(memory: 8 << 20, perform: .milliseconds(30_000, instructions: 200_000_000)))
    try stage.host.evaluate("fill = app:perform('give').result")
    stage.host.perform("open")
    expect(stage.host.modalSessions.count, is: 1)
    for _ in 0..<3 {
      do {
        try stage.host.evaluate("fill()")
        Issue.record("it ended")
      } catch {
        expect(error.failure.limit == .memory && error.failure.owner == "bad", "\(error.failure)")
      }
    }
    expect(stage.host.plugins.first?.trouble, is: Self.reason)
    expect(stage.host.modalSessions.isEmpty)
  }

  @Test(
    "S4, S6: Converting a raised value to text counts for the handler that raised it",
    arguments: [
      "function app.can:mine() error(odd) end", "function app:provide() error(odd) end",
      "function app.on:mine() error(odd) end",
    ],
    ["while true do end", "local t = {} while true do t[#t + 1] = ('x'):rep(9999) .. #t end"])
  func raisedValues(handler: String, body: String) throws {
    let stage = try stage(
      """
      plugin { name = "bad", version = "1" }
      local odd = setmetatable({}, { __tostring = function() \(body) end })
      \(handler)
      """, limits: HostLimits(memory: 8 << 20, perform: .milliseconds(5000, instructions: 2_000_000)))
    for _ in 0..<3 { _ = stage.host.perform("mine") }
    expect(stage.host.plugins.first?.trouble, is: Self.reason, "\(stage.host.takeDiagnostics())")
    expect(stage.perform("part"), is: "handled by app via on")
  }

  @Test(
    "S15, S6: A 'matches' pattern counts for its owner: the host names the plugin and line, and sets it aside",
    arguments: ["mine", "performs", "other_performs", "validates", "in_a_thread"])
  func patterns(caller: String) throws {
    let stage = try PluginStage(
      [
        "bad.lua": """
        plugin { name = "bad", version = "1" }
        app.takes.match = { text = { "string", matches = ("a*"):rep(40) .. "b" } }
        function app.on:match() return "matched" end
        """,
        "other.lua": """
        plugin { name = "other", version = "1" }
        function app.on:other_performs() return app:perform("match(text: " .. ("a"):rep(60) .. ")").error.owner end
        """,
      ],
      app: """
        local match = "match(text: " .. ("a"):rep(60) .. ")"
        function app.on:mine() return "done" end
        function app.on:performs() return app:perform(match).error.owner end
        function app.on:validates() return app:validate(match).reason end
        function app.on:in_a_thread()
          return coroutine.wrap(function() return app:perform(match).error.owner end)()
        end
        """, limits: HostLimits(perform: .milliseconds(30_000, instructions: 1_000_000)))
    try stage.load("bad.lua", "other.lua")
    let match = "match(text: \(String(repeating: "a", count: 60)))"
    for _ in 0..<3 {
      let outcome = caller == "mine" ? stage.host.perform(match) : stage.host.perform(caller)
      expect(outcome.error?.owner ?? "bad", is: "bad", "\(outcome)")
    }
    expect(stage.host.plugins.map(\.trouble), is: [Self.reason, nil])
    let found = stage.host.takeDiagnostics().filter { $0.code == "limit" }
    // The caller has no time left either, and gets its own diagnostic.
    expect(
      found.contains {
        $0.message == Self.slowPattern && $0.place?.line == 2 && stage.short($0.place?.file ?? "") == "bad.lua"
      })
    expect(stage.perform("mine"), is: "handled by app via on → text(\"done\")")
    expect(stage.perform(match), is: "disabled by app via on: \(Self.reason)")
  }

  @Test("S6: A plugin that was set aside can be unloaded, reloaded and loaded again like any other")
  func goes() throws {
    for how in ["unload", "reload"] {
      let stage = try stage()
      _ = stage.host.perform("waits")
      setAside(stage)
      _ = stage.take()
      if how == "unload" {
        try stage.host.unload(plugin: "bad")
        try stage.load("bad.lua")
      } else {
        try stage.host.reload(plugin: "bad")
      }
      expect(stage.host.plugins.map(\.trouble), is: [nil])
      expect(stage.perform("did").hasPrefix("handled") && stage.host.undoHistory.undo == ["Did"])
      expect(stage.host.perform("waits").status, is: .running)
      expect(stage.take(), is: [])
    }
  }
}

extension ScriptEngine {
  /// Spends a limit in a plugin's name, without one of its actions.
  fileprivate func spend(by name: String) throws {
    let script = try Expectations.require(plugins.first { $0.owner.name == name })
    let loop = try lua.load(
      bytes: Array("while true do end".utf8), name: "loop", environment: nil, owner: script.code)
    do {
      _ = try within(allowance) { try lua.call(loop) }
    } catch let error as LuaError {
      _ = failure(error, owner: script.owner)
    }
    // Evaluating a line does the same.
    dispatcher.doPostponed()
  }
}
