import Expectations
import Glibc
import Testing

@testable import ScriptHost

@Suite("watch: changes outside of the host")
struct WatchScriptTests {
  private static let app = """
    local count = 0
    watch("data", function() count = count + 1 end)
    function app.on:count() return count end
    """

  private func stage(_ app: String = app, allow: [String] = ["fs.read"], _ files: [String: String] = [:]) throws
    -> PluginStage
  {
    let stage = try PluginStage(
      files.merging(["data/old": "", "data/sub/deep/x": "", "other/y": ""]) { own, _ in own })
    stage.host.granted = try allow.map { try Capability.parse($0) }
    stage.write(app, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    return stage
  }

  /// The number of calls of the function after so many milliseconds.
  private func count(_ stage: PluginStage, after milliseconds: Int = 100) throws -> String {
    try stage.host.advance(by: .milliseconds(milliseconds))
    return stage.host.perform("count").result.shown
  }

  @Test("P20: Changes within 100 ms at or below a watched folder are one call; changes elsewhere are none")
  func coalesced() throws {
    let stage = try stage()
    try expect(count(stage), is: "0")
    stage.write("1", to: "data/old")
    stage.write("2", to: "data/sub/deep/new")
    try expect(count(stage, after: 50), is: "0")
    stage.write("3", to: "data/third")
    try expect(count(stage, after: 50) == "1" && count(stage, after: 1000) == "1")
    unlink("\(stage.path)/data/third")
    try expect(count(stage), is: "2")
    stage.write("x", to: "other/y")
    try expect(count(stage), is: "2")
  }

  @Test("P20: A watch of a path below '$PWD' that is declared while loading begins with the app's grants")
  func workingFolder() throws {
    let stage = try PluginStage([:])
    stage.host.granted = [try Capability.parse("fs.read=\(#require(Grant.real(".")))")]
    stage.write(
      """
      app.allow = { "fs.read=$PWD" }
      watch("$PWD/Package.swift", function() end)
      """, to: "app.lua")
    try stage.consenting { try stage.host.load(path: "\(stage.path)/app.lua") }
    expect(stage.host.diagnostics.isEmpty, "\(stage.host.diagnostics)")
  }

  @Test(
    "P20: A folder made or moved inside is watched too, but not one that was moved away, nor a link's target"
  )
  func folders() throws {
    let stage = try stage()
    stage.write("x", to: "data/made/below/file")
    try expect(count(stage), is: "1")
    stage.write("y", to: "data/made/below/file")
    try expect(count(stage), is: "2")
    rename("\(stage.path)/other", "\(stage.path)/data/moved")
    try expect(count(stage), is: "3")
    stage.write("z", to: "data/moved/y")
    try expect(count(stage), is: "4")
    rename("\(stage.path)/data/moved", "\(stage.path)/away")
    stage.write("→\(stage.path)/away", to: "data/link")
    try expect(count(stage), is: "5")
    stage.write("z", to: "away/y")
    try expect(count(stage), is: "5")
  }

  @Test("P20: For a watched file only that file counts, also when it is replaced")
  func file() throws {
    let stage = try stage(Self.app.replacing("\"data\"", with: "\"data/old\""))
    stage.write("x", to: "data/new")
    try expect(count(stage), is: "0")
    stage.write("x", to: "data/old")
    rename("\(stage.path)/data/new", "\(stage.path)/data/old")
    try expect(count(stage), is: "1")
    stage.write("y", to: "data/old")
    try expect(count(stage), is: "2")
  }

  @Test("P20: A folder that is removed, replaced or made again stays watched, and a link's target is not")
  func replaced() throws {
    let stage = try stage()
    let data = "\(stage.path)/data"
    rename(data, "\(stage.path)/away")
    try expect(count(stage), is: "1")
    stage.write("x", to: "away/sub/deep/x")
    try expect(count(stage), is: "1")
    stage.write("→\(stage.path)/other", to: "data")
    try expect(count(stage), is: "2")
    stage.write("x", to: "other/y")
    try expect(count(stage), is: "2")
    stage.write("a file", to: "data")
    try expect(count(stage), is: "3")
    unlink(data)
    stage.write("x", to: "data/sub/x")
    try expect(count(stage), is: "4")
    stage.write("y", to: "data/sub/x")
    try expect(count(stage), is: "5")
    stage.write("y", to: "data2/x")
    try expect(count(stage), is: "5")
  }

  /// An app on the system's clock that counts changes by a program.
  private func running(_ program: String, _ stage: PluginStage) throws -> ScriptHost {
    let host = ScriptHost()
    host.granted = [try Capability.parse("fs.read"), try Capability.parse("exec=sh")]
    stage.write(
      Self.app + """

        function app.on:go() exec('sh', { '-c', '\(program)' }, { folder = '.' }) return count end
        """, to: "app.lua")
    try host.load(path: "\(stage.path)/app.lua")
    return host
  }

  @Test("P20: Changes that a program makes while it runs are one call at its end")
  func programs() throws {
    let stage = try PluginStage(["data/old": ""])
    let host = try running("for n in 1 2 3 4 5 6; do echo $n >data/n; sleep 0.1; done", stage)
    expect(host.perform("go", wait: true).result.shown, is: "0")
    host.run(until: host.now + .milliseconds(250))
    expect(host.perform("count").result.shown, is: "1")
  }

  @Test("P20: A program that doesn't end delays a call by 10 s at most")
  func endless() throws {
    let clock = TestClock()
    let host = ScriptHost(clock: clock)
    var count = 0
    let handler = NativeAction(owner: host.program) { _ in
      count += 1
      return .null
    }
    let watching = Watching(host.dispatcher, handler, at: nil) { true }
    watching.start()
    watching.changed()
    try host.advance(by: .seconds(10))
    expect(count, is: 0)
    try host.advance(by: .milliseconds(200))
    expect(count, is: 1)
  }

  @Test("P20: The function may change the menus, wait, and watch more; if it never ends it is ended like a timer")
  func runs() throws {
    let stage = try stage(
      """
      local count = 0
      watch("data", function()
        sleep(0.2)
        count = count + 1
        if count == 1 then watch("other", function() while true do end end) end
      end)
      menubar { menu "File" {
        section "rows" { items = function() return { count } end, id = function(n) return "i" .. n end,
          row = function(n) return item("Item " .. n) { "count" } end } } }
      function app.on:count() return count end
      """)
    stage.write("x", to: "data/old")
    try expect(count(stage) == "0" && count(stage, after: 200) == "1")
    expect(stage.host.takeDiagnostics().map(\.message), is: [])
    expect(stage.host.menus().find("i1")?.title, is: "Item 1")
    stage.write("x", to: "other/y")
    try expect(count(stage), is: "1")
    let found = stage.host.takeDiagnostics().map(\.message)
    expect(found.count == 1 && found[0].contains("does a loop never end"), "\(found)")
  }

  @Test("P20: Watching begins when everything is loaded; without a grant it is a diagnostic, in an action it raises")
  func granted() throws {
    let consenting = try PluginStage(["data/x": ""])
    consenting.write("app.allow = { 'fs.read' } " + Self.app, to: "app.lua")
    try consenting.consenting { try consenting.host.load(path: "\(consenting.path)/app.lua") }
    consenting.write("y", to: "data/x")
    try expect(count(consenting), is: "1")
    let refused = try stage(allow: [])
    let found = refused.host.takeDiagnostics().map { refused.short($0.message) }
    expect(
      found.count == 1 && found[0].contains("watch is not granted to 'app' for 'data'")
        && found[0].contains("it takes the capability 'fs.read=data'"), "\(found)")
    let acting = try stage("function app.on:go() return watch('/etc', print) end")
    expect(acting.host.perform("go").error?.code, is: .capability)
    let missing = try stage("function app.on:go() return select(2, watch('none', print)) end")
    expect(missing.short(missing.host.perform("go").result.shown), is: "none: No such file or directory")
  }

  @Test("P20: A watch goes with its owner, its handle, or a failing action; then nothing is watched any more")
  func goes() throws {
    let stage = try stage()
    expect(stage.host.changeDescriptor != nil)
    try stage.host.reload(text: "function app.on:count() return 0 end", name: "app.lua")
    expect(stage.host.changeDescriptor, is: nil)
    let acting = try self.stage(
      """
      local held
      function app.on:begin() held = watch("data", print) end
      function app.on:finish() held:remove() end
      function app.on:fail() watch("data", print) error("no") end
      """)
    acting.host.perform("begin")
    expect(acting.host.changeDescriptor != nil)
    acting.host.perform("finish")
    expect(acting.host.changeDescriptor, is: nil)
    expect(acting.host.perform("fail").status == .failed && acting.host.changeDescriptor == nil)
  }

  @Test(
    "S15: An owner watches at most 16 paths with 8192 folders; a function that fails three times in a row is removed"
  )
  func bounded() throws {
    let many = try stage("function app.on:go() for i = 1, 17 do watch('data', print) end end")
    expect(
      many.host.perform("go").error?.message.contains("'app' has 16 watches already, and that is the limit") ?? false)
    let large = try stage("function app.on:go() return select(2, watch('data', print)) end")
    for number in 0..<8192 { mkdir("\(large.path)/data/\(number)", 0o755) }
    expect(
      large.short(large.host.perform("go").result.shown), is: "data: 'app' can watch 8192 folders at most")
    expect(large.host.changeDescriptor, is: nil)
    let failing = try stage("watch('data', function() error('no') end)")
    for number in 1...3 {
      expect(failing.host.changeDescriptor != nil)
      failing.write("\(number)", to: "data/x")
      try failing.host.advance(by: .milliseconds(100))
    }
    expect(failing.host.changeDescriptor, is: nil)
    let found = failing.host.takeDiagnostics().map(\.message)
    expect(found.contains("what 'watch' runs failed 3 times in a row, so the host removed it"), "\(found)")
  }

  @Test("S15: A flood of changes is one call, and wakes nothing until then; changes that the system dropped count")
  func flood() throws {
    let stage = try stage()
    for number in 0..<6000 { stage.write("x", to: "data/\(number)") }
    stage.host.run()
    expect(stage.host.changeDescriptor == nil && stage.host.nextDeadline == stage.host.now + .milliseconds(100))
    try expect(count(stage), is: "1")
    stage.write("x", to: "data/sub/deep/x")
    expect(stage.host.changeDescriptor != nil)
    try expect(count(stage), is: "2")
  }

  @Test("P20: A host that waits by the system's clock is woken by the notification")
  func woken() throws {
    let stage = try PluginStage(["data/x": ""])
    let host = ScriptHost()
    host.granted = [try Capability.parse("fs.read")]
    stage.write(Self.app, to: "app.lua")
    try host.load(path: "\(stage.path)/app.lua")
    var polled = pollfd(fd: try require(host.changeDescriptor), events: Int16(POLLIN), revents: 0)
    expect(poll(&polled, 1, 0), is: 0)
    stage.write("y", to: "data/x")
    expect(poll(&polled, 1, 0), is: 1)
    host.run(until: host.now + .milliseconds(200))
    expect(host.perform("count").result.shown, is: "1")
  }

  @Test("A9: A replay watches nothing, and needs no grant for it")
  func replayed() throws {
    let stage = try PluginStage(["data/x": ""])
    stage.host.outside = .given { _, _ in nil }
    stage.write(Self.app, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    expect(stage.host.changeDescriptor == nil && stage.host.takeDiagnostics().isEmpty)
  }
}
