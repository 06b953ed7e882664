subject "app.lua"

local left, right = app:find("left"), app:find("right")

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

-- What stands in a pane as a person sees it.
local function shown(pane)
  local rows, inside = {}, false
  for _, element in ipairs(app:panel().children) do
    if element.kind == "separator" then inside = false end
    if inside then
      rows[#rows + 1] = (element.state == "on" and "• " or "") .. element.title .. (element.subtitle and ", " .. element.subtitle or "")
    end
    if element.kind == "label" and element.title:match("%S+$") == app:find(pane).folder then inside = true end
  end
  return rows
end

describe("a pane", function()
  test("shows what is in its folder", function(app)
    expect(shown("left")):is({ "gulls, 12 bytes", "harbour, 12 bytes", "pier, folder" })
    expect(shown("right")):is({ "Nothing is here" })
  end)

  test("opens folders, and leads back", function(app)
    app:choose("left/pier")
    expect(app:item("File/Open").title):is("Open “pier”")
    expect(app:press("ctrl+o").status):is("handled")
    expect(shown("left")):is({ "old, 13 bytes" })
    expect(app:press("backspace").status):is("handled")
    expect(app:item("Go/Parent Folder").reason):is("this is the topmost folder")
  end)

  test("opens files: their lines stand below", function(app)
    expect(app:pick("left/gulls").status):is("handled")
    local children = app:panel().children
    expect(children[#children].title):is("Gulls, many.")
  end)

  test("has the cursor where the current row is", function(app)
    app:choose("left/harbour")
    expect(app:item("File/Copy").title):is("Copy “harbour”")
    files["sample/archive/there"] = "It."
    right.entries = nil
    app:rebuild()
    app:choose("right/there")
    expect(app:item("File/Copy").title):is("Copy “there”")
    app:press("tab")
    expect(app:item("File/Copy").title):is("Copy “harbour”")
    app:press("tab")
    expect(app:item("File/Copy").title):is("Copy “there”")
  end)

  test("marks what is meant", function(app)
    app:press("space")
    app:choose("left/pier")
    app:press("space")
    expect(shown("left")):is({ "• gulls, 12 bytes", "harbour, 12 bytes", "• pier, folder" })
    expect(app:item("File/Copy").title):is("Copy 2")
    app:press("tab")
    expect(app:item("File/Mark").reason):is("there is nothing in this folder")
  end)
end)

describe("what the disk has", function()
  test("gets another name, which is asked for, and the old one back", function(app)
    app:choose("left/pier")
    local asked = app:press("f2").asks.arguments[1]
    expect({ asked.title, asked.proposal }):is({ "New name", "pier" })
    expect(app:press("f2", { args = { to = "gulls" } }).reason):is("“gulls” is there already")
    expect(app:press("f2", { args = { to = "a/b" } }).status):is("disabled")
    expect(app:press("f2", { args = { to = "jetty" } }).status):is("handled")
    expect(files["sample/inbox/jetty/old"]):is("The old pier.")
    expect(app:item("File/Copy").title):is("Copy “jetty”")
    app:press("ctrl+z")
    expect(files["sample/inbox/pier/old"]):is("The old pier.")
  end)

  test("grows by a folder", function(app)
    app:press("f7", { args = { name = "new" } })
    expect(shown("left")):is({ "gulls, 12 bytes", "harbour, 12 bytes", "new, folder", "pier, folder" })
    app:press("ctrl+z")
    expect(files["sample/inbox/new"]):is_nil()
  end)

  test("goes when that is confirmed, and comes back with what was in it", function(app)
    app:choose("left/pier")
    expect(app:press("f8").asks.confirm):is("Delete “pier”?")
    expect(app:press("f8", { confirmed = true }).result):is("2 deleted")
    expect(shown("left")):is({ "gulls, 12 bytes", "harbour, 12 bytes" })
    app:press("ctrl+z")
    expect(files["sample/inbox/pier/old"]):is("The old pier.")
    app:press("ctrl+y")
    expect(files["sample/inbox/pier/old"]):is_nil()
  end)

  test("is offered for a row", function(app)
    local titles = {}
    for _, element in ipairs(app:context_menu("entry").children) do titles[#titles + 1] = element.title end
    expect(titles):is({ "Open “gulls”", "Mark", "Rename", "Copy “gulls”", "Delete “gulls”" })
  end)
end)

describe("copying", function()
  local function begin(app)
    for _, name in ipairs({ "left/gulls", "left/pier" }) do
      app:choose(name)
      app:press("space")
    end
    return app:perform("copy", nil, { wait = false }).job
  end

  test("takes a folder with what is in it", function(app)
    begin(app)
    expect(app:jobs()[1]:wait().result):is("3 copied to sample/archive")
    expect(shown("right")):is({ "gulls, 12 bytes", "pier, folder" })
    expect(files["sample/archive/pier/old"]):is("The old pier.")
  end)

  test("says how far it is, and is not begun twice", function(app)
    local job = begin(app)
    expect(job.progress):is({ fraction = 0, text = "sample/inbox/gulls" })
    app:advance(0.01)
    expect(job.progress.text):is("sample/inbox/pier")
    expect(shown("right")):is({ "gulls, 12 bytes" })
    expect(app:item("File/Copy").reason):is("running")
  end)

  test("is stopped, and leaves nothing", function(app)
    expect(app:press("esc").reason):is("nothing is being copied")
    local job = begin(app)
    app:advance(0.02)
    expect(files["sample/archive/gulls"]):is("Gulls, many.")
    expect(app:press("esc").status):is("handled")
    expect(job:wait().status):is("cancelled")
    expect(names("sample/archive")):is({})
  end)

  test("is undone, and done again", function(app)
    app:press("f5")
    app:press("ctrl+z")
    expect(shown("right")):is({ "Nothing is here" })
    app:press("ctrl+y")
    expect(shown("right")):is({ "gulls, 12 bytes" })
    app:press("ctrl+z")
    expect(shown("right")):is({ "Nothing is here" })
  end)

  test("leaves nothing where the disk refuses something", function(app)
    disk.write = function(path)
      if path:match("old$") then return nil, "the disk is full" end
      return put(path, "half of it")
    end
    expect(begin(app):wait().reason):is("the disk is full")
    expect(names("sample/archive")):is({})
  end)

  test("overwrites nothing, and puts no folder into itself", function(app)
    app:press("f5")
    expect(app:press("f5").reason):is("“gulls” is there already")
    right.folder = "sample/inbox"
    expect(app:item("File/Copy").reason):is("both panes show the same folder")
    app:choose("left/pier")
    right.folder = "sample/inbox/pier"
    expect(app:item("File/Copy").reason):is("a folder can't be copied into itself")
  end)
end)
