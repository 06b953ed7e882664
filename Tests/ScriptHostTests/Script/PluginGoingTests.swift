import Expectations
import Testing

@testable import ScriptHost

@Suite("Plugins that go: their undo, and changes meanwhile")
struct PluginGoingTests {
  /// An app that acts on a plugin whenever the focus moves or something is taken back, as `will` says.
  private static let app = """
    app.undo = true
    local page = responder "page"
    focus(page)
    local does
    local function names() for _, p in ipairs(app:plugins()) do print("lists " .. p.name) end end
    local function answer(_, ok, why) print(does, ok, type(why) == "table" and why[1].message or why) end
    local function meddle()
      names()
      if does then answer(pcall(app[does], app, does == "load_plugin" and "p.lua" or "p")) end
    end
    local isBusy = false
    listen("focus", function(new, old)
      print(old.name .. " to " .. new.name)
      if isBusy then return end
      isBusy = true
      meddle()
      isBusy = false
    end)
    function app.on:will(ctx) does = ctx.it end
    function app.on:meddle() meddle() end
    function app.on:drop()
      local receipt, why = app:unload_plugin("p")
      print("dropped", receipt and receipt.responders, why)
    end
    function app.on:again() print("again", app:reload_plugin("p")) end
    function app.on:lay()
      app:find("panel").on.waits = function(self, ctx)
        ctx:undo("x", function() print(self.name, app:find("panel")) end)
        sleep(100)
      end
    end
    function app.on:load(ctx) local ok, why = app:load_plugin(ctx.path) print("loaded", ok, why and why[1].message) end
    """

  private static let panel = """
    plugin { name = "p", version = "1" }
    local panel = responder "panel"
    function app.on:show() focus(panel) end
    """

  private func stage(_ plugin: String, _ files: [String: String] = [:]) throws -> PluginStage {
    let stage = try PluginStage(files.merging(["p.lua": plugin]) { $1 }, app: Self.app)
    try stage.load("p.lua")
    return stage
  }

  @Test("E5, S4a: A plugin's endless stop has its own allowance, and the action that unloads the plugin goes on")
  func endlessStop() throws {
    let files = [
      "p.lua": """
      plugin { name = "p", version = "1" }
      for i = 1, 20 do
        local one = responder("one" .. i)
        function one:stop() while true do pcall(function() while true do end end) end end
      end
      function app:stop() while true do end end
      """
    ]
    let stage = try PluginStage(files, app: Self.app, limits: HostLimits(perform: .milliseconds(300)))
    try stage.load("p.lua")
    let start = SystemClock().now
    let outcome = stage.host.perform("drop")
    expect(outcome.status, is: .handled, "\(outcome.line)")
    expect(stage.printed == ["dropped\t20\tnil"] && stage.host.plugins.isEmpty)
    expect(SystemClock().now - start < .milliseconds(300 * 21 / 2), "only the first has a whole allowance")
    expect(stage.host.diagnostics.contains { $0.code == "limit" && $0.message.contains("0.3 s") })
  }

  @Test(
    "A listener that runs as a plugin goes can't find, unload or reload it, and may load it again",
    arguments: [
      ("unload_plugin", ["unload_plugin\tnil\tthere is no plugin 'p'"], []),
      ("reload_plugin", ["reload_plugin\tfalse\tthere is no plugin 'p'"], []),
      ("load_plugin", ["load_plugin\ttrue\tnil"], ["p"]),
    ])
  func heard(_ call: String, _ answers: [String], _ left: [String]) throws {
    let stage = try stage(Self.panel)
    stage.host.perform("show")
    stage.host.perform("will(it: \(call))")
    _ = stage.take()
    let panel = try require(stage.host.find("panel"))
    stage.host.perform("drop")
    expect(stage.take(), is: ["panel to app"] + answers + ["dropped\t1\tnil"])
    expect(stage.host.plugins.map(\.manifest.name) == left && panel.isRemoved)
    expect(stage.host.scripts?.owners.count, is: 2 + left.count)
    expect(stage.perform("show").hasPrefix(left.isEmpty ? "unhandled" : "handled"))
    expect(stage.host.takeDiagnostics().isEmpty)
  }

  @Test("E3: A listener that runs as a plugin reloads finds the new version, and may reload or unload it")
  func heardOfReload() throws {
    for (call, answer, left) in [("reload_plugin", "true\tnil", ["p"]), ("unload_plugin", "table", [])] {
      let stage = try stage(Self.panel)
      stage.host.perform("show")
      stage.host.perform("will(it: \(call))")
      stage.write("plugin { name = 'p', version = '2' }", to: "p.lua")
      _ = stage.take()
      stage.host.perform("again")
      let lines = stage.take()
      expect(lines.first == "panel to app" && lines.last == "again\ttrue" && lines[1] == "lists p", "\(lines)")
      expect(lines.count == 4 && lines[2].hasPrefix("\(call)\t\(answer)"), "\(lines)")
      expect(stage.host.plugins.map { "\($0.manifest.name) \($0.manifest.version)" }, is: left.map { "\($0) 2.0.0" })
      expect(stage.host.scripts?.owners.count, is: 2 + left.count)
    }
  }

  @Test("E3, S7: A listener that runs after a failed load finds everything as before")
  func heardOfFailure() throws {
    let stage = try stage(
      Self.panel,
      [
        "bad.lua": "plugin { name = 'bad', version = '1' } focus(responder 'bad panel') error('no')",
        "both.lua": "plugin { name = 'both', version = '1', requires = { bad = '*' } }",
        "first.lua": "plugin { name = 'first', version = '1' } focus(responder 'first panel')",
        "then.lua": "plugin { name = 'then', version = '1', requires = { first = '*' } } error('no')",
      ])
    stage.host.pluginFolders = [stage.path]
    stage.host.perform("load(path: bad.lua)")
    expect(
      stage.take(),
      is: [
        "page to bad panel", "lists p", "lists bad", "bad panel to page", "lists p", "loaded\tfalse\tno",
      ])
    // If several plugins load together, listeners run when none of them is left.
    stage.host.perform("will(it: reload_plugin)")
    stage.host.perform("load(path: then.lua)")
    expect(
      stage.take(),
      is: [
        "page to first panel", "lists p", "lists first",
        "reload_plugin\treloading a plugin is not possible while a script loads: do it in an action or in 'start'\tnil",
        "first panel to page", "lists p", "reload_plugin\ttrue\tnil", "loaded\tfalse\tno",
      ])
    expect(stage.host.plugins.map(\.manifest.name) == ["p"] && stage.host.scripts?.owners.count == 3)
  }

  /// A plugin with waiting actions on its own responder and on the app's, and a third inside an action of the app.
  private static let waiting = """
    plugin { name = "p", version = "1" }
    local panel = responder "panel"
    local isOn = { app = false, panel = false }
    local function begin(name, ctx)
      isOn[name] = true
      ctx:undo("x", function()
        isOn[name] = false
        print(name .. " taken back", isOn.app, isOn.panel, app:find("panel").name)
        app:perform("meddle")
      end)
      sleep(100)
    end
    function app.on:waits(ctx) begin("app", ctx) end
    function panel.on:waits_too(ctx) begin("panel", ctx) end
    """

  private func begin(_ stage: PluginStage) throws -> [Job] {
    var own = PerformOptions()
    own.to = stage.host.find("panel")
    let jobs = [stage.host.perform("waits"), stage.host.perform("waits_too", own)].compactMap(\.job)
    expect(jobs.count, is: 2)
    return jobs
  }

  @Test(
    "T3, T4: A plugin's waiting actions are taken back before it is unloaded or reloaded, as if cancelled")
  func takesBack() throws {
    let takenBack = ["app taken back\tfalse\ttrue\tpanel", "panel taken back\tfalse\tfalse\tpanel"]
    for (reference, listed, last) in [
      ("drop", [], "dropped\t1\tnil"), ("again", ["lists p"], "again\ttrue"),
    ] {
      let stage = try stage(Self.waiting)
      let jobs = try begin(stage)
      stage.host.perform(reference)
      expect(stage.take(), is: takenBack.flatMap { [$0] + listed } + [last])
      let reason = "the script of 'p' is gone"
      expect(jobs.map(\.outcome?.line), is: ["app", "panel"].map { "cancelled by \($0) via on: \(reason)" })
      expect(stage.host.jobs.isEmpty && stage.host.takeDiagnostics().isEmpty)
    }
    let stage = try stage(Self.waiting)
    for job in try begin(stage) { job.cancel() }
    expect(stage.take(), is: takenBack.flatMap { [$0, "lists p"] })
  }

  @Test(
    "T4: While a plugin is taken back, it isn't listed, and can't be unloaded, reloaded or loaded again",
    arguments: [
      ("unload_plugin", "nil\tthere is no plugin 'p'"), ("reload_plugin", "false\tthere is no plugin 'p'"),
      ("load_plugin", "false\tthe plugin 'p' is being unloaded: load it again when that is done"),
    ])
  func meddling(_ call: String, _ answer: String) throws {
    let stage = try stage(Self.waiting)
    _ = try begin(stage)
    stage.host.perform("will(it: \(call))")
    let engine = try require(stage.host.scripts)
    stage.host.perform("drop")
    expect(
      stage.take(),
      is: [
        "app taken back\tfalse\ttrue\tpanel", "\(call)\t\(answer)", "panel taken back\tfalse\tfalse\tpanel",
        "\(call)\t\(answer)", "dropped\t1\tnil",
      ])
    expect(stage.host.plugins.isEmpty && engine.owners.count == 2 && stage.host.find("panel") == nil)
    // A reload runs meanwhile.
    try stage.load("p.lua")
    _ = try begin(stage)
    stage.host.perform("again")
    let refused =
      call == "unload_plugin"
      ? "nil\ta plugin can't be unloaded while a script loads"
      : "false\tnothing can be loaded while another script loads"
    expect(
      stage.take(),
      is: [
        "app taken back\tfalse\ttrue\tpanel", "lists p", "\(call)\t\(refused)", "panel taken back\tfalse\tfalse\tpanel",
        "lists p", "\(call)\t\(refused)", "again\ttrue",
      ])
    expect(stage.host.plugins.count == 1 && engine.owners.count == 3 && stage.host.takeDiagnostics().isEmpty)
  }

  @Test("T4: A plugin's reversals, run as it goes, can't register anything")
  func registersNothing() throws {
    let stage = try stage(
      """
      plugin { name = "p", version = "1" }
      function app.on:waits(ctx)
        ctx:undo("x", function()
          print(pcall(function() app.on.left = print end))
          print(pcall(function() listen("focus", print) end))
          print(pcall(function() responder "left" end))
        end)
        sleep(100)
      end
      """)
    stage.host.perform("waits")
    let listeners = stage.host.listenerCount
    try stage.host.unload(plugin: "p")
    expect(stage.take(), is: (4...6).map { "false\tp.lua:\($0): the script of 'p' is gone" })
    expect(stage.perform("left").hasPrefix("unhandled") && stage.host.find("left") == nil)
    expect(stage.host.listenerCount, is: listeners)
  }

  @Test("T4: Others' actions that wait at a plugin's responder are taken back while the responder still exists")
  func othersTakeBack() throws {
    for reference in ["drop", "again"] {
      let stage = try stage(Self.panel)
      var options = PerformOptions()
      options.to = stage.host.find("panel")
      stage.host.perform("lay")
      let job = try require(stage.host.perform("waits", options).job)
      stage.host.perform(reference)
      expect(stage.take().first, is: "panel\tresponder 'panel'")
      expect(job.outcome?.line, is: "cancelled by panel via on: 'panel' was removed")
    }
  }

  @Test(
    "T3, T4: A running action ends normally when its plugin goes: a failure is taken back, a success is forgotten"
  )
  func executing() throws {
    let body = """
      plugin { name = "p", version = "1" }
      local function begin(ctx, how) ctx:undo("x", function() print("taken back") end) app:perform(how) end
      function app.on:waits(ctx) begin(ctx, ctx.how) sleep(1) print("never") end
      function app.on:fails(ctx) begin(ctx, ctx.how) error("no") end
      function app.on:ends(ctx) begin(ctx, ctx.how) end
      """
    for how in ["drop", "again"] {
      for (action, status, lines) in [
        ("waits", Outcome.Status.cancelled, ["taken back"]), ("fails", .failed, ["taken back"]), ("ends", .handled, []),
      ] {
        let stage = try stage(body)
        let outcome = stage.host.perform("\(action)(how: \(how))")
        expect(outcome.status == status && stage.take().dropFirst() == lines[...], "\(action) \(how)")
        expect(stage.host.undoHistory.undo, is: [], "\(action) \(how)")
      }
    }
  }

  @Test("Nothing that a removed plugin did can be undone, also not inside an action that continues")
  func parts() throws {
    let stage = try stage(
      """
      plugin { name = "p", version = "1" }
      function app.on:part(ctx) ctx:undo("x", function() print("undone") end) end
      """)
    let app = """
      app.undo = true
      function app.on:apart() app:perform("part") app:perform("drop", {}, { wait = false }) end
      function app.on:later() app:perform("part") sleep(1) error("no") end
      function app.on:drop() app:unload_plugin("p") end
      """
    try stage.host.reload(text: app, name: "app.lua")
    stage.host.perform("apart")
    expect(stage.host.undoHistory.undo, is: [])
    try stage.load("p.lua")
    let later = try require(stage.host.perform("later").job)
    stage.host.perform("drop")
    try stage.host.advance(by: .seconds(1))
    expect(later.outcome?.status == .failed && stage.take() == [])
    try stage.load("p.lua")
    stage.host.perform("part")
    expect(stage.host.undoHistory.undo, is: ["x"])
  }

  // MARK: Errors of calls after the plugin is gone

  @Test("If a removed plugin's function calls the host, the error says so, at its line")
  func words() throws {
    let calls = [
      "app.on.x = print", "on.x = print", "on.swap = print", "app:define('x', { on = print })", "app.delegate = page",
      "app:perform('x')", "app:find('page')", "find(app, 'page')", "app.keep.x = 1", "app.keep = {}", "app.title = 'x'",
      "return app.phase", "app { x = 1 }", "page.on.x = print", "page.provide = print", "page:perform('x')",
      "focus(page)", "modal(page)", "observe('*', print)", "listen('focus', print)", "responder 'x'", "class 'x'",
      "require 'nothere'", "ctx:set(app, 'x', 1)", "ctx:set({}, 'x', 1)", "ctx:set({}, { x = 1 })",
      "ctx:undo('x', print)", "ctx:undo(print)",
    ]
    let stage = try PluginStage([
      "p.lua": """
      plugin { name = "p", version = "1" }
      local page = app:find("page")
      local on, find = app.on, app.find
      app.on.swap = print
      local does = { \(calls.map { "function(ctx) \($0) end" }.joined(separator: ", ")) }
      function app.on:all(ctx)
        app:perform(ctx.how)
        for _, call in ipairs(does) do print((select(2, pcall(call, ctx)))) end
        print(page)
      end
      """
    ])
    stage.write(Self.app, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    for how in ["drop", "again"] {
      if how == "drop" || stage.host.plugins.isEmpty { try stage.load("p.lua") }
      stage.host.perform("all(how: \(how))")
      let lines = stage.take().dropFirst()
      expect(lines.count == calls.count + 1 && lines.last == "responder 'page', of a script that is gone")
      for (call, line) in zip(calls, lines) { expect(line, is: "p.lua:5: the script of 'p' is gone", "\(call)") }
    }
  }

  @Test("S3: A call with an unknown owner registers nothing in anybody's name")
  func unknown() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1" }
        function app.on:leave(ctx)
          app:perform("drop")
          local taker = ctx.taker
          for _, body in ipairs {
            function() taker.on.left = print end, function() taker.provide = function() end end,
            function() taker:define("left", { on = print }) end, function() taker:derive("left", { on = { left = print } }) end,
            function() taker.delegate = taker end, function() taker.left = 1 end,
          } do print((pcall(body))) end
        end
        """, "q.lua": "plugin { name = 'q', version = '1' }",
      ], app: Self.app)
    for others in [[], ["q.lua"]] {
      try stage.load("p.lua")
      for other in others { try stage.load(other) }
      let before = stage.host.receipt(of: stage.host.program)
      stage.host.perform("leave")
      expect(stage.take(), is: ["dropped\tnil\tnil"] + Array(repeating: "false", count: 6))
      expect(stage.host.receipt(of: stage.host.program) == before && stage.host.app.delegate == nil)
      expect(stage.perform("left").hasPrefix("unhandled"))
    }
  }
}
