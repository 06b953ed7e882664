import Expectations
import Testing

@testable import ScriptHost

@Test("A script declares responders, actions reach them, and a disabled action has a reason")
func reaches() throws {
  let stage = try ScriptStage(
    """
    app.title = "Photos"
    local main = window "main"
    local grid = responder "grid" { next = main }
    grid.selection = { rating = 1 }
    function grid:provide(ctx)          ctx.photo = self.selection end
    function grid.on:applyRating(ctx)   ctx.photo.rating = ctx.rating; return ctx.rating end
    function grid.can:applyRating(ctx)  return ctx.photo ~= nil, "select a photo first" end
    function grid.look:applyRating(ctx) return { state = ctx.photo and ctx.photo.rating == ctx.rating } end
    function grid.on:clear() self.selection = nil end
    function grid.on:boom() error("no!") end
    function grid.on:rude(ctx) pcall(function() ctx:refuse("not today") end) end
    function grid.on:nest(ctx) return app:perform("applyRating", { rating = 4 }).status end
    function app:unknown(ctx)           print("nobody answers " .. ctx.action .. " in " .. ctx.prefix) end
    focus(grid)
    """)
  expect(stage.perform("applyRating(rating: 5)"), is: "handled by grid via on → integer(5)")
  expect(stage.perform("button.applyRating(rating: 3)"), is: "handled by grid via on → integer(3)")
  expect(stage.host.validate("applyRating(rating: 3)").look.state, is: .on)
  expect(stage.host.validate("applyRating(rating: 4)").look.state, is: .off)
  expect(stage.perform("nest"), is: "handled by grid via on → text(\"handled\")")
  expect(stage.perform("clear"), is: "handled by grid via on")
  expect(stage.perform("applyRating(rating: 3)"), is: "disabled by grid via on: select a photo first")
  expect(stage.perform("boom"), is: "failed by grid via on! app.lua:10: no!")
  expect(stage.perform("rude"), is: "disabled by grid via on: not today")
  expect(stage.perform("x.nosuch"), is: "handled by app via unknown")
  expect(stage.printed, is: ["nobody answers nosuch in x"])
  let why = try stage.host.why("applyRating(rating: 3)")
  expect(
    why.text,
    is: """
      disabled by 'grid': select a photo first
        grid: on applyRating → takes it (app.lua:6)
        grid: can applyRating → no: select a photo first (app.lua:7)
        grid: look applyRating → yes (app.lua:8)
        key 'photo': missing; could come from 'grid'
      """)
}
