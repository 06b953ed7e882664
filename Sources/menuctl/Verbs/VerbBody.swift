/// The *body* of a verb does it: it asks a session, and says what it found out.
struct VerbBody: Sendable {
  let verb: Verb
  let run: @Sendable (Session) throws -> Reply

  init(_ verb: Verb, run: @escaping @Sendable (Session) throws -> Reply) {
    self.verb = verb
    self.run = run
  }

  private static let all: [VerbBody] = [
    load, menu, perform, press, pick, validate, why, chain, context, actions, keys, check, test, repl, record, replay,
    plugin, ui, serve, sessions, stop, new, stubs, completions, help, version, complete,
  ]

  static func of(_ verb: Verb) -> VerbBody { all.first { $0.verb.name == verb.name } ?? overview }
}

/// What a verb answers, and the exit status of the tool.
struct Reply {
  /// Nil where all was said already.
  var answer: Shown?
  var status = ExitStatus.done
}
