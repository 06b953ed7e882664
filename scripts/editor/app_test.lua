subject "app.lua"

local buffer, panel = app:find("buffer"), app:find("panel")

-- A disk of the test's own, a text for each file: so these tests need no capability.
local files

before_each(function()
  files = { ["notes.txt"] = "one\ntwo\n" }
  disk = {
    read = function(path) return files[path], path .. ": No such file or directory" end,
    write = function(path, content)
      files[path] = content
      return true
    end,
  }
end)

local function write(text) return app:perform("type", { text = text }) end

describe("the buffer", function()
  test("takes what is typed, one step of undo for all of it", function(app)
    write("a")
    write("b")
    expect(buffer.text):is("ab")
    expect(app:item("Edit/Undo").title):is("Undo Typing")
    app:press("ctrl+z")
    expect(buffer.text):is("")
    app:press("ctrl+y")
    expect(buffer.text):is("ab")
  end)

  test("is cut and pasted", function(app)
    write("one two")
    app:perform("select(from: 1, to: 4)")
    expect(app:press("ctrl+x").result):is("one ")
    app:press("ctrl+end")
    app:press("ctrl+v")
    expect(buffer.text):is("twoone ")
    app:press("ctrl+z")
    app:press("ctrl+z")
    expect(buffer.text):is("one two")
  end)

  test("is shown with blanks for tabs", function(app)
    write("all:\n\techo")
    expect(app:panel().children[3].title):is("    echo▏")
  end)

  test("says what is missing", function(app)
    expect(app:item("Edit/Cut").reason):is("select something first")
    expect(app:item("Edit/Paste").reason):is("cut or copy something first")
    expect(app:item("Edit/Select All").reason):is("there is no text")
    expect(app:item("Find/Find Next").reason):is("say what to find first")
    expect(app:perform("select(from: 2, to: 9)").reason):is("there is no such part of the text")
  end)
end)

describe("the keyboard", function()
  local function typed(keys)
    for key in keys:gmatch("%S+") do app:press(key) end
    return buffer.text
  end

  test("writes what is typed, where the cursor is", function(app)
    expect(typed("shift+h i space enter + \" \\ tab")):is("Hi \n+\"\\  ")
    expect(typed("home x")):is("Hi \nx+\"\\  ")
    expect(typed("up end backspace ! left left delete")):is("H!\nx+\"\\  ")
    app:undo()
    expect(buffer.text):is("Hi!\nx+\"\\  ")
  end)

  test("moves over lines and letters of any script, and selects with shift", function(app)
    write("grün\nab\n\nlang")
    expect(app:press("up").result):is("line 3, column 1")
    app:press("ctrl+home")
    app:press("end")
    expect(app:press("down").result):is("line 2, column 3")
    app:press("ctrl+home")
    for _ = 1, 3 do app:press("right") end
    expect(app:press("shift+left").result):is("line 1, column 3")
    expect(app:press("ctrl+c").result):is("ü")
    expect(app:press("shift+down").status):is("handled")
    expect(typed("x")):is("grüx\n\nlang")
    expect(app:perform("erase(by: forth)").status):is("handled")
    expect(app:press("ctrl+end").result):is("line 2, column 5")
    expect(app:perform("erase(by: forth)").reason):is("there is nothing to erase there")
  end)

  test("goes to the line whose row becomes the current one, which is ticked", function(app)
    write("a\nb\nc")
    app:choose("line 2")
    expect(typed("x")):is("a\nxb\nc")
    expect(app:panel().children[3].state):is("on")
    expect(app:press("ctrl+k ctrl+k").status):is("handled")
    expect(buffer.text):is("a\nc")
  end)
end)

describe("all of a text", function()
  test("gets another in its place, in one step", function(app)
    write("one two one")
    expect(app:press("ctrl+r").asks.arguments[1].title):is("What")
    expect(app:perform("replace(what: one, with: uno)").result):is("2 replaced")
    expect(buffer.text):is("uno two uno")
    app:undo()
    expect(buffer.text):is("one two one")
    expect(app:perform("replace(what: three)").reason):is("there is no 'three'")
  end)
end)

describe("a file", function()
  test("is opened, changed and saved", function(app)
    expect(app:item("File/Save").reason):is("it has no file yet; save it as one")
    expect(app:perform("open(path: notes.txt)").result):is("notes.txt")
    expect(app:panel().children[1].title):is("notes.txt")
    expect(app:item("File/Save").reason):is("it is saved")
    app:press("x")
    expect(app:panel().children[1].title):is("notes.txt, not saved")
    expect(app:pick("File/Open…", { args = { path = "none" } }).asks.confirm):is("What was written is not saved. Leave it?")
    expect(app:press("ctrl+q").asks.confirm):is("What was written is not saved. Leave it?")
    app:press("ctrl+f")
    expect(app:press("ctrl+q").status):is("asks")
    app:press("esc")
    expect(app:press("ctrl+s").result):is("notes.txt")
    expect(files["notes.txt"]):is("xone\ntwo\n")
    expect(app:perform("save_as(path: other.txt)").result):is("other.txt")
    expect(app:perform("open(path: none)").reason):is("none: No such file or directory")
  end)
end)

describe("the panel", function()
  before_each(function(app)
    write("the old pier and the new one")
    app:press("ctrl+f")
  end)

  test("takes what is typed while it is open", function(app)
    write("the")
    expect(panel.wanted):is("the")
    expect(app:perform("cut").status):is("unhandled")
    expect(buffer:perform("cut").status):is("blocked")
    expect(app:item("Find/Find…").reason):contains("modal session on 'panel'")
    expect(app:press("n").result):is("Find: then▏")
    app:press("backspace")
    expect(panel.wanted):is("the")
    app:press("ctrl+u")
    expect(panel.wanted):is("")
  end)

  test("finds when it is closed by enter, and the next, and the one before", function(app)
    write("the")
    expect(app:press("enter").result):is("line 1, column 4")
    expect(app:press("ctrl+g").result):is("line 1, column 21")
    expect(app:pick("Find/Find Next", { shift = true }).result):is("line 1, column 4")
    expect(app:press("ctrl+c").result):is("the")
  end)

  test("leaves everything as it was when it is closed by esc", function(app)
    write("no")
    app:press("esc")
    expect(app:chain()[1]):is("buffer")
    expect(app:item("Find/Find Next").reason):is("there is no 'no' there")
  end)
end)
