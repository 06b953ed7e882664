import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import menuctl

@Suite("Printed changes")
struct ChangesTests {
  /// The time that this thread takes to print that many changed items.
  private func told(_ count: Int) throws -> Double {
    let host = ScriptHost(limits: HostLimits(load: .milliseconds(0), perform: .milliseconds(0)))
    try host.load(
      text: """
        local isOff, items = false, {}
        for i = 1, \(count) do items[i] = item("t" .. i) { "go", id = "i" .. i } end
        menubar { menu "M"(items) }
        function app.on:go() end
        function app.can:go() return not isOff, "it is off" end
        function app.on:off() isOff = true end
        """, name: "app.lua")
    let before = host.menus()
    host.perform("off")
    let changes = Answer.Changes(before: before, all: host.changes())
    let start = threadTime()
    let lines = TextRenderer().lines(changes)
    let taken = Double(threadTime() - start)
    expect(lines.count == 101 && lines.first == "i1 enabled → disabled: it is off")
    expect(lines.last, is: "… and \(count - 100) more changes")
    return taken
  }

  @Test("A label that appears or goes is printed by its text, without 'disabled'")
  func labels() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        local rows = { "a" }
        menubar { menu "M" { section "s" { items = function() return rows end, empty = "Nothing", row = function(row) return item(row) { "go" } end }, item "x" { "go" } } }
        function app.on:go() end
        function app.on:set(ctx) rows = ctx.rows end
        """, name: "app.lua")
    func told(_ action: String) -> [String] {
      let before = host.menus()
      host.perform(action)
      return TextRenderer().lines(Answer.Changes(before: before, all: host.changes()))
    }
    _ = host.menus()
    expect(told("set(rows: [])"), is: ["+ Nothing", "- M/a"])
    expect(told("set(rows: [b])"), is: ["+ M/b", "- Nothing"])
  }

  @Test("S4: Printing thousands of changed items takes time in proportion to their number")
  func many() throws {
    // A search for each among all would take sixteen times as long for four times as many.
    let ratios = try (0..<3).map { _ in try told(20_000) / told(5_000) }
    expect(ratios.min() ?? 0 < 9, "\(ratios)")
  }
}
