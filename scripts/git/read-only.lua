-- Refuses whatever writes: a responder in front of each of the app's claims it. `--plugin scripts/git/read-only.lua`
plugin { name = "read-only", version = "1.0.0", summary = "looks, and changes nothing", requires = { git = ">=1" } }

local reads = { show = true, next_hunk = true, previous_hunk = true, log = true, refresh = true, more = true,
  fetch = true, quit = true, back = true, inspect = true, tree = true, fold = true, unfold = true }

for _, name in ipairs { "main", "files", "branches", "commits", "stashes", "inside", "diff" } do
  responder(name .. " is only read") {
    before = name, unknown = function() end,
    claims = function(_, action) return not reads[action] and { reason = "this is only for reading" } end,
  }
end
