import Expectations
import Glibc
import Testing

/// Lines that come from a file or a pipe.
@Suite struct ReplTests {
  @Test("If a line begins with a command's name and isn't Lua, the help says so, unless a script has that name")
  func commandsWithoutColon() throws {
    let run = try Program.menuctl(
      ["repl", "Tests/Apps/photos.lua"], stdin: "quit\nexit\nperform rate\ntime = 4\ntime.x.y\n")
    let helps = run.err.split(separator: "\n").filter { $0.hasPrefix("help: ") }
    expect(
      helps, is: ["quit", "quit", "perform"].map { "help: ':\($0)' is a command; a line without ':' is Lua" },
      "\(run.err)")
  }

  @Test("Without a terminal results go to stdout, errors to stderr, and nothing else is printed", arguments: sessions)
  func session(_ toolCase: ToolCase) throws { try toolCase.check() }

  @Test("A long string and a long list are shown up to a limit")
  func long() throws {
    let run = try Program.menuctl(["repl"], stdin: "('★'):rep(2100)\nl = {} for i = 1, 1005 do l[i] = i end\nl\n")
    expect(run.out.hasPrefix("\"\(String(repeating: "★", count: 2000))\"… 100 more characters\n{\n  1,\n"))
    expect(run.out.hasSuffix("  1000,\n  … 5 more\n}\n"))
  }

  @Test("Lines from a pipe cause neither colours nor a history")
  func plain() throws {
    let folder = try ScriptFolder([:])
    let run = try Program.menuctl(
      ["repl", "scripts/hello.lua"], stdin: "guest = 1\nx\n", environment: ["XDG_STATE_HOME": folder.path])
    expect(!run.out.contains("\u{1B}") && !run.err.contains("\u{1B}"))
    expect(Project.entries(of: folder.path).isEmpty)
  }

  @Test("An interrupt ends lines from a pipe, with 130")
  func interrupted() throws {
    let process = try Process("\(Program.folder)/menuctl", ["repl", "--timeout", "60", "--budget", "1e13"])
    process.write("print('spinning') while true do end\nprint('never')\n")
    expect(process.readSome(), is: "spinning\n")
    kill(process.id, SIGINT)
    let run = process.finish()
    expect(run.status, is: 130)
    expect(run.out, is: "")
    expect(run.err, is: "stdin:1: error: cancelled\n  print('spinning') while true do end\n")
  }
}

private let sessions: [ToolCase] = [
  ToolCase(
    name: "expressions are shown, statements run, what is not complete goes on", words: ["repl"],
    script: """
      1 + 1
      x = { 3, name = "a" }

      x.name, #x, nil
      function f(n)
        return n * 2
      end
      f(21)
      _ + 1
      -- nothing
      return _
      """,
    out: """
      2
      "a"
      1
      nil
      42
      43
      43

      """),
  ToolCase(
    name: "values can be read", words: ["repl"],
    script: #"""
      1.5, 1/0, -1/0, 0/0, math.mininteger, true
      "a\n\27[31m\"\\é★\u{202e}", "\255"
      { 1, 2, nil, 4, ["two words"] = 1, a = { b = { c = { d = { e = 1 } } } }, [true] = print, [2.5] = null }
      t = { n = {} } t.self = t t.n.up = t t.n.me = t.n
      t
      function g() end
      { g, coroutine.create(g), app, app.on, pass }
      { first_name = "Ada Augusta King, Countess of Lovelace", last = { "星", "the second of them, which is long" }, x = 1 }
      l = {} for i = 1, 1005 do l[i] = i end
      #tostring(l) > 0
      """#,
    out: #"""
      1.5
      inf
      -inf
      nan
      -9223372036854775808
      true
      "a\n\u{1B}[31m\"\\é★\u{202E}"
      <1 bytes that are not UTF-8>
      {
        1,
        2,
        [4]           = 4,
        [2.5]         = <null>,
        a             = { b = { c = { d = {…} } } },
        ["two words"] = 1,
        [true]        = <function>,
      }
      { n = { me = <.n again>, up = <the whole again> }, self = <the whole again> }
      { <function of stdin:6:1>, <coroutine>, <app 'app'>, <on 'app'>, <pass> }
      {
        first_name = "Ada Augusta King, Countess of Lovelace",
        last       = { "星", "the second of them, which is long" },
        x          = 1,
      }
      true

      """#),
  ToolCase(
    name: "after each line stands what it changed in the menus", words: ["repl", "scripts/photos"],
    script: """
      app:press("right").result
      app:perform("rate(rating: 2)").status
      :press 5
      app:find("grid").selects = false
      app:press("esc").reason
      """,
    out: """
      "Harbour at dawn"
        Edit/Delete "Delete" → "Delete “Harbour at dawn”", disabled → enabled
        Image/Rate… disabled → enabled
        Image/★★★★★ disabled → enabled
        Image/★★★★ off → on, disabled → enabled
        Image/★★★ disabled → enabled
        Image/★★ disabled → enabled
        Image/★ disabled → enabled
        Image/Clear disabled → enabled
        Image/Export/As JPEG disabled → enabled
        Image/Export/As PNG disabled → enabled
        Go/Previous Photo enabled → disabled: this is the first photo
      "handled"
        Edit/Undo "Undo" → "Undo Rating", disabled → enabled
        Image/★★★★ on → off
        Image/★★ off → on
        albums/Favourites "Favourites 4" → "Favourites 3"
        photos/harbour.raw subtitle "★★"
      handled by grid → "Harbour at dawn: ★★★★★"
        Image/★★★★★ off → on
        Image/★★ on → off
        albums/Favourites "Favourites 3" → "Favourites 4"
        photos/harbour.raw subtitle "★★★★★"
        Edit/Delete "Delete “Harbour at dawn”" → "Delete", enabled → disabled: select a photo first
        Image/Rate… enabled → disabled: select a photo first
        Image/★★★★★ on → off, enabled → disabled: select a photo first
        Image/★★★★ enabled → disabled: select a photo first
        Image/★★★ enabled → disabled: select a photo first
        Image/★★ enabled → disabled: select a photo first
        Image/★ enabled → disabled: select a photo first
        Image/Clear enabled → disabled: select a photo first
        Image/Export/As JPEG enabled → disabled: select a photo first
        Image/Export/As PNG enabled → disabled: select a photo first
        Go/Previous Photo disabled → enabled
      "nothing is selected"

      """),
  ToolCase(
    name: "an error doesn't end it, and the highest status counts", words: ["repl", "scripts/hello.lua"],
    script: """
      x
      1 +* 2
      error("no")
      :perform greet
      :nothing
      :perform rate(
      :why
      app:perform("fly").status
      for i = 1,
      """,
    status: 70,
    out: """
      disabled by page: invite somebody first
      "unhandled"

      """,
    err: """
      stdin:1:1: error: 'x' is not defined
        x
        ^
      stdin:2:1: error: unexpected symbol near '1'
        1 +* 2
        ^
      stdin:3: error: no
        error("no")
      menuctl: error: there is no command ':nothing'
      ':help' lists them
      reference:1:6: error: expected a key or ')' but the reference ends
        rate(
             ^
      menuctl: error: REF|ID|KEY is missing
      usage: :why REF|ID|KEY
      stdin:9:11: error: unexpected symbol near <eof>
        for i = 1,
                  ^

      """),
  ToolCase(
    name: "--strict ends at the first error; a no is none", words: ["repl", "scripts/hello.lua", "--strict"],
    script: """
      :perform greet
      1
      error("no")
      2
      """,
    status: 70,
    out: """
      disabled by page: invite somebody first
      1

      """,
    err: """
      stdin:3: error: no
        error("no")

      """),
  ToolCase(
    name: "a limit ends a line, and is the status", words: ["repl", "--budget", "100000"],
    script: """
      error("x")
      while true do end
      1
      """,
    status: 75,
    out: """
      1

      """,
    err: """
      stdin:1: error: x
        error("x")
      stdin:2: error: the limit of 100000 instructions is spent: does a loop never end?
        while true do end

      """),
  ToolCase(
    name: "a line may wait, and what it defines stays", words: ["repl"],
    script: """
      function app.on:nap() sleep(0.01) return "rested" end
      app:perform("nap").result
      sleep(0.01)
      job = app:perform("nap", nil, { wait = false }).job
      job:wait().result
      job
      """,
    out: """
      "rested"
      "rested"
      <job 'nap'>

      """),
  ToolCase(
    name: "commands are the tool's verbs on the app as it is", words: ["repl", "scripts/photos"],
    script: """
      :press right
      :menu View
      :validate rate(rating: 6) Image/Clear
      :pick Image/Export/As JPEG
      :pick --yes Edit/Delete
      :undo
      :redo
      :undo
      :chain
      :chain delete
      :why rate(rating: 6)
      :context
      :focus main
      :focus gird
      :perform close --json
      :perform close --memory 5
      :perform close extra
      :help focus
      """,
    status: 64,
    out: """
      handled by grid → "Harbour at dawn"
        Edit/Delete "Delete" → "Delete “Harbour at dawn”", disabled → enabled
        Image/Rate… disabled → enabled
        Image/★★★★★ disabled → enabled
        Image/★★★★ off → on, disabled → enabled
        Image/★★★ disabled → enabled
        Image/★★ disabled → enabled
        Image/★ disabled → enabled
        Image/Clear disabled → enabled
        Image/Export/As JPEG disabled → enabled
        Image/Export/As PNG disabled → enabled
        Go/Previous Photo enabled → disabled: this is the first photo
      View
        ✓   By Name    alt+1  arrange(by: name)
        ✓   By Rating  alt+2  arrange(by: rating)
        ✓ • By Date    alt+3  arrange(by: date)
      ✗ rate(rating: 6)  disabled by grid: 'rating' must be an integer from 0 to 5, not 6
      ✓ Image/Clear      enabled by grid
      handled by grid → "Harbour at dawn → Pictures"
        + recent Pictures
        - No recent places
      handled by grid → "Harbour at dawn"
        - photos/harbour.raw
        Edit/Undo "Undo" → "Undo Delete", disabled → enabled
        Edit/Delete "Delete “Harbour at dawn”" → "Delete “The old pier”"
        Image/★★★★ on → off
        Image/Clear enabled → disabled: it has no rating
        albums/All photos "All photos 10" → "All photos 9"
        albums/Favourites "Favourites 4" → "Favourites 3"
        albums/By the sea "By the sea 4" → "By the sea 3"
      handled by host via native
        + photos/harbour.raw
        Edit/Undo "Undo Delete" → "Undo", enabled → disabled: there is nothing to undo
        Edit/Redo "Redo" → "Redo Delete", disabled → enabled
        Go/Previous Photo disabled → enabled
        albums/All photos "All photos 9" → "All photos 10"
        albums/Favourites "Favourites 3" → "Favourites 4"
        albums/By the sea "By the sea 3" → "By the sea 4"
      handled by host via native
        - photos/harbour.raw
        Edit/Undo "Undo" → "Undo Delete", disabled → enabled
        Edit/Redo "Redo Delete" → "Redo", enabled → disabled: there is nothing to redo
        Go/Previous Photo enabled → disabled: this is the first photo
        albums/All photos "All photos 10" → "All photos 9"
        albums/Favourites "Favourites 4" → "Favourites 3"
        albums/By the sea "By the sea 4" → "By the sea 3"
      handled by host via native
        + photos/harbour.raw
        Edit/Undo "Undo Delete" → "Undo", enabled → disabled: there is nothing to undo
        Edit/Redo "Redo" → "Redo Delete", disabled → enabled
        Go/Previous Photo disabled → enabled
        albums/All photos "All photos 9" → "All photos 10"
        albums/Favourites "Favourites 3" → "Favourites 4"
        albums/By the sea "By the sea 3" → "By the sea 4"
      ▸ grid
        main
        app
      ▸ grid  on: takes it
        main
        app
      disabled by 'grid': 'rating' must be an integer from 0 to 5, not 6
        grid: on rate → takes it (scripts/photos/app.lua:175)
        grid: takes rate → no: 'rating' must be an integer from 0 to 5, not 6 (scripts/photos/app.lua:157)
        grid: look rate → yes (scripts/photos/app.lua:189)
        key 'photo': from 'grid'
        key 'rating': from 'arguments'
      photo: {album: "By the sea", name: "The old pier", path: "pier.raw", rating: 0, taken: "2026-05-03 18:40"}  from grid
      photos: [{album: "By the sea", name: "The old pier", path: "pier.raw", rating: 0, taken: "2026-05-03 18:40"}]  from grid
      recent: ["Pictures"]                                          from grid
      row: {album: "By the sea", name: "The old pier", path: "pier.raw", rating: 0, taken: "2026-05-03 18:40"}  from pane photos
      rows: [{album: "By the sea", name: "The old pier", path: "pier.raw", rating: 0, taken: "2026-05-03 18:40"}]  from pane photos
      'main' has the focus
        + No recent places
        - recent Pictures
        Edit/Delete "Delete “The old pier”" → "Delete", enabled → disabled: nobody handles 'delete' but the catch-all of 'app', which enables only claimed actions
        Image/Rate… enabled → disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/★★★★★ enabled → disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/★★★★ enabled → disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/★★★ enabled → disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/★★ enabled → disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/★ enabled → disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/Clear disabled: nobody handles 'rate' but the catch-all of 'app', which enables only claimed actions
        Image/Export/As JPEG enabled → disabled: nobody handles 'export' but the catch-all of 'app', which enables only claimed actions
        Image/Export/As PNG enabled → disabled: nobody handles 'export' but the catch-all of 'app', which enables only claimed actions
        Image/Export All… enabled → disabled: nobody handles 'export_all' but the catch-all of 'app', which enables only claimed actions
        View/By Name enabled → disabled: nobody handles 'arrange' but the catch-all of 'app', which enables only claimed actions
        View/By Rating enabled → disabled: nobody handles 'arrange' but the catch-all of 'app', which enables only claimed actions
        View/By Date on → off, enabled → disabled: nobody handles 'arrange' but the catch-all of 'app', which enables only claimed actions
        Go/Next Photo enabled → disabled: nobody handles 'next' but the catch-all of 'app', which enables only claimed actions
        Go/Previous Photo enabled → disabled: nobody handles 'previous' but the catch-all of 'app', which enables only claimed actions
      {"menuctl": 1, "ok": true, "action": "close", "status": "handled", "by": "main", "via": "on", "changes": []}
      :focus NAME

      give a responder the focus

      """,
    err: """
      menuctl: error: there is no responder 'gird'; did you mean 'grid'?
      the window closes
      menuctl: error: ':perform' has no option '--memory': the app is loaded already
      reference:1:7: error: a name can't have blanks; put arguments in parentheses: close(name: extra)
        close extra
              ^

      """),
  ToolCase(
    name: "another app takes the place of one, unless it doesn't load", words: ["repl", "scripts/hello.lua"],
    script: """
      :load scripts/nothing.lua
      app.title
      :load Tests/Apps/photos.lua
      app.title
      """,
    status: 66,
    out: """
      "Hello"
      Photos (Tests/Apps/photos.lua)

      ▸ grid  (focus)
          ✓ deselect
          ✓ rate
          ✓ select
          ✓ unrate
        main  (window, key, main)
          ✗ close  there are photos that were not exported
        app

      5 actions, 4 can be done now
      "Photos"

      """,
    err: """
      menuctl: error: can't read 'scripts/nothing.lua': No such file or directory

      """),
  ToolCase(
    name: "'?' asks what there is to read of a name, a topic or a code", words: ["repl"],
    script: """
      ?app:find
      ?  cancelled
      ?vallidation
      ?perfrom
      ?
      """,
    status: 64,
    out: """
      app:find(name) → Responder?

      Finds a responder by its name.

        name: string  the name of a responder or window

      Returns 'Responder?', the responder, or nil if it doesn't exist.

        responder "page"

        print(app:find("page").name, app:find("line"))  --> page  nil

      Belongs to: The app.

      See also: 'menuctl help Responder'.
      cancelled

      A person or a script cancelled the action.

      The host takes back what the action did before. Nothing is wrong with the script:
      perform the action again.

      For example:

        function app.on:wait() sleep(60) end
        function app.on:stop() app:perform("wait", {}, { wait = false }).job:cancel() end

      What was meant:

        function app.on:wait() sleep(60) end
        function app.on:stop() app:perform("wait") end

      """,
    err: """
      menuctl: error: there is no name, topic or code 'vallidation'; did you mean 'validation'?
      usage: ?NAME, as in ?app:perform; '?language' lists the names, '?topics' the topics
      menuctl: error: there is no name, topic or code 'perfrom'; did you mean 'perform'?
      usage: ?NAME, as in ?app:perform; '?language' lists the names, '?topics' the topics
      menuctl: error: NAME is missing
      usage: ?NAME, as in ?app:perform; '?language' lists the names, '?topics' the topics

      """),
  ToolCase(
    name: "a trace is shown of whatever is performed", words: ["repl", "scripts/hello.lua"],
    script: """
      :trace on
      app:perform("invite(name: Ada)").status
      :trace off
      :perform greet
      :trace maybe
      """,
    status: 64,
    out: """
      app: perform invite(name: Ada) → handled by page
        page: on invite → takes it (scripts/hello.lua:6)
        page: provide → nothing (scripts/hello.lua:5)
        page: do invite → done (scripts/hello.lua:6)

      "handled"
      handled by page → "Hello, Ada!"

      """,
    err: """
      menuctl: error: ':trace' is on or off, not 'maybe'
      usage: :trace on|off

      """),
  ToolCase(
    name: "an app that doesn't load is none to explore", words: ["repl", "scripts/nothing.lua"], status: 66,
    err: """
      menuctl: error: can't read 'scripts/nothing.lua': No such file or directory

      """),
  ToolCase(
    name: "stdin is not both", words: ["repl", "-"], status: 64,
    err: """
      menuctl: error: stdin can't be both the script and the lines
      usage: menuctl repl [APP]

      """),
]
