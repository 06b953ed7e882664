import Glibc
import ScriptHost

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
  private var terminal: Int32 = -1

  package init() { pthread_mutex_init(lock, nil) }

  deinit {
    if let left { [left.read, left.write].forEach { close($0) } }
    lock.deallocate()
  }

  /// Sets how to ring the face that has the terminal; nil for none.
  func serve(_ ring: (@Sendable (UInt8) -> Void)?) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    self.ring = ring
  }

  /// Called by the face's loop when it has left the terminal.
  func hasLeft() {
    var byte: UInt8 = 0
    if let left { _ = write(left.write, &byte, 1) }
  }

  /// The callbacks by which a host gets the terminal and gives it back.
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

  /// Rings the face; returns whether there was one.
  private func tell(_ byte: UInt8) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    ring?(byte)
    return ring != nil
  }
}
