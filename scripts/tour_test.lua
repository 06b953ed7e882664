subject "tour.lua"

local walker = app:find("walker")

test("the tour goes through to its end, past the failure on purpose", function(app)
  local outcome = app:perform("tour")
  expect(outcome.status):is("handled")
  expect(walker.at):is(2)
  expect(walker.map):is_false()
end)

test("what it did in the window is one step, and is taken back at once", function(app)
  app:perform("tour")
  expect(app:item("Walk/Undo").title):is("Undo Step")
  expect(app:press("ctrl+z").status):is("handled")
  expect(walker.at):is(0)
  expect(walker.map):is_true()
  expect(walker.place):is_nil()
end)

test("the failure has its place", function(app)
  local err = app:perform("stumble").error
  expect(err.message):matches("^the walker stumbles: ")
  expect(err.line):is(75)
end)
