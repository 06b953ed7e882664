import Expectations
import Testing

@testable import ScriptHost

@Suite("Observers in scripts")
struct ObserverScriptTests {
  @Test(
    "O1: will precedes the first handler, did or failed follows once, host-wide before the caller's; a refusal has none"
  )
  func balanced() throws {
    try expect(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      function near.on:good() return 1 end
      function near.on:bad() error("broken") end
      function near.on:rude(ctx) ctx:refuse("not today") end
      function near.on:never() end
      function near.can:never() return false, "no" end
      function near.on:passing() return pass end
      near.on["b.both"] = function() return pass end
      function far.on:both() return 2 end
      focus(near)
      local function tell(who)
        return function(e)
          print(who, e.stage, e.action, e.raw, e.by, e.outcome and e.outcome.status, e.outcome and e.outcome.result)
        end
      end
      function app.on:go()
        observe("*", tell("all"))
        observe({ "both" }, tell("both"))
        for _, reference in ipairs { "good", "bad", "rude", "never", "nosuch", "passing", "a.b.both" } do
          app:perform(reference, nil, reference == "good" and { observe = tell("caller") } or nil)
        end
      end
      """,
      prints: """
        all\twill\tgood\tgood\tnear\tnil\tnil
        caller\twill\tgood\tgood\tnear\tnil\tnil
        all\tdid\tgood\tgood\tnear\thandled\t1
        caller\tdid\tgood\tgood\tnear\thandled\t1
        all\twill\tbad\tbad\tnear\tnil\tnil
        all\tfailed\tbad\tbad\tnear\tfailed\tnil
        all\twill\trude\trude\tnear\tnil\tnil
        all\tfailed\trude\trude\tnear\tdisabled\tnil
        all\twill\tpassing\tpassing\tnear\tnil\tnil
        all\tfailed\tpassing\tpassing\tnil\tunhandled\tnil
        all\twill\tb.both\ta.b.both\tnear\tnil\tnil
        all\tdid\tb.both\ta.b.both\tfar\thandled\t2
        """)
  }

  @Test(
    "O1: Observers that got `will` get `failed` too if the action spends its allowance, inner action first"
  )
  func spendingActions() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      function grid.on:spins() while true do end end
      function grid.on:wakes() sleep(1) while true do end end
      function grid.on:outer() app:perform("spins") end
      observe("*", function(event) print(event.stage, event.action) end)
      focus(grid)
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    for _ in 1...3 {
      for action in ["spins", "wakes", "outer"] {
        expect(stage.host.perform(action, wait: true).error?.limit, is: .instructions)
      }
      expect(
        stage.takePrinted(),
        is: [
          "will\tspins", "failed\tspins", "will\twakes", "failed\twakes", "will\touter", "will\tspins",
          "failed\tspins", "failed\touter",
        ])
    }
  }

  @Test(
    "O1, U1: Changes by an observer of a failing action are part of it, and taken back with it, the first time too")
  func undoableBesideSpent() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid" { text = "" }
      local far = responder "far" { claims = function(self, name) return name == "spins" end }
      grid.next = far
      function far.on:spins() while true do end end
      function grid.on:spins() while true do end end
      function grid.on:change(ctx) ctx:set(self, "text", "changed", "Changing") end
      function grid:failed(failure) if failure.limit then while true do end end end
      function far:failed(failure) if failure.limit then while true do end end end
      function app.on:state() return grid.text .. table.concat(app:undo_stack().undo, " ") end
      function grid.redirect(self, name) return name == "other" and far end
      far.on.other = far.on.spins
      observe({ "spins", "other" }, function(event) if event.stage == "failed" then app:perform("change") end end)
      focus(grid)
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 300_000)))
    for action in ["spins", "spins", "other", "other", "other"] {
      expect(stage.host.perform(action).error?.limit, is: .instructions)
      expect(stage.perform("state"), is: "handled by app via on → text(\"\")", "\(action)")
    }
  }

  @Test("O1, S4: An observer that spends everything on `will`, or can't receive it, doesn't get the end")
  func spendingObservers() throws {
    let stage = try ScriptStage(
      """
      heard = {}
      local function hears(name, stage) heard[#heard + 1] = name .. " " .. stage end
      local lasting = setmetatable({}, { __tostring = function() while true do end end })
      function app.on:go() end
      function app:failed(failure) if failure.limit then hears("hook", "failed") end end
      observe("go", function(event) hears("first", event.stage) error("first breaks") end)
      observe("go", function(event) hears("second", event.stage) if event.stage == "will" then error(lasting) end end)
      observe("go", function(event) hears("third", event.stage) while spins do end end)
      observe("go", function(event) hears("fourth", event.stage) end)
      function app.on:heard() local all = table.concat(heard, ", ") heard = {} return all end
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 100_000_000)))
    _ = stage.perform("go")
    expect(
      stage.host.perform("heard").result.shownText,
      is: "first will, second will, third will, fourth will, first did, second did, third did, fourth did")
    _ = try stage.host.evaluate("spins = true")
    expect(stage.host.perform("go").error?.limit, is: .instructions)
    expect(
      stage.host.perform("heard").result.shownText,
      is: "first will, second will, third will, hook failed, first failed, second failed")
  }

  @Test("O1, S4: A perform's own observer that spends everything on `will` doesn't get the end")
  func spendingListener() throws {
    let stage = try ScriptStage(
      """
      heard = ""
      function app.on:go() end
      function app.on:all()
        app:perform("go", nil, { observe = function(event) heard = heard .. event.stage while true do end end })
      end
      function app.on:heard() return heard end
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    expect(stage.host.perform("all").error?.limit, is: .instructions)
    _ = try? stage.host.evaluate(
      "app:perform('go', nil, { observe = function(event) heard = heard .. event.stage while true do end end })")
    expect(stage.perform("heard"), is: #"handled by app via on → text("willwill")"#)
  }

  @Test("O1: An observer that performs an action again at each of its failures comes to an end")
  func endlessFailures() throws {
    let stage = try ScriptStage(
      """
      count = 0
      function app.on:spins() while true do end end
      function app.on:count() return count end
      observe("spins", function(event)
        if event.stage == "failed" then
          count = count + 1
          app:perform("spins")
        end
      end)
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    for _ in 1...3 { expect(stage.host.perform("spins").error?.limit, is: .instructions) }
    expect(stage.perform("count"), is: "handled by app via on → integer(6)")
  }

  @Test(
    "O2, O3: The list of observers is fixed at the start; if one raises, others still run, and its place is reported"
  )
  func raising() throws {
    let stage = try ScriptStage(
      """
      local second
      observe("x", function(e)
        if e.stage == "will" then second:remove() observe("x", function() print("too late") end) end
        error("first breaks")
      end)
      second = observe("x", function(e) print("second " .. e.stage) end)
      function app.on:x() return "done" end
      """)
    expect(stage.perform("x"), is: "handled by app via on → text(\"done\")")
    expect(stage.takePrinted(), is: ["second will", "second did"])
    expect(
      stage.host.takeDiagnostics().map { "\($0.place?.description ?? ""): \($0.message)" },
      is: [
        "app.lua:4: first breaks", "app.lua:4: first breaks",
      ])
    _ = stage.perform("x")
    expect(stage.takePrinted(), is: ["too late", "too late"])
  }

  @Test(
    "O4: A pattern is a name, a list, * or a prefix before *",
    arguments: [
      ("\"save\"", "save"), ("{ \"save\", \"open\" }", "save open"), ("\"*\"", "save saveAs open file.open"),
      ("\"save*\"", "save saveAs"), ("{}", ""), ("\"file.*\"", "file.open"), ("\"Save\"", ""),
    ])
  func patterns(_ pattern: String, _ seen: String) throws {
    let stage = try ScriptStage(
      """
      local function empty() end
      for _, action in ipairs { "save", "saveAs", "open", "file.open" } do app.on[action] = empty end
      observe(\(pattern), function(e) if e.stage == "did" then print(e.action) end end)
      """)
    for action in ["save", "saveAs", "open", "file.open"] { expect(stage.perform(action), is: "handled by app via on") }
    expect(stage.printed.joined(separator: " "), is: seen)
  }

  @Test(
    "O4: A pattern with * before its end is an error, because it would match nothing", arguments: ["*x", "a*b", "**"])
  func misspelt(pattern: String) throws {
    try expect(loadError("observe({ 'save', '\(pattern)' }, print)").contains("can have '*' only at its end"))
  }

  @Test("O5: The action iterates over a list of observers in the context")
  func listInContext() throws {
    try expect(
      """
      local log = {}
      function app:provide(ctx) ctx:append("observers", function(text) print("app: " .. text) end) end
      local grid = responder "grid"
      function grid:provide(ctx) ctx:append("observers", function(text) print("grid: " .. text) end) end
      function grid.on:x(ctx) for observer in ctx:each("observers") do observer("x was done") end end
      focus(grid)
      function app.on:go() say("x") end
      """,
      prints: """
        grid: x was done
        app: x was done
        handled by grid via on
        """)
  }

  @Test("An observer may perform, can't refuse for the action, and gets its own copy of the event")
  func whatTheyMay() throws {
    try expect(
      """
      local kept
      observe("x", function(e)
        print(e.stage, e.args.n, e.args.extra)
        e.args.extra = true
        if e.stage == "will" then
          say("inner")
          fails(function() kept:refuse("no") end)
        end
      end)
      observe("x", function(e) print(e.stage, e.args.extra) end)
      function app.on:inner(ctx) kept = ctx return "inner" end
      function app.on:x() return "x" end
      function app.on:go() say("x(n: 1)") end
      """,
      prints: """
        will\t1\tnil
        handled by app via on → inner
        app.lua:7: call ctx:refuse(reason) in a running handler, on its own context
        will\tnil
        did\t1\tnil
        did\tnil
        handled by app via on → x
        """)
  }

  @Test("A wrong argument of observe or listen is an error at its line")
  func misuse() throws {
    try expect(
      """
      function app.on:go()
        fails(observe, 5, print)
        fails(function() observe(5, print) end)
        fails(function() observe("x") end)
        fails(function() observe({ 5 }, print) end) fails(function() observe("", print) end)
        fails(function() listen("focsu", print) end)
        fails(function() listen("focus", 5) end)
        local handle = listen("focus", function(new, old) print(new.name, old.name) end)
        local a = responder "a"
        focus(a) focus(a) focus(app)
        handle:remove() handle:remove()
        focus(a)
      end
      """,
      prints: """
        observe takes the name of an action, a list of them, or "*"
        app.lua:3: observe takes the name of an action, a list of them, or "*"
        app.lua:4: the function of 'observe' must be a function, not nil
        app.lua:5: a pattern must be a string, not a number
        app.lua:5: a pattern can't be empty: write the name of an action, or "*" for all
        app.lua:6: there is no event 'focsu' to listen for; did you mean 'focus'?
        app.lua:7: the function of 'listen' must be a function, not a number
        a\tapp
        app\ta
        """)
  }
}
