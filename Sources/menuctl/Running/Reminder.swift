import Glibc
import Synchronization

/// Says something on stderr if what it is about isn't over after some time; for waits in which the tool would be silent.
final class Reminder: Sendable {
  private let isOver = Mutex(false)

  /// Says the text after so many seconds, unless `cancel` was called.
  init(after seconds: UInt32, _ text: String) {
    HostThread.start { [self] in
      sleep(seconds)
      isOver.withLock { isOver in
        if isOver { return }
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      }
    }
  }

  /// From then on it says nothing.
  func cancel() { isOver.withLock { $0 = true } }
}
