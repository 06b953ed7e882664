import Glibc

/// The programs that scripts of any host started and that haven't been reaped yet. Any thread may end them.
package enum RunningPrograms {
  /// Guards everything below, so that no signal goes to a number that the system may have given to another process.
  nonisolated(unsafe) private static let lock = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
  }()
  nonisolated(unsafe) private static var running: Set<pid_t> = []
  /// The programs that were told to end and still ran when nobody waited for them any longer.
  nonisolated(unsafe) private static var left: Set<pid_t> = []
  nonisolated(unsafe) private static var isOver = false

  /// Ends all programs and prevents new ones, because the process is about to end.
  package static func endAll() {
    locked {
      isOver = true
      running.forEach(signal)
    }
  }

  /// Starts a program, unless all were ended; its number, or nil with the reason in errno.
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

  /// How a program ended, as the system tells it; nil as long as it runs.
  ///
  /// - Parameter goesOnIfStopped: whether a stopped program is told to go on: one at a terminal, where nobody else could.
  static func end(of process: pid_t, goesOnIfStopped: Bool = false) -> Int32? {
    locked {
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

  /// Tells a program to end, with what it started.
  static func kill(_ process: pid_t) { locked { if running.contains(process) { signal(process) } } }

  /// Ends a program. One that can't be ended, because it is another user's by now, is left behind, and nobody waits for it.
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

/// The output of a program on one descriptor, cut into lines.
struct WrittenLines {
  /// Longer ones are cut.
  private static let longest = 64 << 10

  private var begun: [UInt8] = []

  /// Takes new output, and returns the lines that it completes.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
        lines.append(begun)
        begun.removeAll(keepingCapacity: true)
        continue
      }
      begun.append(byte)
      guard begun.count >= Self.longest else { continue }
      lines.append(begun)
      begun.removeAll(keepingCapacity: true)
    }
    return lines
  }

  /// The last line, if nothing ended it.
  mutating func rest() -> [[UInt8]] {
    defer { begun = [] }
    return begun.isEmpty ? [] : [begun]
  }
}

/// A *lease* is the time for which a program has the terminal. It ends once, and the terminal is then as it was.
final class TerminalLease {
  let descriptor: Int32
  private let terminal: HostTerminal
  private var settings: termios?
  private var isOver = false

  /// Nil if there is no terminal, or another has it now.
  init?(_ terminal: HostTerminal?) {
    guard let terminal, let descriptor = terminal.lend() else { return nil }
    self.terminal = terminal
    self.descriptor = descriptor
    // A process in the background has no terminal to give away.
    let group = tcgetpgrp(descriptor)
    guard group < 0 || group == getpgrp() else {
      terminal.takeBack()
      isOver = true
      return nil
    }
    var settings = termios()
    if tcgetattr(descriptor, &settings) == 0 { self.settings = settings }
  }

  /// Gives the terminal to a program, which is in the foreground from then on. One that was stopped for touching it too early is continued when it is
  /// looked at.
  func give(to process: pid_t) { inForeground(process) }

  func end() {
    if isOver { return }
    isOver = true
    inForeground(getpgrp())
    // A program that was killed may have left the terminal in any state.
    if var settings {
      Self.heldBack {
        resetModes()
        _ = tcsetattr(descriptor, TCSADRAIN, &settings)
      }
    }
    terminal.takeBack()
  }

  /// Writes the sequences that turn off the modes in which a program may have left the terminal.
  private func resetModes() {
    // A terminal that knows no sequences would print them.
    if let name = getenv("TERM"), String(cString: name) == "dumb" { return }
    var rest = Self.reset[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Colours, characters, insert mode, the other screen, margins, wrapping, the cursor, application keys, the mouse, focus, pastes, frames
  /// that are held back, and keys as the newer protocols send them. The cursor stays where it is: leaving the other screen and setting
  /// margins would move it, so it is saved before and restored after.
  private static let reset = Array(
    ("\u{1B}[0m\u{1B}(B\u{F}\u{1B}[4l" + "\u{1B}7\u{1B}[?1049l" + "\u{1B}7\u{1B}[r\u{1B}8" + "\u{1B}[?7h\u{1B}[?25h"
      + "\u{1B}[?1l\u{1B}>"
      + [9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004, 2026].map { "\u{1B}[?\($0)l" }.joined()
      + "\u{1B}[>4m\u{1B}[=0u").utf8)

  deinit { end() }

  private func inForeground(_ group: pid_t) { Self.heldBack { _ = tcsetpgrp(descriptor, group) } }

  /// Runs a body with the signal blocked that would stop a background process for touching the terminal.
  private static func heldBack(_ body: () -> Void) {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
