-- The branches of a git project: pick one to be on it; below them stands what git says, as it comes.
app.name, app.title, app.allow = "branches", "Branches", { "exec=git" }

local branches, heading, output = {}, nil, {}

--- Runs git where the app was called; raises what it complains of.
local function git(arguments, line)
  local result = assert(exec("git", arguments, { line = line }))
  if result.status ~= 0 then error(lines(result.err)[1] or "git failed", 0) end
  return lines(result.out)
end

local function refresh() branches = git { "branch", "--format=%(HEAD)%(refname:short)" } end

--- Does what a person asked for, and shows each line that git writes; gives the last of them.
local function shown(title, ...)
  heading, output = title, {}
  git({ ... }, function(text) output[#output + 1] = text:gsub("\t", "  ") app:rebuild() end)
  refresh()
  return output[#output]
end

menubar { menu "Branch" {
  item "New…" { "create", key = "n" }, item "Fetch" { "fetch", key = "f" },
} }
panel {
  section "branches" {
    header = "Branches",
    items = function() return branches end,
    id = function(line) return line:sub(2) end,
    row = function(line) return item(line:sub(2)) { "switch", args = { to = line:sub(2) }, state = line:sub(1, 1) == "*" } end,
    empty = "no branches",
  },
  section "heading" { items = function() return heading and { "\n" .. heading } or {} end, row = function(line) return label(line) end },
  section "output" { items = function() return output end, row = function(line) return label("  " .. line) end },
}

app.takes = { create = { name = { "string", matches = "^[%w._/-]+$", title = "Name" } }, switch = { to = "string" } }
function app:start() refresh() end
function app.on:switch(ctx) return shown("Switching to " .. ctx.to, "switch", ctx.to) end
function app.on:create(ctx) return shown("Making " .. ctx.name, "switch", "-c", ctx.name) end
function app.on:fetch() return shown("Fetching", "fetch", "--all", "--prune", "--verbose") end
