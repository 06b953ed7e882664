extension LanguageReference {
  static let item = LanguageGroup(
    title: "Fields of an item", type: "ItemFields", receiver: .object("item"),
    says: "What stands in the table of `item \"Title\" { … }`. The values are plain; what changes is said by 'look'.",
    entries: [
      .value(
        "[1]", "Reference?", "The action, which stands first.",
        """
        menubar { menu "Image" { item "★★★" { "rate(stars: 3)", key = "3", subtitle = "good" } } }
        function app.on:rate(ctx) return ctx.stars end

        print(app:press("3").result, app:item("Image/★★★").subtitle)  --> 3  good
        """),
      .value("id", "string|integer|nil", "Its id; its path of titles where it is left out."),
      .value("key", "string?", "The stroke, or sequence of strokes, that picks it: \"ctrl+s\", \"g g\"."),
      .value("args", "table<string, any>?", "Arguments of any kind, merged over those of the reference."),
      .value("subtitle", "string?", "What stands below the title."),
      .value("icon", "string?", "The name of its picture."),
      .value("state", "boolean|\"on\"|\"off\"|\"mixed\"|nil", "Whether it is ticked, where no 'look' says."),
      .value("hidden", "boolean?", "Whether it is left out of what is drawn."),
      .value("enabled", "boolean|string|nil", "False, or the reason why it is disabled."),
      .value(
        "alternates", "table<string, Element>?", "The items that stand here while modifiers are held, by modifier.",
        """
        menubar { menu "File" { item "Close" { "close", alternates = { alt = item "Close All" { "close(all: true)" } } } } }
        function app.on:close(ctx) return ctx.all end

        print(app:pick("File/Close", { alt = true }).result)  --> true
        """),
      .value("destructive", "boolean?", "Whether it destroys something, so that it is drawn with care."),
      .value("keeps_open", "boolean?", "Whether an open menu stays open when it is picked."),
      .value(
        "confirm", "string?", "What is asked before it is done; without an answer the outcome is 'asks'.",
        """
        menubar { menu "Edit" { item "Delete" { "delete", confirm = "Delete it for good?" } } }
        function app.on:delete() end

        print(app:pick("Edit/Delete").status)                        --> asks
        print(app:pick("Edit/Delete", { confirmed = true }).status)  --> handled
        """),
      .value(
        "current", "Reference?", "What is performed, with its arguments, when it becomes the current row of a panel."),
      .value("mnemonic", "string?", "The letter or digit of its title by which it is picked in an open menu."),
      LanguageEntry(
        name: "look",
        shape: .hook([("ctx", "Context", "with what the item asks")], returns: [("Look?", "how it looks here")]),
        says: "How it looks in this place, over what the look of whoever takes its action says.",
        example: .lines(
          """
          local filter = "all"
          function app.on:show() end

          menubar { menu "View" {
            item "All" { "show(what: all)", id = "all", look = function(ctx) return { state = ctx.what == filter } end },
          } }

          print(app:item("all").state)  --> on
          """)),
    ])

  static let menu = LanguageGroup(
    title: "Fields of a menu", type: "MenuFields", receiver: .object("menu"),
    says: "What stands in the table of `menu \"Title\" { … }`, beside its children.",
    entries: [
      .value(
        "[integer]", "Element|false|nil",
        "Its children in order; nil and false are skipped, so `cond and item …` works.",
        """
        local expert = false
        menubar { menu "File" { item "Open" { "open" }, expert and item "Inspect" { "inspect" } } }

        print(#app:menu("File").children)  --> 1
        """),
      .value("id", "string?", "Its id; its path of titles where it is left out."),
      .value("inline", "boolean?", "Whether its children are shown in its place, between separators."),
      .value("single", "boolean?", "Whether one item at most is on, submenus included."),
      .value("hidden", "boolean?", "Whether it is left out of what is drawn."),
      .value("auto", "boolean?", "False leaves enabling its items to their own 'enabled'."),
      .value(
        "look", "(fun(ctx: Context): Look?)?", "Its title now, and whether it is hidden.",
        """
        menubar { menu "Window" { look = function() return { title = "2 Windows" } end, item "Next" { "next" } } }

        print(app:menu("Window").title)  --> 2 Windows
        """),
    ])

  static let section = LanguageGroup(
    title: "Fields of a section", type: "SectionFields", receiver: .object("section"),
    says: "What stands in the table of `section \"id\" { … }`.",
    entries: [
      .value(
        "items", "any[]|fun(ctx: Context): any[]?", "The values, or a function that answers them.",
        """
        function app:provide(ctx) ctx.places = { { name = "Home", path = "/home" } } end
        menubar {
          menu "Go" {
            section "places" {
              header = "Places",
              items = function(ctx) return ctx.places end,
              id = function(place) return place.path end,
              row = function(place) return item(place.name) { "go", args = { to = place.path } } end,
              empty = "No places",
            },
          },
        }
        function app.on:go(ctx) return ctx.to end

        print(app:pick("/home").result)  --> /home
        """),
      .value("id", "(fun(value: any): string|integer)?", "The id of a value's row."),
      .value(
        "row", "fun(value: any, ctx: Context): Element|false|nil", "The row of a value; may be a menu, but no section."),
      .value("header", "string?", "A line above the rows."),
      .value("footer", "string?", "A line below the rows."),
      .value("empty", "string?", "A line where there are no rows."),
      .value(
        "current", "Reference?",
        "What is performed, with a row's arguments, when that becomes the current one of a panel."),
      .value(
        "kind", "string?", "The kind of its rows' context menu: a row's value is the subject that builders are given."),
    ])

  static let element = LanguageGroup(
    title: "Menu elements", type: "Element", receiver: .object("element"),
    says: """
      What 'menu', 'item', 'label', 'section' and 'separator' give. It can't be changed. What may stand in their tables: ItemFields, \
      MenuFields, SectionFields.
      """,
    entries: [
      .value(
        "kind", "\"item\"|\"menu\"|\"separator\"|\"label\"|\"section\"", "What it is.",
        """
        local quit = item "Quit" { "quit", id = "the end" }

        print(quit.kind, quit.title, quit.action, quit.id)  --> item  Quit  quit  the end
        """),
      .value("title", "string", "What it is called."),
      .value("id", "string?", "Its id, where it says one or stands in a tree."),
      .value("action", "Reference?", "The action of an item."),
    ])

  static let builder = LanguageGroup(
    title: "Builders", type: "Builder", receiver: .object("m"),
    says: """
      What a function in 'build' edits a menu with. An id that is not there, or one that would stand twice, gives false, a message \
      and a diagnostic.
      """,
    entries: [
      .call(
        "find", [("id", "ElementID", "which")], returns: [("Element|false", "it"), ("string?", "why not")],
        "Finds an element.",
        """
        menubar { menu "File" { item "Open" { "open" } } }
        function app.build:main(m) print(m:find("File/Open").title, m:find("File/Shut")) end

        app:menu()  --> Open  false  there is no element 'File/Shut'
        """),
      inserting(
        "insert_before", "in front of another", "m:insert_before(\"File/Open\", item \"New\" { \"new\" })", "New Open"),
      inserting(
        "insert_after", "behind another", "m:insert_after(\"File/Open\", item \"New\" { \"new\" })", "Open New"),
      inserting(
        "insert_first", "as the first child of a menu", "m:insert_first(\"File\", item \"New\" { \"new\" })", "New Open"
      ),
      inserting(
        "insert_last", "as the last child of a menu", "m:insert_last(\"File\", item \"New\" { \"new\" })", "Open New"),
      inserting("replace", "in the place of another", "m:replace(\"File/Open\", item \"New\" { \"new\" })", "New"),
      .call(
        "replace_children",
        [("id", "ElementID", "of a menu"), ("fn", "fun(children: Element[]): Element[]", "what comes instead")],
        returns: [("boolean", "whether it was done"), ("string?", "why not")], "Replaces the children of a menu.",
        edited(
          "m:replace_children(\"File\", function(children) return { children[1], label \"the end\" } end)",
          "Open the end")),
      .call(
        "forward", "Has the builders farther up run now, so that what follows edits their result.",
        errors: "raises a second time, and after 'stop'",
        """
        local page = responder "page"
        function page.build:main(m)
          m:forward()
          m:insert_last("root", menu "Last" {})
        end
        function app.build:main(m) m:insert_last("root", menu "First" {}) end
        focus(page)

        print(app:menu().children[1].title, app:menu().children[2].title)  --> First  Last
        """),
      .call(
        "stop", "Keeps the builders farther up out.", errors: "raises after 'forward'",
        """
        local page = responder "page"
        function page.build:main(m)
          m:stop()
          m:insert_last("root", menu "Only" {})
        end
        function app.build:main(m) m:insert_last("root", menu "Never" {}) end
        focus(page)

        print(#app:menu().children, app:menu().children[1].title)  --> 1  Only
        """),
      .call(
        "remove", [("id", "ElementID", "which")],
        returns: [("boolean", "whether it was done"), ("string?", "why not")],
        "Removes an element.",
        """
        menubar { menu "File" { item "Open" { "open" } }, menu "Help" {} }
        function app.build:main(m) m:remove("Help") end

        print(#app:menu().children)  --> 1
        """),
    ])

  private static func inserting(_ name: String, _ place: String, _ call: String, _ titles: String) -> LanguageEntry {
    .call(
      name, [("id", "ElementID", "of the other"), ("element", "Element", "what to put there")],
      returns: [("boolean", "whether it was done"), ("string?", "why not")], "Puts an element \(place).",
      edited(call, titles))
  }

  /// An example that shows a menu after a builder has edited it.
  private static func edited(_ call: String, _ titles: String) -> String {
    """
    menubar { menu "File" { item "Open" { "open" } } }
    function app.build:main(m) \(call) end

    local titles = {}
    for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
    print(table.concat(titles, " "))  --> \(titles)
    """
  }
}
