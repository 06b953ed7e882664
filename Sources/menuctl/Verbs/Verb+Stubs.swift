extension Verb {
  static let stubs = Verb(
    name: "stubs", operands: [Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "write annotations for editors (LuaCATS): the language, and an app's own names",
    options: Option.loading
  )
}

extension VerbBody {
  static let stubs = VerbBody(.stubs) { session in
    guard !session.invocation.operands.isEmpty else { return Reply(answer: .text(Stubs().text.withoutLastLineEnd)) }
    // What scripts print goes to stderr, because it is no annotation.
    session.output.isData = true
    try session.load()
    let names = session.host.quietly { AppNames(of: session.host, source: session.source?.name ?? "") }
    return Reply(answer: .text(Stubs(app: names).text.withoutLastLineEnd))
  }
}

extension String {
  /// The text without its last newline, which `Output` adds.
  var withoutLastLineEnd: String { utf8.last == UInt8(ascii: "\n") ? String(dropLast()) : self }
}
