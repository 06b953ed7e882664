-- Each test has a repository: `menuctl test scripts/git --allow exec=git --allow exec=sh`.
subject("app.lua", { stand_ins = { watch = function() end } })

local place

local function sh(script)
  local result = assert(exec("sh", { "-ec", "cd " .. place .. "\n" .. script }))
  if result.status ~= 0 then error(result.err, 0) end
  return (result.out:gsub("%s+$", ""))
end

local setup = [[
export GIT_CONFIG_GLOBAL=/dev/null
git init -q -b main repo && cd repo
git config user.name Ada && git config user.email ada@example.org && git config core.editor true
seq 1 20 > numbers && echo one > first && git add . && git commit -q -m First
echo two > second && git add . && git commit -q -m "Second

with a body"
]]

local function repo(script) return sh("cd repo\n" .. script) end

before_each(function(app)
  if not pcall(exec, "sh", { "-c", "true" }) or not pcall(exec, "git", { "--version" }) then
    skip "it takes --allow exec=git --allow exec=sh"
  end
  place = "/"
  place = sh [[find "${TMPDIR:-/tmp}" -maxdepth 1 -name "menuctl-git.*" -mmin +5 -exec rm -rf {} + 2>/dev/null || true
    mktemp -dt menuctl-git.XXXXXX]]
  sh(setup)
  git.folder, git.root = place .. "/repo", nil
  app:perform "refresh"
end)

-- Refreshes after what a test has changed by itself.
local function when(script)
  repo(script)
  app:perform "refresh"
end

local function status() return repo "git status --short" end
local function log() return repo "git log --format=%s" end

local function undone(before, after, what)
  expect(what()):is(after)
  expect(app:undo().status):is("handled")
  expect(what()):is(before)
  expect(app:redo().status):is("handled")
  expect(what()):is(after)
  app:undo()
  expect(what()):is(before)
  app:panel()
end

describe("files", function()
  test("may have any name", function(app)
    local long = ("long"):rep(50) .. "/" .. ("é"):rep(100)
    when([[echo 1 > "$(printf 'a\tb')"; echo 2 > "$(printf 'l\351')"; echo 4 > z; mkdir ]] .. long:match "^[^/]+"
      .. "; echo 3 > " .. long)
    local ids = {}
    for _, row in ipairs(app:panel().children[1].children[1].children[1].children) do ids[#ids + 1] = row.id end
    local cut = "files/…" .. ("long"):rep(50):sub(-39) .. "/" .. ("é"):rep(100)
    expect(ids):is { "files/a\\011b", cut, "files/l\\351", "files/z" }
    for _, id in ipairs { ids[1], ids[2], ids[4] } do
      app:choose(id)
      local shown = app:text "diff"
      expect(shown[#shown]):matches "^%+%d"
      expect(app:press("s").status):is("handled")
    end
    expect(repo "git status --short | grep -c ^A"):is "3"
  end)

  test("are staged and unstaged, and that is undone", function(app)
    when "echo more >> first; echo new > third"
    app:choose "files"
    expect(app:press("s").status):is("handled")
    undone(" M first\n?? third", "M  first\n?? third", status)
    app:choose "files/third"
    app:press "s"
    expect(app:item("File/Unstage").title):is("Unstage")
    expect(app:item("File/Stage").reason):is("it is staged already")
    app:press "s"
    undone("A  third", "?? third", function() return (status():gsub(" M first\n", "")) end)
  end)

  test("are staged all at once", function(app)
    when "echo more >> first; echo new > third; rm second"
    app:press "a"
    undone(" M first\n D second\n?? third", "M  first\nD  second\nA  third", status)
  end)

  test("that are marked are meant", function(app)
    when "echo more >> first; echo new > third; echo 4 > fourth"
    app:mark({ "files/first", "files/third" })
    expect(app:validate("stage").title):is("Stage 2 Files")
    app:press "s"
    expect(status()):is("M  first\nA  third\n?? fourth")
  end)

  test("are discarded after a question, and come back", function(app)
    when "echo more >> first; git add first; echo again >> first; echo new > third; rm second"
    app:mark({ "files/first", "files/first (staged)", "files/second", "files/third" })
    expect(app:press("d").asks.confirm):is("Discard 4 Files?")
    app:press("d", { confirmed = true })
    undone("MM first\n D second\n?? third", "", status)
    expect(repo "cat first third"):is("one\nmore\nagain\nnew")
  end)
  test("have a row for what is staged of them, and one for the rest", function(app)
    when "sed -i 's/^3$/three/' numbers; git add .; sed -i 's/^17$/seventeen/' numbers"
    app:choose "files/numbers (staged)"
    expect(app:text("diff")):contains("+three")
    expect(app:validate("discard").reason):is("discard what isn't staged of it first")
    expect(app:validate("stage").reason):is("it is staged already")
    app:choose "diff"
    app:perform "next_hunk"
    app:press "s"
    undone("MM numbers", " M numbers", status)
    app:choose "files/numbers"
    expect(app:text("diff")):contains("+seventeen")
    app:press("d", { confirmed = true })
    undone("MM numbers", "M  numbers", status)
  end)

  test("are a tree of folders too, which stand for what is below them", function(app)
    local made = "mkdir -p a/b/c d/e; for f in a/b/c/1 a/b/c/2 d/3 d/e/4 top; do echo $f > $f; done"
    when(made .. "; git add a/b/c/1; git mv second d/second")
    app:press "`"
    local function titles()
      local found = {}
      local pane = app:panel().children[1].children[1].children[1]
      for number, row in ipairs(pane.children) do found[number] = row.title end
      return found
    end
    expect(titles()):is { "▾ a/b/c/", "A 1", "?? 2", "▾ d/", "?? 3", "▾ e/", "?? 4", "R second ← second", "?? top" }
    app:choose "files/d/"
    expect(app:text("diff")):contains("?? d/e/4")
    expect(app:validate("edit").reason):is("this is no file")
    expect(app:validate("stage").title):is_nil()
    app:press "s"
    undone("A  a/b/c/1\nR  second -> d/second\n?? a/b/c/2\n?? d/3\n?? d/e/\n?? top",
      "A  a/b/c/1\nA  d/3\nA  d/e/4\nR  second -> d/second\n?? a/b/c/2\n?? top", status)
    app:choose "files/d/e/4"
    app:press "left"
    expect(titles()[6]):is("▸ e/")
    app:press "left"
    expect(titles()):is { "▾ a/b/c/", "A 1", "?? 2", "▸ d/", "?? top" }
    app:pick "files/d/"
    expect(titles()[6]):is("▸ e/")
    expect(app:press("d", { confirmed = true }).status):is("handled")
    undone("A  a/b/c/1\nR  second -> d/second\n?? a/b/c/2\n?? d/3\n?? d/e/\n?? top", "A  a/b/c/1\n?? a/b/c/2\n?? top",
      status)
    app:press "`"
    expect(app:press("left").reason):is("it is no folder")
    when "git add .; git commit -qm Third"
    app:press "`"
    app:choose("commits/" .. git.head)
    app:perform "inspect"
    app:choose "inside/a/b/c/"
    expect(app:text("diff")):contains("+a/b/c/2")
    app:press("d", { confirmed = true })
    expect(repo "git ls-files a | wc -l"):is("0")
    app:press "`"
  end)

  test("with conflict markers are staged after a question", function(app)
    when [[git switch -q -c topic; echo theirs > first; git commit -qam T; git switch -q main; echo ours > first
      git commit -qam O; git merge topic || true]]
    app:choose "files/first"
    expect(app:press("s").reason):is("“first” still has conflict markers")
    app:answer(false)
    expect(app:press("a").reason):is("“first” still has conflict markers")
    app:answer(true)
    expect(app:press("s").status):is("handled")
    expect(status()):is("M  first")
  end)

  test("of a submodule are discarded there", function(app)
    when [[git init -q sub; git -C sub -c user.name=A -c user.email=a commit -q --allow-empty -m S
      git submodule --quiet add ./sub; git commit -qm Sub
      git -C sub -c user.name=A -c user.email=a commit -q --allow-empty -m T]]
    app:choose "files/sub"
    expect(app:press("d").reason):is("a submodule has a repository of its own: discard there")
    app:press "s"
    undone(" M sub", "M  sub", status)
  end)

  test("are meant by their names, which are no patterns", function(app)
    when [[echo 1 > 'file[1]'; echo 1 > file1; git add .; git commit -qm Files; echo 2 >> 'file[1]'
      echo precious >> file1]]
    app:choose "files/file[1]"
    app:press("d", { confirmed = true })
    undone(" M file1\n M file[1]", " M file1", status)
    expect(repo "cat file1"):is("1\nprecious")
  end)

end)

test("a renamed file has one row", function(app)
  when "git mv first 'the first'; mkdir d; git mv second d/second; echo more >> d/second"
  local renamed = status()
  expect(app:item("files/the first").title):is("R first → the first")
  expect(app:item("files/d/second (staged)").title):is("R second → d/second")
  expect(app:text "diff"):contains("rename from second")
  app:mark({ "files/d/second (staged)", "files/the first" })
  app:press "s"
  undone(renamed, " D first\n D second\n?? d/\n?? \"the first\"", status)
  app:choose "files"
  app:mark({ "files/d/second", "files/d/second (staged)", "files/the first" })
  app:press("d", { confirmed = true })
  undone(renamed, "", status)
  expect(repo "cat d/second"):is("two\nmore")
end)

describe("a diff", function()
  test("stages the lines that are selected, and no others", function(app)
    when "sed -i -e 's/^3$/three/' -e 's/^17$/seventeen/' -e '18d' numbers"
    app:choose "files/numbers"
    local text = app:text "diff"
    app:choose "diff"
    for number, line in ipairs(text) do if line == "+three" then app:select("diff", number) end end
    expect(app:perform("stage").status):is("handled")
    expect(repo "git diff --cached -U0 | grep '^[-+][a-z0-9]'"):is("+three")
    app:undo()
    expect(status()):is(" M numbers")
    app:text "diff" -- It waits for the lines after the undo; then a line of the first hunk is the current one.
    app:select("diff", 10)
    expect(app:perform("next_hunk").status):is("handled")
    expect(app:press("s").status):is("handled")
    expect(repo "git diff --cached -U0 | grep '^[-+][a-z0-9]'"):is("-17\n-18\n+seventeen")
  end)

  test("keeps ends of lines, and a missing one", function(app)
    when [[printf 'a\r\nb\r\n' > crlf; printf a > end; git add .; git commit -qm Ends
      printf 'a\r\nB\r\n' > crlf; printf 'a\nb\nc' > end]]
    app:choose "files/crlf"
    expect(app:text("diff")):contains("+B")
    app:choose "diff"
    app:perform "next_hunk"
    expect(app:press("s").status):is("handled")
    app:choose "files/end"
    app:text "diff"
    app:choose "diff"
    app:select("diff", 6, 9)
    expect(app:press("s").status):is("handled")
    expect(repo "git show :crlf :end | od -An -c | tr -d ' \n'"):is([[a\r\nB\r\na\nb\n]])
  end)

  test("stages a part of a file that is new, gone or renamed", function(app)
    when [[printf '1\n2\n3\n' > new; git add new; rm numbers; git mv second 'a name'; echo 3 >> 'a name'; git add a*]]
    local function part(file, line, after)
      app:choose("files/" .. file)
      local text = app:text "diff"
      app:choose "diff"
      for number, each in ipairs(text) do if each == line then app:select("diff", number) end end
      app:press "s"
      undone("", after, function() return repo "git status --short | grep -v '^[ ADR][ D] ' || true" end)
    end
    part("new", "+2", "AM new")
    part("numbers", "-7", "MD numbers")
    part("a name", "+3", "RM second -> \"a name\"")
  end)

  test("goes on to the next hunk when one is staged", function(app)
    when "sed -i -e 's/^3$/three/' -e 's/^17$/seventeen/' numbers"
    app:choose "files/numbers"
    app:text "diff"
    app:choose "diff"
    expect(app:press("right").status):is("handled")
    expect(app:press("s").status):is("handled")
    expect(app:press("s").status):is("handled")
    expect(status()):is("M  numbers")
  end)

  test("is read and applied in spite of the user's settings", function(app)
    when [[git config diff.noprefix true; git config diff.mnemonicPrefix true; git config diff.external /bin/echo
      git config color.ui always
      git config color.diff always; git config diff.context 0; git config core.quotePath false
      git config status.relativePaths true
      git config status.aheadBehind false; git config status.showUntrackedFiles no; git config log.showSignature true
      git config log.decorate full; git config apply.whitespace error; git config diff.suppressBlankEmpty true
      sed -i -e 's/^3$/ \tthree/' -e 's/^17$/seventeen/' numbers; git switch -q -c other --track main]]
    expect(git.commits[1].subject):is("Second")
    app:choose "files/numbers"
    expect(app:text("diff")[1]):contains("diff --git a/numbers")
    app:choose "diff"
    expect(app:perform("next_hunk").status):is("handled")
    expect(app:press("s").status):is("handled")
    expect(repo "git diff --cached -U0 --no-ext-diff --no-color | grep '^[-+][a-z0-9 ]'"):is("-3\n+ \tthree")
  end)

  test("says why lines of a commit can't be staged", function(app)
    app:choose "commits"
    app:choose "diff"
    expect(app:validate("stage").reason):is("only the diff of a file has lines to stage")
  end)
end)

describe("commits", function()
  test("need something that is staged, and are taken back", function(app)
    expect(app:validate("commit").reason):is("nothing has changed")
    when "echo more >> first"
    expect(app:press("c").reason):is("1 changed file, but nothing is staged")
    when "git add ."
    expect(app:press("c").asks.arguments[1].lines):is(10)
    expect(app:perform("commit", { message = "Third\n\nWhy." }).status):is("handled")
    undone("Second\nFirst", "Third\nSecond\nFirst", log)
    expect(status()):is("M  first")
  end)

  test("are not taken back where others have gone on", function(app)
    when "echo more >> first; git add ."
    app:perform("commit", { message = "Third" })
    when "git commit -q --allow-empty -m Fourth"
    expect(app:undo().reason):contains("HEAD has moved since")
    app:perform "forget"
    expect(app:undo().reason):is("there is nothing to undo")
  end)

  test("are amended, with their message to begin with", function(app)
    expect(app:perform("amend").asks.arguments[1].proposal):is("Second\n\nwith a body")
    app:perform("amend", { message = "Other" })
    undone("Second\nFirst", "Other\nFirst", log)
  end)

  test("are dropped, joined, moved and renamed, wherever they are", function(app)
    when "for i in 3 4; do echo $i > $i; git add .; git commit -q -m $i; done"
    local function at(subject)
      for _, each in ipairs(git.commits) do if each.subject == subject then app:choose("commits/" .. each.hash) end end
    end
    local before = "4\n3\nSecond\nFirst"
    at "3"
    app:mark({ "commits/" .. git.commits[1].hash, "commits/" .. git.commits[2].hash })
    expect(app:validate("cherry_pick").title):is("Cherry-Pick 2 Commits")
    app:mark({}, "commits")
    expect(app:press("d").asks.confirm):is("Drop “" .. git.commits[2].short .. "”?")
    local function does(action, args, after)
      at "3"
      expect(app:perform(action, args).status):is("handled")
      undone(before, after, log)
    end
    does("drop", nil, "4\nSecond\nFirst")
    does("fixup", nil, "4\nSecond\nFirst")
    does("move_up", nil, "3\n4\nSecond\nFirst")
    does("move_down", nil, "4\nSecond\n3\nFirst")
    does("reword", { message = "Third" }, "4\nThird\nSecond\nFirst")
    does("revert", nil, 'Revert "3"\n' .. before)
    at "First"
    expect(app:validate("fixup").reason):is("there is no commit below it")
  end)
  test("that are marked are rewritten at once", function(app)
    when "for i in 3 4 5 6; do echo $i > $i; git add .; git commit -q -m $i; done"
    local before = "6\n5\n4\n3\nSecond\nFirst"
    local function does(action, first, last, after)
      local ids = {}
      for number = first, last do ids[#ids + 1] = "commits/" .. git.commits[number].hash end
      app:mark(ids, "commits")
      app:choose(ids[1])
      expect(app:perform(action).status):is("handled")
      undone(before, after, log)
    end
    does("drop", 2, 3, "6\n3\nSecond\nFirst")
    does("fixup", 2, 3, "6\n3\nSecond\nFirst")
    does("squash", 1, 4, "Second\nFirst")
    does("move_up", 3, 4, "6\n4\n3\n5\nSecond\nFirst")
    does("move_down", 1, 2, "4\n6\n5\n3\nSecond\nFirst")
    local function rows()
      local found = {}
      for number, row in ipairs(app:panel().children[1].children[1].children[3].children) do
        found[number] = row.title:match "● (.*) now$" .. (row.marked and "*" or "") .. (row.current and "<" or "")
      end
      return table.concat(found, " ")
    end
    app:mark({ "commits/" .. git.commits[2].hash, "commits/" .. git.commits[4].hash }, "commits")
    app:press "ctrl+k"
    expect(rows()):is "5*< 6 3* 4 Second First"
    app:press "ctrl+j"
    expect(rows()):is "6 5*< 4 3* Second First"
    app:choose("commits/" .. git.commits[3].hash)
    app:perform("reword", { message = "Four" })
    expect(rows()):is "6 5* Four< 3* Second First"
    app:press "u"
    expect(rows()):is "6 Four< Second First"
    app:undo()
    expect(rows()):is "6 5 Four< 3 Second First"
    app:undo()
    app:redo()
    expect(rows()):is "6 5 Four< 3 Second First"
    for _ = 1, 3 do app:undo() end
    app:panel()
    app:choose("commits/" .. git.commits[1].hash)
    for _ = 1, 2 do app:press "ctrl+j" end
    expect(log()):is("5\n4\n6\n3\nSecond\nFirst")
    app:undo()
    app:undo()
    app:panel()
    app:mark({ "commits/" .. git.commits[2].hash, "commits/" .. git.commits[4].hash }, "commits")
    expect(app:press("d").asks.confirm):is("Drop 2 Commits?")
    expect(app:press("d", { confirmed = true }).status):is("handled")
    undone(before, "6\n4\nSecond\nFirst", log)
    expect(app:undo_stack().redo[1]):is("Drop 2 Commits")
    app:mark({ "commits/" .. git.commits[5].hash, "commits/" .. git.commits[6].hash }, "commits")
    expect(app:validate("squash").reason):is("there is no commit below it")
  end)
  test("that conflict when they are moved leave steps", function(app)
    when "for i in 3 4; do echo $i > first; git commit -qam \"to $i\"; done; git commit -q --allow-empty -m 5"
    app:choose("commits/" .. git.commits[2].hash)
    expect(app:press("ctrl+j").result):contains("conflicts in 1 file")
    local steps = {}
    for number, step in ipairs(git.todo) do steps[number] = step.verb .. " " .. step.subject end
    expect(steps):is { "pick 5", "pick to 3", "now to 4" }
    expect(app:perform("abort", {}, { confirmed = true }).status):is("handled")
    expect(log()):is("5\nto 4\nto 3\nSecond\nFirst")
  end)

  test("that a hook refuses say why, and keep their message", function(app)
    when [[printf '#!/bin/sh\necho "lint: a.c:3: bad"; echo "(see CONTRIBUTING)"; exit 1\n' > .git/hooks/commit-msg
      chmod +x .git/hooks/commit-msg
      echo more >> first; git add .; for i in 3 4; do echo $i > $i; git add $i; git commit -q --no-verify -m $i -- $i
      done]]
    expect(app:perform("commit", { message = "Third" }).reason):is("lint: a.c:3: bad")
    expect(app:press("c").asks.arguments[1].proposal):is("Third")
    app:choose("commits/" .. git.commits[2].hash)
    expect(app:perform("reword", { message = "Other" }).reason):is("lint: a.c:3: bad")
    expect(git.going):is_nil()
    expect(log()):is("4\n3\nSecond\nFirst")
    when "rm .git/hooks/commit-msg; git add ."
    app:perform("commit", { message = "Third" })
    expect(app:perform("amend").asks.arguments[1].proposal):is("Third")
    when "echo more >> first; git add ."
    expect(app:press("c").asks.arguments[1].proposal):is_nil()
  end)

  test("of another branch are listed, and picked", function(app)
    when [[git switch -q -c topic; echo 1 > t; git add .; git commit -qm T1; echo 2 >> t; git commit -qam T2
      git switch -q main]]
    app:choose "commits"
    expect(app:press("y").reason):contains("these commits are here already")
    expect(app:press("esc").status):is("unhandled")
    app:pick "branches/refs/heads/topic"
    local pane = app:panel().children[1].children[1].children[3]
    expect({ pane.title, pane.subtitle }):is { "Commits of “topic”", "4" }
    expect(app:validate("drop").reason):is("it isn't on this branch")
    expect(app:perform("amend").asks.arguments[1].proposal):is("Second\n\nwith a body")
    app:mark({ "commits/" .. git.shown[1].hash, "commits/" .. git.shown[2].hash })
    app:press "y"
    undone("Second\nFirst", "T2\nT1\nSecond\nFirst", log)
    app:choose "commits"
    expect(app:press("esc").status):is("handled")
    expect(git.of):is_nil()
  end)

  test("have files, which are restored or left out of them", function(app)
    when [[sed -i s/^3$/three/ numbers; git mv second renamed; rm first; echo new > "it's"; echo 5 > '5 %0'; git add .
      git commit -qm Third
      echo 4 > fourth; git add .; git commit -qm Fourth]]
    app:pick("commits/" .. git.commits[2].hash)
    local pane, titles = app:panel().children[1].children[1].children[4], {}
    for number, row in ipairs(pane.children) do titles[number] = row.title end
    expect(pane.title):is "Files of “Third”"
    expect(titles):is { "A 5 %0 +1 -0", "D first +0 -1", "A it's +1 -0", "M numbers +1 -1", "R second → renamed +0 -0" }
    app:choose "inside/first"
    expect(app:text("diff")):contains("-one")
    when "rm \"it's\"; git commit -qam Rest; echo mine >> numbers"
    app:mark({ "inside/first", "inside/it's", "inside/numbers" })
    expect(app:press("c").reason):contains("first")
    app:mark({ "inside/it's", "inside/numbers" })
    expect(app:press("c").status):is("handled")
    undone(" M numbers", "A  it's", status)
    expect(repo "tail -1 numbers"):is("mine")
    app:mark({ "inside/5 %0", "inside/first", "inside/it's", "inside/renamed" }, "inside")
    when "git checkout -q numbers; git reset -q --hard HEAD^"
    expect(app:press("d").asks.confirm):is("Discard 4 Files?")
    expect(app:press("d", { confirmed = true }).status):is("handled")
    local function files() return repo "git log --format=%s --name-only -3 | tr '\n' ' '" end
    expect(#git.inside):is(1)
    undone("Fourth  fourth Third  5 %0 first it's numbers renamed Second  second",
      "Fourth  fourth Third  numbers Second  second", files)
    app:choose("commits/" .. git.commits[4].hash)
    app:perform "inspect"
    expect(app:validate("discard").reason):is("there is no commit below it")
    expect(app:press("esc").status):is("handled")
    local list = app:panel().children[1].children[1].children[3]
    expect({ list.focused, list.children[4].current }):is { true, true }
  end)

  test("have lines, which are left out of them, applied here or reverted here", function(app)
    when [[echo 1 > other; git add other; git commit -q --amend --no-edit
      sed -i -e s/^3$/three/ -e s/^17$/seventeen/ numbers; git mv second 'a name'; printf '2\n3\n' >> 'a name'
      printf '1\n2\n' > new; rm first; git add .; git commit -qm Third
      echo 4 > fourth; git add .; git commit -qm Fourth; echo mine >> other]]
    local function at(file, ...)
      app:choose("inside/" .. file)
      local text, found = app:text "diff", {}
      app:choose "diff"
      for number, line in ipairs(text) do
        for _, each in ipairs { ... } do if line == each then found[#found + 1] = number end end
      end
      app:select("diff", found[1], found[#found])
    end
    local function change() return repo "git show --format= -M -U0 HEAD^ | grep '^[-+r][a-z0-9 ]' | tr '\n' ' '" end
    app:pick("commits/" .. git.commits[2].hash)
    local before = change()
    local function removes(file, line, last, after)
      at(file, line, last)
      app:press("d", { confirmed = true })
      undone(before, after, change)
      expect(git.inspected.hash):is(git.commits[2].hash)
      expect(status()):is(" M other")
    end
    expect(before):is "rename from second rename to a name +2 +3 -one +1 +2 -3 +three -17 +seventeen"
    removes("a name", "+3", nil, "rename from second rename to a name +2 -one +1 +2 -3 +three -17 +seventeen")
    removes("new", "+1", nil, "rename from second rename to a name +2 +3 -one +2 -3 +three -17 +seventeen")
    removes("new", "+1", "+2", "rename from second rename to a name +2 +3 -one -3 +three -17 +seventeen")
    removes("first", "-one", nil, "rename from second rename to a name +2 +3 +1 +2 -3 +three -17 +seventeen")
    removes("numbers", "-3", "+three", "rename from second rename to a name +2 +3 -one +1 +2 -17 +seventeen")
    at("numbers", "-17", "+seventeen")
    expect(app:press("d").asks.confirm):is("Discard 2 lines from “Third”?")
    expect(app:validate("stage").reason):is("only the diff of a file has lines to stage")
    expect(app:press("shift+t").status):is("handled")
    undone(" M other", " M numbers\n M other", status)
    app:redo()
    expect(repo "sed -n '3p;17p' numbers"):is("three\n17")
    expect(app:press("c").status):is("handled")
    expect(status()):is(" M other")
    app:choose "inside"
    app:press "esc"
    app:choose "diff"
    expect(app:validate("revert_lines").reason):is("choose a file of a commit: enter lists them")
    app:pick("commits/" .. git.commits[1].hash)
    at("fourth", "+4")
    app:press("d", { confirmed = true })
    undone("Fourth\n\nfourth", "Fourth", function() return repo "git log -1 --format=%s --name-only" end)
    expect(status()):is(" M other")
  end)

  test("get what is staged, wherever they are", function(app)
    when "for i in 3 4; do echo $i > $i; git add .; git commit -q -m $i; done; echo more >> first; echo more >> second"
    app:choose("commits/" .. git.commits[2].hash)
    expect(app:press("shift+f").reason):is("nothing is staged")
    when [[git add first; head -c 99 /dev/zero > zeros; git add zeros; git config color.diff always
      git config diff.external /bin/echo; git config diff.noprefix true]]
    expect(app:press("shift+f").status):is("handled")
    undone("3\n\n3", "3\n\n3\nfirst\nzeros", function() return repo "git log -1 --format=%s --name-only HEAD^" end)
    app:redo()
    expect(status()):is(" M second")
    expect(log()):is("4\n3\nSecond\nFirst")
  end)

  test("are left out of a rebase that stops at them", function(app)
    when [[git switch -q -c topic; echo theirs > first; git commit -qam Topic; git switch -q main; echo ours > first
      git commit -qam Ours
      echo 3 > 3; git add .; git commit -qm Third]]
    expect(app:validate("skip").reason):is("no merge or rebase is going on")
    app:choose "branches/refs/heads/topic"
    app:press "r"
    expect(app:perform("skip").status):is("handled")
    undone("Third\nOurs\nSecond\nFirst", "Third\nTopic\nSecond\nFirst", log)
  end)

  test("are rewritten whatever the user's settings and editors are", function(app)
    when [[for i in 3 4; do echo $i > $i; git add .; git commit -q -m $i; done
      git config rebase.abbreviateCommands true
      git config rebase.autosquash true; git config rebase.missingCommitsCheck error
      git config rebase.instructionFormat '%an'
      git config core.commentChar ';'; git config core.abbrev 4; git config commit.cleanup strip
      git config rebase.updateRefs true
      git config sequence.editor false; git config core.editor false]]
    app:choose("commits/" .. git.commits[2].hash)
    app:perform("reword", { message = "#3 is third" })
    expect(log()):is("4\n#3 is third\nSecond\nFirst")
    app:choose("commits/" .. git.commits[2].hash)
    expect(app:perform("squash").status):is("handled")
    expect(repo "git log --format=%B"):is("4\n\nSecond\n\nwith a body\n\n#3 is third\n\nFirst")
  end)

  test("are not rewritten where a merge lies between", function(app)
    when [[git switch -q -c topic; git commit -q --allow-empty -m A; git switch -q main; for i in 3 4
      do echo $i > $i; git add .; git commit -q -m $i; done
      git merge -q --no-ff -m Merge topic; echo 5 > 5; git add .; git commit -q -m Fifth]]
    for _, each in ipairs(git.commits) do if each.subject == "4" then app:choose("commits/" .. each.hash) end end
    for _, action in ipairs { "drop", "reword", "fixup", "squash", "move_up", "move_down" } do
      expect(app:validate(action).reason):is("a merge lies between it and HEAD, which a rewrite would lose")
    end
    app:choose("commits/" .. git.head)
    expect(app:validate("fixup").reason):is("the commit below it is a merge")
    app:perform "drop"
    expect(repo "git log -1 --format=%s"):is("Merge")
  end)

end)

describe("branches", function()
  local function branch() return repo "git branch --show-current" end

  test("are made, switched and deleted, and that is undone", function(app)
    app:choose "branches"
    expect(app:validate("checkout").reason):is("you are on it")
    expect(app:validate("delete").reason):is("you are on main")
    expect(app:perform("new_branch(name: topic)").status):is("handled")
    undone("main", "topic", branch)
    expect(repo "git branch --format='%(refname:short)'"):is("main")
    app:redo()
    app:panel()
    app:choose "branches/refs/heads/main"
    app:perform "checkout"
    undone("topic", "main", branch)
    app:choose "branches/refs/heads/main"
    expect(app:press("s").status):is("handled")
    app:choose "branches/refs/heads/topic"
    expect(app:press("d").asks.confirm):is("Delete “topic”?")
    app:press("d", { confirmed = true })
    undone("main topic", "main", function() return (repo "git branch --format='%(refname:short)'":gsub("\n", " ")) end)
  end)

  test("are merged; what conflicts is solved and continued, or aborted", function(app)
    when [[git switch -q -c topic; echo theirs > first; git commit -qam Topic; git switch -q main; echo ours > first
      git commit -qam Ours]]
    app:choose "branches/refs/heads/topic"
    expect(app:press("shift+m").result):is("conflicts in 1 file: solve them, then Continue")
    expect(app:validate("commit").reason):is("conflicts in 1 file")
    expect(app:validate("proceed").reason):is("conflicts in 1 file")
    app:choose "files/first"
    app:perform "theirs"
    expect(app:perform("proceed").status):is("handled")
    expect(repo "cat first"):is("theirs")
    undone("Ours", "Merge branch 'topic'", function() return repo "git log -1 --format=%s" end)
    app:choose "branches/refs/heads/topic"
    app:press "shift+m"
    expect(app:perform("abort").status):is("handled")
    expect(status()):is("")
    expect(app:validate("abort").reason):is("no merge or rebase is going on")
  end)

  test("that have deleted a file with conflicts may keep it so", function(app)
    when [[git switch -q -c topic; git rm -q first; echo theirs > second; git commit -qam Topic; git switch -q main
      echo ours > first; git rm -q second; git commit -qam Ours; git merge topic || true]]
    app:mark({ "files/first", "files/second" })
    expect(app:press("t").status):is("handled")
    expect(status()):is("D  first\nA  second")
    when "git merge --abort; git merge topic || true"
    app:mark({ "files/first", "files/second" })
    app:press "o"
    expect(status()):is("")
  end)

  test("are rebased, and what conflicts is continued and undone as a whole", function(app)
    when [[git switch -q -c topic; echo theirs > first; git commit -qam Topic; git switch -q main; echo ours > first
      git commit -qam Ours]]
    app:choose "branches/refs/heads/topic"
    expect(app:press("r").result):contains("conflicts in 1 file")
    expect(app:validate("pull").reason):is("rebase is not finished")
    app:choose "files/first"
    app:perform "theirs"
    app:perform "proceed"
    undone("Ours\nSecond\nFirst", "Ours\nTopic\nSecond\nFirst", log)
    expect(repo "git branch --show-current"):is("main")
  end)

  test("that conflict are solved part by part: ours, theirs or both", function(app)
    when [[git config merge.conflictStyle diff3; git mv numbers 'num"bers'; git commit -qm Name; git switch -q -c topic
      sed -i -e 's/^3$/t3/' -e 's/^10$/t10/' -e 's/^17$/t17/' num?bers; git commit -qam Topic; git switch -q main
      sed -i -e 's/^3$/m3/' -e 's/^10$/m10/' -e 's/^17$/m17/' num?bers; git commit -qam Main]]
    app:choose "commits"
    app:choose "diff"
    expect(app:validate("both").reason):contains("only a file with conflicts has sides")
    app:choose "branches/refs/heads/topic"
    app:press "shift+m"
    app:choose "files/num\"bers"
    app:text "diff"
    app:choose "diff"
    local function solve(key, hunks)
      app:select("diff", 1)
      for _ = 1, hunks do app:perform "next_hunk" end
      return app:press(key)
    end
    app:select("diff", #app:text "diff")
    expect(app:press("o").reason):is("no conflict is here or below")
    expect(solve("t", 4).status):is("handled")
    expect(solve("o", 2).status):is("handled")
    app:text "diff"
    expect(solve("b", 2).status):is("handled")
    local function solved() return repo "sed -n '/^[mt<=>]/p' num?bers | tr '\n' ' '" end
    expect(solved()):is("m3 m10 t10 t17")
    expect(app:undo().status):is("handled")
    expect(solved()):is("m3 <<<<<<< HEAD m10 ======= t10 >>>>>>> topic t17")
    app:redo()
    app:choose "files/num\"bers"
    app:press "s"
    expect(app:perform("proceed").status):is("handled")
  end)

  test("show what a rebase has still to do", function(app)
    when [[git switch -q -c topic; for i in 1 2 3; do echo $i > first; git commit -qam "T$i" -m "with a body"; done
      git switch -q main; echo ours > first; git commit -qam Ours; git switch -q topic; git rebase main || true]]
    local shown = {}
    for number, row in ipairs(app:panel().children[1].children[1].children[3].children) do
      shown[number] = row.title:match "^%x+ (%l+ T%d)$"
    end
    expect(shown):is { "pick T3", "pick T2", "now T1" }
    expect(app:panel().children[1].children[1].children[2].subtitle):is("rebasing topic")
    app:choose("commits/" .. git.head)
    expect(app:validate("drop").reason):is("rebase is not finished")
    local steps = {}
    for number, step in ipairs(git.todo) do steps[number] = "commits/" .. step.id end
    local function todo() return repo [[sed 's/ .* / /' "$(git rev-parse --git-path rebase-merge/git-rebase-todo)"]] end
    app:choose(steps[3])
    expect(app:press("d").reason):is("it is the current step: Skip leaves it out")
    app:choose(steps[1])
    expect(app:validate("move_up").reason):is("it is so already")
    expect(app:validate("pick").reason):is("it is so already")
    expect(app:press("d", { confirmed = true }).status):is("handled")
    undone("pick T2\npick T3", "pick T2\ndrop T3", todo)
    app:mark({ steps[1], steps[2] }, "commits")
    expect(app:perform("fixup").status):is("handled")
    undone("pick T2\npick T3", "fixup T2\nfixup T3", todo)
    app:mark({}, "commits")
    app:choose(steps[2])
    expect(app:perform("move_up").status):is("handled")
    undone("pick T2\npick T3", "pick T3\npick T2", todo)
    app:choose(steps[2])
    expect(app:press("w").asks.arguments[1].proposal):is("T2\n\nwith a body")
    expect(app:perform("reword", { message = "Two%1\n\nother\n" }).status):is("handled")
    undone("pick T2\npick T3", "pick Two%1\npick T3", todo)
    app:redo()
    expect(git.todo[2].message):is("Two%1\n\nother")
    app:choose(steps[3])
    expect(app:validate("reword").reason):is("it is the current step: reword it after Continue")
    app:choose("commits/" .. git.todo[1].id)
    app:perform("drop", {}, { confirmed = true })
    app:choose "commits"
    expect(app:press("m").reason):is("conflicts in 1 file")
    app:choose "files/first"
    app:perform "theirs"
    expect(app:perform("proceed").status):is("handled")
    expect(repo "git log -1 --format='%an %B'"):is("Ada Two%1\n\nother")
    expect(log()):is("Two%1\nT1\nOurs\nSecond\nFirst")
    expect(git.todo):is {}
  end)

  test("with other versions of changed files are switched to with a stash", function(app)
    when [[git switch -q -c topic; sed -i s/^3$/three/ numbers; git commit -qam T; git switch -q main
      echo 21 >> numbers]]
    app:choose "branches/refs/heads/topic"
    expect(app:press("s").reason):is("changed files differ there")
    app:answer(true)
    expect(app:press("s").status):is("handled")
    undone("main", "topic", branch)
    expect(repo "tail -1 numbers"):is("21")
    when "git checkout -q numbers; sed -i s/^3$/drei/ numbers"
    app:choose "branches/refs/heads/topic"
    app:answer(true)
    expect(app:press("s").result):contains("conflicts in 1 file")
    expect(app:panel().children[1].children[1].children[1].subtitle):is("1 conflict")
  end)

  test("are all deleted, or none", function(app)
    when "git branch a; git branch b; git worktree add -q ../other b"
    app:choose "branches"
    app:mark({ "branches/refs/heads/a", "branches/refs/heads/b" })
    expect(app:press("d", { confirmed = true }).reason):contains("Cannot delete branch 'b'")
    expect(repo "git branch --format='%(refname:short)'"):is("a\nb\nmain")
    expect(app:undo().reason):is("there is nothing to undo")
  end)

  test("have worktrees, which are opened, made and removed", function(app)
    when "git branch topic; git worktree add -q ../other topic"
    app:choose("branches/worktree " .. place .. "/other")
    expect(app:perform("checkout").status):is("handled")
    expect(git.root):is(place .. "/other")
    expect(git.branch):is("topic")
    app:panel()
    expect(app:pick("branches/worktree " .. place .. "/repo").status):is("handled")
    expect(git.root):is(place .. "/repo")
    local function trees() return (repo "git worktree list | sed 's/.*\\///; s/ .*//'":gsub("\n", " ")) end
    app:choose("branches/worktree " .. place .. "/other")
    expect(app:press("d").asks.confirm):is("Delete “other”?")
    app:press("d", { confirmed = true })
    undone("repo other", "repo", trees)
    app:redo()
    app:panel()
    app:choose "branches/refs/heads/topic"
    expect(app:perform("worktree").asks.arguments[1].proposal):is("../topic")
    app:perform("worktree", { folder = "../third" })
    undone("repo", "repo third", trees)
    app:choose "branches/refs/heads/main"
    expect(app:validate("worktree").reason):is("you are on it")
  end)

  test("say what their remote has, and are pushed", function(app)
    expect(app:validate("push").title):is("Publish")
    expect(app:validate("pull").reason):is("main has no upstream: publish it")
    expect(app:press("shift+p").reason):contains("there is no remote")
    expect(app:perform("fetch").reason):contains("there is no remote")
    when "git init -q --bare ../far && git remote add origin ../far"
    expect(app:press("shift+p").status):is("handled")
    expect(app:validate("push").title):is_nil()
    expect(app:validate("push").reason):is("origin/main has everything")
    when "git commit -q --allow-empty -m Third"
    expect(app:press("shift+p").status):is("handled")
    when "git reset -q --hard HEAD^; git commit -q --allow-empty -m Other"
    expect(app:validate("push").reason):is("origin/main has 1 commit that you don't: pull first")
    expect(app:validate("force_push").enabled):is_true()
  end)
end)

describe("stashes", function()
  local function stashes() return repo "git stash list --format=%gs" end

  test("keep what has changed, and give it back", function(app)
    when "echo more >> first; echo new > third"
    expect(app:press("z").asks.arguments[1].key):is("name")
    app:perform("stash(name: later)")
    undone("", "On main: later", stashes)
    expect(status()):is(" M first\n?? third")
    app:redo()
    app:panel()
    app:choose "stashes"
    app:press("d", { confirmed = true })
    undone("On main: later", "", stashes)
    app:press "g"
    undone("On main: later", "", stashes)
    app:pick("stashes/" .. git.stashes[1].hash)
    expect(app:validate("discard").reason):is("it isn't on this branch")
    app:mark({ "inside/first", "inside/third" })
    app:press "c"
    undone("", "M  first\nA  third", status)
    app:press "esc"
    expect(app:why("drop_stash").enabled):is_true()
  end)
end)

test("commits have a graph beside them", function(app)
  when [[git switch -q -c topic; git commit -q --allow-empty -m A --date 2020-01-01; git switch -q main
    git commit -q --allow-empty -m B
    git merge -q --no-ff -m Merge topic; git commit -q --allow-empty -m C]]
  local graph = {}
  for number, commit in ipairs(git.commits) do
    graph[number] = app:item("commits/" .. commit.hash).title:match " A (.*) now$"
  end
  expect(graph[1]):is("● C")
  expect(graph[2]):is("◎─╮ Merge")
  when "git tag v1 HEAD~1; git branch other HEAD~1"
  expect(app:item("commits/" .. git.commits[2].hash).title):contains("◎─╮ v1 …  Merge")
  when "git commit -q --allow-empty -m Letters --author 'Émile  Zola <e@z>'"
  expect(app:item("commits/" .. git.head).title):contains(" ÉZ ● Letters")
  when [[{ printf 'commit refs/heads/main\nauthor  <e@z> 1 +0000\ncommitter \351t\351 <e@z> 1 +0000\n'
    printf 'data 6\nNobody\nfrom main^0\n'; } | git fast-import --quiet]]
  expect(app:item("commits/" .. git.head).title):contains(" ? ● Nobody")
  app:choose("commits/" .. git.commits[4].hash)
  expect(app:text("diff")[1]):contains("tag: v1, other")
  expect(graph[5]):is("●─╯ Second")
  expect(graph[6]):is("● First")
end)

test("a row is shown beside it, as git shows it", function(app)
  app:choose "commits"
  expect(app:text("diff")[1]):matches("^commit %x+")
  app:choose "branches"
  expect(app:text("diff")[1]):contains("Second")
  when "echo new > third"
  app:choose "files"
  expect(app:text("diff")):contains("+new")
end)

test("what git was told stands in the log", function(app)
  app:perform("command(words: \"tag v1\")")
  expect(app:text("said")[1]):is("git tag v1")
  expect(app:perform("command(words: nonsense)").reason):contains("nonsense")
end)

test("each repository has its own history", function(app)
  when "echo more >> first; git init -q ../other"
  app:press "a"
  git.folder, git.root = place .. "/other", nil
  app:perform "refresh"
  expect(app:undo().reason):is("there is nothing to undo")
  git.folder, git.root = place .. "/repo", nil
  app:perform "refresh"
  expect(app:undo().status):is("handled")
  expect(status()):is(" M first")
end)

test("each pane has its own keys and names", function(app)
  when "echo more >> first; git stash -q; echo more >> first"
  app:choose "diff"
  expect(app:press("n").status):is("unhandled")
  app:choose "commits"
  expect(app:item("Stash/Drop").reason):contains("drop_stash")
  expect(app:item("Commit/Drop").key):is("d")
  app:choose "stashes"
  expect(app:press("d").asks.confirm):contains("Drop “")
  expect(app:validate("drop").enabled):is_false()
end)

test("looking is no action that could be undone", function(app)
  when "echo more >> first"
  app:press "a"
  app:choose "diff"
  expect(app:perform("next_hunk").reason):is("nothing is shown")
  app:choose("commits/" .. git.head)
  app:choose "diff"
  app:press "esc"
  expect(app:panel().children[1].children[1].children[3].focused):is_true()
  for _, action in ipairs { "show", "back", "previous_hunk", "refresh", "more" } do
    expect(app:why(action).by or app:validate(action).by):is("app")
  end
  expect(app:undo_stack().undo):is { "Stage All" }
end)

test("a folder without a repository says so", function(app)
  git.folder, git.root = place, nil
  app:perform "refresh"
  expect(app:text("diff")[1]):is("this folder is in no git repository, or in a bare one")
  expect(app:press("c").reason):is("this folder is in no git repository, or in a bare one")
  expect(app:press("a").reason):is("this folder is in no git repository, or in a bare one")
  for number, each in ipairs(app:panel().children[1].children[1].children) do expect(each.hidden):is(number > 1) end
end)

describe("a plugin", function()
  test("may refuse everything that writes", function(app)
    expect(app:load_plugin "read-only.lua"):is_true()
    when "echo more >> first"
    expect(app:press("a").reason):is("this is only for reading")
    expect(app:validate("undo").reason):is("this is only for reading")
    app:choose "commits"
    expect(app:validate("drop").reason):is("this is only for reading")
    expect(app:validate("refresh").enabled):is_true()
    expect(app:perform("inspect").status):is("handled")
    expect(app:validate("restore").reason):is("this is only for reading")
    expect(app:validate("discard").reason):is("this is only for reading")
    expect(app:press("esc").status):is("handled")
    expect(app:press("`").status):is("handled")
  end)

  test("may have the rules of a team", function(app)
    expect(app:load_plugin "team.lua"):is_true()
    expect(app:validate("push").reason):is("main is pushed by the build only")
    when "echo more >> first; git add .; git switch -q -c topic"
    expect(app:validate("push").enabled):is_true()
    expect(app:perform("commit", { message = ("x"):rep(73) }).reason):is("the first line has more than 72 letters")
    expect(app:perform("commit", { message = ("x"):rep(72) .. "\n" .. ("y"):rep(99) }).status):is("handled")
  end)
end)
