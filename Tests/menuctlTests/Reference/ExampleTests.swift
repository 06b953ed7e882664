import Foundation
import Testing

@testable import menuctl

@Suite("The examples of the reference and of the topics")
struct ExampleTests {
  @Test("Each runs, and prints what is shown")
  func examples() throws {
    let names = LanguageReference.all.filter { !notThereYet.union(needsOutside).contains($0.name) }
    let entries = names.compactMap { found -> (String, String)? in
      guard case .lines(let text) = found.entry.example else { return nil }
      return (found.name, text)
    }
    #expect(entries.count > 120)
    try check(entries)
    // Those of topics about what needs something outside are known by what they name.
    let topics = Topic.all.flatMap { topic in
      topic.page.blocks.compactMap { block -> (String, String)? in
        guard case .code(let text, "lua") = block, !notThereYet.union(needsOutside).contains(where: text.contains)
        else { return nil }
        return ("topic \(topic.name)", text)
      }
    }
    #expect(topics.count > 10)
    try check(topics)
  }

  @Test("Each file of tests runs, and shows what is shown")
  func testFiles() throws {
    for found in LanguageReference.all {
      guard case .tests(let text, let shows) = found.entry.example else { continue }
      let folder = try ScriptFolder(["example_test.lua": text])
      var run = try Program.menuctl(["test"], folder: folder.path)
      run.out.replace(/\ \ \([0-9.]+ s\)\n/, with: "\n")
      #expect(run == Run(status: 0, out: shows + "\n", err: ""), "\(found.name)")
    }
  }

  @Test("Every call, hook and group has one")
  func complete() {
    for group in LanguageReference.groups where !isLua(group) {
      #expect(group.entries.contains(where: hasExample), "\(group.title)")
      for entry in group.entries where entry.isFunction {
        #expect(hasExample(entry), "\(group.name(of: entry))")
      }
    }
  }

  @Test("What an example shows is compared")
  func compared() {
    #expect(shown(in: "print(1)  --> 1\nprint(2, 3)\n--> 2  3\n") == ["1", "2  3"])
  }

  private func isLua(_ group: LanguageGroup) -> Bool { group.title.hasPrefix("Lua's own") }

  private func hasExample(_ entry: LanguageEntry) -> Bool { if case .none = entry.example { false } else { true } }

  /// Runs examples as the bodies of tests, all in one call of the tool.
  private func check(_ examples: [(name: String, text: String)]) throws {
    var files: [String: String] = [:]
    for (index, example) in examples.enumerated() {
      files["\(index)_test.lua"] = "test('example', function()\n\(example.text)\nend)\n"
    }
    let folder = try ScriptFolder(files)
    let run = try Program.menuctl(["test", "--json"], folder: folder.path)
    let answer = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
    let tests = answer?["tests"] as? [[String: Any]] ?? []
    #expect(tests.count == examples.count, "\(run.err)")
    for test in tests {
      guard let file = test["file"] as? String, let number = Int(file.prefix { $0 != "_" }) else { continue }
      let example = examples[number]
      #expect(test["status"] as? String == "passed", "\(example.name): \(test["message"] ?? "")")
      let printed = (test["printed"] as? [String] ?? []).flatMap { $0.split(separator: "\n").map(String.init) }
      let texts = printed.map { $0.replacing("\t", with: "  ").trimmingCharacters(in: .whitespaces) }
      #expect(texts == shown(in: example.text), "\(example.name)")
    }
  }

  /// What stands behind the arrows of an example.
  private func shown(in text: String) -> [String] {
    text.matches(of: /--> *(.*)/).map { $0.output.1.trimmingCharacters(in: .whitespaces) }
  }
}
