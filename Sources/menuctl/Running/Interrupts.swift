import Glibc
import ScriptHost
import Synchronization

/// Ctrl-C: the script that runs is ended; where none does, or it doesn't end, the tool is.
final class Interrupts: Sendable {
  private let ending = Mutex<(@Sendable () -> Void)?>(nil)

  /// Holds the signal back on this thread, and on those that it starts, for `wait`.
  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// From now on an interrupt ends what a script runs.
  func cancel(with canceller: LuaCanceller) { cancel { canceller.cancel() } }

  /// From now on an interrupt does this, which must end what scripts run.
  func cancel(_ ending: @escaping @Sendable () -> Void) { self.ending.withLock { $0 = ending } }

  /// While the body runs, an interrupt ends the tool at once.
  func endingAtOnce<Result>(_ body: () -> Result) -> Result {
    let before = ending.withLock { ending in
      defer { ending = nil }
      return ending
    }
    defer { ending.withLock { $0 = before } }
    return body()
  }

  /// Waits for an interrupt for as long as the process lives.
  func wait() -> Never {
    var signals = Self.signals
    var signal: Int32 = 0
    while sigwait(&signals, &signal) != 0 {}
    guard let ending = ending.withLock({ $0 }) else { _exit(ExitStatus.interrupted.rawValue) }
    ending()
    // A script ends within milliseconds; what doesn't end within a second waits for something else.
    var patience = timespec(tv_sec: 1, tv_nsec: 0)
    sigtimedwait(&signals, nil, &patience)
    _exit(ExitStatus.interrupted.rawValue)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    return signals
  }
}
