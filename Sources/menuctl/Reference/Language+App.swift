extension LanguageReference {
  static let app = LanguageGroup(
    title: "The app", type: "App", base: "Responder", receiver: .object("app"),
    says:
      "The root responder, and what drives the host. What answers raises nothing for what a person did: there is an outcome.",
    entries: appFields + appActing + appAsking + appPlugins)

  private static let appFields: [LanguageEntry] = [
    .value(
      "title", "string?", "What people call the app.",
      """
      app.title = "Photos"

      print(app.title)  --> Photos
      """),
    .value(
      "name", "string", "What programs call the app: plugins that require it name it so. It is \"app\" at first.",
      """
      app.name = "photos"

      print(app.name)  --> photos
      """),
    .value(
      "version", "string?", "The app's version, as in \"1.2.0\".",
      """
      app.version = "1.2.0"

      print(app.version)  --> 1.2.0
      """),
    .value(
      "settings", "table<string, any>", "What '--set KEY=VALUE' gave on the command line; a script can't assign it.",
      """
      print(app.settings.size)  --> nil
      """),
    .value(
      "keep", "table<string, any>",
      "What survives a reload of this script: plain data, one table for each script and plugin.",
      """
      app.keep.count = (app.keep.count or 0) + 1
      """),
    .value(
      "store", "table<string, any>",
      """
      What is there again the next time that the app runs, which needs a name for that: plain data, 256 KiB at most, one table for each script and \
      plugin. The tool keeps it in a file in '$XDG_STATE_HOME/menuctl/stores', or '~/.local/state/menuctl/stores': who removes that begins anew. \
      Several processes of one app have one store: an action that reads 'app.store' gets it as it is now, and no other process changes it until the \
      action ends or waits. So read 'app.store' in each action, and again after a wait, instead of keeping the table in a variable. \
      Tests begin with nothing, and 'menuctl record' leaves it as it is.
      """,
      errors: "raises where the app has no name; what can't be written is told, and what was written before stays",
      """
      app.name = "photos"

      function app.on:seen(ctx) app.store.seen = (app.store.seen or 0) + 1 return app.store.seen end

      print(app:perform("seen").result)  --> 1
      """),
    .value(
      "allow", "string[]?",
      "The capabilities that the app asks the user for, once; given before anything of it is done, and read when it was loaded, as in { \"exec=git\" }."
    ),
    .value(
      "allow_warnings", "string[]?", "The codes of what 'menuctl check' is not to find in this script.",
      """
      app.allow_warnings = { "duplicate-title" }
      """),
    .value(
      "phase", "\"inactive\"|\"active\"|\"background\"", "How far the app is to the fore; 'app:enter' sets it.",
      """
      print(app.phase)  --> inactive
      """),
    .value(
      "delegate", "Responder?", assigned: "Responder|string|nil", "Who is asked right after the app.",
      """
      app.delegate = responder "helper"

      print(table.concat(app:chain(), " "))  --> app helper
      """),
  ]

  private static let appActing: [LanguageEntry] = [
    .call(
      "perform",
      [
        ("ref", "Reference", "what to do"), ("args?", "table<string, any>", "arguments, over those of the reference"),
        ("options?", "PerformOptions", "how"),
      ], returns: [("Outcome", "what came of it")],
      "Performs an action: whoever in the chain answers it now gets it.",
      errors: "raises while a script loads, and in 'can', 'look' and 'provide'",
      """
      function app.on:add(ctx) return ctx.a + ctx.b end

      print(app:perform("add(a: 1)", { b = 2 }).result)  --> 3
      print(app:perform("subtract").status)              --> unhandled
      """),
    .call(
      "press",
      [
        ("keys", "string", "a stroke, as \"ctrl+k\", or several, as \"g g\""), ("options?", "PickOptions", "how"),
      ],
      returns: [("Outcome", "what came of the last stroke; 'pending' where a sequence only began")],
      "Presses keys: they are looked up along the chain, then in the menus.",
      """
      app.keys = { ["g g"] = "top" }
      function app.on:top() return "at the top" end

      print(app:press("g").status)  --> pending
      print(app:press("g").result)  --> at the top
      """),
    .call(
      "pick",
      [
        ("id", "ElementID", "the id of an item, also of a row of the last context menu"),
        ("modifiers?", "table", "the modifiers that are held, as { alt = true } or { \"alt\" }"),
        ("options?", "PickOptions", "how"),
      ], returns: [("Outcome", "what came of it")],
      "Picks an item as a person does; one that is drawn disabled is not done.",
      """
      menubar { menu "File" { item "Close" { "close" } } }

      print(app:pick("File/Close").reason)  --> nobody answers 'close'
      """),
    .call(
      "undo", returns: [("Outcome", "what came of it")],
      "Takes back the last action, of the nearest undo stack from the focus that has something to undo.",
      """
      local page = responder "page" { text = "a" }
      function page.on:write(ctx) ctx:set(self, "text", ctx.text) end
      page:perform("write(text: b)")
      app:undo()

      print(page.text)  --> a
      """),
    .call(
      "redo", returns: [("Outcome", "what came of it")], "Does again what was taken back last.",
      """
      print(app:redo().reason)  --> there is nothing to redo
      """),
    .call(
      "enter", [("phase", "\"inactive\"|\"active\"|\"background\"", "which")],
      "Sets the phase of the app; who listens for it hears of a change.",
      """
      app:enter("active")

      print(app.phase)  --> active
      """),
    .call(
      "open_urls", [("urls", "string[]", "which, in order")],
      returns: [
        (
          "Outcome[]",
          "what came of each; 'pending' until somebody answers 'openURL', or as long as another is being opened"
        )
      ],
      "Performs 'openURL' for each, with 'ctx.url'.",
      """
      function app.on:openURL(ctx) print(ctx.url) end

      app:open_urls { "file:a", "file:b" }
      --> file:a
      --> file:b
      """),
    .call(
      "open_menu", [("menu", "ElementID|Snapshot", "the id of a menu, or a context menu")],
      returns: [("OpenMenu?", "what is picked from it, and what closes it"), ("string?", "why there is none")],
      "Opens a menu as a session, which picking, closing and 'background' end.",
      errors: "gives nil and the reason when there is no such menu",
      """
      menubar { menu "Go" { item "Home" { "go(to: home)" } } }
      function app.on:go(ctx) return ctx.to end
      local open = app:open_menu("Go")

      print(open:pick("Go/Home").result, open.open)  --> home  false
      """),
    .call(
      "rebuild", "Asks for the menus to be built anew at the next snapshot: builders and sections run again.",
      """
      local names = { "one" }
      menubar {
        menu "Names" { section "names" { items = names, row = function(name) return item(name) { "call" } end } },
      }
      print(#app:menu("Names").children)  --> 1
      names[2] = "two"
      app:rebuild()
      print(#app:menu("Names").children)  --> 2
      """),
    .call(
      "revalidate", "Asks for a validation pass, of which those who listen for 'validation' hear.",
      """
      app:revalidate()
      """),
    .call(
      "advance", [("seconds", "number", "how far")], "Moves the clock of a test; what wakes up on the way goes on.",
      errors: "raises outside of tests",
      """
      function app.on:wait() sleep(10) print("awake") end
      app:perform("wait", nil, { wait = false })

      app:advance(9)
      print("not yet")  --> not yet
      app:advance(1)    --> awake
      """),
  ]

  private static let appAsking: [LanguageEntry] = [
    .call(
      "validate", [("ref", "Reference", "which action")], returns: [("Validation", "whether and why")],
      "Says whether an action can be done now, why not, and how its item looks.",
      """
      local page = responder "page"
      function page.on:save() end
      page.needs.save = { file = "open a file first" }
      focus(page)

      print(app:validate("save").enabled, app:validate("save").reason)  --> false  open a file first
      """),
    .call(
      "menu", [("id?", "ElementID", "which; the root, whose children are the menus, where it is left out")],
      returns: [("Snapshot?", "it, validated; nil where there is none")],
      "Shows a menu as plain tables, each item with whether it can be done.",
      """
      menubar { menu "File" {}, menu "Edit" {} }

      print(app:menu().children[2].title)  --> Edit
      """),
    .call(
      "item", [("id", "ElementID", "which")], returns: [("Snapshot?", "it, validated; nil where there is none")],
      "Shows one element as a plain table.",
      """
      menubar { menu "Edit" { item "Paste" { "paste", enabled = "the clipboard is empty" } } }

      print(app:item("Edit/Paste").reason)  --> the clipboard is empty
      """),
    .call(
      "panel", returns: [("Snapshot?", "its root, whose children are the rows; nil where none is declared")],
      "Shows what stands in the body of a face as a plain table.",
      """
      panel { label "Photos", item "Harbour" { "open" } }

      print(app:panel().children[2].reason)  --> nobody answers 'open'
      """),
    .call(
      "choose", [("id", "ElementID", "a row of the panel")],
      returns: [("Outcome", "what came of its 'current', or of its section's; else handled")],
      "Makes a row the current one, as a person does who moves to it; one that is disabled too.",
      """
      panel { item "Harbour" { "open(n: 1)", current = "show" } }
      function app.on:show(ctx) return ctx.n end

      print(app:choose("Harbour").result)  --> 1
      """),
    .call(
      "context_menu",
      [
        ("kind", "string", "the kind of the subject, for which builders are asked"),
        ("subject?", "any", "what it is about, as 'ctx.subject'"), ("options?", "ContextMenuOptions", "how"),
      ], returns: [("Snapshot", "what the builders of the chain made, validated")],
      "Builds the context menu of a subject.",
      """
      function app.build:url(m, url) m:insert_last("root", item("Copy " .. url) { "copy" }) end

      print(app:context_menu("url", "a.org").children[1].title)  --> Copy a.org
      """),
    .call(
      "chain", [("ref?", "Reference", "an action; then each link says what its responder would answer")],
      returns: [("string[]|Link[]", "the names, nearest first; with a reference, the links")],
      "Shows who is asked, nearest first.",
      """
      local page = responder "page"
      function page.on:save() end
      focus(page)

      print(table.concat(app:chain(), " "))  --> page app
      print(app:chain("save")[1].answer)     --> on: takes it
      """),
    .call(
      "context", [("ref?", "Reference", "an action, whose arguments are then in it")],
      returns: [("table<string, any>", "the context as a plain table")],
      "Shows what a handler would find in its context.",
      """
      function app:provide(ctx) ctx.user = "Ada" end

      print(app:context().user)  --> Ada
      """),
    .call(
      "why", [("name", "Reference|ElementID", "an action, or an element by its id")],
      returns: [("Explanation", "the derivation, with its text")],
      "Explains who takes an action, or why nobody does.",
      """
      function app.on:save() end

      print(app:why("save").by)  --> app
      """),
    .call(
      "actions", [("reference?", "Reference", "one action; without it all")],
      returns: [("Reachable[]", "each with what it takes, who answers, and why not")],
      "Lists every action that can be reached now; what only items or keys name, and nobody answers, has no 'by'.",
      """
      app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
      app.about.rate = "Rate the photo"
      function app.on:rate() end
      app.keys = { r = "rate" }
      local rate = app:actions("rate")[1]

      print(rate.title, rate.by, rate.takes[1].to, rate.keys[1])  --> Rate the photo  app  5  r
      """),
    .call(
      "find", [("name", "string", "the name of a responder or window")],
      returns: [("Responder?", "it, or nil where there is none")], "Finds a responder by its name.",
      """
      responder "page"

      print(app:find("page").name, app:find("line"))  --> page  nil
      """),
    .call(
      "windows", returns: [("string[]", "their names, in the order in which they were made")], "Lists the windows.",
      """
      window "one"
      window "two"

      print(table.concat(app:windows(), " "))  --> one two
      """),
    .call(
      "undo_stack", returns: [("UndoTitles", "what can be taken back and done again")],
      "Shows the titles of the undo stacks that 'undo' and 'redo' take at the focus.",
      """
      print(app:undo_stack().owner)  --> app
      """),
    .call(
      "forget_undo",
      returns: [("string?", "the title of the entry; nil if none was dropped"), ("string?", "why none was dropped")],
      """
      Drops the entry that 'undo' would take next, without taking anything back. Use it where an undo fails for good: it would keep the \
      entries before it from being undone. A plugin drops only what it registered itself.
      """,
      errors: "raises in 'can' and 'look', and while a script loads",
      """
      function app.on:send(ctx) ctx:undo("Send", function() error("it was sent") end) end
      app:perform("send")
      app:undo()

      print(app:undo_stack().undo[1], app:forget_undo())  --> Send  Send
      print(#app:undo_stack().undo)                       --> 0
      """),
    .call(
      "jobs", returns: [("Job[]", "what waits, in the order in which it was begun")], "Lists the actions that wait.",
      """
      function app.on:wait() sleep(1) end
      app:perform("wait", nil, { wait = false })

      print(#app:jobs(), app:jobs()[1].action)  --> 1  wait
      """),
  ]

  private static let appPlugins: [LanguageEntry] = [
    .call(
      "plugins", returns: [("table[]", "of each its name, version, path, and what it requires, asks for and holds")],
      "Lists the plugins.",
      """
      print(#app:plugins())  --> 0
      """),
    .call(
      "load_plugin",
      [("path", "string", "below the folder of the calling file; a bare name is looked up in those of --plugins")],
      returns: [("boolean", "whether it loaded"), ("table[]?", "what is wrong with it")], "Loads a plugin.",
      errors: "raises in a plugin: it is the app's and the tests' only",
      """
      print(app:load_plugin("plugins/exporter"))  --> true
      """),
    .call(
      "unload_plugin", [("name", "string", "which")],
      returns: [("table<string, integer>?", "how much of each kind was removed"), ("string?", "why not")],
      "Unloads a plugin with everything that it registered.",
      errors: "is refused, naming them, when others require it; raises in a plugin",
      """
      app:load_plugin("plugins/exporter")

      print(app:unload_plugin("exporter").handlers)  --> 1
      """),
    .call(
      "reload_plugin", [("name", "string", "which")],
      returns: [("boolean", "whether it loaded"), ("table[]?", "what is wrong with it")],
      "Loads a plugin anew; where that fails the old one stays.", errors: "raises in a plugin",
      """
      app:load_plugin("plugins/exporter")

      print(app:reload_plugin("exporter"))  --> true
      """),
  ]
}
