import Glibc

/// The *keeper* restores the terminal, whatever ends the process: it can be called from any thread and from a signal's handler.
///
/// So everything that it needs, the bytes to write and the settings, is in memory that was allocated before.
package enum TerminalKeeper {
  private struct Kept {
    var descriptor: Int32 = -1
    var settings = termios()
    var ending: UnsafeMutablePointer<UInt8>
    var length = 0
    /// The former actions of the signals in `ends`.
    var actions: UnsafeMutablePointer<sigaction>
    var hasActions = false
    /// The time until which the terminal may still reply to what it was asked; nil if it has replied.
    var repliesUntil: Duration?
    /// Where replies are read that nobody wants any more.
    var reply: UnsafeMutablePointer<UInt8>
  }

  private static let longest = 256
  /// The value of `SIG_IGN`.
  private static let ignored = 1
  /// The signals that end a process without a handler; the tool handles the others itself.
  private static let ends =
    [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT, SIGSYS]
    + [SIGUSR1, SIGUSR2, SIGALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT] + Array(34...64)

  nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
    let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
    kept.initialize(
      to: Kept(
        ending: .allocate(capacity: longest), actions: .allocate(capacity: ends.count),
        reply: .allocate(capacity: longest)))
    return kept
  }()

  /// Keeps a terminal and its settings, to restore them.
  static func keep(_ descriptor: Int32, _ settings: termios) {
    kept.pointee.settings = settings
    kept.pointee.descriptor = descriptor
    handleEnds()
  }

  /// Keeps the sequences that turn the terminal's modes off.
  static func leaving(_ text: String) {
    let bytes = Array(text.utf8.prefix(longest))
    kept.pointee.length = 0
    for (index, byte) in bytes.enumerated() { kept.pointee.ending[index] = byte }
    kept.pointee.length = bytes.count
  }

  /// How long a terminal may take to reply, after it was asked and after the process is about to leave it.
  private static let longestReply = Duration.seconds(1)
  private static let patience = Duration.milliseconds(250)

  /// Notes that the terminal was asked for its abilities. Its replies must not reach the program that has the terminal next.
  static func hasAsked() { kept.pointee.repliesUntil = .now + longestReply }

  /// Notes that the terminal has replied to all that it was asked.
  static func isAnswered() { kept.pointee.repliesUntil = nil }

  /// Restores the terminal; does nothing the second time.
  package static func restore() {
    let descriptor = kept.pointee.descriptor
    if descriptor < 0 { return }
    kept.pointee.descriptor = -1
    // These signals are blocked, so that a process in the background may do this too. Output that nobody reads is waited for only a while.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    sigaddset(&signals, SIGTTIN)
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
    dropReplies(descriptor)
    tcsetattr(descriptor, TCSANOW, &kept.pointee.settings)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Reads what comes until the terminal has replied to the last question, the one about its attributes: `ESC [ ? … c`.
  private static func dropReplies(_ descriptor: Int32) {
    guard let until = kept.pointee.repliesUntil, until > .now else { return }
    kept.pointee.repliesUntil = nil
    let end = Duration.now + patience
    // How much of the reply has come: its three first bytes, and then digits and semicolons.
    var matched = 0
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while end > .now, poll(&polled, 1, end.milliseconds(from: .now)) > 0 {
      let count = read(descriptor, kept.pointee.reply, longest)
      if count <= 0 { return }
      for index in 0..<count {
        switch (matched, kept.pointee.reply[index]) {
        case (_, 0x1B): matched = 1
        case (1, UInt8(ascii: "[")), (2, UInt8(ascii: "?")): matched += 1
        case (3, UInt8(ascii: "c")): return
        case (3, UInt8(ascii: "0")...UInt8(ascii: "9")), (3, UInt8(ascii: ";")): break
        default: matched = 0
        }
      }
    }
  }

  /// Makes the signals in `ends` restore the terminal before they take their former action.
  private static func handleEnds() {
    if kept.pointee.hasActions { return }
    kept.pointee.hasActions = true
    for (index, signal) in ends.enumerated() {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in TerminalKeeper.crashed(signal) }
      let before = kept.pointee.actions + index
      sigaction(signal, &action, before)
      // A signal that was ignored stays ignored, because it ends nothing.
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
