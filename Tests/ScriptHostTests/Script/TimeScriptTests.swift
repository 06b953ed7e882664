import Expectations
import Glibc
import Testing

@testable import ScriptHost

@Suite("Actions that take time")
struct TimeScriptTests {
  /// Loads a script, performs `go` until it has ended, and compares the output.
  private func checkWaiting(
    _ script: String, prints expected: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let stage = try ScriptStage(script)
    let outcome = stage.host.perform("go", wait: true)
    var lines = stage.takePrinted()
    if outcome.status != .handled { lines.append(outcome.line) }
    expect(lines.joined(separator: "\n"), is: expected, sourceLocation: location)
    expect(stage.host.jobs.isEmpty, sourceLocation: location)
  }

  @Test("T1: A waiting action blocks nothing: other performs, passes and keys work")
  func holdsNobody() throws {
    let stage = try ScriptStage(
      """
      function app.on:slow() print("begins") sleep(2) print("ends") return "slow" end
      function app.on:quick() return "quick" end
      """)
    // The second time there is a plan.
    for _ in 0..<2 {
      let outcome = stage.host.perform("slow")
      expect(outcome.status == .running && outcome.by == "app" && outcome.via == .on)
      expect(stage.perform("quick"), is: "handled by app via on → text(\"quick\")")
      expect(stage.host.validate("quick").isEnabled)
      expect(stage.takePrinted(), is: ["begins"])
      expect(stage.host.jobs.map(\.action) == ["slow"] && stage.host.nextDeadline == stage.host.now + .seconds(2))
      try stage.host.advance(by: .seconds(1))
      expect(stage.takePrinted() == [] && outcome.job?.outcome == nil)
      try stage.host.advance(by: .seconds(1))
      expect(stage.takePrinted(), is: ["ends"])
      expect(outcome.job?.outcome?.line, is: "handled by app via on → text(\"slow\")")
      expect(stage.host.jobs.isEmpty && stage.host.nextDeadline == nil)
    }
  }

  @Test(
    "T2: A job's outcome comes once, however it ends; observers stay balanced",
    arguments: [
      ("return 1", "handled by r via on → integer(1)", "did"), ("error('broken')", "failed", "failed"),
      ("ctx:refuse('not today')", "disabled by r via on: not today", "failed"),
      ("return pass", "handled by app via on → text(\"far\")", "did"),
      ("sleep(1) sleep(0) return 2", "handled by r via on → integer(2)", "did"),
    ])
  func once(_ end: String, _ line: String, _ stageOfEnd: String) throws {
    for isObserved in [false, true] {
      let stage = try ScriptStage(
        """
        local r = responder "r"
        function r.on:x(ctx) sleep(1) \(end) end
        function app.on:x() return "far" end
        focus(r)
        """)
      var heard: [String] = []
      if isObserved {
        stage.host.observe { heard.append("\($0.stage) \($0.action) \($0.outcome?.status.rawValue ?? "")") }
      }
      for _ in 0..<2 {
        heard = []
        let job = try require(stage.host.perform("x").job)
        var ended: [String] = []
        job.onEnd { ended.append($0.line) }
        try stage.host.advance(by: .seconds(5))
        job.onEnd { ended.append($0.line) }
        expect(ended.count == 2 && ended[0] == ended[1] && ended[0].hasPrefix(line), "\(ended)")
        let status = try require(job.outcome?.status)
        if isObserved { expect(heard, is: ["will x ", "\(stageOfEnd) x \(status)"]) }
        expect(stage.host.jobs.isEmpty)
      }
    }
  }

  @Test(
    "T3: Nothing in a script catches cancelling; the outcome is cancelled with a reason, observers get failed once")
  func cancelling() throws {
    let stage = try ScriptStage(
      """
      function app.on:x()
        print(pcall(function() xpcall(function() sleep(5) print("woken") end, function() print("handled") end) end))
        print("caught")
      end
      function app.on:drop() for _, job in ipairs(app:jobs()) do job:cancel() end end
      observe("x", function(e) print(e.stage, e.outcome and line(e.outcome), e.job and e.job.action) end)
      """)
    let job = try require(stage.host.perform("x").job)
    _ = stage.host.perform("drop")
    expect(stage.takePrinted(), is: ["will\tnil\tnil", "failed\tcancelled by app via on: it was cancelled\tx"])
    expect(job.outcome?.line, is: "cancelled by app via on: it was cancelled")
    job.cancel()
    try stage.host.advance(by: .seconds(9))
    expect(stage.takePrinted(), is: [])
  }

  @Test("T3: A cancelled action is released, with all values that it held")
  func cancelledMemory() throws {
    let stage = try ScriptStage(
      "function app.on:x(ctx) local held = (ctx.n .. ''):rep(100000) sleep(5) print(held) end")
    let lua = try stage.host.scriptEngine().lua
    func memory(after cancellings: ClosedRange<Int>) throws -> Int {
      for n in cancellings { try require(stage.host.perform("x(n: \(n))").job).cancel() }
      lua.collect()
      return lua.memory
    }
    let before = try memory(after: 10...20)
    try expect(memory(after: 30...90) < before + 100_000)
  }

  @Test("T3: A cancelled action is unwound and taken back even at the limit of nesting")
  func cancelledDeep() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r" { text = "before" }
      focus(r)
      local job
      r:define("inner", { reentrant = true, on = function() sleep(9) print("never") end })
      r:define("outer", { reentrant = true, on = function(self, ctx)
        ctx:set(r, "text", "half")
        ctx:undo(function() print("taken back", app:perform("inner").status) end)
        app:perform("inner")
        print("never")
      end })
      function r.on:start() job = app:perform("outer", nil, { wait = false }).job end
      function r.on:deep()
        local status = app:perform("deep").status
        if not job then return end
        local cancelled = job
        job = nil
        cancelled:cancel()
        print(status, r.text)
      end
      """)
    var heard: [String] = []
    for isObserved in [false, true] {
      if isObserved {
        stage.host.observe { event in
          if ["inner", "outer"].contains(event.action) {
            heard.append("\(event.stage) \(event.action) \(event.outcome?.status.rawValue ?? "")")
          }
        }
      }
      for _ in 0..<3 {
        heard = []
        _ = stage.host.perform("start")
        let job = try require(stage.host.jobs.first { $0.action == "outer" })
        _ = stage.host.perform("deep")
        expect(job.outcome?.line, is: "cancelled by r via on: it was cancelled")
        expect(stage.takePrinted(), is: ["taken back\tfailed", "failed\tbefore"])
        expect(stage.host.jobs.isEmpty)
        let ends = ["will outer ", "will inner ", "failed inner cancelled", "failed outer cancelled"]
        expect(heard, is: (isObserved ? ends : []))
      }
    }
    try stage.host.advance(by: .seconds(10))
    expect(stage.takePrinted(), is: [])
  }

  @Test("T3: Actions that cancel one another, each as it hears of the last, all end and nothing overflows")
  func cancelledByOneAnother() throws {
    let stage = try ScriptStage(
      """
      app:define("x", { reentrant = true, on = function(self, ctx) ctx:set(app, "n", (app.n or 0) + 1) sleep(9) end })
      observe("x", function(e) if e.stage ~= "will" then app:jobs()[1]:cancel() end end)
      function app.on:go() app:jobs()[1]:cancel() end
      function app.on:deep() if app:perform("deep").status == "failed" then app:perform("go") app:jobs()[1]:cancel() end end
      """)
    for _ in 0..<600 { _ = stage.host.perform("x") }
    var rounds = 0
    while !stage.host.jobs.isEmpty, rounds < 600 {
      _ = stage.host.perform("deep")
      rounds += 1
    }
    expect(stage.host.jobs.isEmpty && rounds < 600)
  }

  @Test("T3, T4: A running action is cancelled at its next wait, which may be its first")
  func cancelledLater() throws {
    let stage = try ScriptStage(
      """
      local me
      function app.on:x() sleep(1) me:cancel() print("goes on") sleep(1) print("never") end
      function app.on:take() me = app:jobs()[1] end
      local r = responder "r" { next = app }
      function r.on:gone(ctx) r:remove() print("still") pcall(sleep, 1) print("never") end
      function app.on:dropped() sleep(1) print("never") end
      """)
    for _ in 0..<3 {
      let job = try require(stage.host.perform("dropped").job)
      job.cancel()
      try stage.host.advance(by: .seconds(2))
      expect(job.outcome?.line == "cancelled by app via on: it was cancelled" && stage.takePrinted() == [])
    }
    let job = try require(stage.host.perform("x").job)
    _ = stage.host.perform("take")
    try stage.host.advance(by: .seconds(1))
    expect(stage.takePrinted(), is: ["goes on"])
    expect(job.outcome?.line, is: "cancelled by app via on: it was cancelled")
    try stage.host.focus(try require(stage.host.find("r")))
    expect(stage.perform("gone"), is: "cancelled by r via on: 'r' was removed")
    expect(stage.takePrinted(), is: ["still"])
  }

  @Test("T2: A listener for a job's end runs once, and is released then, even if something keeps the job")
  func letGo() throws {
    final class Token {}
    let stage = try ScriptStage("function app.on:x() sleep(1) end")
    let job = try require(stage.host.perform("x").job)
    var token: Token? = Token()
    weak let held = token
    var count = 0
    job.onEnd { [token] _ in count += token == nil ? 0 : 1 }
    token = nil
    expect(held != nil)
    try stage.host.advance(by: .seconds(2))
    expect(count == 1 && held == nil && job.outcome?.status == .handled)
  }

  @Test("T4: Removing its responder or unloading its owner cancels a waiting action")
  func removed() throws {
    let stage = try ScriptStage(
      """
      r = responder "r"
      r.on.x = function() sleep(1) print("never") end
      r.on.nested = function() app:perform("x") print("never") end
      focus(r)
      function app.on:remove() r:remove() end
      function app.on:own() sleep(1) print("never") end
      """)
    let x = try require(stage.host.perform("nested").job)
    expect(stage.host.jobs.map(\.action), is: ["x", "nested"])
    let own = try require(stage.host.perform("own").job)
    _ = stage.host.perform("remove")
    expect(x.outcome?.line, is: "cancelled by r via on: 'r' was removed")
    expect(own.isWaiting && stage.host.jobs.count == 1)
    let owner = try require(stage.host.scripts?.owners.last?.owner)
    stage.host.removeAll(of: owner)
    expect(own.outcome?.line, is: "cancelled by app via on: the script of 'app' is gone")
    try stage.host.advance(by: .seconds(5))
    expect(stage.takePrinted(), is: [])
  }

  @Test("S4a: Sleeping costs nothing and restores its length; the rest spent before a wait stays spent")
  func spentBefore() throws {
    let stage = try ScriptStage(
      """
      function app.on:works(ctx)
        for i = 1, ctx.times do
          for j = 1, 2.1e6 do end
          if ctx.by == "sleep" then sleep(ctx.rest) else app:perform("naps", { rest = ctx.rest }) end
        end
        return "worked"
      end
      function app.on:naps(ctx) sleep(ctx.rest) end
      """, limits: HostLimits(perform: .milliseconds(50_000, instructions: 10_000_000)))
    for by in ["sleep", "naps"] {
      // Each round spends a little more than a fifth of the allowance. After 50 s all of it is restored, after 10 s a fifth.
      for rest in [50, 10] {
        let outcome = stage.host.perform("works(times: 20, rest: \(rest), by: \(by))", wait: true)
        expect(outcome.line, is: "handled by app via on → text(\"worked\")")
      }
      for rest in ["0", "4.9"] {
        let spent = stage.host.perform("works(times: 20, rest: \(rest), by: \(by))", wait: true)
        expect(spent.error?.limit == .instructions && spent.error?.place?.line == 3, "\(spent.line)")
      }
    }
  }

  @Test("S4a: If a limit is reached after a wait, the error names the whole limit, not its rest")
  func wholeLimits() throws {
    for (limit, name) in [
      (Allowance.milliseconds(300), "0.3 s "), (.milliseconds(0, instructions: 10_000_000), "10000000 "),
    ] {
      let stage = try ScriptStage(
        """
        function app.on:works() for i = 1, 3e6 do end sleep(0.001) for i = 1, 1e6 do end sleep(0) while true do end end
        """, limits: HostLimits(perform: limit))
      let message = stage.host.perform("works", wait: true).error?.message
      expect(message?.contains("the limit of \(name)"), is: true, "\(message ?? "")")
    }
    let hasty = try ScriptStage(
      "function app.on:works() while true do end end", limits: HostLimits(perform: .milliseconds(4)))
    expect(hasty.host.perform("works").error?.message.contains(" 0.004 s "), is: true)
  }

  @Test("S1: A host on the system clock returns control soon, however much is due; the rest runs the next time")
  func overtime() throws {
    let stage = try ScriptStage(
      """
      app:define("works", { on = function() sleep(0) app:perform("burn") end, reentrant = true })
      app:define("many", { on = function() for i = 1, 10 do app:perform("works", nil, { wait = false }) end end })
      """, clock: SystemClock())
    var burnt = 0
    func burn() {
      usleep(300_000)
      burnt += 1
    }
    stage.host.on("burn") { _ in burn() }
    stage.host.perform("many")
    usleep(20_000)
    stage.host.run()
    expect((1...5).contains(burnt) && !stage.host.jobs.isEmpty)
    for _ in 0..<10 where !stage.host.jobs.isEmpty { stage.host.run() }
    expect(burnt == 10 && stage.host.jobs.isEmpty)
  }

  @Test(
    "S4a: An endless wait on a test's clock, where waiting takes no time, spends the test's allowance",
    arguments: ["sleep(0)", "sleep(1)", "sleep(1e9)", "app:perform('nap')"])
  func endless(wait: String) throws {
    let limits = HostLimits(test: .milliseconds(100_000, instructions: 100_000))
    let stage = try ScriptStage(
      """
      function app.on:nap() sleep(1) end
      function app.on:endless() while true do \(wait) end end
      function app.on:after() sleep(1) return "after" end
      """, limits: limits)
    let outcome = stage.host.perform("endless", wait: true)
    expect(outcome.status == .failed && outcome.error?.limit == .instructions)
    let job = try require(stage.host.perform("endless").job)
    try stage.host.advance(by: .seconds(1e12))
    expect(job.outcome?.status == .failed && job.outcome?.error?.limit == .instructions)
    expect(stage.host.perform("after", wait: true).status == .handled && stage.host.jobs.isEmpty)
  }

  @Test(
    "T5: Time is the host's clock; a test's clock moves only by advance, or by a waiting perform to the next wake-up"
  )
  func clock() throws {
    let stage = try ScriptStage(
      """
      function app.on:a() sleep(3) print("a") end
      function app.on:b() sleep(1) print("b") sleep(1) print("b again") end
      function app.on:c() sleep(10) print("c") end
      """)
    for action in ["a", "b", "c"] { expect(stage.host.perform(action).status, is: .running) }
    stage.host.run()
    expect(stage.takePrinted() == [] && stage.host.now == .zero)
    try stage.host.advance(by: .milliseconds(1500))
    expect(stage.takePrinted() == ["b"] && stage.host.now == .milliseconds(1500))
    expect(stage.host.perform("a(n: 2)").reason, is: "running")
    let waited = try stage.host.wait(for: require(stage.host.jobs.first { $0.action == "a" }))
    expect(waited.status == .handled && stage.takePrinted() == ["b again", "a"] && stage.host.now == .seconds(3))
    stage.host.run(until: .seconds(9))
    expect(stage.host.now == .seconds(9) && stage.takePrinted() == [])
    stage.host.run(until: .seconds(8))
    expect(stage.host.now, is: .seconds(9))
    stage.host.run(until: .seconds(10))
    expect(stage.takePrinted(), is: ["c"])
    #expect(throws: Misuse.self) { try stage.host.advance(by: .seconds(-1)) }
    #expect(throws: Misuse.self) { try ScriptHost().advance(by: .seconds(1)) }
  }

  @Test("T6: A nested perform waits, the outer handler suspended; { wait = false } returns a job at once")
  func nested() throws {
    try checkWaiting(
      """
      function app.on:inner(ctx) print("inner begins") sleep(ctx.n) print("inner ends") return ctx.n end
      function app.on:fails() sleep(1) error("broken") end
      function app.on:refuses(ctx) sleep(1) ctx:refuse("no") end
      local r = responder "r"
      function r.on:deep() local o = r:perform("inner", { n = 2 }) return "deep " .. o.result end
      function app.on:go()
        say("inner(n: 1)")
        say("fails") say("refuses") say("nosuch")
        print(line(r:perform("deep")))
        local o = app:perform("inner(n: 3)", nil, { wait = false })
        print(line(o), o.job.progress, #app:jobs(), app:jobs()[1] == o.job)
        print(line(o.job:wait()), line(o.job:wait()), #app:jobs())
        print(line(app:perform("go2", nil, { wait = false })))
      end
      function app.on:go2() return "at once" end
      """,
      prints: """
        inner begins
        inner ends
        handled by app via on → 1
        failed by app via on ! broken
        disabled by app via on: no
        unhandled: nobody handles 'nosuch'
        inner begins
        inner ends
        handled by r via on → deep 2
        inner begins
        running by app via on job 'inner' of 'app'\tnil\t1\ttrue
        inner ends
        handled by app via on → 3\thandled by app via on → 3\t0
        handled by app via on → at once
        """)
  }

  @Test(
    "T6: pcall, xpcall, super, forward, metamethods, iterators, tail calls, unknown and claims may wait"
  )
  func through() throws {
    try checkWaiting(
      """
      local r = responder "r"
      class "base" { on = { x = function(self, ctx) sleep(1) return "base" end } }
      local x = responder "x" { class = "base" }
      function x.on:x(ctx) return "own over " .. ctx:super() end
      function app.on:f(ctx) sleep(1) return "app's" end
      function r.on:f(ctx) local a, why = ctx:forward() return "forwarded to " .. a end
      local n = responder "n" { next = r }
      function n.on:f(ctx) return pass end
      function app:unknown(ctx) sleep(1) return "unknown " .. ctx.action end
      r.claims = { "claimed" }
      function r:unknown(ctx) sleep(1) return "claimed " .. ctx.action end
      function app.on:go()
        print(pcall(function() sleep(1) return 1, 2 end))
        print(pcall(function() sleep(1) error("broken", 0) end))
        print(xpcall(function() sleep(1) error("broken", 0) end, function(e) return "handled " .. e end))
        local mt = {
          __index = function(_, k) sleep(1) return k end, __newindex = function(t, k, v) sleep(1) rawset(t, k, v) end,
          __call = function(_, v) sleep(1) return v end, __add = function(a, b) sleep(1) return "sum" end,
          __lt = function() sleep(1) return true end, __eq = function() sleep(1) return true end,
          __len = function() sleep(1) return 7 end, __unm = function() sleep(1) return "minus" end,
          __pairs = function(t) sleep(1) return function(_, k) sleep(1) if not k then return 1, "one" end end, t end,
        }
        local t, u = setmetatable({}, mt), setmetatable({}, mt)
        t.new = "set"
        print(t.k, rawget(t, "new"), t("call"), t + u, t < u, t == u, #t, -t)
        for k, v in pairs(t) do print(k, v) end
        for v in function(_, v) sleep(1) if not v then return "iterated" end end do print(v) end
        print(line(x:perform("x")), line(r:perform("f")), line(n:perform("f")))
        focus(r)
        print(line(app:perform("claimed")), line(app:perform("neverheard")))
        local function tail(n) if n == 0 then return sleep(1) end return tail(n - 1) end
        print(select("#", tail(5)))
      end
      """,
      prints: """
        true\t1\t2
        false\tbroken
        false\thandled broken
        k\tset\tcall\tsum\ttrue\ttrue\t7\tminus
        1\tone
        iterated
        handled by x via on → own over base\thandled by r via on → forwarded to app's\thandled by r via on → forwarded to app's
        handled by r via claims → claimed claimed\thandled by r via unknown → claimed neverheard
        0
        """)
  }

  @Test(
    "T6: In other places, in a script's coroutine and in library callbacks, a waiting call raises with the reason")
  func elsewhere() throws {
    try checkWaiting(
      """
      app:define("slow", { on = function() sleep(1) end, reentrant = true })
      local function try(what, body)
        local ok, message = pcall(body)
        print(what .. ": " .. (tostring(message):gsub("^app.lua:%d+: ", "")))
      end
      local function nap() sleep(1) end
      local function act() app:perform("slow") end
      local job
      local function wait() job:wait() end
      local function all(what) try(what .. " sleeps", nap) try(what .. " performs", act) try(what .. " waits", wait) end
      local r = responder "r"
      function r.on:x() end
      function r.can:x() all("can") return true end
      function r.on:y() error("y") end
      function r:failed(e) all("failed") return nil end
      local provider = responder "provider"
      function provider:provide() try("provide", nap) end
      provider.claims = function() try("claims", nap) end
      function provider:unknown() end
      focus(r)
      listen("focus", function() all("listener") end)
      function app.on:observed() end
      observe("observed", function(e) if e.stage == "will" then all("observer") end end)
      function app.on:go()
        job = app:perform("slow", nil, { wait = false }).job
        r:perform("x") r:perform("y") app:perform("observed") focus(app) provider:perform("observed2")
        try("coroutine", function() coroutine.wrap(nap)() end)
        try("coroutine performs", function() coroutine.wrap(act)() end)
        try("sort", function() table.sort({ 1, 2, 3 }, function(a, b) sleep(1) return a < b end) end)
        try("gsub", function() string.gsub("x", "x", nap) end)
        try("tostring", function() tostring(setmetatable({}, { __tostring = nap })) end)
        try("yield", coroutine.yield)
        print(coroutine.isyieldable(), coroutine.wrap(coroutine.isyieldable)())
        job:cancel()
        print(#app:jobs())
      end
      try("loading", nap)
      try("loading performs", act)
      """,
      prints: """
        loading: only an action, its undo, 'start', a timer, a test and a line can wait
        loading performs: performing is not possible while a script loads: do it in an action or in 'start'
        can sleeps: nothing can wait here: the host only asks this function, so it must return at once
        can performs: performing is not possible here: the host only asks this function, so it must not change anything
        can waits: nothing can wait here: the host only asks this function, so it must return at once
        failed sleeps: only an action, its undo, 'start', a timer, a test and a line can wait
        failed performs: 'slow' waits, and only an action, its undo, 'start', a timer, a test and a line can wait; to go on without waiting, pass { wait = false }
        failed waits: only an action, its undo, 'start', a timer, a test and a line can wait
        observer sleeps: only an action, its undo, 'start', a timer, a test and a line can wait
        observer performs: 'slow' waits, and only an action, its undo, 'start', a timer, a test and a line can wait; to go on without waiting, pass { wait = false }
        observer waits: only an action, its undo, 'start', a timer, a test and a line can wait
        listener sleeps: only an action, its undo, 'start', a timer, a test and a line can wait
        listener performs: 'slow' waits, and only an action, its undo, 'start', a timer, a test and a line can wait; to go on without waiting, pass { wait = false }
        listener waits: only an action, its undo, 'start', a timer, a test and a line can wait
        claims: nothing can wait here: the host only asks this function, so it must return at once
        provide: nothing can wait here: the host only asks this function, so it must return at once
        coroutine: app.lua:6: a coroutine that a script made can't wait: only the action itself can
        coroutine performs: app.lua:7: 'slow' waits, and a coroutine that a script made can't wait: only the action itself can; to go on without waiting, pass { wait = false }
        sort: a function that the library calls, as in 'table.sort' or 'string.gsub', can't wait
        gsub: a function that the library calls, as in 'table.sort' or 'string.gsub', can't wait
        tostring: a function that the library calls, as in 'table.sort' or 'string.gsub', can't wait
        yield: an action can't yield: it waits by 'sleep', or by performing what waits
        false\ttrue
        0
        """)
  }

  @Test(
    "V11: A running action validates as disabled, mixed, running, for any arguments; a second perform is refused"
  )
  func running() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      function r.on:x(ctx) sleep(1) return ctx.n end
      function r.look:x(ctx) return { title = "X!", state = "on" } end
      function r.can:x(ctx) if ctx.bad then return false, "bad" end return true end
      r:define("again", { on = function(_, ctx) sleep(1) return ctx.n end, reentrant = true })
      function r.on:nest(ctx)
        if ctx.n == 0 then return "bottom" end
        return app:perform("nest", { n = ctx.n - 1 }).result
      end
      function r.on:late(ctx)
        sleep(1)
        if ctx.n == 0 then return "bottom" end
        local o = app:perform("late", { n = 0 })
        return o.status .. " " .. tostring(o.result)
      end
      r.claims = { "claimed" }
      function r:unknown(ctx) sleep(1) end
      local other = responder "other" { next = r }
      function other.on:x() return "other" end
      focus(r)
      """)
    let host = stage.host
    func shown(_ reference: String) -> String {
      let v = host.validate(reference)
      return "\(v.isEnabled) \(v.by ?? "") \(v.look.title ?? "") \(v.look.state?.rawValue ?? "") \(v.reason ?? "")"
    }
    for isWatched in [false, true] {
      if isWatched { host.observe { _ in } }
      expect(shown("x(n: 2)"), is: "true r X! on ")
      let job = try require(host.perform("x(n: 1)").job)
      expect(shown("x(n: 2)"), is: "false r X! mixed running")
      expect(shown("a.x(bad: true)"), is: "false r X! mixed running")
      expect(stage.perform("x(n: 3)"), is: "disabled by r via on: running")
      try expect(host.why("x").text.contains("running x → yes"))
      var options = PerformOptions()
      options.from = host.find("other")
      expect(stage.perform("x", options), is: "handled by other via on → text(\"other\")")
      try host.advance(by: .seconds(1))
      expect(job.outcome?.line, is: "handled by r via on → integer(1)")
      expect(shown("x(n: 2)"), is: "true r X! on ")

      expect(host.perform("again(n: 1)").status == .running && host.perform("again(n: 2)").status == .running)
      expect(host.validate("again").isEnabled && host.jobs.count == 2)
      expect(host.perform("claimed").status, is: .running)
      expect(stage.perform("claimed"), is: "disabled by r via claims: running")
      expect(shown("claimed"), is: "false r  mixed running")
      expect(host.perform("unheard").status, is: .running)
      expect(stage.perform("unheard"), is: "disabled by r via unknown: running")
      try host.advance(by: .seconds(1))
      expect(host.jobs.isEmpty)

      expect(stage.perform("nest(n: 5)"), is: "handled by r via on → text(\"bottom\")")
      let late = host.perform("late(n: 1)", wait: true)
      expect(late.line, is: "handled by r via on → text(\"handled bottom\")", "one that executes doesn't count")
    }
  }

  @Test("V11: A reentrant function that replaces a waiting one can run meanwhile")
  func takesThePlace() throws {
    let stage = try ScriptStage(
      """
      app:define("x", { on = function() sleep(1) end })
      function app.on:free() app:define("x", { on = function() return "free" end, reentrant = true }) end
      """)
    expect(stage.host.perform("x").status, is: .running)
    expect(stage.perform("x"), is: "disabled by app via on: running")
    _ = stage.perform("free")
    expect(stage.host.validate("x").isEnabled)
    expect(stage.perform("x"), is: "handled by app via on → text(\"free\")")
  }

  @Test("reentrant is a boolean and needs 'on'")
  func reentrant() throws {
    try checkWaiting(
      """
      function app.on:go()
        print(select(2, pcall(app.define, app, "x", { on = print, reentrant = "yes" })))
        print(select(2, pcall(app.define, app, "x", { can = print, reentrant = true })))
      end
      """,
      prints: """
        'reentrant' must be true or false, not a string
        'reentrant' needs 'on' in the same definition
        """)
  }

  @Test("progress reports how far an action is, before its first wait too; elsewhere it raises")
  func progress() throws {
    let stage = try ScriptStage(
      """
      function app.on:x()
        progress(0.25, "reading") sleep(1) progress(0.5) sleep(1) progress(1, "done") sleep(1)
      end
      function app.on:quick() progress(0.5) progress(1, "x") return "quick" end
      function app.on:inner() progress(0.1) sleep(1) end
      function app.on:outer() progress(0.9) app:perform("inner") sleep(1) end
      function app.on:bad()
        for _, value in ipairs { -1, 2.5, 0/0, "x" } do print(select(2, pcall(progress, value))) end
        print(select(2, pcall(progress)))
        print(select(2, pcall(progress, 0.5, 5)))
      end
      function app.on:ask() local job = app:jobs()[1] print(job.progress.fraction, job.progress.text, job.action, job.by, job.nosuch, job) end
      function app.can:ask() print(select(2, pcall(progress, 0.5))) return true end
      """)
    let job = try require(stage.host.perform("x").job)
    var seen: [Job.Progress?] = []
    job.onProgress = { seen.append($0.progress) }
    expect(job.progress, is: Job.Progress(fraction: 0.25, text: "reading"))
    expect(stage.perform("ask"), is: "handled by app via on")
    expect(
      stage.takePrinted(),
      is: [
        "progress works only in an action: in 'on', in 'unknown' or in an undo",
        "0.25\treading\tx\tapp\tnil\tjob 'x' of 'app'",
      ])
    try stage.host.advance(by: .seconds(2))
    expect(seen, is: [Job.Progress(fraction: 0.5, text: nil), Job.Progress(fraction: 1, text: "done")])
    try stage.host.advance(by: .seconds(1))
    expect(stage.perform("quick"), is: "handled by app via on → text(\"quick\")")
    let outer = try require(stage.host.perform("outer").job)
    expect(outer.progress?.fraction == 0.9 && stage.host.jobs.map(\.progress?.fraction) == [0.1, 0.9])
    outer.cancel()
    expect(stage.host.jobs.isEmpty)
    _ = stage.perform("bad")
    expect(
      stage.takePrinted(),
      is: [
        "progress takes a fraction from 0 to 1, not -1", "progress takes a fraction from 0 to 1, not 2.5",
        "progress takes a fraction from 0 to 1, not NaN", "progress takes a fraction from 0 to 1, not a string",
        "progress takes a fraction from 0 to 1, not nil", "the text of a progress must be a string, not a number",
      ])
  }

  @Test("A test or a line of the REPL waits by moving the clock: sleep, perform and wait")
  func driving() throws {
    let stage = try ScriptStage(
      """
      function app.on:x() sleep(2) return "x" end
      function app.on:background() while true do sleep(1) print("tick") end end
      function line1()
        print(line(app:perform("x")))
        app:perform("background", nil, { wait = false })
        sleep(2.5)
        print(line(app:perform("x", nil, { wait = false }).job:wait()))
        app:advance(1)
      end
      function outside() app:perform("x") end
      """)
    let scripts = try require(stage.host.scripts)
    let environment = scripts.owners[1].environment
    guard case .function(let line) = try scripts.lua.rawGet("line1", of: environment),
      case .function(let outside) = try scripts.lua.rawGet("outside", of: environment)
    else { throw LuaMisuse("no function") }
    _ = try scripts.callDriving(line)
    expect(
      stage.takePrinted(),
      is: [
        "handled by app via on → x", "tick", "tick", "tick", "tick", "handled by app via on → x", "tick",
      ])
    expect(stage.host.now, is: .milliseconds(7500))
    let error = #expect(throws: LuaError.self) { try scripts.lua.call(outside) }
    expect(error?.message.contains("only an action, its undo"), is: true)
    expect(stage.host.jobs.map(\.action), is: ["background"])
  }

  @Test(
    "U1, T3: If an action is cancelled while it waits for a running one, that is a separate group, and can be undone",
    arguments: [false, true])
  func orphan(_ removes: Bool) throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      done = {}
      local function put(ctx, key)
        done[key] = 1
        ctx:undo("put " .. key, function() done[key] = nil end)
      end
      function r.on:outer(ctx) put(ctx, "o") app:perform("inner") end
      function app.on:inner(ctx)
        put(ctx, "a")
        sleep(1)
        put(ctx, "b")
        \(removes ? "r:remove()" : "app:jobs()[1]:cancel()")
        put(ctx, "c")
      end
      function app.on:done() local keys = {} for key in pairs(done) do keys[#keys + 1] = key end table.sort(keys) return table.concat(keys) end
      focus(r)
      """)
    let job = try require(stage.host.perform("outer").job)
    try stage.host.advance(by: .seconds(1))
    expect(job.outcome?.status, is: .cancelled)
    expect(stage.perform("done"), is: "handled by app via on → text(\"abc\")")
    expect(stage.host.undoHistory.undo, is: ["put c"])
    expect(stage.host.undo().status, is: .handled)
    expect(stage.perform("done"), is: "handled by app via on → text(\"\")")
  }
}
