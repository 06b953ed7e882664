-- Reads a git repository: what is changed, its branches, commits and stashes; and runs git for those who change it.
-- Commands that only read leave no lock and no line in the log.

local git = {
  folder = app.settings.folder or ".", limit = 300, files = {}, branches = {}, remotes = {}, tags = {}, commits = {}, shown = {}, stashes = {},
  byHash = {}, worktrees = {}, said = {}, staged = 0, unstaged = 0, conflicts = 0, ahead = 0, behind = 0,
}

-- Settings of the user that would change what git prints for this module, or what its commands do.
local settings = "color.ui=false core.quotePath=true diff.noprefix=false diff.mnemonicPrefix=false diff.suppressBlankEmpty=false "
  .. "log.showSignature=false log.showRoot=true i18n.logOutputEncoding=UTF-8 apply.whitespace=nowarn apply.ignoreWhitespace=no "
  .. "rebase.updateRefs=false push.default=upstream"
local patch = { "--no-ext-diff", "--no-textconv", "--submodule=short", "-U3", "--src-prefix=a/", "--dst-prefix=b/" }

-- What follows "--" are names: git takes them literally, and not as patterns.
local function command(arguments)
  local all = { "--no-optional-locks", "-C", git.root or git.folder }
  for setting in settings:gmatch "%S+" do table.move({ "-c", setting }, 1, 2, #all + 1, all) end
  for _, each in ipairs(arguments) do if each == "--" then all[#all + 1] = "--literal-pathspecs" break end end
  return table.move(arguments, 1, #arguments, #all + 1, all)
end

--- What git writes, or nil. Its words are English here, so that they can be read.
function git.read(...)
  local result = assert(exec("git", command { ... }, { env = { LC_ALL = "C" } }))
  return result.status == 0 and result.out or nil
end

local function say(text, replaces)
  if #git.said > 5000 then git.said = table.move(git.said, 4001, #git.said, 1, {}) end
  git.said[replaces and #git.said or #git.said + 1] = text
  app:rebuild "said"
end

--- Runs git for an action; each line goes into the log as it comes. Returns what git says last, or nil and why it failed: what git
--- complains of, else the first line about an error, else the first line, as hooks say what they want. Conflicts are no failure.
function git.run(arguments, input)
  say { span("git ", "quiet"), span(table.concat(arguments, " "):gsub("\n.*", " …"), "accent") }
  local first, last, complaint, wrong
  local function line(text, _, replaces)
    text = text:gsub("\27%[[%d;]*%a", ""):gsub("\t", "  ")
    say(span("  " .. text, "quiet"), replaces)
    last = text:find "^%S" and text or last
    if not text:find "^Created autostash" and not text:find "^Rebasing %(" then first = first or text:match "%S.*" end
    wrong = wrong or (text:lower():find "error" or text:lower():find "fail") and text
    complaint = complaint or text:match "^fatal: (.*)" or text:match "^error: (.*)" or text:match "^CONFLICT.*"
    local done = text:match "(%d+)%%"
    if done then progress(math.min(1, done / 100), text:match "^(.-):" or arguments[1]) end
  end
  local env, known = arguments.env or {}, git.conflicts
  env.GIT_TERMINAL_PROMPT, env.GIT_EDITOR, env.GIT_SEQUENCE_EDITOR = 0, env.GIT_EDITOR or "true", env.GIT_SEQUENCE_EDITOR or "true"
  local result = assert(exec("git", command(arguments), { input = input, line = line, env = env }))
  if result.status == 0 then return last end
  local problem = complaint or wrong or first or "git failed"
  say(span("  " .. problem, "error"))
  git.refresh()
  if git.conflicts == 0 or known > 0 then return nil, problem end
  return "conflicts in " .. git.conflicts .. (git.conflicts == 1 and " file" or " files") .. ": solve them, then Continue"
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

--- A name that may have any bytes, as a text: escaped as git itself escapes it.
function git.text(name)
  if utf8.len(name) and not name:find "%c" and not name:find "\xC2[\x80-\x9F]" then return name end
  return (name:gsub("[%c\\\x80-\xFF]", function(byte) return ("\\%03o"):format(byte:byte()) end))
end

--- The same as the id of a row, which has 256 bytes at most: of a longer name the end.
function git.id(name)
  local text = git.text(name)
  return #text <= 250 and text or "…" .. text:sub(-240):gsub("^[\x80-\xBF]+", "")
end

local function readFile(kind, state, rest, part)
  local index, work = state:sub(1, 1), state:sub(2, 2)
  if kind == "1" and index ~= "." and work ~= "." then -- What is staged of it and what isn't have a row each.
    readFile(kind, "." .. work, rest)
    return readFile(kind, index .. ".", rest, true)
  end
  local path = kind == "?" and rest or rest:match("^" .. ("%S+ "):rep(kind == "u" and 8 or 6) .. "(.*)")
  local file = { kind = "file", id = path, path = path, shown = git.text(path), index = index, work = work, new = kind == "?", conflict = kind == "u", part = part }
  file.staged, file.unstaged = kind == "1" and index ~= ".", work ~= "."
  for field, counter in pairs { staged = "staged", unstaged = "unstaged", conflict = "conflicts" } do
    if file[field] then git[counter] = git[counter] + 1 end
  end
  if git.files[path] then file.id = path .. (part and " (staged)" or " (new)") end
  git.files[#git.files + 1], git.files[path] = file, file
end

local function readStatus()
  local out = git.read("status", "--porcelain=v2", "--branch", "--ahead-behind", "--show-stash", "--no-renames", "-uall", "-z")
  if not out then error("git can't read the status of " .. git.root, 0) end
  if out == git.status then return false end
  git.status, git.files, git.head, git.branch, git.upstream = out, {}, nil, nil, nil
  git.ahead, git.behind, git.stashed, git.staged, git.unstaged, git.conflicts = 0, 0, 0, 0, 0, 0
  for line in out:gmatch "[^\0]+" do
    local name, value = line:match "^# (%S+) (.*)"
    if name == "branch.oid" then git.head = value ~= "(initial)" and value or nil
    elseif name == "branch.head" then git.branch = value ~= "(detached)" and value or nil
    elseif name == "branch.upstream" then git.upstream = value
    elseif name == "branch.ab" then git.ahead, git.behind = math.tointeger(value:match "%+(%d+)"), math.tointeger(value:match "%-(%d+)")
    elseif name == "stash" then git.stashed = tonumber(value)
    elseif line:find "^%?" then readFile("?", "??", line:sub(3))
    elseif not name then readFile(line:match "^([1u]) (%S+) (.*)") end
  end
  table.sort(git.files, function(a, b) return a.path < b.path or a.path == b.path and a.staged and not b.staged end)
  return true
end

local function readRefs()
  local format = "%(HEAD)%1f%(refname)%1f%(refname:lstrip=2)%1f%(objectname)%1f%(upstream:short)%1f%(upstream:track,nobracket)"
    .. "%1f%(creatordate:unix)%1e"
  local out = git.read("for-each-ref", "--sort=-creatordate", "--format=" .. format, "refs/heads", "refs/remotes", "refs/tags")
  if out == git.refs then return false end
  git.refs, git.branches, git.remotes, git.tags = out, {}, {}, {}
  local lists = { heads = { git.branches, "branch" }, remotes = { git.remotes, "remote" }, tags = { git.tags, "tag" } }
  records(out, function(f)
    local list = lists[f[2]:match "^refs/(%a+)"]
    if f[2]:find "/HEAD$" then return end
    table.insert(list[1], f[1] == "*" and 1 or #list[1] + 1, {
      kind = list[2], remote = list[2] == "remote", id = f[2], name = f[3], hash = f[4], head = f[1] == "*", upstream = f[5] ~= "" and f[5] or nil, age = age(f[7]),
      gone = f[6] == "gone", ahead = tonumber(f[6]:match "ahead (%d+)") or 0, behind = tonumber(f[6]:match "behind (%d+)") or 0,
    })
  end)
  return true
end

-- The worktrees, where there are others than this one.
local function readWorktrees()
  git.worktrees = {}
  for path, more in ((git.read("worktree", "list", "--porcelain") or "") .. "\n"):gmatch "worktree ([^\n]+)\n(.-)\n\n" do
    git.worktrees[#git.worktrees + 1] = { kind = "worktree", id = "worktree " .. path, path = path, shown = git.text(path), name = path:match "[^/]+$",
      here = path == git.root, hash = more:match "HEAD (%x+)", branch = more:match "branch refs/heads/([^\n]+)" }
  end
  if #git.worktrees == 1 then git.worktrees = {} end
end

-- The graph beside the commits. Each lane waits for the commit whose hash it has, and has a colour of its own.
local function drawGraph(commits)
  local lanes, drawn = {}, {}
  for _, commit in ipairs(commits) do
    local signs, first, last = {}, nil, nil
    local function find(hash, from)
      for n = from or 1, #lanes do if lanes[n] == hash and (hash or not signs[n]) then return n end end
    end
    local at = find(commit.hash) or find(false) or #lanes + 1
    local function join(n, sign) signs[n], first, last = sign, math.min(first or at, n), math.max(last or at, n) end
    join(at, commit.merge and "◎" or "●")
    for n = 1, #lanes do
      if n ~= at and lanes[n] == commit.hash then
        join(n, "╯")
        lanes[n] = false
      elseif n ~= at and lanes[n] then signs[n] = "│" end
    end
    lanes[at] = commit.parents[1] or false
    for number = 2, #commit.parents do
      local known = find(commit.parents[number])
      local n = known or find(false, at + 1) or #lanes + 1
      join(n, not known and "╮" or n < at and "├" or "┤")
      lanes[n] = commit.parents[number]
    end
    local line = ""
    for n = 1, math.max(#lanes, last) do
      local inside = n > first and n < last
      local sign = inside and (signs[n] == "│" and "┼" or signs[n] or "─") or signs[n] or " "
      line = line .. "\27[3" .. (n + 4) % 6 + 1 .. "m" .. sign .. (n >= first and n < last and "─" or n < #lanes and " " or "")
    end
    drawn[line] = drawn[line] or ansi(line)
    commit.graph = drawn[line]
    while #lanes > 0 and not lanes[#lanes] do lanes[#lanes] = nil end
  end
end

local authors = {} -- Initials, in one of six colours for each name.

-- The commits of a branch, with the numbers of those that its upstream lacks.
local function readCommits(of, unpushed)
  local out = of and git.read("log", "-n", git.limit, "--format=%H%x1f%h%x1f%an%x1f%at%x1f%D%x1f%P%x1f%s%x1f%b%x1e", of)
  local byHash, number = {}, 0
  local commits = records(out, function(f)
    number = number + 1
    authors[f[3]] = authors[f[3]] or ansi("\27[3" .. (#f[3] + f[3]:byte(-1)) % 6 + 1 .. "m" .. f[3]:gsub("^(%S)%S*%s*(%S?).*", "%1%2"))
    local parents = {}
    for hash in f[6]:gmatch "%S+" do parents[#parents + 1] = hash end
    byHash[f[1]] = {
      kind = "commit", id = f[1], hash = f[1], short = f[2], initials = authors[f[3]], age = age(f[4]),
      refs = f[5]:gsub("HEAD %-> ", ""), parents = parents, parent = parents[1], merge = #parents > 1, subject = f[7],
      message = f[8] ~= "" and f[7] .. "\n\n" .. f[8]:gsub("%s+$", "") or f[7], unpushed = number <= unpushed,
    }
    return byHash[f[1]]
  end)
  drawGraph(commits)
  return commits, byHash
end

local function readStashes()
  local out = git.stashed > 0 and git.read("stash", "list", "--format=%gd%x1f%H%x1f%ct%x1f%gs%x1e")
  git.stashes = records(out, function(f) return { kind = "stash", at = f[1], id = f[2], hash = f[2], age = age(f[3]), name = f[4] } end)
end

-- What the repository is in the middle of: a merge, a rebase, a cherry-pick or a revert.
local function readGoing()
  local heads = git.read("log", "--no-walk", "--source", "--format=%S", "--ignore-missing", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
  local was, found = git.going, (heads or ""):match "([%u_]+)_HEAD"
  if not git.branch and git.read("branch", "--list"):find "rebasing" then found = "REBASE" end
  git.going = found and found:lower():gsub("_", "-") or nil
  git.begun = git.going and git.begun
  return was ~= git.going
end

local function place() return (git.head or "") .. git.limit .. (git.of and git.of.id or "") end

--- Reads what has changed since the last time; everything, where `all` says so.
function git.refresh(all)
  if all then git.status, git.refs, git.at = nil, nil, nil end
  git.root = git.root or (git.read("rev-parse", "--show-toplevel") or ""):match "[^\n]+"
  if not git.root then return app:rebuild() end
  local status = readStatus()
  if status then app:rebuild() end
  local going = readGoing()
  local moved = readRefs() or git.at ~= place()
  if moved then
    if git.of and git.of.id == "refs/heads/" .. (git.branch or "") then git.of = nil end
    git.commits, git.byHash = readCommits(git.head, git.upstream and git.ahead or math.huge)
    git.shown = git.of and readCommits(git.of.id, 0) or git.commits
    if #git.shown == 0 then git.of, git.shown = nil, git.commits end
  end
  if status or moved then readStashes() end
  if moved then readWorktrees() end
  git.at = place()
  if going or status or moved then app:rebuild() end
end

function git.unfinished() return tostring(git.going) .. " is not finished" end

--- The tree of the index, or nil while there are conflicts.
function git.index() return (git.read "write-tree" or ""):match "%x+" end

--- Keeps what files hold now, untracked ones too, as a tree in the repository.
function git.keep(paths)
  local env = { GIT_INDEX_FILE = git.read("rev-parse", "--absolute-git-dir"):match "[^\n]+" .. "/menuctl-index" }
  local function run(arguments, input) return assert(exec("git", command(arguments), { env = env, input = input })).out end
  run { "read-tree", "--empty" }
  run({ "update-index", "--add", "--remove", "-z", "--stdin" }, table.concat(paths, "\0") .. "\0")
  return run { "write-tree" }:match "%x+"
end

-- The arguments that show a row: the diff of a file, a commit, a stash, or the log of a branch.
local function showing(row, colour)
  if row.kind == "file" then
    local what = row.new and { "--no-index", "--", "/dev/null", row.path } or { row.unstaged and "--patch" or "--cached", "--", row.path }
    return table.move(what, 1, #what, #patch + 3, table.move(patch, 1, #patch, 3, { "diff", colour }))
  end
  if row.kind == "commit" then return { "show", colour, "--no-ext-diff", "--stat", "-p", row.hash } end
  if row.kind == "stash" then return { "stash", "show", colour, "--no-ext-diff", "--stat", "-p", row.at } end
  return { "log", colour, "--graph", "-n", 300, "--format=%C(yellow)%h%C(auto)%d %Creset%s %C(blue)%an%Creset %C(dim)%ar",
    row.kind == "worktree" and row.hash or row.id }
end

--- Adds the lines that show a row.
function git.show(row, add) exec("git", command(showing(row, "--color=always")), { line = add }) end

--- The part of a file's diff that has these lines; a hunk's first line means all of it. `back` makes it one for `apply -R`.
function git.patch(file, numbers, back)
  local wanted, patch, hunk, whole, changes, some = {}, {}, nil, false, false, false
  for _, number in ipairs(numbers) do wanted[number] = true end
  local function close()
    some = some or changes
    if changes then table.move(hunk, 1, #hunk, #patch + 1, patch) end
  end
  for number, line in ipairs(lines(git.read(table.unpack(showing(file, "--no-color"))))) do
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

--- The patch that solves the conflict around a line of a file's diff: `ours`, `theirs` or `both` of its sides stay.
function git.solve(file, number, side)
  local head, part, at, begin, from, old, new = "", nil, nil, nil, nil, nil, nil
  for n, line in ipairs(lines(git.read(table.unpack(showing(file, "--no-color"))))) do
    local text, mark = line:sub(3), line:match "^%+%+([<=>|])%1%1%1%1%1%1"
    if not at and (line:find "^%-%-%- " or line:find "^%+%+%+ ") then head = head .. line .. "\n"
    elseif line:find "^@@@" then
      at = math.tointeger(line:match "%+(%d+)") - 1
    elseif at and not line:find "^ ?%-" then
      at = at + 1
      if mark == "<" then begin, from, old, new = n, at, {}, {} end
      if from then old[#old + 1] = "-" .. text end
      if mark then part = mark == "<" and "ours" or mark == "|" and "base" or mark == "=" and "theirs" or nil
      elseif from and part and (part == side or side == "both" and part ~= "base") then new[#new + 1] = "+" .. text end
      if mark == ">" and number >= begin and number <= n then
        return head .. ("@@ -%d,%d +%d,%d @@\n"):format(from, #old, from, #new) .. table.concat(old, "\n") .. "\n" .. table.concat(new, "\n") .. (#new > 0 and "\n" or "")
      elseif mark == ">" then from = nil end
    end
  end
end

return git
