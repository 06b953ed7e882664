/// What the help can be asked about: a word may mean several of these, the first counts.
enum HelpSubject: String, CaseIterable {
  case verb, topic, code, name

  /// The page on a word; nil where it means nothing of this kind.
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

  /// In which order a word is looked up: a name that stands alone in scripts goes before a code.
  static func inOrder(for word: String) -> [HelpSubject] {
    LanguageReference.all.contains { $0.name == word } ? [.verb, .topic, .name, .code] : allCases
  }

  /// The words of this kind.
  var known: [String] {
    switch self {
    case .verb: Verb.all.map(\.name)
    case .topic: Topic.all.map(\.name) + ["topics", "language", "codes"]
    case .code: DiagnosticCodes.all
    case .name: LanguageReference.names
    }
  }

  /// The other subjects of a word. Who asks about a verb may want to know the idea behind it, or what a diagnostic of that name means, but not what scripts call so.
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
