-- A photo app: actions that are answered where the photo is, and reasons where there is none.

app.title = "Photos"

local library = {
  { name = "Harbour at dawn", rating = 4 },
  { name = "The old pier", rating = 0 },
}

local main = window "main"
local grid = responder "grid" { next = main }

grid.selection = library[1]

function grid:provide(ctx) ctx.photo = self.selection end

-- What can be done with a photo needs one.
grid.needs.rate   = { photo = "select a photo first" }
grid.needs.unrate = { photo = "select a photo first" }

function grid.on:rate(ctx)
  ctx.photo.rating = ctx.rating or 5
  return ctx.photo.name .. ": " .. ("★"):rep(ctx.photo.rating)
end

function grid.can:rate(ctx)
  local rating = ctx.rating or 5
  return rating >= 1 and rating <= 5, "a rating is 1 to 5 stars"
end

function grid.look:rate(ctx)
  return { state = ctx.photo ~= nil and ctx.photo.rating == (ctx.rating or 5) }
end

function grid.on:unrate(ctx) ctx.photo.rating = 0 end
function grid.can:unrate(ctx) return ctx.photo.rating > 0, "it has no rating" end

function grid.on:select(ctx)
  self.selection = library[ctx.index]
  return self.selection and self.selection.name
end

function grid.on:deselect() self.selection = nil end
function grid.can:deselect(ctx) return ctx.photo ~= nil, "nothing is selected" end

function main.on:close() print("the window closes") end
function main.can:close() return #library == 0, "there are photos that were not exported" end

-- Where nobody answers, the app says so.
function app:unknown(ctx) print("nobody answers " .. ctx.action) end

focus(grid)
