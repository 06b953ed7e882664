/// The files of a new app: a script, its test, and editor settings.
struct NewApp {
  /// The name of the folder and the app.
  let name: String

  var files: [(path: String, text: String)] {
    [
      ("app.lua", script), ("app_test.lua", test), (".menuctl/stubs.lua", Stubs().text), (".luarc.json", settings),
    ]
  }

  private var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  private var script: String {
    """
    app.title = \(title.luaText)
    app.name = \(name.luaText)

    -- The screen: a row for each entry. 'enter' ticks it.
    panel {
      section "entries" {
        header = "To do",
        items = function(ctx) return ctx.entries end,
        row = function(entry)
          return item(entry.text) {
            "tick",
            args = { entry = entry },
            look = function() return { state = entry.done } end,
          }
        end,
        empty = "Nothing yet: press n to add something",
      },
    }

    menubar {
      menu "List" {
        item "Add…" { "add", key = "n" },
        item "Clear" { "clear", key = "ctrl+k", destructive = true },
      },
      menu "Edit" {
        item "Undo" { "undo", key = "ctrl+z" },
        item "Redo" { "redo", key = "ctrl+y" },
      },
    }

    local list = responder "list" { entries = {} }

    -- Values for handlers, 'can' and sections.
    function list:provide(ctx) ctx.entries = self.entries end

    -- If the text is missing, a form asks for it.
    list.takes.add = { text = { "string", title = "What is to be done?" } }
    function list.on:add(ctx)
      local entries = { table.unpack(self.entries) }
      entries[#entries + 1] = { text = ctx.text, done = false }
      ctx:set(self, "entries", entries)
      return #entries
    end

    list.takes.tick = { entry = "any" }
    function list.on:tick(ctx) ctx:set(ctx.entry, "done", not ctx.entry.done) end

    -- A reason why it can't be done, and a question before it.
    function list.can:clear(ctx) return #ctx.entries > 0, "the list is empty" end
    list.confirm.clear = "Delete the whole list?"
    function list.on:clear(ctx) ctx:set(self, "entries", {}) end

    focus(list)

    """
  }

  private var test: String {
    """
    subject "app.lua"

    test("an empty list can't be cleared, and shows why", function(app)
      expect(app:item("List/Clear").reason):is("the list is empty")
      expect(app:item("List/Add…").enabled):is_true()
      expect(app:item("Edit/Undo").enabled):is_false()
    end)

    test("an added entry can be ticked, and both can be undone", function(app)
      app:perform("add(text: milk)")
      expect(app:pick("milk").status):is("handled")
      expect(app:item("milk").state):is("on")
      app:pick("Edit/Undo")
      expect(app:item("milk").state):is("off")
      app:pick("Edit/Undo")
      expect(app:item("milk")):is_nil()
    end)

    test("clearing asks first", function(app)
      app:perform("add(text: milk)")
      expect(app:pick("List/Clear").asks.confirm):is("Delete the whole list?")
      app:pick("List/Clear", { confirmed = true })
      expect(app:item("milk")):is_nil()
    end)

    """
  }

  /// The settings of the Lua language server: the available Lua libraries, and the path of the stubs.
  private var settings: String {
    """
    {
      "runtime.version": "Lua 5.4",
      "runtime.builtin": {
        "basic": "disable",
        "os": "disable",
        "io": "disable",
        "debug": "disable",
        "package": "disable",
        "ffi": "disable",
        "jit": "disable"
      },
      "diagnostics.globals": ["collectgarbage"],
      "workspace.library": [".menuctl"],
      "workspace.checkThirdParty": false
    }

    """
  }
}
