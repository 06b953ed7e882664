-- Overrides: layers on what the app's grid does. The app knows nothing of it.

plugin {
  name = "lock", version = "1.0.0", summary = "keeps photos from being changed",
  requires = { photos = ">=1 <2" },
}

-- The names of locked photos outlive a reload.
local locked = app.keep
local grid = app:find("grid")

-- The first locked photo of those that an action is about: the one that it names, or else those that are selected.
local function lockedOne(ctx)
  for _, photo in ipairs(ctx.args.photo and { ctx.args.photo } or ctx.photos or {}) do
    if locked[photo.name] then return photo end
  end
end

local function isLocked(ctx) return ctx.photo ~= nil and locked[ctx.photo.name] == true end

function grid.on:lock(ctx)
  locked[ctx.photo.name] = not isLocked(ctx) or nil
  return ctx.photo.name .. (isLocked(ctx) and " is locked" or " can be changed")
end
grid.needs.lock = { photo = "select a photo first" }
function grid.look:lock(ctx) return { state = isLocked(ctx) } end

-- The latest layer is asked first, and asks the one below with ctx:super().
function grid.can:rate(ctx)
  local photo = lockedOne(ctx)
  if photo then return false, photo.name .. " is locked" end
  return ctx:super()
end

-- The app has no such function for this one: without a layer below there is nobody else to ask.
function grid.can:delete(ctx) return not lockedOne(ctx), "unlock it first" end

function grid.look:delete(ctx)
  local look = ctx:super()
  if lockedOne(ctx) then look.title = look.title .. " (locked)" end
  return look
end

function app.build:main(m) m:insert_before("Edit/Delete", item "Lock" { "lock", id = "lock", key = "ctrl+l" }) end
