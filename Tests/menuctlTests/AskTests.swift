import Testing

@Test("validate, why, chain and context answer without doing anything", arguments: questions)
func ask(_ toolCase: ToolCase) throws { try toolCase.check() }

private let questions: [ToolCase] = [
  ToolCase(
    name: "validate: enabled", words: ["validate", "Tests/Apps/photos.lua", "unrate", "rate(rating: 4)"],
    out: """
      ✓ unrate           enabled by grid
      ✓ rate(rating: 4)  enabled by grid (on)

      """),
  ToolCase(
    name: "validate: a disabled one makes it 1",
    words: ["validate", "Tests/Apps/photos.lua", "unrate", "close", "file.nosuch"],
    status: 1,
    out: """
      ✓ unrate       enabled by grid
      ✗ close        disabled by main: there are photos that were not exported
      ✗ file.nosuch  disabled: nobody handles 'file.nosuch' but the catch-all of 'app', which enables only claimed actions

      """),
  ToolCase(
    name: "validate: looks", words: ["validate", "-", "turn"],
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
      focus(right)

      """,
    status: 1,
    out: """
      ✗ turn  disabled by right: not a wheel ("Turn around", mixed)

      """),
  ToolCase(
    name: "validate: a can that raises", words: ["validate", "-", "a"],
    script: """
      function app.on:a() end
      function app.can:a(ctx) return ctx.n > 1 end

      """,
    status: 1,
    out: """
      ✗ a  disabled by app: error: attempt to compare number with nil

      """,
    err: """
      stdin:2: error: attempt to compare number with nil
        function app.can:a(ctx) return ctx.n > 1 end

      """),
  ToolCase(
    name: "why: enabled", words: ["why", "Tests/Apps/photos.lua", "rate(rating: 5)"],
    out: """
      enabled: 'grid' takes it
        grid: on rate → takes it (Tests/Apps/photos.lua:21)
        grid: can rate → yes (Tests/Apps/photos.lua:26)
        grid: look rate → yes (Tests/Apps/photos.lua:31)
        key 'photo': from 'grid'
        key 'rating': from 'arguments'

      """),
  ToolCase(
    name: "why: disabled by what is missing", words: ["why", "-", "share"],
    script: """
      local a = responder "a"
      local b = responder "b"
      function b:provide(ctx) ctx.photo = self.photo end
      function a.on:share() end
      a.needs.share = "photo"
      focus(a)

      """,
    out: """
      disabled by 'a': needs 'photo', but nothing supplies it now
        a: on share → takes it (stdin:4)
        a: needs share → no: needs 'photo', but nothing supplies it now
        key 'photo': missing; could come from 'b'

      """),
  ToolCase(
    name: "why: a catch-all is no taker", words: ["why", "Tests/Apps/photos.lua", "nosuch"],
    out: """
      disabled: nobody handles 'nosuch' but the catch-all of 'app', which enables only claimed actions
        grid: on nosuch → doesn't answer
        main: on nosuch → doesn't answer
        app: on nosuch → doesn't answer

      """),
  ToolCase(
    name: "why: nobody", words: ["why", "-", "nosuch"],
    script: "",
    out: """
      disabled: nobody handles 'nosuch'
        app: on nosuch → doesn't answer

      """),
  ToolCase(
    name: "chain", words: ["chain", "Tests/Apps/photos.lua"],
    out: """
      ▸ grid
        main
        app

      """),
  ToolCase(
    name: "chain: with a reference", words: ["chain", "-", "open"],
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
      ▸ list  on: takes it
        left  on: takes it
        app

      """),
  ToolCase(
    name: "context: nothing", words: ["context", "-"],
    script: "",
    out: """
      nothing supplies context

      """),
  ToolCase(
    name: "context", words: ["context", "Tests/Apps/photos.lua"],
    out: """
      photo: {name: "Harbour at dawn", rating: 4}  from grid

      """),
  ToolCase(
    name: "context: with arguments", words: ["context", "Tests/Apps/photos.lua", "rate(rating: 2)"],
    out: """
      photo: {name: "Harbour at dawn", rating: 4}  from grid
      rating: 2                                    from arguments

      """),
  ToolCase(
    name: "context: a provider that raises", words: ["context", "-"],
    script: """
      local a = responder "a"
      function a:provide(ctx) ctx.x = nothing end
      function app:provide(ctx) ctx.y = 1 end
      focus(a)

      """,
    out: """
      y: 1  from app

      """,
    err: """
      stdin:2:33: error: 'provide' of 'a' failed: 'nothing' is not defined
        function a:provide(ctx) ctx.x = nothing end
                                        ^

      """),
  ToolCase(
    name: "context: a name of the host", words: ["context", "-"],
    script: """
      function app:provide(ctx)
        ctx.sender = 1
      end

      """,
    out: """
      nothing supplies context

      """,
    err: """
      stdin:1: warning: 'app' supplies 'sender', a name of the host, so nobody can read it: choose another name
        function app:provide(ctx)

      """),
]
