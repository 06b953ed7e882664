import Glibc

extension Verb {
  static let help: Verb = Verb(
    name: "help", operands: [Operand(name: "VERB|TOPIC|CODE", isOptional: true, kind: .subject)],
    summary: "show what there is: a verb, a topic, a name of the script language or the code of a diagnostic",
    options: [.subject, .form, .help]
  )
}

extension VerbBody {
  static let help = VerbBody(.help) { session in
    let form = try session.invocation.choice(.form, of: HelpForm.self) ?? .text
    let subject = try session.invocation.choice(.subject, of: HelpSubject.self)
    guard let word = session.invocation.operands.first else {
      switch form {
      case .text: return Reply(answer: .text(Help.all(columns: Help.columns)))
      case .man: return Reply(answer: .text(ManualPage.text.withoutLastLineEnd))
      case .markdown: throw Problem(.usage, "what is to be written as markdown?", help: Help.hint)
      }
    }
    return Reply(answer: .text(try Help.text(of: word, subject, form).withoutLastLineEnd))
  }
}

extension Verb {
  /// What a call without a word comes to. It did nothing, so it is a no to whoever left the verb out by mistake.
  static let overview = Verb(name: "", operands: [], summary: "", options: [])
}

extension VerbBody {
  static let overview = VerbBody(.overview) { _ in
    Reply(answer: .text(Help.all(columns: Help.columns)), status: .usage)
  }
}

/// How the help is written.
enum HelpForm: String, CaseIterable {
  case text, markdown, man
}

extension Option {
  static let subject = Option(
    name: "--kind", value: "KIND", choices: HelpSubject.allCases.map(\.rawValue),
    summary: "take the word for a verb, a topic, a name or a code")
  static let form = Option(
    name: "--form", value: "FORM", choices: HelpForm.allCases.map(\.rawValue),
    summary: "write it as text (the default) or markdown; without a word as man: the tool's man page")
}

/// What the help says.
enum Help {
  static let hint =
    "'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language"

  /// How wide it is written: what is no terminal is not limited.
  static var columns: Int { menuctl.columns(of: STDOUT_FILENO) }

  /// The words that shells offer.
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

  /// The page on a word, in a form.
  static func text(of word: String, _ wanted: HelpSubject?, _ form: HelpForm) throws(Problem) -> String {
    let subjects = wanted.map { [$0] } ?? HelpSubject.allCases
    guard let subject = subjects.first(where: { $0.page(of: word) != nil }), let page = subject.page(of: word) else {
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
      // The options of a verb are shown as wide as they come where nothing limits them.
      var text = subject == .verb ? page.text(upTo: columns) : page.text(columns: columns)
      var others = wanted == nil ? subject.others(of: word) : []
      // What is asked about is the idea as often as the verb: the list of all key names is one.
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
