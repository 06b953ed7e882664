import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: forms") struct FaceFormTests {
  private static let app = """
    app.title = "Forms"
    menubar { menu "M" {
      item "Name" { "name", key = "n" }, item "Fruit" { "fruit", key = "f" }, item "Many" { "many", key = "m" },
      item "Where" { "where", key = "w" }, item "Count" { "count", key = "c" },
    } }
    app.takes.name = { name = { "string", matches = "^[^/]+$", title = "Name" }, folder = { "string", default = "Docs" } }
    function app.on:name(ctx) return ctx.name .. " in " .. ctx.folder end
    function app.can:name(ctx) return ctx.name ~= "taken", "“taken” is there already" end
    local fruits = { { "a", "Apple" }, { "c", "Cherry" }, { "d", "Date" }, { "f", "Fig" }, { "l", "Lime" }, { "p", "Pear" }, { "q", "Quince" } }
    app.takes.fruit = { fruit = { one_of = fruits, order = 1 }, note = { "string", order = 2 } }
    function app.on:fruit(ctx) return ctx.fruit .. ", " .. ctx.note end
    app.takes.many = { fruits = { one_of = fruits, many = true } }
    function app.on:many(ctx) return table.concat(ctx.fruits, " ") end
    app.takes.where = { path = { "file", title = "File" } }
    app.on["where"] = function(_, ctx) return ctx.path end
    app.takes.count = { count = { "integer", from = 0, to = 5, title = "How many" } }
    function app.on:count(ctx) return ctx.count end
    """

  @Test("A form shows the app's objections while you type, and opens again with the answers if the app refuses")
  func refused() throws {
    let stage = try FaceStage(Self.app, rows: 18)
    try stage.press("n a /")
    expect(stage.picture.contains("│   must be a string that matches '^[^/]+$', not 'a/'"), "\(stage.picture)")
    try stage.press("b enter")
    expect(stage.picture.contains("› a/b") && stage.picture.contains("must be a string that matches"))
    expect(stage.face.over.count, is: 1)
    try stage.press("ctrl+u t a k e n")
    expect(stage.picture.contains("“taken” is there already"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.picture.contains("› taken") && stage.picture.contains("“taken” is there already"))
    try stage.press("backspace enter")
    expect(stage.bottom, is: " ✓ Name → take in Docs")
  }

  @Test("A reason that is wider than the form continues on the next line, above the choices")
  func longReasons() throws {
    let pattern = "^%a+ %a+ %a+ %a+ %a+ %a+ %a+ %a+ %a+$"
    let stage = try FaceStage(
      """
      app.takes.zip = { z = { "string", matches = "\(pattern)", order = 1 }, k = { one_of = { "a", "b" }, order = 2 } }
      function app.on:zip(ctx) return ctx.z end
      app.keys.z = "zip"
      """)
    try stage.press("z x")
    let lines = stage.lines.map { $0.filter { $0 != "│" } }.map { $0.split(separator: " ").joined(separator: " ") }
    let first = try require(lines.firstIndex { $0.hasPrefix("must be a string that matches") }, "\(stage.picture)")
    expect(lines[first] + " " + lines[first + 1], is: "must be a string that matches '\(pattern)', not 'x'", "\(lines)")
    try stage.press("ctrl+u a space b space c space d space e space f space g space h space i enter")
    expect(!stage.picture.contains("must be"), "\(stage.picture)")
    try stage.press("down enter")
    expect(stage.bottom, is: " ✓ zip → a b c d e f g h i")
  }

  private static func rates(_ takes: String) -> String {
    """
    app.title = "Rates"
    rated = 0
    \(takes)
    function app.on:rate(ctx) rated = rated + 1 return "rated " .. tostring(ctx.stars) .. " " .. tostring(ctx.note) end
    app.keys.r = "rate"
    """
  }

  @Test(
    "Reload: An open form asks for the action's new arguments, keeps the typed text, and doesn't perform the action")
  func reload() throws {
    let before = Self.rates("app.takes.rate = { stars = { 'integer', from = 0, to = 5 } }")
    let stage = try FaceStage(before)
    try stage.press("r 9")
    expect(stage.picture.contains("must be an integer from 0 to 5, not 9"))
    stage.reload(
      Self.rates("app.takes.rate = { stars = { 'integer', from = 0, to = 9 }, note = { 'string', optional = true } }"))
    expect(!stage.picture.contains("must be") && stage.picture.contains("› 9") && stage.picture.contains("note"))
    expect(stage.told("rated"), is: "0")
    try stage.press("tab h i enter")
    expect(stage.bottom, is: " ✓ rate → rated 9 hi")
    try stage.press("r 3")
    stage.reload(Self.rates("app.takes.rate = {}"))
    expect(stage.face.over.isEmpty && stage.told("rated") == "0")
    expect(stage.bottom, is: " ✗ rate: it asks for nothing any more; start it again")
    stage.reload(before)
    try stage.press("r 3")
    stage.reload("app.title = 'Nothing'")
    expect(stage.face.over.isEmpty && stage.bottom == " ✗ rate: it is gone")
  }

  @Test("Chosen, picked and typed answers stay with their argument if still valid; a secret stays secret")
  func keeping() {
    func argument(_ key: String, _ kind: AskedArgument.Kind, _ choices: [String]? = nil, many: Bool = false)
      -> AskedArgument
    {
      var argument = AskedArgument(key, kind)
      argument.choices = choices.map { $0.map { .init(.text($0)) } }
      argument.isMany = many
      return argument
    }
    var secret = argument("secret", .string)
    secret.isSecret = true
    var prompt = Prompt(
      title: "Form",
      [argument("one", .oneOf, ["a", "b", "c"]), argument("some", .oneOf, ["a", "b", "c"], many: true), secret])
    prompt.edit { $0.choose(2) }
    prompt.move(by: 1)
    prompt.edit { $0.pick([0, 2]) }
    prompt.move(by: 1)
    prompt.edit { $0.type("hush") }
    let kept = prompt.asking(for: [
      argument("some", .oneOf, ["c", "b"], many: true), secret, argument("one", .oneOf, ["z", "c"]),
    ])
    expect(kept.fields.map(\.shownAnswer), is: ["c", "hush", "c"])
    expect(kept.field.argument.key == "secret" && kept.field.text == "hush")
    let open = prompt.asking(for: [argument("secret", .string), argument("one", .oneOf, ["z"])])
    expect(open.fields[0].text.isEmpty && open.answers.members.isEmpty)
  }

  /// The cities depend on the country, and the street on the city.
  static let trip = """
    app.title = "Trip"
    menubar { menu "M" { item "Book…" { "book", key = "b" } } }
    panel { item "Row" { "book", args = { country = "CH" }, key = "c" } }
    local cities = { CH = { "Bern", "Basel" }, FR = { "Lyon", { "Nice", "Nice by the sea" } } }
    app.takes.book = {
      country = { one_of = { { "CH", "Switzerland" }, { "FR", "France" } }, order = 1 },
      city = { one_of = function(_, ctx) return cities[ctx.country] or error("choose a country first", 0) end, order = 2 },
    }
    function app.on:book(ctx) return ctx.city .. ", " .. ctx.country end
    """

  @Test(
    "A12: Choosing in the first field updates the choices of the second, and you can choose them",
    arguments: [false, true])
  func dependent(atOnce: Bool) throws {
    let stage = try FaceStage(Self.trip, rows: 20)
    try stage.press("b")
    expect(stage.picture.contains("error: choose a country first (app.lua:7)"), "\(stage.picture)")
    let keys = "f r enter n i c enter"
    _ = try atOnce ? stage.rush(keys) : stage.press(keys)
    expect(stage.bottom, is: " ✓ Book → Nice, FR", "\(stage.picture)")
    try stage.press("b down enter")
    expect(stage.picture.contains("Lyon") && !stage.picture.contains("error:"), "\(stage.picture)")
    try stage.press("down enter")
    expect(stage.bottom, is: " ✓ Book → Nice, FR", "\(stage.picture)")
  }

  @Test("A12: The form asks again for an answer that another answer rules out; a row supplies its arguments")
  func ruledOut() throws {
    let stage = try FaceStage(Self.trip, rows: 20)
    try stage.press("b f r tab n i tab")
    expect(stage.lines.contains { $0.contains("│ › Nice by the sea") }, "\(stage.picture)")
    try stage.press("ctrl+u s w enter")
    expect(stage.picture.contains("Basel") && !stage.lines.contains { $0.contains("› Nice") }, "\(stage.picture)")
    try stage.press("down enter")
    expect(stage.bottom, is: " ✓ Book → Basel, CH", "\(stage.picture)")
    try stage.press("c")
    expect(!stage.picture.contains("country") && stage.picture.contains("Bern"), "\(stage.picture)")
    try stage.press("b a enter")
    expect(stage.bottom, is: " ✓ Row → Basel, CH", "\(stage.picture)")
  }

  @Test("A7: A form sends a secret only with the action; the app reports other faults before")
  func secret() throws {
    let stage = try FaceStage(
      """
      app.takes.log = { h = { "string", matches = "^%a+$", order = 1 }, p = { "string", secret = true, order = 2 } }
      function app.can:log(ctx) print(tostring(ctx.p)) return true end
      function app.on:log(ctx) return ctx.h .. #ctx.p end
      app.keys.l = "log"
      """)
    var printed: [String] = []
    stage.host.onPrint = { printed.append($0) }
    try stage.press("l a 1 tab")
    expect(stage.picture.contains("must be a string that matches"), "\(stage.picture)")
    try stage.press("h u s h tab backspace enter")
    expect(stage.bottom, is: " ✓ log → a4", "\(stage.picture)")
    expect(printed.filter { $0 == "hush" }.count, is: 1, "\(printed)")
  }

  @Test(
    "A6: A yes to a question that has changed does nothing: the face asks the new question", arguments: [false, true])
  func changedQuestion(isPlain: Bool) throws {
    let stage = try FaceStage(
      """
      count = 1
      function app.confirm:delete() return "Delete " .. count .. "?" end
      function app.on:delete() return count end
      app.keys.d = "delete"
      """)
    if isPlain {
      var said: [String] = []
      let plain = PlainFace(stage.face) { said.append($0) }
      for line in ["press d", "yes", "yes"] {
        plain.take(line)
        stage.settle()
        plain.settled()
        if line == "press d" { try stage.run("count = 2") }
      }
      expect(said.suffix(2), is: ["It asks something else now: Delete 2? (yes or no)", "done: delete → 2"], "\(said)")
      return
    }
    try stage.press("d")
    expect(stage.picture.contains("Delete 1?"))
    try stage.run("count = 2")
    try stage.press("y")
    expect(
      stage.picture.contains("It asks something else now: Delete 2?"), "\(stage.picture)")
    try stage.press("y")
    expect(stage.bottom, is: " ✓ delete → 2")
  }

  @Test("A reason under its field omits the field's name")
  func named() throws {
    let stage = try FaceStage(Self.app)
    try stage.press("c 7")
    expect(stage.picture.contains("│   must be an integer from 0 to 5, not 7"))
    expect(!stage.picture.contains("'count'"))
  }

  @Test(
    "Keys edit a line at the cursor",
    arguments: [
      ("a b left x", "axb"), ("a b home x", "xab"), ("a b home right x", "axb"), ("a b ctrl+a x end y", "xaby"),
      ("a b c left left delete", "ac"), ("a space b ctrl+w c", "a c"), ("a space b space ctrl+w", "a "),
      ("a b c left ctrl+k", "ab"), ("a b c left ctrl+u", "c"), ("a b left backspace", "b"),
      ("a left left left b", "ba"),
    ])
  func editing(keys: String, text: String) throws {
    let stage = try FaceStage(Self.app)
    try stage.press("n \(keys)")
    let form = try require(stage.face.over.last as? PromptOverlay)
    expect(form.prompt.field.text, is: text)
  }

  @Test("An optional field shows its default; the first letter replaces it, and a move of the cursor keeps it")
  func proposed() throws {
    for (keys, folder) in [("", "Docs"), ("tab x", "x"), ("tab end x", "Docsx"), ("tab home M y", "MyDocs")] {
      let stage = try FaceStage(Self.app, rows: 18)
      try stage.press("n a \(keys.lowercased()) enter")
      expect(stage.bottom.lowercased(), is: " ✓ name → a in \(folder)".lowercased())
    }
  }

  @Test("A4: A required field can have a proposal, which is the answer, unchanged or edited")
  func proposal() throws {
    let script = """
      app.takes.rename = { to = { "string", matches = "^[^/]+$", proposal = function(self, ctx) return "old" end } }
      function app.on:rename(ctx) return ctx.to end
      app.takes.turn = { by = { one_of = { "left", "right" }, proposal = "right" }, often = { "integer", proposal = 2 } }
      function app.on:turn(ctx) return ctx.by .. ctx.often end
      app.keys = { r = "rename", t = "turn" }
      """
    for (keys, said) in [
      ("r enter", "rename → old"), ("r end e r enter", "rename → older"), ("r n e w enter", "rename → new"),
      ("r backspace enter n enter", "rename → n"), ("t enter", "turn → right2"),
      ("t l e f enter", "turn → left2"), ("t tab 7 enter", "turn → right7"),
    ] {
      let stage = try FaceStage(script, rows: 18)
      try stage.press(keys)
      expect(stage.bottom, is: " ✓ \(said)", "\(keys)\n\(stage.picture)")
    }
  }

  @Test("An answered choice shows its title, and a long list shows that it continues")
  func choices() throws {
    let stage = try FaceStage(Self.app, rows: 18)
    try stage.press("f")
    expect(stage.picture.contains("Pear"))
    expect(!stage.picture.contains("Quince"))
    expect(stage.lines.contains { $0.contains("Pear") && $0.contains("▾") }, "\(stage.picture)")
    try stage.press("up")
    expect(stage.picture.contains("Quince") && stage.lines.contains { $0.contains("Cherry") && $0.contains("▴") })
    try stage.press("c h enter")
    expect(stage.lines.contains { $0.contains("│ › Cherry ") }, "\(stage.picture)")
    try stage.press("x enter")
    expect(stage.bottom, is: " ✓ Fruit → c, x")
  }

  @Test("space picks from a list with several answers")
  func several() throws {
    let stage = try FaceStage(Self.app, rows: 18)
    try stage.press("m")
    expect(stage.picture.contains("fruits  space picks one") && stage.picture.contains("Cherry"))
    try stage.press("space down down space p e space")
    expect(stage.picture.contains("✓ Pear"))
    try stage.press("ctrl+u")
    expect(stage.picture.contains("│ › Apple, Date, Pear") && stage.picture.contains("✓ Date"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom == " ✓ Many → { \"a\", \"d\", \"p\" }" || stage.bottom == " ✓ Many → a d p", "\(stage.bottom)")
  }

  @Test("X6: A press on a field lets you type, a press on a choice takes it, a press outside leaves the form like esc")
  func mouse() throws {
    let stage = try FaceStage(Self.app, rows: 18)
    func click(_ text: String) throws {
      let row = try require(stage.lines.firstIndex { $0.contains(text) }, "\(stage.picture)")
      stage.click(row, 8)
    }
    try stage.press("f")
    try click("Date")
    let form = try require(stage.face.over.last as? PromptOverlay)
    expect(form.prompt.field.chosen, is: 2)
    try click("Date")
    try stage.press("x")
    try click("fruit")
    expect(form.prompt.current, is: 0)
    try click("note")
    try stage.press("y enter")
    expect(stage.bottom, is: " ✓ Fruit → d, xy")
    try stage.press("c")
    stage.click(2, 1)
    expect(stage.bottom == " · Count: you left it" && stage.face.over.isEmpty)
  }
}
