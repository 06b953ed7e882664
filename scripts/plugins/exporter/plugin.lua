-- Adds: an action, and an item for it in the app's menu.

plugin {
  name = "exporter", version = "1.2.0", summary = "exports a photo as a line of text",
  requires = { photos = ">=1 <2" },
}

local line = require "line"

-- The photo comes from the app, by the context: the plugin needs to know nothing else of it.
function app.on:card(ctx)
  app.keep.exported = (app.keep.exported or 0) + 1
  return line.of(ctx.photo)
end
app.needs.card = { photo = "select a photo first" }

function app.look:card() return { subtitle = app.keep.exported and app.keep.exported .. " so far" } end

-- The app's menu is edited by the ids of its items, each time it is built.
function app.build:main(m)
  m:insert_after("Image/Export/As PNG", item "As Card" { "card", id = "export card", key = "ctrl+shift+e" })
end
