import Testing

@Test("The program in docs/embedding.md is the one that is built, and its output the one that is shown")
func embedding() throws {
  #expect(try CodeBlock.first("swift", in: "docs/embedding.md") == Project.text("Tests/EmbeddingExample/main.swift"))
  let shown = try CodeBlock.first("text", in: "docs/embedding.md")
  #expect(try Program.run("EmbeddingExample") == Run(status: 0, out: shown, err: ""))
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
