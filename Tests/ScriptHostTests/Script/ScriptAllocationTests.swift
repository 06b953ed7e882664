import CInside
import CLua
import CScript
import Expectations
import Testing

@testable import ScriptHost

@Suite("The allocator may refuse memory at any point of a load or a perform")
struct ScriptAllocationTests {
  private static let script = """
    class "kind" { on = { shared = function() return "shared" end } }
    local main = window "main"
    local grid = responder "grid" { next = main, class = "kind" }
    function grid:provide(ctx) ctx.photo = { "p" } ctx:append("l", ctx.photo) end
    function grid.can:x(ctx) local copy = {} for k, v in pairs(ctx) do copy[k] = v end return copy.photo ~= nil, "no photo" end
    function grid.look:x(ctx) return { title = "T" .. tostring(ctx.k) } end
    function grid.on:x(ctx) ctx.written = { ctx.k } return (ctx:forward() or "") .. ctx.args.k end
    function main.on:x(ctx) return "main " .. tostring(ctx:has("photo")) end
    function grid:resolve(action) if action == "late" then self.on.late = function() return { action } end return true end end
    function grid:unknown(ctx) return { ctx.action } end
    function grid:failed(err) err.message = "grid: " .. err.message return err end
    function app.on:nested(ctx) return #app:perform("x(k: " .. ctx.k .. ")", { more = { 1 } }).result end
    function app.on:refuses(ctx) ctx:refuse("for " .. tostring(ctx.k)) end
    function app.on:breaks(ctx) error("broken " .. tostring(ctx.k)) end
    function app.on:makes() local r = responder "made" r.on.y = function() end focus(r) r:perform("y") r:remove() end
    function app.on:naps(ctx) progress(0.5, "half") sleep(1) ctx.written = { ctx.k } sleep(0) return { ctx.k } end
    function grid.on:through(ctx) return ctx:forward() end
    function main.on:through(ctx) sleep(1) return #app:perform("naps(k: 1)").result + #app:jobs() end
    function app.on:waits() local job = app:perform("naps(k: 2)", nil, { wait = false }).job return job:wait().result end
    function app.on:drops() app:perform("naps(k: 3)", nil, { wait = false }).job:cancel() end
    function app.on:writes(ctx)
      local t = {}
      ctx:set(t, "a", { ctx.k }, "Writing")
      ctx:set(t, { b = 1, c = 2 }, { coalesce = not ctx.calls and "w" or nil })
      if ctx.calls then ctx:undo(function(ctx) ctx:set(t, "d", { ctx.action }) end) end
    end
    app.undo = { levels = 2 }
    function app.on:fine() return "fine" end
    handle = observe("x", function(e) local t = { e.stage, e.outcome } end)
    focus(grid)
    """

  private static let references = [
    "x(k: 1)", "late", "nosuch(k: [1, 2])", "nested(k: 1)", "refuses(k: 2)", "breaks(k: 3)", "makes", "shared",
    "a.b.x(k: text)", "naps(k: 1)", "through", "waits", "drops",
    "writes(k: 1)", "writes(k: 1, calls: true)",
  ]

  @Test(
    "At every point of a perform and of asking: no abort, no leak, the host works afterwards", arguments: references)
  func performs(_ reference: String) throws {
    let stage = try ScriptStage(Self.script)
    let host = stage.host
    let lua = try require(host.scripts?.lua)
    func work() {
      host.perform(reference, wait: true)
      for job in host.jobs { job.cancel() }
      host.undo()
      host.redo()
      _ = host.validate(reference)
      _ = try? host.why(reference)
      _ = host.takeDiagnostics()
    }
    for _ in 0..<3 { work() }
    for forEver in [false, true] {
      var before: LuaHoldings?
      var point: UInt64 = 0
      while true {
        let refused = clua_counters(lua.L).refusals
        inside_failAllocation(lua.L, point + 1, forEver)
        work()
        inside_failAllocation(lua.L, 0, false)
        if clua_counters(lua.L).refusals == refused { break }
        point += 1
        host.find("made").map { try? host.remove($0) }
        try host.find("grid").map { _ = try host.focus($0) }
        try require(host.perform("fine").line == "handled by app via on → text(\"fine\")", "point \(point)")
        try require(host.jobs.isEmpty)
        let after = LuaHoldings(lua)
        try require(clua_phase(lua.L) == CLUA_IDLE.rawValue)
        if let before, point > 8 {
          try require(after.top == before.top && after.hostDepth == before.hostDepth, "point \(point)")
          try require(abs(after.references - before.references) <= 64, "point \(point): \(before) \(after)")
        } else {
          before = after
        }
      }
      expect(point > 0)
    }
  }

  @Test("At every point of a load: it fails completely, or succeeds")
  func loads() throws {
    let host = ScriptHost()
    try host.load(text: "function app.on:fine() return 'fine' end", name: "first.lua")
    let lua = try require(host.scripts?.lua)
    var before: LuaHoldings?
    var grown: [String] = []
    var point: UInt64 = 0
    while true {
      let refused = clua_counters(lua.L).refusals
      inside_failAllocation(lua.L, point + 1, false)
      let loaded: Void? = try? host.load(text: Self.script, name: "app.lua")
      inside_failAllocation(lua.L, 0, false)
      if clua_counters(lua.L).refusals == refused { break }
      point += 1
      if loaded != nil { break }
      try require(
        host.chainNames == ["app"] && host.windows.isEmpty && host.dispatcher.observers.isEmpty, "point \(point)")
      try require(host.perform("fine").line == "handled by app via on → text(\"fine\")", "point \(point)")
      let after = LuaHoldings(lua)
      if let before, after != before { grown.append("point \(point): \(before) \(after)") }
      if point > 4 { before = after }
    }
    expect(point > 100)
    // State that all scripts share is made at the first read, and stays.
    expect(grown.count <= 4, "\(grown)")
  }
}
