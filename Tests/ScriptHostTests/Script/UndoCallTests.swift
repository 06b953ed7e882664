import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("ctx:set and ctx:undo in scripts")
struct UndoCallTests {
  @Test(
    "ctx:set writes plain tables, a responder's fields, and through metamethods; undoing restores the old values")
  func whatIsWritten() throws {
    let stage = try ScriptStage(
      """
      class "kind" { colour = "red" }
      doc = responder "doc" { class = "kind" }
      inherited = setmetatable({}, { __index = { v = "default" } })
      behind, writes = { v = "behind" }, 0
      proxy = setmetatable({}, {
        __index = function(_, k) return behind[k] end,
        __newindex = function(_, k, v) writes = writes + 1 behind[k] = v end,
      })
      t = { [1] = "one", list = { 1, 2 } }
      function app.on:all(ctx)
        ctx:set(doc, "colour", "blue")
        ctx:set(doc, { size = 2, [3] = "three", [false] = 0 })
        ctx:set(inherited, "v", "own")
        ctx:set(proxy, "v", "new")
        ctx:set(t, 1, nil)
        ctx:set(t, { [2.5] = "x", [true] = false })
        ctx:set(t, doc, "a responder as key")
        ctx:set(t.list, 2, "two")
        ctx:set(t.list, 2, "2")
        ctx:set(app, "title", "Title")
        ctx:set(app, "own", 1)
      end
      function app.on:shown()
        print(doc.colour, rawget(doc, "colour"), doc.size, doc[3], doc[false])
        print(inherited.v, rawget(inherited, "v"), proxy.v, rawget(proxy, "v"), writes)
        print(t[1], t[2.5], t[true], t[doc], t.list[2], app.title, app.own)
      end
      """)
    let shown = { () -> [String] in
      stage.host.perform("shown")
      return stage.takePrinted()
    }
    let before = shown()
    expect(stage.perform("all"), is: "handled by app via on")
    let after = shown()
    expect(
      after,
      is: [
        "blue\tblue\t2\tthree\t0", "own\town\tnew\tnil\t1", "nil\tx\tfalse\ta responder as key\t2\tTitle\t1",
      ])
    expect(stage.host.undo().status, is: .handled)
    expect(shown(), is: before.map { $0 == "default\tnil\tbehind\tnil\t0" ? "default\tnil\tbehind\tnil\t2" : $0 })
    expect(stage.host.redo().status, is: .handled)
    expect(shown(), is: after.map { $0 == "own\town\tnew\tnil\t1" ? "own\town\tnew\tnil\t3" : $0 })
  }

  @Test(
    "Wrong arguments of ctx:set and ctx:undo are errors at the script's line",
    arguments: [
      ("ctx:set(t)", "ctx:set lacks the value: ctx:set(object, key, value); to take a key out, say nil"),
      ("ctx:set(t, 'k')", "ctx:set lacks the value: ctx:set(object, key, value); to take a key out, say nil"),
      ("ctx.set(t, 'k', 1)", "call it with a colon, on a context: ctx:set(object, key, value)"),
      ("ctx.undo(print)", "call it with a colon, on a context: ctx:undo(title, function)"),
      ("ctx:set('t', 'k', 1)", "ctx:set writes into a table or a responder, not a string"),
      ("ctx:set(nil, 'k', 1)", "ctx:set writes into a table or a responder, not nil"),
      ("ctx:set(ctx, 'k', 1)", "ctx:set writes into a table or a responder, not an object of the host's"),
      ("ctx:set(t, nil, 1)", "the key that ctx:set writes can't be nil"),
      ("ctx:set(t, 0/0, 1)", "the key that ctx:set writes can't be NaN"),
      ("ctx:set(t, 'k', 1, 5)", "the title of ctx:set must be a string, not a number"),
      (
        "ctx:set(t, 'k', 1, 't', 5)",
        "the options of ctx:set must be a table like { coalesce = \"typing\" }, not a number"
      ),
      ("ctx:set(t, 'k', 1, 't', { colaesce = 'x' })", "ctx:set has no option 'colaesce': there is only 'coalesce'"),
      ("ctx:set(t, 'k', 1, { coalesce = 5 })", "'coalesce' must be a string, not a number"),
      ("ctx:undo('t', print, { 1 })", "ctx:undo has no option a number: there is only 'coalesce'"),
      (
        "ctx:undo()",
        "ctx:undo takes a function or an action that reverses the action, not nil: ctx:undo(title, function)"
      ),
      (
        "ctx:undo('t')",
        "ctx:undo takes a function or an action that reverses the action, not nil: ctx:undo(title, function)"
      ),
      ("ctx:undo(5, print)", "the title of ctx:undo must be a string, not a number"),
      ("ctx:set(doc, 'next', app)", "'next' belongs to the host: ctx:set writes only a responder's own fields"),
      (
        "ctx:set(doc, { a = 1, unknown = print })",
        "'unknown' belongs to the host: ctx:set writes only a responder's own fields"
      ),
      ("ctx:set(app, 'find', 1)", "'find' belongs to the host: ctx:set writes only a responder's own fields"),
      ("ctx:set(main, 'first', doc)", "'first' belongs to the host: ctx:set writes only a responder's own fields"),
      ("ctx:set(app, 'title', 5)", "'title' must be a string, not a number"),
      ("ctx:set(doc.on, 'x', print)", "ctx:set writes fields of a responder, not its tables and not a class"),
      ("ctx:set(class_, 'x', 1)", "ctx:set writes fields of a responder, not its tables and not a class"),
      ("ctx:set(gone, 'x', 1)", "'gone' was removed"),
      ("old:set(t, 'k', 1)", "ctx:set(object, key, value) is for a running handler, on its own context"),
      ("old:undo(print)", "ctx:undo(title, function) is for a running handler, on its own context"),
      (
        "error(app:validate('asks').reason, 0)",
        "error: ctx:set(object, key, value) is for handlers: the host only asks this function, so it must not change anything"
      ),
      (
        "error(app:validate('looks').reason, 0)",
        "error: ctx:undo(title, function) is for handlers: the host only asks this function, so it must not change anything"
      ),
    ])
  func misuse(code: String, message: String) throws {
    let stage = try ScriptStage(
      """
      t = {} main = window "main"
      doc = responder "doc" { next = main }
      class_ = class "c"
      gone = responder "gone"
      function app.on:keep(ctx) old = ctx gone:remove() end
      function app.on:asks() end
      function app.can:asks(ctx) ctx:set(t, "k", 1) end
      function app.on:looks() end
      function app.look:looks(ctx) ctx:undo(print) end
      old = nil
      function app.on:act(ctx)
        \(code)
      end
      """)
    stage.host.perform("keep")
    let error = stage.host.perform("act").error
    expect(error?.message, is: message)
    if !code.hasPrefix("error(") { expect(error?.place?.line, is: 12) }
    let caught = try ScriptStage(
      """
      t, main, doc, old, class_, gone = {}, window "main", responder "doc", {}, class "c", {}
      function app.on:act(ctx)
        print(select(2, pcall(function()
          \(code)
        end)))
      end
      """)
    if !code.contains("old") && !code.contains("gone") && !code.hasPrefix("error(") {
      caught.host.perform("act")
      expect(caught.takePrinted(), is: ["app.lua:4: \(message)"], "caught, it says the line as well")
    }
    expect(stage.host.undoHistory.undo.isEmpty)
  }

  @Test("A write that raises leaves nothing to take back, and earlier writes are taken back")
  func raisingWrite() throws {
    let stage = try ScriptStage(
      """
      local t = { a = 1 }
      local strict = setmetatable({}, { __newindex = function(_, k) error("no " .. k, 0) end })
      function app.on:act(ctx)
        ctx:set(t, "a", 2)
        print(pcall(ctx.set, ctx, strict, "b", 1))
        print(pcall(ctx.set, ctx, string, "x", 1))
        if ctx.fails then ctx:set(strict, "c", 1) end
      end
      function app.on:a() return t.a end
      """)
    expect(stage.perform("act(fails: true)"), is: "failed by app via on! app.lua:2: no c")
    expect(stage.takePrinted().first, is: "false\tno b")
    expect(stage.perform("a"), is: "handled by app via on → integer(1)")
    expect(stage.perform("act"), is: "handled by app via on")
    expect(stage.host.undo().status == .handled && stage.perform("a") == "handled by app via on → integer(1)")
    expect(stage.host.diagnostics.map(\.message), is: ["no c"])
  }

  @Test(
    "A reversal has a new context: current provided values, and no arguments of the action"
  )
  func contexts() throws {
    try expect(
      """
      local doc = responder "doc"
      local n = 0
      function doc:provide(ctx) n = n + 1 ctx.n = n end
      function doc.on:act(ctx)
        ctx:undo("Acting", function(ctx)
          print(ctx.action, ctx.raw, math.type(ctx.n), ctx.x, ctx.taker.name, ctx.sender.name, pcall(ctx.super, ctx))
          ctx.x = 5
          print(ctx.x, app:perform("deeper").status)
          return pass
        end)
        ctx.x = 4
      end
      function doc.on:deeper(ctx) ctx:undo(function() print "deeper" end) end
      focus(doc)
      """,
      prints: """
        handled by doc via on
        undo\tundo\tinteger\tnil\tdoc\tapp\tfalse\tctx:super() is possible only while the action runs
        5\thandled
        handled by host via native
        deeper
        handled by host via native
        """, after: ["act(x: 1)", "undo", "redo"])
  }

  @Test("E3: A script that fails to load leaves no history, and entries of a removed owner are dropped")
  func ownersGo() throws {
    let stage = try ScriptStage(
      """
      t = {}
      function app.on:set(ctx) ctx:set(t, "v", 1, "Set") end
      function app.on:v() return t.v end
      """)
    let host = stage.host
    var native = 0
    host.edit(host.app).on("native") { command -> Void in
      native += 1
      try command.context.undo("Native") { _ in native -= 1 }
    }
    stage.host.perform("set")
    stage.host.perform("native")
    #expect(throws: LoadError.self) {
      try host.load(text: "app.undo = { levels = 1 } responder 'r' { undo = true } error 'x'", name: "other.lua")
    }
    expect(host.undoHistory.undo, is: ["Native", "Set"])
    expect(host.app.undoLevels, is: UndoSetting.defaultLevels)
    let script = try require(host.scripts?.owners.last)
    host.removeAll(of: script.owner)
    expect(host.undoHistory.undo, is: ["Native"])
    expect(host.undo().status == .handled && native == 0)
  }

  @Test("Memory is flat over 100,000 performs that are undone, redone, trimmed, taken back and merged")
  func flat() throws {
    let stage = try ScriptStage(
      """
      t = {}
      doc = responder "doc" { undo = { levels = 10 } }
      focus(doc)
      function doc.on:act(ctx)
        ctx:set(t, ctx.n % 7, { ctx.n }, "n" .. ctx.n % 3, ctx.n % 5 == 0 and { coalesce = "five" } or nil)
        ctx:undo(function(ctx) ctx:set(t, "x", ctx.action) end)
        if ctx.n % 11 == 0 then app:perform("act", { n = ctx.n + 1 }) end
        if ctx.n % 13 == 0 then error "no" end
        if ctx.n % 17 == 0 then ctx:refuse "no" end
      end
      """)
    let host = stage.host
    let engine = try require(host.scripts)
    func rounds(_ range: Range<Int>) {
      for n in range {
        var options = PerformOptions()
        options.arguments = ["n": .integer(n)]
        host.perform("act", options)
        if n % 3 == 0 { host.undo() }
        if n % 4 == 0 { host.redo() }
      }
      _ = host.takeDiagnostics()
    }
    rounds(0..<3_000)
    engine.lua.collect()
    let before = (memory: engine.lua.memory, objects: clua_counters(engine.lua.L).objects)
    rounds(3_000..<99_998)  // the last context is there until the next is made: both times it is that of 'act'
    engine.lua.collect()
    let after = (memory: engine.lua.memory, objects: clua_counters(engine.lua.L).objects)
    expect(after.memory < before.memory + 16_384)
    expect(after.objects, is: before.objects)
    expect(host.undoHistory.undo.count <= 10)
  }

  @Test(
    "An action may register as many entries as fit into memory, and merged entries stay together while small")
  func muchAtOnce() throws {
    let stage = try ScriptStage(
      """
      t = {}
      function app.on:fill(ctx)
        for i = 1, 50000 do ctx:set(t, i, i) end
        local fields = {}
        for i = 50001, 65000 do fields[i] = i end
        ctx:set(t, fields, "Filling")
      end
      function app.on:count() return #t end
      function app.on:type(ctx)
        for i = 1, 100 do ctx:set(t, ctx.from + i, i) end
        ctx:set(t, "last", ctx.from, "Typing", { coalesce = "typing" })
      end
      """)
    expect(stage.perform("fill"), is: "handled by app via on")
    expect(stage.perform("count"), is: "handled by app via on → integer(65000)")
    expect(stage.host.undo().status, is: .handled)
    expect(stage.perform("count"), is: "handled by app via on → integer(0)")
    expect(stage.host.redo().status, is: .handled)
    expect(stage.perform("count"), is: "handled by app via on → integer(65000)")
    expect(stage.host.undoHistory.undo, is: ["Filling"])
    stage.host.undo()
    for n in 0..<100 { stage.host.perform("type(from: \(n * 100))") }
    expect(stage.host.undoHistory.undo, is: ["Typing"])
    expect(stage.perform("count"), is: "handled by app via on → integer(10000)")
    stage.host.undo()
    expect(stage.perform("count"), is: "handled by app via on → integer(0)")
  }

  @Test("However much a script registers, it meets the limit of memory")
  func hostileRegistering() throws {
    for code in [
      "for i = 1, 1e8 do ctx:set({}, i, i) end", "for i = 1, 1e8 do ctx:undo(function() return i end) end",
      "for i = 1, 1e8 do app:perform('nested') end",
    ] {
      let stage = try ScriptStage(
        """
        function app.on:nested(ctx) ctx:set({}, "k", ("x"):rep(5000)) end
        function app.on:act(ctx) \(code) end
        """)
      let outcome = stage.host.perform("act")
      expect(outcome.status == .failed && outcome.error?.limit != nil, "\(code): \(outcome.line)")
      expect(stage.host.undoHistory.undo.isEmpty)
      expect(stage.perform("nested"), is: "handled by app via on")
    }
  }
}
