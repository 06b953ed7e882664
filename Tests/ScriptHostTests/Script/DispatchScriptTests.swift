import Expectations
import Testing

@testable import ScriptHost

@Suite("Dispatch of scripts' actions")
struct DispatchScriptTests {
  @Test(
    "D1: The walk goes from the focus along next, each window's delegate after it, the main window's chain, then the app"
  )
  func walk() throws {
    try expect(
      """
      local main, panel = window "main", window "panel"
      local helper = responder "helper"
      local grid = responder "grid" { next = main }
      local cell = responder "cell" { next = "grid" }
      local field = responder "field" { next = panel }
      main.delegate = helper
      app.delegate = responder "agent"
      focus(cell)
      focus(field)
      function app.on:go()
        print(table.concat(app:chain(), " "))
        print(panel.is_key, main.is_key, main.is_main, main.first == cell, panel.first.name)
        panel:make_main()
        print(table.concat(app:chain(), " "))
        main:make_key()
        print(table.concat(app:chain(), " "))
        print(line(grid:perform("who")), line(app:perform("who", nil, { from = "helper" })))
      end
      function panel.on:who() return "panel" end
      function helper.on:who() return "helper" end
      """,
      prints: """
        field panel cell grid main helper app agent
        true\tfalse\ttrue\ttrue\tfield
        field panel app agent
        cell grid main helper field panel app agent
        handled by helper via on → helper\thandled by helper via on → helper
        """)
  }

  @Test(
    "D2: At a node the host tries on, then resolve, then redirect, then claims; the first that takes it ends the walk"
  )
  func order() throws {
    try expect(
      """
      local other = responder "other"
      local grid = responder "grid"
      function other.on:moved() return "moved" end
      function grid.on:own() return "own" end
      function grid:resolve(action)
        print("resolve " .. action)
        if action == "late" then self.on.late = function() return "late" end return true end
      end
      function grid:redirect(action) print("redirect " .. action) if action ~= "claimed" then return other end end
      function grid:claims(action) print("claims " .. action) return action == "claimed" end
      function grid:unknown(ctx) return "unknown " .. ctx.action end
      focus(grid)
      function app.on:test()
        for _, action in ipairs { "own", "late", "late", "moved", "claimed" } do say(action) end
      end
      """,
      prints: """
        resolve test
        redirect test
        handled by grid via on → own
        resolve late
        handled by grid via resolve → late
        handled by grid via on → late
        resolve moved
        redirect moved
        handled by other via redirect → moved
        resolve claimed
        redirect claimed
        claims claimed
        handled by grid via claims → unknown claimed
        handled by app via on
        """, after: ["test"])
  }

  @Test("D2: A redirect may be constant, by name or object; if its target has no handler, the walk continues")
  func redirects() throws {
    try expect(
      """
      local a, b = responder "a", responder "b"
      local grid = responder "grid" { redirect = "a", next = "b" }
      function a.on:x() return "a" end
      function b.on:y() return "b" end
      focus(grid)
      function app.on:go()
        say("x") say("y")
        grid.redirect = b
        print(grid.redirect)
        say("x") say("y")
        grid.redirect = nil
        say("x")
      end
      """,
      prints: """
        handled by a via redirect → a
        handled by b via on → b
        b
        unhandled: nobody handles 'x'; 'a' does, but isn't in the chain
        handled by b via redirect → b
        unhandled: nobody handles 'x'; 'a' does, but isn't in the chain
        """)
  }

  @Test("The outcome names a responder outside of the chain that would take the action")
  func elsewhere() throws {
    try expect(
      """
      local page = responder "page"
      function page.on:save() end
      menubar { menu "File" { item "Save" { "save" } } }
      function app.on:go()
        print(app:perform("save").status, app:perform("save").elsewhere, app:perform("sav").elsewhere)
        print(app:pick("File/Save").status, app:pick("File/Save").elsewhere)
        focus(page)
        print(app:perform("save").status, app:perform("save").elsewhere)
      end
      """,
      prints: """
        unhandled\tpage\tnil
        disabled\tpage
        handled\tnil
        """)
  }

  @Test("D2: redirect must return a responder or a responder's name")
  func redirectAnswers() throws {
    try expect(
      """
      local grid = responder "grid"
      local answer
      function grid:redirect() return answer end
      focus(grid)
      function app.on:x() return "app" end
      function app.on:go()
        for _, given in ipairs { false, "gird", 5, responder "gone" } do
          answer = given
          if given == app:find("gone") then given:remove() end
          say("x")
        end
      end
      """,
      prints: """
        handled by app via on → app
        failed ! there is no responder named 'gird'; did you mean 'grid'?
        failed ! the result of 'redirect' must be a responder or its name, not a number
        handled by app via on → app
        """)
  }

  @Test("D3: Catch-alls come last, nearest first, and get the original name; pass continues the walk")
  func catchAlls() throws {
    try expect(
      """
      local grid = responder "grid"
      function grid:unknown(ctx) print("grid", ctx.action, ctx.prefix, ctx.raw, ctx.k) return pass end
      function app:unknown(ctx) return "app " .. ctx.action end
      function app.on:known() return "real" end
      focus(grid)
      function app.on:go() say("known") say("a.b.nosuch(k: 1)") end
      """,
      prints: """
        handled by app via on → real
        grid\tnosuch\ta.b\ta.b.nosuch(k: 1)\t1
        handled by app via unknown → app nosuch
        """)
  }

  @Test("D4: A catch-all does not enable an action, claims does; performing reaches it all the same")
  func catchAllsEnableNothing() throws {
    try expect(
      """
      local grid = responder "grid"
      function grid:unknown(ctx) return "caught" end
      focus(grid)
      function app.on:go()
        look("x") say("x")
        for _, claims in ipairs { true, { "x", "y" }, function(_, action) return action == "x" end } do
          grid.claims = claims
          look("x") say("x")
        end
        grid.claims = { "x", "y" }
        print(table.concat(grid.claims, " "))
        grid.claims = nil
        print(grid.claims)
      end
      """,
      prints: """
        disabled: nobody handles 'x' but the catch-all of 'grid', which enables only claimed actions
        handled by grid via unknown → caught
        enabled by grid
        handled by grid via claims → caught
        enabled by grid
        handled by grid via claims → caught
        enabled by grid
        handled by grid via claims → caught
        x y
        nil
        """)
  }

  @Test("D5: With an explicit target the host tries that target, then its catch-all, and never the chain")
  func targets() throws {
    try expect(
      """
      local a, b = responder "a", responder "b"
      function a.on:x() return "a" end
      function b:unknown(ctx) return "b? " .. ctx.action end
      function app.on:y() return "app" end
      function app.on:go()
        say("x", nil, { to = a }) say("y", nil, { to = "a" }) say("y", nil, { to = b })
      end
      """,
      prints: """
        handled by a via on → a
        unhandled: nobody handles 'y'
        handled by b via unknown → b? y
        """)
  }

  @Test("D7: An action that nobody takes is unhandled, with near names, and its listeners run once")
  func unhandled() throws {
    try expect(
      """
      local handle = listen("unhandled", function(e)
        print(e.action, e.raw, e.args.k, e.outcome.status, table.concat(e.near, " "))
      end)
      function app.on:export() end
      function app.on:exports() end
      function app.on:go() say("m.exprot(k: 2)") handle:remove() say("leave") end
      """,
      prints: """
        exprot\tm.exprot(k: 2)\t2\tunhandled\tm.export m.exports
        unhandled: nobody handles 'm.exprot'; did you mean 'm.export'?
        unhandled: nobody handles 'leave'
        """)
  }

  @Test("D7: An unhandled dotted name keeps its prefix in the reason, in the suggestion, and in 'actions'")
  func dottedUnhandled() throws {
    try expect(
      """
      local away = responder "away"
      away.on["page.turn"] = function() end
      function away.on:leaf() end
      app.on["pr.open"] = function() end
      function app.on:close() end
      function app:unknown(ctx) print("the catch-all is asked for " .. ctx.action .. " with the prefix " .. ctx.prefix) end
      menubar { menu "M" { item "Open" { "pr.opn" } } }
      function app.on:go()
        for _, ref in ipairs { "pr.opn", "menu.pr.opn", "menu.file.clsoe(now: true)", "book.page.turn", "book.leaf", "a.b" } do
          print(app:validate(ref).reason)
        end
        app.unknown = nil
        for _, ref in ipairs { "pr.opn", "menu.pr.opn", "menu.file.clsoe(now: true)", "book.page.turn", "book.leaf", "a.b" } do
          print(app:perform(ref).reason)
        end
        print(app:actions("pr.opn")[1].name, app:item("M/Open").reason)
        for _, action in ipairs(app:actions()) do if not action.by then print(action.name, action.reason) end end
      end
      """,
      prints: """
        nobody handles 'pr.opn' but the catch-all of 'app', which enables only claimed actions
        nobody handles 'menu.pr.opn' but the catch-all of 'app', which enables only claimed actions
        nobody handles 'menu.file.clsoe' but the catch-all of 'app', which enables only claimed actions
        nobody handles 'book.page.turn' but the catch-all of 'app', which enables only claimed actions
        nobody handles 'book.leaf' but the catch-all of 'app', which enables only claimed actions
        nobody handles 'a.b' but the catch-all of 'app', which enables only claimed actions
        nobody handles 'pr.opn'; did you mean 'pr.open'?
        nobody handles 'menu.pr.opn'; did you mean 'menu.pr.open'?
        nobody handles 'menu.file.clsoe'; did you mean 'menu.file.close'?
        nobody handles 'book.page.turn'; 'away' does, but isn't in the chain
        nobody handles 'book.leaf'; 'away' does, but isn't in the chain
        nobody handles 'a.b'
        pr.opn\tnobody handles 'pr.opn'; did you mean 'pr.open'?
        pr.opn\tnobody handles 'pr.opn'; did you mean 'pr.open'?
        """)
  }

  @Test(
    "D8: The host refuses a circle of next and names its members, and detects a circle of redirect; chains may be deep"
  )
  func circles() throws {
    try expect(
      """
      local a = responder "a"
      local b = responder "b" { next = a }
      local c = responder "c" { next = b }
      function app.on:go()
        fails(function() a.next = c end)
        fails(function() a.next = a end)
        fails(function() app.next = a end)
        focus(a)
        a.redirect, b.redirect = b, a
        say("x")
        a.redirect, b.redirect = nil, nil
        local last = a
        for i = 1, 1000 do last = responder("n" .. i) { next = last } end
        focus(last)
        function a.on:deep() return "deep" end
        say("deep")
      end
      """,
      prints: """
        app.lua:5: next would lead in a circle: a → c → b → a
        app.lua:6: next would lead in a circle: a → a
        app.lua:7: the app is always last, so it has no 'next'
        failed ! redirect leads in a circle: a → b → a
        handled by a via on → deep
        """, limits: .patient)
  }

  @Test(
    "D9: Nodes and handlers may come and go; the running handler finishes; the next perform sees the new shape"
  )
  func changes() throws {
    try expect(
      """
      local grid = responder "grid"
      local cell = responder "cell" { next = grid }
      function grid.on:x() return "grid" end
      function cell.on:x()
        self:remove()
        grid.on.x = function() return "new grid" end
        return "cell finished"
      end
      function grid.on:replace()
        grid.on.replace = function() return "second" end
        return "first"
      end
      focus(cell)
      function app.on:go()
        say("x") say("x") say("replace") say("replace")
        grid.on.x = nil
        say("x")
        grid.on = { y = function() return "y" end }
        say("y") say("replace")
        print(cell.name, tostring(cell), app:find("cell"))
        fails(function() cell.on.x = print end)
        fails(function() cell:perform("x") end)
        fails(function() grid.next = cell end)
        fails(function() grid.next = "cell" end)
        responder "cell"
        print(app:find("cell") ~= cell)
      end
      """,
      prints: """
        handled by cell via on → cell finished
        handled by grid via on → new grid
        handled by grid via on → first
        handled by grid via on → second
        unhandled: nobody handles 'x'
        handled by grid via on → y
        unhandled: nobody handles 'replace'
        cell\tresponder 'cell', which was removed\tnil
        app.lua:21: 'cell' was removed
        app.lua:22: 'cell' was removed
        app.lua:23: 'cell' was removed
        app.lua:24: there is no responder named 'cell': declare it before it is named
        true
        """)
  }

  @Test("A picked item is cancelled if a hook that decides about its action is, and the host reports nothing")
  func cancelledPick() throws {
    let host = try ScriptStage(
      "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end responder('grid') focus('grid')"
    ).host
    nonisolated(unsafe) var isCancelled = true
    host.edit(try require(host.find("grid"))).redirect { _ in
      if isCancelled { throw Failure(.cancelled, "stopped") }
      return nil
    }
    for _ in 0..<2 { expect(host.pick("M/Go").status, is: .cancelled) }
    expect(host.diagnostics.isEmpty, "\\(host.diagnostics)")
    isCancelled = false
    expect(host.pick("M/Go").status, is: .handled)
  }

  @Test("D10: A later registration replaces the earlier; a handle removes only its own")
  func handles() throws {
    try expect(
      """
      local grid = responder "grid"
      focus(grid)
      function app.on:go()
        local first = grid:define("x", { on = function() return 1 end, can = function() return true end, reentrant = true })
        say("x")
        local second = grid:define("x", { on = function() return 2 end })
        first:remove()
        say("x")
        second:remove() second:remove()
        say("x")
        fails(function() grid:define("x", { onn = print }) end)
        fails(function() grid:define("x", { on = 5 }) end)
        fails(function() grid:define("x(", { on = print }) end)
        fails(function() grid:define("x") end)
        fails(function() grid:define("y", { on = print, can = 5 }) end)
        say("y")
      end
      """,
      prints: """
        handled by grid via on → 1
        handled by grid via on → 2
        unhandled: nobody handles 'x'
        app.lua:11: a definition has no field 'onn'; did you mean 'on'?
        app.lua:12: on.x must be a function, not a number
        app.lua:13: 'x(' can't be the name of an action
        app.lua:14: define takes the name of an action and a table: { on = …, can = …, look = …, needs = …, takes = … }
        app.lua:15: can.y must be a function, not a number
        unhandled: nobody handles 'y'
        """)
  }

  @Test("D11: No cache is ever visible: the host calls claims and redirect functions whenever a walk reaches them")
  func noCacheShows() throws {
    try expect(
      """
      local a, b = responder "a", responder "b"
      local grid = responder "grid"
      function a.on:x() return "a" end
      function b.on:x() return "b" end
      local target = a
      function grid:redirect() return target end
      focus(grid)
      function app.on:go()
        say("x")
        target = b
        say("x")
        focus(a)
        say("x")
        b.next = a
        focus(b)
        say("x")
      end
      """,
      prints: """
        handled by a via redirect → a
        handled by b via redirect → b
        handled by a via on → a
        handled by b via on → b
        """)
  }

  @Test("D12: Performs nest; over 50 deep is failed, with the chain of actions")
  func nesting() throws {
    let stage = try ScriptStage(
      """
      depth = 0
      function app.on:again()
        depth = depth + 1
        local outcome = app:perform("again")
        if outcome.error then print(depth, outcome.error.code, outcome.error.message) end
      end
      """, limits: .patient)
    expect(stage.perform("again"), is: "handled by app via on")
    expect(
      stage.printed,
      is: [
        "50\tnesting\tperforms are nested more than 50 deep: again → again; to perform the next responder's handler call ctx:forward(), for the class's ctx:super()"
      ])
    expect(stage.host.diagnostics.map { "\($0.place.map { "\($0)" } ?? "") \($0.code)" }, is: ["app.lua:4:23 nesting"])
    expect(stage.perform("again"), is: "handled by app via on")
  }

  @Test("D12: Actions that wait for each other count as nested too, and the chain of actions names them")
  func nestingOfWaiting() throws {
    let stage = try ScriptStage(
      """
      depth = 0
      for action, other in pairs { a = "b", b = "c", c = "a" } do
        app:define(action, { reentrant = true, on = function()
          depth = depth + 1
          if depth < 45 then sleep(1) end
          local outcome = app:perform(other)
          if outcome.error then print(depth, outcome.error.message) end
        end })
      end
      """, limits: .patient)
    expect(stage.host.perform("a", wait: true).line, is: "handled by app via on")
    expect(
      stage.printed,
      is: [
        "50\tperforms are nested more than 50 deep: a → b → c → a; they perform each other endlessly"
      ])
  }

  @Test("D12: If the stack ends before that, the perform fails too, and the host continues")
  func stackLimit() throws {
    let stage = try ScriptStage(
      """
      function app.on:deep() return (string.gsub("x", "x", function() return app:perform("deep").status end)) end
      function app.on:forever() local function f() return 1 + f() end return f() end
      """, limits: .patient)
    expect(stage.perform("deep").hasPrefix("handled by app via on"))
    expect(stage.perform("forever"), is: "failed by app via on! app.lua:2: stack overflow")
    expect(stage.perform("deep").hasPrefix("handled by app via on"))
  }

  @Test("D13: needs, can, handler and observers share one context; needs come before can, a refusal runs nothing")
  func oneContext() throws {
    try expect(
      """
      local grid = responder "grid"
      local provided = 0
      function grid:provide(ctx) provided = provided + 1 ctx.photo = self.photo end
      grid.needs.rate = { photo = "select a photo first" }
      function grid.can:rate(ctx) print("can", ctx.photo, ctx.stars) return ctx.stars < 6, "five at most" end
      function grid.on:rate(ctx) print("on", ctx.photo, provided) return ctx.photo end
      observe("rate", function(e) print(e.stage, e.args.stars) end)
      focus(grid)
      function app.on:go()
        say("rate(stars: 5)")
        grid.photo = "p"
        say("rate(stars: 6)")
        say("rate(stars: 5)")
        say("rate(stars: 6, skip_validation: true)")
        say("rate", { stars = 7 }, { skip_validation = true })
        grid.needs.rate = "camera"
        say("rate(stars: 1)")
        grid.needs.rate = { "photo", "lens" }
        say("rate(stars: 1)")
        print(grid.needs.rate[1], grid.needs.rate[2], grid.needs.go)
      end
      """,
      prints: """
        disabled by grid via on: select a photo first
        can\tp\t6
        disabled by grid via on: five at most
        can\tp\t5
        will\t5
        on\tp\t4
        did\t5
        handled by grid via on → p
        will\t6
        on\tp\t5
        did\t6
        handled by grid via on → p
        will\t7
        on\tp\t6
        did\t7
        handled by grid via on → p
        disabled by grid via on: needs 'camera', but nothing supplies it now
        disabled by grid via on: needs 'lens', but nothing supplies it now
        photo\tlens\tnil
        """)
  }

  @Test(
    "D14: The newest derived class comes first, then own tables, the class, its class; super calls below, pass leaves"
  )
  func layers() throws {
    try expect(
      """
      class "base" { on = { x = function(_, ctx) return "base" end, y = function() return "base y" end } }
      class "middle" { class = "base", kind = "middle" }
      local middle = class "leaf" { class = "middle" }
      function middle.on:x(ctx) return "leaf " .. ctx:super() end
      local grid = responder "grid" { class = "leaf" }
      local twin = responder "twin" { class = middle }
      function grid.on:x(ctx) return "grid " .. ctx:super() end
      function grid.can:x(ctx) return ctx:super() end
      function grid.look:x(ctx) return ctx:super() end
      function grid.on:z(ctx) return tostring(ctx:super()) end
      function app.on:x() return "app" end
      focus(grid)
      function app.on:go()
        say("x") say("y") say("z")
        grid:derive("First", { on = { x = function(_, ctx) return "first " .. ctx:super() end } })
        grid:derive("Second", { on = { x = function(_, ctx) return "second " .. ctx:super() end } })
        grid:derive("First", { on = { x = function() return "never made twice" end } })
        say("x") say("x", nil, { to = twin })
        grid:derive("Third", { on = { x = function() return pass end } })
        say("x")
        print(grid.kind, grid.class, twin.kind, middle.class, middle.kind, grid.nothing)
      end
      """,
      prints: """
        handled by grid via on → grid leaf base
        handled by grid via on → base y
        handled by grid via on → nil
        handled by grid via on → second first grid leaf base
        handled by twin via on → leaf base
        handled by app via on → app
        middle\tleaf\tmiddle\tmiddle\tmiddle\tnil
        """)
  }

  @Test("D14: Fields of a derived class are read after the responder's own and before its class's, the newest first")
  func derivedFields() throws {
    try expect(
      """
      class "base" { kind = "base", color = "red", size = 1 }
      local grid = responder "grid" { class = "base", size = 9 }
      local twin = responder "twin" { class = "base" }
      grid:derive("First", { kind = "first", other = 5, size = 2 })
      grid:derive("Second", { kind = "second" })
      function app.on:go()
        print(grid.kind, grid.color, grid.other, grid.size, twin.kind, twin.other)
        grid.kind = "own"
        print(grid.kind)
        fails(function() grid:derive("Third", { next = twin }) end)
        fails(function() class "wrong" { perform = print } end)
      end
      """,
      prints: """
        second\tred\t5\t9\tbase\tnil
        own
        app.lua:10: 'next' belongs to the host and can't be assigned to a class
        app.lua:11: 'perform' belongs to the host and can't be assigned to a class
        """)
  }

  @Test(
    "ctx:forward calls the next handler after its needs and can; a no returns nil and the reason; it skips catch-alls")
  func forward() throws {
    try expect(
      """
      local a = responder "a"
      local b = responder "b" { next = a }
      local c = responder "c" { next = b }
      local may, passes = true, false
      function c.on:x(ctx) local value, reason = ctx:forward() return "c " .. tostring(value) .. " " .. tostring(reason) end
      function b.on:x(ctx) if passes then return pass end return "b " .. tostring(ctx:forward()) end
      function b.can:x() return may, "b can't" end
      function a.on:x() return "a" end
      a.needs.x = "k"
      function app:unknown() return "never" end
      focus(c)
      function app.on:go()
        say("x(k: 1)")
        say("x")
        may = false
        say("x(k: 1)")
        may, passes = true, true
        say("x(k: 1)")
        a:remove() b:remove()
        say("x(k: 1)")
      end
      """,
      prints: """
        handled by c via on → c b a nil
        handled by c via on → c b nil nil
        handled by c via on → c nil b can't
        handled by c via on → c a nil
        handled by c via on → c nil nil
        """)
  }

  @Test("super and forward reach native handlers, and pass them the action")
  func toNative() throws {
    let stage = try ScriptStage(
      """
      function app:provide(ctx) ctx.photo = "p" end
      """)
    let pane = try stage.host.responder("pane")
    let outer = try stage.host.responder("outer", next: pane.responder)
    func tell(_ command: Command) -> Value {
      .text(
        "\(command.action) \(command.responder.name) \(command.arguments["k"] ?? .null) \(command.context["photo"]) \(command.context["k"])"
      )
    }
    pane.on("x", tell)
    outer.on("x", tell)
    try stage.load(
      """
      local outer = app:find("outer")
      function outer.on:x(ctx) return ctx:super() .. "; " .. ctx:forward() end
      """, name: "layer.lua")
    try stage.host.focus(outer)
    let each = #"x NAME integer(1) text("p") integer(1)"#
    let both = each.replacing("NAME", with: "outer") + "; " + each.replacing("NAME", with: "pane")
    for _ in 1...2 { expect(stage.host.perform("a.x(k: 1)").result.shownText, is: both) }
    stage.host.observe { _ in }
    expect(stage.host.perform("a.x(k: 1)").result.shownText, is: both)
  }
}
