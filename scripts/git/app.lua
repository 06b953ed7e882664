-- A git client for the repository of the folder in which it is called. What it does can be undone, and what can't be done says why.

app.title, app.name, app.version = "Git", "git", "1.0"
app.allow = { "exec=git", "exec=$EDITOR", "fs.read=$PWD" }

-- The reader is a global, so that a test can have it read another repository.
git = require "repo"

-- The history is kept: what git was told, and what takes it back, are lists of its arguments.
local main = window "main" { undo = { levels = 200, keep = true } }
local files = responder "files" { next = main }
local branches = responder "branches" { next = main }
local commits = responder "commits" { next = main }
local stashes = responder "stashes" { next = main }
local diff = responder "diff" { next = main }

-- What is seen: a pane for each list, and beside them what its current row is about, and what git was told.

local colours = { M = "changed", A = "added", D = "removed", R = "changed", C = "added", T = "changed", U = "error", ["?"] = "quiet" }

local function fileRow(file)
  local folder, name = file.path:match "^(.*/)([^/]+)$"
  local index = span(file.index == "." and " " or file.index, file.conflict and "error" or "added")
  local work = span(file.work == "." and " " or file.work, file.conflict and "error" or file.new and "quiet" or "removed")
  return item { "show", cells = { { index, work }, { span(folder or "", "quiet"), name or file.path }, file.conflict and "conflict" or false } }
end

local function distance(ahead, behind)
  return { span(ahead and ahead ~= 0 and "↑" .. ahead or "", "added"), span(behind and behind ~= 0 and "↓" .. behind or "", "changed") }
end

local function branchRow(branch)
  local name = branch.head and span(branch.name, "strong") or branch.name
  local state = branch.gone and span("gone", "warning") or distance(branch.ahead, branch.behind)
  return item { "checkout", cells = { span(branch.head and "●" or " ", "accent"), name, state, branch.age } }
end

local function commitRow(commit)
  local refs = commit.refs ~= "" and span(" " .. commit.refs, "accent") or ""
  return item { "show", cells = { span(commit.short, commit.unpushed and "changed" or "quiet"), commit.initials, { commit.subject, refs }, commit.age } }
end

local function stashRow(stash) return item { "show", cells = { stash.id:match "%d+", stash.name, stash.age } } end

local function list(id, key, row, columns, fields)
  fields.items, fields.id, fields.row, fields.columns = function() return git[key] end, id, row, columns
  return section("all " .. key)(fields)
end

local function counts()
  if git.going then return span(git.going .. ", " .. git.conflicts .. " to solve", "warning") end
  return #git.files > 0 and git.staged .. " of " .. #git.files .. " staged" or nil
end

local function place()
  if not git.head then return git.branch end
  local parts = distance(git.ahead, git.behind)
  return { git.branch or "at " .. git.head:sub(1, 8), git.ahead + git.behind > 0 and " " or "", parts[1], parts[2] }
end

-- What a row, or several, are called.
local function about(row) return row.path or row.short and row.short .. " " .. row.subject or row.name end
local function called(rows)
  if rows and #rows > 1 then return " " .. #rows .. " of Them" end
  local row = rows and rows[1]
  return row and " “" .. (row.path and row.path:match "[^/]+$" or row.subject or row.name) .. "”" or ""
end

local function hash(one) return one.hash end
local function name(one) return one.id end
local refColumns = { {}, { grow = true, cut = "middle" }, {}, { style = "quiet", align = "right" } }

panel {
  typing = false,
  beside {
    stack { share = 2, least = 30,
      pane "files" { title = "Files", key = "2", responder = files, filter = true, marks = true, share = 3, least = 3,
        look = function() return { subtitle = counts() } end,
        list(function(one) return one.path end, "files", fileRow, { {}, { grow = true, cut = "middle" }, { style = "warning" } },
          { kind = "file", empty = span("nothing has changed", "quiet") }) },
      pane "branches" { title = "Branches", key = "3", responder = branches, filter = true, marks = true, share = 2, least = 3,
        look = function() return { subtitle = place() } end,
        list(name, "branches", branchRow, refColumns, { kind = "branch", empty = span("no branches yet", "quiet") }),
        list(name, "remotes", branchRow, refColumns, { kind = "branch" }),
        list(name, "tags", branchRow, refColumns, { kind = "branch" }) },
      pane "commits" { title = "Commits", key = "4", responder = commits, filter = true, marks = true, share = 4, least = 3,
        look = function() return { subtitle = #git.commits .. (#git.commits == git.limit and "+" or "") } end,
        list(hash, "commits", commitRow, { {}, { style = "accent" }, { grow = true }, { style = "quiet", align = "right" } },
          { kind = "commit", empty = span("no commits yet", "quiet") }) },
      pane "stashes" { title = "Stash", key = "5", responder = stashes, marks = true, share = 1, least = 2,
        look = function() return { subtitle = #git.stashes > 0 and tostring(#git.stashes) or nil } end,
        list(hash, "stashes", stashRow, { { style = "changed" }, { grow = true }, { style = "quiet", align = "right" } },
          { kind = "stash", empty = span("nothing is stashed", "quiet") }) },
    },
    stack { share = 3,
      text "diff" { title = "Diff", key = "0", of = "focus", responder = diff, ansi = true, share = 4,
        look = function(ctx) return { subtitle = ctx.row and about(ctx.row) or nil } end,
        lines = function(ctx, add) if ctx.row then git.show(ctx.row, add) end end },
      text "said" { title = "Commands", key = "6", follow = true, least = 3, lines = function() return git.said end },
    },
  },
}

-- What can be done, by pane: the menus, what `.` offers for a row, and the keys of that pane. Of several actions on a key the first that
-- can be done is done.

local titles = {
  stage = "Stage", unstage = "Unstage", stage_all = "Stage All", unstage_all = "Unstage All", edit = "Edit", ours = "Keep Ours", theirs = "Take Theirs",
  discard = "Discard", commit = "Commit…", amend = "Amend…", fetch = "Fetch", pull = "Pull", push = "Push", publish = "Publish", force_push = "Force Push",
  proceed = "Continue", abort = "Abort", command = "Run git…", refresh = "Refresh", checkout = "Switch", new_branch = "New Branch…", merge = "Merge",
  rebase = "Rebase", tag = "Tag…", delete = "Delete", cherry_pick = "Cherry-Pick", revert = "Revert", reword = "Reword…", squash = "Squash",
  fixup = "Fixup", drop = "Drop", move_up = "Move Up", move_down = "Move Down", reset = "Reset…", stash = "Stash…", apply = "Apply", pop = "Pop", show = "Show",
}

local offered = {
  file = { "stage", "unstage", "stage_all", "unstage_all", "-", "edit", "ours", "theirs", "-", "discard" },
  branch = { "checkout", "new_branch", "-", "merge", "rebase", "-", "tag", "delete" },
  commit = { "cherry_pick", "revert", "-", "reword", "squash", "fixup", "move_up", "move_down", "drop", "-", "reset", "tag", "new_branch" },
  stash = { "apply", "pop", "drop" },
}

files.keys = { s = { "stage", "unstage" }, a = { "stage_all", "unstage_all" }, d = "discard", e = "edit" }
branches.keys = { n = "new_branch", ["shift+m"] = "merge", r = "rebase", t = "tag", d = "delete" }
commits.keys = {
  y = "cherry_pick", ["shift+t"] = "revert", w = "reword", u = "squash", x = "fixup", d = "drop", g = "reset", t = "tag", n = "new_branch",
  ["ctrl+k"] = "move_up", ["ctrl+j"] = "move_down",
}
stashes.keys = { g = "pop", enter = "apply", d = "drop" }
diff.keys = { s = { "stage", "unstage" }, d = "discard", j = "hunk(by: 1)", k = "hunk(by: -1)", e = "edit" }

local panes = { file = files, branch = branches, commit = commits, stash = stashes }

local function items(kind)
  local made, keys = {}, {}
  for key, action in pairs(panes[kind].keys) do
    for _, each in ipairs(type(action) == "table" and action or { action }) do keys[each] = key end
  end
  for number, action in ipairs(offered[kind]) do
    made[number] = action == "-" and separator or item(titles[action]) { action, key = keys[action] }
  end
  return made
end

for kind, one in pairs(panes) do
  one.build[kind] = function(_, m)
    for _, each in ipairs(items(kind)) do m:insert_last("root", each) end
  end
end

menubar {
  menu "Repository" {
    item(titles.commit) { "commit", key = "c" }, item(titles.amend) { "amend", key = "shift+a" }, separator,
    item(titles.fetch) { "fetch", key = "f" }, item(titles.pull) { "pull", key = "p" }, item(titles.push) { "push" }, item(titles.publish) { "publish" }, item(titles.force_push) { "force_push" }, separator,
    item(titles.proceed) { "proceed", key = "m" }, item(titles.abort) { "abort" }, separator,
    item(titles.command) { "command", key = ":" }, item(titles.refresh) { "refresh", key = "shift+r" }, item "Quit" { "quit", key = "q" },
  },
  menu "Edit" { item "Undo" { "undo", key = "ctrl+z" }, item "Redo" { "redo", key = "ctrl+y" } },
  menu "File" (items "file"),
  menu "Branch" (items "branch"),
  menu "Commit" (items "commit"),
  menu "Stash" { item(titles.stash) { "stash", key = "z" }, separator, table.unpack(items "stash") },
}
main.keys = { ["shift+p"] = { "push", "publish" } }

-- What is done is told git as lists of arguments, and so is what takes it back: so the history outlives the app.

local function with(arguments, paths)
  arguments[#arguments + 1] = "--"
  return table.move(paths, 1, #paths, #arguments + 1, arguments)
end

local function paths(rows, keep)
  local found = {}
  for _, row in ipairs(rows) do
    if not keep or keep(row) then found[#found + 1] = row.path end
  end
  return found
end

local function run(commands, input)
  local said
  for _, each in ipairs(commands) do said = git.run(each, input) end
  git.refresh()
  return said
end

local function change(ctx, title, forth, back, input)
  local said = run(forth, input)
  ctx:undo(title, "replay", { run = back, back = forth, input = input, at = git.root })
  return said
end

-- What moves HEAD is taken back by a reset, as long as HEAD is where it was left.
local function move(ctx, title, forth, how, input, old)
  old = old or git.head
  local said, new = run(forth, input), git.head
  local function to(place) return place and { "reset", how or "--keep", place } or { "update-ref", "-d", "HEAD" } end
  if new ~= old and not git.going then
    ctx:undo(title, "replay", { run = { to(old) }, back = { to(new) }, head = new, after = old, at = git.root })
  end
  return said
end

-- What changes the index is taken back path by path; not while there are conflicts.
local function index(ctx, title, arguments, limit)
  local before = git.index()
  run { arguments }
  local after = git.index()
  local function to(tree) return with({ "restore", "--staged", "--source=" .. tree }, limit) end
  if before and after then ctx:undo(title, "replay", { run = { to(before) }, back = { to(after) }, at = git.root }) end
end

function main.on:replay(ctx)
  run(ctx.run, ctx.input)
  local args = ctx.args
  ctx:undo(nil, "replay", { run = args.back, back = args.run, input = args.input, at = args.at, head = args.after, after = args.head })
end
function main.look:replay() return { hidden = true } end
function main.can:replay(ctx)
  if ctx.at ~= git.root then return false, "that was in " .. ctx.at end
  return not ctx.args.head or ctx.args.head == git.head, "HEAD has moved since: it is at " .. (git.head or "nothing"):sub(1, 8)
end

-- Files


local function any(rows, field)
  for _, row in ipairs(rows) do if row[field] then return true end end
  return false
end


local function titled(verb)
  return function(_, ctx) return { title = verb .. called(ctx.rows) } end
end

for _, action in ipairs { "stage", "unstage", "discard", "edit" } do files.look[action] = titled(titles[action]) end
for _, action in ipairs { "merge", "rebase", "delete", "checkout" } do branches.look[action] = titled(titles[action]) end
for _, action in ipairs { "cherry_pick", "revert", "drop" } do commits.look[action] = titled(titles[action]) end
for _, action in ipairs { "apply", "pop", "drop" } do stashes.look[action] = titled(titles[action]) end

function files.on:stage(ctx) index(ctx, "Stage" .. called(ctx.rows), with({ "add", "-A" }, paths(ctx.rows)), paths(ctx.rows)) end
function files.can:stage(ctx) return any(ctx.rows, "unstaged"), "it is staged already" end

function files.on:unstage(ctx) index(ctx, "Unstage" .. called(ctx.rows), with({ "reset", "-q" }, paths(ctx.rows)), paths(ctx.rows)) end
function files.can:unstage(ctx) return any(ctx.rows, "staged"), "it isn't staged" end

function main.on:stage_all(ctx) index(ctx, "Stage All", { "add", "-A" }, { ":/" }) end
function main.can:stage_all() return git.unstaged > 0, #git.files > 0 and "everything is staged" or "nothing has changed" end

function main.on:unstage_all(ctx) index(ctx, "Unstage All", { "reset", "-q" }, { ":/" }) end
function main.can:unstage_all() return git.staged > 0, "nothing is staged" end

-- What files hold is kept in the repository before it goes: as a tree, which git removes after two weeks where nothing needs it.
function files.on:discard(ctx)
  local before, kept, forth, back = git.index(), git.keep(paths(ctx.rows)), {}, {}
  local known, new = paths(ctx.rows, function(f) return not f.new end), paths(ctx.rows, function(f) return f.new end)
  if #known > 0 then
    forth[1] = with({ "restore", "--staged", "--worktree", "--source=HEAD" }, known)
    back[1] = before and with({ "restore", "--staged", "--source=" .. before }, known)
  end
  if #new > 0 then forth[#forth + 1] = with({ "clean", "-f", "-q" }, new) end
  back[#back + 1] = with({ "restore", "--worktree", "--source=" .. kept }, paths(ctx.rows))
  change(ctx, "Discard" .. called(ctx.rows), forth, back)
end
function files.confirm:discard(ctx) return "Discard" .. called(ctx.rows) .. "?" end
function files.can:discard() return git.head ~= nil, "there is no commit to go back to" end

for action, side in pairs { ours = "--ours", theirs = "--theirs" } do
  files.on[action] = function(_, ctx)
    run { with({ "checkout", side }, paths(ctx.rows)), with({ "add" }, paths(ctx.rows)) }
  end
  files.can[action] = function(_, ctx) return any(ctx.rows, "conflict"), "it has no conflict" end
end

local function edit(ctx)
  local done, problem = exec("$EDITOR", { git.root .. "/" .. ctx.row.path }, { terminal = true })
  git.refresh()
  if not done then ctx:refuse(problem) end
end
files.on.edit = function(_, ctx) edit(ctx) end

function main.on:show() app:choose "diff" end

-- The lines of a diff: what is selected of them is staged, unstaged or discarded, by a patch of them alone.

local function file(ctx) return ctx.row ~= nil and ctx.row.kind == "file", "only the diff of a file has lines to stage" end

local function patch(ctx, title, back, ...)
  local text = git.patch(ctx.row, ctx.line_numbers, back)
  if not text then ctx:refuse("no line here has changed") end
  local forth, undo = { "apply", "--recount", ... }, { "apply", "--recount", ... }
  table.insert(back and forth or undo, "-R")
  change(ctx, title, { forth }, { undo }, text)
end

function diff.on:stage(ctx) patch(ctx, "Stage Lines", false, "--cached") end
function diff.can:stage(ctx)
  if not file(ctx) then return file(ctx) end
  return ctx.row.unstaged and not ctx.row.new, ctx.row.new and "git doesn't know this file: stage it whole" or "these lines are staged"
end
function diff.on:unstage(ctx) patch(ctx, "Unstage Lines", true, "--cached") end
function diff.can:unstage(ctx)
  if not file(ctx) then return file(ctx) end
  return not ctx.row.unstaged, "these lines aren't staged"
end
function diff.on:discard(ctx) patch(ctx, "Discard Lines", true) end
function diff.can:discard(ctx)
  if not file(ctx) then return file(ctx) end
  return ctx.row.unstaged and not ctx.row.new, "these lines are staged: unstage them first"
end
function diff.confirm:discard(ctx) return "Discard " .. #ctx.lines .. " lines?" end
diff.on.edit, diff.can.edit = function(_, ctx) edit(ctx) end, function(_, ctx) return file(ctx) end

diff.takes.hunk = { by = "integer" }
diff.about.hunk = "Next Hunk"
function diff.on:hunk(ctx)
  local text, at = app:text "diff", ctx.line_numbers[1] + ctx.by
  while text[at] and not text[at]:find "^@@" do at = at + ctx.by end
  if text[at] then app:select("diff", at) end
end
function diff.can:hunk(ctx) return ctx.line_numbers ~= nil and #ctx.line_numbers > 0, "nothing is shown" end

-- Commits

local message = { "string", matches = "%S", lines = 10, wide = 72, title = "Message" }
main.takes.commit = { message = message }
function main.on:commit(ctx) return move(ctx, "Commit", { { "commit", "-F", "-" } }, "--soft", ctx.message) end
function main.can:commit()
  if git.conflicts > 0 then return false, git.conflicts .. " files have conflicts" end
  if git.staged > 0 or git.going == "merge" then return true end
  return false, #git.files == 0 and "nothing has changed" or #git.files .. " files have changed, none is staged"
end

local function last() return git.commits[1] and git.commits[1].message end
main.takes.amend = { message = { "string", matches = "%S", lines = 10, wide = 72, title = "Message", proposal = last } }
function main.on:amend(ctx) return move(ctx, "Amend", { { "commit", "--amend", "-F", "-" } }, "--soft", ctx.message) end
function main.can:amend() return git.head ~= nil and not git.going, git.going or "there is no commit yet" end

-- Commits are rewritten by git's own interactive rebase: a line of sed says what becomes of its list.
local function replant(ctx, title, base, script, more, input)
  local forth = { { "-c", "sequence.editor=sed -i " .. script, "rebase", "-i", "--autostash", base or "--root" } }
  return move(ctx, title .. called({ ctx.row }), table.move(more or {}, 1, #(more or {}), 2, forth), nil, input)
end
local function pick(commit, verb) return "-e 's/^pick " .. commit.short:sub(1, 7) .. "/" .. verb .. " " .. commit.short .. "/'" end
local function below(commit) return git.byHash[commit.parent or ""] end

local function rewritable(_, ctx)
  if git.going then return false, git.going .. " is not finished" end
  return not ctx.row.merge, "a merge can't be rewritten"
end
local function joinable(self, ctx)
  if not below(ctx.row) then return false, "there is no commit below it" end
  return rewritable(self, ctx)
end

function commits.on:drop(ctx) return replant(ctx, "Drop", ctx.row.parent, pick(ctx.row, "drop")) end
function commits.on:fixup(ctx) return replant(ctx, "Fixup", below(ctx.row).parent, pick(ctx.row, "fixup")) end
function commits.on:squash(ctx) return replant(ctx, "Squash", below(ctx.row).parent, pick(ctx.row, "squash")) end
local function swap(ctx, title, older, newer)
  local script = "-e '/^pick " .. older.short:sub(1, 7) .. "/{h;d;}' -e '/^pick " .. newer.short:sub(1, 7) .. "/G'"
  return replant(ctx, title, older.parent, script)
end
function commits.on:move_down(ctx) return swap(ctx, "Move", below(ctx.row), ctx.row) end
function commits.on:move_up(ctx) return swap(ctx, "Move", ctx.row, git.commits[ctx.row.number - 1]) end
commits.takes.reword = { message = { "string", matches = "%S", lines = 10, wide = 72, title = "Message",
  proposal = function(_, ctx) return ctx.row and ctx.row.message end } }
function commits.on:reword(ctx)
  if ctx.row.hash == git.head then return move(ctx, "Reword", { { "commit", "--amend", "--only", "-F", "-" } }, "--soft", ctx.message) end
  local more = { { "commit", "--amend", "--only", "-F", "-" }, { "rebase", "--continue" } }
  return replant(ctx, "Reword", ctx.row.parent, pick(ctx.row, "edit"), more, ctx.message)
end
for _, action in ipairs { "drop", "reword" } do commits.can[action] = rewritable end
for _, action in ipairs { "fixup", "squash", "move_down" } do commits.can[action] = joinable end
function commits.can:move_up(ctx)
  if ctx.row.number == 1 then return false, "it is the newest" end
  return rewritable(self, ctx)
end
function commits.confirm:drop(ctx) return "Drop" .. called({ ctx.row }) .. "?" end

local function hashes(rows)
  local found = {}
  for number = #rows, 1, -1 do found[#found + 1] = rows[number].hash end
  return found
end
function commits.on:cherry_pick(ctx)
  return move(ctx, "Cherry-Pick" .. called(ctx.rows), { table.move(hashes(ctx.rows), 1, #ctx.rows, 2, { "cherry-pick" }) })
end
function commits.on:revert(ctx) return move(ctx, "Revert" .. called({ ctx.row }), { { "revert", "--no-edit", ctx.row.hash } }) end
commits.takes.reset = { how = { one_of = { { "--soft", "keep all changes staged" }, { "--mixed", "keep all changes unstaged" },
  { "--keep", "keep what isn't committed" } }, title = "Changes" } }
function commits.on:reset(ctx) return move(ctx, "Reset", { { "reset", ctx.how, ctx.row.hash } }, ctx.how) end
function commits.can:reset(ctx) return ctx.row.hash ~= git.head, "HEAD is here" end

-- Branches and tags

local function here() return git.branch and { "switch", git.branch } or { "switch", "--detach", git.head } end

function branches.on:checkout(ctx)
  local row = ctx.row
  local to = row.kind == "tag" and { "switch", "--detach", row.name } or { "switch", row.kind == "remote" and row.name:match "/(.*)" or row.name }
  return change(ctx, "Switch" .. called({ row }), { to }, { here() })
end
function branches.can:checkout(ctx) return not ctx.row.head, "you are on it" end

local named = { "string", matches = "^[^%s~^:?*%[\\]+$", title = "Name" }
main.takes.new_branch, main.takes.tag = { name = named }, { name = named }
function main.on:new_branch(ctx)
  local forth = { "switch", "--no-track", "-c", ctx.name, ctx.row and (ctx.row.hash) or "HEAD" }
  return change(ctx, "New Branch “" .. ctx.name .. "”", { forth }, { here(), { "branch", "-D", ctx.name } })
end
function main.can:new_branch(ctx)
  for _, each in ipairs(git.branches) do if each.name == ctx.name then return false, "there is a branch of this name" end end
  return git.head ~= nil, "there is no commit yet"
end

function main.on:tag(ctx)
  change(ctx, "Tag “" .. ctx.name .. "”", { { "tag", ctx.name, ctx.row.hash } }, { { "tag", "-d", ctx.name } })
end
main.needs.tag = { row = "choose a commit or a branch" }
function main.can:tag(ctx) return ctx.row.hash ~= nil, "choose a commit or a branch" end

function branches.on:delete(ctx)
  local forth, back = {}, {}
  for _, row in ipairs(ctx.rows) do
    forth[#forth + 1] = { row.kind == "tag" and "tag" or "branch", row.kind == "tag" and "-d" or "-D", row.name }
    back[#back + 1] = { "update-ref", row.id, row.hash }
    if row.upstream and not row.gone then back[#back + 1] = { "branch", "-u", row.upstream, row.name } end
  end
  return change(ctx, "Delete" .. called(ctx.rows), forth, back)
end
function branches.can:delete(ctx)
  for _, row in ipairs(ctx.rows) do
    if row.head then return false, "you are on " .. row.name end
    if row.kind == "remote" then return false, row.name .. " is a remote's: delete it there" end
  end
  return true
end
function branches.confirm:delete(ctx) return "Delete" .. called(ctx.rows) .. "?" end

for action, arguments in pairs { merge = { "merge", "--no-edit" }, rebase = { "rebase", "--autostash" } } do
  branches.on[action] = function(_, ctx)
    return move(ctx, titles[action] .. called({ ctx.row }), { { arguments[1], arguments[2], ctx.row.name } })
  end
  branches.can[action] = function(_, ctx)
    if git.going then return false, git.going .. " is not finished" end
    return not ctx.row.head, "you are on it"
  end
end

local function going() return git.going ~= nil, "no merge or rebase is going on" end
function main.on:proceed(ctx)
  local was = git.going
  local said = run { was == "merge" and { "commit", "--no-edit" } or { was, "--continue" } }
  local old = git.branch and not git.going and git.read("rev-parse", git.branch .. "@{1}")
  if old then move(ctx, "Continue", {}, nil, nil, old:match "%x+") end
  return said
end
function main.can:proceed()
  if git.conflicts > 0 then return false, git.conflicts .. " files have conflicts" end
  return going()
end
function main.on:abort() return run { { git.going, "--abort" } } end
function main.confirm:abort() return "Abort the " .. (git.going or "") .. "?" end
main.can.abort = going

-- Stashes: what goes is kept by its hash.

main.takes.stash = { name = { "string", optional = true, title = "Name" } }
function main.on:stash(ctx)
  local said = run { { "stash", "push", "-u", "-m", ctx.name or "from " .. (git.branch or "HEAD") } }
  ctx:undo("Stash", "unstash", { hash = git.stashes[1].hash })
  return said
end
function main.can:stash() return #git.files > 0 and git.head ~= nil, "nothing has changed" end

local function find(hash)
  for _, each in ipairs(git.stashes) do if each.hash == hash then return each end end
end
local function pop(ctx, stash)
  local clean = #git.files == 0
  run { { "stash", "pop", "--index", stash.id } }
  if clean then ctx:undo("Pop" .. called({ stash }), "stash", { name = stash.name:match "^On [^:]+: (.*)" or stash.name }) end
end
function main.on:unstash(ctx) pop(ctx, find(ctx.hash)) end
function main.can:unstash(ctx) return find(ctx.hash) ~= nil, "the stash is gone" end
function main.look:unstash() return { hidden = true } end
function stashes.on:pop(ctx) pop(ctx, ctx.row) end
function stashes.on:apply(ctx) run { { "stash", "apply", "--index", ctx.row.id } } end
function stashes.on:drop(ctx)
  local back = { "stash", "store", "-m", ctx.row.name, ctx.row.hash }
  run { { "stash", "drop", ctx.row.id } }
  ctx:undo("Drop" .. called({ ctx.row }), "restore_stash", { hash = ctx.row.hash, name = ctx.row.name })
end
function main.on:restore_stash(ctx)
  run { { "stash", "store", "-m", ctx.name, ctx.hash } }
  ctx:undo(nil, "drop_stash", { hash = ctx.hash, name = ctx.name })
end
function main.on:drop_stash(ctx)
  run { { "stash", "drop", find(ctx.hash).id } }
  ctx:undo(nil, "restore_stash", { hash = ctx.hash, name = ctx.name })
end
main.can.drop_stash = main.can.unstash
function stashes.confirm:drop(ctx) return "Drop" .. called({ ctx.row }) .. "?" end

-- Remotes

function main.on:fetch() return run { { "fetch", "--all", "--prune", "--progress" } } end
function main.on:pull(ctx) return move(ctx, "Pull", { { "pull", "--no-edit", "--progress" } }) end
function main.can:pull()
  if git.upstream then return git.behind > 0 or true end
  return false, (git.branch or "a detached HEAD") .. " has no upstream"
end
function main.on:push() return run { { "push", "--progress" } } end
function main.can:push()
  if not git.upstream then return false, (git.branch or "a detached HEAD") .. " has no upstream: publish it" end
  if git.behind > 0 then return false, git.upstream .. " has " .. git.behind .. " commits that you don't: pull first" end
  return git.ahead > 0, git.upstream .. " has everything"
end
function main.on:force_push() return run { { "push", "--force-with-lease", "--progress" } } end
function main.can:force_push() return git.upstream ~= nil and git.behind > 0 and git.ahead > 0, "an ordinary push will do" end
function main.confirm:force_push() return "Replace " .. git.behind .. " commits of " .. git.upstream .. "?" end
function main.on:publish(ctx)
  local remote = (git.read "remote" or ""):match "[^\n]+"
  if not remote then ctx:refuse "there is no remote: add one by git remote add" end
  return run { { "push", "--progress", "-u", remote, git.branch } }
end
function main.can:publish()
  if not git.branch then return false, "no branch is checked out" end
  return git.upstream == nil, "it is published as " .. tostring(git.upstream)
end

-- Anything else

main.takes.command = { words = { "string", title = "git" } }
function main.on:command(ctx)
  local words = {}
  for word in ctx.words:gmatch "%S+" do words[#words + 1] = word end
  return run { words }
end
function main.on:refresh() git.refresh(true) end

function main:provide(ctx) ctx.branch, ctx.upstream = git.branch, git.upstream end
-- What others change is seen: .git at once, files in the folder every three seconds.
function app:start()
  git.refresh()
  watch("$PWD/.git", git.refresh)
  every(3, git.refresh)
end

for _, one in ipairs { main, files, branches, commits, stashes, diff } do
  for action, title in pairs(titles) do
    if one.on[action] then one.about[action] = title end
    if one.on[action] and one ~= main then one.needs[action] = { row = "nothing is here" } end
  end
end
focus(files)
