import Expectations
import Testing

@testable import ScriptHost

@Suite("The handlers behind and below the running handler")
struct ForwardingScriptTests {
  /// Performs `go`, and expects the output until it has ended.
  private func checkForwarding(
    _ script: String, prints expected: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let stage = try ScriptStage(script)
    let outcome = stage.host.perform("go", wait: true)
    expect(stage.takePrinted().joined(separator: "\n"), is: expected, "\(outcome.line)", sourceLocation: location)
  }

  @Test("D9: A handler that removes itself, or its responder, continues behind and below its old position")
  func taken() throws {
    try checkForwarding(
      """
      local b = responder "b"
      local a = responder "a" { next = b }
      class "k" { on = { once = function() return "k" end } }
      local c = responder "c" { class = "k" }
      function a.on:once(ctx) self.on.once = nil return "a, " .. tostring(ctx:forward()) end
      function b.on:once() return "b" end
      function a.on:sleeps(ctx) sleep(1) return "a, " .. tostring(ctx:forward()) end
      function b.on:sleeps(ctx) self.on.sleeps = nil sleep(1) return "b, " .. tostring(ctx:forward()) end
      function app.on:sleeps() return "app" end
      function app.on:takes_out() a.on.sleeps = nil end
      function c.on:once(ctx) self.on.once = nil return "c, " .. tostring(ctx:super()) end
      local function again(self, ctx)
        self.on.again = function(self, ctx) return again(self, ctx) end
        return self.name .. ", " .. tostring(ctx:forward())
      end
      function a.on:again(ctx) return again(self, ctx) end
      function b.on:again(ctx) return again(self, ctx) end
      function a.on:goes(ctx) self:remove() return "a, " .. tostring(ctx:forward()) end
      function b.on:goes() return "b" end
      focus(a)
      function app.on:go()
        say("once")
        print(app:perform("once", nil, { to = "c" }).result)
        local job = app:perform("sleeps", nil, { wait = false }).job
        app:perform("takes_out")
        print(job:wait().result)
        for _ = 1, 2 do say("again") end
        say("goes")
      end
      """,
      prints: """
        handled by a via on → a, b
        c, k
        a, b, app
        handled by a via on → a, b, nil
        handled by a via on → a, b, nil
        handled by a via on → a, b
        """)
  }

  @Test("D1: Nobody handles an action twice: a handler under a shorter name forwards to others")
  func shorter() throws {
    try checkForwarding(
      """
      local b = responder "b"
      local a = responder "a" { next = b }
      a.on["file.open"] = function() return pass end
      function a.on:open(ctx) return "a, " .. tostring(ctx:forward()) end
      function b.on:open() return "b" end
      focus(a)
      function app.on:go() say("open") say("file.open") end
      """,
      prints: """
        handled by a via on → a, b
        handled by a via on → a, b
        """)
  }

  @Test("D1, D6: A handler that forwards and then passes leaves the outcome to the called handler, which runs once")
  func forwardsAndPasses() throws {
    try checkForwarding(
      """
      local w = window "w"
      local g = responder "g" { next = w }
      local f = responder "f" { next = g }
      local count = 0
      local function passes(self, ctx) ctx:forward() return pass end
      for _, name in ipairs { "does", "waits", "refuses", "passes", "nobody" } do f.on[name], g.on[name] = passes, passes end
      function w.on:does() count = count + 1 return count end
      function w.on:waits() sleep(1) count = count + 1 return count end
      function w.on:refuses(ctx) count = count + 1 ctx:refuse "not now" end
      function w.on:passes() count = count + 1 return pass end
      function app:unknown(ctx) return "unknown " .. ctx.action end
      focus(f)
      function app.on:go()
        for _, name in ipairs { "does", "waits", "refuses", "passes", "nobody" } do say(name) end
        print(count)
      end
      """,
      prints: """
        handled by w via on → 1
        handled by w via on → 2
        disabled by w via on: not now
        handled by app via unknown → unknown passes
        handled by app via unknown → unknown nobody
        4
        """)
  }

  @Test(
    "D9: After its plugin was unloaded, a running handler's super and forward raise, and the reason names the plugin")
  func unloaded() throws {
    let plugin = """
      plugin { name = "p", version = "1" }
      local g = app:find "g"
      function g.on:a(ctx)
        local before = ctx:super() .. ctx:forward()
        app:perform("unload")
        print(before, pcall(ctx.super, ctx))
        return ctx:forward()
      end
      """
    let stage = try PluginStage(
      ["p.lua": plugin],
      app: """
        local w = window "w"
        local g = responder "g" { next = w }
        function g.on:a() return "app " end
        function w.on:a() return "window" end
        function app.on:unload() app:unload_plugin("p") end
        focus(g)
        """)
    try stage.load("p.lua")
    let outcome = stage.host.perform("a")
    expect(outcome.status == .failed && outcome.error?.message.contains("'p'") == true, "\(outcome)")
  }

  @Test("A handler that is forwarded to under a shorter name reads that name; the forwarding one reads its own again")
  func told() throws {
    try checkForwarding(
      """
      local c = responder "c"
      local b = responder "b" { next = c }
      local a = responder "a" { next = b }
      local function told(ctx) return ("%s %s %s %s"):format(ctx.action, ctx.prefix, ctx.taker.name, ctx.args.n) end
      a.on["x.file.open"] = function(self, ctx) local said = ctx:forward() return said .. "; " .. told(ctx) end
      b.on["file.open"] = function(self, ctx) sleep(1) local said = ctx:forward() sleep(1) return said .. "; " .. told(ctx) end
      function c.on:open(ctx) return told(ctx) end
      focus(a)
      function app.on:go() say("x.file.open(n: 1)") end
      """,
      prints: "handled by a via on → open x.file a 1; file.open x a 1; x.file.open  a 1")
  }

  @Test("A3: Defaults for a handler that is forwarded to last as long as it waits, and no longer")
  func filledIn() throws {
    try checkForwarding(
      """
      local b = responder "b"
      local a = responder "a" { next = b }
      function a.on:x(ctx) return ctx:forward() .. ", " .. tostring(ctx.n) end
      b.takes.x = { n = { "integer", default = 3 } }
      function b.on:x(ctx) sleep(1) return ctx.n .. " " .. ctx.args.n end
      focus(a)
      function app.on:go() say("x") end
      """,
      prints: "handled by a via on → 3 3, nil")
  }

  @Test("A catch-all forwards what it claims, and calls those below; if nobody takes the action, nobody is behind it")
  func catchAlls() throws {
    try checkForwarding(
      """
      local b = responder "b"
      local a = responder "a" { next = b }
      class "k" { unknown = function(self, ctx) return "k " .. ctx.action end }
      local c = responder "c" { class = "k" }
      a.claims = { "x" }
      function a:unknown(ctx) return "a, " .. tostring(ctx:forward()) end
      function b.on:x() return "b" end
      local asked = 0
      function b.on:y() asked = asked + 1 if asked == 1 then return pass end return "twice" end
      function b:unknown() return "never" end
      function c:unknown(ctx) return "c, " .. tostring(ctx:super()) .. ", " .. tostring(ctx:forward()) end
      focus(a)
      function app.on:go()
        say("x")
        say("y")
        print(app:perform("never_heard", nil, { to = "c" }).result)
      end
      """,
      prints: """
        handled by a via claims → a, b
        handled by a via unknown → a, nil
        c, k never_heard, nil
        """)
  }

  @Test("A handler that another calls directly forwards to those behind it, never to itself")
  func byHand() throws {
    try checkForwarding(
      """
      local b = responder "b"
      local a = responder "a" { next = b }
      function a.on:x(ctx) return "a, " .. b.on.x(b, ctx) end
      function b.on:x(ctx) return "b, " .. tostring(ctx:forward()) end
      function app.on:x() return "app" end
      local kept
      function a.on:keeps(ctx) kept = ctx end
      function b.on:keeps() return "b" end
      function a.on:later() return tostring(kept:forward()) end
      focus(a)
      function app.on:go() 
        say("x")
        for _ = 1, 3 do app:perform("keeps") end
        say("later")
      end
      """,
      prints: """
        handled by a via on → a, b, app
        failed by a via on ! ctx:forward() is possible only while the action runs
        """)
  }
}
