import Expectations
import Testing

@testable import ScriptHost

@Suite("If a failed action has spent all of the time, it is taken back as soon as scripts can run again")
struct SpentUndoTests {
  private static let script = """
    app.undo = true
    page, other = responder "page", responder "other"
    doc = { a = 0 }
    focus(page)
    function app.on:does(ctx)
      ctx:set(doc, "a", 1)
      ctx:undo("Does", function(c) print("taken back", c.action, app:undo().reason) end)
      while true do end
    end
    function app.on:part(ctx) ctx:undo("Part", function() print("part taken back") end) app:perform("does") end
    function app.on:apart(ctx) app:perform("does", {}, { wait = false }) end
    function app.on:good(ctx)
      ctx:undo("Good", function(c) c:undo("Good", function() print("done again") end) print("undone") end)
      ctx:undo(function(c) c:undo(function() print("redone") end) print("first undone")  if bad then while true do end end end)
    end
    bad = false
    """

  private func stage(_ more: String = "") throws -> ScriptStage {
    try ScriptStage(
      Self.script + more,
      limits: HostLimits(perform: .milliseconds(1000, instructions: 1_000_000)))
  }

  private func read(_ stage: ScriptStage) throws -> String? {
    try stage.host.evaluate("print(doc.a)")
    return stage.takePrinted().last
  }

  private static let said = "taken back\tdoes\tnothing can be undone while 'does' is being performed"

  @Test("U3: If a perform spends a line's time, it is taken back when the line has ended")
  func lines() throws {
    for (line, more) in [
      ("app:perform('does')", []), ("pcall(app.perform, app, 'does')", []), ("app:perform('apart')", []),
      ("app:perform('part')", ["part taken back"]), ("for i = 1, 3 do app:perform('does') end", []),
    ] {
      for isWatched in [false, true] {
        let stage = try stage()
        if isWatched { stage.host.observe { _ in } }
        #expect(throws: LineError.self) { try stage.host.evaluate(line) }
        expect(stage.takePrinted(), is: [Self.said] + more, "\(line)")
        try expect(read(stage), is: "0", "\(line)")
        expect(stage.host.undoHistory.undo == [] && stage.host.undoHistory.redo == [])
        expect(stage.host.takeDiagnostics().allSatisfy { !$0.message.contains("could not be undone") })
      }
    }
  }

  @Test("U4: If an undo spends a line's time, it is done again when the line has ended, and can be undone")
  func undone() throws {
    let stage = try stage()
    stage.host.perform("good")
    #expect(throws: LineError.self) { try stage.host.evaluate("bad = true; app:undo()") }
    expect(stage.takePrinted(), is: ["first undone", "redone"])
    expect(stage.host.undoHistory.undo == ["Good"] && stage.host.undoHistory.redo == [])
    try stage.host.evaluate("bad = false")
    expect(stage.host.undo().status == .handled && stage.takePrinted() == ["first undone", "undone"])
  }

  @Test("U3: If a listener's perform spends the listeners' time, it is taken back after all listeners")
  func listeners() throws {
    let stage = try stage("\nlisten('focus', function() app:perform('does') end)")
    try stage.host.focus(try require(stage.host.find("other")))
    expect(stage.takePrinted(), is: [Self.said])
    try expect(read(stage), is: "0")
  }

  @Test("U3: If a perform spends a test's time, it is taken back when the test has ended")
  func tests() throws {
    let file = try ScriptTestFile(
      text: Self.script + "\ntest('does', function(app) app:perform('does') end)", name: "x_test.lua",
      limits: HostLimits(
        perform: .milliseconds(1000, instructions: 1_000_000), test: .milliseconds(1000, instructions: 1_000_000)))
    let result = file.run(file.tests[0])
    expect(result.limit, is: .instructions)
    expect(result.output.printed, is: [Self.said])
  }

  @Test("U3: If a separate perform spends the time of both actions, it is taken back when the outer one has ended")
  func apart() throws {
    let stage = try stage()
    stage.host.perform("apart")
    expect(stage.takePrinted(), is: [Self.said])
    try expect(read(stage), is: "0")
  }
}
