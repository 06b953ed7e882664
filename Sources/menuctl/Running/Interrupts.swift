import Glibc
import ScriptHost

/// Ctrl-C: the script that runs is ended; where none does, or it doesn't end, the tool is.
///
/// In a session with a person only the script is, and where none runs, the line that is being written.
final class Interrupts: Sendable {
  private struct State {
    var ending: (@Sendable () -> Void)?
    /// What an interrupt does while no script runs, where it never ends the tool.
    var idle: (@Sendable () -> Void)?
    var isIdle = false
    /// What must be done before the tool is ended.
    var leaving: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  /// Holds the signals back on this thread, and on those that it starts, for `wait`.
  init() {
    var signals = Self.signals
    // Who edits lines wants to know the size of the terminal, and nobody else minds.
    sigaddset(&signals, SIGWINCH)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// From now on an interrupt ends what a script runs.
  func cancel(with canceller: LuaCanceller) { cancel { canceller.cancel() } }

  /// From now on an interrupt does this, which must end what scripts run.
  func cancel(_ ending: @escaping @Sendable () -> Void) { state.withLock { $0.ending = ending } }

  /// While the body runs, an interrupt ends the tool at once.
  func endingAtOnce<Result>(_ body: () -> Result) -> Result {
    let before = state.withLock { state in
      defer { state.ending = nil }
      return state.ending
    }
    defer { state.withLock { $0.ending = before } }
    return body()
  }

  /// From now on no interrupt ends the tool.
  ///
  /// - Parameters:
  ///   - idle: what one does while no script runs.
  ///   - leaving: what must be done before the tool is ended from outside.
  func stay(whileIdle idle: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.idle = idle
      state.leaving = leaving
    }
  }

  /// Whether no script runs.
  var isIdle: Bool {
    get { state.withLock { $0.isIdle } }
    set { state.withLock { $0.isIdle = newValue } }
  }

  /// Waits for interrupts for as long as the process lives.
  func wait() -> Never {
    var signals = Self.signals
    while true {
      var signal: Int32 = 0
      guard sigwait(&signals, &signal) == 0 else { continue }
      let state = self.state.withLock { $0 }
      if signal == SIGTERM { end(by: signal, state.leaving) }
      if let idle = state.idle {
        (state.isIdle ? idle : state.ending ?? {})()
        continue
      }
      guard let ending = state.ending else { _exit(ExitStatus.interrupted.rawValue) }
      ending()
      // A script ends within milliseconds; what doesn't end within a second waits for something else.
      var patience = timespec(tv_sec: 1, tv_nsec: 0)
      sigtimedwait(&signals, nil, &patience)
      _exit(ExitStatus.interrupted.rawValue)
    }
  }

  /// Ends the tool as the signal would have.
  private func end(by signal: Int32, _ leaving: (@Sendable () -> Void)?) -> Never {
    leaving?()
    Glibc.signal(signal, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    _exit(128 + signal)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }
}
