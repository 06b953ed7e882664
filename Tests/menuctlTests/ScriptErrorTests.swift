import Testing

@Test("A script's error is shown with its place, line and caret", arguments: scriptErrors)
func scriptError(_ toolCase: ToolCase) throws { try toolCase.check() }

private let scriptErrors: [ToolCase] = [
  ToolCase(
    name: "syntax", words: ["load", "-"],
    script: """
      local photo =
        { name = "Harbour", , }

      """,
    status: 65,
    err: """
      stdin:2: error: unexpected symbol near ','
          { name = "Harbour", , }

      """),
  ToolCase(
    name: "the end is missing", words: ["load", "-"],
    script: """
      function app.on:save()
        if true then

      """,
    status: 65,
    err: """
      stdin:3:1: error: 'end' expected (to close 'if' at line 2) near <eof>
        
        ^

      """),
  ToolCase(
    name: "the caret stands below the place behind wide characters", words: ["load", "-"],
    script: """
      app.title = "日本語日本語", foo.x

      """,
    status: 65,
    err: """
      stdin:1:23: error: 'foo' is not defined
        app.title = "日本語日本語", foo.x
                                    ^

      """),
  ToolCase(
    name: "a name that nobody defined", words: ["load", "-"],
    script: """
      local main = window "main"
      local grid = respondr "grid"

      """,
    status: 65,
    err: """
      stdin:2:14: error: 'respondr' is not defined; did you mean 'responder'?
        local grid = respondr "grid"
                     ^

      """),
  ToolCase(
    name: "a name that is twice in its line", words: ["load", "-"],
    script: """
      print(foo, foo)

      """,
    status: 65,
    err: """
      stdin:1:7: error: 'foo' is not defined; put a text or an action's name in quotes: "foo"
        print(foo, foo)
              ^

      """),
  ToolCase(
    name: "a name that is used twice", words: ["load", "-"],
    script: """
      responder "grid"
      responder "grid"

      """,
    status: 65,
    err: """
      stdin:2:12: error: there is a responder named 'grid' already (the other is at stdin:1)
        responder "grid"
                   ^

      """),
  ToolCase(
    name: "an error of its own", words: ["load", "-"],
    script: """
      error("no photos today")

      """,
    status: 65,
    err: """
      stdin:1: error: no photos today
        error("no photos today")

      """),
  ToolCase(
    name: "a tab before it, and letters that are no ASCII", words: ["load", "-"],
    script: """
      \u{9}local a = "é" .. fehlt

      """,
    status: 65,
    err: """
      stdin:1:19: error: 'fehlt' is not defined
         local a = "é" .. fehlt
                          ^

      """),
  ToolCase(
    name: "a long line", words: ["load", "-"],
    script: """
      local a = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" .. missing .. "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"

      """,
    status: 65,
    err: """
      stdin:1:217: error: 'missing' is not defined
        …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" .. missing .. "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
                                                                     ^

      """),
  ToolCase(
    name: "bytecode", words: ["load", "-"],
    script: "\u{1b}Lua",
    status: 65,
    err: """
      stdin:1: error: the script is no text: byte 1 can't be in one
        �Lua

      """),
  ToolCase(
    name: "performing while it loads", words: ["load", "-"],
    script: """
      app:perform("x")

      """,
    status: 65,
    err: """
      stdin:1: error: performing is not possible while a script loads: do it in an action or in 'start'
        app:perform("x")

      """),
  ToolCase(
    name: "a host field of the wrong type", words: ["load", "-"],
    script: """
      responder "a" { provide = 5 }

      """,
    status: 65,
    err: """
      stdin:1:17: error: 'provide' must be a function, not a number
        responder "a" { provide = 5 }
                        ^

      """),
]
