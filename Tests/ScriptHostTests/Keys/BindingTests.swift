import Expectations
import Testing

@testable import ScriptHost

@Suite("Blocked keys, and bindings with titles and conditions")
struct BindingTests {
  private static let script = """
    menubar { menu "File" { item "Save" { "save", key = "ctrl+s" }, item "Go" { "go", key = "g g" } } }
    page = responder "page" {}
    function app.on:save() return "saved" end
    function app.on:go() return "went" end
    function app.on:far() return "far" end
    function page.on:near() return "near" end
    app.keys = { x = "far", ["f5"] = "far" }
    typing = false
    focus(page)
    """

  private func host(_ more: String) throws -> ScriptHost { try ScriptStage(Self.script + "\n" + more).host }
  private func entry(_ keys: String, by: String, of host: ScriptHost) -> KeyEntry? {
    host.keys().first { $0.keys == keys && $0.by == by }
  }

  @Test("K9: false blocks a stroke for farther responders, for the menus and for earlier layers")
  func takenAway() throws {
    let host = try host("page.keys = { x = false, ['ctrl+s'] = false, ['g g'] = false }")
    for keys in ["x", "ctrl+s", "g"] {
      let outcome = host.press(keys)
      expect(outcome.status == .unhandled && outcome.reason == "nothing is bound to '\(keys)'", "\(keys)")
    }
    expect(host.press("f5").result.shownText, is: "far")
    let read = try host.evaluate("return page.keys.x").first
    expect(read.map { if case .bool(false) = $0 { true } else { false } }, is: true)
    _ = try host.evaluate("page.keys.x = nil")
    expect(host.press("x").result.shownText, is: "far")
  }

  @Test("K9: A sequence works although its first stroke alone is removed from farther responders and the menus")
  func removedBeginning() throws {
    let stage = try ScriptStage(
      """
      function app.on:a() return "a" end function app.on:b() return "b" end
      local far = responder "far" local near = responder "near" near.next = far
      far.keys = { g = "a" } menubar { menu "M" { item "H" { "a", key = "h" } } }
      near.keys = { g = false, ["g g"] = "b", h = false, ["h h"] = "b" }
      focus(near)
      """)
    for key in ["g", "h"] {
      expect(stage.host.press(key).status, is: .pending)
      expect(stage.host.press(key).result.shownText, is: "b")
    }
    expect(stage.host.keyConflicts().map(\.message), is: [])
    expect(stage.host.press("g").status, is: .pending)
    expect(stage.host.press("x").status, is: .unhandled)
  }

  @Test("K9: 'keys' and 'why' name the responder that blocks a stroke")
  func saysWho() throws {
    let host = try host("page.keys = { x = false, ['ctrl+s'] = false }")
    expect(entry("x", by: "app", of: host)?.conflict?.contains("removes it from here on"), is: true)
    expect(entry("ctrl+s", by: "File/Save", of: host)?.conflict?.contains("removes it"), is: true)
    expect(entry("f5", by: "app", of: host)?.conflict, is: nil)
    try expect(host.why(keys: "x").reason?.contains("removes it"), is: true)
    expect(!host.keys().contains { $0.by == "page" })
  }

  @Test("K9: A plugin blocks its app's binding on the same responder, as long as it is loaded")
  func layers() throws {
    let stage = try PluginStage(
      ["p.lua": #"plugin { name = "p", version = "1" } app:find("page").keys.x = false"#],
      app: "page = responder 'page' {} page.keys = { x = 'near' } function page.on:near() return 'near' end focus(page)"
    )
    expect(stage.host.press("x").result.shownText, is: "near")
    try stage.load("p.lua")
    expect(stage.host.press("x").status, is: .unhandled)
    try stage.host.unload(plugin: "p")
    expect(stage.host.press("x").result.shownText, is: "near")
  }

  @Test("K10: A binding can have a title, for one action or several")
  func title() throws {
    let host = try host(
      "page.keys = { x = { 'near', title = 'Do it here' }, y = { 'none', 'near', title = 'Either' } }")
    expect(host.press("x").result.shownText == "near" && host.press("y").result.shownText == "near")
    expect(entry("x", by: "page", of: host)?.title, is: "Do it here")
    expect(host.title(ofKeys: try KeySequence.parse("y"), after: nil), is: "Either")
  }

  @Test("K2, K10: If 'when' says no, the next binding of the stroke counts; then the menus")
  func condition() throws {
    let host = try host(
      """
      function app:provide(ctx) ctx.mode = typing and "typing" or "normal" end
      page.keys = {
        x = { "near", when = function(ctx) return ctx.mode == "normal" end },
        ["ctrl+s"] = { "near", when = function(ctx) return false end },
      }
      function app.on:type() typing = true end
      """)
    expect(host.press("x").result.shownText == "near" && host.press("ctrl+s").result.shownText == "saved")
    host.perform("type")
    expect(host.press("x").result.shownText, is: "far")
    expect(entry("x", by: "app", of: host)?.conflict, is: nil)
  }

  @Test("K10: A 'when' that fails, changes something or never ends counts as no, with a report")
  func failing() throws {
    let host = try host(
      """
      page.keys = {
        x = { "near", when = function(ctx) error("broken") end },
        y = { "near", when = function(ctx) app:perform("save") return true end },
        f5 = { "near", when = function(ctx) while true do end end },
      }
      """)
    var said: [String] = []
    host.onDiagnostic = { said.append($0.message) }
    expect(host.press("x").result.shownText == "far" && said.contains { $0.contains("broken") })
    let outcome = host.press("y")
    expect(outcome.status == .unhandled && outcome.reason == "'y' does 'near', but not now: its 'when' says no")
    expect(host.press("f5").result.shownText, is: "far")
  }

  @Test("K10, M16: An exact binding doesn't fall back to the last component of its references")
  func exact() throws {
    let stage = try ScriptStage(
      """
      function app.on:export() return "plain" end
      app.on["image.save"] = function() return "whole" end
      app.takes.export = { to = "string" }
      app.keys = {
        a = { "image.export", exact = true }, b = { "image.export" }, c = { "image.save", exact = true },
        d = { "image.export", "image.save", exact = true }, e = { all = { "image.save", "image.export" }, exact = true },
      }
      """)
    let host = stage.host
    expect(host.press("a").status, is: .unhandled)
    expect(host.press("b").status, is: .asks)
    expect(host.press("c").result.shown, is: "whole")
    expect(host.press("d").result.shown, is: "whole")
    expect(host.press("e").status, is: .unhandled)
    #expect(throws: (any Error).self) { try host.evaluate("app.keys.x = { 'a.b', exact = 1 }") }
  }

  @Test("K10: A wrong binding is an error that names the fault")
  func misuse() throws {
    func error(_ binding: String) -> String {
      do {
        _ = try host("page.keys.x = \(binding)")
        return ""
      } catch { return "\(error)" }
    }
    expect(error("true").contains("must be an action reference, or false to take it away"))
    expect(error("{ title = 'x' }").contains("must be a reference or a list"))
    expect(error("{ 'near', when = 1 }").contains("'when' of keys['x'] must be a function"))
    expect(error("{ 'near', title = {} }").contains("must be a string"))
  }
}
