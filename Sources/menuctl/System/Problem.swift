import LiveHost
import ScriptHost

/// Why the tool can't do what the command line asks for.
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
  private(set) var content: Content
  /// The script that the diagnostic is about, if the output doesn't know it already.
  private(set) var source: Source?

  /// What is wrong, in one sentence.
  var sentence: String {
    switch content {
    case .sentence(let sentence, help: _): sentence
    case .reference(let error): error.message
    case .script(let diagnostic): diagnostic.message
    }
  }

  init(_ status: ExitStatus, _ sentence: String, help: String? = nil) {
    self.status = status
    content = .sentence(sentence, help: help)
  }

  init(_ error: ReferenceError) {
    status = .usage
    content = .reference(error)
  }

  /// A problem with a script that is a part of the command line.
  init(_ status: ExitStatus, _ diagnostic: Diagnostic, in source: Source) {
    self.status = status
    self.source = source
    content = .script(diagnostic)
  }

  /// The same problem with a help sentence.
  func helped(_ help: String) -> Problem {
    var helped = self
    switch content {
    case .sentence(let sentence, help: _): helped.content = .sentence(sentence, help: help)
    case .script(var diagnostic):
      diagnostic.help = help
      helped.content = .script(diagnostic)
    case .reference: break
    }
    return helped
  }

  init(_ refusal: Unanswered) {
    if let reference = refusal.reference {
      self.init(reference)
      return
    }
    let status: ExitStatus =
      switch refusal.kind {
      case .asking: .usage
      case .now, .silent: .no
      case .gone: .noSuchFile
      }
    self.init(status, refusal.message)
  }

  init(_ error: LoadError) {
    status = ExitStatus(error)
    let failure = error.failure
    content = .script(Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place))
  }
}
