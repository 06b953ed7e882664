import Glibc
import LiveHost

/// Hands a terminal's signals to whoever draws on it: it is told by an alarm, in its own loop.
enum TerminalSignals {
  nonisolated(unsafe) private static var descriptor: Int32 = -1

  /// Rings from now on: another size, to be stopped, to go on. The thread that calls takes them.
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

  /// Stops the process as if nobody had taken the signal, until it is told to go on. Where nobody could tell it to, it goes on at once.
  static func stop() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &action, nil)
    raise(SIGTSTP)
    handle(SIGTSTP)
  }
}
