import Expectations
import Testing

@testable import ScriptHost

@Suite("A user's own keymap")
struct KeymapTests {
  private static let script = """
    menubar { menu "File" { item "Save" { "save", key = "ctrl+s" }, item "Go" { "go" } } }
    grid = responder "grid" { keys = { x = "near", ["g g"] = "near" } }
    for _, name in ipairs { "save", "go", "far", "mine" } do app.on[name] = function() return name end end
    function grid.on:near() return "near" end
    app.keys = { y = "far" }
    focus(grid)
    """

  private func host(_ keymap: String, _ more: String = "") throws -> ScriptHost {
    let host = try ScriptStage(Self.script + "\n" + more).host
    try host.loadKeymap(text: keymap, name: "keys.lua")
    return host
  }

  private func result(_ keys: String, _ host: ScriptHost) -> String? { host.press(keys).result.shownText }

  private func error(_ keymap: String) -> String {
    do {
      _ = try host(keymap)
      return ""
    } catch { return "\(error)" }
  }

  @Test("K11: The user's keys come before nearer responders and before the menus")
  func first() throws {
    let host = try host(#"return { app = { x = "mine", ["ctrl+s"] = "mine", y = false }, grid = { ["g g"] = "go" } }"#)
    expect(result("x", host) == "mine" && result("ctrl+s", host) == "mine" && result("g g", host) == "go")
    expect(host.press("y").status, is: .unhandled)
  }

  @Test("K11: A keymap's bindings can have titles, conditions, waits and text, like those of scripts")
  func whole() throws {
    let host = try host(
      """
      local function isFree(ctx) return ctx.free end
      return { app = {
        x = { "mine", title = "Mine", when = isFree }, text = "mine", g = { "far", wait = 1 },
        t = { "none", "mine" },
      } }
      """, "free = false function app:provide(ctx) ctx.free = free end function app.on:free() free = true end")
    expect(result("x", host) == "near" && result("t", host) == "mine" && result("q", host) == "mine")
    expect(host.press("g").status == .pending && result("g", host) == "near")
    host.perform("free")
    expect(result("x", host), is: "mine")
  }

  @Test("K11, K13: 'keys', 'why' and the items show that a key comes from the user's keymap")
  func told() throws {
    let host = try host(#"return { app = { x = "mine", w = "go" } }"#)
    let mine = host.keys().first { $0.keys == "x" }
    expect(mine?.isOfKeymap == true && mine?.place == Place(file: "keys.lua", line: 1) && mine?.conflict == nil)
    expect(host.keys().first { $0.keys == "x" && $0.by == "grid" }?.conflict, is: "the user's keymap is asked first")
    try expect(host.why(keys: "x").steps.first?.answer, is: "performs mine, from the user's keymap")
    expect(host.menus().children[0].children.map(\.key), is: ["ctrl+s", "w"])
  }

  @Test("K11: A keymap sees no globals and defines none")
  func globals() {
    expect(error("return { app = { x = print } }").contains("keys.lua:1:22: 'print' is not defined"))
    expect(error("local a = 1\nkeys = {} return keys").contains("keys.lua:2:18: 'keys' is not defined"))
    expect(error("return { app = { x = { 'mine', when = function(ctx) return app.name end } } }").isEmpty)
  }

  @Test("K11: A fault in a keymap is an error with its place, and the host loads nothing of the keymap")
  func misuse() throws {
    expect(error("return 1").contains("keys.lua:1: a keymap must return a table"))
    expect(error("return { app = 'x' }").contains("a keymap must have a table of keys for each responder"))
    expect(error("return {\n  app = {\n    ['ctrl+qq'] = 'mine',\n  },\n}").contains("keys.lua:3: 'ctrl+qq' of 'app'"))
    expect(error("return {\n  app = {\n    x = 'mi(ne',\n  },\n}").contains("keys.lua:3"))
    expect(error("return {\n  app = { x = 1 } }").contains("keys.lua:2: keys['x'] must be an action reference"))
    expect(error("return { app = { ['ctrl+x'] = 'a', ['CTRL+X'] = 'b' } }").contains("twice, spelt in two ways"))
    expect(error("return { app = { x = 'mine' }").contains("keys.lua:1"))
    expect(error("return { app = { ['\u{FF}\\xFF'] = 'mine' } }").contains("keys.lua:1"))
    let host = try host("return { app = { x = 'mine' } }")
    #expect(throws: LoadError.self) { try host.loadKeymap(text: "return { app = { y = 1 } }", name: "keys.lua") }
    expect(result("x", host), is: "mine")
  }

  @Test("K11: An unknown responder is a warning with the nearest name, and gets its keys when it appears")
  func unknownResponder() throws {
    let host = try host("return {\n  gird = { x = 'mine' },\n  late = { x = 'mine' },\n}")
    let found = host.check().filter { $0.code == "stray-keymap" }
    expect(found.map(\.place), is: [Place(file: "keys.lua", line: 2), Place(file: "keys.lua", line: 3)])
    expect(found[0].help, is: "did you mean 'grid'?")
    _ = try host.evaluate("focus(responder 'late')")
    expect(result("x", host), is: "mine")
  }

  @Test("K11: A keymap stays through a reload of the app, and another keymap replaces it")
  func replaced() throws {
    let host = try host("return { app = { x = 'mine' } }")
    try host.reload(text: Self.script, name: "app.lua")
    expect(result("x", host), is: "mine")
    try host.loadKeymap(text: "return { grid = { y = 'mine' } }", name: "other.lua")
    expect(result("x", host) == "near" && result("y", host) == "mine")
  }

  @Test("K11: The host ends an endless keymap, and calls an endless 'when' three times at most")
  func hostile() throws {
    expect(error("while true do end").contains("keys.lua:1"))
    let host = try host("return { app = { x = { 'mine', when = function() while true do end end } } }")
    for _ in 0..<3 { expect(result("x", host), is: "near") }
    let began = ContinuousClock.now
    for _ in 0..<20 { expect(result("x", host), is: "near") }
    expect(ContinuousClock.now - began < .seconds(2))
  }

  @Test("K11: The host loads and looks up ten thousand bindings without a noticeable delay")
  func many() throws {
    let began = ContinuousClock.now
    let host = try host(
      """
      local keys = {}
      local letters = { "a", "b", "c", "d", "e", "f", "h", "i", "j", "k" }
      for a = 1, 10 do for b = 1, 10 do for c = 1, 10 do for d = 1, 10 do
        keys[letters[a] .. " " .. letters[b] .. " " .. letters[c] .. " " .. letters[d]] = "mine"
      end end end end
      return { app = keys }
      """)
    expect(host.keys().count > 10_000 && result("a a a a", host) == "mine")
    expect(ContinuousClock.now - began < .seconds(20))
  }

  @Test("K11: Loading a keymap again leaves nothing of the previous keymap")
  func readAnew() throws {
    let host = ScriptHost(clock: TestClock())
    try host.load(text: "function app.on:go() return 1 end", name: "app.lua")
    try host.loadKeymap(text: "return { app = { x = 'go' } }", name: "keys.lua")
    let owners = host.scripts?.owners.count
    for _ in 0..<3 { try host.loadKeymap(text: "return { app = { y = 'go' } }", name: "keys.lua") }
    expect(host.scripts?.owners.count, is: owners)
    expect(host.press("x").status == .unhandled && host.press("y").status == .handled)
  }

  @Test("K11: The host sets aside a keymap that spends its limits three times, and the app's keys count")
  func spends() throws {
    let host = ScriptHost(limits: HostLimits(perform: .milliseconds(50)), clock: TestClock())
    try host.load(text: "function app.on:go() return 'app' end app.keys.x = 'go'", name: "app.lua")
    try host.loadKeymap(
      text: "return { app = { x = { 'go', when = function() while true do end end } } }", name: "keys.lua")
    for _ in 0..<3 { _ = host.press("x") }
    expect(host.chain.keymap?.owner.whySetAside?.hasPrefix("'keymap' is set aside") ?? false)
    expect(host.press("x").result.shownText, is: "app")
  }
}
