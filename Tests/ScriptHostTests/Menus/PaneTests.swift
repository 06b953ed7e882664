import Expectations
import Testing

@testable import ScriptHost

@Suite("Panes")
struct PaneTests {
  private static let script = """
    local main = window "main"
    files, log = responder "files" { next = main }, responder "log" { next = main }
    names = { "alpha", "beta", "gamma", "delta" }
    panel {
      beside {
        pane "files" { title = "Files", key = "2", responder = files, filter = true, marks = true,
          section "changed" {
            items = function() return names end, id = function(n) return n end,
            row = function(n) return item(n) { "open" } end } },
        stack { share = 2,
          pane "log" { title = "Commits", key = "4", responder = log, least = 10,
            section "commits" {
              items = { 1, 2, 3 }, id = function(n) return "c" .. n end,
              row = function(n) return item("Commit " .. n) { "show" } end } },
          tabs "more" { pane "stash" { title = "Stash", item "one" { "pop", id = "one" } } },
        },
      },
    }
    menubar { menu "File" { item "Delete" { "delete", key = "d" }, item "Two" { "two", key = "shift+4" } } }
    files.needs.delete = { row = "choose a file first" }
    function files.on:open(ctx) return ctx.row end
    function files.can:open(ctx) return ctx.row ~= "gamma", "gamma is locked" end
    function files.on:delete(ctx)
      for _, name in ipairs(ctx.rows) do
        for i, known in ipairs(names) do if known == name then table.remove(names, i) end end
      end
      return #names
    end
    function log.on:show(ctx) return ctx.row end
    function main.on:two() return "two" end
    """

  private func stage(_ more: String = "") throws -> ScriptStage {
    let stage = try ScriptStage(Self.script + "\n" + more)
    return stage
  }

  private func pane(_ id: String, of host: ScriptHost) throws -> MenuElement {
    try require(host.panel()?.find(id))
  }

  /// The result of an action, as text.
  private func said(_ outcome: Outcome) -> String {
    switch outcome.result {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: outcome.line
    }
  }

  private func failure(_ script: String) -> String? {
    do {
      _ = try ScriptStage(script)
      return nil
    } catch { return "\(error)" }
  }

  // MARK: Layout

  @Test("P5: A panel holds panes in columns, rows and tabs; each has its title, its key, and its part of the space")
  func layout() throws {
    let panel = try require(try stage().host.panel())
    expect(panel.children.map(\.kind), is: [.beside])
    let beside = panel.children[0]
    expect(beside.children.map(\.kind), is: [.pane, .stack])
    let files = beside.children[0]
    expect(files.id == "files" && files.title == "Files" && files.key == "2")
    expect(beside.children[1].area?.share, is: 2)
    let log = try require(panel.find("log"))
    expect(
      log.area?.least == 10 && log.area?.rows == 3 && log.children.map(\.title) == ["Commit 1", "Commit 2", "Commit 3"])
    expect(panel.find("more")?.children.map(\.id), is: ["stash"])
  }

  @Test("P5: Loose elements beside panes are an error, and so are elements other than panes in a layout")
  func loose() {
    let beside = #"panel { pane "a" { item "x" { "x" } }, item "y" { "y" } }"#
    expect(failure(beside)?.contains("item 'y' is beside pane 'a'"), is: true)
    expect(failure(#"panel { beside { item "y" { "y" } } }"#)?.contains("can hold only panes and texts"), is: true)
    expect(failure(#"panel { pane "a" { pane "b" { item "y" { "y" } } } }"#)?.contains("can hold only rows"), is: true)
    expect(
      failure(#"menubar { menu "M" { pane "a" { item "x" { "x" } } } }"#)?.contains("must be in a panel"), is: true)
  }

  @Test("P5: A share or a least size that doesn't fit is named as it is")
  func sizes() {
    for (field, why) in [
      ("share = -1", "'share' of pane 'a' must be a number above 0, 1000 at most, not -1"),
      ("share = 'x'", "'share' of pane 'a' must be a number above 0, 1000 at most, not a string"),
      ("least = 1.5", "'least' of pane 'a' must be a number of cells from 1 to 1000, not 1.5"),
    ] { expect(failure("panel { pane 'a' { \(field) } }")?.contains(why), is: true) }
  }

  @Test("P5: A panel has 32 panes at most, and layouts nest 8 deep")
  func many() {
    let panes = (1...33).map { "pane 'p\($0)' { item 'x' { 'x' } }" }.joined(separator: ", ")
    expect(failure("panel { beside { \(panes) } }")?.contains("32 panes and texts at most"), is: true)
    let deep =
      String(repeating: "stack { ", count: 9) + "pane 'a' { item 'x' { 'x' } }" + String(repeating: " }", count: 9)
    expect(failure("panel { \(deep) }")?.contains("nested more than 8 deep"), is: true)
  }

  @Test("P5, P9: Panes, layouts and menus share one name space of ids; rows' ids are outside it")
  func ids() throws {
    expect(
      failure(#"menubar { menu "M" { id = "a" } } panel { pane "a" { item "x" { "x" } } }"#)?.contains("is used twice"),
      is: true)
    let host = try ScriptStage(
      #"""
      function app.on:x() return "menu" end
      function app.on:y() return "row" end
      menubar { menu "M" { item "x" { "x", id = "one" } } }
      panel { pane "a" { item "y" { "y", id = "one" } }, pane "b" { item "z" { "y", id = "two" } } }
      """#
    ).host
    expect(said(host.pick("one")), is: "menu")
    expect(said(host.pick("a/one")), is: "row")
    expect(said(host.pick("two")), is: "row")
    expect(host.panel()?.find("b/two")?.title, is: "z")
  }

  @Test("P7: A responder belongs to one pane at most")
  func responders() {
    let twice = """
      local r = responder "r"
      panel { pane "a" { responder = r, item "x" { "x" } }, pane "b" { responder = r, item "y" { "y" } } }
      """
    expect(failure(twice)?.contains("'r' is the responder of pane 'a' too"), is: true)
  }

  // MARK: Focus

  @Test("P7: A focused pane focuses its responder, whose keys and reasons count from then on")
  func focus() throws {
    let host = try stage().host
    expect(host.focused.name, is: "files")
    try expect(pane("files", of: host).area?.isFocused, is: true)
    expect(host.choose("log").status, is: .handled)
    expect(host.focused.name, is: "log")
    try expect(pane("log", of: host).area?.isFocused, is: true)
    try expect(pane("files", of: host).area?.isFocused, is: false)
    expect(said(host.perform("show")), is: "1")
    expect(host.perform("delete").status != .handled)
    // `focus` moves the pane too.
    try host.focus(try require(host.find("files")))
    try expect(pane("files", of: host).area?.isFocused, is: true)
  }

  @Test("P7: A pane without a responder leaves the app's focus in place")
  func withoutResponder() throws {
    let host = try stage().host
    expect(host.choose("stash").status, is: .handled)
    expect(host.focused.name, is: "files")
    try expect(pane("stash", of: host).area?.isFocused, is: true)
  }

  @Test("P7, F1: If the responder refuses the focus, the pane doesn't get it")
  func refused() throws {
    let host = try stage("function log:become() return false end files.resign = function() return false end").host
    let outcome = host.choose("log")
    expect(outcome.status == .disabled && outcome.reason == "'files' keeps the focus")
    try expect(pane("files", of: host).area?.isFocused, is: true)
  }

  @Test("P7, F1: The reason of a pane that doesn't get the focus names the responder that refused")
  func refuser() throws {
    for (hook, reason) in [
      ("log.accepts_focus = false", "'log' doesn't accept the focus"),
      ("function log:become() return false end", "'log' doesn't accept the focus"),
      ("function files:resign() return false end", "'files' keeps the focus"),
    ] {
      try expect(stage(hook).host.choose("log").reason, is: reason)
    }
  }

  @Test("P8: If the focused pane is hidden, the next pane and its responder get the focus")
  func hidden() throws {
    let host = try ScriptStage(
      """
      local a, b = responder "a", responder "b"
      bare = false
      panel {
        pane "one" { responder = a, look = function() return { hidden = bare, title = "First" } end, item "x" { "x" } },
        pane "two" { responder = b, item "y" { "y" } },
      }
      function app.on:hide() bare = true end
      """
    ).host
    expect(host.focused.name == "a" && host.panel()?.find("one")?.title == "First")
    host.perform("hide")
    let panel = try require(host.panel())
    expect(panel.find("one")?.isHidden == true && panel.find("two")?.area?.isFocused == true)
    expect(host.focused.name, is: "b")
  }

  @Test("P10, K1: A pane's key focuses it, unless a menu or a responder binds the key")
  func keys() throws {
    let host = try stage("files.keys['2'] = 'open'").host
    expect(host.press("4").status, is: .handled)
    expect(host.focused.name, is: "log")
    expect(host.press("2").status, is: .handled)
    expect(host.focused.name, is: "files")
    expect(said(host.press("2")), is: "alpha")
  }

  @Test("P8, K1: The keys of panes and texts are among the keys, after those of the menus, and 'why' explains them")
  func listedKeys() throws {
    let host = try stage("").host
    let entries = host.keys().filter(\.isPane)
    expect(entries.map(\.keys) == ["2", "4"] && entries.map(\.by) == ["files", "log"])
    expect(entries.map(\.title) == ["Files", "Commits"] && entries.allSatisfy { $0.conflict == nil && $0.isReached })
    let why = try host.why(keys: "4")
    expect(why.isEnabled && why.by == "log" && why.steps.map(\.answer) == ["gives the focus to this pane"])
    // Sequences come before the key of a pane.
    let longer = try stage("files.keys['4 x'] = 'open'").host
    expect(longer.keys().filter { $0.keys == "4 x" }.map(\.conflict), is: [nil])
    try expect(longer.why(keys: "4 x").reason == nil && longer.press("4 x").status == .handled)
    let taken = try stage("files.keys['2'] = 'open'").host
    expect(taken.keys().last { $0.keys == "2" }?.conflict, is: "'files' is asked first")
    try expect(taken.why(keys: "2").reason, is: nil)
  }

  // MARK: Rows

  @Test("P9: A pane's responder supplies the value of the current row, and a list with it")
  func row() throws {
    let host = try stage().host
    expect(said(host.perform("open")), is: "alpha")
    expect(host.choose("beta").status, is: .handled)
    expect(said(host.perform("open")), is: "beta")
    let files = try pane("files", of: host)
    expect(files.children.first { $0.isCurrent }?.id == "files/beta" && files.area?.current == "files/beta")
    let context = try host.context()
    expect(context.first { $0.key == "row" }?.by, is: "pane files")
  }

  @Test("P9: The row that is current at the start stays current when rows come before it")
  func rowAtStart() throws {
    let host = try stage("function app.on:add() table.insert(names, 1, 'new') end").host
    expect(said(host.perform("open")), is: "alpha")
    host.perform("add")
    expect(said(host.perform("open")), is: "alpha")
    try expect(pane("files", of: host).children.map(\.title).first, is: "new")
  }

  @Test("P9, M10: A section that fails keeps its rows and their values")
  func valuesAfterFailure() throws {
    let host = try ScriptStage(
      """
      broken, list = false, responder "list"
      panel { stack { pane "p" { responder = list, section "s" {
        items = function() if broken then error "no disk" end return { { path = "/a" }, { path = "/b" } } end,
        id = function(file) return file.path:sub(2) end, row = function(file) return item(file.path) { "open" } end } } } }
      function list.on:open(ctx) return ctx.row.path end
      function list.on:spoil() broken = true end
      """
    ).host
    expect(said(host.perform("open")), is: "/a")
    host.perform("spoil")
    expect(said(host.perform("open")), is: "/a")
    expect(said(host.pick("p/b")), is: "/b")
    expect(host.takeDiagnostics().contains { $0.message.contains("keeps its old rows") })
  }

  @Test("P9: The menus know the current row from the first snapshot on, and the new row at once when rows change")
  func rowOfMenus() throws {
    let host = try stage(
      "function files.look:delete(ctx) return { title = 'Delete ' .. tostring(ctx.row) } end "
        + "function app.on:turn() table.sort(names, function(a, b) return a > b end) end"
    ).host
    expect(host.item("File/Delete")?.title, is: "Delete alpha")
    host.perform("delete")
    expect(host.item("File/Delete")?.title, is: "Delete beta")
    host.undo()
    expect(host.item("File/Delete")?.title, is: "Delete beta")
  }

  @Test("P9: A context menu that is built first of all knows the current row too")
  func rowOfContextMenu() throws {
    let host = try stage(
      "function files.build:entry(m) m:insert_last('root', item 'Open' { 'open' }) end "
        + "function files.look:open(ctx) return { title = 'Open ' .. tostring(ctx.row) } end"
    ).host
    expect(host.contextMenu("entry").children.map(\.title), is: ["Open alpha"])
  }

  @Test("P9: While the host validates or picks a row's item, 'row' is the value of that row")
  func ownRow() throws {
    let host = try stage().host
    let rows = try pane("files", of: host).children
    expect(rows.map(\.isEnabled), is: [true, true, false, true])
    expect(rows[2].reason, is: "gamma is locked")
    expect(said(host.pick("delta")), is: "delta")
    try expect(pane("files", of: host).area?.current, is: "files/alpha")
  }

  @Test("P9: A responder's own provide sees the row whose item is picked or explained, not the current row")
  func provideOfOwnRow() throws {
    let host = try ScriptStage(
      """
      local files = responder "files"
      function files:provide(ctx) ctx.path = ctx.row and "/home/" .. ctx.row end
      function files.on:delete(ctx) return ctx.path end
      function files.can:delete(ctx) return ctx.path ~= "/home/c", ctx.path end
      files.takes.move = { to = { one_of = function(self, ctx) return { ctx.path .. "/x" } end } }
      function files.on:move(ctx) return ctx.to end
      panel { pane "p" { responder = files, section "s" { items = { "a", "b", "c" }, id = tostring,
        row = function(v) return item(v) { v == "b" and "move" or "delete" } end } } }
      """
    ).host
    expect(host.why(item: "c")?.reason == "/home/c" && host.why(item: "a")?.isEnabled == true)
    expect(said(host.pick("a")), is: "/home/a")
    expect(host.pick("c").reason, is: "/home/c")
    try expect(host.form(ofItem: "b").fields.first?.choices?.first?.value.shownText, is: "/home/b/x")
    expect(host.pick("b").asks?.arguments.first?.choices?.first?.value.shownText, is: "/home/b/x")
    expect(said(host.perform("delete")), is: "/home/a", "the current row is the same")
    host.choose("c")
    expect(said(host.pick("a")), is: "/home/a")
  }

  @Test("P9, V13: why of a row explains that row, and names the pane that supplies it")
  func whyRow() throws {
    let host = try ScriptStage(
      """
      local r = responder "r" { needs = { go = { row = "select a file first" } } }
      function r.on:del() end
      function r.can:del(ctx) return ctx.row ~= "locked", "it is locked" end
      function r.on:go() end
      rows = { "open", "locked" }
      panel { pane "p" { responder = r, section "s" { items = function() return rows end, id = tostring,
        row = function(v) return item(v) { "del" } end } } }
      """)
    let locked = try require(host.host.why(item: "locked"))
    expect(
      locked.text,
      is: """
        disabled by 'r': it is locked
          r: on del → takes it (app.lua:2)
          r: can del → no: it is locked (app.lua:3)
          key 'row': from 'pane p'
        """)
    expect(host.host.why(item: "open")?.isEnabled, is: true)
    try expect(host.host.why("del").keys.map(\.by), is: ["pane p"])
    try host.host.evaluate("rows = {}")
    host.host.rebuild()
    let none = try host.host.why("go")
    expect(none.reason == "select a file first" && none.keys.map(\.candidates) == [["pane p"]])
  }

  @Test("P9: If the current row disappears, the next row becomes current, or at the end the previous row")
  func gone() throws {
    let host = try stage().host
    host.choose("gamma")
    expect(said(host.perform("delete")), is: "3")
    try expect(pane("files", of: host).area?.current, is: "files/delta")
    host.perform("delete")
    try expect(pane("files", of: host).area?.current, is: "files/beta")
    host.perform("delete")
    host.perform("delete")
    let empty = try pane("files", of: host)
    expect(empty.children.isEmpty && empty.area?.current == nil)
    let refused = host.perform("delete")
    expect(refused.status == .disabled && refused.reason == "choose a file first")
  }

  @Test("P7: An item that only another pane's responder handles names that pane")
  func onlyIn() throws {
    let host = try stage().host
    expect(host.item("File/Delete")?.onlyIn, is: nil)
    host.choose("log")
    let item = try require(host.item("File/Delete"))
    expect(item.onlyIn == "Files (2)" && item.elsewhere == "files")
    let read = try MenuElement(read: JSONReader.literal(Array(item.json.utf8)), at: "x")
    expect(read.onlyIn == "Files (2)" && read.isValidated(as: item))
  }

  @Test("P9: A row whose id can't be used has an id from its title, and the other rows stay")
  func unusableIDs() throws {
    for (id, why) in [
      (#""a\tb""#, "can't have control characters"), (#""a\xE9""#, "must be UTF-8"),
      (#"("x"):rep(257)"#, "can have 256 bytes at most, this one has 257"), ("nil", "must be a string, not nil"),
    ] {
      let stage = try ScriptStage(
        """
        panel { pane "a" { section "s" { items = { 1, 2, 3 }, empty = "nothing here",
          id = function(v) if v == 2 then return \(id) end return "r" .. v end,
          row = function(v) return item("Row " .. v) { "open" } end } } }
        function app.on:open(ctx) return ctx.row or "none" end
        """)
      let rows = try pane("a", of: stage.host).children
      expect(rows.map(\.title), is: ["Row 1", "Row 2", "Row 3"])
      expect(rows.map(\.id), is: ["a/r1", "a/Row 2", "a/r3"])
      expect(stage.host.choose("a/Row 2").status, is: .handled)
      expect(
        stage.takeMessages(),
        is: ["the id of a row of section 's' \(why): value 2 (2) has an id from its title instead"])
    }
  }

  @Test("P9: If rows before the current row disappear with it, the row that followed it becomes current")
  func goneWithOthers() throws {
    let host = try stage(
      "function files.on:drop(ctx) for i = #names, 1, -1 do if ctx.these:find(names[i]) then table.remove(names, i) end "
        + "end end function app.on:fill() names = { 'b1', 'a2', 'b3', 'a4', 'a5', 'b6', 'a7' } end"
    ).host
    func drop(_ these: String) throws -> String? {
      host.perform("drop(these: \"\(these)\")")
      return try pane("files", of: host).area?.current
    }
    host.perform("fill")
    host.choose("files/b3")
    try expect(drop("b1 a2 b3"), is: "files/a4")
    try expect(drop("a4 a5"), is: "files/b6")
    try expect(drop("b6 a7"), is: nil)
    host.perform("fill")
    host.choose("files/a7")
    try expect(drop("a7 b1"), is: "files/b6")
    // The next row in sight becomes current, and stays so without the filter.
    host.perform("fill")
    host.choose("files/b3")
    try host.filter("files", by: "b")
    try expect(drop("b1 b3"), is: "files/b6")
    try host.filter("files", by: "")
    try expect(pane("files", of: host).area?.current, is: "files/b6")
  }

  @Test("P9, E3: If a reload drops the current row and rows before it, the row that followed it becomes current")
  func goneInReload() throws {
    let host = try stage().host
    host.choose("gamma")
    _ = host.panel()
    let script = Self.script.replacing(#""alpha", "beta", "gamma", "delta""#, with: #""beta", "delta", "epsilon""#)
    try host.reload(text: script, name: "app.lua")
    try expect(pane("files", of: host).area?.current, is: "files/delta")
  }

  @Test("P9: The row that followed a deleted row stays current when rows come before it")
  func follows() throws {
    let host = try stage("function app.on:first() table.insert(names, 1, 'first') end").host
    host.choose("beta")
    host.perform("delete")
    try expect(pane("files", of: host).area?.current, is: "files/gamma")
    host.perform("first")
    try expect(pane("files", of: host).area?.current, is: "files/gamma")
  }

  @Test("P9, P10: If a filter hides the current row, the next row is current until the filter is cleared")
  func filteredOut() throws {
    let host = try stage().host
    host.choose("beta")
    try host.filter("files", by: "l")
    try expect(pane("files", of: host).area?.current, is: "files/delta")
    try host.filter("files", by: "")
    try expect(pane("files", of: host).area?.current, is: "files/beta")
    try host.filter("files", by: "l")
    host.choose("delta")
    try host.filter("files", by: "")
    try expect(pane("files", of: host).area?.current, is: "files/delta")
  }

  @Test("P9: A row that is picked by its id is 'row', and without marks it is alone in 'rows'")
  func pickedRow() throws {
    let host = try ScriptStage(
      #"""
      local r = responder "r"
      panel { pane "p" { responder = r, marks = true,
        section "s" { items = { "a", "b", "c" }, id = function(v) return v end, row = function(v) return item(v) { "x" } end } } }
      function r.on:x(ctx) return ctx.row .. ": " .. table.concat(ctx.rows, " ") end
      """#
    ).host
    expect(said(host.pick("p/c")), is: "c: c")
    expect(said(host.perform("x")), is: "a: a")
    try host.mark(["a", "b"], in: "p")
    expect(said(host.pick("p/c")), is: "c: a b")
  }

  @Test("P10, P21: Rows that match a filter are in the palette only if their section says so")
  func palette() throws {
    let host = try ScriptStage(
      #"""
      local function list(name, palette)
        return section(name) { items = { name .. 1, name .. 2 }, id = function(v) return v end, palette = palette,
          row = function(v) return item(v) { "x" } end }
      end
      panel { pane "p" { filter = true, list("no"), list("yes", true) } }
      function app.on:x() end
      """#
    ).host
    func listed() throws -> [String] { try pane("p", of: host).children.filter(\.isInPalette).map(\.title) }
    try expect(listed(), is: ["yes1", "yes2"])
    try host.filter("p", by: "1")
    try expect(listed(), is: ["yes1"])
  }

  @Test("P10: Marked rows that the filter hides don't count")
  func hiddenMarks() throws {
    let host = try stage().host
    try host.mark(["alpha", "beta", "delta"], in: "files")
    try expect(pane("files", of: host).area?.marked, is: 3)
    try host.filter("files", by: "l")
    try expect(pane("files", of: host).area?.marked, is: 2)
    try host.filter("files", by: "")
    try expect(pane("files", of: host).area?.marked, is: 3)
  }

  @Test("P7: 'tabs' shows the tab whose pane had the focus last, also while another pane has it")
  func shownTab() throws {
    let host = try ScriptStage(
      """
      two = responder "two" {}
      panel { beside { pane "side" { item "x" { "x" } },
        tabs "all" { pane "one" { item "x" { "x" } }, stack "rest" { pane "two" { responder = two, item "x" { "x" } } } } } }
      """
    ).host
    func shown() -> String? { host.panel()?.find("all")?.area?.current }
    expect(shown(), is: "one")
    _ = try host.evaluate("focus(two)")
    expect(shown(), is: "rest")
    host.choose("side/x")
    expect(host.panel()?.find("side")?.area?.isFocused == true && shown() == "rest")
    host.choose("one/x")
    expect(shown(), is: "one")
  }

  @Test("P10: You can add marks and remove marks, by ranges too, wherever the rows are")
  func markChanges() throws {
    let host = try stage().host
    func change(_ change: MarkChange, _ ids: String...) throws -> [String] {
      let marked = try host.marked(ids, change, in: "files")
      try host.mark(marked, in: "files")
      return marked.map { String($0.dropFirst("files/".count)) }
    }
    try expect(change(.add, "delta"), is: ["delta"])
    try expect(change(.through, "gamma", "alpha"), is: ["alpha", "beta", "gamma", "delta"])
    try expect(change(.through, "gamma", "beta"), is: ["beta", "gamma", "delta"])
    try expect(change(.remove, "gamma"), is: ["beta", "delta"])
    try expect(pane("files", of: host).area?.marked, is: 2)
    try host.filter("files", by: "ga")
    try expect(change(.all), is: ["beta", "gamma", "delta"])
    #expect(throws: Misuse.self) { try host.marked(["c1"], .add, in: "files") }
  }

  @Test("P9: An item in a menu among the rows of a pane is no row: you can't choose or mark it")
  func inMenus() throws {
    let host = try ScriptStage(
      #"""
      panel { pane "a" { marks = true, item "x" { "x" }, menu "M" { item "deep" { "x", id = "deep" } } } }
      """#
    ).host
    expect(host.choose("deep").status, is: .failed)
    #expect(throws: Misuse.self) { try host.mark(["deep"], in: "a") }
    expect(host.choose("a/M").status, is: .handled)
  }

  @Test("P9: An id that several panes have means a row of the given pane")
  func sameIDs() throws {
    let host = try ScriptStage(
      #"""
      panel { pane "a" { marks = true, item "x" { "x", id = "b" } }, pane "b" { marks = true, item "x" { "x", id = "b" } } }
      """#
    ).host
    for pane in ["a", "b"] {
      try host.mark(["b"], in: pane)
      try expect(self.pane(pane, of: host).children[0].isMarked)
    }
    expect(host.choose("b/b").status, is: .handled)
    expect(host.choose("c").line, is: "failed! there is no element 'c'")
  }

  @Test("P9: A row that several panes have is named with its pane; what names it without says which panes")
  func severalRows() throws {
    let host = try ScriptStage(
      #"panel { stack { pane "a" { item "x" { "x", id = "one" } }, pane "b" { item "x" { "x", id = "one" } } } }"#
    ).host
    expect(host.choose("one").line, is: "failed! several panes have a row 'one': write 'a/one' or 'b/one'")
    expect(host.choose("b/one").status, is: .handled)
    let reason = try host.evaluate("return app:why('one').reason").first
    expect(reason?.shownText?.contains("several panes have a row 'one': write 'a/one' or 'b/one'"), is: true)
  }

  @Test("P9: Rows of two sections with one id in a pane are both shown, and that is an error")
  func sectionsWithOneID() throws {
    let stage = try ScriptStage(
      #"""
      local function rows(name, list)
        return section(name) { items = list, id = function(v) return v end, row = function(v) return item(v) { "x" } end }
      end
      panel { pane "a" { rows("one", { "p", "q" }), rows("two", { "q", "r" }) } }
      """#)
    try expect(pane("a", of: stage.host).children.map(\.id), is: ["a/p", "a/q", "a/q#2", "a/r"])
    expect(
      stage.takeMessages(),
      is: [
        "section 'two' has two rows with the id 'q', of item 'q' and of value 1 ('q'): the second is 'q#2'"
      ])
  }

  @Test("P10: The pane argument of marks is a text")
  func markedPane() throws {
    let host = try stage("function app.on:go() app:mark({}, 5) end").host
    expect(host.perform("go").status, is: .failed)
  }

  @Test("P9, P10: 'rows' are the marked rows in the order of the pane; marks follow ids through every change")
  func marks() throws {
    let host = try stage("function files.on:list(ctx) return table.concat(ctx.rows, ' ') end").host
    try host.mark(["delta", "beta"])
    expect(said(host.perform("list")), is: "beta delta")
    try expect(pane("files", of: host).children.map(\.isMarked), is: [false, true, false, true])
    expect(said(host.perform("delete")), is: "2")
    expect(said(host.perform("list")), is: "alpha")
    #expect(throws: Misuse.self) { try host.mark(["nobody"]) }
    #expect(throws: Misuse.self) { try host.mark(["c1"], in: "log") }
  }

  @Test("P10: A filter narrows the rows; marks of hidden rows don't count")
  func filter() throws {
    let host = try stage("function files.on:list(ctx) return table.concat(ctx.rows, ' ') end").host
    try host.mark(["alpha", "beta"])
    try host.filter("files", by: "ta")
    let files = try pane("files", of: host)
    expect(files.children.map(\.title) == ["beta", "delta"] && files.area?.filter == "ta" && files.area?.rows == 2)
    expect(said(host.perform("list")), is: "beta")
    try host.filter("files", by: "")
    expect(said(host.perform("list")), is: "alpha beta")
    #expect(throws: Misuse.self) { try host.filter("log", by: "x") }
  }

  @Test("P10: A row that the filter hides can't be chosen: the reason names the filter")
  func chosenBehindFilter() throws {
    let host = try stage().host
    try host.filter("files", by: "ta")
    let outcome = host.choose("files/gamma")
    expect(outcome.status == .disabled && outcome.reason == "the filter 'ta' hides 'files/gamma'")
    try expect(pane("files", of: host).area?.current, is: "files/beta")
    expect(host.choose("files/delta").status, is: .handled)
  }

  @Test("P8: 'look' of a pane or text gets the rows of that pane, even without the focus")
  func lookOfArea() throws {
    let host = try ScriptStage(
      """
      local a, b = responder "a", responder "b"
      local function look(ctx) return { subtitle = tostring(ctx.row) } end
      panel {
        pane "one" { responder = a, look = look, item "x" { "x" } },
        pane "two" { responder = b, look = look, item "y" { "y" }, item "z" { "y" } },
        text "plain" { of = "two", lines = {}, look = look },
        text "own" { of = "two", lines = {}, responder = responder "c", look = look },
      }
      function a.on:x() end
      function b.on:y() end
      """
    ).host
    host.choose("two/z")
    host.choose("one")
    let panel = try require(host.panel())
    expect(panel.children.map { $0.extras?.look.subtitle }, is: ["one/x", "two/z", "two/z", "two/z"])
    expect(panel.children.map { $0.area?.isFocused }, is: [true, false, false, false])
  }

  @Test("P10: Scripts choose, mark and filter as people do")
  func calls() throws {
    let stage = try stage(
      """
      function app.on:go()
        app:choose("log")
        app:choose("files/delta")
        app:mark({ "alpha", "delta" })
        app:filter("files", "a")
        local pane = app:panel().children[1].children[1]
        return pane.current .. " " .. pane.filter .. " " .. tostring(pane.focused) .. " " .. #pane.children
      end
      """)
    expect(said(stage.host.perform("go")), is: "files/delta a true 4")
  }

  // MARK: In JSON

  @Test("P22: A pane survives JSON unchanged")
  func json() throws {
    let host = try stage().host
    host.choose("beta")
    try host.mark(["alpha"])
    let panel = try require(host.panel())
    let text = panel.json
    expect(
      text.contains(
        #""kind": "pane", "id": "files", "title": "Files", "enabled": true, "hidden": false, "key": "2", "focused": true"#
      ))
    expect(text.contains(#""current": "files/beta""#) && text.contains(#""marked": true"#))
    let read = try MenuElement(read: JSONReader.literal(Array(text.utf8)), at: "panel")
    expect(read.json, is: text)
  }

  @Test("P22: A view names the rows in sight of each pane; the host draws no rows of other panes")
  func view() throws {
    let host = try stage().host
    let panel = try require(host.menus(in: MenuView(panes: ["files": 1..<3])).panel)
    expect(panel.find("files")?.children.map(\.title), is: ["beta", "gamma"])
    expect(panel.find("files")?.area?.first == 1 && panel.find("files")?.area?.rows == 4)
    expect(panel.find("log")?.children.isEmpty == true && panel.find("log")?.area?.rows == 3)
  }

  @Test("P22: A view can name more rows than memory could hold")
  func hugeView() throws {
    let panel = try require(try stage().host.menus(in: MenuView(panes: ["panel": 0..<Int.max])).panel)
    expect(panel.find("files")?.children.count, is: 4)
    let list = try ScriptStage(#"panel { item "x" { "x" }, item "y" { "y" } }"#).host
    expect(list.menus(in: MenuView(rows: 1..<Int.max)).panel?.children.map(\.title), is: ["y"])
  }

  @Test("P22: Absurd numbers of a pane are read within bounds")
  func hostileNumbers() throws {
    let text = #"""
      {"kind": "pane", "id": "a", "title": "", "enabled": true, "hidden": false, "share": 1e308,
      "number": -9223372036854775808, "first": -9223372036854775808, "rows": 9223372036854775807, "children": []}
      """#
    let area = try MenuElement(read: JSONReader.literal(Array(text.utf8)), at: "panel").area
    expect(area?.share == 1000 && area?.first == -1 && area?.rows == 1 << 31)
  }

  @Test("P7, E3: A reload keeps the current row, the marks and the focused pane")
  func reload() throws {
    let host = try stage().host
    host.choose("beta")
    try host.mark(["alpha"])
    host.choose("log")
    try host.reload(text: Self.script, name: "app.lua")
    try expect(pane("files", of: host).area?.current, is: "files/beta")
    try expect(pane("files", of: host).children[0].isMarked)
    try expect(pane("log", of: host).area?.isFocused, is: true)
  }

  /// The id of the focused pane, and the app's focus.
  private func focus(of host: ScriptHost) -> String {
    func find(_ element: MenuElement) -> String? {
      element.area?.isFocused ?? false ? element.id : element.children.lazy.compactMap(find).first
    }
    return "\(host.panel().flatMap(find) ?? "none") \(host.focused.name)"
  }

  private static let four = """
    local r, s = responder "r", responder "s"
    panel { pane "p" { responder = r, item "x" { "open" } }, pane "q" { responder = s, item "y" { "open" } },
      text "t" { lines = "a" }, pane "n" { item "z" { "open" } } }
    focus(r)
    """

  @Test("P7, E3: A reload keeps the focus at a pane or text without a responder, and so does a reload that fails")
  func reloadWithoutResponder() throws {
    let host = try ScriptStage(Self.four).host
    for pane in ["t", "n"] {
      host.choose(pane)
      try host.reload(text: Self.four, name: "app.lua")
      expect(focus(of: host), is: "\(pane) r")
      #expect(throws: LoadError.self) { try host.reload(text: Self.four + " error 'no'", name: "app.lua") }
      expect(focus(of: host), is: "\(pane) r")
    }
    // A new responder moves nothing, but `focus` does.
    try host.load(text: #"responder "other""#, name: "other.lua")
    expect(focus(of: host), is: "n r")
    try host.focus(try require(host.find("r")))
    expect(focus(of: host), is: "p r")
  }

  @Test("P7, E3: If a reload drops the focused pane, the next pane and its responder get the focus")
  func reloadWithoutPane() throws {
    let script = """
      local r, s, u = responder "r", responder "s", responder "u"
      panel { pane "p" { responder = r, item "x" { "open" } },
        pane "q" { responder = s, item "y" { "open" } },
        pane "m" { responder = u, item "z" { "open" } } }
      focus(r)
      """
    let without = script.replacing(#"pane "q" { responder = s, item "y" { "open" } },"#, with: "")
    for other in [without, without.replacing(#"responder "s""#, with: "nil")] {
      let host = try ScriptStage(script).host
      host.choose("q")
      try host.reload(text: other, name: "app.lua")
      expect(host.focused.name, is: "u")
      expect(focus(of: host), is: "m u")
    }
  }

  @Test("P7, E3: A pane that comes back after reloads without panes has the focus again, unless the app moved it")
  func paneBack() throws {
    let host = try ScriptStage(Self.four).host
    try host.reload(text: "panel { label 'none' }", name: "app.lua")
    expect(focus(of: host), is: "none app")
    try host.reload(text: Self.four.replacing("focus(r)", with: ""), name: "app.lua")
    expect(focus(of: host), is: "p r")
    let moved = "local other = responder 'other' panel { label 'none' } focus(other)"
    try host.reload(text: moved, name: "app.lua")
    try host.reload(text: Self.four.replacing("focus(r)", with: "responder 'other'"), name: "app.lua")
    expect(host.focused.name, is: "other")
  }

  @Test("P7, E3: A pane that has another responder after a reload gives that the focus")
  func reloadWithOtherResponder() throws {
    let host = try ScriptStage(Self.four).host
    host.choose("q")
    try host.reload(text: Self.four.replacing("responder = s", with: #"responder = responder "new""#), name: "app.lua")
    expect(focus(of: host), is: "q new")
  }

  @Test("P7, G2: If a plugin with the focused pane is unloaded, the next pane and its responder get the focus")
  func unloadedPlugin() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1.0.0" }
        local own = responder "own"
        extend("cols", { first = true }, pane "px" { responder = own, item "x" { "open" } },
          text "ty" { lines = "a" })
        """
      ],
      app: """
        local r = responder "r"
        panel { beside "cols" { pane "p" { responder = r, item "y" { "open" } } } }
        focus(r)
        """)
    let host = stage.host
    for (pane, responder) in [("px", "own"), ("ty", "r")] {
      try stage.load("p.lua")
      expect(focus(of: host), is: "p r")
      host.choose(pane)
      try host.reload(plugin: "p")
      expect(focus(of: host), is: "\(pane) \(responder)")
      try host.unload(plugin: "p")
      expect(host.focused.name, is: "r")
      expect(focus(of: host), is: "p r")
    }
  }
}
