/// The app and the plugin that are used for a long time: something of everything that is registered, kept, waited for and undone.
enum SoakScript {
  static let app = """
    app.name, app.version, app.title = "soak", "1.0", "Soak"
    app.keep.loads = (app.keep.loads or 0) + 1
    class "panel" { on = { ok = function(self) return self.name end } }
    menubar {
      menu "File" { item "Open" { "open(n: 1)", key = "ctrl+o" }, item "Undo" { "undo", key = "ctrl+z" }, separator,
        section "rows" { items = function(ctx) return ctx.rows end, id = function(v) return "row " .. v end,
          row = function(v) return item("Row " .. v) { "open", args = { n = v } } end, empty = "Nothing" } },
      menu "View" { single = true, item "One" { "show(as: 1)" }, item "Two" { "show(as: 2)" } },
    }
    local main = window "main"
    local side = window "side"
    local grid = responder "grid" { next = main, undo = { levels = 5 } }
    local sheet = responder "sheet" { next = main, class = "panel" }
    grid.count, grid.as = 0, 1
    grid.keys = { ["g g"] = "open(n: 2)" }
    function grid:provide(ctx)
      ctx.count = self.count
      local rows = {}
      for i = 1, self.count % 4 do rows[i] = i end
      ctx.rows = rows
    end
    function grid.on:open(ctx) ctx:set(self, "count", self.count + ctx.n, "Open") return { ctx.n, ctx.count } end
    function grid.can:open(ctx) return ctx.n < 9, "too many" end
    function grid.on:show(ctx) self.as = ctx.as end
    function grid.look:show(ctx) return { state = self.as == ctx.as, title = "As " .. ctx.as } end
    function grid.on:text(ctx) ctx.text = ("x"):rep(200) .. ctx.n return #ctx.text end
    function grid.on:nap(ctx) progress(0.5, "half") sleep(0.01) ctx:undo("Nap", function() end) return "rested" end
    function grid.on:nested(ctx) return app:perform("text(n: 3)").result end
    function grid.on:forwarded(ctx) return ctx:forward() end
    function main.on:forwarded() return "main" end
    function grid.on:breaks(ctx) ctx:set(self, "count", 0) error("broken") end
    function grid.on:refuses(ctx) ctx:refuse("not now") end
    function grid.on:makes(ctx)
      local r = responder("made") { next = grid }
      local handle = r:define("made", { on = function() return "made" end })
      local watch = observe("made", function() end)
      focus(r)
      local result = app:perform("made").result
      watch:remove() handle:remove() r:remove() focus(grid)
      return result
    end
    function grid.on:opens(ctx) local s = modal(sheet, { dismissable = true }) local o = app:perform("ok") s:close() return o.result end
    function grid.on:closure(ctx) local t = {} for i = 1, 20 do t[i] = function() return i + ctx.count end end return t[7]() end
    function grid:resolve(action) if action == "late" then self.on.late = function() return "late" end return true end end
    function app:unknown(ctx) return ctx.action end
    observe("text", function(e) grid.seen = e.stage end)
    listen("focus", function(new, old) grid.from = old.name end)
    focus(grid)
    """

  static let plugin = """
    plugin { name = "extra", version = "1.0", requires = { soak = ">=1" } }
    app.keep.loads = (app.keep.loads or 0) + 1
    menubar { menu "Extra" { item "Do" { "extra(n: 1)", key = "ctrl+e" } } }
    local before = responder "before" { before = "grid" }
    function before:provide(ctx) ctx:append("extras", "before") end
    function before.on:extra(ctx) return { ctx.n, ctx.count, ctx:each("extras") } end
    local grid = app:find("grid")
    function grid.look:open(ctx) return { subtitle = "extra" } end
    function grid.on:text(ctx) return ctx:super() + 1 end
    function grid.build:main(m) m:insert_last("View", item "Three" { "show(as: 3)" }) end
    observe("*", function(e) before.last = e.action end)
    listen("menu", function(changes) before.changes = #changes end)
    """
}
