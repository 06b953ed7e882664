import Expectations
import Testing

@testable import ScriptHost

@Suite("Items without a title")
struct UntitledItemTests {
  @Test("A8: An item without a title takes its title from about, or from its action, which is also its part of the id")
  func titles() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      grid.about.rate = { title = "Rate the photo", icon = "star" }
      grid.about.clear = "Clear it"
      function grid.on:rate() end
      function grid.on:clear() end
      function grid.look:clear() return { title = "Looked" } end
      menubar { menu "M" { item { "image.rate(n: 5)", key = "r" }, item { "clear" }, item { "plain", args = { t = {} } } } }
      focus(grid)
      """)
    let items = stage.host.menus().children[0].children
    expect(items.map(\.id), is: ["M/rate", "M/clear", "M/plain"])
    expect(items.map(\.title), is: ["Rate the photo", "Looked", "plain"])
    expect(items[0].icon == "star" && stage.host.press("r").status == .handled)
  }

  @Test("A wrong action is an error at its line")
  func wrong() throws {
    try expect(loadError("menubar { item {} }").contains("an item without a title needs its action first"))
    try expect(loadError("menubar { item { 5 } }").contains("an item without a title needs its action first"))
  }

  @Test("A8: check finds references, items and keys whose arguments don't fit")
  func unfit() throws {
    let stage = try ScriptStage(
      """
      app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
      app.takes.move = { to = { one_of = function() return {} end } }
      function app.on:rate() end
      function app.on:move() end
      menubar { menu "M" { item "Six" { "rate(rating: 6)" }, item "Five" { "rate(rating: 5)" }, item "Move" { "move(to: x)" } } }
      app.keys = { r = "rate(ratin: 1)", m = "move(too: 1)", o = "open(n: 1)" }
      -- Where the focus is decides which of them takes it, and one does.
      for _, name in ipairs { "string", "integer" } do
        local r = responder(name)
        r.takes.open = { n = name }
        function r.on:open() end
      end
      """)
    let found = stage.host.check().filter { $0.code == "unfit-argument" }.map(\.message)
    expect(
      found.sorted(),
      is: [
        "''m' of 'app' performs 'move': 'move' takes no 'too'; did you mean 'to'?",
        "''r' of 'app' performs 'rate': 'rate' takes no 'ratin'; did you mean 'rating'?",
        "item 'Six' performs 'rate': 'rating' must be an integer from 0 to 5, not 6",
      ].map { $0.replacing("''", with: "'") })
  }
}
