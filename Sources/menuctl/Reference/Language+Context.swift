extension LanguageReference {
  static let context = LanguageGroup(
    title: "The context", type: "Context", receiver: .object("ctx"),
    says: """
      What a handler knows. 'ctx.k' is looked up in what this handler wrote, then the arguments, then what the caller passed as \
      'info', then what providers supplied, the nearest first. In 'can' and 'look' it is read-only.
      """,
    entries: contextFields + contextCalls)

  private static let contextFields: [LanguageEntry] = [
    .value(
      "action", "string", "The name of the action.",
      """
      function app:unknown(ctx) print(ctx.action, ctx.prefix) end

      app:perform("button.save")  --> save  button
      """),
    .value(
      "raw", "string", "The whole reference, as it was given.",
      """
      function app.on:save(ctx) print(ctx.raw) end

      app:perform("button.save(as: pdf)")  --> button.save(as: pdf)
      """),
    .value(
      "prefix", "string", "What was dropped of the reference until somebody answered, or \"\".",
      """
      function app.on:save(ctx) print(ctx.prefix) end

      app:perform("toolbar.button.save")  --> toolbar.button
      """),
    .value(
      "args", "table<string, any>", "The arguments, in a plain table of this perform's own.",
      """
      function app.on:save(ctx) print(ctx.args.as) end

      app:perform("save(as: pdf)")  --> pdf
      """),
    .value(
      "sender", "Sender|App", "Of an item its id, title, action and key; else the app.",
      """
      menubar { menu "File" { item "Save" { "save" } } }
      function app.on:save(ctx) print(ctx.sender.id) end

      app:pick("File/Save")  --> File/Save
      """),
    .value(
      "taker", "Responder", "The responder whose function runs.",
      """
      function app.on:save(ctx) print(ctx.taker.name) end

      app:perform("save")  --> app
      """),
    .value(
      "modifiers", "table<string, boolean>", "The modifiers that were held.",
      """
      function app.on:save(ctx) print(ctx.modifiers.alt) end

      app:perform("save", nil, { modifiers = { alt = true } })  --> true
      """),
    .value(
      "subject", "any", "In a context menu, what it is about.",
      """
      function app.build:url(m) m:insert_last("root", item "Copy" { "copy", id = "copy" }) end
      function app.on:copy(ctx) print(ctx.subject) end
      app:context_menu("url", "a.org")

      app:pick("copy")  --> a.org
      """),
  ]

  private static let contextCalls: [LanguageEntry] = [
    .call(
      "append", [("key", "string", "of the list"), ("value", "any", "what to add")],
      "Adds to a list; several responders may add to the same. `nil` adds nothing.",
      """
      local page = responder "page"
      function app:provide(ctx) ctx:append("tags", "app") end
      function page:provide(ctx) ctx:append("tags", "page") end
      focus(page)

      print(table.concat(app:context().tags, " "))  --> page app
      """),
    .call(
      "each", [("key", "string", "of the list")], returns: [("fun(): any", "what a 'for' loop takes")],
      "Walks a list, what was added nearest first.",
      """
      function app:provide(ctx) ctx.tag = "one" end
      function app.on:show(ctx)
        for tag in ctx:each("tag") do print(tag) end
      end

      app:perform("show")  --> one
      """),
    .call(
      "flag", [("key", "string", "of the switch")], returns: [("boolean", "whether it is on")],
      "Reads a switch: true, a number that is not 0, and \"true\", \"yes\", \"on\", \"1\" are on.",
      """
      function app.on:show(ctx) print(ctx:flag("all"), ctx:flag("deep")) end

      app:perform("show(all: yes, deep: 0)")  --> true  false
      """),
    .call(
      "has", [("key", "string", "which")], returns: [("boolean", "whether somebody supplied it")],
      "Whether there is something under a key.",
      """
      function app.on:show(ctx) print(ctx:has("all"), ctx:has("deep")) end

      app:perform("show(all: false)")  --> true  false
      """),
    .call(
      "set",
      [
        ("object", "table", "a plain table, or a responder"), ("key", "any", "a key, or a table of keys and values"),
        ("value?", "any", "what it becomes; left out behind a table of keys and values"),
        ("title?", "string", "what undo calls it"), ("options?", "UndoOptions", "how"),
      ], "Writes a field and makes that undoable.",
      errors: "raises in 'can' and 'look', and for a field of the host's",
      """
      local photo = { stars = 1 }
      function app.on:rate(ctx) ctx:set(photo, "stars", ctx.stars, "Rating") end
      app:perform("rate(stars: 5)")
      print(photo.stars, app:undo_stack().undo[1])  --> 5  Rating
      app:undo()
      print(photo.stars)                            --> 1
      """),
    .call(
      "insert",
      [
        ("list", "any[]", "a list, not a responder"), ("at", "integer", "the place, from 1 to #list + 1"),
        ("value", "any", "what is inserted"), ("title?", "string", "what undo calls it"),
        ("options?", "UndoOptions", "how"),
      ],
      "Inserts a value into a list and makes that undoable. Undo removes this value, wherever it is by then.",
      errors: "raises in 'can' and 'look', and for a place that the list doesn't have",
      """
      local list = { "b" }
      function app.on:add(ctx) ctx:insert(list, ctx.at, ctx.word, "Add") end
      app:perform("add(word: a, at: 1)")
      table.insert(list, 1, "first")
      app:undo()
      print(table.concat(list, " "))  --> first b
      """),
    .call(
      "remove",
      [
        ("list", "any[]", "a list, not a responder"), ("value", "any", "the value that is removed"),
        ("title?", "string", "what undo calls it"), ("options?", "UndoOptions", "how"),
      ], returns: [("boolean", "whether it was in the list")],
      "Removes the first value of a list that is equal, and makes that undoable. Undo inserts it behind the value that was in front of it.",
      errors: "raises in 'can' and 'look'",
      """
      local list = { "a", "b", "c" }
      function app.on:drop(ctx) return ctx:remove(list, ctx.word, "Drop") end
      print(app:perform("drop(word: b)").result, table.concat(list, " "))  --> true  a c
      app:undo()
      print(table.concat(list, " "))                                       --> a b c
      """),
    .call(
      "undo",
      [
        ("title", "string?", "what undo calls it; the item's title or the action's name where it is nil"),
        ("fn", "fun(ctx: Context)", "what takes it back"), ("options?", "UndoOptions", "how"),
      ], "Registers what takes this action back. What that registers in turn is what redo does.",
      """
      local list = {}
      local function add(ctx, word)
        list[#list + 1] = word
        ctx:undo("Add", function(ctx)
          list[#list] = nil
          ctx:undo("Add", function(ctx) add(ctx, word) end)
        end)
      end
      function app.on:add(ctx) add(ctx, ctx.word) end

      app:perform("add(word: a)")
      app:undo()
      print(#list)  --> 0
      app:redo()
      print(#list)  --> 1
      """),
    .call(
      "refuse", [("reason", "string", "why not")],
      "Ends the handler: the action is disabled after all, and what it did is taken back. It doesn't return.",
      """
      function app.on:save(ctx) ctx:refuse("the disk is full") end

      print(app:perform("save").status, app:perform("save").reason)  --> disabled  the disk is full
      """),
    .call(
      "super", returns: [("any", "what it answers; where there is none, true in 'can' and else nil")],
      "Calls the implementation below this one: of a layer, of the responder itself, of its class. In `unknown` it calls the `unknown` below.",
      """
      local base = class "animal"
      function base.on:speak() return "a sound" end
      local dog = responder "dog" { class = "animal" }
      function dog.on:speak(ctx) return ctx:super() .. ": woof" end

      print(dog:perform("speak").result)  --> a sound: woof
      """),
    .call(
      "forward", returns: [("any", "what it answers; nil where there is none"), ("string?", "why it said no")],
      "Calls the next responder in the chain that answers, if it can do it; never a catch-all.",
      """
      local line = responder "line"
      function app.on:save() return "saved" end
      function line.on:save(ctx) return "first " .. ctx:forward() end

      print(line:perform("save").result)  --> first saved
      """),
  ]

  static let look = LanguageGroup(
    title: "What look answers", type: "Look", receiver: .object("look"),
    says: "How an item looks now. What is left out is as declared.",
    entries: [
      .value(
        "title", "string?", "What it is called now.",
        """
        function app.on:mute() end
        function app.look:mute() return { title = "Unmute", state = "mixed", subtitle = "two of three" } end

        local found = app:validate("mute")
        print(found.title, found.subtitle, found.state)  --> Unmute  two of three  mixed
        """),
      .value("subtitle", "string?", "What stands below the title."),
      .value("state", "boolean|\"on\"|\"off\"|\"mixed\"|nil", "Whether it is ticked."),
      .value("hidden", "boolean?", "Whether it is left out of what is drawn."),
      .value("icon", "string?", "The name of its picture."),
      .value("destructive", "boolean?", "Whether it destroys something, so that it is drawn with care."),
    ])

  static let claim = LanguageGroup(
    title: "What claims answers", type: "Claim", receiver: .object("claim"),
    says: "What stands for 'can' and 'look' of an action that is claimed: the fields of Look, and a reason.",
    entries: [
      .value(
        "reason", "string?", "Why it can't be done now; left out where it can.",
        """
        local shell = responder "shell"
        function shell:claims(action) return action == "run" and { title = "Run It", reason = "nothing is open" } end
        function shell:unknown(ctx) return "ran " .. ctx.action end
        focus(shell)

        local found = app:validate("run")
        print(found.title, found.enabled, found.reason)  --> Run It  false  nothing is open
        """)
    ]
      + look.entries.map { entry in
        var entry = entry
        entry.example = .none
        return entry
      })
}
