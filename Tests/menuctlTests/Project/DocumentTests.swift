import Expectations
import Glibc
import Testing

@Test("The programs in docs/embedding.md are those that are built, and their output is the one that is shown")
func embedding() throws {
  let blocks = CodeBlock.all(in: try Project.text("docs/embedding.md"))
  let programs = ["EmbeddingFirst", "EmbeddingMenus", "EmbeddingFunctions", "EmbeddingExample", "EmbeddingActions"]
  for (index, program) in programs.enumerated() {
    expect(blocks.filter { $0.language == "swift" }[index].text, is: (try Project.text("Tests/\(program)/main.swift")))
    let shown = blocks.filter { $0.language == "text" }[index].text
    try expect(Program.run(program), is: Run(status: 0, out: shown, err: ""))
  }
}

/// The documents that are gone through as a reader does.
private let walked = [
  "README.md", "Benchmarks/README.md", "docs/guide.md", "docs/model.md", "docs/plugins.md", "docs/recording.md",
  "docs/repl.md",
  "docs/testing.md",
  "docs/tool.md",
]

@Test("What a document shows is what there is and what comes of it, file by file and call by call", arguments: walked)
func walk(_ path: String) throws {
  let run = try DocumentRun(path)
  expect(run.calls > 0, "\(path)")
}

@Test("Every block of code in every document is looked at by a test")
func blocks() throws {
  // What other tests look at: of these languages a document has these blocks. 'lua' and 'text' in what the tool writes are its examples.
  let others: [String: [String]] = [
    "docs/embedding.md": Array(repeating: "swift", count: 5) + Array(repeating: "text", count: 5) + ["swift package"],
    "docs/testing.md": ["text"],
    "docs/repl.md": ["text"],
    "docs/plugins.md": ["json"], "docs/assistants.md": ["json"], "docs/live.md": ["swift", "swift"],
  ]
  let written = ["docs/reference.md", "docs/topics.md"]
  for path in documents where !written.contains(path) {
    let blocks = CodeBlock.all(in: try Project.text(path)).map(\.language)
    // Other tests replay the messages of the protocols.
    let rest = blocks.filter { language in
      !language.hasPrefix("jsonrpc") && !(walked.contains(path) && DocumentRun.languages.contains(language))
    }
    expect(rest.sorted(), is: (others[path] ?? []).sorted(), "\(path)")
  }
}

/// The texts that people read.
private let documents =
  ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Benchmarks/README.md"]
  + Project.files(below: "docs", ending: ".md") + Project.files(below: "scripts", ending: ".md")

@Test(
  "docs/reference.md, docs/topics.md and docs/schema.json are what the tool writes",
  arguments: [
    ("reference.md", ["language", "--form", "markdown"]), ("topics.md", ["topics", "--form", "markdown"]),
    ("schema.json", ["--form", "schema"]),
  ])
func written(_ file: String, _ words: [String]) throws {
  let run = try Program.menuctl(["help"] + words)
  expect(run.status == 0 && run.err == "")
  try expect(run.out, is: Project.text("docs/\(file)"), "make docs writes it anew")
}

@Test("The fuzzers are built of every folder of Sources")
func fuzzersHaveAllSources() throws {
  func folders(_ path: String) throws -> [String] {
    try Program.shell("ls", "\(Project.folder)/\(path)").out.split(separator: "\n").map(String.init)
  }
  let linked = Set(try folders("Fuzz/Sources"))
  let manifest = try Project.text("Fuzz/Package.swift")
  for folder in try folders("Sources") {
    expect(linked.contains(folder) && manifest.contains("name: \"\(folder)\""), "\(folder)")
  }
}

@Test("Every shape of docs/schema.json was read to its end, and each name in it leads to a definition")
func shapesAreRead() throws {
  let schema = try Schema.inDocs()
  let text = try Project.text("docs/schema.json")
  for name in Set(text.matches(of: #/"#/\$defs/([^"]*)"/#).map { String($0.output.1) }) {
    expect(schema.definitions.contains(name), "\(name)")
  }
  // What the notation doesn't know is read as the text itself.
  for word in text.matches(of: #/"const": "([^"]*)"/#).map({ String($0.output.1) }) {
    expect(word.allSatisfy { $0.isLetter || $0 == "_" || word == "2.0" }, "\(word)")
  }
}

@Test(
  "The pictures of docs/pictures are what stands on a terminal now",
  .enabled(if: Program.isInstalled("python3") && Terminal.isPossible))
func pictures() throws {
  let run = try Program.shell("sh", "'\(Project.folder)/tools/pictures' '\(Program.folder)/menuctl' --check")
  expect(run, is: Run(status: 0, out: "", err: ""))
  for path in Project.files(below: "docs/pictures", ending: ".svg") {
    let name = path.split(separator: "/").last ?? ""
    try expect(documents.contains { try Project.text($0).contains("pictures/\(name)") }, "\(path) is shown nowhere")
  }
}

@Test("Every source that a document names stands where it says")
func namedSources() throws {
  let sources = ["Sources", "Tests", "Benchmarks", "Fuzz"].flatMap { folder in
    [".swift", ".c"].flatMap { Project.files(below: folder, ending: $0) }
  }
  var named = 0
  // What changed says which files there were.
  for document in documents where document != "CHANGELOG.md" {
    for match in try Project.text(document).matches(of: #/`([\w\/+]+\.(?:swift|c))`/#) {
      expect(sources.contains { "/\($0)".hasSuffix("/\(match.output.1)") }, "\(document): \(match.output.1)")
      named += 1
    }
  }
  expect(named > 50, "the names are found at all")
}

@Test("docs/tool.md shows a call of every verb")
func toolPage() throws {
  let page = try Project.text("docs/tool.md")
  for verb in try Program.menuctl(["help"]).out.matches(of: #/(?m)^[ ]{2}([a-z]+)[ ]/#) {
    expect(page.contains("$ menuctl \(verb.output.1)"), "\(verb.output.1)")
  }
}

@Test("Every verb answers for the example apps as Tests/Transcripts says, and as JSON by the schema")
func transcripts() throws {
  let schema = try Schema.inDocs()
  let paths = Project.files(below: "Tests/Transcripts", ending: ".txt")
  expect(paths.count, is: 2)
  for path in paths {
    let text = try Project.text(path)
    try DocumentRun.check(CodeBlock(language: "console", text: text), in: Project.folder, of: path)
    for line in text.split(separator: "\n") where line.hasPrefix(#"{"menuctl""#) {
      try expect(schema.problems(of: StrictJSON(String(line))), is: [], "\(path): \(line)")
    }
  }
}

@Test(
  "Each example app has nothing that 'check' finds, and all that it offers can be done at a terminal",
  .enabled(if: Terminal.isPossible),
  arguments: [
    ("scripts/hello.lua", []), ("scripts/tour.lua", []), ("scripts/photos", []),
    ("scripts/editor", ["fs.read=.", "fs.write=."]),
    ("scripts/files", ["fs.read=.", "fs.write=."]), ("scripts/branches", ["exec=git"]),
  ])
func exampleApps(_ app: String, _ grants: [String]) throws {
  let folder = try ScriptFolder([:])
  defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)'/*") }
  _ = try Program.shell(
    "sh", "cd '\(folder.path)' && cp -r '\(Project.folder)/scripts' . && git init -q && git branch -m main")
  // What git refuses, the handler raises in git's words.
  try AppUse(app: app, folder: folder.path, words: grants.flatMap { ["--allow", $0] }, mayFail: "fatal: ").check()
}

@Test("What docs/testing.md shows of a test that fails is what comes of it")
func failingTest() throws {
  let shown = try CodeBlock.first("text", in: "docs/testing.md")
  expect(lampRun.out.replacing("      │ fresh\n", with: "").contains(shown))
}

@Test("docs/embedding.md names what a handler calls on its context")
func handlerCalls() throws {
  let page = try Project.text("docs/embedding.md")
  for call in ["command.context.undo(", "command.refuse(", "context[\"photo\", as:"] {
    expect(page.contains(call), "\(call)")
  }
}

@Test("The package in docs/embedding.md is one that the toolchain reads")
func package() throws {
  let text = try CodeBlock.first("swift package", in: "docs/embedding.md")
  let folder = try ScriptFolder(["Package.swift": text])
  let run = try Program.shell("sh", "swift package --package-path '\(folder.path)' dump-package")
  expect(run.status == 0 && run.out.contains(#""name" : "Photos""#), "\(run)")
}

@Test("Every folder of examples has a page of at most 15 lines, and each call in it works")
func examples() throws {
  let pages = Project.files(below: "scripts", ending: "README.md")
  let folders = Set(
    Project.files(below: "scripts", ending: ".lua").map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) })
  expect(folders, is: Set(pages.map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) }))
  for path in pages {
    let text = try Project.text(path)
    expect(text.split(separator: "\n").count <= 15 && text.hasSuffix("\n"), "\(path)")
    let calls = text.matches(of: /`menuctl ([^`]+)`/).map { String($0.output.1) }
    expect(!calls.isEmpty, "\(path)")
    for call in calls {
      let run = try Program.shell("sh", "'\(Program.folder)/menuctl' \(call)")
      expect(run.status, is: 0, "\(call): \(run)")
    }
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
      expect(compiled.contains(unindented(block.text)), "\(path):\n\(block.text)")
    }
    expect(!comments.contains { $0.hasPrefix("    ") }, "\(path): code in a comment stands between fences")
  }
  expect(count >= 6)
}

private func unindented(_ text: String) -> String {
  text.split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }.joined()
}

@Test("Every link to a heading in the documents leads to one")
func headings() throws {
  var found = 0
  for path in documents {
    let folder = path.contains("/") ? path.split(separator: "/").dropLast().joined(separator: "/") + "/" : ""
    for link in try Project.text(path).matches(of: /\]\(([^)#:]*)#([^)]+)\)/) {
      let target = link.output.1.isEmpty ? path : "\(folder)\(link.output.1)"
      let headings = try Project.text(target).split(separator: "\n").filter { $0.hasPrefix("#") }
      expect(headings.map(anchor).contains(String(link.output.2)), "\(path) links to \(link.output.0)")
      found += 1
    }
  }
  expect(found > 0)
}

/// By what a heading is linked to.
private func anchor(of heading: Substring) -> String {
  var anchor = ""
  for character in heading.drop(while: { "# ".contains($0) }).lowercased() {
    if character == " " {
      anchor += "-"
    } else if character.isLetter || character.isNumber || "-_".contains(character) {
      anchor.append(character)
    }
  }
  return anchor
}

@Test("Every relative link in the documents leads to a file")
func links() throws {
  for path in documents {
    let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for link in try Project.text(path).matches(of: /\]\(([^)#:]+)\)/) {
      #expect(throws: Never.self, "\(path) links to \(link.output.1)") {
        _ = try Project.text("\(folder)\(link.output.1)")
      }
    }
  }
}
