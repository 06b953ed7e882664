extension Verb {
  static let help: Verb = Verb(
    name: "help", operands: [Operand(name: "VERB", isOptional: true, kind: .verb)],
    summary: "show what there is, or one verb",
    options: [.help]
  ) { session in
    guard let name = session.invocation.operands.first else { return Reply(answer: .text(Help.all)) }
    guard let verb = Verb.named(name) else {
      let near = didYouMean(name, among: Verb.all.map(\.name))
      throw Problem(.usage, "there is no verb '\(name)'\(near)", help: Invocation.helpHint)
    }
    return Reply(answer: .text(Help.text(verb)))
  }
}

/// What the help says, made from the table of verbs and options.
enum Help {
  static var all: String {
    let verbs = Verb.all.map { ([$0.name] + $0.operands.map(\.usage)).joined(separator: " ") }
    return """
      menuctl runs a script of menu commands and shows what it does.

      usage: menuctl VERB APP [ARGUMENTS] [OPTIONS]

      \(table(zip(verbs, Verb.all.map(\.summary))))

      APP is a script, a folder with app.lua, or - for stdin. REF is an action with its arguments: export(format: jpeg).
      'menuctl help VERB' shows a verb's options.
      exit status: 0 done, 1 no, 64 usage, 65 the script does not load, 66 no such file, 69 nobody handled it,
      70 the script raised, 75 a limit was spent, 130 interrupted
      """
  }

  static func text(_ verb: Verb) -> String {
    let own = verb.options.filter { !Option.loading.contains($0) }
    let common = verb.options.filter(Option.loading.contains)
    let heading = own.isEmpty ? "" : "\n\(table(own.map { ($0.usage, $0.summary) }))\n"
    return """
      usage: \(verb.usage) [OPTIONS]

      \(verb.summary)
      \(heading)
      \(table(common.map { ($0.usage, $0.summary) }))
      """
  }

  static func table(_ rows: some Sequence<(String, String)>) -> String {
    let rows = Array(rows)
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
  }
}
