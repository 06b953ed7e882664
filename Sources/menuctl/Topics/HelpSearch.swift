/// The pages that have to do with a word that none of them is called by.
enum HelpSearch {
  /// Words of other programs, and the pages on what they are here.
  static let synonyms: [String: [String]] = [
    "button": ["item", "menus"], "callback": ["responder.on", "observers"], "checkbox": ["look", "menus"],
    "choice": ["arguments"], "combobox": ["arguments"], "command": ["references", "model"],
    "dialog": ["arguments", "modal"], "disable": ["validation"], "disabled": ["validation", "why"],
    "exit": ["exit-status", "ui"], "filter": ["ui", "panel"], "form": ["arguments", "ui"],
    "fuzzy": ["ui"], "fzf": ["ui", "panel"], "grey": ["validation"], "hotkey": ["keys"],
    "palette": ["ui"], "permission": ["capabilities"], "popup": ["modal", "menus"],
    "prompt": ["arguments", "ui"], "quit": ["ui", "live"], "restart": ["reload"],
    "sandbox": ["capabilities", "limits"], "search": ["ui", "panel"], "selection": ["panel", "context"],
    "shell": ["capabilities", "exec"], "shortcut": ["keys"], "submenu": ["menus"],
    "tui": ["ui"],
  ]

  private static let most = 12

  /// A list of those pages, the nearest first; nil if there is none.
  static func text(of word: String, columns: Int) -> String? {
    let wanted = word.lowercased()
    guard wanted.count > 2 else { return nil }
    var found: [(name: String, summary: String)] = []
    func add(_ name: String) {
      guard !found.contains(where: { $0.name == name }), let summary = summary(of: name) else { return }
      found.append((name, summary))
    }
    synonyms[wanted]?.forEach(add)
    let names = HelpSubject.allCases.flatMap(\.known)
    for name in names where name.hasWord(wanted) { add(name) }
    for name in names where found.count < most && summary(of: name)?.hasWord(wanted) ?? false { add(name) }
    for name in names where found.count < most {
      if HelpSubject.inOrder(for: name).contains(where: {
        $0.page(of: name)?.text(columns: .max).hasWord(wanted) ?? false
      }) {
        add(name)
      }
    }
    if found.isEmpty { return nil }
    return """
      nothing is called '\(word.visible)'; these pages have to do with it:

      \(Rows(found.prefix(most).map { ($0.name, $0.summary) }).text(columns: columns))

      'menuctl help NAME' shows one of them.
      """
  }

  /// What a page is about, in a sentence; nil if there is no such page.
  static func summary(of name: String) -> String? {
    if let verb = Verb.named(name) { return verb.summary }
    if let topic = Topic.named(name) { return topic.summary }
    if let found = LanguageReference.find(name).first { return found.entry.firstSentence }
    return DiagnosticCodes.page(of: name)?.blocks.lazy.compactMap {
      if case .paragraph(let text) = $0 { text.firstSentence } else { nil }
    }.first
  }
}

extension String {
  /// Whether the text has a word, or its plural, however it is written.
  fileprivate func hasWord(_ word: String) -> Bool {
    lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0 == word || $0 == "\(word)s" }
  }
}
