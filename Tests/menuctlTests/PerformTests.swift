import Testing

@Test("perform shows the outcome of one action", arguments: performs)
func perform(_ toolCase: ToolCase) throws { try toolCase.check() }

private let asking = """
  tasks = {}
  function app.on:add(ctx) ctx:undo("Add", function() print("taken back") end) return ctx.text end
  app.takes.add = { text = "string" }
  function app.on:clear() print("cleared") end
  app.confirm.clear = "Clear?"
  app.keys = { ["ctrl+k"] = "clear", x = "undo" }
  menubar { menu "Task" { item "Clear" { "clear" } } }

  """

private let performs: [ToolCase] = [
  ToolCase(
    name: "a text that looks like a number", words: ["perform", "-", "add", "--arg", "text=5"], script: asking,
    status: 1,
    out: """
      disabled by app: 'text' must be a string, not 5

      """,
    err: """
      help: --arg 'text="5"' gives it as a string

      """),
  ToolCase(
    // The argument must be a string, which this is.
    name: "a text that is too short", words: ["perform", "-", "add", "--arg", "text="],
    script: asking + "app.takes.add = { text = { 'string', from = 1, to = 40 } }", status: 1,
    out: """
      disabled by app: 'text' must be a string of 1 to 40 characters, not ''

      """),
  ToolCase(
    name: "keys, of which one asks", words: ["press", "-", "ctrl+k", "x"], script: asking, status: 1,
    out: """
      asks by app: Clear?

      """,
    err: """
      help: there is no terminal to ask on; '--yes' says yes

      """),
  ToolCase(
    name: "keys, of which one asks and is answered", words: ["press", "-", "ctrl+k", "ctrl+k", "--yes"], script: asking,
    out: """
      cleared
      cleared
      handled by app

      """),
  ToolCase(
    name: "keys, of which one does nothing", words: ["press", "-", "q", "ctrl+k", "--yes"], script: asking, status: 69,
    out: """
      unhandled: nothing is bound to 'q'

      """),
  ToolCase(
    name: "a menu is picked", words: ["pick", "-", "Task"], script: asking, status: 64,
    out: """
      failed: 'Task' is a menu, which can't be picked

      """),
  ToolCase(
    name: "handled", words: ["perform", "Tests/Apps/photos.lua", "rate(rating: 2)"],
    out: """
      handled by grid → "Harbour at dawn: ★★"

      """),
  ToolCase(
    name: "an argument is replaced",
    words: ["perform", "Tests/Apps/photos.lua", "rate(rating: 2)", "--arg", "rating=4"],
    out: """
      handled by grid → "Harbour at dawn: ★★★★"

      """),
  ToolCase(
    name: "disabled", words: ["perform", "Tests/Apps/photos.lua", "rate(rating: 6)"],
    status: 1,
    out: """
      disabled by grid: a rating is 1 to 5 stars

      """),
  ToolCase(
    name: "validation is left out",
    words: ["perform", "Tests/Apps/photos.lua", "rate(rating: 6)", "--skip-validation"],
    out: """
      handled by grid → "Harbour at dawn: ★★★★★★"

      """),
  ToolCase(
    name: "unhandled, with the nearest name", words: ["perform", "-", "safe"],
    script: """
      function app.on:save() end

      """,
    status: 69,
    out: """
      unhandled: nobody handles 'safe'; did you mean 'save'?

      """),
  ToolCase(
    name: "another responder is asked alone", words: ["perform", "Tests/Apps/photos.lua", "rate", "--to", "main"],
    status: 69,
    out: """
      unhandled: nobody handles 'rate'

      """),
  ToolCase(
    name: "the walk begins elsewhere", words: ["perform", "-", "open", "--from", "left"],
    script: """
      app.title = "Two"
      local left = window "left"
      local right = window "right"
      local list = responder "list" { next = left }
      function list.on:open() return "list" end
      function left.on:open() return "left" end
      function left.on:shut(ctx) ctx:refuse("it is stuck") end
      function right.on:turn() end
      function right.can:turn() return false, "not a wheel" end
      function right.look:turn() return { title = "Turn around", state = "mixed" } end
      focus(list)

      """,
    out: """
      handled by left → "left"

      """),
  ToolCase(
    name: "no such responder", words: ["perform", "-", "open", "--from", "lefd"],
    script: """
      app.title = "Two"
      local left = window "left"
      local right = window "right"
      local list = responder "list" { next = left }
      function list.on:open() return "list" end
      function left.on:open() return "left" end
      function left.on:shut(ctx) ctx:refuse("it is stuck") end
      function right.on:turn() end
      function right.can:turn() return false, "not a wheel" end
      function right.look:turn() return { title = "Turn around", state = "mixed" } end
      focus(list)

      """,
    status: 64,
    err: """
      menuctl: error: there is no responder 'lefd'; did you mean 'left'?

      """),
  ToolCase(
    name: "a catch-all", words: ["perform", "Tests/Apps/photos.lua", "file.nosuch"],
    out: """
      nobody answers nosuch
      handled by app via unknown

      """),
  ToolCase(
    name: "refused by the handler", words: ["perform", "-", "shut", "--from", "left"],
    script: """
      app.title = "Two"
      local left = window "left"
      local right = window "right"
      local list = responder "list" { next = left }
      function list.on:open() return "list" end
      function left.on:open() return "left" end
      function left.on:shut(ctx) ctx:refuse("it is stuck") end
      function right.on:turn() end
      function right.can:turn() return false, "not a wheel" end
      function right.look:turn() return { title = "Turn around", state = "mixed" } end
      focus(list)

      """,
    status: 1,
    out: """
      disabled by left: it is stuck

      """),
  ToolCase(
    name: "a script that raises", words: ["perform", "-", "boom"],
    script: """
      function app.on:boom()
        local photo = nil
        return photo.name
      end

      """,
    status: 70,
    out: """
      failed in app: attempt to index a nil value (local 'photo')

      """,
    err: """
      stdin:3:10: error: attempt to index a nil value (local 'photo')
          return photo.name
                 ^

      """),
  ToolCase(
    name: "every kind of result", words: ["perform", "-", "all"],
    script: #"""
      function app.on:all()
        return { 1, 0.5, true, "a\nb", { key = print, ["two words"] = {} }, null }
      end

      """#,
    out: #"""
      handled by app → [1, 0.5, true, "a\nb", {"two words": {}, key: <function>}, null]

      """#),
  ToolCase(
    name: "a result that holds itself", words: ["perform", "-", "knot"],
    script: """
      function app.on:knot() local t = {} t.t = t return t end

      """,
    out: """
      handled by app → <cycle>

      """),
  ToolCase(
    name: "an argument without a key", words: ["perform", "Tests/Apps/photos.lua", "rate", "--arg", "5"],
    status: 64,
    err: """
      menuctl: error: '5' is no KEY=VALUE: --arg KEY=VALUE

      """),
  ToolCase(
    name: "an argument that is a string", words: ["perform", "-", "say", "--arg", "text=two words", "--arg", "n=2"],
    script: """
      function app.on:say(ctx) return { ctx.text, ctx.n } end

      """,
    out: """
      handled by app → ["two words", 2]

      """),
]
