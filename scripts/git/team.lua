-- A team's rules, as a plugin: `--plugin scripts/git/team.lua`
plugin { name = "team", version = "1.0.0", summary = "what this team has agreed on", requires = { git = ">=1" } }

local main = app:find "main"
local function rule(actions, reason, broken)
  for _, action in ipairs(actions) do
    main.can[action] = function(_, ctx) if broken(ctx) then return false, reason end return ctx:super() end
  end
end
rule({ "push", "force_push" }, "main is pushed by the build only", function(ctx) return ctx.branch == "main" end)
rule({ "commit", "amend" }, "the first line has more than 72 letters",
  function(ctx) return #ctx.message:match "^[^\n]*" > 72 end)
