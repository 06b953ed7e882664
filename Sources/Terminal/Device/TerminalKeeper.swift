import Glibc
import ScriptHost

/// The *keeper* restores the terminal when the process ends for any reason, on any thread or in a signal handler.
///
/// So the bytes to write and the settings are in memory that was allocated before.
package enum TerminalKeeper {
  private struct Kept {
    var descriptor: Int32 = -1
    var settings = termios()
    var ending: UnsafeMutablePointer<UInt8>
    var length = 0
    /// The former actions of the signals in `ends`.
    var actions: UnsafeMutablePointer<sigaction>
    var hasActions = false
    /// The time until which the terminal may still reply to a query; nil once it has replied.
    var repliesUntil: Duration?
    /// Whether a program has the terminal.
    var isLent = false
  }

  private static let longest = 1024
  /// The value of `SIG_IGN`.
  private static let ignored = 1
  /// The signals that end a process without a handler. The tool handles the others.
  private static let ends =
    [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT, SIGSYS]
    + [SIGUSR1, SIGUSR2, SIGALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT] + Array(34...64)

  nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
    let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
    kept.initialize(
      to: Kept(
        ending: .allocate(capacity: longest), actions: .allocate(capacity: ends.count)))
    return kept
  }()

  /// Keeps a terminal and its settings for restoring.
  static func keep(_ descriptor: Int32, _ settings: termios) {
    kept.pointee.settings = settings
    kept.pointee.descriptor = descriptor
    handleEnds()
  }

  /// Keeps the sequences that turn off the terminal's modes.
  static func leaving(_ text: String) {
    let bytes = Array(text.utf8.prefix(longest))
    kept.pointee.length = 0
    for (index, byte) in bytes.enumerated() { kept.pointee.ending[index] = byte }
    kept.pointee.length = bytes.count
  }

  /// The longest time that a terminal may take to reply.
  static let longestReply = Duration.seconds(1)

  /// Notes a query to the terminal. Its replies must not reach the program that gets the terminal next.
  static func hasAsked() { kept.pointee.repliesUntil = .now + longestReply }

  /// Notes that the terminal has replied to all queries.
  static func isAnswered() { kept.pointee.repliesUntil = nil }

  /// Restores a face's terminal; does nothing the second time.
  package static func restore() { if !kept.pointee.isLent { restoreAll() } }

  /// Ends the programs of scripts and restores the terminal, even a lent one, because the process is about to end.
  package static func end() {
    RunningPrograms.endAll()
    restoreAll()
  }

  private static func restoreAll() {
    let descriptor = kept.pointee.descriptor
    if descriptor < 0 { return }
    kept.pointee.descriptor = -1
    // These signals are blocked, so that a background process can restore too. The wait for unread output is limited.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    sigaddset(&signals, SIGTTIN)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    let isLent = kept.pointee.isLent
    kept.pointee.isLent = false
    if isLent { takeFromProgram(descriptor) }
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
    if isLent {
      if written > 0 { TerminalReplies.drop(from: descriptor) }
    } else if let until = kept.pointee.repliesUntil, until > .now {
      TerminalReplies.drop(from: descriptor, after: TerminalDevice.frames)
    }
    kept.pointee.repliesUntil = nil
    tcsetattr(descriptor, TCSANOW, &kept.pointee.settings)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  // MARK: - While a program has it

  /// Opens the terminal for a program of an app, and keeps its settings meanwhile; nil if there is none.
  package static func lend() -> Int32? {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return descriptor }
    leaving(TerminalModes.after)
    kept.pointee.isLent = true
    keep(descriptor, settings)
    return descriptor
  }

  /// Closes the terminal of a program.
  package static func takeBack(_ descriptor: Int32) {
    kept.pointee.descriptor = -1
    kept.pointee.isLent = false
    close(descriptor)
  }

  /// Takes the terminal from an ended program.
  private static func takeFromProgram(_ descriptor: Int32) {
    // The program ends on another processor, maybe during a write.
    usleep(5000)
    tcsetpgrp(descriptor, getpgrp())
    // The program shares this open terminal, and a write must not wait for an unread terminal.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    TerminalReplies.hide(on: descriptor, kept.pointee.settings)
  }

  /// Makes the signals in `ends` restore the terminal before their former action.
  private static func handleEnds() {
    if kept.pointee.hasActions { return }
    kept.pointee.hasActions = true
    for (index, signal) in ends.enumerated() {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in TerminalKeeper.crashed(signal) }
      let before = kept.pointee.actions + index
      sigaction(signal, &action, before)
      // An ignored signal stays ignored, because it ends nothing.
      if unsafeBitCast(before.pointee.__sigaction_handler.sa_handler, to: Int.self) == Self.ignored {
        sigaction(signal, before, nil)
      }
    }
  }

  private static func crashed(_ signal: Int32) {
    if kept.pointee.isLent { end() } else { restoreAll() }
    for index in 0..<ends.count where ends[index] == signal { sigaction(signal, kept.pointee.actions + index, nil) }
    raise(signal)
  }
}

/// A *lender* makes a face lend its terminal to a program of the app, and take it back. The app calls it on its own
/// thread, and the face acts in its loop.
package final class TerminalLender: @unchecked Sendable {
  /// The bytes that ring a face to leave the terminal or take it back; no signal has these numbers.
  static let leave: UInt8 = 255
  static let enter: UInt8 = 254

  /// The milliseconds in which a face must leave its terminal. A slower face keeps it.
  private static let patience: Int32 = 3000

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let left = Descriptor.pipe()
  /// Rings the face; nil without a face.
  private var ring: (@Sendable (UInt8) -> Void)?
  /// The number of rings to leave that the face hasn't handled. A slow face may have several.
  private var owed = 0
  private var terminal: Int32 = -1

  package init() { pthread_mutex_init(lock, nil) }

  deinit {
    if let left { [left.read, left.write].forEach { close($0) } }
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Sets the function that rings the face with the terminal; nil for none.
  func serve(_ ring: (@Sendable (UInt8) -> Void)?) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    self.ring = ring
    owed = 0
  }

  /// The face's loop calls this after leaving the terminal.
  func hasLeft() {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    owed -= 1
    // A face with an open ring is about to take the terminal back.
    guard owed == 0, let left else { return }
    var byte: UInt8 = 0
    _ = write(left.write, &byte, 1)
  }

  /// The callbacks with which a host gets the terminal and returns it.
  package var lent: HostTerminal { HostTerminal(lend: { [self] in lend() }, takeBack: { [self] in takeBack() }) }

  private func lend() -> Int32? {
    guard terminal < 0, tell(Self.leave) else { return nil }
    if isLeft(within: Self.patience) {
      terminal = TerminalKeeper.lend() ?? -1
      if terminal >= 0 { return terminal }
    }
    takeBack()
    return nil
  }

  private func takeBack() {
    if terminal >= 0 { TerminalKeeper.takeBack(terminal) }
    terminal = -1
    _ = tell(Self.enter)
  }

  /// Waits until the face has left the terminal; false if it takes longer than these milliseconds.
  private func isLeft(within milliseconds: Int32) -> Bool {
    guard let left else { return false }
    var polled = pollfd(fd: left.read, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&polled, 1, milliseconds) == 1 && read(left.read, &byte, 1) == 1
  }

  /// Rings the face. Returns false without a face.
  private func tell(_ byte: UInt8) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if byte == Self.leave, ring != nil {
      owed += 1
      // The answer of a slow face is obsolete.
      _ = isLeft(within: 0)
    }
    ring?(byte)
    return ring != nil
  }
}
