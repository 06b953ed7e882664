import Expectations
import Testing

@testable import ScriptHost

@Suite("Rows that the host requests by number, and trees")
struct CountedRowsTests {
  private static let script = """
    numbers = responder "numbers" {}
    total, asked = 1000000, {}
    panel {
      pane "numbers" { responder = numbers, filter = true, marks = true,
        section "all" {
          count = function() return total end,
          value = function(i)
            asked[#asked + 1] = i
            if i == 13 then error "unlucky" end
            if i == 14 then return nil end
            return { n = i }
          end,
          id = function(v) return "r" .. v.n end,
          row = function(v) return item("Number " .. v.n) { "show" } end,
          header = "All", footer = "End", empty = "None",
          MORE
        },
      },
    }
    function numbers.on:show(ctx) return ctx.row.n end
    function numbers.on:all(ctx)
      local all = {}
      for i, row in ipairs(ctx.rows) do all[i] = row.n end
      return table.concat(all, " ")
    end
    function app.on:set(ctx) total = ctx.to end
    """

  private static let index = "index = function(id) return math.tointeger(tonumber(id:sub(2))) end,"

  private func stage(_ more: String = index) throws -> ScriptStage {
    try ScriptStage(Self.script.replacing("MORE", with: more))
  }

  private func said(_ outcome: Outcome) -> String {
    switch outcome.result {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: outcome.line
    }
  }

  private func asked(_ host: ScriptHost) throws -> String? {
    try host.evaluate("return table.concat(asked, ' ')").first?.shownText
  }

  private func pane(_ host: ScriptHost, _ view: MenuView = .everything, _ id: String = "numbers") throws -> MenuElement
  {
    try require(host.menus(in: view).panel?.find(id))
  }

  private func sight(_ rows: Range<Int>) -> MenuView { MenuView(menus: [], panes: ["numbers": rows]) }

  // MARK: Counted rows

  @Test("P12: The host requests only the rows in sight and the current row, and each has its number")
  func seen() throws {
    let host = try stage().host
    let pane = try pane(host, sight(501..<504))
    expect(pane.area?.rows == 1_000_002 && pane.area?.first == 501 && pane.area?.isCounted == true)
    expect(pane.children.map(\.title), is: ["Number 501", "Number 502", "Number 503"])
    expect(pane.area?.current == "numbers/r1" && pane.area?.place == 1)
    try expect(asked(host), is: "1 501 502 503")
  }

  @Test("P9, P12: If the current row and rows before it disappear, 'index' finds the row that followed it")
  func gone() throws {
    let host = try ScriptStage(
      """
      local list = {}
      for i = 1, 9 do list[i] = "f" .. i end
      panel { pane "p" { section "s" { count = function() return #list end, value = function(i) return list[i] end,
        id = function(v) return v end, row = function(v) return item(v) { "open" } end,
        index = function(id) for i, v in ipairs(list) do if v == id then return i end end end } } }
      function app.on:drop(ctx) for i = #list, 1, -1 do if ctx.these:find(list[i]) then table.remove(list, i) end end end
      """
    ).host
    _ = host.menus(in: MenuView(menus: [], panes: ["p": 0..<9]))
    host.choose("p/f3")
    host.perform(#"drop(these: "f2 f3")"#)
    expect(host.panel()?.find("p")?.area?.current, is: "p/f4")
    _ = host.menus(in: MenuView(menus: [], panes: ["p": 0..<9]))
    host.choose("p/f9")
    host.perform(#"drop(these: "f1 f9")"#)
    expect(host.panel()?.find("p")?.area?.current, is: "p/f8")
  }

  @Test("P12: A snapshot of everything holds the requested rows, the header and the footer")
  func everything() throws {
    let host = try stage().host
    host.choose("r999999")
    let pane = try pane(host)
    expect(pane.children.map(\.title), is: ["All", "Number 1", "Number 999999", "End"])
    expect(pane.area?.rows == 1_000_002 && pane.area?.place == 999_999)
    let read = try MenuElement(read: JSONReader.literal(Array(pane.json.utf8)), at: "x")
    expect(read.area, is: pane.area)
  }

  @Test("P12: With 'index', the host finds a row by its id, and 'row' is its value")
  func index() throws {
    let host = try stage().host
    expect(host.choose("r500000").status, is: .handled)
    expect(said(host.perform("show")), is: "500000")
    expect(said(host.pick("numbers/r7")), is: "7")
    expect(said(host.perform("show")), is: "500000")
    expect(host.choose("r1000001").error?.message.contains("there is no element 'r1000001'"), is: true)
  }

  @Test("P12: Without 'index', the host finds only requested rows by id, and the current row keeps its number")
  func withoutIndex() throws {
    let host = try stage("").host
    expect(host.choose("r20").status, is: .failed)
    _ = try pane(host, sight(19..<22))
    expect(host.choose("r20").status, is: .handled)
    expect(said(host.perform("show")), is: "20")
    // The host looks for a row at its old place first.
    host.rebuild()
    expect(host.choose("r21").status, is: .handled)
    host.perform("set(to: 12)")
    expect(said(host.perform("show")), is: "12")
  }

  @Test("P12: If the current row disappears, the last row becomes current; if no row is left, the pane shows 'empty'")
  func fewer() throws {
    let host = try stage().host
    host.choose("r30")
    host.perform("set(to: 5)")
    try expect(pane(host).area?.current, is: "numbers/r5")
    host.perform("set(to: 0)")
    try expect(pane(host).children.map(\.title), is: ["All", "None", "End"])
    try expect(pane(host).area?.current, is: nil)
    host.perform("set(to: 2)")
    try expect(pane(host, sight(0..<9)).children.map(\.title), is: ["All", "Number 1", "Number 2", "End"])
  }

  @Test("P10, P12: You can mark rows by their ids, seen or not, in order; a range includes the rows between")
  func marks() throws {
    let host = try stage().host
    try host.mark(["r900000", "r12"])
    expect(said(host.perform("all")), is: "12 900000")
    try expect(host.marked(["numbers/r20", "numbers/r22"], .through, in: nil).count, is: 5)
    try expect(host.marked([], .all, in: "numbers").count <= Pane.mostMarked)
  }

  @Test("P12: A filter asks 'find' for the numbers; without 'find' it looks through the first rows")
  func filter() throws {
    let host = try stage(Self.index + "find = function(text) return { 700, 7, 7, 0, 70 } end").host
    try host.filter("numbers", by: "7")
    var pane = try pane(host, sight(0..<10))
    expect(pane.children.map(\.title) == ["Number 7", "Number 70", "Number 700"] && pane.area?.rows == 3)
    expect(pane.area?.current == "numbers/r7" && pane.area?.place == 0)
    expect(said(host.perform("show")), is: "7")

    let other = try stage().host
    other.perform("set(to: 12)")
    try other.filter("numbers", by: "11")
    pane = try self.pane(other, sight(0..<10))
    expect(pane.children.map(\.title), is: ["Number 11"])
  }

  @Test("P12: A filter without 'find' that comes after an action requests each row once")
  func filteredOnce() throws {
    let host = try stage().host
    host.perform("set(to: 3000)")
    try host.filter("numbers", by: "2999")
    try expect(pane(host, sight(0..<10)).children.map(\.title), is: ["Number 2999"])
    try expect(host.evaluate("return tostring(#asked)").first?.shownText, is: "3001")
  }

  @Test("P12: A row whose value fails or is nil shows the reason in its place, and the others stay")
  func failing() throws {
    let host = try stage().host
    var said: [String] = []
    host.onDiagnostic = { said.append($0.message) }
    let rows = try pane(host, sight(12..<16)).children
    expect(rows.map(\.kind), is: [.item, .label, .label, .item])
    expect(rows[1].title.contains("unlucky") && rows[2].title == "row 14 is missing")
    expect(said.count == 1 && said[0].contains("unlucky"))
  }

  @Test("P12: A function that reads 'row' while the host looks for the current row gets nil")
  func recursion() throws {
    let host = try ScriptStage(
      """
      list = responder "list" {}
      panel { pane "list" { responder = list,
        section "s" { count = function(ctx) return ctx.row and 1 or 3 end,
          value = function(i, ctx) return { i, ctx.row } end,
          row = function(v, ctx) return item("Row " .. v[1]) { "x" } end } } }
      """
    ).host
    try expect(pane(host, MenuView(menus: [], panes: ["list": 0..<9]), "list").children.count, is: 3)
  }

  @Test("P12: 'count' needs 'value', excludes 'items', belongs in a pane only, and is a number")
  func misuse() throws {
    func failure(_ section: String, in pane: Bool = true) -> String {
      let rows = "section \"s\" { \(section), row = function(v) return item(v) {} end }"
      do {
        let host = try ScriptStage(pane ? "panel { pane \"p\" { \(rows) } }" : "panel { \(rows) }").host
        var said = ""
        host.onDiagnostic = { said += $0.message }
        _ = host.menus()
        return said
      } catch { return "\(error)" }
    }
    expect(failure("count = 1").contains("needs 'value'"))
    expect(failure("count = 1, value = print, items = {}").contains("remove one of the two"))
    expect(failure("count = 'x', value = print").contains("must be a whole number or a function, not a string"))
    expect(failure("count = 2.5, value = print").contains("must be a whole number or a function, not 2.5"))
    expect(failure("count = function() return -1 end, value = print").contains("a whole number from 0"))
    expect(failure("count = 1, value = print", in: false).contains("must be in a pane"))
  }

  // MARK: Trees

  private static let tree = """
    tree = responder "tree" {}
    panel { pane "tree" { responder = tree, filter = true,
      section "files" { items = function() return names end, id = function(n) return n end,
        row = function(n) return menu(n) { id = n, menu "deep" { item "x" { "open" } }, item "y" { "open" } } end },
      item "z" { "open" } } }
    names = { "a", "b" }
    function tree.on:open(ctx) return ctx.row end
    function app.on:drop() table.remove(names, 1) end
    """

  private func listed(_ host: ScriptHost, _ view: MenuView = .everything) throws -> [String] {
    try pane(host, view, "tree").children.map { row in
      "\(String(repeating: " ", count: Int(row.level)))\(row.isOpen.map { $0 ? "-" : "+" } ?? "")\(row.title)"
    }
  }

  @Test("P12: A menu among the rows of a pane is a branch: a pick opens and closes it, by id, through all changes")
  func branches() throws {
    let host = try ScriptStage(Self.tree).host
    try expect(listed(host), is: ["+a", "+b", "z"])
    expect(host.pick("tree/b").status, is: .handled)
    try expect(listed(host), is: ["+a", "-b", " +deep", " y", "z"])
    host.pick("tree/b/deep")
    try expect(listed(host), is: ["+a", "-b", " -deep", "  x", " y", "z"])
    host.perform("drop")
    try expect(listed(host), is: ["-b", " -deep", "  x", " y", "z"])
    host.pick("tree/b")
    try expect(listed(host), is: ["+b", "z"])
    host.pick("tree/b")
    try expect(listed(host), is: ["-b", " -deep", "  x", " y", "z"])
  }

  @Test(
    "P12: Items of an open branch are rows: you can choose and count them; those of a closed one are for filters")
  func branchRows() throws {
    let host = try ScriptStage(Self.tree).host
    expect(host.choose("tree/a/y").error?.message.contains("is no row of pane 'tree'"), is: true)
    host.pick("tree/a")
    expect(host.choose("tree/a/y").status, is: .handled)
    let all = try pane(host, .everything, "tree")
    expect(all.area?.current == "tree/a/y" && all.area?.place == 2 && all.area?.rows == 5)
    try expect(listed(host, MenuView(menus: [], panes: ["tree": 2..<4])), is: [" y", "+b"])
    try host.filter("tree", by: "y")
    try expect(listed(host), is: ["-a", " y", "-b", " y"])
  }
}
