subject("app.lua", { stand_ins = { watch = function() end } })

-- A disk of the test's own, a text for each file and true for each folder: so these tests need no capability.
local files

local function find(path)
  if files[path] == nil then return nil, path .. ": No such file or directory" end
  return files[path]
end

local function put(path, content)
  files[path] = content
  return true
end

local function names(folder)
  local found = {}
  for path in pairs(files) do
    if path:match("^(.*)/") == folder then found[#found + 1] = path:match("[^/]+$") end
  end
  table.sort(found)
  return found
end

before_each(function()
  files = {
    ["sample"] = true,
    ["sample/inbox"] = true,
    ["sample/inbox/gulls"] = "Gulls, many.",
    ["sample/inbox/harbour"] = "The harbour.",
    ["sample/inbox/pier"] = true,
    ["sample/inbox/pier/old"] = "The old pier.",
    ["sample/archive"] = true,
  }
  disk = {
    list = names,
    read = find,
    write = put,
    make = function(path) return put(path, true) end,
    remove = function(path) return put(path, nil) end,
    rename = function(from, to)
      local moved = {}
      for path, content in pairs(files) do
        if path == from or path:sub(1, #from + 1) == from .. "/" then moved[path] = content end
      end
      for path, content in pairs(moved) do
        files[path], files[to .. path:sub(#from + 1)] = nil, content
      end
      return true
    end,
    stat = function(path)
      local found, problem = find(path)
      if found == true then return { kind = "folder" } end
      return found and { kind = "file", size = #found }, problem
    end,
  }
end)

-- What stands in a pane as a person sees it: marked rows with a dot, the current one in brackets.
local function shown(id)
  local pane
  for _, each in ipairs(app:panel().children[1].children) do pane = each.id == id and each or pane end
  local rows = {}
  for _, row in ipairs(pane.children) do
    if row.kind == "item" then
      local title = (row.marked and "• " or "") .. row.title
      rows[#rows + 1] = row.current and "[" .. title .. "]" or title
    end
  end
  return table.concat(rows, ", ")
end

-- The titles of the areas, each with what stands at its right.
local function titles()
  local all = {}
  for _, each in ipairs(app:panel().children[1].children) do all[each.id] = each.title .. " " .. (each.subtitle or "") end
  return all
end

local function into(app, folder)
  app:choose("here/" .. folder)
  expect(app:press("right").status):is("handled")
end

describe("looking around", function()
  test("shows the folder, what is around it, and what the current row holds", function(app)
    expect(shown("here")):is("[archive/], inbox/")
    expect(shown("around")):is("")
    expect(titles().here):is("sample 1 of 2")
    expect(titles().preview):is("archive 0 names")
    into(app, "inbox")
    expect(shown("here")):is("[pier/], gulls 12 B, harbour 12 B")
    expect(shown("around")):is("archive/, [inbox/]")
    expect(app:text("preview")):is({ "· old" })
    app:choose("gulls")
    expect(app:text("preview")):is({ "Gulls, many." })
    expect(titles().here):is("sample/inbox 2 of 3")
    expect(titles().preview):is("gulls 12 B")
    app:press("x")
    expect(titles().here):is("sample/inbox 1 to move  2 of 3")
  end)

  test("leads back to the row that one came from", function(app)
    into(app, "inbox")
    into(app, "pier")
    expect(shown("here")):is("[old 13 B]")
    app:press("left")
    expect(shown("here")):is("[pier/], gulls 12 B, harbour 12 B")
    app:choose("here/gulls")
    app:press("h")
    expect(shown("here")):is("archive/, [inbox/]")
    app:press("right")
    expect(shown("here")):is("pier/, [gulls 12 B], harbour 12 B")
    app:press("left")
    expect(app:press("left").reason):is("this is the topmost folder")
  end)

  test("goes into a file, and back", function(app)
    into(app, "inbox")
    app:choose("here/gulls")
    app:press("l")
    expect(app:chain()[1]):is("preview")
    app:press("h")
    expect(app:chain()[1]):is("here")
    app:press("l")
    app:press("esc")
    expect(shown("here")):is("pier/, [gulls 12 B], harbour 12 B")
  end)

  test("shows what the current row of the folder around holds, while that has the focus", function(app)
    into(app, "inbox")
    app:choose("around/archive")
    expect(titles().preview):is("archive 0 names")
    expect(app:text("preview")):is({ "nothing is here" })
  end)

  test("goes to a folder beside the one that one is in", function(app)
    into(app, "inbox")
    app:choose("around/archive")
    app:perform("open")
    expect(shown("here")):is("")
    expect(app:press("right").reason):is("there is nothing in this folder")
  end)

  test("leaves out what begins with a dot, until that is wanted", function(app)
    files["sample/.secret"] = "x"
    app:rebuild()
    expect(shown("here")):is("[archive/], inbox/")
    app:press("shift+h")
    expect(shown("here")):is("[archive/], inbox/, .secret 1 B")
  end)

  test("shows what can't be looked at, and says why", function(app)
    files["sample/link"], files["sample/l\xE9"] = "", ""
    local stat = disk.stat
    disk.stat = function(path)
      if not utf8.len(path) then error("the path for fs.stat must be a string, not a string that is not UTF-8", 0) end
      if path == "sample/link" then error("fs.stat is not granted to 'app': a link in it leads out of the granted folder", 0) end
      return stat(path)
    end
    app:press("shift+h")
    expect(shown("here")):is("[archive/], inbox/, l\\351, link")
    app:choose("here/link")
    expect(app:text("preview")):is({ "a link in it leads out of the granted folder" })
    expect(app:press("right").reason):is("a link in it leads out of the granted folder")
    expect(app:press("d").reason):is("a link in it leads out of the granted folder")
    app:choose("here/l\\351")
    expect(app:press("r").reason):is("its name isn't UTF-8")
  end)

  test("says of a file that is no text how large it is", function(app)
    files["sample/data"] = ("\0"):rep(2048)
    app:press("shift+h")
    app:choose("here/data")
    expect(app:text("preview")):is({ "2.0 K, no text" })
  end)
end)

describe("what the disk has", function()
  test("gets another name, which is asked for, and the old one back", function(app)
    into(app, "inbox")
    local asked = app:press("r").asks.arguments[1]
    expect({ asked.title, asked.proposal }):is({ "New name", "pier" })
    expect(app:press("r", { args = { to = "gulls" } }).reason):is("“gulls” is there already")
    expect(app:press("r", { args = { to = "a/b" } }).status):is("disabled")
    expect(app:press("r", { args = { to = "jetty" } }).status):is("handled")
    expect(files["sample/inbox/jetty/old"]):is("The old pier.")
    expect(shown("here")):is("[jetty/], gulls 12 B, harbour 12 B")
    app:press("u")
    expect(files["sample/inbox/pier/old"]):is("The old pier.")
  end)

  test("grows by a folder or an empty file", function(app)
    app:press("a", { args = { name = "new/" } })
    expect(files["sample/new"]):is(true)
    app:press("a", { args = { name = "note" } })
    expect(files["sample/note"]):is("")
    expect(shown("here")):is("archive/, inbox/, new/, [note 0 B]")
    app:press("u")
    app:press("u")
    expect({ files["sample/new"] or "gone", files["sample/note"] or "gone" }):is({ "gone", "gone" })
  end)

  test("goes into the trash, and comes back with what was in it", function(app)
    into(app, "inbox")
    app:mark({ "pier", "gulls" })
    expect(app:item("File/delete").title):is("Delete 2 Files")
    expect(app:press("d").result):is("2 files put into the trash")
    expect(shown("here")):is("[harbour 12 B]")
    expect(files["sample/.trash/pier/old"]):is("The old pier.")
    app:press("u")
    expect(files["sample/inbox/pier/old"]):is("The old pier.")
    app:press("ctrl+r")
    expect(shown("here")):is("[harbour 12 B]")
    files["sample/inbox/gulls"] = "Others."
    app:press("shift+h")
    app:choose("here/gulls")
    app:press("d")
    expect(files["sample/.trash/gulls 2"]):is("Others.")
  end)

  test("moves, and back", function(app)
    expect(app:press("p").reason):is("nothing was taken: y takes to copy, x to move")
    into(app, "inbox")
    app:choose("here/gulls")
    app:press("x")
    expect(app:press("p").reason):is("“gulls” is there already")
    app:press("left")
    into(app, "archive")
    expect(app:press("p").result):is("1 file moved here")
    expect(shown("here")):is("[gulls 12 B]")
    app:press("u")
    expect(files["sample/inbox/gulls"]):is("Gulls, many.")
  end)

  test("is offered for a row", function(app)
    local titles = {}
    for _, element in ipairs(app:context_menu("entry").children) do titles[#titles + 1] = element.title end
    expect(titles):is({ "Open", "Rename…", "Take “archive”", "Cut “archive”", "Delete “archive”" })
  end)
end)

describe("copying", function()
  local function begin(app)
    into(app, "inbox")
    app:mark({ "gulls", "pier" })
    return app:perform("copy(to: sample/archive)", nil, { wait = false }).job
  end

  test("takes a folder with what is in it", function(app)
    expect(begin(app):wait().result):is("3 files copied to sample/archive")
    expect(files["sample/archive/pier/old"]):is("The old pier.")
  end)

  test("puts what was taken into the folder that one is in", function(app)
    into(app, "inbox")
    app:press("y")
    app:press("left")
    into(app, "archive")
    expect(app:press("p").result):is("2 files copied to sample/archive")
    expect(app:press("p").reason):is("“pier” is there already")
  end)

  test("says how far it is, and is not begun twice", function(app)
    local job = begin(app)
    expect(job.progress):is({ fraction = 0, text = "sample/inbox/pier" })
    app:advance(0.01)
    expect(job.progress.text):is("sample/inbox/pier/old")
    expect(app:validate("copy(to: sample/archive)").reason):is("running")
  end)

  test("is stopped, and leaves nothing", function(app)
    expect(app:press("s").reason):is("nothing is being copied")
    local job = begin(app)
    app:advance(0.02)
    expect(files["sample/archive/pier/old"]):is("The old pier.")
    expect(app:press("s").status):is("handled")
    expect(job:wait().status):is("cancelled")
    expect(names("sample/archive")):is({})
  end)

  test("is undone, and done again", function(app)
    begin(app):wait()
    app:press("u")
    expect(names("sample/archive")):is({})
    app:press("ctrl+r")
    expect(names("sample/archive")):is({ "gulls", "pier" })
  end)

  test("leaves nothing where the disk refuses something", function(app)
    disk.write = function(path)
      if path:match("old$") then return nil, "the disk is full" end
      return put(path, "half of it")
    end
    expect(begin(app):wait().reason):is("the disk is full")
    expect(names("sample/archive")):is({})
  end)

  test("puts no folder into itself, and nothing where no folder is", function(app)
    into(app, "inbox")
    expect(app:validate("copy(to: sample/inbox/pier)").reason):is("a folder can't be put into itself")
    expect(app:validate("copy(to: sample/inbox/gulls)").reason):is("“sample/inbox/gulls” is no folder")
    expect(app:validate("copy(to: sample/nowhere)").reason):is("sample/nowhere: No such file or directory")
  end)
end)
