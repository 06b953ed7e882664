import Expectations
import Testing

@testable import ScriptHost

// Lines of Lua that a person types.

private let script = """
  count = 1
  local grid = responder "grid"
  grid.photo = "sea"
  function grid.on:rate(ctx) count = count + ctx.by return count end
  function grid.can:rate() return count < 9, "enough" end
  function app.on:nap() sleep(5) return "rested" end
  function app.on:assign() later = 1 end
  focus(grid)
  """

/// A line, and its result as text.
private func evaluate(_ line: String, _ host: ScriptHost) -> String {
  do {
    return try host.evaluate(line).map { "\(host.tree(of: $0))" }.joined(separator: ", ")
  } catch {
    return "\(error.kind) \(error)"
  }
}

struct LineTests {
  @Test(
    "A line is an expression or statements, in the environment of the app's script",
    arguments: [
      ("1 + 1", "integer(2)"), ("count, 'x', nil", "integer(1), text(\"x\"), nil"), ("", ""), ("-- nothing", ""),
      ("count = 5", ""), ("return 3, 4", "integer(3), integer(4)"), ("local x = 3; return x", "integer(3)"),
      ("app:find('grid').photo", "text(\"sea\")"), ("app:perform('rate(by: 2)').result", "integer(3)"),
      (
        "({ 1, { a = true } })",
        "list([ScriptHost.LuaTree.integer(1), ScriptHost.LuaTree.map([ScriptHost.LuaTree.Entry("
          + "key: ScriptHost.LuaTree.text(\"a\"), value: ScriptHost.LuaTree.bool(true))])])"
      ),
      ("print", "opaque(\"function\")"), ("1; 2", "unreadable line:1:1: unexpected symbol near '1'"),
      ("if count then", "incomplete line:1:14: 'end' expected near <eof>"),
      ("1 +", "incomplete line:1:4: unexpected symbol near <eof>"),
      ("{ 1,", "incomplete line:1:5: unexpected symbol near <eof>"),
      ("\u{1B}", "unreadable line:1: the script is no text: byte 1 can't be in one"),
      ("\nx = = 1", "unreadable line:2: unexpected symbol near '='"),
      ("conut", "raised line:1:1: 'conut' is not defined; did you mean 'count'?"),
      ("app:press({})", "raised line:1"), ("error('no', 0)", "raised line:1: no"),
      (
        "focus = 1",
        "raised line:1:1: 'focus' belongs to the host, so it can't be assigned now; did you mean 'local focus'?"
      ),
    ])
  func lines(_ line: String, _ expected: String) throws {
    let stage = try ScriptStage(script)
    let found = evaluate(line, stage.host)
    if expected == "raised line:1" { expect(found.hasPrefix(expected)) } else { expect(found, is: expected) }
  }

  @Test("A line defines globals, which its script may then assign; '_' is the last value")
  func lineGlobals() throws {
    let stage = try ScriptStage(script)
    expect(stage.host.perform("assign").status, is: .failed)
    expect(evaluate("later = 'now'", stage.host), is: "")
    expect(evaluate("later", stage.host), is: "text(\"now\")")
    expect(stage.host.perform("assign").status, is: .handled)
    expect(evaluate("later", stage.host), is: "integer(1)")
    expect(evaluate("_ + 1", stage.host), is: "integer(2)")
    expect(evaluate("local nothing = 1", stage.host), is: "")
    expect(evaluate("_ + 1", stage.host), is: "integer(3)")
    expect(evaluate("function double(n) return 2 * n end", stage.host), is: "")
    expect(evaluate("double(_)", stage.host), is: "integer(6)")
  }

  @Test("T6: A line may wait: the host continues meanwhile")
  func waitingLines() throws {
    let stage = try ScriptStage(script)
    expect(evaluate("app:perform('nap').result", stage.host), is: "text(\"rested\")")
    expect(stage.host.now, is: .seconds(5))
    expect(evaluate("sleep(2)", stage.host), is: "")
    expect(stage.host.now, is: .seconds(7))
  }

  @Test("T6: A waiting line is a job, not an action: performs inside it can be undone separately, also by the line")
  func lineJobs() throws {
    let stage = try ScriptStage(
      script + """

        function app.on:edit(ctx) ctx:set(grid, "photo", ctx.to) sleep(1) end
        function app.on:now(ctx) ctx:set(grid, "photo", "now") end
        """)
    let host = stage.host
    let line = try host.begin(
      line: "app:perform('edit(to: a)') sleep(1) app:perform('undo') return app:find('grid').photo, count")
    expect(line.result == nil && line.progressed.job === line && host.jobs.count == 2)
    try host.advance(by: .seconds(1))
    expect(host.undoHistory.undo.count, is: 1)
    expect(host.perform("now").status == .handled && host.perform("undo").status == .handled, "nothing is locked")
    expect(evaluate("1 + 1", host), is: "integer(2)", "another line meanwhile")
    try host.advance(by: .seconds(1))
    try expect(line.result?.get().map { "\($0)" }, is: ["text(\"sea\")", "integer(1)"])
    expect(line.outcome?.status == .handled && host.jobs.isEmpty)
  }

  @Test("T6: Cancelling a line cancels the performs that it made and waits for, and nothing else")
  func cancelledLines() throws {
    let stage = try ScriptStage(
      script + """

        function app.on:other() sleep(5) end
        """)
    let host = stage.host
    let performs = try host.begin(line: "pcall(app.perform, app, 'nap')\ncount = 7", name: "one")
    performs.cancel()
    expect(performs.outcome?.status == .cancelled && host.jobs.isEmpty)
    let error = #expect(throws: LineError.self) { try performs.result?.get() }
    expect(error?.failure.code == .cancelled && error?.failure.place?.line == 1)
    expect(error?.failure.place?.file == "one" && evaluate("count", host) == "integer(1)")
    let other = host.perform("other")
    let waits = try host.begin(line: "app:jobs()[1]:wait()")
    waits.cancel()
    expect(waits.outcome?.status == .cancelled && other.job?.outcome == nil && host.jobs.count == 1)
    let removed = try host.begin(line: "sleep(9)")
    try host.reload(text: script, name: "app.lua")
    expect(removed.outcome?.status == .cancelled && host.jobs.isEmpty)
  }

  @Test(
    "T6: A line's coroutine, or a callback of a library function, can't wait, and the error says so",
    arguments: [
      (
        "coroutine.wrap(function() sleep(1) end)()",
        "a coroutine that a script made can't wait: only the line itself can"
      ),
      ("table.sort({ 2, 1 }, function() sleep(1) end)", "a function that the library calls"),
      ("coroutine.yield(1)", "a line can't yield"),
      ("coroutine.wrap(function() app:perform('nap') end)()", "'nap' waits, and a coroutine that a script made"),
    ])
  func linesThatCannotWait(_ line: String, _ expected: String) throws {
    let stage = try ScriptStage(script)
    expect(evaluate(line, stage.host).contains(expected), "\(evaluate(line, stage.host))")
    expect(stage.host.jobs.isEmpty)
    expect(evaluate("pcall(sleep, 1), coroutine.isyieldable()", stage.host), is: "bool(true), bool(false)")
  }

  @Test("A line has an action's limits, and ends when it is cancelled")
  func lineLimits() throws {
    let stage = try ScriptStage(script, limits: HostLimits(perform: .milliseconds(50)))
    let error = try #require(throws: LineError.self) { try stage.host.evaluate("while true do end") }
    expect(error.kind == .raised && error.failure.limit == .time && error.failure.code == .limit)
    expect(evaluate("count", stage.host), is: "integer(1)")
  }

  @Test("Without a loaded script a line has the whole language, and its declarations stay")
  func linesWithoutScript() throws {
    let host = ScriptHost()
    expect(evaluate("function app.on:hello() return 'hello' end", host), is: "")
    expect(host.perform("hello").result.shownText, is: "hello")
    expect(evaluate("app:perform('hello').by", host), is: "text(\"app\")")
  }

  @Test("A line is refused during a load, during an action and while the host asks; reading it runs nothing")
  func linesInWrongPlaces() throws {
    let stage = try ScriptStage(script)
    var found: [String] = []
    stage.host.on("native") { [unowned stage] _ in found.append(evaluate("count", stage.host)) }
    stage.host.can("asked") { [unowned stage] _ in
      found.append(evaluate("count", stage.host))
      return .yes
    }
    stage.host.on("asked") { _ in }
    stage.host.perform("native")
    _ = stage.host.validate("asked")
    expect(found.count, is: 2)
    expect(found[0], is: "raised a line can't be evaluated within an action")
    expect(found[1].hasPrefix("raised a line can't be evaluated while the host only asks"))
    try stage.host.read(line: "count = 7")
    #expect(throws: LineError.self) { try stage.host.read(line: "count = = 7") }
    expect(evaluate("count", stage.host), is: "integer(1)")
  }

  @Test("M13: After a line the menus are built again, as after an action")
  func linesAndMenus() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        places = { "here" }
        menubar { menu "Go" { section "places" {
          items = function() return places end, id = function(p) return p end,
          row = function(p) return item(p) { "go" } end } } }
        """, name: "app.lua")
    expect(host.menu("Go")?.children.map(\.title), is: ["here"])
    try host.evaluate("places = { 'there', 'everywhere' }")
    expect(host.menu("Go")?.children.map(\.title), is: ["there", "everywhere"])
  }
}
