import Expectations
import Testing

@testable import ScriptHost

/// Elements are values: scripts can get them from anywhere, place them twice, and keep them longer than their maker.
@Suite("Elements that travel")
struct TravellingElementTests {
  /// An expression that makes an element, and the drawing of a menu that holds it.
  struct Kind: Sendable, CustomTestStringConvertible {
    let made: String
    let drawn: String
    var testDescription: String { made }

    init(_ made: String, _ drawn: String) { (self.made, self.drawn) = (made, drawn) }
  }

  static let kinds = [
    Kind("item 'I' { 'a' }", "I"),
    Kind("item 'I'", "I {'I' has no action}"),
    Kind("item 'I' { 'a', key = 'ctrl+k', state = true }", "[x] I ctrl+k"),
    Kind("item 'I' { 'a', args = { f = function() end, t = { 1 } } }", "I"),
    Kind("item 'I' { 'a', args = { e = menu 'Inner' { item 'X' { 'a' } } } }", "I"),
    Kind("item 'I' { 'a', alternates = { alt = item 'O' { 'a', args = { f = print } } } }", "I"),
    Kind("label 'L'", "(L)"),
    Kind("menu 'M'", "M {there is nothing in 'M' to pick}"),
    Kind("menu 'M' { item 'I' { 'a' }, separator, item 'J' { 'a' } }", "M\n    I\n    ---\n    J"),
    Kind("menu 'M' { item 'I' { 'a', key = 'ctrl+k' } }", "M\n    I ctrl+k"),
    Kind("menu 'M' { menu 'N' { inline = true, item 'I' { 'a' } } }", "M\n    I"),
    Kind("menu 'M' { look = function(ctx) return { title = 'Looked' } end, item 'I' { 'a' } }", "Looked\n    I"),
    Kind(
      "section 's' { items = function() return { 1, 2 } end, row = function(v) return item('R' .. v) { 'a' } end }",
      "R1\n  R2"),
    Kind(
      "section 's' { items = { 1 }, id = function(v) return 'r' .. v end, header = 'H', row = function(v) return item('R' .. v) { 'a', args = { f = print } } end }",
      "(H)\n  R1"),
    Kind(
      "menu 'M' { section 's' { items = { 1 }, row = function(v) return menu 'N' { item 'I' { 'a' } } end } }",
      "M\n    N\n      I"),
  ]

  /// A way by which `got` gets the element that `make()` makes.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    /// Whether the element arrives while the script loads.
    let isEarly: Bool
    /// The element that carries it in the menu.
    let carrier: String
    /// The actions that the test performs after the element set out.
    let next: [String]
    var testDescription: String { name }

    init(_ name: String, isEarly: Bool = false, carrier: String = "", then next: [String] = [], _ script: String) {
      (self.name, self.script, self.isEarly, self.carrier, self.next) = (name, script, isEarly, carrier, next)
    }
  }

  static let ways = [
    Way(
      "a module's result", isEarly: true,
      "got, made = require 'module', require('holder').made function app.on:go() end"),
    Way(
      "in a module's table", isEarly: true,
      "got, made = require('holder').made, require 'module' function app.on:go() end"),
    Way("an argument", "function app.on:go() made = make() app:perform('take', { e = made }) end"),
    Way(
      "an argument that is passed on",
      "function app.on:on_it() end function app.on:pass_on(ctx) app:perform('take', ctx.args) end function app.on:go() made = make() app:perform('pass_on', { e = made }) end"
    ),
    Way(
      "a key",
      "function app.on:key(ctx) got = ctx.e end function app.on:go() made = make() app:perform('key', { e = made }) end"
    ),
    Way(
      "a result",
      "function app.on:give() made = make() return made end function app.on:go() got = app:perform('give').result end"),
    Way(
      "a result through super",
      "class 'base' { on = { give = function() made = make() return made end } } local r = responder 'r' { class = 'base', next = app } function r.on:give(ctx) return ctx:super() end focus(r) function app.on:go() got = app:perform('give').result end"
    ),
    Way(
      "a result through forward",
      "function app.on:give() made = make() return made end local r = responder 'r' { next = app } function r.on:give(ctx) return ctx:forward() end focus(r) function app.on:go() got = app:perform('give').result end"
    ),
    Way(
      "options.info",
      "function app.on:key(ctx) got = ctx.e end function app.on:go() made = make() app:perform('key', nil, { info = { e = made } }) end"
    ),
    Way(
      "an item's arguments", carrier: "item 'Carrier' { 'take', args = { e = made }, id = 'carrier' }",
      "made = make() function app.on:go() app:pick('carrier') end"),
    Way(
      "an alternate's arguments",
      carrier:
        "item 'Carrier' { 'a', id = 'carrier', alternates = { alt = item 'C' { 'take', args = { e = made }, id = 'other' } } }",
      "made = make() function app.on:go() app:pick('other') end"),
    Way(
      "a provider's key",
      "made = make() function app:provide(ctx) ctx.e = made end function app.on:key(ctx) got = ctx.e end function app.on:go() app:perform('key') app.provide = nil end"
    ),
    Way(
      "appended to a key",
      "function app:provide(ctx) ctx:append('list', made) end function app.on:key(ctx) for e in ctx:each('list') do got = e end end function app.on:go() made = make() app:perform('key') app.provide = nil end"
    ),
    Way(
      "a field of a responder", isEarly: true,
      "app.e = make() made, got = app.e, app:find('app').e function app.on:go() end"),
    Way(
      "a field given at birth",
      "local r = responder 'r' { next = app, e = make() } function app.on:go() made, got = r.e, app:find('r').e end"),
    Way(
      "a context menu's subject",
      "function app.build:around(m, subject) got = subject end function app.on:go() made = make() app:context_menu('around', made) end"
    ),
    Way(
      "a program's subject",
      "function app.build:around(m, subject) got = subject end function app.on:go() made = make() app:perform('around', { e = made }) end"
    ),
    Way(
      "what an observer is told",
      "function app.on:give() return make() end function app.on:go() local o = observe('give', function(e) if e.outcome then got = e.outcome.result end end) made = app:perform('give').result o:remove() end"
    ),
    Way(
      "a waiting action's argument",
      "function app.on:later(ctx) sleep(1) got = ctx.args.e end function app.on:go() made = make() app:perform('later', { e = made }, { wait = false }) end"
    ),
    Way(
      "a job's result",
      "function app.on:later(ctx) sleep(1) return made end function app.on:go() made = make() got = app:perform('later').result end"
    ),
    Way(
      "what is taken back", then: ["set", "undo", "fetch"],
      "holder = {} function app.on:set(ctx) ctx:set(holder, 'e', 1) end function app.on:fetch() got = holder.e end function app.on:go() made = make() holder.e = made end"
    ),
    Way(
      "what is done again", then: ["set", "undo", "redo", "fetch"],
      "holder = {} function app.on:set(ctx) ctx:set(holder, 'e', made) end function app.on:fetch() got = holder.e end function app.on:go() made = make() end"
    ),
    Way("an error", "function app.on:go() made = make() got = select(2, pcall(error, made)) end"),
    Way(
      "a coroutine",
      "function app.on:go() made = make() got = coroutine.wrap(function() coroutine.yield(made) end)() end"),
    Way(
      "a program's action", "function app.on:go() made = make() got = app:perform('native', { e = made }).result end"),
    Way(
      "a program's hands",
      "function app.on:give() made = make() return made end function app.on:go() app:perform('keep') end"),
    Way(
      "a table in a table",
      "function app.on:go() made = make() app:perform('take', { e = { { made } } }) got = got[1][1] end"),
    Way(
      "a program's observer",
      "function app.on:watched() return made end function app.on:go() made = make() app:perform('watched') end"),
  ]

  /// The script before that of a way.
  private static let stage = """
    function app.on:a() end
    function app.on:take(ctx) got = ctx.args.e end
    function app.build:main(m)
      if not got then return end
      print(pcall(m.insert_last, m, "here", got))
      print(pcall(m.insert_last, m, "there", got))
    end
    function app.on:same() print(rawequal(got, made), type(got), got == made, tostring(got), got.kind) end

    """

  /// The script after it: it also declares an element that arrived during the load.
  private static func menubar(_ way: Way) -> String {
    let menus = "menu 'Here' { id = 'here', \(way.carrier) }, menu 'There' { id = 'there' }"
    return "menubar { \(menus), \(way.isEarly ? "menu 'Said' { got }" : "") }"
  }

  private func files(_ kind: Kind, _ way: Way) -> [String: String] {
    [
      "app.lua":
        "got, made = false, false function make() return \(kind.made) end\n\(Self.stage)\(way.script)\n\(Self.menubar(way))",
      "module.lua": "return require('holder').made", "holder.lua": "return { made = make() }",
    ]
  }

  /// Everything that is visible of an element that arrived in some way.
  private func seen(_ kind: Kind, _ way: Way) throws -> [String] {
    let stage = try PluginStage(files(kind, way))
    let host = stage.host
    prepare(host, way)
    try host.load(path: "\(stage.path)/app.lua")
    let lua = try require(host.scripts?.lua)
    for reference in ["go"] + way.next { _ = host.perform(reference, wait: true) }
    try host.advance(by: .milliseconds(2000))
    _ = stage.take()
    var lines: [String] = []
    for _ in 0..<2 {
      for _ in 0..<3 { lua.collect() }
      lines.append(stage.perform("same"))
      _ = try host.evaluate("app:rebuild()")
      lines.append(host.menus().drawn)
    }
    for item in host.menus().all where item.kind == .item && item.id != "carrier" {
      lines.append(host.pick(item.id).line)
    }
    return lines + stage.take() + host.takeDiagnostics().map { stage.short($0.message) }
  }

  /// The embedding program's handling of the values that it gets.
  private func prepare(_ host: ScriptHost, _ way: Way) {
    host.on("native") { $0.arguments["e"] ?? .null }
    host.on("keep") { [unowned host] _ in take(host.perform("give").result, host) }
    host.on("around") { [unowned host] in _ = host.contextMenu("around", subject: $0.arguments["e"] ?? .null) }
    guard way.name == "a program's observer" else { return }
    var ends: [Value] = []
    host.observe("watched") { [unowned host] event in
      if let outcome = event.outcome, ends.isEmpty {
        ends.append(outcome.result)
        take(outcome.result, host)
      }
    }
  }

  private func take(_ value: Value, _ host: ScriptHost) {
    var options = PerformOptions()
    options.arguments = ["e": value]
    host.perform("take", options)
  }

  @Test(
    "An element stays the same value in every way to pass it, and looks as where it was made", arguments: Self.ways
  )
  func travels(_ way: Way) throws {
    for kind in Self.kinds {
      let itself = try seen(
        kind,
        Way("no way", isEarly: way.isEarly, carrier: way.carrier, "function app.on:go() end made = make() got = made"))
      expect("\(itself[1])\n".contains("\n  \(kind.drawn)\n"), "\(kind.made): \(itself[1])")
      let came = try seen(kind, way)
      expect(came, is: itself, "\(kind.made) by \(way.name)")
    }
  }
}

extension TravellingElementTests {
  @Test(
    "An element stays the same after its plugin is gone; the host reports each call of that plugin's code",
    arguments: Self.kinds)
  func outlives(_ kind: Kind) throws {
    let plugin = "plugin { name = 'maker', version = '1' }\nfunction app.on:give() return \(kind.made) end"
    let app = """
      got = false
      app.name, app.version = "app", "1"
      menubar { menu "Here" { id = "here" } }
      function app.on:a() end
      function app.on:fetch() got = app:perform("give").result app:rebuild() end
      function app.build:main(m) if got then m:insert_last("here", got) end end
      """
    let stage = try PluginStage(["maker.lua": plugin], app: app)
    try stage.load("maker.lua")
    expect(stage.perform("fetch"), is: "handled by app via on")
    let before = stage.host.menus().drawn
    expect("\(before)\n".contains("\n  \(kind.drawn)\n"))
    try stage.host.unload(plugin: "maker")
    _ = try stage.host.evaluate("app:rebuild()")
    for _ in 0..<3 { stage.host.scripts?.lua.collect() }
    expect(stage.host.menus().drawn, is: before)
    let told = stage.host.takeDiagnostics().map(\.message)
    let hasRows = kind.made.contains("section")
    expect(told, is: (hasRows ? ["section 's' keeps its old rows: the script of 'maker' is gone"] : []))
    for item in stage.host.menus().all where item.kind == .item {
      expect(["handled by app via on", "disabled: 'I' has no action"].contains(stage.host.pick(item.id).line))
    }
  }

  @Test("Lua collects an element that travelled when nobody holds it any more", arguments: Self.kinds)
  func collected(_ kind: Kind) throws {
    let stage = try ScriptStage(
      """
      function app.on:pass_on(ctx) return ctx.args.e end
      function app.on:a() end
      function app.on:go() app:perform("pass_on", { e = \(kind.made) }, { info = { i = \(kind.made) } }) end
      """)
    let lua = try require(stage.host.scripts?.lua)
    for _ in 0..<3 { _ = stage.perform("go") }
    for _ in 0..<3 { lua.collect() }
    let before = LuaHoldings(lua)
    for _ in 0..<50 { _ = stage.perform("go") }
    for _ in 0..<3 { lua.collect() }
    expect(LuaHoldings(lua), is: before)
  }
}

extension MenuElement {
  fileprivate var all: [MenuElement] { [self] + children.flatMap(\.all) }
}
