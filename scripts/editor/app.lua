-- A small text editor: a buffer that takes what is typed, with a selection, a clipboard of its own, undo, files, and a finder.

app.title, app.name = "Editor", "editor"

-- The folder of this script is all that it looks at, unless --set file=… and --allow fs.read=… say another.
if not app.settings.file then app.allow = { "fs.read", "fs.write" } end

-- The disk is a global, so that a test can put another in its place.
disk = fs

menubar {
  menu "File" {
    item "Open…" { "open", key = "ctrl+o" }, separator,
    item "Save" { "save", key = "ctrl+s" }, item "Save As…" { "save_as", key = "ctrl+k ctrl+s" }, separator,
    item "Quit" { "quit", key = "ctrl+q" },
  },
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" }, item "Redo" { "redo", key = "ctrl+y" }, separator,
    item "Cut" { "cut", key = "ctrl+x" }, item "Copy" { "copy", key = "ctrl+c" }, item "Paste" { "paste", key = "ctrl+v" },
    item "Select All" { "select(what: all)", key = "ctrl+a" }, separator,
    item "Delete Line" { "line.delete", key = "ctrl+k ctrl+k" }, item "Replace All…" { "replace", key = "ctrl+r" },
  },
  menu "Find" {
    item "Find…" { "panel.open", key = "ctrl+f" },
    item "Find Next" { "find.next", key = "ctrl+g", alternates = { shift = item "Find Previous" { "find.next(back: true)" } } },
    item "Clear" { "find.clear" },
  },
  menu "Go" { item "Beginning" { "move(to: ctrl+home)" }, item "End" { "move(to: ctrl+end)" } },
}

local main = window "main"
-- Cursor and anchor are places between characters, the first being 1; the text between them is selected.
local buffer = responder "buffer" { next = main, text = "", saved = "", cursor = 1, anchor = 1 }
local finder = responder "panel" { next = main, wanted = "" }
-- In the pane of matches arrows and 'enter' are the pane's; the buffer handles everything else.
local found = responder "found" { next = main, redirect = "buffer", keys = { esc = { "edit", title = "Back" } } }
local clipboard, session

function buffer:range() return math.min(self.cursor, self.anchor), math.max(self.cursor, self.anchor) end

function main:provide(ctx)
  local from, to = buffer:range()
  ctx.selection = from < to and buffer.text:sub(from, to - 1) or nil
  ctx.wanted = finder.wanted ~= "" and finder.wanted or nil
  ctx.clipboard, ctx.file = clipboard, buffer.file
end

-- A list of places that is made again only if the text or the wanted text has changed.
local function kept(make)
  local text, wanted, list
  return function()
    local isKept = text == buffer.text and wanted == finder.wanted
    text, wanted, list = buffer.text, finder.wanted, isKept and list or make(buffer.text, finder.wanted)
    return list
  end
end

-- The places where lines begin, and one behind the last line.
local begins = kept(function(text)
  local list = { 1 }
  for place in (text .. "\n"):gmatch "\n()" do list[#list + 1] = place end
  return list
end)

-- The line and the column of a place.
local function line_of(place)
  local list, low, high = begins(), 1, #begins() - 1
  while low < high do
    local middle = (low + high + 1) // 2
    if list[middle] <= place then low = middle else high = middle - 1 end
  end
  return low, (utf8.len(buffer.text, list[low], place - 1) or place - list[low]) + 1
end

-- The first place of the wanted text in each line that has it.
local matches = kept(function(text, wanted)
  local list, place = {}, wanted ~= "" and text:find(wanted, 1, true)
  while place do
    list[#list + 1] = place
    place = text:find(wanted, begins()[line_of(place) + 1], true)
  end
  return list
end)

local function here() return ("line %d, column %d"):format(line_of(buffer.cursor)) end

-- What is seen: two panes, which ask only for the rows in view, by number. So a long text costs no more than a short one.

-- Adds a part of the text to the spans of a row: in one style, or with the wanted text highlighted.
local function add(row, from, to, style)
  local text, place = buffer.text:sub(from, to - 1):gsub("\t", "    "), 1
  while not style and finder.wanted ~= "" do
    local first, last = text:find(finder.wanted, place, true)
    if not first then break end
    row[#row + 1], row[#row + 2], place = text:sub(place, first - 1), span(finder.wanted, "match"), last + 1
  end
  row[#row + 1] = style and span(text, style) or text:sub(place)
end

-- The spans of a line, with the selection, and a bar where the cursor is.
local function line_row(number)
  local row, first, last, from, to = {}, begins()[number], begins()[number + 1] - 1, buffer:range()
  from, to = math.max(first, math.min(from, last)), math.max(first, math.min(to, last))
  add(row, first, from)
  if buffer.cursor == from then row[#row + 1] = span("▏", "accent") end
  add(row, from, to, "accent")
  if buffer.cursor == to and from < to then row[#row + 1] = span("▏", "accent") end
  add(row, to, last)
  return row, number, first, first - 1
end

local function match_row(number)
  local row, place = {}, matches()[number]
  local line = line_of(place)
  add(row, buffer.text:find("%S", begins()[line]), begins()[line + 1] - 1)
  return row, line, place, place + #finder.wanted - 1
end

-- A row that becomes the current one selects its part of the text: of a line nothing, at its beginning.
local function numbered(name, count, row)
  return section(name .. "s") {
    count = count, value = function(number) return number end, columns = { { align = "right", style = "quiet", least = 3 }, { grow = true } },
    id = function(number) return name .. " " .. number end, index = function(id) return math.tointeger(id:match "%d+$") end, current = "select",
    row = function(number)
      local text, line, from, to = row(number)
      return item { "edit", args = { from = from, to = to }, cells = { tostring(line), text } }
    end,
  }
end

-- While the finder is open, its line is the title of the second pane; the status line shows it too.
local function said() return "Find: " .. finder.wanted .. "▏" end
local function want(text)
  finder.wanted = text
  return said()
end

panel {
  typing = false,
  beside {
    pane "text" { title = "Text", responder = buffer, share = 3,
      look = function()
        return { title = buffer.file or "No file", subtitle = { span(buffer.text ~= buffer.saved and "not saved  " or "", "changed"), here() } }
      end,
      numbered("line", function() return #begins() - 1 end, line_row) },
    pane "found" { title = "Found", key = "f6", responder = found, least = 20,
      look = function()
        local isOpen, count = session and session.open, #matches()
        return { title = isOpen and said() or "“" .. finder.wanted .. "”", hidden = not isOpen and finder.wanted == "",
          subtitle = count .. (count == 1 and " line" or " lines") }
      end,
      numbered("match", function() return #matches() end, match_row) },
  },
}

-- Typing: each stroke that types a character writes it.
for _, one in ipairs { buffer, finder } do
  one.keys = { text = "type", tab = 'type(text: "  ")', backspace = "erase(by: back)" }
  one.about.type, one.about.erase = "Type", "Erase"
  one.takes.type = { text = { "string", title = "Text", optional = true } } -- A stroke's text is no argument.
end
buffer.keys.enter, buffer.keys.delete = 'type(text: "\\n")', "erase(by: forth)"
buffer.keys.esc = { "find.clear", title = "Clear", when = function(ctx) return ctx.wanted end }

-- Puts a text in the place of the selection, and the cursor behind it.
local function put(ctx, text, title, key)
  local from, to = buffer:range()
  local whole, cursor = buffer.text:sub(1, from - 1) .. text .. buffer.text:sub(to), from + #text
  ctx:set(buffer, { text = whole, cursor = cursor, anchor = cursor }, title, { coalesce = key })
end

function buffer.on:type(ctx) put(ctx, ctx.text or "", "Typing", "typing") end

-- Moving: 'keep' leaves the anchor, so what is passed is selected. It is no change of the text, and not undone.
local function vertical(step)
  local line, column = line_of(buffer.cursor)
  local first, past = begins()[line + step], begins()[line + step + 1]
  if not first or not past then return step < 0 and 1 or #buffer.text + 1 end
  return math.min(past - 1, utf8.offset(buffer.text, column, first) or past - 1)
end

-- By the keys that do it; with shift, they select.
local moves = {
  left = function() return utf8.offset(buffer.text, -1, buffer.cursor) or 1 end,
  right = function() return utf8.offset(buffer.text, 2, buffer.cursor) or #buffer.text + 1 end,
  up = function() return vertical(-1) end,
  down = function() return vertical(1) end,
  home = function() return begins()[line_of(buffer.cursor)] end,
  ["end"] = function() return begins()[line_of(buffer.cursor) + 1] - 1 end,
  ["ctrl+home"] = function() return 1 end,
  ["ctrl+end"] = function() return #buffer.text + 1 end,
}

local ways = { "left", "right", "up", "down", "home", "end", "ctrl+home", "ctrl+end" }
buffer.about.move, buffer.takes.move = "Move", { to = { one_of = ways }, keep = { "boolean", default = false } }
for _, key in ipairs(ways) do
  buffer.keys[key], buffer.keys["shift+" .. key] = "move(to: " .. key .. ")", "move(to: " .. key .. ", keep: true)"
end

function buffer.on:move(ctx)
  self.cursor = moves[ctx.to]()
  if not ctx.keep then self.anchor = self.cursor end
  return here()
end

function buffer.on:erase(ctx)
  if self.cursor == self.anchor then self.anchor = moves[ctx.by == "back" and "left" or "right"]() end
  put(ctx, "", "Erasing", "erasing")
  return here()
end

function buffer.can:erase(ctx)
  return self.cursor ~= self.anchor or self.cursor ~= (ctx.by == "back" and 1 or #self.text + 1), "there is nothing to erase there"
end

function buffer.on:select(ctx) buffer.anchor, buffer.cursor = ctx.from or 1, ctx.what == "all" and #buffer.text + 1 or ctx.to + 1 end
function buffer.can:select(ctx)
  if ctx.what == "all" then return self.text ~= "", "there is no text" end
  return (ctx.from or 0) >= 1 and (ctx.to or 0) <= #self.text, "there is no such part of the text"
end

-- What the rows do; in the finder too.
finder.on.select = buffer.on.select
buffer.about.edit = "Edit Here"
function buffer.on:edit(ctx)
  if ctx.from then app:perform("select", ctx.args) end
  focus(self)
end

-- The row of the cursor is the current one, whatever moved the cursor: so faces scroll there.
local current = 1
observe("*", function(event)
  local line, focused = line_of(buffer.cursor), app:chain()[1]
  if event.stage == "will" or line == current then return end
  local cursor, anchor = buffer.cursor, buffer.anchor
  current = line
  app:rebuild() -- It may be new.
  app:choose("text/line " .. line)
  buffer.cursor, buffer.anchor = cursor, anchor
  focus(focused)
end)

-- Cutting and pasting.
buffer.needs.copy, buffer.needs.paste = { selection = "select something first" }, { clipboard = "cut or copy something first" }
buffer.needs.cut = buffer.needs.copy

local function take(_, ctx)
  clipboard = ctx.selection
  if ctx.action == "cut" then put(ctx, "", "Cut") end
  return clipboard
end
buffer.on.copy, buffer.on.cut = take, take
function buffer.on:paste(ctx) put(ctx, ctx.clipboard, "Paste") end
buffer.on["line.delete"] = function(self, ctx)
  local number = line_of(self.cursor)
  self.anchor, self.cursor = begins()[number], math.min(begins()[number + 1], #self.text + 1)
  put(ctx, "", "Delete Line")
  return here()
end

-- All of a text in place of another; it takes its time, says how far it is, and can be stopped: then nothing is changed.
buffer.takes.replace = { what = { "string", from = 1, title = "What", order = 1 }, with = { "string", title = "With", order = 2, default = "" } }
function buffer.on:replace(ctx)
  local all, place = {}, 1
  for from, to in function() return self.text:find(ctx.what, place, true) end do
    all[#all + 1], place = self.text:sub(place, from - 1) .. ctx.with, to + 1
    progress(to / #self.text, #all .. " found")
    if #all % 20 == 0 then sleep(0.01) end -- The others have their turn.
  end
  if #all == 0 then ctx:refuse("there is no '" .. ctx.what .. "'") end
  ctx:set(self, { text = table.concat(all) .. self.text:sub(place), cursor = 1, anchor = 1 }, "Replace All")
  return #all .. " replaced"
end

-- Files.
local function read(path)
  local content, problem = disk.read(path)
  if not content then return nil, problem end
  buffer.text, buffer.saved, buffer.file, buffer.cursor, buffer.anchor = content, content, path, 1, 1
  return path
end

local function write(_, ctx)
  local path = ctx.path or ctx.file
  local done, problem = disk.write(path, buffer.text)
  if not done then ctx:refuse(problem) end
  buffer.saved, buffer.file = buffer.text, path
  return path
end

buffer.takes.open, buffer.takes.save_as = { path = { "file", title = "File" } }, { path = { "file", title = "File" } }
buffer.needs.save = { file = "it has no file yet; save it as one" }
buffer.on.save, buffer.on.save_as = write, write
function buffer.can:save() return self.text ~= self.saved, "it is saved" end
function buffer.on:open(ctx)
  local path, problem = read(ctx.path)
  return path or ctx:refuse(problem)
end

-- A face asks who handles 'quit' before it ends: the buffer, or the finder while that is open.
function buffer.on:quit() end
finder.on.quit = buffer.on.quit

local function leaving() return buffer.text ~= buffer.saved and "What was written is not saved. Leave it?" or nil end
buffer.confirm.open, buffer.confirm.quit, finder.confirm.quit = leaving, leaving, leaving

-- Where nothing is granted it begins with nothing.
function app:start() pcall(read, app.settings.file or "sample.txt") end

-- Finding: plain text, from behind the cursor on, then from the beginning; or back, then from the end.
local function position(wanted, back)
  local from, to = buffer:range()
  if not back then return buffer.text:find(wanted, to, true) or buffer.text:find(wanted, 1, true) end
  local place, last = buffer.text:find(wanted, 1, true), nil
  while place and not (last and last < from and place >= from) do
    last, place = place, buffer.text:find(wanted, place + 1, true)
  end
  return last
end

buffer.needs["find.next"], buffer.needs["find.clear"] = { wanted = "say what to find first" }, { wanted = "nothing was found" }
buffer.can["find.next"] = function(_, ctx) return #matches() > 0, "there is no '" .. ctx.wanted .. "' there" end
buffer.on["find.next"] = function(self, ctx)
  self.anchor = position(ctx.wanted, ctx:flag "back")
  self.cursor = self.anchor + #ctx.wanted
  return here()
end
buffer.on["find.clear"] = function() finder.wanted = "" end

-- The finder is a modal session: while it is open only it takes what is typed.
main.on["panel.open"] = function() session = modal(finder) end
function finder:resign() return not session.open end
function finder.on:type(ctx) return want(self.wanted .. (ctx.text or "")) end
function finder.on:erase() return want(self.wanted:sub(1, (utf8.offset(self.wanted, -1) or 1) - 1)) end
function finder.on:clear() return want "" end
function finder.can:clear() return self.wanted ~= "", "there is nothing to clear" end
function finder.on:close(ctx)
  session:close()
  return ctx:flag "find" and app:perform("find.next").result or nil
end

finder.about.close, finder.about.clear = "Close", "Clear"
finder.keys.enter, finder.keys.esc, finder.keys["ctrl+u"] = { "close(find: true)", title = "Find" }, "close", "clear"

focus(buffer)
