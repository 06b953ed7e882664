import Glibc

// What a person feels of panes and texts: all the processor time that the tool takes at a terminal, to the last.

func paneRows() -> [Row] { [millionRow(), filterRow(), streamRow()] }

/// The first frame of a list of 1,000,000 rows that are asked for by number, against one of 1,000; neither holds more than 4 MiB.
private func millionRow() -> Row {
  Row(name: "ui-million", bound: 1.2, opponent: .program("ui-million of 1,000"), iterations: 1, answer: { $0 }) {
    let folder = try TemporaryFolder("ui-million")
    let tool = try tool(in: folder)
    func side(_ rows: Int) throws -> Body {
      let app = try folder.write(
        "app\(rows).lua",
        """
        local list = responder "list" {}
        panel { pane "all" { title = "All", responder = list, section "rows" { count = \(rows), value = function(i) return i end,
          id = function(i) return tostring(i) end, row = function(i) return item("Row " .. i) { "show" } end } } }
        function list.on:show(ctx) end
        """)
      return { count in
        var shown = 0
        for _ in 0..<count {
          let run = try tool.atTerminal(["ui", app, "--alone"])
          if run.reads("Row 1"), run.memory < 4 << 20 { shown += 1 }
          run.end()
        }
        return withExtendedLifetime(folder) { shown }
      }
    }
    return Sides(ours: try side(1_000_000), floor: try side(1000), clocks: (programTime, programTime))
  }
}

/// A letter while a filter narrows 10,000 rows, and its taking back, against what fzf takes to find the same.
private func filterRow() -> Row {
  Row(
    name: "ui-filter", bound: 1, opponent: .program(Peer.fzf.name), rounds: 5, iterations: 6, answer: { $0 },
    missing: { Peer.fzf.missing }
  ) {
    let folder = try TemporaryFolder("ui-filter")
    let app = try folder.write(
      "app.lua",
      """
      local list, rows = responder "list", {}
      for i = 1, 10000 do rows[i] = i end
      panel { pane "all" { title = "All", responder = list, filter = true, section "rows" { items = rows,
        id = function(i) return tostring(i) end, row = function(i) return item("Others number " .. i) { "show" } end } } }
      function list.on:show(ctx) end
      """)
    let lines = try folder.write("lines", (1...10_000).map { "Others number \($0)" }.joined(separator: "\n"))
    guard let shell = Program("sh") else { throw BenchError("there is no sh") }
    let run = try tool(in: folder).atTerminal(["ui", app, "--alone"])
    guard run.reads("number 1") else { throw BenchError("'ui-filter' shows nothing") }
    _ = run.settle()
    _ = run.type(Array("/".utf8))
    return Sides(
      ours: { count in
        var found = 0
        for _ in 0..<count / 2 {
          for key in [UInt8(ascii: "7"), 0x7F] where run.type([key]) > 0 { found += 1 }
        }
        return withExtendedLifetime(folder) { found }
      },
      floor: { count in
        var found = 0
        for query in (0..<count).map({ $0 % 2 == 0 ? "7" : "" })
        where try shell.run(["-c", "exec fzf --filter '\(query)' <'\(lines)'"]).contains("number 7") { found += 1 }
        return found
      }, clocks: ({ run.time }, programTime))
  }
}

/// 10,000 lines of a program that stream into a text, in frames, against the program writing them into a file.
private func streamRow() -> Row {
  Row(name: "ui-stream", bound: 5, opponent: .program("cat"), rounds: 7, iterations: 4, answer: { $0 }) {
    let folder = try TemporaryFolder("ui-stream")
    let lines = try folder.write(
      "lines", (1...10_000).map { "line \($0) of a long text that streams into a pane\n" }.joined())
    let app = try folder.write(
      "app.lua",
      """
      app.allow = { "exec=cat" }
      panel { text "all" { title = "All", follow = true,
        lines = function(ctx, add) exec("cat", { "\(lines)" }, { line = add }) end } }
      function app.on:again() end
      app.keys.r = "again"
      """)
    guard let shell = Program("sh") else { throw BenchError("there is no sh") }
    let run = try tool(in: folder).atTerminal(["ui", app, "--alone", "--allow", "exec=cat"])
    guard run.reads("line 10000") else { throw BenchError("'ui-stream' shows nothing") }
    _ = run.settle()
    return Sides(
      ours: { count in
        var shown = 0
        for _ in 0..<count where run.type([UInt8(ascii: "r")]) > 0 { shown += 1 }
        return withExtendedLifetime(folder) { shown }
      },
      floor: { count in
        for _ in 0..<count { try shell.run(["-c", "exec cat '\(lines)' >'\(folder.file("copy"))'"]) }
        return count
      }, clocks: ({ run.time }, programTime))
  }
}
