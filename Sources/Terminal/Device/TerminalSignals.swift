import Glibc
import LiveHost

/// Passes a terminal's signals to the loop that draws on it, through an alarm.
enum TerminalSignals {
  nonisolated(unsafe) private static var descriptor: Int32 = -1

  /// Writes a byte to a descriptor for each signal from now on: for another size, to stop, to continue. The calling thread receives them.
  static func ring(_ ring: Int32) {
    descriptor = ring
    for signal in [SIGWINCH, SIGTSTP, SIGCONT] { handle(signal) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGWINCH, SIGTSTP, SIGCONT] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func handle(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      let error = errno
      var byte = UInt8(truncatingIfNeeded: signal)
      _ = write(TerminalSignals.descriptor, &byte, 1)
      errno = error
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// Stops the process, as the signal does without a handler, until it is continued. If no process could continue it, it goes on at once.
  ///
  /// The continuing signal isn't rung: who stops takes the screen again itself, and to take it twice would lose the keys typed in between.
  static func stop() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    for signal in [SIGTSTP, SIGCONT] { sigaction(signal, &action, nil) }
    raise(SIGTSTP)
    for signal in [SIGTSTP, SIGCONT] { handle(signal) }
  }
}
