import Expectations
import Testing

@testable import ScriptHost

@Suite("Resolutions that the host remembers until something changes")
struct RememberedResolutionTests {
  private static let reshaping = """
    local main = window "main"
    local grid = responder "grid" { next = main }
    local n = 0
    function app.on:other() return 1 end
    function main.on:forwards() return "main" end
    -- A new shape, and performs that see it: all that was known of the old one may go while this runs.
    local function reshape()
      n = n + 1
      if n % 4 > 0 then return end  -- what was found the last time holds where nothing changed
      responder("new" .. n)
      for i = 1, 3 do app:perform("other") end
    end
    function grid.on:forwards(ctx) reshape() return ctx:forward() end
    function grid.on:passes(ctx) reshape() return pass end
    function grid.on:fails(ctx) reshape() error("broken") end
    function grid.on:refuses(ctx) reshape() ctx:refuse("no") end
    function grid.can:asks(ctx) return ctx.n ~= 2, "two" end
    function grid.on:asks(ctx) reshape() return ctx:super() end
    focus(grid)
    """

  @Test("D9, D11: A handler that changes the shape while it runs continues, as if nothing had been remembered")
  func reshaping() throws {
    weak var walk: Walk?
    try reshape { walk = $0 }
    let isHeld = walk != nil  // what is held can't be shown: the host that it leads to is gone
    expect(!isHeld, "who was walked through while it was forgotten is held for ever")
  }

  private func reshape(_ see: (Walk) -> Void) throws {
    let stage = try ScriptStage(Self.reshaping)
    see(stage.host.dispatcher.defaultWalk())
    for (reference, expected) in [
      ("forwards", #"handled by grid via on → text("main")"#), ("passes", "unhandled: nobody handles 'passes'"),
      ("fails", "failed by grid via on! app.lua:15: broken"), ("refuses", "disabled by grid via on: no"),
      ("asks(n: 1)", "handled by grid via on"), ("asks(n: 2)", "disabled by grid via on: two"),
    ] {
      for _ in 0..<6 {
        let line = stage.perform(reference)
        expect(line.hasPrefix(expected), "\(reference): \(line)")
      }
      for _ in 0..<6 {
        let line = stage.host.perform(reference).line
        expect(line.hasPrefix(expected), "\(reference): \(line)")
      }
    }
  }

  @Test("D9: A walk that is forgotten during one of its calls keeps nothing from then on")
  func forgotten() throws {
    weak var walk: Walk?
    try forget { walk = $0 }
    let isHeld = walk != nil
    expect(!isHeld, "it and what it found last hold each other for ever")
  }

  private func forget(_ see: (Walk) -> Void) throws {
    let stage = try ScriptStage(
      """
      local grid, isAsked = responder "grid", false
      function grid:resolve(name) if name == "late" then self.on.late = function() end return true end end
      function grid:provide()
        if isAsked then return end
        isAsked = true
        app:validate("late")  -- what is resolved is a new shape
        app:validate("other")  -- which this sees
      end
      function grid.on:act() end
      function grid.look:act() end
      focus(grid)
      """)
    let walk = stage.host.dispatcher.defaultWalk()
    see(walk)
    expect(stage.host.validate("act").isEnabled)
    expect(walk.resolutions == nil)
  }

  @Test(
    "I7: Ten thousand references on one walk stay within its limits, and a malformed one is not kept",
    arguments: [11, 1000])
  func bounded(length: Int) throws {
    let stage = try ScriptStage("function app.on:a() return 1 end")
    let dispatcher = stage.host.dispatcher
    func kept() -> [Resolution] { Array(dispatcher.defaultWalk().resolutions?.all ?? []) }
    for number in 0..<10_000 {
      let text = "a(k: \(10_000 + number))"
      expect(stage.host.perform(text + String(repeating: " ", count: length - text.utf8.count)).status, is: .handled)
    }
    expect((1...Resolutions.countLimit).contains(kept().count))
    expect(kept().reduce(0) { $0 + $1.raw.utf8.count } <= Resolutions.byteLimit)
    let count = kept().count
    for text in ["a(", "", "a(k: \"" + String(repeating: "x", count: 1017) + "\")"] { _ = stage.host.perform(text) }
    expect(kept().count, is: count)
  }

  @Test("D11: A change in the tables counts at the very next perform, and a running action continues unchanged")
  func changingTables() throws {
    let stage = try ScriptStage(
      """
      local main = window "main"
      grid = responder "grid" { next = main, provide = function(self, ctx) ctx.given = 1 end }
      function app.on:change(ctx)
        local changes = {
          function() grid.on.act = function() return "first" end end,
          function() grid.can.act = function(self, ctx) return ctx.given == 2, "not two" end end,
          function() grid.can.act = function(self, ctx) ctx.given = 2 return true end end,
          function() grid.can.act = nil end,
          function() grid.needs.act = "missing" end,
          function() grid.needs.act = nil end,
          function() grid.on.act = nil end,
          function() main.on.act = function() return "window" end end,
          function() grid.on.act = function() return "again" end end,
        }
        changes[ctx.n]()
      end
      function grid.on:nested(ctx)
        if ctx.given == 1 then
          grid.can.nested = function() return false, "closed" end
          local inner = app:perform("nested")
          grid.can.nested = nil
          grid.on.nested = function() return "other" end
          return inner.reason .. ", " .. app:perform("nested").result
        end
      end
      focus(grid)
      """)
    func act() -> String { stage.host.perform("act").line }
    for _ in 0..<3 { expect(act(), is: "unhandled: nobody handles 'act'") }
    for (n, expected) in [
      "handled by grid via on → text(\"first\")", "disabled by grid via on: not two",
      "disabled by grid via on: error: 'given' can't be set: here the context can only be read",
      "handled by grid via on → text(\"first\")",
      "disabled by grid via on: needs 'missing', but nothing supplies it now",
      "handled by grid via on → text(\"first\")", "unhandled: nobody handles 'act'",
      "handled by main via on → text(\"window\")", "handled by grid via on → text(\"again\")",
    ].enumerated() {
      expect(stage.host.perform("change(n: \(n + 1))").status, is: .handled)
      for _ in 0..<3 { expect(act(), is: expected, "after change \(n + 1)") }
    }
    for _ in 0..<2 { _ = stage.host.perform("other") }
    expect(stage.host.perform("nested").line, is: "handled by grid via on → text(\"closed, other\")")
  }

  private static let asking = """
    asked, said, claimed = 0, "nothing", false
    local one = responder "one"
    two = responder "two"
    local three = responder "three"
    local front = responder "front" { next = one }
    function front:redirect(name)
      if name == "late" then return two elseif name ~= "go" then return nil end
      asked = asked + 1
      if said == "two" then return two
      elseif said == "three by name" then return "three"
      elseif said == "two by name" then return "two"
      elseif said == "raises" then error("no idea", 0)
      elseif said == "performs" then app:perform("asked")
      elseif said == "sleeps" then sleep(1)
      elseif said == "number" then return 5
      elseif said == "unknown" then return "nobody"
      elseif said == "changes" then
        app:validate("late") -- whose resolve writes a table
        return two
      end
    end
    function two.on:go() return "two" end
    function three.on:go(ctx) if ctx.n == 2 then return pass end return "three" end
    function one.on:go() sleep(1) return "one" end
    function two:resolve(name)
      if name == "late" then self.on.late = function() end self.on.go = function() return "late" end return true end
    end
    function app:claims(name)
      if name ~= "other" then return false end
      asked = asked + 1
      return claimed
    end
    function app:unknown(ctx) return "unknown " .. ctx.action end
    function app.on:say(ctx) said, claimed = ctx.what, not claimed end
    function app.on:asked() local n = asked asked = 0 return n end
    function app.on:exchange(ctx) two.on.go = function() return "exchanged " .. ctx.n end end
    function app.on:reshape() responder("new" .. #said) end
    function front:provide(ctx) ctx.given = asked end
    focus(front)
    """

  @Test(
    "D11: Functions that decide about an action run once in each perform, and their results count, watched or not"
  )
  func askedAgain() throws {
    let stages = try (0..<3).map { _ in try ScriptStage(Self.asking) }
    stages[1].host.observe { _ in }
    stages[2].host.onTrace = { _ in }
    let says = [
      "two", "two", "nothing", "two", "three by name", "two by name", "two", "three by name", "raises", "two", "number",
      "unknown", "performs", "two", "sleeps", "two by name", "changes", "nothing", "three by name", "two",
    ]
    var references: [String] = []
    for (index, what) in (says + says).enumerated() {
      references += [
        "say(what: \"\(what)\")", "go(n: 1)", "go(n: 1)", "asked", "go(n: 2)", "go(n: 2)", "other", "other", "asked",
      ]
      if index % 3 == 0 { references += ["exchange(n: \(index))", "go(n: 1)", "asked"] }
      if index == 20 { references.append("reshape") }
    }
    for reference in references {
      let lines = stages.map { $0.host.perform(reference, wait: true).line }
      expect(Set(lines).count, is: 1, "\(reference): \(lines)")
    }
    expect(Set(stages.map { $0.host.diagnostics.map(\.message) }).count, is: 1)
  }
}
