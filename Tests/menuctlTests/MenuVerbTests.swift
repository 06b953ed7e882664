import Expectations
import Testing

private let script = """
  app.title = "Photos"
  menubar {
    menu "Image" {
      item "★★★" { "rate(rating: 3)", key = "3" },
      item "星を消す" { "rate(rating: 0)", id = "clear" },
      separator,
      menu "Export" { item "As JPEG…" { "export(format: jpeg)", key = "ctrl+e" } },
      label "the end",
    },
    menu "File" { item "Delete" { "delete", confirm = "Sure?", destructive = true } },
  }
  grid = responder "grid"
  function grid:provide(ctx) ctx.photo = self.selection end
  function grid.on:rate(ctx) ctx:set(ctx.photo, "rating", ctx.rating, "Rate") return ctx.rating end
  function grid.can:rate(ctx) return ctx.photo ~= nil, "select a photo first" end
  function grid.look:rate(ctx) return { state = ctx.photo and ctx.photo.rating == ctx.rating } end
  function grid.on:choose() self.selection = { rating = 3 } end
  function grid.on:delete() return "gone" end
  focus(grid)
  """

@Test("load, menu, pick, validate and why show the current menus", arguments: cases)
func menus(_ toolCase: ToolCase) throws { try toolCase.check() }

private let panes = """
  panel { stack {
    pane "p" { key = "4", title = "Numbers", section "s" { count = 1000, value = function(i) return i end,
      id = function(i) return "n" .. i end, row = function(i) return item("Row " .. i) { "open" } end,
      index = function(id) return math.tointeger(tonumber(id:match "^n(%d+)$")) end } },
    pane "q" { item "One" { "open", id = "one" }, item "both" { "open", id = "both" } },
    text "t" { key = "5", lines = "a" },
    pane "r" { item "both" { "open", id = "both" }, menu "branch" { item "leaf" { "open" } } } } }
  menubar { menu "M" { item "Five" { "open", key = "5" } } }
  function app.on:open() return "opened" end
  """

@Test(
  "P8, P9, P12: A row's id alone names it on the command line, and panes' keys are keys",
  arguments: [
    ToolCase(
      name: "one pane", words: ["pick", "-", "one"], script: panes, out: "handled by app → \"opened\"\n"),
    ToolCase(
      name: "index", words: ["pick", "-", "n777"], script: panes, out: "handled by app → \"opened\"\n"),
    ToolCase(name: "a branch", words: ["pick", "-", "r/branch"], script: panes, out: "handled\n  + r/branch/leaf\n"),
    ToolCase(name: "menu", words: ["menu", "-", "p/n777"], script: panes, out: "✓   Row 777  open  #p/n777\n"),
    ToolCase(
      name: "several panes", words: ["pick", "-", "both"], script: panes, status: 64,
      err: "menuctl: error: several panes have a row 'both': write 'q/both' or 'r/both'\n"),
    ToolCase(
      name: "why of several panes", words: ["why", "-", "both"], script: panes, status: 64,
      err: "menuctl: error: several panes have a row 'both': write 'q/both' or 'r/both'\n"),
    ToolCase(
      name: "several panes validated", words: ["validate", "-", "both"], script: panes, status: 64,
      err: "menuctl: error: several panes have a row 'both': write 'q/both' or 'r/both'\n"),
    ToolCase(
      name: "nobody", words: ["menu", "-", "n7777"], script: panes, status: 64,
      err: "menuctl: error: there is no element 'n7777'\n"),
    ToolCase(
      name: "keys", words: ["keys", "-"], script: panes,
      out: """
        ✓ 5  open     item M/Five
        ✓ 4  focus p  pane p  “Numbers”
        ✗ 5  focus t  pane t  'M/Five' is asked first

        """),
    ToolCase(
      name: "why a key", words: ["why", "-", "4"], script: panes,
      out: "enabled: 'p' takes it\n  p: key 4 → gives the focus to this pane (stdin:2)\n"),
    ToolCase(
      name: "a row is validated", words: ["validate", "-", "n777", "one"], script: panes,
      out: "✓ p/n777  enabled by app\n✓ q/one   enabled by app\n"),
  ])
func rowsAndKeys(_ toolCase: ToolCase) throws { try toolCase.check() }

private let imageMenu = """
  Image
    ✗   ★★★         3       rate(rating: 3)       select a photo first
    ✗   星を消す            rate(rating: 0)       select a photo first  #clear
    ─────
        Export ▸
      ✗   As JPEG…  ctrl+e  export(format: jpeg)  nobody handles 'export'
        the end
  """

@Test("Elements from modules are shown like others")
func modules() throws {
  let folder = try ScriptFolder([
    "app.lua": "menubar { require 'menus.edit', menu 'Go' { require 'menus.places' } } function app.on:go() end",
    "menus/edit.lua": "return menu 'Edit' { item 'Cut' { 'go' } }",
    "menus/places.lua":
      "return section 'places' { items = { 1, 2 }, row = function(n) return item('Place ' .. n) { 'go' } end }",
  ])
  let run = try Program.menuctl(["menu", "app.lua"], folder: folder.path)
  expect(
    run, is: Run(status: 0, out: "Edit\n  ✓   Cut  go\n\nGo\n  ✓   Place 1  go\n  ✓   Place 2  go\n", err: ""))
}

private let cases: [ToolCase] = [
  ToolCase(
    name: "load", words: ["load", "-"], script: script,
    out: """
      Photos (stdin)

      chain: grid (focus) → app

      \(imageMenu)

      File
        ✓   Delete  delete  destructive

      4 items, 1 can be done now

      """),
  ToolCase(name: "one menu", words: ["menu", "-", "Image"], script: script, out: imageMenu + "\n"),
  ToolCase(
    name: "a menu that isn't there", words: ["menu", "-", "Image/Exprot"], script: script, status: 64,
    err: "menuctl: error: there is no element 'Image/Exprot'; did you mean 'Image/Export'?\n"),
  ToolCase(
    name: "a menu by its last title alone", words: ["pick", "-", "Delete"], script: script, status: 64,
    err: "menuctl: error: there is no element 'Delete'; did you mean 'File/Delete'?\n"),
  ToolCase(
    name: "what an action changes", words: ["perform", "-", "choose"], script: script,
    out: """
      handled by grid
        Image/★★★ off → on, disabled → enabled
        clear disabled → enabled

      """),
  ToolCase(
    name: "what is drawn disabled is not done", words: ["pick", "-", "clear"], script: script, status: 1,
    out: "disabled by grid: select a photo first\n"),
  ToolCase(
    name: "one that asks first, without an answer", words: ["pick", "-", "File/Delete"], script: script, status: 1,
    out: "asks by grid: Sure?\n",
    err:
      "help: there is no terminal to ask on; '--yes' says yes\n"
  ),
  ToolCase(
    name: "one that asks first, with --yes", words: ["pick", "-", "File/Delete", "--yes"], script: script,
    out: "handled by grid → \"gone\"\n"),
  ToolCase(
    name: "an item that isn't there", words: ["pick", "-", "cleer"], script: script, status: 64,
    err: "menuctl: error: there is no element 'cleer'; did you mean 'clear'?\n"),
  ToolCase(
    name: "performs and picks in order",
    words: ["load", "-", "--pick", "clear", "--perform", "choose", "--pick", "clear"],
    script: script, status: 1,
    out: """
      clear: disabled by grid: select a photo first
      choose: handled by grid
      clear: handled by grid → 0

      Photos (stdin)

      chain: grid (focus) → app

      Image
        ✓   ★★★         3       rate(rating: 3)
        ✓ • 星を消す            rate(rating: 0)       #clear
        ─────
            Export ▸
          ✗   As JPEG…  ctrl+e  export(format: jpeg)  nobody handles 'export'
            the end

      File
        ✓   Delete  delete  destructive

      4 items, 3 can be done now

      """),
  ToolCase(
    name: "every item", words: ["validate", "-"], script: script,
    out: """
      ✗ Image/★★★              disabled by grid: select a photo first
      ✗ clear                  disabled by grid: select a photo first
      ✗ Image/Export/As JPEG…  disabled: nobody handles 'export'
      ✓ File/Delete            enabled by grid (destructive)

      """),
  ToolCase(
    name: "items and actions", words: ["validate", "-", "clear", "choose"], script: script, status: 1,
    out: """
      ✗ clear   disabled by grid: select a photo first
      ✓ choose  enabled by grid

      """),
  ToolCase(
    name: "why an item", words: ["why", "-", "clear"], script: script,
    out: """
      disabled by 'grid': select a photo first
        grid: on rate → takes it (stdin:14)
        grid: can rate → no: select a photo first (stdin:15)
        grid: look rate → yes (stdin:16)
        key 'photo': missing; could come from 'grid'

      """),
  ToolCase(
    name: "an id that is meant for a reference", words: ["why", "-", "clear", "--as", "ref"], script: script,
    out: """
      disabled: nobody handles 'clear'
        grid: on clear → doesn't answer
        app: on clear → doesn't answer

      """),
  ToolCase(
    name: "a picked item as JSON", words: ["pick", "-", "File/Delete", "--yes", "--json"], script: script,
    out: """
      {"menuctl": 1, "ok": true, "action": "File/Delete", "status": "handled", "by": "grid", "via": "on", "result": "gone", "changes": []}

      """),
  ToolCase(
    name: "a menu as JSON", words: ["menu", "-", "File", "--json"], script: script,
    out: """
      {"menuctl": 1, "ok": true, "menus": [{"kind": "menu", "id": "File", "title": "File", "enabled": true, "hidden": false, "children": [{"kind": "item", "id": "File/Delete", "title": "Delete", "action": "delete", "args": {}, "enabled": true, "hidden": false, "state": "off", "by": "grid", "destructive": true, "confirm": "Sure?"}]}]}

      """),
]

@Test(
  "One long reason removes no row's action: the reason is cut",
  .enabled(if: Program.hasTerminals, "there are no terminals here"))
func longReason() throws {
  let folder = try ScriptFolder([
    "app.lua": """
    menubar { menu "Speak" { item "Greet" { "greet" }, item "Curse" { "curse" } } }
    local parrot = responder "parrot"
    parrot.claims = { "greet" }
    function parrot:unknown(ctx) return ctx.action .. "!" end
    focus(parrot)
    """
  ])
  let tool = "\(Program.folder)/menuctl menu \(folder.path)/app.lua --color never"
  let run = try Program.shell("sh", "script -qec 'stty cols 80; \(tool)' /dev/null </dev/null")
  expect(
    run.out.split(whereSeparator: \.isNewline),
    is: [
      "Speak", "  ✓   Greet  greet",
      "  ✗   Curse  curse  nobody handles 'curse' but the catch-all of 'parrot', which…",
    ])
}

@Test(
  "In a narrow terminal a menu omits the actions first, then shows the reasons below",
  .enabled(if: Program.hasTerminals, "there are no terminals here"))
func narrow() throws {
  func menu(columns: Int) throws -> [Substring] {
    let tool = "'\(Program.folder)/menuctl' menu \(Project.folder)/scripts/photos --color never"
    let run = try Program.shell(
      "sh", "script -qec 'stty cols \(columns); \(tool.replacing("'", with: ""))' /dev/null </dev/null")
    expect(run.status, is: 0, "\(run)")
    return run.out.split(whereSeparator: \.isNewline)
  }
  let wide = try menu(columns: 200)
  expect(wide.contains { $0.contains("rate(rating: 5)") })
  for columns in [60, 40] {
    let lines = try menu(columns: columns)
    expect(lines.count >= wide.count && lines.allSatisfy { $0.count <= columns }, "\(columns): \(lines)")
    expect(!lines.contains { $0.contains("rate(rating: 5)") })
  }
}
