import Expectations
import Testing

// More of what a newcomer writes: in tests, in panels, in what an action takes and writes.

@Suite("What a newcomer writes")
struct NewcomerScriptTests {
  @Test("A script that means something else than it says is told so", arguments: meantScripts)
  func meantScript(_ toolCase: ToolCase) throws { try toolCase.check() }

  @Test(
    "A test doesn't pass over what failed, or what nobody answers: it says so where nothing looks at what came of it")
  func unseenOutcomes() throws {
    let folder = try ScriptFolder([
      "app.lua":
        "function app.on:fail() error('broken', 0) end function app.on:no() end app.needs.no = { x = 'not now' } "
        + "function app.on:drop() end app.confirm.drop = 'Really?' app.keys.d = 'drop'",
      "app_test.lua": """
      subject "app.lua"
      test("unhandled", function(app) app:perform("fial") end)
      test("failed", function(app)
        app:perform("fail")
      end)
      test("over several lines", function(app)
        app:perform(
          "fail"
        )
      end)
      test("pressed", function(app) app:press("x") end)
      test("not waited for", function(app)
        app:perform("fail", {}, { wait = false })
      end)
      test("seen", function(app)
        expect(app:perform("fail").status):is("failed")
        expect(app:perform("fail").reason):is("broken")
        local outcome = app:perform("fial")
        if app:perform("fail").error then return app:perform("fail") end
      end)
      test("disabled is no failure", function(app) app:perform("no") end)
      test("typed wrong", function(app) expect(app:perform("fail").resaon):is("broken") end)
      test("with a table", function() app:perform("fail", { n = 1 }) end)
      test("chosen", function() app:perform(app and "fail" or "no") end)
      test("disabled before a failure", function()
        app:perform("no")
        expect(app.done):is(true)
      end)
      test("asked before a failure", function()
        app:press("d")
        expect(app.done):is(true)
      end)
      """,
    ])
    let run = try Program.menuctl(["test", "app_test.lua"], folder: folder.path)
    expect(
      run.out,
      is: """
        app_test.lua
          ✗ unhandled
              app_test.lua:2: this action was 'unhandled', and no expectation checks that: nobody handles 'fial'; did you mean 'fail'?
                test("unhandled", function(app) app:perform("fial") end)
              again: menuctl test app_test.lua:2
          ✗ failed
              app_test.lua:4: this action was 'failed', and no expectation checks that: broken
                  app:perform("fail")
              reported: app.lua:1: error: broken
              again: menuctl test app_test.lua:3
          ✗ over several lines
              app_test.lua:7: this action was 'failed', and no expectation checks that: broken
                  app:perform(
              reported: app.lua:1: error: broken
              again: menuctl test app_test.lua:6
          ✗ pressed
              app_test.lua:11: this action was 'unhandled', and no expectation checks that: nothing is bound to 'x'
                test("pressed", function(app) app:press("x") end)
              again: menuctl test app_test.lua:11
          ✗ not waited for
              app_test.lua:13: this action was 'failed', and no expectation checks that: broken
                  app:perform("fail", {}, { wait = false })
              reported: app.lua:1: error: broken
              again: menuctl test app_test.lua:12
          ✓ seen
          ✓ disabled is no failure
          ✗ typed wrong
              app_test.lua:22:70: expected "broken", found nil; did you mean 'reason'?
                …ed wrong", function(app) expect(app:perform("fail").resaon):is("broken") end)
                                                                             ^
              reported: app.lua:1: error: broken
              again: menuctl test app_test.lua:22
          ✗ with a table
              app_test.lua:23: this action was 'failed', and no expectation checks that: broken
                test("with a table", function() app:perform("fail", { n = 1 …
              reported: app.lua:1: error: broken
              again: menuctl test app_test.lua:23
          ✗ chosen
              app_test.lua:24: this action was 'failed', and no expectation checks that: broken
                test("chosen", function() app:perform(app and "fail" or "no"…
              reported: app.lua:1: error: broken
              again: menuctl test app_test.lua:24
          ✗ disabled before a failure
              app_test.lua:27:20: expected true, found nil; line 26 did nothing, its outcome is 'disabled': not now
                  expect(app.done):is(true)
                                   ^
              again: menuctl test app_test.lua:25
          ✗ asked before a failure
              app_test.lua:31:20: expected true, found nil; line 30 did nothing, its outcome is 'asks': Really?
                  expect(app.done):is(true)
                                   ^
              again: menuctl test app_test.lua:29

        2 passed, 10 failed

        """, "\(run.out)")
  }
}

private let list = "local list = responder \"list\" { items = {} }\nfocus(list)\n"

private let meantScripts: [ToolCase] = [
  ToolCase(
    name: "a table of handlers that is called", words: ["load", "-"],
    script: list + "list.on(\"add\", function() end)\n",
    status: 65,
    err: """
      stdin:3:6: error: 'on' is a table, not a function; write function NAME.on:ACTION(ctx) … end
        list.on("add", function() end)
             ^

      """),
  ToolCase(
    name: "a table of context keys that is called", words: ["load", "-"],
    script: list + "list.needs(\"add\", \"text\")\n",
    status: 65,
    err: """
      stdin:3:6: error: 'needs' is a table, not a function; write NAME.needs.ACTION = …
        list.needs("add", "text")
             ^

      """),
  ToolCase(
    name: "a colon before the table and not before the action", words: ["load", "-"],
    script: list + "function list:on.add() end\n", status: 65,
    err: """
      stdin:3:17: error: '(' expected near '.'; did you mean 'function NAME.on:ACTION(ctx) … end'?
        function list:on.add() end
                        ^

      """),
  ToolCase(
    name: "a key as other programs write it", words: ["why", "-", "ctrl-z"], script: list,
    out: "disabled: nobody handles 'ctrl-z'\n  list: on ctrl-z → doesn't answer\n  app: on ctrl-z → doesn't answer\n",
    err: "help: a key is written with '+': menuctl why - ctrl+z\n"),
  ToolCase(
    name: "what ctx:set writes", words: ["load", "-"],
    script: list + "function list.on:add(ctx) ctx:set(self, \"itmes\", { ctx.text, self.items }) end\n",
    out: """
      stdin

      ▸ list  (focus)
          ✓ add
        app

      1 action, 1 can be done now, 1 warning

      """,
    err: """
      stdin:3:41: warning: 'ctx:set' writes the field 'itmes', but nothing reads it
        function list.on:add(ctx) ctx:set(self, "itmes", { ctx.text, self.items }) end
                                                ^
      help: did you mean 'items'?

      """),
  ToolCase(
    name: "what an action takes", words: ["check", "-"],
    script: list + """
      menubar { menu "Todo" { item "Add" { "add", key = "a" } } }
      list.takes.add = { text = "string" }
      function list.on:add(ctx) return ctx.txt end

      """, status: 1,
    out: """
      stdin:5:38: warning: 'on.add' of 'list' reads 'txt' of the context, but nothing supplies it [unsupplied-key]
        function list.on:add(ctx) return ctx.txt end
                                             ^
      help: did you mean 'text'?

      1 warning

      """),
  ToolCase(
    name: "a function that is not in 'on'", words: ["check", "-"],
    script: list + """
      menubar { menu "Todo" { item "Done" { "done", key = "d" } } }
      function list:done(ctx) return ctx.text end

      """, status: 1,
    out: """
      stdin:3:40: warning: item 'Done' performs 'done', but no responder handles it [unanswered-action]
        menubar { menu "Todo" { item "Done" { "done", key = "d" } } }
                                               ^
      help: 'list' has a function 'done' (stdin:4:15), which is no handler; to handle the action, write function list.on:done(ctx)

      1 warning

      """),
  ToolCase(
    name: "current", words: ["check", "-"],
    script: list + """
      panel { section "all" {
        items = { "a" }, row = function(name) return item(name) { "show" } end, current = "shwo",
      } }
      function list.on:show() end

      """, status: 1,
    out: """
      stdin:4:86: warning: 'current' of section 'all' performs 'shwo', but no responder handles it [unanswered-action]
        …function(name) return item(name) { "show" } end, current = "shwo",
                                                                     ^
      help: did you mean 'show'?

      1 warning

      """),
  ToolCase(
    name: "rows for items", words: ["check", "-"],
    script: "panel { section \"all\" { rows = { 1 }, row = function(n) return item(n) { \"show\" } end } }\n",
    status: 65,
    err: """
      stdin:1:18: error: section 'all' needs 'items', a list of values or a function that returns one; rename 'rows' to 'items'
        panel { section "all" { rows = { 1 }, row = function(n) return item(n) { "sho…
                         ^

      """),
  ToolCase(
    name: "rows for row", words: ["check", "-"],
    script: "panel { section \"all\" { items = { 1 }, rows = function(n) return item(n) { \"show\" } end } }\n",
    status: 65,
    err: """
      stdin:1:18: error: section 'all' needs 'row', a function that makes an element of each value; rename 'rows' to 'row'
        panel { section "all" { items = { 1 }, rows = function(n) return item(n) { "s…
                         ^

      """),
  ToolCase(
    name: "rows of a panel", words: ["load", "-"], script: "panel { rows = { 1 } }\n",
    out: """
      stdin

      chain: app (focus)

      Panel
          nothing

      0 items, 0 can be done now, 1 warning

      """,
    err: """
      stdin:1:9: warning: panel has no field 'rows'
        panel { rows = { 1 } }
                ^
      help: to make rows of a list write section "…" { items = …, row = … }

      """),
  ToolCase(
    name: "a menu that stands in nothing", words: ["load", "-"],
    script: "menu \"File\" { item \"Save\" { \"save\" } }\n",
    out: """
      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now, 1 warning

      """,
    err: """
      stdin:1:1: warning: this 'menu' is in no menu, so nobody sees it
        menu "File" { item "Save" { "save" } }
        ^
      help: put it into the menu bar: menubar { menu "…" { … } }

      """),
  ToolCase(
    name: "take", words: ["load", "-"], script: list + "list.take.add = { text = \"string\" }\n", status: 65,
    err: """
      stdin:3:6: error: attempt to index a nil value (field 'take'); did you mean 'takes'?
        list.take.add = { text = "string" }
             ^

      """),
  ToolCase(
    name: "a field that nobody writes", words: ["perform", "-", "count"],
    script: list + "function list.on:count() return #self.itmes end\n", status: 70,
    out: "failed in list: attempt to get length of a nil value (field 'itmes'); did you mean 'items'?\n",
    err: """
      stdin:3:39: error: attempt to get length of a nil value (field 'itmes'); did you mean 'items'?
        function list.on:count() return #self.itmes end
                                              ^

      """),
  ToolCase(
    name: "the type of an argument by name", words: ["load", "-"],
    script: list + "list.takes.add = { text = { type = \"string\" } }\n", status: 65,
    err: """
      stdin:3:29: error: takes.add.text has no field 'type': write the type first, without a name: { "string" }
        list.takes.add = { text = { type = "string" } }
                                    ^

      """),
  ToolCase(
    name: "choices", words: ["load", "-"],
    script: list + "list.takes.add = { text = { choices = { \"a\" } } }\n", status: 65,
    err: """
      stdin:3:29: error: takes.add.text has no field 'choices'; did you mean 'one_of'?
        list.takes.add = { text = { choices = { "a" } } }
                                    ^

      """),
  ToolCase(
    name: "ctx.set with a dot", words: ["perform", "-", "add"],
    script: list + "function list.on:add(ctx) ctx.set(self, \"items\", {}) end\n", status: 70,
    out: "failed in list: call it with a colon, on a context: ctx:set(object, key, value)\n",
    err: """
      stdin:3: error: call it with a colon, on a context: ctx:set(object, key, value)
        function list.on:add(ctx) ctx.set(self, "items", {}) end

      """),
  ToolCase(
    name: "who is to do it", words: ["load", "-"],
    script: "menubar { menu \"Todo\" { item \"Add…\" { \"list:add\" } } }\n", status: 65,
    err: """
      stdin:1:44: error: the action of item 'Add…': write the action alone, without a responder: add
        menubar { menu "Todo" { item "Add…" { "list:add" } } }
                                                   ^

      """),
]
