import Expectations
import Testing

@testable import ScriptHost

/// Functions of rows that the host requests by number.
/// They try to hold up the host, to fill its memory, or to change the rows meanwhile.
@Suite("Hostile rows")
struct HostileRowsTests {
  static let functions = [
    "a value that never ends": "value = function() while true do end end",
    "a value that raises a table": "value = function() error({}) end",
    "a value of a megabyte": "value = function() return ('x'):rep(1000000) end",
    "a value that waits": "value = function() sleep(1) return 1 end",
    "a value that chooses": "value = function(i) app:choose('rows/2') return i end",
    "a value that rebuilds": "value = function(i) app:rebuild() return i end",
    "a value that performs": "value = function(i) app:perform('other') return i end",
    "a value that reads the row": "value = function(i, ctx) return ctx.row or i end",
    "a value that declares": "value = function(i) extend('rows', item 'x' { 'go' }) return i end",
    "a count that never ends": "count = function() while true do end end",
    "a count that is another each time": "count = function() n = n + 1 return n * 7 % 13 end",
    "a count that is no number": "count = function() return {} end",
    "a count of a billion": "count = 1000000000",
    "a find of a million numbers": "find = function() local t = {} for i = 1, 1000000 do t[i] = i end return t end",
    "a find that never ends": "find = function() while true do end end",
    "a find of no numbers": "find = function() return { 'x', {}, -1, 1e300 } end",
    "an index that never ends": "index = function() while true do end end",
    "an index that lies": "index = function() return 7 end",
    "an index that is no number": "index = function() return {} end",
    "ids that are all the same": "id = function() return 'same' end",
    "ids that are long": "id = function(v) return ('x'):rep(1000000) end",
    "an id that is another each time": "id = function(v) n = n + 1 return n end",
    "a row that never ends": "row = function() while true do end end",
    "a row that is a section": "row = function() return section 's' { items = {}, row = print } end",
    "a row that is a menu of menus":
      "row = function() local e = item 'x' { 'go' } for i = 1, 70 do e = menu 'm' { e } end return e end",
    "a row that is nothing": "row = function() end",
  ]

  @Test(
    "P12, S15: No function of rows that the host requests by number holds up the host",
    arguments: HostileRowsTests.functions.keys.sorted())
  func ends(name: String) throws {
    let body = try require(Self.functions[name])
    let fields = [
      "count": "count = 20000", "value": "value = function(i) return i end", "id": "id = function(v) return v end",
      "row": "row = function(v) return item { 'go', title = 'Row ' .. tostring(v) } end",
    ].filter { !body.hasPrefix($0.key) }.map(\.value).sorted()
    let host = ScriptHost(
      limits: HostLimits(memory: 16 << 20, perform: .milliseconds(200)), clock: TestClock())
    try host.load(
      text: """
        n = 0
        list = responder "list" {}
        panel { pane "rows" { responder = list, filter = true, marks = true,
          section "all" { \((fields + [body]).joined(separator: ", ")) } } }
        function list.on:go(ctx) return #ctx.rows end
        function app.on:other() end
        function app.on:fine() return "fine" end
        """, name: "app.lua")
    host.onDiagnostic = { _ in }
    let began = SystemClock().now
    let view = MenuView(menus: [], panes: ["rows": 0..<60])
    for _ in 0..<2 {
      _ = host.menus(in: view)
      _ = host.menus()
      host.choose("rows/3")
      _ = try? host.marked([], .all, in: "rows")
      try? host.mark(["rows/1", "rows/5"], in: "rows")
      host.perform("go")
      try? host.filter("rows", by: "w 1")
      _ = host.menus(in: view)
      host.perform("go")
      try? host.filter("rows", by: "")
    }
    let fine = host.perform("fine")
    expect(fine.status, is: .handled, "\(fine)")
    expect(SystemClock().now - began < .seconds(60))
  }
}
