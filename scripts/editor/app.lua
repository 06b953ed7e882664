-- A small text editor: a buffer that takes what is typed, with a selection, a clipboard of its own, undo, files, and a panel that finds.

app.title, app.name = "Editor", "editor"

-- The folder of this script is all that it looks at, unless --set file=… and --allow fs.read=… say another.
if not app.settings.file then app.allow = { "fs.read", "fs.write" } end

-- The disk is a global, so that a test can put another in its place.
disk = fs

menubar {
  menu "File" {
    item "Open…" { "open", key = "ctrl+o" },
    item "Save" { "save", key = "ctrl+s" },
    item "Save As…" { "save_as", key = "ctrl+k ctrl+s" },
    separator,
    item "Quit" { "quit", key = "ctrl+q" },
  },
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" },
    item "Redo" { "redo", key = "ctrl+y" },
    separator,
    item "Cut" { "cut", key = "ctrl+x" },
    item "Copy" { "copy", key = "ctrl+c" },
    item "Paste" { "paste", key = "ctrl+v" },
    item "Select All" { "select(what: all)", key = "ctrl+a" },
    separator,
    item "Delete Line" { "line.delete", key = "ctrl+k ctrl+k" },
    item "Replace All…" { "replace", key = "ctrl+r" },
  },
  menu "Find" {
    item "Find…" { "panel.open", key = "ctrl+f" },
    item "Find Next" { "find.next", key = "ctrl+g", alternates = { shift = item "Find Previous" { "find.next(back: true)" } } },
  },
  menu "Go" {
    item "Beginning" { "go(to: beginning)", key = "ctrl+home" },
    item "End" { "go(to: end)", key = "ctrl+end" },
  },
}

local main = window "main"
-- Cursor and anchor are places between characters, the first being 1; what lies between them is selected.
local buffer = responder "buffer" { next = main, text = "", saved = "", cursor = 1, anchor = 1 }
local finder = responder "panel" { next = main, wanted = "" }
local clipboard, session

function buffer:range() return math.min(self.cursor, self.anchor), math.max(self.cursor, self.anchor) end

function buffer:provide(ctx)
  local from, to = self:range()
  ctx.selection = from < to and self.text:sub(from, to - 1) or nil
  ctx.wanted = finder.wanted ~= "" and finder.wanted or nil
  ctx.clipboard, ctx.file = clipboard, self.file
end

-- The line and the column of a place, and the places where lines begin.
local function starts(text)
  local found = { 1 }
  for place in text:gmatch("\n()") do found[#found + 1] = place end
  return found
end

local function line_of(text, place)
  local begins = starts(text)
  for number = #begins, 1, -1 do
    if begins[number] <= place then return number, utf8.len(text, begins[number], place - 1) or place - begins[number], begins end
  end
end

local function here()
  local line, column = line_of(buffer.text, buffer.cursor)
  return "line " .. line .. ", column " .. column + 1
end

-- The body of a face: a row for each line, the one with the cursor ticked, with a bar where the cursor is, or brackets around what is
-- selected. Whoever goes to a row has the cursor there.
local function shown()
  local from, to = buffer:range()
  local selected = buffer.text:sub(from, to - 1)
  local mark = selected == "" and "▏" or "[" .. selected .. "]"
  local text, rows = buffer.text:sub(1, from - 1) .. mark .. buffer.text:sub(to), {}
  local at = line_of(buffer.text, buffer.cursor)
  for number, line in ipairs(lines(text .. "\n")) do
    rows[number] = { number = number, text = (line:gsub("\t", "    ")), isHere = number == at }
  end
  return rows
end

panel {
  section "file" {
    items = function() return { (buffer.file or "No file") .. (buffer.text ~= buffer.saved and ", not saved" or "") } end,
    row = function(title) return label(title) end,
  },
  section "wanted" {
    items = function() return session and session.open and { finder.wanted } or {} end,
    row = function(wanted) return label("Find: " .. wanted .. "▏   enter finds, esc leaves it") end,
  },
  section "text" {
    items = shown,
    id = function(row) return "line " .. row.number end,
    current = "line",
    row = function(row)
      return item(row.text == "" and " " or row.text) { "line", args = { number = row.number }, state = row.isHere }
    end,
  },
}

-- What is typed: each key that writes a character does.

local typing = { enter = "\n", tab = "  ", space = " " }
for code = 33, 126 do
  local char = string.char(code)
  typing[char:match("%u") and "shift+" .. char:lower() or char] = char
end

local function types(responder, without)
  for key, text in pairs(typing) do
    if key ~= without then responder.keys[key] = 'type(text: "' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '")' end
  end
end

types(buffer)
types(finder, "enter")

-- Puts a text in the place of the selection, and the cursor behind it.
local function put(ctx, text, title, key)
  local from, to = buffer:range()
  local cursor = from + #text
  local whole = buffer.text:sub(1, from - 1) .. text .. buffer.text:sub(to)
  ctx:set(buffer, { text = whole, cursor = cursor, anchor = cursor }, title, { coalesce = key })
end

buffer.takes.type = { text = { "string", title = "Text" } }
finder.takes.type = buffer.takes.type
function buffer.on:type(ctx) put(ctx, ctx.text, "Typing", "typing") end

-- The place beside another, a character further.
local function beside(place, step)
  return step < 0 and (utf8.offset(buffer.text, -1, place) or 1) or utf8.offset(buffer.text, 2, place) or #buffer.text + 1
end

function buffer.on:erase(ctx)
  if self.cursor == self.anchor then self.anchor = beside(self.cursor, ctx.by == "back" and -1 or 1) end
  put(ctx, "", "Erasing", "erasing")
  return here()
end

function buffer.can:erase(ctx)
  local isAtEnd = self.cursor == (ctx.by == "back" and 1 or #self.text + 1)
  return not isAtEnd or self.cursor ~= self.anchor, "there is nothing to erase there"
end

-- Moving: 'keep' leaves the anchor, so what is passed is selected. It is no change of the text, and not undone.

local function vertical(step)
  local line, column, begins = line_of(buffer.text, buffer.cursor)
  local target = line + step
  if not begins[target] then return step < 0 and 1 or #buffer.text + 1 end
  local last = begins[target + 1] and begins[target + 1] - 1 or #buffer.text + 1
  return math.min(last, utf8.offset(buffer.text, column + 1, begins[target]) or last)
end

local moves = {
  left = function() return beside(buffer.cursor, -1) end,
  right = function() return beside(buffer.cursor, 1) end,
  up = function() return vertical(-1) end,
  down = function() return vertical(1) end,
  home = function()
    local line, _, begins = line_of(buffer.text, buffer.cursor)
    return begins[line]
  end,
  ["end"] = function() return buffer.text:find("\n", buffer.cursor, true) or #buffer.text + 1 end,
}

buffer.takes.move = { to = { one_of = { "left", "right", "up", "down", "home", "end" } }, keep = { "boolean", default = false } }
function buffer.on:move(ctx)
  self.cursor = moves[ctx.to]()
  if not ctx.keep then self.anchor = self.cursor end
  return here()
end

buffer.about.move = "Move"
for key in pairs(moves) do
  buffer.keys[key] = "move(to: " .. key .. ")"
  buffer.keys["shift+" .. key] = "move(to: " .. key .. ", keep: true)"
end
buffer.keys.backspace, buffer.keys.delete = "erase(by: back)", "erase(by: forth)"

local function to_line(_, ctx)
  local line, _, begins = line_of(buffer.text, buffer.cursor)
  if line ~= ctx.number then buffer.cursor = begins[ctx.number] or buffer.cursor end
  buffer.anchor = buffer.cursor
end

buffer.takes.line = { number = "integer" }
buffer.on.line, finder.on.line = to_line, to_line

buffer.takes.go = { to = { one_of = { "beginning", "end" } } }
function buffer.on:go(ctx)
  self.cursor = ctx.to == "end" and #self.text + 1 or 1
  self.anchor = self.cursor
  return here()
end

function buffer.on:select(ctx)
  self.anchor, self.cursor = ctx.from or 1, ctx.what == "all" and #self.text + 1 or ctx.to + 1
end

function buffer.can:select(ctx)
  if ctx.what == "all" then return self.text ~= "", "there is no text" end
  return (ctx.from or 0) >= 1 and (ctx.to or 0) <= #self.text, "there is no such part of the text"
end

-- Cutting and pasting.

buffer.needs.cut = { selection = "select something first" }
buffer.needs.copy = buffer.needs.cut
buffer.needs.paste = { clipboard = "cut or copy something first" }

function buffer.on:copy(ctx)
  clipboard = ctx.selection
  return clipboard
end

function buffer.on:cut(ctx)
  clipboard = ctx.selection
  put(ctx, "", "Cut")
  return clipboard
end

function buffer.on:paste(ctx) put(ctx, ctx.clipboard, "Paste") end

buffer.on["line.delete"] = function(self, ctx)
  local line, _, begins = line_of(self.text, self.cursor)
  self.anchor, self.cursor = begins[line], begins[line + 1] or #self.text + 1
  put(ctx, "", "Delete Line")
  return here()
end

-- All of a text in place of another; it takes its time, says how far it is, and can be stopped: then nothing is changed.
buffer.takes.replace = { what = { "string", from = 1, title = "What", order = 1 }, with = { "string", title = "With", order = 2, default = "" } }
function buffer.on:replace(ctx)
  local all, count, place = {}, 0, 1
  while true do
    local from, to = self.text:find(ctx.what, place, true)
    if not from then break end
    all[#all + 1] = self.text:sub(place, from - 1) .. ctx.with
    count, place = count + 1, to + 1
    progress((place - 1) / #self.text, count .. " found")
    if count % 20 == 0 then sleep(0.01) end -- The others have their turn.
  end
  if count == 0 then ctx:refuse("there is no '" .. ctx.what .. "'") end
  local text = table.concat(all) .. self.text:sub(place)
  ctx:set(self, { text = text, cursor = 1, anchor = 1 }, "Replace All")
  return count .. " replaced"
end

-- Files.

local function read(path)
  local content, problem = disk.read(path)
  if not content then return nil, problem end
  buffer.text, buffer.saved, buffer.file, buffer.cursor, buffer.anchor = content, content, path, 1, 1
  return path
end

local function write(ctx, path)
  local done, problem = disk.write(path, buffer.text)
  if not done then ctx:refuse(problem) end
  buffer.saved, buffer.file = buffer.text, path
  return path
end

buffer.takes.open = { path = { "file", title = "File" } }
buffer.takes.save_as = { path = { "file", title = "File" } }
buffer.needs.save = { file = "it has no file yet; save it as one" }

function buffer.on:open(ctx)
  local path, problem = read(ctx.path)
  return path or ctx:refuse(problem)
end

-- A face asks who handles 'quit' before it ends: the buffer, or the finder while that is open.
function buffer.on:quit() end
finder.on.quit = buffer.on.quit

local function leaving()
  if buffer.text ~= buffer.saved then return "What was written is not saved. Leave it?" end
end
buffer.confirm.open, buffer.confirm.quit, finder.confirm.quit = leaving, leaving, leaving

function buffer.on:save(ctx) return write(ctx, ctx.file) end
function buffer.can:save() return self.text ~= self.saved, "it is saved" end
function buffer.on:save_as(ctx) return write(ctx, ctx.path) end

-- Where nothing is granted it begins with nothing.
function app:start() pcall(read, app.settings.file or "sample.txt") end

-- Finding: plain text, from behind the cursor on, then from the beginning.

local function position(ctx)
  local from, to = buffer:range()
  if ctx:flag("back") then
    local last, at = nil, 0
    repeat
      last, at = at > 0 and at or nil, buffer.text:find(ctx.wanted, at + 1, true) or from
    until at >= from
    return last
  end
  return buffer.text:find(ctx.wanted, to, true) or buffer.text:find(ctx.wanted, 1, true)
end

buffer.needs["find.next"] = { wanted = "say what to find first" }
buffer.can["find.next"] = function(_, ctx) return position(ctx) ~= nil, "there is no '" .. ctx.wanted .. "' there" end
buffer.on["find.next"] = function(self, ctx)
  self.anchor = position(ctx)
  self.cursor = self.anchor + #ctx.wanted
  return here()
end

-- The panel is a modal session: while it is open only it takes what is typed.

main.on["panel.open"] = function() session = modal(finder) end

-- What is written is said too: in a long text the row above may be out of sight.
local function said() return "Find: " .. finder.wanted .. "▏" end

function finder.on:type(ctx)
  self.wanted = self.wanted .. ctx.text
  return said()
end

function finder.on:erase()
  self.wanted = self.wanted:sub(1, (utf8.offset(self.wanted, -1) or 1) - 1)
  return said()
end

function finder.on:clear() self.wanted = "" end
function finder.can:clear() return self.wanted ~= "", "there is nothing to clear" end

function finder.on:close(ctx)
  session:close()
  return ctx:flag("find") and app:perform("find.next").result or nil
end

finder.keys.enter, finder.keys.esc = "close(find: true)", "close"
finder.keys.backspace, finder.keys["ctrl+u"] = "erase", "clear"

focus(buffer)
