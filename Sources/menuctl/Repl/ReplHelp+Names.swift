extension ReplHelp {
  /// The help for a line that begins with '?': on a name of the language, a topic or a code.
  static func page(_ line: String) throws(Problem) -> String {
    let word = line.dropFirst().split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    guard !word.isEmpty else { throw Problem(.usage, "NAME is missing", help: hint) }
    if let page = subjects.lazy.compactMap({ $0.page(of: word) }).first { return page.text(columns: Help.columns) }
    let near = didYouMean(word, among: subjects.flatMap(\.known) + LanguageReference.shortNames)
    throw Problem(.usage, "there is no name, topic or code '\(word)'\(near)", help: hint)
  }

  /// The words that may stand behind '?'.
  static var words: [String] { subjects.flatMap(\.known) }

  private static let subjects: [HelpSubject] = [.name, .topic, .code]

  private static let hint = "usage: ?NAME, as in ?app:perform; '?language' lists the names, '?topics' the topics"
}
