import Expectations
import Testing

@testable import ScriptHost

@Suite("M16: Menus of rows, and an item's own can and help")
struct ItemCanTests {
  @Test("M16: An item's own can disables it in this place only, with its reason, for pick, keys of items and why")
  func can() throws {
    let stage = try ScriptStage(
      """
      chosen = false
      function app.on:delete(ctx) return "deleted " .. tostring(ctx.name) end
      menubar { menu "Photos" {
        item "Delete" { "delete(name: all)" },
        item "Delete Here" {
          "delete", args = { name = "one" }, id = "here", help = "It goes to the trash.", key = "d",
          can = function(ctx) print(ctx.name) return chosen, "choose a photo first" end,
          look = function(ctx) return { subtitle = "now" } end,
        },
      } }
      """)
    func item(_ id: String) throws -> MenuElement { try require(stage.host.menus().find(id)) }
    let here = try item("here")
    expect(!here.isEnabled && here.reason == "choose a photo first" && here.subtitle == "now")
    expect(here.help == "It goes to the trash." && stage.takePrinted() == ["one"])
    try expect(item("Photos/Delete").isEnabled)
    expect(stage.host.pick("here").line, is: "disabled by app: choose a photo first")
    expect(stage.perform("delete(name: x)"), is: "handled by app via on → text(\"deleted x\")")
    try stage.host.evaluate("chosen = true")
    try expect(item("here").isEnabled && stage.host.pick("here").result.shownText == "deleted one")
  }

  @Test("V13, M16: why shows what an item itself says, with its line and the keys read, and that the item refuses")
  func why() throws {
    let host = try ScriptStage(
      """
      local g = responder "g"
      function g:provide(ctx) ctx.mode = "view" end
      function g.on:a() end
      function g.can:b() return false, "never" end
      function g.on:b() end
      menubar { menu "In" {
        item "Can" { "a", id = "can", can = function(ctx) return ctx.mode == "edit", "only in edit mode" end },
        item "Raises" { "a", id = "raises", can = function() error "broken" end },
        item "Off" { "a", id = "off", enabled = "not yet" },
        item "Both" { "b", id = "both", can = function() return true end },
      } }
      focus(g)
      """
    ).host
    func text(_ id: String) throws -> String { try require(host.why(item: id)).text }
    try expect(
      text("can"),
      is: """
        disabled by 'can': only in edit mode
          g: on a → takes it (app.lua:3)
          item 'Can': can a → no: only in edit mode (app.lua:7)
          key 'mode': from 'g'
        """)
    try expect(
      text("raises"),
      is: """
        disabled by 'raises': error: broken
          g: on a → takes it (app.lua:3)
          item 'Raises': can a → fails: broken (app.lua:8)
        """)
    try expect(
      text("off"),
      is: """
        disabled by 'off': not yet
          g: on a → takes it (app.lua:3)
          item 'Off': enabled a → no: not yet (app.lua:9)
        """)
    try expect(
      text("both"),
      is: """
        disabled by 'g': never
          g: on b → takes it (app.lua:5)
          g: can b → no: never (app.lua:4)
          item 'Both': can b → yes (app.lua:10)
        """)
  }

  @Test("M16, A13: An item's own can that reads a missing argument is not decided, and then sees what a person gave")
  func missing() throws {
    let stage = try ScriptStage(
      """
      app.takes.rate = { n = "integer" }
      function app.on:rate(ctx) return ctx.n end
      menubar { menu "M" {
        item "A" { "rate", can = function(ctx) return ctx.n > 1, "too few" end, look = function() return { subtitle = "s" } end },
        item "B" { "rate", can = function(ctx) return ctx.args.m ~= nil, "never" end },
      } }
      """)
    let items = stage.host.menus().children[0].children
    expect(items[0].isEnabled && items[0].asks && items[0].subtitle == "s" && stage.host.diagnostics.isEmpty)
    expect(items[1].reason, is: "never")
    expect(stage.host.pick("M/A").status, is: .asks)
    expect(stage.host.pick("M/A", arguments: ["n": 1]).line, is: "disabled by app: too few")
    expect(stage.host.pick("M/A", arguments: ["n": 2]).result.shownInteger, is: 2)
    expect(stage.host.pick("M/A", arguments: ["n": "x"]).reason, is: "'n' must be an integer, not 'x'")
    expect(stage.host.diagnostics.isEmpty)
  }

  @Test("M16: A can that fails, gives no reason or changes something disables its item with a reason")
  func failing() throws {
    let stage = try ScriptStage(
      """
      function app.on:x() end
      menubar { menu "M" {
        item "A" { "x", can = function() error("broken") end },
        item "B" { "x", can = function() return false end },
        item "C" { "x", can = function() app:perform("x") end },
        item "D" { "x", can = function() while true do end end },
        item "E" { "x", can = function() return true end },
      } }
      """, limits: HostLimits(perform: .milliseconds(200)))
    let reasons = stage.host.menus().children[0].children.map { $0.reason ?? "-" }
    expect(reasons[0].hasPrefix("error: broken") && reasons[1] == "the 'can' of the item returns false", "\(reasons)")
    expect(reasons[2].contains("not possible here") && reasons[3].hasPrefix("error: the limit of"), "\(reasons)")
    try expect(loadError("menubar { menu 'M' { item 'A' { 'x', can = true } } }").contains("must be a function"))
    try expect(loadError("menubar { menu 'M' { item 'A' { 'x', help = 1 } } }").contains("must be a string"))
  }

  @Test("M16: A menu that a row makes can have sections, and the host runs them again with the rows")
  func sections() throws {
    let stage = try ScriptStage(
      """
      albums = { Sea = { "Pier" }, Land = { "Hill", "Moor" } }
      function app.on:show(ctx) return ctx.name end
      menubar { menu "Albums" { section "albums" {
        items = { "Land", "Sea" }, id = function(name) return name end,
        row = function(name)
          return menu(name) { section "photos" {
            items = function() return albums[name] end, id = function(photo) return photo end,
            row = function(photo) return item(photo) { "show", args = { name = photo } } end,
          } }
        end,
      } } }
      """)
    func drawn() -> [String] {
      stage.host.menus().children[0].children.map { album in
        "\(album.title): " + album.children.map(\.title).joined(separator: " ")
      }
    }
    expect(drawn(), is: ["Land: Hill Moor", "Sea: Pier"])
    expect(stage.host.pick("Land/Moor").result.shownText, is: "Moor")
    try stage.host.evaluate("albums.Sea[2] = 'Wave'")
    stage.host.revalidate()
    _ = stage.perform("show(name: x)")
    expect(drawn(), is: ["Land: Hill Moor", "Sea: Pier Wave"])
  }

  @Test("M16: check judges each use of a reference, exact or not")
  func exactUses() throws {
    func found(_ items: String, _ app: String = "") throws -> [String] {
      let script = "\(app) function app.on:cut() end menubar { menu 'E' { \(items) } }"
      return try ScriptStage(script).host.check().map { "\($0.code): \($0.message)" }.sorted()
    }
    let (exact, plain) = ("item 'C' { 'x.cut', exact = true }", "item 'D' { 'x.cut' }")
    let both = [
      "falls-back: item 'D' performs 'x.cut', but responders handle only 'cut'",
      "unanswered-action: item 'C' performs 'x.cut', but no responder handles it",
    ]
    try expect(found("\(exact), \(plain)"), is: both)
    try expect(found("\(plain), \(exact)"), is: both)
    try expect(
      found(plain, "app.exact = true").filter { $0.hasPrefix("unanswered") },
      is: [
        "unanswered-action: item 'D' performs 'x.cut', but no responder handles it"
      ])
  }

  @Test("M16: Nested sections end at the greatest depth of a tree")
  func endless() throws {
    let stage = try ScriptStage(
      """
      local function nested()
        return section "s" { items = { 1 }, row = function() return menu "Deeper" { nested() } end }
      end
      menubar { menu "M" { nested() } }
      """)
    _ = stage.host.menus()
    expect(
      stage.host.diagnostics.contains { $0.message.contains("would be more than") }, "\(stage.host.diagnostics)")
  }

  @Test("M16: An exact reference doesn't fall back to its last component, and check notes an item that does")
  func exact() throws {
    let script = """
      function app.on:export() return "the app's" end
      app.on["image.crop"] = function() return "cropped" end
      function app.on:go()
        return app:perform("image.export").status .. " " .. app:perform("image.export", {}, { exact = true }).status
      end
      menubar { menu "Image" {
        item "Export" { "image.export", id = "plain" }, item "Exactly" { "image.export", id = "exact", exact = true },
        item "Crop" { "image.crop", id = "crop", exact = true },
      } }
      """
    let stage = try ScriptStage(script)
    func enabled(_ id: String) throws -> Bool { try require(stage.host.menus().find(id)).isEnabled }
    try expect(enabled("plain") && !enabled("exact") && enabled("crop"))
    expect(stage.host.pick("exact").status != .handled && stage.host.pick("plain").status == .handled)
    expect(stage.host.pick("crop").result.shownText, is: "cropped")
    expect(stage.perform("go"), is: "handled by app via on → text(\"handled unhandled\")")
    expect(
      stage.host.check().filter { $0.code == "falls-back" }.map(\.message),
      is: ["item 'Export' performs 'image.export', but responders handle only 'export'"])
    let whole = try ScriptStage("app.exact = true\n" + script)
    expect(whole.host.perform("image.export").status, is: .unhandled)
    expect(whole.host.perform("image.crop").status == .handled && whole.host.pick("plain").status != .handled)
    expect(whole.host.validate("image.export").isEnabled == false && whole.host.validate("export").isEnabled)
    try whole.host.reload(text: script, name: "app.lua")
    expect(whole.host.perform("image.export").status, is: .handled)
  }
}
