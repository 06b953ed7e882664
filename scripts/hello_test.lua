subject "hello.lua"

test("somebody is invited before anybody is greeted", function(app)
  local greet = app:validate("greet")
  expect(greet.enabled):is_false()
  expect(greet.reason):is("invite somebody first")
  expect(app:perform("invite(name: Ada)").status):is("handled")
  expect(app:perform("greet").result):is("Hello, Ada!")
end)

test("the page is asked before the app", function(app)
  expect(app:chain()):is({ "page", "app" })
end)
