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
