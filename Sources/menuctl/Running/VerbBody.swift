/// The *body* of a verb carries it out: it asks a session, and gives a reply.
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
  /// Nil if everything was written already.
  var answer: Shown?
  var status = ExitStatus.done
}
