import Expectations
import ScriptHost
import Testing

@testable import Terminal

/// An app with three panes: files that can be marked and filtered, branches, and a log in the other column.
private let repository = """
  app.title = "Git"
  local main = window "main"
  files, branches, log = responder "files" { next = main }, responder "branches" { next = main }, responder "log" { next = main }
  names = { "alpha", "beta", "gamma", "delta" }
  chosen, deleted = {}, ""
  panel {
    beside {
      stack {
        pane "files" { title = "Files", key = "2", responder = files, filter = true, marks = true,
          look = function() return { subtitle = #names .. " changed" } end,
          section "changed" { items = function() return names end, id = function(n) return n end,
            row = function(n) return item(n) { "open" } end } },
        pane "branches" { title = "Branches", key = "3", responder = branches, item "main" { "checkout" } },
      },
      pane "log" { title = "Commits", key = "4", responder = log, share = 2,
        section "commits" { items = { 1, 2, 3 }, id = function(n) return "c" .. n end, current = "seen",
          row = function(n) return item("Commit " .. n) { "show" } end } },
    },
  }
  menubar { menu "File" { item "Delete" { "delete", key = "d" } } }
  function files.on:open(ctx) return "opened " .. ctx.row end
  function files.on:delete(ctx) deleted = table.concat(ctx.rows, " ") end
  function branches.on:checkout() return "on main" end
  function log.on:show(ctx) return "commit " .. ctx.row end
  function log.on:seen(ctx) chosen[#chosen + 1] = ctx.row end
  """

@Suite("The face: panes") struct FacePaneTests {
  @Test("P5, P8: Panes are in columns and rows with their titles; a thin rule divides columns, a blank line rows")
  func begin() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    expect(
      stage.picture,
      is: """
         File                                                                                        Git  ≡

         2 Files               4 changed │ 4 Commits
           alpha                         │▎  Commit 1
           beta                          │   Commit 2
           gamma                         │   Commit 3
           delta                         │
                                         │
         3 Branches                      │
        ▎  main                          │
                                         │
                                         │
                                         │
                                         │

         enter does it   ? why   f10 menus   ctrl+p find   f1 keys
        """)
  }

  @Test("The status line says what enter does with the current row, where its action has a title")
  func enter() throws {
    let stage = try FaceStage(
      """
      local files = responder "files"
      panel { beside "b" { pane "files" { responder = files, item "alpha" { "open" }, item "beta" { "copy" } } } }
      function files.on:open() end
      function files.on:copy() end
      files.about.open = "Open in Editor…"
      """, columns: 100)
    expect(stage.bottom.hasPrefix(" enter Open in Editor   ? why"), "\(stage.bottom)")
    try stage.press("down")
    expect(stage.bottom.hasPrefix(" enter does it   ? why"), "\(stage.bottom)")
  }

  @Test("A list of many rows that gets short while its end is in view is drawn from its new end")
  func shorter() throws {
    for ending in ["/ z", "/ 2 9 9", "k", "e"] {
      let stage = try FaceStage(
        """
        local list, count = responder "list", 300
        panel { pane "p" { responder = list, filter = true, section "s" {
          items = function() local all = {} for i = 1, count do all[i] = "row " .. i end return all end,
          row = function(n) return item(n) { "open" } end } } }
        function list.on:open() end
        function list.on:keep() count = 5 end
        function list.on:empty() count = 0 end
        list.keys = { k = "keep", e = "empty" }
        """)
      try stage.press("end \(ending)")
      let shown = stage.lines.count { $0.contains("row ") && !$0.contains("no row") }
      expect(shown, is: ["/ z": 0, "/ 2 9 9": 1, "k": 5, "e": 0][ending], "\(ending):\n\(stage.picture)")
    }
  }

  @Test("P9: The answer of a form or a question goes to the row for which it was opened, or to none")
  func asksAboutRow() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.run("files.confirm.delete = 'Delete it?'")
    try stage.press("2 down d")
    try stage.run("table.remove(names, 2) app:rebuild()")
    try stage.press("right enter")
    expect(stage.bottom.hasPrefix(" ✗ Delete: what this was about has changed meanwhile"), "\(stage.bottom)")
    try expect(stage.value("deleted"), is: "\"\"")
    try stage.press("d right enter")
    try expect(stage.value("deleted"), is: "\"gamma\"")
  }

  @Test("A job without progress leaves the hints in the status line; the job of a moved row doesn't replace another")
  func quietJob() throws {
    let stage = try FaceStage(
      repository + "\nfunction app.on:work() sleep(60) end\napp.keys.w = 'work'\napp.about.work = 'Work'"
        + "\nfunction log.on:seen() sleep(60) end", columns: 110, rows: 16)
    try stage.press("2 w")
    stage.passes(.seconds(1))
    expect(stage.bottom.hasPrefix(" enter does it   ? why"), "\(stage.bottom)")
    expect(stage.bottom.contains("   Work goes on"), "\(stage.bottom)")
    try stage.press("4 down")
    stage.passes(.seconds(1))
    expect(stage.bottom.hasSuffix("Work goes on and 1 more   esc esc cancels"), "\(stage.bottom)")
    try stage.press("esc esc")
    expect(stage.face.jobs.map(\.isOfChoice), is: [true])
  }

  @Test("An esc that clears marks or a filter is no first esc that cancels a job")
  func escapes() throws {
    let stage = try FaceStage(
      repository + "\nfunction app.on:work() sleep(60) end\napp.keys.w = 'work'", columns: 100, rows: 16)
    try stage.press("2 w space space / a enter esc")
    expect(stage.face.jobs.count, is: 1)
    try stage.press("esc")
    expect(stage.face.jobs.count, is: 1, "both cleared something")
    try stage.press("esc esc")
    expect(stage.face.jobs.count, is: 0)
  }

  @Test(
    "P6: If a 'beside' has under 90 columns, it shows the focused pane and the titles of the others below")
  func narrow() throws {
    let stage = try FaceStage(repository, columns: 60, rows: 14)
    expect(stage.picture.contains("2 Files") && stage.picture.contains("gamma"))
    expect(stage.picture.contains("4 Commits") && !stage.picture.contains("Commit 1"))
    try stage.press("4")
    expect(stage.picture.contains("Commit 1") && !stage.picture.contains("gamma"))
  }

  @Test("P6: alt+enter shows the focused pane alone, and again all panes")
  func alone() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("alt+enter")
    expect(stage.picture.contains("gamma") && !stage.picture.contains("Commits"))
    try stage.press("alt+enter")
    expect(stage.picture.contains("Commit 1"))
  }

  @Test("P7: tab, shift+tab, a pane's key and a click focus a pane and its responder")
  func focus() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    expect(stage.face.panel.id, is: "files")
    try stage.press("tab")
    expect(stage.face.panel.id, is: "branches")
    try stage.press("enter")
    expect(stage.bottom.hasSuffix(" ✓ main → on main"))
    try stage.press("shift+tab")
    expect(stage.face.panel.id, is: "files")
    try stage.press("4")
    expect(stage.face.panel.id, is: "log")
    expect(stage.host.focused.name, is: "log")
    stage.click(8, 4)
    expect(stage.face.panel.id, is: "branches")
  }

  @Test("P7: A press on a row of another pane makes the row current and focuses the pane")
  func click() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    stage.click(4, 40)
    expect(stage.face.panel.id == "log" && stage.face.panel.currentNode?.id == "log/c2")
    // The first row was current before.
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"1 2\"")
  }

  @Test("P9: A row that becomes current by itself performs its 'current' too: at first, after a removal, by a filter")
  func currentByItself() throws {
    let stage = try FaceStage(
      """
      local shown, list = "nothing", { "one", "two", "three" }
      local a = responder "a"
      panel { beside {
        pane "a" { title = "A", responder = a, filter = true, section "s" { items = function() return list end,
          current = "peek", row = function(v) return item(v) { "open", args = { v = v } } end } },
        text "t" { of = "a", lines = function(ctx) return { "shown: " .. shown } end },
      } }
      function app.on:peek(ctx) shown = ctx.v return "" end
      function app.on:open() end
      function app.on:drop(ctx) ctx:remove(list, ctx.row) end
      app.keys.x = "drop"
      """, columns: 100, rows: 12)
    stage.linesCome()
    expect(stage.picture.contains("shown: one"))
    try stage.press("down")
    stage.linesCome()
    expect(stage.picture.contains("shown: two"))
    try stage.press("x")
    stage.linesCome()
    expect(stage.picture.contains("shown: three"))
    try stage.press("/ o n e")
    stage.linesCome()
    expect(stage.picture.contains("shown: one"))
  }

  @Test("P10: A filter without a row, and the number of marked rows, are on the screen")
  func filterAndMarks() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("space down space")
    expect(stage.lines[2].contains("2 marked  4 changed"), "\(stage.picture)")
    try stage.press("/ b e")
    expect(!stage.lines[2].contains("marked"), "\(stage.picture)")
    try stage.press("z")
    expect(stage.picture.contains("no row has these letters"))
  }

  @Test("P14: A text whose function fails shows its lines, and the reason below")
  func failedText() throws {
    let stage = try FaceStage(
      """
      panel { beside {
        pane "a" { title = "A", item "x" { "go" } },
        text "t" { of = "a", lines = function(ctx, add) add "one" error("no network", 0) end },
      } }
      function app.on:go() end
      """, columns: 100, rows: 12)
    stage.linesCome()
    expect(stage.picture.contains("│ one"))
    expect(stage.picture.contains("│ no network"), "\(stage.picture)")
  }

  @Test("P9: The current row is the app's: another face sees it, and follows the app")
  func current() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("down down")
    expect(stage.face.panel.currentNode?.id, is: "files/gamma")
    let other = try stage.otherFace()
    expect(other.panel.currentNode?.id, is: "files/gamma")
    try stage.run("app:choose('beta')")
    expect(stage.face.panel.currentNode?.id, is: "files/beta")
    try stage.run("app:choose('c3')")
    expect(stage.face.panel.id == "log" && stage.face.panel.currentNode?.id == "log/c3")
  }

  @Test(
    "P10: space marks rows, ctrl+a all rows, v a range; esc clears them; an action applies to all marked rows"
  )
  func marks() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("space down space")
    expect(stage.picture.contains("● alpha") && stage.picture.contains("● gamma"))
    try stage.press("d")
    try expect(stage.value("deleted"), is: "\"alpha gamma\"")
    try stage.press("esc")
    expect(!stage.picture.contains("●"))
    try stage.press("ctrl+a d")
    try expect(stage.value("deleted"), is: "\"alpha beta gamma delta\"")
    try stage.press("esc home v down down d")
    try expect(stage.value("deleted"), is: "\"alpha beta gamma\"")
  }

  @Test("P10: Marks of rows out of sight stay: space adds one, v a range, ctrl+a takes all, esc clears them")
  func manyMarks() throws {
    let stage = try FaceStage(
      repository + " for i = 1, 500 do names[i] = 'n' .. i end function files.on:count(ctx) deleted = #ctx.rows end"
        + " function files.on:where(ctx) deleted = ctx.row end files.keys.f9, files.keys.f8 = 'count', 'where'",
      columns: 100, rows: 16)
    func marked() throws -> String { try stage.value("deleted") }
    try stage.press("space end space f9")
    try expect(marked(), is: "2")
    try stage.press("f8")
    try expect(marked(), is: "\"n500\"")
    try stage.press("home down v end f9")
    try expect(marked(), is: "500")
    try stage.press("v home f9")
    try expect(marked(), is: "500")
    try stage.press("esc esc f9")
    try expect(marked(), is: "1")
    try stage.press("ctrl+a f9")
    try expect(marked(), is: "500")
  }

  @Test("P7: If the current row of another pane disappears, the focus stays")
  func goneElsewhere() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("4")
    try stage.run("table.remove(names, 1)")
    expect(stage.face.panel.id == "log" && stage.host.focused.name == "log")
    try stage.press("2")
    expect(stage.face.panel.currentNode?.id, is: "files/beta")
  }

  @Test("X1, P7: Keys that arrive together act in the pane that the keys before them focused")
  func rushed() throws {
    for keys in ["4 down enter", "tab tab down enter", "shift+tab down enter"] {
      let stage = try FaceStage(repository, columns: 100, rows: 16)
      try stage.rush(keys)
      stage.settle()
      expect(stage.bottom.hasSuffix(" ✓ Commit 2 → commit 2"), "\(keys): \(stage.bottom)")
    }
  }

  @Test("P9, P10: After the filter is cleared the current row is in sight")
  func currentAfterFilter() throws {
    let stage = try FaceStage(
      """
      files = responder "files"
      panel { pane "files" { responder = files, filter = true,
        section "s" { items = function() local all = {} for i = 1, 60 do all[i] = "f" .. i end return all end,
          id = function(n) return n end, row = function(n) return item(n) { "open" } end } } }
      function files.on:open(ctx) return ctx.row end
      """, columns: 60, rows: 16)
    try stage.press("/ f 4 enter down down esc")
    expect(stage.picture.contains("f24"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom.hasSuffix(" ✓ f24 → f24"), "\(stage.bottom)")
  }

  @Test("P6: A screen without room for a line for each pane names them all in one")
  func tiny() throws {
    let panes = (1...6).map { "pane 'p\($0)' { title = 'Pane\($0)', item 'Row\($0)' { 'x' } }" }.joined(separator: ", ")
    let stage = try FaceStage("panel { stack { \(panes) } } function app.on:x() end", columns: 60, rows: 8)
    expect(stage.picture.contains("Pane1   Pane2   Pane3") && stage.picture.contains("Row1"), "\(stage.picture)")
    try stage.press("tab")
    expect(stage.picture.contains("Row2") && !stage.picture.contains("Row1"))
  }

  @Test("The status line shows what keys of the pane do now; help lists the keys of panes")
  func hints() throws {
    let stage = try FaceStage(
      """
      files = responder "files"
      panel { stack { pane "files" { responder = files, filter = true, marks = true, item "alpha" { "open" } },
        pane "other" { item "beta" { "open" } } } }
      menubar { menu "File" { item { "delete" }, item { "mend" } } }
      function files.on:open() end
      function files.on:delete() end
      function files.on:mend() end
      function files.can:mend() return false, "it is whole" end
      files.about.delete, files.about.mend = "Delete", "Mend"
      files.keys.d, files.keys.m = "delete", "mend"
      """, columns: 100, rows: 30)
    expect(stage.bottom.contains("d Delete   f10") && !stage.bottom.contains("Mend"), "\(stage.bottom)")
    try stage.press("f1")
    for line in ["another pane", "this pane alone, and back", "only rows with some letters", "mark several rows"] {
      expect(stage.picture.contains(line), "\(line): \(stage.picture)")
    }
  }

  @Test("A hint that doesn't fit leaves its room to shorter ones")
  func hintsThatFit() throws {
    let stage = try FaceStage(
      """
      files = responder "files"
      panel { pane "files" { responder = files, item "alpha" { "open" } } }
      function files.on:open() end
      for name, title in pairs { mend = "Mend", move = "Move", long = ("x"):rep(80) } do
        files.on[name], files.about[name] = function() end, title
      end
      files.keys = { a = "long", m = "mend", s = "move" }
      """, columns: 90, rows: 12)
    expect(stage.bottom.contains("m Mend   s Move") && !stage.bottom.contains("xxx"), "\(stage.bottom)")
  }

  @Test("The outcome is at the right end of the status line, and the keys stay at the left")
  func outcome() throws {
    let stage = try FaceStage(repository, columns: 60, rows: 16)
    try stage.press("enter")
    expect(stage.bottom, is: " enter does it   ? why   f1 keys     ✓ alpha → opened alpha", "\(stage.bottom)")
    try stage.press("ctrl+x")
    expect(stage.bottom, is: " ✗ nothing is bound to 'ctrl+x'")
    let narrow = try FaceStage(repository, columns: 40, rows: 16)
    try narrow.press("enter")
    expect(narrow.bottom, is: " ✓ alpha → opened alpha", "no room for keys: \(narrow.bottom)")
  }

  @Test("An action that returns an empty text shows its effect itself, so the status line keeps the keys")
  func silence() throws {
    let stage = try FaceStage(
      """
      opened = false
      panel { stack { pane "files" { item "alpha" { "open" } } } }
      function app.on:open() opened = true return "" end
      """, columns: 60)
    let before = stage.bottom
    try stage.press("enter")
    try expect(stage.value("opened") == "true" && stage.bottom == before, "\(stage.bottom)")
  }

  @Test("On a narrow screen the keys of the pane come before those of the face")
  func keysOfPaneFirst() throws {
    let app = """
      files = responder "files"
      panel { stack { pane "files" { responder = files, item "alpha" { "open" } } } }
      function files.on:open() end
      for _, action in ipairs { "add", "delete", "mend", "zip" } do
        files.on[action], files.keys[action:sub(1, 1)], files.about[action] = function() end, action, action
      end
      """
    let narrow = try FaceStage(app, columns: 62).bottom
    expect(narrow, is: " enter does it   ? why   a add   d delete   m mend   f1 keys", "\(narrow)")
    let wide = try FaceStage(app, columns: 100).bottom
    expect(wide.hasSuffix("   d delete   m mend   z zip   f10 menus   ctrl+p find   f1 keys"), "\(wide)")
  }

  @Test("P21: If letters don't find rows, j k g G move as the arrows, home and end do; a bound letter is the app's")
  func letters() throws {
    func stage(_ fields: String) throws -> FaceStage {
      try FaceStage(
        """
        files = responder "files"
        panel { \(fields) stack { pane "files" { responder = files, section "all" {
          items = { "alpha", "jot", "kiwi", "last" }, id = function(n) return n end,
          row = function(n) return item(n) { "open" } end } } } }
        function files.on:open(ctx) return ctx.row end
        function files.on:go() return "gone" end
        files.keys.g = "go"
        """, columns: 90)
    }
    let moving = try stage("typing = false,")
    func current(_ stage: FaceStage) -> String { stage.face.panel.currentNode?.element.title ?? "" }
    try moving.press("j j")
    expect(current(moving), is: "kiwi")
    try moving.press("k")
    expect(current(moving), is: "jot")
    try moving.press("shift+g")
    expect(current(moving), is: "last")
    try moving.press("g")
    expect(moving.bottom.hasSuffix("✓ go → gone") && current(moving) == "last", "\(moving.bottom)")
    try moving.press("f1")
    expect(moving.picture.contains("↑ ↓ j k"), "\(moving.picture)")
    let finding = try stage("")
    try finding.press("k")
    expect(current(finding), is: "kiwi", "with type-ahead a letter finds a row")
    try finding.press("f1")
    expect(!finding.picture.contains("j k"))
  }

  @Test("Rows that come above the visible rows don't move them; at the beginning of the list they come into sight")
  func rowsAbove() throws {
    let stage = try FaceStage(
      """
      rows = {}
      for n = 1, 30 do rows[n] = "row " .. n end
      panel { stack { pane "p" { section "s" { items = function() return rows end, id = function(r) return r end,
        row = function(r) return item(r) { "open" } end } } } }
      function app.on:open() end
      function app.on:add() table.insert(rows, 1, "new " .. #rows) return "" end
      app.keys["ctrl+n"] = "add"
      """, columns: 40, rows: 12)
    try stage.press("end")
    let before = stage.picture
    try stage.press("ctrl+n ctrl+n")
    expect(stage.picture == before && before.contains("row 30"), "\(stage.picture)")
    try stage.press("home ctrl+n")
    expect(stage.picture.contains("new 32"), "\(stage.picture)")
    expect(stage.face.panel.currentNode?.element.title, is: "new 31")
  }

  @Test("P10: The row that a kept filter found stays current when the filter is cleared")
  func foundRow() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("/ m m enter esc enter")
    expect(stage.bottom.hasSuffix("✓ gamma → opened gamma"), "\(stage.bottom)")
  }

  @Test("P5, P6: Within tabs, columns have their rule, and need 90 columns as elsewhere")
  func columnsInTabs() throws {
    let app = """
      panel { tabs { beside "b" { pane "one" { item "a" { "x" } }, pane "two" { item "b" { "x" } } },
        pane "other" { item "c" { "x" } } } }
      """
    try expect(FaceStage(app, columns: 100, rows: 12).picture.contains(" │ two"))
    let narrow = try FaceStage(app, columns: 70, rows: 12).picture
    expect(narrow.contains("\n one\n") && !narrow.contains("│"), "\(narrow)")
  }

  @Test("A pane with 'fit' is no higher than its rows need, and its neighbours get the rest")
  func fit() throws {
    func titles(_ app: String, rows: Int = 24) throws -> [String: Int] {
      let lines = try FaceStage(app, columns: 60, rows: rows).picture.split(
        separator: "\n", omittingEmptySubsequences: false)
      return Dictionary(
        lines.enumerated().compactMap { index, line in
          ["One", "Two", "Three"].first { line.hasPrefix(" \($0)") }.map { ($0, index) }
        }, uniquingKeysWith: { first, _ in first })
    }
    func app(_ fits: [Bool], _ counts: [Int]) -> String {
      let panes = zip(["One", "Two", "Three"], zip(fits, counts)).map { title, pane in
        let items = (0..<pane.1).map { "item '\(title.lowercased())-\($0)' { 'x' }" }.joined(separator: ", ")
        return "pane '\(title)' { fit = \(pane.0), \(items) }"
      }
      return "panel { stack { \(panes.joined(separator: ", ")) } }"
    }
    // 20 rows: title and rows of One, a blank line, 8 rows for Two and 8 for Three.
    try expect(titles(app([true, false, false], [2, 9, 9])), is: ["One": 2, "Two": 6, "Three": 14])
    try expect(titles(app([false, false, false], [2, 9, 9])), is: ["One": 2, "Two": 9, "Three": 16])
    // A pane that needs more than its share gets no more than its share.
    try expect(titles(app([true, false, false], [40, 9, 9])), is: ["One": 2, "Two": 9, "Three": 16])
    // If all need less, all have their shares.
    try expect(titles(app([true, true, true], [2, 2, 2])), is: ["One": 2, "Two": 9, "Three": 16])
    try expect(titles(app([true, true, false], [0, 1, 30])), is: ["One": 2, "Two": 5, "Three": 8])
  }

  @Test("P10: '/' opens a line that narrows the rows while you type; enter keeps it, esc shows all rows again")
  func filter() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("/ t a")
    expect(stage.picture.contains("/ ta▏") && !stage.picture.contains("alpha") && stage.picture.contains("delta"))
    try stage.press("enter")
    expect(stage.picture.contains("/ ta") && !stage.picture.contains("▏"))
    try stage.press("enter")
    expect(stage.bottom.hasSuffix(" ✓ beta → opened beta"))
    try stage.press("esc")
    expect(stage.picture.contains("alpha") && !stage.picture.contains("/ ta"))
  }

  @Test("P7: An item for another pane shows beside its title which pane that is")
  func elsewhere() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("4 f10")
    expect(stage.picture.contains("only in Files (2)"), "\(stage.picture)")
  }

  @Test("P10: The letters of a filter are highlighted where they match, in the palette too")
  func matches() throws {
    let stage = try FaceStage(repository, columns: 100, rows: 16)
    try stage.press("/ t a")
    var canvas = stage.face.draw()
    expect((3..<8).map { canvas[4, $0].style.marks.contains(.bold) } == [false, false, true, true, false])
    expect((3..<8).map { canvas[5, $0].style.marks.contains(.bold) } == [false, false, false, true, true])
    try stage.press("esc ctrl+p d e l")
    canvas = stage.face.draw()
    let row = try require(stage.lines.firstIndex { $0.contains("Delete") })
    let column = try require(
      stage.lines[row].firstRange(of: "Delete").map {
        stage.lines[row].distance(from: stage.lines[row].startIndex, to: $0.lowerBound)
      })
    expect((0..<4).map { canvas[row, column + $0].style.marks.contains(.bold) } == [true, true, true, false])
  }

  @Test("P10, P21: A stroke that the app binds is the app's, and never the pane's")
  func bound() throws {
    let stage = try FaceStage(
      repository + " files.keys['/'] = 'open' files.keys['space'] = 'open' files.keys['4'] = 'open'", columns: 100,
      rows: 16)
    for key in ["/", "space", "4"] {
      try stage.press(key)
      expect(stage.bottom.contains("opened alpha"), "\(key): \(stage.bottom)")
    }
  }

  @Test("P5: 'tabs' shows one of its panes under the titles of all")
  func tabs() throws {
    let stage = try FaceStage(
      """
      panel { tabs "all" {
        pane "one" { title = "One", key = "1", item "First" { "x" } }, pane "two" { title = "Two", key = "2", item "Second" { "x" } } } }
      function app.on:x() end
      """, columns: 60, rows: 12)
    expect(stage.picture.contains("One   Two") && stage.picture.contains("First") && !stage.picture.contains("Second"))
    try stage.press("2")
    expect(stage.picture.contains("Second") && !stage.picture.contains("First"))
    try stage.press("]")
    expect(stage.picture.contains("First") && !stage.picture.contains("Second"))
    try stage.press("[")
    expect(stage.picture.contains("Second"))
  }

  @Test(
    "X2: Panes are drawn on every screen, even the smallest",
    arguments: [(20, 6), (40, 10), (80, 24), (200, 60), (500, 200)])
  func sizes(columns: Int, rows: Int) throws {
    let stage = try FaceStage(repository, columns: columns, rows: rows)
    expect(stage.picture.contains("Files") && stage.picture.contains("alpha"))
  }

  @Test("The page of keys lists tabs, and the letters that move, where they work")
  func keysListed() throws {
    let script = """
      a, c = responder "a", responder "c"
      panel { typing = false,
        tabs { pane "t" { responder = a, menu "src" { item "x" { "go" } }, item "y" { "go" } }, text "d" { responder = c, lines = "abc" } } }
      function app.on:go() end
      """
    let stage = try FaceStage(script, columns: 100, rows: 26)
    func listed(_ line: String) -> Bool { stage.picture.replacing(/\s+/, with: " ").contains(line) }
    try stage.press("f1")
    expect(listed("[ ] another tab") && listed("g G the first row, the last"), "\(stage.picture)")
    expect(listed("h l close or open the branch"))
    try stage.press("esc down f1")
    expect(!listed("h l"), "the row is in no branch")
    try stage.press("esc ] ?")
    expect(listed("h l the rest of long lines"), "\(stage.picture)")
    try stage.press("esc")
    try stage.run("a.keys.g = 'go' c.keys['['] = 'go'")
    try stage.press("?")
    expect(!listed("[ ] another tab") && listed("g G"), "\(stage.picture)")
    try stage.press("esc ] f1")
    expect(listed("[ ] another tab") && !listed("g G"), "\(stage.picture)")
  }

  @Test("P9, A12: A form names the row that it is about, or how many rows are marked")
  func formOfRows() throws {
    let script = """
      r = responder "r"
      panel { pane "p" { responder = r, marks = true, item "alpha" { "rename", id = "a" }, item "beta" { "rename", id = "b" } } }
      for _, name in ipairs { "rename", "delete", "create", "merge" } do r.takes[name] = { n = "integer" } end
      r.about.delete = "Delete…"
      r.about.rename = "Rename"
      function r.on:rename(ctx) return ctx.row end
      function r.on:delete(ctx) return #ctx.rows end
      function r.on:create(ctx) return ctx.n end
      function r.on:merge(ctx) return ctx.row, #ctx.rows end
      r.keys = { x = "rename", d = "delete", c = "create", m = "merge" }
      """
    func title(_ keys: String) throws -> String {
      let stage = try FaceStage(script, columns: 60, rows: 14)
      try stage.press(keys)
      return try require(stage.face.over.last as? PromptOverlay).prompt.title
    }
    try expect(title("x"), is: "Rename alpha")
    try expect(title("down d"), is: "Delete beta")
    try expect(title("space d"), is: "Delete alpha")
    try expect(title("ctrl+a d"), is: "Delete 2 rows")
    // It reads only the current row, marked or not.
    try expect(title("ctrl+a x"), is: "Rename alpha")
    try expect(title("ctrl+a m"), is: "merge 2 rows")
    try expect(title("c"), is: "create")
    try expect(title("down enter"), is: "Rename: beta")
    let asks = try FaceStage(script, columns: 60, rows: 14).host.pick("p/b").asks
    expect(asks != nil && asks?.rows == nil, "a row that is picked isn't the current one")
  }

  @Test("P10: Of a filter that is longer than its pane, the part with the cursor is shown")
  func longFilter() throws {
    let stage = try FaceStage(repository, columns: 30, rows: 14)
    try stage.press("/ " + (1...40).map { String($0 % 10) }.joined(separator: " ") + " a b")
    expect(stage.picture.contains("890ab▏") && !stage.picture.contains("…"), "\(stage.picture)")
    try stage.press("home x")
    expect(stage.picture.contains("/ x▏1234"), "\(stage.picture)")
  }

  // MARK: Trees, and rows by number

  private static let tree = """
    list, tree = responder "list" {}, responder "tree" {}
    opened = ""
    panel { beside {
      pane "tree" { title = "Tree", key = "1", responder = tree,
        menu "src" { menu "core" { item "a" { "open" } }, item "main" { "open" } }, item "README" { "open" } },
      pane "list" { title = "List", key = "2", responder = list,
        section "all" { count = 100000, value = function(i) return i end, id = function(n) return n end,
          row = function(n) return item("Number " .. n) { "show" } end } },
    } }
    function tree.on:open(ctx) opened = ctx.row end
    function list.on:show(ctx) opened = ctx.row end
    """

  @Test("P12: Right opens a branch and goes into it, left closes it or goes to the branch around, enter does both")
  func tree() throws {
    let stage = try FaceStage(Self.tree, columns: 100, rows: 10)
    func rows() -> [String] {
      stage.lines[3...7].map { $0.prefix(20).filter { $0 != "│" }.split(separator: " ").joined(separator: " ") }
    }
    expect(rows(), is: ["▸ src", "README", "", "", ""])
    try stage.press("right down enter")
    expect(rows(), is: ["▾ src", "▾ core", "a", "main", "README"])
    try stage.press("right enter")
    expect(stage.told("opened"), is: "\"tree/src/core/a\"")
    try stage.press("left left")
    expect(rows(), is: ["▾ src", "▸ core", "main", "README", ""])
    try stage.press("left left")
    expect(rows(), is: ["▸ src", "README", "", "", ""])
  }

  @Test("P12: 'end' shows the last of a hundred thousand rows, and a move there requests no others")
  func last() throws {
    let stage = try FaceStage(Self.tree, columns: 100, rows: 10)
    try stage.press("2 end")
    expect(stage.picture.contains("Number 100000"))
    try stage.press("up enter")
    expect(stage.told("opened"), is: "99999")
  }
}
