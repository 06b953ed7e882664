import Expectations
import Testing

@testable import ScriptHost

@Suite("Undo in scripts")
struct UndoScriptTests {
  /// Code that these tests' scripts share: a document and functions that show it.
  private static let document = """
    main = window "main"
    doc = responder "doc" { next = main, text = "" }
    t = {}
    focus(doc)
    function doc.on:set(ctx) ctx:set(t, ctx.key or "v", ctx.to, ctx.title, ctx.merge and { coalesce = ctx.merge }) end
    function doc.on:type(ctx) ctx:set(self, "text", self.text .. ctx.s, "Typing", { coalesce = "typing" }) end
    function shown(name)
      local s = app:undo_stack()
      local owner = #s.undo == 0 and #s.redo > 0 and s.redo_owner or s.owner
      return owner .. ": " .. table.concat(s.undo, ",") .. " | " .. table.concat(s.redo, ",")
    end
    app.on.history = function() return shown() end
    app.on.values = function()
      local keys = {}
      for k in pairs(t) do keys[#keys + 1] = k end
      table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
      for i, k in ipairs(keys) do keys[i] = tostring(k) .. "=" .. tostring(t[k]) end
      return table.concat(keys, " ")
    end
    app.on.text = function() return doc.text end
    """

  /// Performs actions one after another, and shows the output and outcome of each.
  private func checkUndo(
    _ script: String, _ actions: [String], gives expected: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let stage = try ScriptStage(script + "\n" + Self.document)
    var lines: [String] = []
    for action in actions {
      // `doc undo` begins at the document.
      let words = action.split(separator: " ", maxSplits: 1).map(String.init)
      var options = PerformOptions()
      if words.count == 2, let start = stage.host.find(words[0]) { options.from = start }
      let outcome =
        options.from == nil ? stage.host.perform(action) : stage.host.perform(words[1], options)
      lines += stage.takePrinted()
      switch (outcome.status, outcome.result) {
      case (.handled, .text(let text)): lines.append("\(action): \(text)")
      case (.handled, _): lines.append("\(action): done")
      default: lines.append("\(action): \(outcome.status) \(outcome.reason ?? outcome.error?.description ?? "")")
      }
    }
    expect(lines.joined(separator: "\n"), is: expected, sourceLocation: location)
    expect(stage.host.dispatcher.undo.hasRecorded, is: false, "nothing is left open", sourceLocation: location)
  }

  @Test("U1: Steps before and after another reversal are undone before and after it")
  func stepsAroundFunction() throws {
    let stage = try ScriptStage(
      """
      t = { x = 0 }
      function app.on:act(ctx) ctx:set(t, "x", 1) ctx:undo(function() print(t.x) end) ctx:set(t, "x", 2) end
      """)
    stage.host.perform("act")
    stage.host.undo()
    expect(stage.takePrinted(), is: ["1"])
    try expect(stage.host.evaluate("return tostring(t.x)").map(\.shownText), is: ["0"])
  }

  @Test("U3: If one step of a failed action can't be taken back, the steps before it still are")
  func stepsBeforeFailingStep() throws {
    let stage = try ScriptStage(
      """
      plain, kept, broken = {}, {}, false
      odd = setmetatable({}, { __index = kept, __newindex = function(_, key, value)
        if broken then error "it is broken" end
        kept[key] = value
      end })
      function app.on:act(ctx)
        ctx:set(plain, "x", 1)
        ctx:set(odd, "y", 1)
        broken = true
        error "no"
      end
      """)
    expect(stage.host.perform("act").status, is: .failed)
    try expect(stage.host.evaluate("return tostring(plain.x), tostring(kept.y)").map(\.shownText), is: ["nil", "1"])
  }

  @Test("U1: One top-level perform is one group per owner, undone in reverse order; a waited nested perform joins it")
  func groups() throws {
    try checkUndo(
      """
      panel = window "panel"
      note = responder "note" { next = panel }
      app.on.both = function(_, ctx)
        app:perform("doc")
        app:perform("note", nil, { from = note })
        ctx:undo("App", function() print "app's" end)
      end
      app.on.doc_first = function() focus(doc) end
      app.on.note_first = function() focus(note) end
      app.on.app_first = function() focus(app) end
      function note.on:note(ctx)
        ctx:set(t, "c", 1)
        ctx:undo("Note", function() print("note", t.c) end)
      end
      app.on.ready = function()
        function doc.on:doc(ctx)
          ctx:set(t, "a", 1, "Doc")
          ctx:set(t, { b = 2 })
          ctx:undo(function() print("undone first", t.a, t.b) end)
        end
      end
      """,
      [
        "ready", "both", "history", "undo", "values", "note_first", "history", "undo", "values", "app_first", "history",
        "undo", "history",
      ],
      gives: """
        ready: done
        both: done
        history: main: Doc | 
        undone first\t1\t2
        undo: done
        values: c=1
        note_first: done
        history: panel: Note | 
        note\t1
        undo: done
        values: 
        app_first: done
        history: app: App | 
        app's
        undo: done
        history: app:  | 
        """)
  }

  @Test("U1: A failed nested perform drops only its own entries, and takes them back")
  func nestedFailure() throws {
    try checkUndo(
      """
      app.on.bad = function(_, ctx) ctx:set(t, "bad", 1) app:perform("set(key: inner)") error "no" end
      app.on.outer = function(_, ctx)
        ctx:set(t, "a", 1)
        app:perform("set(key: b, to: 2)")
        print(app:perform("bad").status, t.a, t.b, t.bad, t.inner)
        ctx:set(t, "c", 3)
      end
      app.on.swallowed = function(_, ctx)
        ctx:set(t, "d", 1)
        app:perform("bad")
        error "outer"
      end
      """, ["outer", "values", "history", "undo", "values", "swallowed", "values"],
      gives: """
        failed\t1\t2\tnil\tnil
        outer: done
        values: a=1 b=2 c=3
        history: main: outer | 
        undo: done
        values: a=1 c=3
        swallowed: failed app.lua:11: outer
        values: a=1 c=3
        """)
  }

  @Test("U1: Entries that scripts and the program register in turn are undone in reverse order")
  func inTurn() throws {
    let stage = try ScriptStage(
      """
      local t = {}
      function app.on:outer(ctx)
        ctx:undo(function() print "script 1" end)
        app:perform("native")
        ctx:undo(function() print "script 2" end)
        app:perform("native")
        ctx:undo(function() print "script 3" end)
      end
      """)
    var count = 0
    let host = stage.host
    host.on("native") { [unowned host] command -> Void in
      count += 1
      let number = count
      try command.context.undo { [unowned host] _ in host.print("native \(number)") }
    }
    for _ in 0..<2 {
      stage.host.perform("outer")
      stage.host.undo()
    }
    expect(
      stage.takePrinted(),
      is: [1, 3].flatMap { first in
        ["script 3", "native \(first + 1)", "script 2", "native \(first)", "script 1"]
      })
  }

  @Test("U1: A group has the name of the action that ran, the first time and later, also after another passed")
  func titleBehindPass() throws {
    try checkUndo(
      """
      function app.on:begin()
        doc.on["x.mark"] = function() return pass end
        main.on.mark = function(_, ctx) ctx:set(t, "v", (t.v or 0) + 1) end
      end
      """,
      ["begin", "x.mark", "x.mark", "mark", "x.mark", "history"],
      gives: """
        begin: done
        x.mark: done
        x.mark: done
        mark: done
        x.mark: done
        history: main: mark,mark,mark,mark | 
        """)
  }

  @Test("U1: A group has the name of the action that ran, not of one that joined another's group before")
  func titleBehindJoined() throws {
    let host = try ScriptStage(
      """
      local t = {}
      function app.on:inner(ctx) sleep(1) ctx:set(t, "v", 1) end
      function app.on:outer() app:perform("inner") end
      function app.on:plain(ctx) ctx:set(t, "v", (t.v or 0) + 1) end
      function app.on:titles() return table.concat(app:undo_stack().undo, ",") end
      """
    ).host
    for action in ["plain", "plain", "outer", "plain"] { host.perform(action, wait: true) }
    expect(host.perform("titles").result.shownText, is: "plain,outer,plain,plain")
  }

  @Test("U2: Entries made during undo go to redo, and the other way round; a new action clears redo")
  func redo() throws {
    try checkUndo(
      """
      local n = 0
      local function add(by, ctx)
        n = n + by
        ctx:undo("Adding " .. math.abs(by), function(ctx) add2(-by, ctx) end)
      end
      add2 = add
      app.on.add = function(_, ctx) add(ctx.by, ctx) end
      app.on.n = function() return tostring(n) end
      """,
      [
        "add(by: 2)", "set(to: 1)", "undo", "undo", "n", "undo", "history", "redo", "redo", "redo", "values", "n",
        "undo",
        "set(to: 5, title: New)", "history", "redo", "undo", "values",
      ],
      gives: """
        add(by: 2): done
        set(to: 1): done
        undo: done
        undo: done
        n: 0
        undo: disabled there is nothing to undo
        history: main:  | set
        redo: done
        redo: done
        redo: disabled there is nothing to redo
        values: v=1
        n: 2
        undo: done
        set(to: 5, title: New): done
        history: main: New | 
        redo: disabled there is nothing to redo
        undo: done
        values: 
        """)
    try checkUndo(
      """
      local n = 0
      function add(by, ctx)
        n = n + by
        ctx:undo("Adding " .. math.abs(by), function(ctx) add(-by, ctx) end)
      end
      app.on.add = function(_, ctx) add(ctx.by, ctx) end
      app.on.n = function() return tostring(n) end
      app.on.ready = function() focus(app) end
      """,
      [
        "ready", "add(by: 2)", "add(by: 3)", "undo", "undo", "n", "history", "redo", "n", "redo", "n", "history",
        "undo", "n",
      ],
      gives: """
        ready: done
        add(by: 2): done
        add(by: 3): done
        undo: done
        undo: done
        n: 0
        history: app:  | Adding 2,Adding 3
        redo: done
        n: 2
        redo: done
        n: 5
        history: app: Adding 3,Adding 2 | 
        undo: done
        n: 2
        """)
  }

  @Test("U3: A failed, refused or cancelled perform is taken back: its reversals run in reverse, then are dropped")
  func takenBack() throws {
    try checkUndo(
      """
      app.on.fails = function(_, ctx)
        ctx:set(t, "a", 1)
        ctx:undo(function() print("first", t.a, t.b) end)
        ctx:set(t, "b", 2)
        ctx:undo(function(ctx) print("second", ctx.action, t.b) ctx:set(t, "never", 1) t.never = nil end)
        error "broken"
      end
      app.on.refuses = function(_, ctx) ctx:set(t, "a", 1) ctx:refuse "not today" end
      app.on.passes = function(_, ctx) ctx:set(t, "a", 1) return pass end
      app.on.loops = function(_, ctx) ctx:set(t, "a", 1) ctx:undo(function() print "after the limit" end) while true do end end
      """,
      ["fails", "values", "history", "refuses", "refuses", "values", "passes", "values", "history", "undo"],
      gives: """
        second\tfails\t2
        first\t1\tnil
        fails: failed app.lua:6: broken
        values: 
        history: main:  | 
        refuses: disabled not today
        refuses: disabled not today
        values: 
        passes: unhandled nobody handles 'passes'
        values: 
        history: main:  | 
        undo: disabled there is nothing to undo
        """)
  }

  @Test("U3: A perform that spent its allowance is taken back with a separate allowance")
  func spent() throws {
    let stage = try ScriptStage(
      """
      t = { v = 0 }
      app.on.loops = function(_, ctx)
        ctx:set(t, "v", 1)
        ctx:undo(function() print "after the limit" end)
        while true do end
      end
      app.on.value = function() return t.v end
      """)
    expect(stage.host.perform("loops").error?.limit != nil)
    expect(stage.takePrinted(), is: ["after the limit"])
    expect(stage.perform("value"), is: "handled by app via on → integer(0)")
  }

  @Test("U3: A nested perform that spends the outer one's allowance is taken back by the outer one")
  func spentInside() throws {
    let stage = try ScriptStage(
      """
      t = { v = 0 }
      app.on.inner = function(_, ctx) ctx:set(t, "v", 1) while true do end end
      app.on.value = function() return t.v end
      """)
    let host = stage.host
    var inner: Outcome?
    host.on("outer") { [unowned host] command -> Void in
      try command.context.undo("Outer") { _ in }
      inner = host.perform("inner")
    }
    expect(host.perform("outer", PerformOptions()).status, is: .handled)
    expect(inner?.status == .failed && inner?.error?.limit != nil)
    expect(stage.perform("value"), is: "handled by app via on → integer(0)")
    expect(host.undoHistory, is: UndoHistory(undo: ["Outer"], redo: [], owner: "app", redoOwner: "app"))
  }

  @Test("U1, U9: Entries of a responder that is gone at the action's end don't name the undo")
  func titleOfWhoIsGone() throws {
    let stage = try ScriptStage(
      """
      app.undo = true
      local grid, cell = responder "grid", responder "cell"
      grid.next = cell
      function cell.on:inner(ctx) ctx:undo("Cells", function() end) end
      function grid.on:outer(ctx)
        app:perform("inner")
        cell:remove()
        ctx:undo(function() end)
        ctx:undo(function() end)
      end
      focus(grid)
      """)
    expect(stage.host.perform("outer").status, is: .handled)
    expect(stage.host.undoHistory.undo, is: ["outer"])
  }

  @Test("S4, U3: However many spent actions are taken back, few spend an allowance on it, and fields are restored")
  func endlessReversals() throws {
    let stage = try ScriptStage(
      """
      count, spins = 0, false
      fields = {}
      local function spin() while true do count = count + 1 end end
      function app.on:once() spin() end
      function app.on:again(ctx)
        ctx:undo("spinning", spin)
        ctx:set(fields, #fields + 1, "set")
        app:perform("again")
        spin()
      end
      function app.on:inner() spin() end
      function app.on:outer() app:perform("inner") end
      function app:failed(failure) if spins and failure.limit then spin() end end
      observe({ "inner", "outer" }, function(event) if event.stage == "failed" then spin() end end)
      function app.on:count() local all = tostring(count) count = 0 return all end
      function app.on:left() return #fields end
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    func count() -> Double { stage.host.perform("count").result.shownText.flatMap(Double.init) ?? 0 }
    expect(stage.host.perform("once").error?.limit, is: .instructions)
    let one = count()
    for action in ["again", "again", "again", "outer", "outer", "outer"] {
      expect(stage.host.perform(action).error?.limit, is: .instructions)
      // The allowances of the action, its hooks and its reversal, of three nested reversals, and small ones of the
      // others.
      let all = count()
      expect(all > 1.9 * one && all < 6.9 * one, "\(action): \(all) of \(one)")
      _ = try stage.host.evaluate("spins = not spins")
    }
    expect(stage.perform("left"), is: "handled by app via on → integer(0)")
  }

  @Test("U3: If a reversal fails, earlier changes are taken back all the same, and the failure is reported")
  func failingReversals() throws {
    let stage = try ScriptStage(
      """
      t = { v = 0 }
      function app.on:act(ctx)
        ctx:undo("first", function() print("first") end)
        ctx:set(t, "v", 1)
        ctx:undo("breaks", function() sleep(0) error("bad") end)
        ctx:undo("refuses", function(ctx) ctx:refuse("rather not") end)
        ctx:undo("waits", function() sleep(1) print("waits") end)
        error("no")
      end
      function app.on:value() return t.v end
      """)
    for _ in 1...2 {
      expect(stage.host.perform("act").error?.message, is: "no")
      expect(stage.takePrinted(), is: ["waits", "first"])
      let told = stage.host.takeDiagnostics().map(\.message).filter { $0.contains("undone") }
      expect(told, is: ["rather not", "bad"].map { "'act' could not be undone: \($0)" })
      expect(stage.perform("value"), is: "handled by app via on → integer(0)")
    }
  }

  @Test("U4: If a reversal fails during an undo, the earlier ones don't run")
  func stoppedUndo() throws {
    let stage = try ScriptStage(
      """
      function app.on:act(ctx)
        ctx:undo("first", function() print("first") end)
        ctx:undo("breaks", function() error("bad") end)
      end
      """)
    _ = stage.perform("act")
    for _ in 1...2 {
      expect(stage.host.perform("undo").error?.message, is: "bad")
      expect(stage.takePrinted().isEmpty)
    }
    expect(stage.host.undoHistory.undo.count, is: 1)
  }

  @Test("U3, E1: A nested perform that spent everything is taken back before the outer action, and before hooks run")
  func takenBackInOrder() throws {
    let stage = try ScriptStage(
      """
      t = { v = 0 }
      function app.on:inner(ctx) ctx:set(t, "v", 2) while true do end end
      function app.on:outer(ctx) ctx:set(t, "v", 1) app:perform("inner") end
      function app:failed(failure) if failure.limit then print(t.v) end end
      function app.on:value() return t.v end
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    for _ in 1...4 {
      expect(stage.host.perform("outer").error?.limit, is: .instructions)
      expect(stage.takePrinted(), is: ["1"])
      expect(stage.perform("value"), is: "handled by app via on → integer(0)")
    }
  }

  @Test("U1: A provider can't register undo entries, however often the action ran")
  func undoInProvider() throws {
    let stage = try ScriptStage("function app.on:zoom() end")
    let host = stage.host
    var refused = 0
    var takers: [String?] = []
    host.edit(host.app).can("zoom") { _ in .yes }
    host.edit(host.app).provide { context in
      takers.append(context.taker?.name)
      do { try context.undo("x") { _ in } } catch { refused += 1 }
    }
    for _ in 1...4 { expect(host.perform("zoom").status, is: .handled) }
    expect(refused == 4 && takers == [nil, nil, nil, nil] && host.undoHistory.undo == [])
  }

  @Test("U1: A Swift handler registers its reversal, with any arguments, from a perform or a pick")
  func undoOfSwift() throws {
    let stage = try ScriptStage(
      """
      function app:provide(ctx) ctx.x = 1 end
      function app.can:zoom() return true end
      menubar { menu "M" { item "Zoom" { "zoom", id = "zoom" } } }
      """)
    let host = stage.host
    host.on("zoom") { command -> Void in try command.context.undo("Zoom") { _ in } }
    for reference in ["zoom", "zoom(factor: [2])", "zoom(factor: [3])"] {
      for _ in 1...3 { expect(host.perform(reference).status, is: .handled) }
    }
    for _ in 1...3 { expect(host.pick("zoom").status, is: .handled) }
    expect(host.undoHistory.undo.count, is: 12)
  }

  @Test("U4: A failing undo leaves the entry, and its changes until then are taken back")
  func failingUndo() throws {
    try checkUndo(
      """
      local broken = true
      app.on.ready = function() function doc:failed(err) print("failed hook: " .. err.message) return err end end
      app.on.act = function(_, ctx)
        ctx:undo("Acting", function(ctx) if broken then error "can't" end end)
        ctx:set(t, "a", 1)
        ctx:undo(function(ctx) ctx:undo(function() print "taken back" end) end)
        ctx:set(t, "b", 2)
      end
      app.on.mend = function() broken = false end
      app.on.shy = function(_, ctx) ctx:undo("Shy", function(ctx) ctx:refuse "not now" end) end
      app.on.from_doc = function() doc.on.act, doc.on.shy = app.on.act, app.on.shy end
      """,
      [
        "ready", "from_doc", "act", "undo", "values", "history", "mend", "undo", "values", "history", "shy", "undo",
        "history",
      ],
      gives: """
        ready: done
        from_doc: done
        act: done
        taken back
        failed hook: can't
        undo: failed app.lua:4: can't
        values: a=1 b=2
        history: main: Acting | 
        mend: done
        undo: done
        values: 
        history: main:  | Acting
        shy: done
        undo: disabled not now
        history: main: Shy | 
        """)
  }

  @Test("U5: Undo inside an undo, or inside a running action, is refused")
  func undoInside() throws {
    try checkUndo(
      """
      app.on.inside = function()
        local o, v = app:undo(), app:validate("undo")
        print(o.status, o.reason, v.enabled, v.reason)
      end
      function ready()
        function doc.on:twice(ctx)
          ctx:undo("Twice", function() print(app:undo().reason, app:redo().reason) end)
        end
        function doc.on:back(ctx) return ctx:forward() end
      end
      app.on.ready = ready
      observe("set", function(e) if e.stage == "did" then print(app:undo().reason) end end)
      """, ["ready", "set(to: 1)", "inside", "twice", "undo", "values"],
      gives: """
        ready: done
        nothing can be undone while 'set' is being performed
        set(to: 1): done
        disabled\tnothing can be undone while 'inside' is being performed\ttrue\tnil
        inside: done
        twice: done
        nothing can be undone while 'undo' is being performed\tnothing can be redone while 'undo' is being performed
        undo: done
        values: v=1
        """)
  }

  @Test("U6: levels trims the oldest")
  func levels() throws {
    try checkUndo(
      """
      app.on.ready = function(_, ctx) doc.undo = { levels = 2 } print(doc.undo.levels) end
      """,
      [
        "ready", "set(to: 1, title: a)", "set(to: 2, title: b)", "set(to: 3, title: c)", "history", "undo", "undo",
        "undo", "values", "history",
      ],
      gives: """
        2
        ready: done
        set(to: 1, title: a): done
        set(to: 2, title: b): done
        set(to: 3, title: c): done
        history: doc: c,b | 
        undo: done
        undo: done
        undo: disabled there is nothing to undo
        values: v=1
        history: doc:  | b,c
        """)
    let stage = try ScriptStage(Self.document)
    for number in 1...250 { stage.host.perform("set(to: \(number), title: n\(number))") }
    expect(stage.host.undoHistory.undo, is: (151...250).reversed().map { "n\($0)" })
  }

  @Test(
    "U7: undo and redo are ordinary actions with titles; plain and disabled when empty; a responder may handle them")
  func titles() throws {
    try ScriptHostTests.expect(
      """
      local main = window "main"
      local t, answers = {}, false
      focus(main)
      function main.on:set(ctx) ctx:set(t, "v", 1, "Setting") end
      local function show()
        for _, action in ipairs { "undo", "redo" } do
          local v = app:validate(action)
          print(v.title, v.enabled, v.reason, v.by)
        end
      end
      observe("undo", function(e) print(e.stage, e.by) end)
      function step(action) print(line(app:perform(action))) end
      function app.on:show() show() end
      function app.on:answer()
        function main.on:undo(ctx) print "mine" return ctx:forward() end
        function main.can:undo() return pass end
      end
      function app.on:answer_now() main.can.undo = nil end
      """,
      prints: """
        Undo\tfalse\tthere is nothing to undo\thost
        Redo\tfalse\tthere is nothing to redo\thost
        handled by app via on
        disabled by host via native: there is nothing to undo
        handled by main via on
        Undo Setting\ttrue\tnil\thost
        Redo\tfalse\tthere is nothing to redo\thost
        handled by app via on
        will\thost
        did\thost
        handled by host via native
        Undo\tfalse\tthere is nothing to undo\thost
        Redo Setting\ttrue\tnil\thost
        handled by app via on
        handled by host via native
        handled by app via on
        will\thost
        did\thost
        handled by host via native
        handled by host via native
        handled by app via on
        will\tmain
        mine
        did\tmain
        handled by main via on
        """,
      after: ["show", "undo", "set", "show", "undo", "show", "redo", "answer", "undo", "redo", "answer_now", "undo"])
  }

  @Test("U8: coalesce merges with the previous group of that key")
  func coalesce() throws {
    try checkUndo(
      "",
      [
        "type(s: a)", "type(s: b)", "type(s: c)", "history", "set(to: 1, title: Between)", "type(s: d)", "type(s: e)",
        "history", "undo", "text", "undo", "undo", "text", "history", "redo", "text", "type(s: x)", "history", "undo",
        "text",
      ],
      gives: """
        type(s: a): done
        type(s: b): done
        type(s: c): done
        history: main: Typing | 
        set(to: 1, title: Between): done
        type(s: d): done
        type(s: e): done
        history: main: Typing,Between,Typing | 
        undo: done
        text: abc
        undo: done
        undo: done
        text: 
        history: main:  | Typing,Between,Typing
        redo: done
        text: abc
        type(s: x): done
        history: main: Typing,Typing | 
        undo: done
        text: abc
        """)
    let stage = try ScriptStage(Self.document)
    for _ in 0..<10_000 { stage.host.perform("type(s: x)") }
    let memory = try require(stage.host.scripts).lua
    memory.collect()
    let before = memory.memory
    for _ in 0..<1_000 { stage.host.perform("set(key: same, to: 1, merge: k)") }
    memory.collect()
    let group = try require(stage.host.find("main")?.undoStack?[.undo])
    expect(group.reversals.count == 1 && memory.memory - before < 4096, "what is merged doesn't grow")
  }

  @Test("U9: Removing a scripted responder drops its entries")
  func removing() throws {
    try checkUndo(
      """
      app.on.ready = function()
        note = responder "note" { next = main }
        function note.on:note(ctx) ctx:set(t, "note", 1, "Note") end
        function note.on:both(ctx) ctx:set(t, "note", 2) app:perform("set(to: 7)", nil, { from = doc }) end
        function doc.on:leave(ctx) ctx:set(t, "left", 1) self:remove() end
      end
      note = nil
      app.on.note = function(_, ctx) return note:perform("note").status end
      app.on.both = function(_, ctx) return note:perform("both").status end
      app.on.drop = function() note:remove() end
      app.on.again = function() main:remove() main = window "main" focus(main) end
      """,
      [
        "ready", "set(to: 1)", "note", "both", "history", "drop", "history", "undo", "values", "leave", "history",
        "again", "history",
      ],
      gives: """
        ready: done
        set(to: 1): done
        note: handled
        both: handled
        history: main: both,Note,set | 
        drop: done
        history: main: both,set | 
        undo: done
        values: note=2 v=1
        leave: done
        history: main:  | 
        again: done
        history: main:  | 
        """)
  }

  @Test(
    "U10: Entries go to the nearest owner upward from the taker; undo finds the nearest history with something to undo"
  )
  func owners() throws {
    try checkUndo(
      """
      app.on.ready = function()
        class "own" { undo = { levels = 3 } }
        cell = responder "cell" { next = doc, class = "own" }
        function main.on:main(ctx) ctx:set(t, "main", 1) end
        function cell.on:cell(ctx) ctx:set(t, "cell", 1) end
        function app.on:far(ctx) ctx:set(t, "far", 1) end
        focus(cell)
      end
      cell = nil
      app.on.no_class = function() cell.class = nil end
      app.on.no_window = function() main.undo = false print(main.undo) end
      app.on.app_levels = function() app.undo = { levels = 1 } end
      """,
      [
        "ready", "main", "far", "history", "undo", "history", "cell", "history", "doc undo", "values", "undo", "redo",
        "no_class", "history", "redo", "no_window", "history", "redo", "app_levels", "far", "main", "history",
      ],
      gives: """
        ready: done
        main: done
        far: done
        history: main: main | 
        undo: done
        history: app: far | main
        cell: done
        history: cell: cell | main
        doc undo: done
        values: cell=1
        undo: done
        redo: done
        no_class: done
        history: main:  | main
        redo: done
        false
        no_window: done
        history: app:  | far
        redo: done
        app_levels: done
        far: done
        main: done
        history: app: main | 
        """)
  }

  @Test("A group's title is the outermost perform's title; else the item's, else the action's name")
  func titleOrder() throws {
    let stage = try ScriptStage(
      Self.document + """

        app.on.inner = function(_, ctx) ctx:set(t, "a", 1, "Inner") end
        app.on.outer = function(_, ctx) app:perform("inner") ctx:set(t, "b", ctx.n, ctx.title) app:perform("inner") end
        app.on.ready = function() focus(app) end
        """)
    let host = stage.host
    host.perform("ready")
    host.perform("outer(n: 1)")
    host.perform("outer(n: 2, title: Outer)")
    host.perform("menu.file.outer(n: 3, title: \"\")")
    var options = PerformOptions()
    options.sender = .item(id: "x", title: "★★★", action: "set(to: 1)", key: nil)
    options.from = host.find("doc")
    host.perform("set(to: 1)", options)
    host.perform("set(to: 2)", PerformOptions())
    expect(host.undoHistory.undo, is: ["Inner", "Outer", "Inner"])
    try host.focus(try require(host.find("main")))
    expect(host.undoHistory.undo, is: ["★★★"])
  }
}
