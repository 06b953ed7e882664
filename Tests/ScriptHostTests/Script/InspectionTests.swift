import Expectations
import Testing

@testable import ScriptHost

/// Values as `inspect` shows them to a person.
@Suite struct InspectionTests {
  private func host(_ script: String = "") throws -> ScriptHost {
    let host = ScriptHost()
    try host.load(text: script, name: "app.lua")
    return host
  }

  private func inspect(_ line: String, depth: Int = 4, parts: Int = 1000) throws -> Inspection? {
    let host = try host()
    return try host.evaluate(line).first.map { host.inspect($0, depth: depth, parts: parts) }
  }

  private func table(_ entries: (Inspection, Inspection)..., more: Int = 0) -> Inspection {
    .table(
      Inspection.Table(entries: entries.map { Inspection.Table.Entry(key: $0.0, value: $0.1) }, more: more))
  }

  @Test("Plain values are shown as they are")
  func plain() throws {
    try expect(inspect("nil"), is: .nil)
    try expect(inspect("true"), is: .bool(true))
    try expect(inspect("3"), is: .integer(3))
    try expect(inspect("3.0"), is: .number(3))
    try expect(inspect("'★'"), is: .text("★"))
    try expect(inspect("'\\255x'"), is: .bytes(count: 2))
    expect(ScriptHost().inspect(.list([.integer(1)])), is: table((.integer(1), .integer(1))))
    expect(ScriptHost().inspect(.object([("a", .null)])), is: table((.text("a"), .nil)))
  }

  @Test("Functions, objects and responders are shown by name")
  func named() throws {
    try expect(inspect("print"), is: .function(nil))
    try expect(inspect("({ null })"), is: table((.integer(1), .object("null"))))
    try expect(inspect("coroutine.create(print)"), is: .object("coroutine"))
    let host = try host(
      "function greet() end\nlocal grid = responder 'grid' grid.size = 2 focus(grid) function app.on:nap() sleep(1) end"
    )
    try expect(
      host.inspect(host.evaluate("greet")[0]), is: .function(Place(file: "app.lua", line: 1)))
    let fields = Inspection.Table(entries: [Inspection.Table.Entry(key: .text("size"), value: .integer(2))])
    try expect(host.inspect(host.evaluate("app:find('grid')")[0]), is: .responder("responder 'grid'", fields: fields))
    // Inside another value a responder's fields are hidden.
    try expect(
      host.inspect(host.evaluate("({ app:find('grid') })")[0]), is: table((.integer(1), .object("responder 'grid'"))))
    try expect(
      host.inspect(host.evaluate("({ app:find('grid').on, app })")[0]),
      is: table((.integer(1), .object("on 'grid'")), (.integer(2), .object("app 'app'"))))
    try expect(
      host.inspect(host.evaluate("app:perform('nap', nil, { wait = false }).job")[0]), is: .object("job 'nap'"))
  }

  @Test("A responder shows the fields that its script set, also beside plugins")
  func fieldsBesidePlugins() throws {
    let stage = try PluginStage(
      ["other.lua": "plugin { name = 'other', version = '1' } function app.on:other() end"], app: pluginApp)
    let fields = Inspection.Table(
      entries: [Inspection.Table.Entry(key: .text("selection"), value: .text("a.jpg"))])
    let grid = Value.opaque(try require(stage.host.find("grid")))
    expect(stage.host.inspect(grid), is: .responder("responder 'grid'", fields: fields))
    try stage.load("other.lua")
    expect(stage.host.inspect(grid), is: .responder("responder 'grid'", fields: fields))
  }

  @Test("Keys are sorted: numbers, words by their bytes, then the others")
  func order() throws {
    try expect(
      inspect("({ [true] = 1, b = 2, a = 3, [2] = 4, [1] = 5, [0.5] = 6, [-1] = 7 })"),
      is: table(
        (.integer(-1), .integer(7)), (.integer(1), .integer(5)), (.integer(2), .integer(4)),
        (.number(0.5), .integer(6)),
        (.text("a"), .integer(3)), (.text("b"), .integer(2)), (.bool(true), .integer(1))))
  }

  @Test("A table inside itself is shown by its path")
  func cycles() throws {
    try expect(
      inspect("(function() local t = { n = {} } t.self = t t.n.up = t t.n.me = t.n return t end)()"),
      is: table(
        (.text("n"), table((.text("me"), .cycle(path: ".n")), (.text("up"), .cycle(path: "")))),
        (.text("self"), .cycle(path: ""))))
    // Two occurrences side by side are no circle.
    try expect(
      inspect("(function() local t = {} return { t, t } end)()"),
      is: table((.integer(1), table()), (.integer(2), table())))
  }

  @Test("Inspection has a limit for depth and for parts")
  func limits() throws {
    let closed = Inspection.table(Inspection.Table(isClosed: true))
    try expect(inspect("({ a = { b = {} } })", depth: 2), is: table((.text("a"), table((.text("b"), closed)))))
    try expect(
      inspect("({ 1, 2, 3 })", parts: 2), is: table((.integer(1), .integer(1)), (.integer(2), .integer(2)), more: 1))
    let host = try host("many = {} for i = 1, 20500 do many[i] = i end")
    guard case .table(let many) = try host.inspect(host.evaluate("many")[0]) else {
      Issue.record("no table")
      return
    }
    expect(many.entries.count, is: 1000)
    expect(many.more >= 19_000)
  }

  @Test("Inspection runs no script code")
  func quiet() throws {
    try expect(
      inspect("setmetatable({ a = 1 }, { __index = error, __pairs = error, __tostring = error, __len = error })"),
      is: table((.text("a"), .integer(1))))
  }

  @Test("Names behind a path are those that can follow it")
  func names() throws {
    let host = try host(
      """
      count = 1 photo = { size = { width = 1 }, ["two words"] = 2 } title = "x"
      local main = window "main"
      local grid = responder "grid" { next = main }
      grid.selection = photo
      function grid.on:rate() end
      function grid.can:rate() return true end
      grid.on["file.open"] = function() end
      focus(grid)
      """)
    expect(Set(host.names(behind: [])).isSuperset(of: ["count", "photo", "title", "app", "focus", "string", "print"]))
    try host.evaluate("later = 1")
    try host.evaluate("5")
    expect(Set(host.names(behind: [])).isSuperset(of: ["later", "_"]))
    expect(host.names(behind: ["photo"]), is: ["size"])
    expect(host.names(behind: ["photo", "size"]), is: ["width"])
    expect(host.names(behind: ["photo", "size", "width"]), is: [])
    expect(host.names(behind: ["nothing"]), is: [])
    expect(host.names(behind: ["title"]).contains("upper"))
    expect(host.names(behind: ["string"]).contains("format"))
    try host.evaluate("base = { greet = 1 } one = setmetatable({ own = { x = 1 } }, { __index = base })")
    expect(host.names(behind: ["one"]), is: ["greet", "own"])
    expect(host.names(behind: ["one", "own"]), is: ["x"])
    expect(Set(host.names(behind: ["app"])).isSuperset(of: ["find", "validate", "title", "phase", "on"]))
    expect(Set(host.names(behind: [], of: "grid")).isSuperset(of: ["selection", "on", "provide", "perform"]))
    expect(!host.names(behind: [], of: "grid").contains("validate"))
    expect(host.names(behind: ["on"], of: "grid"), is: ["rate"])
    expect(host.names(behind: ["selection"], of: "grid"), is: ["size"])
    expect(Set(host.names(behind: ["next"], of: "grid")).isSuperset(of: ["is_key", "make_key"]))
    expect(host.names(behind: ["next", "next", "phase"], of: "grid"), is: [])
    expect(host.names(behind: [], of: "gird"), is: [])
    expect(ScriptHost().names(behind: []), is: [])
  }
}
