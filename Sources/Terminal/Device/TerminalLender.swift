import Glibc
import ScriptHost

/// A *lender* has a face give its terminal to a program that the app runs, and take it back. The app asks on its own thread, and the face does
/// it in its loop.
package final class TerminalLender: @unchecked Sendable {
  /// What a face is rung for; no signal has these numbers.
  static let leave: UInt8 = 255
  static let enter: UInt8 = 254

  /// So many milliseconds a face has to leave; one that can't write to its terminal has none to give.
  private static let patience: Int32 = 3000

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let left = Descriptor.pipe()
  /// How the face is rung, as long as there is one.
  private var ring: (@Sendable (UInt8) -> Void)?
  private var terminal: Int32 = -1

  package init() { pthread_mutex_init(lock, nil) }

  deinit {
    if let left { [left.read, left.write].forEach { close($0) } }
    lock.deallocate()
  }

  /// Notes how to ring the face that has the terminal; nil where none has.
  func serve(_ ring: (@Sendable (UInt8) -> Void)?) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    self.ring = ring
  }

  /// Tells that the face has left the terminal.
  func hasLeft() {
    var byte: UInt8 = 0
    if let left { _ = write(left.write, &byte, 1) }
  }

  /// What a host lends.
  package var lent: HostTerminal { HostTerminal(lend: { [self] in lend() }, takeBack: { [self] in takeBack() }) }

  private func lend() -> Int32? {
    guard terminal < 0, let left, tell(Self.leave) else { return nil }
    var polled = pollfd(fd: left.read, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    if poll(&polled, 1, Self.patience) == 1, read(left.read, &byte, 1) == 1 {
      terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
      if terminal >= 0 { return terminal }
    }
    takeBack()
    return nil
  }

  private func takeBack() {
    if terminal >= 0 { close(terminal) }
    terminal = -1
    _ = tell(Self.enter)
  }

  /// Whether somebody was told.
  private func tell(_ byte: UInt8) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    ring?(byte)
    return ring != nil
  }
}
