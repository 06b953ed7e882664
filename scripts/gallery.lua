app.name, app.version, app.title = "gallery", "1.0", "Gallery"

menubar {
  menu "Image" {
    item "Rate" { "rate(stars: 5)", key = "5" },
  },
}

local main = window "main"
local grid = responder "grid" { next = main, selection = { name = "a.jpg" } }

function grid:provide(ctx)    ctx.photo = self.selection end
function grid.on:rate(ctx)    ctx:set(ctx.photo, "stars", ctx.stars) return ctx.photo.name .. " has " .. ctx.stars end

focus(grid)
