/// The *body* of a verb runs it: it uses a session, and returns a reply.
struct VerbBody: Sendable {
  let verb: Verb
  let run: @Sendable (Session) throws -> Reply

  init(_ verb: Verb, run: @escaping @Sendable (Session) throws -> Reply) {
    self.verb = verb
    self.run = run
  }
}

/// A verb's answer, and the exit status of the tool.
struct Reply {
  /// Nil if all of it was written already.
  var answer: Shown?
  var status = ExitStatus.done
}
