import Expectations
import Testing

@Test("Z8: Every example of docs/assistants.md is what the tool answers")
func assistantExamples() throws {
  let blocks = CodeBlock.all(in: try Project.text("docs/assistants.md")).filter { $0.language == "jsonrpc" }
  expect(blocks.count > 2)
  for block in blocks {
    let lines = block.text.split(separator: "\n").map(String.init)
    let said = lines.filter { $0.hasPrefix("> ") }.map { "\($0.dropFirst(2))\n" }.joined()
    let run = try Program.menuctl(["mcp", "scripts/photos", "--alone", "--timeout", "60"], stdin: said)
    expect(run.status == 0 && run.err.isEmpty, "\(run)")
    let heard = run.out.split(separator: "\n").map(String.init)
    expect(heard, is: lines.filter { $0.hasPrefix("< ") }.map { String($0.dropFirst(2)) })
  }
}
