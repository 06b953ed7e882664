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
    if var settings { Self.heldBack { _ = tcsetattr(descriptor, TCSADRAIN, &settings) } }
    terminal.takeBack()
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
