-- A file manager in three columns: the folder around, the one that one is in, and what its current row holds. All that it does can be undone.

app.title, app.name, app.version = "Files", "files", "1.0"
-- The sample beside this script is all that it looks at, unless --set folder=… and --allow fs.read=… say another.
local top = app.settings.folder or "sample"
if not app.settings.folder then app.allow = { "fs.read", "fs.write" } end
-- The disk is a global, so that a test can put another in its place.
disk = fs

local main = window "main" { undo = { levels = 200 } }
local here, around, preview = responder "here" { next = main }, responder "around" { next = main }, responder "preview" { next = main }
local folder, hidden = top, false -- The folder that one is in, and whether names that begin with a dot are shown.
local at = {} -- For each folder that was left, the name of the row that was current.
local held -- What was taken with y or x: the `rows`, and whether it `isCut`.
local function name(path) return path:match "[^/]+$" end
local function parent(path) return path:match "^(.*)/[^/]+$" end
local function count(number, thing) return number .. " " .. thing .. (number == 1 and "" or "s") end
-- What is in a folder is looked up once, and again when something was done.
local known = {}
observe("*", function(event) if event.stage ~= "will" then known = {} end end)

-- What is known of a path, or nil and why nothing is. True as well if nothing may be done with it: a link leads out of what is granted,
-- or its name isn't UTF-8.
local function stat(path)
  local done, found, problem = pcall(disk.stat, path)
  if done then return found, problem end
  return nil, utf8.len(path) and (tostring(found):match "a link in it .*" or tostring(found)) or "its name isn't UTF-8", true
end

local function entries(path)
  if known[path] then return known[path] end
  local names, problem = disk.list(path)
  local found = {}
  for _, each in ipairs(names or error(problem, 0)) do
    if hidden or each:sub(1, 1) ~= "." then
      local entry, problem, closed = stat(path .. "/" .. each)
      local shown = utf8.len(each) and each or each:gsub("[\\\x80-\xFF]", function(byte) return ("\\%03o"):format(byte:byte()) end)
      entry = entry or {}
      found[#found + 1] = { name = shown, path = path .. "/" .. each, kind = entry.kind, size = entry.size, problem = problem, closed = closed }
      found[#found].order = (entry.kind == "folder" and "1" or "2") .. shown:lower()
    end
  end
  table.sort(found, function(one, other) return one.order < other.order end)
  for index, entry in ipairs(found) do entry.index = index end
  known[path] = found
  return found
end

-- What is seen.
local icons = { folder = "▸" }
for icon, endings in pairs { ["λ"] = "c go h js lua py rs sh swift ts", ["≡"] = "adoc log md rst txt", ["▣"] = "gif jpeg jpg png raw svg webp",
  ["♪"] = "flac mp3 ogg wav", ["▶"] = "mkv mov mp4 webm", ["▤"] = "bz2 deb gz tar xz zip zst", ["∷"] = "csv json lock toml xml yaml yml" } do
  for ending in endings:gmatch "%w+" do icons[ending] = icon end
end
local function size(entry)
  local number, unit = entry.size or 0, 1
  while number >= 1024 and unit < 5 do number, unit = number / 1024, unit + 1 end
  return string.format(unit > 1 and number < 10 and "%.1f %s" or "%.0f %s", number, ({ "B", "K", "M", "G", "T" })[unit])
end
-- How much there is of an entry: the size of a file, or the number of names in a folder.
local function extent(entry)
  if entry.problem or entry.kind ~= "folder" then return entry.size and size(entry) end
  local done, found = pcall(entries, entry.path)
  return done and count(#found, "name") or nil
end
local function icon(entry)
  return span(icons[entry.kind] or icons[entry.name:lower():match "%.(%w+)$"] or "·", entry.kind == "folder" and "heading" or "quiet")
end
local function named(entry, style)
  if entry.kind ~= "folder" then return style and span(entry.name, style) or entry.name, "" end
  return span(entry.name, style or "heading"), span("/", "quiet")
end

local function row(entry)
  local style = entry.problem and "warning" or entry.path == folder and "accent" or nil
  for _, each in ipairs(held and held.rows or {}) do style = each.path == entry.path and (held.isCut and "removed" or "changed") or style end
  local isSized = entry.kind ~= "folder" and entry.size and parent(entry.path) == folder
  return item { "open", icon = icon(entry), cells = { { named(entry, style) }, isSized and size(entry) or false } }
end

local function listed(id, items, empty)
  return section(id .. " rows") {
    items = items, id = function(entry) return entry.name end, kind = "entry", row = row,
    columns = { { grow = true, cut = "middle" }, { style = "quiet", align = "right" } }, empty = span(empty, "quiet"),
  }
end

-- The first lines of a file, or the names in a folder. `--set colours=bat --allow exec=bat` has a program colour them.
local function content(entry, add)
  if entry.problem then return { span(entry.problem, "warning") } end
  if entry.kind == "folder" then
    for _, each in ipairs(entries(entry.path)) do add { icon(each), " ", named(each) } end
    return #entries(entry.path) == 0 and { span("nothing is here", "quiet") } or nil
  end
  if app.settings.colours then
    local done = exec(app.settings.colours, { "--color=always", "--style=plain", "--paging=never", "--", entry.path }, { line = add })
    if done and done.status == 0 then return end
  end
  local text, problem = disk.read(entry.path)
  if not text or text:find("\0", 1, true) then return { span(problem or size(entry) .. ", no text", "quiet") } end
  return table.move(lines(text), 1, 2000, 1, {})
end

-- At the right of the title: what was taken, and the number of the current row.
local function where(ctx)
  local number = ctx.row and parent(ctx.row.path) == folder and ctx.row.index .. " of " .. #entries(folder) or ""
  return { held and span(#held.rows .. (held.isCut and " to move  " or " to copy  "), held.isCut and "removed" or "changed") or "", number }
end

panel {
  typing = false,
  beside {
    pane "around" { title = "Around", responder = around, key = "1", least = 12,
      look = function() return { title = folder == top and "Around" or name(parent(folder)) } end,
      listed("around", function() return folder ~= top and entries(parent(folder)) or {} end, "the topmost folder"),
    },
    pane "here" { title = "Here", responder = here, key = "2", filter = true, marks = true, share = 2,
      look = function(ctx) return { title = name(top) .. folder:sub(#top + 1), subtitle = where(ctx) } end,
      listed("here", function() return entries(folder) end, "nothing is here"),
    },
    text "preview" { title = "Preview", responder = preview, key = "3", of = "focus", share = 2, ansi = true,
      look = function(ctx) return { title = ctx.row and ctx.row.name or "Preview", subtitle = ctx.row and extent(ctx.row) } end,
      lines = function(ctx, add) return ctx.row and content(ctx.row, add) end,
    },
  },
}

menubar {
  menu "File" {
    item "Open" { "open", key = "l" }, item { "rename" }, item { "create" }, separator,
    item { "yank" }, item { "cut" }, item { "paste" }, item { "copy" }, separator,
    item { "delete", destructive = true }, separator, item { "stop", key = "s" }, item { "quit", key = "q" },
  },
  menu "Edit" { item "Undo" { "undo", key = "u" }, item "Redo" { "redo", key = "ctrl+r" } },
  menu "Go" { item { "parent", key = "h" }, item { "top", key = "~" }, separator, item { "hidden", key = "shift+h" } },
}
main.keys, preview.keys = { right = "open", left = "parent" }, { left = "back", h = "back", esc = "back" }
here.keys = { y = "yank", x = "cut", p = "paste", c = "copy", d = "delete", r = "rename", a = "create" }
local titles = {
  rename = "Rename…", create = "New…", yank = "Take to Copy", cut = "Take to Move", paste = "Put Here", copy = "Copy to…",
  delete = "Delete", parent = "Folder Around", top = "Topmost Folder", hidden = "Hidden Files", stop = "Stop", open = "Open", back = "Back",
}
-- What is offered for a row.
function here.build:entry(m)
  for _, action in ipairs { "open", "rename", "yank", "cut", "delete" } do m:insert_last("root", item { action }) end
end
-- Looking around.
local function go(ctx, path, row)
  if ctx.row and parent(ctx.row.path) == folder then at[folder] = ctx.row.name end
  folder, known = path, {}
  app:rebuild()
  if folder ~= top then app:choose("around/" .. name(folder)) end
  row = row or at[path] or (entries(path)[1] or {}).name
  if row then app:choose("here/" .. row) else focus(here) end
end
for _, one in ipairs { here, around } do
  function one.on:open(ctx)
    if ctx.row.kind == "folder" then return go(ctx, ctx.row.path) end
    if one == around then return go(ctx, parent(ctx.row.path), ctx.row.name) end
    focus(preview)
  end
  function one.can:open(ctx) return not ctx.row.problem, ctx.row.problem end
end
function preview.on:back() focus(here) end
local function isBelow() return folder ~= top, "this is the topmost folder" end
function main.on:parent(ctx) go(ctx, parent(folder), name(folder)) end
function main.on:top(ctx) go(ctx, top) end
main.can.parent, main.can.top = isBelow, isBelow
function main.on:hidden() hidden, known = not hidden, {} end
function main.look:hidden() return { state = hidden } end

-- Changing the disk: each step registers what takes it back, and that registers the step. So all of it is undone and redone, and taken
-- back where it is stopped or where the disk refuses something.
local function step(title, ctx, forth, back)
  local done, problem = forth()
  if not done then ctx:refuse(problem) end
  ctx:undo(title, function(undo) step(title, undo, back, forth) end)
end
local function move(title, ctx, from, to)
  step(title, ctx, function() return disk.rename(from, to) end, function() return disk.rename(to, from) end)
end
local function isFree(path) return not disk.stat(path), "“" .. name(path) .. "” is there already" end
here.takes.create = { name = { "string", matches = "^[^/]+/?$", title = "Name", help = "with a / at its end it is a folder" } }
here.takes.rename = { to = { "string", matches = "^[^/]+$", title = "New name", proposal = function(_, ctx) return ctx.row.name end } }
function here.on:create(ctx)
  local path, isFolder = folder .. "/" .. ctx.name:gsub("/$", ""), ctx.name:sub(-1) == "/"
  step("New", ctx, function() return isFolder and disk.make(path) or not isFolder and disk.write(path, "") end, function() return disk.remove(path) end)
  go(ctx, folder, name(path))
end
function here.can:create(ctx) return isFree(folder .. "/" .. ctx.name:gsub("/$", "")) end
function here.on:rename(ctx)
  move("Rename", ctx, ctx.row.path, folder .. "/" .. ctx.to)
  go(ctx, folder, ctx.to)
end
function here.can:rename(ctx) return isFree(folder .. "/" .. ctx.to) end
function here.on:yank(ctx) held = { rows = ctx.rows } end
function here.on:cut(ctx) held = { rows = ctx.rows, isCut = true } end

-- Adds what there is of a file or folder, the folder before what is in it.
local function plan(steps, path, below)
  local found, problem = stat(path)
  if not found then return problem end
  steps[#steps + 1] = { kind = found.kind, path = path, below = below }
  if found.kind ~= "folder" then return nil end
  local names, refusal = disk.list(path)
  for _, each in ipairs(names or {}) do refusal = refusal or plan(steps, path .. "/" .. each, below .. "/" .. each) end
  return refusal
end
local function duplicate(one, to)
  if one.kind == "folder" then return disk.make(to) end
  local text, problem = disk.read(one.path)
  if not text then return nil, problem end
  return disk.write(to, text)
end

local function copy(ctx, from, to)
  local steps = {}
  for _, each in ipairs(from) do
    local problem = plan(steps, each.path, name(each.path))
    if problem then ctx:refuse(problem) end
  end
  for number, one in ipairs(steps) do
    progress((number - 1) / #steps, one.path)
    sleep(0.01) -- The others have their turn: menus are drawn, and somebody may stop this.
    local path = to .. "/" .. one.below
    step("Copy", ctx, function() return duplicate(one, path) end, function() return disk.remove(path) end)
  end
  return count(#steps, "file") .. " copied to " .. to
end

-- Why files can't be put into a folder; nil if they can.
local function obstacle(from, to)
  for _, each in ipairs(from) do
    if (to .. "/"):find(each.path .. "/", 1, true) == 1 then return "a folder can't be put into itself" end
    local free, problem = isFree(to .. "/" .. name(each.path))
    if not free then return problem end
  end
end

here.takes.copy = { to = { "string", title = "To the folder" } }
function here.on:copy(ctx) return copy(ctx, ctx.rows, ctx.to) end
function here.can:copy(ctx)
  local target, problem = disk.stat(ctx.to)
  problem = not target and problem or target and target.kind ~= "folder" and "“" .. ctx.to .. "” is no folder" or obstacle(ctx.rows, ctx.to)
  return not problem, problem
end
function here.on:paste(ctx)
  local rows = held.rows
  if not held.isCut then return copy(ctx, rows, folder) end
  for _, each in ipairs(rows) do move("Move", ctx, each.path, folder .. "/" .. name(each.path)) end
  held = nil
  return count(#rows, "file") .. " moved here"
end
function here.can:paste()
  local problem = not held and "nothing was taken: y takes to copy, x to move" or held and obstacle(held.rows, folder)
  return not problem, problem
end

-- What is deleted goes to a folder of its own, from which undo takes it back. Nothing empties it but whoever owns it.
function here.on:delete(ctx)
  local trash = top .. "/.trash"
  local made, problem = disk.stat(trash) or disk.make(trash)
  if not made then ctx:refuse(problem) end
  for _, each in ipairs(ctx.rows) do
    local to, number = trash .. "/" .. each.name, 1
    while disk.stat(to) do to, number = trash .. "/" .. each.name .. " " .. number + 1, number + 1 end
    move("Delete", ctx, each.path, to)
  end
  return count(#ctx.rows, "file") .. " put into the trash"
end

local function copying()
  for _, job in ipairs(app:jobs()) do if job.action == "copy" or job.action == "paste" then return job end end
end
function main.on:stop() copying():cancel() end
function main.can:stop() return copying() ~= nil, "nothing is being copied" end
-- Titles say what is meant, where that is known.
for _, one in ipairs { main, here, around, preview } do
  for action, title in pairs(titles) do
    if one.on[action] then
      local isOfRow = (one == here or one == around) and action ~= "create" and action ~= "paste"
      one.about[action], one.needs[action] = title, isOfRow and { row = "there is nothing in this folder" } or nil
    end
  end
end
for action, verb in pairs { rename = false, copy = false, yank = "Take", cut = "Cut", delete = "Delete" } do
  local can = here.can[action] or function() return true end
  here.can[action] = function(self, ctx)
    for _, each in ipairs(ctx.rows) do if each.closed then return false, each.problem end end
    return can(self, ctx)
  end
  here.look[action] = verb and function(_, ctx)
    local rows = ctx.rows or {}
    return { title = #rows > 1 and verb .. " " .. count(#rows, "File") or rows[1] and verb .. " “" .. rows[1].name .. "”" or nil }
  end or nil
end

-- What others change is seen.
function app:start() watch(top, function() known = {} app:rebuild() end) end
focus(here)
