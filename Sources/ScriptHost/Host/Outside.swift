// A9: while a session is recorded, notes what scripts get from outside of the host; when it is replayed, gives them the same again.

/// What one call of a script got from outside of the host, as it stands in the record of a session.
package final class Given {
  /// The function that was called: 'exec', 'fs.read', 'os.time'; 'app.store' for the values stored earlier.
  package let call: String
  package let arguments: [LuaTree]
  package var values: [Literal] = []
  /// The lines that a program wrote, if the script was given each line as it came.
  package var lines: [Literal] = []
  /// How many seconds it waited, by the host's clock.
  package var seconds = 0.0
  /// Whether it has ended. If it never did, it was cancelled with its action, or still ran when the session ended.
  package var hasEnded = false
  /// The failure with which it raised, if it did.
  package var failure: (code: Failure.Code, message: String)?

  package init(_ call: String, _ arguments: [LuaTree] = []) {
    self.call = call
    self.arguments = arguments
  }
}

/// Replaces or observes a host's access to the outside. Set before anything is loaded.
package enum Outside {
  /// Passes each call to the closure as it begins, so that the record is in the order of calls; the results are filled in when it has ended.
  case noted((Given) -> Void)
  /// Reaches nothing outside: the closure says what each call gives; nil if it isn't known.
  case given((_ call: String, _ arguments: [LuaTree]) -> Given?)
}
