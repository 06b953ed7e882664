import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

/// A conversation of the client library from PyPI with the photo app. `make assistants` records it.
private struct Recorded {
  /// The lines of the client, each with the messages that came before the next one.
  var turns: [(said: String, heard: [JSON])] = []

  init(_ era: String) throws {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    let lines = try text(of: "\(folder)/Transcripts/mcp-\(era).jsonl").split(separator: "\n")
    for line in lines {
      if line.hasPrefix("> ") {
        turns.append((String(line.dropFirst(2)), []))
      } else {
        turns[turns.count - 1].heard.append(try JSONReader.read(line.utf8.dropFirst(2)))
      }
    }
  }

  struct NoFile: Error {}
}

private func text(of path: String) throws -> String {
  guard let file = fopen(path, "r") else { throw Recorded.NoFile() }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

@Test(
  "Z8: Recorded requests of the client library, of either era, get the recorded answers",
  arguments: ["2026-07-28", "2025-11-25"])
func recorded(era: String) throws {
  let recorded = try Recorded(era)
  var settings = AssistantSettings()
  settings.version = "0.1.0"
  let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  let stage = try AssistantStage("\(folder)/scripts/photos/app.lua", settings)
  var states: [String: String] = [:]
  var (heard, expected): ([JSON], [JSON]) = ([], [])
  expect(recorded.turns.count > 10)
  for turn in recorded.turns {
    // The seal of a question differs in each run.
    var line = turn.said
    for (old, new) in states { line = line.replacing(old, with: new) }
    expected += turn.heard
    heard += stage.say(line)
    if heard.count < expected.count { heard += stage.waited(for: expected.count - heard.count) }
    for (message, old) in zip(heard, expected) {
      if let old = old["result"]?["requestState"]?.text { states[old] = message["result"]?["requestState"]?.text }
    }
  }
  expect(heard.count, is: expected.count)
  for (message, expected) in zip(heard, expected) { expect(message.unsealed, is: expected.unsealed) }
}

extension JSON {
  /// The message without the parts that differ between runs: the seal of a question, and the app's folder.
  fileprivate var unsealed: JSON {
    switch self {
    case .object(let members):
      .object(members.map { ($0.0, $0.0 == "requestState" ? .null : $0.1.unsealed) })
    case .list(let values): .list(values.map(\.unsealed))
    case .text(let text): .text(text.replacing(/[^ ("]*scripts\/photos\//, with: "scripts/photos/"))
    default: self
    }
  }
}
