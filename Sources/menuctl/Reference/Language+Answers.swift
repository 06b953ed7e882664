extension LanguageReference {
  static let performOptions = LanguageGroup(
    title: "Options of perform", type: "PerformOptions", receiver: .object("options"),
    says: "The last table for 'perform'.",
    entries: [
      .value(
        "to", "Responder|string|nil", "Ask this responder alone, then its own 'unknown'; never the chain.",
        """
        local page = responder "page"
        function app.on:save() return "the app" end

        print(app:perform("save", nil, { from = page }).result)  --> the app
        print(app:perform("save", nil, { to = page }).status)    --> unhandled
        """),
      .value("from", "Responder|string|nil", "Begin the walk here."),
      .value("sender", "Responder|string|nil", "Who it comes from, as 'ctx.sender'."),
      .value("info", "table<string, any>?", "Values for the context, nearer than any provider's."),
      .value("modifiers", "table?", "The modifiers that are held, as { alt = true } or { \"alt\" }."),
      .value("skip_validation", "boolean?", "Leave out 'needs' and 'can'."),
      .value("wait", "boolean?", "False doesn't wait for its end: the status is 'running' and there is a job."),
      .value("observe", "fun(event: Event)|nil", "What is told of the stages of this perform."),
      .value(
        "asks", "boolean?", "Whether a person asks for it, who is asked in turn what is to be confirmed.",
        """
        app.confirm.clear = "Clear everything?"
        function app.on:clear() return "cleared" end

        print(app:perform("clear").result)                                         --> cleared
        print(app:perform("clear", nil, { asks = true }).asks.confirm)             --> Clear everything?
        print(app:perform("clear", nil, { asks = true, confirmed = true }).result) --> cleared
        """),
      .value("confirmed", "boolean?", "What that person answered; where it is left out, the outcome is 'asks'."),
    ])

  static let argumentType = LanguageGroup(
    title: "What an argument may be", type: "ArgumentType", receiver: .object("argument"),
    says: """
      An entry of 'takes': a type, as "integer", or a table that begins with one, or that has 'one_of'.
      """,
    entries: [
      .value(
        "[1]", "\"string\"|\"integer\"|\"number\"|\"boolean\"|\"file\"|\"folder\"|\"any\"|nil",
        "The type. An integer may be given as 3.0; nothing else is converted.",
        """
        app.takes.greet = { name = { "string", matches = "^%a+$", title = "Name" }, loud = { "boolean", default = false } }
        function app.on:greet(ctx) return "Hello, " .. ctx.name .. (ctx.loud and "!" or "") end

        print(app:perform("greet(name: Ada)").result)  --> Hello, Ada
        print(app:perform("greet(name: 4)").reason)    --> 'name' must be a string that matches '^%a+$', not 4
        """),
      .value(
        "one_of", "any[]|(fun(self: Responder, ctx: Context): any[])|nil",
        "The values that it may be, each as it is or with a title: { \"png\", \"PNG\" }; or a function that returns them, whose context has the other answers.",
        """
        app.takes.move = { to = { one_of = function(self, ctx) return { "sea", { "land", "The land" } } end } }
        function app.on:move(ctx) return ctx.to end

        print(app:perform("move(to: air)").reason)                      --> 'to' must be one of 'sea', 'land', not 'air'
        print(app:perform("move").asks.arguments[1].one_of[2].title)    --> The land
        """),
      .value("title", "string?", "What a person calls it."),
      .value("help", "string?", "A sentence about it."),
      .value("from", "number?", "The least number, or how many characters a string has at least."),
      .value("to", "number?", "The largest number, or how many characters a string has at most."),
      .value("matches", "string?", "A pattern that a string has to match."),
      .value("many", "boolean?", "Whether it is a list of these."),
      .value("order", "number?", "Where it stands among what is asked for; what has none comes last."),
      .value("optional", "boolean?", "Whether it can be left out."),
      .value(
        "default", "any",
        "The value where nothing is given; or a function that returns it, which the host calls for a form or a perform."
      ),
      .value(
        "proposal", "any",
        "What a form begins with, to be changed or taken, or a function that gives it. It is asked for all the same: nothing is taken that nobody has seen.",
        """
        app.takes.rename = { to = { "string", proposal = function() return app.title end } }
        function app.on:rename(ctx) app.title = ctx.to return ctx.to end
        app.title = "Old"

        print(app:perform("rename").status)                      --> asks
        print(app:perform("rename").asks.arguments[1].proposal)  --> Old
        """),
      .value("secret", "boolean?", "Whether nobody but who does it may see it."),
    ])

  static let reachable = LanguageGroup(
    title: "Actions that can be reached", type: "Reachable", receiver: .object("reachable"),
    says: "One of what 'app:actions' lists.",
    entries: [
      .value(
        "name", "string", "The name that performs it.",
        """
        function app.on:clear() end
        function app.can:clear() return false, "there is nothing to clear" end
        local clear = app:actions("clear")[1]

        print(clear.name, clear.enabled, clear.reason)  --> clear  false  there is nothing to clear
        """),
      .value("title", "string", "What it is called: what 'look' or 'about' says, else its name."),
      .value("help", "string?", "What 'about' says of it."),
      .value("icon", "string?", "The name of its picture."),
      .value("by", "string?", "Who answers it."),
      .value(
        "via", "\"on\"|\"resolve\"|\"redirect\"|\"claims\"|\"unknown\"|\"native\"|nil", "How that responder came to it."
      ),
      .value("takes", "Asked[]?", "What it takes, where that is declared; nobody is asked for choices."),
      .value("confirm", "string|true|nil", "What a person is asked first; true where a function says so."),
      .value("enabled", "boolean", "Whether it can be done now, or asks."),
      .value("reason", "string?", "Why not."),
      .value("keys", "string[]", "The keys that are bound to it."),
      .value("items", "ElementID[]", "The items that perform it."),
      .value("declared", "boolean?", "Whether it has 'takes': what declares nothing takes anything."),
    ])

  static let question = LanguageGroup(
    title: "Questions", type: "Question", receiver: .object("asks"),
    says: "What is to be answered before an action is done: perform it again with the answers.",
    entries: [
      .value(
        "arguments", "Asked[]", "The arguments that were not given: first those that it can't be done without.",
        """
        app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
        function app.on:rate(ctx) return ctx.rating end

        print(app:perform("rate").asks.arguments[1].key)       --> rating
        print(app:perform("rate", { rating = 4 }).result)      --> 4
        """),
      .value("confirm", "string?", "What is to be confirmed."),
    ])

  static let asked = LanguageGroup(
    title: "Arguments that are asked for", type: "Asked", receiver: .object("asked"),
    says: "One of 'asks.arguments', with what a form needs to know.",
    entries: [
      .value(
        "key", "string", "Its name.",
        """
        app.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
        function app.on:rate(ctx) return ctx.rating end
        local asked = app:validate("rate").asks.arguments[1]

        print(asked.key, asked.type, asked.title, asked.from, asked.to)  --> rating  integer  Stars  0  5
        """),
      .value("type", "string", "Its type, or 'one_of'."),
      .value("title", "string?", "What a person calls it."),
      .value("help", "string?", "A sentence about it."),
      .value("one_of", "any[]?", "What it may be; one with a title is { value =, title = }."),
      .value("from", "number?", "The least number, or the least length of a string."),
      .value("to", "number?", "The largest number, or the greatest length of a string."),
      .value("default", "any", "What is taken where nothing is given."),
      .value("proposal", "any", "What a form begins with."),
      .value("optional", "boolean?", "Whether it can be left out."),
      .value("many", "boolean?", "Whether it is a list of these."),
      .value("secret", "boolean?", "Whether nobody but who does it may see it."),
    ])

  static let pickOptions = LanguageGroup(
    title: "Options of pick", type: "PickOptions", receiver: .object("options"),
    says: "The last table for 'pick' and 'press'.",
    entries: [
      .value(
        "confirmed", "boolean?",
        "The answer to what asks to be confirmed; where it is left out, the outcome is 'asks' and tells the question.",
        """
        menubar { menu "Edit" { item "Delete" { "delete", confirm = "Delete it?" } } }
        function app.on:delete() end

        print(app:pick("Edit/Delete", nil, { confirmed = true }).status)  --> handled
        """),
      .value("args", "table<string, any>?", "Arguments, laid over those of what is performed."),
    ])

  static let contextMenuOptions = LanguageGroup(
    title: "Options of context_menu", type: "ContextMenuOptions", receiver: .object("options"),
    says: "The last table for 'app:context_menu'.",
    entries: [
      .value(
        "from", "Responder|string|nil", "Where the chain begins whose builders are asked.",
        """
        local page = responder "page"
        function page.build:word(m, word) m:insert_last("root", label(word)) end

        print(#app:context_menu("word", "film", { from = page }).children)  --> 1
        """)
    ])

  static let modalOptions = LanguageGroup(
    title: "Options of modal", type: "ModalOptions", receiver: .object("options"), says: "The last table for 'modal'.",
    entries: [
      .value(
        "dismissable", "boolean?", "Whether the first action from outside closes the session.",
        """
        function app.on:save() return "saved" end
        local session = modal(responder "panel", { dismissable = true })

        print(app:perform("save").reason, session.open)  --> dismissed  false
        """)
    ])

  static let undoOptions = LanguageGroup(
    title: "Options of ctx:set and ctx:undo", type: "UndoOptions", receiver: .object("options"),
    says: "Their last table.",
    entries: [
      .value(
        "coalesce", "string?", "A key: what follows on an action with the same one is undone together with it.",
        """
        local page = { text = "" }
        function app.on:type(ctx) ctx:set(page, "text", page.text .. ctx.key, "Typing", { coalesce = "typing" }) end
        app:perform("type(key: a)")
        app:perform("type(key: b)")
        app:undo()

        print(page.text == "")  --> true
        """)
    ])

  static let undoSetting = LanguageGroup(
    title: "An undo stack's setting", type: "UndoSetting", receiver: .object("undo"),
    says: "What the field 'undo' may hold.",
    entries: [
      .value(
        "levels", "integer?", "How many actions it keeps, 100 where nothing is said.",
        """
        local page = responder "page" { undo = { levels = 1 }, text = "" }
        function page.on:write(ctx) ctx:set(self, "text", ctx.text) end
        focus(page)
        app:perform("write(text: a)")
        app:perform("write(text: b)")

        print(#app:undo_stack().undo)  --> 1
        """)
    ])

  static let sender = LanguageGroup(
    title: "Items as senders", type: "Sender", receiver: .object("sender"), says: "What 'ctx.sender' tells of an item.",
    entries: [
      .value(
        "id", "string", "Its id.",
        """
        menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
        function app.on:save(ctx) print(ctx.sender.title, ctx.sender.action, ctx.sender.key) end

        app:press("ctrl+s")  --> Save  save  ctrl+s
        """),
      .value("title", "string", "What it is called."),
      .value("action", "Reference", "Its action."),
      .value("key", "string?", "The stroke that picks it."),
    ])

  static let outcome = LanguageGroup(
    title: "Outcomes", type: "Outcome", receiver: .object("outcome"),
    says: "What came of an action. There is one for each perform.",
    entries: [
      .value(
        "status",
        "\"handled\"|\"unhandled\"|\"disabled\"|\"blocked\"|\"failed\"|\"cancelled\"|\"asks\"|\"running\"|\"pending\"",
        "What came of it, in a word.",
        """
        function app.on:divide(ctx) return ctx.a // ctx.b end

        local outcome = app:perform("divide(a: 6, b: 2)")
        print(outcome.status, outcome.by, outcome.via, outcome.result)  --> handled  app  on  3
        print(app:perform("divide(a: 6, b: 0)").error.message)          --> attempt to divide by zero
        """),
      .value("by", "string?", "The responder whose function ran."),
      .value(
        "via", "\"on\"|\"resolve\"|\"redirect\"|\"claims\"|\"unknown\"|\"native\"|nil", "How that responder came to it."
      ),
      .value("result", "any", "What the handler returned."),
      .value("reason", "string?", "Why it was not done; of what failed the error's message."),
      .value("error", "Failure?", "What went wrong."),
      .value(
        "asks", "Question?", "What is to be answered first, where nothing was done for that.",
        """
        menubar { menu "Edit" { item "Delete" { "delete", key = "delete", confirm = "Delete it?" } } }
        function app.on:delete() end

        print(app:press("delete").asks.confirm)                     --> Delete it?
        print(app:press("delete", { confirmed = true }).status)   --> handled
        print(app:press("delete", { confirmed = false }).status)  --> cancelled
        """),
      .value("elsewhere", "string?", "A responder outside of the chain that would take it; nobody in the chain does."),
      .value("argument", "string?", "The argument that it was not done for."),
      .value("expected", "string?", "What that argument may be, in words."),
      .value("job", "Job?", "What waits, where nobody waited for it."),
    ])

  static let failure = LanguageGroup(
    title: "Errors", type: "Failure", receiver: .object("err"),
    says: "What went wrong in a script; 'tostring' gives the message.",
    entries: [
      .value(
        "message", "string", "What is wrong, in one sentence.",
        """
        function app.on:explode() error("boom") end
        local err = app:perform("explode").error

        print(err.message, err.code, tostring(err) == err.message)  --> boom  script  true
        """),
      .value("file", "string?", "The script."),
      .value("line", "integer?", "The line."),
      .value("column", "integer?", "The column, where it is known."),
      .value("traceback", "string?", "Who called whom."),
      .value("code", "string", "What kind of error it is, for programs."),
      .value("owner", "string?", "Whose script it is."),
      .value("limit", "\"time\"|\"instructions\"|\"memory\"|nil", "The limit that was spent."),
      .value("ended", "boolean?", "Whether a 'failed' hook ended it, so that it is not reported."),
    ])

  static let validation = LanguageGroup(
    title: "Validations", type: "Validation", receiver: .object("validation"),
    says: "What 'app:validate' answers.",
    entries: [
      .value(
        "enabled", "boolean", "Whether it can be done now.",
        """
        local found = app:validate("save")

        print(found.enabled, found.reason)  --> false  nobody answers 'save'
        """),
      .value("reason", "string?", "Why not; there always is one where it is disabled."),
      .value("by", "string?", "Who takes it, or refuses it."),
      .value("asks", "Question?", "What is to be answered before it is done; 'enabled' is true then."),
      .value("argument", "string?", "The argument that disables it."),
      .value("expected", "string?", "What that argument may be, in words."),
      .value("title", "string?", "What its item is called, where 'look' says so."),
      .value("subtitle", "string?", "What stands below that title."),
      .value("state", "\"on\"|\"off\"|\"mixed\"", "Whether its item is ticked."),
      .value("hidden", "boolean", "Whether its item is left out of what is drawn."),
      .value("icon", "string?", "The name of its item's picture."),
      .value("destructive", "boolean?", "Whether its item is drawn with care."),
    ])

  static let explanation = LanguageGroup(
    title: "Explanations", type: "Explanation", receiver: .object("explanation"),
    says: "What 'app:why' answers.",
    entries: [
      .value(
        "text", "string", "All of it, in sentences.",
        """
        local why = app:why("save")

        print(why.text)
        --> disabled: nobody answers 'save'
        -->   app: on save → doesn't answer
        """),
      .value("enabled", "boolean", "Whether it can be done now."),
      .value("by", "string?", "Who takes it, or refuses it."),
      .value("reason", "string?", "Why it can't be done."),
      .value("steps", "Step[]", "The questions in the order in which they were asked."),
      .value("keys", "ContextKey[]", "The context keys that were read."),
    ])

  static let step = LanguageGroup(
    title: "Steps of an explanation", type: "Step", receiver: .object("step"), says: "One question that was asked.",
    entries: [
      .value(
        "node", "string", "The responder that was asked.",
        """
        function app.on:save() end
        local step = app:why("save").steps[1]

        print(step.node, step.asked, step.answer)  --> app  on save  takes it
        """),
      .value("asked", "string", "What it was asked."),
      .value("answer", "string", "What it said."),
      .value("file", "string?", "The script in which its function stands."),
      .value("line", "integer?", "The line of its function."),
    ])

  static let key = LanguageGroup(
    title: "Context keys of an explanation", type: "ContextKey", receiver: .object("key"),
    says: "One key of the context that was read.",
    entries: [
      .value(
        "key", "string", "Its name.",
        """
        function app.on:save() end
        app.needs.save = "file"
        local key = app:why("save").keys[1]

        print(key.key, key.by, #key.candidates)  --> file  nil  0
        """),
      .value("by", "string?", "Who supplied it."),
      .value("candidates", "string[]", "Who could supply it."),
    ])

  static let link = LanguageGroup(
    title: "Links of the chain", type: "Link", receiver: .object("link"),
    says: "What 'app:chain' tells of a responder when it is asked about an action.",
    entries: [
      .value(
        "name", "string", "The responder.",
        """
        function app.on:save() end
        local link = app:chain("save")[1]

        print(link.name, link.answer)  --> app  on: takes it
        """),
      .value("owner", "string", "Who made it."),
      .value("answer", "string?", "How it would take the action."),
    ])

  static let stack = LanguageGroup(
    title: "Titles of an undo stack", type: "UndoTitles", receiver: .object("stack"),
    says: "What 'app:undo_stack' answers.",
    entries: [
      .value(
        "undo", "string[]", "What can be taken back, the newest first.",
        """
        local page = { text = "" }
        function app.on:write(ctx) ctx:set(page, "text", ctx.text) end
        app:perform("write(text: a)")

        print(app:undo_stack().undo[1], #app:undo_stack().redo)  --> write  0
        """),
      .value("redo", "string[]", "What can be done again, the newest first."),
      .value("owner", "string", "The responder whose stack 'undo' takes: the nearest that has something to undo."),
      .value("redo_owner", "string", "The responder whose stack 'redo' takes: the nearest that has something to redo."),
    ])

  static let snapshot = LanguageGroup(
    title: "Snapshots", type: "Snapshot", receiver: .object("snapshot"),
    says: "An element of a menu as it is now, which 'app:menu', 'app:item' and 'app:context_menu' show.",
    entries: [
      .value(
        "kind", "\"item\"|\"menu\"|\"separator\"|\"label\"|\"section\"", "What it is; the panel itself is a section.",
        """
        menubar { menu "File" { item "Save" { "save(as: pdf)", key = "ctrl+s" } } }
        local save = app:item("File/Save")

        print(save.kind, save.action, save.args.as, save.key)  --> item  save(as: pdf)  pdf  ctrl+s
        """),
      .value("id", "string", "Its id."),
      .value("title", "string?", "What it is called now."),
      .value("enabled", "boolean?", "Whether it can be picked now."),
      .value("hidden", "boolean?", "Whether it is left out of what is drawn."),
      .value("reason", "string?", "Why it is disabled."),
      .value("children", "Snapshot[]?", "What is in a menu, or in the panel."),
      .value("subtitle", "string?", "What stands below its title."),
      .value("action", "Reference?", "The action of an item."),
      .value("args", "table<string, any>?", "The arguments of its action."),
      .value("key", "string?", "The stroke that picks it."),
      .value("state", "\"on\"|\"off\"|\"mixed\"|nil", "Whether it is ticked."),
      .value("by", "string?", "Who takes its action, or refuses it."),
      .value("elsewhere", "string?", "A responder outside of the chain that would take it; nobody in the chain does."),
      .value("blocked", "boolean?", "Whether only a modal session keeps it from being picked."),
      .value("icon", "string?", "The name of its picture."),
      .value("confirm", "string?", "What is asked before it is done."),
      .value("asks", "boolean?", "Whether its action asks for arguments first."),
      .value("mark", "\"check\"|\"radio\"|nil", "How it shows whether it is on: by itself, or as one of several."),
      .value("destructive", "boolean?", "Whether it is drawn with care."),
      .value("keeps_open", "boolean?", "Whether an open menu stays open when it is picked."),
      .value("alternates", "table<string, Snapshot>?", "The items that stand here while modifiers are held."),
    ])

  static let change = LanguageGroup(
    title: "Changes of menus", type: "Change", receiver: .object("change"),
    says: "What those who listen for 'menu' or 'validation' are told of, in a list.",
    entries: [
      .value(
        "change", "\"insert\"|\"remove\"|\"move\"|\"update\"", "What happened.",
        """
        local name = "one"
        menubar { menu "Names" { section "s" { items = function() return { name } end, row = function(n) return item(n) {} end } } }
        listen("menu", function(changes) print(changes[1].change, changes[1].id) end)
        app:menu()
        name = "two"
        app:rebuild()

        app:menu()  --> insert  Names/two
        """),
      .value("id", "string", "Of which element."),
      .value("parent", "string?", "Where it stands now: the id of a menu."),
      .value("after", "string?", "The id of the element before it, if there is one."),
      .value("element", "Snapshot?", "What was inserted, or what it is now."),
    ])

  static let job = LanguageGroup(
    title: "Jobs", type: "Job", receiver: .object("job"), says: "An action that waits.",
    entries: [
      .call(
        "cancel", "Unwinds it: it is cancelled, and what it did is taken back.",
        """
        function app.on:wait() sleep(60) end
        local job = app:perform("wait", nil, { wait = false }).job
        job:cancel()

        print(#app:jobs())  --> 0
        """),
      .call(
        "wait", returns: [("Outcome", "what came of it")], "Waits for its end.",
        """
        function app.on:brew() sleep(180) return "tea" end
        local job = app:perform("brew", nil, { wait = false }).job

        print(job:wait().result)  --> tea
        """),
      .value(
        "action", "string", "The name of the action.",
        """
        function app.on:wait() sleep(60) end
        local job = app:perform("wait", nil, { wait = false }).job

        print(job.action, job.by)  --> wait  app
        """),
      .value("by", "string", "The responder whose function runs."),
      .value("progress", "Progress?", "How far it is, where it has said so."),
    ])

  static let progress = LanguageGroup(
    title: "Progress", type: "Progress", receiver: .object("progress"), says: "How far a job is.",
    entries: [
      .value(
        "fraction", "number", "From 0 to 1.",
        """
        function app.on:copy() progress(0.25) sleep(1) end
        local job = app:perform("copy", nil, { wait = false }).job

        print(job.progress.fraction, job.progress.text)  --> 0.25  nil
        """),
      .value("text", "string?", "What is being done."),
    ])

  static let registration = LanguageGroup(
    title: "Registrations", type: "Registration", receiver: .object("handle"),
    says: "What 'observe', 'listen' and 'define' give.",
    entries: [
      .call(
        "remove", "Takes the registration back; it does nothing once a later one has replaced it.",
        """
        local handle = listen("phase", print)
        handle:remove()
        app:enter("active")
        """)
    ])

  static let session = LanguageGroup(
    title: "Modal sessions", type: "Session", receiver: .object("session"), says: "What 'modal' gives.",
    entries: [
      .call(
        "close", "Ends the session, and those above it; key window and focus are as before.",
        """
        local session = modal(responder "panel")
        session:close()

        print(session.open)  --> false
        """),
      .value("open", "boolean", "Whether it goes on."),
    ])

  static let openMenu = LanguageGroup(
    title: "Open menus", type: "OpenMenu", base: "Session", receiver: .object("open"),
    says: "What 'app:open_menu' gives.",
    entries: [
      .call(
        "pick",
        [
          ("id", "ElementID", "the id of an item in it"), ("modifiers?", "table", "the modifiers that are held"),
          ("options?", "PickOptions", "how"),
        ], returns: [("Outcome", "what came of it")], "Picks an item, which closes the menu.",
        """
        menubar { menu "Go" { item "Home" { "go(to: home)" } } }
        function app.on:go(ctx) return ctx.to end

        print(app:open_menu("Go"):pick("Go/Home").result)  --> home
        """)
    ])

  static let event = LanguageGroup(
    title: "Events of actions", type: "Event", receiver: .object("event"), says: "What 'observe' is told.",
    entries: [
      .value("sender", "Responder|Sender", "Who asked: an item, a responder, else the app."),
      .value(
        "stage", "\"will\"|\"did\"|\"failed\"",
        "Before the first handler, when it is done, or when it came to nothing.",
        """
        function app.on:save() return 1 end
        observe("*", function(event) print(event.stage, event.raw, event.by, event.outcome and event.outcome.result) end)

        app:perform("save(as: pdf)")
        --> will  save(as: pdf)  app  nil
        --> did  save(as: pdf)  app  1
        """),
      .value("action", "string", "The name of the action."),
      .value("raw", "string", "The whole reference."),
      .value("args", "table<string, any>", "The arguments."),
      .value("by", "string?", "The responder whose function runs."),
      .value("outcome", "Outcome?", "What came of it."),
      .value("job", "Job?", "What it waits as."),
      .value("near", "string[]?", "For 'unhandled': the nearest names that somebody answers."),
    ])

  static let listening = LanguageGroup(
    title: "What can be listened for", receiver: .library("listen"),
    says: "The first argument of 'listen', and what its function is told.",
    entries: [
      .hook(
        "phase", [("new", "string", "the phase now"), ("old", "string", "the one before")],
        "The phase of the app has changed.",
        """
        listen("phase", function(new, old) print(new, old) end)

        app:enter("background")  --> background  inactive
        """),
      .hook(
        "focus", [("new", "Responder", "who has it"), ("old", "Responder", "who had it")], "The focus has moved.",
        """
        local page = responder "page"
        listen("focus", function(new, old) print(new.name, old.name) end)

        focus(page)  --> page  app
        """),
      .hook(
        "menu", [("changes", "Change[]", "what changed, in order")],
        "What is declared in the menus has changed, or its order.",
        """
        local names = {}
        menubar { menu "Names" { section "s" { items = names, row = function(n) return item(n) {} end } } }
        listen("menu", function(changes) print(#changes) end)
        app:menu()
        names[1] = "one"
        app:rebuild()

        app:menu()  --> 1
        """),
      .hook(
        "validation", [("changes", "Change[]", "what changed, in order")],
        "What 'can' and 'look' say of items has changed.",
        """
        local page = responder "page" { text = "" }
        function page.on:clear() self.text = "" end
        function page.can:clear() return self.text ~= "", "it is empty" end
        function page.on:write() self.text = "words" end
        menubar { menu "Edit" { item "Clear" { "clear" } } }
        focus(page)
        listen("validation", function(changes) print(changes[1].change, changes[1].element.enabled) end)
        app:menu()

        app:perform("write")  --> update  true
        """),
      .hook(
        "unhandled", [("event", "Event", "the action, with the nearest known names")], "Nobody handled an action.",
        """
        function app.on:save() end
        listen("unhandled", function(event) print(event.action, event.near[1]) end)

        print(app:perform("safe").status)
        --> safe  save
        --> unhandled
        """),
      .hook(
        "reload", [("ok", "boolean", "whether the new version runs; the old one does otherwise")],
        "A script was loaded anew.",
        """
        listen("reload", function(ok) log("info", ok and "reloaded" or "the old version stays") end)
        """),
    ])
}
