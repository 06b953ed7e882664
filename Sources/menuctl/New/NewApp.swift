/// The files of a new app: a script, its test, and what editors want to know.
struct NewApp {
  /// How the folder and the app are called.
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

    menubar {
      menu "List" {
        item "Add" { "add(text: something)", key = "ctrl+n" },
        item "Clear" { "clear", key = "ctrl+k", destructive = true },
        separator,
        section "entries" {
          items = function(ctx) return ctx.entries end,
          row = function(text) return item(text) { "choose", args = { text = text } } end,
          empty = "Nothing yet",
        },
      },
      menu "Edit" {
        item "Undo" { "undo", key = "ctrl+z" },
        item "Redo" { "redo", key = "ctrl+y" },
      },
    }

    local list = responder "list" { entries = {} }

    -- What handlers, 'can' and sections know.
    function list:provide(ctx) ctx.entries = self.entries end

    function list.on:add(ctx)
      local entries = { table.unpack(self.entries) }
      entries[#entries + 1] = ctx.text
      ctx:set(self, "entries", entries)
      return #entries
    end

    function list.on:clear(ctx) ctx:set(self, "entries", {}) end
    function list.can:clear(ctx) return #ctx.entries > 0, "the list is empty" end

    function list.on:choose(ctx) return ctx.text end

    focus(list)

    """
  }

  private var test: String {
    """
    subject "app.lua"

    test("an empty list can't be cleared, and says why", function(app)
      expect(app:item("List/Clear").reason):is("the list is empty")
    end)

    test("what is added stands in the menu, and can be taken back", function(app)
      expect(app:item("List/Add").enabled):is_true()
      app:press("ctrl+n")
      expect(app:pick("List/something").result):is("something")
      app:pick("List/Clear")
      expect(app:item("List/something")):is_nil()
      app:pick("Edit/Undo")
      expect(app:item("List/something").enabled):is_true()
    end)

    """
  }

  /// Settings of the Lua language server: which of Lua's own libraries there are, and where the stubs are.
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
