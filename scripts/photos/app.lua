-- A photo app: albums, the photos in one of them, and a picture of one; menus that say what can be done with it now, and why not.

app.title = "Photos"
app.name, app.version = "photos", "1.0"

local paint, scenes = require "paint", require "scenes"

-- The library, in the order in which the photos were taken.
local library = {
  { name = "Harbour at dawn", rating = 4, path = "harbour.raw", album = "By the sea", taken = "2026-05-03 05:12" },
  { name = "The old pier", rating = 0, path = "pier.raw", album = "By the sea", taken = "2026-05-03 18:40" },
  { name = "Lighthouse", rating = 5, path = "lighthouse.raw", album = "By the sea", taken = "2026-05-09 21:03" },
  { name = "First snow", rating = 3, path = "snow.raw", album = "Mountains", taken = "2026-06-02 09:30" },
  { name = "Above the clouds", rating = 5, path = "clouds.raw", album = "Mountains", taken = "2026-06-04 05:48" },
  { name = "The hut", rating = 0, path = "hut.raw", album = "Mountains", taken = "2026-06-04 22:15" },
  { name = "Rooftops", rating = 2, path = "roofs.raw", album = "The city", taken = "2026-07-18 20:21" },
  { name = "Night tram", rating = 4, path = "tram.raw", album = "The city", taken = "2026-07-18 23:07" },
  { name = "Full moon", rating = 3, path = "moon.raw", album = "The city", taken = "2026-07-21 23:52" },
  { name = "Gulls", rating = 2, path = "gulls.raw", album = "By the sea", taken = "2026-08-08 11:26" },
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
    item "By Date" { "arrange(by: date)", key = "alt+3" },
  },
  menu "Go" {
    item "Next Photo" { "next", key = "right" },
    item "Previous Photo" { "previous", key = "left" },
  },
}

local main = window "main"
local grid = responder "grid" { next = main }
local albums = responder "albums" { next = grid }

grid.order, grid.selects = "date", false
grid.recent = {}

-- The albums: all photos, those with many stars, and one for each place.
local shelf = { "All photos", "Favourites", "By the sea", "Mountains", "The city" }
albums.shown = shelf[1]

local function photos_of(album)
  local found = {}
  for _, photo in ipairs(library) do
    if album == shelf[1] or album == shelf[2] and photo.rating > 3 or album == photo.album then found[#found + 1] = photo end
  end
  return found
end

local function shown() return photos_of(albums.shown) end
local function stars(photo) return ("★"):rep(photo.rating) end

local months = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" }
local function day(photo)
  local month, number = photo.taken:match "-(%d+)-(%d+)"
  return tonumber(number) .. " " .. months[tonumber(month)]
end

-- The picture, and below it what is known of the photo.
local function details(photo, add)
  local scene = scenes[photo.path]
  for _, line in ipairs(paint(scene)) do add(line) end
  add("")
  add { span(photo.name, "strong"), "  ", span(stars(photo), "accent"), span(("☆"):rep(5 - photo.rating), "quiet") }
  local facts = { "File", photo.path, "Album", photo.album, "Taken", photo.taken, "Lens", scene.lens, "Exposed", scene.exposed }
  for index = 1, #facts, 2 do add { span(("%-10s"):format(facts[index]), "quiet"), facts[index + 1] } end
end

panel {
  beside {
    pane "albums" { title = "Albums", responder = albums, least = 18,
      section "shelf" {
        items = shelf, id = function(album) return album end, current = "show",
        columns = { { grow = true }, { style = "quiet", align = "right" } },
        row = function(album) return item { "open", args = { album = album }, cells = { album, tostring(#photos_of(album)) } } end,
      },
    },
    pane "photos" { title = "Photos", responder = grid, marks = true, filter = true, share = 2,
      look = function() return { title = albums.shown } end,
      section "library" {
        items = shown, id = function(photo) return photo.path end, kind = "photo",
        columns = { { grow = true }, { style = "accent" }, { style = "quiet", align = "right" } },
        row = function(photo)
          return item(photo.name) { "rate", args = { photo = photo }, subtitle = stars(photo), cells = { photo.name, stars(photo), day(photo) } }
        end,
        empty = "No photos",
      },
    },
    -- It is about the last of these panes that has rows, and near either of them where there is little room.
    text "picture" { title = "Picture", of = { "albums", "photos" }, ansi = true, share = 2, least = 38,
      lines = function(ctx, add)
        if ctx.row ~= albums.shown then details(ctx.row, add) end
      end,
    },
  },
}

-- What is offered for a row.
function grid.build:photo(m, photo)
  m:insert_last("root", item "Rate…" { "rate", args = { photo = photo } })
  m:insert_last("root", item "Export…" { "export", args = { photo = photo } })
  m:insert_last("root", separator)
  m:insert_last("root", item "Delete" { "delete", args = { photo = photo }, destructive = true })
end

-- While the photos have the focus, the current row is the photo that is selected; marked rows are selected with it.
listen("focus", function(responder) grid.selects = responder == grid end)

function grid:provide(ctx)
  if self.selects then ctx.photo, ctx.photos = ctx.row, ctx.rows end
  ctx.recent = self.recent
end

grid.about.rate = "Rate"

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
grid.takes.arrange = { by = { one_of = { "name", "rating", "date" }, title = "By" } }

-- An action is about the photo that it names, or else about those that are selected.
local function chosen(ctx) return ctx.args.photo and { ctx.args.photo } or ctx.photos end
local function named(photos) return #photos == 1 and photos[1].name or #photos .. " photos" end

function grid.confirm:delete(ctx)
  local photos = chosen(ctx)
  return "Delete " .. (#photos == 1 and "“" .. photos[1].name .. "”" or named(photos)) .. "?"
end

function grid.on:rate(ctx)
  local title, photos = ctx.rating == 0 and "Clear Rating" or "Rating", chosen(ctx)
  for _, photo in ipairs(photos) do ctx:set(photo, "rating", ctx.rating, title, { coalesce = "rating " .. photo.path }) end
  return named(photos) .. ": " .. ("★"):rep(ctx.rating)
end

function grid.can:rate(ctx)
  local photos = chosen(ctx)
  for _, photo in ipairs(photos) do
    if ctx.rating ~= 0 or photo.rating > 0 then return true end
  end
  return false, #photos == 1 and "it has no rating" or "they have no rating"
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
  return named(chosen(ctx)) .. " → " .. place
end

-- All of them take their time; it can be seen how far they are, and be stopped.
function grid.on:export_all(ctx)
  for number, one in ipairs(library) do
    progress((number - 1) / #library, one.name)
    sleep(0.2)
  end
  remember(self, ctx.to)
  return #library .. " photos → " .. ctx.to
end

function grid.can:export_all() return #library > 0, "there are no photos" end

function grid.on:delete(ctx)
  local photos = chosen(ctx)
  for _, photo in ipairs(photos) do ctx:remove(library, photo, "Delete") end
  return named(photos)
end

function grid.look:delete(ctx)
  local photos = ctx.photo and chosen(ctx)
  return { title = photos and (#photos == 1 and "Delete “" .. photos[1].name .. "”" or "Delete " .. named(photos)) or nil }
end

function grid.on:arrange(ctx)
  self.order = ctx.by
  table.sort(library, function(a, b)
    if ctx.by == "rating" and a.rating ~= b.rating then return a.rating > b.rating end
    if ctx.by == "date" then return a.taken < b.taken end
    return a.name < b.name
  end)
end

function grid.look:arrange(ctx) return { state = self.order == ctx.by } end

-- The selection moves through the photos that are shown; without one it begins at either end.
local function step(ctx, by)
  local photos = shown()
  local at = by > 0 and 0 or #photos + 1
  for index, photo in ipairs(photos) do
    if photo == ctx.photo then at = index end
  end
  app:filter("photos", "") -- It may hide that photo.
  app:choose("photos/" .. photos[at + by].path)
  return photos[at + by].name
end

local function can_step(ctx, edge, reason)
  if #shown() == 0 then return false, "there are no photos" end
  return ctx.photo ~= shown()[edge], reason
end

grid.on["next"] = function(_, ctx) return step(ctx, 1) end
grid.can["next"] = function(_, ctx) return can_step(ctx, #shown(), "this is the last photo") end
function grid.on:previous(ctx) return step(ctx, -1) end
function grid.can:previous(ctx) return can_step(ctx, 1, "this is the first photo") end

function grid.on:deselect() focus(albums) end
grid.about.deselect = "Deselect"
function grid.can:deselect(ctx) return ctx.photo ~= nil, "nothing is selected" end
grid.keys = { esc = "deselect" }

-- The album whose row becomes the current one is shown; opening it goes to its photos.
main.takes.show = { album = { one_of = shelf, title = "Album" } }
main.takes.open, main.about.show, main.about.open = main.takes.show, "Show Album", "Open Album"
function main.on:show(ctx) albums.shown = ctx.album end
function main.on:open(ctx)
  app:choose("albums/" .. ctx.album)
  focus(grid)
end
function main.can:open(ctx) return #photos_of(ctx.album) > 0, "no photo is in it" end

function main.on:close() print("the window closes") end

-- Where nobody answers, the app says so.
function app:unknown(ctx) print("nobody answers " .. ctx.action) end

focus(albums)
