extension DiagnosticKind {
  static let mistakes = [
    DiagnosticKind(
      code: "out-of-chain",
      summary: "a responder handles an action of an item or a key, but isn't in the chain",
      explanation: """
        The chain begins at the focus and goes on by `next`, up to the app. This responder is not in it, and no function of
        the scripts moves the focus there, so the host never calls its handler. Give it the focus, or make it a `next`.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save" } } }
        local page = responder "page"
        function page.on:save() end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save" } } }
        local page = responder "page"
        function page.on:save() end
        focus(page)
        """),
    DiagnosticKind(
      code: "falls-back",
      summary: "no responder handles an item's whole action, only its last part",
      explanation: """
        The host looks for `image.export` first, then for `export`. Later another handler of `export` could get the action.
        Write a handler for the whole name, or set `exact = true` at the item or `app.exact = true`.
        """,
      bad: """
        menubar { menu "Image" { item "Export" { "image.export" } } }
        function app.on:export() end
        """,
      good: """
        menubar { menu "Image" { item "Export" { "image.export" } } }
        app.on["image.export"] = function() end
        """, severity: .note),
    DiagnosticKind(
      code: "unemitted-event",
      summary: "a script listens for an event that no script emits",
      explanation: """
        A listener runs when a script, the program or a client emits an event of the same name. No script emits this one, and the
        program has not emitted it so far. Correct one of the two names.
        """,
      bad: """
        function app.on:rate() emit("photo.changed") end
        listen("photo.change", function() print("changed") end)
        app.keys.r = "rate"
        """,
      good: """
        function app.on:rate() emit("photo.changed") end
        listen("photo.changed", function() print("changed") end)
        app.keys.r = "rate"
        """, severity: .note),
    DiagnosticKind(
      code: "missing-self",
      summary: "a handler names its first parameter as if it were the context",
      explanation: """
        Handlers and hooks are methods: the responder comes first, the context second. The colon in
        `function page.on:save(ctx)` adds `self` as the first parameter; a dot doesn't. Write the colon, or add `self`.
        """,
      bad: """
        local page = responder "page"
        function page.on.save(ctx) return ctx.text end
        focus(page)
        """,
      good: """
        local page = responder "page"
        function page.on:save(ctx) return ctx.text end
        focus(page)
        """),
    DiagnosticKind(
      code: "surplus-self",
      summary: "the 'when' of an argument names its first parameter as if it were the responder",
      explanation: """
        A `when` decides from the answers so far, so it gets the context alone, as the `when` of a key does. Remove `self`.
        """,
      bad: """
        app.takes.export = {
          format = { one_of = { "jpeg", "png" } },
          quality = { "integer", when = function(self, ctx) return ctx and ctx.format == "jpeg" end },
        }
        function app.on:export(ctx) return ctx.quality end
        """,
      good: """
        app.takes.export = {
          format = { one_of = { "jpeg", "png" } },
          quality = { "integer", when = function(ctx) return ctx.format == "jpeg" end },
        }
        function app.on:export(ctx) return ctx.quality end
        """),
    DiagnosticKind(
      code: "argument-parameter",
      summary: "a handler has a parameter with the name of an argument",
      explanation: """
        The host passes a handler and a can only the responder and the context. Arguments are fields of the context. Read
        them there: ctx.text.
        """,
      bad: """
        menubar { menu "File" { item "Add" { "add(text: milk)" } } }
        function app.on:add(text) return text end
        """,
      good: """
        menubar { menu "File" { item "Add" { "add(text: milk)" } } }
        function app.on:add(ctx) return ctx.text end
        """),
    DiagnosticKind(
      code: "text-as-yes",
      summary: "a can returns a text and nothing else",
      explanation: """
        Every value except false and nil means yes, also a text. To say no, return false and then the reason.
        """,
      bad: """
        function app.on:save() end
        function app.can:save() if not self.changed then return "nothing changed" end return true end
        """,
      good: """
        function app.on:save() end
        function app.can:save() if not self.changed then return false, "nothing changed" end return true end
        """),
    DiagnosticKind(
      code: "no-as-done",
      summary: "a handler returns false and a reason, as a can does",
      explanation: """
        Whatever a handler returns, the action is done: its first result is the value. To refuse in the middle of an action,
        call ctx:refuse(reason): what the handler has changed is taken back. To disable the action beforehand, write a can.
        """,
      bad: """
        app.on.save = function(self, ctx)
          if not self.changed then return false, "nothing changed" end
        end
        app.keys["ctrl+s"] = "save"
        """,
      good: """
        app.on.save = function(self, ctx)
          if not self.changed then ctx:refuse("nothing changed") end
        end
        app.keys["ctrl+s"] = "save"
        """),
    DiagnosticKind(
      code: "returned-context",
      summary: "a provide returns a table",
      explanation: """
        The host passes `provide` the context and ignores its result. Write into the context: ctx.key = value.
        """,
      bad: """
        local page = responder "page" { text = "hello" }
        function page:provide(ctx) return { text = self.text } end
        function page.on:save(ctx) return ctx.text end
        focus(page)
        """,
      good: """
        local page = responder "page" { text = "hello" }
        function page:provide(ctx) ctx.text = self.text end
        function page.on:save(ctx) return ctx.text end
        focus(page)
        """),
    DiagnosticKind(
      code: "no-list",
      summary: "the items of a section are no list",
      explanation: """
        `items` must return a list of values. `row` makes an element of each. If there is nothing to show, return {}.
        """,
      bad: """
        menubar { menu "Go" { section "places" {
          items = function(ctx) local places = { "sea", "pier" } end,
          row = function(place) return item(place) { "go" } end,
        } } }
        function app.on:go() end
        """,
      good: """
        menubar { menu "Go" { section "places" {
          items = function(ctx) return { "sea", "pier" } end,
          row = function(place) return item(place) { "go" } end,
        } } }
        function app.on:go() end
        """),
    DiagnosticKind(
      code: "misspelt-field",
      summary: "a field's name is nearly one of the host's, and nothing reads it",
      explanation: """
        The host reads only the fields that it knows. Every other field belongs to the script, and no line of the scripts
        reads this one. Correct the name.
        """,
      bad: """
        app.titel = "Photos"
        """,
      good: """
        app.title = "Photos"
        """),
    DiagnosticKind(
      code: "hidden-word",
      summary: "a script assigns a name of the host",
      explanation: """
        After the assignment the name means your value, so later calls of the host's function fail. Use another name, a local
        or a field of a responder.
        """,
      bad: """
        item = 5
        function app.on:save() end
        """,
      good: """
        local count = 5
        function app.on:save() return count end
        """),
    DiagnosticKind(
      code: "undefined-name",
      summary: "a function reads or assigns a name that isn't defined",
      explanation: """
        No script assigns a global of this name while it loads, and neither Lua nor the host defines one. The function fails
        as soon as it runs. Correct the name, or move the local that you mean above the function.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app.on:save() prnt("saved") end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app.on:save() print("saved") end
        """),
    DiagnosticKind(
      code: "unplaced-element",
      summary: "a statement makes a menu or an item, but puts it into nothing",
      explanation: """
        An element is a value. The host shows it only if it is in the braces of `menubar`, of a menu or of a section, or if a
        builder inserts it. Put it there.
        """,
      bad: """
        menu "File" { item "Save" { "save", key = "ctrl+s" } }
        """,
      good: """
        menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
        function app.on:save() end
        """),
  ]
}

extension DiagnosticKind {
  static let others = [
    edit(
      code: "no-menu",
      summary: "a builder inserts into an element that is no menu",
      explanation: """
        Only menus and sections can have elements in them. To put an element beside another, call insert_before or
        insert_after.
        """,
      bad: #"m:insert_last("save", item "Quit" { "quit" })"#, good: #"m:insert_last("File", item "Quit" { "quit" })"#),
    edit(
      code: "no-place",
      summary: "a builder inserts beside an element that has no place in a menu",
      explanation: """
        Nothing can be beside the whole tree or beside an alternate. The host ignores the edit. Name an element of a menu.
        """,
      bad: #"m:insert_after("root", item "Quit" { "quit" })"#, good: #"m:insert_after("save", item "Quit" { "quit" })"#),
    edit(
      code: "twice",
      summary: "a builder adds an element whose id is already used",
      explanation: """
        An id can be used once in a tree. The host ignores the edit. Give the new element another id.
        """,
      bad: #"m:insert_last("File", item "Save" { "quit", id = "save" })"#,
      good: #"m:insert_last("File", item "Quit" { "quit", id = "quit" })"#),
    edit(
      code: "unknown-id",
      summary: "a builder names an element that doesn't exist",
      explanation: """
        The host ignores the edit. Correct the id, or call m:find(id) first to see whether the element exists.
        """,
      bad: #"m:insert_after("svae", item "Quit" { "quit" })"#, good: #"m:insert_after("save", item "Quit" { "quit" })"#),
    edit(
      code: "too-deep",
      summary: "a builder nests menus deeper than 64",
      explanation: """
        Nobody finds an item that deep. The host ignores the edit. Nest fewer menus.
        """,
      bad: #"local e = item "Quit" { "quit" } for _ = 1, 63 do e = menu "More" { e } end m:insert_last("File", e)"#,
      good: #"m:insert_last("File", menu "More" { item "Quit" { "quit" } })"#),
    DiagnosticKind(
      code: "section",
      summary: "two rows of a section have the same id",
      explanation: """
        The host tells rows apart by their ids, so it adds a number to the second id. Return a different id for each value.
        """,
      bad: """
        menubar { menu "Go" { section "places" {
          items = { "sea", "pier" },
          id = function(place) return "here" end,
          row = function(place) return item(place) { "go" } end,
        } } }
        function app.on:go() end
        """,
      good: """
        menubar { menu "Go" { section "places" {
          items = { "sea", "pier" },
          id = function(place) return place end,
          row = function(place) return item(place) { "go" } end,
        } } }
        function app.on:go() end
        """, severity: .error),
    DiagnosticKind(
      code: "restless-menus",
      summary: "a listener of 'menu' or 'validation' changes the menus at every call",
      explanation: """
        The host calls the listeners up to 8 times in a turn, then stops. Change the menus in an action, not in a listener.
        """,
      bad: """
        local saves = 0
        menubar { menu "File" { section "saves" {
          items = function() return { saves } end,
          row = function(number) return item("Save " .. number) { "save" } end,
        } } }
        function app.on:save() saves = saves + 1 end
        listen("menu", function() app:perform("save") end)
        """,
      good: """
        local saves = 0
        menubar { menu "File" { section "saves" {
          items = function() return { saves } end,
          row = function(number) return item("Save " .. number) { "save" } end,
        } } }
        function app.on:save() saves = saves + 1 end
        listen("menu", function() print("the menus changed") end)
        """, isLater: true),
    DiagnosticKind(
      code: "menus",
      summary: "the elements of several scripts don't fit into one menu bar",
      explanation: """
        The host shows no menu bar until this is mended. Give one of the elements another id.
        """,
      bad: """
        -- The app
        menubar { menu "File" { item "Save" { "save", id = "save" } } }
        -- A plugin
        extend("File", item "Save All" { "save_all", id = "save" })
        """,
      good: """
        -- The app
        menubar { menu "File" { item "Save" { "save", id = "save" } } }
        -- A plugin
        extend("File", item "Save All" { "save_all", id = "save_all" })
        """, isLater: true, severity: .error),
    DiagnosticKind(
      code: "extend",
      summary: "extend names an element that doesn't exist",
      explanation: """
        When an element with that id appears, the host adds the elements to it. If `before` or `after` names nothing, it adds
        them at the end. Correct the id.
        """,
      bad: """
        menubar { menu "Edit" { item "Cut" { "cut" } } }
        extend("Edti", item "Copy" { "copy" })
        function app.on:cut() end
        function app.on:copy() end
        """,
      good: """
        menubar { menu "Edit" { item "Cut" { "cut" } } }
        extend("Edit", item "Copy" { "copy" })
        function app.on:cut() end
        function app.on:copy() end
        """),
    DiagnosticKind(
      code: "set-aside",
      summary: "a plugin spent its limits three times",
      explanation: """
        The host stops calling the plugin and disables its items. Mend the plugin, then reload it. 'menuctl help limits'
        lists the limits.
        """,
      bad: """
        plugin { name = "clock", version = "1" }
        function app.on:wait() while true do end end
        """,
      good: """
        plugin { name = "clock", version = "1" }
        function app.on:wait() sleep(0.1) end
        """, isLater: true, severity: .error),
    DiagnosticKind(
      code: "timer",
      summary: "the function of an 'every' failed three times in a row",
      explanation: """
        The host removes the timer. It reported each failure before. Check in the function whether the work is possible.
        """,
      bad: """
        local photo
        every(1, function() print(photo.title) end)
        """,
      good: """
        local photo
        every(1, function() if photo then print(photo.title) end end)
        """, isLater: true),
    DiagnosticKind(
      code: "watch",
      summary: "a script can't watch a path",
      explanation: """
        The function of this `watch` never runs; the rest of the script works. Correct the path.
        """,
      bad: """
        watch("no-such-folder", function() print("changed") end)
        """,
      good: """
        watch(".", function() print("changed") end)
        """, isLater: true, severity: .error),
    DiagnosticKind(
      code: "output",
      summary: "a script prints and logs too much in one call",
      explanation: """
        The host drops output after the named line until it calls the script again. Print less. 'menuctl help limits' lists
        the limits.
        """,
      bad: """
        local line = string.rep("x", 1000)
        for number = 1, 10000 do print(number, line) end
        """,
      good: """
        local line = string.rep("x", 1000)
        for number = 1, 10 do print(number, line) end
        """, isLater: true),
    DiagnosticKind(
      code: "returned-failure",
      summary: "an action returns nil and the message of a failure",
      explanation: """
        exec, open, notify, the clipboard and fs return nil and a message if they fail. An action that returns these counts as
        handled, with no result. Wrap the call in assert, so that the action fails with the message.
        """,
      bad: """
        function app.on:open() return fs.read("missing.txt") end
        """,
      good: """
        function app.on:open() return assert(fs.read("missing.txt")) end
        """, isLater: true),
    DiagnosticKind(
      code: "not-kept",
      summary: "a value of app.keep that a reload can't keep",
      explanation: """
        app.keep holds plain data: texts, numbers, booleans and tables of them. The new version of a script gets a copy. The
        reload leaves a function or an object behind, and keeps all other values. Keep the name of the object, for example.
        """,
      bad: """
        plugin { name = "sorter", version = "1.0" }
        function app.on:sort() app.keep.order = function(a, b) return a < b end end
        """,
      good: """
        plugin { name = "sorter", version = "1.0" }
        function app.on:sort() app.keep.order = "ascending" end
        """, isLater: true, severity: .error),
    DiagnosticKind(
      code: "not-stored",
      summary: "the host can't write or read app.store",
      explanation: """
        app.store holds plain data, 256 KiB at most. The host writes it when an action that changed it ends. The stored data
        stays as it was, and so does the action's effect. Store only texts, numbers, booleans and tables of them.
        """,
      bad: """
        app.name = "notes"
        function app.on:keep() app.store.sort = function(a, b) return a < b end end
        """,
      good: """
        app.name = "notes"
        function app.on:keep() app.store.sort = "ascending" end
        """, isLater: true, severity: .error),
    DiagnosticKind(
      code: "context-menu",
      summary: "a context menu is built from a responder that was removed",
      explanation: """
        The menu is empty. Build it from a responder that exists.
        """,
      bad: """
        let page = try host.responder("page")
        try host.remove(page)
        let menu = host.contextMenu("photo", from: page)
        """,
      good: """
        let page = try host.responder("page")
        let menu = host.contextMenu("photo", from: page)
        """, isLater: true, severity: .error, language: "swift"),
    DiagnosticKind(
      code: "unknown-code",
      summary: "app.allow_warnings names a code that doesn't exist",
      explanation: """
        The entry allows nothing. Most likely it is misspelt. Correct it; 'menuctl help codes' lists all codes.
        """,
      bad: #"app.allow_warnings = { "key-conflit" }"#, good: #"app.allow_warnings = { "key-conflict" }"#),
  ]

  /// Returns a kind of mistake that a builder makes with one menu.
  private static func edit(
    code: String, summary: String, explanation: String, bad: String, good: String
  ) -> DiagnosticKind {
    func script(_ edit: String) -> String {
      """
      menubar { menu "File" { item "Save" { "save", id = "save" } } }
      function app.on:save() end
      function app.on:quit() end
      function app.build:main(m) \(edit) end
      """
    }
    return DiagnosticKind(
      code: code, summary: summary, explanation: explanation,
      bad: script(bad), good: script(good))
  }
}
