import Glibc

/// The *keeper* gives the terminal back as it was, whatever ends the process: it can be called from any thread, and from the handler of a signal.
///
/// So all that it needs lies in memory that was taken before: what is to be written, and the settings.
package enum TerminalKeeper {
  private struct Kept {
    var descriptor: Int32 = -1
    var settings = termios()
    var ending: UnsafeMutablePointer<UInt8>
    var length = 0
    /// What is done with signals that end the process, by whoever did it before.
    var actions: UnsafeMutablePointer<sigaction>
    var hasActions = false
  }

  private static let longest = 256
  /// How the system writes that a signal is given to nobody.
  private static let ignored = 1
  /// Those that end whoever does nothing about them; with the others the tool does something itself.
  private static let ends =
    [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT, SIGSYS]
    + [SIGUSR1, SIGUSR2, SIGALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT] + Array(34...64)

  nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
    let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
    kept.initialize(to: Kept(ending: .allocate(capacity: longest), actions: .allocate(capacity: ends.count)))
    return kept
  }()

  /// Keeps a terminal, to give it back.
  static func keep(_ descriptor: Int32, _ settings: termios) {
    kept.pointee.settings = settings
    kept.pointee.descriptor = descriptor
    handleEnds()
  }

  /// Keeps what turns its modes off.
  static func leaving(_ text: String) {
    let bytes = Array(text.utf8.prefix(longest))
    kept.pointee.length = 0
    for (index, byte) in bytes.enumerated() { kept.pointee.ending[index] = byte }
    kept.pointee.length = bytes.count
  }

  /// Gives it back; a second time there is nothing to do.
  package static func restore() {
    let descriptor = kept.pointee.descriptor
    if descriptor < 0 { return }
    kept.pointee.descriptor = -1
    // Who is in the background may do this too, and what nobody reads is not waited for.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    var written = 0
    var patience = 20
    while written < kept.pointee.length, patience > 0 {
      let count = write(descriptor, kept.pointee.ending + written, kept.pointee.length - written)
      if count > 0 {
        written += count
        continue
      }
      patience -= 1
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&polled, 1, 50) == 0 { tcflush(descriptor, TCOFLUSH) }
    }
    tcsetattr(descriptor, TCSANOW, &kept.pointee.settings)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Has a crash give the terminal back first, and then do what it would have done.
  private static func handleEnds() {
    if kept.pointee.hasActions { return }
    kept.pointee.hasActions = true
    for (index, signal) in ends.enumerated() {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in TerminalKeeper.crashed(signal) }
      let before = kept.pointee.actions + index
      sigaction(signal, &action, before)
      // What nobody minds ends nothing.
      if unsafeBitCast(before.pointee.__sigaction_handler.sa_handler, to: Int.self) == Self.ignored {
        sigaction(signal, before, nil)
      }
    }
  }

  private static func crashed(_ signal: Int32) {
    restore()
    for index in 0..<ends.count where ends[index] == signal { sigaction(signal, kept.pointee.actions + index, nil) }
    raise(signal)
  }
}
