// The whole on a page, before its parts.

extension Topic {
  static let model = Topic(
    name: "model", summary: "what an action goes through, from the item to its outcome",
    text: """
      An item, a key or a script names an action. Nobody is wired to it: who answers is found anew each time, by a walk along the chain.

      ```diagram
      item "Cut" ──▶ cut ──▶ the walk: line ─▶ page ─▶ main ─▶ app ─▶ the program
                                        │ each: on? resolve? redirect? claims?
                                        ▼ the first that answers
                     needs? ─▶ can? ─▶ on      with one context, made for it
                       │ no     │ no    │ the result, or an error
                       ▼        ▼       ▼
                      disabled: why   handled, failed
      ```

      - chain  Whom the walk asks, in which order: from the focus on, by 'next', to the app. Only when nobody answers are the catch-alls asked.
      - forwarding  How one that was asked leaves it to others: 'pass', 'ctx:forward()', 'ctx:super()', 'redirect'.
      - context  What a handler knows: its own writes, the arguments, 'info', and what the responders of the walk 'provide', nearest first.
      - validation  Whether it can be done now: 'needs', then 'can'. A no has a reason. The same is asked to draw it and before it is done.
      - menus, keys  What names actions, and how it is drawn: 'look', sections, builders.
      - focus, modal  Where the walk begins, and who is shut out.
      - undo, time, errors  What becomes of what was done: taken back, waited for, reported.

      Each is a topic. docs/model.md goes through the first four with a script for every claim.

      ```lua
      local page = responder "page" { text = "a page" }
      local line = responder "line" { next = page }

      function line:provide(ctx) ctx.selection = self.selection end
      line.needs.cut = { selection = "select something first" }
      function line.on:cut(ctx) return ctx.selection end
      function page.on:print() return page.text end
      focus(line)

      print(app:perform("cut").reason)    --> select something first
      line.selection = "a word"
      print(app:perform("cut").result)    --> a word
      print(app:perform("print").result)  --> a page
      ```
      """)
}
