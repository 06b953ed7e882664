import Glibc

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
