// What an assistant's call of a tool costs, beside the perform that it asks a live app for.

/// A `tools/call`, from the client's line to the answer, by the tool's own process. The assistant has a thread of its own, so that a script that
/// takes long doesn't keep it from answering; most of what it costs is that the two threads wake each other.
func assistantRow() -> Row {
  let script = """
    n = 0
    menubar { menu "M" { item "Go" { "go" }, item "Other" { "other" } } }
    function app.on:go() n = n + 1 return 1 end
    function app.look:go() return { state = n % 2 == 1 } end
    function app.on:other() end
    """
  let calling = #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "go"}}"#
  let performing = #"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "go"}}"#
  return Row(
    name: "mcp-call", bound: 1.5, opponent: .program("menuctl serve"), rounds: 11, iterations: 3000, answer: { $0 }
  ) {
    let folder = try TemporaryFolder("mcp-call")
    let tool = try tool(in: folder)
    let app = try folder.write("app.lua", script)
    func side(_ words: [String], _ line: String) -> Body {
      { count in
        let answers = try tool.converse(words, saying: line, times: count)
        return withExtendedLifetime(folder) { answers.filter { $0.contains(#""handled""#) }.count }
      }
    }
    return Sides(
      ours: side(["mcp", app, "--alone"], calling), floor: side(["serve", app, "--stdio"], performing),
      clocks: (programTime, programTime))
  }
}
