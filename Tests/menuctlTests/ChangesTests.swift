import LiveHost
import ScriptHost
import Testing

@testable import menuctl

@Suite("What changed, as it is told")
struct ChangesTests {
  /// How long it takes this thread to tell that each of so many items changed.
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
    #expect(lines.count == count && lines.first == "i1 enabled → disabled: it is off")
    return taken
  }

  @Test("A label that comes or goes is told by its text, and not that it can't be done")
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
    #expect(told("set(rows: [])") == ["+ Nothing", "- M/a"])
    #expect(told("set(rows: [b])") == ["+ M/b", "- Nothing"])
  }

  @Test("S4: That thousands of items changed is told in the time that it takes to look at each once")
  func many() throws {
    // Where each were looked for among all, four times as many would take sixteen times as long.
    let ratios = try (0..<3).map { _ in try told(20_000) / told(5_000) }
    #expect(ratios.min() ?? 0 < 9, "\(ratios)")
  }
}
