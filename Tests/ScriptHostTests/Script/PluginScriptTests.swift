import Expectations
import Testing

@testable import ScriptHost

@Suite("Plugins: manifest, order, layers, unloading")
struct PluginScriptTests {
  // MARK: The manifest

  @Test("A plugin's first statement is its manifest; a wrong manifest is an error, and nothing of the plugin runs")
  func manifests() throws {
    let noList = "'allow' must be a list of capabilities, { \"fs.read\" }"
    let cases: [(String, String)] = [
      ("print('ran')", "a plugin must begin with its manifest: plugin { name = …, version = … }"),
      ("x = 1", "a plugin must begin with its manifest: plugin { name = …, version = … }"),
      ("local x = 1", "a plugin must begin with its manifest: plugin { name = …, version = … }"),
      ("plugin 'x'", "plugin takes a table: plugin { name = …, version = … }"),
      ("plugin { version = '1' }", "the manifest has no 'name': plugin { name = …, version = … }"),
      ("plugin { name = 'x' }", "the manifest has no 'version': plugin { name = …, version = … }"),
      ("plugin { name = 1, version = '1' }", "'name' must be a string, not a number"),
      ("plugin { name = 'x', version = 'one' }", "'version' must be numbers between dots, such as \"1.2.0\""),
      ("plugin { name = 'app', version = '1' }", "a plugin can't be named 'app': the name is reserved"),
      (
        "plugin { name = 'a/b', version = '1' }",
        "the name of a plugin can't have a '/' and can't begin with '.' or '-'"
      ),
      ("plugin { name = '', version = '1' }", "the name of a plugin can't be empty"),
      (
        "plugin { name = 'x', version = '1', require = {} }",
        "a manifest has no field 'require'; did you mean 'requires'?"
      ),
      (
        "plugin { name = 'x', version = '1', requires = { a = '~1' } }",
        "'a' requires '~1', which is no range of versions: write \">=1.2 <2\""
      ),
      (
        "plugin { name = 'x', version = '1', requires = { 'a' } }",
        "'requires' must have names of plugins with their versions: { photos = \">=1\" }"
      ),
      (
        "plugin { name = 'x', version = '1', allow = { 'fs.raed' } }",
        "there is no capability 'fs.raed'; did you mean 'fs.read'?"
      ),
      (
        "plugin { name = 'x', version = '1', allow = 'fs.read' }",
        "'allow' must be a list of capabilities, { \"fs.read\" }, not a string"
      ),
      ("plugin { name = 'x', version = '1', allow = { a = 'fs.read' } }", noList),
      ("plugin { name = 'x', version = '1', allow = { 'fs.read', a = 'exec=git' } }", noList),
      ("plugin { name = 'x', version = '1', allow = { [2] = 'fs.read' } }", noList),
      ("plugin { name = 'x', version = '1', allow = { [1.5] = 'fs.read' } }", noList),
      ("plugin { name = 'x', version = '1', allow = { 1 } }", noList),
      (
        many("allow", "t[i] = 'env=A' .. i", 13), "'allow' can have 12 entries at most"
      ),
      (
        many("requires", "t['p' .. i] = '*'", 257), "'requires' can have 256 entries at most"
      ),
      (
        many("allow", "t[i] = 'env=' .. ('A'):rep(4093)", 1),
        "a text in 'allow' can have 4096 bytes at most, this one has 4097"
      ),
      (
        many("requires", "t[('p'):rep(4097)] = '*'", 1),
        "a text in 'requires' can have 4096 bytes at most, this one has 4097"
      ),
      (
        many("requires", "t.p = ('>=1,'):rep(2000)", 1),
        "a text in 'requires' can have 4096 bytes at most, this one has 8000"
      ),
      (
        "plugin { name = 'x', version = '1', summary = ('x'):rep(5000) }",
        "a text in the manifest can have 4096 bytes at most, this one has 5000"
      ),
      ("plugin { name = 'x', version = '1', allow = { 'exec' } }", "'exec' needs a program: exec=…"),
      ("plugin { name = 'x', version = '1', allow = { 'open=x' } }", "'open' is granted as a whole: leave out '=x'"),
      ("while true do end", "the limit of 0.3 s is spent: does a loop never end?"),
      (
        "plugin { name = 'x', version = '1' } plugin { name = 'x', version = '1' }",
        "a plugin has two manifests: remove the second 'plugin { … }'"
      ),
      ("plugin { name = 'x', version = '1' } error('later')", "later"),
    ]
    let stage = try PluginStage(limits: HostLimits(load: .milliseconds(300)))
    for (script, message) in cases {
      stage.write(script, to: "p.lua")
      expect(stage.refusal("p.lua"), is: message, "\(script)")
      expect(stage.host.plugins.isEmpty && stage.take() == [])
    }
    expect(stage.refusal("nothing.lua"), is: "can't read 'nothing.lua': No such file or directory")
  }

  /// A manifest with a table that is filled in a loop.
  private func many(_ field: String, _ entry: String, _ count: Int) -> String {
    let table = "(function() local t = {} for i = 1, \(count) do \(entry) end return t end)()"
    return "plugin { name = 'x', version = '1', \(field) = \(table) }"
  }

  @Test("A manifest has at most 12 capabilities and 256 requirements, in texts of 4096 bytes")
  func largestManifest() throws {
    let stage = try PluginStage([
      "allow.lua": many("allow", "t[i] = 'env=' .. ('A'):rep(4089) .. i % 11 + 100", 12),
      "requires.lua": many("requires", "t[('p'):rep(4093) .. i + 100] = '*'", 256),
    ])
    let allow = try stage.host.manifest(path: "\(stage.path)/allow.lua").allow
    expect(allow.count == 11 && allow.first?.subject?.utf8.count == 4092)
    expect(allow.first?.subject?.hasSuffix("101") == true && allow.last?.subject?.hasSuffix("100") == true)
    try expect(stage.host.manifest(path: "\(stage.path)/requires.lua").requires.count, is: 256)
  }

  @Test(
    "A range of versions is comparisons that all hold",
    arguments: [
      ("*", "0", true), ("1.2", "1.2.0", true), ("1.2", "1.2.1", false), (">=1.2", "1.10", true),
      (">1", "1.0.0", false),
      (">=1.2 <2", "1.9.9", true), (">=1.2, <2", "2", false), ("<=2", "2.0", true), ("=3", "3.0.0", true),
    ])
  func ranges(_ range: String, _ version: String, _ holds: Bool) throws {
    try expect(require(VersionRange(range)).contains(try require(Version(version))), is: holds)
  }

  @Test(
    "A malformed version is no range", arguments: ["", "1.", "1.2.3.4", "a", "1.-2", "+1", "99999999999999999999"])
  func noVersions(_ text: String) {
    expect(Version(text) == nil && VersionRange(text) == nil)
  }

  @Test("The digest is SHA-256")
  func digests() {
    expect(Digest.of([]), is: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    expect(Digest.of(Array("abc".utf8)), is: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    expect(
      Digest.of([UInt8](repeating: 97, count: 1000)),
      is: "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
  }

  // MARK: Order

  private func plugin(_ name: String, _ version: String = "1", requires: String = "", _ body: String = "") -> String {
    "plugin { name = '\(name)', version = '\(version)', requires = { \(requires) } } print('\(name)') \(body)"
  }

  @Test(
    "Plugins load after their requirements, else in the given order; missing requirements are looked up in the folders")
  func order() throws {
    let stage = try PluginStage(
      [
        "a.lua": plugin("a", requires: "c = '>=1', photos = '>=1 <2', menuctl = '*'"), "b/plugin.lua": plugin("b"),
        "c.lua": plugin("c", requires: "d = '*'"), "more/d.lua": plugin("d"),
      ], app: pluginApp)
    stage.host.pluginFolders = ["\(stage.path)/more"]
    try stage.load("a.lua", "b", "c.lua")
    expect(stage.take(), is: ["d", "c", "a", "b"])
    expect(stage.host.plugins.map(\.manifest.name), is: ["d", "c", "a", "b"])
    expect(stage.host.installedPlugins(), is: ["\(stage.path)/more/d.lua"])
  }

  @Test("Conflicts are named before anything runs: missing, another version, doubled, in a circle")
  func conflicts() throws {
    let stage = try PluginStage(
      [
        "a.lua": plugin("a", requires: "b = '>=2'"), "b.lua": plugin("b", "1.5"), "b2.lua": plugin("b"),
        "m.lua": plugin("m", requires: "photo = '*'"), "v.lua": plugin("v", requires: "photos = '>=2'"),
        "o.lua": plugin("o", requires: "menuctl = '>9'"),
        "x.lua": plugin("x", requires: "y = '*'"), "y.lua": plugin("y", requires: "z = '*'"),
        "z.lua": plugin("z", requires: "x = '*'"), "self.lua": plugin("self", requires: "self = '*'"),
      ], app: pluginApp)
    expect(stage.refusal("a.lua", "b.lua"), is: "'a' requires b >=2, and 'b.lua' is 1.5.0")
    expect(stage.refusal("b.lua", "b2.lua"), is: "two plugins are named 'b': 'b.lua' and 'b2.lua'")
    expect(stage.refusal("m.lua"), is: "'m' requires 'photo', but there is no such plugin; did you mean 'photos'?")
    expect(stage.refusal("v.lua"), is: "'v' requires photos >=2, and the app 'photos' is 1.4.0")
    expect(stage.refusal("o.lua"), is: "'o' requires menuctl >9, and menuctl is 0.1.0")
    expect(
      stage.refusal("b.lua", "x.lua", "y.lua", "z.lua"), is: "plugins require each other in a circle: x → y → z → x")
    expect(stage.refusal("self.lua"), is: "plugins require each other in a circle: self → self")
    expect(stage.take() == [] && stage.host.plugins.isEmpty)
    try stage.load("b.lua")
    expect(stage.refusal("b2.lua"), is: "there is the plugin 'b' 1.5.0 already")
  }

  @Test("Only the plugin of exactly that name meets a requirement, wherever a file of that name lies")
  func namesakes() throws {
    let stage = try PluginStage(
      [
        "more/lib.lua": plugin("other"), "a.lua": plugin("a", requires: "lib = '*'"),
        "b.lua": plugin("b", requires: "['cafe\u{301}'] = '*'"), "c.lua": plugin("caf\u{E9}"),
      ], app: pluginApp)
    stage.host.pluginFolders = ["\(stage.path)/more"]
    expect(stage.refusal("a.lua"), is: "'a' requires 'lib', and 'more/lib.lua' is named 'other'")
    // Two texts that look alike but have different bytes.
    let missing = Array("'b' requires 'cafe\u{301}', but there is no such plugin; the app is named 'photos'".utf8)
    expect(Array(stage.refusal("b.lua", "c.lua").utf8), is: missing)
    try stage.load("c.lua")
    expect(Array(stage.refusal("b.lua").utf8), is: missing)
    expect(stage.take(), is: ["caf\u{E9}"])
  }

  @Test("E4: An error in a manifest is at its field, or at the manifest's beginning")
  func misfits() throws {
    let stage = try PluginStage(
      [
        "a.lua": "plugin {\n  name = 'a', version = '1',\n  requires = { b = '*' },\n}",
        "b.lua": "plugin { name = 'b', version = '1', requires = { a = '*' } }",
        "a2.lua": "plugin { version = '1', name = 'a' }",
        "hidden.lua":
          "-- it requires\nplugin { name = 'hidden', version = '1', ['requ' .. 'ires'] = { none = '*' } }",
      ], app: pluginApp)
    func place(_ names: String...) throws -> String {
      let paths = names.map { "\(stage.path)/\($0)" }
      let error = try #require(throws: LoadError.self) { try stage.host.load(plugins: paths) }
      expect(error.failure.code, is: .misuse)
      return stage.short("\(error.failure.place?.description ?? "nowhere") of \(error.failure.owner ?? "nobody")")
    }
    try expect(place("a.lua"), is: "a.lua:3:3 of a")
    try expect(place("b.lua", "a.lua"), is: "b.lua:1:37 of b")
    try expect(place("a.lua", "b.lua"), is: "a.lua:3:3 of a")
    try expect(place("a.lua", "a2.lua"), is: "a2.lua:1:25 of a")
    try expect(place("hidden.lua"), is: "hidden.lua:2 of hidden")
  }

  @Test("S1: A chain of requirements may have any length: it takes no stack")
  func longChain() throws {
    let stage = try PluginStage()
    for number in 0..<4000 {
      stage.write(plugin("p\(number)", requires: "p\(number + 1) = '*'"), to: "p\(number).lua")
    }
    stage.host.pluginFolders = [stage.path]
    expect(stage.refusal("p0.lua").hasPrefix("'p3999' requires 'p4000', but there is no such plugin"))
  }

  @Test(
    "E4: If a plugin's text is too long, too deep or no text, the error names its file",
    arguments: [
      ("x = \(String(repeating: "(", count: 250))1", "the source is nested too deeply"),
      (String(repeating: "-- a comment\n", count: 20_000), "the script has 260041 bytes, and can have "),
      ("\u{1B}", "the script is no text: byte 42 can't be in one"),
    ])
  func unreadable(_ rest: String, _ message: String) throws {
    let stage = try PluginStage(["p.lua": "plugin { name = 'whole', version = '1' }\n\(rest)"], app: pluginApp)
    let error = try #require(throws: LoadError.self) { try stage.load("p.lua") }
    expect(error.failure.message.hasPrefix(message))
    expect(
      stage.short(error.failure.place?.description ?? "nowhere"),
      is: "p.lua:\(message.hasPrefix("the script is no text") ? 2 : 1)")
  }

  @Test("S7: Plugins that are loaded together all load, or none does")
  func together() throws {
    let stage = try PluginStage(
      [
        "a.lua": plugin("a", "1", "window 'of a' app.on.x = print"), "b.lua": plugin("b", "1", "error('no')"),
      ], app: pluginApp)
    expect(stage.refusal("a.lua", "b.lua"), is: "no")
    expect(stage.take(), is: ["a", "b"])
    expect(stage.host.find("of a") == nil && stage.perform("x").hasPrefix("unhandled"))
    expect(stage.host.plugins.isEmpty && stage.host.scripts?.owners.count == 2 && stage.host.windows.count == 1)
  }

  // MARK: Layers

  @Test(
    "S3, S4, E4: A handler below ctx:super() keeps its owner: undo entries, errors and spent limits are that owner's")
  func belowSuper() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1" }
        local g = app:find "g"
        for _, action in ipairs { "inc", "save", "loop", "nap" } do
          g.on[action] = function(_, ctx) return ctx:super() end
        end
        function g.can:look(ctx) return ctx:super() end
        function g.on:caught(ctx) ctx:set(s, "m", 1) pcall(function() ctx:super() end) ctx:set(s, "m", 2) end
        function app.on:mine() return "mine" end
        s = { m = 0 }
        """
      ],
      app: """
        local main = window "main"
        local g = responder "g" { next = main }
        focus(g)
        local s = { n = 0 }
        function g.on:inc(ctx) ctx:set(s, "n", s.n + 1) end
        function g.on:nap(ctx) sleep(1) ctx:set(s, "n", s.n + 1) end
        function g.on:caught(ctx) ctx:set(s, "n", s.n + 1) error("caught") end
        function g.on:save(ctx) return ctx.photo.name end
        function g.can:look(ctx) return ctx.photo.name end
        function g.on:look() end
        function g.on:loop(ctx) while true do end end
        function app.on:n() return s.n end
        """, limits: HostLimits(perform: .milliseconds(40)))
    try stage.load("p.lua")
    let host = stage.host
    _ = host.takeDiagnostics()
    _ = host.validate("look")
    for (place, line) in [(host.perform("save").error?.place, 8), (host.takeDiagnostics().first?.place, 9)] {
      expect(place?.file.hasSuffix("app.lua") == true && place?.line == line && place?.column != nil, "line \(line)")
    }
    expect(host.perform("save").error?.owner, is: "app")
    for _ in 1...4 { expect(host.perform("loop").error?.owner, is: "app") }
    expect(stage.perform("mine"), is: "handled by app via on → text(\"mine\")")
    host.perform("inc")
    host.perform("nap")
    try host.advance(by: .seconds(2))
    host.perform("caught")
    expect(host.undoHistory.undo, is: ["caught", "nap", "inc"])
    try host.unload(plugin: "p")
    // The plugin's two writes are gone, and the app's stay.
    expect(host.undoHistory.undo, is: ["caught", "nap", "inc"])
    for _ in 1...3 { expect(host.undo().status, is: .handled) }
    expect("\(host.perform("n").result)", is: "integer(0)")
  }

  @Test(
    "D14: The latest layer wins per name, super calls below; provide, build and keys all count; unloading uncovers"
  )
  func layers() throws {
    let layer = { (name: String) in
      """
      plugin { name = '\(name)', version = '1' }
      local grid = app:find("grid")
      function grid.on:rate(ctx) return "\(name), " .. ctx:super() end
      function grid:provide(ctx) ctx.\(name) = true end
      function app.build:main(m) m:insert_last("Image", item "From \(name)" { "rate" }) end
      grid.keys = { ["ctrl+\(name.prefix(1))"] = "rate" }
      """
    }
    let stage = try PluginStage(
      ["one.lua": layer("one"), "two.lua": layer("two"), "three.lua": layer("three")], app: pluginApp)
    try stage.load("one.lua")
    try stage.load("two.lua", "three.lua")
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"three, two, one, app rates a.jpg\")")
    expect(
      stage.host.menu("Image")?.children.map(\.title), is: ["Rate", "Clear", "From one", "From two", "From three"])
    expect(stage.host.press("ctrl+o").status == .handled && stage.host.press("ctrl+t").status == .handled)
    // A layer keeps its position when its owner or the app reloads.
    try stage.host.reload(plugin: "one")
    try stage.host.reload(path: "\(stage.path)/app.lua")
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"three, two, one, app rates a.jpg\")")
    try stage.host.unload(plugin: "two")
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"three, one, app rates a.jpg\")")
    try stage.host.unload(plugin: "three")
    try stage.host.unload(plugin: "one")
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"app rates a.jpg\")")
    expect(stage.host.menu("Image")?.children.map(\.title), is: ["Rate", "Clear"])
    expect(stage.host.press("ctrl+o").status, is: .unhandled)
  }

  @Test(
    "K8: If owners bind one key on one responder, the latest loaded wins, and load, check, keys and why show both"
  )
  func oneKeyOfSeveral() throws {
    let plugin = { (name: String) in
      """
      plugin { name = '\(name)', version = '1' }
      local grid = app:find("grid")
      function grid.on:\(name)() return "\(name)" end
      grid.keys.k = "\(name)"
      """
    }
    let app = """
      local grid = responder "grid" { keys = { k = "own" } }
      function grid.on:own() return "own" end
      focus(grid)
      """
    let stage = try PluginStage(["one.lua": plugin("one"), "two.lua": plugin("two")], app: app)
    func told() -> [String] {
      stage.host.takeDiagnostics().filter { $0.code == "key-conflict" }.map {
        $0.message.replacing(stage.path + "/", with: "")
      }
    }
    func pressed() -> String { "\(stage.host.press("k").result)" }
    expect(told().isEmpty && pressed() == #"text("own")"#)
    try stage.load("one.lua")
    expect(told(), is: ["'k' of 'grid' doesn't do 'own': 'one' (one.lua:4) bound it later"])
    expect(pressed(), is: #"text("one")"#)
    try stage.load("two.lua")
    let both = [
      "'k' of 'grid' doesn't do 'one': 'two' (two.lua:4) bound it later",
      "'k' of 'grid' doesn't do 'own': 'two' (two.lua:4) bound it later",
    ]
    expect(told(), is: both)
    expect(pressed(), is: #"text("two")"#)
    expect(
      stage.host.check().filter { $0.code == "key-conflict" }.map { $0.message.replacing(stage.path + "/", with: "") }
        .sorted(), is: both)
    let keys = stage.host.keys().map {
      "\($0.keys) \($0.reference): \($0.conflict ?? "done")".replacing(stage.path + "/", with: "")
    }
    expect(
      keys,
      is: [
        "k two: done", "k one: 'two' (two.lua:4) bound it later", "k own: 'two' (two.lua:4) bound it later",
      ])
    let why = try stage.host.why(keys: "k")
    expect(
      why.isEnabled && why.steps.prefix(3).map(\.answer).map { $0.contains("bound it later") } == [false, true, true])
    try stage.host.unload(plugin: "two")
    expect(pressed(), is: #"text("one")"#)
    try stage.host.unload(plugin: "one")
    expect(pressed(), is: #"text("own")"#)
  }

  @Test("S3, F8: Only a responder's owner decides whether it works in modal sessions")
  func worksWhenModal() throws {
    let stage = try PluginStage(
      ["bad.lua": "plugin { name = 'bad', version = '1' } app:find('grid').works_when_modal = true"], app: pluginApp)
    let error = #expect(throws: LoadError.self) { try stage.load("bad.lua") }
    expect(error?.failure.message, is: "'grid' belongs to 'app': its 'works_when_modal' is not for other scripts")
  }

  @Test("A responder's table of fields is applied in a fixed order, independent of Lua's")
  func fieldsInOrder() throws {
    for _ in 0..<12 {
      let same = try ScriptStage("local a = responder 'a' responder 'b' { before = 'a', next = 'a' }")
      expect(same.host.find("b")?.before?.name, is: "a")
      let stage = try ScriptStage(
        "responder 'a' print(select(2, pcall(function() responder 'b' { next = app, before = 'a' } end)))")
      expect(stage.takePrinted(), is: ["app.lua:1: 'next' of 'b' can't change: 'b' was made with before = 'a'"])
    }
  }

  @Test(
    "A responder before another comes first wherever a walk gets there, the latest loaded first; its next is fixed"
  )
  func before() throws {
    let first = { (name: String) in
      """
      plugin { name = '\(name)', version = '1' }
      local r = responder "\(name) first" { before = "grid" }
      function r.on:rate(ctx) if ctx.pass == "\(name)" then return pass end return "\(name) " .. r.next.name end
      function r.on:fixed() fails(function() r.next = app end) return r.before.name end
      function fails(body) print(select(2, pcall(body))) end
      """
    }
    let stage = try PluginStage(["a.lua": first("a"), "b.lua": first("b")], app: pluginApp)
    try stage.load("a.lua", "b.lua")
    expect(
      stage.host.chainNames == ["b first", "a first", "grid", "main", "app"] && stage.host.focused.name == "grid")
    expect(stage.perform("rate"), is: "handled by b first via on → text(\"b grid\")")
    expect(stage.perform("rate(pass: b)"), is: "handled by a first via on → text(\"a grid\")")
    expect(stage.perform("fixed"), is: "handled by b first via on → text(\"grid\")")
    expect(stage.take(), is: ["b.lua:4: 'next' of 'b first' can't change: 'b first' was made with before = 'grid'"])
    var options = PerformOptions()
    options.to = stage.host.find("grid")
    expect(stage.host.perform("rate", options).by, is: "grid")
    // Its position survives a reload of the app and of its plugin, by name. It goes with its plugin.
    try stage.host.reload(path: "\(stage.path)/app.lua")
    try stage.host.reload(plugin: "a")
    expect(stage.host.chainNames, is: ["b first", "a first", "grid", "main", "app"])
    try stage.host.unload(plugin: "b")
    expect(stage.host.chainNames, is: ["a first", "grid", "main", "app"])
    try stage.host.remove(try require(stage.host.find("grid")))
    expect(stage.host.find("a first")?.before == nil && stage.host.find("a first")?.next?.name == "main")
  }

  // MARK: Boundaries

  @Test("S3: Access to others' objects raises and names the owner: fields, next, remove, derive, the calls of the app")
  func boundaries() throws {
    let body = """
      plugin { name = 'other', version = '1' }
      local grid = app:find("grid")
      local function fails(body) print((select(2, pcall(body)):gsub("^[^:]*:%d+: ", ""))) end
      fails(function() return grid.selection end)
      fails(function() grid.selection = 1 end)
      fails(function() return grid.next end)
      fails(function() grid.next = app end)
      fails(function() grid:remove() end)
      fails(function() grid:derive("x", {}) end)
      fails(function() return app.title end)
      fails(function() app.title = "mine" end)
      fails(function() app.settings = {} end)
      function grid.on:self_field() fails(function() return self.selection end) return "done" end
      function app.on:calls()
        fails(function() app:enter("active") end) fails(function() app:load_plugin("x.lua") end)
        fails(function() app:unload_plugin("other") end) fails(function() app:reload_plugin("other") end)
      end
      local own = responder "own" { next = grid, mine = 1 }
      print(own.mine, own.next == grid, app:find("main").name, focus(own))
      """
    let stage = try PluginStage(
      ["other.lua": body], app: pluginApp + "\nfunction app.on:theirs() return app:find('own').mine end")
    try stage.load("other.lua")
    expect(
      stage.take(),
      is: [
        "'grid' belongs to 'app': its 'selection' is not for other scripts",
        "'grid' belongs to 'app': its 'selection' is not for other scripts",
        "'grid' belongs to 'app': its 'next' is not for other scripts",
        "'grid' belongs to 'app': its 'next' is not for other scripts",
        "'grid' belongs to 'app': its 'remove' is not for other scripts",
        "'grid' belongs to 'app': its 'derive' is not for other scripts",
        "only the app can use 'app.title'", "only the app can use 'app.title'",
        "'settings' belongs to the host and can't be assigned", "1\ttrue\tmain\ttrue",
      ])
    expect(stage.perform("self_field"), is: "handled by grid via on → text(\"done\")")
    _ = stage.perform("calls")
    expect(
      stage.take(),
      is: [
        "'grid' belongs to 'app': its 'selection' is not for other scripts",
        "entering a phase is only for the app, and 'other' is a plugin",
        "loading a plugin is only for the app, and 'other' is a plugin",
        "unloading a plugin is only for the app, and 'other' is a plugin",
        "reloading a plugin is only for the app, and 'other' is a plugin",
      ])
    let theirs = stage.host.perform("theirs")
    expect(theirs.error?.message, is: "'own' belongs to 'other': its 'mine' is not for other scripts")
    expect(theirs.error?.place?.column, is: 49, "the field, and not the name of who has it")
  }

  @Test("S3: A plugin never gets the table with which another owner's scripts see a responder")
  func views() throws {
    let body = """
      plugin { name = 'thief', version = '1' }
      local grid = app:find("grid")
      local function fails(body) print((select(2, pcall(body)):gsub("^[^:]*:%d+: ", ""))) end
      local function try(r) fails(function() return r.selection end) end
      function grid.on:taker(ctx) try(ctx.taker) for k, v in pairs(ctx) do if k == "taker" or k == "sender" then try(v) end end end
      function grid.on:argument(ctx) try(ctx.r) return ctx.r end
      function grid.on:result() return grid end
      function grid.can:asked(ctx) try(ctx.taker) return true end
      function grid.on:asked() end
      listen("focus", function(new, old) try(new) try(old) end)
      function grid.on:go()
        app:perform("argument", { r = grid })
        try(app:perform("argument", { r = grid }).result)
        try(app:perform("result").result)
        try(app:context("argument").taker or grid)
        try(app:find("grid"))
        app:perform("asked")
        focus(app:find("main"))
        return "done"
      end
      """
    let stage = try PluginStage(["thief.lua": body], app: pluginApp)
    expect(stage.perform("look_at"), is: "handled by grid via on → text(\"a.jpg\")")
    try stage.load("thief.lua")
    // The app's own scripts still see their responders.
    expect(stage.perform("look_at"), is: "handled by grid via on → text(\"a.jpg\")")
    for reference in ["taker", "go"] {
      let outcome = stage.host.perform(reference)
      expect(outcome.status, is: .handled, "\(outcome.line)")
    }
    let lines = stage.take()
    expect(lines.count >= 10)
    for line in lines {
      expect(
        line.contains("is not for other scripts") || line.contains("only the app can use")
          || line.hasSuffix("not for 'thief'"), "\(line)"
      )
    }
  }

  @Test(
    "S3: No function of a plugin sees another owner's responder through the context, whichever runs first",
    arguments: [
      "function grid.on:foo(ctx) try(ctx) end",
      "function grid.on:foo() end function grid.can:foo(ctx) try(ctx) return true end",
      "function grid.on:foo() end function grid.look:foo(ctx) try(ctx) return {} end",
      "function grid.on:foo() end grid.takes.foo = { x = { one_of = function(_, ctx) try(ctx) return { 'a' } end } }",
      "function grid.on:foo() end grid.takes.foo = { x = { 'string', default = function(_, ctx) try(ctx) return 'a' end } }",
      "function grid.on:foo() end function grid.confirm:foo(ctx) try(ctx) return 'Sure?' end",
      "function grid:provide(ctx) try(ctx) end",
      "function app:unknown(ctx) try(ctx) return false end",
      "menubar { menu 'T' { section 's' { items = function(ctx) try(ctx) return { 1 } end, row = made } } }",
      "menubar { menu 'T' { section 's' { items = { 1 }, row = function(_, ctx) try(ctx) return made() end } } }",
      "menubar { menu 'T' { item 'I' { 'rate', look = function(ctx) try(ctx) return {} end } } }",
      "menubar { menu 'T' { made(), look = function(ctx) try(ctx) return {} end } }",
    ])
  func viewsInContext(_ function: String) throws {
    let body = """
      plugin { name = 'thief', version = '1' }
      local grid = app:find("grid")
      local function made() return item "Row" { "rate" } end
      local function try(ctx)
        print((select(2, pcall(function() return ctx.theirs.selection end)):gsub("^[^:]*:%d+: ", "")))
      end
      \(function)
      """
    let stage = try PluginStage(
      ["thief.lua": body], app: pluginApp + "\nfunction grid:provide(ctx) ctx.theirs = self end")
    try stage.load("thief.lua")
    _ = (stage.host.menus(), stage.host.validate("foo"))
    for reference in ["foo", "rate", "nobody"] {
      _ = stage.host.perform(reference, PerformOptions(asking: Answered()))
    }
    let lines = stage.take()
    expect(!lines.isEmpty)
    for line in lines {
      expect(line.contains("is not for other scripts") || line.contains("only the app can use"), "\(line)")
    }
  }

  @Test("S3: Code has the rights of the owner whose script loaded it, for any caller and any way to call")
  func codeOwners() throws {
    let stage = try PluginStage(
      [
        "victim.lua": "plugin { name = 'victim', version = '1' } function app.on:there() return 'there' end",
        "thief.lua": """
        plugin { name = 'thief', version = '1' }
        local function own(text) return load(text, "own", "t", {}) end
        function app.on:resumed() return coroutine.wrap(app.unload_plugin)(app, 'victim') end
        function app.on:deep()
          return coroutine.wrap(coroutine.wrap(function() return coroutine.wrap(pcall)(app.enter, app, 'active') end))()
        end
        function app.on:loaded() return own("local a = ... return a:unload_plugin('victim')")(app) end
        local seen = own("local a = ... return function() return a:find('grid').selection end")(app)
        responder "giver" { before = "grid", provide = function(_, ctx) ctx.given = setmetatable({}, { __index = seen }) end }
        function app.on:boxed(ctx) return coroutine.wrap(app.unload_plugin)(ctx.box.app, 'victim') end
        responder "equal" { before = "grid", provide = function(self, ctx) ctx.same = setmetatable({}, { __eq = self.remove }) end }
        function app.on:mine() return coroutine.wrap(app.perform)(app, 'there').result end
        """,
      ],
      app: """
        \(pluginApp)
        function grid.on:given(ctx) return ctx.given.name end
        function grid.on:compare(ctx) return self == ctx.same end
        responder "boxer" { before = "grid", provide = function(_, ctx) ctx.box = { app = app } end }
        """)
    try stage.load("victim.lua", "thief.lua")
    let foreign = [
      "resumed": "unloading a plugin is only for the app, and 'thief' is a plugin",
      "boxed": "unloading a plugin is only for the app, and 'thief' is a plugin",
      "loaded": "unloading a plugin is only for the app, and 'thief' is a plugin",
      "compare": "remove is called by name, not by an operator, a loop or a function of the library",
      "given": "'grid' belongs to 'app': its 'selection' is not for other scripts",
    ]
    for (action, reason) in foreign { expect(stage.host.perform(action).error?.message, is: reason) }
    _ = stage.perform("deep")
    expect(stage.host.phase != .active && stage.host.plugins.count == 2)
    expect(stage.perform("mine"), is: "handled by app via on → text(\"there\")")
  }

  @Test("S3: A file that several owners load is separate code for each")
  func sharedFiles() throws {
    let shared = "return { read = function(name) return app:find(name).secret end }"
    func body(_ name: String, besides other: String) -> String {
      """
      plugin { name = '\(name)', version = '1' }
      responder '\(name)node' { before = 'grid', secret = '\(name)' }
      local util = require 'util'
      function app.on:\(name)_own() return util.read '\(name)node' end
      function app.on:\(name)_other() return util.read '\(other)node' end
      """
    }
    let stage = try PluginStage(
      [
        "util.lua": shared, "a.lua": body("a", besides: "b"), "b.lua": body("b", besides: "a"),
        "evil.lua": "plugin { name = 'evil', version = '1' } pcall(require, 'app') pcall(require, 'a')",
      ],
      app: pluginApp
        + "\nfunction app.on:title() app.title = 'Mine' return require('util').read 'grid' or app.title end")
    try stage.load("a.lua", "b.lua", "evil.lua")
    expect(stage.perform("a_own"), is: "handled by app via on → text(\"a\")")
    expect(stage.perform("b_own"), is: "handled by app via on → text(\"b\")")
    let messages = ["a_other", "b_other"].map { stage.host.perform($0).error?.message }
    expect(messages[0], is: "'bnode' belongs to 'b': its 'secret' is not for other scripts")
    expect(messages[1], is: "'anode' belongs to 'a': its 'secret' is not for other scripts")
    expect(stage.perform("title"), is: "handled by app via on → text(\"Mine\")")
    #expect(throws: Never.self) { try stage.host.unload(plugin: "evil") }
  }

  @Test("A plugin layers the app's responders and those of required plugins, and no others")
  func required() throws {
    let stage = try PluginStage(
      [
        "base.lua": "plugin { name = 'base', version = '1' } responder 'shelf'",
        "with.lua":
          "plugin { name = 'with', version = '1', requires = { base = '*' } } app:find('shelf').on.x = function() return 1 end",
        "without.lua": "plugin { name = 'without', version = '1' } app:find('shelf').on.x = function() end",
      ], app: pluginApp)
    try stage.load("base.lua", "with.lua")
    expect(
      stage.refusal("without.lua"),
      is: "'shelf' belongs to the plugin 'base': add it to 'requires' in the manifest of 'without'")
    var options = PerformOptions()
    options.to = stage.host.find("shelf")
    expect(stage.host.perform("x", options).line, is: "handled by shelf via on → integer(1)")
    // A reload of the required plugin keeps the layer.
    try stage.host.reload(plugin: "base")
    options.to = stage.host.find("shelf")
    expect(stage.host.perform("x", options).line, is: "handled by shelf via on → integer(1)")
  }

  @Test("Each owner has its own environment: globals are separate, names of responders are shared")
  func environments() throws {
    let stage = try PluginStage(
      [
        "p.lua":
          "plugin { name = 'p', version = '1' } print(pcall(function() return grid end)) mine = 1 print(rawget(_G, 'mine'))"
      ],
      app: pluginApp + "\nfunction app.on:read() return mine end")
    try stage.load("p.lua")
    let lines = stage.take()
    expect(lines.count == 2 && lines[0].contains("'grid' is not defined") && lines[1] == "1")
    expect(stage.host.perform("read").error?.message, is: "'mine' is not defined")
    stage.write("plugin { name = 'q', version = '1' } responder 'grid'", to: "q.lua")
    expect(stage.refusal("q.lua").hasPrefix("there is a responder named 'grid' already"))
  }

  @Test("Listeners run after a plugin is completely gone, and functions that they have of it register nothing")
  func leavesNothing() throws {
    let stage = try PluginStage(
      [
        "late.lua": """
        plugin { name = "late", version = "1" }
        local panel = responder "panel"
        local grid = app:find("grid")
        function app.on:show() modal(panel) end
        function app.on:stay() modal(grid) end
        local does = {
          function() responder "left" end,
          function() listen("focus", print) end,
          function() function app.on:left() end end,
          function() grid.on.left = print end,
          function() grid.provide = function(self, ctx) ctx.left = 1 end end,
          function() app:define("left", { on = print }) end,
          function() class "left" {} end,
          function() modal(grid) end,
          function() observe("*", print) end,
          function() menubar { menu "Left" {} } end,
          function() error((select(2, app:open_menu("root")))) end,
        }
        function app.on:lend() return function(k) return does[k]() end end
        """
      ],
      app: """
        responder "grid"
        local page = responder "page"
        local lent
        function page.on:act() return 1 end
        function app.on:borrow() lent = app:perform("lend").result end
        focus(page)
        listen("focus", function(new)
          if new ~= page then return end
          print(app:perform("stay").status)
          for k = 1, 11 do
            local _, fault = pcall(lent, k)
            print((tostring(fault):gsub("^.*: ", "")))
          end
        end)
        """)
    try stage.load("late.lua")
    stage.host.perform("borrow")
    stage.host.perform("show")
    let before = stage.host.receipt(of: stage.host.program)
    try stage.host.unload(plugin: "late")
    expect(stage.host.takeDiagnostics().isEmpty)
    expect(stage.printed, is: ["unhandled"] + Array(repeating: "the script of 'late' is gone", count: 11))
    expect(stage.host.responders.map(\.name), is: ["app", "grid", "page"])
    expect(stage.host.receipt(of: stage.host.program), is: before)
    expect(stage.host.perform("left").status, is: .unhandled)
    expect(stage.host.perform("act").status, is: .handled)
  }

  @Test("A plugin's listeners don't hear the event during which it is unloaded")
  func hearsNoMore() throws {
    let stage = try PluginStage(
      ["one.lua": "plugin { name = 'one', version = '1' } listen('focus', function() print('one hears') end)"],
      app: """
        local page = responder "page"
        listen("focus", function(new) print("the app hears") if new == page then app:unload_plugin("one") end end)
        function app.on:turn() focus(page) end
        focus(app)
        """)
    try stage.load("one.lua")
    expect(stage.host.perform("turn").status, is: .handled)
    expect(stage.printed, is: ["the app hears"])
    expect(stage.host.takeDiagnostics().isEmpty)
  }

  // MARK: Loading and unloading by scripts

  @Test("app:load_plugin, unload_plugin, reload_plugin and plugins return results, and refuse wrong calls")
  func calls() throws {
    let stage = try PluginStage(
      [
        "plugins/hello.lua":
          "plugin { name = 'hello', version = '1.2' } function app.on:hello() return 'hi' end observe('*', print)",
        "plugins/friend.lua": "plugin { name = 'friend', version = '1', requires = { hello = '*' } }",
        "plugins/broken.lua": "plugin { name = 'broken', version = '1' }\nerror('no')",
      ],
      app: """
        local function show(...) print(...) end
        function app.on:load(ctx)
          local ok, problems = app:load_plugin(ctx.path)
          print(ok, problems and problems[1].message, problems and problems[1].line)
        end
        function app.on:unload(ctx)
          local receipt, why = app:unload_plugin(ctx.name)
          print(receipt and receipt.handlers, receipt and receipt.observers, receipt and receipt.menus, why)
        end
        function app.on:reload(ctx) print(app:reload_plugin(ctx.name)) end
        function app.on:list() for _, p in ipairs(app:plugins()) do print(p.name, p.version, p.holds.handlers) end end
        """)
    _ = stage.perform("load(path: \"plugins/hello.lua\")")
    _ = stage.perform("load(path: \"plugins/friend.lua\")")
    _ = stage.perform("load(path: \"plugins/broken.lua\")")
    expect(stage.take().filter { !$0.hasPrefix("table") }, is: ["true\tnil\tnil", "true\tnil\tnil", "false\tno\t2"])
    expect(stage.perform("hello"), is: "handled by app via on → text(\"hi\")")
    _ = stage.perform("list")
    _ = stage.perform("unload(name: hello)")
    _ = stage.perform("unload(name: friend)")
    _ = stage.perform("reload(name: hello)")
    _ = stage.perform("unload(name: hello)")
    _ = stage.perform("unload(name: hello)")
    expect(
      stage.take().filter { !$0.hasPrefix("table") },
      is: [
        "hello\t1.2.0\t1", "friend\t1.0.0\tnil", "nil\tnil\tnil\t'hello' is required by 'friend'", "nil\tnil\tnil\tnil",
        "true", "1\t1\tnil\tnil", "nil\tnil\tnil\tthere is no plugin 'hello'",
      ])
    expect(stage.perform("hello").hasPrefix("unhandled"))
    let outside = try PluginStage(["far.lua": "plugin { name = 'far', version = '1' }"])
    let refusal = stage.host.perform("load(path: \"\(outside.path)/far.lua\")")
    expect(
      refusal.error?.message.contains("is outside of the app's folder and of the plugin folders") ?? false
    )
    expect(
      stage.host.perform("load(path: far)").error?.message,
      is: "can't find the plugin 'far': no plugin folders are set; name one with --plugins DIR")
    stage.host.pluginFolders = [outside.path]
    _ = stage.perform("load(path: far)")
    expect(stage.take() == ["true\tnil\tnil"] && stage.host.plugins.map(\.manifest.name) == ["far"])
  }

  @Test("E3: Reloading a plugin is a transaction: app.keep survives, a failure leaves the old version")
  func reloads() throws {
    let version = { (number: String, more: String) in
      """
      plugin { name = 'p', version = '\(number)' }
      app.keep.count = (app.keep.count or 0) + 1
      local r = responder "of p" { before = "grid" }
      function r.on:which() return '\(number) ' .. app.keep.count end
      \(more)
      """
    }
    let stage = try PluginStage(["p.lua": version("1", "")], app: pluginApp + "\napp.keep.count = 100")
    try stage.load("p.lua")
    expect(stage.perform("which"), is: "handled by of p via on → text(\"1 1\")")
    stage.write(version("2", ""), to: "p.lua")
    try stage.host.reload(plugin: "p")
    expect(stage.perform("which"), is: "handled by of p via on → text(\"2 2\")")
    for broken in [
      version("3", "error('no')"), version("x", ""), "print(1)", version("3", "").replacing("'p'", with: "'q'"),
    ] {
      stage.write(broken, to: "p.lua")
      #expect(throws: LoadError.self) { try stage.host.reload(plugin: "p") }
      expect(stage.perform("which"), is: "handled by of p via on → text(\"2 2\")")
      expect(stage.host.plugins.map { "\($0.manifest.version)" }, is: ["2.0.0"])
    }
    // One new version doesn't fit the plugins that require it, another requires them in turn.
    stage.write("plugin { name = 'user', version = '1', requires = { p = '<3' } }", to: "user.lua")
    try stage.load("user.lua")
    stage.write(version("3", ""), to: "p.lua")
    let other = try #require(throws: LoadError.self) { try stage.host.reload(plugin: "p") }
    expect(stage.short(other.failure.message), is: "'user' requires p <3, and 'p.lua' is 3.0.0")
    stage.write("plugin { name = 'p', version = '2', requires = { user = '*' } }", to: "p.lua")
    let circle = try #require(throws: LoadError.self) { try stage.host.reload(plugin: "p") }
    expect(circle.failure.message, is: "plugins require each other in a circle: p → user → p")
  }

  // MARK: Texts, places and leftovers

  @Test("S2: The text of a file is the text that ran; a refused module has no text")
  func loadedText() throws {
    let stage = try PluginStage(
      [
        "plug/plugin.lua": "plugin { name = 'plug', version = '1' } pcall(require, 'out') pcall(require, 'good')",
        "plug/out.lua": "→/etc/passwd", "plug/good.lua": "return 1",
      ], app: pluginApp)
    try stage.load("plug")
    for name in ["out", "good"] { stage.write("→/etc/passwd", to: "plug/\(name).lua") }
    let texts = ["out", "good", "missing"].map { stage.host.text(ofFile: "\(stage.path)/plug/\($0).lua") }
    expect(texts, is: [nil, Array("return 1".utf8), nil])
    // The host knows both, so that a tool can check whether they were saved.
    expect(stage.host.scriptFiles.map(stage.short), is: ["plug/good.lua", "plug/out.lua", "plug/plugin.lua"])
  }

  @Test("E4: A plugin's error is at its own line, also if it names another; an error raised again keeps its place")
  func raisedPlaces() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = 'p', version = '1' }
        function app.on:forged(ctx)
          error { message = 'm', file = ctx.file, line = ctx.line }
        end
        function app.on:again(ctx) error(app:perform('bad').error) end
        """
      ], app: "app.name = 'demo'\nfunction app.on:bad() error('bad') end")
    try stage.load("p.lua")
    func place(_ reference: String) -> String {
      stage.short(stage.host.perform(reference).error?.place?.description ?? "none")
    }
    let app = "\(stage.path)/app.lua"
    expect(place("forged(file: \"\(app)\", line: 2)"), is: "p.lua:3")
    expect(place("again"), is: "app.lua:2")
    expect(place("forged(file: \"\(app)\", line: 1)"), is: "p.lua:3")
  }

  @Test(
    "S3: A plugin sets its own responder as the app's delegate if no other owner has, and the delegate goes with it"
  )
  func delegates() throws {
    let app = "app.name = 'demo' local d = responder 'del' function d.on:x() return 'app' end"
    let others = "a plugin can't replace the app's delegate 'del', which 'app' made"
    let refusals = [
      ("app.delegate = d", "app.delegate = responder 'mine'", "p.lua:1: \(others)"),
      ("app.delegate = d", "app.delegate = nil", "p.lua:1: \(others)"),
      (
        "", "app.delegate = 'del'",
        "p.lua:1: a plugin can make only its own responder the app's delegate, and 'app' made 'del'"
      ),
    ]
    for (own, assigned, message) in refusals {
      let stage = try PluginStage(
        ["p.lua": "plugin { name = 'p', version = '1' } print(pcall(function() \(assigned) end))"],
        app: "\(app) \(own)")
      let before = stage.perform("x")
      try stage.load("p.lua")
      expect(stage.take() == ["false\t\(message)"] && stage.perform("x") == before, "\(assigned)")
      try stage.host.unload(plugin: "p")
      expect(stage.perform("x"), is: before, "\(assigned)")
    }
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = 'p', version = '1' }
        local first, second = responder 'first', responder 'second'
        function second.on:x() return 'plugin' end
        app.delegate = first
        app.delegate = nil
        app.delegate = second
        """
      ], app: app)
    try stage.load("p.lua")
    expect(stage.perform("x"), is: "handled by second via on → text(\"plugin\")")
    try stage.host.reload(plugin: "p")
    expect(stage.perform("x"), is: "handled by second via on → text(\"plugin\")")
    try stage.host.unload(plugin: "p")
    expect(stage.host.app.delegate == nil && stage.perform("x").hasPrefix("unhandled"))
  }

  /// A plugin that has something of every kind.
  private static let everything = """
    plugin { name = 'all', version = '1' }
    menubar { menu "All" { item "Do" { "all.do", key = "ctrl+shift+a" }, section "rows" { items = { 1 }, row = function(n) return item("r" .. n) { "x" } end } } }
    class "kind" { on = { kindly = function() end } }
    local w = window "all window" { class = "kind" }
    local r = responder "all first" { before = "grid" }
    local grid = app:find("grid")
    for _, one in ipairs { w, r, grid, app } do
      one.on["all.do"] = function(self, ctx) ctx:undo("All", function() end) return true end
      one.can["all.do"] = function() return true end
      one.look["all.do"] = function() return {} end
      one.needs.nothing = "all"
      one.takes["all.do"] = { n = { "integer", optional = true } }
      one.confirm["all.do"] = function() return nil end
      one.about["all.do"] = "All"
      one.provide = function(self, ctx) ctx.all = self.name end
      one.build.main = function(self, m) end
      one.keys = { ["alt+a"] = "all.do" }
      one.failed = function(self, err) return err end
    end
    app:define("defined", { on = function() end })
    app.delegate = r
    app:find("main").on.wait = function() sleep(1000) end
    function app:start() end
    every(1000, function() end)
    observe("*", function() end) listen("focus", function() end) listen("menu", function() end)
    function app.on:open_all() modal(r) end
    app.keep.all = { 1, 2, 3 }
    """

  @Test("Unloading removes everything and returns the counts; the host is the same as before")
  func nothingLeft() throws {
    let stage = try PluginStage(["all.lua": Self.everything], app: pluginApp)
    let host = stage.host
    let engine = try require(host.scripts)
    func round() throws -> Receipt {
      try stage.load("all.lua")
      _ = host.menus()
      _ = host.perform("all.do")
      _ = host.perform("wait")
      _ = host.perform("open_all")
      _ = host.validate("all.do")
      return try host.unload(plugin: "all")
    }
    _ = host.menus()
    let before = stage.portrait
    let receipt = try round()
    expect(
      receipt.counts.map { "\($0.kind) \($0.count)" },
      is: [
        "classes 1", "handlers 45", "jobs 1", "keys 4", "listeners 2", "menus 1", "observers 1", "responders 1",
        "sessions 1", "timers 1", "undo 1", "windows 1",
      ], "\(receipt.counts)")
    expect(stage.portrait, is: before)
    // Enough rounds for the registry to have room for one more before its garbage is collected.
    for _ in 0..<200 { _ = try round() }
    func settle() {
      _ = host.menus()
      _ = host.perform("rate")
      _ = host.takeDiagnostics()
      engine.lua.collect()
      engine.lua.collect()
    }
    settle()
    let holdings = LuaHoldings(engine.lua)
    let (memory, responders) = (engine.lua.memory, engine.responders.count)
    for _ in 0..<300 { _ = try round() }
    settle()
    let after = LuaHoldings(engine.lua)
    expect(stage.portrait, is: before)
    expect(engine.lua.memory < memory + 16 << 10, "\(memory), then \(engine.lua.memory) bytes")
    expect(
      after.references <= holdings.references + 8 && after.objects <= holdings.objects + 8, "\(holdings), \(after)")
    expect(engine.responders.count, is: responders)
  }

  @Test("Objects and functions of a removed plugin do nothing, wherever they are still held")
  func held() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = 'p', version = '1' }
        function app.on:give() return { window = window "of p", go = function() return app:perform("rate").status end, make = function() return window "again" end } end
        """
      ],
      app: pluginApp + """

        function app.on:take() held = app:perform("give").result return "taken" end
        held = nil
        function app.on:use()
          print(held.window.name, pcall(function() held.window.on.x = print end))
          print(pcall(held.go)) print(pcall(held.make))
        end
        """)
    try stage.load("p.lua")
    expect(stage.perform("take"), is: "handled by app via on → text(\"taken\")")
    try stage.host.unload(plugin: "p")
    _ = stage.perform("use")
    let lines = stage.take()
    expect(
      lines.count == 3 && lines[0].hasPrefix("of p\tfalse") && lines[0].hasSuffix("'of p' was removed"), "\(lines)")
    expect(lines[1].hasPrefix("false") && lines[2].hasPrefix("false") && stage.host.find("again") == nil, "\(lines)")
  }

  // MARK: Quarantine

  @Test(
    "S6: A plugin that spends its limits repeatedly is named and set aside until a reload; the rest continues")
  func quarantine() throws {
    let stage = try PluginStage(
      [
        "bad.lua": """
        plugin { name = 'bad', version = '1' }
        menubar { menu "Bad" { item "Spin" { "spin" } } }
        function app.on:spin() while true do end end
        function app.can:rate() print("asked") return true end
        function app:provide(ctx) ctx.bad = true end
        observe("*", function() print("watched") end)
        """
      ], app: pluginApp, limits: HostLimits(perform: .milliseconds(50)))
    try stage.load("bad.lua")
    for _ in 0..<2 {
      let outcome = stage.host.perform("spin")
      expect(outcome.status == .failed && outcome.error?.limit == .time && outcome.error?.owner == "bad")
    }
    let item = stage.host.item("Bad/Spin")
    expect(
      item?.isEnabled, is: true, "\(item?.reason ?? "") \(stage.host.scripts?.plugins.first?.owner.violations ?? 0)")
    var options = PerformOptions()
    options.skipValidation = true
    _ = stage.host.perform("spin", options)
    let reason = "'bad' is set aside: it spent its limits 3 times; reload it to try again"
    expect(stage.perform("spin"), is: "disabled by app via on: \(reason)")
    expect(stage.host.perform("spin", options).reason, is: reason)
    expect(stage.host.item("Bad/Spin")?.reason == reason && stage.host.plugins[0].trouble == reason)
    expect(stage.host.takeDiagnostics().contains { $0.code == "set-aside" && $0.message == reason })
    _ = stage.take()
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"app rates a.jpg\")")
    expect(stage.take(), is: [])
    try expect(stage.host.context().map(\.key), is: ["photo"])
    try stage.host.reload(plugin: "bad")
    expect(stage.host.item("Bad/Spin")?.isEnabled == true && stage.host.plugins[0].trouble == nil)
  }

  @Test(
    "S6: A caller that spends a limit with many calls gets the blame; for a single endless call the called plugin does"
  )
  func callers() throws {
    let stage = try PluginStage(
      [
        "driver.lua": """
        plugin { name = 'driver', version = '1' }
        function app.on:drive() while true do app:perform("work") end end
        function app.on:delegate() return app:perform("spin").status end
        """,
        "worker.lua": """
        plugin { name = 'worker', version = '1' }
        function app.on:work() for i = 1, 20000 do end return "worked" end
        function app.on:spin() while true do end end
        """,
      ], app: pluginApp, limits: HostLimits(perform: .milliseconds(50)))
    try stage.load("driver.lua")
    try stage.load("worker.lua")
    let owners = try require(stage.host.scripts?.plugins.map(\.owner))
    for _ in 0..<2 { expect(stage.host.perform("drive").error?.limit, is: .time) }
    expect(owners.map(\.name) == ["driver", "worker"] && owners.map(\.violations) == [2, 0])
    _ = stage.host.perform("delegate")
    expect(owners.map(\.violations), is: [2, 1])
    _ = stage.host.perform("drive")
    expect(owners[0].whySetAside != nil && owners[1].whySetAside == nil)
    expect(stage.perform("work"), is: "handled by app via on → text(\"worked\")")
  }

  @Test(
    "S6: If a value's metamethods spend the limit, the host blames the plugin that made the value, not its reader"
  )
  func handedOver() throws {
    let stage = try PluginStage(
      [
        "spin.lua": """
        plugin { name = 'spin', version = '1' }
        local function loop() while true do end end
        responder "giver" { before = "grid", provide = function(_, ctx) ctx.given = setmetatable({}, { __index = loop }) end }
        """,
        "reader.lua": """
        plugin { name = 'reader', version = '1' }
        function app.on:read(ctx) return ctx.given.name end
        function app.on:spin(ctx) while true do end end
        """,
      ], app: pluginApp, limits: HostLimits(perform: .milliseconds(50)))
    try stage.load("spin.lua", "reader.lua")
    for _ in 0..<4 {
      let error = try require(stage.host.perform("read").error)
      expect(error.limit == .time && error.owner == "spin" && error.place?.line == 2)
    }
    let owners = try require(stage.host.scripts?.plugins.map(\.owner))
    expect(owners.map(\.violations), is: [0, 0])
    _ = stage.host.perform("spin")
    expect(owners.map(\.violations), is: [0, 1])
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }

  @Test("P2: If a plugin requires an app without a name, the error says how to name it; a plugin is no app")
  func namelessApp() throws {
    let plugin = "plugin { name = 'p', version = '1.0.0', requires = { host = '*' } }"
    let stage = try PluginStage(["p.lua": plugin], app: "app.title = 'Host'")
    expect(
      stage.refusal("p.lua"),
      is: "'p' requires 'host', but there is no such plugin; the app has no name: add app.name = \"host\"")
    try expect(
      loadError(plugin).contains(
        "'plugin' is not defined in an app; load a plugin with its app: menuctl load APP --plugin FILE"))
  }
}
