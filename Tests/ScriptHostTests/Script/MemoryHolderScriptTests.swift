import Expectations
import Testing

@testable import ScriptHost

/// A place where a plugin keeps the values that fill the memory. `hog` adds to it without an end.
private struct HoldingPlace: CustomTestStringConvertible, Sendable {
  let name: String
  let script: String

  init(_ name: String, _ script: String) {
    self.name = name
    self.script = script
  }

  var testDescription: String { name }

  private static func loop(_ first: String, _ body: String) -> String {
    "\(first) local n = 0 function app.on:hog(ctx) while true do n = n + 1 \(body) end end"
  }

  static let all = [
    HoldingPlace("a local of the script's", loop("local kept = {}", "kept[n] = ('x'):rep(1000) .. n")),
    HoldingPlace(
      "what is loaded with globals of its own",
      "local text = \"local kept, n = {}, 0 return function() while true do n = n + 1 kept[n] = ('x'):rep(1000) .. n end end\" "
        + "app.on.hog = load(text, 'own', 't', {})()"),
    HoldingPlace("a global", loop("kept = {}", "kept[n] = ('x'):rep(1000) .. n")),
    HoldingPlace("fields of a responder of its own", loop("local r = responder 'r'", "r['k' .. n] = ('x'):rep(1000)")),
    HoldingPlace("what it keeps", loop("", "app.keep['k' .. n] = ('x'):rep(1000)")),
    HoldingPlace(
      "closures",
      loop("local last", "local before, text = last, ('x'):rep(1000) .. n last = function() return before, text end")
    ),
    HoldingPlace(
      "functions of menu elements",
      loop(
        "local kept = {}",
        "local text = ('x'):rep(100000) .. n "
          + "kept[n] = section('s' .. n) { items = function() return { text } end, row = function() return item 'x' { 'rate' } end }"
      )),
    HoldingPlace(
      "coroutines",
      loop(
        "local kept = {}",
        "kept[n] = coroutine.wrap(function() local text = ('x'):rep(1000) .. n coroutine.yield() return text end) kept[n]()"
      )),
    HoldingPlace(
      "what was passed to coroutines beyond their parameters",
      loop(
        "local kept = {}",
        "kept[n] = coroutine.wrap(function(...) coroutine.yield() return ... end) kept[n](('x'):rep(1000) .. n)"
      )),
    HoldingPlace(
      "what can be undone",
      "local r = responder 'r' { before = 'grid', undo = true, text = '' } local n = 0 "
        + "function r.on:hog(ctx) n = n + 1 ctx:set(r, 'text', ('x'):rep(500000) .. n) end"),
    HoldingPlace(
      "what an action that sleeps holds",
      "local deep = {} local function fill(t) while true do t[#t + 1] = ('x'):rep(1000) .. #t end end "
        + "app:define('nap', { on = function() local mine = deep sleep(1e6) return mine end }) "
        + "function app.on:hog(ctx) app:perform('nap', {}, { wait = false }) fill(deep) end"),
  ]
}

@Suite("The plugin that fills the memory of all scripts")
struct MemoryHolderScriptTests {
  private static let limit = 8 << 20

  private func stage(_ hog: String) throws -> PluginStage {
    let stage = try PluginStage(
      [
        "hog.lua": "plugin { name = 'hog', version = '1' } \(hog)",
        "worker.lua": """
        plugin { name = 'worker', version = '1' }
        function app.on:work()
          local list = {}
          for i = 1, 2000 do list[i] = ("x"):rep(500) .. i end
          return #list
        end
        """,
      ], app: pluginApp, limits: HostLimits(memory: Self.limit, perform: .milliseconds(20_000)))
    try stage.load("worker.lua")
    try stage.load("hog.lua")
    return stage
  }

  /// Performs `hog` until it fails.
  private func fill(_ stage: PluginStage) -> Failure? {
    for _ in 0..<40 {
      if let error = stage.host.perform("hog").error { return error }
    }
    return nil
  }

  @Test(
    "S6: The plugin with most of the memory is blamed and set aside; its memory is freed, and the others continue",
    arguments: HoldingPlace.all)
  fileprivate func held(_ place: HoldingPlace) throws {
    let stage = try stage(place.script)
    let owners = try require(stage.host.scripts?.plugins.map(\.owner))
    let memory = try require(stage.host.scripts?.lua.memory)
    let error = fill(stage)
    expect(error?.limit, is: .memory, "\(error?.message ?? "")")
    expect(owners.map(\.name) == ["worker", "hog"] && owners.map(\.violations) == [0, 1])
    // Small actions still have room.
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"app rates a.jpg\")")
    var met = 0
    while owners[1].whySetAside == nil, met < 4 {
      let error = stage.host.perform("work").error
      expect(error?.limit == .memory && error?.owner == "hog")
      met += 1
    }
    expect(met == 2 && owners[0].violations == 0)
    expect("\(stage.host.perform("work").result)", is: "integer(2000)")
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"app rates a.jpg\")")
    expect(stage.host.perform("hog").status, is: .disabled)
    stage.host.scripts?.lua.collect()
    let left = try require(stage.host.scripts?.lua.memory)
    expect(left < memory + Self.limit / 8, "\(left - memory) bytes more than before")
    try stage.host.reload(plugin: "hog")
    expect(owners[0].violations == 0 && stage.host.plugins[1].trouble == nil)
    try stage.host.unload(plugin: "hog")
  }

  @Test("S6: A plugin's app.keep survives that it was set aside for memory held elsewhere")
  func keeps() throws {
    let stage = try stage(
      "local kept = {} app.keep.starts = (app.keep.starts or 0) + 1 function app.on:starts() return app.keep.starts end "
        + "function app.on:hog() while true do kept[#kept + 1] = ('x'):rep(1000) .. #kept end end")
    for _ in 0..<3 { expect(stage.host.perform("hog").error?.owner, is: "hog") }
    expect(stage.host.plugins[1].trouble != nil)
    try stage.host.reload(plugin: "hog")
    expect("\(stage.host.perform("starts").result)", is: "integer(2)")
  }

  @Test("S6: An app that fills the memory is named in the error, and no plugin is set aside")
  func app() throws {
    let stage = try PluginStage(
      ["worker.lua": "plugin { name = 'worker', version = '1' } function app.on:work() return ('x'):rep(1 << 19) end"],
      app: pluginApp
        + "\nlocal kept = {} function app.on:fill() while true do kept[#kept + 1] = ('x'):rep(1000) .. #kept end end",
      limits: HostLimits(memory: Self.limit, perform: .milliseconds(20_000)))
    try stage.load("worker.lua")
    let app = try require(stage.host.scripts?.owners[1].owner.name)
    expect(stage.host.perform("fill").error?.owner, is: app)
    for _ in 0..<5 {
      let outcome = stage.host.perform("work")
      expect(outcome.status == .handled || outcome.error?.owner == app, "\(outcome)")
    }
    expect(stage.host.plugins[0].trouble, is: nil)
  }
}
