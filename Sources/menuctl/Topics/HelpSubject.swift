/// The kinds of words that the help knows. If a word is of several kinds, the first counts.
enum HelpSubject: String, CaseIterable {
  case verb, topic, code, name

  /// The page on a word of this kind; nil if there is none.
  func page(of word: String) -> Page? {
    switch self {
    case .verb: Verb.named(word)?.page
    case .topic:
      switch word {
      case "topics": Self.topics
      case "language": LanguageReference.contents
      case "codes": DiagnosticCodes.contents
      default: Topic.named(word)?.page
      }
    case .code: DiagnosticCodes.page(of: word)
    case .name: LanguageReference.page(of: word)
    }
  }

  /// The order in which a word is looked up: a whole name of the script language goes before a code.
  static func inOrder(for word: String) -> [HelpSubject] {
    LanguageReference.all.contains { $0.name == word } ? [.verb, .topic, .name, .code] : allCases
  }

  /// All words of this kind.
  var known: [String] {
    switch self {
    case .verb: Verb.all.map(\.name)
    case .topic: Topic.all.map(\.name) + ["topics", "language", "codes"]
    case .code: DiagnosticCodes.all
    case .name: LanguageReference.names
    }
  }

  /// The other kinds of a word, for "See also". For a verb, only the topic or the diagnostic of that name is of interest, not the scripts' name.
  func others(of word: String) -> [HelpSubject] {
    let possible = self == .verb ? [.topic, .code] : Self.allCases
    return possible.filter { $0 != self && $0.page(of: word) != nil }
  }

  private static let topics = Page(
    title: "Topics",
    blocks: [
      .rows(
        Topic.all.map { ($0.name, $0.summary) } + [
          ("language", "every name of the script language"), ("codes", "what every code of a diagnostic means"),
        ]),
      .paragraph("'menuctl help TOPIC' shows one of them."),
    ])
}
