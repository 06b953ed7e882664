subject "app.lua"

local function titles(stack)
  return app:undo_stack()[stack]
end

-- The photo that is selected.
local function selected() return app:context().photo end

-- The rows of a pane.
local function rows(pane)
  for _, area in ipairs(app:panel().children[1].children) do
    if area.id == pane then return area.children end
  end
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
    expect(selected()):is_nil()
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
    expect(selected().name):is("Harbour at dawn")
    expect(selected().rating):is(1)
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
    expect(selected().rating):is(4)
    expect(app:press("ctrl+y").status):is("handled")
    expect(selected().rating):is(2)
  end)

  test("is deleted only when that is confirmed, and comes back", function(app)
    expect(app:item("Edit/Delete").title):is("Delete “Harbour at dawn”")
    expect(app:press("delete").status):is("asks")
    expect(app:pick("Edit/Delete", { confirmed = true }).result):is("Harbour at dawn")
    expect(selected().name):is("The old pier")
    expect(app:press("ctrl+z").status):is("handled")
    expect(#rows("photos")):is(10)
    app:choose("harbour.raw")
    expect(selected().name):is("Harbour at dawn")
    expect(app:press("ctrl+y").status):is("handled")
    expect(#rows("photos")):is(9)
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
    expect(app:press("left").result):is("Harbour at dawn")
    expect(app:item("Go/Previous Photo").reason):is("this is the first photo")
    app:choose("gulls.raw")
    expect(app:item("Go/Next Photo").reason):is("this is the last photo")
  end)
end)

test("all photos are exported, which takes its time and says how far it is", function(app)
  local running = app:perform("export_all", { format = "png" }, { wait = false })
  expect(running.status):is("running")
  expect(app:item("Image/Export All…").reason):is("running")
  app:advance(0.3)
  expect(app:jobs()[1].progress.text):is("The old pier")
  app:advance(2)
  expect(app:menu("Image/Export").children[4].title):is("Pictures")
end)

describe("the pane of photos", function()
  test("selects the photo whose row becomes the current one, and asks for stars where it is picked", function(app)
    expect(app:choose("pier.raw").status):is("handled")
    expect(selected().name):is("The old pier")
    expect(app:pick("gulls.raw").asks.arguments[1].title):is("Stars")
    expect(app:pick("gulls.raw", { args = { rating = 5 } }).result):is("Gulls: ★★★★★")
    expect(rows("photos")[10].cells[2].text):is("★★★★★")
  end)

  test("offers for a row what can be done with its photo", function(app)
    expect(#app:context_menu("photo", rows("photos")[1].args.photo).children):is(4)
  end)

  test("rates, exports and deletes all photos that are marked, in one step", function(app)
    app:choose("harbour.raw")
    app:mark { "pier.raw", "gulls.raw" }
    expect(app:press("5").result):is("2 photos: ★★★★★")
    expect(app:press("ctrl+e").result):is("2 photos → Pictures")
    expect(app:item("Edit/Delete").title):is("Delete 2 photos")
    expect(app:press("delete").asks.confirm):is("Delete 2 photos?")
    expect(app:press("delete", { confirmed = true }).result):is("2 photos")
    expect(#rows("photos")):is(8)
    app:press("ctrl+z")
    app:press("ctrl+z")
    expect(rows("photos")[2].title):is("The old pier")
    expect(rows("photos")[2].cells[2].text):is("")
    expect(rows("photos")[10].cells[2].text):is("★★")
  end)

  test("rates marked photos again in the same step", function(app)
    app:choose("harbour.raw")
    app:mark { "pier.raw", "gulls.raw" }
    app:press("5")
    app:press("1")
    app:press("ctrl+z")
    expect(rows("photos")[2].cells[2].text):is("")
    expect(rows("photos")[10].cells[2].text):is("★★")
  end)

  test("clears the stars of all marked photos if any has some", function(app)
    app:choose("pier.raw")
    expect(app:item("Image/Clear").reason):is("it has no rating")
    app:mark { "pier.raw", "gulls.raw" }
    expect(app:press("0").result):is("2 photos: ")
    expect(app:item("Image/Clear").reason):is("they have no rating")
  end)

  test("acts on the row that is seen while a filter narrows it", function(app)
    app:choose("harbour.raw")
    app:filter("photos", "gul")
    expect(app:press("5").result):is("Gulls: ★★★★★")
    expect(app:item("Go/Next Photo").reason):is("this is the last photo")
  end)

  test("is no longer narrowed once the next photo is one that the filter hides", function(app)
    app:choose("harbour.raw")
    app:filter("photos", "pier")
    expect(app:press("right").result):is("Lighthouse")
    expect(selected().name):is("Lighthouse")
    expect(#rows("photos")):is(10)
  end)

  test("may be empty", function(app)
    app:perform("open(album: Mountains)")
    app:mark { "snow.raw", "clouds.raw", "hut.raw" }
    app:press("delete", { confirmed = true })
    expect(rows("photos")[1].title):is("No photos")
    expect(app:press("5").reason):is("select a photo first")
    expect(app:press("right").reason):is("there are no photos")
    expect(app:text("picture")):is({})
    app:press("ctrl+z")
    expect(#rows("photos")):is(3)
  end)

  test("has one step of undo for each photo that was rated", function(app)
    app:choose("harbour.raw")
    app:press("5")
    app:press("right")
    app:press("3")
    app:press("2")
    expect(#titles("undo")):is(2)
    app:press("ctrl+z")
    expect(rows("photos")[1].cells[2].text):is("★★★★★")
    expect(rows("photos")[2].cells[2].text):is("")
  end)
end)

describe("an album", function()
  test("shows its photos when its row becomes the current one, and leads there when it is picked", function(app)
    app:choose("Mountains")
    expect(#rows("photos")):is(3)
    expect(selected()):is_nil()
    expect(app:pick("Mountains").status):is("handled")
    expect(selected().name):is("First snow")
    app:press("esc")
    expect(app:chain()[1]):is("albums")
  end)

  test("is opened by its name, from anywhere", function(app)
    app:choose("harbour.raw")
    expect(app:perform([[open(album: "The city")]]).status):is("handled")
    expect(selected().name):is("Rooftops")
    expect(app:validate("open(album: Cellar)").enabled):is_false()
  end)

  test("of favourites follows the stars, and says why it can't be opened", function(app)
    app:choose("harbour.raw")
    app:press("1")
    expect(rows("albums")[2].cells[2].text):is("3")
    app:mark { "lighthouse.raw", "clouds.raw", "tram.raw" }
    app:press("2")
    expect(app:item("Favourites").reason):is("no photo is in it")
  end)
end)

test("the picture is that of the current row, with its stars", function(app)
  app:choose("gulls.raw")
  expect(app:text("picture")[14]):is("Gulls  ★★☆☆☆")
  app:press("5")
  expect(app:text("picture")[14]):is("Gulls  ★★★★★")
end)

test("photos are arranged by date, by name or by rating, one of the three", function(app)
  expect(app:item("View/By Date").state):is("on")
  expect(app:press("alt+2").status):is("handled")
  expect(app:item("View/By Rating").state):is("on")
  expect(app:item("View/By Date").state):is("off")
  expect(app:press("right").result):is("Above the clouds")
  expect(app:press("right").result):is("Lighthouse")
  app:press("alt+1")
  expect(rows("photos")[2].title):is("First snow")
  app:press("alt+3")
  expect(rows("photos")[2].title):is("The old pier")
  expect(app:validate("arrange(by: size)").reason):is("'by' must be one of 'name', 'rating', 'date', not 'size'")
end)

test("the window closes, and what nobody answers reaches the app", function(app)
  expect(app:press("ctrl+w").by):is("main")
  expect(app:perform("fly(to: moon)").via):is("unknown")
end)
