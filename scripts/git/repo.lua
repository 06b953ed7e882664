-- Reads a git repository: what is changed, its branches, commits and stashes; and runs git for those who change it.
-- Commands that only read leave no lock and no line in the log.

local git = {
  folder = app.settings.folder or ".", limit = app.settings.commits or 300,
  files = {}, branches = {}, remotes = {}, tags = {}, commits = {}, stashes = {}, said = {},
  staged = 0, unstaged = 0, conflicts = 0, ahead = 0, behind = 0,
}

local quiet = { GIT_TERMINAL_PROMPT = 0, GIT_EDITOR = "true" }

local function command(arguments)
  return table.move(arguments, 1, #arguments, 4, { "--no-optional-locks", "-C", git.root or git.folder })
end

--- What git writes, or nil and what it complains of.
function git.read(...)
  local result = assert(exec("git", command { ... }))
  return result.status == 0 and result.out or nil, lines(result.err)[1] or "git failed"
end

local function say(text, replaces) git.said[replaces and #git.said or #git.said + 1] = text end

--- Runs git for an action: each line goes into the log as it comes, and what git complains of is raised.
function git.run(arguments, input, env)
  say { span("git ", "quiet"), span(table.concat(arguments, " "):gsub("\n.*", " …"), "accent") }
  local last, complaint = nil, nil
  local result = assert(exec("git", command(arguments), { input = input, env = env or quiet, line = function(text, _, replaces)
    say("  " .. text, replaces)
    last = text:find "%S" and text or last
    complaint = complaint or text:match "^fatal: (.*)" or text:match "^error: (.*)" or text:match "^CONFLICT.*"
    local done = text:match "(%d+)%%"
    if done then progress(math.min(1, done / 100), text:match "^(.-):" or arguments[1]) end
    app:rebuild()
  end }))
  if result.status == 0 then return last end
  say(span("  " .. (complaint or last or "git failed"), "error"))
  git.refresh()
  if git.conflicts > 0 then return git.conflicts .. " files have conflicts: solve them, then Continue" end
  error(complaint or last or "git failed", 0)
end

-- How long ago something was, in few letters.
local function age(time)
  local seconds = os.time() - (tonumber(time) or 0)
  for _, unit in ipairs { { 31536000, "y" }, { 2592000, "mo" }, { 86400, "d" }, { 3600, "h" }, { 60, "m" } } do
    if seconds >= unit[1] then return seconds // unit[1] .. unit[2] end
  end
  return "now"
end

local function records(out, fill)
  local found = {}
  for record in (out or ""):gmatch "\n?([^\30]+)\30" do
    local fields = {}
    for field in (record .. "\31"):gmatch "(.-)\31" do fields[#fields + 1] = field end
    found[#found + 1] = fill(fields)
  end
  return found
end

local function readStatus()
  local out, problem = git.read("status", "--porcelain=v2", "--branch", "--show-stash", "--no-renames", "-uall", "-z")
  if not out then error(problem, 0) end
  if out == git.status then return false end
  git.status, git.files, git.head, git.branch, git.upstream = out, {}, nil, nil, nil
  git.ahead, git.behind, git.stashed, git.staged, git.unstaged, git.conflicts = 0, 0, 0, 0, 0, 0
  for line in out:gmatch "[^\0]+" do
    local name, value = line:match "^# (%S+) (.*)"
    local kind, state, rest = line:match "^([1u?]) (%S+) ?(.*)"
    if name == "branch.oid" then git.head = value ~= "(initial)" and value or nil
    elseif name == "branch.head" then git.branch = value ~= "(detached)" and value or nil
    elseif name == "branch.upstream" then git.upstream = value
    elseif name == "branch.ab" then
      git.ahead, git.behind = value:match "%+(%d+) %-(%d+)"
      git.ahead, git.behind = tonumber(git.ahead), tonumber(git.behind)
    elseif name == "stash" then git.stashed = tonumber(value)
    elseif kind then
      local path = kind == "1" and rest:match("^" .. ("%S+ "):rep(6) .. "(.*)") or rest:match("^" .. ("%S+ "):rep(8) .. "(.*)")
      if kind == "?" then state, path = "??", line:sub(3) end
      local index, work = state:sub(1, 1), state:sub(2, 2)
      local file = { kind = "file", path = path, index = index, work = work, new = kind == "?", conflict = kind == "u" }
      file.staged = kind == "1" and index ~= "."
      file.unstaged = work ~= "." or file.conflict
      git.staged = git.staged + (file.staged and 1 or 0)
      git.unstaged = git.unstaged + (file.unstaged and 1 or 0)
      git.conflicts = git.conflicts + (file.conflict and 1 or 0)
      git.files[#git.files + 1] = file
    end
  end
  table.sort(git.files, function(a, b) return a.path < b.path end)
  return true
end

local function readRefs()
  local format = "%(HEAD)%1f%(refname)%1f%(refname:lstrip=2)%1f%(objectname)%1f%(upstream:short)%1f%(upstream:track,nobracket)%1f%(creatordate:unix)%1e"
  local out = git.read("for-each-ref", "--sort=-creatordate", "--format=" .. format, "refs/heads", "refs/remotes", "refs/tags")
  if out == git.refs then return false end
  git.refs, git.branches, git.remotes, git.tags = out, {}, {}, {}
  records(out, function(f)
    local kind = f[2]:match "^refs/(%a+)"
    local list = kind == "heads" and git.branches or kind == "tags" and git.tags or git.remotes
    if f[2]:find "/HEAD$" then return end
    list[#list + 1] = {
      kind = kind == "heads" and "branch" or kind == "tags" and "tag" or "remote", id = f[2], name = f[3], hash = f[4], head = f[1] == "*",
      upstream = f[5] ~= "" and f[5] or nil, gone = f[6] == "gone", age = age(f[7]),
      ahead = f[6]:match "ahead (%d+)", behind = f[6]:match "behind (%d+)",
    }
  end)
  table.sort(git.branches, function(a, b) return a.head and not b.head end)
  return true
end

local function readCommits()
  local out = git.head and git.read("log", "-n", git.limit, "--format=%H%x1f%h%x1f%an%x1f%at%x1f%D%x1f%P%x1f%s%x1f%b%x1e")
  git.commits = records(out, function(f)
    local first, second = f[3]:match "^(%S)%S*%s*(%S?)"
    return {
      kind = "commit", hash = f[1], short = f[2], author = f[3], initials = (first or "?") .. (second or ""), age = age(f[4]),
      refs = f[5]:gsub("HEAD %-> ", ""), parent = f[6]:match "^%S+", merge = f[6]:find " " ~= nil, subject = f[7],
      message = f[8] ~= "" and f[7] .. "\n\n" .. f[8]:gsub("%s+$", "") or f[7],
    }
  end)
  git.byHash = {}
  for number, commit in ipairs(git.commits) do
    git.byHash[commit.hash] = commit
    commit.number, commit.unpushed = number, git.upstream == nil or number <= git.ahead
  end
end

local function readStashes()
  local out = git.stashed > 0 and git.read("stash", "list", "--format=%gd%x1f%H%x1f%ct%x1f%gs%x1e")
  git.stashes = records(out, function(f) return { kind = "stash", id = f[1], hash = f[2], age = age(f[3]), name = f[4] } end)
end

--- Reads what has changed since the last time; everything, where `all` says so.
function git.refresh(all)
  if all then git.status, git.refs = nil, nil end
  git.root = git.root or (git.read("rev-parse", "--show-toplevel") or ""):match "[^\n]+"
  if not git.root then error("this folder is in no git repository", 0) end
  local changed = readStatus()
  local moved = readRefs() or git.at ~= git.head or git.read_limit ~= git.limit
  if moved then readCommits() end
  if changed or moved then readStashes() end
  git.at, git.read_limit = git.head, git.limit
  local going = git.read("rev-parse", "--revs-only", "--symbolic", "MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
  local was = git.going
  git.going = ((going or ""):match "^(%u+)" or ""):lower():gsub("^cherry$", "cherry-pick")
  git.going = git.going ~= "" and git.going or nil
  if changed or moved or was ~= git.going then app:rebuild() end
end

--- The tree of the index, or nil while there are conflicts.
function git.index() return (git.read "write-tree" or ""):match "%x+" end

--- Keeps what files hold now, untracked ones too, as a tree in the repository.
function git.keep(paths)
  local env = { GIT_INDEX_FILE = (git.read("rev-parse", "--absolute-git-dir"):match "[^\n]+") .. "/menuctl-index" }
  local function run(arguments, input) return assert(exec("git", command(arguments), { env = env, input = input })).out end
  run { "read-tree", "--empty" }
  run({ "update-index", "--add", "--remove", "-z", "--stdin" }, table.concat(paths, "\0") .. "\0")
  return run { "write-tree" }:match "%x+"
end

--- The arguments that show a row: the diff of a file, a commit, a stash, or the log of a branch.
function git.showing(row, colour)
  colour = colour or "--color=always"
  if row.kind == "file" then
    if row.new then return { "diff", colour, "--no-index", "--", "/dev/null", row.path } end
    if row.unstaged then return { "diff", colour, "--", row.path } end
    return { "diff", colour, "--cached", "--", row.path }
  end
  if row.kind == "commit" then return { "show", colour, "--stat", "-p", row.hash } end
  if row.kind == "stash" then return { "stash", "show", colour, "--stat", "-p", row.id } end
  local format = "%C(yellow)%h%C(auto)%d %Creset%s %C(blue)%an%Creset %C(dim)%ar%Creset"
  return { "log", colour, "--graph", "-n", "300", "--format=" .. format, row.id }
end

function git.show(row, add) exec("git", command(git.showing(row)), { line = add }) end

--- The part of a file's diff that has these lines; a hunk's first line means all of it. `back` makes it one for `apply -R`.
function git.patch(file, numbers, back)
  local wanted, patch, hunk, whole, changes, some = {}, {}, nil, false, false, false
  for _, number in ipairs(numbers) do wanted[number] = true end
  local function close()
    some = some or changes
    if hunk and changes then table.move(hunk, 1, #hunk, #patch + 1, patch) end
  end
  for number, line in ipairs(lines(git.read(table.unpack(git.showing(file, "--no-color"))))) do
    local sign = line:sub(1, 1)
    if line:find "^@@" then
      close()
      hunk, whole, changes = {}, wanted[number] == true, false
    elseif hunk and (sign == "+" or sign == "-") then
      if whole or wanted[number] then changes = true
      elseif (sign == "-") == (back == true) then line = nil
      else line = " " .. line:sub(2) end
    end
    local into = hunk or patch
    into[#into + 1] = line
  end
  close()
  return some and table.concat(patch, "\n") .. "\n" or nil
end

return git
