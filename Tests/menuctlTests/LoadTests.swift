import Testing

@Test("load shows the app's current state", arguments: loads)
func load(_ toolCase: ToolCase) throws { try toolCase.check() }

private let loads: [ToolCase] = [
  ToolCase(
    name: "the example", words: ["load", "Tests/Apps/photos.lua"],
    out: """
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

      """),
  ToolCase(
    name: "actions are performed first, in order",
    words: [
      "load", "Tests/Apps/photos.lua", "--perform", "rate(rating: 3)", "--perform=deselect", "--perform", "rate",
    ],
    status: 1,
    out: """
      rate(rating: 3): handled by grid → "Harbour at dawn: ★★★"
      deselect: handled by grid
      rate: disabled by grid: select a photo first

      Photos (Tests/Apps/photos.lua)

      ▸ grid  (focus)
          ✗ deselect  nothing is selected
          ✗ rate      select a photo first
          ✓ select
          ✗ unrate    select a photo first
        main  (window, key, main)
          ✗ close  there are photos that were not exported
        app

      5 actions, 1 can be done now

      """),
  ToolCase(
    name: "a panel stands behind the menus", words: ["load", "-"],
    script: """
      panel {
        label "Photos\\nof today", item "Pier" { "open(n: 1)", subtitle = "★", key = "p" }, separator,
        menu "More" { item "Empty" { "empty", subtitle = "" } },
      }
      function app.on:open() end
      """,
    out: """
      stdin

      chain: app (focus)

      Panel
            Photos
            of today
        ✓   Pier – ★  p  open(n: 1)
        ─────
            More ▸
          ✗   Empty      empty       nobody handles 'empty'

      2 items, 1 can be done now

      """),
  ToolCase(
    name: "an empty script", words: ["load", "-"],
    script: "",
    out: """
      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now

      """),
  ToolCase(
    name: "two windows: who is asked, who is not, what goes to whom", words: ["load", "-"],
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
      Two (stdin)

      ▸ list  (focus)
          ✓ open
        left  (window, key, main)
          ✓ open  goes to list
          ✓ shut
        app
      not asked now
        right  (window)
          ✗ turn  nobody handles 'turn'; 'right' does, but isn't in the chain

      4 actions, 3 can be done now

      """),
  ToolCase(
    name: "the focus is moved first, and performs stand in order with it",
    words: ["load", "-", "--perform", "open", "--focus", "right", "--perform", "turn", "--perform", "nosuch"],
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
    status: 69,
    out: """
      open: handled by list → "list"
      turn: disabled by right: not a wheel
      nosuch: unhandled: nobody handles 'nosuch'

      Two (stdin)

      ▸ right  (window, key, focus)
          ✗ turn  not a wheel ("Turn around", mixed)
        list
          ✓ open
        left  (window, main)
          ✓ open  goes to list
          ✓ shut
        app

      4 actions, 3 can be done now

      """),
  ToolCase(
    name: "a responder outside of the chain", words: ["load", "-"],
    script: """
      responder "lost"
      function app.on:find() end

      """,
    out: """
      stdin

      ▸ app  (focus)
          ✓ find
      not asked now
        lost

      1 action, 1 can be done now

      """),
  ToolCase(
    name: "no such responder to focus", words: ["load", "-", "--focus", "lsit"],
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
      menuctl: error: there is no responder 'lsit'; did you mean 'list'?

      """),
  ToolCase(
    name: "the highest status decides",
    words: ["load", "-", "--perform", "no", "--perform", "boom", "--perform", "yes"],
    script: """
      function app.on:yes() end
      function app.on:no(ctx) ctx:refuse("no") end
      function app.on:boom()
        local t
        return t.x
      end

      """,
    status: 70,
    out: """
      no: disabled by app: no
      boom: failed in app: attempt to index a nil value (local 't')
      yes: handled by app

      stdin

      ▸ app  (focus)
          ✓ boom
          ✓ no
          ✓ yes

      3 actions, 3 can be done now, 1 error

      """,
    err: """
      stdin:5:10: error: attempt to index a nil value (local 't')
          return t.x
                 ^

      """),
  ToolCase(
    name: "a can that raises disables its own action only", words: ["load", "-"],
    script: """
      function app.on:a() end
      function app.can:a(ctx) return ctx.n > 1 end
      function app.on:b() end

      """,
    out: """
      stdin

      ▸ app  (focus)
          ✗ a  error: attempt to compare number with nil
          ✓ b

      2 actions, 1 can be done now, 1 error

      """,
    err: """
      stdin:2: error: attempt to compare number with nil
        function app.can:a(ctx) return ctx.n > 1 end

      """),
]
