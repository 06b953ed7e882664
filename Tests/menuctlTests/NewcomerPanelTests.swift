import Expectations
import Testing

// What a newcomer writes with panes, texts, colours, forms, keys, extensions and events.

@Suite("What a newcomer writes in panels, forms and keys")
struct NewcomerPanelTests {
  @Test(
    "A mistake in a panel, a form, a key or an event is named at its place, with what to write", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let run = try Program.menuctl(mistake.words, stdin: mistake.script)
    let lines = (run.err + run.out).split(separator: "\n")
    let said = lines.filter { $0.hasPrefix("stdin:") || $0.hasPrefix("help: ") }.joined(separator: "\n")
    expect(said, is: mistake.says, "\(run)")
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    var words = ["check", "-"]
    let script: String
    /// The lines that name a place or help.
    let says: String

    var testDescription: String { name }
  }
}

private typealias Mistake = NewcomerPanelTests.Mistake

private let mistakes = [
  Mistake(
    name: "the children of a pane in parentheses",
    script: """
      panel {
        pane("list", { section "rows" { items = { "a" }, row = function(v) return item(v) { "open" } end } }),
        text("preview", "hello"),
      }
      function app.on:open() end
      """,
    says: """
      stdin:2: error: pane takes the id of a pane alone; put the fields in braces after it: pane "…" { … }
      """),
  Mistake(
    name: "a text without lines",
    script: """
      panel {
        pane "list" { section "rows" { items = { "a" }, row = function(v) return item(v) { "open" } end } },
        text "preview" { "hello" },
      }
      function app.on:open() end
      """,
    says: """
      stdin:3:9: error: text 'preview' needs 'lines': a text, a list of texts, or a function that returns them
      """),
  Mistake(
    name: "a preview of a misspelt pane",
    script: """
      panel {
        pane "list" { section "rows" { items = { "a" }, row = function(v) return item(v) { "open" } end } },
        text "preview" { of = "lst", lines = function(ctx) return { "hello" } end },
      }
      function app.on:open() end
      """,
    says: """
      stdin:3: error: text 'preview' has of = 'lst', but that is no pane; did you mean 'list'?
      """),
  Mistake(
    name: "an item beside a pane",
    script: """
      panel {
        beside {
          pane "list" { section "rows" { items = { "a" }, row = function(v) return item(v) { "open" } end } },
          item "Extra" { "open" },
        },
      }
      function app.on:open() end
      """,
    says: """
      stdin:4: error: item 'Extra' is in a 'beside', which can hold only panes and texts
      """),
  Mistake(
    name: "rows in a pane without a section",
    script: """
      panel { pane "list" { items = { "a" }, item "Open" { "open" } } }
      function app.on:open() end
      """,
    says: """
      stdin:1:23: warning: pane 'list' has no field 'items' [unknown-field]
      help: to make rows of a list write section "…" { items = …, row = … }
      """),
  Mistake(
    name: "a pane outside of the panel",
    script: """
      pane "list" { item "Open" { "open" } }
      function app.on:open() end
      """,
    says: """
      stdin:1:1: warning: this 'pane' is in no panel, so nobody sees it [unplaced-element]
      help: put it into the panel: panel { pane "…" { … } }
      """),
  Mistake(
    name: "columns with an equals sign",
    script: """
      panel { beside = { pane "list" { item "Open" { "open" } } } }
      function app.on:open() end
      """,
    says: """
      stdin:1:9: warning: panel has no field 'beside' [unknown-field]
      help: write it without '=': beside { … }
      """),
  Mistake(
    name: "rows by count without value",
    script: """
      panel {
        pane "list" { section "rows" { count = 3, row = function(v) return item("Row " .. v) { "open" } end } },
      }
      function app.on:open() end
      """,
    says: """
      stdin:2:26: error: section 'rows' needs 'value', a function that returns the value of a row by its number
      """),
  Mistake(
    name: "rows by items and by count",
    script: """
      panel {
        pane "list" { section "rows" { items = { "a", "b" }, count = 2, value = function(n) return n end,
          row = function(v) return item(v) { "open" } end } },
      }
      function app.on:open() end
      """,
    says: """
      stdin:2:26: error: section 'rows' has 'items' and also 'count' and 'value': remove one of the two
      """),
  Mistake(
    name: "the style of a span before its text",
    script: """
      panel {
        text "log" { lines = { span("red", "failed") } },
      }
      """,
    says: """
      stdin:2:39: error: the style of a span has no meaning or colour 'failed': use strong, quiet, accent, heading, added, removed, changed, warning, error, link, match, or a colour such as "bold red"
      """),
  Mistake(
    name: "a misspelt colour",
    script: """
      panel {
        text "log" { lines = { span("failed", "redd") } },
      }
      """,
    says: """
      stdin:2:42: error: the style of a span has no meaning or colour 'redd'; did you mean 'red'?
      """),
  Mistake(
    name: "wrap = \"yes\"",
    script: """
      panel {
        text "log" { lines = function(ctx) return "one\\ntwo" end, wrap = "yes" },
      }
      """,
    says: """
      stdin:2:61: error: 'wrap' of text 'log' must be a boolean, not a string
      """),
  Mistake(
    name: "the type of an argument with a name",
    script: """
      app.takes.add = { text = { type = "string" } }
      function app.on:add(ctx) return ctx.text end
      menubar { menu "File" { item "Add" { "add" } } }
      """,
    says: """
      stdin:1:28: error: takes.add.text has no field 'type': write the type first, without a name: { "string" }
      """),
  Mistake(
    name: "arguments without names",
    script: """
      app.takes.add = { "text" }
      function app.on:add(ctx) return ctx.text end
      menubar { menu "File" { item "Add" { "add" } } }
      """,
    says: """
      stdin:1:11: error: takes.add needs names of arguments, as in { text = "string" }: a number is none
      """),
  Mistake(
    name: "a type beside choices",
    script: """
      app.takes.save = { format = { "string", one_of = { "png", "jpeg" } } }
      function app.on:save(ctx) return ctx.format end
      menubar { menu "File" { item "Save" { "save" } } }
      """,
    says: """
      stdin:1:41: error: takes.save.format has a type and 'one_of': remove one of the two
      """),
  Mistake(
    name: "one choice that is no list",
    script: """
      app.takes.save = { format = { one_of = "png" } }
      function app.on:save(ctx) return ctx.format end
      menubar { menu "File" { item "Save" { "save" } } }
      """,
    says: """
      stdin:1:31: error: takes.save.format.one_of must be a list of values or a function, not a string
      """),
  Mistake(
    name: "min and max",
    script: """
      app.takes.rate = { stars = { "integer", min = 1, max = 5 } }
      function app.on:rate(ctx) return ctx.stars end
      menubar { menu "File" { item "Rate" { "rate" } } }
      """,
    says: """
      stdin:1:50: error: takes.rate.stars has no field 'max'; did you mean 'to'?
      """),
  Mistake(
    name: "a question that is a string",
    words: ["perform", "-", "rename"],
    script: """
      function app.on:rename(ctx)
        local name = ask("New name?")
        return name
      end
      """,
    says: """
      stdin:2: error: ask takes a table: ask { takes = { name = "string" } } or ask { confirm = "Go on?" }
      """),
  Mistake(
    name: "a question in a can",
    script: """
      function app.on:rename(ctx)
        local answer = ask { takes = { name = "string" } }
        return answer
      end
      function app.can:rename() return ask { confirm = "Sure?" } end
      menubar { menu "File" { item "Rename" { "rename" } } }
      """,
    says: """
      stdin:5:34: error: 'ask' is not possible here: the host only asks this function, so it must not change anything [script]
      """),
  Mistake(
    name: "a sequence without blanks",
    script: """
      app.keys["gg"] = "top"
      function app.on:top() end
      """,
    says: """
      stdin:1:11: error: keys['gg']: there is no key 'gg'; write a sequence with blanks: 'g g'
      """),
  Mistake(
    name: "when = true",
    script: """
      app.keys["g g"] = { "top", when = true }
      function app.on:top() end
      """,
    says: """
      stdin:1:28: error: 'when' of keys['g g'] must be a function of the context, not a boolean
      """),
  Mistake(
    name: "a key that begins a sequence",
    script: """
      app.keys["g"] = "go"
      app.keys["g g"] = "top"
      function app.on:top() end
      function app.on:go() end
      """,
    says: """
      stdin:2: warning: 'g g' of 'app' never works: 'g' alone is bound by 'app' (stdin:1) [key-conflict]
      """),
  Mistake(
    name: "a key that calls a function",
    script: """
      app.keys["j"] = function() app:perform("down") end
      function app.on:down() end
      """,
    says: """
      stdin:1:11: error: keys['j'] must be an action, not a function: write a handler, and here its action's name
      """),
  Mistake(
    name: "a table of elements for extend",
    script: """
      menubar { menu "Edit" { item "Cut" { "cut" } } }
      extend("Edit", { item "Copy" { "copy" } })
      function app.on:cut() end
      function app.on:copy() end
      """,
    says: """
      stdin:2:9: error: extend needs elements to add to 'Edit': extend("Edit", item "…" { … })
      """),
  Mistake(
    name: "extend with braces alone",
    script: """
      menubar { menu "Edit" { item "Cut" { "cut" } } }
      extend "Edit" { item "Copy" { "copy" } }
      function app.on:cut() end
      function app.on:copy() end
      """,
    says: """
      stdin:2:9: error: extend needs elements to add to 'Edit': extend("Edit", item "…" { … })
      """),
  Mistake(
    name: "an event without a dot",
    words: ["perform", "-", "save"],
    script: """
      function app.on:save() emit("saved") end
      app.keys.s = "save"
      """,
    says: """
      stdin:1:30: error: 'saved' can't be an event's name: it needs words with a dot between them, as in photo.changed
      """),
  Mistake(
    name: "an event with an underscore",
    script: """
      listen("file_saved", function() end)
      """,
    says: """
      stdin:1:9: error: there is no event 'file_saved' to listen for; the names of your events need a dot, as in photo.changed
      """),
  Mistake(
    name: "a listener that is called at once",
    script: """
      app.keys.s = "save"
      listen("photo.changed", print("changed"))
      function app.on:save() emit "photo.changed" end
      """,
    says: """
      stdin:2:1: error: the function of 'listen' must be a function, not nil
      """),
  Mistake(
    name: "a row that is a table",
    script: """
      panel {
        pane "list" { section "rows" { count = 3, value = function(n) return n end, row = function(v) return { "Row " .. v, "open" } end } },
      }
      function app.on:open() end
      """,
    says: """
      stdin:2: error: 'row' of section 'rows' must return a menu element, not a table; write item("…") before the braces [misuse]
      """),
  Mistake(
    name: "rows without a section",
    script: """
      panel {
        pane "list" { title = "Rows", rows = { "a", "b" } },
      }
      """,
    says: """
      stdin:2:33: warning: pane 'list' has no field 'rows' [unknown-field]
      help: to make rows of a list write section "…" { items = …, row = … }
      """),
  Mistake(
    name: "the colour of an item",
    script: """
      panel {
        pane "list" { section "rows" { items = { "a" }, row = function(v) return item(v) { "open", style = "red" } end } },
      }
      function app.on:open() end
      """,
    says: """
      stdin:2:94: warning: item 'a' has no field 'style' [unknown-field]
      help: to colour a text write a span: span("…", "red")
      """),
  Mistake(
    name: "counts as a function",
    script: """
      local list = responder "list"
      function list:counts() return 3 end
      list.keys["j"] = "down"
      function list.on:down(ctx) return ctx.count end
      focus(list)
      """,
    says: """
      stdin:2:15: error: 'counts' must be a boolean, not a function: NAME.counts = true
      """),
  Mistake(
    name: "filter as a function",
    script: """
      panel {
        pane "list" { section "rows" { items = { "a" }, row = function(v) return item(v) { "open" } end }, filter = function() end, marks = "yes" },
      }
      function app.on:open() end
      """,
    says: """
      stdin:2:102: error: 'filter' of pane 'list' must be a boolean, not a function
      """),
]
