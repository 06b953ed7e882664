extension DiagnosticKind {
  static let context = [
    DiagnosticKind(
      code: "unsupplied-key", summary: "a key of the context is read that nobody supplies",
      explanation: """
        No provider writes the key, no argument of an item or a key is called so, and nothing in the scripts is assigned under that
        name. Reading it gives nil, each time.
        """,
      bad: """
        menubar { menu "Image" { item "Rate" { "rate" } } }
        function app:provide(ctx) ctx.photo = "sea" end
        function app.on:rate(ctx) return ctx.foto end
        """,
      good: """
        menubar { menu "Image" { item "Rate" { "rate" } } }
        function app:provide(ctx) ctx.photo = "sea" end
        function app.on:rate(ctx) return ctx.photo end
        """),
    DiagnosticKind(
      code: "shadowed", summary: "a provider supplies something under a name of the host's",
      explanation: """
        The context itself answers to action, raw, prefix, args, sender, taker, modifiers, subject and to the names of its calls:
        what a provider supplies under one of them nobody can read.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app:provide(ctx) ctx.subject = "sea" end
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app:provide(ctx) ctx.photo = "sea" end
        function app.on:save() end
        """),
    DiagnosticKind(
      code: "shadowed-argument", summary: "an argument is called like a name of the host's",
      explanation: "It can be read as ctx.args.NAME only; ctx.NAME is the host's.",
      bad: """
        menubar { menu "File" { item "Send" { "send(subject: hello)" } } }
        function app.on:send() end
        """,
      good: """
        menubar { menu "File" { item "Send" { "send(title: hello)" } } }
        function app.on:send() end
        """),
  ]
}
