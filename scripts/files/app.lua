-- A file list with two panes: one has the focus, the other is where things are copied to.
-- Looking takes the capability fs.read, copying fs.write as well.

app.title, app.name = "Files", "files"

-- The disk is a global, so that a test can put another in its place.
disk = fs

-- The menu of a pane is called as its folder is. A row for each entry, with a tick at what is marked.
local function entries(pane)
  return menu(pane) {
    look = function() return { title = app:find(pane).folder } end,
    section("in " .. pane) {
      items = function() return app:find(pane):listing() end,
      id = function(entry) return pane .. "/" .. entry.name end,
      row = function(entry)
        return item(entry.name) { "mark", args = { pane = pane, name = entry.name }, subtitle = entry.about }
      end,
      empty = "Nothing is here",
    },
  }
end

menubar {
  menu "File" {
    item "Open" { "open", key = "enter" },
    item "Mark" { "mark", key = "space" },
    separator,
    item "Copy" { "copy", key = "f5" },
    item "Stop Copying" { "stop", key = "esc" },
  },
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" },
    item "Redo" { "redo", key = "ctrl+y" },
  },
  menu "Go" {
    item "Next" { "next", key = "down" },
    item "Previous" { "previous", key = "up" },
    item "Parent Folder" { "parent", key = "backspace" },
    item "Other Pane" { "switch", key = "tab" },
  },
  entries "left",
  entries "right",
}

-- Two panes: what they do is their class's, a folder is each one's own.

local pane = class "pane" { at = 1 }
local main = window "main"

local function new(name, folder)
  return responder(name) { class = "pane", next = main, top = folder, folder = folder, marked = {} }
end

local left = new("left", app.settings.left or "sample/inbox")
local right = new("right", app.settings.right or "sample/archive")

local function other(one) return one == left and right or left end

local function about(path)
  local known = disk.stat(path)
  if not known or known.kind ~= "file" then return known and known.kind end
  return known.size .. " bytes"
end

-- What is in the folder is looked up once, and again when something was done.
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

-- The names that are meant: those that are marked, else the one at the cursor.
function pane:chosen()
  local names, entry = {}, self:listing()[self.at]
  for _, each in ipairs(self:listing()) do
    if self.marked[each.name] then names[#names + 1] = each.name end
  end
  if #names == 0 and entry then names[1] = entry.name end
  return names
end

function pane:show(folder)
  self.folder, self.at, self.marked, self.entries = folder, 1, {}, nil
end

function pane:provide(ctx)
  local entry = self:listing()[self.at]
  ctx.entry = entry and entry.name
  ctx.chosen = self:chosen()
  ctx.here, ctx.there = self.folder, other(self).folder
end

-- The reason of what needs an entry; nil where there is one.
local function lack(one) return #one:listing() == 0 and "there is nothing in this folder" or nil end

-- Looking around.

function pane.on:open(ctx) self:show(ctx.here .. "/" .. ctx.entry) end

function pane.can:open(ctx)
  if lack(self) then return false, lack(self) end
  return about(ctx.here .. "/" .. ctx.entry) == "folder", "only folders are opened"
end

function pane.look:open(ctx) return { title = ctx.entry and "Open “" .. ctx.entry .. "”" } end

function pane.on:parent() self:show(self.folder:match("^(.*)/[^/]+$")) end
function pane.can:parent() return self.folder ~= self.top, "this is the topmost folder" end

pane.on["next"] = function(self) self.at = self.at + 1 end
pane.can["next"] = function(self) return self.at < #self:listing(), "this is the last one" end
function pane.on:previous() self.at = self.at - 1 end
function pane.can:previous() return self.at > 1, "this is the first one" end

function pane.on:switch() focus(other(self)) end

-- A row says which pane and which entry it means; a key means the entry at the cursor.
local function meant(self, ctx) return ctx.pane and app:find(ctx.pane) or self, ctx.name or ctx.entry end

function pane.on:mark(ctx)
  local whose, name = meant(self, ctx)
  whose.marked[name] = not whose.marked[name] or nil
end

function pane.can:mark(ctx)
  local whose = meant(self, ctx)
  return not lack(whose), lack(whose)
end

function pane.look:mark(ctx)
  local whose, name = meant(self, ctx)
  return { state = name ~= nil and whose.marked[name] }
end

-- Copying.

local function within(path, folder) return (path .. "/"):find(folder .. "/", 1, true) == 1 end

-- Adds what is to be done for one file or folder, the folder before what is in it; gives what is wrong.
local function plan(steps, from, to)
  local known, problem = disk.stat(from)
  if not known then return problem end
  steps[#steps + 1] = { kind = known.kind, from = from, to = to }
  if known.kind ~= "folder" then return nil end
  local names, refusal = disk.list(from)
  for _, name in ipairs(names or {}) do
    refusal = refusal or plan(steps, from .. "/" .. name, to .. "/" .. name)
  end
  return refusal
end

local function copy(step)
  if step.kind == "folder" then return disk.make(step.to) end
  local text, problem = disk.read(step.from)
  if not text then return nil, problem end
  return disk.write(step.to, text)
end

-- Each step registers what takes it back, and that registers the step. So copying is undone and redone, and taken back where it is
-- stopped or where the disk refuses something.
local function take(step, ctx)
  local done, problem = copy(step)
  if not done then ctx:refuse(problem) end
  ctx:undo("Copy", function(undo)
    local gone, refusal = disk.remove(step.to)
    if not gone then undo:refuse(refusal) end
    undo:undo("Copy", function(redo) take(step, redo) end)
  end)
end

function pane.on:copy(ctx)
  local steps = {}
  for _, name in ipairs(ctx.chosen) do
    local to = ctx.there .. "/" .. name
    if disk.stat(to) then ctx:refuse("“" .. name .. "” is there already") end
    local problem = plan(steps, ctx.here .. "/" .. name, to)
    if problem then ctx:refuse(problem) end
  end
  for number, step in ipairs(steps) do
    progress((number - 1) / #steps, step.from)
    sleep(0.01) -- The others have their turn: menus are drawn, and somebody may stop this.
    take(step, ctx)
  end
  self.marked = {}
  return #steps .. " copied to " .. ctx.there
end

function pane.can:copy(ctx)
  if lack(self) then return false, lack(self) end
  if ctx.here == ctx.there then return false, "both panes show the same folder" end
  for _, name in ipairs(ctx.chosen) do
    if within(ctx.there, ctx.here .. "/" .. name) then return false, "a folder can't be copied into itself" end
  end
  return true
end

function pane.look:copy()
  local names = self:chosen()
  return { title = #names > 1 and "Copy " .. #names or names[1] and "Copy “" .. names[1] .. "”" }
end

local function copying()
  for _, job in ipairs(app:jobs()) do
    if job.action == "copy" then return job end
  end
end

function main.on:stop() copying():cancel() end
function main.can:stop() return copying() ~= nil, "nothing is being copied" end

focus(left)
