import Glibc

/// The programs that scripts of any host started and that haven't been reaped yet. Any thread may end them.
package enum RunningPrograms {
  /// Guards everything below, so that no signal goes to a process that reuses the number of an ended process.
  nonisolated(unsafe) private static let lock = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
  }()
  nonisolated(unsafe) private static var running: Set<pid_t> = []
  /// The programs that still ran after the host had killed them and stopped waiting.
  nonisolated(unsafe) private static var left: Set<pid_t> = []
  nonisolated(unsafe) private static var isOver = false

  /// Ends all programs and prevents new programs, because the process is about to end. Nobody learns of these ends any
  /// more, so nobody continues to use a lent terminal.
  package static func endAll() {
    // The thread that holds the lock may be the thread that crashed.
    var patience = 100
    while pthread_mutex_trylock(lock) != 0 {
      patience -= 1
      if patience == 0 { return }
      usleep(1000)
    }
    isOver = true
    running.forEach(signal)
    pthread_mutex_unlock(lock)
  }

  /// Starts a program, unless all were ended. Returns its number, or nil with the reason in errno.
  static func start(_ spawn: (inout pid_t) -> Int32) -> pid_t? {
    locked {
      for process in left where reaped(process) != nil { left.remove(process) }
      var process: pid_t = 0
      let result = isOver ? ECANCELED : spawn(&process)
      guard result == 0 else {
        errno = result
        return nil
      }
      running.insert(process)
      return process
    }
  }

  /// Returns how a program ended, as the system encodes it; nil as long as it runs.
  ///
  /// - Parameter goesOnIfStopped: whether to continue a stopped program: at a terminal nobody else could.
  static func end(of process: pid_t, goesOnIfStopped: Bool = false) -> Int32? {
    locked {
      if isOver { return nil }
      var state: Int32 = 0
      guard goesOnIfStopped, running.contains(process), waitpid(process, &state, WNOHANG | WUNTRACED) == process else {
        return reaped(process)
      }
      // The macro WIFSTOPPED.
      if state & 0xFF == 0x7F {
        Glibc.kill(-process, SIGCONT)
        return nil
      }
      running.remove(process)
      return state
    }
  }

  /// Whether a program has ended; `end(of:)` tells how.
  static func hasEnded(_ process: pid_t) -> Bool {
    var state = siginfo_t()
    return waitid(P_PID, id_t(process), &state, WEXITED | WNOHANG | WNOWAIT) != 0 || state.si_signo != 0
  }

  /// Tells a program to end, with what it started.
  static func kill(_ process: pid_t) { locked { if running.contains(process) { signal(process) } } }

  /// Ends a program. A program that can't be ended, because it is another user's by now, stays in `left`.
  static func end(_ process: pid_t) {
    kill(process)
    for _ in 0..<50 {
      if end(of: process) != nil { return }
      usleep(1000)
    }
    locked { _ = left.insert(process) }
  }

  /// Kills a process, which may have left its group.
  private static func signal(_ process: pid_t) {
    Glibc.kill(-process, SIGKILL)
    Glibc.kill(process, SIGKILL)
  }

  private static func reaped(_ process: pid_t) -> Int32? {
    var state: Int32 = 0
    guard waitpid(process, &state, WNOHANG) == process else { return nil }
    running.remove(process)
    return state
  }

  private static func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

/// A line that a program wrote.
struct WrittenLine {
  var text: [UInt8]
  /// Whether the program overwrote the previous line, which ended with a lone '\r', as progress output does.
  var replaces: Bool
  var isError = false
}

/// The output of a program on one descriptor, cut into lines. A line ends with '\n', '\r\n' or '\r'.
struct WrittenLines {
  /// Longer lines are cut.
  private static let longest = 64 << 10

  private var begun: [UInt8] = []
  /// True if the previous line ended with '\r' and nothing was written since.
  private var isReturned = false

  /// Adds new output, and returns the lines that it completes.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [WrittenLine] {
    var lines: [WrittenLine] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\n"):
        // After '\r' it ends no further line: the two are one end.
        if !begun.isEmpty || !isReturned { lines.append(line()) }
        isReturned = false
      case UInt8(ascii: "\r"):
        // A '\r' at the beginning of a line changes nothing.
        if begun.isEmpty { continue }
        lines.append(line())
        isReturned = true
      default:
        let more = rest.prefix(Self.longest - begun.count - 1).prefix { $0 != 0x0A && $0 != 0x0D }
        begun.append(byte)
        begun += more
        rest = rest[more.endIndex...]
        if begun.count >= Self.longest { lines.append(line()) }
      }
    }
    return lines
  }

  /// Returns the last line, if nothing ended it.
  mutating func rest() -> [WrittenLine] { begun.isEmpty ? [] : [line()] }

  private mutating func line() -> WrittenLine {
    defer {
      begun.removeAll(keepingCapacity: true)
      isReturned = false
    }
    return WrittenLine(text: begun, replaces: isReturned)
  }
}
