import Testing

@Test("The session that docs/repl.md shows is what comes of its lines")
func replDocument() throws {
  let shown = try CodeBlock.first("text", in: "docs/repl.md")
  var entered: [Substring] = []
  var answers: [Substring] = []
  for line in shown.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
    if line.hasPrefix("> ") || line.hasPrefix("… ") {
      entered.append(line.dropFirst(2))
    } else {
      answers.append(line)
    }
  }
  let run = try Program.menuctl(["repl", "scripts/photos"], stdin: entered.map { $0 + "\n" }.joined())
  #expect(run.out + run.err == answers.map { $0 + "\n" }.joined())
}

@Test("Every call that docs/repl.md and docs/recording.md show gives the output that they show")
func sessionDocuments() throws {
  for path in ["docs/repl.md", "docs/recording.md"] {
    let consoles = CodeBlock.all(in: try Project.text(path)).filter { $0.language == "console" }
    #expect(!consoles.isEmpty)
    for part in consoles.flatMap({ "\n\($0.text)".split(separator: "\n$ ") }) {
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let run = try Program.shell("sh", "PATH=\"\(Program.folder):$PATH\"; \(lines[0])")
      let shown = lines.count > 1 ? "\(lines[1])" : ""
      #expect(run.out + run.err == (shown.hasSuffix("\n") ? shown : shown + "\n"), "\(path): \(lines[0])")
    }
  }
  let recorded = try #require(CodeBlock.all(in: Project.text("docs/recording.md")).first { $0.language == "console" })
  #expect(try Project.text("Tests/Apps/hello.jsonl") == recorded.text.drop { $0 != "\n" }.dropFirst())
}

@Test("docs/repl.md names every command")
func sessionWords() throws {
  let repl = try Project.text("docs/repl.md")
  let help = try Program.menuctl(["repl"], stdin: ":help\n").out
  let commands = help.matches(of: /\n  (:[a-z-]+)/).map { String($0.output.1) }
  #expect(commands.count > 15)
  for command in commands { #expect(repl.contains("`\(command)"), "\(command)") }
}
