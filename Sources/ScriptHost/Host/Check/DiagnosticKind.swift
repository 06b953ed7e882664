/// A *kind* of diagnostic: its code, what it means, an example that causes it, and the corrected example.
package struct DiagnosticKind: Sendable {
  /// The name for programs and for `app.allow_warnings`.
  package let code: String
  /// The finding, in a few words.
  package let summary: String
  /// The meaning of the finding, and how to correct it.
  package let explanation: String
  /// An example that causes it.
  package let bad: String
  /// The same example, corrected.
  package let good: String
  /// Whether `check` of the example alone doesn't find it: a keymap, a running app or a program causes it.
  package let isLater: Bool
  /// How much it matters. `app.allow_warnings` silences warnings and notes.
  package let severity: Diagnostic.Severity
  /// The language of the examples.
  package let language: String

  package init(
    code: String, summary: String, explanation: String, bad: String, good: String, isLater: Bool = false,
    severity: Diagnostic.Severity = .warning, language: String = "lua"
  ) {
    self.code = code
    self.summary = summary
    self.explanation = explanation
    self.bad = bad
    self.good = good
    self.isLater = isLater
    self.severity = severity
    self.language = language
  }

  /// Returns the kind of a code; nil if there is none.
  package static func named(_ code: String) -> DiagnosticKind? { all.first { $0.code.hasSameBytes(as: code) } }

  /// Every kind except failures of functions, in the order of the codes.
  package static let all = (actions + context + menus + mistakes + others).sorted { $0.code.precedesByBytes($1.code) }
}

extension DiagnosticKind {
  static let actions = [
    DiagnosticKind(
      code: "unanswered-action",
      summary: "an item, a key or app:perform names an action that no responder handles",
      explanation: """
        No responder has a handler of that name, and none claims it, wherever the focus is: the item is always disabled.
        A catch-all alone enables no item. Most likely one of the two names is misspelt. Correct it, or write the handler.
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
      code: "unfit-argument",
      summary: "an item, a key or app:perform passes an argument that the action doesn't take",
      explanation: """
        `takes` declares the arguments of the action. This one has another type, is out of range, is no choice, or isn't
        declared: the item is always disabled, with that reason. Correct the argument or the declaration.
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
      code: "unnamed-handler",
      summary: "a handler's action is named by no item, key or script",
      explanation: """
        Nothing in the scripts performs the action, so only another program could. Add an item or a key, or delete the
        handler. If another program performs the action, allow the warning. `check` skips scripts without menus and keys.
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
      summary: "a can, look, needs, takes, confirm or about belongs to an action that its responder doesn't handle",
      explanation: """
        The host uses them only on the responder that handles the action, so it never uses this one. Move it to the
        responder with the handler, or correct its name.
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
      code: "stray-redirect",
      summary: "a responder redirects to a name that no responder has",
      explanation: """
        The host ignores the redirect and asks the next responder of the chain. Correct the name in `redirect`.
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
      code: "look-field",
      summary: "a look returns a field that the host doesn't read",
      explanation: """
        A look can return title, subtitle, state, hidden, icon and destructive. The host ignores every other field. Correct
        the field's name.
        """,
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
      code: "key-conflict",
      summary: "two bindings have the same keys, or short keys hide longer ones",
      explanation: """
        The first of two items with the same key wins. Keys in `app.keys` win over keys of items. A single key wins over
        every sequence that begins with it. If several scripts bind the same keys of one responder, the last loaded one wins.
        Give the loser other keys. `menuctl keys` also shows conflicts that depend on the focus.
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
      code: "stray-keymap",
      summary: "the user's keymap has keys for a name that no responder has",
      explanation: """
        A keymap names responders. The host ignores the keys of an unknown one, until a script makes a responder of that
        name. Correct the name in the keymap.
        """,
      bad: """
        return { gird = { x = "cut" } }
        """,
      good: """
        return { grid = { x = "cut" } }
        """, isLater: true),
    DiagnosticKind(
      code: "capital-key",
      summary: "a key is one capital letter, which doesn't mean shift",
      explanation: """
        The host ignores the case of keys: "D" is the same as "d". For shift write "shift+d".
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
      code: "rare-key",
      summary: "an action's only key is one that few terminals send",
      explanation: """
        Most terminals can't tell ctrl+shift+z from ctrl+z, or ctrl+1 from 1. Bind a second key. This is a note: `check`
        doesn't fail because of it.
        """,
      bad: """
        menubar { menu "Edit" { item "Again" { "again", key = "ctrl+shift+a" } } }
        function app.on:again() end
        """,
      good: """
        menubar { menu "Edit" { item "Again" { "again", key = "ctrl+shift+a" } } }
        app.keys["ctrl+y"] = "again"
        function app.on:again() end
        """, severity: .note),
  ]
}

extension DiagnosticKind {
  static let context = [
    DiagnosticKind(
      code: "unsupplied-key",
      summary: "a function reads a context key that nothing supplies",
      explanation: """
        No `provide` writes the key, no item and no key passes an argument of that name, and no script assigns it. Reading
        it always gives nil. Correct the name, or supply the key in a `provide`.
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
      code: "shadowed",
      summary: "a provide supplies a key whose name belongs to the host",
      explanation: """
        The names action, raw, prefix, args, sender, taker, modifiers and subject of a context belong to the host, and so do
        the names of its methods. No script can read what a `provide` writes there. Choose another name.
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
      code: "shadowed-argument",
      summary: "an argument has a name that belongs to the host",
      explanation: """
        ctx.NAME returns the host's value. Read the argument as ctx.args.NAME, or choose another name.
        """,
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
      code: "duplicate-title",
      summary: "two items of one menu have the same title",
      explanation: """
        A person can't tell them apart, and the id of the second one ends in #2. Give one of them another title. `check`
        skips the rows of sections, and items that a `look` can hide.
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
      code: "no-reason",
      summary: "an item is disabled, and no script says why",
      explanation: """
        The host makes up a reason. Write one that a person understands: return false, "why not" in a can;
        needs = { key = "why not" }; or enabled = "why not".
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
      code: "unknown-field",
      summary: "an element has a field that the host doesn't read",
      explanation: """
        No element of this kind has such a field. Most likely the name is misspelt. The warning also means a mnemonic that is
        no letter of the item's title.
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
      code: "not-an-element",
      summary: "a menu has an entry that is no menu element",
      explanation: """
        The host skips the entry. Write an element: item, menu, label, separator or section. nil and false are allowed, so
        you can write `condition and item …`.
        """,
      bad: """
        menubar { menu "File" { "Open", item "Save" { "save" } } }
        function app.on:save() end
        """,
      good: """
        menubar { menu "File" { label "Open", item "Save" { "save" } } }
        function app.on:save() end
        """),
    DiagnosticKind(
      code: "text",
      summary: "a text can't be shown unchanged",
      explanation: """
        The host shows control characters and bytes that aren't UTF-8 as U+FFFD, and cuts a text after 4096 bytes. Remove
        them from the text, or shorten it.
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
