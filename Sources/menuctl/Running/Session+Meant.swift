import Glibc
import LiveHost
import ScriptHost

// Hints for a name of the command line that the app doesn't know: what was most likely meant.

extension Session {
  /// If nobody answers an action, says so, with the nearest name.
  func tellWhetherAnswered(_ name: String) throws(Problem) {
    guard let found = try asking({ subject throws(Unanswered) in try subject.validations(of: [name]) }).first,
      found.kind == .ref, !found.validation.isEnabled, found.validation.by == nil, let reason = found.validation.reason
    else { return }
    help(reason)
  }

  /// Says what else an unanswered name may mean: the title of an item, or a key that isn't bound.
  func tellOthers(of name: String) throws(Problem) {
    let titled = try asking { subject throws(Unanswered) in try subject.menus() }.allItems
      .filter { $0.title.lowercased() == name.lowercased() && $0.action != name }
    let app = invocation.operands[0].shellWord
    if let item = titled.first {
      help("'\(name)' is the title of an item: menuctl \(invocation.verb.name) \(app) \(item.id.shellWord)")
    } else if let keys = try? KeySequence.parse(name) {
      try tellOfKeys(keys, named: name, of: app)
    } else if let keys = try? KeySequence.parse(name.split(separator: "-").joined(separator: "+")), name.contains("-") {
      help("a key is written with '+': menuctl \(invocation.verb.name) \(app) \(keys.text.shellWord)")
    }
  }

  /// Says what keys come to to which nothing is bound, unless the answer was about them.
  private func tellOfKeys(_ keys: KeySequence, named name: String, of app: String) throws(Problem) {
    let known = try asking { subject throws(Unanswered) in try subject.keys() }
    if known.contains(where: { $0.keys == keys.text }) { return }
    let begun = known.filter { $0.isReached && $0.keys.hasPrefix("\(keys.text) ") }.map { "'\($0.keys)'" }
    if begun.isEmpty {
      help("nothing is bound to '\(name)' as a key; 'menuctl keys \(app)' lists those that are")
    } else if (try? Reference.parse(name)) != nil {
      help("as a key '\(name)' only begins \(begun.joined(separator: ", "))")
    }
  }

  /// The same problem; if APP and the other operand were written the wrong way around, with the right command line as help.
  func turned(_ problem: Problem) -> Problem {
    let operands = invocation.operands
    guard operands.count == 2, !operands[0].hasSuffix(".lua"), !operands[0].hasPrefix("@"),
      access(operands[0], F_OK) != 0, Self.isApp(operands[1])
    else { return problem }
    let words = ["menuctl", invocation.verb.name, operands[1], operands[0]].map(\.shellWord)
    return problem.helped("APP comes first: \(words.joined(separator: " "))\(invocation.options.isEmpty ? "" : " …")")
  }

  private static func isApp(_ word: String) -> Bool {
    word.hasPrefix("@") || access(word.hasSuffix(".lua") ? word : "\(word)/app.lua", F_OK) == 0
  }

  /// Says that the rest was not done, since `Patience.most` of the deeds spent their limits.
  func tellOfPatience() {
    help("\(Patience.most) of these spent what each may, and what stands behind the last of them was not done")
  }

  /// Writes a hint to stderr.
  func help(_ sentence: String) { output.remark { $0.help(sentence) } }
}

extension TextRenderer {
  func help(_ sentence: String) -> String { "\(palette("help", .strong)): \(sentence.visible)" }
}

extension MenuElement {
  fileprivate var allItems: [MenuElement] { items + (panel?.items ?? []) }
}
