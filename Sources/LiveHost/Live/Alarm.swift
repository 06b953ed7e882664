import Glibc
import ScriptHost

/// An *alarm* wakes a loop from another thread or from a signal handler.
package final class Alarm {
  private let ends: (read: Int32, write: Int32)
  package var onRing: ((UInt8) -> Void)?

  package init() {
    ends = Descriptor.pipe() ?? (-1, -1)
    for end in [ends.read, ends.write] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit { for end in [ends.read, ends.write] where end >= 0 { close(end) } }

  package var descriptor: Int32 { ends.read }

  /// The descriptor to which a signal handler writes a byte.
  package var writing: Int32 { ends.write }

  package var ring: @Sendable (UInt8) -> Void {
    { [end = ends.write] byte in
      var byte = byte
      _ = write(end, &byte, 1)
    }
  }

  /// Calls `onRing` for each byte that was written. The loop calls it when `descriptor` is readable.
  package func heard() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends.read, &bytes, bytes.count)
    for byte in bytes.prefix(max(0, count)) { onRing?(byte) }
  }
}
