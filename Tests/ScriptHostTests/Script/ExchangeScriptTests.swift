import Expectations
import Testing

@_spi(Measuring) @testable import ScriptHost

/// A handler is assigned again and again. The host always finds the last one.
@Suite("Exchanged handlers")
struct ExchangeScriptTests {
  private static let script = """
    grid = responder "grid" { provide = function(self, ctx) ctx.given = 1 end }
    made = {}
    for n = 1, 9 do made[n] = function(self, ctx) return n * 10 + ctx.given end end
    function app.on:assign(ctx) grid.on.act = made[ctx.n] end
    function app.on:act() return "app" end
    focus(grid)
    """

  /// A stage on which the handler of `act` was assigned three times.
  private func stage(_ more: String = "") throws -> ScriptStage {
    let stage = try ScriptStage("\(Self.script)\n\(more)")
    for n in 1...3 { assign(stage, n) }
    return stage
  }

  private func assign(_ stage: ScriptStage, _ n: Int) {
    expect(stage.host.perform("assign(n: \(n))").line, is: "handled by app via on")
  }

  private func act(_ stage: ScriptStage) -> String { stage.host.perform("act").line }

  @Test("D9, D11: The handler assigned last counts at the very next perform, again and again")
  func lastCounts() throws {
    let stage = try stage()
    for n in [4, 5, 5, 3, 9, 1] {
      assign(stage, n)
      for _ in 0..<2 { expect(act(stage), is: "handled by grid via on → integer(\(n)1)") }
      if n == 5 { expect(stage.perform("act"), is: "handled by grid via on → integer(51)") }
    }
    // The same after a listing of the handlers.
    try expect(stage.host.why("act").text.contains("takes it (app.lua:3)"))
    assign(stage, 2)
    expect(act(stage), is: "handled by grid via on → integer(21)")
  }

  @Test("D11: Reads, super and forward see the handler assigned last, and traces show its place")
  func whoAsks() throws {
    let stage = try stage(
      """
      class "base" { on = { act = function() return "base" end } }
      grid.class = "base"
      function app.on:read() return grid.on.act == made[5] end
      function app.on:above() grid.on.act = function(self, ctx)
        return "above " .. ctx:super()
      end end
      function app.on:within() grid.on.act = function(self, ctx)
        grid.on.act = made[1]
        return tostring(ctx:super()) .. ", " .. app:perform("act").result
      end end
      """)
    assign(stage, 4)
    expect(stage.perform("read"), is: "handled by app via on → bool(false)")
    assign(stage, 5)
    expect(stage.perform("read"), is: "handled by app via on → bool(true)")
    expect(stage.perform("above"), is: "handled by app via on")
    expect(act(stage), is: "handled by grid via on → text(\"above base\")")
    var traced: [String] = []
    stage.host.onTrace = { traced.append($0.text) }
    _ = act(stage)
    _ = act(stage)
    stage.host.perform("assign(n: 6)")
    _ = act(stage)
    stage.host.onTrace = nil
    let places = traced.map { $0.split(separator: "\n").filter { $0.contains("do act") }.joined() }
    expect(places.map { $0.contains("app.lua:10") }, is: [true, true, false, false])
    expect(places.last?.contains("(app.lua:3)") ?? false)
    // A handler that is exchanged while it runs continues below its old position.
    expect(stage.perform("within"), is: "handled by app via on")
    expect(act(stage), is: "handled by grid via on → text(\"base, 11\")")
  }

  @Test("D9: If an observer assigns another handler before the first runs, the perform still runs the first")
  func observed() throws {
    let stage = try stage()
    var next: Int?
    stage.host.observe("act") { [unowned stage] event in
      if event.stage == .will, let n = next { stage.host.perform("assign(n: \(n))") }
    }
    for (n, found) in [(4, 31), (5, 41), (nil, 51), (nil, 51)] as [(Int?, Int)] {
      next = n
      expect(act(stage), is: "handled by grid via on → integer(\(found))")
    }
  }

  @Test("D10: A handle removes its own registration only; a removed handler is gone")
  func handles() throws {
    let stage = try stage(
      """
      handle = false
      function app.on:define(ctx) handle = grid:define("act", { on = made[ctx.n], reentrant = true }) end
      function app.on:remove() handle:remove() end
      function app.on:clear() grid.on.act = nil end
      function app.on:fill() grid.on = { act = made[8] } end
      function app.on:anew(ctx) grid.on.act = nil grid.on.act = made[ctx.n] end
      """)
    for (reference, expected) in [
      ("define(n: 7)", "71"), ("assign(n: 1)", "11"), ("assign(n: 2)", "21"), ("assign(n: 4)", "41"), ("remove", "41"),
      ("define(n: 7)", "71"), ("remove", nil), ("assign(n: 3)", "31"), ("assign(n: 4)", "41"), ("assign(n: 5)", "51"),
      ("clear", nil), ("assign(n: 6)", "61"), ("fill", "81"), ("assign(n: 1)", "11"), ("assign(n: 2)", "21"),
      ("anew(n: 3)", "31"),
    ] as [(String, String?)] {
      expect(stage.host.perform(reference).status, is: .handled)
      let line = expected.map { "handled by grid via on → integer(\($0))" } ?? "handled by app via on → text(\"app\")"
      for _ in 0..<2 { expect(act(stage), is: line, "after \(reference)") }
    }
  }

  @Test("V8: Nothing can be exchanged while the host asks, and a value that is no function is refused as ever")
  func refused() throws {
    let stage = try stage(
      """
      kept = false
      function grid.can:asked() grid.on.act = made[5] return true end
      function grid.on:asked() end
      function app.on:number() grid.on.act = 5 end
      function app.on:late() kept.act = made[1] end
      function app.on:remove() kept = grid.on grid:remove() end
      function app.on:sleeps() sleep(1) grid.on.act = made[2] end
      """)
    let refusal = "registering is not possible here: the host only asks this function, so it must not change anything"
    for _ in 0..<2 { expect(stage.host.perform("asked").line.contains(refusal)) }
    expect(stage.host.perform("number").line.contains("on.act must be a function, not a number"))
    expect(act(stage), is: "handled by grid via on → integer(31)")
    expect(stage.host.perform("sleeps", wait: true).status, is: .handled)
    expect(act(stage), is: "handled by grid via on → integer(21)")
    expect(stage.perform("remove"), is: "handled by app via on")
    expect(stage.host.perform("late").line.contains("'grid' was removed"))
    expect(act(stage), is: "handled by app via on → text(\"app\")")
  }

  @Test("D11: The host calls resolve again after an exchange, as after any other change of the tables")
  func resolving() throws {
    let stage = try stage(
      """
      asked = 0
      function app.on:asks() function grid:resolve(name) if name == "other" then asked = asked + 1 end end end
      function app.on:asked() return asked end
      function app.on:other() end
      """)
    expect(stage.host.perform("asks").status, is: .handled)
    for n in 1...4 {
      assign(stage, n)
      for _ in 0..<3 { stage.host.perform("other") }
      expect(stage.host.perform("asked").line, is: "handled by app via on → integer(\(n))")
      expect(act(stage), is: "handled by grid via on → integer(\(n)1)")
    }
  }

  @Test("E3: A reload removes the old version's exchanged handlers, and its leftovers exchange nothing")
  func reloaded() throws {
    let stage = try stage()
    let old = stage.host.chain.find("grid")
    try stage.host.reload(text: Self.script, name: "app.lua")
    expect(old?.isRemoved, is: true)
    expect(act(stage), is: "handled by app via on → text(\"app\")")
    for n in 1...4 {
      assign(stage, n)
      expect(act(stage), is: "handled by grid via on → integer(\(n)1)")
    }
    _ = try? stage.host.reload(text: "\(Self.script)\ngrid.on.act = made[8]\nerror('no')", name: "app.lua")
    expect(act(stage), is: "handled by grid via on → integer(41)")
    for n in 5...7 {
      assign(stage, n)
      expect(act(stage), is: "handled by grid via on → integer(\(n)1)")
    }
  }

  @Test("Exchanges accumulate nothing, however many there are")
  func held() throws {
    let stage = try ScriptStage(
      """
      grid = responder "grid"
      function app.on:many() for n = 1, 1000 do grid.on.act = function() return n end end end
      focus(grid)
      """)
    var held: [Held] = []
    for _ in 0..<8 {
      expect(stage.host.perform("many").status, is: .handled)
      expect(act(stage), is: "handled by grid via on → integer(1000)")
      expect(stage.perform("act"), is: "handled by grid via on → integer(1000)")
      held.append(try stage.host.held())
    }
    expect(held[3], is: held[7])
  }

  private static let randomly = """
    grid = responder "grid"
    made, handles, model, count = {}, {}, { a = false, b = false }, 0
    for n = 1, 20 do made[n] = function() return n end end
    -- An exchange in the middle of what it does.
    made[21] = function() app:perform("assign(name: a, n: 3)") return 21 end
    made[22] = function() app:perform("shape") app:perform("assign(name: a, n: 5)") return 22 end
    local ops = app.on
    function ops:assign(ctx) grid.on[ctx.name] = made[ctx.n] model[ctx.name] = ctx.n end
    function ops:clear(ctx) grid.on[ctx.name] = nil model[ctx.name] = false end
    function ops:fill(ctx) grid.on = { [ctx.name] = made[ctx.n] } model = { a = false, b = false } model[ctx.name] = ctx.n end
    function ops:define(ctx)
      handles[ctx.name] = { grid:define(ctx.name, { on = made[ctx.n] }), made[ctx.n] }
      model[ctx.name] = -ctx.n
    end
    function ops:remove(ctx)
      if not handles[ctx.name] then return end
      handles[ctx.name][1]:remove()
      if (model[ctx.name] or 1) < 0 then model[ctx.name] = false end
    end
    function ops:shape() count = count + 1 local new = responder("new" .. count) if count % 2 == 0 then new:remove() end end
    function ops:hook() grid.resolve = function() end end
    function ops:unhook() grid.resolve = nil end
    function ops:read(ctx)
      local n = model[ctx.name]
      return grid.on[ctx.name] == (n and made[math.abs(n)] or nil)
    end
    function ops:expected(ctx) return model[ctx.name] and math.abs(model[ctx.name]) or "app" end
    function ops:a() return "app" end
    function ops:b() return "app" end
    focus(grid)
    """

  @Test("D11: However handlers are registered and exchanged, the last registered handler runs", arguments: 0..<40)
  func random(seed: Int) throws {
    var chance = Chance(seed: UInt64(seed))
    let stage = try ScriptStage(Self.randomly, limits: .patient)
    func result(_ reference: String) -> Value { stage.host.perform(reference).result }
    for step in 0..<250 {
      let name = chance.pick(["a", "b"])
      let n = chance.once(in: 8) ? 20 + Int.random(in: 1...2, using: &chance) : Int.random(in: 1...20, using: &chance)
      let operation =
        chance.once(in: 3) ? chance.pick(["clear", "fill", "define", "remove", "shape", "hook", "unhook"]) : "assign"
      let said = "\(step): \(operation)(name: \(name), n: \(n))"
      expect(stage.host.perform("\(operation)(name: \(name), n: \(n))").status, is: .handled, "\(said)")
      for name in ["a", "b"] where chance.once(in: 2) {
        if chance.once(in: 2) { expect("\(result("read(name: \(name))"))", is: "bool(true)", "\(said)") }
        let expected = result("expected(name: \(name))")
        let found = chance.once(in: 4) ? stage.host.perform(name, PerformOptions()).result : result(name)
        expect("\(found)", is: "\(expected)", "\(said)")
      }
    }
  }
}
