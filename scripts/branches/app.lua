-- The branches of a git project: pick one to be on it; the panel shows what git says as it comes.
app.name, app.title, app.allow = "branches", "Branches", { "exec=git" }

local branches, output = {}, { "nothing was done yet" }

--- Runs git where the app was called, and shows each line that it writes; raises what it complains of.
local function git(...)
  output = { "git " .. table.concat({ ... }, " ") }
  local result = assert(exec("git", { ... }, { line = function(text) output[#output + 1] = text app:rebuild() end }))
  if result.status ~= 0 then error(lines(result.err)[1] or "git failed", 0) end
  return lines(result.out)
end

local function refresh() branches = git("branch", "--format=%(HEAD)%(refname:short)") end

menubar { menu "Branch" {
  item "New…" { "create", key = "n" }, item "Fetch" { "fetch", key = "f" }, separator,
  section "branches" {
    items = function() return branches end,
    id = function(line) return line:sub(2) end,
    row = function(line) return item(line:sub(2)) { "switch", args = { to = line:sub(2) }, state = line:sub(1, 1) == "*" } end,
    empty = "no branches",
  },
} }
panel { section "output" { items = function() return output end, row = function(line) return label(line) end } }

app.takes = { create = { name = { "string", matches = "^[%w._/-]+$", title = "Name" } }, switch = { to = "string" } }
function app:start() refresh() end
function app.on:switch(ctx) git("switch", ctx.to) refresh() end
function app.on:create(ctx) git("switch", "-c", ctx.name) refresh() end
function app.on:fetch() git("fetch", "--all", "--prune", "--verbose") refresh() end
