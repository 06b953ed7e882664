import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("after and every")
struct TimerScriptTests {
  private func advance(_ stage: ScriptStage, _ seconds: Double) throws {
    try stage.host.advance(by: .milliseconds(Int(seconds * 1000)))
  }

  @Test("T7: after runs once and every again and again, on the host's clock; a handle removes its own timer")
  func both() throws {
    let stage = try ScriptStage(
      """
      function app.on:go()
        after(2, function(...) print("after", select("#", ...)) end)
        ticking = every(1, function() print("every") end)
        gone = after(1, function() print("never") end)
        gone:remove()
      end
      function app.on:stop() ticking:remove() ticking:remove() end
      ticking, gone = nil, nil
      """)
    expect(stage.host.perform("go").status == .handled && stage.host.jobs.isEmpty)
    try advance(stage, 0.9)
    expect(stage.takePrinted(), is: [])
    try advance(stage, 2.2)
    expect(stage.takePrinted(), is: ["every", "after\t0", "every", "every"])
    expect(stage.host.perform("stop").status == .handled && stage.host.nextDeadline == nil)
    try advance(stage, 5)
    expect(stage.takePrinted(), is: [])
  }

  @Test("T7: Timers may be declared while loading and count from its end; a failed load leaves none")
  func loading() throws {
    let stage = try ScriptStage("every(1, function() print('tick') end)")
    try advance(stage, 2)
    expect(stage.takePrinted(), is: ["tick", "tick"])
    let host = ScriptHost(clock: TestClock())
    #expect(throws: LoadError.self) { try host.load(text: "after(1, print) error('no')", name: "app.lua") }
    expect(host.nextDeadline, is: nil)
    // A load that takes time.
    let clock = TestClock()
    let slow = ScriptHost(clock: clock)
    var printed: [String] = []
    slow.onPrint = { line in
      printed.append(line)
      if line == "loading" { _ = clock.skip(to: 5_000_000_000) }
    }
    try slow.load(text: "after(1, function() print('ran') end) print('loading')", name: "app.lua")
    try slow.advance(by: .milliseconds(900))
    expect(printed, is: ["loading"])
    try slow.advance(by: .milliseconds(100))
    expect(printed, is: ["loading", "ran"])
  }

  @Test(
    "U3: Timers of an action that fails, is refused or cancelled don't run any more",
    arguments: [
      "error('broken')", "return refuse('no')", "while true do end", "sleep(0.5) error('broken')",
      "app:perform('cancels')", "app:perform('fails_late') error('broken')", "app:perform('fails') error('broken')",
      "app:perform('begins') error('broken')",
    ])
  func failing(end: String) throws {
    let stage = try ScriptStage(
      """
      app.undo = true
      function app.on:changes(ctx) ctx:undo("Change", function(c) c:undo("Change", function() end) end) end
      function app.on:begins() after(5, function() print("after") end) end
      function app.on:fails() every(1, function() print("every") end) error("broken") end
      function app.on:go()
        after(0.2, function() print("in time") end)
        every(1, function() print("every") end)
        \(end)
      end
      function app.on:fails_late() sleep(0.5) app:perform("fails") error("late") end
      function app.on:cancels() sleep(1000) end
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    let host = stage.host
    host.perform("changes")
    host.undo()
    let outcome = host.perform("go")
    try advance(stage, 0.6)
    for job in host.jobs { job.cancel(because: "enough") }
    let hasWaited = outcome.status == .running
    expect(outcome.job?.outcome?.status ?? outcome.status != .handled)
    expect(host.jobs.isEmpty && host.nextDeadline == nil, "\(host.jobs)")
    try advance(stage, 10)
    expect(stage.takePrinted(), is: (hasWaited ? ["in time"] : []))
    // Records kept only for a failure are no part of the history.
    expect(host.undoHistory.undo == [] && host.undoHistory.redo == ["Change"])
  }

  @Test("U3: Timers of an action that succeeds stay, and those of a failed hook or an observer of a failed action")
  func succeeding() throws {
    let stage = try ScriptStage(
      """
      app.undo = true
      function app.on:changes(ctx) ctx:undo("Change", function() after(1, function() print("undone") end) end) end
      function app.on:begins() after(1, function() print("began") end) app:perform("fails") end
      function app.on:fails() after(1, function() print("never") end) error("broken") end
      function app:failed(e) after(1, function() print("shown") end) return e end
      observe("fails", function(e) if e.stage == "failed" then after(1, function() print("seen") end) end end)
      """)
    let host = stage.host
    expect(host.perform("begins").status, is: .handled)
    expect(host.undoHistory.undo, is: [])
    try advance(stage, 2)
    expect(stage.takePrinted(), is: ["began", "shown", "seen"])
    host.perform("changes")
    host.undo()
    host.redo()
    try advance(stage, 2)
    expect(stage.takePrinted(), is: ["undone"])
  }

  @Test(
    "T7: Each run has a perform's allowance, may wait, and updates the menus; its performs are separate undo groups"
  )
  func runs() throws {
    let stage = try ScriptStage(
      """
      app.note = "a"
      function app.on:write(ctx) ctx:set(app, "note", ctx.text) end
      menubar { menu "M" { section "s" { items = function() return { app.note } end, row = function(v) return item(v) { "write" } end } } }
      after(1, function() app:perform("write(text: b)") sleep(1) app:perform("write(text: c)") end)
      """)
    expect(stage.host.menus().children[0].children[0].title, is: "a")
    try advance(stage, 1.5)
    expect(stage.host.menus().children[0].children[0].title, is: "b")
    expect(stage.host.undoHistory.undo.isEmpty, "what waits places its group at its end")
    try advance(stage, 1)
    expect(stage.host.menus().children[0].children[0].title, is: "c")
    expect(stage.host.undoHistory.undo.count == 1 && stage.host.undo().status == .handled)
    expect(stage.host.menus().children[0].children[0].title, is: "a")
  }

  @Test("T7: A timer never overlaps itself: of the missed times one is made up, at the end of the run")
  func overlapping() throws {
    let stage = try ScriptStage(
      """
      local began = 0
      every(1, function() began = began + 1 print("begin " .. began) if began == 1 then sleep(3.5) end print("end") end)
      """)
    try advance(stage, 4.4)
    expect(stage.takePrinted(), is: ["begin 1"])
    try advance(stage, 0.2)
    expect(stage.takePrinted(), is: ["end", "begin 2", "end"])
    try advance(stage, 0.3)
    expect(stage.takePrinted(), is: [])
    try advance(stage, 0.2)
    expect(stage.takePrinted(), is: ["begin 3", "end"])
  }

  @Test("T7: A failing timer is reported, and removed after failing three times in a row")
  func failing() throws {
    let stage = try ScriptStage(
      """
      local count = 0
      every(1, function() count = count + 1 if count ~= 3 then error("no " .. count, 0) end end)
      """)
    try advance(stage, 20)
    let diagnostics = stage.host.diagnostics
    expect(diagnostics.map(\.message).filter { $0.hasPrefix("no") }, is: ["no 1", "no 2", "no 4", "no 5", "no 6"])
    expect(
      diagnostics.last?.message, is: "the timer that runs every 1 s failed 3 times in a row, so the host removed it")
    expect(diagnostics.last?.code == "timer" && stage.host.nextDeadline == nil)
    expect(diagnostics.last?.place?.line, is: 2, "it stands where it was asked for")
  }

  @Test("T7: A reload removes the old version's timers")
  func owners() throws {
    let stage = try ScriptStage("every(1, function() print('old') end)")
    try stage.host.reload(text: "every(1, function() print('new') end)", name: "app.lua")
    try advance(stage, 2)
    expect(stage.takePrinted(), is: ["new", "new"])
    #expect(throws: LoadError.self) { try stage.host.reload(text: "every(1, print) error('no')", name: "app.lua") }
    try advance(stage, 1)
    expect(stage.takePrinted(), is: ["new"])
  }

  @Test("T7: Unloading a plugin removes its timers; the app's and another plugin's continue")
  func unloaded() throws {
    func plugin(_ name: String) -> String {
      "plugin { name = '\(name)', version = '1' }\nevery(1, function() print('\(name)') end) after(3, print)"
    }
    let stage = try PluginStage(
      ["one.lua": plugin("one"), "two.lua": plugin("two")], app: "every(1, function() print('app') end)")
    try stage.load("one.lua", "two.lua")
    try stage.host.advance(by: .seconds(1))
    expect(stage.take(), is: ["app", "one", "two"])
    let receipt = try stage.host.unload(plugin: "one")
    expect(receipt.counts.map { "\($0.kind) \($0.count)" }, is: ["timers 2"])
    try stage.host.advance(by: .seconds(1))
    expect(stage.take(), is: ["app", "two"])
  }

  @Test("T7: Timers whose handles scripts keep are released with their owner, whether they ran or not")
  func keptHandles() throws {
    let script = """
      kept = every(1, function() if count then kept:remove() end end)
      local own own = after(0.1, function() return own end)
      """
    let stage = try ScriptStage(script)
    func objects() throws -> Int32 {
      try stage.host.reload(text: script, name: "app.lua")
      try advance(stage, 0.5)
      let lua = try require(stage.host.scripts?.lua)
      for _ in 0..<4 { lua.collect() }
      return clua_counters(lua.L).objects
    }
    let first = try objects()
    try expect(objects() == first && objects() == first)
  }

  @Test(
    "T7: Wrong arguments of a timer raise, and an owner has a thousand timers at most",
    arguments: [
      ("after(-1, print)", "after takes 0 to 1000000000 seconds"),
      ("every('1', print)", "every takes seconds and a function, not a string"),
      ("after(1)", "the function of 'after' must be a function, not nil"),
      ("for i = 1, 1001 do after(1, print) end", "'app' has 1000 timers already, and that is the limit"),
    ])
  func limits(_ script: String, _ message: String) throws {
    try expect(loadError(script).contains(message))
  }

  @Test(
    "T7: In provide, can, look, builders and sections timers raise",
    arguments: [
      "function app:provide() TIMER end", "function app.can:x() TIMER return true end",
      "function app.look:x() TIMER end menubar { item 'L' { 'x' } }",
      "function app.build:main(m) TIMER end",
      "menubar { menu 'S' { section 's' { items = function() TIMER return {} end, row = print } } }",
      "menubar { menu 'S' { section 's' { items = { 1 }, row = function() TIMER return item 'r' { 'x' } end } } }",
      "menubar { menu 'S' { look = function() TIMER end, item 'L' { 'x' } } }",
      "menubar { item 'L' { 'x', look = function() TIMER end } }",
      "function app.confirm:x() TIMER end", "function app:claims() TIMER end function app:unknown() end",
    ], ["after", "every"])
  func asking(_ script: String, _ call: String) throws {
    let stage = try ScriptStage(
      "function app.on:x() end\n" + script.replacing("TIMER", with: "\(call)(1, function() print('ran') end)"))
    var options = PerformOptions()
    options.asks = true
    _ = stage.host.menus()
    _ = stage.host.perform("x", options)
    _ = stage.host.perform("claimed")
    let refusal = "'\(call)' is not possible here: the host only asks this function, so it must not change anything"
    expect(stage.host.takeDiagnostics().contains { $0.message.contains(refusal) })
    try advance(stage, 5)
    expect(stage.takePrinted() == [] && stage.host.nextDeadline == nil)
  }

  @Test("T7: Less than 0.01 s counts as 0.01", arguments: ["0", "0.001", "0.01"])
  func least(_ seconds: String) throws {
    let stage = try ScriptStage("every(\(seconds), function() print('tick') end)")
    try advance(stage, 0.009)
    expect(stage.takePrinted(), is: [])
    try advance(stage, 0.026)
    expect(stage.takePrinted(), is: ["tick", "tick", "tick"])
  }
}
