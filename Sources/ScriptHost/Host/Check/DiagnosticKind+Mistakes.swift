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
