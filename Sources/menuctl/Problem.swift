import ScriptHost

/// Why the tool can't do what it was asked for.
struct Problem: Error {
  enum Content {
    /// A sentence about the command line, and what may help.
    case sentence(String, help: String?)
    /// A reference on the command line can't be read.
    case reference(ReferenceError)
    /// The script does not load.
    case script(Diagnostic)
  }

  let status: ExitStatus
  let content: Content

  init(_ status: ExitStatus, _ sentence: String, help: String? = nil) {
    self.status = status
    content = .sentence(sentence, help: help)
  }

  init(_ error: ReferenceError) {
    status = .usage
    content = .reference(error)
  }

  init(_ error: LoadError) {
    status = ExitStatus(error)
    let failure = error.failure
    content = .script(Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place))
  }
}
