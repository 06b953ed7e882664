-- A small text editor: a buffer with a selection, a clipboard of its own, undo, key sequences, and a panel that finds.

app.title = "Editor"
app.name = "editor"

menubar {
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" },
    item "Redo" { "redo", key = "ctrl+y" },
    separator,
    item "Write…" { "type", key = "i" },
    item "Cut" { "cut", key = "ctrl+x" },
    item "Copy" { "copy", key = "ctrl+c" },
    item "Paste" { "paste", key = "ctrl+v" },
    item "Select All" { "select(what: all)", key = "ctrl+a" },
  },
  menu "Find" {
    item "Find…" { "panel.open", key = "ctrl+f" },
    item "Find Next" { "find.next", key = "ctrl+g", alternates = { shift = item "Find Previous" { "find.next(back: true)" } } },
  },
  menu "Go" {
    item "Beginning" { "go(to: beginning)", key = "g g" },
    item "End" { "go(to: end)", key = "g e" },
  },
}

local main = window "main"
local buffer = responder "buffer" { next = main, text = "", from = 1, to = 0 }
local finder = responder "panel" { next = main, wanted = "" }
local clipboard, session

-- The selection is text:sub(from, to); where 'to' is before 'from' it is the place between two characters.
function buffer:provide(ctx)
  ctx.selection = self.to >= self.from and self.text:sub(self.from, self.to) or nil
  ctx.wanted = finder.wanted ~= "" and finder.wanted or nil
  ctx.clipboard = clipboard
end

-- The body of a face: the text, with a bar where the cursor is, or brackets around what is selected.
local function shown()
  local selected = buffer.text:sub(buffer.from, buffer.to)
  local mark = selected == "" and "▏" or "[" .. selected .. "]"
  return lines(buffer.text:sub(1, buffer.from - 1) .. mark .. buffer.text:sub(math.max(buffer.to, buffer.from - 1) + 1))
end

panel {
  section "text" { items = shown, row = function(line) return label(line) end },
  section "wanted" {
    items = function() return session and session.open and { finder.wanted } or {} end,
    row = function(wanted) return label("Find: " .. wanted .. "▏") end,
  },
}

-- Puts a text in the place of the selection, and the cursor behind it.
local function replace(ctx, text, title, key)
  local before, after = buffer.text:sub(1, buffer.from - 1), buffer.text:sub(math.max(buffer.to, buffer.from - 1) + 1)
  local cursor = buffer.from + #text
  ctx:set(buffer, { text = before .. text .. after, from = cursor, to = cursor - 1 }, title, { coalesce = key })
end

buffer.takes.type = { text = { "string", title = "Text" } }
finder.takes.type = buffer.takes.type
buffer.takes.go = { to = { one_of = { "beginning", "end" } } }

function buffer.on:type(ctx) replace(ctx, ctx.text, "Typing", "typing") end

buffer.needs.cut = { selection = "select something first" }
buffer.needs.copy = buffer.needs.cut
buffer.needs.paste = { clipboard = "cut or copy something first" }

function buffer.on:copy(ctx)
  clipboard = ctx.selection
  return clipboard
end

function buffer.on:cut(ctx)
  clipboard = ctx.selection
  replace(ctx, "", "Cut")
  return clipboard
end

function buffer.on:paste(ctx) replace(ctx, ctx.clipboard, "Paste") end

-- What is selected is no change of the text: it is not undone by itself.
function buffer.on:select(ctx)
  self.from, self.to = ctx.from or 1, ctx.what == "all" and #self.text or ctx.to
end

function buffer.can:select(ctx)
  if ctx.what == "all" then return self.text ~= "", "there is no text" end
  return (ctx.from or 0) >= 1 and (ctx.to or 0) <= #self.text, "there is no such part of the text"
end

function buffer.on:go(ctx)
  self.from = ctx.to == "end" and #self.text + 1 or 1
  self.to = self.from - 1
end

-- Finding: plain text, from behind the selection on, then from the beginning.
local function position(ctx)
  if ctx:flag("back") then
    local last, at = nil, 0
    repeat
      last, at = at > 0 and at or nil, buffer.text:find(ctx.wanted, at + 1, true) or buffer.from
    until at >= buffer.from
    return last
  end
  return buffer.text:find(ctx.wanted, buffer.to + 1, true) or buffer.text:find(ctx.wanted, 1, true)
end

buffer.needs["find.next"] = { wanted = "say what to find first" }
buffer.can["find.next"] = function(_, ctx) return position(ctx) ~= nil, "there is no '" .. ctx.wanted .. "' there" end
buffer.on["find.next"] = function(self, ctx)
  self.from = position(ctx)
  self.to = self.from + #ctx.wanted - 1
  return self.from
end

-- The panel is a modal session: while it is open only it takes what is typed.

main.on["panel.open"] = function() session = modal(finder) end

function finder.on:type(ctx) self.wanted = self.wanted .. ctx.text end
function finder.on:clear() self.wanted = "" end
function finder.can:clear() return self.wanted ~= "", "there is nothing to clear" end

function finder.on:close(ctx)
  session:close()
  return ctx:flag("find") and app:perform("find.next").result or nil
end

finder.keys = { enter = "close(find: true)", esc = "close", ["ctrl+u"] = "clear" }

focus(buffer)
