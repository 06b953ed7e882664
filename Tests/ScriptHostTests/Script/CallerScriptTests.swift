import Testing

@testable import ScriptHost

@Suite("In whose name something is done")
struct CallerScriptTests {
  /// An app that works with what a plugin supplied, and what the plugin made of it.
  private struct Case: CustomTestStringConvertible {
    /// What the plugin supplies as `ctx.v`: an expression in which `self` is the responder that it has for the app's grid.
    let value: String
    /// What the app's handler does with it.
    let handler: String
    /// What the app is told; nil where nothing fails.
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
      message: "a table that can be called is no table of the fields of 'grid'"),
    Case(
      value: "setmetatable({ provide = function() end }, { __call = setmetatable({}, { __call = grid }) })",
      handler: "return ctx.v {}", message: "a table that can be called is no table of the fields of 'grid'"),
    Case(
      value: "setmetatable({ provide = function() end }, { __tostring = grid })", handler: "error(ctx.v)",
      message: "a value was raised that can't be shown"),
  ]

  @Test(
    "S3: A host's call acts in the name of who says it, not of who uses what a plugin handed over", arguments: cases)
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
      #expect(outcome.error?.message == message)
    } else {
      #expect(outcome.status == .handled, "\(outcome.line)")
    }
    #expect(stage.perform("look_at") == before)
    #expect(stage.host.phase == .inactive && stage.host.responders.contains { $0.name == "grid" })
    #expect(stage.perform("rate(stars: 1)") == "handled by grid via on → text(\"app rates a.jpg\")")
    #expect(stage.host.plugins.first?.trouble == nil)
  }

  @Test(
    "S3: What a script says is done: by name, through pcall, xpcall, coroutines, and as the last thing of a function")
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
    #expect(stage.perform("said") == "handled by app via on → integer(10)")
  }

  @Test("S3: What nobody's text loads is nobody's, though who runs it holds it")
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
    #expect(stage.host.perform("use").error?.message == "the script that this belongs to is gone")
    #expect(stage.host.phase == .inactive)
  }

  @Test("S3, U3: What is taken back is nobody's: where fields lead was decided after somebody wrote them")
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
    #expect(stage.host.perform("write").status == .handled)
    #expect(stage.host.perform("lead").status == .handled)
    #expect(stage.host.perform("undo").error?.message == "no script's text says this, so it is done in nobody's name")
    #expect(stage.perform("rate") == "handled by grid via on → text(\"app rates a.jpg\")")
  }

  @Test(
    "S1, S6: A limit that is found spent in code of the host's own is spent by who called that, at its line"
  )
  func spentWithin() throws {
    // What begins anew takes as many instructions as what was spent: in each of these hosts the end is found somewhere else.
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
      let error = try #require(stage.host.perform("spin(spare: \(spare))").error)
      #expect(error.limit == .instructions && error.owner == "bad" && error.place?.line == 4)
      #expect(stage.perform("rate(stars: 1)") == "handled by grid via on → text(\"app rates a.jpg\")")
    }
  }

  @Test("S3: What a plugin lent does nothing in the name of others when it is gone, be it the last one")
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
    #expect(stage.host.perform("lend").status == .handled)
    try stage.host.unload(plugin: "thief")
    #expect(stage.host.perform("use").status == .handled)
    let said = stage.take()
    #expect(
      said.count == 6 && said.dropLast().allSatisfy { $0.hasSuffix("the script of 'thief' is gone") }, "\(said)")
    #expect(said.last?.hasSuffix("remove \(Self.byName)") == true, "\(said)")
    #expect(stage.host.phase == .inactive)
    #expect(stage.perform("rate(stars: 1)") == "handled by grid via on → text(\"app rates a.jpg\")")
  }
}
