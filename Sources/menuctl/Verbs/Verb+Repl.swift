extension Verb {
  static let repl: Verb = Verb(
    name: "repl", operands: [Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "explore an app: lines of Lua, and commands that begin with ':'",
    options: [.strict] + Option.loading.filter { $0 != .json }, asksLive: true
  )
}

extension VerbBody {
  static let repl = VerbBody(.repl) { session in
    if session.invocation.operands.first == "-" {
      throw Problem(.usage, "stdin can't be both the script and the lines", help: "usage: \(Verb.repl.usage)")
    }
    if session.invocation.operands.isEmpty { try session.loadNothing() } else { try session.load() }
    return Reply(status: Repl(session).run())
  }
}
