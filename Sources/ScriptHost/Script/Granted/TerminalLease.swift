import Glibc

/// A *lease* is the time for which a program has the terminal. At its end the terminal is restored.
final class TerminalLease {
  let descriptor: Int32
  private let terminal: HostTerminal
  private var settings: termios?
  private var isOver = false

  /// Borrows the terminal; nil if there is none, or another program has it now.
  init?(_ terminal: HostTerminal?) {
    guard let terminal, let descriptor = terminal.lend() else { return nil }
    self.terminal = terminal
    self.descriptor = descriptor
    // A process in the background can't give the terminal away.
    let group = tcgetpgrp(descriptor)
    guard group < 0 || group == getpgrp() else {
      terminal.takeBack()
      isOver = true
      return nil
    }
    var settings = termios()
    if tcgetattr(descriptor, &settings) == 0 { self.settings = settings }
    write(TerminalModes.before)
  }

  /// Puts a program in the foreground of the terminal. If it was stopped because it touched the terminal too early, the
  /// next look continues it.
  func give(to process: pid_t) { inForeground(process) }

  func end() {
    if isOver { return }
    isOver = true
    inForeground(getpgrp())
    if var settings { Self.heldBack { restore(&settings) } }
    terminal.takeBack()
  }

  /// Restores the terminal: a killed program may have left it in any state, with unanswered queries.
  private func restore(_ settings: inout termios) {
    let modes = TerminalModes.after
    if !modes.isEmpty {
      TerminalReplies.hide(on: descriptor, settings)
      write(modes)
      if TerminalReplies.drop(from: descriptor) { write(TerminalModes.afterOrigin) }
    }
    _ = tcsetattr(descriptor, TCSADRAIN, &settings)
  }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

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

/// The sequences for a terminal before a program has it, and those that reset the program's modes.
package enum TerminalModes {
  /// Saves the title of the window, which the last sequence of `after` restores.
  static var before: String { isDumb ? "" : "\u{1B}[22;0t" }

  /// Resets every mode that a program may have set, then queries origin mode and the attributes. Empty for a terminal
  /// that would print sequences.
  package static var after: String {
    if isDumb { return "" }
    // Linux's console printed the last letter of sequences with a blank or a '$' before it.
    return reset + (terminal == "linux" ? "" : "\u{1B}[0 q\u{1B}[?\(TerminalReplies.origin)$p") + "\u{1B}[c"
  }

  /// Turns off origin mode, which moves the cursor to the first line, and continues below all text. No sequence does it
  /// in place, because a saved cursor includes the mode.
  package static let afterOrigin = "\u{1B}[?6l\u{1B}[999;1H\r\n"

  private static var terminal: String { getenv("TERM").map { String(cString: $0) } ?? "" }
  private static var isDumb: Bool { terminal == "dumb" }

  /// Resets colours, characters, insert mode, a locked keyboard, local echo, new lines, the other screen, and margins.
  /// Also wrapping, the cursor, application keys, a reversed screen, the mouse, focus, pastes, and held frames. Also
  /// reports of colours and sizes, newer key protocols, and the title. The cursor is saved and restored, because
  /// leaving the other screen and setting margins would move it.
  private static let reset =
    "\u{1B}[0m\u{1B}(B\u{F}\u{1B}[4l\u{1B}[2l\u{1B}[12h\u{1B}[20l" + "\u{1B}7\u{1B}[?1049l"
    + "\u{1B}7\u{1B}[?69l\u{1B}[r\u{1B}8" + "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1l\u{1B}>"
    + [5, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026, 2031, 2048].map { "\u{1B}[?\($0)l" }.joined()
    + "\u{1B}[>4m\u{1B}[=0u\u{1B}[23;0t"
}
