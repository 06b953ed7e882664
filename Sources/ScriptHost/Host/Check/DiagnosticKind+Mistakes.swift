extension DiagnosticKind {
  static let mistakes = [
    DiagnosticKind(
      code: "out-of-chain", summary: "a responder answers what items or keys perform, and is never asked",
      explanation: """
        Whom the walk asks begins at the focus and goes on by `next`, up to the app. This one is neither, and no function of
        the scripts moves the focus: what it answers is done by nobody.
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
      code: "falls-back", summary: "nobody answers an item's whole reference, but its last component",
      explanation: """
        What answers `image.export` is looked for first, then what answers `export`. Where only that is there, another
        `export` may take the action one day. `exact = true` at the item, or `app.exact = true`, looks for the whole only.
        """,
      bad: """
        menubar { menu "Image" { item "Export" { "image.export" } } }
        function app.on:export() end
        """,
      good: """
        menubar { menu "Image" { item "Export" { "image.export" } } }
        app.on["image.export"] = function() end
        """),
    DiagnosticKind(
      code: "unemitted-event", summary: "a script listens for an event that nobody emits",
      explanation: """
        What `emit` tells, those hear who listen for it under the same name. No script here emits this one, and the program
        has not emitted it so far.
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
        """),
    DiagnosticKind(
      code: "missing-self", summary: "a handler calls its first parameter as the second should be called",
      explanation: """
        Handlers and hooks are methods: the responder comes first, the context second. A colon in `function page.on:save(ctx)`
        writes `self` before what stands in the parentheses; a dot doesn't, nor does `function(ctx)`.
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
      code: "argument-parameter", summary: "a handler has a parameter as if it were given arguments",
      explanation: """
        A handler and a can are given the responder and the context, and nothing else. What an action is given are fields of
        the context.
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
      code: "text-as-yes", summary: "a can answers a text and nothing else",
      explanation: """
        Everything but false and nil is a yes, a text too. What says no is false, and why stands behind it.
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
      code: "returned-context", summary: "a provide returns what it should write into the context",
      explanation: """
        'provide' is given the context of what is performed, and adds to it. What it returns nobody looks at.
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
      code: "no-list", summary: "the items of a section give no list",
      explanation: """
        'items' answers a list of values, and 'row' makes an element of each. Where there is nothing to show it answers {}.
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
      code: "misspelt-field", summary: "a field is called nearly like one of the host's, and nobody reads it",
      explanation: """
        The host reads the fields that it knows; any other is the script's own, which no line of the scripts reads.
        """,
      bad: """
        app.titel = "Photos"
        """,
      good: """
        app.title = "Photos"
        """),
    DiagnosticKind(
      code: "hidden-word", summary: "a script assigns a word of the host's",
      explanation: """
        From then on the word means what was assigned, so what it is needed for fails. Another name, or a field of a responder,
        hides nothing.
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
      code: "undefined-name", summary: "a function reads or assigns a name that nobody defines",
      explanation: """
        No script assigns such a global while it loads, and neither Lua nor the host has one: reading or assigning it raises as soon as the
        function runs. A local is known only behind the line that defines it.
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
      code: "unplaced-element", summary: "a statement makes a menu or an item that stands in nothing",
      explanation: """
        An element is a value: it is shown where it stands in the braces of 'menubar', of a menu or of a section, or where a builder puts it.
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
      code: "no-menu", summary: "a builder puts something into what is no menu",
      explanation:
        "Only menus and sections have something in them; insert_before and insert_after put an element beside another.",
      bad: #"m:insert_last("save", item "Quit" { "quit" })"#, good: #"m:insert_last("File", item "Quit" { "quit" })"#),
    edit(
      code: "no-place", summary: "a builder edits beside what has no place of its own",
      explanation: "The tree itself stands in nothing, and an alternate stands only with its item.",
      bad: #"m:insert_after("root", item "Quit" { "quit" })"#, good: #"m:insert_after("save", item "Quit" { "quit" })"#),
    edit(
      code: "twice", summary: "a builder adds an element whose id stands there already",
      explanation: "An id that is given stands once in a tree. The edit is not done.",
      bad: #"m:insert_last("File", item "Save" { "quit", id = "save" })"#,
      good: #"m:insert_last("File", item "Quit" { "quit", id = "quit" })"#),
    edit(
      code: "unknown-id", summary: "a builder names an element that is not there",
      explanation: "The edit is not done. m:find(id) tells beforehand whether an element is there.",
      bad: #"m:insert_after("svae", item "Quit" { "quit" })"#, good: #"m:insert_after("save", item "Quit" { "quit" })"#),
    edit(
      code: "too-deep", summary: "a builder nests menus deeper than 64",
      explanation: "Nobody finds what lies so deep. The edit is not done.",
      bad: #"local e = item "Quit" { "quit" } for _ = 1, 63 do e = menu "More" { e } end m:insert_last("File", e)"#,
      good: #"m:insert_last("File", menu "More" { item "Quit" { "quit" } })"#),
    DiagnosticKind(
      code: "section", summary: "a section has two rows of one id",
      explanation: "Rows are told apart by their ids. The section keeps the rows that it had.",
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
        """),
    DiagnosticKind(
      code: "restless-menus", summary: "those who listen for menus change them again each time",
      explanation:
        "Listeners of 'menu' and 'validation' that bring about what they listen for are told 8 times, then no more in that turn.",
      bad: nil, good: nil),
    DiagnosticKind(
      code: "menus", summary: "what several scripts declare doesn't fit into one menu",
      explanation: "There is no main menu as long as that is so.", bad: nil, good: nil),
    DiagnosticKind(
      code: "extend", summary: "extend names an element that is not there",
      explanation: """
        As soon as an element with that id appears, the host adds the elements to it. Where 'before' or 'after' names nothing,
        the host adds them at the end.
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
      code: "set-aside", summary: "a plugin spent its limits again and again",
      explanation: "Nothing of it is asked any more, and its items are disabled and say so, until it is reloaded.",
      bad: nil, good: nil),
    DiagnosticKind(
      code: "timer", summary: "what runs every so often failed three times in a row",
      explanation: "It is removed. Each failure was told before.", bad: nil, good: nil),
    DiagnosticKind(
      code: "watch", summary: "what a script is to watch can't be watched",
      explanation: "The script called 'watch' while it was loaded. Its function never runs; everything else goes on.",
      bad: nil, good: nil),
    DiagnosticKind(
      code: "output", summary: "a script prints and logs more in one go than it may",
      explanation:
        "From the line on that is named, what it writes is left out until it is called again. 'menuctl help limits' says how much there is.",
      bad: nil, good: nil),
    DiagnosticKind(
      code: "returned-failure", summary: "an action returns what failed outside of it",
      explanation:
        "exec, open, notify, the clipboard and fs give nil and a message where they fail. An action that returns that is handled, with nothing.",
      bad: nil, good: nil),
    DiagnosticKind(
      code: "not-stored", summary: "what a script holds in app.store can't be written, or could not be read",
      explanation: """
        It is plain data, 256 KiB at most, and written when an action ends that changed it. What was written before stays as it is, and so
        does what the action did: that was over.
        """, bad: nil, good: nil),
    DiagnosticKind(
      code: "context-menu", summary: "a context menu is asked for at a responder that is gone",
      explanation: "The menu is empty.", bad: nil, good: nil),
    DiagnosticKind(
      code: "unknown-code", summary: "app.allow_warnings names a code that nothing has",
      explanation: "It allows nothing. Most likely it is misspelt.",
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
