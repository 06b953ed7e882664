import Expectations
import Testing

@testable import ScriptHost

@Suite("Undo by an action")
struct UndoActionTests {
  private static let script = """
    list = {}
    local main = window "main"
    notes = responder "notes" { next = main }
    focus(notes)
    function notes.on:add(ctx)
      list[#list + 1] = ctx.word
      ctx:undo("Add", "drop(quietly: true)", { word = ctx.word, at = { #list } })
    end
    function notes.on:drop(ctx)
      if ctx.word == "stuck" then ctx:refuse("it is stuck") end
      if ctx.word == "broken" then error("it broke") end
      if ctx.word == "slow" then sleep(5) end
      table.remove(list, ctx.at[1])
      ctx:undo("Drop", "add", { word = ctx.word })
    end
    function notes.on:half(ctx) app:perform("add(word: half)") error("half") end
    function notes.on:unknown(ctx) ctx:undo("Unknown", "nobodys") end
    function notes.on:misspelt(ctx) ctx:undo("Misspelt", "drop(") end
    function notes.on:odd(ctx) ctx:undo("Odd", "drop", { word = print }) end
    function notes.on:listed(ctx) ctx:undo("Listed", "drop", { "a" }) end
    function notes.on:texts(ctx) ctx:undo("Texts", "drop", "a") end
    function notes.on:merged(ctx) ctx:undo("Merged", "none", nil, { coalesce = "m" }) end
    function notes.on:none() end
    function notes.on:leave() notes:remove() end
    function app.on:list() return table.concat(list, ",") end
    """

  private func stage() throws -> (ScriptStage, () -> String) {
    let stage = try ScriptStage(Self.script)
    return (
      stage,
      {
        let history = stage.host.undoHistory
        return (stage.host.perform("list").result.shownText ?? "")
          + " | \(history.undo.joined(separator: ",")) | \(history.redo.joined(separator: ","))"
      }
    )
  }

  @Test("U13: An action takes back what another did; its own entry is the redo, under the old title")
  func back() throws {
    let (stage, shown) = try stage()
    for word in ["a", "b"] { stage.host.perform("add(word: \(word))") }
    expect(shown(), is: "a,b | Add,Add | ")
    expect(stage.host.undo().status, is: .handled)
    expect(shown(), is: "a | Add | Add")
    expect(stage.host.undo().status, is: .handled)
    expect(shown(), is: " |  | Add,Add")
    expect(stage.host.redo().status == .handled && stage.host.redo().status == .handled)
    expect(shown(), is: "a,b | Add,Add | ")
  }

  @Test("U3, U12: A failed action is taken back even while its undo action waits")
  func reversingWaits() throws {
    let stage = try ScriptStage(
      """
      local main = window "main"
      n = 0
      function main.on:inc(ctx) n = n + 1 ctx:undo("Inc", "dec") end
      function main.on:dec(ctx) n = n - 1 ctx:undo(nil, "inc") sleep(2) end
      function main.on:bad(ctx) n = n + 1 ctx:undo("Bad", "dec") ctx:refuse "no" end
      function app.on:n() return n end
      """)
    func n() -> String { "\(stage.host.perform("n").result)" }
    for _ in 1...2 { stage.host.perform("inc") }
    expect(stage.host.perform("undo").status == .running && n() == "integer(1)")
    expect(stage.host.perform("inc").status == .failed && n() == "integer(1)")
    expect(stage.host.perform("bad").status == .disabled && n() == "integer(1)")
    try stage.host.advance(by: .seconds(3))
    expect(n() == "integer(1)" && stage.host.undoHistory.undo == ["Inc"] && stage.host.undoHistory.redo == ["Inc"])
  }

  @Test("U13: If the undo action needs an argument that ctx:undo didn't give, the reason names both")
  func missingArgument() throws {
    let stage = try ScriptStage(
      """
      app.takes.dec = { by = "integer" }
      function app.on:inc(ctx) ctx:undo("Inc", "dec") end
      function app.on:dec() end
      """)
    stage.host.perform("inc")
    expect(stage.host.undo().reason, is: "'dec' undoes it and needs 'by', which ctx:undo didn't give")
  }

  @Test("U14: An undo doesn't take away a later write that no history holds any more")
  func buriedWrite() throws {
    let stage = try ScriptStage(
      """
      s = { n = 0, m = 0 }
      local main = window "main"
      own = responder "own" { next = main, undo = true }
      function main.on:w(ctx) ctx:set(s, "n", 1) end
      function main.on:m(ctx) ctx:set(s, "m", 1) end
      function own.on:later(ctx) ctx:set(s, "n", 11) end
      function app.on:leave() own:remove() end
      function app.on:n() return s.n end
      """)
    let host = stage.host
    host.perform("m")
    host.perform("w")
    var options = PerformOptions()
    options.from = host.find("own")
    host.perform("later", options)
    expect(host.undo().reason, is: "'later' has changed the same data since")
    host.perform("leave")
    expect(host.undo().reason, is: "'later' has changed the same data since")
    expect("\(host.perform("n").result)", is: "integer(11)")
    _ = try host.evaluate("app:forget_undo()")
    expect(host.undo().status == .handled && host.undoHistory.undo.isEmpty)
  }

  @Test("U13: An undo action starts at the responder that registered it, wherever the focus is")
  func start() throws {
    let (stage, shown) = try stage()
    stage.host.perform("add(word: a)")
    try stage.host.focus(try require(stage.host.find("main")))
    expect(stage.host.undo().status, is: .handled)
    expect(shown(), is: " |  | Add")
  }

  @Test("U13, U4: If an undo action is refused, fails or has no handler, its entry stays")
  func fails() throws {
    for (word, status, told) in [
      ("stuck", Outcome.Status.disabled, "it is stuck"), ("broken", .failed, "it broke"),
    ] {
      let (stage, shown) = try stage()
      stage.host.perform("add(word: \(word))")
      let outcome = stage.host.undo()
      expect(outcome.status, is: status)
      let said = outcome.reason ?? outcome.error.map(\.message)
      expect(said?.contains(told) ?? false)
      expect(shown(), is: "\(word) | Add | ")
    }
    let (stage, _) = try stage()
    stage.host.perform("unknown")
    expect(stage.host.undo().reason, is: "nobody handles 'nobodys'")
    expect(stage.host.undoHistory.undo, is: ["Unknown"])
  }

  @Test("U13, E1: The failure of an undo action goes through the failed hooks once, and is reported once")
  func travels() throws {
    let stage = try ScriptStage(
      """
      local g = responder "g" { undo = true }
      function g.on:e(ctx) ctx:undo("E", "back") end
      function g.on:back() error("no back") end
      function app:failed(e) print(e.message) return "re: " .. e.message end
      focus(g)
      """)
    stage.host.perform("e")
    let outcome = stage.host.undo()
    expect(stage.takePrinted() == ["no back"] && outcome.error?.message == "re: no back")
    expect(stage.host.takeDiagnostics().map(\.message), is: ["re: no back"])
  }

  @Test("U13, T6: The undo action may wait; undo waits with it, and is cancelled with it")
  func waits() throws {
    let (stage, shown) = try stage()
    stage.host.perform("add(word: slow)")
    expect(stage.host.undo().status, is: .running)
    try stage.host.advance(by: .seconds(5))
    expect(shown(), is: " |  | Add")
    expect(stage.host.redo().status, is: .handled)
    let job = try require(stage.host.undo().job)
    job.cancel()
    expect(stage.host.jobs.isEmpty)
    expect(shown(), is: "slow | Add | ")
  }

  @Test("U13, U3: A failed action is taken back by its undo actions")
  func takenBack() throws {
    let (stage, shown) = try stage()
    expect(stage.host.perform("half").status, is: .failed)
    expect(shown(), is: " |  | ")
  }

  @Test("U13, U9: The entries of a removed responder are dropped")
  func removed() throws {
    let (stage, shown) = try stage()
    stage.host.perform("add(word: a)")
    stage.host.perform("leave")
    expect(shown(), is: "a |  | ")
  }

  @Test("U13, U8: Options come behind the arguments")
  func options() throws {
    let (stage, _) = try stage()
    for _ in 1...2 { stage.host.perform("merged") }
    expect(stage.host.undoHistory.undo, is: ["Merged"])
  }

  @Test(
    "U13: A malformed reference, or arguments that aren't plain data, are errors of the handler",
    arguments: [
      ("misspelt", "at column 6"), ("odd", "args.word is a function: the arguments of ctx:undo must be plain data"),
      ("listed", "the arguments of ctx:undo must have names, as in { text = \"x\" }, not be a list"),
      ("texts", "the arguments of ctx:undo must be a table, not a string"),
    ])
  func errors(action: String, told: String) throws {
    let (stage, _) = try stage()
    let message = stage.host.perform(action).error?.message ?? ""
    expect(message.contains(told), "\(message)")
  }
}
