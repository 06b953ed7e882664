// A9: what scripts have from outside of the host is noted while a session is written down, and given back when it is done again.

/// What one call of a script's was given from outside of the host, as recordings have it.
package final class Given {
  /// What is called: 'exec', 'fs.read', 'os.time'; 'app.store' for what was stored before.
  package let call: String
  package let arguments: [LuaTree]
  package var values: [Literal] = []
  /// The lines that a program wrote, where each was told.
  package var lines: [Literal] = []
  /// For how many seconds of the host's time it waited.
  package var seconds = 0.0
  /// Whether it has ended. One that never did was cancelled with the action that made it, or went on when nobody looked any more.
  package var hasEnded = false
  /// Why it raised instead.
  package var failure: (code: Failure.Code, message: String)?

  package init(_ call: String, _ arguments: [LuaTree] = []) {
    self.call = call
    self.arguments = arguments
  }
}

/// How a host reaches the outside other than by itself. It is said before anything is loaded.
package enum Outside {
  /// Each call is told of as it begins, so that they stand in the order in which they were made; what it gave is known once it has ended.
  case noted((Given) -> Void)
  /// Nothing is read, run or looked at: each call gives what is said here; nil where nobody knows.
  case given((_ call: String, _ arguments: [LuaTree]) -> Given?)
}
