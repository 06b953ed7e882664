-- Reads a git repository: its changed files, branches, commits and stashes. Runs git for actions that change it.
-- Commands that only read take no lock and don't appear in the log.

local git = {
  folder = app.settings.folder or ".", limit = 300, files = {}, branches = {}, remotes = {}, tags = {}, worktrees = {},
  commits = {}, shown = {}, inside = {}, folded = {}, byHash = {}, todo = {}, stashes = {}, said = {},
  staged = 0, unstaged = 0, conflicts = 0, ahead = 0, behind = 0, runs = 0,
}

-- Settings of the user that would change what git prints for this module, or what its commands do.
local settings = "-c color.ui=false -c core.quotePath=true -c diff.noprefix=false -c diff.mnemonicPrefix=false "
  .. "-c diff.suppressBlankEmpty=false -c log.showSignature=false -c log.showRoot=true -c apply.whitespace=nowarn "
  .. "-c apply.ignoreWhitespace=no -c i18n.logOutputEncoding=UTF-8 -c rebase.updateRefs=false -c push.default=upstream "
local patch = "diff --no-ext-diff --no-textconv --submodule=short -U3 -M --src-prefix=a/ --dst-prefix=b/ "
local show = "show --no-ext-diff --diff-merges=first-parent "
local inside = show .. "--format= -M "

-- Git's editors write what a command has as a setting, if it has it.
local editor = 'f() { t=$(git config "menuctl.$1"); [ -z "$t" ] || printf "%s\\n" "$t" > "$2"; }; f '
local env = { GIT_EDITOR = editor .. "text", GIT_SEQUENCE_EDITOR = editor .. "todo", GIT_TERMINAL_PROMPT = 0 }

-- The first argument is a text of several. Git takes the names after "--" literally, and not as patterns.
local function command(arguments)
  local all = { "--no-optional-locks", "-C", git.root or git.folder }
  for _, each in ipairs(arguments) do if each == "--" then all[4] = "--literal-pathspecs" end end
  for word in (settings .. arguments[1]):gmatch "%S+" do all[#all + 1] = word end
  return table.move(arguments, 2, #arguments, #all + 1, all)
end

--- Returns the output of git in English, or nil if it fails.
function git.read(...)
  local result = assert(exec("git", command { ... }, { env = { LC_ALL = "C" } }))
  return result.status == 0 and result.out or nil
end

local function say(text, replaces)
  if #git.said > 5000 then git.said = table.move(git.said, 4001, #git.said, 1, {}) end
  git.said[replaces and #git.said or #git.said + 1] = text
  app:rebuild(#git.said > 1 and "said" or nil) -- The first line shows the pane.
end

--- Runs git for an action, and logs its lines as they come. Returns the last line, or nil and why it failed: git's
--- complaint, else the first line about an error, else the first line of a hook. Conflicts are no failure.
function git.run(arguments, input)
  say { span("git ", "quiet"), span(table.concat(arguments, " "):gsub("^%-c .*\n ", ""):gsub("\n.*", " …"), "accent") }
  local first, last, complaint, wrong
  local function line(text, _, replaces)
    text = text:gsub("\27%[[%d;]*%a", ""):gsub("\t", "  ")
    say(span("  " .. text, "quiet"), replaces)
    last = text:find "^%S" and text or last
    if not text:find "^Created autostash" and not text:find "^Rebasing %(" then first = first or text:match "%S.*" end
    wrong = wrong or (text:lower():find "error" or text:lower():find "fail") and text
    complaint = complaint or text:match "^fatal: (.*)" or text:match "^error: (.*)" or text:match "^CONFLICT.*"
    local done = text:match "(%d+)%%"
    if done then progress(math.min(1, done / 100), text:match "^(.-):" or "git") end
  end
  local known = git.conflicts
  local result = assert(exec("git", command(arguments), { input = input, line = line, env = env }))
  git.runs = git.runs + 1
  if result.status == 0 then return last end
  local problem = complaint or wrong or first or "git failed"
  say(span("  " .. problem, "error"))
  git.refresh()
  if git.conflicts == 0 or known > 0 then return nil, problem end
  return git.conflicting() .. ": solve them, then Continue"
end

function git.count(number, thing) return number .. " " .. thing .. (number == 1 and "" or "s") end
--- Says how many files have conflicts, or returns false.
function git.conflicting() return git.conflicts > 0 and "conflicts in " .. git.count(git.conflicts, "file") end
-- How long ago, in few letters: "3 weeks ago" is 3w, "2 months ago" 2mo.
local function age(text) return (text:gsub("^%d+ s.*", "now"):gsub(" mo.*", "mo"):gsub(" (%a).*", "%1")) end

local function records(out, fill)
  local found = {}
  for record in (out or ""):gmatch "\n?([^\30]+)\30" do
    local fields = {}
    for field in (record .. "\31"):gmatch "(.-)\31" do fields[#fields + 1] = field end
    found[#found + 1] = fill(fields)
  end
  return found
end

--- A name of any bytes as a text, escaped as git escapes it.
function git.text(name)
  if utf8.len(name) and not name:find "%c" and not name:find "\xC2[\x80-\x9F]" then return name end
  return (name:gsub("[%c\\\x80-\xFF]", function(byte) return ("\\%03o"):format(byte:byte()) end))
end

--- A name as the id of a row, which has 256 bytes at most: the end of a longer name.
function git.id(name)
  local text = git.text(name)
  return #text <= 250 and text or "…" .. text:sub(-240):gsub("^[\x80-\xBF]+", "")
end

-- One file of the status; `old` is its name before it was renamed. A file that is staged in part gets two rows.
local function readFile(line, old)
  local kind, index, work, rest = line:gsub("^%? ", "? ?? "):match "^(%S) (.)(.) (.*)"
  local path = rest:match("^" .. ("%S+ "):rep(({ ["?"] = 0, ["1"] = 6, ["2"] = 7, u = 8 })[kind]) .. "(.*)")
  local function add(index, work, part)
    local conflict, new = kind == "u", kind == "?"
    local staged = not conflict and not new and index ~= "."
    local file = {
      kind = "file", path = path, shown = git.text(path), old = index ~= "." and old or nil, index = index, work = work,
      id = git.files[path] and path .. (part and " (staged)" or " (new)") or path, part = part, new = new,
      conflict = conflict, staged = staged, unstaged = work ~= ".", indexed = conflict or staged,
      plain = not conflict and not new and not staged, note = conflict and span("conflict", "error"),
      module = not new and rest:find "^S" ~= nil,
    }
    for field, counter in pairs { staged = "staged", unstaged = "unstaged", conflict = "conflicts" } do
      if file[field] then git[counter] = git[counter] + 1 end
    end
    git.files[#git.files + 1], git.files[path] = file, file
  end
  local isPart = (kind == "1" or kind == "2") and index ~= "." and work ~= "."
  if isPart then add(".", work) end
  add(index, isPart and "." or work, isPart)
end

-- Adds the rows of a tree: each folder, then what is below it. A folder that has only one folder shares its row.
local function addTree(rows, files, above, level)
  local first, start = 1, above and #above.path + 1 or 1
  while files[first] do
    local file, last = files[first], first
    local row, folder = file, file.path:match("^.-/().", start)
    if folder then
      local path, top = file.path:match "^(.*/).", file.path:sub(1, folder - 1)
      while files[last + 1] and files[last + 1].path:sub(1, #top) == top do last = last + 1 end
      while files[last].path:sub(1, #path) ~= path do path = path:match "^(.*/)." end
      row = { kind = file.hash and "inside" or "folder", id = path, path = path, shown = git.text(path),
        hash = file.hash, files = table.move(files, first, last, 1, {}), folded = git.folded[path] == true }
    end
    rows[#rows + 1], row.fold, row.unfold = row, row.folded == false and row or above, row.folded and row or nil
    local sign = row.folded and "▸ " or row.files and "▾ " or "  "
    row.label = ("  "):rep(level) .. sign .. git.text(row.path:sub(start))
    if row.folded == false then addTree(rows, row.files, row, level + 1) end
    first = last + 1
  end
  return rows
end

--- Returns the rows of a list. In a tree, files have rows for their folders too.
function git.rows(list)
  return git.isTree and (list == git.files or list == git.inside) and addTree({}, list, nil, 0) or list
end

local function readStatus()
  local out = git.read "status --porcelain=v2 --branch --ahead-behind --show-stash --renames -uall -z"
  if not out then error("git can't read the status of " .. git.root, 0) end
  if out == git.status then return false end
  git.status, git.files, git.staged, git.unstaged, git.conflicts = out, {}, 0, 0, 0
  local of, renamed = {}, nil
  for line in out:gmatch "[^\0]+" do
    local name, value = line:match "^# (%S+) (.*)"
    if renamed then renamed = readFile(renamed, line)
    elseif name then of[name] = value
    elseif line:find "^2" then renamed = line
    else readFile(line) end
  end
  git.head = of["branch.oid"] ~= "(initial)" and of["branch.oid"] or nil
  git.branch = of["branch.head"] ~= "(detached)" and of["branch.head"] or nil
  local ahead, behind = (of["branch.ab"] or "+0 -0"):match "%+(%d+) %-(%d+)"
  git.upstream, git.stashed, git.ahead, git.behind = of["branch.upstream"], of.stash, tonumber(ahead), tonumber(behind)
  table.sort(git.files, function(a, b) return a.path < b.path or a.path == b.path and a.staged and not b.staged end)
  return true
end

local function readRefs()
  local out = git.read("for-each-ref --sort=-creatordate refs/heads refs/remotes refs/tags --format="
    .. "%(HEAD)%1f%(refname)%1f%(refname:lstrip=2)%1f%(objectname)%1f%(upstream:short)%1f%(upstream:track,nobracket)"
    .. "%1f%(creatordate:relative)%1e")
  if out == git.refs then return false end
  git.refs, git.branches, git.remotes, git.tags = out, {}, {}, {}
  local kinds = { heads = { "branch", git.branches }, remotes = { "remote", git.remotes }, tags = { "tag", git.tags } }
  records(out, function(f)
    if f[2]:find "/HEAD$" then return end
    local kind, list = table.unpack(kinds[f[2]:match "^refs/(%a+)"])
    table.insert(list, f[1] == "*" and 1 or #list + 1, {
      kind = kind, remote = kind == "remote", id = f[2], name = f[3], hash = f[4], head = f[1] == "*", note = age(f[7]),
      upstream = f[5] ~= "" and f[5] or nil, gone = f[6] == "gone",
      ahead = tonumber(f[6]:match "ahead (%d+)") or 0, behind = tonumber(f[6]:match "behind (%d+)") or 0,
    })
  end)
  return true
end

-- The worktrees, if there are others than this one.
local function readWorktrees()
  local found, out = {}, (git.read "worktree list --porcelain" or "") .. "\n"
  for path, more in out:gmatch "worktree ([^\n]+)\n(.-)\n\n" do
    found[#found + 1] = {
      kind = "worktree", id = "worktree " .. path, path = path, shown = git.text(path), name = path:match "[^/]+$",
      head = path == git.root, hash = more:match "HEAD (%x+)", ahead = 0, behind = 0,
      branch = more:match "branch refs/heads/([^\n]+)", note = more:match "branch refs/heads/([^\n]+)",
    }
  end
  git.worktrees = #found > 1 and found or {}
end

-- The graph beside the commits. Each lane has a colour, and waits for the commit whose hash it has.
local function drawGraph(commits)
  local lanes = {}
  local function find(hash, from)
    for n = from or 1, #lanes do if lanes[n] == hash then return n end end
    return not hash and math.max(from or 1, #lanes + 1)
  end
  for _, commit in ipairs(commits) do
    local at = find(commit.hash) or find(false)
    local signs, first, last, line = {}, at, at, ""
    local function join(n, sign) signs[n], first, last = sign, math.min(first, n), math.max(last, n) end
    for n, hash in ipairs(lanes) do if hash == commit.hash then join(n, "╯") elseif hash then signs[n] = "│" end end
    join(at, commit.merge and "◎" or "●")
    for number = 2, #commit.parents do
      local known = find(commit.parents[number])
      local n = known or find(false, at + 1)
      join(n, not known and "╮" or n < at and "├" or "┤")
      lanes[n] = commit.parents[number]
    end
    lanes[at] = commit.parents[1] or false
    for n = 1, math.max(#lanes, last) do
      local inside = n > first and n < last
      local sign = inside and (signs[n] == "│" and "┼" or signs[n] or "─") or signs[n] or " "
      local after = n >= first and n < last and "─" or n < #lanes and " " or ""
      line = line .. "\27[3" .. (n + 4) % 6 + 1 .. "m" .. sign .. after
      if signs[n] == "╯" then lanes[n] = false end
    end
    commit.graph = ansi(line)
    while #lanes > 0 and not lanes[#lanes] do lanes[#lanes] = nil end
  end
end

-- The commits of a branch; its upstream lacks the first `unpushed`. Initials have one of six colours for each name.
local function readCommits(of, unpushed)
  local byHash, number, log = {}, 0, "log --format=%H%x1f%h%x1f%an%x1f%ar%x1f%D%x1f%P%x1f%s%x1f%B%x1e -n "
  local commits = records(of and git.read(log .. git.limit, of), function(f)
    number = number + 1
    local colour, letter, parents = (#f[3] + (f[3]:byte(-1) or 0)) % 6 + 1, utf8.charpattern, {}
    local initials = git.text(f[3]:match(letter) or "?") .. git.text(f[3]:match(" +(" .. letter .. ")") or "")
    for hash in f[6]:gmatch "%S+" do parents[#parents + 1] = hash end
    byHash[f[1]] = {
      kind = "commit", id = f[1], hash = f[1], short = f[2], age = age(f[4]), subject = f[7],
      initials = ansi("\27[3" .. colour .. "m" .. initials),
      refs = f[5]:gsub("^HEAD[^,]*,? ?", ""):gsub("tag: ", ""):gsub(",.*", " …"),
      parents = parents, parent = parents[1], merge = #parents > 1,
      message = f[8]:gsub("%s+$", ""), unpushed = number <= unpushed,
    }
    return byHash[f[1]]
  end)
  drawGraph(commits)
  return commits, byHash
end

local function readStashes()
  local out = git.stashed and git.read "stash list --format=%gd%x1f%H%x1f%cr%x1f%gs%x1e"
  git.stashes = records(out, function(f)
    return { kind = "stash", at = f[1], id = f[2], hash = f[2], age = age(f[3]), name = f[4] }
  end)
end

-- What is unfinished: a merge, a rebase, a cherry-pick or a revert; and the commits that a rebase has still to do.
local function readGoing()
  local unfinished = "log --no-walk --source --format=%S --ignore-missing MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD"
  local runs, found, now, plan = git.runs, (git.read(unfinished) or ""):match "([%u_]+)_HEAD", "", ""
  local rebased = not git.branch and git.read "branch --list":match "no branch, rebasing ([^)]+)" or nil
  if rebased then
    local steps = git.read "rev-parse --git-path rebase-merge/git-rebase-todo":match "[^\n]+"
    found, now = "REBASE", git.read("log -1", "--format=now %H %s", "REBASE_HEAD") or ""
    plan = git.read("interpret-trailers", steps) or "" -- It prints a file; the app can't read it elsewhere.
  end
  if git.runs ~= runs then return false end -- An action ended meanwhile, and reads what is so now.
  local was = git.going
  git.rebased, git.going = rebased, found and found:lower():gsub("_", "-") or nil
  git.begun = git.going and git.begun
  if was == git.going and now == git.now and plan == git.plan then return false end
  git.now, git.plan, git.todo = now, plan, {}
  local hashes, byHash = {}, {}
  for verb, hash, subject in ("\n" .. now .. plan):gmatch "\n(%l+) (%x+) ([^\n]*)" do
    hashes[#hashes + 1], byHash[hash] = hash, { kind = "commit", id = "step " .. hash, hash = hash, subject = subject,
      short = hash:sub(1, 7), verb = verb, now = verb == "now" }
    table.insert(git.todo, 1, byHash[hash])
  end
  local messages = hashes[1] and git.read("show -s --format=%H%x1f%B%x1e", table.unpack(hashes))
  records(messages, function(f) byHash[f[1]].message = f[2]:gsub("%s+$", "") end)
  return true
end

local function place() return (git.head or "") .. git.limit .. (git.of and git.of.id or "") end

--- Reads what has changed since the last time, or with `all` everything.
function git.refresh(all)
  if all then git.status, git.refs, git.at = nil, nil, nil end
  git.root = git.root or (git.read "rev-parse --show-toplevel" or ""):match "[^\n]+"
  if not git.root then return app:rebuild() end
  local status = readStatus()
  if status then app:rebuild() end
  local going = readGoing()
  local moved = readRefs() or git.at ~= place()
  if moved then
    if git.of and git.of.id == "refs/heads/" .. (git.branch or "") then git.of = nil end
    git.commits, git.byHash = readCommits(git.head, git.upstream and git.ahead or math.huge)
    local each = git.byHash[git.head]
    git.line = {} -- The commits from HEAD down to a merge, which a rebase would flatten.
    while each and not each.merge do
      git.line[#git.line + 1], each.place, each = each, #git.line + 1, git.byHash[each.parent or ""]
    end
    git.shown = git.of and readCommits(git.of.id, 0) or git.commits
    if #git.shown == 0 then git.of, git.shown = nil, git.commits end
  end
  if status or moved then readStashes() end
  if moved then readWorktrees() end
  git.at = place()
  local last = moved and not git.going and git.inspected
  if last and last.place then git.inspect(git.byHash[last.hash] or git.line[last.place]) end
  if going or status or moved then app:rebuild() end
end

--- The tree of the index, or nil while there are conflicts.
function git.index() return (git.read "write-tree" or ""):match "%x+" end

--- Keeps what files hold now, untracked ones too, as a tree in the repository.
function git.keep(paths)
  local env = { GIT_INDEX_FILE = git.read "rev-parse --absolute-git-dir":match "[^\n]+" .. "/menuctl-index" }
  local function run(all, input) return assert(exec("git", command(all), { env = env, input = input })).out end
  run { "read-tree --empty" }
  run({ "update-index --add --remove -z --stdin" }, table.concat(paths, "\0", 2) .. "\0")
  return run { "write-tree" }:match "%x+"
end

--- Lists the files that a commit or a stash changes. The third parent of a stash has its untracked files.
function git.inspect(row)
  git.inspected, git.inside, git.title = row, {}, row and "Files of “" .. (row.subject or row.name) .. "”"
  for number, hash in ipairs { row and row.hash, row and row.kind == "stash" and row.hash .. "^3" or nil } do
    local each, byPath = (git.read(inside .. "--raw --numstat -z", hash) or ""):gmatch "[^\0]+", {}
    for line in each do
      local letter, plus, minus, path = line:match "^:.* (%a)%d*$", line:match "^(%S+)\t(%S+)\t(.*)"
      local from = (letter == "R" or path == "") and each() or nil
      path = (letter or from) and each() or path
      local file = byPath[path] or { kind = "inside", id = path, path = path, shown = git.text(path), from = from,
        hash = hash, index = letter, work = ".", indexed = number == 1, untracked = number == 2 }
      file.note = plus == "-" and span("binary", "quiet")
        or plus and { span("+" .. plus, "added"), span(" -" .. minus, "removed") }
      if letter then git.inside[#git.inside + 1], byPath[path] = file, file end
    end
  end
  table.sort(git.inside, function(a, b) return a.path < b.path end)
  app:rebuild()
end

-- The arguments that show a row: the diff of a file, a commit, a stash, or the log of a branch.
local function showing(row, colour)
  if row.kind == "folder" then return { patch .. "HEAD " .. colour, "--", row.path } end
  if row.kind == "file" and row.new then return { patch .. "--no-index " .. colour, "--", "/dev/null", row.path } end
  local cached = row.unstaged and "" or "--cached "
  if row.kind == "file" then return { patch .. cached .. colour, "--", row.path, row.old } end
  if row.kind == "inside" then return { inside .. "-p " .. colour, row.hash, "--", row.path, row.from } end
  if row.kind == "stash" then return { "stash show --include-untracked --no-ext-diff --stat -p " .. colour, row.at } end
  if row.kind == "commit" then return { show .. "--decorate --stat -p " .. colour, row.hash } end
  local format = "--format=%C(yellow)%h%C(auto)%d %Creset%s %C(dim)%ar"
  return { "log --graph -n 300 " .. colour, format, row.kind == "worktree" and row.hash or row.id }
end

--- Adds the lines that show a row. Those of a folder begin with its files.
function git.show(row, add)
  local status = { "-c color.status=always status --short -uall", "--", row.path }
  if row.kind == "folder" then exec("git", command(status), { line = add }) end
  local shown = showing(row, "--color=always")
  shown[1] = "-c core.whitespace=cr-at-eol " .. shown[1] -- Else git's colours end the line before its end.
  exec("git", command(shown), { line = add })
end

local function diffLines(file) -- With their numbers. `lines` would take the ends of CRLF off.
  local number, each = 0, git.read(table.unpack(showing(file, "--no-color"))):gmatch "([^\n]*)\n"
  return function() number = number + 1 return each(), number end
end

--- The part of a file's diff with these lines; the first line of a hunk means all of it. `back` is for `apply -R`.
--- A part of it makes, deletes and renames no file.
function git.patch(file, numbers, back)
  local wanted, patch, hunk, whole, changes, part, gone = {}, {}, nil, false, false, file.old or file.from, 0
  for _, number in ipairs(numbers) do wanted[number] = true end
  local function close() if changes then table.move(hunk, 1, #hunk, #patch + 1, patch) end end
  for line, number in diffLines(file) do
    local sign, into = line:sub(1, 1), hunk or patch
    if line:find "^@@" then
      close()
      hunk, whole, changes = { line }, wanted[number], false
    elseif sign == "\\" and gone == number - 1 then gone = 0 -- It was about the line that is left out.
    elseif not hunk or sign ~= "+" and sign ~= "-" then into[#into + 1] = line
    elseif whole or wanted[number] then into[#into + 1], changes = line, true
    elseif (sign == "+") == (back == true) then into[#into + 1], part = " " .. line:sub(2), true
    else gone = number end
  end
  close()
  local text = table.concat(patch, "\n") .. "\n"
  local hunks = text:match "\n(@@.*)"
  local name = text:match '\n%+%+%+ ("?b/[^\n]*)' or text:match '\n%-%-%- ("?a/[^\n]*)'
  return hunks and (part and "--- " .. name .. "\n+++ " .. name .. "\n" .. hunks or text)
end

--- The patch that solves the conflict at a line of a file's diff, or below: `ours`, `theirs` or `both` sides stay.
function git.solve(file, number, side)
  local head, part, at, from, old, new = {}, nil, nil, nil, nil, nil
  for line, n in diffLines(file) do
    local mark = line:match "^%+%+([<=>|])%1%1%1%1%1%1"
    if line:find "^@@@" then at = math.tointeger(line:match "%+(%d+)") - 1
    elseif not at and line:find "^[-+][-+][-+] " then head[#head + 1] = line
    elseif at and not line:find "^ ?%-" then
      at = at + 1
      if mark == "<" then from, old, new = at, {}, {} end
      if from then old[#old + 1] = "-" .. line:sub(3) end
      if mark then part = ({ ["<"] = "ours", ["|"] = "base", ["="] = "theirs" })[mark]
      elseif from and (part == side or side == "both" and part ~= "base") then new[#new + 1] = "+" .. line:sub(3) end
      if mark == ">" and number <= n then
        head[#head + 1] = ("@@ -%d,%d +%d,%d @@"):format(from, #old, from, #new)
        table.move(new, 1, #new, #old + 1, old)
        return table.concat(table.move(old, 1, #old, #head + 1, head), "\n") .. "\n"
      elseif mark == ">" then from = nil end
    end
  end
end

return git
