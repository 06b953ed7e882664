import Expectations
import Testing

@testable import ScriptHost

@Suite("Menus and panel in view")
struct MenuViewTests {
  private static let script = """
    asked = {}
    local function ask(name) asked[#asked + 1] = name end
    menubar {
      menu "File" { item "Open" { "open(of: file)" }, menu "Recent" { item "One" { "open(of: one)" } } },
      menu "Edit" { item "Cut" { "cut" }, item "Copy" { "copy" }, item "Paste" { "paste" } },
      menu "Empty" { label "nothing here", item "Never" { "never", look = function() return { hidden = true } end } },
    }
    function app.can:open(ctx) ask("open " .. ctx.of) return true end
    for _, name in ipairs { "cut", "copy", "paste", "never" } do
      app.on[name] = function() end
      app.can[name] = function() ask(name) return name ~= "copy", "nothing is selected" end
    end
    function app.on:open() end
    panel {
      label "All",
      section "rows" { header = "Rows", items = function() local all = {} for i = 1, 1000 do all[i] = i end return all end,
        id = function(i) return "r" .. i end, row = function(i) return item("Row " .. i) { "open", args = { of = i } } end },
    }
    """

  private func asked(_ view: MenuView, _ script: String = script) throws -> (root: MenuElement, asked: String) {
    let stage = try ScriptStage(script)
    let root = stage.host.menus(in: view)
    return (root, try stage.host.evaluate("return table.concat(asked, ', ')").first?.shownText ?? "")
  }

  @Test("A view asks about and has only the items of open menus and the rows in sight")
  func onlyWhatIsSeen() throws {
    let (root, asked) = try asked(MenuView(menus: ["Edit"], rows: 2..<4))
    expect(root.children.map(\.title), is: ["File", "Edit", "Empty"])
    expect(root.children[0].children.isEmpty && root.children[0].isEnabled)
    expect(root.children[1].children.map(\.title), is: ["Cut", "Copy", "Paste"])
    expect(root.children[1].children[1].reason, is: "nothing is selected")
    expect(root.panel?.children.map(\.title), is: ["Row 1", "Row 2"])
    // A closed menu asks one item, to show that you can open the menu, unless that item is hidden.
    expect(asked, is: "open file, cut, copy, paste, never, open 1, open 2")
  }

  @Test("V3: A closed menu with nothing to pick is disabled with the same reason as an open menu")
  func closedAndEmpty() throws {
    let root = try asked(MenuView(menus: [], rows: 0..<0)).root
    let whole = try asked(.everything).root
    for (closed, open) in zip(root.children, whole.children) {
      expect(closed.isEnabled == open.isEnabled && closed.reason == open.reason && closed.children.isEmpty)
    }
    expect(root.children[2].reason, is: "there is nothing in 'Empty' to pick")
  }

  @Test("A submenu is in view if it and its parent menu are open")
  func submenu() throws {
    let root = try asked(MenuView(menus: ["File", "File/Recent"], rows: 0..<0)).root
    expect(root.find("File/Recent")?.children.map(\.title), is: ["One"])
    let closed = try asked(MenuView(menus: ["File"], rows: 0..<0)).root
    expect(closed.find("File/Recent")?.children.isEmpty ?? false)
  }

  @Test("P22: With 'keys', the view of a closed menu has the items that keys perform, and their menus")
  func keyed() throws {
    let script = """
      local function go(name, key) return item(name) { "go(to: " .. name .. ")", key = key } end
      local many = {}
      for i = 1, 100 do many[i] = go("n" .. i) end
      menubar {
        menu "A" { label "L", go "Plain", go("Keyed", "k"), separator, menu "Deep" { go("Low", "l"), go "Other" },
          menu "Without" { go "Nothing" } },
        menu "B" { go "Bound" }, menu "Many" (many),
        menu "One" { single = true, item "First" { "go(to: first)", state = "on" },
          item "Second" { "go(to: second)", state = "on", key = "s" } },
      }
      app.keys.b = "go(to: Bound)"
      asked = 0
      function app.can:go() asked = asked + 1 return true end
      function app.on:go() end
      """
    let stage = try ScriptStage(script)
    func ids(_ root: MenuElement) -> String {
      root.children.map { menu in
        menu.kind == .item ? menu.title : "\(menu.title)(\(ids(menu)))"
      }.joined(separator: " ")
    }
    let closed = stage.host.menus(in: MenuView(menus: [], keys: true))
    expect(ids(closed), is: "A(Keyed Deep(Low)) B(Bound) Many() One(Second)")
    let asked = try stage.host.evaluate("return tostring(asked)").first?.shownText.flatMap { Int($0) }
    expect(asked.map { (4..<20).contains($0) } ?? false, "\(asked ?? -1): most are not asked")
    let whole = stage.host.menus()
    for id in ["A/Keyed", "A/Deep/Low", "One/Second"] { expect(closed.find(id), is: whole.find(id), "\(id)") }
    expect(ids(stage.host.menus(in: MenuView(menus: ["A"], keys: true))).hasPrefix("A(L() Plain Keyed "))
    // Keys that a script binds later count as well.
    _ = try stage.host.evaluate("app.keys.c = 'go(to: n7)'")
    expect(
      ids(stage.host.menus(in: MenuView(menus: [], keys: true))), is: "A(Keyed Deep(Low)) B(Bound) Many(n7) One(Second)"
    )
  }

  @Test("The number of rows counts the whole panel, and a row's number is its place in it")
  func numbers() throws {
    let stage = try ScriptStage(Self.script)
    expect(stage.host.panelRowCount, is: 1002)
    expect(stage.host.panelRow(of: "r1") == 2 && stage.host.panelRow(of: "r1000") == 1001)
    expect(stage.host.panelRow(of: "Edit") == nil && stage.host.panelRow(of: "nothing") == nil)
  }

  @Test("M8: A separator at the edge of the view looks as in the whole panel, and rows keep their numbers")
  func separators() throws {
    let stage = try ScriptStage(
      """
      panel {
        separator, item "a" { "x" }, separator, separator, item "b" { "x" },
        menu "I" { inline = true, single = true, item "i" { "x", state = "on" }, item "j" { "x", state = "on" } },
        item "hidden" { "x", hidden = true }, separator, item "c" { "x" }, separator,
      }
      function app.on:x() end
      """)
    let host = stage.host
    expect(host.panelRowCount, is: 13)
    let numbered = try require(host.menus(in: MenuView(rows: 0..<13)).panel).children
    expect(numbered.count, is: 13)
    expect(numbered.filter { $0.kind != .separator || !$0.isHidden }, is: host.menus().panel?.children)
    for from in 0..<13 {
      for to in from...13 {
        let seen = try require(host.menus(in: MenuView(rows: from..<to)).panel).children
        expect(seen.map(\.id), is: numbered[from..<to].map(\.id), "\(from) to \(to)")
        // If the next row is out of sight, a separator may be shown although it separates nothing.
        for (own, whole) in zip(seen, numbered[from..<to]) where own.kind != .separator { expect(own, is: whole) }
      }
    }
  }

  @Test("Listeners get changes of menus out of sight too")
  func listeners() throws {
    let stage = try ScriptStage(Self.script)
    var told: [String] = []
    let registration = stage.host.listen(.validation) { event in
      guard case .validation(let changes) = event else { return }
      for case .update(let element) in changes { told.append("\(element.id) \(element.isEnabled)") }
    }
    _ = stage.host.menus()
    _ = try stage.host.evaluate("app.can.paste = function() return false, 'empty' end")
    _ = stage.host.menus(in: MenuView(menus: [], rows: 0..<0))
    expect(told, is: ["Edit/Paste false"])
    registration.remove()
  }

  @Test("The host counts rows again when they come and go")
  func counted() throws {
    let stage = try ScriptStage(
      """
      list = { 1, 2, 3 }
      panel { label "above", section "in" {
        items = function() return list end, id = function(i) return "r" .. i end, row = function(i) return item("R" .. i) { "x" } end } }
      function app.on:x() end
      function app.on:grow() list = { 1, 2, 3, 4, 5 } end
      function app.on:shrink() list = { 2 } end
      """)
    expect(stage.host.panelRowCount, is: 4)
    _ = stage.perform("grow")
    expect(stage.host.panelRowCount, is: 6)
    _ = stage.perform("shrink")
    expect(stage.host.panelRowCount == 2 && stage.host.panelRow(of: "r2") == 1)
  }
}
