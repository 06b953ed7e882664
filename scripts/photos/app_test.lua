subject "app.lua"

local grid = app:find("grid")

local function titles(stack)
  return app:undo_stack()[stack]
end

describe("without a selected photo", function()
  test("nothing can be rated, exported or deleted, and the reason says what to do", function(app)
    for _, id in ipairs({ "Image/★★★★★", "Image/Clear", "Image/Export/As JPEG", "Edit/Delete" }) do
      local found = app:item(id)
      expect(found.enabled):is_false()
      expect(found.reason):is("select a photo first")
    end
    expect(app:why("rate(rating: 1)").text):contains("could come from 'grid'")
  end)

  test("the keys of the arrows begin at either end of the library", function(app)
    expect(app:press("right").result):is("Harbour at dawn")
    expect(app:press("esc").status):is("handled")
    expect(grid.selection):is_nil()
    expect(app:press("left").result):is("Gulls")
  end)

  test("nothing can be deselected", function(app)
    expect(app:press("esc")):is({ status = "disabled", by = "grid", via = "on", reason = "nothing is selected" })
  end)
end)

describe("a selected photo", function()
  before_each(function(app) app:press("right") end)

  test("is rated by picking or by key, and its stars are ticked", function(app)
    expect(app:item("Image/★★★★").state):is("on")
    expect(app:press("3").result):is("Harbour at dawn: ★★★")
    expect(app:item("Image/★★★").state):is("on")
    expect(app:item("Image/★★★★").state):is("off")
    expect(app:pick("Image/★").status):is("handled")
    expect(grid.selection):is({ name = "Harbour at dawn", rating = 1, path = "harbour.raw" })
  end)

  test("has one to five stars, and none only where it had some", function(app)
    expect(app:validate("rate(rating: 6)").reason):is("'rating' must be an integer from 0 to 5, not 6")
    expect(app:pick("Image/Clear").status):is("handled")
    expect(app:item("Image/Clear").reason):is("it has no rating")
  end)

  test("gets its rating back, and again", function(app)
    app:press("5")
    app:press("2")
    expect(titles("undo")):is({ "Rating" })
    expect(app:press("ctrl+z").status):is("handled")
    expect(grid.selection.rating):is(4)
    expect(app:press("ctrl+y").status):is("handled")
    expect(grid.selection.rating):is(2)
  end)

  test("is deleted only when that is confirmed, and comes back", function(app)
    expect(app:item("Edit/Delete").title):is("Delete “Harbour at dawn”")
    expect(app:press("delete").status):is("asks")
    expect(app:pick("Edit/Delete", { confirmed = true }).result):is("Harbour at dawn")
    expect(grid.selection):is_nil()
    app:choose("gulls.raw")
    expect(app:press("ctrl+z").status):is("handled")
    expect(grid.selection.name):is("Harbour at dawn")
    expect(app:panel().children[1].state):is("on")
    expect(app:press("ctrl+y").status):is("handled")
    expect(#app:panel().children):is(2)
  end)

  test("is exported to places that the menu remembers", function(app)
    app:perform("export(format: png, to: Desktop)")
    app:press("ctrl+e")
    local rows = {}
    for _, element in ipairs(app:menu("Image/Export").children) do
      if element.kind == "item" and element.args.to then rows[#rows + 1] = element.title end
    end
    expect(rows):is({ "Pictures", "Desktop" })
    expect(app:pick("recent Desktop").result):is("Harbour at dawn → Desktop")
  end)

  test("is followed by the others, up to the last", function(app)
    expect(app:pick("Go/Next Photo").result):is("The old pier")
    expect(app:press("right").result):is("Gulls")
    expect(app:item("Go/Next Photo").reason):is("this is the last photo")
    expect(app:press("left").result):is("The old pier")
    app:press("left")
    expect(app:item("Go/Previous Photo").reason):is("this is the first photo")
  end)
end)

test("all photos are exported, which takes its time and says how far it is", function(app)
  local running = app:perform("export_all", { format = "png" }, { wait = false })
  expect(running.status):is("running")
  expect(app:item("Image/Export All…").reason):is("running")
  app:advance(0.5)
  expect(app:jobs()[1].progress.text):is("The old pier")
  app:advance(1)
  expect(app:menu("Image/Export").children[4].title):is("Pictures")
end)

describe("the library in the panel", function()
  test("selects the photo whose row becomes the current one, and asks for stars where it is picked", function(app)
    expect(app:choose("pier.raw").status):is("handled")
    expect(grid.selection.name):is("The old pier")
    expect(app:panel().children[2].state):is("on")
    expect(app:pick("gulls.raw").asks.arguments[1].title):is("Stars")
    expect(app:pick("gulls.raw", { args = { rating = 5 } }).result):is("Gulls: ★★★★★")
    expect(app:panel().children[3].subtitle):is("★★★★★")
  end)

  test("offers for a row what can be done with its photo", function(app)
    local rows = app:context_menu("photo", app:panel().children[1].args.photo)
    expect(#rows.children):is(4)
  end)
end)

test("photos are arranged by name or by rating, one of the two", function(app)
  expect(app:item("View/By Name").state):is("on")
  expect(app:press("alt+2").status):is("handled")
  expect(app:item("View/By Rating").state):is("on")
  expect(app:item("View/By Name").state):is("off")
  expect(app:press("right").result):is("Harbour at dawn")
  expect(app:press("right").result):is("Gulls")
  expect(app:validate("arrange(by: size)").reason):is("'by' must be one of 'name', 'rating', not 'size'")
end)

test("the window closes, and what nobody answers reaches the app", function(app)
  expect(app:press("ctrl+w").by):is("main")
  expect(app:perform("fly(to: moon)").via):is("unknown")
end)
