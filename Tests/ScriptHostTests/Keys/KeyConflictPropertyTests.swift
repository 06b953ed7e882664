import Expectations
import Testing

@testable import ScriptHost

@Suite("Key conflicts: keys that check calls unreachable are unreachable")
struct KeyConflictPropertyTests {
  @Test(
    "K3: Keys that 'key-conflict' calls never reached don't perform their actions, with the focus anywhere",
    arguments: 0..<8)
  func unreachable(part: Int) throws {
    var told = 0
    for seed in 0..<150 {
      var chance = Chance(seed: UInt64(seed * 8 + part))
      let script = KeyScript(&chance)
      let host = ScriptHost(clock: TestClock())
      try host.load(text: script.text, name: "app.lua")
      for finding in host.keyConflicts() {
        told += 1
        let line = try require(finding.place?.line, "\(finding.message)")
        let keys = String(try require(finding.message.split(separator: "'").first))
        for responder in host.responders {
          guard try host.focus(responder) else { continue }
          for window in host.windows where chance.once(in: 3) { try host.makeMain(window) }
          host.press("esc")
          let outcome = host.press(keys)
          let found = if case .text(let text) = outcome.result { text } else { "nothing" }
          let context = "seed \(seed): \(finding.message); the focus is on '\(responder.name)'\n\(script.text)"
          expect(found != script.deeds[line - 1], "\(context)")
          if finding.message.contains("'app'"), !finding.message.contains("never") {
            expect(!found.hasPrefix(script.deeds[line - 1].prefix { $0 != " " } + " "), "both do the same; \(context)")
          }
        }
      }
    }
    expect(told > 20, "the scripts have conflicts: \(told)")
  }
}

/// A random app; each line binds keys at most once.
/// The result of the keys is a number and the title of the item, or `key`.
private struct KeyScript {
  private var lines = [
    "function app.on:did(ctx) return ctx.n .. ' ' .. (ctx.sender ~= app and ctx.sender.title or 'key') end"
  ]
  /// The result of each line's keys; empty for a line that binds none.
  private(set) var deeds = [""]
  var text: String { lines.joined(separator: "\n") }

  init(_ chance: inout Chance) {
    var names: [String] = []
    for index in 0..<Int.random(in: 2...7, using: &chance) {
      let kind = chance.once(in: 3) ? "window" : "responder"
      var fields: [String] = []
      if !names.isEmpty, chance.once(in: 2) {
        let field = kind == "responder" && chance.once(in: 3) ? "before" : "next"
        fields.append("\(field) = \"\(chance.pick(names))\"")
      }
      add("local r\(index) = \(kind) \"r\(index)\" { \(fields.joined(separator: ", ")) }")
      names.append("r\(index)")
    }
    for name in names + ["app"] where chance.once(in: 3) {
      // A responder that isn't a window has no delegate: setting it raises an error, and changes nothing.
      add("pcall(function() \(name).delegate = \(chance.pick(names)) end)")
    }
    for _ in 0..<Int.random(in: 2...10, using: &chance) {
      let holder = chance.once(in: 3) ? "app" : chance.pick(names)
      let number = lines.count + 1
      add("\(holder).keys[\"\(Self.keys(&chance))\"] = \"did(n: \(number))\"", doing: "\(number) key")
    }
    add("menubar {")
    for index in 0..<Int.random(in: 0...5, using: &chance) {
      let number = chance.once(in: 3) ? Int.random(in: 1...lines.count, using: &chance) : lines.count + 1
      let action = chance.once(in: 2) ? "\"did(n: \(number))\"" : "\"did\", args = { n = \(number) }"
      add("  item \"i\(index)\" { \(action), key = \"\(Self.keys(&chance))\" },", doing: "\(number) i\(index)")
    }
    add("}")
  }

  private mutating func add(_ line: String, doing deed: String = "") {
    lines.append(line)
    deeds.append(deed)
  }

  private static func keys(_ chance: inout Chance) -> String {
    (0..<Int.random(in: 1...3, using: &chance)).map { _ in chance.pick(["a", "b", "c"]) }.joined(separator: " ")
  }
}
