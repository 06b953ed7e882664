extension ScriptHost {
  /// The error that ended a line.
  func lineError(_ error: any Error) -> LineError {
    // Finding out whose fault the error is may set an owner aside.
    defer { dispatcher.doPostponed() }
    switch error {
    case let error as LuaError:
      let failure =
        scripts?.failure(error, owner: scripts?.app?.owner ?? program) ?? Failure(.script, error.message)
      guard let isIncomplete = error.isIncomplete else { return LineError(kind: .raised, failure: failure) }
      return LineError(kind: isIncomplete ? .incomplete : .unreadable, failure: failure)
    case let error as LoadError: return LineError(kind: .raised, failure: error.failure)
    default: return LineError(kind: .raised, failure: Failure(.misuse, "\(error)"))
    }
  }
}

extension LuaError {
  /// For an error of reading, whether something is missing at the end; nil for an error of code that was read.
  var isIncomplete: Bool? {
    switch kind {
    case .syntax: message.hasSuffix("near <eof>")
    case .notText, .tooLong, .badName: false
    default: nil
    }
  }
}
