import Glibc
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
  let calls = CodeBlock.all(in: try readmeParts().before).filter { $0.language == "console" }
  #expect(!calls.isEmpty)
  for call in calls { try check(call) }
}

@Test(
  "The first ten minutes of README.md, line by line: what is typed gives what is shown, for the files that are written")
func firstTenMinutes() throws {
  #expect(try walk(through: readmeParts().tenMinutes) == 2)
}

@Test("The guide, line by line")
func guide() throws {
  #expect(try walk(through: Project.text("docs/guide.md")) == 8)
}

/// Does what a text says, in a folder of its own: writes each file, or goes on with it, and calls the tool. Gives how many files it wrote.
private func walk(through text: String) throws -> Int {
  let folder = try ScriptFolder([:])
  defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)'/*") }
  var files: [String: String] = [:]
  var written = 0
  for block in CodeBlock.all(in: text) {
    switch block.language {
    case "console": try check(block, in: folder.path)
    case "lua":
      let first = try #require(block.text.firstMatch(of: /^-- (\w+\/\w+\.lua)(, further down)?\n/))
      let path = String(first.output.1)
      files[path] = first.output.2 == nil ? block.text : "\(files[path] ?? "")\n\(block.text)"
      mkdir("\(folder.path)/\(path.prefix { $0 != "/" })", 0o755)
      try Project.write(files[path] ?? "", to: "\(folder.path)/\(path)")
      written += 1
    default: Issue.record("nothing is done with \(block.language)")
    }
  }
  return written
}

/// What stands in README.md before its first ten minutes, and these.
private func readmeParts() throws -> (before: String, tenMinutes: String) {
  let parts = try Project.text("README.md").split(separator: "\n## ", omittingEmptySubsequences: false).map(String.init)
  let index = try #require(parts.firstIndex { $0.hasPrefix("The first ten minutes\n") })
  return (parts[..<index].joined(separator: "\n## "), parts[index])
}

@Test(
  "docs/reference.md and docs/topics.md are what the tool writes",
  arguments: [("reference", "language"), ("topics", "topics")])
func written(_ file: String, _ word: String) throws {
  let run = try Program.menuctl(["help", word, "--form", "markdown"])
  #expect(run.status == 0 && run.err == "")
  #expect(try run.out == Project.text("docs/\(file).md"), "make docs writes it anew")
}

@Test("Every call that docs/tool.md shows gives what it shows, and every verb has one")
func toolPage() throws {
  let page = try Project.text("docs/tool.md")
  for call in CodeBlock.all(in: page) where call.language == "console" { try check(call) }
  for verb in try Program.menuctl(["help"]).out.matches(of: #/(?m)^[ ]{2}([a-z]+)[ ]/#) {
    #expect(page.contains("$ menuctl \(verb.output.1)"), "\(verb.output.1)")
  }
}

@Test("Every verb answers for the example apps as Tests/Transcripts says, and as JSON by the schema")
func transcripts() throws {
  let schema = try Schema.inDocs()
  let paths = Project.files(below: "Tests/Transcripts", ending: ".txt")
  #expect(paths.count == 2)
  for path in paths {
    let text = try Project.text(path)
    try check(CodeBlock(language: "console", text: text))
    for line in text.split(separator: "\n") where line.hasPrefix(#"{"menuctl""#) {
      #expect(try schema.problems(of: StrictJSON(String(line))) == [], "\(path): \(line)")
    }
  }
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

@Test("The app and the plugin in docs/plugins.md are the examples, and every call gives the output that it shows")
func plugins() throws {
  let blocks = CodeBlock.all(in: try Project.text("docs/plugins.md"))
  let scripts = blocks.filter { $0.language == "lua" }.map(\.text)
  #expect(
    scripts == [try Project.text("scripts/gallery.lua"), try Project.text("scripts/plugins/exporter/plugin.lua")])
  let calls = blocks.filter { $0.language == "console" }
  #expect(calls.count == 2)
  for call in calls { try check(call) }
}

@Test("Every folder of examples has five lines about it, and each call in them works")
func examples() throws {
  let pages = Project.files(below: "scripts", ending: "README.md")
  let folders = Set(
    Project.files(below: "scripts", ending: ".lua").map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) })
  #expect(folders == Set(pages.map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) }))
  for path in pages {
    let text = try Project.text(path)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 6 && text.hasSuffix("\n"), "\(path)")
    let calls = text.matches(of: /`menuctl ([^`]+)`/).map { String($0.output.1) }
    #expect(!calls.isEmpty, "\(path)")
    for call in calls {
      let run = try Program.shell("sh", "'\(Program.folder)/menuctl' \(call)")
      #expect(run.status == 0, "\(call): \(run)")
    }
  }
}

/// Compares a console's text, "$ menuctl …" and what comes after it, with what the tool really says.
private func check(_ console: CodeBlock, in folder: String = Project.folder) throws {
  for part in console.text.split(separator: "$ menuctl ") {
    let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = lines[0].matches(of: /'([^']*)'|(\S+)/).map { String($0.output.1 ?? $0.output.2 ?? "") }
    let run = try Program.menuctl(words, folder: folder)
    let out = run.out.replacing(/\ \ \([0-9.]+ s\)\n/, with: "\n")
      .replacing(/"seconds": [0-9.e-]+/, with: #""seconds": 0.001"#)
    #expect(out + run.err == (lines.count > 1 ? String(lines[1]) : ""), "\(words)")
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
  let shown = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + Project.files(below: "scripts", ending: ".md")
  for path in shown + Project.files(below: "docs", ending: ".md") {
    let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for link in try Project.text(path).matches(of: /\]\(([^)#:]+)\)/) {
      #expect(throws: Never.self, "\(path) links to \(link.output.1)") {
        _ = try Project.text("\(folder)\(link.output.1)")
      }
    }
  }
}
