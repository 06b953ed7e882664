import Glibc

/// The forms in which the help is written.
enum HelpForm: String, CaseIterable {
  case text, markdown, man
}

/// Makes the texts of `menuctl help`.
enum Help {
  static let hint =
    "'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language"

  /// The width of the help: that of the terminal, else unlimited.
  static var columns: Int { menuctl.columns(of: STDOUT_FILENO) }

  /// The words that shells offer behind `help`.
  static var words: [String] { HelpSubject.verb.known + HelpSubject.topic.known }

  static func all(columns: Int) -> String {
    let verbs = Verb.all.map { ([$0.name] + $0.operands.map(\.usage)).joined(separator: " ") }
    let closing = [
      "APP is a script, a folder with app.lua, or - for stdin. REF is an action with its arguments: export(format: jpeg).",
      "'menuctl help VERB' shows a verb's options, 'menuctl help topics' what else there is to read.",
    ]
    return """
      menuctl runs a script of menu commands and shows what it does.

      usage: menuctl VERB APP [ARGUMENTS] [OPTIONS]

      \(Rows(zip(verbs, Verb.all.map(\.summary))).text(columns: columns))

      \(closing.flatMap { $0.wrapped(to: columns) }.joined(separator: "\n"))
      """
  }

  /// The page on a word, in one of the forms.
  static func text(of word: String, _ wanted: HelpSubject?, _ form: HelpForm) throws(Problem) -> String {
    let subjects = wanted.map { [$0] } ?? HelpSubject.inOrder(for: word)
    guard let subject = subjects.first(where: { $0.page(of: word) != nil }), let page = subject.page(of: word) else {
      if wanted == nil, form == .text, let found = HelpSearch.text(of: word, columns: columns) { return found }
      let kind = wanted?.rawValue ?? "verb, topic, code or name"
      let short = subjects.contains(.name) ? LanguageReference.shortNames : []
      let near = didYouMean(word, among: subjects.flatMap(\.known) + short)
      throw Problem(.usage, "there is no \(kind) '\(word)'\(near)", help: hint)
    }
    switch form {
    case .man: throw Problem(.usage, "only the whole tool has a man page", help: "usage: menuctl help --form man")
    case .markdown:
      switch word {
      case "language": return LanguageReference.markdown
      case "topics": return Topic.markdown
      default: return page.markdown(level: 1)
      }
    case .text:
      // Without a terminal the options of a verb are not wrapped.
      var text = subject == .verb ? page.text(upTo: columns) : page.text(columns: columns)
      var others = wanted == nil ? subject.others(of: word) : []
      // A question about a verb is as often about the topic of that name, such as the list of all key names, so that is shown too.
      if subject == .verb, others.first == .topic, let topic = HelpSubject.topic.page(of: word) {
        others.removeFirst()
        text += "\n\n" + topic.text(columns: columns)
      }
      if others.isEmpty { return text }
      let also = others.map { "'menuctl help \(word) --kind \($0.rawValue)'" }.joined(separator: ", ")
      return "\(text)\n\nSee also: \(also)"
    }
  }
}
