subject "photos.lua"

local grid = app:find("grid")

local function photo() return grid.selection end

describe("rating", function()
  test("gives the selected photo so many stars, five where none are named", function(app)
    expect(app:perform("rate(rating: 3)").result):is("Harbour at dawn: ★★★")
    expect(app:perform("rate").result):matches("★★★★★$")
    expect(photo()):is({ name = "Harbour at dawn", rating = 5 })
  end)

  test("is marked where it is the photo's", function(app)
    expect(app:validate("rate(rating: 4)").state):is("on")
    expect(app:validate("rate(rating: 3)").state):is("off")
  end)

  test("is from one star to five", function(app)
    for _, rating in ipairs({ 0, 6, -1 }) do
      local rated = app:perform("rate", { rating = rating })
      expect(rated):is({ status = "disabled", by = "grid", via = "on", reason = "a rating is 1 to 5 stars" })
    end
    expect(photo().rating):is(4)
  end)

  test("is taken away only where there is one", function(app)
    expect(app:validate("unrate").enabled):is_true()
    app:perform("unrate")
    expect(photo().rating):is(0)
    expect(app:validate("unrate").reason):is("it has no rating")
  end)
end)

describe("without a selected photo", function()
  before_each(function(app) app:perform("deselect") end)

  test("nothing can be rated, and the reason says what to do", function(app)
    for _, action in ipairs({ "rate", "unrate" }) do
      local found = app:validate(action)
      expect(found.enabled):is_false()
      expect(found.reason):is("select a photo first")
    end
    expect(app:why("rate").text):contains("could come from 'grid'")
  end)

  test("nothing can be deselected", function(app)
    expect(app:validate("deselect").reason):is("nothing is selected")
  end)

  test("one can be selected", function(app)
    expect(app:perform("select(index: 2)").result):is("The old pier")
    expect(photo().rating):is(0)
  end)
end)

test("the window closes only without photos", function(app)
  expect(app:perform("close").status):is("disabled")
  expect(app:validate("close").reason):is("there are photos that were not exported")
end)

test("what nobody answers reaches the app", function(app)
  local outcome = app:perform("fly(to: moon)")
  expect(outcome.via):is("unknown")
  expect(outcome.by):is("app")
end)
