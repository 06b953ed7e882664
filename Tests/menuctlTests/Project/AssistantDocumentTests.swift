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

@Test("Z8: The arguments for scripts/git in docs/assistants.md are all that it needs, in a repository")
func assistantConfiguration() throws {
  let block = try require(CodeBlock.all(in: try Project.text("docs/assistants.md")).first { $0.language == "json" })
  let words = block.text.split(separator: "\"").map(String.init).filter { !$0.allSatisfy { ", []\n".contains($0) } }
  let arguments = words.map { $0 == "/home/me/git" ? "\(Project.folder)/scripts/git" : $0 }
  let folder = try ScriptFolder([:])
  _ = try Program.shell("sh", "git init -q -b main '\(folder.path)/repo'")
  let list = #"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}"#
  let run = try Program.menuctl(
    arguments + ["--alone"], stdin: list + "\n",
    environment: ["XDG_STATE_HOME": folder.path, "GIT_CONFIG_GLOBAL": "/dev/null", "EDITOR": "vi"],
    folder: "\(folder.path)/repo")
  expect(run.status == 0 && run.out.contains(#""name": "fixup""#), "\(run)")
  expect(!run.out.contains(#""name": "command""#), "an assistant can't run any git command")
  _ = try Program.shell("sh", "rm -rf '\(folder.path)/repo'")
}
