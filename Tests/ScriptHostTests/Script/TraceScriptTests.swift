import Expectations
import Testing

@testable import ScriptHost

// Traces of the walk.

/// The traces of a script's performs, in lines.
private func traces(_ script: String, _ references: [String] = ["go"]) throws -> String {
  let stage = try ScriptStage(script)
  var lines: [String] = []
  stage.host.onTrace = { lines.append($0.text) }
  for reference in references { stage.host.perform(reference, wait: true) }
  return lines.joined(separator: "\n")
}

struct TraceScriptTests {
  @Test("A trace shows the responders of the walk, their answers, the suppliers of keys, and the lines of code")
  func traceOfAWalk() throws {
    let found = try traces(
      """
      local grid = responder "grid"
      function grid:provide(ctx) ctx.photo = "sea" ctx.action = 1 end
      function app:provide(ctx) end
      function grid.on:go(ctx) return ctx.photo end
      function grid.can:go(ctx) return true end
      focus(grid)
      """, ["x.go(n: 1)"])
    expect(
      found,
      is: """
        app: perform x.go(n: 1) → handled by grid
          grid: on x.go → doesn't answer
          app: on x.go → doesn't answer
          grid: on go → takes it (app.lua:4)
          app: provide → nothing (app.lua:3)
          grid: provide → photo, 'action', ignored since it is a name of the host (app.lua:2)
          grid: can go → yes (app.lua:5)
          grid: do go → done (app.lua:4)
        """)
  }

  @Test("A trace shows passes, refusals, failures, forwards and catch-alls")
  func traceOfTheUnusual() throws {
    let found = try traces(
      """
      local one = responder "one"
      local two = responder "two" { next = one }
      function two.on:go() return pass end
      function one.on:go(ctx) return ctx:forward() end
      function app.on:go(ctx) ctx:refuse("not now") end
      function two.on:boom() error("broken", 0) end
      function app:unknown(ctx) end
      focus(two)
      """, ["go", "boom", "nosuch"])
    expect(
      found,
      is: """
        app: perform go → handled by one
          two: on go → takes it (app.lua:3)
          two: do go → passes (app.lua:3)
          one: on go → takes it (app.lua:4)
          one: do go → done (app.lua:4)
          app: forward go → refuses: not now (app.lua:5)
        app: perform boom → failed in two: broken
          two: on boom → takes it (app.lua:6)
          two: do boom → fails: broken (app.lua:6)
        app: perform nosuch → handled by app
          two: on nosuch → doesn't answer
          one: on nosuch → doesn't answer
          app: on nosuch → doesn't answer
          app: unknown nosuch → takes it (app.lua:7)
          app: do nosuch → done (app.lua:7)
        """)
  }

  @Test("A nested perform is a part of the trace, also after a wait; each top-level perform has one trace")
  func traceOfNestedPerforms() throws {
    let found = try traces(
      """
      function app.on:go() app:perform("inner") sleep(1) app:perform("inner(n: 2)") end
      function app.on:inner() sleep(1) end
      """, ["go", "inner"])
    expect(
      found,
      is: """
        app: perform go → handled by app
          app: on go → takes it (app.lua:1)
          app: do go → waits (app.lua:1)
          app: perform inner → handled by app
            app: on inner → takes it (app.lua:2)
            app: do inner → waits (app.lua:2)
            app: go on with inner → done
          app: go on with go → waits
          app: go on with go → waits
          app: perform inner(n: 2) → handled by app
            app: on inner → takes it (app.lua:2)
            app: do inner → waits (app.lua:2)
            app: go on with inner → done
          app: go on with go → done
        app: perform inner → handled by app
          app: on inner → takes it (app.lua:2)
          app: do inner → waits (app.lua:2)
          app: go on with inner → done
        """)
  }

  @Test("A trace shows providers' keys even if a call has arguments, the first time and later")
  func tracesWithArguments() throws {
    let stage = try ScriptStage(
      """
      function app:provide(ctx) ctx.zoom = 1 ctx.photo = nil end
      function app.on:x(ctx) return ctx.n + ctx.q + ctx.zoom end
      """)
    var steps: [String] = []
    stage.host.onTrace = { trace in
      steps += trace.text.split(separator: "\n").map(String.init).filter { $0.contains("provide") }
    }
    for number in 1...3 {
      var options = PerformOptions()
      options.arguments = ["n": .integer(number)]
      options.info = ["q": 10]
      expect(stage.host.perform("x", options).line, is: "handled by app via on → integer(\(11 + number))")
    }
    expect(steps, is: Array(repeating: "  app: provide → zoom (app.lua:1)", count: 3))
  }

  @Test("A trace changes nothing: outcomes are those of untraced performs, and it ends when nobody wants it")
  func tracesChangeNothing() throws {
    let script = """
      count = 0
      function app.on:add(ctx) count = count + (ctx.n or 1) ctx:undo("Add", function() count = count - (ctx.n or 1) end) return count end
      function app.can:add(ctx) return count < 5, "enough" end
      function app.on:nap() sleep(1) return "rested" end
      """
    let references = ["add", "add(n: 3)", "undo", "add(n: 2)", "nap", "nosuch", "add(n: 9)", "redo", "add", "a("]
    let (plain, traced) = (try ScriptStage(script), try ScriptStage(script))
    var count = 0
    traced.host.onTrace = { _ in count += 1 }
    for reference in references {
      expect(traced.host.perform(reference, wait: true).line, is: plain.host.perform(reference, wait: true).line)
    }
    expect(count, is: references.count - 1, "what can't be read is not walked")
    traced.host.onTrace = nil
    traced.host.perform("add")
    expect(count, is: references.count - 1)
    expect(traced.host.dispatcher.state.isWatched, is: false, "nobody watches any more")
  }

  @Test("A trace is the same with and without observers")
  func besideObservers() throws {
    let script = """
      flag = false
      local far = responder "far"
      local near = responder "near" { next = far }
      function far:provide(ctx) ctx.a = 1 ctx.b = ctx.b ctx:append("list", 1) end
      function near:provide(ctx)
        ctx.a = flag and 2 or 1
        if flag then ctx.late = true error("no luck", 0) end
        ctx:append("list", 2)
      end
      function near.can:no() return false, "not now" end
      function near.can:number() return false, 5 end
      function near.can:plainly() return false end
      function near.can:aside() return pass end
      function near.can:broken() error("can't say", 0) end
      function near.can:done(ctx) return ctx.a ~= nil end
      near.needs.lacking = { missing = "there is none" }
      for _, name in ipairs { "no", "number", "plainly", "aside", "broken", "lacking", "done" } do
        near.on[name] = function(self, ctx) return name end
      end
      function far.on:aside(ctx) return ctx.a end
      function near.on:passes() app:perform("done") return pass end
      function far.on:passes() return pass end
      function near.on:refuses(ctx) ctx:refuse("no more") end
      function near.on:fails() error("broken", 0) end
      function near.on:waits() sleep(1) app:perform("done") sleep(1) return pass end
      function far.on:waits() sleep(1) end
      function near.on:toggle() flag = not flag end
      function near.on:forwards(ctx) return ctx:forward() end
      function far.on:forwards() end
      function far:unknown(ctx) end
      focus(near)
      """
    let names = [
      "no", "number", "plainly", "aside", "broken", "lacking", "done", "passes", "refuses", "fails", "waits",
      "forwards",
      "x.done(n: 1)", "nosuch", "nosuch", "undo",
    ]
    let references = names + names + ["toggle"] + names
    let (quick, general) = (try ScriptStage(script), try ScriptStage(script))
    general.host.observe { _ in }
    var traces: [[String]] = [[], []]
    quick.host.onTrace = { traces[0].append($0.text) }
    general.host.onTrace = { traces[1].append($0.text) }
    for reference in references {
      let outcomes = [quick, general].map { $0.host.perform(reference, wait: true).line }
      expect(outcomes[0], is: outcomes[1])
    }
    expect(traces[0].count, is: references.count)
    for (quick, general) in zip(traces[0], traces[1]) { expect(quick, is: general) }
    expect(quick.host.dispatcher.scheduler.jobs.isEmpty)
  }

  @Test("A trace is released when nothing holds it, also with nested performs")
  func tracesAreLetGo() throws {
    weak var kept: Trace?
    do {
      let stage = try ScriptStage("function app.on:go() app:perform('inner') end function app.on:inner() end")
      stage.host.onTrace = { kept = $0 }
      stage.host.perform("go")
      expect(kept == nil)
    }
  }
}
