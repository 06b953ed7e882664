subject("../../photos", { plugins = { "." } })

test("a photo is exported as a line, once there is one", function(app)
  expect(app:item("export card").reason):is("select a photo first")
  app:press("right")
  expect(app:press("ctrl+shift+e").result):is("Harbour at dawn  ★★★★☆")
end)

test("the item stands behind the app's own formats, and counts", function(app)
  local titles = {}
  for index, element in ipairs(app:menu("Image/Export").children) do titles[index] = element.title end
  expect(titles):is({ "As JPEG", "As PNG", "As Card", "Recent", "No recent places" })
  app:press("right")
  app:pick("export card")
  app:pick("export card")
  expect(app:item("export card").subtitle):is("2 so far")
end)

test("it goes as it came", function(app)
  app:unload_plugin("exporter")
  expect(app:item("export card")):is_nil()
end)
