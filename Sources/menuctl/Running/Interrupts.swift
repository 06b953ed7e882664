import Glibc
import ScriptHost
import Terminal

/// Handles Ctrl-C and other signals: an interrupt ends the running script, or the tool.
///
/// Without a script, or if the script doesn't end, the tool first cancels the current action, which takes it back. In a
/// session with a person an interrupt never ends the tool: it ends the running script, or drops the unfinished line.
final class Interrupts: Sendable {
  private struct State {
    var ending: (@Sendable () -> Void)?
    /// Called for an interrupt without a running script, in a session where it never ends the tool.
    var idle: (@Sendable () -> Void)?
    var isIdle = false
    /// Cleans up before the tool ends, for example restores the terminal.
    var leaving: (@Sendable () -> Void)?
    /// The number of calls into an app that have not returned.
    var working = 0
    /// The signal with which the tool ends as soon as the app returns.
    var last: Int32?
    /// The callback of a server, which gets each signal and ends the tool itself.
    var serving: (@Sendable (Int32) -> Void)?
  }

  private let state = Guarded(State())
  let watchdog = Watchdog()

  /// Blocks the signals on this thread and its later threads, so that `wait` gets them.
  init() {
    var signals = Self.set(of: Self.signals)
    // Blocked too: only the line editor uses the terminal's size.
    sigaddset(&signals, SIGWINCH)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Makes an interrupt end the running script from now on.
  func cancel(with canceller: Canceller) { cancel { canceller.cancel() } }

  /// Makes an interrupt call this function from now on; it must end all running scripts.
  func cancel(_ ending: @escaping @Sendable () -> Void) { state.withLock { $0.ending = ending } }

  /// While the body runs, an interrupt ends the tool at once.
  ///
  /// - Parameter leaving: cleans up before the tool ends.
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

  /// Runs a body that calls into an app, whose actions may wait. A signal that ends the tool cancels the action, and
  /// the tool ends when the body returns. So no action is left half done.
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

  /// While the body asks a person, an interrupt ends the tool at once, after a new line.
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
  ///   - idle: called for an interrupt without a running script.
  ///   - leaving: cleans up before another signal ends the tool.
  func stay(whileIdle idle: @escaping @Sendable () -> Void, leaving: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.idle = idle
      state.leaving = leaving
    }
  }

  /// Passes each signal to a server's callback from now on. If the server doesn't end in time, the tool ends.
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

  /// Waits for signals and handles them, until the process ends.
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
          // The terminal shows '^C', and later output goes below it.
          if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, "\n", 1) }
          state.ending?()
        }
        continue
      }
      guard let ending = state.ending else {
        end(with: .interrupted, state.leaving)
      }
      ending()
      // A script ends within milliseconds. If it hasn't ended after a second, it waits for something else.
      Self.wait(seconds: 1, orFor: &interrupts)
      end(with: .interrupted)
    }
  }

  /// Waits some seconds, or until one of the signals comes. SIGSTOP and SIGCONT don't end the wait.
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

  /// The problem of a server that doesn't end itself.
  private static let stuck = Problem(
    .limit, "this did not end within 3 seconds after the signal, so the tool ends it without undoing anything")

  /// Ends the tool because a script or a server doesn't end.
  private func end(by problem: Problem, _ leaving: (@Sendable () -> Void)?) -> Never {
    leave(leaving)
    // A new output: the script thread's output may be in the middle of a line, or wait for its reader.
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

  /// Cleans up before the tool ends: ends the programs of scripts, and restores the terminal.
  private func leave(_ leaving: (@Sendable () -> Void)?) {
    leaving?()
    TerminalKeeper.end()
  }

  /// Ends the tool like the signal.
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

  /// The signals that `wait` handles. Skips SIGHUP if it was ignored at the start, as by `nohup`.
  private static let signals = [SIGINT, SIGTERM, Watchdog.signal] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

  /// Returns true if a signal is ignored: its handler is `SIG_IGN`, the address 1.
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
