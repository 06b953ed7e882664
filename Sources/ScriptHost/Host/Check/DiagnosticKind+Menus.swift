extension DiagnosticKind {
  static let menus = [
    DiagnosticKind(
      code: "duplicate-title", summary: "two items of one menu are called the same",
      explanation: """
        Nobody can tell them apart, and the path of the second as its id ends in #2. The rows of a section are data and not looked at,
        nor are items that a `look` may hide, each in its turn.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save" }, item "Save" { "save(as: true)" } } }
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save" }, item "Save As…" { "save(as: true)" } } }
        function app.on:save() end
        """),
    DiagnosticKind(
      code: "no-reason", summary: "an item is disabled and nobody says why",
      explanation: """
        Its reason is made up by the host. Say it in words that a person understands: return false, "why not" in a can;
        needs = { key = "why not" }; enabled = "why not".
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app.on:save() end
        function app.can:save() return false end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app.on:save() end
        function app.can:save() return false, "nothing changed" end
        """),
    DiagnosticKind(
      code: "unknown-field", summary: "an element has a field that is not read",
      explanation: """
        Elements of its kind have none of that name, which is most likely misspelt; or it is a mnemonic, and no letter of the item's title.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save", subtitel = "now" } } }
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save", subtitle = "now" } } }
        function app.on:save() end
        """),
    DiagnosticKind(
      code: "not-an-element", summary: "something stands among the children of a menu that is no element",
      explanation: "It is skipped. nil and false may stand there, so that `condition and item …` can be written.",
      bad: """
        menubar { menu "File" { "Open", item "Save" { "save" } } }
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { label "Open", item "Save" { "save" } } }
        function app.on:save() end
        """),
    DiagnosticKind(
      code: "text", summary: "a text can't be shown as it is",
      explanation: """
        What is not UTF-8 and control characters are shown as U+FFFD, and a text of more than 4096 bytes is cut.
        """,
      bad: """
        menubar { menu "File" { item "Save\\tnow" { "save" } } }
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { item "Save now" { "save" } } }
        function app.on:save() end
        """),
  ]
}
