import Expectations
import Testing

@testable import ScriptHost

@Suite("Items show the stroke of the same action")
struct ShownKeyTests {
  private static let script = """
    menubar {
      menu "File" {
        item "Save" { "save" }, item "Copy" { "export(as: png, scale: 2)" }, item "Own" { "save", key = "f2" },
        item "Other" { "export", args = { scale = 2, as = "png" } }, item "Small" { "export(as: png)" },
      },
    }
    grid = responder "grid" {}
    for _, name in ipairs { "save", "export" } do app.on[name] = function() end end
    app.keys = { ["ctrl+s"] = "save", ["g e"] = "export(scale: 2, as: png)" }
    """

  private func host(_ more: String = "") throws -> ScriptHost { try ScriptStage(Self.script + "\n" + more).host }
  private func keys(_ host: ScriptHost) -> [String?] { host.menus().children[0].children.map(\.key) }

  @Test("K13: An item without a key shows the stroke that performs the same reference, arguments included")
  func shown() throws {
    expect(keys(try host()), is: ["ctrl+s", "g e", "f2", "g e", nil])
    try expect(host().menus().json.contains(#""action": "save", "args": {}, "key": "ctrl+s""#))
  }

  @Test("K13: An item shows the nearest responder's stroke, and of one responder's the shortest")
  func nearest() throws {
    let host = try host("app.keys.w = 'save' grid.keys['ctrl+alt+s'] = 'save'")
    expect(keys(host)[0], is: "w")
    _ = try host.evaluate("focus(grid)")
    expect(keys(host)[0], is: "ctrl+alt+s")
  }

  @Test("K13: An item doesn't show a stroke that is blocked or has another binding")
  func takenAway() throws {
    let host = try host("grid.keys = { ['ctrl+s'] = false, g = 'save' }")
    expect(keys(host)[0] == "ctrl+s" && keys(host)[1] == "g e")
    _ = try host.evaluate("focus(grid)")
    expect(keys(host)[0] == "g" && keys(host)[1] == nil)
    _ = try host.evaluate("grid.keys = { ['ctrl+s'] = 'export' }")
    expect(keys(host)[0] == nil && keys(host)[1] == "g e")
  }

  @Test("K9, K13: An item doesn't show its own key while the chain has bound or removed it")
  func lost() throws {
    let host = try host("grid.keys = { f2 = false } list = responder 'list' { keys = { f2 = 'export' } }")
    func key() -> String? { keys(host)[2] }
    expect(key(), is: "f2")
    _ = try host.evaluate("focus(grid)")
    expect(key(), is: "ctrl+s")
    _ = try host.evaluate("app.keys['ctrl+s'] = nil")
    expect(key(), is: nil)
    _ = try host.evaluate("focus(list)")
    expect(key(), is: nil)
    _ = try host.evaluate("list.keys.f2 = 'save'")
    expect(key(), is: "f2")
    _ = try host.evaluate("list.keys.f2 = { 'export', when = function() return false end }")
    expect(key(), is: "f2")
  }

  @Test("K13: An item doesn't show a sequence whose first stroke picks an item")
  func begun() throws {
    let host = try ScriptStage(
      """
      menubar { menu "Go" { item "Top" { "top" }, item "Gone" { "gone", key = "g" } } }
      app.keys["g g"] = "top"
      """
    ).host
    expect(keys(host), is: [nil, "g"])
  }

  @Test("K13: An item doesn't show a binding whose 'when' says no, and a pass calls each 'when' once")
  func condition() throws {
    let host = try host(
      """
      asked, typing = 0, true
      app.keys = { w = { "save", when = function(ctx) asked = asked + 1 return typing end } }
      function app.on:stop() typing = false end
      """)
    expect(keys(host)[0], is: "w")
    let asked = "\(try host.evaluate("return asked").first ?? .null)"
    expect(asked, is: "integer(1)")
    host.perform("stop")
    expect(keys(host)[0], is: nil)
  }

  @Test("K13: An endless 'when' doesn't prevent a snapshot")
  func endless() throws {
    let host = try host("app.keys = { w = { 'save', when = function(ctx) while true do end end } }")
    expect(keys(host), is: [nil, nil, "f2", nil, nil])
  }

  @Test("K13: Rows of a pane show no keys, since keys act on the current row")
  func rows() throws {
    let host = try ScriptStage(
      """
      panel { pane "rows" { responder = responder "rows" {}, section "all" {
        items = function() return { 1, 2 } end, row = function(n) return item("Row " .. n) { "open" } end } } }
      app.keys.enter = "open"
      function app.on:open() end
      """
    ).host
    expect(host.menus().panel?.children[0].children.map(\.key), is: [nil, nil])
  }

  @Test("K13: Ten thousand bindings and items cost one table, not one walk per item")
  func many() throws {
    let host = try ScriptStage(
      """
      local items = {}
      for number = 1, 2000 do
        local one = item("Item " .. number)({ "open", args = { number = number } })
        items[number] = one
      end
      menubar { menu "All" (items) }
      function app.on:open() end
      for one = 0, 9 do for two = 0, 9 do for three = 0, 9 do for _, four in ipairs { "a", "b", "c", "d", "e" } do
        local number = one * 500 + two * 50 + three * 5 + string.byte(four) - 96
        app.keys[one .. " " .. two .. " " .. three .. " " .. four] = "open(number: " .. number .. ")"
      end end end end
      """
    ).host
    let began = ContinuousClock.now
    let keys = keys(host)
    expect(keys.first == "0 0 0 a" && keys.last == "3 9 9 e")
    expect(ContinuousClock.now - began < .seconds(4))
  }
}
