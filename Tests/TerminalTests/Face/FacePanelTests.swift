import Expectations
import ScriptHost
import Testing

@testable import Terminal

/// An app with a panel: photos with context menus, and a few other rows.
private let gallery = """
  app.title = "Gallery"
  photos = {}
  for number, name in ipairs { "Harbour", "Old pier", "Gulls", "Market", "Night train" } do
    photos[number] = { name = name, stars = number % 4 }
  end
  chosen = {}
  menubar { menu "File" { item "Close" { "close", key = "ctrl+w" } } }
  local grid = responder "grid"
  panel {
    label "All photos\\nin two lines",
    section "photos" {
      header = "Photos", kind = "photo", current = "select", palette = true,
      items = function() return photos end,
      id = function(photo) return photo.name end,
      row = function(photo)
        return item(photo.name) { "show", args = { name = photo.name }, subtitle = ("★"):rep(photo.stars), state = photo.name == grid.at }
      end,
    },
    separator,
    menu "More" { item "Count" { "count" } },
    item "Empty" { "empty", destructive = true, confirm = "Empty it?", key = "e" },
  }
  function grid.on:show(ctx) return "shows " .. ctx.name end
  function grid.can:show(ctx) return ctx.name ~= "Market", "the market is closed on Sundays" end
  function grid.on:select(ctx) self.at = ctx.name chosen[#chosen + 1] = ctx.name end
  function grid.on:count() return #photos end
  function grid.on:empty() photos = {} end
  function grid.on:rate(ctx) return ctx.name .. " rated" end
  function grid.on:secret() return "told" end
  grid.about.secret = "Tell the secret"
  function grid.build:photo(m, photo) m:insert_last("root", item("Rate " .. photo.name) { "rate", args = { name = photo.name } }) end
  focus(grid)
  """

@Suite("The face: the panel") struct FacePanelTests {
  @Test(
    "The panel is the body: headers, rows with subtitles and reasons; the first row is current")
  func begin() throws {
    let stage = try FaceStage(gallery, columns: 60, rows: 17)
    expect(
      stage.picture,
      is: """
         File                                            Gallery  ≡

          All photos
          in two lines
          Photos
             Harbour      ★
             Old pier     ★★
             Gulls        ★★★
             Market       the market is closed on Sundays
             Night train  ★
          ────────────────────────────────────────────────────────
             More                                                ▸
           ! Empty                                               e



         enter does it   ? why   f10 menus   ctrl+p find   f1 keys
        """)
    expect(stage.face.panel.currentNode?.id, is: "Harbour")
  }

  @Test(
    "P2: The first row is current at the start, and the app learns it with the first action",
    arguments: [
      ("", ""), ("enter", "Harbour"), (".", "Harbour"), ("?", "Harbour"), ("f8", "Harbour"), ("f10", "Harbour"),
      ("ctrl+p", "Harbour"), ("down", "Old pier"), ("end", "Empty"), ("g", "Gulls"), ("g u", "Gulls"),
    ])
  func firstRow(keys: String, told: String) throws {
    let stage = try FaceStage(gallery + " function grid.on:mark() end grid.keys.f8 = 'mark'")
    expect(stage.face.panel.currentNode?.id, is: "Harbour")
    try expect(stage.value("#chosen"), is: "0", "to look at an app changes nothing in it")
    if !keys.isEmpty { try stage.press(keys) }
    // 'Empty' has no `current`.
    try expect(stage.value("table.concat(chosen, ' ')"), is: (told == "Empty" ? "\"\"" : "\"\(told)\""))
  }

  @Test("P2: A face that opened the app itself sends the first row at once, so that the row and its tick agree")
  func firstRowAtOnce() throws {
    var settings = FaceSettings()
    settings.tellsFirstRow = true
    let stage = try FaceStage(gallery, settings: settings)
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Harbour\"")
    expect(stage.picture.contains("✓ Harbour"), "\(stage.picture)")
    try stage.press("down")
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Harbour Old pier\"")
  }

  @Test("P2: Rows that come to an empty panel make the first row current; without rows none is current")
  func firstRowLater() throws {
    let stage = try FaceStage(
      """
      rows = {}
      panel { section "rows" { items = function() return rows end, id = function(row) return row end,
        row = function(row) return item(row) { "show" } end, empty = "Nothing yet" } }
      function app.on:show() end
      """)
    try stage.press("enter")
    expect(stage.bottom, is: " ✗ nothing is bound to 'enter'")
    try stage.run("rows = { 'a', 'b' } app:rebuild()")
    expect(stage.face.panel.currentNode?.id, is: "a")
    try stage.run("rows = {} app:rebuild()")
    expect(stage.face.panel.currentNode == nil)
    try stage.run("rows = { 'c' } app:rebuild()")
    expect(stage.face.panel.currentNode?.id, is: "c")
  }

  @Test("P9: A face begins at the app's current row, and follows the moves of another face")
  func rowOfTheApp() throws {
    let stage = try FaceStage(gallery)
    try stage.run("app:choose('Gulls')")
    expect(stage.face.panel.currentNode?.id, is: "Gulls")
    let other = try stage.otherFace()
    expect(other.panel.currentNode?.id, is: "Gulls")
    try stage.press("down")
    try stage.press("f10 esc")
    expect(stage.face.panel.currentNode?.id, is: "Market")
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Gulls Market\"", "each is told once")
    try expect(stage.otherFace().panel.currentNode?.id, is: "Market")
  }

  @Test("X5: The app learns of a new current row after it was drawn, and of several moves only the last")
  func choosing() throws {
    let stage = try FaceStage(gallery)
    try stage.press("down up")
    expect(stage.face.panel.currentNode?.id, is: "Harbour")
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Old pier Harbour\"")
    let down = TerminalInput.key(Stroke(modifiers: [], key: "down"), text: nil)
    for _ in 0..<3 { stage.face.take(down, at: .zero) }
    expect(stage.face.panel.currentNode?.id, is: "Market")
    stage.settle()
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Old pier Harbour Market\"")
    expect(stage.picture.contains("✓ Market"))
    try stage.press("end")
    expect(stage.face.panel.currentNode?.id, is: "Empty")
    try stage.press("home")
    expect(stage.face.panel.currentNode?.id, is: "Harbour")
  }

  @Test(
    "X5: Keys right after a move act on the new row, after it has become current",
    arguments: [
      (["down", "f8"], " ✓ mark → marks Old pier"), (["down", "down", "f8"], " ✓ mark → marks Gulls"),
      (["down", "enter"], " ✓ Old pier → shows Old pier"), (["down", "down", "down", "f8"], " ✓ mark → marks Market"),
      (["down", ".", "enter"], " ✓ Rate Old pier → Old pier rated"), ([".", "end", "enter"], " ✓ Last → last"),
      (["down", ".", "esc", "f8"], " ✓ mark → marks Old pier"),
    ])
  func typedAhead(keys: [String], said: String) throws {
    let stage = try FaceStage(
      gallery + """

        function grid.on:mark() return "marks " .. tostring(self.at) end
        function grid.on:last() return "last" end
        grid.keys.f8 = "mark"
        local build = grid.build.photo
        function grid.build:photo(m, photo) build(self, m, photo) m:insert_last("root", item "Last" { "last" }) end
        """)
    try stage.press("f10 esc")
    for key in keys {
      stage.face.take(.key(Stroke(modifiers: [], key: key), text: key.count == 1 ? key : nil), at: .zero)
    }
    stage.settle()
    expect(stage.bottom, is: said)
    // The app learned only those moves that a key acted on.
    expect(stage.told("#chosen"), is: (keys[0] == "down" ? "2" : "1"))
  }

  @Test("Enter picks the current row; a disabled row shows why, and '?' explains it; a menu opens beside its row")
  func picking() throws {
    let stage = try FaceStage(gallery, columns: 70, rows: 20)
    try stage.press("enter")
    expect(stage.bottom.contains("Harbour → shows Harbour"))
    try stage.press("down down down enter")
    expect(stage.bottom.contains("✗ Market: the market is closed on Sundays"))
    try stage.press("?")
    expect(stage.picture.contains("disabled by 'grid': the market is closed on Sundays"))
    try stage.press("?")
    expect(stage.picture.contains("Keys") && stage.picture.contains("the row's own menu"))
    try stage.press("esc down down enter")
    expect(stage.picture.contains("│   Count │"))
    try stage.press("enter")
    expect(stage.bottom.contains("Count → 5"))
  }

  @Test(
    "An unbound letter goes to the row that begins with it, and more letters within a second do too; a bound one acts"
  )
  func typing() throws {
    let stage = try FaceStage(gallery)
    try stage.press("g")
    expect(stage.face.panel.currentNode?.id == "Gulls" && stage.bottom.contains("… g"))
    stage.passes(.seconds(2))
    expect(!stage.bottom.contains("… g"))
    try stage.press("p i")
    expect(stage.face.panel.currentNode?.id, is: "Old pier", "a word of it counts")
    expect(stage.bottom.contains("… pi"))
    try stage.press("z")
    expect(stage.bottom, is: " ✗ no row begins with 'piz'")
    try stage.press("e")
    expect(stage.picture.contains("Empty it?"), "what the app has bound reaches its binding")
    try stage.press("esc p i")
    stage.passes(.seconds(2))
    expect(stage.face.panel.currentNode?.id, is: "Old pier")
    try stage.press("e")
    expect(stage.picture.contains("Empty it?"), "what the app has bound is the app's")
    let signs = try FaceStage(
      "panel { item 'First' { 'go' }, item '(draft)' { 'go' }, item '- none' { 'go' }, item '# all' { 'go' } } function app.on:go() end"
    )
    for (key, title) in [("(", "(draft)"), ("-", "- none"), ("#", "# all"), ("f", "First")] {
      signs.take(.key(Stroke(modifiers: [], key: key), text: key))
      expect(signs.face.panel.currentNode?.element.title, is: title)
      signs.passes(.seconds(2))
    }
  }

  @Test("P2: A row's menu is the context menu of its section's kind, with the row's value")
  func contextMenu() throws {
    let stage = try FaceStage(gallery, columns: 60, rows: 17)
    try stage.press("down .")
    expect(stage.picture.contains("Rate Old pier"))
    try stage.press("enter")
    expect(stage.bottom.contains("Rate Old pier → Old pier rated") && stage.face.bar.open.isEmpty)
    try stage.press("menu esc shift+f10")
    expect(stage.picture.contains("Rate Old pier"))
    try stage.press("esc end menu")
    expect(stage.picture.contains("Empty: there is no menu for it"), "\(stage.picture)")
  }

  @Test(
    "The current row stays by its id through changes; if it goes, the nearest becomes current, and the app learns it")
  func changes() throws {
    let stage = try FaceStage(gallery)
    try stage.press("down down")
    expect(stage.face.panel.currentNode?.id, is: "Gulls")
    try stage.run("table.insert(photos, 1, { name = 'New', stars = 0 }) app:rebuild()")
    expect(stage.face.panel.currentNode?.id == "Gulls" && stage.face.panel.view.current == 6)
    try stage.run("table.remove(photos, 4) app:rebuild()")
    expect(stage.face.panel.currentNode?.id, is: "Market")
    try expect(stage.value("chosen[#chosen]"), is: "\"Market\"")
    try stage.run("photos = {} app:rebuild()")
    expect(stage.face.panel.currentNode?.id, is: "Empty", "what is left is near")
  }

  @Test(
    "A tick that the app moves takes the current row with it; several ticks don't, and a person's move stays")
  func ticks() throws {
    let stage = try FaceStage(
      """
      app.title = "Ticks"
      local rows, at, marked = { "a", "b", "c", "d" }, 0, {}
      panel { section "rows" {
        items = function() return rows end, id = function(row) return row end, current = "at",
        row = function(row) return item(row) { "show", args = { row = row }, state = marked[row] or row == rows[at] } end,
      } }
      function app.on:at(ctx) for index, row in ipairs(rows) do if row == ctx.row then at = index end end end
      function app.on:step() at = at % #rows + 1 end
      function app.on:none() at = 0 end
      function app.on:mark(ctx) marked[ctx.row] = true end
      function app.on:show() end
      app.keys = { right = "step", esc = "none", f2 = "mark(row: a)" }
      """)
    try stage.press("right")
    expect(stage.face.panel.currentNode?.id, is: "b", "the app goes on from the first row")
    try stage.press("right")
    expect(stage.face.panel.currentNode?.id, is: "c")
    try stage.press("esc up right")
    expect(stage.face.panel.currentNode?.id, is: "c", "the app goes on from the row that a person went to")
    try stage.press("f2")
    expect(stage.face.panel.currentNode?.id, is: "c", "a second tick is no place to be")
    let down = TerminalInput.key(Stroke(modifiers: [], key: "down"), text: nil)
    stage.face.take(.key(Stroke(modifiers: [], key: "right"), text: nil), at: .seconds(20))
    for _ in 0..<2 { stage.face.take(down, at: .seconds(20)) }
    stage.settle()
    expect(stage.face.panel.currentNode?.id, is: "d")
  }

  @Test("P9: A row's action that waits is cancelled by the next row, and the status line reports only its failure")
  func waitingChoices() throws {
    let stage = try FaceStage(
      """
      panel { section "s" { items = { "A", "B", "C" }, id = function(n) return n end, current = "show",
        row = function(n) return item(n) { "open", args = { n = n } } end } }
      app.title, app.shown = "Rows", "nothing"
      function app.on:show(ctx)
        sleep(1)
        if ctx.n == "C" then error("no C today") end
        app.shown = ctx.n
      end
      function app.on:tell() return app.shown end
      app.keys = { f5 = "tell" }
      """, clock: TestClock())
    try stage.press("down")
    let before = stage.bottom
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.bottom == before && !before.contains("A"), "\(stage.picture)")
    try stage.press("f5")
    expect(stage.bottom, is: " ✓ tell → B")
    try stage.press("up down down")
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.bottom, is: " ! C: app.lua:6: no C today", "\(stage.picture)")
  }

  @Test("P9: A row that comes back ticked becomes current")
  func tickComesBack() throws {
    let stage = try FaceStage(
      gallery + """

        function grid.on:drop(ctx)
          for _, photo in ipairs(photos) do if photo.name == self.at then ctx:remove(photos, photo) break end end
          ctx:set(self, "at", nil)
        end
        grid.keys = { f8 = "drop", f9 = "undo" }
        """, rows: 10)
    try stage.press("down f8")
    expect(stage.face.panel.currentNode?.id == "Gulls" && stage.picture.contains("✓ Gulls"), "\(stage.picture)")
    try stage.press("f9")
    expect(stage.picture.contains("✓ Old pier") && !stage.picture.contains("✓ Gulls"), "\(stage.picture)")
    expect(stage.face.panel.currentNode?.id, is: "Old pier")
  }

  @Test(
    "P9: A new row counts as newly ticked only if exactly one other row lost its tick"
  )
  func ticksThatCome() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        panel {
          item "a" { "go", id = "a", look = function() return { state = not isOff } end }, item "b" { "go", id = "b", state = true }, item "c" { "go", id = "c" },
        }
        function app.on:go() end
        isOff = false
        """, name: "app.lua")
    let rows = try require(host.panel()).children
    let shown = ShownMenus()
    shown.replacePanel([rows[0]])
    shown.apply(panel: [.insert(rows[1], parent: "root", after: "a")])
    expect(shown.ticked.isEmpty && shown.unticked.isEmpty)
    shown.replacePanel([rows[0]])
    try host.evaluate("isOff = true")
    let unticked = try require(host.panel()).children[0]
    shown.apply(panel: [.update(unticked), .insert(rows[1], parent: "root", after: "a")])
    expect(shown.ticked == ["b"] && shown.unticked == ["a"])
    shown.replacePanel([rows[0]])
    shown.apply(panel: [.update(unticked), .insert(rows[2], parent: "root", after: "a")])
    expect(shown.ticked.isEmpty)
  }

  @Test("The form of a row names the action before the row, and the button of its question names only the action")
  func formOfRow() throws {
    let stage = try FaceStage(
      """
      menubar { menu "Image" { item "Rate…" { "rate", key = "r" } } }
      panel {
        item "Harbour" { "rate", args = { photo = "Harbour" } },
        item "Pier" { "drop", args = { photo = "Pier" } },
        item "Gulls" { "move", args = { photo = "Gulls" } },
      }
      app.takes = { rate = { photo = "string", stars = "integer" }, move = { photo = "string", to = "string" } }
      function app.on:rate() end
      function app.on:move() end
      function app.on:drop() end
      app.about.drop = "Throw Away"
      app.confirm.drop = "Throw it away?"
      """)
    try stage.press("enter")
    expect(stage.picture.contains("─ Rate: Harbour ─"), "\(stage.picture)")
    try stage.press("esc down enter")
    expect(stage.picture.contains("[ Cancel ]  [ Throw Away ]"), "\(stage.picture)")
    try stage.press("esc down enter")
    expect(stage.picture.contains("─ move: Gulls ─"), "\(stage.picture)")
    try stage.press("esc r")
    expect(stage.picture.contains("─ Rate ─"), "\(stage.picture)")
  }

  @Test("Help lists many keys of one action by their modifiers, arrows first, and names the menu with Quit")
  func manyKeys() throws {
    let stage = try FaceStage(
      """
      app.title = "Moves"
      app.keys["ctrl+c"] = "copy"
      app.about.move = "Move"
      function app.on:copy() end
      function app.on:move() end
      for _, key in ipairs { "home", "right", "end", "left", "up", "down" } do
        app.keys[key] = "move(to: " .. key .. ")"
        app.keys["shift+" .. key] = "move(to: " .. key .. ", keep: true)"
      end
      """, columns: 80, rows: 24)
    try stage.press("f1")
    let lines = stage.lines.map { $0.split(separator: "│").dropFirst().first.map(String.init) ?? "" }
    expect(lines.contains { $0.contains("↑ ↓ ← → home end  Move") }, "\(stage.picture)")
    expect(lines.contains { $0.contains("shift+↑ ↓ ← →") }, "\(stage.picture)")
    expect(stage.picture.contains("ctrl+\\") && stage.picture.contains("≡, with Quit"), "\(stage.picture)")
  }

  @Test("Help shows keys that type themselves as one, and they leave no message")
  func typingKeys() throws {
    let stage = try FaceStage(
      """
      app.title = "Types"
      text = ""
      panel { section "text" { items = function() return { text } end, row = function(line) return label(line) end } }
      for letter in ("abcdefghijklmnopqrstuvwxyz"):gmatch(".") do app.keys[letter] = 'type(text: "' .. letter .. '")' end
      function app.on:type(ctx) text = text .. ctx.text end
      app.keys.f2 = "clear"
      function app.on:clear() text = "" return "cleared" end
      """, rows: 20)
    try stage.press("f2 h i")
    expect(stage.picture.contains("\n  hi") && stage.bottom.contains("ctrl+p find"), "\(stage.picture)")
    try stage.press("f1")
    expect(stage.picture.contains("a letter    type"), "\(stage.picture)")
    expect(!stage.picture.contains("the row that begins so"), "no row can be current")
  }

  @Test(
    "A single key with its own character as argument is like other keys, with a title and in the log")
  func givenItsOwn() throws {
    let stage = try FaceStage(
      "app.keys = { v = 'play(key: \"v\")' } function app.on:play(ctx) return 'played ' .. ctx.key end")
    try stage.press("v")
    expect(stage.bottom, is: " ✓ play v → played v")
    expect(stage.face.log.entries, is: [.init(text: "play v → played v", kind: .outcome)])
  }

  @Test("Help names signs that type themselves, and '?' either answers why or shows the keys")
  func helpOfSigns() throws {
    let stage = try FaceStage(
      gallery + """

        for _, key in ipairs { ".", "q", "u", "v", "x", "y" } do app.keys[key] = 'type(text: "' .. key .. '")' end
        function app.on:type() end
        """, columns: 80, rows: 24)
    try stage.press("f1")
    let picture = stage.picture
    for line in [".  ", "type .", "a letter", "type", "f1  ", "Keys and Help", "?  ", "why, of any row"] {
      expect(picture.contains(line), "\(line)\n\(picture)")
    }
    expect(stage.lines.filter { $0.contains(" ?  ") }.count, is: 1, "\(picture)")
    // All rows below a header are in its column.
    func column(_ text: String) -> Int? {
      stage.lines.lazy.compactMap { line in line.firstRange(of: text).map { String(line[..<$0.lowerBound]).count } }
        .first
    }
    expect(column("Rows") == column("enter  ") && column("Rows") == column("↑ ↓  "), "\(picture)")
  }

  @Test("X1: The palette shows the key for help, since '?' answers why if a row is current")
  func helpInPalette() throws {
    let stage = try FaceStage(gallery, columns: 80, rows: 24)
    try stage.press("ctrl+p k e y s")
    let line = stage.lines.first { $0.contains("Keys and Help") }
    expect(line?.contains(" f1 "), is: true, "\(stage.picture)")
  }

  @Test("Reload: The app learns the current row again, so that keys act on it, unless the app names a row")
  func reload() throws {
    let script =
      gallery + """

        function grid.on:mark() return "marks " .. tostring(self.at) end
        grid.keys.f8 = "mark"
        """
    let stage = try FaceStage(script)
    try stage.press("down")
    stage.reload(script + "\n-- as before")
    expect(stage.face.panel.currentNode?.id, is: "Old pier")
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Old pier\"", "the app that was read knows nothing")
    try stage.press("f8")
    expect(stage.bottom, is: " ✓ mark → marks Old pier")
    stage.reload(script + "\ngrid.at = 'Market'")
    expect(stage.face.panel.currentNode?.id, is: "Market", "the app has a row of its own")
    try expect(stage.value("#chosen"), is: "0")
    stage.reload(script + "\ntable.remove(photos, 4)")
    expect(stage.face.panel.currentNode?.id, is: "Night train", "the nearest")
    expect(stage.told("chosen[#chosen]"), is: "\"Night train\"")
  }

  @Test("P21: 'typing = false' stops letters from finding rows, until a reload changes it")
  func typingOff() throws {
    let script = "panel { typing = false, item 'Pizza' { 'go' }, item 'Quiche' { 'go' } } function app.on:go() end"
    let stage = try FaceStage(script, clock: TestClock())
    try stage.press("q")
    expect(stage.face.panel.currentNode?.element.title, is: "Pizza")
    expect(stage.bottom, is: " ✗ nothing is bound to 'q'; ctrl+c ctrl+c quits")
    try stage.host.reload(text: script.replacing("typing = false", with: "typing = true"), name: "app.lua")
    stage.face.ask("hello", for: .hello)
    stage.settle()
    try stage.press("q")
    expect(stage.face.panel.currentNode?.element.title, is: "Quiche")
  }

  @Test("P21: A bound letter reaches its binding, even among typed letters")
  func boundLetters() throws {
    let stage = try FaceStage(
      """
      count = 0
      panel { item "Abacus" { "go" }, item "Axe" { "go" } }
      app.keys.x = "count"
      function app.on:go() end
      function app.on:count() count = count + 1 end
      """)
    try stage.press("a x")
    try expect(stage.value("count"), is: "1")
  }

  @Test("P21: The palette has no rows unless their section asks for it; it has declared items")
  func paletteOfRows() throws {
    func titles(_ fields: String) throws -> [String] {
      let stage = try FaceStage(
        """
        menubar { menu "M" { section "recent" { items = { "Recent" }, row = function(n) return item(n) { "go" } end } } }
        panel {
          item "Declared" { "go" },
          section "rows" { items = { "Row" }, \(fields) row = function(n) return item(n) { "go" } end },
        }
        function app.on:go() end
        """)
      try stage.press("ctrl+p")
      let palette = try require(stage.face.over.last as? PaletteOverlay).palette
      return palette.entries.map(\.title).filter { ["Declared", "Row", "Recent"].contains($0) }
    }
    try expect(titles(""), is: ["Recent", "Declared"])
    try expect(titles("palette = true,"), is: ["Recent", "Declared", "Row"])
  }

  @Test("'q' shows how to quit if nothing binds it and no row begins with it")
  func quitting() throws {
    let stage = try FaceStage(gallery)
    try stage.press("q")
    expect(stage.bottom, is: " ✗ no row begins with 'q'; ctrl+c ctrl+c quits")
    try stage.press("q")
    expect(stage.bottom, is: " ✗ no row begins with 'qq'")
    let other = try FaceStage("menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end")
    try other.press("q")
    expect(other.bottom, is: " ✗ nothing is bound to 'q'; ctrl+c ctrl+c quits")
    let taken = try FaceStage("app.keys = { ['ctrl+c'] = 'go' } function app.on:go() end")
    try taken.press("q")
    expect(taken.bottom, is: " ✗ nothing is bound to 'q'; ctrl+\\ ≡ has Quit")
    let bound = try FaceStage(gallery + "\ngrid.keys.q = 'count'")
    try bound.press("p i q")
    expect(bound.bottom, is: " ✓ count → 5")
  }

  @Test("If no row can be current, keys for the current row do nothing", arguments: ["enter", ".", "shift+f10"])
  func noRow(key: String) throws {
    let stage = try FaceStage("panel { label 'Nothing' }")
    try stage.press(key)
    expect(stage.bottom, is: " ✗ nothing is bound to '\(key)'")
  }

  @Test("P2: A row that a script chooses becomes current unless a person moves; other faces follow")
  func chosenByScript() throws {
    let stage = try FaceStage(
      gallery + """

        app.keys = { f2 = "go(to: Gulls)", f3 = "go(to: New)" }
        function app.on:go(ctx)
          if ctx.to == "New" then photos[#photos + 1] = { name = "New", stars = 0 } app:rebuild() end
          app:choose(ctx.to)
        end
        """)
    try stage.press("f2")
    expect(stage.face.panel.currentNode?.id, is: "Gulls")
    try stage.press("f3")
    expect(stage.face.panel.currentNode?.id, is: "New", "its row came with it")
    try expect(stage.value("table.concat(chosen, ' ')"), is: "\"Harbour Gulls New\"", "each is told once")
    stage.face.take(.key(Stroke(modifiers: [], key: "home"), text: nil), at: .zero)
    stage.face.follow("Gulls")
    expect(stage.face.panel.currentNode?.id, is: "Harbour", "a person moves")
  }

  @Test(
    "A click makes a row current and a second click performs it; the wheel scrolls; the right button opens its menu")
  func mouse() throws {
    let stage = try FaceStage(gallery, columns: 60, rows: 17)
    stage.click(6, 8)
    expect(stage.face.panel.currentNode?.id == "Old pier" && stage.told("#chosen") == "1")
    stage.click(6, 8)
    expect(stage.bottom.contains("Old pier → shows Old pier"))
    stage.take(.mouse(Mouse(deed: .press(.right), row: 7, column: 8)))
    expect(stage.picture.contains("Rate Gulls"))
    let small = try FaceStage(gallery, columns: 60, rows: 8)
    expect(small.picture.contains("All photos") && small.lines[2].hasSuffix("▐"))
    small.take(.mouse(Mouse(deed: .wheel(rows: 1, columns: 0), row: 4, column: 8)))
    expect(!small.picture.contains("All photos") && !small.lines[2].hasSuffix("▐"))
    try small.press("end")
    expect(small.picture.contains("! Empty"))
    try small.press("home")
    expect(small.picture.contains("Photos"), "the header above the first row is to be seen")
  }

  @Test("The palette finds actions without an item, and rows of the panel")
  func palette() throws {
    let stage = try FaceStage(gallery, columns: 60, rows: 17)
    try stage.press("ctrl+p s e c r e t")
    expect(stage.picture.contains("Tell the secret"))
    try stage.press("enter")
    expect(stage.bottom.contains("Tell the secret → told"))
    try stage.press("ctrl+p n i g h t enter")
    expect(stage.bottom.contains("Night train → shows Night train"))
  }

  @Test("The palette finds nothing that look hides")
  func paletteHides() throws {
    let stage = try FaceStage(
      """
      function app.on:sweep() end
      function app.on:sweeper() end
      function app.look:sweeper() return { hidden = true } end
      menubar { menu "M" { item "Hidden sweep" { "sweeper" } } }
      """, columns: 60, rows: 17)
    try stage.press("ctrl+p s w e e p")
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.found.map { palette.palette.entries[$0].title }, is: ["sweep"])
  }

  @Test("A page of the palette is its visible part", arguments: [(24, 11), (40, 27)])
  func pageOfPalette(rows: Int, page: Int) throws {
    let stage = try FaceStage(
      "local all = {} for n = 1, 60 do all[n] = item('Number ' .. n) { 'go', args = { n = n } } end "
        + "menubar { menu 'M' (all) } function app.on:go() end", columns: 80, rows: rows)
    try stage.press("ctrl+p pagedown")
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.current, is: page)
    try stage.press("pageup")
    expect(palette.current, is: 0)
  }

  @Test(
    "Keys scroll a panel without rows, as they do without a panel",
    arguments: [
      ("down", "line 2"), ("pagedown", "line 6"), ("end", "line 25"), ("end down", "line 25"), ("end up", "line 24"),
      ("end pageup", "line 20"), ("end home", "line 1"), ("up", "line 1"),
    ])
  func bareText(keys: String, first: String) throws {
    let stage = try FaceStage(
      #"local lines = {} for n = 1, 30 do lines[n] = "line " .. n end panel { label(table.concat(lines, "\n")) }"#,
      columns: 40, rows: 10)
    try stage.press(keys)
    expect("\(stage.lines[2]) ".hasPrefix("  \(first) "), "\(stage.picture)")
  }

  /// Rows with texts before, between and behind them, each longer than the screen.
  private static let texts = #"""
    local function text(name) local lines = {} for n = 1, 30 do lines[n] = name .. n end return label(table.concat(lines, "\n")) end
    panel { text "before ", item "A" { "go" }, item "B" { "go" }, text "between ", item "C" { "go" }, text "behind " }
    function app.on:go() end
    """#

  @Test(
    "Home and end go to the first and last row, with the text around in sight, and then to the very end",
    arguments: [
      ("end", "between 28", "C"), ("end end", "behind 25", "C"), ("end down", "between 29", "C"),
      ("end pagedown", "behind 2", "C"), ("end end up", "behind 24", "C"), ("end home", "before 26", "A"),
      ("end home home", "before 1", "A"), ("end home up", "before 25", "A"), ("end home pageup", "before 21", "A"),
    ])
  func textAtEnds(keys: String, first: String, current: String) throws {
    let stage = try FaceStage(Self.texts, columns: 40, rows: 10)
    try stage.press(keys)
    expect("\(stage.lines[2]) ".hasPrefix("  \(first) "), "\(stage.picture)")
    expect(stage.face.panel.currentNode?.id, is: current)
  }

  @Test(
    "All text between rows is visible on the way through a panel",
    arguments: [(["down", "up"], true), (["pagedown", "pageup"], false)])
  func textOnTheWay(keys: [String], goesToEach: Bool) throws {
    let stage = try FaceStage(Self.texts, columns: 40, rows: 10)
    for (key, order) in zip(keys, [["A", "B", "C"], ["C", "B", "A"]]) {
      var (seen, rows) = (Set<Substring>(), [String]())
      for _ in 0..<120 {
        seen.formUnion(stage.lines.map { $0.drop { $0 == " " }.prefix { $0 != "▐" } })
        try stage.press(key)
        if let id = stage.face.panel.currentNode?.id, rows.last != id { rows.append(id) }
      }
      let words = Set(seen.map { $0.split(separator: " ").joined(separator: " ") })
      for text in ["before", "between", "behind"] {
        let missing = (1...30).filter { !words.contains("\(text) \($0)") }
        expect(missing.isEmpty, "\(key): \(text) \(missing)")
      }
      if goesToEach { expect(rows, is: order) }
    }
  }

  @Test("The wheel can leave the current row behind: a key still goes on from it")
  func wheelAndKeys() throws {
    let stage = try FaceStage(gallery)
    try stage.run("for n = 1, 100 do photos[n] = { name = 'Photo ' .. n, stars = 0 } end app:rebuild()")
    for _ in 0..<10 { stage.take(.mouse(Mouse(deed: .wheel(rows: 1, columns: 0), row: 4, column: 8))) }
    func shows(_ title: String) -> Bool { stage.lines.contains { $0.prefix { $0 != "▐" }.hasTitle(title) } }
    expect(!shows("Photo 1") && (2...100).contains { shows("Photo \($0)") }, "\(stage.picture)")
    try stage.press("down")
    expect(stage.face.panel.currentNode?.id == "Photo 2" && shows("Photo 2"), "\(stage.picture)")
  }

  @Test("A title or a reason is cut only if its row has no room; otherwise columns are aligned")
  func ownRoom() throws {
    let script = """
      panel {
        item "Smells Like Teen Spirit (remastered 2021 deluxe edition)" { "play" }, item "Gulls" { "export" },
        item "Tern" { "play", subtitle = "a bird", key = "t" },
      }
      function app.on:play() end function app.on:export() end
      function app.can:export() return false, "select a photo first" end
      """
    func rows(columns: Int) throws -> String {
      let stage = try FaceStage(script, columns: columns, rows: 8)
      return stage.lines[2...4].joined(separator: "\n")
    }
    try expect(
      rows(columns: 80),
      is: """
             Smells Like Teen Spirit (remastered 2021 deluxe edition)
             Gulls                                             select a photo first
             Tern                                              a bird                t
        """)
    try expect(
      rows(columns: 60),
      is: """
             Smells Like Teen Spirit (remastered 2021 deluxe edit…
             Gulls                            select a photo first
             Tern                               a bird           t
        """)
    try expect(
      rows(columns: 32),
      is: """
             Smells Like Teen Spirit …
             Gulls  select a photo fi…
             Tern            a bird  t
        """)
  }

  @Test("X8: Ten thousand rows work as a panel like any other, at the cost of the visible rows")
  func many() throws {
    // On a busy machine a second may be too short for this many rows.
    let stage = try FaceStage(gallery, limits: HostLimits(load: .milliseconds(60_000), perform: .milliseconds(60_000)))
    try stage.run("for n = 1, 10000 do photos[n] = { name = 'Photo ' .. n, stars = 0 } end app:rebuild()")
    try stage.press("pagedown")
    expect(stage.face.panel.currentNode?.id, is: "Photo 10", "\(stage.face.log.entries)")
    try stage.press("end")
    expect(stage.picture.contains("! Empty"))
    try stage.run("photos[5000].stars = 3 app:rebuild()")
    expect(stage.face.panel.currentNode?.id, is: "Empty")
  }

  private static let longList = """
    rows, asked, current = {}, 0, "-"
    for n = 1, 2000 do rows[n] = n end
    menubar { menu "File" { item "Skip" { "skip" } } }
    panel { section "rows" { current = "went", palette = true,
      items = function() return rows end, id = function(n) return "r" .. n end,
      row = function(n) return item((n == 1500 and "Zebra " or "Row ") .. n) { "open", args = { n = n } } end } }
    function app.can:open(ctx) asked = asked + 1 return ctx.n % 2 == 0, "it is odd" end
    function app.on:open(ctx) return ctx.n end
    function app.on:went(ctx) current = ctx.n end
    function app.on:skip() app:choose("r1000") end
    """

  @Test("P22: The face requests only the rows in sight and some around them, and keys go through the whole list")
  func longList() throws {
    let stage = try FaceStage(Self.longList)
    expect((1...300).contains(Int(stage.told("asked")) ?? 0), "\(stage.told("asked"))")
    try stage.run("asked = 0")
    try stage.press("down")
    expect(stage.told("current") == "2" && (1...300).contains(Int(stage.told("asked")) ?? 0), "\(stage.told("asked"))")
    for _ in 0..<30 { try stage.press("pagedown") }
    expect(stage.face.panel.currentNode?.id == "r272" && stage.picture.contains("Row 272"))
    try stage.press("end")
    expect(stage.face.panel.currentNode?.id == "r2000" && stage.picture.contains("Row 1999"))
    try stage.press("up")
    try expect(stage.picture.contains("Row 1999  it is odd") && stage.value("current") == "1999")
    try stage.press("home")
    expect(stage.face.panel.currentNode?.id == "r1" && stage.lines[2].contains("Row 1"))
    try stage.rush("pagedown pagedown end up up")
    expect(stage.told("current"), is: "1998")
    expect(stage.picture.contains("Row 1998"))
  }

  @Test("Many keys in one read go as far through a long list as one by one")
  func rushThroughLongList() throws {
    let stage = try FaceStage(Self.longList)
    let inputs = try FaceStage.inputs("down")
    for _ in 0..<400 { stage.face.take(inputs[0], at: .zero) }
    stage.settle()
    try expect(stage.value("current") == "401" && stage.picture.contains("Row 401"))
    try stage.rush("pageup pageup pageup pageup pageup pageup pageup pageup pageup pageup")
    try expect(stage.value("current"), is: "311")
  }

  @Test("Letters find a row of a long list out of sight, and a row that a script chooses comes into sight")
  func farRows() throws {
    let stage = try FaceStage(Self.longList)
    try stage.press("z")
    try expect(stage.value("current") == "1500" && stage.picture.contains("Zebra 1500"))
    stage.passes(.seconds(2))
    try stage.press("x")
    expect(stage.bottom.contains("no row begins with 'x'"))
    stage.passes(.seconds(20))
    try stage.press("f10 enter")
    expect(stage.face.panel.currentNode?.id == "r1000" && stage.picture.contains("Row 1000"))
  }

  @Test("The current row of a long list can be out of sight: the wheel leaves it, and a key goes on from it")
  func wheelThroughLongList() throws {
    let stage = try FaceStage(Self.longList)
    try stage.press("down")
    for _ in 0..<200 { stage.take(.mouse(Mouse(deed: .wheel(rows: 1, columns: 0), row: 5, column: 5))) }
    expect(stage.picture.contains("Row 601") && stage.face.panel.currentNode?.id == "r2")
    try stage.press("down")
    expect(stage.told("current"), is: "3")
    expect(stage.picture.contains("Row 3 "))
  }

  @Test("The palette finds every row of a long list")
  func paletteOfLongList() throws {
    let stage = try FaceStage(Self.longList)
    try stage.press("ctrl+p z e b r a")
    expect(stage.picture.contains("Zebra 1500"))
    try stage.press("esc down")
    try expect(stage.value("current"), is: "2")
    expect(stage.face.menus.panel.children.count <= 300)
  }

  @Test("Rows that look hides leave no gap in a long list")
  func hiddenInLongList() throws {
    let stage = try FaceStage(
      Self.longList + "\nfunction app.look:open(ctx) return { hidden = ctx.n % 100 ~= 0 } end")
    expect(stage.lines[2].contains("Row 100") && stage.lines[3].contains("Row 200"))
    try stage.press("down down down")
    try expect(stage.value("current"), is: "400")
    try stage.press("end")
    try expect(stage.value("current") == "2000" && stage.picture.contains("Row 1900"))
  }

  @Test("A reload that removes the panel shows the possible actions instead")
  func gone() throws {
    let stage = try FaceStage(gallery)
    try stage.press("down")
    try stage.host.reload(
      text: "app.title = 'Plain'\nmenubar { menu 'A' { item 'B' { 'b' } } }\nfunction app.on:b() end", name: "app.lua")
    try stage.press("right")
    expect(stage.face.panel.isEmpty && stage.picture.contains("B  ") && !stage.picture.contains("Harbour"))
  }

  @Test("U11: If a running action blocks another, the status line offers to cancel it")
  func lock() throws {
    let stage = try FaceStage(
      """
      app.undo = true
      menubar { menu "M" { item "Work" { "work", key = "w" }, item "Undo" { "undo", key = "u" } } }
      function app.on:work(ctx) ctx:undo("Work", function() end) progress(0.5) sleep(10) end
      """)
    try stage.press("w u")
    expect(stage.picture.contains("✗ Undo") && stage.bottom.contains("esc esc cancels Work"))
    try stage.press("esc esc")
    expect(stage.face.jobs.isEmpty)
  }
}

extension Substring {
  /// Whether the last words of a line are a title.
  fileprivate func hasTitle(_ title: String) -> Bool {
    let words = title.split(separator: " ")
    return split(separator: " ").suffix(words.count).elementsEqual(words)
  }
}
