import Expectations
import ScriptHost
import Testing

@testable import Terminal

/// An app with many kinds of menu items.
let stars = """
  app.title = "Stars"
  state = { stars = 3 }
  menubar {
    menu "Image" {
      item "Rate" { "rate(stars: 5)", key = "r" },
      item "Clear" { "rate(stars: 0)", key = "g c" },
      separator,
      menu "Export" { item "As JPEG" { "export" }, item "As PNG" { "export", subtitle = "big" } },
      item "Delete" { "delete", key = "delete", destructive = true, confirm = "Delete it for good?" },
    },
    menu "Go" { item "Next" { "next", key = "right" }, item "Stay" { "next", keeps_open = true } },
  }
  local list = responder "list"
  list.keys = { esc = "deselect", ["g g"] = "top", ["ctrl+l"] = "own" }
  function list:provide(ctx) ctx.photo = state.photo end
  list.needs.export = { photo = "select a photo first" }
  function list.on:export() return "done" end
  function list.on:rate(ctx) state.stars = ctx.stars return ctx.stars .. " stars" end
  function list.can:rate(ctx) return state.stars ~= ctx.stars, "it has so many" end
  function list.look:rate(ctx) return { state = state.stars == ctx.stars } end
  function list.on:delete() state.deleted = true return "gone" end
  list.on["next"] = function() state.photo = "Gulls" return state.photo end
  function list.on:deselect() state.photo = nil end
  function list.on:top() return "top" end
  function list.on:own() return "own" end
  function list.on:fails() error("broken") end
  focus(list)
  """

@Suite("The face: menus") struct FaceMenuTests {
  @Test(
    "The bar, possible actions by responder, disabled actions with their reasons; the status line shows how to begin")
  func begin() throws {
    let stage = try FaceStage(stars)
    expect(
      stage.picture,
      is: """
         Image  Go                                         Stars  ≡

          list
            r         Rate             Image
            g c       Clear            Image
                      As JPEG          select a photo first
                      As PNG           select a photo first
            delete  ! Delete           Image
            right     Next             Go
                      Stay             Go



         f10 menus   ctrl+p find   ? keys
        """)
  }

  @Test("In the body a title is whole if its row has room")
  func longTitle() throws {
    let long = "Smells Like Teen Spirit (remastered 2021 deluxe edition)"
    let stage = try FaceStage(
      "menubar { menu 'M' { item '\(long)' { 'play' }, item 'Gulls' { 'play' } } } function app.on:play() end",
      columns: 80)
    expect(stage.picture.contains("\(long)  M\n") && stage.picture.contains("Gulls     "), "\(stage.picture)")
  }

  @Test("A disabled item shows its reason in its row, and in the status line when picked; the menu stays open")
  func disabled() throws {
    let stage = try FaceStage(stars)
    try stage.press("f10 e")
    expect(
      stage.picture,
      is: """
         Image  Go                                         Stars  ≡
        ┌──────────────────┐
        │   Rate         r │
        │   Clear      g c │           Image
        ├──────────────────┼──────────────────────────────────────┐
        │   Export       ▸ │   As JPEG  select a photo first      │
        │ ! Delete  delete │   As PNG   big  select a photo first │
        └──────────────────┴──────────────────────────────────────┘
            right     Next             Go
                      Stay             Go



         enter does it   ? why   esc closes
        """)
    try stage.press("enter")
    expect(stage.bottom, is: " ✗ As JPEG: select a photo first")
    expect(stage.face.bar.open.count, is: 2)
  }

  @Test("An action that only a responder outside the chain handles is 'not here', after its subtitle; why names it")
  func notHere() throws {
    let stage = try FaceStage(
      """
      menubar { menu "File" { item "Edit" { "edit", subtitle = "the text" } } }
      local files = responder "files"
      function files.on:edit() end
      """)
    try stage.press("f10")
    expect(stage.picture.contains("Edit  the text  not here "), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom, is: " ✗ Edit: not here")
    try stage.press("?")
    expect(stage.picture.contains("'files' does"), "\(stage.picture)")
  }

  @Test(
    "A key for an action that only a responder outside the chain handles is 'not here' too",
    arguments: ["e", "x", "ctrl+p e d i t enter"])
  func notHereByKey(keys: String) throws {
    let stage = try FaceStage(
      """
      menubar { menu "File" { item "Edit" { "edit", key = "e" } } }
      app.keys.x = "edit"
      local files = responder "files"
      function files.on:edit() end
      """)
    try stage.press(keys)
    expect(stage.bottom, is: " ✗ Edit: not here")
    expect(stage.face.log.entries.map(\.text), is: (keys.count > 1 ? [] : ["Edit: not here"]))
  }

  private static let withoutPanel = """
    menubar { menu "File" { item "Open" { "open" }, item "Save" { "save" } }, menu "Edit" { item "Undo all" { "clear" } } }
    function app.on:open() end function app.on:save() end function app.on:clear() end
    """

  @Test(
    "Without a panel ↓ and enter open the first menu if nothing can scroll", arguments: ["down", "enter"])
  func opensFirst(_ key: String) throws {
    let stage = try FaceStage(Self.withoutPanel)
    try stage.press(key)
    expect(stage.face.bar.open.count == 1 && stage.face.openPlace == 0, "\(stage.picture)")
    try stage.press("down enter")
    expect(stage.bottom, is: " ✓ Save", "\(stage.picture)")
  }

  @Test("Without a panel ↓ scrolls a body that is longer than the screen, and enter is the app's if bound")
  func opensNothing() throws {
    let small = try FaceStage(Self.withoutPanel, rows: 7)
    try small.press("down")
    expect(small.face.bar.open.isEmpty, "\(small.picture)")
    let bound = try FaceStage(Self.withoutPanel + "\napp.keys = { enter = 'save' }")
    try bound.press("enter")
    expect(bound.face.bar.open.isEmpty && bound.bottom == " ✓ Save", "\(bound.picture)")
  }

  @Test("Without menus and panel enter opens the palette, which has the possible actions")
  func opensPalette() throws {
    let stage = try FaceStage("function app.on:open() return 'opened' end")
    try stage.press("enter")
    expect(stage.face.over.last is PaletteOverlay, "\(stage.picture)")
  }

  @Test("A box shows how to scroll only if it can scroll")
  func scrolls() throws {
    let stage = try FaceStage(Self.withoutPanel + "\nfunction app.on:tell() for i = 1, 40 do print(i) end end")
    try stage.press("ctrl+l")
    expect(stage.bottom, is: " esc closes", "\(stage.picture)")
    try stage.press("esc").run("app:perform('tell')")
    try stage.press("ctrl+l")
    expect(stage.bottom, is: " ↑ ↓ scroll   esc closes", "\(stage.picture)")
  }

  @Test("Without a panel, items that nobody in the chain handles are below a readable header")
  func body() throws {
    let stage = try FaceStage(
      """
      menubar { menu "File" { item "Edit" { "edit" }, item "Open" { "open" }, item "Bad" { "bad" } } }
      local files = responder "files"
      function files.on:edit() end
      function app.on:open() end
      """)
    expect(
      stage.lines[2..<10].joined(separator: "\n"),
      is: """
          app
              Open               File

          not here
              Edit

          can't be done
              Bad                nobody handles 'bad'
        """)
  }

  @Test("During a modal session no row shows it, though each is disabled; a picked row does")
  func modal() throws {
    let stage = try FaceStage(
      """
      menubar { menu "File" { item "Save" { "save", subtitle = "the page" }, item "Print" { "print" } } }
      panel { item "One" { "save" } }
      function app.on:save() end
      function app.on:print() end
      local box = responder "box"
      app.keys.o = "open"
      function app.on:open() modal(box) end
      """)
    try stage.press("o f10")
    expect(!stage.picture.contains("session"), "\(stage.picture)")
    expect(stage.picture.contains("Save   the page "), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.picture.contains(" ✗ Save: a modal session on 'box' is open"), "\(stage.picture)")
  }

  @Test(
    "A pick performs the item, and the status line shows the outcome; the menu closes unless the item keeps it open"
  )
  func pick() throws {
    let stage = try FaceStage(stars)
    try stage.press("f10 enter")
    expect(stage.bottom, is: " ✓ Rate → 5 stars")
    expect(stage.face.bar.open.isEmpty)
    try stage.press("alt+g s")
    expect(stage.bottom, is: " ✓ Stay → Gulls")
    expect(stage.face.bar.open.count, is: 1)
    expect(stage.face.bar.open[0].currentRow?.title, is: "Stay")
  }

  @Test(
    "Keys move through menus",
    arguments: [
      ("f10", "Image: Rate"), ("f10 down", "Image: Clear"), ("f10 down down", "Image: Export"),
      ("f10 up", "Image: Delete"),
      ("f10 down down right", "Image/Export: As JPEG"), ("f10 down down enter", "Image/Export: As JPEG"),
      ("f10 down down right left", "Image: Export"), ("f10 right", "Go: Next"), ("f10 left", "≡: Find a Command"),
      ("f10 right right right", "Image: Rate"), ("f10 end", "Image: Delete"), ("f10 end home", "Image: Rate"),
      ("alt+g", "Go: Next"), ("f10 alt+g", "Go: Next"), ("f10 esc", ""), ("f10 down down right esc", "Image: Export"),
      ("f10 f10", ""), ("f10 e", "Image/Export: As JPEG"), ("f10 pagedown", "Image: Delete"), ("f10 x", "Image: Rate"),
    ])
  func moving(keys: String, at: String) throws {
    let stage = try FaceStage(stars)
    try stage.press(keys)
    let path = stage.face.bar.open.map { menu in
      switch menu.source {
      case .app(let id), .contextMenu(let id): id
      case .own: "≡"
      case .context: "·"
      }
    }
    expect((path.last.map { "\($0): \(stage.face.bar.open.last?.currentRow?.title ?? "")" } ?? "") == at)
  }

  @Test(
    "X8: A change below an open menu shows at once; the current row stays by its id, or the nearest becomes current"
  )
  func changes() throws {
    let stage = try FaceStage(
      """
      rows = { "a", "b", "c" }
      menubar { menu "M" { section "s" {
        items = function() return rows end, id = function(row) return row end,
        row = function(row) return item(row) { "go" } end,
      } }, menu "N" { item "x" { "go" } } }
      app.on.go = function() end
      """)
    try stage.press("f10 down")
    expect(stage.face.bar.open[0].currentRow?.title, is: "b")
    try stage.run("rows = { 'x', 'y', 'a', 'b', 'c' }")
    expect(stage.face.bar.open[0].currentRow?.title, is: "b")
    expect(stage.face.bar.open[0].view.current, is: 3)
    try stage.run("rows = { 'x', 'y', 'a', 'c' }")
    expect(stage.face.bar.open[0].currentRow?.title, is: "c")
    try stage.run("rows = {}")
    expect(stage.face.bar.open[0].currentRow, is: nil)
    try stage.press("enter down")
    try stage.run("rows = { 'z' }")
    try stage.press("down")
    expect(stage.face.bar.open[0].currentRow?.title, is: "z")
  }

  @Test("No open menu covers another; if not all fit, the top line shows the path of menus")
  func deep() throws {
    let script = """
      menubar { menu "File" { item "Open" { "open" }, menu "Recent documents" { item "One" { "open" }, menu "Older documents" {
        item "Two" { "open" }, menu "Still older ones" { item "Three" { "open" }, menu "The oldest" { item "Four" { "open" } } } } } } }
      function app.on:open() end
      """
    let stage = try FaceStage(script)
    for columns in [20, 40, 60, 80, 120] {
      (stage.face.columns, stage.face.rows) = (columns, 14)
      try stage.press("esc esc esc esc esc esc f10")
      for keys in ["down right", "down right", "down right", "down right"] {
        try stage.press(keys)
        _ = stage.face.draw()
        let areas = stage.face.bar.areas.filter { !$0.isEmpty }
        expect(stage.face.bar.areas.last?.isEmpty, is: false)
        for (index, area) in areas.enumerated() {
          for other in areas[..<index] {
            let common = area.common(with: other)
            expect(common.rows == 0 || common.columns <= 1, "\(columns)\n\(stage.picture)")
          }
        }
      }
    }
    (stage.face.columns, stage.face.rows) = (60, 14)
    expect(stage.lines[1].contains("┌─ … › Older documents ─"), "\(stage.picture)")
    try stage.press("left left left")
    expect(
      stage.picture.hasPrefix(
        """
         File                                                     ≡
        ┌───────────────────────┐
        │   Open                ├──────────────────────┐
        │   Recent documents  ▸ │   One                │
        └───────────────────────┤   Older documents  ▸ │
        """), "\(stage.picture)")
  }

  @Test("One key shows why an action is disabled, with the lines of the script")
  func why() throws {
    let stage = try FaceStage(stars)
    try stage.press("f10 e ?")
    expect(stage.picture.contains("│ disabled by 'list': select a photo first"))
    expect(stage.picture.contains("needs export → no: select a photo first"))
    expect(stage.picture.contains("list: on export → takes it (app.lua:"))
    try stage.press("esc")
    expect(stage.face.over.isEmpty && stage.face.bar.open.count == 2)
  }

  @Test("X2: At any size, with anything open, the face draws only inside the screen and doesn't trap")
  func anySize() throws {
    let stage = try FaceStage(stars)
    for keys in ["", "f10", "f10 e", "f10 e ?", "ctrl+p", "?", "f12", "delete", "g"] {
      try stage.press("esc esc")
      if !keys.isEmpty { try stage.press(keys) }
      for (columns, rows) in [(1, 1), (2, 3), (5, 2), (20, 6), (40, 10), (80, 24), (500, 200), (0, 0), (3, 60)] {
        (stage.face.columns, stage.face.rows) = (columns, rows)
        expect(stage.face.draw().cells.count, is: columns * rows)
      }
      (stage.face.columns, stage.face.rows) = (60, 14)
      try stage.press("esc esc esc")
    }
  }

  @Test(
    "E6: The face opens what the script requests for it: the palette, a menu, or a form that performs the action"
  )
  func wishes() throws {
    let stage = try FaceStage(
      """
      menubar { menu "View" { item "Zoom" { "zoom" } }, menu "Go" { item "Home" { "home" } } }
      function app.on:zoom() end
      function app.on:home() end
      function app.on:find() return open_palette() end
      function app.on:show() return open_menu("View") end
      width = 0
      app.takes.resize = { width = "integer" }
      function app.on:resize(ctx) width = ctx.width end
      function app.on:wide() return open_form("resize") end
      app.keys = { f5 = "find", f6 = "show", f7 = "wide" }
      """, columns: 70, rows: 14)
    try stage.press("f6")
    expect(stage.picture.contains("Zoom"))
    try stage.press("escape f5")
    expect(stage.picture.contains("Zoom") && stage.picture.contains("Home"))
    try stage.press("escape f7 7 enter")
    expect(stage.told("width"), is: "7")
  }
}
