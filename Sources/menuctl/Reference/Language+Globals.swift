extension LanguageReference {
  static let globals = LanguageGroup(
    title: "Globals", receiver: .none,
    says: "The words that declare an app, and the few that act.",
    entries: [
      .value(
        "app", "App", "The root responder: last in every chain, and what the app is controlled with.",
        """
        function app.on:greet(ctx) return "Hello, " .. ctx.name end

        print(app:perform("greet(name: Ada)").result)  --> Hello, Ada
        """),
      .call(
        "window", [("name", "string", "its name, which no other responder has")],
        returns: [("Window", "it, to be called with a table of its fields, or left as it is")],
        "Makes a window: a responder that owns a first responder, an undo stack and a delegate.",
        errors: "raises when the name is taken, naming both places",
        """
        local main = window "main"
        local page = responder "page" { next = main }
        focus(page)

        print(main.first.name, main.is_key)  --> page  true
        """),
      .call(
        "responder", [("name", "string", "its name, which no other responder has")],
        returns: [("Responder", "it, to be called with a table of its fields, or left as it is")],
        "Makes a responder, whose 'next' is the app where no other is named.",
        errors: "raises when the name is taken, naming both places",
        """
        local page = responder "page"
        local line = responder "line" { next = page, text = "" }
        focus(line)

        print(table.concat(app:chain(), " "))  --> line page app
        """),
      .call(
        "class", [("name", "string", "its name, which no other class of this script has")],
        returns: [("Class", "it, to be called with a table of its fields, or left as it is")],
        "Makes a class: behaviour and fields that responders share.",
        errors: "raises when the name is taken, naming both places",
        """
        local shape = class "shape" { sides = 0 }
        function shape.on:describe() return self.name .. " has " .. self.sides .. " sides" end
        local square = responder "square" { class = "shape", sides = 4 }

        print(square:perform("describe").result)  --> square has 4 sides
        """),
      .call(
        "panel", [("elements", "Element[]", "what stands in it, in order")],
        "Declares what stands in the body of a face, a list that is always in view; each script or plugin does so once.",
        """
        panel {
          label "Photos",
          section "photos" {
            items = { "Harbour", "Pier" }, id = function(name) return name end, current = "show",
            row = function(name) return item(name) { "open", args = { name = name } } end,
          },
        }
        function app.on:show(ctx) return "shows " .. ctx.name end

        print(#app:panel().children, app:choose("Pier").result)  --> 3  shows Pier
        """),
      .call(
        "menubar", [("menus", "Element[]", "the menus, in order")],
        "Declares the main menu.",
        errors: "raises on the second call by one owner, naming both places",
        """
        menubar { menu "File" { item "Open…" { "open", key = "ctrl+o" } } }
        function app.on:open() end

        print(app:item("File/Open…").enabled)  --> true
        """),
      .call(
        "menu", [("title", "string", "what it is called")],
        returns: [("Element", "it, to be called with its fields and children")],
        "Makes a menu, in a menubar or in another menu.",
        """
        menubar { menu "View" { single = true, item "List" { "show(as: list)" }, item "Grid" { "show(as: grid)" } } }

        print(#app:menu("View").children)  --> 2
        """),
      .call(
        "item", [("title", "string", "what it is called")],
        returns: [("Element", "it, to be called with its action and fields")],
        "Makes a menu item, which names an action, never a function.",
        """
        menubar { menu "Edit" { item "Find…" { "find", key = "ctrl+f" } } }

        print(app:item("Edit/Find…").reason)  --> nobody answers 'find'
        """),
      .value(
        "separator", "Element", "A line between items; one at an end, or beside another, is not shown.",
        """
        menubar { menu "File" { item "Open" { "open" }, separator, item "Quit" { "quit" } } }

        print(app:menu("File").children[2].kind)  --> separator
        """),
      .call(
        "label", [("text", "string", "what it says")], returns: [("Element", "it")],
        "Makes a line of text in a menu, which can't be picked.",
        """
        menubar { menu "Go" { label "Places", item "Home" { "go(to: home)" } } }

        print(app:menu("Go").children[1].title)  --> Places
        """),
      .call(
        "section", [("id", "string", "its id")],
        returns: [("Element", "it, to be called with its fields")],
        "Makes a part of a menu whose rows are made of a list of values.",
        """
        local files = { "a.txt", "b.txt" }
        menubar {
          menu "Recent" {
            section "files" {
              items = function() return files end,
              row = function(file) return item(file) { "open", args = { file = file } } end,
              empty = "No files",
            },
          },
        }

        print(app:menu("Recent").children[2].title)  --> b.txt
        """),
      .call(
        "focus", [("responder", "Responder|string", "who is to have it, or the name")],
        returns: [("boolean", "whether it has the focus now")],
        "Makes a responder the first of its window, and that window key: the walk begins there.",
        errors: "gives false when who has the focus, or is to have it, refuses",
        """
        local page = responder "page"

        print(focus(page), app:chain()[1])  --> true  page
        """),
      .call(
        "modal",
        [("responder", "Responder|string", "who is inside, or the name"), ("options?", "ModalOptions", "how")],
        returns: [("Session?", "what the session is closed with"), ("string?", "why there is none")],
        "Opens a modal session: only this responder, and what reaches it by 'next', can act.",
        errors: "gives nil and the reason when the responder doesn't get the focus; raises while a script loads",
        """
        local page, panel = responder "page", responder "panel"
        function page.on:type() end
        focus(page)
        local session = modal(panel)

        print(page:perform("type").status)  --> blocked
        session:close()
        print(page:perform("type").status)  --> handled
        """),
      .call(
        "observe",
        [
          ("pattern", "string|string[]", "an action, a list of them, \"*\", or the beginning of names and a \"*\""),
          ("fn", "fun(event: Event)", "what is told of each stage"),
        ], returns: [("Registration", "what it is taken back with")],
        "Watches actions: it is told before the first handler of one runs, and when it is done or has failed.",
        """
        function app.on:save() end
        observe("save", function(event) print(event.stage, event.action) end)

        app:perform("save")
        --> will  save
        --> did  save
        """),
      .call(
        "listen",
        [("event", "HostEvent", "what for"), ("fn", "function", "what is told; what it gets depends on the event")],
        returns: [("Registration", "what it is taken back with")],
        "Watches the host: phases, the focus, menus, validation, and actions that nobody handles.",
        """
        listen("phase", function(new, old) print(old .. " → " .. new) end)

        app:enter("active")  --> inactive → active
        """),
      .call(
        "after", [("seconds", "number", "how long it waits"), ("run", "fun()", "what it runs then")],
        returns: [("Registration", "what removes it")],
        """
        Runs a function once, later; it may wait, and has its own allowance and undo group. It goes with its script, or with the action that \
        began it if that fails.
        """,
        errors: "raises in 'can', 'look', 'provide', builders and sections, and beyond a thousand timers",
        """
        function app.on:start() after(60, function() print("a minute later") end) end
        app:perform("start")

        app:advance(60)  --> a minute later
        """),
      .call(
        "every", [("seconds", "number", "how long it waits each time"), ("run", "fun()", "what it runs then")],
        returns: [("Registration", "what removes it")],
        "Runs a function again and again. A run never overlaps itself; one that fails three times in a row is removed.",
        errors: "raises where 'after' does",
        """
        local count = 0
        local ticking = every(1, function() count = count + 1 end)
        app:advance(3)
        ticking:remove()
        app:advance(3)

        print(count)  --> 3
        """),
      .call(
        "lines", [("text", "string", "any")], returns: [("string[]", "its lines, without what ends them")],
        "Cuts a text into lines.",
        """
        for _, line in ipairs(lines("main\\ntopic\\n")) do print(line) end
        --> main
        --> topic
        """),
      .call(
        "sleep", [("seconds", "number", "how long")],
        "Waits inside an action, without holding the host; in a test it moves the test's clock.",
        errors: "raises where nothing may wait: in 'can', 'look', 'provide', builders, and while a script loads",
        """
        function app.on:brew() sleep(180) return "tea" end

        print(app:perform("brew").result)  --> tea
        """),
      .call(
        "progress",
        [("fraction", "number", "how far, from 0 to 1"), ("text?", "string", "what is being done")],
        "Says how far the action is that runs.",
        errors: "raises outside of an action, and for a fraction that is not from 0 to 1",
        """
        function app.on:copy()
          progress(0.5, "half of it")
          sleep(1)
        end
        local job = app:perform("copy", nil, { wait = false }).job

        print(job.progress.fraction, job.progress.text)  --> 0.5  half of it
        """),
      .value(
        "pass", "any", "What a handler or a 'can' returns to say \"not me, ask further up\".",
        """
        local line = responder "line"
        function line.on:delete() return pass end
        function app.on:delete() return "the app did" end
        focus(line)

        print(app:perform("delete").result)  --> the app did
        """),
      .value(
        "null", "any", "JSON's null inside lists and objects; as an argument of its own null is nil.",
        """
        function app.on:count(ctx) return ctx.list[2] == null end

        print(app:perform("count(list: [1, null])").result)  --> true
        """),
      .call(
        "log",
        [("level", "\"debug\"|\"info\"|\"warn\"|\"error\"", "how much it matters"), ("...", "any", "what to say")],
        "Writes to the log, which the host shows with the script's name and line; 'menuctl --log LEVEL' shows more of it.",
        errors: "raises for a level that there is not",
        """
        log("info", "two files", 2)
        """),
      .call(
        "print", [("...", "any", "what to show")], "Writes to the script's output, with tabs between the values.",
        """
        print("one", 2, true)  --> one  2  true
        """),
    ])
}
