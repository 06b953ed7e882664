import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: arguments of actions") struct FacePromptTests {
  private static let app = """
    app.title = "Asks"
    menubar { menu "M" {
      item "Rate" { "rate", key = "r" }, item "Export" { "export" }, item "Purge" { "purge" }, item "Login" { "login" },
    } }
    app.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
    function app.on:rate(ctx) return ctx.rating .. " stars" end
    app.takes.export = {
      format = { one_of = { "jpeg", { "png", "PNG picture" }, "tiff" }, order = 1 },
      to = { "string", title = "Folder", default = "Pictures", order = 2 }, quick = { "boolean", optional = true },
    }
    function app.on:export(ctx) return ctx.format .. " to " .. ctx.to .. (ctx.quick and ", quick" or "") end
    app.takes.purge = { days = { "integer", from = 1 } }
    app.confirm.purge = function() return "Purge for good?" end
    function app.on:purge(ctx) return ctx.days .. " days" end
    app.takes.login = { word = { "string", secret = true } }
    function app.on:login(ctx) return #ctx.word end
    """

  @Test("A form has a field for each argument, and shows the reason under a wrong answer while you type")
  func form() throws {
    let stage = try FaceStage(Self.app)
    try stage.press("r")
    expect(
      stage.lines[5...8].map { String($0.drop { $0 == " " }) },
      is: [
        "┌─ Rate ───────────────────────────────────────────────────┐",
        "│ Stars  an integer from 0 to 5                            │",
        "│ ›                                                        │",
        "└──────────────────────────────────────────────────────────┘",
      ])
    try stage.press("enter")
    expect(stage.picture.contains("it is needed"))
    try stage.press("9")
    expect(stage.picture.contains("must be an integer from 0 to 5, not 9"))
    try stage.press("enter")
    expect(stage.face.over.count, is: 1)
    try stage.press("backspace 4 enter")
    expect(stage.bottom, is: " ✓ Rate → 4 stars")
    expect(stage.face.over.isEmpty)
    try stage.press("r esc")
    expect(stage.bottom, is: " · Rate: you left it")
  }

  @Test("Letters find choices; enter goes to the next unanswered field, and performs the action if none is left")
  func choices() throws {
    let stage = try FaceStage(Self.app, rows: 20)
    try stage.press("f10 e")
    expect(stage.picture.contains("│ › "))
    expect(stage.picture.contains("│    PNG picture"))
    expect(stage.picture.contains("│ Folder  by default 'Pictures'"))
    try stage.press("p n enter")
    expect(stage.bottom, is: " ✓ Export → png to Pictures")
    try stage.press("f10 e down down tab h o m e tab down enter")
    expect(stage.bottom, is: " ✓ Export → tiff to home, quick", "leaving a field keeps the choice of the arrows")
  }

  @Test("A12: If the answers make the app ask for more, the form keeps them")
  func more() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Go…" { "go", key = "a" } } }
      app.takes.go = {
        what = { one_of = { "install", "remove" }, title = "What", order = 1 },
        name = { "string", title = "Name", order = 2, proposal = "bash" },
        version = { one_of = function(self, ctx) return { ctx.name .. "-1", ctx.name .. "-2" } end, title = "Version",
          order = 3, when = function(ctx) return ctx.what == "install" end },
      }
      function app.on:go(ctx) return ctx.what .. " " .. ctx.name .. " " .. tostring(ctx.version) end
      """, rows: 20)
    try stage.press("a enter")
    for text in ["› install", "› bash", "bash-2"] { expect(stage.picture.contains(text), "\(text)") }
    try stage.press("down enter")
    expect(stage.bottom, is: " ✓ Go → install bash bash-2")
  }

  @Test("In a list of several, the first letter after a pick begins another search; a choice of arrows stays")
  func severalSearches() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Go…" { "go", key = "a" } } }
      app.takes.go = { names = { title = "Names", many = true, one_of = { "gvim", "vim-tiny", "vim", "vim-common" } } }
      function app.on:go(ctx) return table.concat(ctx.names, "+") end
      """, rows: 20)
    try stage.press("a v i m space g v i m space enter")
    expect(stage.bottom, is: " ✓ Go → gvim+vim")
  }

  @Test("The form for missing arguments comes before the confirmation; a secret is not shown")
  func both() throws {
    let stage = try FaceStage(Self.app)
    try stage.press("f10 p 3 enter")
    expect(stage.picture.contains("Purge for good?"), "\(stage.picture)")
    try stage.press("y")
    expect(stage.bottom, is: " ✓ Purge → 3 days")
    try stage.press("f10 l a b c")
    expect(stage.picture.contains("› •••"))
    expect(!stage.picture.contains("abc"))
    stage.take(.paste("de\nf"))
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Login → 7", "what is pasted loses nothing but its lines")
  }

  @Test("Letters that fit one choice select it when you leave the field, and other typed text stays visible")
  func leftChoice() throws {
    let stage = try FaceStage(Self.app, rows: 20)
    try stage.press("f10 e p n tab")
    expect(stage.picture.contains("│ › PNG picture"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Export → png to Pictures")
    try stage.press("f10 e z z tab")
    expect(stage.picture.contains("│ › zz"), "\(stage.picture)")
  }

  @Test("A default value is in its field, a number too")
  func presetNumber() throws {
    let stage = try FaceStage(
      """
      app.takes.turn = { by = { "string" }, often = { "integer", default = 5 }, far = { "number", default = 1.5 } }
      function app.on:turn(ctx) return ctx.by .. ctx.often .. ' ' .. ctx.far end
      app.keys.t = "turn"
      """, rows: 18)
    try stage.press("t")
    expect(stage.picture.contains("│ › 5") && stage.picture.contains("│ › 1.5"), "\(stage.picture)")
    try stage.press("x enter")
    expect(stage.bottom, is: " ✓ turn → x5 1.5")
  }

  @Test("X2: On the smallest screen the choices are visible, one at a time")
  func smallChoices() throws {
    let stage = try FaceStage(Self.app, columns: 20, rows: 6)
    try stage.press("f10 e")
    expect(stage.picture.contains("jpeg") && stage.picture.contains("─ format"), "\(stage.picture)")
    try stage.press("down down")
    expect(stage.picture.contains("tiff"), "\(stage.picture)")
  }

  @Test("A12: Suggested values are listed while you type; other text counts as well")
  func suggestions() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Go" { "go", key = "g" } } }
      app.takes.go = { branch = { "string", suggest = { "main", "next", "maintenance" } } }
      function app.on:go(ctx) return ctx.branch end
      """)
    try stage.press("g")
    expect(stage.picture.contains("   main") && stage.picture.contains("   next"))
    try stage.press("m n")
    expect(stage.picture.contains("   maintenance") && !stage.picture.contains("   next"))
    try stage.press("down enter")
    expect(stage.face.over.count == 1 && stage.picture.contains("│ › main "), "it is put into the line first")
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Go → main")
    try stage.press("g o t h e r enter")
    expect(stage.bottom, is: " ✓ Go → other")
  }

  @Test("A13: In a form that opens without required arguments, enter answers with nothing")
  func formByItself() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "List" { "list", key = "l" } } }
      app.takes.list = { most = { "integer", optional = true } }
      app.about.list = { title = "List", form = true }
      function app.on:list(ctx) return ctx.most or "all" end
      """)
    try stage.press("l")
    expect(stage.face.over.count, is: 1)
    try stage.press("enter")
    expect(stage.bottom == " ✓ List → all" && stage.face.over.isEmpty)
    try stage.press("l 5 enter")
    expect(stage.bottom, is: " ✓ List → 5")
  }

  @Test("A12: A field whose values are to come says so, and shows them when they come")
  func awaited() throws {
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Go" { "go", key = "g" } } }
      app.takes.go = { branch = { one_of = function() sleep(1) return { "main", "next" } end } }
      function app.on:go(ctx) return ctx.branch end
      """, clock: TestClock())
    try stage.press("g")
    expect(stage.picture.contains("its values are coming …"), "\(stage.picture)")
    try stage.press("m enter")
    expect(stage.face.over.count, is: 1, "nothing can be chosen yet")
    try stage.host.advance(by: .seconds(1.1))
    stage.settle()
    expect(stage.picture.contains("   main") && !stage.picture.contains("are coming"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Go → main")
  }

  @Test("X7: The plain face asks for one argument after the other")
  func plain() throws {
    let stage = try FaceStage(Self.app)
    var said: [String] = []
    let plain = PlainFace(stage.face) { said.append($0) }
    for line in ["m", "1", "2", "bmp", "help", "2", "home", ""] {
      plain.take(line)
      repeat {
        stage.settle()
        plain.settled()
      } while !stage.face.awaited.isEmpty
    }
    let wrong = ["format: nothing to choose has these letters"]
    let choices = [
      "Export: format, a number or a title; 'stop' leaves it", "  1  jpeg", "  2  PNG picture", "  3  tiff",
    ]
    expect(
      Array(said.dropFirst(6)),
      is: choices + wrong + choices + [
        "  write the answer; 'stop' or 'back' leaves it, 'quit' leaves the app; '\\quit' is the word itself"
      ] + wrong + choices + [
        "Export: Folder, by default 'Pictures'; 'stop' leaves it",
        "Export: quick, yes or no, can be left out; 'stop' leaves it", "done: Export → png to home",
      ], "\(said)")
  }
}
