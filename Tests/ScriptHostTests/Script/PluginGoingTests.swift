import Testing

@testable import ScriptHost

@Suite("Plugins: what goes, what it takes back, and what may happen meanwhile")
struct PluginGoingTests {
  /// An app that does, whenever the focus moves or something is taken back, what it was told to do with a plugin.
  private static let app = """
    app.undo = true
    local page = responder "page"
    focus(page)
    local does
    local function names() for _, p in ipairs(app:plugins()) do print("lists " .. p.name) end end
    local function answer(_, ok, why) print(does, ok, type(why) == "table" and why[1].message or why) end
    local function meddle()
      names()
      if does then answer(pcall(app[does], app, does == "load_plugin" and "p.lua" or "p")) end
    end
    local isBusy = false
    listen("focus", function(new, old)
      print(old.name .. " to " .. new.name)
      if isBusy then return end
      isBusy = true
      meddle()
      isBusy = false
    end)
    function app.on:will(ctx) does = ctx.it end
    function app.on:meddle() meddle() end
    function app.on:drop()
      local receipt, why = app:unload_plugin("p")
      print("dropped", receipt and receipt.responders, why)
    end
    function app.on:again() print("again", app:reload_plugin("p")) end
    function app.on:lay()
      app:find("panel").on.waits = function(self, ctx)
        ctx:undo("x", function() print(self.name, app:find("panel")) end)
        sleep(100)
      end
    end
    function app.on:load(ctx) local ok, why = app:load_plugin(ctx.path) print("loaded", ok, why and why[1].message) end
    """

  @Test("What the functions of a plugin that is gone can't do any more says so, at its line")
  func words() throws {
    let calls = [
      "app.on.x = print", "on.x = print", "on.swap = print", "app:define('x', { on = print })", "app.delegate = page",
      "app:perform('x')", "app:find('page')", "find(app, 'page')", "app.keep.x = 1", "app.keep = {}", "app.title = 'x'",
      "return app.phase", "app { x = 1 }", "page.on.x = print", "page.provide = print", "page:perform('x')",
      "focus(page)", "modal(page)", "observe('*', print)", "listen('focus', print)", "responder 'x'", "class 'x'",
      "require 'nothere'", "ctx:set(app, 'x', 1)",
    ]
    let stage = try PluginStage([
      "p.lua": """
      plugin { name = "p", version = "1" }
      local page = app:find("page")
      local on, find = app.on, app.find
      app.on.swap = print
      local does = { \(calls.map { "function(ctx) \($0) end" }.joined(separator: ", ")) }
      function app.on:all(ctx)
        app:perform(ctx.how)
        for _, call in ipairs(does) do print((select(2, pcall(call, ctx)))) end
        print(page)
      end
      """
    ])
    stage.write(Self.app, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    for how in ["drop", "again"] {
      if how == "drop" || stage.host.plugins.isEmpty { try stage.load("p.lua") }
      stage.host.perform("all(how: \(how))")
      let lines = stage.take().dropFirst()
      #expect(lines.count == calls.count + 1 && lines.last == "responder 'page', of a script that is gone")
      for (call, line) in zip(calls, lines) { #expect(line == "p.lua:5: the script of 'p' is gone", "\(call)") }
    }
  }

  @Test("S3: What nobody knows any more whose it was registers nothing in anybody's name")
  func unknown() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1" }
        function app.on:leave(ctx)
          app:perform("drop")
          local taker = ctx.taker
          for _, body in ipairs {
            function() taker.on.left = print end, function() taker.provide = function() end end,
            function() taker:define("left", { on = print }) end, function() taker:derive("left", { on = { left = print } }) end,
            function() taker.delegate = taker end, function() taker.left = 1 end,
          } do print((pcall(body))) end
        end
        """, "q.lua": "plugin { name = 'q', version = '1' }",
      ], app: Self.app)
    for others in [[], ["q.lua"]] {
      try stage.load("p.lua")
      for other in others { try stage.load(other) }
      let before = stage.host.receipt(of: stage.host.program)
      stage.host.perform("leave")
      #expect(stage.take() == ["dropped\tnil\tnil"] + Array(repeating: "false", count: 6))
      #expect(stage.host.receipt(of: stage.host.program) == before && stage.host.app.delegate == nil)
      #expect(stage.perform("left").hasPrefix("unhandled"))
    }
  }
}
