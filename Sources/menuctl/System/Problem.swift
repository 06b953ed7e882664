import Glibc
import LiveHost
import ScriptHost

/// The reason why the tool can't do what the command line requests.
struct Problem: Error {
  enum Content {
    /// A sentence about the command line, and a hint.
    case sentence(String, help: String?)
    /// A reference on the command line can't be read.
    case reference(ReferenceError)
    /// The script does not load.
    case script(Diagnostic)
  }

  let status: ExitStatus
  private(set) var content: Content
  /// The script of the diagnostic, if the output doesn't have it.
  private(set) var source: Source?

  /// The error, in one sentence.
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

  /// Makes a problem with a script on the command line.
  init(_ status: ExitStatus, _ diagnostic: Diagnostic, in source: Source) {
    self.status = status
    self.source = source
    content = .script(diagnostic)
  }

  /// Returns the same problem with a help sentence.
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

/// The exit status of the tool. Of several the highest counts.
enum ExitStatus: Int32, Comparable {
  /// Yes, done.
  case done = 0
  /// The answer is no: disabled, blocked, not now.
  case no = 1
  /// The command line is wrong.
  case usage = 64
  /// The script does not load.
  case unloadable = 65
  case noSuchFile = 66
  /// No responder handled the action.
  case unhandled = 69
  /// A script raised while it ran.
  case raised = 70
  /// A limit of time, instructions or memory was spent.
  case limit = 75
  /// A capability is missing.
  case refused = 77
  case interrupted = 130

  static func < (left: ExitStatus, right: ExitStatus) -> Bool { left.rawValue < right.rawValue }
}

extension ExitStatus {
  init(_ outcome: Outcome) {
    switch outcome.status {
    case .handled, .running: self = .done
    case .disabled: self = outcome.error?.limit == nil ? .no : .limit
    case .blocked, .pending, .asks: self = .no
    case .unhandled: self = .unhandled
    case .cancelled: self = outcome.error?.code == .cancelled ? .interrupted : .no
    case .failed: self = outcome.error.map(ExitStatus.init) ?? .raised
    }
  }

  /// The status of a script that failed while it ran.
  init(_ failure: Failure) {
    switch failure.code {
    case .limit: self = .limit
    case .cancelled: self = .interrupted
    case .capability: self = .refused
    default: self = .raised
    }
  }

  /// The status of a script that does not load.
  init(_ error: LoadError) {
    switch (error.kind, error.failure.code) {
    case (.unreadable, _): self = .noSuchFile
    case (_, .limit): self = .limit
    case (_, .cancelled): self = .interrupted
    case (_, .capability): self = .refused
    default: self = .unloadable
    }
  }
}

/// A *guarded* value is reached by one thread at a time.
///
/// It uses a pthread mutex, because the thread sanitizer can't see Swift's own `Mutex`.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
