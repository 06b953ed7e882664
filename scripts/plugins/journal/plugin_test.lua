subject("../../photos", { plugins = { "." } })

local function rows()
  local titles = {}
  for index, element in ipairs(app:menu("Journal").children) do titles[index] = element.title or "─" end
  return titles
end

test("nothing was done at first", function(app)
  expect(rows()):is({ "Clear", "─", "Nothing was done yet" })
  expect(app:item("Journal/Clear").reason):is("nothing was done yet")
end)

test("what was done stands there, the latest first", function(app)
  app:press("right")
  app:press("3")
  app:press("ctrl+z")
  expect(rows()):is({ "Clear", "─", "undo: handled", "rate(rating: 3): Harbour at dawn: ★★★", "next: Harbour at dawn" })
end)

test("what was not done is no deed", function(app)
  expect(app:press("3").reason):is("select a photo first")
  expect(rows()[3]):is("Nothing was done yet")
end)

test("ten deeds are remembered, until they are cleared", function(app)
  for _ = 1, 6 do
    app:press("right")
    app:press("left")
  end
  expect(#rows()):is(12)
  app:pick("Journal/Clear")
  expect(rows()[3]):is("Nothing was done yet")
end)
