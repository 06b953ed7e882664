import Expectations
import Testing

// What a newcomer does, and all that is said then: each of these once said nothing, or nothing that helps.

@Test("What a newcomer gets wrong is said where it stands, with what to type", arguments: newcomers)
func newcomer(_ toolCase: ToolCase) throws { try toolCase.check() }

@Test("Who names no app in the folder of one is told how to name it")
func appOfFolder() throws {
  let folder = try ScriptFolder(["app.lua": ""])
  let run = try Program.menuctl(["load"], folder: folder.path)
  expect(
    run,
    is: Run(
      status: 64, out: "", err: "menuctl: error: APP is missing\nthat of this folder: menuctl load .\n"))
}

private let newcomers: [ToolCase] = [
  ToolCase(
    name: "no focus", words: ["load", "-"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      local page = responder "page"
      function page.on:save() return "saved" end

      """,
    out: """
      stdin

      chain: app (focus)

      File
        ✗   Save  ctrl+s  save  nobody handles 'save'; 'page' does, but isn't in the chain

      1 item, 0 can be done now, 1 warning

      """,
    err: """
      stdin:2:7: warning: 'page' handles 'save', but isn't in the chain
        local page = responder "page"
              ^
      help: put it there: focus(page)

      """),
  ToolCase(
    name: "no focus, checked", words: ["check", "-"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      local page = responder "page"
      function page.on:save() return "saved" end

      """,
    status: 1,
    out: """
      stdin:2:7: warning: 'page' handles 'save', but isn't in the chain [out-of-chain]
        local page = responder "page"
              ^
      help: put it there: focus(page)

      1 warning

      """),
  ToolCase(
    name: "no focus, asked why", words: ["why", "-", "save"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      local page = responder "page"
      function page.on:save() return "saved" end

      """,
    out: """
      disabled: nobody handles 'save'; 'page' does, but isn't in the chain
        app: on save → doesn't answer

      """),
  ToolCase(
    name: "no focus, performed", words: ["perform", "-", "save"],
    script: """
      local page = responder "page"
      function page.on:save() return "saved" end

      """,
    status: 69,
    out: """
      unhandled: nobody handles 'save'; 'page' does, but isn't in the chain

      """),
  ToolCase(
    name: "no focus, performed, for programs", words: ["perform", "-", "save", "--json"],
    script: """
      local page = responder "page"
      function page.on:save() return "saved" end

      """,
    status: 69,
    out: """
      {"menuctl": 1, "ok": false, "action": "save", "status": "unhandled", "reason": "nobody handles 'save'; 'page' does, but isn't in the chain", "elsewhere": "page", "changes": []}

      """),
  ToolCase(
    name: "a dialog without next", words: ["check", "-"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      local page = window "page"
      function page.on:save() end
      local dialog = responder "dialog"
      focus(dialog)

      """,
    status: 1,
    out: """
      stdin:2:7: warning: 'page' handles 'save', but isn't in the chain [out-of-chain]
        local page = window "page"
              ^
      help: put it after 'dialog', which has the focus: dialog.next = page

      1 warning

      """),
  ToolCase(
    name: "several actions outside of the chain", words: ["check", "-"],
    script: """
      menubar { menu "Page" { item "Save" { "save" }, item "Turn" { "turn" }, item "Tear" { "tear" } } }
      local p = responder "my page"
      function p.on:tear() end
      function p.on:save() end
      function p.on:turn() end

      """,
    status: 1,
    out: """
      stdin:2:22: warning: 'my page' handles 'save' and 2 more actions of items or keys, but isn't in the chain [out-of-chain]
        local p = responder "my page"
                             ^
      help: put it there: focus(app:find("my page"))

      1 warning

      """),
  ToolCase(
    name: "onn", words: ["check", "-"],
    script: """
      local page = responder "page"
      function page.onn:save() end

      """,
    status: 65,
    err: """
      stdin:2:15: error: attempt to index a nil value (field 'onn'); did you mean 'on'?
        function page.onn:save() end
                      ^

      """),
  ToolCase(
    name: "cna", words: ["load", "-"],
    script: """
      local page = responder "page"
      function page.cna:save() end

      """,
    status: 65,
    err: """
      stdin:2:15: error: attempt to index a nil value (field 'cna'); did you mean 'can'?
        function page.cna:save() end
                      ^

      """),
  ToolCase(
    name: "provid and titel", words: ["load", "-"],
    script: """
      app.titel = "Photos"
      function app:provid(ctx) ctx.photo = 1 end

      """,
    out: """
      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now, 2 warnings

      """,
    err: """
      stdin:1:5: warning: 'app' has a field 'titel', but nothing reads it
        app.titel = "Photos"
            ^
      help: did you mean 'title'?
      stdin:2:14: warning: 'app' has a field 'provid', but nothing reads it
        function app:provid(ctx) ctx.photo = 1 end
                     ^
      help: did you mean 'provide'?

      """),
  ToolCase(
    name: "a hook of a class", words: ["check", "-"],
    script: """
      class "page" { calims = { "save" } }

      """,
    status: 1,
    out: """
      stdin:1:16: warning: class 'page' has a field 'calims', but nothing reads it [misspelt-field]
        class "page" { calims = { "save" } }
                       ^
      help: did you mean 'claims'?

      1 warning

      """),
  ToolCase(
    name: "a dot instead of a colon", words: ["load", "-"],
    script: """
      local page = responder "page"
      function page.on.save(ctx) return ctx.text end
      focus(page)

      """,
    out: """
      stdin

      ▸ page  (focus)
          ✓ save
        app

      1 action, 1 can be done now, 1 warning

      """,
    err: """
      stdin:2:23: warning: 'on.save' of 'page' names its first parameter 'ctx', but that is the responder
        function page.on.save(ctx) return ctx.text end
                              ^
      help: function page.on:save(ctx) with a colon, or function(self, ctx)

      """),
  ToolCase(
    name: "a function without self", words: ["check", "-"],
    script: """
      local page = responder "page"
      page.can.save = function(ctx) return ctx.text ~= nil, "no" end
      function page.on:save() end
      function page.provide(ctx) ctx.text = 1 end
      page.build.main = function(m) m:remove("x") end
      focus(page)

      """,
    status: 1,
    out: """
      stdin:2:26: warning: 'can.save' of 'page' names its first parameter 'ctx', but that is the responder [missing-self]
        page.can.save = function(ctx) return ctx.text ~= nil, "no" end
                                 ^
      help: function page.can:save(ctx) with a colon, or function(self, ctx)

      stdin:4:23: warning: 'provide' of 'page' names its first parameter 'ctx', but that is the responder [missing-self]
        function page.provide(ctx) ctx.text = 1 end
                              ^
      help: function page:provide(ctx) with a colon, or function(self, ctx)

      stdin:5: error: the builder of 'page' for 'main' failed: removing is not possible here: the host only asks this function, so it must not change anything [script]
        page.build.main = function(m) m:remove("x") end

      stdin:5:28: warning: 'build.main' of 'page' names its first parameter 'm', but that is the responder [missing-self]
        page.build.main = function(m) m:remove("x") end
                                   ^
      help: function page.build:main(m) with a colon, or function(self, m)

      1 error, 3 warnings

      """),
  ToolCase(
    name: "a can that returns only a string", words: ["load", "-"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      function app.on:save() end
      function app.can:save() return "nothing changed" end

      """,
    out: """
      stdin

      chain: app (focus)

      File
        ✓   Save  ctrl+s  save

      1 item, 1 can be done now, 1 warning

      """,
    err: """
      stdin:3:33: warning: 'can.save' of 'app' returns a text alone, which means yes
        function app.can:save() return "nothing changed" end
                                        ^
      help: return false, "nothing changed"

      """),
  ToolCase(
    name: "a can that returns a string in the end", words: ["check", "-"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      function app.on:save() end
      function app.can:save()
        return self.changed or "nothing changed"
      end

      """,
    status: 1,
    out: """
      stdin:4:27: warning: 'can.save' of 'app' returns a text alone, which means yes [text-as-yes]
          return self.changed or "nothing changed"
                                  ^
      help: return false, "nothing changed"

      1 warning

      """),
  ToolCase(
    name: "an on that returns false and a reason", words: ["check", "-"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      function app.on:save()
        if not self.changed then return false, "nothing changed" end
      end

      """,
    status: 1,
    out: """
      stdin:3:43: warning: 'on.save' of 'app' returns a reason, but the action then counts as done [no-as-done]
          if not self.changed then return false, "nothing changed" end
                                                  ^
      help: ctx:refuse("nothing changed")

      1 warning

      """),
  ToolCase(
    name: "action =", words: ["check", "-"],
    script: """
      menubar {
        menu "File" {
          item "Save" { action = "save" },
        },
      }
      function app.on:save() end
      app.allow_warnings = { "unnamed-handler", "no-reason" }

      """,
    status: 1,
    out: """
      stdin:3:19: warning: item 'Save' has no field 'action' [unknown-field]
            item "Save" { action = "save" },
                          ^
      help: write the action first, without a name: item "…" { "save" }

      1 warning

      """),
  ToolCase(
    name: "shortcut =", words: ["load", "-"],
    script: """
      menubar {
        menu "File" {
          item "Save" { "save", shortcut = "ctrl+s" },
        },
      }
      function app.on:save() end

      """,
    out: """
      stdin

      chain: app (focus)

      File
        ✓   Save  save

      1 item, 1 can be done now, 1 warning

      """,
    err: """
      stdin:3:27: warning: item 'Save' has no field 'shortcut'
            item "Save" { "save", shortcut = "ctrl+s" },
                                  ^
      help: did you mean 'key'?

      """),
  ToolCase(
    name: "the title of a section", words: ["check", "-"],
    script: """
      menubar { menu "File" {
        section "recent" {
          title = "Recent",
          items = { "a" }, row = function(name) return item(name) { "open" } end,
        },
      } }
      function app.on:open() end

      """,
    status: 1,
    out: """
      stdin:3:5: warning: section 'recent' has no field 'title' [unknown-field]
            title = "Recent",
            ^
      help: for a line above the rows write header = "…"

      1 warning

      """),
  ToolCase(
    name: "C-s", words: ["load", "-"],
    script: """
      menubar { menu "File" {
        item "Save" { "save", key = "C-s" },
      } }

      """,
    status: 65,
    err: """
      stdin:2:32: error: the key of item 'Save': write 'ctrl+s' instead of 'C-s'
          item "Save" { "save", key = "C-s" },
                                       ^

      """),
  ToolCase(
    name: "<C-s>", words: ["check", "-"],
    script: """
      app.keys = { ["<C-s>"] = "save" }

      """,
    status: 65,
    err: """
      stdin:1:16: error: keys['<C-s>']: write 'ctrl+s' instead of '<C-s>'
        app.keys = { ["<C-s>"] = "save" }
                       ^

      """),
  ToolCase(
    name: "Cmd+S", words: ["load", "-"],
    script: """
      menubar { menu "File" {
        item "Save" { "save", key = "Cmd+S" },
      } }

      """,
    status: 65,
    err: """
      stdin:2:32: error: the key of item 'Save': write 'mod+s' instead of 'Cmd+S': ctrl, or command on Apple's systems
          item "Save" { "save", key = "Cmd+S" },
                                       ^

      """),
  ToolCase(
    name: "save(5)", words: ["load", "-"],
    script: """
      menubar { menu "File" {
        item "Save" { "save(5)" },
      } }

      """,
    status: 65,
    err: """
      stdin:2:23: error: the action of item 'Save': an argument needs its name: save(name: 5)
          item "Save" { "save(5)" },
                              ^

      """),
  ToolCase(
    name: "save(text: hello world)", words: ["load", "-"],
    script: """
      menubar { menu "File" {
        item "Save" { "save(text: hello world)" },
      } }

      """,
    status: 65,
    err: """
      stdin:2:29: error: the action of item 'Save': put a text with blanks in double quotes: "hello world"
          item "Save" { "save(text: hello world)" },
                                    ^

      """),
  ToolCase(
    name: "single quotes, on the command line", words: ["perform", "-", "save(text: 'hello')"],
    status: 64,
    err: """
      reference:1:12: error: put a string in double quotes, not in single ones
        save(text: 'hello')
                   ^

      """),
  ToolCase(
    name: "a section whose items gives nothing", words: ["load", "-"],
    script: """
      menubar { menu "Go" { section "places" {
        items = function(ctx) local places = { "sea" } end,
        row = function(place) return item(place) { "go" } end,
      } } }
      function app.on:go() end

      """,
    out: """
      stdin

      chain: app (focus)

      Go  there is nothing in 'Go' to pick

      0 items, 0 can be done now, 1 warning

      """,
    err: """
      stdin:2:3: warning: 'items' of section 'places' never returns anything
          items = function(ctx) local places = { "sea" } end,
          ^
      help: return the list whose values become rows

      """),
  ToolCase(
    name: "a section whose items gives nil", words: ["check", "-"],
    script: """
      menubar { menu "Go" { section "places" {
        items = function(ctx) return app.places end,
        row = function(place) return item(place) { "go" } end,
      } } }
      function app.on:go() end

      """,
    status: 1,
    out: """
      stdin:2:3: warning: 'items' of section 'places' returns nil now [no-list]
          items = function(ctx) return app.places end,
          ^
      help: return {} when there is nothing to show

      1 warning

      """),
  ToolCase(
    name: "item = 5", words: ["load", "-"],
    script: """
      item = 5
      function app.on:save() end

      """,
    out: """
      stdin

      ▸ app  (focus)
          ✓ save

      1 action, 1 can be done now, 1 warning

      """,
    err: """
      stdin:1:1: warning: this assigns 'item', which is a name of the host: from here on it means your value
        item = 5
        ^
      help: give it another name

      """),
  ToolCase(
    name: "item = 5, used", words: ["check", "-"],
    script: """
      item = 5
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }

      """,
    status: 65,
    err: """
      stdin:2:25: error: attempt to call a number value (global 'item'): this script assigns 'item', a name of the host: use another name
        menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
                                ^

      """),
  ToolCase(
    name: "panel.foo", words: ["check", "-"], script: "panel.foo = 1\n", status: 65,
    err: """
      stdin:1:1: error: attempt to index a function value (global 'panel'): 'panel' is a function of the host; call it: panel { … }
        panel.foo = 1
        ^

      """),
  ToolCase(
    name: "app:pres", words: ["perform", "-", "save"],
    script: """
      function app.on:save()
        app:pres("ctrl+x")
      end

      """,
    status: 70,
    out: """
      failed in app: attempt to call a nil value (method 'pres'); did you mean 'press'?

      """,
    err: """
      stdin:2:7: error: attempt to call a nil value (method 'pres'); did you mean 'press'?
          app:pres("ctrl+x")
              ^

      """),
  ToolCase(
    name: "an item that isn't there", words: ["perform", "-", "save"],
    script: """
      menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
      function app.on:save()
        return app:item("File/Sav").enabled
      end

      """,
    status: 70,
    out: """
      failed in app: attempt to index a nil value: there is no element 'File/Sav'; did you mean 'File/Save'?

      """,
    err: """
      stdin:3:19: error: attempt to index a nil value: there is no element 'File/Sav'; did you mean 'File/Save'?
          return app:item("File/Sav").enabled
                          ^

      """),
  ToolCase(
    name: "a responder that isn't there, in a local", words: ["perform", "-", "save"],
    script: """
      responder "page"
      function app.on:save()
        local page = app:find("pgae")
        return page.text
      end

      """,
    status: 70,
    out: """
      failed in app: attempt to index a nil value (local 'page'): there is no responder 'pgae'; did you mean 'page'?

      """,
    err: """
      stdin:4:10: error: attempt to index a nil value (local 'page'): there is no responder 'pgae'; did you mean 'page'?
          return page.text
                 ^

      """),
  ToolCase(
    name: "an endless loop", words: ["load", "-", "--budget", "100000"],
    script: """
      local n = 0
      while n < 10 do end

      """,
    status: 75,
    err: """
      stdin:2: error: the limit of 100000 instructions is spent: does a loop never end?
        while n < 10 do end
      help: '--timeout S', '--budget N' and '--memory MB' set other limits; 'menuctl help limits' has more

      """),
  ToolCase(
    name: "a perform within itself", words: ["perform", "-", "save"],
    script: """
      function app.on:save()
        local saved = app:perform("save")
        return saved.status
      end

      """,
    out: """
      handled by app → "handled"

      """,
    err: """
      stdin:2:21: warning: performs are nested more than 50 deep: save → save; to perform the next responder's handler call ctx:forward(), for the class's ctx:super()
          local saved = app:perform("save")
                            ^

      """),
  ToolCase(
    name: "two that perform each other", words: ["perform", "-", "save"],
    script: """
      function app.on:save() return app:perform("store").status end
      function app.on:store() return app:perform("save").status end

      """,
    out: """
      handled by app → "handled"

      """,
    err: """
      stdin:2:36: warning: performs are nested more than 50 deep: store → save → store; they perform each other endlessly
        function app.on:store() return app:perform("save").status end
                                           ^

      """),
  ToolCase(
    name: "io.open for writing", words: ["perform", "-", "save"],
    script: """
      function app.on:save()
        local file = io.open("x.txt", "w")
      end

      """,
    status: 77,
    out: """
      failed in app: io.open is not available to scripts; use fs.write(path, text), with the capability 'fs.write'

      """,
    err: """
      stdin:2:16: error: io.open is not available to scripts; use fs.write(path, text), with the capability 'fs.write'
          local file = io.open("x.txt", "w")
                       ^
      help: '--allow CAPABILITY' grants one; 'menuctl help capabilities' has them all

      """),
  ToolCase(
    name: "io.open for reading", words: ["perform", "-", "open"],
    script: """
      function app.on:open()
        return io.open("x.txt"):read("a")
      end

      """,
    status: 77,
    out: """
      failed in app: io.open is not available to scripts; use fs.read(path), with the capability 'fs.read'

      """,
    err: """
      stdin:2:10: error: io.open is not available to scripts; use fs.read(path), with the capability 'fs.read'
          return io.open("x.txt"):read("a")
                 ^
      help: '--allow CAPABILITY' grants one; 'menuctl help capabilities' has them all

      """),
  ToolCase(
    name: "an undo on another history",
    words: ["load", "-", "--perform", "write", "--perform", "go", "--eval", "app:why('undo').text"],
    script: """
      local one, two = window "one", window "two"
      function two.on:write(ctx) ctx:set(self, "text", "x", "Writing") end
      function two.on:go() focus(one) end
      focus(two)

      """,
    out: #"""
      write: handled by two
      go: handled by two
      app:why('undo').text: → "disabled by 'host': there is nothing to undo\n  one: on undo → doesn't answer\n  app: on undo → doesn't answer\n  host: native undo → takes it\n  host: can undo → no: there is nothing to undo\n  host: look undo → yes\n  one: history → nothing to undo\n  app: history → nothing to undo\n  two: history → not used from here: 1 to undo, first 'Writing'"

      stdin

      ▸ one  (window, key, main, focus)
        app
      not asked now
        two  (window)
          ✗ go     nobody handles 'go'; 'two' does, but isn't in the chain
          ✗ write  nobody handles 'write'; 'two' does, but isn't in the chain

      2 actions, 0 can be done now

      """#),
  ToolCase(
    name: "fields in the parentheses of an item", words: ["load", "-"],
    script: """
      menubar { menu "File" { item("Save", { "save" }) } }

      """,
    status: 65,
    err: """
      stdin:1: error: item takes the title of an item alone; put the fields in braces after it: item "…" { … }
        menubar { menu "File" { item("Save", { "save" }) } }

      """),
  ToolCase(
    name: "an item in the parentheses of a menu", words: ["load", "-"],
    script: """
      menubar { menu("File", item "Save" { "save" }) }

      """,
    status: 65,
    err: """
      stdin:1: error: menu takes the title of a menu alone; put the fields in braces after it: menu "…" { … }
        menubar { menu("File", item "Save" { "save" }) }

      """),
  ToolCase(
    name: "fields in the parentheses of a responder", words: ["load", "-"],
    script: """
      local page = responder("page", { dirty = true })

      """,
    status: 65,
    err: """
      stdin:1: error: responder takes its name alone; put the fields in braces after it: responder "…" { … }
        local page = responder("page", { dirty = true })

      """),
  ToolCase(
    name: "an item's action without braces", words: ["load", "-"],
    script: """
      menubar { menu "File" { item "Save" "save" } }

      """,
    status: 65,
    err: """
      stdin:1:31: error: item 'Save' takes a table of its fields, not a string; put its action in braces: { "save" }
        menubar { menu "File" { item "Save" "save" } }
                                      ^

      """),
  ToolCase(
    name: "an action in a menu", words: ["load", "-"],
    script: """
      menubar { menu "File" { "save" } }

      """,
    out: """
      stdin

      chain: app (focus)

      File  there is nothing in 'File' to pick

      0 items, 0 can be done now, 1 warning

      """,
    err: """
      stdin:1: warning: entry 1 of menu 'File' is a string, no menu element, so the host skips it; write an item: item "…" { "save" }
        menubar { menu "File" { "save" } }

      """),
  ToolCase(
    name: "a word of the language as a method", words: ["load", "-"],
    script: """
      local page = responder "page"
      app:focus(page)

      """,
    status: 65,
    err: """
      stdin:2:5: error: attempt to call a nil value (method 'focus'); 'focus' is a function, not a method: focus(…)
        app:focus(page)
            ^

      """),
  ToolCase(
    name: "what a responder defines, called", words: ["load", "-"],
    script: """
      local page = responder "page"
      page:provide(function(ctx) ctx.x = 1 end)

      """,
    status: 65,
    err: """
      stdin:2:6: error: attempt to call a nil value (method 'provide'); scripts define 'provide' and the host calls it: function RESPONDER:provide(…) … end
        page:provide(function(ctx) ctx.x = 1 end)
             ^

      """),
  ToolCase(
    name: "an action as a method", words: ["perform", "-", "again"],
    script: """
      local page = responder "page"
      function page.on:save() end
      function page.on:again() page:save() end
      focus(page)

      """,
    status: 70,
    out: """
      failed in page: attempt to call a nil value (method 'save'); 'save' is an action; to perform it, call app:perform("save")

      """,
    err: """
      stdin:3:31: error: attempt to call a nil value (method 'save'); 'save' is an action; to perform it, call app:perform("save")
        function page.on:again() page:save() end
                                      ^

      """),
  ToolCase(
    name: "an action without quotes", words: ["load", "-"],
    script: """
      menubar { menu "File" { item "Quit" { quit } } }

      """,
    status: 65,
    err: """
      stdin:1:39: error: 'quit' is not defined; put a text or an action's name in quotes: "quit"
        menubar { menu "File" { item "Quit" { quit } } }
                                              ^

      """),
]
