import Expectations
import Testing

@testable import ScriptHost

@Suite("Forms whose choices depend on other answers")
struct FormScriptTests {
  /// The app of the tests: the cities depend on the country.
  static let trip = """
    local cities = { CH = { "Bern", "Basel" }, FR = { "Lyon", { "Nice", "Nice (sea)" } } }
    local trip = responder "trip"
    trip.takes.book = {
      country = { one_of = function() print("country") return { "CH", "FR" } end, order = 1 },
      city = { one_of = function(self, ctx) print("city", ctx.country) return cities[ctx.country] or {} end, order = 2 },
    }
    function trip.on:book(ctx) return ctx.city .. ", " .. ctx.country end
    menubar { menu "M" { item "Book…" { "book" }, item "Bern" { "book(city: Bern, country: CH)", key = "b" } } }
    trip.keys = { n = "book" }
    focus(trip)

    """

  @Test("A12: Drawing a menu calls one_of once, only for an item that passes the argument, with the other arguments")
  func drawing() throws {
    let stage = try ScriptStage(Self.trip)
    expect(stage.drawn, is: "M\n  Book… n\n  Bern b")
    expect(stage.takePrinted(), is: ["country", "city\tCH"])
    expect(stage.host.menus().children[0].children.map(\.asks), is: [true, false])
    _ = try stage.host.actions()
    _ = stage.takePrinted()
    expect(stage.host.validate("book").isEnabled && stage.takePrinted() == [])
  }

  @Test("A12: A form sees the answers so far, performs nothing, and is finished field by field", arguments: [0, 1, 2])
  func dependent(_ kind: Int) throws {
    let stage = try ScriptStage(Self.trip)
    let host = stage.host
    func form(_ answers: Arguments) throws -> Form {
      switch kind {
      case 0: host.form("book", answers: answers)
      case 1: try host.form(ofItem: "M/Book…", answers: answers)
      default: try require(host.form(ofKeys: try KeySequence.parse("n"), answers: answers))
      }
    }
    try expect(form([:]).fields.map(\.expected), is: ["one of 'CH', 'FR'", "one of nothing: there are no choices now"])
    let half = try form(["country": "FR"])
    expect(half.fields.map(\.key) == ["country", "city"] && half.validation.isEnabled)
    expect(half.fields[1].expected, is: "one of 'Lyon', 'Nice'")
    let wrong = try form(["country": "FR", "city": "Bern"])
    expect(wrong.validation.misfit?.argument == "city" && !wrong.validation.isEnabled)
    _ = stage.takePrinted()
    try expect(form(["country": "CH", "city": "Bern"]).validation.isEnabled)
    expect(stage.takePrinted(), is: ["country", "city\tCH"], "each function is called once for a form")
    let asked = host.perform("book(country: FR)")
    expect(asked.asks?.arguments.map(\.key), is: ["city"])
    expect(asked.asks?.arguments[0].choices?.count, is: 2)
    expect(host.perform("book(country: FR, city: Lyon)").result.shownText, is: "Lyon, FR")
  }

  @Test("A12: If 'when' returns no, the form skips the field, which is optional; drawing doesn't call 'when'")
  func whens() throws {
    let stage = try ScriptStage(
      """
      app.takes.export = {
        format = { one_of = { "jpeg", "png" }, order = 1 },
        quality = { "integer", order = 2, when = function(ctx) print("when", ctx.format) return ctx.format == "jpeg" end },
        name = { "string", default = "x" },
      }
      function app.on:export(ctx) return ctx.format .. tostring(ctx.quality) end
      menubar { menu "M" { item "Export…" { "export" }, item "As PNG" { "export(format: png)" } } }
      """)
    expect(stage.host.menus().children[0].children.map(\.asks) == [true, true] && stage.takePrinted() == [])
    expect(stage.perform("export(format: png)"), is: "handled by app via on → text(\"pngnil\")")
    expect(stage.takePrinted(), is: ["when\tpng"])
    expect(stage.host.perform("export(format: jpeg)").asks?.arguments.map(\.key).contains("quality") ?? false)
    expect(stage.host.form("export").fields.map(\.key), is: ["format", "name"])
    expect(stage.host.form("export", answers: ["format": "jpeg"]).fields.map(\.key), is: ["format", "quality", "name"])
    expect(stage.host.form("export", answers: ["format": "png"]).validation.isEnabled)
    _ = stage.takePrinted()
    expect(stage.perform("export(format: png, quality: 3)"), is: "handled by app via on → text(\"png3\")")
    let failing = try ScriptStage(
      "app.takes.x = { n = { 'integer', when = function() error('broken') end } } function app.on:x() end")
    expect(failing.perform("x").contains("broken"))
  }

  @Test("A12: Choices see defaults and proposals too, also computed ones, in a form and in a perform")
  func known() throws {
    try expect(
      """
      app.takes.see = {
        a = { one_of = { 1, 2 }, default = 2 },
        b = { "integer", default = function(self, ctx) return ctx.a * 10 end },
        c = { "string", proposal = function(self, ctx) return "c" .. ctx.b end },
        d = { one_of = function(self, ctx) return { ctx.a + ctx.b, ctx.c or "no c" } end },
      }
      function app.on:see(ctx) return ctx.d end
      function app.on:go()
        local asks = app:perform("see").asks.arguments
        for _, one in ipairs(asks) do
          print(one.key, one.default, one.proposal, one.one_of and table.concat(one.one_of, " "))
        end
        print(app:perform("see(a: 1, b: 7, c: x)").asks.arguments[1].one_of[1])
        say("see(d: 22, c: x)") say("see(d: 22)") say("see(a: 1, c: x, d: 11)") say("see(a: 1, c: x, d: 22)")
      end
      """,
      prints: """
        c\tnil\tc20\tnil
        d\tnil\tnil\t22 c20
        a\t2\tnil\t1 2
        b\t20\tnil\tnil
        8
        handled by app via on → 22
        asks by app via on
        handled by app via on → 11
        disabled by app via on: 'd' must be one of 11, 'x', not 22
        """)
  }

  @Test(
    "A12: Drawing an item doesn't call a default function, so can isn't decided; a perform calls it")
  func computedDefault() throws {
    let stage = try ScriptStage(
      """
      app.takes.save = { name = { "string", default = function() print("default") return "old" end } }
      function app.can:save(ctx) return ctx.name ~= "old", "'old' is there" end
      function app.on:save(ctx) return ctx.name end
      menubar { menu "M" { item "Save" { "save" } } }
      """)
    expect(stage.drawn == "M\n  Save" && stage.takePrinted() == [])
    expect(!stage.host.menus().children[0].children[0].asks, "a perform asks for nothing")
    try expect(stage.host.actions("save").first?.takes.map(\.isRequired), is: [false])
    _ = stage.takePrinted()
    expect(stage.host.perform("save").line, is: "disabled by app via on: 'old' is there")
    expect(stage.takePrinted(), is: ["default"])
    expect(stage.host.form("save").validation.reason, is: "'old' is there")
    expect(stage.host.form("save", answers: ["name": "new"]).validation.isEnabled)
  }

  @Test("A12: An error in a function is its field's error, with its place and owner; the form can be finished")
  func failing() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1" }
        local r = responder "r" { before = "grid" }
        r.takes.book = {
          country = { one_of = { "CH", "FR" }, order = 1 },
          city = { one_of = function(self, ctx)
            return ({ CH = { "Bern" } })[ctx.country] or error("no cities of " .. tostring(ctx.country), 0)
          end, order = 2 },
          hint = { "string", proposal = function() return nil .. "x" end, optional = true },
          need = { "string", default = function() error("no default", 0) end, order = 3 },
        }
        function r.on:book(ctx) return ctx.city .. ctx.need end
        """
      ], app: "grid = responder 'grid' focus(grid)")
    let host = stage.host
    try stage.load("p.lua")
    expect(host.validate("book").isEnabled)
    let fields = try require(host.perform("book").asks?.arguments)
    expect(fields.map(\.key), is: ["country", "city", "need", "hint"])
    expect(
      fields.map { $0.failure?.message },
      is: [
        nil, "no cities of nil", "no default", "attempt to concatenate a nil value",
      ])
    expect(fields[1].failure?.owner == "p" && fields[3].failure?.place?.line == 8)
    expect(fields[3].trouble, is: "error: attempt to concatenate a nil value (\(stage.path)/p.lua:8)")
    expect(host.takeDiagnostics().map(\.message).contains("no cities of nil"))
    let wrong = host.form("book", answers: ["country": "FR", "city": "Bern", "need": "x"])
    expect(wrong.validation.reason == "error: no cities of FR" && wrong.validation.misfit?.argument == "city")
    let right: Arguments = ["country": "CH", "city": "Bern", "need": "x"]
    expect(host.form("book", answers: right).validation.isEnabled)
    var options = PerformOptions()
    options.arguments = right
    expect(host.perform("book", options).result.shownText, is: "Bernx")
  }

  @Test(
    "A12: If one_of calls what is forbidden while the host asks, its field has the error, and the item can be picked"
  )
  func notReadOnly() throws {
    let stage = try ScriptStage(
      """
      app.takes.open = { file = { one_of = function() return app:perform("list").result end } }
      function app.on:open(ctx) end
      function app.on:list() return { "a" } end
      menubar { menu "M" { item "Open…" { "open" } } }
      """)
    expect(stage.drawn, is: "M\n  Open…")
    let field = stage.host.pick("M/Open…").asks?.arguments.first
    expect(
      field?.failure?.message,
      is: "performing is not possible here: the host only asks this function, so it must not change anything")
    expect(field?.failure?.place?.line, is: 1)
  }
}
