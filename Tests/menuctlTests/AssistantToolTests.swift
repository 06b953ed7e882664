import Expectations
import Testing

@Suite("Assistants at the command line") struct AssistantToolTests {
  private static let script = """
    app.title = "Stars"
    stars = 0
    app.takes.rate = { stars = { "integer", from = 0, to = 5 } }
    function app.can:rate(ctx) return ctx.stars ~= stars, "it has so many" end
    function app.on:rate(ctx) ctx:set(app, "stars", ctx.stars, "Rate") stars = ctx.stars return stars end
    """

  private static let asking = """
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rate", "arguments": {"stars": 5}}}
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "rate", "arguments": {"stars": 5}}}

    """

  @Test("Z1, Z3: menuctl mcp @NAME performs in the running app, where the person sees it and undoes it")
  func running() throws {
    let app = try LiveApp(["app.lua": Self.script])
    let run = try app.ask(["mcp", "@app"], stdin: Self.asking)
    expect(run.status == 0 && run.err.isEmpty, "\(run)")
    let answers = run.out.split(separator: "\n")
    expect(answers.count, is: 2)
    expect(answers.first?.contains(#""status": "handled""#), is: true, "\(run.out)")
    expect(answers.last?.contains("'rate(stars: 5)' can't be done now: it has so many"), is: true, "\(run.out)")
    try expect(app.ask(["perform", "@app", "undo"]).status, is: 0)
    let missing = try app.ask(["mcp", "@nobody"], stdin: Self.asking)
    expect(missing.status == 66 && missing.out.isEmpty && missing.err.contains("nobody"), "\(missing)")
    expect(app.end().status, is: 0)
  }

  @Test("Z7: menuctl mcp @NAME --read-only has no tool that changes anything")
  func readOnly() throws {
    let app = try LiveApp(["app.lua": Self.script])
    let run = try app.ask(["mcp", "@app", "--read-only"], stdin: Self.asking)
    expect(run.out.split(separator: "\n").allSatisfy { $0.contains("Unknown tool: rate") }, "\(run.out)")
    let list = #"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"# + "\n"
    let only = try app.ask(["mcp", "@app", "--only", "r*"], stdin: list)
    expect(only.out.contains(#""name": "rate""#) && !only.out.contains(#""name": "print""#), "\(only.out)")
  }
}
