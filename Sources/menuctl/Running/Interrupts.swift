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
    /// Who is told of signals, and ends the tool itself.
    var serving: (@Sendable (Int32) -> Void)?
  }

  private let state = Guarded(State())
  let watchdog = Watchdog()

  /// Holds the signals back on this thread, and on those that it starts, for `wait`.
  init() {
    var signals = Self.set(of: Self.signals)
    // Who edits lines wants to know the size of the terminal, and nobody else minds.
    sigaddset(&signals, SIGWINCH)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// From now on an interrupt ends what a script runs.
  func cancel(with canceller: LuaCanceller) { cancel { canceller.cancel() } }

  /// From now on an interrupt does this, which must end what scripts run.
  func cancel(_ ending: @escaping @Sendable () -> Void) { state.withLock { $0.ending = ending } }

  /// While the body runs, an interrupt ends the tool at once.
  ///
  /// - Parameter leaving: what must be done before it is ended.
  func endingAtOnce<Result>(leaving: (@Sendable () -> Void)? = nil, _ body: () -> Result) -> Result {
    let before = state.withLock { state in
      let before = state
      state.ending = nil
      if let leaving {
        state.leaving = { [outer = state.leaving] in
          leaving()
          outer?()
        }
      }
      return before
    }
    defer {
      state.withLock { state in
        state.ending = before.ending
        state.leaving = before.leaving
      }
    }
    return body()
  }

  /// While the body asks a person, an interrupt ends the tool at once, and what comes next stands on a line of its own.
  func asking<Result>(leaving: (@Sendable () -> Void)? = nil, _ body: () -> Result) -> Result {
    endingAtOnce(
      leaving: {
        leaving?()
        _ = write(STDERR_FILENO, "\n", 1)
      }, body)
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

  /// From now on whoever serves is told of each signal, and ends the tool itself; where that takes too long it is ended.
  func serve(leaving: @escaping @Sendable () -> Void, _ told: @escaping @Sendable (Int32) -> Void) {
    state.withLock { state in
      state.serving = told
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
    var interrupts = Self.set(of: [SIGINT, SIGTERM])
    var none = Self.set(of: [])
    while true {
      let (signal, watch) = LuaWatch.wait(for: Self.signals)
      let state = self.state.withLock { $0 }
      if let watch {
        if let problem = watchdog.look(watch) { end(by: problem, state.leaving) }
        continue
      }
      if signal == Watchdog.signal { continue }
      if let serving = state.serving {
        serving(signal)
        if signal == SIGHUP { continue }
        // A second signal changes nothing: 'timeout' sends two at once.
        Self.wait(seconds: 3, orFor: &none)
        end(by: Self.stuck, state.leaving)
      }
      if signal == SIGTERM || signal == SIGHUP { end(by: signal, state.leaving) }
      if let idle = state.idle {
        (state.isIdle ? idle : state.ending ?? {})()
        continue
      }
      guard let ending = state.ending else {
        state.leaving?()
        end(with: .interrupted)
      }
      ending()
      // A script ends within milliseconds; what doesn't end within a second waits for something else.
      Self.wait(seconds: 1, orFor: &interrupts)
      end(with: .interrupted)
    }
  }

  /// Waits for so long, or for one of the signals: to be stopped meanwhile, and to go on, counts as neither.
  private static func wait(seconds: Int, orFor signals: inout sigset_t) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let end = now.tv_sec + seconds
    while now.tv_sec < end {
      var rest = timespec(tv_sec: end - now.tv_sec, tv_nsec: 0)
      if sigtimedwait(&signals, nil, &rest) >= 0 || errno != EINTR { return }
      clock_gettime(CLOCK_MONOTONIC, &now)
    }
  }

  /// What is said where whoever serves did not end by itself.
  private static let stuck = Problem(
    .limit, "this did not end within 3 seconds of being told to: it is ended as it stands, and nothing is taken back")

  /// Ends the tool because a script can't be, or whoever serves.
  private func end(by problem: Problem, _ leaving: (@Sendable () -> Void)?) -> Never {
    leaving?()
    // The one that the script's thread writes to may be in the middle of something, or wait for who reads it.
    let output = Output()
    let outlets = output.neverWait()
    output.isJSON = watchdog.isJSON
    output.show(problem)
    for outlet in outlets { outlet.flushForGood() }
    end(with: problem.status)
  }

  /// Ends the tool, and what scripts have started.
  private func end(with status: ExitStatus) -> Never {
    RunningPrograms.endAll()
    _exit(status.rawValue)
  }

  /// Ends the tool as the signal would have.
  private func end(by signal: Int32, _ leaving: (@Sendable () -> Void)?) -> Never {
    leaving?()
    RunningPrograms.endAll()
    Glibc.signal(signal, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    _exit(128 + signal)
  }

  /// Who started the tool may have it outlive its terminal.
  private static let signals = [SIGINT, SIGTERM, Watchdog.signal] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

  /// Whether a signal is given to nobody, which the system writes as a handler at 1.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
