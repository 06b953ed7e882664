import Expectations
import Testing

@testable import ScriptHost

@Suite("An item's own look, and its mnemonic")
struct ItemLookTests {
  private func stage(_ item: String, _ more: String = "") throws -> ScriptStage {
    try ScriptStage(
      """
      on, calls = true, 0
      menubar { menu "M" { \(item), item "Other" { "go", id = "other" } } }
      function app.on:go() end
      function app:provide(ctx) ctx.word = "word" end
      \(more)
      """)
  }

  private func drawn(_ stage: ScriptStage, _ id: String = "x") throws -> MenuElement {
    try require(stage.host.menus().find(id))
  }

  @Test("V4: An item's own look overrides the look of the action's handler, in this place only")
  func overTheOther() throws {
    let stage = try stage(
      """
      item "X" { "go", id = "x", look = function(ctx) return { title = ctx.word, state = on, icon = "i" } end }
      """, "function app.look:go() return { title = 'theirs', subtitle = 'sub', icon = 'j' } end")
    let own = try drawn(stage)
    expect(own.title == "word" && own.subtitle == "sub" && own.icon == "i" && own.state == .on && own.isEnabled)
    let other = try drawn(stage, "other")
    expect(other.title == "theirs" && other.icon == "j" && other.state == .off)
    // The host forgets the last look, and P4: the item keeps a mark from now on.
    try stage.host.evaluate("on = nil")
    try expect(drawn(stage).state == .off && drawn(stage).mark == .check)
  }

  @Test("V4: The item's look runs in each pass, reads the item's arguments, and can set every field")
  func everyField() throws {
    let stage = try stage(
      """
      item "X" { "go(n: 1)", id = "x", args = { m = 2 }, look = function(ctx)
        calls = calls + 1
        return { subtitle = ctx.n .. "," .. ctx.args.m .. "," .. calls, hidden = calls > 2, destructive = true }
      end }
      """)
    try expect(drawn(stage).subtitle, is: "1,2,1")
    let second = try drawn(stage)
    expect(second.subtitle == "1,2,2" && second.isDestructive && !second.isHidden)
    try expect(drawn(stage).isHidden)
  }

  @Test("V4: A look that returns nil changes nothing; items without action, alternates, rows and panels have looks too")
  func elsewhere() throws {
    let stage = try stage(
      """
      item "X" { "go", id = "x", look = function() end, alternates = { alt = item "A" { "go", id = "a", look = function()
        return { title = "alternate" } end } } },
      item "None" { id = "none", look = function() return { title = "nothing" } end },
      section "s" { items = { "r" }, id = function(v) return v end, row = function(v)
        return item(v) { "go", look = function(ctx) return { title = v .. "!" } end } end }
      """, "panel { item 'P' { 'go', id = 'p', look = function() return { title = 'panel' } end } }")
    let menus = stage.host.menus()
    try expect(drawn(stage).title == "X" && drawn(stage, "a").title == "alternate")
    expect(menus.find("none")?.title == "nothing" && menus.find("none")?.isEnabled == false)
    expect(menus.find("r")?.title == "r!" && menus.find("p")?.title == "panel")
  }

  @Test(
    "V8: A look that raises, returns or does something wrong disables its item with a reason, and no other",
    arguments: [
      ("error('no')", "error: no"), ("return 7", "error: look must return a table or nil, not a number"),
      ("return { title = {} }", "error: 'title' of a look must be a string"),
      ("return { state = 'maybe' }", "error: 'state' of a look must be"),
      ("app:perform('go')", "must not change anything"),
      ("ctx.x = 1", "error: "), ("sleep(1)", "nothing can wait here"),
    ])
  func wrong(_ body: String, _ reason: String) throws {
    let stage = try stage("item 'X' { 'go', id = 'x', look = function(ctx) \(body) end }")
    let item = try drawn(stage)
    expect(!item.isEnabled && item.reason?.contains(reason) ?? false, "\(item.reason ?? "")")
    try expect(drawn(stage, "other").isEnabled)
    // D13: you can't pick an item that is drawn disabled.
    expect(stage.host.pick("x").status, is: .disabled)
    expect(!stage.host.takeDiagnostics().isEmpty)
  }

  @Test("Snapshots, JSON and scripts show a mnemonic")
  func mnemonicShown() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "M" { item "Save" { "save", mnemonic = "s" }, item "Quit" { "quit" } } }
      function app.on:save() return app:item("M/Save").mnemonic end
      function app.on:quit() return app:item("M/Quit").mnemonic end
      """)
    expect(stage.host.item("M/Save")?.mnemonic == "s" && stage.host.perform("save").result.shownText == "s")
    expect(stage.host.perform("quit").result.isNull)
  }

  @Test("S4: The limit of questions ends an endless look, and other items still work")
  func endless() throws {
    let stage = try stage("item 'X' { 'go', id = 'x', look = function() while true do end end }")
    let item = try drawn(stage)
    expect(!item.isEnabled && item.reason?.hasPrefix("error: ") ?? false)
    try expect(drawn(stage, "other").isEnabled)
  }

  @Test("The host checks the fields where they are declared, and check knows which keys a look reads")
  func fields() throws {
    for (field, message) in [
      ("look = 1", "'look' of item 'X' must be a function, not a number"),
      ("mnemonic = 'xy'", "'mnemonic' of item 'X' must be a letter or a digit, not"),
      ("mnemonic = ' '", "'mnemonic' of item 'X' must be a letter or a digit"),
      ("mnemonic = 1", "'mnemonic' of item 'X' must be a letter or a digit, not a number"),
    ] {
      let error = try #require(throws: LoadError.self) { _ = try self.stage("item 'X' { 'go', \(field) }") }
      expect(error.failure.message.contains(message), "\(error)")
    }
    let host = ScriptHost()
    try host.load(
      text: """
        menubar { menu "M" { item "X" { "go", look = function(ctx) return { title = ctx.wrod } end } } }
        function app.on:go() end
        """, name: "app.lua")
    expect(host.check().contains { $0.message.contains("wrod") })
  }

  @Test("Snapshots and their JSON have the mnemonic")
  func mnemonic() throws {
    let stage = try stage("item 'Exit' { 'go', id = 'x', mnemonic = 'x' }")
    let item = try drawn(stage)
    expect(item.mnemonic == "x" && item.json.contains(#""mnemonic": "x""#))
    try expect(drawn(stage, "other").mnemonic, is: nil)
  }
}
