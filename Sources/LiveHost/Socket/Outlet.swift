import CSocket
import Glibc

/// An *outlet* writes lines to a descriptor of the process without ever waiting for its reader. Unread lines are kept up to a limit. Beyond it
/// lines are dropped, and `onDropped` gets their number once the others were read.
package final class Outlet {
  /// The most bytes that are kept, the same as for a client.
  package static let queue = Connection.queue

  package let descriptor: Int32
  /// A second, non-blocking descriptor of the same file, used for writing; -1 if there is none.
  private let own: Int32
  private let kind: mode_t
  private var outbox = Outbox()
  private var dropped = 0
  /// The error after which nothing more can be written.
  package private(set) var error: Int32?
  /// Called with the number of lines that were dropped.
  package var onDropped: ((Int) -> Void)?

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    // `O_NONBLOCK` on the descriptor itself would hold for every process that shares it, the shell's terminal for one.
    let isApart = kind == S_IFIFO || kind == S_IFCHR
    own = isApart ? open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
  }

  deinit { if own >= 0 { close(own) } }

  /// Whether bytes wait to be written.
  package var isWaiting: Bool { outbox.waiting > 0 }

  /// Writes a line, with its end, now or as soon as the reader takes it.
  package func write(_ line: [UInt8]) {
    if error != nil { return }
    guard dropped == 0, outbox.waiting + line.count <= Self.queue else {
      dropped += 1
      return flush()
    }
    outbox.add(line)
    flush()
  }

  /// Writes as much as the reader takes now.
  package func flush() {
    error = error ?? outbox.flush(take)
    if error != nil { return outbox.forget() }
    guard !isWaiting, dropped > 0 else { return }
    let count = dropped
    dropped = 0
    onDropped?(count)
  }

  /// Writes the rest, if it is read within 200 milliseconds.
  package func flushForGood() {
    for _ in 0..<20 where isWaiting {
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&polled, 1, 10)
      flush()
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch kind {
    case S_IFSOCK: return csocket_send(descriptor, bytes.baseAddress, bytes.count)
    case S_IFIFO, S_IFCHR:
      if own >= 0 { return Glibc.write(own, bytes.baseAddress, bytes.count) }
      // A descriptor that can be written takes at least a few bytes without blocking.
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&polled, 1, 0) > 0 else {
        errno = EAGAIN
        return -1
      }
      return Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, 512))
    default: return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }
}
