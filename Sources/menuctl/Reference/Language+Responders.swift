extension LanguageReference {
  static let responder = LanguageGroup(
    title: "Responders", type: "Responder", receiver: .object("responder"),
    says: """
      A responder answers actions. Its tables hold behaviour by the name of an action, its hooks are asked as the host needs them, \
      and every other field is the script's own state.
      """,
    entries: responderTables + responderHooks + responderFields + responderCalls)

  private static let responderTables: [LanguageEntry] = [
    .value(
      "on", "table<string, fun(self: Responder, ctx: Context): any>",
      "What does an action; anything it returns is the result, 'pass' goes on, an error takes back what was done.",
      """
      local page = responder "page"
      function page.on:count(ctx) return #ctx.text end
      page.on["file.open"] = function(self, ctx) return "opened" end

      print(page:perform("count(text: abc)").result)  --> 3
      print(page:perform("file.open").result)         --> opened
      """),
    .value(
      "can", "table<string, fun(self: Responder, ctx: Context): any, string?>",
      "Whether an action can be done now: true, or false and the reason, or 'pass' for \"not me\".",
      """
      local page = responder "page" { text = "" }
      function page.on:print() end
      function page.can:print() return self.text ~= "", "the page is empty" end
      focus(page)

      print(app:validate("print").reason)  --> the page is empty
      """),
    .value(
      "look", "table<string, fun(self: Responder, ctx: Context): Look?>",
      "How the item of an action looks now; nil is as declared.",
      """
      local page = responder "page" { bold = true }
      function page.on:bold() self.bold = not self.bold end
      function page.look:bold() return { state = self.bold } end
      focus(page)

      print(app:validate("bold").state)  --> on
      """),
    .value(
      "needs", "table<string, string|string[]|table<string, string>>",
      "The context keys without which an action is disabled: one, a list, or each with the reason.",
      """
      local page = responder "page"
      function page.on:print() end
      page.needs.print = { printer = "choose a printer first" }
      focus(page)

      print(app:perform("print").reason)  --> choose a printer first
      """),
    .value(
      "takes", "table<string, table<string, ArgumentType>>",
      "What arguments an action takes, a type for each by its name. What doesn't fit disables it with the reason; what is missing is asked for.",
      """
      local grid = responder "grid"
      grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
      grid.takes.export = { format = { one_of = { "jpeg", "png" }, default = "jpeg" }, to = { "folder", optional = true } }
      function grid.on:rate(ctx) return ctx.rating end
      function grid.on:export(ctx) return ctx.format end
      focus(grid)

      print(app:perform("rate(rating: 9)").reason)           --> 'rating' must be an integer from 0 to 5, not 9
      print(app:perform("rate").asks.arguments[1].title)     --> Stars
      print(app:perform("export").result)                    --> jpeg
      """),
    .value(
      "confirm", "table<string, string|fun(self: Responder, ctx: Context): string?>",
      "What a person is asked before an action is done: the question, or a function that gives one or nil. Scripts that perform are not asked.",
      """
      local grid = responder "grid" { photo = "sea" }
      function grid.on:delete() return "deleted" end
      function grid.confirm:delete() return "Delete '" .. self.photo .. "' for good?" end
      grid.keys = { delete = "delete" }
      focus(grid)

      print(app:press("delete").asks.confirm)                  --> Delete 'sea' for good?
      print(app:press("delete", { confirmed = true }).result)  --> deleted
      """),
    .value(
      "about", "table<string, string|{ title: string, help: string?, icon: string? }>",
      "What an action is called where no item says so: a title, or a table with one.",
      """
      local grid = responder "grid"
      function grid.on:rate() end
      grid.about.rate = { title = "Rate the photo", help = "Gives it stars." }

      print(grid.about.rate.title)  --> Rate the photo
      """),
    .value(
      "build", "table<string, fun(self: Responder, m: Builder, subject: any)>",
      "Menu builders by kind: 'main' edits the main menu, any other the context menu of subjects of that kind.",
      """
      menubar { menu "File" { item "Open" { "open" } } }
      function app.build:main(m) m:insert_last("File", item "Close" { "close" }) end

      print(app:menu("File").children[2].title)  --> Close
      """),
    .value(
      "keys", "table<string, Reference|Reference[]>",
      "Key strokes, or sequences of them, and the action that each performs; of a list the first that can be done now.",
      """
      local page = responder "page"
      page.keys = { ["ctrl+k"] = "clear", ["g g"] = "go(to: top)" }
      function page.on:clear() return "cleared" end
      focus(page)

      print(app:press("ctrl+k").result)  --> cleared
      """),
  ]

  private static let responderHooks: [LanguageEntry] = [
    .hook(
      "provide", [("self", "Responder", "the responder"), ("ctx", "Context", "what to write into")],
      "Is asked while a context is being built, the app first; it writes what it knows into the context.",
      """
      local page = responder "page" { author = "Ada" }
      function page:provide(ctx) ctx.author = self.author end
      focus(page)

      print(app:context().author)  --> Ada
      """),
    .hook(
      "resolve", [("self", "Responder", "the responder"), ("action", "string", "the name of an action")],
      returns: [("boolean?", "whether it added a handler")],
      "Is asked once for an action that is not in 'on'; it may add it and return true.",
      """
      local page = responder "page"
      function page:resolve(action)
        if action == "zoom" then
          self.on.zoom = function() return "zoomed" end
          return true
        end
      end

      print(page:perform("zoom").via, page:perform("zoom").via)  --> resolve  on
      """),
    .hook(
      "redirect", [("self", "Responder", "the responder"), ("action", "string", "the name of an action")],
      returns: [("Responder|string|nil", "who should take it")],
      assigned: "Responder|string|(fun(self: Responder, action: string): Responder|string|nil)|nil",
      "Names another responder that should take an action; may also be that responder, or its name.",
      """
      local clerk = responder "clerk"
      function clerk.on:file() return "filed" end
      local desk = responder "desk" { redirect = "clerk" }

      print(desk:perform("file").by, desk:perform("file").via)  --> clerk  redirect
      """),
    .hook(
      "claims", [("self", "Responder", "the responder"), ("action", "string", "the name of an action")],
      returns: [("boolean|Claim|nil", "whether its 'unknown' takes it")],
      assigned: "boolean|string|string[]|(fun(self: Responder, action: string): boolean|Claim|nil)|nil",
      "Says that 'unknown' takes an action here, in its place in the chain; may also be true, or a list of actions. The function may answer a table: what 'look' may answer, and the 'reason' for which it can't be done now.",
      """
      local shell = responder "shell"
      function shell:claims(action)
        if action == "run" then return { title = "Run It" } end
        if action == "stop" then return { reason = "nothing runs" } end
      end
      function shell:unknown(ctx) return "ran " .. ctx.action end
      focus(shell)

      print(app:validate("run").title, app:perform("run").result)  --> Run It  ran run
      print(app:perform("stop").reason)  --> nothing runs
      """),
    .hook(
      "start", [("self", "Responder", "the app"), ("ctx", "Context", "the context")],
      "Of the app: runs once, when everything is loaded; it may wait. The tool waits for its end, and 'check' never runs it.",
      """
      function app:start(ctx) print("ready") end

      print(type(app.start))  --> function
      """),
    .hook(
      "unknown", [("self", "Responder", "the responder"), ("ctx", "Context", "the context")],
      returns: [("any", "the result")],
      "Is asked when nobody in the whole chain takes an action; 'pass' goes on to the next that has one.",
      """
      function app:unknown(ctx) return "what is " .. ctx.action .. "?" end

      print(app:perform("fly").result, app:perform("fly").via)  --> what is fly?  unknown
      """),
    .hook(
      "accepts_focus", [("self", "Responder", "the responder")], returns: [("boolean", "whether it takes the focus")],
      assigned: "boolean|(fun(self: Responder): boolean)|nil",
      "Whether it takes the focus; may also be a boolean.",
      """
      local line = responder "line" { accepts_focus = false }

      print(focus(line))  --> false
      """),
    .hook(
      "become", [("self", "Responder", "the responder")], returns: [("boolean?", "false refuses")],
      "Is told that it gets the focus, after the other has resigned.",
      """
      local line = responder "line"
      function line:become() print("here I am") end

      focus(line)  --> here I am
      """),
    .hook(
      "resign", [("self", "Responder", "the responder")], returns: [("boolean?", "false keeps the focus")],
      "Is told that it is about to lose the focus.",
      """
      local line, other = responder "line", responder "other"
      function line:resign() return false end
      focus(line)

      print(focus(other))  --> false
      """),
    .hook(
      "failed", [("self", "Responder", "the responder"), ("err", "Failure", "what went wrong")],
      returns: [("any", "another error, or nil to end it here")],
      "Is told of a script's error that passes on its way up the chain.",
      """
      function app.on:explode() error("boom", 0) end
      function app:failed(err) return "the engine says: " .. err.message end

      print(app:perform("explode").error.message)  --> the engine says: boom
      """),
  ]

  private static let responderFields: [LanguageEntry] = [
    .value(
      "name", "string", "Its name, which can't be assigned.",
      """
      print(responder("page").name)  --> page
      """),
    .value(
      "next", "Responder?", assigned: "Responder|string|nil", "Who is asked after it: the app where nobody was named.",
      errors: "raises where it would make a circle, naming its members",
      """
      local page, line = responder "page", responder "line"
      line.next = "page"

      print(line.next.name)  --> page
      """),
    .value(
      "class", "string?", assigned: "Class|string|nil", "The class that it builds on.",
      """
      class "button"
      local ok = responder "ok" { class = "button" }

      print(ok.class)  --> button
      """),
    .value(
      "undo", "boolean|UndoSetting|nil", "Whether it has an undo stack of its own, and how many levels it keeps.",
      """
      local page = responder "page" { undo = { levels = 20 } }
      focus(page)

      print(app:undo_stack().owner)  --> page
      """),
    .value(
      "works_when_modal", "boolean?", "Whether it answers during a modal session that it stands outside of.",
      """
      local help = responder "help" { works_when_modal = true }
      function help.on:help() end
      modal(responder "panel")

      print(help:perform("help").status)  --> handled
      """),
    .value(
      "before", "Responder?", assigned: "Responder|string|nil",
      "Whom it is asked before, wherever a walk gets there; that one is its 'next' then.",
      """
      local grid = responder "grid"
      responder "guard" { before = "grid" }
      """),
  ]

  private static let responderCalls: [LanguageEntry] = [
    .call(
      "perform",
      [
        ("ref", "Reference", "what to do"), ("args?", "table<string, any>", "arguments, over those of the reference"),
        ("options?", "PerformOptions", "how"),
      ], returns: [("Outcome", "what came of it")], "Performs an action; the walk starts here.",
      """
      local page = responder "page"
      function page.on:read() return "words" end

      print(page:perform("read").result)  --> words
      """),
    .call(
      "define", [("action", "string", "its name"), ("definition", "Definition", "what to register")],
      returns: [("Registration", "what removes it again")], "Registers an action at run time, all its parts at once.",
      """
      local page = responder "page"
      local handle = page:define("read", { on = function() return "words" end })

      print(page:perform("read").result)  --> words
      handle:remove()
      print(page:perform("read").status)  --> unhandled
      """),
    .call(
      "derive", [("name", "string", "the class's name"), ("fields?", "ClassFields", "what it overrides")],
      returns: [("Responder", "the responder itself")],
      "Gives this one responder a class of its own on top of what it has; one of the same name is made once.",
      """
      local page = responder "page"
      function page.on:write() return "written" end
      page:derive("Readonly", { can = { write = function() return false, "this page is read-only" end } })

      print(page:perform("write").reason)  --> this page is read-only
      """),
    .call(
      "remove", "Takes it out: whoever had it as 'next' gets its 'next', and its name is free.",
      """
      local page = responder "page"
      page:remove()

      print(app:find("page"))  --> nil
      """),
  ]

  static let window = LanguageGroup(
    title: "Windows", type: "Window", base: "Responder", receiver: .object("window"),
    says: "A window is a responder that owns a first responder, an undo stack and a delegate.",
    entries: [
      .call(
        "make_key", "Makes it the key window: the walk begins at its first responder.",
        """
        local one, two = window "one", window "two"
        two:make_key()

        print(one.is_key, two.is_key)  --> false  true
        """),
      .call(
        "make_main", "Makes it the main window, whose chain is asked after the key window's.",
        """
        local one, two = window "one", window "two"
        two:make_main()

        print(two.is_main)  --> true
        """),
      .value(
        "is_key", "boolean", "Whether it is the key window.",
        """
        print(window("one").is_key)  --> true
        """),
      .value(
        "is_main", "boolean", "Whether it is the main window.",
        """
        print(window("one").is_main)  --> true
        """),
      .value(
        "first", "Responder", "Its first responder; the window itself until one was set.",
        """
        print(window("one").first.name)  --> one
        """),
      .value(
        "delegate", "Responder?", assigned: "Responder|string|nil", "Who is asked right after it.",
        """
        local main = window "main" { delegate = responder "helper" }
        focus(main)

        print(table.concat(app:chain(), " "))  --> main helper app
        """),
    ])

  static let classes = LanguageGroup(
    title: "Classes", type: "Class", base: "ClassFields", receiver: .object("class"),
    says: """
      A class has the tables and hooks of a responder, and fields that its responders read where they have none of their own. \
      A class may name its own class.
      """,
    entries: [
      .value(
        "name", "string", "Its name, which can't be assigned.",
        """
        print(class("button").name)  --> button
        """),
      .value(
        "class", "string?", assigned: "Class|string|nil", "The class that it builds on.",
        """
        class "control" { size = 10 }
        class "button" { class = "control" }

        print(responder("ok") { class = "button" }.size)  --> 10
        """),
    ])

  static let definition = LanguageGroup(
    title: "What define takes", type: "Definition", receiver: .object("definition"),
    says: "The parts of one action, in the table for 'responder:define'.",
    entries: [
      .value(
        "on", "(fun(self: Responder, ctx: Context): any)?", "What does it.",
        """
        app:define("greet", { on = function(_, ctx) return "Hello, " .. ctx.name end, needs = "name" })

        print(app:perform("greet(name: Ada)").result)  --> Hello, Ada
        """),
      .value("can", "(fun(self: Responder, ctx: Context): any, string?)?", "Whether it can be done now."),
      .value("look", "(fun(self: Responder, ctx: Context): Look?)?", "How its item looks."),
      .value("needs", "string|string[]|table<string, string>|nil", "The context keys without which it is disabled."),
      .value("takes", "table<string, ArgumentType>?", "What arguments it takes."),
      .value("confirm", "string|(fun(self: Responder, ctx: Context): string?)|nil", "What a person is asked first."),
      .value("about", "string|{ title: string, help: string?, icon: string? }|nil", "What it is called."),
      .value("reentrant", "boolean?", "Whether it can be done again while it waits."),
    ])
}
