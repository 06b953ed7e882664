import Expectations
import Testing

@testable import ScriptHost

/// A later group's writes stay, whatever happens to an earlier group.
@Suite("Undo of actions that change the same values in turn")
struct InterleavedUndoTests {
  private static let script = """
    app.note, list, other = "", {}, {}
    function app.on:download(ctx)
      ctx:set(app, "note", "downloading", "Download")
      ctx:set(list, #list + 1, "a")
      sleep(1)
      if ctx.ends == "failed" then error "broken" end
      if ctx.ends == "refused" then ctx:refuse "no" end
    end
    function app.on:rename(ctx) ctx:set(app, "note", "renamed", "Rename") end
    function app.on:add(ctx) ctx:set(list, #list + 1, "b", "Add") end
    function app.on:insert(ctx) ctx:insert(list, ctx.at or 1, ctx.value, "Insert") end
    function app.on:inserts(ctx) ctx:insert(list, ctx.at or 1, ctx.value, "Insert") sleep(1) end
    function app.on:remove(ctx) return ctx:remove(list, ctx.value, "Remove") end
    function app.on:removes(ctx) ctx:remove(list, ctx.value, "Remove") sleep(1) end
    function app.on:first(ctx) ctx:set(list, 1, "first") end
    function app.on:outer(ctx)
      ctx:set(app, "note", "outer", "Outer")
      app:perform("inner", nil, { wait = false })
      error "broken"
    end
    function app.on:inner(ctx) ctx:set(app, "note", "inner", "Inner") sleep(1) end
    local win = window "win"
    function win.on:label(ctx) ctx:set(app, "note", "label", "Label") end
    function win.on:wait(ctx)
      ctx:set(app, "note", "wait", "Wait")
      ctx:undo(function() sleep(1) end)
    end
    function state()
      local shown = {}
      for i = 1, 9 do shown[i] = list[i] == nil and "-" or tostring(list[i]) end
      return app.note .. ":" .. (table.concat(shown, ""):gsub("%-+$", ""))
    end
    function app.on:state() return state() end
    focus(app)
    """

  @Test("U14: After an undo that failed, its writes count again: an earlier group can't take them away")
  func failedUndo() throws {
    let host = try ScriptStage(
      """
      doc = { x = 0 }
      local win = window "win" { undo = true }
      function app.on:first(ctx) ctx:set(doc, "x", 1, "First") end
      function win.on:second(ctx)
        ctx:undo("Second", function() error "it can't be undone" end)
        ctx:set(doc, "x", 2)
      end
      focus(win)
      """
    ).host
    host.perform("first")
    host.perform("second")
    expect(host.undo().status, is: .failed)
    try host.focus(host.app)
    expect(host.undo().status, is: .disabled)
    try expect(host.evaluate("return tostring(doc.x)").map(\.shownText), is: ["2"])
  }

  @Test("U8, U14: Groups of the same key don't merge if the earlier action ends last; undo restores the first value")
  func coalescing() throws {
    let stage = try ScriptStage(
      """
      doc = { x = 0 }
      function app.on:slow(ctx) ctx:set(doc, "x", 1, "Slow", { coalesce = "k" }) sleep(1) end
      function app.on:fast(ctx) ctx:set(doc, "x", 2, "Fast", { coalesce = "k" }) end
      function app.on:state() return tostring(doc.x) end
      """)
    _ = stage.host.perform("slow")
    _ = stage.host.perform("fast")
    try stage.host.advance(by: .seconds(2))
    while stage.host.undo().status == .handled {}
    expect(state(stage), is: "0")
  }

  @Test("U3, U14: A failed action is taken back whole, however many writes it and later actions have made")
  func manyWrites() throws {
    let stage = try ScriptStage(
      """
      mine, others = {}, {}
      app:define("late", { on = function(_, ctx)
        for i = 1, 1000 do ctx:set(mine, "k" .. i, i) ctx:undo("note", function() end) end
        sleep(1)
        error "broken"
      end })
      function app.on:many(ctx) for i = 1, 1000 do ctx:set(others, "k" .. i, i) ctx:undo("note", function() end) end end
      function app.on:state()
        local left = 0
        for _ in pairs(mine) do left = left + 1 end
        return tostring(left)
      end
      """)
    _ = stage.host.perform("late")
    expect(stage.host.perform("many").status, is: .handled)
    try stage.host.advance(by: .seconds(2))
    expect(stage.host.jobs.isEmpty)
    expect(state(stage), is: "0")
  }

  @Test(
    "U1, U12: An undo that begins an action with 'wait = false' holds up nothing; that action is a group of its own")
  func apart() throws {
    let stage = try ScriptStage(
      """
      doc = { v = 0, w = 0, o = 0 }
      function app.on:first(ctx)
        ctx:set(doc, "v", 1)
        ctx:undo("First", function() app:perform("slow", nil, { wait = false }) end)
      end
      function app.on:slow(ctx) ctx:set(doc, "w", 2) sleep(1) ctx:set(doc, "w", 3) end
      function app.on:other(ctx) ctx:set(doc, "o", 2) end
      function app.on:state() return doc.v .. doc.w .. doc.o end
      """)
    _ = stage.host.perform("first")
    expect(stage.host.undo().status, is: .handled)
    expect(stage.host.perform("other").status, is: .handled)
    try stage.host.advance(by: .seconds(2))
    expect(state(stage), is: "032")
    expect(stage.host.undo().status, is: .handled)
    expect(stage.host.undo().status, is: .handled)
    expect(state(stage), is: "000")
  }

  private func stage() throws -> ScriptStage { try ScriptStage(Self.script) }
  private func state(_ stage: ScriptStage) -> String { stage.host.perform("state").result.shownText ?? "nothing" }

  @Test(
    "U14: A cancelled, failed or refused action leaves a later action's writes alone",
    arguments: ["cancelled", "failed", "refused"])
  func takenBack(ends: String) throws {
    let stage = try stage()
    let host = stage.host
    let job = try require(host.perform("download(ends: \(ends))").job)
    expect(host.perform("rename").status == .handled && host.perform("add").status == .handled)
    if ends == "cancelled" { job.cancel() } else { try host.advance(by: .seconds(1)) }
    expect(state(stage), is: "renamed:ab", "a place below one that a later group wrote stays")
    expect(host.undoHistory.undo, is: ["Add", "Rename"])
    expect(host.undo().status == .handled && host.undo().status == .handled)
    expect(state(stage), is: ":", "nothing that was cancelled comes back")
    expect(host.redo().status == .handled && host.redo().status == .handled)
    expect(state(stage), is: "renamed:ab")
    expect(host.undo().status == .handled && state(stage) == "renamed:")
  }

  @Test("U14: Writes that nobody overwrote are taken back, also if the action wrote before and after another")
  func rest() throws {
    let stage = try stage()
    let job = try require(stage.host.perform("download").job)
    _ = stage.host.perform("add")
    job.cancel()
    expect(state(stage), is: ":ab")
    let both = try ScriptStage(
      """
      t = { v = 0 }
      function app.on:twice(ctx) ctx:set(t, "v", 1) sleep(1) ctx:set(t, "v", 3) sleep(1) end
      function app.on:between(ctx) ctx:set(t, "v", 2) end
      function app.on:v() return tostring(t.v) end
      """)
    let twice = try require(both.host.perform("twice").job)
    _ = both.host.perform("between")
    try both.host.advance(by: .seconds(1))
    twice.cancel()
    expect(both.host.perform("v").result.shownText, is: "2")
    expect(both.host.undo().status == .handled && both.host.perform("v").result.shownText == "0")
  }

  @Test("U14: A failing outer action leaves the writes of an inner action that it didn't wait for")
  func outer() throws {
    for isCancelled in [false, true] {
      let stage = try stage()
      expect(stage.host.perform("outer").status, is: .failed)
      expect(state(stage), is: "inner:")
      if isCancelled {
        for job in stage.host.jobs { job.cancel() }
      } else {
        try stage.host.advance(by: .seconds(1))
        expect(stage.host.undoHistory.undo == ["Inner"] && stage.host.undo().status == .handled)
      }
      expect(state(stage), is: ":")
    }
  }

  @Test("U14: An undo is refused if a later group of another history wrote the same, and the reason names that group")
  func refused() throws {
    let stage = try stage()
    let host = stage.host
    expect(host.perform("rename").status, is: .handled)
    var inWindow = PerformOptions()
    let window = try require(host.find("win"))
    inWindow.from = window
    expect(host.perform("label", inWindow).status, is: .handled)
    let reason = "'Label' has changed the same data since"
    expect(host.validate("undo").reason == reason && host.undo().reason == reason)
    expect(state(stage), is: "label:")
    expect(host.perform("undo", inWindow).status == .handled && host.undo().status == .handled)
    expect(state(stage), is: ":")
    expect(host.redo().status == .handled && state(stage) == "renamed:")
  }

  @Test("U14: A waiting undo, or a cancelled one, leaves writes that were made meanwhile")
  func waitingUndo() throws {
    let stage = try stage()
    let host = stage.host
    var inWindow = PerformOptions()
    let window = try require(host.find("win"))
    inWindow.from = window
    expect(host.perform("wait", inWindow).status, is: .handled)
    let undoing = try require(host.perform("undo", inWindow).job)
    expect(host.perform("rename").status, is: .handled)
    try host.advance(by: .seconds(1))
    expect(undoing.outcome?.reason == "'Rename' has changed the same data since" && state(stage) == "renamed:")
    expect(host.undo().status == .handled && state(stage) == "wait:")
  }

  @Test("U14, U5: A group goes beneath groups of its history that overwrote it, so that undo can take both in turn")
  func beneath() throws {
    let stage = try stage()
    let host = stage.host
    expect(host.perform("download").status == .running && host.perform("rename").status == .handled)
    try host.advance(by: .seconds(1))
    expect(host.undoHistory.undo, is: ["Rename", "Download"])
    expect(host.undo().status == .handled && state(stage) == "downloading:a")
    expect(host.undo().status == .handled && state(stage) == ":")
    expect(host.redo().status == .handled && host.redo().status == .handled && state(stage) == "renamed:a")
  }

  @Test("U14: ctx:insert and ctx:remove are taken back by identity, wherever the value is by then")
  func identity() throws {
    let stage = try stage()
    let host = stage.host
    for (place, value) in ["x", "y", "z"].enumerated() { host.perform("insert(value: \(value), at: \(place + 1))") }
    expect(state(stage), is: ":xyz")
    let inserting = try require(host.perform("inserts(value: n, at: 2)").job)
    expect(host.perform("insert(value: m)").status == .handled && state(stage) == ":mxnyz")
    inserting.cancel()
    expect(state(stage), is: ":mxyz")
    let removing = try require(host.perform("removes(value: y)").job)
    expect(host.perform("remove(value: m)").status == .handled && state(stage) == ":xz")
    removing.cancel()
    expect(state(stage), is: ":xyz", "it comes back behind the value that was in front of it")
    for expected in [":mxyz", ":xyz", ":xy", ":x", ":"] {
      expect(host.undo().status == .handled && state(stage) == expected)
    }
    for expected in [":x", ":xy", ":xyz", ":mxyz", ":xyz"] {
      expect(host.redo().status == .handled && state(stage) == expected)
    }
  }

  @Test("U14: A removed value returns to its neighbours, and of equal inserted values the undo takes the right one")
  func neighbours() throws {
    let stage = try stage()
    let host = stage.host
    func list(_ values: String) {
      while host.undoHistory.undo.count > 0 { host.undo() }
      for (place, value) in values.enumerated() { host.perform("insert(value: \(value), at: \(place + 1))") }
    }
    // The one in front of it goes, too.
    list("abcde")
    var job = try require(host.perform("removes(value: b)").job)
    host.perform("remove(value: a)")
    job.cancel()
    expect(state(stage), is: ":bcde")
    list("abcde")
    job = try require(host.perform("removes(value: d)").job)
    host.perform("remove(value: c)")
    job.cancel()
    expect(state(stage), is: ":abde")
    // The one behind it goes, and the others move.
    list("abcde")
    job = try require(host.perform("removes(value: b)").job)
    host.perform("remove(value: c)")
    host.perform("insert(value: q, at: 1)")
    job.cancel()
    expect(state(stage), is: ":qabde")
    // Both go.
    list("abc")
    job = try require(host.perform("removes(value: b)").job)
    host.perform("remove(value: a)")
    host.perform("remove(value: c)")
    job.cancel()
    expect(state(stage), is: ":b")
    list("xy")
    job = try require(host.perform("inserts(value: x, at: 3)").job)
    host.perform("insert(value: q, at: 1)")
    expect(state(stage), is: ":qxyx")
    job.cancel()
    expect(state(stage), is: ":qxy")
  }

  @Test(
    "U14: If a cancelled action inserted a value and a later one removed it, undoing the removal doesn't bring it back"
  )
  func movedByBoth() throws {
    let stage = try stage()
    let host = stage.host
    let inserting = try require(host.perform("inserts(value: n)").job)
    expect(host.perform("remove(value: n)").status == .handled && state(stage) == ":")
    inserting.cancel()
    expect(host.undo().status == .handled && state(stage) == ":")
  }

  @Test("U14: ctx:set of a place and ctx:insert count as writing the same list")
  func places() throws {
    let stage = try stage()
    let host = stage.host
    host.perform("add")
    let inserting = try require(host.perform("inserts(value: n)").job)
    expect(host.perform("first").status == .handled && state(stage) == ":firstb")
    inserting.cancel()
    expect(state(stage), is: ":firstb")
    expect(host.undo().status == .handled && state(stage) == ":b")
  }

  @Test("U14: ctx:insert and ctx:remove raise for a wrong place, value or list")
  func misuse() throws {
    let stage = try ScriptStage(
      """
      l, proxy = { 1 }, setmetatable({}, { __newindex = function() end })
      function app.on:act(ctx) load("local ctx = ... " .. ctx.code)(ctx) end
      """)
    for (code, message) in [
      ("ctx:insert(l, 3, 1)", "the place for ctx:insert must be a whole number from 1 to #list + 1, which is 2"),
      ("ctx:insert(l, 'x', 1)", "the place for ctx:insert must be a whole number from 1 to #list + 1, which is 2"),
      ("ctx:insert(l, 1)", "ctx:insert lacks the value: ctx:insert(list, at, value)"),
      ("ctx:insert(l, 1, 0/0)", "the value of ctx:insert can't be NaN"),
      ("ctx:insert(5, 1, 1)", "ctx:insert takes a list, not a number: ctx:insert(list, at, value)"),
      ("ctx:insert(app, 1, 1)", "ctx:insert takes a list, not an object of the host's: ctx:insert(list, at, value)"),
      ("ctx:insert(proxy, 1, 1)", "ctx:insert takes a list without a metamethod __newindex"),
      ("ctx:remove(l)", "ctx:remove lacks the value: ctx:remove(list, value)"),
      ("ctx:remove(nil, 1)", "ctx:remove takes a list, not nil: ctx:remove(list, value)"),
      ("ctx.remove(l, 1)", "call it with a colon, on a context: ctx:remove(list, value)"),
    ] {
      var options = PerformOptions()
      options.arguments = ["code": .text(code)]
      expect(stage.host.perform("act", options).error?.message, is: message)
      expect(stage.host.undoHistory.undo.isEmpty)
    }
  }

  @Test("U14: Writes, insertions and removals of the program's handlers follow the same rule")
  func native() throws {
    final class Document {
      var note = ""
      var list: [String] = []
    }
    let document = Document()
    let scene = Scene()
    try scene.chain("app")
    func on(_ action: String, _ body: @escaping (Context) throws -> Void) {
      scene.host.on(action) { command -> Void in try body(command.context) }
    }
    var isFailing = true
    on("rename") { try $0.set(document, \.note, "renamed", "Rename") }
    on("add") { try $0.insert("b", at: document.list.count, into: document, \.list, "Add") }
    on("away") { try $0.remove("a", from: document, \.list, "Away") }
    // An inner action that isn't waited for has its own group.
    on("download") { [unowned scene] context in
      try context.set(document, \.note, "downloading")
      try context.insert("a", at: 0, into: document, \.list)
      _ = scene.host.dispatcher.apart { scene.host.perform("rename", PerformOptions()) }
      _ = scene.host.dispatcher.apart { scene.host.perform("add", PerformOptions()) }
      if isFailing { throw Broken() }
    }
    scene.perform("download")
    expect(document.note == "renamed" && document.list == ["b"])
    expect(scene.host.undo().status == .handled && scene.host.undo().status == .handled)
    expect(document.note.isEmpty && document.list.isEmpty)
    isFailing = false
    scene.perform("download")
    scene.perform("away")
    expect(scene.host.undoHistory.undo == ["Away", "Add", "Rename", "download"] && document.list == ["b"])
    for list in [["a", "b"], ["a"], ["a"], []] {
      expect(scene.host.undo().status == .handled && document.list == list)
    }
    expect(document.note.isEmpty)
  }
}
