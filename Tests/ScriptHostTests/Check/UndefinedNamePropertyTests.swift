import Expectations
import Testing

@testable import ScriptHost

@Suite("Undefined names: each place that check reports uses a global")
struct UndefinedNamePropertyTests {
  @Test(
    "check reports the first use of the global, even beside locals and fields of the same name",
    arguments: 0..<100)
  func places(seed: Int) throws {
    var chance = Chance(seed: UInt64(seed))
    let script = NamedScript(&chance)
    let host = ScriptHost(clock: TestClock())
    try host.load(text: script.text, name: "app.lua")
    let found = host.check().filter { $0.code == "undefined-name" }.map { finding in
      "\(finding.place.map { "\($0)" } ?? "nowhere") \(finding.message.contains("reads") ? "reads" : "assigns")"
    }
    expect(found, is: script.expected, "\(script.text)")
  }
}

/// A random script of functions, several to a line.
/// In it `due` is a local, a field, a text, or a global without a definition.
private struct NamedScript {
  private(set) var text = ""
  private var reads: String?
  private var assigns: String?
  /// If a function assigns the global, check reports only that, because reading it is no second mistake.
  var expected: [String] { (assigns ?? reads).map { [$0] } ?? [] }

  /// Bodies of functions, with ¶ before a `due` that reads a global, and § before a `due` that assigns one.
  private static let innocent = [
    "local due = 1 return due", "local t = { due = 1 } return t.due", "for due = 1, 2 do print(due) end",
    "local function f(due) due = due + 1 return due end return f", "return 'due' --[[ due ]] .. \"due\"",
    "local due <const> = 2 return function() return due end", "local t = {} t.due = 1 return t:due()",
    "repeat local due = true until due", "local undue, due2 = 1, 2 return undue, due2",
  ]
  private static let guilty = [
    "return ¶due", "do local due = 1 end return ¶due", "local due = ¶due return due",
    "local t = { due = ¶due } return t",
    "§due = 1", "§due = ¶due + 1", "local function f(due) return due end return f(¶due)", "return t.due == ¶due",
    "repeat local due = true until due return ¶due", "do local due due = 1 end §due = 2", "return ¶due.due, 'due'",
    "return 'a'..¶due",
  ]

  init(_ chance: inout Chance) {
    add("local t = {} ", &chance)
    for index in 0..<Int.random(in: 1...8, using: &chance) {
      let body = chance.pick(chance.once(in: 2) ? Self.guilty : Self.innocent)
      add("function app.on:a\(index)() \(body) end", &chance)
    }
  }

  private mutating func add(_ marked: String, _ chance: inout Chance) {
    for scalar in marked {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let place = "app.lua:\(lines.count):\((lines.last?.count ?? 0) + 1)"
      switch scalar {
      case "¶": reads = reads ?? "\(place) reads"
      case "§": assigns = assigns ?? "\(place) assigns"
      default: text.append(scalar)
      }
    }
    text += chance.once(in: 2) ? "\n" : " "
  }
}
