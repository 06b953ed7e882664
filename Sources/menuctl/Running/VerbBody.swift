/// The *body* of a verb does it: it asks a session, and says what it found out.
struct VerbBody: Sendable {
  let verb: Verb
  let run: @Sendable (Session) throws -> Reply

  init(_ verb: Verb, run: @escaping @Sendable (Session) throws -> Reply) {
    self.verb = verb
    self.run = run
  }
}

/// What a verb answers, and the exit status of the tool.
struct Reply {
  /// Nil where all was said already.
  var answer: Shown?
  var status = ExitStatus.done
}
