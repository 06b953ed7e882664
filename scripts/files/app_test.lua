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
    stat = function(path)
      local found, problem = find(path)
      if found == true then return { kind = "folder" } end
      return found and { kind = "file", size = #found }, problem
    end,
  }
end)

-- The rows of a pane as a person sees them.
local function shown(pane)
  local rows = {}
  for index, row in ipairs(app:menu(pane).children) do
    rows[index] = (row.state == "on" and "• " or "") .. row.title .. (row.subtitle and ", " .. row.subtitle or "")
  end
  return rows
end

describe("a pane", function()
  test("shows what is in its folder, and is called as the folder is", function(app)
    expect(app:menu("left").title):is("sample/inbox")
    expect(shown("left")):is({ "gulls, 12 bytes", "harbour, 12 bytes", "pier, folder" })
    expect(shown("right")):is({ "Nothing is here" })
  end)

  test("opens folders, and leads back", function(app)
    expect(app:press("enter").reason):is("only folders are opened")
    app:press("down down")
    expect(app:item("File/Open").title):is("Open “pier”")
    expect(app:press("enter").status):is("handled")
    expect(shown("left")):is({ "old, 13 bytes" })
    expect(app:press("backspace").status):is("handled")
    expect(app:item("Go/Parent Folder").reason):is("this is the topmost folder")
  end)

  test("ends at the first and the last entry", function(app)
    expect(app:item("Go/Previous").reason):is("this is the first one")
    app:press("down")
    app:press("down")
    expect(app:item("Go/Next").reason):is("this is the last one")
  end)

  test("marks by key and by row, in either pane", function(app)
    app:press("space")
    app:pick("left/pier")
    expect(shown("left")):is({ "• gulls, 12 bytes", "harbour, 12 bytes", "• pier, folder" })
    expect(app:item("File/Copy").title):is("Copy 2")
    app:press("tab")
    expect(app:item("File/Mark").reason):is("there is nothing in this folder")
  end)
end)

describe("copying", function()
  local function begin(app)
    for _, name in ipairs({ "left/gulls", "left/pier" }) do app:pick(name) end
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
    app:press("down")
    app:press("down")
    right.folder = "sample/inbox/pier"
    expect(app:item("File/Copy").reason):is("a folder can't be copied into itself")
  end)
end)
