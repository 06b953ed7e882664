-- A photo app: a grid of photos in a window, menus that say what can be done with them now, and why not.

app.title = "Photos"
app.name, app.version = "photos", "1.0"

local library = {
  { name = "Harbour at dawn", rating = 4, path = "harbour.raw" },
  { name = "The old pier", rating = 0, path = "pier.raw" },
  { name = "Gulls", rating = 2, path = "gulls.raw" },
}

menubar {
  menu "File" {
    item "Close" { "close", key = "ctrl+w" },
  },
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" },
    item "Redo" { "redo", key = "ctrl+y" },
    separator,
    item "Delete" { "delete", key = "delete", destructive = true },
  },
  menu "Image" {
    item "Rate…" { "rate", key = "r" },
    item "★★★★★" { "rate(rating: 5)", key = "5" },
    item "★★★★" { "rate(rating: 4)", key = "4" },
    item "★★★" { "rate(rating: 3)", key = "3" },
    item "★★" { "rate(rating: 2)", key = "2" },
    item "★" { "rate(rating: 1)", key = "1" },
    item "Clear" { "rate(rating: 0)", key = "0" },
    separator,
    menu "Export" {
      item "As JPEG" { "export(format: jpeg)", key = "ctrl+e" },
      item "As PNG" { "export(format: png)" },
      section "recent" {
        header = "Recent",
        items = function(ctx) return ctx.recent end,
        id = function(place) return "recent " .. place end,
        row = function(place) return item(place) { "export(format: jpeg)", args = { to = place } } end,
        empty = "No recent places",
      },
    },
    item "Export All…" { "export_all", key = "e" },
  },
  menu "View" {
    single = true,
    item "By Name" { "arrange(by: name)", key = "alt+1" },
    item "By Rating" { "arrange(by: rating)", key = "alt+2" },
  },
  menu "Go" {
    item "Next Photo" { "next", key = "right" },
    item "Previous Photo" { "previous", key = "left" },
  },
}

local main = window "main"
local grid = responder "grid" { next = main }

grid.order = "name"
grid.recent = {}

-- The library: the row that becomes the current one is the photo that is selected, and picking it asks for its stars.
panel {
  section "library" {
    items = function() return library end,
    id = function(photo) return photo.path end,
    kind = "photo",
    current = "select",
    row = function(photo)
      return item(photo.name) {
        "rate",
        args = { photo = photo },
        look = function() return { state = grid.selection == photo, subtitle = ("★"):rep(photo.rating) } end,
      }
    end,
    empty = "No photos",
  },
}

-- What is offered for a row.
function grid.build:photo(m, photo)
  m:insert_last("root", item "Rate…" { "rate", args = { photo = photo } })
  m:insert_last("root", item "Export…" { "export", args = { photo = photo } })
  m:insert_last("root", separator)
  m:insert_last("root", item "Delete" { "delete", args = { photo = photo }, destructive = true })
end

function grid:provide(ctx)
  ctx.photo = self.selection
  ctx.recent = self.recent
end

-- What can be done with a photo needs one.
local first = { photo = "select a photo first" }
grid.needs.rate, grid.needs.export, grid.needs.delete = first, first, first

-- What is not told which photo is meant is about the one that is selected.
local photo = { "any", optional = true, title = "Photo" }
grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" }, photo = photo }
grid.takes.export = {
  photo = photo,
  format = { one_of = { "jpeg", "png" }, title = "Format" },
  to = { "string", optional = true, title = "Place" },
}
grid.takes.export_all = { format = grid.takes.export.format, to = { "string", default = "Pictures", title = "Place" } }
grid.takes.select = { photo = "any" }
grid.takes.arrange = { by = { one_of = { "name", "rating" }, title = "By" } }
function grid.confirm:delete(ctx) return "Delete “" .. ctx.photo.name .. "”?" end

function grid.on:select(ctx) self.selection = ctx.photo end

function grid.on:rate(ctx)
  local title = ctx.rating == 0 and "Clear Rating" or "Rating"
  ctx:set(ctx.photo, "rating", ctx.rating, title, { coalesce = "rating" })
  return ctx.photo.name .. ": " .. ("★"):rep(ctx.rating)
end

function grid.can:rate(ctx)
  return ctx.rating ~= 0 or ctx.photo.rating > 0, "it has no rating"
end

function grid.look:rate(ctx)
  if ctx.rating then return { state = ctx.photo ~= nil and ctx.rating > 0 and ctx.photo.rating == ctx.rating } end
end

local function remember(self, place)
  for _, known in ipairs(self.recent) do
    if known == place then return end
  end
  table.insert(self.recent, 1, place)
end

function grid.on:export(ctx)
  local place = ctx.to or "Pictures"
  remember(self, place)
  return ctx.photo.name .. " → " .. place
end

-- All of them take their time; it can be seen how far they are, and be stopped.
function grid.on:export_all(ctx)
  for number, one in ipairs(library) do
    progress((number - 1) / #library, one.name)
    sleep(0.4)
  end
  remember(self, ctx.to)
  return #library .. " photos → " .. ctx.to
end

function grid.can:export_all() return #library > 0, "there are no photos" end

function grid.on:delete(ctx)
  local photo = ctx.photo
  ctx:remove(library, photo, "Delete")
  ctx:set(self, "selection", nil)
  return photo.name
end

function grid.look:delete(ctx)
  return { title = ctx.photo and "Delete “" .. ctx.photo.name .. "”" or nil }
end

function grid.on:arrange(ctx)
  self.order = ctx.by
  table.sort(library, function(a, b)
    if ctx.by == "rating" and a.rating ~= b.rating then return a.rating > b.rating end
    return a.name < b.name
  end)
end

function grid.look:arrange(ctx) return { state = self.order == ctx.by } end

-- The selection moves through the library; without one it begins at either end.
local function step(self, by)
  local at = by > 0 and 0 or #library + 1
  for index, photo in ipairs(library) do
    if photo == self.selection then at = index end
  end
  self.selection = library[at + by]
  return self.selection.name
end

local function at(photo, index) return photo ~= nil and photo == library[index] end

grid.on["next"] = function(self) return step(self, 1) end
grid.can["next"] = function(_, ctx) return not at(ctx.photo, #library), "this is the last photo" end
function grid.on:previous() return step(self, -1) end
function grid.can:previous(ctx) return not at(ctx.photo, 1), "this is the first photo" end

function grid.on:deselect() self.selection = nil end
grid.about.deselect = "Deselect"
function grid.can:deselect(ctx) return ctx.photo ~= nil, "nothing is selected" end
grid.keys = { esc = "deselect" }

function main.on:close() print("the window closes") end

-- Where nobody answers, the app says so.
function app:unknown(ctx) print("nobody answers " .. ctx.action) end

focus(grid)
