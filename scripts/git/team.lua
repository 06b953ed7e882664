-- A team's rules, as a plugin: `--plugin scripts/git/team.lua`
plugin { name = "team", version = "1.0.0", summary = "what this team has agreed on", requires = { git = ">=1" } }

local main = app:find "main"

for _, action in ipairs { "push", "force_push" } do
  main.can[action] = function(_, ctx)
    if ctx.branch == "main" then return false, "main is pushed by the build only" end
    return ctx:super()
  end
end

local function commit(_, ctx)
  local yes, reason = ctx:super()
  if not yes then return yes, reason end
  return #ctx.message:match "^[^\n]*" <= 72, "the first line has more than 72 letters"
end
main.can.commit, main.can.amend = commit, commit
