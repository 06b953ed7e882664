import Expectations
import Testing

@testable import ScriptHost

@Suite("Undo of actions that take time")
struct TimeUndoScriptTests {
  private static let script = """
    local main = window "main"
    doc = { a = 0, b = 0, c = 0 }
    local r = responder "r" { next = main }
    focus(r)
    function r.on:slow(ctx) ctx:set(doc, "a", 1, "Slow") sleep(1) ctx:set(doc, "b", 1) end
    function r.on:quick(ctx) ctx:set(doc, "c", doc.c + 1, "Quick") end
    function r.on:fails(ctx) ctx:set(doc, "a", 5) sleep(1) ctx:set(doc, "b", 5) error("broken") end
    function r.on:fast(ctx) sleep(1) ctx:set(doc, "b", 3) sleep(1) end
    function r.on:outer(ctx) ctx:set(doc, "a", 7, "Outer") app:perform("slow") app:perform("fails") ctx:set(doc, "c", 7) end
    function r.on:apart(ctx) ctx:set(doc, "a", 8, "Apart") app:perform("slow", nil, { wait = false }) end
    function r.on:reversible(ctx)
      ctx:set(doc, "a", 1, "Reversible")
      ctx:undo("Reversible", function(c) sleep(1) c:set(doc, "b", doc.b + 1) app:perform("touch") end)
      ctx:set(doc, "c", 9)
      if ctx.bad then error("bad") end
    end
    function r.on:sleepy(ctx)
      doc.a = 1
      ctx:undo("Sleepy", function() sleep(5) doc.a = 0 end)
      ctx:set(doc, "b", 1)
      error("sleepy")
    end
    function r.on:touch(ctx) sleep(1) ctx:set(doc, "touched", true) end
    function show()
      local stack = app:undo_stack()
      print(doc.a, doc.b, doc.c, doc.touched, table.concat(stack.undo, ","), table.concat(stack.redo, ","))
    end
    app.on.show = show
    function app.on:far(ctx) ctx:set(doc, "far", true, "Far") end
    """

  private func stage() throws -> (ScriptStage, () -> String) {
    let stage = try ScriptStage(Self.script)
    // From the second time on an action has a plan.
    for action in ["slow", "fails", "outer"] { stage.host.perform(action).job?.cancel() }
    return (
      stage,
      {
        _ = stage.perform("show")
        return stage.takePrinted().joined(separator: "|").replacing("\t", with: " ")
      }
    )
  }

  @Test("U5, T3: A waiting action's group enters the history when it ends; others enter meanwhile")
  func placed() throws {
    for isWatched in [false, true] {
      let (stage, shown) = try stage()
      if isWatched { stage.host.observe { _ in } }
      expect(stage.host.perform("slow").status, is: .running)
      expect(shown(), is: "1 0 0 nil  ")
      expect(stage.perform("quick").hasPrefix("handled"))
      expect(shown(), is: "1 0 1 nil Quick ")
      try stage.host.advance(by: .seconds(1))
      expect(shown(), is: "1 1 1 nil Slow,Quick ")
      expect(stage.host.undo().status, is: .handled)
      expect(shown(), is: "0 0 1 nil Quick Slow")
      expect(stage.host.redo().status == .handled && stage.host.undo().status == .handled)
      expect(stage.host.undo().status, is: .handled)
      expect(shown(), is: "0 0 0 nil  Quick,Slow")
    }
  }

  @Test(
    "T3, U3: If an action is cancelled, fails or loses its responder while it waits, only that action is taken back"
  )
  func takenBack() throws {
    for isWatched in [false, true] {
      let (stage, shown) = try stage()
      if isWatched { stage.host.observe { _ in } }
      let job = try require(stage.host.perform("slow").job)
      _ = stage.perform("quick")
      job.cancel()
      expect(shown(), is: "0 0 1 nil Quick ")
      expect(stage.host.perform("fails", wait: true).status, is: .failed)
      expect(shown(), is: "0 0 1 nil Quick ")
      expect(stage.host.perform("slow").status, is: .running)
      try stage.host.remove(try require(stage.host.find("r")))
      expect(shown().hasPrefix("0 0 1 nil"))
    }
  }

  @Test(
    "U1: A waited nested perform joins the group, a failed one drops only its own, wait = false starts another group"
  )
  func joined() throws {
    let (stage, shown) = try stage()
    expect(stage.host.perform("outer", wait: true).status, is: .handled)
    expect(shown(), is: "1 1 7 nil Outer ")
    expect(stage.host.undo().status, is: .handled)
    expect(shown(), is: "0 0 0 nil  Outer")
    expect(stage.host.perform("apart").status, is: .handled)
    expect(shown(), is: "1 0 0 nil Apart ")
    try stage.host.advance(by: .seconds(1))
    expect(shown(), is: "1 1 0 nil Slow,Apart ")
    expect(stage.host.undo().status, is: .handled)
    expect(shown(), is: "8 0 0 nil Apart Slow")
  }

  @Test("U10, U11: Undo doesn't go past a history in which a waiting action has changed something")
  func notPastLocked() throws {
    let (stage, _) = try stage()
    _ = stage.perform("far")
    let job = try require(stage.host.perform("slow").job)
    let reason = "'slow' has made changes and is waiting"
    expect(stage.host.undo().reason, is: reason)
    expect(stage.host.validate("undo").reason, is: reason)
    job.cancel()
    expect(stage.host.validate("undo").look.title, is: "Undo Far")
    expect(stage.host.undo().status, is: .handled)
  }

  @Test("T6: Undo functions may wait; entries that they register are the redo")
  func waitingUndo() throws {
    let (stage, shown) = try stage()
    _ = stage.perform("reversible")
    expect(shown(), is: "1 0 9 nil Reversible ")
    let undoing = try require(stage.host.perform("undo").job)
    expect(shown(), is: "1 0 0 nil Reversible ")
    expect(stage.host.validate("undo").reason, is: "running")
    expect(stage.host.perform("quick").status, is: .failed)
    expect(shown(), is: "1 0 0 nil Reversible ")
    undoing.cancel()
    expect(shown(), is: "1 0 9 nil Reversible ")
    _ = stage.perform("quick")
    expect(shown(), is: "1 0 10 nil Quick,Reversible ")
    expect(stage.host.undo().status, is: .handled)
    expect(stage.host.perform("undo", wait: true).line, is: "handled by host via native")
    expect(shown(), is: "0 1 0 true  Reversible,Quick")
    expect(stage.host.redo().status, is: .handled)
    expect(shown(), is: "1 0 9 nil Reversible Quick")
  }

  @Test(
    "A failed action is taken back at once: a sleep in a reversal, and in an action that it performs, takes no time"
  )
  func atOnce() throws {
    let (stage, shown) = try stage()
    expect(stage.perform("sleepy").hasPrefix("failed"))
    expect(shown() == "0 0 0 nil  " && stage.host.now == .zero)
    _ = stage.host.takeDiagnostics()
    expect(stage.perform("reversible(bad: true)").hasPrefix("failed"))
    expect(shown() == "0 1 0 true  " && stage.host.now == .zero)
    expect(stage.host.takeDiagnostics().map(\.message), is: ["bad"])
  }

  @Test(
    "U11: While a waiting action has registered something, undo and redo of that history are disabled with its name"
  )
  func locked() throws {
    let stage = try ScriptStage(
      """
      app.note = "a"
      function app.on:write(ctx) ctx:set(app, "note", ctx.text) end
      function app.on:slow(ctx) ctx:set(app, "note", ctx.text) sleep(1) end
      function app.on:show() return app.note end
      local w = window "w" { n = 0 }
      function w.on:count(ctx) ctx:set(w, "n", w.n + 1) end
      """)
    let host = stage.host
    var app = PerformOptions()
    app.from = host.app
    expect(host.perform("write(text: b)").status, is: .handled)
    let job = try require(host.perform("slow(text: c)").job)
    for action in ["undo", "redo"] {
      expect(host.validate(action, app).reason, is: "'slow' has made changes and is waiting")
      expect(host.perform(action, app).reason, is: "'slow' has made changes and is waiting")
    }
    expect(host.perform("count").status == .handled && host.undo().status == .handled, "another history is free")
    job.cancel()
    expect(host.perform("show").result.shownText == "b" && !host.validate("redo", app).isEnabled)
    expect(host.perform("undo", app).status == .handled && host.perform("show").result.shownText == "a")
  }

  @Test("U11: A waiting action that has registered nothing locks nothing; the history is free again at its end")
  func unlocked() throws {
    let stage = try ScriptStage(
      """
      app.note = "a"
      function app.on:write(ctx) ctx:set(app, "note", ctx.text) end
      function app.on:nap() sleep(1) end
      function app.on:slow(ctx) ctx:set(app, "note", ctx.text) sleep(1) end
      app:define("again", { on = app.on.slow, reentrant = true })
      """)
    expect(stage.host.perform("write(text: b)").status, is: .handled)
    expect(stage.host.perform("nap").status == .running && stage.host.undo().status == .handled)
    expect(stage.host.redo().status, is: .handled)
    expect(stage.host.perform("slow(text: c)").status, is: .running)
    expect(stage.host.undo().reason, is: "'slow' has made changes and is waiting")
    expect(stage.host.redo().reason, is: "'slow' has made changes and is waiting")
    try stage.host.advance(by: .seconds(2))
    expect(stage.host.undoHistory.undo == ["slow", "write"] && stage.host.undo().status == .handled)
    // A reentrant action doesn't block itself, but it blocks the history.
    expect(stage.host.perform("again(text: d)").status, is: .running)
    expect(stage.host.undo().reason, is: "'again' has made changes and is waiting")
    try stage.host.advance(by: .seconds(2))
    expect(stage.host.undoHistory.undo, is: ["again", "write"])
  }

  @Test("U12: While an undo waits, any other registration in its history fails, and is taken back")
  func reversingLocks() throws {
    let stage = try ScriptStage(
      """
      app.note, app.other = "a", 1
      function app.on:slow(ctx) ctx:undo("Slow", function() sleep(1) end) end
      function app.on:write(ctx) ctx:set(app, "note", ctx.text) end
      function app.on:later(ctx) sleep(0.5) ctx:set(app, "note", ctx.text) end
      function app.on:show() return app.note end
      """)
    let host = stage.host
    expect(host.perform("slow").status, is: .handled)
    expect(host.perform("later(text: d)").status, is: .running)
    var heard: [String] = []
    host.observe { if $0.action == "write" { heard.append("\($0.stage)") } }
    var options = PerformOptions()
    options.from = host.app
    expect(host.perform("undo", options).status, is: .running)
    expect(host.perform("redo", options).status, is: .disabled)
    for text in ["b", "b"] {
      let outcome = host.perform("write(text: \(text))")
      expect(outcome.status == .failed && outcome.error?.message.contains("'undo' is waiting") ?? false)
    }
    expect(heard, is: ["will", "failed", "will", "failed"], "observers hear what came of it")
    expect(host.perform("show").result.shownText, is: "a")
    try host.advance(by: .seconds(0.75))
    expect(host.perform("show").result.shownText, is: "a", "what waited fails as well")
    try host.advance(by: .seconds(1))
    expect(host.perform("write(text: c)").status == .handled && host.perform("show").result.shownText == "c")
  }

  @Test("U11, U12: While a redo waits both are refused, and any other registration fails and is taken back")
  func redoLocks() throws {
    let stage = try ScriptStage(
      """
      app.note = "a"
      function app.on:slow(ctx) ctx:undo("Slow", function(ctx) ctx:undo("Slow", function() sleep(1) end) end) end
      function app.on:write(ctx) ctx:set(app, "note", ctx.text) end
      """)
    let host = stage.host
    expect(host.perform("slow").status == .handled && host.undo().status == .handled)
    expect(host.redo().status, is: .running)
    expect(host.undo().reason == "'redo' is waiting" && host.redo().reason == "running")
    let refused = host.perform("write(text: b)")
    expect(refused.status == .failed && refused.error?.message.contains("'redo' is waiting") ?? false, "\(refused)")
    expect(app(stage), is: "a")
    try host.advance(by: .seconds(2))
    expect(host.perform("write(text: c)").status == .handled && app(stage) == "c")
    expect(host.undoHistory.redo.isEmpty && host.undo().status == .handled && app(stage) == "a")
  }

  @Test(
    "U12, T7: A timer that would register while an undo waits fails and is taken back, and runs again at its next time")
  func timersWhileReversing() throws {
    let stage = try ScriptStage(
      """
      app.note, count = "a", 0
      function app.on:slow(ctx) ctx:undo("Slow", function() sleep(1.5) end) end
      function app.on:write(ctx) ctx:set(app, "note", ctx.text) end
      every(1, function() count = count + 1 app:perform("write", { text = "t" .. count }) end)
      """)
    let host = stage.host
    expect(host.perform("slow").status == .handled && host.undo().status == .running)
    try host.advance(by: .seconds(1))
    expect(app(stage) == "a" && host.undoHistory.undo == ["Slow"])
    try host.advance(by: .seconds(1))
    expect(app(stage) == "t2" && host.undoHistory.undo == ["every"])
    expect(host.undo().status == .handled && app(stage) == "a")
  }

  private func app(_ stage: ScriptStage) -> String? {
    var text: String?
    if let value = try? stage.host.evaluate("app.note").first { text = value.shownText }
    return text
  }
}
