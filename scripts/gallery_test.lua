subject "gallery.lua"

test("a photo is rated, and rating is undone", function(app)
  expect(app:pick("Image/Rate").result):is("a.jpg has 5")
  app:undo()
  expect(app:find("grid").selection.stars):is_nil()
end)
