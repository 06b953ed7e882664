import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Scripts that misuse waiting")
struct TimeAttackTests {
  @Test("A wrong argument of sleep is an error at its line")
  func numbers() throws {
    let stage = try ScriptStage(
      """
      function app.on:go()
        for _, value in ipairs { -1, 0/0, 1/0, -1/0, 1e10, 2^63, math.mininteger, math.maxinteger, "1", true, {} } do
          print(select(2, pcall(function() sleep(value) end)))
        end
        print(select(2, pcall(function() sleep() end)))
        print(select(2, pcall(function() sleep(nil) end)))
        sleep(0) sleep(1e-12) sleep(1e9)
        return "woken"
      end
      """)
    let outcome = stage.host.perform("go", wait: true)
    let range = "app.lua:3: sleep takes between 0 and 1000000000 seconds"
    expect(
      stage.takePrinted(),
      is: Array(repeating: range, count: 8) + [
        "app.lua:3: sleep takes a number of seconds, not a string",
        "app.lua:3: sleep takes a number of seconds, not a boolean",
        "app.lua:3: sleep takes a number of seconds, not a table",
        "app.lua:5: sleep takes a number of seconds, not nothing",
        "app.lua:6: sleep takes a number of seconds, not nil",
      ])
    expect(outcome.line, is: "handled by app via on → text(\"woken\")")
    expect(stage.host.now, is: .seconds(1_000_000_000) + .milliseconds(2))
  }

  @Test("Thousands of jobs at once wake in order, and leave nothing")
  func thousands() throws {
    let stage = try ScriptStage(
      """
      local order = {}
      app:define("x", { on = function(_, ctx) sleep(ctx.n % 97 + 1) order[#order + 1] = ctx.n end, reentrant = true })
      function app.on:check()
        for i = 2, #order do
          local a, b = order[i - 1], order[i]
          assert(a % 97 < b % 97 or a % 97 == b % 97 and a < b)
        end
        return #order
      end
      """)
    for n in 1...5000 { expect(stage.host.perform("x(n: \(n))").status, is: .running) }
    expect(stage.host.jobs.count, is: 5000)
    for job in stage.host.jobs.enumerated() where job.offset % 3 == 0 { job.element.cancel() }
    try stage.host.advance(by: .seconds(100))
    expect(stage.perform("check"), is: "handled by app via on → integer(3333)")
    expect(stage.host.jobs.isEmpty && stage.host.nextDeadline == nil)
  }

  @Test("Only the host resumes an action's coroutine")
  func stolenThread() throws {
    let stage = try ScriptStage(
      """
      local thread
      function app.on:x() thread = coroutine.running() sleep(1) return "own" end
      function app.on:steal()
        print(coroutine.status(thread), coroutine.resume(thread, "mine"))
        print(coroutine.status(thread), coroutine.resume(coroutine.running()))
      end
      """)
    let job = try require(stage.host.perform("x").job)
    _ = stage.perform("steal")
    try stage.host.advance(by: .seconds(1))
    expect(job.outcome?.line, is: "handled by app via on → text(\"own\")")
    _ = stage.perform("steal")
    let refusal = "false\tcannot resume the coroutine of an action: only the host goes on with it"
    expect(
      stage.takePrinted().map { String($0.drop { $0 != "\t" }.dropFirst()) }, is: Array(repeating: refusal, count: 4))
  }

  @Test("Endless sleeping ends when its host stops driving; time costs no allowance, each stretch has its own")
  func endless() throws {
    let stage = try ScriptStage(
      """
      function app.on:endless() local n = 0 while true do sleep(0) n = n + 1 progress(n % 2) end end
      function app.on:busy() for i = 1, 3 do for j = 1, 3e6 do end sleep(1) end return "busy" end
      function app.on:spins() sleep(1) pcall(function() while true do end end) end
      """)
    let endless = try require(stage.host.perform("endless").job)
    try stage.host.advance(by: .seconds(2))
    expect(endless.isWaiting)
    endless.cancel()
    expect(stage.host.perform("busy", wait: true).line, is: "handled by app via on → text(\"busy\")")
    let spins = stage.host.perform("spins", wait: true)
    expect(spins.status == .failed && spins.error?.limit != nil)
    expect(stage.perform("nosuch").hasPrefix("unhandled"))
  }

  @Test("Two actions that wake each other forever don't block the host while its clock is still")
  func pingPong() throws {
    let stage = try ScriptStage(
      """
      local jobs = {}
      app:define("sleeper", { on = function() sleep(1e6) end, reentrant = true })
      local function sleeper() return app:perform("sleeper", nil, { wait = false }).job end
      app:define("ping", { reentrant = true, on = function(_, ctx)
        local me, you = ctx.me, 3 - ctx.me
        while true do
          jobs[me] = sleeper()
          if jobs[you] then jobs[you]:cancel() end
          jobs[me]:wait()
        end
      end })
      """)
    expect(stage.host.perform("ping(me: 1)").status, is: .running)
    expect(stage.host.perform("ping(me: 2)").status, is: .running)
    try stage.host.advance(by: .milliseconds(50))
    expect(stage.host.now, is: .milliseconds(50))
  }

  /// A job performs an action that waits for the job.
  private func circleOfNested() throws {
    let stage = try ScriptStage(
      """
      local job
      function app.on:outer() sleep(0.1) return app:perform("inner").status end
      function app.on:inner() return job:wait().status end
      function app.on:go() job = app:perform("outer", nil, { wait = false }).job end
      function app.on:told() local o = job:wait() return o.status .. ": " .. tostring(o.reason) end
      """)
    _ = stage.host.perform("go")
    try stage.host.advance(by: .seconds(1))
    expect(stage.host.jobs.isEmpty)
    expect(stage.host.perform("told").result.shownText, is: "cancelled: 'outer' would wait for itself")
  }

  /// Each of many jobs waits for the one before.
  private func tooLong() throws {
    let stage = try ScriptStage(
      """
      local last
      app:define("first", { on = function() sleep(9) end, reentrant = true })
      app:define("next", { on = function(_, ctx) return ctx.before:wait().status end, reentrant = true })
      function app.on:go()
        last = app:perform("first", nil, { wait = false }).job
        for _ = 1, 1100 do
          local outcome = app:perform("next", { before = last }, { wait = false })
          if not outcome.job then return outcome.reason end
          last = outcome.job
        end
      end
      """)
    expect(
      stage.host.perform("go").result.shownText, is: "1000 actions wait for each other, and that is the limit")
  }

  @Test("Waiting for oneself, in a circle, or for an event that never comes is refused or ended")
  func circles() throws {
    let stage = try ScriptStage(
      """
      local a, b
      app:define("a", { on = function() sleep(1) print(pcall(b.wait, b)) end })
      app:define("b", { on = function() print(a:wait().status) end })
      app:define("self", { on = function() sleep(1) local me = a print(pcall(me.wait, me)) end })
      function app.on:take() local all = app:jobs() a, b = all[1], all[2] end
      function app.on:none() b:wait() end
      """)
    _ = stage.host.perform("a")
    _ = stage.host.perform("take")
    _ = stage.host.perform("b")
    _ = stage.host.perform("take")
    try stage.host.advance(by: .seconds(2))
    expect(stage.takePrinted(), is: ["false\t'a' would wait for itself: 'b' waits for it", "handled"])
    _ = stage.host.perform("self")
    _ = stage.host.perform("take")
    try stage.host.advance(by: .seconds(2))
    expect(stage.takePrinted(), is: ["false\t'self' would wait for itself"])
    let outcome = stage.host.perform("x", wait: true)
    expect(outcome.status, is: .unhandled)
    try circleOfNested()
    try tooLong()

    let host = stage.host
    host.on("drives") { [unowned host] _ -> Value in
      guard let job = host.jobs.first else { return .null }
      return .text(host.wait(for: job).line)
    }
    try host.load(
      text: """
        local me
        function app.on:outer() sleep(1) me = app:perform("waits", nil, { wait = false }).job return app:perform("drives").result end
        local outer
        function app.on:know() outer = app:jobs()[1] end
        function app.on:waits() outer:wait() end
        """, name: "b.lua")
    let outer = try require(host.perform("outer").job)
    _ = host.perform("know")
    try host.advance(by: .seconds(1))
    expect(
      outer.outcome?.line, is: "handled by app via on → text(\"cancelled by app via on: nothing can wake it any more\")"
    )
  }

  @Test("S2: If a perform is cancelled as it begins to wait, nothing is left waiting")
  func endedAtWaits() throws {
    let stage = try ScriptStage(
      """
      function app.on:rests() sleep(1) end
      function app.on:go(ctx)
        for i = 1, ctx.n do app:find("app") end
        app:perform("cancel")
        app:perform("rests")
      end
      """)
    let canceller = try stage.host.canceller()
    stage.host.on("cancel") { _ in canceller.cancel() }
    // The host looks for limits at every so many calls. One of these counts puts the look at the wait.
    for calls in 0..<120 {
      let outcome = stage.host.perform("go(n: \(calls))")
      expect((outcome.status == .running) == !stage.host.jobs.isEmpty, "\(calls): \(outcome.line)")
      for job in stage.host.jobs { job.cancel() }
    }
    expect(stage.host.jobs.isEmpty && stage.host.nextDeadline == nil)
  }

  @Test("Errors after a sleep travel up the chain, with line and traceback; limits and refusals too")
  func errors() throws {
    let stage = try ScriptStage(
      """
      local up = responder "up"
      function up:failed(e) print("up", e.message, e.line) return e end
      local r = responder "r" { next = up }
      local function deep() sleep(1)
        error("broken")
      end
      function r.on:x() deep() end
      function r.on:y() sleep(1) local t = nil; return t.x end
      focus(r)
      """)
    let x = stage.host.perform("x", wait: true)
    expect(x.status == .failed && x.error?.place?.line == 5 && x.error?.owner == "app")
    expect(x.error?.traceback?.contains("deep"), is: true)
    expect(stage.host.perform("y", wait: true).error?.place?.description, is: "app.lua:8")
    expect(stage.takePrinted(), is: ["up\tbroken\t5", "up\tattempt to index a nil value (local 't')\t8"])
    expect(stage.host.takeDiagnostics().count, is: 2)
  }

  @Test("A closing host drops waiting actions at any depth, without output and without a leak")
  func closing() throws {
    final class Kept {}
    weak var kept: Kept?
    var ended = 0
    var job: Job?
    do {
      let stage = try ScriptStage(
        """
        function app.on:inner(ctx) local held = ctx.kept sleep(5) return held end
        function app.on:outer(ctx) return app:perform("inner", { kept = ctx.kept }) end
        local far = responder "far"
        function far.on:f(ctx) sleep(1) end
        local near = responder "near" { next = far }
        function near.on:f(ctx) return ctx:forward() end
        focus(near)
        observe("*", function(e) print(e.stage) end)
        """)
      let object = Kept()
      kept = object
      var options = PerformOptions()
      options.arguments = ["kept": .opaque(object)]
      job = stage.host.perform("outer", options).job
      job?.onEnd { _ in ended += 1 }
      expect(stage.host.perform("f").status, is: .running)
      expect(stage.host.jobs.count, is: 3)
      _ = stage.takePrinted()
    }
    expect(kept == nil && ended == 0)
    expect(job?.outcome?.line, is: "cancelled by app via on: the host is closed")
    job?.cancel()
    job = nil
  }

  @Test("100,000 sleeps, of every kind of wait, leave memory, registry and objects unchanged")
  func flat() throws {
    let stage = try ScriptStage(
      """
      local far = responder "far"
      function far.on:f(ctx) sleep(1) return "far" end
      local r = responder "r" { next = far }
      function r.on:nap(ctx) sleep(1) return ctx.n end
      function r.on:outer(ctx) progress(0.5, "half") return app:perform("nap", { n = 1 }).result end
      function r.on:f(ctx) return ctx:forward() end
      function r.on:bad() sleep(1) error({ "bad" }) end
      function r.on:refuse(ctx) sleep(1) ctx:refuse("no") end
      function r.on:passes(ctx) sleep(1) return pass end
      function far.on:passes(ctx) sleep(1) return 1 end
      function r.on:dropped(ctx) pcall(sleep, 1) end
      function r.on:waits(ctx) local j = app:perform("nap(n: 2)", nil, { wait = false }).job j:cancel() return j:wait() end
      focus(r)
      """)
    let host = stage.host
    let scripts = try require(host.scripts)
    func rounds(_ count: Int) {
      for _ in 0..<count {
        for reference in ["nap(n: 1)", "outer", "f", "bad", "refuse", "passes", "waits"] {
          host.perform(reference, wait: true)
        }
        host.perform("dropped").job?.cancel()
        _ = host.takeDiagnostics()
      }
    }
    rounds(200)
    let before = LuaHoldings(scripts.lua)
    scripts.lua.collect()
    let memory = scripts.lua.memory
    for _ in 0..<90_000 { host.perform("nap(n: 1)", wait: true) }
    // Compares the same phase of the cycle: a round leaves one coroutine more or less for reuse than a nap.
    rounds(1500)
    expect(host.jobs.isEmpty)
    let after = LuaHoldings(scripts.lua)
    expect(after, is: before)
    scripts.lua.collect()
    expect(scripts.lua.memory, is: memory, "\(memory) → \(scripts.lua.memory)")
  }

  @Test("Ctrl-C ends a perform that the caller waits for, and a real sleep takes its time")
  func interrupt() throws {
    let stage = try ScriptStage(
      """
      function app.on:x() sleep(1000) end
      function app.on:y() sleep(0.001) return 1 end
      """, clock: SystemClock())
    expect(stage.host.perform("y", wait: true).status, is: .handled)
    try stage.host.canceller().cancel()
    let outcome = stage.host.perform("x", wait: true)
    expect(outcome.status == .cancelled && outcome.error?.code == .cancelled)
  }

  @Test("S2: An action that is cancelled while a hook decides who takes it is cancelled, as in a handler")
  func endedWhileAsking() throws {
    for hook in ["claims", "redirect", "resolve"] {
      let stage = try ScriptStage(
        """
        function app:\(hook)(action) if action == "x" then while true do end end end
        function app:unknown() return pass end
        function app.on:y() end
        """,
        limits: .patient)
      try stage.host.canceller().cancel()
      let outcome = stage.host.perform("x")
      expect(outcome.status == .cancelled && outcome.error?.code == .cancelled, "\(hook): \(outcome.line)")
      expect(stage.host.perform("y").status, is: .handled)
    }
  }

  @Test("A plan that was first made while a coroutine ran outlives that coroutine, and so does its job")
  func laidOutInside() throws {
    let stage = try ScriptStage(
      """
      function app.on:inner(ctx) return ctx.n end
      function app.on:naps(ctx) sleep(1) return ctx.n end
      function app.on:outer() app:perform("drive") error("dropped") end
      """)
    let host = stage.host
    host.on("drive") { [unowned host] _ -> Value in
      for _ in 0..<3 {
        host.perform("inner(n: 1)")
        host.perform("naps(n: 1)").job?.cancel()
      }
      return .null
    }
    expect(host.perform("outer").status, is: .failed)
    let lua = try require(host.scripts?.lua)
    for _ in 0..<200 {
      lua.collect()
      expect(stage.perform("inner(n: 1)"), is: "handled by app via on → integer(1)")
      expect(host.perform("naps(n: 1)", wait: true).line, is: "handled by app via on → integer(1)")
    }
  }
}
