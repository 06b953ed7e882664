import Glibc

/// A *lease* is the time for which a program has the terminal. It ends once, and the terminal is then as it was.
final class TerminalLease {
  let descriptor: Int32
  private let terminal: HostTerminal
  private var settings: termios?
  private var isOver = false

  /// Nil where there is no terminal, or it is somebody else's now.
  init?(_ terminal: HostTerminal?) {
    guard let terminal, let descriptor = terminal.lend() else { return nil }
    self.terminal = terminal
    self.descriptor = descriptor
    // Who is in the background has no terminal to give away.
    let group = tcgetpgrp(descriptor)
    guard group < 0 || group == getpgrp() else {
      terminal.takeBack()
      isOver = true
      return nil
    }
    var settings = termios()
    if tcgetattr(descriptor, &settings) == 0 { self.settings = settings }
  }

  /// Gives it to a program, which is in the foreground from then on. One that was stopped for being early goes on when it is looked at.
  func give(to process: pid_t) { inForeground(process) }

  func end() {
    if isOver { return }
    isOver = true
    inForeground(getpgrp())
    // Who was ended left it however it was.
    if var settings { Self.heldBack { _ = tcsetattr(descriptor, TCSADRAIN, &settings) } }
    terminal.takeBack()
  }

  deinit { end() }

  private func inForeground(_ group: pid_t) { Self.heldBack { _ = tcsetpgrp(descriptor, group) } }

  /// Holds the signal back that would stop who is in the background for touching the terminal.
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
