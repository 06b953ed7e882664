import CLua
import Expectations
import HostileScripts
import Testing

@testable import ScriptHost

/// The host's Swift data for scripts, beyond the texts of declarations, counts as memory of the scripts.
@Suite("Memory that counts for scripts")
struct ChargedTests {
  private static let limits = HostLimits(
    memory: 8 << 20, load: .milliseconds(60_000), perform: .milliseconds(60_000))

  private func stage(_ script: String) throws -> ScriptStage {
    try ScriptStage(script + "\nfunction app.on:x() end", limits: Self.limits)
  }

  @Test("S15: The rows of a panel count as memory of its script as long as a menu shows them")
  func rows() throws {
    let stage = try stage(
      """
      local title, most = ("x"):rep(4000), 100
      function app.on:more() most = 40000 end
      function app.on:fewer() most = 10 end
      panel { section "s" {
        items = function() local t = {} for i = 1, most do t[i] = i end return t end,
        row = function(v) return item(title) { "x", id = "i" .. v } end } }
      """)
    let host = stage.host
    func shown() throws -> Int {
      let rows = host.menus().panel?.children.count ?? 0
      try host.scriptEngine().lua.collect()
      return rows
    }
    try expect(shown(), is: 100)
    expect(host.dispatcher.kept.bytes > 100 * 4000)
    _ = stage.perform("more")
    try expect(shown(), is: 100)
    let told = host.takeDiagnostics().map(\.message)
    expect(
      told.contains { $0.hasPrefix("section 's' keeps its old rows: the menu elements, the lines of texts and") },
      "\(told)")
    _ = stage.perform("fewer")
    try expect(shown(), is: 10)
    expect(host.dispatcher.kept.bytes < 20 * 5000, "\(host.dispatcher.kept.bytes)")
  }

  @Test("S15: The arguments of items count as memory of their script")
  func arguments() throws {
    #expect(throws: LoadError.self) {
      try stage(
        """
        local t, S = {}, ("x"):rep(60000)
        for i = 1, 1000 do t[i] = item("i") { "x", args = { a = S } } end
        menubar { menu "M"(t) }
        """)
    }
  }

  @Test("S15: The paths of a menu's elements are bounded: each has the titles of all menus around")
  func paths() throws {
    let stage = try stage(
      """
      local function nest(depth)
        if depth > 0 then return { menu(("x"):rep(4000)) (nest(depth - 1)) } end
        local t = {}
        for i = 1, 1500 do t[i] = item("i" .. i) { "x" } end
        return t
      end
      menubar { menu "M"(nest(40)) }
      """)
    expect(stage.host.menus().children.isEmpty)
    let told = stage.host.takeDiagnostics().map(\.message)
    let wanted = "the titles are too long: the paths of a menu can have 33554432 bytes together"
    expect(told.contains { $0.hasPrefix(wanted) }, "\(told)")
  }

  @Test("S15: The texts that a look returns are charged to the time of the pass")
  func looks() throws {
    let stage = try stage(
      """
      local t, S = {}, ("x"):rep(4000)
      for i = 1, 1000 do t[i] = item("i" .. i) { "y" } end
      menubar { menu "M"(t) }
      function app.on:y() end
      function app.look:y() return { title = S, subtitle = S, icon = S } end
      """)
    let engine = try stage.host.scriptEngine()
    let before = clua_counters(engine.lua.L).instructions
    _ = stage.host.menus()
    expect(clua_counters(engine.lua.L).instructions - before > 1000 * 3 * 4000)
  }

  @Test("S15: The results of jobs count as memory of scripts as long as scripts have the jobs")
  func results() throws {
    let stage = try stage(
      """
      local S, kept = ("x"):rep(100000), {}
      app:define("nap", { on = function(self, ctx) sleep(0.01) return S .. ctx.args.i end, reentrant = true })
      function app.on:naps()
        for i = 1, 1000 do
          local ok, outcome = pcall(app.perform, app, "nap", { i = i }, { wait = false })
          if not ok then return outcome end
          kept[i] = outcome.job
          outcome.job:wait()
        end
      end
      function app.on:forget() kept = {} end
      """)
    let host = stage.host
    var said = ""
    host.perform("naps").job?.onEnd { said = $0.result.shownText ?? $0.line }
    try host.advance(by: .seconds(60))
    expect(said.contains("the results of jobs that the scripts hold have more than 8388608"), "\(said.prefix(200))")
    let bytes = host.dispatcher.kept.bytes
    expect(bytes > 80 * 100_000 && bytes < 90 * 100_000, "\(bytes)")
    _ = stage.perform("forget")
    try host.scriptEngine().lua.collect()
    expect(host.dispatcher.kept.bytes < 200_000, "\(host.dispatcher.kept.bytes)")
  }

  @Test("S15: The arguments of waiting actions count as memory of scripts: their contexts hold them in Lua")
  func given() throws {
    let stage = try stage(
      """
      local S = ("x"):rep(100000)
      app:define("nap", { on = function() sleep(10) end, reentrant = true })
      function app.on:naps() for i = 1, 1000 do app:perform("nap", { s = S }, { wait = false }) end end
      """)
    expect(stage.host.perform("naps").error?.limit, is: .memory)
    expect(stage.host.jobs.count < 90, "\(stage.host.jobs.count)")
  }

  @Test(
    "S15: Lua gives back the memory of many references after their release",
    arguments: HostileScript.all.filter { ["undo functions for ever", "jobs for ever"].contains($0.name) })
  func references(row: HostileScript) throws {
    let run = try HostileRun(row, milliseconds: 2000)
    run.run()
    try run.checkUnharmed()
  }

  @Test("New references after many releases lead each to its own value")
  func tidied() throws {
    let lua = try LuaState()
    var first: [LuaReference] = []
    for number in 0..<20_000 { first.append(try lua.reference(to: number)) }
    let kept = stride(from: 3, to: first.count, by: 997).map { ($0, first[$0]) }
    let most = lua.memory
    first = []
    lua.collect()
    expect(lua.memory < most - 200_000, "\(most), then \(lua.memory)")
    expect(lua.referenceCount >= kept.count)
    let later = try (0..<5000).map { (-1 - $0, try lua.reference(to: -1 - $0)) }
    for (number, reference) in kept + later { try expect(lua.number(of: reference), is: number) }
    expect(Set((kept + later).map(\.1.id)).count, is: kept.count + later.count)
  }
}

extension LuaState {
  /// A reference to a table that holds a number.
  fileprivate func reference(to number: Int) throws -> LuaReference {
    let table = newTable()
    try rawSet(.integer(1), .integer(number), of: table)
    return table.reference
  }

  fileprivate func number(of reference: LuaReference) throws -> Int? {
    guard case .integer(let number) = try rawGet(.integer(1), of: LuaTable(reference: reference)) else { return nil }
    return number
  }
}
