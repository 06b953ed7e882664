import Expectations
import Testing

@testable import ScriptHost

@Suite("The owner in whose name a host call acts")
struct CallerScriptTests {
  /// An app that uses a value from a plugin, and the result.
  private struct Case: CustomTestStringConvertible {
    /// The expression that the plugin supplies as `ctx.v`. In it, `self` is the plugin's responder before the app's
    /// grid.
    let value: String
    /// The app handler's code, which uses the value.
    let handler: String
    /// The error message that the app gets. Nil if nothing fails.
    var message: String?
    var testDescription: String { "\(value) in \(handler)" }
  }

  private static let byName = "is called by name, not by an operator, a loop or a function of the library"

  private static let cases = [
    Case(
      value: "setmetatable({}, { __eq = grid.remove })", handler: "return grid == ctx.v", message: "remove \(byName)"),
    Case(
      value: "setmetatable({}, { __lt = grid.remove })", handler: "return grid < ctx.v", message: "remove \(byName)"),
    Case(
      value: "setmetatable({}, { __add = grid.remove })", handler: "return grid + ctx.v", message: "remove \(byName)"),
    Case(
      value: "setmetatable({}, { __pairs = function() return app.enter, app, 'background' end })",
      handler: "for _ in pairs(ctx.v) do end", message: "enter \(byName)"),
    Case(
      value: "setmetatable({}, { __pairs = function() return pcall, grid.remove, grid end })",
      handler: "for ok in pairs(ctx.v) do assert(not ok) break end"),
    Case(
      value: "setmetatable({}, { __pairs = function() return coroutine.wrap(app.enter), app, 'background' end })",
      handler: "for _ in pairs(ctx.v) do end", message: "enter \(byName)"),
    Case(
      value: "setmetatable({}, { __lt = grid.remove })", handler: "table.sort({ grid, ctx.v })",
      message: "remove \(byName)"),
    Case(value: "grid.remove", handler: "table.sort({ grid, grid }, ctx.v)", message: "remove \(byName)"),
    Case(value: "grid.remove", handler: "('x'):gsub('x', ctx.v)", message: "remove \(byName)"),
    Case(
      value: "setmetatable({ provide = function() end }, { __eq = grid })", handler: "return ctx.v == {}",
      message: "responder {…} \(byName)"),
    Case(
      value: "setmetatable({ provide = function() end }, { __call = grid })", handler: "return ctx.v()",
      message: "the fields of 'grid' must be a plain table, not one with __call"),
    Case(
      value: "setmetatable({ provide = function() end }, { __call = setmetatable({}, { __call = grid }) })",
      handler: "return ctx.v {}", message: "the fields of 'grid' must be a plain table, not one with __call"),
    Case(
      value: "setmetatable({ provide = function() end }, { __tostring = grid })", handler: "error(ctx.v)",
      message: "the script raised a value that can't be shown"),
  ]

  @Test(
    "S3: A host call acts in the name of the calling script, not of the user of a plugin's value", arguments: cases)
  private func unsaid(_ found: Case) throws {
    let stage = try PluginStage(
      [
        "thief.lua": """
        plugin { name = 'thief', version = '1' }
        local grid = app:find 'grid'
        responder "giver" { before = "grid", provide = function(self, ctx) ctx.v = \(found.value) end }
        """
      ], app: pluginApp + "\nfunction grid.on:use(ctx) \(found.handler) end")
    try stage.load("thief.lua")
    let before = stage.perform("look_at")
    let outcome = stage.host.perform("use")
    if let message = found.message {
      expect(outcome.error?.message, is: message)
    } else {
      expect(outcome.status, is: .handled, "\(outcome.line)")
    }
    expect(stage.perform("look_at"), is: before)
    expect(stage.host.phase == .inactive && stage.host.responders.contains { $0.name == "grid" })
    expect(stage.perform("rate(stars: 1)"), is: "handled by grid via on → text(\"app rates a.jpg\")")
    expect(stage.host.plugins.first?.trouble, is: nil)
  }

  @Test(
    "S3: The host sees a script's call by name, through pcall, xpcall, coroutines, and as a tail call")
  func said() throws {
    let stage = try PluginStage(
      ["other.lua": "plugin { name = 'other', version = '1' }"],
      app: pluginApp + """

        local calls = { find = app.find }
        function app.on:said()
          local function last() return app:find "grid" end
          local found = {
            app:find "grid", app.find(app, "grid"), calls.find(app, "grid"), last(),
            (select(2, pcall(app.find, app, "grid"))),
            (select(2, xpcall(app.find, print, app, "grid"))),
            (select(2, pcall(pcall, app.find, app, "grid")) and grid),
            coroutine.wrap(app.find)(app, "grid"),
            (select(2, coroutine.resume(coroutine.create(pcall), app.find, app, "grid"))) and grid,
            (nil or app.find)(app, "grid"),
          }
          for index = 1, 10 do assert(found[index] == grid, index) end
          return #found
        end
        """)
    try stage.load("other.lua")
    expect(stage.perform("said"), is: "handled by app via on → integer(10)")
  }

  @Test("S3: Code that no script's text loads has no owner, though the script that runs it holds it")
  func loadedUnsaid() throws {
    let stage = try PluginStage(
      [
        "thief.lua": """
        plugin { name = 'thief', version = '1' }
        responder "giver" { before = "grid", provide = function(self, ctx)
          ctx.v = setmetatable({}, { __pairs = function() return load, "(...):enter 'background'" end })
        end }
        """
      ], app: pluginApp + "\nfunction grid.on:use(ctx) for f in pairs(ctx.v) do return f(app) end end")
    try stage.load("thief.lua")
    expect(stage.host.perform("use").error?.message, is: "the script that made this is gone")
    expect(stage.host.phase, is: .inactive)
  }

  @Test("S3, U3: Taking back has no owner: a metatable set after the write can't act in anybody's name")
  func takenBack() throws {
    let stage = try PluginStage(
      [
        "thief.lua": """
        plugin { name = 'thief', version = '1' }
        local v = { provide = function(_, ctx) ctx.photo = "stolen.jpg" end }
        responder "giver" { before = "grid", provide = function(_, ctx) ctx.v = v end }
        function app.on:lead(ctx) v.provide = nil setmetatable(v, { __newindex = ctx.box.grid }) end
        """
      ],
      app: pluginApp + """

        responder "boxer" { before = "grid", provide = function(_, ctx) ctx.box = { grid = grid } end }
        function grid.on:write(ctx) ctx:set(ctx.v, "provide", "nothing") end
        """)
    try stage.load("thief.lua")
    expect(stage.host.perform("write").status, is: .handled)
    expect(stage.host.perform("lead").status, is: .handled)
    expect(
      stage.host.perform("undo").error?.message,
      is: "the host can't tell which script does this: call it from the text of a script")
    expect(stage.perform("rate"), is: "handled by grid via on → text(\"app rates a.jpg\")")
  }

  @Test(
    "S1, S6: If a limit is reached in the host's code, the error names its caller, at the caller's line"
  )
  func spentWithin() throws {
    // Each host spends another number of instructions first, so that the limit is reached at another place.
    for spare in 0..<40 {
      let stage = try PluginStage(
        [
          "bad.lua": """
          plugin { name = 'bad', version = '1' }
          function app.on:spin(ctx)
            for i = 1, ctx.spare do end
            while true do pcall(exec) end
          end
          """
        ], app: pluginApp, limits: HostLimits(perform: .milliseconds(60_000, instructions: 20_000)))
      try stage.load("bad.lua")
      let error = try require(stage.host.perform("spin(spare: \(spare))").error)
      expect(error.limit == .instructions && error.owner == "bad" && error.place?.line == 4)
      expect(stage.perform("rate(stars: 1)"), is: "handled by grid via on → text(\"app rates a.jpg\")")
    }
  }

  @Test("S3: A function that a removed plugin lent out does nothing in others' names, also if it was the last plugin")
  func lent() throws {
    let stage = try PluginStage(
      [
        "thief.lua": """
        plugin { name = 'thief', version = '1' }
        function app.on:lend(ctx)
          local box = ctx.box
          local deeds = {
            function() box.app:enter "background" end,
            function() box.grid.on.rate = function() return "taken" end end,
            function() box.grid.next = nil end,
            function() box.grid:remove() end,
            function() return load("local box = ... box.grid:remove()", "own", "t", {})(box) end,
            setmetatable({}, { __lt = box.grid.remove }),
          }
          app:perform("take", { deeds = deeds })
        end
        """
      ],
      app: pluginApp + """

        responder "boxer" { before = "grid", provide = function(_, ctx) ctx.box = { grid = grid, app = app } end }
        function app.on:take(ctx) self.deeds = ctx.deeds end
        function app.on:use(ctx)
          for index = 1, 5 do print(select(2, pcall(self.deeds[index]))) end
          print(select(2, pcall(function() return grid < self.deeds[6] end)))
        end
        """)
    try stage.load("thief.lua")
    expect(stage.host.perform("lend").status, is: .handled)
    try stage.host.unload(plugin: "thief")
    expect(stage.host.perform("use").status, is: .handled)
    let said = stage.take()
    expect(
      said.count == 6 && said.dropLast().allSatisfy { $0.hasSuffix("the script of 'thief' is gone") }, "\(said)")
    expect(said.last?.hasSuffix("remove \(Self.byName)"), is: true, "\(said)")
    expect(stage.host.phase, is: .inactive)
    expect(stage.perform("rate(stars: 1)"), is: "handled by grid via on → text(\"app rates a.jpg\")")
  }
}
