/// A *kind* of diagnostic: its code, its meaning, a script that causes it, and the corrected script.
package struct DiagnosticKind: Sendable {
  /// The name for programs and for `app.allow_warnings`.
  package let code: String
  /// The finding, in a few words.
  package let summary: String
  /// The meaning of the finding, and how to correct it.
  package let explanation: String
  /// A script with only this finding; nil if a program causes it, or if it is reported later.
  package let bad: String?
  /// The corrected script.
  package let good: String?

  /// Returns the kind of a code; nil if there is none.
  package static func named(_ code: String) -> DiagnosticKind? { all.first { $0.code.hasSameBytes(as: code) } }

  /// Every kind except failures of functions, in the order of the codes.
  package static let all = (actions + context + menus + mistakes + others).sorted { $0.code.precedesByBytes($1.code) }
}

extension DiagnosticKind {
  static let actions = [
    DiagnosticKind(
      code: "unanswered-action", summary: "an item, a key or app:perform performs an action that nobody answers",
      explanation: """
        No responder has a handler of that name, and none resolves or claims it, wherever the focus is: the item is always
        disabled. A catch-all alone enables nothing, but takes what scripts perform by name. Most likely the name is misspelt on one of the two sides.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save", key = "ctrl+s" }, item "Save As…" { "svae(as: other)" } } }
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save", key = "ctrl+s" }, item "Save As…" { "save(as: other)" } } }
        function app.on:save() end
        """),
    DiagnosticKind(
      code: "unfit-argument", summary: "an item, a key or app:perform gives an action an argument that it doesn't take",
      explanation: """
        What the action takes is declared by `takes`, and an argument is of another type, out of range, none of the choices, or
        not declared at all: the item is always disabled, with that reason. One that has no choices nothing fits.
        """,
      bad: """
        menubar { menu "Image" { item "Six" { "rate(rating: 6)" } } }
        app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
        function app.on:rate(ctx) return ctx.rating end
        """,
      good: """
        menubar { menu "Image" { item "Five" { "rate(rating: 5)" } } }
        app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
        function app.on:rate(ctx) return ctx.rating end
        """),
    DiagnosticKind(
      code: "unnamed-handler", summary: "a handler answers an action that nothing performs",
      explanation: """
        No item and no key has the action, and no string in the scripts names it. What another program performs can't be known:
        allow the warning where that is meant. A script without menus and keys is not looked at.
        """,
      bad: """
        menubar { menu "File" { item "Save" { "save" } } }
        function app.on:save() end
        function app.on:close() end
        """,
      good: """
        menubar { menu "File" { item "Save" { "save" }, item "Close" { "close" } } }
        function app.on:save() end
        function app.on:close() end
        """),
    DiagnosticKind(
      code: "stray-can",
      summary: "a can, look, needs, takes, confirm or about is said of an action that its responder doesn't answer",
      explanation: """
        They are asked only of a responder that takes the action itself, so this one is never asked: it belongs to the responder
        that has the handler, or its name is misspelt.
        """,
      bad: """
        function app.on:save() end
        function app.can:svae() return false, "nothing changed" end
        """,
      good: """
        function app.on:save() end
        function app.can:save() return false, "nothing changed" end
        """),
    DiagnosticKind(
      code: "stray-redirect", summary: "a responder redirects to one that is not there",
      explanation: """
        The name that `redirect` holds belongs to no responder, so the walk goes on as if nothing were said.
        """,
      bad: """
        responder "grid"
        responder "sidebar" { redirect = "gird" }
        """,
      good: """
        responder "grid"
        responder "sidebar" { redirect = "grid" }
        """),
    DiagnosticKind(
      code: "look-field", summary: "a look answers a field that nobody reads",
      explanation:
        "A look may answer title, subtitle, state, hidden, icon and destructive; anything else is not heard.",
      bad: """
        menubar { menu "View" { item "Grid" { "grid" } } }
        function app.on:grid() end
        function app.look:grid() return { stat = true } end
        """,
      good: """
        menubar { menu "View" { item "Grid" { "grid" } } }
        function app.on:grid() end
        function app.look:grid() return { state = true } end
        """),
    DiagnosticKind(
      code: "key-conflict", summary: "keys are bound twice, or hidden by shorter ones",
      explanation: """
        Of two items with one key the first wins, keys in `app.keys` win over those of items, and keys that are bound alone over every
        sequence that begins with them: the other is never reached, wherever the focus is. If several owners bind the same keys on one
        responder, the one that was loaded last wins. What only a responder that isn't always in the
        chain takes first is shown by `menuctl keys`.
        """,
      bad: """
        menubar { menu "Edit" { item "Copy" { "copy", key = "c" }, item "Cut" { "cut", key = "c" } } }
        function app.on:copy() end
        function app.on:cut() end
        """,
      good: """
        menubar { menu "Edit" { item "Copy" { "copy", key = "c" }, item "Cut" { "cut", key = "x" } } }
        function app.on:copy() end
        function app.on:cut() end
        """),
    DiagnosticKind(
      code: "stray-keymap", summary: "the user's keymap has keys for a responder that is not there",
      explanation: """
        A keymap names responders, as return { grid = { x = "cut" } }. The name belongs to none, so these keys are never looked up,
        unless a responder of that name is made later.
        """,
      bad: nil, good: nil),
    DiagnosticKind(
      code: "capital-key", summary: "a key is one capital letter, which doesn't mean that shift is held",
      explanation: """
        Keys are written in any case, so "D" is the key d alone. What is held stands before it: "shift+d".
        """,
      bad: """
        menubar { menu "Edit" { item "Delete" { "delete", key = "D" } } }
        function app.on:delete() end
        """,
      good: """
        menubar { menu "Edit" { item "Delete" { "delete", key = "shift+d" } } }
        function app.on:delete() end
        """),
    DiagnosticKind(
      code: "rare-key", summary: "a key that few terminals send is the only one of an action",
      explanation: """
        A terminal tells ctrl+shift+z from ctrl+z, or ctrl+1 from 1, only where it has one of the newer protocols for keys. This
        is a note, which is no reason for 'check' to fail.
        """,
      bad: """
        menubar { menu "Edit" { item "Again" { "again", key = "ctrl+shift+a" } } }
        function app.on:again() end
        """,
      good: """
        menubar { menu "Edit" { item "Again" { "again", key = "ctrl+shift+a" } } }
        app.keys["ctrl+y"] = "again"
        function app.on:again() end
        """),
  ]
}

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
