-- git is a stand-in: it has two branches, notes what it was told, and writes to 'line' as git would.
local told, current, names = {}, "main", { "main", "topic" }

local function answer(arguments)
  local verb = arguments[1]
  if verb == "branch" then
    local out = {}
    for _, name in ipairs(names) do out[#out + 1] = (name == current and "*" or " ") .. name end
    return 0, table.concat(out, "\n") .. "\n", ""
  end
  if verb ~= "switch" then return 0, "", "From example.org\n" end
  local name = arguments[#arguments]
  if name == "locked" then return 1, "", "fatal: 'locked' is checked out elsewhere\n" end
  if name == "dirty" then return 0, "", "M\tharbour.txt\n" end
  if arguments[2] == "-c" then names[#names + 1] = name end
  current = name
  return 0, "", "Switched to branch '" .. name .. "'\n"
end

subject(".", {
  stand_ins = {
    exec = function(program, arguments, options)
      told[#told + 1] = program .. " " .. table.concat(arguments, " ")
      local status, out, err = answer(arguments)
      for _, text in ipairs(lines(err)) do options.line(text, true) end
      sleep(1)
      return { status = status, out = out, err = err }
    end,
  },
})

test("the branches are there from the start, and the one that is on is ticked", function(app)
  expect(app:item("main").state):is("on")
  expect(app:item("topic").state):is("off")
  expect(told):is({ "git branch --format=%(HEAD)%(refname:short)" })
end)

test("picking one switches, and says so as git does while it goes on", function(app)
  local job = app:perform("switch(to: topic)", nil, { wait = false }).job
  local rows = app:panel().children
  expect(rows[#rows - 1].title):is("\nSwitching to topic")
  expect(rows[#rows].title):is("  Switched to branch 'topic'")
  expect(app:item("main").reason):is("running")
  expect(job:wait().result):is("Switched to branch 'topic'")
  expect(app:item("topic").state):is("on")
  rows = app:panel().children
  expect(rows[#rows].title):is("  Switched to branch 'topic'")
  expect(told[2]):is("git switch topic")
end)

test("a tab that git writes becomes blanks, which a row can show", function(app)
  app:perform("switch(to: dirty)")
  local rows = app:panel().children
  expect(rows[#rows].title):is("  M  harbour.txt")
end)

test("a new one takes a name that git would take", function(app)
  expect(app:press("n").asks.arguments[1].key):is("name")
  expect(app:perform("create(name: \"a b\")").status):is("disabled")
  expect(app:perform("create(name: fix/it)").status):is("handled")
  expect(app:item("fix/it").state):is("on")
end)

test("what git refuses is the reason", function(app)
  expect(app:perform("switch(to: locked)").error.message):is("fatal: 'locked' is checked out elsewhere")
  expect(app:item("main").state):is("on")
end)
