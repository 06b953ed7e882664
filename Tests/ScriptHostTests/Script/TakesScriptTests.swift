import Expectations
import Testing

@testable import ScriptHost

@Suite("Arguments that actions take")
struct TakesScriptTests {
  private static let grid = """
    local grid = responder "grid"
    function grid:provide(ctx) ctx.albums = { "sea", "land" } end
    function grid.on:rate(ctx) return math.type(ctx.rating) .. ctx.rating end
    grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
    function grid.on:export(ctx) return ctx.format .. " " .. tostring(ctx.args.format) .. " " .. tostring(ctx.to) end
    grid.takes.export = { format = { one_of = { "jpeg", { "png", "PNG" } }, default = "jpeg" }, to = { "folder", optional = true } }
    function grid.on:move(ctx) return ctx.to end
    grid.takes.move = { to = { one_of = function(self, ctx) return ctx.albums end, title = "Album" } }
    focus(grid)

    """

  @Test("A1: The order is needs, takes, can, questions, observers, handler")
  func order() throws {
    try expect(
      """
      local r = responder "r"
      r.needs.x = { key = "needs it" }
      r.takes.x = { n = "integer" }
      function r.can:x(ctx) print("can " .. ctx.n) return not ctx.no, "can says no" end
      function r.confirm:x(ctx) print("confirm " .. ctx.n) return "Sure?" end
      function r.on:x() print("on") end
      focus(r)
      observe("x", function(e) print(e.stage) end)
      function app.on:go()
        local function try(args, info, confirmed)
          say("x", args, { info = info, asks = true, confirmed = confirmed })
        end
        try({ n = "a" })
        try({ n = "a" }, { key = 1 })
        try({ n = 1 }, { key = 1, no = true })
        try({ n = 1 }, { key = 1 })
        try({ n = 1 }, { key = 1 }, true)
      end
      """,
      prints: """
        disabled by r via on: needs it
        disabled by r via on: 'n' must be an integer, not 'a'
        can 1
        disabled by r via on: can says no
        can 1
        confirm 1
        asks by r via on
        can 1
        will
        on
        did
        handled by r via on
        """)
  }

  @Test(
    "A1: takes, confirm and about are looked up like can, belong to owners, and count only if the responder answers"
  )
  func lookup() throws {
    try expect(
      """
      class "base" { takes = { x = { n = "integer" } }, confirm = { x = function(self, ctx) return "Base?" end } }
      local far = responder "far" { takes = { y = { n = "integer" } } }
      local r = responder "r" { class = "base", next = far }
      function r.on:x(ctx) return ctx.n end
      function r.on:y(ctx) return ctx.n end
      far.on.z, far.takes.z = function(_, ctx) return ctx.n end, { n = "integer" }
      function app:unknown(ctx) return "unknown " .. tostring(ctx.n) end
      app.takes.nosuch = { n = "integer" }
      focus(r)
      function app.on:go()
        say("x(n: a)")
        say("y(n: a)")
        say("z(n: a)")
        say("nosuch(n: a)")
        r.takes.x = { n = "string" }
        say("x(n: a)")
        r.takes.x = nil
        say("x(n: a)")
        r:derive("Loud", { confirm = { x = function(self, ctx) return ctx:super() .. "!" end } })
        print(app:perform("x(n: 1)", nil, { asks = true }).asks.confirm)
        r.confirm.x = "Own?"
        print(app:perform("x(n: 1)", nil, { asks = true }).asks.confirm)
      end
      """,
      prints: """
        disabled by r via on: 'n' must be an integer, not 'a'
        handled by r via on → a
        disabled by far via on: 'n' must be an integer, not 'a'
        handled by app via unknown → unknown a
        handled by r via on → a
        disabled by r via on: 'n' must be an integer, not 'a'
        Base?!
        Own?!
        """)
  }

  @Test(
    "A2: A wrong argument disables the action, with a reason that has the key, the valid values and the wrong one",
    arguments: [
      ("rate(rating: 9)", "'rating' must be an integer from 0 to 5, not 9"),
      ("rate(rating: five)", "'rating' must be an integer from 0 to 5, not 'five'"),
      ("rate(rating: 2.5)", "'rating' must be an integer from 0 to 5, not 2.5"),
      ("rate(rating: [1])", "'rating' must be an integer from 0 to 5, not a list"),
      ("rate(ratting: 1)", "'rate' takes no 'ratting'; did you mean 'rating'?"),
      ("rate(rating: 9, other: 1)", "'rate' takes no 'other'"),
      ("export(format: gif)", "'format' must be one of 'jpeg', 'png', not 'gif'"),
      ("export(to: 1)", "'to' must be the path of a folder, not 1"),
      ("move(to: mars)", "'to' must be one of 'sea', 'land', not 'mars'"),
    ])
  func wrong(_ reference: String, _ reason: String) throws {
    let stage = try ScriptStage(Self.grid)
    let outcome = stage.host.perform(reference)
    expect(outcome.status == .disabled && outcome.reason == reason && outcome.by == "grid")
    let validation = stage.host.validate(reference)
    expect(!validation.isEnabled && validation.reason == reason && validation.asks == nil)
    let misfit = try require(outcome.misfit)
    expect(reason.contains("'\(misfit.argument)'") && !misfit.expected.isEmpty && validation.misfit == misfit)
  }

  @Test("A2: Wrong arguments are reported before missing ones; 3.0 is the integer 3, and nothing else is converted")
  func conversion() throws {
    try expect(
      Self.grid + """
        grid.takes.two = { a = "integer", b = "integer" }
        function grid.on:two() end
        grid.takes.none = {}
        function grid.on:none() return "done" end
        function grid.on:many(ctx) return ctx.list[1] .. ctx.list[2] end
        grid.takes.many = { list = { "integer", many = true, to = 9 } }
        function app.on:go()
          say("rate(rating: 3.0)")
          say("rate(rating: 0)")
          say("rate(rating: 5)")
          say("rate(rating: -1)")
          say("rate", { rating = "3" })
          say("two(b: x)")
          say("none(a: 1)")
          say("none")
          say("none(skip_validation: true)")
          say("many", { list = { 1.0, 2 } })
          say("many(list: [1, 10])")
          say("many(list: 1)")
          local o = app:perform("rate(rating: 9)")
          print(o.argument, o.expected, app:validate("rate(rating: 9)").argument)
        end
        """,
      prints: """
        handled by grid via on → integer3
        handled by grid via on → integer0
        handled by grid via on → integer5
        disabled by grid via on: 'rating' must be an integer from 0 to 5, not -1
        disabled by grid via on: 'rating' must be an integer from 0 to 5, not '3'
        disabled by grid via on: 'b' must be an integer, not 'x'
        disabled by grid via on: 'none' takes no 'a': it takes none
        handled by grid via on → done
        handled by grid via on → done
        handled by grid via on → 12
        disabled by grid via on: 'list' must be a list, each an integer of 9 or less, not 10
        disabled by grid via on: 'list' must be a list, each an integer of 9 or less, not 1
        rating\tan integer from 0 to 5\trating
        """)
  }

  @Test("A2: skip_validation skips needs and can; types and questions stay")
  func skipping() throws {
    try expect(
      """
      app.needs.x = "key"
      app.takes.x = { n = "integer" }
      function app.can:x() return false, "no" end
      function app.on:x(ctx) return ctx.n end
      function app.on:go()
        say("x(n: 1, skip_validation: true)")
        say("x(n: a, skip_validation: true)")
        say("x", nil, { skip_validation = true })
        look("x(n: 1, skip_validation: true)")
        look("x(n: a, skip_validation: true)")
        look("x(skip_validation: true)")
      end
      """,
      prints: """
        handled by app via on → 1
        disabled by app via on: 'n' must be an integer, not 'a'
        asks by app via on
        enabled
        disabled by app: 'n' must be an integer, not 'a'
        enabled by app
        """)
  }

  @Test("A2, V11: skip_validation doesn't begin a waiting action again, in performs, items and validations")
  func skippingWhileRunning() throws {
    let stage = try ScriptStage(
      """
      function app.on:w() sleep(1) end
      menubar { menu "M" { item "I" { "w(skip_validation: true)" } } }
      """)
    let host = stage.host
    var options = PerformOptions()
    options.skipValidation = true
    expect(host.perform("w", options).status, is: .running)
    expect(
      host.perform("w", options).reason == "running" && host.perform("w(skip_validation: true)").reason == "running")
    expect(host.validate("w(skip_validation: true)").reason, is: "running")
    let item = host.menus().children[0].children[0]
    expect(!item.isEnabled && item.reason == "running" && host.pick("M/I").reason == "running")
    expect(host.jobs.count, is: 1)
    try host.advance(by: .seconds(1))
    expect(host.perform("w", options).status, is: .running)
  }

  @Test("A2: An item with skip_validation is disabled if its arguments don't fit, and asks for missing ones")
  func skippingItems() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "doesn't" { "x(n: a, skip_validation: true)" }, item "fits" { "x(n: 1, skip_validation: true)" },
        item "other" { "seen" }, item "asks" { "x(skip_validation: true)" }, item "nobody" { "y(skip_validation: true)" },
        item "claimed" { "claimed(n: a, skip_validation: true)" }, item "raises" { "choose(n: a, skip_validation: true)" } } }
      app.takes.x = { n = "integer" }
      function app.can:x() return false, "no" end
      function app.on:x(ctx) return ctx.n end
      function app.on:seen() end
      function app.can:seen(ctx) return ctx.n == nil, "it sees " .. tostring(ctx.n) end
      function app:claims(action) return action == "claimed" end
      function app:unknown() end
      app.takes.claimed = { n = "integer" }
      app.takes.choose = { n = { one_of = function() error("no choices", 0) end } }
      function app.on:choose() end
      """)
    expect(
      stage.drawn,
      is: """
        A
          doesn't {'n' must be an integer, not 'a'}
          fits
          other
          asks
          nobody
          claimed {'n' must be an integer, not 'a'}
          raises {error: no choices}
        """)
    for title in ["doesn't", "claimed"] {
      expect(stage.host.pick("A/\(title)").reason, is: "'n' must be an integer, not 'a'")
    }
    expect(stage.host.pick("A/raises").reason, is: "error: no choices")
  }

  @Test("A2: Arguments of an item with skip_validation aren't checked outside of a modal session; a pick dismisses it")
  func skippingInModal() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "a" { "x(n: a, skip_validation: true)" } } }
      app.takes.x = { n = { one_of = function() print("asked") return {} end } }
      function app.on:x() end
      popup = responder "popup" {}
      function app.on:open() modal(popup, { dismissable = true }) end
      """)
    expect(stage.drawn, is: "A\n  a {'n' must be one of nothing: there are no choices now, not 'a'}")
    stage.host.perform("open")
    _ = stage.takePrinted()
    expect(stage.drawn == "A\n  a" && stage.takePrinted() == [])
    expect(stage.host.pick("A/a").line, is: "blocked by app via on: dismissed")
  }

  @Test("A3: A default counts like a given value, only for the responder that takes it, and is checked the same")
  func defaults() throws {
    try expect(
      Self.grid + """
        local outer = responder "outer"
        grid.next = outer
        function grid:provide(ctx) ctx.n = "provided" end
        grid.takes.x = { n = { "integer", default = function(self, ctx) return 7 end } }
        function grid.can:x(ctx) print("grid", ctx.n, ctx.args.n) return pass end
        function grid.on:x() end
        outer.takes.x = {}
        function outer.can:x(ctx) print("can", ctx.n, ctx.args.n) return true end
        function outer.on:x(ctx) print("outer", ctx.n, ctx.args.n) return "outer" end
        grid.takes.bad = { n = { "integer", default = "seven" } }
        function grid.on:bad() end
        grid.takes.f = { n = { "integer", default = 3 } }
        function grid.on:f(ctx) print(ctx.n, ctx.args.n, ctx:forward()) return ctx.n end
        outer.takes.f = { m = { "integer", default = 4 } }
        function outer.on:f(ctx) return ctx.args.n, ctx.m end
        function app.on:go()
          say("export")
          say("export(to: x)")
          say("x")
          look("x")
          say("bad")
          say("f")
        end
        """,
      prints: """
        handled by grid via on → jpeg jpeg nil
        handled by grid via on → jpeg jpeg x
        grid\t7\t7
        can\tprovided\tnil
        outer\tprovided\tnil
        handled by outer via on → outer
        enabled by grid
        disabled by grid via on: 'n' must be an integer, not 'seven'
        3\t3\tnil
        handled by grid via on → 3
        """)
  }

  @Test(
    "A4: A proposed value is still asked for, shown in the question, computed read-only, and an error beside a default")
  func proposals() throws {
    try expect(
      """
      local r = responder "r"
      function r:provide(ctx) ctx.name = "old" end
      for _, name in ipairs { "a", "b", "c", "d" } do r.on[name] = function(self, ctx) return ctx.to end end
      r.takes.a = { to = { "string", proposal = function(self, ctx) return ctx.name end } }
      r.takes.b = { to = { "integer", proposal = 3, optional = true } }
      r.takes.c = { to = { "string", proposal = function(self, ctx) error("no idea", 0) end } }
      r.takes.d = { to = { "string", proposal = "hidden", secret = true } }
      focus(r)
      function app.on:go()
        local asked = app:perform("a")
        print(asked.status, asked.asks.arguments[1].proposal, app:item("M/A").asks)
        print(app:perform("a(to: new)").result, app:perform("b").status, app:perform("b").result)
        say("c") print(app:perform("d").asks.arguments[1].proposal)
        for _, action in ipairs(app:actions("a")) do print(action.takes[1].proposal) end
        print(pcall(function() r.takes.a = { to = { "string", default = "x", proposal = "y" } } end))
      end
      menubar { menu "M" { item "A" { "a" } } }
      """,
      prints: """
        asks\told\ttrue
        new\thandled\tnil
        asks by r via on
        nil
        old
        false\tapp.lua:15: takes.a.to is required, so it can't have a default: write 'proposal' instead
        """)
  }

  @Test("A3: A default list is a new list each time; A2: a list has nothing but the elements in its order")
  func lists() throws {
    try expect(
      """
      app.takes.add = { tags = { "string", many = true, default = { "p" } } }
      function app.on:add(ctx) ctx.tags[#ctx.tags + 1] = "q" ctx.args.tags[#ctx.args.tags + 1] = 7 return table.concat(ctx.tags, ",") end
      app.takes.sum = { n = { "integer", many = true } }
      function app.on:sum(ctx) local sum = 0 for _, n in ipairs(ctx.n) do sum = sum + n end return sum end
      function app.on:go()
        say("add")
        say("add")
        say("sum", { n = { 1, 2.0 } })
        say("sum", { n = table.pack(1, 2) })
        say("sum", { n = {} })
        say("sum", { n = { a = 1 } })
        say("sum", { n = { 1, a = 2 } })
        say("sum", { n = { 1, [3] = 3 } })
      end
      """,
      prints: """
        handled by app via on → p,q,7
        handled by app via on → p,q,7
        handled by app via on → 3
        handled by app via on → 3
        handled by app via on → 0
        disabled by app via on: 'n' must be a list, each an integer, not a table
        disabled by app via on: 'n' must be a list, each an integer, not a table
        disabled by app via on: 'n' must be a list, each an integer, not a table
        """)
  }

  @Test("A3, A12: A list as default or proposal is a list for those who read the form, also a computed one")
  func shownLists() throws {
    let host = try ScriptStage(
      """
      app.takes.m = {
        o = { one_of = { "a", "b" }, many = true, default = { "a" } },
        p = { "integer", many = true, default = function() return { 1, 2 } end },
        q = { "string", many = true, proposal = { "x" } },
      }
      function app.on:m(ctx) return ctx.o[1] .. ctx.p[2] .. ctx.q[1] end
      """
    ).host
    let fields = host.form("m").fields
    let values = fields.map { $0.preset ?? $0.proposal ?? .null }
    let lists: [Value] = [.list(["x"]), .list(["a"]), .list([1, 2])]
    expect(zip(values, lists).allSatisfy { $0.isSame(as: $1) }, "\(values)")
    expect(host.perform("m(q: [y])").result.shownText, is: "a2y")
  }

  @Test("A3: one_of, default and confirm functions are read-only, and their errors become 'error: …'")
  func raising() throws {
    try expect(
      """
      local r = responder "r"
      for _, name in ipairs { "a", "b", "c", "d", "e" } do r.on[name] = function() end end
      r.takes.a = { n = { one_of = function() error("no choices", 0) end } }
      r.takes.b = { n = { "integer", default = function() error("no default", 0) end } }
      r.confirm.c = function() error("no question", 0) end
      r.takes.d = { n = { one_of = function(self, ctx) ctx.x = 1 return {} end } }
      r.takes.e = { n = { one_of = function() return app:perform("a") end } }
      focus(r)
      function app.on:go()
        look("a") look("a(n: 1)") look("b") say("a") say("a(n: 1)") say("b") say("b(n: 1)") say("c") say("c", nil, { asks = true })
        print((app:validate("d(n: 1)").reason:gsub("^.-:%d+:%d*:? ?", "")))
        print((app:validate("e(n: 1)").reason:gsub("^.-:%d+:%d*:? ?", "")))
      end
      """,
      prints: """
        enabled by r
        disabled by r: error: no choices
        enabled by r
        asks by r via on
        disabled by r via on: error: no choices
        asks by r via on
        handled by r via on
        handled by r via on
        disabled by r via on: error: no question
        error: 'x' can't be set: here the context can only be read
        error: performing is not possible here: the host only asks this function, so it must not change anything
        """)
  }

  @Test("A4: A missing argument validates as enabled, asks and does nothing, also if can returns true")
  func missing() throws {
    try expect(
      Self.grid + """
        function grid.can:rate() print("can") return true end
        menubar { menu "M" { item "Rate…" { "rate" }, item "Five" { "rate(rating: 5)" }, item "Move" { "move" } } }
        function app.on:go()
          local v = app:validate("rate")
          print(v.enabled, v.asks.arguments[1].key, v.asks.confirm)
          local o = app:perform("rate")
          local a = o.asks.arguments[1]
          print(o.status, o.by, a.key, a.type, a.title, a.from, a.to, a.optional)
          print(table.concat(app:perform("move").asks.arguments[1].one_of, " "))
          print(app:item("M/Rate…").asks, app:item("M/Rate…").enabled, app:item("M/Five").asks)
          print(app:pick("M/Rate…").status)
          say("rate", { rating = 4 })
          print(app:pick("M/Rate…", { args = { rating = 3 } }).result)
        end
        """,
      prints: """
        can
        true\trating\tnil
        can
        asks\tgrid\trating\tinteger\tStars\t0\t5\tnil
        sea land
        can
        can
        can
        can
        can
        can
        true\ttrue\tnil
        can
        asks
        can
        handled by grid via on → integer4
        can
        integer3
        """)
  }

  @Test("A13: can refuses before a form is filled in, unless it reads a missing argument", arguments: [true, false])
  func before(isTraced: Bool) throws {
    let stage = try ScriptStage(
      """
      staged = 0
      local repo = responder "repo"
      function repo:provide(ctx) ctx.staged, ctx.message = staged, "of a provider" end
      repo.takes.commit = { message = { "string" }, sign = { "boolean", optional = true } }
      function repo.can.commit(self, ctx) return ctx.staged > 0 and not ctx.sign, "nothing is staged" end
      function repo.on:commit(ctx) return ctx.message end
      menubar { menu "M" { item "Commit…" { "commit" } } }
      focus(repo)
      """)
    if isTraced { stage.host.onTrace = { _ in } }
    let host = stage.host
    func item() -> MenuElement { host.menus().children[0].children[0] }
    expect(item().reason == "nothing is staged" && !item().isEnabled && !item().asks)
    expect(host.validate("commit").reason, is: "nothing is staged")
    expect(host.perform("commit").line, is: "disabled by repo via on: nothing is staged")
    try expect(host.why("commit").text.contains("disabled by 'repo': nothing is staged"))
    _ = try host.evaluate("staged = 1")
    expect(item().isEnabled && item().asks)
    expect(host.perform("commit").status, is: .asks)
    expect(host.perform("commit(message: hi)").line, is: "handled by repo via on → text(\"hi\")")
  }

  @Test("A13: The read of a missing argument unwinds can through every pcall; pairs and json.write read none")
  func unwound() throws {
    let stage = try ScriptStage(
      """
      count, kept = 0, false
      app.takes.loop = { k = "integer" }
      function app.can:loop(ctx) while true do pcall(function() count = count + 1 return ctx.k end) end end
      function app.on:loop() end
      app.takes.nested = { k = "integer" }
      function app.can:nested(ctx)
        local args = ctx.args
        coroutine.wrap(function() xpcall(function() return args.k end, print) end)()
        print("after")
        return false
      end
      function app.on:nested() end
      app.takes.pairs = { k = "integer", other = { "integer", optional = true } }
      function app.can:pairs(ctx)
        local keys = {}
        for key in pairs(ctx.args) do keys[#keys + 1] = key end
        for _ in pairs(ctx) do end
        kept = ctx.args
        return false, table.concat(keys) .. json.write(ctx.args)
      end
      function app.on:pairs() return tostring(kept.k) end
      menubar { menu "M" { item "Own" { "own", can = function(ctx) pcall(function() return ctx.k end) print("after") end,
        look = function(ctx) return { title = "k is " .. tostring(ctx.k) } end } } }
      app.takes.own = { k = "integer" }
      function app.on:own() end
      """)
    let host = stage.host
    expect(host.validate("loop").isEnabled && host.perform("loop").status == .asks)
    try expect(host.evaluate("count").first?.shown, is: "2")
    expect(host.validate("nested").isEnabled)
    expect(host.validate("pairs(other: 1)").reason, is: #"other{"other": 1}"#)
    // The question is over, so the kept arguments are a plain table.
    expect(host.perform("pairs(k: 1, skip_validation: true)").result.shownText, is: "nil")
    expect(host.menus().children[0].children[0].title, is: "k is nil")
    expect(stage.takePrinted() == [] && host.takeDiagnostics().isEmpty)
  }

  @Test(
    "A13: A can that reads a missing argument is not decided, however it reads it, also if a provider has the key",
    arguments: [
      "ctx.name", "ctx.args.name", "ctx:has('name')", "ctx:each('name')()", "ctx:flag('name')",
    ])
  func undecided(reading: String) throws {
    let stage = try ScriptStage(
      """
      function app:provide(ctx) ctx.name = "of a provider" end
      app.takes.tag = { name = { "string" }, other = { "string", optional = true } }
      function app.can.tag(self, ctx)
        local name = pcall(function() return \(reading) end)
        return false, "never said before"
      end
      function app.on:tag() end
      app.takes.plain = { name = { "string" }, other = { "string", optional = true } }
      function app.can.plain(self, ctx) return ctx.other ~= nil, "no other" end
      function app.on:plain() end
      app.takes.args = { name = { "string" }, other = { "string", optional = true } }
      function app.can.args(self, ctx)
        assert(getmetatable(ctx.args) == false or ctx.args.name)
        return ctx.args.other == "x", "no other"
      end
      function app.on:args() end
      """)
    expect(stage.host.validate("tag").isEnabled && stage.host.perform("tag").status == .asks)
    expect(stage.host.perform("tag(name: x)").line, is: "disabled by app via on: never said before")
    expect(stage.host.perform("plain").line, is: "disabled by app via on: no other")
    expect(stage.host.perform("plain(other: x)").status, is: .asks)
    expect(stage.host.validate("args(other: y)").reason, is: "no other")
    expect(stage.host.perform("args").line, is: "disabled by app via on: no other")
    expect(stage.host.perform("args(other: x)").status, is: .asks)
  }

  @Test("A4, A5: Arguments are requested before a confirmation; one question has both if both are known")
  func both() throws {
    try expect(
      """
      local r = responder "r"
      r.takes.a = { n = "integer" }
      r.confirm.a = "Sure?"
      r.takes.b = { n = "integer" }
      r.confirm.b = function(self, ctx) return "Really " .. ctx.n .. "?" end
      r.takes.c = {
        z = "integer", y = { "integer", order = 1 }, d = { "integer", default = 4 }, o = { "string", optional = true, order = 0 },
        given = "integer",
      }
      for _, name in ipairs { "a", "b", "c" } do r.on[name] = function(_, ctx) return ctx.n end end
      focus(r)
      menubar { menu "M" { item "C" { "c", confirm = "Item?" } } }
      local function show(o)
        local keys = {}
        for _, a in ipairs(o.asks and o.asks.arguments or {}) do keys[#keys + 1] = a.key end
        print(o.status, table.concat(keys, " "), o.asks and o.asks.confirm)
      end
      function app.on:go()
        local person = { asks = true }
        show(app:perform("a"))
        show(app:perform("a", nil, person))
        show(app:perform("a(n: 1)", nil, person))
        show(app:perform("a(n: 1)", nil, { asks = true, confirmed = true }))
        show(app:perform("a(n: 1)", nil, { asks = true, confirmed = false }))
        show(app:perform("a", nil, { asks = true, confirmed = true }))
        show(app:perform("b", nil, person))
        show(app:perform("b(n: 2)", nil, person))
        show(app:pick("M/C", { args = { given = 1 } }))
        show(app:pick("M/C", { args = { given = 1, y = 1, z = 1 } }))
        show(app:pick("M/C", { args = { given = 1, y = 1, z = 1 }, confirmed = true }))
      end
      """,
      prints: """
        asks\tn\tnil
        asks\tn\tSure?
        asks\t\tSure?
        handled\t\tnil
        cancelled\t\tnil
        asks\tn\tnil
        asks\tn\tnil
        asks\t\tReally 2?
        asks\ty z o d\tItem?
        asks\t\tItem?
        handled\t\tnil
        """)
  }

  @Test("A5, A12: A form lists fields that it always needs first, then the others by their order")
  func orderOfForms() throws {
    try expect(
      """
      app.takes.write = {
        kind = { one_of = { "note", "task" }, default = "note", order = 1 },
        due = { "string", order = 2, when = function(ctx) return ctx.kind == "note" end },
        text = { "string", order = 3 }, must = "string", also = { "string", optional = true },
      }
      function app.on:write() end
      function app.on:go()
        local keys = {}
        for _, argument in ipairs(app:perform("write").asks.arguments) do keys[#keys + 1] = argument.key end
        print(table.concat(keys, " "))
      end
      """, prints: "text must kind due also")
  }

  @Test(
    "A6: The host asks people for confirmation: by pick, press or asks = true; scripts' performs don't ask"
  )
  func people() throws {
    try expect(
      """
      app.confirm.x = "Sure?"
      function app.on:x() return "done" end
      function app.on:y() return app:perform("x").result end
      app.confirm.n = function() return nil end
      function app.on:n() return "asked nothing" end
      app.keys = { a = "x", n = "n" }
      menubar { menu "M" { item "X" { "x" }, item "Own" { "x", confirm = "Own?" } } }
      function app.on:go()
        say("x")
        say("y", nil, { asks = true })
        print(app:press("a").asks.confirm, app:press("a", { confirmed = true }).result, app:press("n").result)
        print(app:pick("M/X").asks.confirm, app:pick("M/Own").asks.confirm, app:pick("M/Own", { confirmed = true }).result)
        print(app:perform("x", nil, { asks = true, confirmed = false }).reason)
      end
      """,
      prints: """
        handled by app via on → done
        handled by app via on → done
        Sure?\tdone\tasked nothing
        Sure?\tOwn?\tdone
        'x' was not confirmed
        """)
  }

  @Test("A8, A12: actions returns the current choices and defaults for one action, and computes none for a list")
  func listedChoices() throws {
    let stage = try ScriptStage(
      Self.grid + """
        function grid.on:pick(ctx) return ctx.n end
        grid.takes.pick = {
          n = { "integer", default = function(self, ctx) return #ctx.albums end },
          of = { one_of = function(self, ctx) return { { ctx.albums[1], "Sea" } } end, optional = true },
          bad = { one_of = function() error("no choices") end, optional = true },
        }
        function app.on:go()
          local move, pick = app:actions("move")[1], app:actions("pick")[1]
          print(table.concat(move.takes[1].one_of, " "), app:perform("move").asks.arguments[1].one_of[2])
          for _, one in ipairs(pick.takes) do print(one.key, one.default, one.one_of and one.one_of[1].title) end
        end
        """)
    expect(stage.perform("go").hasPrefix("handled"))
    expect(stage.takePrinted(), is: ["sea land\tland", "bad\tnil\tnil", "n\t2\tnil", "of\tnil\tSea"])
    let takes = try stage.host.actions("move").first?.takes
    expect(takes?.map(\.expected), is: ["one of 'sea', 'land'"])
    let all = try stage.host.actions().flatMap(\.takes).map { "\($0.key): \($0.expected)" }
    expect(all.contains("to: one of several values") && all.contains("bad: one of several values"), "\(all)")
    expect(stage.host.takeDiagnostics().isEmpty)
  }

  @Test("A7: Observers don't hear of an action that asks; forward to an action that asks returns nil and the reason")
  func quiet() throws {
    try expect(
      """
      local outer = responder "outer" { takes = { x = { n = "integer" } } }
      function outer.on:x(ctx) return "outer" end
      local function forwarded(...) return select("#", ...) .. tostring(({ ... })[2]) end
      local r = responder "r" { next = outer }
      function r.on:x(ctx) return forwarded(ctx:forward()) end
      app.takes.y = { n = "integer" }
      function app.on:y() end
      focus(r)
      observe("y", function(e) print(e.stage) end)
      function app.on:go()
        say("y")
        say("x")
        say("x(n: a)")
        say("x(n: 1)")
      end
      """,
      prints: """
        asks by app via on
        handled by r via on → 2it asks for 'n'
        handled by r via on → 2'n' must be an integer, not 'a'
        handled by r via on → 1nil
        """)
  }

  @Test(
    "A wrong declaration is the script's error, with a did-you-mean",
    arguments: [
      ("{ n = \"integr\" }", "takes.x.n has an unknown type 'integr'; did you mean 'integer'?"),
      ("{ n = { \"integer\", form = 1 } }", "takes.x.n has no field 'form'; did you mean 'from'?"),
      ("{ n = { from = 1 } }", "takes.x.n has no type: begin with one, as in { \"integer\" }, or add 'one_of'"),
      ("{ n = { \"boolean\", from = 1 } }", "takes.x.n has bounds, but only numbers and strings can have them"),
      ("{ n = { \"integer\", from = 5, to = 1 } }", "takes.x.n goes from 5 to 1, so no value fits"),
      ("{ n = { \"string\", from = 2, to = 1 } }", "takes.x.n goes from 2 to 1, so no value fits"),
      ("{ n = { \"string\", matches = \"[a\" } }", "takes.x.n.matches is no pattern: malformed pattern (missing ']')"),
      ("{ n = { one_of = 3 } }", "takes.x.n.one_of must be a list of values or a function, not a number"),
      ("{ n = 3 }", "takes.x.n must be a type such as \"integer\", or a table that begins with one, not a number"),
      ("{ 3 }", "takes.x needs names of arguments, as in { text = \"string\" }: a number is none"),
      ("3", "takes.x must be a table with a type for each argument, not a number"),
    ])
  func misdeclared(_ declaration: String, _ message: String) throws {
    try expect(loadError("app.takes.x = \(declaration)").contains(message))
  }

  @Test("Strings have lengths and patterns, and a choice may be any value, found by its identity")
  func kinds() throws {
    try expect(
      """
      local sea, land = { name = "sea" }, { name = "land" }
      app.takes.x = {
        name = { "string", from = 2, to = 4, matches = "^%l+$", optional = true },
        album = { one_of = { sea, { land, "Land" } }, optional = true }, n = { one_of = { 1, 2 }, optional = true },
      }
      function app.on:x(ctx) return ctx.name or ctx.album and ctx.album.name or math.type(ctx.n) end
      function app.on:go()
        say("x(name: añb)")
        say("x(name: a)")
        say("x(name: abcde)")
        say("x(name: AB)")
        say("x", { album = land })
        say("x", { album = { name = "land" } })
        say("x(n: 2.0)")
        print(app:perform("x(n: 1)").result, app.takes.x.n.one_of[2], app.takes.nosuch)
      end
      """,
      prints: """
        disabled by app via on: 'name' must be a string of 2 to 4 characters that matches '^%l+$', not 'añb'
        disabled by app via on: 'name' must be a string of 2 to 4 characters that matches '^%l+$', not 'a'
        disabled by app via on: 'name' must be a string of 2 to 4 characters that matches '^%l+$', not 'abcde'
        disabled by app via on: 'name' must be a string of 2 to 4 characters that matches '^%l+$', not 'AB'
        handled by app via on → land
        disabled by app via on: 'album' must be one of a table, a table, not a table
        handled by app via on → integer
        integer\t2\tnil
        """)
  }

  @Test("An argument with a name of the host's is a warning, and is read as ctx.args.x")
  func shadowed() throws {
    let stage = try ScriptStage(
      """
      app.takes.x = { action = "string" }
      function app.on:x(ctx) return ctx.action .. " " .. ctx.args.action end
      """)
    expect(stage.host.diagnostics.map(\.code), is: ["shadowed"])
    expect(stage.perform("x(action: go)"), is: "handled by app via on → text(\"x go\")")
  }

  @Test("Arguments that fit have a plan too, and each change of takes counts at the next perform")
  func quickly() throws {
    try expect(
      """
      app.takes.x = { n = { "integer", to = 5 } }
      function app.on:x(ctx) return ctx.n end
      function app.on:go()
        for _ = 1, 3 do say("x(n: 5)") end
        app.takes.x = { n = { "integer", to = 4 } }
        say("x(n: 5)")
        app.takes.x = { n = { "integer", to = 9 }, m = { "integer", default = 2 } }
        say("x(n: 5)")
        app.takes.x = nil
        say("x(n: 5, o: 1)")
      end
      """,
      prints: """
        handled by app via on → 5
        handled by app via on → 5
        handled by app via on → 5
        disabled by app via on: 'n' must be an integer of 4 or less, not 5
        handled by app via on → 5
        handled by app via on → 5
        """)
  }

  @Test("A12: suggest lists values for a form and allows others; a function sees the other answers")
  func suggesting() throws {
    let stage = try ScriptStage(
      """
      app.takes.go = {
        remote = { "string", order = 1, suggest = { "origin", { "fork", "My fork" } } },
        branch = { "string", order = 2, from = 2, suggest = function(self, ctx) return { ctx.remote .. "/main" } end },
        depth = { "integer", optional = true, suggest = function() error("no idea") end },
      }
      function app.on:go(ctx) return ctx.branch end
      """)
    let form = stage.host.form("go", answers: ["remote": "origin"])
    func suggested(_ field: AskedArgument) -> [String] { field.suggestions?.map { $0.title ?? $0.value.shown } ?? [] }
    expect(form.fields.map(\.key), is: ["remote", "branch", "depth"])
    expect(suggested(form.fields[0]), is: ["origin", "My fork"])
    expect(suggested(form.fields[1]), is: ["origin/main"])
    expect(form.fields[2].suggestions == nil && form.fields[2].failure?.message == "no idea")
    expect(form.fields[0].suggested, is: "as 'origin', 'fork' (My fork)")
    expect(stage.perform("go(remote: x, branch: other)"), is: "handled by app via on → text(\"other\")")
    expect(stage.perform("go(remote: x, branch: y)").contains("'branch' must be a string of 2 or more characters"))
    expect(stage.host.perform("go").asks?.arguments[0].suggestions?.count, is: 2)
  }

  @Test(
    "A12: suggest is for types that a person types",
    arguments: [
      ("{ one_of = { 'a' }, suggest = { 'b' } }", "it is one of the two"),
      ("{ 'boolean', suggest = { true } }", "is true or false already"),
      ("{ 'string', secret = true, suggest = { 'b' } }", "nobody may see"),
      ("{ 'string', lines = 3, suggest = { 'b' } }", "has one line"),
      ("{ 'string', suggest = 5 }", "must be a list of values or a function, not"),
      ("{ 'string', completions = { 'b' } }", "did you mean 'suggest'?"),
    ])
  func noSuggestions(declared: String, error: String) throws {
    let stage = try ScriptStage("")
    let said = #expect(throws: (any Error).self) { try stage.host.evaluate("app.takes.x = { a = \(declared) }") }
    expect("\(said.map { "\($0)" } ?? "")".contains(error))
  }

  @Test("A13: about.form shows a person the form of an action that needs nothing; any args answer it, {} too")
  func formByItself() throws {
    let stage = try ScriptStage(
      """
      app.takes.export = { format = { one_of = { "jpeg", "png" }, default = "jpeg" }, note = { "string", optional = true } }
      app.about.export = { title = "Export", form = true }
      app.confirm.export = "Export?"
      function app.on:export(ctx) return ctx.format end
      app.takes.plain = { size = { "integer", optional = true } }
      function app.on:plain(ctx) return ctx.size or "none" end
      menubar { menu "M" { item "Export" { "export", key = "e" }, item "As PNG" { "export(format: png)" }, item "Plain" { "plain" } } }
      """)
    let host = stage.host
    let asked = host.pick("M/Export")
    expect(asked.status == .asks && asked.asks?.arguments.map(\.key) == ["format", "note"])
    expect(asked.asks?.confirm == "Export?" && asked.asks?.arguments[0].preset?.shown == "jpeg")
    expect(host.press("e").asks?.arguments.count, is: 2)
    expect(host.pick("M/Export", confirmed: true).asks?.arguments.count, is: 2, "a yes is no answer to a form")
    expect(host.pick("M/Export", confirmed: true, arguments: [:]).result.shown, is: "jpeg")
    expect(host.pick("M/Export", confirmed: true, arguments: ["format": "png"]).result.shown, is: "png")
    expect(host.pick("M/As PNG").asks?.arguments.isEmpty, is: true, "only the confirmation is left")
    expect(host.perform("export").result.shown, is: "jpeg", "a script is asked nothing")
    try expect(host.evaluate("return app:perform('export', nil, { asks = true }).status").first?.shown, is: "asks")
    try expect(
      host.evaluate("return app:perform('export', {}, { asks = true, confirmed = true }).result").first?.shown,
      is: "jpeg")
    try expect(
      host.evaluate("return app:pick('M/Export', { args = {}, confirmed = true }).result").first?.shown, is: "jpeg")
    try expect(host.evaluate("return app.about.export.form").first?.shown, is: "true")
    // The change counts at the very next perform.
    _ = try host.evaluate("app.about.export = { title = 'Export' }; app.about.plain = { title = 'Plain', form = true }")
    expect(host.pick("M/Export").asks?.arguments.isEmpty, is: true)
    expect(host.pick("M/Plain").asks?.arguments.map(\.key), is: ["size"])
    _ = try host.evaluate("app.takes.plain = { size = { 'integer', when = function() return false end, default = 3 } }")
    expect(host.pick("M/Plain").result.shown, is: "3", "a form without fields is none")
  }
}
