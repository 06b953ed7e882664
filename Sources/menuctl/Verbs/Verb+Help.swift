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
  /// The verb of a command line without words: it shows the help, with the status of a usage error, in case the verb was forgotten.
  static let overview = Verb(name: "", operands: [], summary: "", options: [])
}

extension VerbBody {
  static let overview = VerbBody(.overview) { _ in
    Reply(answer: .text(Help.all(columns: Help.columns)), status: .usage)
  }
}

extension Option {
  static let subject = Option(
    name: "--kind", value: "KIND", choices: HelpSubject.allCases.map(\.rawValue),
    summary: "take the word for a verb, a topic, a name or a code")
  static let form = Option(
    name: "--form", value: "FORM", choices: HelpForm.allCases.map(\.rawValue),
    summary: "write it as text (the default) or markdown; without a word as man: the tool's man page")
}
