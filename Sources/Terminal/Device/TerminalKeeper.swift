import Glibc
import ScriptHost

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
    /// Whether a program has the terminal.
    var isLent = false
  }

  private static let longest = 1024
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
        ending: .allocate(capacity: longest), actions: .allocate(capacity: ends.count)))
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

  /// How long a terminal may take to reply after it was asked.
  static let longestReply = Duration.seconds(1)

  /// Notes that the terminal was asked for its abilities. Its replies must not reach the program that has the terminal next.
  static func hasAsked() { kept.pointee.repliesUntil = .now + longestReply }

  /// Notes that the terminal has replied to all that it was asked.
  static func isAnswered() { kept.pointee.repliesUntil = nil }

  /// Restores the terminal that a face has; does nothing the second time.
  package static func restore() { if !kept.pointee.isLent { restoreAll() } }

  /// Ends the programs of scripts and restores the terminal, whoever has it, because the process is about to end.
  package static func end() {
    RunningPrograms.endAll()
    restoreAll()
  }

  private static func restoreAll() {
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

  /// Opens the terminal for a program that an app runs, and keeps it meanwhile; nil if there is none.
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

  /// Closes the terminal that a program had.
  package static func takeBack(_ descriptor: Int32) {
    kept.pointee.descriptor = -1
    kept.pointee.isLent = false
    close(descriptor)
  }

  /// Takes the terminal from a program that was ended.
  private static func takeFromProgram(_ descriptor: Int32) {
    // It ends on another processor, maybe in the middle of a write.
    usleep(5000)
    tcsetpgrp(descriptor, getpgrp())
    // The program's end of the terminal is this one, and a write to it mustn't wait for a terminal that nobody reads.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    TerminalReplies.hide(on: descriptor, kept.pointee.settings)
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
    if kept.pointee.isLent { end() } else { restoreAll() }
    for index in 0..<ends.count where ends[index] == signal { sigaction(signal, kept.pointee.actions + index, nil) }
    raise(signal)
  }
}

/// A *lender* makes a face give its terminal to a program that the app runs, and take it back. The app asks on its own thread, and the face
/// does it in its loop.
package final class TerminalLender: @unchecked Sendable {
  /// The bytes with which a face is rung to leave the terminal or take it back; no signal has these numbers.
  static let leave: UInt8 = 255
  static let enter: UInt8 = 254

  /// The milliseconds that a face has to leave its terminal. One that can't write to it in this time doesn't give it away.
  private static let patience: Int32 = 3000

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let left = Descriptor.pipe()
  /// Rings the face; nil while there is none.
  private var ring: (@Sendable (UInt8) -> Void)?
  /// How often the face was rung to leave and hasn't left yet. One that is late has several rings to answer.
  private var owed = 0
  private var terminal: Int32 = -1

  package init() { pthread_mutex_init(lock, nil) }

  deinit {
    if let left { [left.read, left.write].forEach { close($0) } }
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Sets how to ring the face that has the terminal; nil for none.
  func serve(_ ring: (@Sendable (UInt8) -> Void)?) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    self.ring = ring
    owed = 0
  }

  /// Called by the face's loop when it has left the terminal.
  func hasLeft() {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    owed -= 1
    // A face that still owes an answer is about to take the terminal back.
    guard owed == 0, let left else { return }
    var byte: UInt8 = 0
    _ = write(left.write, &byte, 1)
  }

  /// The callbacks by which a host gets the terminal and gives it back.
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

  /// Waits until the face has left the terminal; false if it doesn't in so many milliseconds.
  private func isLeft(within milliseconds: Int32) -> Bool {
    guard let left else { return false }
    var polled = pollfd(fd: left.read, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&polled, 1, milliseconds) == 1 && read(left.read, &byte, 1) == 1
  }

  /// Rings the face; returns whether there was one.
  private func tell(_ byte: UInt8) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if byte == Self.leave, ring != nil {
      owed += 1
      // Nobody waits any more for what a late face has said.
      _ = isLeft(within: 0)
    }
    ring?(byte)
    return ring != nil
  }
}
