import Expectations
import Testing

@testable import ScriptHost

@Suite("Validation in scripts")
struct ValidationScriptTests {
  @Test("V7: A validation within itself is disabled, with that reason")
  func validatesItself() throws {
    let host = try ScriptStage(
      """
      function app.on:x() end
      function app.can:x() return false, app:validate("x").reason end
      """
    ).host
    expect(host.validate("x").reason?.contains("being validated"), is: true, "\(host.validate("x").reason ?? "")")
  }

  @Test("V1, V2, V12: No handler disables, with the action's name; no can enables; a reason is never empty")
  func reasons() throws {
    try expect(
      """
      local grid = responder "grid"
      local empty = function() end
      grid.on = { a = empty, b = empty, c = empty, d = empty, e = empty, f = empty, g = empty }
      grid.can = {
        b = function() return false, "select a photo" end, c = function() return false end, d = function() return nil, "" end,
        e = function() return false, 42 end, f = function() return false, {} end,
      }
      grid.needs = { g = { k = "" } }
      focus(grid)
      function app.on:go() for action in ("nosuch a b c d e f g"):gmatch("%a+") do look(action) end end
      """,
      prints: """
        disabled: nobody handles 'nosuch'
        enabled by grid
        disabled by grid: select a photo
        disabled by grid: 'grid' refuses 'c'
        disabled by grid: 'grid' refuses 'd'
        disabled by grid: 42
        disabled by grid: 'grid' refuses 'f'
        disabled by grid: needs 'k', but nothing supplies it now
        """)
  }

  @Test(
    "V4, V5: Each validation starts anew; a no is final, pass moves on; look runs for the taker or refuser")
  func looks() throws {
    try expect(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      local answer, looks = { true }, {}
      local empty = function() end
      near.on.x, far.on.x = empty, empty
      function near.can:x() return table.unpack(answer) end
      function near.look:x() return looks end
      function far.look:x() return { title = "Far" } end
      focus(near)
      local function show()
        local v = app:validate("x")
        print(v.enabled, v.by, v.reason, v.title, v.subtitle, v.state, v.hidden, v.icon, v.destructive)
      end
      function app.on:go()
        looks = { title = "T", subtitle = "S", state = true, hidden = true, icon = "i", destructive = true }
        show()
        looks = nil
        show()
        answer, looks = { false, "no" }, { state = "mixed" }
        show()
        answer = { pass }
        show()
        near.needs.x = "k"
        show()
      end
      """,
      prints: """
        true\tnear\tnil\tT\tS\ton\ttrue\ti\ttrue
        true\tnear\tnil\tnil\tnil\toff\tfalse\tnil\tnil
        false\tnear\tno\tnil\tnil\tmixed\tfalse\tnil\tnil
        true\tfar\tnil\tFar\tnil\toff\tfalse\tnil\tnil
        false\tnear\tneeds 'k', but nothing supplies it now\tnil\tnil\tmixed\tfalse\tnil\tnil
        """)
  }

  @Test(
    "V6: If can or look raises or returns a wrong value, its action is disabled, with the error's place",
    arguments: [
      ("function app.can:x() error('broken') end", "error: broken", 1),
      ("function app.can:x() error({ message = 'broken table' }) end", "error: broken table", 1),
      ("function app.can:x() local t; return t.x end", "error: attempt to index a nil value (local 't')", 1),
      ("function app.look:x() error('broken') end", "error: broken", 1),
      ("function app.look:x() return 'Title' end", "error: look must return a table or nil, not a string", 1),
      ("function app.look:x() return { title = 5 } end", "error: 'title' of a look must be a string, not a number", 1),
      (
        "function app.look:x() return { state = 'maybe' } end",
        "error: 'state' of a look must be a boolean, \"on\", \"off\" or \"mixed\", not \"maybe\"", 1
      ),
      (
        "function app.look:x() return { true } end", "error: look must return named fields: a number can't be a name", 1
      ),
    ])
  func raising(_ script: String, _ reason: String, _ line: Int) throws {
    let stage = try ScriptStage(script + "\nfunction app.on:x() end function app.on:y() end")
    let validation = stage.host.validate("x")
    expect(!validation.isEnabled && validation.reason == reason && validation.by == "app")
    expect(stage.host.takeDiagnostics().map(\.place?.line), is: [line])
    expect(stage.host.validate("y").isEnabled)
    if script.contains("can") {
      expect(stage.perform("x"), is: "disabled by app via on: \(reason)")
    }
  }

  @Test("If look returns 'enabled', a warning says that 'can' decides that")
  func enabledLook() throws {
    let stage = try ScriptStage("function app.on:x() end function app.look:x() return { enabled = false } end")
    expect(stage.host.validate("x").isEnabled)
    let help = "write a 'can' beside the handler: function page.can:save() … end"
    expect(stage.host.takeDiagnostics().first?.help, is: help)
  }

  @Test("An unknown field of look is a warning with a did-you-mean")
  func unknownLook() throws {
    let stage = try ScriptStage("function app.on:x() end function app.look:x() return { tilte = 'T' } end")
    expect(stage.host.validate("x").isEnabled)
    let diagnostic = try require(stage.host.takeDiagnostics().first)
    expect(diagnostic.message == "look returns an unknown field 'tilte'" && diagnostic.help == "did you mean 'title'?")
    expect(diagnostic.place?.line, is: 1)
  }

  /// Work that is forbidden while the host asks, and its name in the message.
  static let deeds = [
    ("app:perform('y')", "performing"), ("grid:perform('y')", "performing"), ("focus(grid)", "focusing"),
    ("responder 'z'", "declaring"), ("window 'z'", "declaring"), ("class 'z'", "declaring"),
    ("observe('*', print)", "observing"), ("listen('focus', print)", "listening"), ("grid.on.z = print", "registering"),
    ("grid:define('z', { on = print })", "registering"), ("grid:derive('Z')", "deriving"),
    ("grid:remove()", "removing"),
    ("grid.next = app", "assigning 'next'"), ("grid.provide = print", "assigning 'provide'"),
    ("grid.class = nil", "assigning 'class'"), ("app.delegate = nil", "assigning 'delegate'"),
    ("main:make_key()", "making a window key"), ("main:make_main()", "making a window main"),
    ("handle:remove()", "removing"), ("kind.on.z = print", "registering"),
    ("kind.provide = print", "assigning 'provide'"),
    ("grid.undo = true", "assigning 'undo'"), ("app.title = 'T'", "assigning 'title'"),
    ("app.exact = true", "assigning 'exact'"), ("app.allow_warnings = {}", "assigning 'allow_warnings'"),
  ]

  static let questions = [
    "function grid.can:x(ctx) DEED return true end", "function grid.look:x(ctx) DEED end",
    "function grid:provide(ctx) DEED end",
    "function grid:claims(action) DEED end function grid:unknown() return pass end",
    "function grid:redirect(action) DEED end",
    "function grid:resolve(action) if action == 'x' then other.on.q = print end DEED end",
  ]

  @Test("V8: In can, look, provide, claims, redirect and resolve every change raises", arguments: questions)
  func askingMustNotDo(_ question: String) throws {
    for (deed, what) in Self.deeds
    where !question.contains("resolve") || !deed.hasPrefix("grid.on") && !deed.hasPrefix("grid:define") {
      let stage = try ScriptStage(
        """
        main = window "main"
        grid = responder "grid" { next = main }
        other = responder "other"
        kind = class "kind"
        handle = observe("nothing", print)
        function app.on:x() end
        function app.on:y() print("was done") end
        \(question.replacing("other.on.q = print", with: "pcall(function() other.on.q = print end)")
          .replacing("DEED", with: "fails(function() \(deed) end)"))
        \(question.contains("can:") || question.contains("look:") ? "function grid.on:x() end" : "")
        focus(grid)
        function other.on:ask() app:validate("x") end
        """)
      var options = PerformOptions()
      options.to = stage.host.find("other")
      let before = stage.takePrinted()
      expect(before.isEmpty)
      _ = stage.host.validate("x")
      let message = "\(what) is not possible here: the host only asks this function, so it must not change anything"
      expect(stage.takePrinted().first?.hasSuffix(message), is: true, "\(deed) while validating")
      _ = stage.host.perform("x")
      let doing = stage.takePrinted()
      expect(
        question.contains("look") || question.contains("resolve") || doing.first?.hasSuffix(message) == true,
        "\(deed) in a perform")
      expect(!doing.contains("was done"))
      expect(stage.host.find("z") == nil && stage.host.find("grid") != nil)
      _ = stage.host.perform("ask", options)
      expect(!stage.takePrinted().contains { !$0.hasSuffix(message) }, "\(deed) while a handler validates")
    }
  }

  @Test(
    "V8: The context is read-only in can and look; resolve may write its responder's tables; own fields are free"
  )
  func readOnly() throws {
    try expect(
      """
      local grid = responder "grid"
      function grid:provide(ctx) ctx.photo = "p" end
      function grid.on:x() end
      function grid.can:x(ctx)
        self.asked = (self.asked or 0) + 1
        fails(function() ctx.photo = nil end)
        fails(function() ctx.new = 1 end)
        fails(function() ctx:append("photo", 1) end)
        fails(function() ctx:refuse("no") end)
        return ctx.photo == "p" and ctx:has("photo") and ctx:flag("photo") == false
      end
      function grid:resolve(action)
        if action ~= "late" then return false end
        self.on.late = function() return "late" end
        self.can = { late = function() return true end }
        self:define("later", { on = print })
        fails(function() self.provide = nil end)
        fails(function() app.on.late = print end)
        return true
      end
      focus(grid)
      function app.on:go() look("x") say("late") print(grid.asked, grid.can.x) end
      """,
      prints: """
        app.lua:6: 'photo' can't be set: here the context can only be read
        app.lua:7: 'new' can't be set: here the context can only be read
        'photo' can't be set: here the context can only be read
        app.lua:9: ctx:refuse is for handlers: here, return false and the reason
        enabled by grid
        app.lua:17: assigning 'provide' is not possible here: the host only asks this function, so it must not change anything
        app.lua:18: registering is not possible here: the host only asks this function, so it must not change anything
        handled by grid via resolve → late
        1\tnil
        """)
  }

  @Test(
    "V8: Changes of ctx.args and ctx.modifiers in can and look reach no handler, with or without a context before",
    arguments: ["", "return ctx:forward()", "ctx.args.n = 1 return ctx:forward()", "ctx.args.n = 1 return pass"])
  func ownCopies(first: String) throws {
    let nearer = first.isEmpty ? "" : "local grid = responder 'grid' focus(grid) function grid.on:x(ctx) \(first) end"
    try expect(
      """
      \(nearer)
      local asked = 0
      function app.can:x(ctx)
        asked = asked + 1
        ctx.args.n, ctx.modifiers.shift = ctx.args.n + 1, true
        for key, value in pairs(ctx) do if key == "args" then value.m = 50 end end
        return ctx.args.n == 2 and ctx.args.m == 50 and ctx.modifiers.shift
      end
      function app.on:x(ctx) print(ctx.args.n, ctx.args.m or ctx.modifiers.shift, asked > 0) end
      function app.on:go() for _ = 1, 3 do print(app:perform("x(n: 1)").status) end end
      """,
      prints: Array(repeating: "1\tnil\ttrue\nhandled", count: 3).joined(separator: "\n"))
  }

  @Test("V8: A field of the app that the host reads can't be assigned in can, also if it is set already")
  func fieldsOfTheApp() throws {
    let stage = try ScriptStage(
      """
      app.title, app.name, app.version, app.exact, app.allow_warnings = "T", "n", "1", false, {}
      function app.can:x()
        fails(function() app.title = "other" end)
        fails(function() app.exact = true end)
        fails(function() app.allow_warnings = nil end)
        return true
      end
      function app.on:x() end
      function app.on:wrong()
        fails(function() app.title = 5 end)
        fails(function() app.exact = 1 end)
        fails(function() app.allow_warnings = { 5 } end)
        print(app.title, app.name, app.version, app.exact, #app.allow_warnings)
      end
      function app.on:name(ctx) ctx:set(app, "title", ctx.title) end
      """)
    expect(stage.host.validate("x").isEnabled)
    let asking = "is not possible here: the host only asks this function, so it must not change anything"
    let expected = ["title", "exact", "allow_warnings"].map { "assigning '\($0)' \(asking)" }
    expect(stage.takePrinted().elementsEqual(expected) { $0.hasSuffix($1) })
    expect(stage.perform("wrong").hasPrefix("handled"))
    let wrong = stage.takePrinted()
    expect(wrong[0].hasSuffix("'title' must be a string, not a number"))
    expect(wrong[1].hasSuffix("'exact' must be true or false, not a number"))
    expect(wrong[2].contains("'allow_warnings' must be a list of codes"))
    expect(wrong[3], is: "T\tn\t1\tfalse\t0")
    // A written title is the host's too, and is taken back.
    expect(stage.host.perform("name(title: New)").status == .handled && stage.host.title == "New")
    expect(stage.perform("wrong").hasPrefix("handled") && stage.takePrinted().last == "New\tn\t1\tfalse\t0")
    expect(stage.host.undo().status == .handled && stage.host.title == "T")
    expect(stage.host.redo().status == .handled && stage.host.title == "New")
    try expect(loadError("app.title = 'B'\napp.title = 5").contains("'title' must be a string, not a number"))
  }

  @Test("V8: Changes of ctx.args and ctx.modifiers in can reach no handler, also if can reads nothing else")
  func ownCopiesOfReader() throws {
    try expect(
      """
      function app.can:x(ctx) ctx.args.n = ctx.args.n + 1 return ctx.args.n == 2 end
      function app.on:x(ctx) print(ctx.args.n) end
      function app.can:y(ctx) ctx.modifiers.shift = true return true end
      function app.on:y(ctx) print(ctx.modifiers.shift) end
      function app.on:go() for _ = 1, 2 do print(app:perform("x(n: 1)").status, app:perform("y").status) end end
      """,
      prints: Array(repeating: "1\nnil\nhandled\thandled", count: 2).joined(separator: "\n"))
  }

  @Test("V5: A null from a provider is a value to needs, has and why, the first time and later")
  func suppliedNull() throws {
    try expect(
      """
      function app:provide(ctx) ctx.k = null end
      app.needs.x = { "k" }
      function app.on:x(ctx) print(ctx:has("k")) end
      function app.on:go()
        for _ = 1, 3 do print(app:perform("x").status) end
        print(app:validate("x").enabled, app:why("x").enabled)
      end
      """,
      prints: Array(repeating: "true\nhandled\n", count: 3).joined() + "true\ttrue")
  }

  @Test("V9: Validating an action during its validation returns disabled, `being validated`")
  func beingValidated() throws {
    try expect(
      """
      function app.on:x() end
      function app.on:y() end
      function app.can:x() look("x") look("y") return true end
      function app.can:y() return app:validate("x").enabled, "as x" end
      function app.on:go() look("x") end
      """,
      prints: """
        disabled: being validated
        disabled by app: as x
        enabled by app
        """)
  }

  @Test("V13: why returns the walk with each answer and its line, the keys read, and the keys' suppliers")
  func why() throws {
    try expect(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      function far:provide(ctx) ctx.photo = self.photo ctx.size = 3 end
      function near.on:rate() return pass end
      function near.can:rate(ctx) return pass end
      function far.on:rate() end
      function far.can:rate(ctx) return ctx.photo and ctx.size > ctx.stars, "select a photo first" end
      class "base" { can = { rated = function(_, ctx) return ctx.photo ~= nil, "none" end } }
      local kind = class "kind" { class = "base" }
      function kind.on:rated() end
      function kind.can:rated(ctx) return ctx:super() end
      near.class = kind
      focus(near)
      function app.on:go()
        local why = app:why("rate(stars: 2)")
        print(why.text)
        print(why.enabled, why.by, why.reason, #why.steps, #why.keys)
        local step = why.steps[2]
        print(step.node, step.asked, step.answer, step.file, step.line)
        far.photo = "p"
        print(app:why("rate(stars: 2)").text)
        for _, key in ipairs(app:why("rate(stars: 2)").keys) do print(key.key, key.by, #key.candidates) end
        print(app:why("rated").enabled, app:validate("rated").enabled, app:perform("rated").status)
        print(app:why("nosuch").text)
      end
      """,
      prints: """
        disabled by 'far': select a photo first
          near: on rate → takes it (app.lua:4)
          near: can rate → passes (app.lua:5)
          far: on rate → takes it (app.lua:6)
          far: can rate → no: select a photo first (app.lua:7)
          key 'photo': missing; could come from 'far'
        false\tfar\tselect a photo first\t4\t1
        near\tcan rate\tpasses\tapp.lua\t5
        enabled: 'far' takes it
          near: on rate → takes it (app.lua:4)
          near: can rate → passes (app.lua:5)
          far: on rate → takes it (app.lua:6)
          far: can rate → yes (app.lua:7)
          key 'photo': from 'far'
          key 'size': from 'far'
          key 'stars': from 'arguments'
        photo\tfar\t0
        size\tfar\t0
        stars\targuments\t0
        true\ttrue\thandled
        disabled: nobody handles 'nosuch'
          near: on nosuch → doesn't answer
          far: on nosuch → doesn't answer
          app: on nosuch → doesn't answer
        """)
  }

  @Test(
    "Keys that the host puts into a context are shown as the host's, and never as missing",
    arguments: ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"])
  func hostNames(_ name: String) throws {
    let stage = try ScriptStage(
      """
      function app.on:save() end
      function app.can:save(ctx) return ctx.\(name) == nil or true end
      """)
    let why = try stage.host.why("save")
    expect(why.keys.map(\.key) == [name] && why.keys.map(\.by) == ["host"] && why.keys[0].candidates == [])
    expect(why.text.hasSuffix("\n  key '\(name)': from 'host'"), "\(why.text)")
  }

  @Test("V14: skip_validation in the arguments: enabled as declared")
  func skip() throws {
    try expect(
      """
      function app.on:x() return "done" end
      function app.can:x() return false, "no" end
      function app.look:x() return { title = "T" } end
      function app.on:go()
        look("x(skip_validation: true)") look("x(skip_validation: yes)") look("x(skip_validation: false)")
        say("x(skip_validation: true)") say("x", { skip_validation = 1 }) say("x")
      end
      """,
      prints: """
        enabled
        enabled
        disabled by app: no
        handled by app via on → done
        handled by app via on → done
        disabled by app via on: no
        """)
  }

  @Test("V13, C1, C9: why shows a provider that sets a key to nil, and one that uses a name of the host")
  func whyProviders() throws {
    let host = try ScriptStage(
      """
      local w = responder "w"
      local g = responder "g" { next = w }
      function w:provide(ctx) ctx.album = "al" ctx.action = "x" end
      function g:provide(ctx) ctx.album = nil end
      g.needs.two = "album"
      function g.on:two() end
      focus(g)
      """
    ).host
    try expect(
      host.why("two").text,
      is: """
        disabled by 'g': needs 'album', but nothing supplies it now
          g: provide → 'album' is nil (app.lua:4)
          w: provide → 'action', ignored since it is a name of the host (app.lua:3)
          g: on two → takes it (app.lua:6)
          g: needs two → no: needs 'album', but nothing supplies it now
          key 'album': missing; could come from 'w', 'g'
        """)
  }

  @Test("V13: A resolve that returns true and adds nothing doesn't answer")
  func emptyResolve() throws {
    let stage = try ScriptStage("function app:resolve(action) return true end")
    let steps = try stage.host.why("foo").steps.map { "\($0.asked): \($0.answer)" }
    expect(steps, is: ["on foo: doesn't answer", "resolve foo: doesn't answer"])
  }
}
