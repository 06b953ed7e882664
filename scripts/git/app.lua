-- A git client for the repository of the folder in which it is called. What it does can be undone, and what can't be done says why.

app.title, app.name, app.version = "Git", "git", "1.0"
app.allow = { "exec=git", "exec=$EDITOR", "fs.read=$PWD" }

-- The reader is a global, so that a test can have it read another repository.
git = require "repo"

local main = responder "main" { next = window "top" }
local files, branches = responder "files" { next = main }, responder "branches" { next = main }
local commits, stashes = responder "commits" { next = main }, responder "stashes" { next = main }
local diff = responder "diff" { next = main }

-- The history is kept, for each repository its own: what git was told, and what takes it back, are lists of its arguments.
local function refresh(all)
  git.refresh(all)
  local name = git.id("undo of " .. (git.root or "nothing"))
  if main.next.name ~= name then main.next = app:find(name) or responder(name) { next = "top", undo = { levels = 200, keep = true } } end
end

local nowhere = "this folder is in no git repository"
local function count(number, thing) return number .. " " .. thing .. (number == 1 and "" or "s") end

-- What a row, or several, are called.
local function called(rows)
  local row, many = rows and rows[1], { file = " Files", commit = " Commits", stash = " Stashes" }
  if rows and #rows > 1 then return " " .. #rows .. (many[row.kind] or " Branches") end
  return row and " “" .. (row.shown and row.shown:match "[^/]+$" or row.short or row.name) .. "”" or ""
end

-- What is seen: a pane for each list, and beside them what its current row is about, and what git was told.

local function fileRow(file)
  local folder, name = file.shown:match "^(.*/)([^/]+)$"
  local function letter(of, style) return span(of == "." and " " or of, file.conflict and "error" or file.new and "quiet" or style) end
  return item { "show", cells = { { letter(file.index, "added"), letter(file.work, "removed") }, { span(folder or "", "quiet"), name or file.shown },
    file.conflict and "conflict" or false } }
end

local function distance(ahead, behind)
  return { ahead > 0 and span("↑" .. ahead, "added") or "", behind > 0 and span("↓" .. behind, "changed") or "" }
end

local function branchRow(branch)
  local name = branch.head and span(branch.name, "strong") or branch.kind == "branch" and branch.name or span(branch.name, "quiet")
  local state = branch.gone and span("gone", "warning") or distance(branch.ahead, branch.behind)
  return item { "log", cells = { span(branch.head and "●" or branch.kind == "tag" and "◆" or " ", "accent"), name, state, branch.age } }
end

local function commitRow(commit)
  local subject = { commit.subject, commit.refs ~= "" and span("  " .. commit.refs, "accent") or "" }
  return item { "show",
    cells = { span(commit.short, commit.unpushed and "changed" or "quiet"), commit.initials, commit.graph, subject, commit.age } }
end

local function worktreeRow(tree)
  return item { "checkout", cells = { span(tree.here and "●" or "⌂", "accent"), { tree.name, span("  " .. tree.path, "quiet") }, false, tree.branch } }
end

local function stashRow(stash) return item { "show", cells = { stash.at:match "%d+", stash.name, stash.age } } end

local function counts()
  if git.going then return span(git.going .. ", " .. count(git.conflicts, "conflict"), "warning") end
  if not git.root then return span("no repository", "warning") end
  return #git.files > 0 and git.staged .. " of " .. #git.files .. " staged" or "nothing has changed"
end

local function place()
  local parts = distance(git.ahead, git.behind)
  return { git.branch or "at " .. (git.head or ""):sub(1, 8), git.ahead + git.behind > 0 and " " or "", parts[1], parts[2] }
end

local function list(key, kind, row, columns, empty)
  return section("all " .. key) { items = function() return git[key] end, id = function(one) return git.id(one.id) end, kind = kind, row = row,
    columns = columns, empty = empty and span(empty, "quiet") }
end

local right = { style = "quiet", align = "right" }
local refs = { {}, { grow = true, cut = "middle" }, {}, right }
local function lists(one, title, key, share, subtitle, ...)
  return pane(one.name) { title = title, key = key, responder = one, filter = true, marks = true, share = share, least = 3,
    look = function()
      return { subtitle = subtitle(), title = one == commits and git.of and "Commits of “" .. git.of.name .. "”" or nil, hidden = not git.root and one ~= files }
    end, ... }
end

panel {
  typing = false,
  beside {
    stack { share = 2, least = 30,
      lists(files, "Files", "2", 3, counts,
        list("files", "file", fileRow, { {}, { grow = true, cut = "middle" }, { style = "error" } })),
      lists(branches, "Branches", "3", 2, place, list("branches", "branch", branchRow, refs, "no branches yet"),
        list("remotes", "branch", branchRow, refs), list("tags", "branch", branchRow, refs),
        list("worktrees", "branch", worktreeRow, refs)),
      lists(commits, "Commits", "4", 4, function() return #git.shown .. (#git.shown == git.limit and "+" or "") end,
        list("shown", "commit", commitRow, { {}, {}, { most = 24 }, { grow = true }, right }, "no commits yet")),
      lists(stashes, "Stash", "5", 1, function() return #git.stashes > 0 and tostring(#git.stashes) or nil end,
        list("stashes", "stash", stashRow, { { style = "changed" }, { grow = true }, right }, "nothing is stashed")),
    },
    stack { share = 3,
      text "diff" { title = "Diff", key = "0", of = "focus", responder = diff, ansi = true, share = 4,
        look = function(ctx) return { subtitle = ctx.row and (ctx.row.shown or ctx.row.short or ctx.row.name) or nil } end,
        lines = function(ctx, add) if ctx.row then git.show(ctx.row, add) else return not git.root and { span(nowhere, "warning") } or nil end end },
      text "said" { title = "Commands", key = "6", follow = true, least = 3, lines = function() return git.said end },
    },
  },
}

-- What can be done, by pane: a menu, what `.` offers for a row, and keys. Of several actions on a key the first that can be done is done.

local titles = {
  stage = "Stage", unstage = "Unstage", stage_all = "Stage All", unstage_all = "Unstage All", edit = "Edit", discard = "Discard",
  ours = "Keep Ours", theirs = "Take Theirs", both = "Keep Both", worktree = "New Worktree…", commit = "Commit…", amend = "Amend…", fetch = "Fetch", pull = "Pull", push = "Push",
  publish = "Publish", force_push = "Force Push", proceed = "Continue", abort = "Abort", command = "Run git…", refresh = "Refresh",
  more = "More Commits", checkout = "Switch", new_branch = "New Branch…", merge = "Merge", rebase = "Rebase", tag = "Tag…",
  delete = "Delete", cherry_pick = "Cherry-Pick", revert = "Revert", reword = "Reword…", squash = "Squash", fixup = "Fixup",
  drop = "Drop", drop_stash = "Drop", move_up = "Move Up", move_down = "Move Down", reset = "Reset…", stash = "Stash…", apply = "Apply", pop = "Pop",
  log = "Commits", forget = "Skip an Undo", skip = "Skip", show = "Show", next_hunk = "Next Hunk", previous_hunk = "Previous Hunk",
}
local panes = { file = files, branch = branches, commit = commits, stash = stashes }
local offered = {
  file = { "stage", "unstage", "stage_all", "unstage_all", "-", "edit", "ours", "theirs", "both", "-", "discard" },
  branch = { "log", "checkout", "new_branch", "tag", "worktree", "-", "merge", "rebase", "-", "delete" },
  commit = { "cherry_pick", "revert", "reset", "new_branch", "tag", "-", "reword", "squash", "fixup", "move_up", "move_down", "drop" },
  stash = { "apply", "pop", "drop_stash" },
}

-- The status line shows a pane's own keys: for files and lines the two that matter most. The others are those of the menu's items.
files.keys = { s = { "stage", "unstage" }, c = "commit" }
diff.keys = { s = { "stage", "unstage" }, j = "next_hunk", k = "previous_hunk" }
branches.keys = { s = "checkout", n = "new_branch", ["shift+m"] = "merge", r = "rebase", t = "tag", w = "worktree", d = "delete" }
commits.keys = { y = "cherry_pick", ["shift+t"] = "revert", g = "reset", n = "new_branch", t = "tag", w = "reword", u = "squash", x = "fixup",
  ["ctrl+k"] = "move_up", ["ctrl+j"] = "move_down", d = "drop" }
stashes.keys = { a = "apply", g = "pop", d = "drop_stash" }
main.keys = { a = { "stage_all", "unstage_all" }, ["shift+p"] = { "push", "publish" }, esc = { "log(own: true)", title = "Own Commits", when = function() return git.of end } }
local keys = { edit = "e", ours = "o", theirs = "t", both = "b", discard = "d" }

local function global(action, key) return item(titles[action]) { action, key = key } end
local function items(kind)
  local made = {}
  for number, action in ipairs(offered[kind]) do made[number] = action == "-" and separator or global(action, keys[action]) end
  return made
end

for kind, one in pairs(panes) do
  one.build[kind] = function(_, m) for _, each in ipairs(items(kind)) do m:insert_last("root", each) end end
end

menubar {
  menu "Repository" {
    global("commit", "c"), global("amend", "shift+a"), separator,
    global("fetch", "f"), global("pull", "p"), global "push", global "publish", global "force_push", separator,
    global("proceed", "m"), global "skip", global "abort", separator,
    global("command", ":"), global("more", "ctrl+l"), global("refresh", "shift+r"), item "Quit" { "quit", key = "q" },
  },
  menu "Edit" { item "Undo" { "undo", key = "ctrl+z" }, item "Redo" { "redo", key = "ctrl+y" }, separator, global "forget" },
  menu "File" (items "file"), menu "Branch" (items "branch"), menu "Commit" (items "commit"),
  menu "Stash" { global("stash", "z"), separator, table.unpack(items "stash") },
}

-- The first reason whose condition holds, in pairs: what `can` answers.
local function unless(...)
  for number = 1, select("#", ...), 2 do
    local condition, reason = select(number, ...)
    if condition then return false, reason end
  end
  return true
end

-- What is done is told git as lists of arguments, and so is what takes it back: so the history outlives the app.

local function with(arguments, paths)
  arguments[#arguments + 1] = "--"
  return table.move(paths, 1, #paths, #arguments + 1, arguments)
end

local function paths(rows, keep)
  local found = {}
  for _, row in ipairs(rows) do found[#found + 1] = (not keep or keep(row)) and row.path or nil end
  return found
end

-- Each step is what is done, and then what takes it back. All are done or none: what git refuses is refused, and what was done before is
-- taken back, as is what git only began. Conflicts are left, to be solved.
local function run(ctx, steps, input)
  local going, forth, back, said, problem = git.going or ctx.action == "command", {}, {}, nil, nil
  for _, step in ipairs(steps) do
    said, problem = git.run(step[1], input)
    if problem then break end
    forth[#forth + 1], back = step[1], table.move(back, 1, #back, #step, table.move(step, 2, #step, 1, {}))
  end
  if problem and git.going and not going then back = { { git.going, "--abort" } } end
  if problem then for _, words in ipairs(back) do git.run(words, input) end end
  git.refresh()
  if problem then ctx:refuse(problem) end
  return said, forth, back
end

local function tell(ctx, words, input) return (run(ctx, { { words } }, input)) end

local function undone(ctx, title, forth, back, more)
  local args, taken = more or {}, back[1][1] == "stash" and (back[1][2] == "pop" or back[1][2] == "drop")
  args.run, args.back, args.stash = back, forth, taken and git.stashes[1].hash or nil
  ctx:undo(title, "replay", args)
end

local function change(ctx, title, steps, input)
  local said, forth, back = run(ctx, steps, input)
  undone(ctx, title, forth, back, { input = input })
  return said
end

-- What moves HEAD is taken back by a reset, as long as HEAD is where it was left. A message that was refused is proposed again.
local drafts = {}
local function move(ctx, title, words, how, input, old)
  local draft = ctx.action .. tostring(git.head)
  old, drafts[draft] = old or git.head, input
  local said = tell(ctx, words, input)
  local new = git.head
  drafts[draft] = nil
  local function to(hash) return { hash and { "reset", how or "--keep", hash } or { "update-ref", "-d", "HEAD" } } end
  if git.going then git.begun = git.begun or old
  elseif new ~= old then undone(ctx, title, to(new), to(old), { head = new, after = old }) end
  return said
end

-- What changes the index is taken back path by path; not while there are conflicts, which no tree can hold. Files that still have
-- conflict markers are staged after a question only.
local function index(ctx, title, words, rows, all)
  local found, limit = paths(rows, function(row) return row.conflict end), all or paths(rows)
  local marked = words[1] == "add" and #found > 0 and git.read("grep", "-lE", "^(<{7}|>{7})( |$)", "--", table.unpack(found))
  local told = marked and "“" .. marked:match "[^\n]+" .. "” still has conflict markers"
  if told and not ask { title = "Stage", confirm = told .. ". Stage it anyway?" } then ctx:refuse(told) end
  local before = git.index()
  tell(ctx, with(words, limit))
  local after = git.index()
  local function to(tree) return { with({ "restore", "--staged", "--source=" .. tree }, limit) } end
  if before and after then undone(ctx, title, to(after), to(before)) end
end

function main.on:replay(ctx)
  local a = ctx.args
  for _, words in ipairs(a.run) do tell(ctx, words, a.input) end
  undone(ctx, nil, a.run, a.back, { input = a.input, head = a.after, after = a.head })
end
function main.look:replay() return { hidden = true } end
function main.can:replay(ctx)
  local a = ctx.args
  return unless(not a.run, "only undo and redo do this",
    a.head and a.head ~= git.head, "HEAD has moved since: it is at " .. (git.head or "nothing"):sub(1, 8),
    a.stash and (git.stashes[1] or {}).hash ~= a.stash, "another stash is on top since")
end

-- Files

local function any(rows, field)
  for _, row in ipairs(rows) do if row[field] then return true end end
  return false
end

function files.on:stage(ctx) index(ctx, "Stage" .. called(ctx.rows), { "add", "-A" }, ctx.rows) end
function files.can:stage(ctx) return any(ctx.rows, "unstaged"), "it is staged already" end
function files.on:unstage(ctx) index(ctx, "Unstage" .. called(ctx.rows), { "reset", "-q" }, ctx.rows) end
function files.can:unstage(ctx) return any(ctx.rows, "staged"), "it isn't staged" end
function main.on:stage_all(ctx) index(ctx, "Stage All", { "add", "-A" }, git.files, { "." }) end
function main.can:stage_all() return git.unstaged > 0, #git.files > 0 and "everything is staged" or "nothing has changed" end
function main.on:unstage_all(ctx) index(ctx, "Unstage All", { "reset", "-q" }, git.files, { "." }) end
function main.can:unstage_all() return git.staged > 0, "nothing is staged" end

-- What files hold is kept in the repository before it goes: as a tree, which git removes after two weeks where nothing needs it.
function files.on:discard(ctx)
  local before, kept, steps = git.index(), git.keep(paths(ctx.rows)), {}
  local function step(words, keep, index)
    local found = paths(ctx.rows, keep)
    if #found == 0 then return end
    steps[#steps + 1] = { with(words, found), with({ "restore", "--worktree", "--source=" .. kept }, found),
      index and with({ "restore", "--staged", "--source=" .. index }, found) }
  end
  step({ "restore", "--staged", "--worktree", "--source=HEAD" }, function(f) return f.staged or f.conflict end, before)
  step({ "restore", "--worktree" }, function(f) return not f.staged and not f.conflict and not f.new end)
  step({ "clean", "-f", "-q" }, function(f) return f.new end)
  return change(ctx, "Discard" .. called(ctx.rows), steps)
end
function files.can:discard(ctx)
  local rest = "\0" .. table.concat(paths(ctx.rows, function(f) return f.unstaged end), "\0") .. "\0"
  local alone = paths(ctx.rows, function(f) return f.part and not rest:find("\0" .. f.path .. "\0", 1, true) end)
  return unless(not git.head, "there is no commit to go back to", #alone > 0, "discard what isn't staged of it first")
end

for action, side in pairs { ours = "--ours", theirs = "--theirs" } do
  files.on[action] = function(_, ctx) run(ctx, { { with({ "checkout", side }, paths(ctx.rows)) }, { with({ "add" }, paths(ctx.rows)) } }) end
  files.can[action] = function(_, ctx) return any(ctx.rows, "conflict"), "it has no conflict" end
end

local function edit(_, ctx)
  local done, problem = exec("$EDITOR", { git.root .. "/" .. ctx.row.path }, { terminal = true })
  git.refresh()
  if not done then ctx:refuse(problem) end
end
files.on.edit, diff.on.edit = edit, edit

-- The lines of a diff: what is selected of them is staged, unstaged or discarded, by a patch of them alone.

local function patch(ctx, title, back, ...)
  local text = git.patch(ctx.row, ctx.line_numbers, back)
  if not text then ctx:refuse "no line here has changed" end
  local forth, undo = { "apply", "--recount", ... }, { "apply", "--recount", ... }
  table.insert(back and forth or undo, "-R")
  return change(ctx, title, { { forth, undo } }, text)
end

local function ofFile(ctx, ...)
  local row = ctx.row
  return unless(row.kind ~= "file", "only the diff of a file has lines to stage", row.conflict, "solve its conflict first", row.new, "git doesn't know it: stage the whole file", ...)
end
function diff.on:stage(ctx) return patch(ctx, "Stage Lines", false, "--cached") end
function diff.can:stage(ctx) return ofFile(ctx, not ctx.row.unstaged, "these lines are staged") end
function diff.on:unstage(ctx) return patch(ctx, "Unstage Lines", true, "--cached") end
function diff.can:unstage(ctx) return ofFile(ctx, ctx.row.unstaged, "these lines aren't staged") end
function diff.on:discard(ctx) return patch(ctx, "Discard Lines", true) end
function diff.can:discard(ctx) return ofFile(ctx, not ctx.row.unstaged, "these lines are staged: unstage them first") end
function diff.confirm:discard(ctx) return "Discard " .. count(#ctx.lines, "line") .. "?" end
for _, side in ipairs { "ours", "theirs", "both" } do
  diff.on[side] = function(_, ctx)
    local text = git.solve(ctx.row, ctx.line_numbers[1], side)
    if not text then ctx:refuse "there is no conflict here" end
    return change(ctx, titles[side], { { { "apply", "--unidiff-zero" }, { "apply", "--unidiff-zero", "-R" } } }, text)
  end
  diff.can[side] = function(_, ctx) return ctx.row.conflict == true, "only a file with conflicts has sides" end
end
function diff.can:edit(ctx) return ctx.row.kind == "file", "this is no file" end

-- Commits

local function message(action, proposal)
  return { message = { "string", matches = "%S", lines = 10, wide = 72, title = "Message",
    proposal = function(_, ctx) return drafts[action .. tostring(git.head)] or proposal(ctx) end } }
end
main.takes.commit = message("commit", function() end)
function main.on:commit(ctx) return move(ctx, "Commit", { "commit", "-F", "-" }, "--soft", ctx.message) end
function main.can:commit()
  local nothing = git.staged == 0 and git.going ~= "merge"
  return unless(git.conflicts > 0, "conflicts in " .. count(git.conflicts, "file"), nothing and #git.files == 0, "nothing has changed",
    nothing, count(#git.files, "changed file") .. ", but nothing is staged")
end

main.takes.amend = message("amend", function() return (git.byHash[git.head] or {}).message end)
function main.on:amend(ctx) return move(ctx, "Amend", { "commit", "--amend", "-F", "-" }, "--soft", ctx.message) end
function main.can:amend() return unless(not git.head, "there is no commit yet", git.going, git.unfinished()) end

-- Commits are rewritten by git's own interactive rebase, which gets its whole list of commits from here: so no setting of the user's
-- matters. The list has one line of history: where a merge lies between, nothing is rewritten, since that would flatten it.

local function below(commit) return git.byHash[commit.parent or ""] end

-- The commits from HEAD down to this one, or nil where a merge is among them.
local function down(commit)
  local chain, each = {}, git.byHash[git.head]
  while each and not each.merge do
    chain[#chain + 1] = each
    if each.hash == commit.hash then return chain end
    each = below(each)
  end
end

-- The row gets the verb; without one the two oldest commits of the list change places.
local function replant(ctx, verb, last)
  local todo, chain = {}, down(last)
  for number = #chain, 1, -1 do todo[#todo + 1] = (chain[number].hash == ctx.row.hash and verb or "pick") .. " " .. chain[number].short end
  if not verb then todo[1], todo[2] = todo[2], todo[1] end
  local write, text = "printf '%s\\n' \"$", ctx.args.message
  local env = { TODO = table.concat(todo, "\n"), GIT_SEQUENCE_EDITOR = write .. "TODO\" >", TEXT = text, GIT_EDITOR = text and write .. "TEXT\" >" }
  local words = { "-c", "commit.cleanup=" .. (text and "whitespace" or "strip"), "rebase", "-i", "--autostash", last.parent or "--root", env = env }
  return move(ctx, titles[ctx.action]:gsub("…", "") .. called { ctx.row }, words)
end

local function rewritable(ctx, last)
  return unless(git.going, git.unfinished(), ctx.row.merge, "a merge can't be rewritten", not git.byHash[ctx.row.hash], "it isn't on this branch",
    not last, "there is no commit below it", last and not down(last),
    last and last.merge and "the commit below it is a merge" or "a merge lies between it and HEAD, which a rewrite would lose")
end
for action, verb in pairs { drop = "drop", fixup = "fixup", squash = "squash", move_down = false, move_up = false } do
  local function last(ctx) if action == "drop" or action == "move_up" then return ctx.row end return below(ctx.row) end
  commits.on[action] = function(_, ctx) return replant(ctx, verb, last(ctx)) end
  commits.can[action] = function(_, ctx)
    if action == "move_up" and ctx.row.hash == git.head then return false, "it is the newest" end
    return rewritable(ctx, last(ctx))
  end
end
commits.takes.reword = message("", function(ctx) return ctx.row and ctx.row.message end)
function commits.on:reword(ctx)
  if ctx.row.hash ~= git.head then return replant(ctx, "reword", ctx.row) end
  return move(ctx, "Reword", { "commit", "--amend", "--only", "-F", "-" }, "--soft", ctx.message)
end
function commits.can:reword(ctx) return rewritable(ctx, ctx.row) end

function commits.on:cherry_pick(ctx)
  local forth = { "cherry-pick" }
  for number = #ctx.rows, 1, -1 do forth[#forth + 1] = ctx.rows[number].hash end
  return move(ctx, "Cherry-Pick" .. called(ctx.rows), forth)
end
function commits.can:cherry_pick(ctx)
  return unless(any(ctx.rows, "merge"), "a merge can't be picked", not git.of, "these commits are here already: enter on a branch lists others")
end
function commits.on:revert(ctx) return move(ctx, "Revert" .. called { ctx.row }, { "revert", "--no-edit", ctx.row.hash }) end
commits.takes.reset = { how = { title = "Changes", one_of = { { "--soft", "all stay, staged" }, { "--mixed", "all stay, unstaged" },
  { "--keep", "those that aren't committed stay" } } } }
function commits.on:reset(ctx) return move(ctx, "Reset", { "reset", ctx.how, ctx.row.hash }, ctx.how) end
function commits.can:reset(ctx) return ctx.row.hash ~= git.head, "HEAD is here" end

-- Branches and tags

local function here() return git.branch and { "switch", git.branch } or { "switch", "--detach", git.head } end

function branches.on:checkout(ctx)
  local row = ctx.row
  if row.kind == "worktree" then
    git.root = row.path
    return refresh(true)
  end
  local to = { "switch", row.kind == "remote" and row.name:match "/(.*)" or row.name, row.kind == "tag" and "--detach" or nil }
  change(ctx, "Switch to" .. called { row }, { { to, here() } })
  return row.name
end
function branches.can:checkout(ctx) return not ctx.row.head and not ctx.row.here, "you are on it" end

local new = { name = { "string", matches = "^[^%s~^:?*%[\\]+$", title = "Name" } }
main.takes.new_branch, main.takes.tag = new, new
function main.on:new_branch(ctx)
  local forth = { "switch", "--no-track", "-c", ctx.name, ctx.row and ctx.row.hash or "HEAD" }
  return change(ctx, "New Branch “" .. ctx.name .. "”", { { forth, here(), { "branch", "-D", ctx.name } } })
end
function main.can:new_branch(ctx)
  for _, each in ipairs(git.branches) do if each.name == ctx.name then return false, "there is a branch of this name" end end
  return git.head ~= nil, "there is no commit yet"
end
function main.on:tag(ctx) return change(ctx, "Tag “" .. ctx.name .. "”", { { { "tag", ctx.name, ctx.row.hash }, { "tag", "-d", ctx.name } } }) end
function main.can:tag(ctx) return ctx.row ~= nil and ctx.row.hash ~= nil, "choose a commit or a branch" end

branches.takes.worktree = { folder = { "string", matches = "%S", title = "Folder", proposal = function(_, ctx) return ctx.row and "../" .. ctx.row.name end } }
function branches.on:worktree(ctx)
  local to = ctx.row.kind == "branch" and { "worktree", "add", ctx.folder, ctx.row.name } or { "worktree", "add", "--detach", ctx.folder, ctx.row.hash }
  return change(ctx, "New Worktree", { { to, { "worktree", "remove", ctx.folder } } })
end
function branches.can:worktree(ctx) return not ctx.row.head, "you are on it" end

function branches.on:delete(ctx)
  local steps = {}
  for number, row in ipairs(ctx.rows) do
    local upstream = row.upstream and not row.gone and { "branch", "-u", row.upstream, row.name } or nil
    steps[number] = row.kind == "worktree" and { { "worktree", "remove", row.path }, { "worktree", "add", row.path, row.branch or row.hash } }
      or { { row.kind, row.kind == "tag" and "-d" or "-D", row.name }, { "update-ref", row.id, row.hash }, upstream }
  end
  return change(ctx, "Delete" .. called(ctx.rows), steps)
end
function branches.can:delete(ctx)
  return unless(any(ctx.rows, "head") or any(ctx.rows, "here"), "you are on " .. tostring(git.branch),
    any(ctx.rows, "remote"), "it is a remote's: delete it there")
end

for action, words in pairs { merge = { "merge", "--no-edit" }, rebase = { "rebase", "--autostash" } } do
  branches.on[action] = function(_, ctx)
    return move(ctx, titles[action] .. called { ctx.row }, { words[1], words[2], ctx.row.name })
  end
  branches.can[action] = function(_, ctx) return unless(git.going, git.unfinished(), ctx.row.head, "you are on it") end
end

-- What stopped at conflicts goes on once they are solved. Undo goes back to where HEAD was before all of it.
for action, how in pairs { proceed = "--continue", skip = "--skip", abort = "--abort" } do
  main.on[action] = function(_, ctx)
    local old = git.begun or git.going == "rebase" and git.read("rev-parse", "ORIG_HEAD"):match "%x+" or nil
    return move(ctx, titles[action], { git.going, how }, nil, nil, old)
  end
  main.can[action] = function()
    return unless(not git.going, "no merge or rebase is going on", action == "skip" and git.going == "merge", "a merge has one step: abort it",
      action == "proceed" and git.conflicts > 0, "conflicts in " .. count(git.conflicts, "file"))
  end
end
function main.confirm:abort() return "Abort the " .. (git.going or "") .. "?" end

-- Stashes

main.about.stash = { title = titles.stash, form = true }
main.takes.stash = { name = { "string", optional = true, title = "Name" } }
local function keep(name) return { "stash", "push", "-u", "-m", name } end
local take = { "stash", "pop", "--index" }
function main.on:stash(ctx) return change(ctx, "Stash", { { keep(ctx.name or "from " .. (git.branch or "HEAD")), take } }) end
function main.can:stash() return unless(#git.files == 0, "nothing has changed", not git.head, "there is no commit yet") end

-- Undone where nothing else had changed: what is stashed again then is what came out.
function stashes.on:pop(ctx)
  local clean, name = #git.files == 0, ctx.row.name:match "^On [^:]+: (.*)" or ctx.row.name
  local said = tell(ctx, { "stash", "pop", "--index", ctx.row.at })
  if clean then undone(ctx, "Pop" .. called { ctx.row }, { take }, { keep(name) }) end
  return said
end
function stashes.on:apply(ctx) return tell(ctx, { "stash", "apply", "--index", ctx.row.at }) end
function stashes.on:drop_stash(ctx)
  tell(ctx, { "stash", "drop", ctx.row.at })
  undone(ctx, "Drop" .. called { ctx.row }, { { "stash", "drop" } }, { { "stash", "store", "-m", ctx.row.name, ctx.row.hash } })
end

-- Remotes

local function lacking() return git.branch and git.branch .. " has no upstream: publish it" or "no branch is checked out" end
function main.on:push(ctx) return tell(ctx, { "push", "--progress" }) end
function main.on:force_push(ctx) return tell(ctx, { "push", "--progress", "--force-with-lease" }) end
function main.on:pull(ctx) return move(ctx, "Pull", { "pull", "--no-edit", "--progress" }) end
function main.can:pull() return unless(git.going, git.unfinished(), not git.upstream, lacking()) end
function main.can:push()
  local theirs = tostring(git.upstream) .. " has " .. count(git.behind, "commit") .. " that you don't: pull first"
  return unless(not git.upstream, lacking(), git.behind > 0, theirs, git.ahead == 0, tostring(git.upstream) .. " has everything")
end
function main.can:force_push() return git.upstream ~= nil and git.behind > 0 and git.ahead > 0, "an ordinary push will do" end
function main.confirm:force_push() return "Replace " .. count(git.behind, "commit") .. " of " .. git.upstream .. "?" end
function main.on:publish(ctx)
  local remote = (git.read "remote" or ""):match "[^\n]+"
  if not remote then ctx:refuse "there is no remote: add one by git remote add" end
  return tell(ctx, { "push", "--progress", "-u", remote, git.branch })
end
function main.can:publish()
  return unless(not git.branch, "no branch is checked out", git.upstream, "it is published as " .. tostring(git.upstream))
end

-- Anything else

main.needs.command = {}
main.takes.command = { words = { "string", title = "git" } }
function main.on:command(ctx)
  local words = {}
  for word in ctx.words:gmatch "%S+" do words[#words + 1] = word end
  return tell(ctx, words)
end
function main.on:forget() return app:forget_undo() end
function main.can:forget() return #app:undo_stack().undo > 0, "there is nothing to undo" end

-- What only looks is the app's, which has another history: so it isn't named among what can't be undone.

function app.on:refresh() refresh(true) end
function app.on:fetch(ctx) return tell(ctx, { "fetch", "--progress", "--all", "--prune" }) end
function app.on:show() app:choose "diff" end
function app.on:more() git.limit = git.limit * 4 git.refresh() end
function app.can:more() return unless(#git.shown < git.limit, "all commits are here", git.limit > 4000, "more would take long") end
function app.on:log(ctx)
  git.of = not ctx.own and not ctx.row.head and ctx.row or nil
  git.refresh()
  app:choose "commits"
end
function app.can:log(ctx) return ctx.own or ctx.row ~= nil and ctx.row.id:find "^refs/" ~= nil, "choose a branch or a tag" end
for action, by in pairs { next_hunk = 1, previous_hunk = -1 } do
  app.on[action] = function(_, ctx)
    local text, at = app:text "diff", ctx.line_numbers[1] + by
    while text[at] and not text[at]:find "^@@" and not text[at]:find "^%+%+<<<<<<<" do at = at + by end
    if text[at] then app:select("diff", at) end
  end
  app.can[action] = function(_, ctx) return ctx.line_numbers ~= nil and #ctx.line_numbers > 0, "nothing is shown" end
end

function main:provide(ctx) ctx.branch, ctx.upstream, ctx.repository = git.branch, git.upstream, git.root end

-- What others change is seen: .git at once, files in the folder every three seconds.
function app:start()
  refresh()
  watch("$PWD/.git", refresh)
  every(3, refresh)
end

-- What is about rows needs one, names those that are meant, and asks where it destroys.
local many = { stage = true, unstage = true, discard = true, ours = true, theirs = true, delete = true, cherry_pick = true }
local function named(action, ctx) return titles[action] .. called(many[action] and ctx.rows or { ctx.row }) end
for _, one in ipairs { app, main, files, branches, commits, stashes, diff } do
  for action, title in pairs(titles) do
    if one.on[action] then
      one.about[action] = one.about[action] or title .. (one == diff and many[action] and " Lines" or "")
      local ofRow = one ~= app and one ~= main
      one.needs[action] = one.needs[action] or one ~= app and (ofRow and { row = "nothing is here" } or { repository = nowhere }) or nil
      if ofRow and many[action] and one ~= diff then
        one.look[action] = function(_, ctx) return { title = #(ctx.rows or {}) > 1 and named(action, ctx) or nil } end
      end
    end
  end
end
for one, action in pairs { [files] = "discard", [branches] = "delete", [commits] = "drop", [stashes] = "drop_stash" } do
  one.confirm[action] = function(_, ctx) return named(action, ctx) .. "?" end
end
focus(files)
