import Testing

@Test("The program in docs/embedding.md is the one that is built, and its output the one that is shown")
func embedding() throws {
  #expect(try CodeBlock.first("swift", in: "docs/embedding.md") == Project.text("Tests/EmbeddingExample/main.swift"))
  let shown = try CodeBlock.first("text", in: "docs/embedding.md")
  #expect(try Program.run("EmbeddingExample") == Run(status: 0, out: shown, err: ""))
}

@Test("Every call that README.md shows gives the output that it shows, for the script that it shows")
func readme() throws {
  let script = try CodeBlock.first("lua", in: "README.md")
  #expect(try Project.text("scripts/hello.lua") == script)
  let calls = CodeBlock.all(in: try Project.text("README.md")).filter { $0.language == "console" }
  #expect(!calls.isEmpty)
  for call in calls { try check(call) }
}

@Test("The test file in docs/testing.md is the example's, and what is shown of its run is what comes of it")
func testing() throws {
  #expect(try CodeBlock.first("lua", in: "docs/testing.md") == Project.text("scripts/hello_test.lua"))
  try check(
    try CodeBlock.all(in: Project.text("docs/testing.md")).first { $0.language == "console" }
      ?? CodeBlock(language: "", text: "-"))
  let shown = try CodeBlock.first("text", in: "docs/testing.md")
  #expect(lampRun.out.replacing("      │ fresh\n", with: "").contains(shown))
}

/// Compares a console's text, "$ menuctl …" and what comes after it, with what the tool really says.
private func check(_ console: CodeBlock) throws {
  for part in console.text.split(separator: "$ menuctl ") {
    let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = lines[0].matches(of: /'([^']*)'|(\S+)/).map { String($0.output.1 ?? $0.output.2 ?? "") }
    let run = try Program.menuctl(words)
    #expect(run.out + run.err == (lines.count > 1 ? String(lines[1]) : ""), "\(words)")
  }
}

@Test("Every example in a doc comment stands in a Swift file that is compiled and run")
func docCommentExamples() throws {
  let compiled = unindented(try Project.text("Tests/ScriptHostTests/DocExamples.swift"))
  var count = 0
  for path in Project.files(below: "Sources/ScriptHost", ending: ".swift") {
    let comments = try Project.text(path).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.drop { $0 == " " }
      return line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : ""
    }
    for block in CodeBlock.all(in: comments.joined(separator: "\n")) where block.language == "swift" {
      count += 1
      #expect(compiled.contains(unindented(block.text)), "\(path):\n\(block.text)")
    }
    #expect(!comments.contains { $0.hasPrefix("    ") }, "\(path): code in a comment stands between fences")
  }
  #expect(count >= 6)
}

private func unindented(_ text: String) -> String {
  text.split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }.joined()
}

@Test("Every relative link in the documents leads to a file")
func links() throws {
  for path in ["README.md"] + Project.files(below: "docs", ending: ".md") {
    let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for link in try Project.text(path).matches(of: /\]\(([^)#:]+)\)/) {
      #expect(throws: Never.self, "\(path) links to \(link.output.1)") {
        _ = try Project.text("\(folder)\(link.output.1)")
      }
    }
  }
}
