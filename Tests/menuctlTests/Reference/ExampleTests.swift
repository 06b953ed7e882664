import Expectations
import Foundation
import Testing

@testable import menuctl

@Suite("The examples of the reference and of the topics")
struct ExampleTests {
  @Test("Each example runs, and prints the output shown")
  func examples() throws {
    let entries = LanguageReference.all.compactMap { found -> (String, String)? in
      guard case .lines(let text) = found.entry.example else { return nil }
      return (found.name, text)
    }
    expect(entries.count > 140)
    try check(entries)
    let topics = Topic.all.flatMap { topic in
      topic.page.blocks.compactMap { block -> (String, String)? in
        guard case .code(let text, let language) = block else { return nil }
        if language == "diagram" { return nil }
        expect(language, is: "lua", "\(topic.name)")
        return ("topic \(topic.name)", text)
      }
    }
    expect(topics.count > 15)
    try check(topics)
  }

  @Test("Each file runs with the files that it names beside it")
  func files() throws {
    var count = 0
    for found in LanguageReference.all {
      guard case .file(let text) = found.entry.example else { continue }
      count += 1
      let folder = try ScriptFolder([
        "photos.lua": "app.name, app.version = 'photos', '1.0'", "plugins/exporter/plugin.lua": Self.exporter,
        "example.lua": text, "example_test.lua": text,
      ])
      let words =
        text.hasPrefix("plugin")
        ? ["load", "photos.lua", "--plugin", "example.lua", "--allow", "fs.read"] : ["test", "example_test.lua"]
      let run = try Program.menuctl(words, folder: folder.path)
      expect(run.status == 0 && run.err == "", "\(found.name): \(run)")
    }
    expect(count, is: 5)
  }

  @Test("Each file of tests runs, and prints the output shown")
  func testFiles() throws {
    for found in LanguageReference.all {
      guard case .tests(let text, let shows) = found.entry.example else { continue }
      let folder = try ScriptFolder(["example_test.lua": text])
      var run = try Program.menuctl(["test"], folder: folder.path)
      run.out.replace(/\ \ \([0-9.]+ s\)\n/, with: "\n")
      expect(run, is: Run(status: 0, out: shows + "\n", err: ""), "\(found.name)")
    }
  }

  @Test("Every call, hook and group has an example")
  func complete() {
    for group in LanguageReference.groups where !isLua(group) {
      expect(group.entries.contains(where: hasExample), "\(group.title)")
      for entry in group.entries where entry.isFunction {
        expect(hasExample(entry), "\(group.name(of: entry))")
      }
    }
  }

  @Test("The output shown in an example is compared")
  func compared() {
    expect(shown(in: "print(1)  --> 1\nprint(2, 3)\n--> 2  3\n"), is: ["1", "2  3"])
  }

  private func isLua(_ group: LanguageGroup) -> Bool { group.title.hasPrefix("Lua's own") }

  private func hasExample(_ entry: LanguageEntry) -> Bool { if case .none = entry.example { false } else { true } }

  private static let exporter = "plugin { name = 'exporter', version = '1.0.0' } function app.on:card() end"

  /// Files beside each example, for examples that read something outside.
  private static let outside = [
    "notes.txt": "buy film\n", "photos/harbour.jpg": "", "photos/pier.jpg": "",
    "lib/words.lua": "return { greeting = 'hello' }", "plugins/exporter/plugin.lua": exporter,
  ]

  private static let programs = [
    "bin/xdg-open": "#!/bin/sh\n", "bin/notify-send": "#!/bin/sh\n",
    "bin/wl-copy": "#!/bin/sh\ncat >\"$(dirname \"$0\")/held\"\n",
    "bin/wl-paste": "#!/bin/sh\ncat \"$(dirname \"$0\")/held\"\n",
    "bin/xclip": """
    #!/bin/sh
    case "$*" in *-o*) cat "$(dirname "$0")/held" ;; *) cat >"$(dirname "$0")/held" ;; esac

    """,
  ]

  /// Runs examples as tests, each in its own folder, all in one call of the tool.
  private func check(_ examples: [(name: String, text: String)]) throws {
    var files = Self.programs
    for (index, example) in examples.enumerated() {
      files["\(index)/example_test.lua"] = "test('example', function()\n\(example.text)\nend)\n"
      for (name, text) in Self.outside { files["\(index)/\(name)"] = text }
    }
    let folder = try ScriptFolder(files)
    _ = try Program.shell("sh", "chmod +x '\(folder.path)'/bin/*")
    defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)'/*") }
    let capabilities = ["fs.read", "fs.write", "exec=echo", "env=LANG", "clipboard", "notify", "open"].flatMap {
      ["--allow", $0]
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    // The clipboard belongs to the examples, on any system. All of them share it.
    let run = try Program.menuctl(
      ["test", "--json", "--jobs", "1"] + capabilities,
      environment: ["PATH": "\(folder.path)/bin:\(path)", "LANG": "C.UTF-8"], folder: folder.path)
    let answer = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
    let tests = answer?["tests"] as? [[String: Any]] ?? []
    expect(tests.count, is: examples.count, "\(run.err)")
    for test in tests {
      guard let file = test["file"] as? String, let number = Int(file.prefix { $0 != "/" }) else {
        Issue.record("\(test)")
        continue
      }
      let example = examples[number]
      expect(test["status"] as? String, is: "passed", "\(example.name): \(test["message"] ?? "")")
      let printed = (test["printed"] as? [String] ?? []).flatMap { $0.split(separator: "\n").map(String.init) }
      let texts = printed.map { $0.replacing("\t", with: "  ").trimmingCharacters(in: .whitespaces) }
      expect(texts, is: shown(in: example.text), "\(example.name)")
    }
  }

  /// The text after the arrows of an example.
  private func shown(in text: String) -> [String] {
    text.matches(of: /--> *(.*)/).map { $0.output.1.trimmingCharacters(in: .whitespaces) }
  }
}
