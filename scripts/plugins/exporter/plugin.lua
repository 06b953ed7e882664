plugin {
  name = "exporter", version = "1.2.0", summary = "writes what is known of a photo to a file",
  requires = { gallery = ">=1 <2" }, allow = { "fs.write=out" },
}

local text = require "text"
local grid = app:find("grid")

-- What the plugin does is its own action; the photo comes from the app, by the context.
function app.on:export(ctx)
  local path = "out/" .. ctx.photo.name .. ".txt"
  local ok, problem = fs.write(path, text.of(ctx.photo))
  if not ok then ctx:refuse(problem) end
  app.keep.exported = (app.keep.exported or 0) + 1
  return path .. ", the " .. app.keep.exported .. ". of all"
end
app.needs.export = { photo = "select a photo first" }

-- On the app's grid it has a layer of its own, which may ask the app's below.
function grid.on:rate(ctx) return ctx:super() .. ", and can be exported" end

-- The app's menu is edited as it is built.
function app.build:main(m) m:insert_last("Image", item "Export" { "export", key = "ctrl+e" }) end
