import Expectations
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
  expect(run.out + run.err, is: answers.map { $0 + "\n" }.joined())
}

@Test("docs/recording.md shows the recording that the tests replay")
func recordedDocument() throws {
  let shown = try CodeBlock.first("console", in: "docs/recording.md")
  try expect(Project.text("Tests/Apps/hello.jsonl"), is: String(shown.drop { $0 != "\n" }.dropFirst()))
}

@Test("docs/repl.md names every command")
func sessionWords() throws {
  let repl = try Project.text("docs/repl.md")
  let help = try Program.menuctl(["repl"], stdin: ":help\n").out
  let commands = help.matches(of: /\n  (:[a-z-]+)/).map { String($0.output.1) }
  expect(commands.count > 15)
  for command in commands { expect(repl.contains("`\(command)"), "\(command)") }
}
