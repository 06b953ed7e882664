-- A small file manager: two panes, one of which has the focus; the other is where things are copied to. All that it does is undone.

app.title, app.name = "Files", "files"

-- The folder of this script is all that it looks at, unless --set left=… and --allow fs.read=… say another.
if not app.settings.left then app.allow = { "fs.read", "fs.write" } end

-- The disk is a global, so that a test can put another in its place.
disk = fs

menubar {
  menu "File" {
    item "Open" { "open", key = "ctrl+o" },
    item "Mark" { "mark", key = "space" },
    separator,
    item "Rename…" { "rename", key = "f2" },
    item "Copy" { "copy", key = "f5" },
    item "New Folder…" { "create", key = "f7" },
    item "Delete" { "delete", key = "f8", destructive = true },
    separator,
    item "Stop Copying" { "stop", key = "esc" },
  },
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" },
    item "Redo" { "redo", key = "ctrl+y" },
  },
  menu "Go" {
    item "Parent Folder" { "parent", key = "backspace" },
    item "Other Pane" { "switch", key = "tab" },
  },
}

-- Two panes: what they do is their class's, a folder is each one's own.

local pane = class "pane" {}
local main = window "main"

local function new(name, folder)
  return responder(name) { class = "pane", next = main, top = folder, folder = folder, marked = {} }
end

local left = new("left", app.settings.left or "sample/inbox")
local right = new("right", app.settings.right or "sample/archive")
local focused = left -- The pane that has the focus.
local text -- The lines of the file that was opened last.

local function other(one) return one == left and right or left end

-- The body of a face: for each pane its folder and what is in it, then the text. The row that becomes the current one is where the cursor is.

local function folder(name)
  return section(name .. " folder") {
    items = function() return { app:find(name) } end,
    row = function(one) return label((one == focused and "▸ " or "  ") .. one.folder) end,
  }
end

local function entries(name)
  local one = app:find(name)
  return section("in " .. name) {
    items = function() return one:listing() end,
    id = function(entry) return name .. "/" .. entry.name end,
    kind = "entry",
    current = "cursor",
    row = function(entry)
      return item(entry.name) {
        "open",
        args = { pane = name, name = entry.name },
        look = function() return { state = one.marked[entry.name], subtitle = entry.about } end,
      }
    end,
    empty = "Nothing is here",
  }
end

panel {
  folder "left", entries "left", separator,
  folder "right", entries "right", separator,
  section "text" { items = function() return text or {} end, row = function(line) return label(line) end },
}

-- What is offered for a row.
function pane.build:entry(m)
  for _, action in ipairs { "open", "mark", "rename", "copy", "delete" } do
    m:insert_last("root", item(action:sub(1, 1):upper() .. action:sub(2)) { action, destructive = action == "delete" })
  end
end

-- What is in a folder is looked up once, and again when something was done.

local function about(path)
  local known = disk.stat(path)
  if not known or known.kind ~= "file" then return known and known.kind end
  return known.size .. " bytes"
end

function pane:listing()
  if not self.entries then
    local names, problem = disk.list(self.folder)
    if not names then error(problem, 0) end
    self.entries = {}
    for index, name in ipairs(names) do
      self.entries[index] = { name = name, about = about(self.folder .. "/" .. name) }
    end
  end
  return self.entries
end

observe("*", function(event)
  if event.stage ~= "will" then left.entries, right.entries = nil, nil end
end)

-- The entry at the cursor; the first where that is gone.
function pane:entry()
  local found = self:listing()[1]
  for _, each in ipairs(self:listing()) do
    if each.name == self.at then found = each end
  end
  return found and found.name
end

-- The names that are meant: those that are marked, else the one at the cursor.
function pane:chosen()
  local names = {}
  for _, each in ipairs(self:listing()) do
    if self.marked[each.name] then names[#names + 1] = each.name end
  end
  if #names == 0 then names[1] = self:entry() end
  return names
end

function pane:provide(ctx)
  ctx.entry = self:entry()
  ctx.chosen = self:chosen()
  ctx.here, ctx.there = self.folder, other(self).folder
end

-- Looking around. A row says which pane and which entry it means; a key means the entry at the cursor.

for _, action in ipairs { "mark", "rename", "copy", "delete" } do
  pane.needs[action] = { entry = "there is nothing in this folder" }
end

pane.takes.cursor = { pane = "any", name = "any" }
function pane.on:cursor(ctx)
  local one = app:find(ctx.pane)
  one.at = ctx.name
  focus(one)
end

function pane:show(path) self.folder, self.at, self.marked, self.entries = path, nil, {}, nil end

function pane.on:open(ctx)
  local one = ctx.pane and app:find(ctx.pane) or self
  local path = one.folder .. "/" .. (ctx.name or ctx.entry)
  if about(path) == "folder" then return one:show(path) end
  local content, problem = disk.read(path)
  if not content then ctx:refuse(problem) end
  text = table.move(lines(content), 1, 100, 1, {})
end

function pane.can:open(ctx) return (ctx.name or ctx.entry) ~= nil, "there is nothing in this folder" end
function pane.look:open(ctx) return { title = not ctx.name and ctx.entry and "Open “" .. ctx.entry .. "”" or nil } end

function pane.on:parent() self:show(self.folder:match("^(.*)/[^/]+$")) end
function pane.can:parent() return self.folder ~= self.top, "this is the topmost folder" end

function pane:become() focused = self end

-- The cursor goes to an entry, and with it the current row of a face.
function pane:go(name)
  self.entries = nil
  app:rebuild()
  app:choose(self.name .. "/" .. name)
end

function pane.on:switch()
  local there = other(self)
  focus(there)
  if there:entry() then there:go(there:entry()) end
  return there.folder
end

function pane.on:mark(ctx) self.marked[ctx.entry] = not self.marked[ctx.entry] or nil end
function pane.look:mark(ctx) return { state = ctx.entry ~= nil and self.marked[ctx.entry] or false } end

-- Changing the disk: each step registers what takes it back, and that registers the step. So all of it is undone and redone, and taken
-- back where it is stopped or where the disk refuses something.

local function step(title, ctx, forth, back)
  local done, problem = forth()
  if not done then ctx:refuse(problem) end
  ctx:undo(title, function(undo) step(title, undo, back, forth) end)
end

pane.takes.create = { name = { "string", matches = "^[^/]+$", title = "Name" } }
pane.takes.rename = {
  to = { "string", matches = "^[^/]+$", title = "New name", proposal = function(_, ctx) return ctx.entry end },
}

local function isFree(path) return not disk.stat(path), "“" .. path:match("[^/]+$") .. "” is there already" end

function pane.on:create(ctx)
  local path = ctx.here .. "/" .. ctx.name
  step("New Folder", ctx, function() return disk.make(path) end, function() return disk.remove(path) end)
  self:go(ctx.name)
end

function pane.can:create(ctx) return isFree(ctx.here .. "/" .. ctx.name) end

function pane.on:rename(ctx)
  local from, to = ctx.here .. "/" .. ctx.entry, ctx.here .. "/" .. ctx.to
  step("Rename", ctx, function() return disk.rename(from, to) end, function() return disk.rename(to, from) end)
  self:go(ctx.to)
end

function pane.can:rename(ctx) return isFree(ctx.here .. "/" .. ctx.to) end

-- Adds what there is of a file or folder, the folder before what is in it; gives what is wrong.
local function plan(steps, path, below)
  local known, problem = disk.stat(path)
  if not known then return problem end
  steps[#steps + 1] = { kind = known.kind, path = path, below = below }
  if known.kind ~= "folder" then return nil end
  local names, refusal = disk.list(path)
  for _, each in ipairs(names or {}) do
    refusal = refusal or plan(steps, path .. "/" .. each, below .. "/" .. each)
  end
  return refusal
end

-- All that is to be done for what is chosen.
local function planned(ctx)
  local steps = {}
  for _, each in ipairs(ctx.chosen) do
    local problem = plan(steps, ctx.here .. "/" .. each, each)
    if problem then ctx:refuse(problem) end
  end
  return steps
end

local function copy(one, to)
  if one.kind == "folder" then return disk.make(to) end
  local content, problem = disk.read(one.path)
  if not content then return nil, problem end
  return disk.write(to, content)
end

function pane.on:copy(ctx)
  local steps = planned(ctx)
  for _, each in ipairs(ctx.chosen) do
    if disk.stat(ctx.there .. "/" .. each) then ctx:refuse("“" .. each .. "” is there already") end
  end
  for number, one in ipairs(steps) do
    progress((number - 1) / #steps, one.path)
    sleep(0.01) -- The others have their turn: menus are drawn, and somebody may stop this.
    local to = ctx.there .. "/" .. one.below
    step("Copy", ctx, function() return copy(one, to) end, function() return disk.remove(to) end)
  end
  self.marked = {}
  return #steps .. " copied to " .. ctx.there
end

local function within(path, outer) return (path .. "/"):find(outer .. "/", 1, true) == 1 end

function pane.can:copy(ctx)
  if ctx.here == ctx.there then return false, "both panes show the same folder" end
  for _, each in ipairs(ctx.chosen) do
    if within(ctx.there, ctx.here .. "/" .. each) then return false, "a folder can't be copied into itself" end
  end
  return true
end

-- A title with what is meant.
local function titled(verb, ctx)
  local names = ctx.chosen or {}
  return { title = #names > 1 and verb .. " " .. #names or names[1] and verb .. " “" .. names[1] .. "”" or nil }
end

function pane.look:copy(ctx) return titled("Copy", ctx) end
function pane.look:delete(ctx) return titled("Delete", ctx) end
function pane.confirm:delete(ctx) return titled("Delete", ctx).title .. "?" end

-- What a file holds is read before it goes; what is in a folder goes before the folder.
function pane.on:delete(ctx)
  local steps = planned(ctx)
  for number = #steps, 1, -1 do
    local one, content, problem = steps[number], nil, nil
    progress((#steps - number) / #steps, one.path)
    sleep(0.01)
    if one.kind == "file" then content, problem = disk.read(one.path) end
    if problem then ctx:refuse(problem) end
    step("Delete", ctx, function() return disk.remove(one.path) end, function()
      if content then return disk.write(one.path, content) end
      return disk.make(one.path)
    end)
  end
  self.marked = {}
  return #steps .. " deleted"
end

local function copying()
  for _, job in ipairs(app:jobs()) do
    if job.action == "copy" then return job end
  end
end

function main.on:stop() copying():cancel() end
function main.can:stop() return copying() ~= nil, "nothing is being copied" end

focus(left)
