import Expectations
import Testing

@testable import ScriptHost

@Suite("Trees in panes")
struct PaneTreeTests {
  private static let script = """
    local r = responder "r"
    panel { pane "tree" { responder = r, filter = true, marks = true,
      section "top" { items = { "a", "b", "c" }, id = function(v) return v end, row = function(v)
        return menu("dir " .. v) {
          section "in" { items = { v .. "1", v .. "2" }, id = function(w) return w end,
            row = function(w) return menu(w) { item(w .. "x") { "show", id = w .. "x" } } end } } end },
      item "last" { "show", id = "last" } } }
    function r.on:show(ctx) return #ctx.rows end
    """

  private func host(_ script: String = Self.script) throws -> ScriptHost { try ScriptStage(script).host }

  /// The rows of the pane, each with its level, a sign for a branch, and an asterisk for the current row.
  private func rows(of host: ScriptHost) throws -> [String] {
    let pane = try require(host.panel()?.find("tree"))
    expect(pane.area?.rows, is: pane.children.count)
    return pane.children.map { row in
      "\(row.level)\(row.isOpen.map { $0 ? "-" : "+" } ?? " ")\(row.title)\(row.isCurrent ? "*" : "")"
    }
  }

  @Test("P10, P12: A filter finds rows in closed branches, and shows the branches around them")
  func closed() throws {
    let host = try host()
    expect(try rows(of: host).first, is: "0+dir a*")
    try host.filter("tree", by: "b2x")
    expect(try rows(of: host), is: ["0+dir b", "1+b2", "2 b2x*"])
    try host.filter("tree", by: "x")
    expect(try rows(of: host).count, is: 15, "each matches or is around a row that matches")
    try host.filter("tree", by: "")
    expect(try rows(of: host), is: ["0+dir a*", "0+dir b", "0+dir c", "0 last"])
  }

  @Test("P10, P12: Without the filter a found row is in its closed branch again, and the branch is current")
  func cleared() throws {
    let host = try host()
    try host.filter("tree", by: "c1x")
    expect(host.choose("tree/c/c1/c1x").status == .handled || host.choose("c1x").status == .handled)
    try host.filter("tree", by: "")
    expect(try rows(of: host), is: ["0+dir a", "0+dir b", "0+dir c*", "0 last"])
    // A branch that somebody opens during a filter stays open.
    try host.filter("tree", by: "c1")
    host.pick("tree/c")
    try host.filter("tree", by: "")
    expect(try rows(of: host), is: ["0+dir a", "0+dir b", "0-dir c*", "1+c1", "1+c2", "0 last"])
  }

  @Test("P10: A branch around a found row can be chosen, but isn't current by itself; only rows that match are marked")
  func around() throws {
    let host = try host()
    try host.filter("tree", by: "2x")
    expect(try rows(of: host)[2], is: "2 a2x*")
    try host.mark(host.marked([], .all, in: "tree"), in: "tree")
    expect(host.panel()?.find("tree")?.children.filter(\.isMarked).map(\.title), is: ["a2x", "b2x", "c2x"])
    expect(host.choose("tree/b").status, is: .handled)
    expect(try rows(of: host)[3], is: "0+dir b*")
    try host.filter("tree", by: "2")
    expect(
      try rows(of: host).firstIndex { $0.hasSuffix("*") }, is: 4, "another filter goes to the next row that matches")
  }

  @Test("P10: To filter thousands of rows in closed branches calls no function of the app")
  func many() throws {
    let host = try host(
      """
      made = 0
      local branches, names = {}, {}
      for i = 1, 10 do branches[i] = i end
      for i = 1, 200 do names[i] = i end
      panel { pane "tree" { filter = true, section "top" { items = branches, row = function(b)
        return menu("b" .. b) { section "in" { items = names, row = function(n)
          made = made + 1
          return item(b .. "n" .. n) { "show" } end } } end } } }
      """)
    expect(try rows(of: host).count, is: 10)
    try host.filter("tree", by: "7n199")
    expect(try rows(of: host), is: ["0+b7", "1 7n199*"])
    try host.filter("tree", by: "")
    expect(try rows(of: host).count, is: 10)
    expect("\(try host.evaluate("return made"))", is: "[ScriptHost.Value.integer(2000)]")
  }
}
