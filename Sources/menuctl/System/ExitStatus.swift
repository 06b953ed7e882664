import ScriptHost

/// The exit status of the tool. Of several the highest counts.
enum ExitStatus: Int32, Comparable {
  /// Yes, done.
  case done = 0
  /// The answer is no: disabled, blocked, not now.
  case no = 1
  /// The command line can't be understood.
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
  /// A capability was needed that nobody granted.
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
