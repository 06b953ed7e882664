import Expectations
import Testing

@testable import ScriptHost

/// Declarations in large numbers. While the host puts them in place, nothing checks limits.
/// So the time must grow only with their number.
/// The bounds are many times the usual time, and far below the time when the host compared each with all.
@Suite("Large declarations")
struct LargeDeclarationTests {
  /// Checks how long something takes this thread, in its own time.
  private func withinSeconds(
    _ seconds: Double, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  )
    rethrows
  {
    let before = threadTime()
    try body()
    let taken = Double(threadTime() - before) / 1e9
    expect(taken < (isUnoptimized ? 3 : 1) * seconds, sourceLocation: location)
  }

  /// No limit on time: the test measures how long the host takes.
  private static let limits = HostLimits(
    load: .milliseconds(0, instructions: 200_000_000), perform: .milliseconds(0, instructions: 200_000_000))

  @Test(
    "S4: The host puts a table of thousands of keys or handlers in place by visiting each once")
  func tables() throws {
    try withinSeconds(8) {
      let stage = try ScriptStage(
        """
        local r = responder "r"
        local keys, on = {}, {}
        for a = 97, 122 do
          for b = 97, 122 do
            on[string.char(a, b)] = print
            for c = 97, 122 do keys[string.char(a, 32, b, 32, c)] = "act" end
          end
        end
        r.keys, r.on = keys, on
        r.keys, r.on = {}, {}
        """, limits: Self.limits)
      expect(stage.host.keys().isEmpty)
    }
  }

  @Test("S4: Classes build on each other 64 deep at most, in any order of building")
  func deepClasses() throws {
    let names = "local c = {} for i = 1, 200 do c[i] = class('c' .. i) {} end "
    for script in [
      "for i = 2, 200 do c[i].class = c[i - 1] end", "for i = 2, 200 do c[201 - i].class = c[202 - i] end",
      "for i = 2, 60 do c[i].class = c[i - 1] c[i + 100].class = c[i + 99] end c[101].class = c[60]",
    ] {
      let error = try #require(throws: LoadError.self) { try ScriptStage(names + script, limits: .patient) }
      expect(error.failure.message.hasPrefix("classes build on each other more than 64 deep: c"), "\(error)")
    }
    _ = try ScriptStage("local last for i = 1, 64 do local c = class('c' .. i) { class = last } last = c end")
  }

  @Test("S4: A script pays for the walks that the host makes for it")
  func walked() throws {
    let stage = try ScriptStage(
      """
      local last
      local first = class "first" {}
      last = first
      for i = 1, 60 do last = class("c" .. i) { class = last } end
      for i = 1, 500 do responder("r" .. i) { class = last } end
      local other, n = class "other" {}, 0
      function app.on:count() return n end
      function app.on:go() for i = 1, 1e9 do n = i first.class = other end end
      """, limits: HostLimits(perform: .milliseconds(60_000, instructions: 2_000_000)))
    expect(stage.perform("go").contains("spent"))
    let outcome = stage.host.perform("count")
    guard case .integer(let count) = outcome.result else {
      Issue.record("\(outcome.line)")
      return
    }
    // Each step builds 500 responders with 60 classes again; its instructions alone would allow 200,000 steps.
    expect(count > 10 && count < 200)
  }

  @Test("S4: All questions about actions at once share one allowance, and the host names the script that spends it")
  func manyQuestions() throws {
    let stage = try ScriptStage(
      """
      local n = 0
      function app.on:count() return n end
      for i = 1, 300 do
        app.on["a" .. i] = function() end
        app.can["a" .. i] = function() n = n + 1 while true do end end
      end
      """, limits: HostLimits(perform: .milliseconds(60_000, instructions: 1_000_000)))
    let host = stage.host
    let app = try require(host.find("app"))
    let reasons = host.asOneQuestion { host.actions(of: app).map { host.validate($0).reason ?? "" } }
    let outcome = host.perform("count")
    guard case .integer(let count) = outcome.result else {
      Issue.record("\(outcome.line)")
      return
    }
    expect(count >= 1 && count < 30)
    expect(reasons.count == 301 && reasons.filter { $0.contains("spent") }.count >= 299)
    expect(host.takeDiagnostics().contains { $0.code == "limit" && $0.place?.line == 5 })
  }

  @Test("S4: All keys pressed at once, and all URLs opened at once, share one allowance")
  func manyDeeds() throws {
    let script = """
      local n = 0
      function app.on:count() return n end
      function app.on:spin() n = n + 1 while true do end end
      function app.on:openURL() n = n + 1 while true do end end
      app.keys.q = "spin"
      """
    for deed in ["press", "open"] {
      let host = try ScriptStage(script, limits: HostLimits(perform: .milliseconds(60_000, instructions: 1_000_000)))
        .host
      if deed == "press" {
        // Every stroke performs an action: none begins a sequence.
        expect(host.press(Array(repeating: "q", count: 40).joined(separator: " ")).error?.code, is: .limit)
      } else {
        let outcomes = host.openURLs((0..<100).map { "a:\($0)" })
        expect(outcomes.count == 100 && outcomes.allSatisfy { $0.status == .failed })
      }
      guard case .integer(let count) = host.perform("count").result else {
        Issue.record("\(deed)")
        return
      }
      expect(count >= 1 && count <= 3, "\(deed): \(count)")
    }
  }

  @Test(
    "S15: Comparing an action's arguments stays within its owner's allowance, for any number of choices and values",
    arguments: [
      (
        "{ n = { one_of = function() local t, u = {}, {} for i = 1, 3000 do u[i] = i end for i = 1, 3000 do t[i] = u end return t end } }",
        "n = u3"
      ),
      ("{ n = { one_of = function() return many end, many = true } }", "n = many"),
      ("{ n = { one_of = many, many = true } }", "n = many"),
      ("{ n = { 'string', matches = '^x', many = true } }", "n = texts"),
      ("{ n = { one_of = texts, many = true } }", "n = texts"),
    ])
  func comparisons(takes: String, given: String) throws {
    let stage = try ScriptStage(
      """
      many, texts, u3 = {}, {}, { 1, 2, 3 }
      for i = 1, 30000 do many[i] = i end
      local long = ("x"):rep(60000)
      for i = 1, 250 do texts[i] = long .. i end
      function app.on:x() return "did" end
      app.takes.x = \(takes)
      function app.on:go() return app:perform("x", { \(given) }).status end
      function app.on:other() return "works" end
      """, limits: HostLimits(load: .milliseconds(60_000), perform: .milliseconds(1000, instructions: 200_000_000)))
    try withinSeconds(4) {
      _ = stage.host.perform("go")
      _ = stage.host.actions(of: try require(stage.host.find("app")))
      _ = stage.host.validate("x")
    }
    expect(stage.perform("other"), is: "handled by app via on → text(\"works\")")
  }

  @Test("S15: An action takes 256 arguments at most")
  func arguments() throws {
    let declare = "local t = {} for i = 1, COUNT do t['a' .. i] = 'string' end app.takes.x = t"
    _ = try ScriptStage(declare.replacing("COUNT", with: "256"))
    try expect(loadError(declare.replacing("COUNT", with: "15000")).contains("takes.x can have 256 arguments at most"))
  }

  @Test("S4: The host reports at most twenty redirections to unknown responders")
  func redirects() throws {
    try withinSeconds(5) {
      let stage = try ScriptStage(
        """
        for i = 1, 1000 do responder("responder" .. i).redirect = "respondre" .. i end
        """, limits: Self.limits)
      expect(stage.host.takeDiagnostics().filter { $0.code == "stray-redirect" }.count, is: 20)
    }
  }

  @Test("S4: The host orders plugins that require hundreds of others by visiting each requirement once")
  func order() throws {
    let files = try plugins(1800, requiring: 256)
    try withinSeconds(5) {
      var order = PluginOrder(present: [:]) { _ in nil }
      let ordered = try order.order(files)
      expect(ordered.map(\.manifest.name), is: files.reversed().map(\.manifest.name))
    }
  }

  @Test("S4: The host finds a reloaded plugin that would require itself by visiting each plugin once")
  func circle() throws {
    let stage = try PluginStage()
    let files = try plugins(120, requiring: 119)
    for file in files {
      let requires = file.manifest.requires.map { "\($0.name) = '*'" }.joined(separator: ", ")
      let name = file.manifest.name
      stage.write("plugin { name = '\(name)', version = '1', requires = { \(requires) } }", to: "\(name).lua")
    }
    stage.host.pluginFolders = [stage.path]
    try stage.load("p1000.lua")
    try withinSeconds(4) { try stage.host.reload(plugin: "p1000") }
    stage.write("plugin { name = 'p1119', version = '1', requires = { p1000 = '*' } }", to: "p1119.lua")
    let error = try #require(throws: LoadError.self) { try stage.host.reload(plugin: "p1119") }
    expect(error.failure.message, is: "plugins require each other in a circle: p1119 → p1000 → p1119")
  }

  /// Plugins that each require this many of those behind it.
  private func plugins(_ count: Int, requiring most: Int) throws -> [PluginFile] {
    let version = try require(Version("1"))
    let any = try require(VersionRange("*"))
    return (0..<count).map { number in
      var manifest = Manifest(name: "p\(number + 1000)", version: version)
      manifest.requires = (number + 1..<max(number + 1, min(count, number + 1 + most))).map {
        Manifest.Requirement(name: "p\($0 + 1000)", versions: any)
      }
      return PluginFile(manifest: manifest, path: "p.lua", folder: ".", bytes: [], asked: [])
    }
  }

  @Test(
    "S4: With thousands of actions and thousands of unhandled items, a pass looks for near names for a while only"
  )
  func nearNames() throws {
    let script = """
      local long = ("a"):rep(60)
      local items = {}
      for i = 1, 2000 do
        app.on[long .. i] = function() end
        items[i] = item("t" .. i) { "b" .. long .. i }
      end
      menubar { menu "M"(items) }
      function app.on:one() return app:validate("b" .. long .. "1").reason end
      function app.on:all() for i = 1, 2000 do app:validate("b" .. long .. i) end end
      """
    try withinSeconds(20) {
      let stage = try ScriptStage(script, limits: Self.limits)
      let items = try require(stage.host.menus().children.first?.children)
      expect(items.first?.reason?.contains("did you mean"), is: true)
      expect(items.last?.reason?.hasPrefix("nobody handles"), is: true)
      expect(items.last?.reason?.contains("did you mean"), is: false)
      // Each round searches again.
      for _ in 0..<2 { expect("\(stage.host.perform("one").result)".contains("did you mean")) }
      expect(stage.host.perform("all").status, is: .handled)
      expect(stage.host.check().filter { $0.code == "unanswered-action" }.count, is: 2000)
    }
  }

  @Test("S4: A check of thousands of responders looks at each of them once")
  func check() throws {
    try withinSeconds(8) {
      let stage = try ScriptStage(
        """
        local last = app
        for i = 1, 2000 do last = responder("r" .. i) { next = last, on = { go = print } } end
        focus(last)
        menubar { menu "M" { item "R" { "go" }, item "S" { "nobody.at.all.here" } } }
        """, limits: Self.limits)
      expect(stage.host.check().map(\.code), is: ["unanswered-action"])
    }
  }
}
