-- A git client for the repository of the working folder. You can undo what it does; what you can't do says why.

app.title, app.name, app.version = "Git", "git", "1.0"
app.allow = { "exec=git", "exec=$EDITOR", "fs.read=$PWD" }

git = require "repo" -- A global, so that a test can read another repository.

local main = responder "main" { next = window "top" }
local files, branches = responder "files" { next = main }, responder "branches" { next = main }
local commits, stashes = responder "commits" { next = main }, responder "stashes" { next = main }
local diff, inside = responder "diff" { next = main }, responder "inside" { next = main }

-- Each repository has its own history, which outlives the app: its entries are lists of git's arguments.
local function refresh(all)
  git.refresh(all)
  local name = git.id("undo of " .. (git.root or "nothing"))
  if main.next.name == name then return end
  main.next = app:find(name) or responder(name) { next = "top", undo = { levels = 200, keep = true } }
end

local count, nowhere = git.count, "this folder is in no git repository, or in a bare one"

-- Titles of actions, if they aren't their names; actions that are about all marked rows.
local titles = {
  ours = "Keep Ours", theirs = "Take Theirs", both = "Keep Both", worktree = "New Worktree", proceed = "Continue",
  command = "Run git", tree = "Tree of Folders", more = "More Commits", checkout = "Switch",
  cherry_pick = "Cherry-Pick", drop_stash = "Drop", log = "Commits", inspect = "Files", forget = "Skip an Undo",
}
local many = { stage = 1, unstage = 1, discard = 1, restore = 1, ours = 1, theirs = 1, delete = 1, cherry_pick = 1,
  squash = 1, pick = 1, fixup = 1, drop = 1, move_up = 1, move_down = 1 }
local plurals = { file = " Files", inside = " Files", commit = " Commits", stash = " Stashes" }

local function titled(action) return titles[action] or (action:gsub("_", " "):gsub("%f[%a]%l", string.upper)) end

-- The title of an action with the name of its row, or the number of its rows.
local function named(ctx)
  local rows = many[ctx.action] and ctx.rows or { ctx.taker ~= main and ctx.row or ctx.name and { name = ctx.name } }
  local title, row = titled(ctx.action), rows[1]
  if ctx.taker == diff then return diff.about[ctx.action].title end
  if #rows > 1 then return title .. " " .. #rows .. (plurals[row.kind] or " Branches") end
  return row and title .. " “" .. (row.shown and row.shown:match "[^/]+/?$" or row.short or row.name) .. "”" or title
end

-- The screen: a pane for each list; beside them the diff of the current row, and the commands that ran.
local function distance(of)
  local ahead, behind = of.ahead > 0 and "↑" .. of.ahead or "", of.behind > 0 and "↓" .. of.behind or ""
  return { span(ahead, "accent"), span(behind, "warning") }
end

local function path(file)
  local old, folder, name = file.old or file.from, file.shown:match "^(.-)([^/]+/?)$"
  if git.isTree then return { file.label, span(old and " ← " .. git.text(old) or "", "quiet") } end
  return { span((old and git.text(old) .. " → " or "") .. folder, "quiet"), name }
end
local rows = {}
function rows.files(file)
  local style, both = file.conflict and "error" or file.new and "quiet", (file.index .. file.work):gsub("%.", " ")
  return item { "show", cells = { { span(both:sub(1, 1), style or "added"), span(both:sub(2), style or "removed") },
    path(file), file.note or "" } }
end
function rows.folders(of) return item { of.folded and "unfold" or "fold", cells = { "", span(of.label, "quiet") } } end
function rows.branches(branch)
  local isPlain = branch.kind == "branch" and not branch.head
  local name = isPlain and branch.name or span(branch.name, branch.head and "strong" or "quiet")
  local level = branch.upstream and branch.ahead + branch.behind == 0 and span("✓", "quiet")
  return item { branch.path and "checkout" or "log", cells = {
    span(branch.head and "●" or ({ tag = "◆", worktree = "⌂" })[branch.kind] or " ", "accent"), name,
    branch.gone and span("gone", "warning") or level or distance(branch), branch.note } }
end
rows.remotes, rows.tags, rows.worktrees, rows.inside = rows.branches, rows.branches, rows.branches, rows.files
function rows.todo(step)
  local style = step.verb == "now" and "warning" or "quiet"
  return item { "inspect", cells = { span(step.short, "quiet"), span(step.verb, style), span(step.subject, style) } }
end
function rows.shown(commit)
  local refs = commit.refs ~= "" and span(commit.refs .. "  ", "accent") or ""
  return item { "inspect", cells = { span(commit.short, commit.unpushed and "changed" or "quiet"), commit.initials,
    { commit.graph, " ", refs, commit.subject }, commit.age } }
end
function rows.stashes(stash) return item { "inspect", cells = { stash.at:match "%d+", stash.name, stash.age } } end

local right, cut = { style = "quiet", align = "right" }, { grow = true, cut = "middle" }
local columns = {
  files = { {}, cut, { align = "right" } }, branches = { {}, cut, {}, right }, todo = { {}, {}, { grow = true } },
  shown = { {}, {}, { grow = true }, right }, stashes = { { style = "quiet" }, { grow = true }, right },
}
columns.inside = columns.files

local function list(key, kind, empty)
  local function row(one) return (one.files and rows.folders or rows[key])(one) end
  return section("all " .. key) {
    items = function() return git.rows(git[key]) end, id = function(one) return git.id(one.id) end, kind = kind,
    row = row, columns = columns[key] or columns.branches, empty = empty and span(empty, "quiet"),
  }
end

local function lists(one, fields)
  fields.responder, fields.filter, fields.marks, fields.least, fields.fit = one, true, true, 3, fields.share ~= 4
  return pane(one.name)(fields)
end

local function staged()
  local going = git.going and git.going .. ", " or ""
  if git.going or git.conflicts > 0 then return span(going .. count(git.conflicts, "conflict"), "warning") end
  if not git.root then return span("no repository", "warning") end
  return #git.files > 0 and git.staged .. " of " .. #git.files .. " staged" or "nothing has changed"
end
local function place()
  local name = git.branch or git.rebased and "rebasing " .. git.rebased or "at " .. (git.head or ""):sub(1, 8)
  return { subtitle = { name, git.ahead + git.behind > 0 and " " or "", distance(git) }, hidden = not git.root }
end
local function listed()
  return { subtitle = #git.shown .. (#git.shown == git.limit and "+" or ""), hidden = not git.root or git.inspected,
    title = git.of and "Commits of “" .. git.of.name .. "”" or nil }
end
local function shown(c, add) return (git.root or add(span(nowhere, "warning"))) and c.row and git.show(c.row, add) end

panel {
  typing = false,
  beside {
    stack { share = 2, least = 30,
      lists(files, { title = "Files", key = "2", share = 3, look = function() return { subtitle = staged() } end,
        list("files", "file") }),
      lists(branches, { title = "Branches", key = "3", share = 2, look = place,
        list("branches", "branch", "no branches yet"), list("remotes", "branch"), list("tags", "branch"),
        list("worktrees", "branch") }),
      lists(commits, { title = "Commits", key = "4", share = 4, look = listed, list("todo", "commit"),
        list("shown", "commit", "no commits yet") }),
      lists(inside, { title = "Files of a Commit", key = "4", share = 4, list("inside", "inside", "it changes no file"),
        look = function() return { hidden = not git.inspected, title = git.title, subtitle = #git.inside .. "" } end }),
      lists(stashes, { title = "Stash", key = "5", list("stashes", "stash"),
        look = function() return { subtitle = tostring(#git.stashes), hidden = #git.stashes == 0 } end }),
    },
    stack { share = 3,
      text "diff" { title = "Diff", key = "0", of = "focus", responder = diff, ansi = true, wrap = true, share = 4,
        look = function(ctx) return { subtitle = ctx.row and (ctx.row.shown or ctx.row.short or ctx.row.name) } end,
        lines = shown },
      text "said" { title = "Commands", key = "6", follow = true, least = 3, fit = true,
        lines = function() return git.said end, look = function() return { hidden = #git.said == 0 } end },
    },
  },
}

-- The menus: a word is an action, dots if it asks for something, and its key. A row's own menu is a part of them.
local known = { "show", "back", "inspect", "next_hunk", "previous_hunk" } -- And those of the menus.
local function items(words)
  local made = {}
  for action, dots, key in words:gmatch "([%a_-]+)([^%s=]*)=?(%S*)" do
    known[#known + 1] = action
    made[#made + 1] = action == "-" and separator
      or item(titled(action) .. dots) { action, key = key ~= "" and key or nil }
  end
  return made
end
local ofRow = {
  [files] = items "stage unstage stage_all unstage_all - edit=e ours=o theirs=t both=b - fold unfold - discard=d",
  [branches] = items "log checkout new_branch… tag… worktree… - merge rebase - delete",
  [commits] = items("cherry_pick revert reset… new_branch… tag… - reword… add_staged pick squash fixup "
    .. "move_up move_down drop"),
  [stashes] = items "apply pop drop_stash", [inside] = items "restore edit - discard",
}
local panes = { file = files, folder = files, commit = commits, stash = stashes, inside = inside, branch = branches }
for kind, one in pairs(panes) do
  one.build[kind] = function(_, m) for _, each in ipairs(ofRow[one]) do m:insert_last("root", each) end end
end
menubar {
  menu "Repository" (items("commit…=c amend…=shift+a - fetch=f pull=p push force_push - proceed=m skip abort - "
    .. "command…=: tree=` more=ctrl+l refresh=shift+r quit=q")),
  menu "Edit" (items "undo=ctrl+z redo=ctrl+y - apply_lines revert_lines - forget"), menu "File" (ofRow[files]),
  menu "Branch" (ofRow[branches]), menu "Commit" (ofRow[commits]),
  menu "Stash" { items "stash…=z"[1], separator, table.unpack(ofRow[stashes]) },
}

-- Of several actions on a key the first that can be done is done. The status line shows a pane's own keys.
files.keys = { s = { "stage", "unstage" }, c = "commit", m = "proceed", left = "fold", right = "unfold" }
diff.keys = { s = { "stage", "unstage" }, c = { "apply_lines", "commit" }, ["shift+t"] = "revert_lines",
  right = "next_hunk", left = "previous_hunk", m = "proceed", esc = "back" }
branches.keys = { s = "checkout", n = "new_branch", ["shift+m"] = "merge", r = "rebase", t = "tag", w = "worktree",
  d = "delete", m = "proceed" }
commits.keys = { y = { "cherry_pick", "pick" }, ["shift+t"] = "revert", g = "reset", n = "new_branch", t = "tag",
  w = "reword", ["shift+f"] = "add_staged", u = "squash", x = "fixup", ["ctrl+k"] = "move_up",
  ["ctrl+j"] = "move_down", d = "drop", m = "proceed" }
inside.keys = { c = "restore", left = "fold", right = "unfold", esc = { "inspect(back: true)", title = "Back" } }
stashes.keys = { a = "apply", g = "pop", d = "drop_stash" }
main.keys = { a = { "stage_all", "unstage_all" }, ["shift+p"] = "push",
  esc = { "log(own: true)", title = "Own Commits", when = function() return git.of end } }

-- What `can` returns: whether it can be done, and the reason why not.
local function unless(reason) return not reason, reason or nil end
local function unfinished() return git.going and git.going .. " is not finished" end

-- The rows that have a field, of a folder those below it; and the names of files after `arguments`.
local function having(rows, field)
  local found = {}
  for _, row in ipairs(rows) do
    for _, each in ipairs(row.files or { row }) do found[#found + 1] = each[field] and each or nil end
  end
  return found
end
local function any(rows, field) return #having(rows, field) > 0 end
local function with(arguments, rows)
  arguments[#arguments + 1] = "--"
  for _, row in ipairs(rows) do table.move({ row.path, row.old }, 1, 2, #arguments + 1, arguments) end
  return arguments
end

-- Does all steps or none. A step is a command, then the commands that take it back, and `redo`, if that is another one.
-- If git refuses a step, the earlier ones are taken back, and what git has begun. Conflicts stay, to be solved.
local function undone(ctx, title, forth, back, more)
  local takes, args = back[1][1]:find "^stash [pd]%l?op", more or {}
  args.run, args.back, args.stash = back, forth, takes and git.stashes[1].hash or nil
  ctx:undo(title, "replay", args)
end

local function change(ctx, steps, input, final)
  local going, forth, back, said, problem = git.going or ctx.action == "command", {}, {}, nil, nil
  for _, step in ipairs(steps) do
    said, problem = git.run(step[1], input)
    if problem then break end
    forth[#forth + 1] = step.redo or step[1]
    back = table.move(back, 1, #back, #step, table.move(step, 2, #step, 1, {}))
  end
  if problem and git.going and not going then table.insert(back, 1, { git.going .. " --abort" }) end
  for _, words in ipairs(problem and back or {}) do git.run(words, input) end
  git.refresh()
  if problem then ctx:refuse(problem) end
  local head = git.going and git.head -- A change in a stopped rebase is taken back before it goes on, or never.
  if not final then undone(ctx, named(ctx), forth, back, { input = input, head = head, after = head }) end
  return said
end
local function tell(ctx, words, input) return change(ctx, { { words } }, input, true) end

-- A reset takes back what moves HEAD, as long as HEAD is where it was left. The form proposes a refused message again.
local drafts = {}
local function move(ctx, words, how, input, old)
  local draft = ctx.action .. tostring(git.head)
  old, drafts[draft] = old or git.head, input
  local said = tell(ctx, words, input)
  drafts[draft] = nil
  local function to(hash) return { hash and { "reset " .. (how or "--keep"), hash } or { "update-ref -d HEAD" } } end
  local more = { head = git.head, after = old, place = ctx.row and ctx.row.place }
  git.begun = git.going and (git.begun or old)
  if not git.going and git.head ~= old then undone(ctx, named(ctx), to(git.head), to(old), more) end
  return said
end

-- Goes to a commit's new place. If all of them have moved `by` so many rows, or are as before, marks go with them.
local function follow(said, rows, row, by)
  if not row then return said end
  local line, marked = git.going and {} or git.line, {}
  local function id(of) return "commits/" .. (of.place and (line[of.place + (by or 0)] or git.commits[1]) or of).id end
  for number = 1, by and #rows > 1 and #rows or 0 do marked[number] = id(rows[number]) end
  app:mark(marked, "commits")
  app:choose(id(row))
  return said
end

function main.on:replay(ctx)
  local a = ctx.args
  for _, words in ipairs(a.run) do tell(ctx, words, a.input) end
  undone(ctx, nil, a.run, a.back, { input = a.input, head = a.after, after = a.head, place = a.place })
  return a.place and app:find "top".first == commits and follow(nil, {}, a) or nil
end
function main.look:replay() return { hidden = true } end
function main.can:replay(ctx)
  local a = ctx.args
  return unless(not a.run and "only undo and redo do this"
    or a.head and a.head ~= git.head and "HEAD has moved since: it is at " .. (git.head or "nothing"):sub(1, 8)
    or a.stash and (git.stashes[1] or {}).hash ~= a.stash and "another stash is on top since")
end

-- Files: a tree takes back a change of the index, unless there are conflicts, which no tree can hold.
local function index(ctx, words, rows, all)
  local found = having(rows, "conflict")
  local marked = words[1] == "add -A" and #found > 0
    and git.read(table.unpack(with({ "grep -lE", "^(<{7}|>{7})( |$)" }, found)))
  local told = marked and "“" .. marked:match "[^\n]+" .. "” still has conflict markers"
  if told and not ask { title = "Stage", confirm = told .. ". Stage it anyway?" } then ctx:refuse(told) end
  local before, rows = git.index(), all and { { path = "." } } or rows
  local back = before and with({ "restore --staged --source=" .. before }, rows)
  change(ctx, { { with(words, rows), back } }, nil, not before)
end

function files.on:stage(ctx) index(ctx, { "add -A" }, having(ctx.rows, "unstaged")) end
function files.can:stage(ctx) return any(ctx.rows, "unstaged"), "it is staged already" end
function files.on:unstage(ctx) index(ctx, { "reset -q" }, having(ctx.rows, "staged")) end
function files.can:unstage(ctx) return any(ctx.rows, "staged"), "it isn't staged" end
function main.on:stage_all(ctx) index(ctx, { "add -A" }, git.files, true) end
function main.can:stage_all() return git.unstaged > 0, "nothing is left to stage" end
function main.on:unstage_all(ctx) index(ctx, { "reset -q" }, git.files, true) end
function main.can:unstage_all() return git.staged > 0, "nothing is staged" end

-- A tree keeps what files held, for two weeks. A way is a field of its rows, git's words, and if they change the index.
local function replace(ctx, ways)
  local before, kept, steps = git.index(), git.keep(with({}, having(ctx.rows, "path"))), {}
  for _, way in ipairs(ways) do
    local found = having(ctx.rows, way[1])
    local index = way[3] and before and with({ "restore --staged --source=" .. before }, found) or nil
    local step = { with({ way[2] }, found), with({ "restore --source=" .. kept }, found), index }
    steps[#steps + 1] = #found > 0 and step or nil
  end
  return change(ctx, steps)
end
function files.on:discard(ctx)
  return replace(ctx, { { "plain", "restore" }, { "new", "clean -f -q" },
    { "indexed", "restore --staged --worktree --source=HEAD", true } })
end
function files.can:discard(ctx)
  local rest, alone = {}, false
  local rows = having(ctx.rows, "path")
  for _, file in ipairs(rows) do rest[file.path] = rest[file.path] or file.unstaged end
  for _, file in ipairs(rows) do alone = alone or file.part and not rest[file.path] end
  return unless(not git.head and "there is no commit to go back to"
    or any(rows, "module") and "a submodule has a repository of its own: discard there"
    or alone and "discard what isn't staged of it first")
end
function main.on:edit(ctx)
  local done, problem = exec("$EDITOR", { git.root .. "/" .. ctx.row.path }, { terminal = true })
  git.refresh()
  if not done then ctx:refuse(problem) end
end
function main.can:edit(ctx) return ctx.row ~= nil and ctx.row.index ~= nil, "this is no file" end
for _, one in ipairs { files, inside } do one.on.edit, one.can.edit = main.on.edit, main.can.edit end

-- Goes to the next hunk from a line on, or the previous one; of a conflict to the next part.
local function goToHunk(at, by)
  local text = app:text "diff"
  while text[at] and not text[at]:find "^@@" and not text[at]:find "^%+%+<<<<<<<" do at = at + by end
  if text[at] then app:select("diff", at) end
end

-- The sides of a conflict: of a whole file, or of the part of it around a line.
for side, gone in pairs { ours = "DD DU UA", theirs = "DD UD AU", both = "" } do
  diff.on[side] = function(_, ctx)
    local text = git.solve(ctx.row, ctx.line_numbers[1], side)
    if not text then ctx:refuse "no conflict is here or below" end
    return change(ctx, { { { "apply --unidiff-zero" }, { "apply --unidiff-zero -R" } } }, text)
  end
  diff.can[side] = function(_, ctx) return ctx.row.conflict == true, "only a file with conflicts has sides" end
  files.on[side] = side ~= "both" and function(_, ctx)
    local steps = {}
    for _, file in ipairs(having(ctx.rows, "conflict")) do -- A side that has deleted the file deletes it.
      local isGone = gone:find(file.index .. file.work)
      steps[#steps + 1] = { with({ isGone and "rm -q" or "checkout --" .. side }, { file }) }
      steps[#steps + 1] = not isGone and { with({ "add" }, { file }) } or nil
    end
    change(ctx, steps, nil, true)
  end or nil
  files.can[side] = files.on[side] and function(_, ctx) return any(ctx.rows, "conflict"), "it has no conflict" end
end

local function message(action, proposal)
  return { message = { "string", matches = "%S", lines = 10, wide = 72, title = "Message",
    proposal = function(_, ctx) return drafts[action .. tostring(git.head)] or proposal(ctx) end } }
end
main.takes.commit = message("commit", function() end)
function main.on:commit(ctx) return move(ctx, { "commit -F -" }, "--soft", ctx.message) end
function main.can:commit()
  local changed = #git.files > 0 and count(#git.files, "changed file") .. ", but nothing is staged"
  return unless(git.conflicting() or git.staged == 0 and git.going ~= "merge" and (changed or "nothing has changed"))
end
main.takes.amend = message("amend", function() return (git.byHash[git.head] or {}).message end)
function main.on:amend(ctx) return move(ctx, { "commit --amend -F -" }, "--soft", ctx.message) end
function main.can:amend() return unless(not git.head and "there is no commit yet" or unfinished()) end

-- Git's own interactive rebase rewrites commits. Its list of steps comes from here, so no setting of the user matters.
-- What an action does to a step of git's list, oldest first: a pattern, its replacement, and how far a mark goes.
local edits = { reword = { "%l+( HASH)", "reword%1", 0 }, move_up = { "(%l+ HASH.-\n)([^\n]+\n)", "%2%1", -1 },
  move_down = { "([^\n]+\n)(%l+ HASH.-\n)", "%2%1", 1 } }
for verb in ("pick squash fixup drop"):gmatch "%l+" do edits[verb] = { "%l+( HASH)", verb .. "%1" } end

local function edited(todo, rows, action, field)
  for number = 1, #rows do
    local row = rows[action == "move_down" and #rows + 1 - number or number]
    todo = todo:gsub(("%f[^\n\0]" .. edits[action][1]):gsub("HASH", row[field or "hash"]), edits[action][2])
  end
  return todo
end

-- Gives a stopped rebase another list of steps.
local function plan(ctx, todo)
  local function steps(all) return { "-c", "menuctl.todo=" .. all, "rebase", "--edit-todo" } end
  return change(ctx, { { steps(todo), steps(git.plan) } })
end

local function replant(ctx, rows, action, last, command, input)
  local todo, text = "", ctx.args.message or ""
  for n = 1, last.place do todo = ("pick %s %s\n"):format(git.line[n].short, git.line[n].subject) .. todo end
  todo = edited(todo, rows, action, "short")
  local amend = command and "exec " .. command .. " && git commit -q --amend --no-edit --allow-empty"
  if command then todo = todo:match "^.-\n" .. amend .. todo:match "\n.*" end -- After the last commit.
  local cleanup = "commit.cleanup=" .. (text ~= "" and "whitespace" or "strip")
  return follow(move(ctx, { "-c", cleanup, "-c", "menuctl.text=" .. text, "-c", "menuctl.todo=" .. todo,
    "rebase", "-i", "--autostash", last.parent or "--root" }, nil, input), ctx.rows, rows[1], edits[action][3])
end

local function rewritable(rows, last, more)
  local reason = unfinished() or more or any(rows, "merge") and "a merge can't be rewritten"
  for _, row in ipairs(rows) do
    local own = git.byHash[row.hash]
    reason = reason or not own and "it isn't on this branch"
      or not own.place and "a merge lies between it and HEAD, which a rewrite would lose"
  end
  return unless(reason or not last and "there is no commit below it" or last.merge and "the commit below it is a merge")
end
for _, action in ipairs { "drop", "fixup", "squash", "pick", "move_up", "move_down" } do
  local alone = action == "drop" or action == "move_up"
  local function last(rows) return git.byHash[alone and rows[#rows].hash or rows[#rows].parent or ""] end
  commits.on[action] = function(_, ctx)
    if ctx.row.verb then return plan(ctx, edited(git.plan, ctx.rows, action)) end
    return replant(ctx, ctx.rows, action, last(ctx.rows))
  end
  commits.can[action] = function(_, ctx)
    if any(ctx.rows, "verb") then
      return unless(any(ctx.rows, "now") and "it is the current step: Skip leaves it out"
        or #having(ctx.rows, "verb") < #ctx.rows and "some of them are commits"
        or edited(git.plan, ctx.rows, action) == git.plan and "it is so already")
    end
    return rewritable(ctx.rows, last(ctx.rows), action == "pick" and "only a step of a stopped rebase is picked"
      or action == "move_up" and ctx.rows[1].hash == git.head and "it is the newest")
  end
end
commits.takes.reword = message("reword", function(ctx) return ctx.row and ctx.row.message end)
function commits.on:reword(ctx)
  local row, text = ctx.row, ctx.message:match "%S.*"
  if not row.verb and row.hash ~= git.head then return replant(ctx, { row }, "reword", row) end
  if not row.verb then return follow(move(ctx, { "commit --amend --only -F -" }, "--soft", text), ctx.rows, row, 0) end
  -- The step picks a copy with the other message.
  local copy = git.read("cat-file commit", row.hash):match "^.-\n\n" .. text:gsub("%s+$", "\n")
  local hash = git.run({ "hash-object -t commit -w --stdin" }, copy)
  plan(ctx, (git.plan:gsub(row.hash .. "[^\n]*", function() return hash .. " " .. text:match "[^\n]+" end)))
  app:choose("commits/step " .. hash)
end
function commits.can:reword(ctx)
  if ctx.row.verb then return not ctx.row.now, "it is the current step: reword it after Continue" end
  return rewritable({ ctx.row }, ctx.row)
end
function commits.on:add_staged(ctx)
  return replant(ctx, { ctx.row }, "pick", ctx.row, "git apply --index", git.read "diff-index --cached --binary HEAD")
end
function commits.can:add_staged(c) return rewritable({ c.row }, c.row, git.staged == 0 and "nothing is staged") end

function commits.on:cherry_pick(ctx)
  local forth = { "cherry-pick" }
  for number = #ctx.rows, 1, -1 do forth[#forth + 1] = ctx.rows[number].hash end
  return move(ctx, forth)
end
function commits.can:cherry_pick(ctx)
  return unless(any(ctx.rows, "merge") and "a merge can't be picked"
    or not git.of and "these commits are here already: enter on a branch lists others")
end
function commits.on:revert(ctx) return move(ctx, { "revert --no-edit", ctx.row.hash }) end
commits.takes.reset = { how = { title = "Changes", one_of = { { "--soft", "all stay, staged" },
  { "--mixed", "all stay, unstaged" }, { "--keep", "those that aren't committed stay" } } } }
function commits.on:reset(ctx) return move(ctx, { "reset " .. ctx.how, ctx.row.hash }, ctx.how) end
function commits.can:reset(ctx) return ctx.row.hash ~= git.head, "HEAD is here" end

-- The files of a commit: as they were in it, or without its change of them.
function inside.on:restore(ctx)
  local way = "restore --staged --worktree --source=" .. git.inspected.hash
  return replace(ctx, { { "indexed", way, true }, { "untracked", way .. "^3", true } })
end
-- The commits above are rewritten too, and the list goes on with the new one.
local function remove(ctx, command, input)
  local said = replant(ctx, {}, "pick", git.byHash[git.inspected.hash], command, input)
  if git.going then app:perform "inspect(back: true)" end
  return said
end
function inside.on:discard(ctx)
  local command = "git --literal-pathspecs restore --staged --worktree --source=HEAD^"
  for _, row in ipairs(having(ctx.rows, "path")) do
    for _, name in ipairs { row.path, row.from } do command = command .. " '" .. name:gsub("'", "'\\''") .. "'" end
  end
  return remove(ctx, command)
end
function inside.can:discard() return rewritable({ git.inspected }, git.inspected.parent and git.inspected) end

-- The lines of a diff: a patch of the selected lines changes the index or the folder, those of a commit the commit too.
for action, how in pairs { stage = "--cached", unstage = "--cached -R", discard = "-R", apply_lines = "",
  revert_lines = "-R" } do
  diff.about[action] = titled(action:gsub("_lines", "")) .. " Lines"
  local back = how:find "R" ~= nil
  local other = back and how:gsub("%-R", "") or how .. " -R"
  diff.on[action] = function(_, ctx)
    local text = git.patch(ctx.row, ctx.line_numbers, back)
    if not text then ctx:refuse "no line here has changed" end
    if action == "discard" and ctx.row.hash then return remove(ctx, "git apply --recount --index -R", text) end
    change(ctx, { { { "apply --recount " .. how }, { "apply --recount " .. other } } }, text)
    goToHunk(ctx.line_numbers[1], 1)
  end
  diff.can[action] = function(_, ctx)
    local row, known = ctx.row, ctx.row.kind == "inside"
    if action == "discard" and known then return rewritable({ git.inspected }, git.inspected) end
    if action:find "_" then return known, "choose a file of a commit: enter lists them" end
    return unless(row.kind ~= "file" and "only the diff of a file has lines to stage"
      or row.conflict and "solve its conflict first" or row.new and "git doesn't know it: stage the whole file"
      or row.unstaged == (action == "unstage")
      and (row.unstaged and "these lines aren't staged" or "these lines are staged"))
  end
end
function diff.confirm:discard(ctx)
  local lines = ctx.lines[1]:find "^@@" and "this hunk" or count(#ctx.lines, "line")
  return "Discard " .. lines .. (ctx.row.hash and " from “" .. git.inspected.subject .. "”?" or "?")
end

-- Branches, tags and worktrees
local function here() return git.branch and { "switch", git.branch } or { "switch --detach", git.head } end
local function keep(name) return { "stash push -u -m", name } end
local take = { "stash pop --index" }

function branches.on:checkout(ctx)
  local row = ctx.row
  if row.kind == "worktree" then
    git.root, git.inspected = row.path, nil
    return refresh(true)
  end
  local name = row.kind == "remote" and row.name:match "/(.*)" or row.name
  local steps = { { { row.kind == "tag" and "switch --detach" or "switch", name }, here() } }
  if #git.files > 0 and not git.read(table.unpack(with({ "diff --quiet HEAD", row.hash }, git.files))) then
    local confirm = "Changed files differ on “" .. row.name .. "”. Stash them, switch, and pop them?"
    if not ask { title = "Switch", confirm = confirm } then ctx:refuse "changed files differ there" end
    steps = { { keep "on the way", take }, steps[1], { take, keep "on the way back" } }
  end
  local said = change(ctx, steps)
  return git.conflicts > 0 and said or row.name
end
function branches.can:checkout(ctx) return not ctx.row.head, "you are on it" end

local new = { name = { "string", matches = "^[^%s~^:?*%[\\]+$", title = "Name" } }
main.takes.new_branch, main.takes.tag = new, new
function main.on:new_branch(ctx)
  local forth = { "switch --no-track -c", ctx.name, ctx.row and ctx.row.hash or "HEAD" }
  return change(ctx, { { forth, here(), { "branch -D", ctx.name } } })
end
function main.can:new_branch() return git.head ~= nil, "there is no commit yet" end
function main.on:tag(ctx) return change(ctx, { { { "tag", ctx.name, ctx.row.hash }, { "tag -d", ctx.name } } }) end
function main.can:tag(ctx) return ctx.row ~= nil and ctx.row.hash ~= nil, "choose a commit or a branch" end
branches.takes.worktree = { folder = { "string", matches = "%S", title = "Folder",
  proposal = function(_, ctx) return ctx.row and "../" .. ctx.row.name end } }
function branches.on:worktree(ctx)
  local add = ctx.row.kind == "branch" and "worktree add" or "worktree add --detach"
  return change(ctx, { { { add, ctx.folder, ctx.row.name }, { "worktree remove", ctx.folder } } })
end
function branches.can:worktree(ctx) return not ctx.row.head, "you are on it" end

function branches.on:delete(ctx)
  local steps = {}
  for number, row in ipairs(ctx.rows) do
    local upstream = row.upstream and not row.gone and { "branch -u", row.upstream, row.name } or nil
    steps[number] = row.path
      and { { "worktree remove", row.path }, { "worktree add", row.path, row.branch or row.hash } }
      or { { row.kind == "tag" and "tag -d" or "branch -D", row.name }, { "update-ref", row.id, row.hash }, upstream }
  end
  return change(ctx, steps)
end
function branches.can:delete(ctx)
  return unless(any(ctx.rows, "head") and "you are on " .. (git.branch or "it")
    or any(ctx.rows, "remote") and "it is a remote's: delete it there")
end

for action, words in pairs { merge = "merge --no-edit", rebase = "rebase --autostash" } do
  branches.on[action] = function(_, ctx) return move(ctx, { words, ctx.row.name }) end
  branches.can[action] = function(_, ctx) return unless(unfinished() or ctx.row.head and "you are on it") end
end

-- What stopped at conflicts goes on once they are solved. Undo goes back to where HEAD was before all of it.
for action, how in pairs { proceed = " --continue", skip = " --skip", abort = " --abort" } do
  main.on[action] = function(_, ctx)
    local old = git.begun or git.going == "rebase" and git.read "rev-parse ORIG_HEAD":match "%x+" or nil
    return move(ctx, { git.going .. how }, nil, nil, old)
  end
  main.can[action] = function()
    return unless(not git.going and "no merge or rebase is going on" or action == "proceed" and git.conflicting()
      or action == "skip" and git.going == "merge" and "a merge has one step: abort it")
  end
end
function main.confirm:abort() return "Abort the " .. (git.going or "") .. "?" end

-- Stashes
main.about.stash = { title = "Stash", form = true }
main.takes.stash = { name = { "string", optional = true, title = "Name" } }
function main.on:stash(ctx) change(ctx, { { keep(ctx.name or "from " .. (git.branch or "HEAD")), take } }) end
function main.can:stash() return #git.files > 0, "nothing has changed" end

-- Undo needs a folder in which nothing else has changed: it stashes what came out.
function stashes.on:pop(ctx)
  local back = #git.files == 0 and keep(ctx.row.name:match "^On [^:]+: (.*)" or ctx.row.name) or nil
  return change(ctx, { { { "stash pop --index", ctx.row.at }, back, redo = take } }, nil, not back)
end
function stashes.on:apply(ctx) return tell(ctx, { "stash apply --index", ctx.row.at }) end
function stashes.on:drop_stash(ctx)
  local store = { "stash store -m", ctx.row.name, ctx.row.hash }
  change(ctx, { { { "stash drop", ctx.row.at }, store, redo = { "stash drop" } } })
end

-- Remotes: a branch without upstream is published.
local function remote(ctx)
  return (git.read "remote" or ""):match "[^\n]+" or ctx:refuse "there is no remote: add one with git remote add"
end
function main.on:push(ctx)
  return tell(ctx, git.upstream and { "push --progress" } or { "push --progress -u", remote(ctx), git.branch })
end
function main.look:push() return { title = git.branch and not git.upstream and "Publish" or nil } end
function main.can:push()
  return unless(not git.branch and "no branch is checked out"
    or git.behind > 0 and git.upstream .. " has " .. count(git.behind, "commit") .. " that you don't: pull first"
    or git.upstream and git.ahead == 0 and git.upstream .. " has everything")
end
function main.on:force_push(ctx) return tell(ctx, { "push --progress --force-with-lease" }) end
function main.can:force_push() return git.behind > 0 and git.ahead > 0, "an ordinary push will do" end
function main.confirm:force_push() return "Replace " .. count(git.behind, "commit") .. " of " .. git.upstream .. "?" end
function main.on:pull(ctx) return move(ctx, { "pull --no-edit --progress" }) end
function main.can:pull()
  return unless(unfinished() or not git.branch and "no branch is checked out"
    or not git.upstream and git.branch .. " has no upstream: publish it")
end

-- Any command, and the history
main.needs.command = {}
main.about.command = { title = "Command", internal = true } -- any command: not for assistants, who would skip the questions
main.takes.command = { words = { "string", title = "git" } }
function main.on:command(ctx) return tell(ctx, { ctx.words }) end
function main.on:forget() return app:forget_undo() end
function main.can:forget() return #app:undo_stack().undo > 0, "there is nothing to undo" end

-- Actions that only look are the app's, whose history nobody sees. So undo doesn't name them.
function app.on:refresh() refresh(true) end
function app.on:fetch(ctx) return remote(ctx) and tell(ctx, { "fetch --progress --all --prune" }) end
function app.on:show() app:choose "diff" return "" end
function app.on:back(ctx) focus(ctx.row and (panes[ctx.row.kind] or branches) or files) return "" end
function app.on:more() git.limit = git.limit * 4 git.refresh() end
function app.can:more() return #git.shown == git.limit and git.limit < 5000, "all are here, or more would take long" end
function app.on:inspect(ctx)
  local last = git.inspected
  git.inspect(not ctx.back and ctx.row or nil)
  app:choose(git.inspected and "inside" or last.kind == "stash" and "stashes" or "commits")
  return ""
end
function app.can:inspect(ctx) return ctx.back or ctx.row ~= nil and ctx.row.hash ~= nil, "choose a commit" end
function app.on:tree() git.isTree = not git.isTree app:rebuild() end
function app.look:tree() return { state = git.isTree == true } end
for _, action in ipairs { "fold", "unfold" } do
  app.on[action] = function(_, ctx)
    local row = ctx.row[action]
    git.folded[row.path] = not row.folded
    app:rebuild()
    app:choose((row.hash and "inside/" or "files/") .. git.id(row.id))
    return ""
  end
  app.can[action] = function(_, ctx) return git.isTree and ctx.row and ctx.row[action] ~= nil, "it is no folder" end
end
function app.on:log(ctx)
  git.inspect()
  git.of = not ctx.own and not ctx.row.head and ctx.row or nil
  git.refresh()
  app:choose(git.shown[1] and "commits/" .. git.shown[1].hash or "commits")
  return ""
end
function app.can:log(ctx) return ctx.own or ctx.row ~= nil and ctx.row.id:find "^refs/" ~= nil, "choose a branch" end
for action, by in pairs { next_hunk = 1, previous_hunk = -1 } do
  app.on[action] = function(_, ctx) return goToHunk(ctx.line_numbers[1] + by, by) or "" end
  app.can[action] = function(_, ctx) return ctx.line_numbers ~= nil and #ctx.line_numbers > 0, "nothing is shown" end
end

function main:provide(ctx) ctx.branch, ctx.upstream, ctx.repository = git.branch, git.upstream, git.root end

-- A change of .git shows at once, one of the folder within three seconds.
function app:start()
  refresh()
  watch("$PWD/.git", refresh)
  every(3, refresh)
end

-- Actions on rows need a row, others a repository. Some ask before.
local asks = { discard = true, delete = true, drop = true, drop_stash = true }
for _, one in ipairs { app, main, files, branches, commits, stashes, inside, diff } do
  local needs = one == main and { repository = nowhere } or one ~= app and { row = "nothing is here" } or nil
  for _, action in ipairs(known) do
    if one.on[action] then
      one.about[action] = one.about[action] or titled(action)
      one.needs[action] = one.needs[action] or needs
      if asks[action] then one.confirm[action] = one.confirm[action] or function(_, c) return named(c) .. "?" end end
      if many[action] and one ~= diff then
        one.look[action] = function(_, ctx) return { title = #(ctx.rows or {}) > 1 and named(ctx) or nil } end
      end
    end
  end
end
focus(files)
