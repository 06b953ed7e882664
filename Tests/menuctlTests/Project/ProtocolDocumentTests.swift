import Expectations
import Glibc
import Testing

/// A block of docs/protocol-messages.md: a client's lines to a new session of the photo app, and the answers.
private struct Conversation {
  let said: [String]
  let heard: [String]
  /// The lines in order, without parts that differ in each run.
  let lines: [String]

  init(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    said = lines.filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    heard = lines.filter { $0.hasPrefix("< ") }.map { String($0.dropFirst(2)) }
    self.lines = lines
  }

  static func all() throws -> [Conversation] {
    CodeBlock.all(in: try Project.text("docs/protocol-messages.md")).filter { $0.language == "jsonrpc" }.map {
      Conversation($0.text)
    }
  }

  /// Process numbers and times differ in each run.
  static func settled(_ line: String) -> String {
    line.replacing(/"pid": \d+/, with: "\"pid\": 4711").replacing(/"since": \d+/, with: "\"since\": 1767225600")
  }
}

extension StrictJSON {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

@Test("L6, L8: A real session answers every example of docs/protocol-messages.md as shown, and by the schema")
func protocolExamples() throws {
  let schema = try Schema.inDocs()
  for conversation in try Conversation.all() {
    let said = conversation.said.map { $0 + "\n" }.joined()
    let run = try Program.menuctl(["serve", "scripts/photos", "--stdio", "--timeout", "60"], stdin: said)
    let heard = run.out.split(separator: "\n").map { Conversation.settled(String($0)) }
    expect(heard, is: conversation.heard, "\(conversation.said)")
    var methods: [String: String] = [:]
    for line in conversation.said {
      guard let request = try? StrictJSON(line), let method = request["method"]?.text, let id = request["id"] else {
        continue
      }
      methods["\(id)"] = method
      guard schema.definitions.contains("live-\(method)"), !line.contains("\"item\"") else { continue }
      try expect(schema.problems(of: request, as: "live-\(method)"), is: [], "\(line)")
    }
    for line in heard {
      let message = try StrictJSON(line)
      if let method = message["method"]?.text {
        try expect(schema.problems(of: message, as: "live-told-\(method)"), is: [], "\(line)")
      } else if message["error"] != nil {
        try expect(schema.problems(of: message, as: "live-error"), is: [], "\(line)")
      } else {
        try expect(schema.problems(of: message, as: "live-any-answer"), is: [], "\(line)")
        let method = methods["\(message["id"] ?? .null)"] ?? ""
        try expect(
          schema.problems(of: message["result"] ?? .null, as: "live-\(method)-result"), is: [], "\(line)")
      }
    }
  }
}

/// Whether a line is another one without the parts for which it has "…".
private func isCut(_ line: String, of whole: String) -> Bool {
  let parts = line.split(separator: "…", omittingEmptySubsequences: false)
  var rest = whole[...]
  guard let first = parts.first, rest.hasPrefix(first), line.hasSuffix("…") || whole.hasSuffix(parts.last ?? "") else {
    return false
  }
  for part in parts where !part.isEmpty {
    guard let found = rest.firstRange(of: part) else { return false }
    rest = rest[found.upperBound...]
  }
  return true
}

@Test("L6: Each message in docs/protocol.md is one of docs/protocol-messages.md, cut with …")
func cutMessages() throws {
  let whole = try Conversation.all().flatMap(\.lines)
  let cut = CodeBlock.all(in: try Project.text("docs/protocol.md")).filter { $0.language == "jsonrpc cut" }
    .flatMap { $0.text.split(separator: "\n").map(String.init) }
  expect(cut.count > 20)
  for line in cut { expect(whole.contains { isCut(line, of: $0) }, "\(line)") }
}

@Test("docs/protocol.md names every method; docs/protocol-messages.md has each, and every notification")
func protocolIsWhole() throws {
  let page = try Project.text("docs/protocol.md")
  let conversations = try Conversation.all()
  let hello = try StrictJSON(try require(conversations.first?.heard.first))
  guard case .list(let methods)? = hello["result"]?["methods"] else {
    Issue.record("hello tells no methods")
    return
  }
  let said = conversations.flatMap(\.said).joined(separator: "\n")
  let schema = try Schema.inDocs()
  for method in methods.compactMap(\.text) {
    expect(said.contains("\"method\": \"\(method)\""), "\(method)")
    expect(page.contains("`\(method) {") || page.contains("`\(method)`"), "\(method)")
    expect(schema.definitions.contains("live-\(method)") && schema.definitions.contains("live-\(method)-result"))
  }
  let heard = conversations.flatMap(\.heard).joined(separator: "\n")
  for name in ["menus", "outcome", "job", "focus", "log", "diagnostic", "app", "event", "resync", "do", "cancel"] {
    expect(heard.contains("\"method\": \"\(name)\""), "\(name)")
  }
}
