import Glibc
import ScriptHost
import Terminal

/// Handles Ctrl-C and the other signals: an interrupt ends the running script, or the tool if no script runs or the script doesn't end.
/// A signal that ends the tool cancels the action under way first, so that it is taken back.
///
/// In a session with a person an interrupt never ends the tool: it ends the running script, or else drops the line that is being typed.
final class Interrupts: Sendable {
  private struct State {
    var ending: (@Sendable () -> Void)?
    /// What an interrupt does while no script runs, in a session where it never ends the tool.
    var idle: (@Sendable () -> Void)?
    var isIdle = false
    /// Cleans up before the tool ends, for example restores the terminal.
    var leaving: (@Sendable () -> Void)?
    /// How many times the tool has called into an app and waits for it to return.
    var working = 0
    /// The signal by which the tool ends as soon as the app returns.
    var last: Int32?
    /// The callback of a server, which gets each signal and ends the tool by itself.
    var serving: (@Sendable (Int32) -> Void)?
  }

  private let state = Guarded(State())
  let watchdog = Watchdog()

  /// Blocks the signals on this thread and on the threads that it starts, so that `wait` gets them.
  init() {
    var signals = Self.set(of: Self.signals)
    // Blocked too, because the line editor wants to know the terminal's size and nobody else needs the signal.
    sigaddset(&signals, SIGWINCH)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Makes an interrupt end the running script from now on.
  func cancel(with canceller: Canceller) { cancel { canceller.cancel() } }

  /// Makes an interrupt call this from now on; it must end whatever scripts run.
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

  /// Runs a body that calls into an app, whose actions may wait. A signal that ends the tool cancels the action, and the tool ends when the body
  /// returns: nothing of the action is left half done.
  func working<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
    state.withLock { $0.working += 1 }
    defer {
      let state = state.withLock { state in
        state.working -= 1
        return state
      }
      if let signal = state.last, state.working == 0 { end(by: signal, state.leaving) }
    }
    return try body()
  }

  /// Whether a signal ends the tool as soon as the app returns.
  var isEnding: Bool { state.withLock { $0.last != nil } }

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
  ///   - idle: what an interrupt does while no script runs.
  ///   - leaving: cleans up before a signal from outside ends the tool.
  func stay(whileIdle idle: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.idle = idle
      state.leaving = leaving
    }
  }

  /// Passes each signal to a server's callback from now on. The server ends the tool by itself; if it takes too long, the tool is ended.
  func serve(leaving: (@Sendable () -> Void)? = nil, _ told: @escaping @Sendable (Int32) -> Void) {
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

  /// Waits for signals and handles them, for as long as the process lives.
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
      if signal == SIGTERM || signal == SIGHUP {
        let ending = self.state.withLock { state -> (@Sendable () -> Void)? in
          guard state.working > 0 else { return nil }
          state.last = signal
          return state.ending
        }
        if let ending {
          ending()
          // 'working' ends the tool within milliseconds. A second signal changes nothing: 'timeout' sends two at once.
          Self.wait(seconds: 1, orFor: &none)
        }
        end(by: signal, state.leaving)
      }
      if let idle = state.idle {
        if state.isIdle {
          idle()
        } else {
          // The terminal shows '^C', and what comes next stands below it.
          if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, "\n", 1) }
          state.ending?()
        }
        continue
      }
      guard let ending = state.ending else {
        end(with: .interrupted, state.leaving)
      }
      ending()
      // A script ends within milliseconds. What hasn't ended after a second waits for something else.
      Self.wait(seconds: 1, orFor: &interrupts)
      end(with: .interrupted)
    }
  }

  /// Waits some seconds, or until one of the signals comes. Being stopped and continued (SIGSTOP, SIGCONT) doesn't end the wait.
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

  /// The problem that is shown if a server doesn't end by itself.
  private static let stuck = Problem(
    .limit, "this did not end within 3 seconds of being told to: it is ended as it stands, and nothing is taken back")

  /// Ends the tool because a script or a server can't be ended.
  private func end(by problem: Problem, _ leaving: (@Sendable () -> Void)?) -> Never {
    leave(leaving)
    // A new output, because that of the script's thread may be in the middle of a line, or wait for its reader.
    let output = Output()
    let outlets = output.neverWait()
    output.isJSON = watchdog.isJSON
    output.show(problem)
    for outlet in outlets { outlet.flushForGood() }
    end(with: problem.status)
  }

  private func end(with status: ExitStatus, _ leaving: (@Sendable () -> Void)? = nil) -> Never {
    leave(leaving)
    _exit(status.rawValue)
  }

  /// Does what must be done before the tool ends: ends the programs that scripts have started, and restores the terminal.
  private func leave(_ leaving: (@Sendable () -> Void)?) {
    leaving?()
    TerminalKeeper.end()
  }

  /// Ends the tool as the signal would have.
  private func end(by signal: Int32, _ leaving: (@Sendable () -> Void)?) -> Never {
    leave(leaving)
    Glibc.signal(signal, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    _exit(128 + signal)
  }

  /// The signals that `wait` waits for. SIGHUP is left out if it was ignored at the start, as `nohup` does, so that the tool outlives its terminal.
  private static let signals = [SIGINT, SIGTERM, Watchdog.signal] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

  /// Whether a signal is ignored: its handler is `SIG_IGN`, the address 1.
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
