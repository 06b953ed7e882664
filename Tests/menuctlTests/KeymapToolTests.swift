import Expectations
import Testing

@Suite("The user's keys at the command line")
struct KeymapToolTests {
  private static let app = """
    app.name = "notes"
    menubar { menu "File" { item "Save" { "save" } } }
    function app.on:save() return "saved" end
    app.keys = { s = "save" }
    """
  private static let files = [
    "app.lua": app, "keys.lua": #"return { app = { w = "save", s = false } }"#,
    "config/menuctl/keys/notes.lua": "return {\n  app = { q = \"save\" },\n  ap = { z = \"save\" },\n}\n",
    "broken.lua": "return {\n  app = { [\"ctrl+qq\"] = \"save\" },\n}\n",
  ]

  private func run(_ words: String..., in folder: ScriptFolder) throws -> Run {
    try Program.menuctl(words, environment: ["XDG_CONFIG_HOME": "\(folder.path)/config"], folder: folder.path)
  }

  @Test("K11: --keymap FILE works for every verb that loads an app, and 'keys', 'why' and 'load' show it")
  func option() throws {
    let folder = try ScriptFolder(Self.files)
    try expect(run("press", "app.lua", "w", "--keymap", "keys.lua", in: folder).out.contains("saved"))
    try expect(run("press", "app.lua", "s", "--keymap", "keys.lua", in: folder).status != 0)
    let keys = try run("keys", "app.lua", "--keymap", "keys.lua", in: folder).out
    expect(keys.contains("✓ w  save  app, your keymap") && keys.contains("✗ s  save  app"), "\(keys)")
    try expect(
      run("why", "app.lua", "w", "--keymap", "keys.lua", in: folder).out.contains("from the user's keymap"))
    try expect(run("load", "app.lua", "--keymap", "keys.lua", in: folder).out.contains("Save  w"))
    let json = try run("keys", "app.lua", "--keymap", "keys.lua", "--json", in: folder).out
    expect(json.contains(#""key": "w", "ref": "save", "owner": "app", "keymap": true"#), "\(json)")
  }

  @Test("K11: Without --keymap, verbs that show the app read the keymap of its name, and verbs that perform do not")
  func named() throws {
    let folder = try ScriptFolder(Self.files)
    try expect(run("keys", "app.lua", in: folder).out.contains("✓ q  save  app, your keymap"))
    try expect(run("press", "app.lua", "q", in: folder).status != 0)
    let check = try run("check", "app.lua", in: folder)
    let text = check.out + check.err
    expect(text.contains("notes.lua:3") && text.contains("did you mean 'app'?"), "\(text)")
  }

  @Test("K12: 'press' waits for a key's own action after its time, and passes its count")
  func waiting() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.counts = true
      function app.on:down(ctx) return "down " .. ctx.count end
      app.keys = { g = { "down", wait = 0.1 }, ["g g"] = "top" }
      """
    ])
    try expect(run("press", "app.lua", "4 g", in: folder).out, is: "handled by app → \"down 4\"\n")
  }

  @Test("K12: 'press @NAME' waits for a key's own action after its time, too")
  func waitingLive() throws {
    let app = try LiveApp([
      "app.lua": """
      function app.on:down() return "down" end
      function app.on:top() return "top" end
      app.keys = { g = { "down", wait = 0.1 }, ["g g"] = "top", ["x y"] = "top" }
      """
    ])
    try expect(app.ask(["press", "@app", "g"]).out, is: "handled by app → \"down\"\n")
    try expect(app.ask(["press", "@app", "g", "g"]).out, is: "handled by app → \"top\"\n")
    try expect(app.ask(["press", "@app", "x"]).out.hasPrefix("pending"), "what waits for no time isn't waited for")
    expect(app.end().status, is: 0)
  }

  @Test("K11: A malformed keymap ends the verb, with the file and the line")
  func broken() throws {
    let folder = try ScriptFolder(Self.files)
    let run = try run("keys", "app.lua", "--keymap", "broken.lua", in: folder)
    expect(run.status != 0 && run.err.contains("broken.lua:2: error: 'ctrl+qq' of 'app'"), "\(run)")
    try expect(self.run("keys", "app.lua", "--keymap", "none.lua", in: folder).err.contains("none.lua"))
  }
}
