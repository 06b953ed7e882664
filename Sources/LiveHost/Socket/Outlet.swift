import CSocket
import Glibc

/// An *outlet* is a descriptor of the process's own that is written without ever waiting for who reads it. What nobody reads is kept up to
/// a limit; beyond it lines are dropped, and how many is told once the others were read.
package final class Outlet {
  /// How much is kept: as much as of what a client doesn't read.
  package static let queue = Connection.queue

  package let descriptor: Int32
  /// The same for writing without waiting, apart from what others write to; -1 where that can't be had.
  private let own: Int32
  private let kind: mode_t
  private var outbox = Outbox()
  private var dropped = 0
  /// Why nothing more can be written.
  package private(set) var error: Int32?
  /// Told how many lines were dropped.
  package var onDropped: ((Int) -> Void)?

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    // A flag of the descriptor itself would be that of everybody who has it too, the shell's terminal for one.
    let isApart = kind == S_IFIFO || kind == S_IFCHR
    own = isApart ? open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
  }

  deinit { if own >= 0 { close(own) } }

  /// Whether something waits to be written.
  package var isWaiting: Bool { outbox.waiting > 0 }

  /// Writes a line, with its end, now or when it is taken.
  package func write(_ line: [UInt8]) {
    if error != nil { return }
    guard dropped == 0, outbox.waiting + line.count <= Self.queue else {
      dropped += 1
      return flush()
    }
    outbox.add(line)
    flush()
  }

  /// Writes what is taken now.
  package func flush() {
    error = error ?? outbox.flush(take)
    if error != nil { return outbox.forget() }
    guard !isWaiting, dropped > 0 else { return }
    let count = dropped
    dropped = 0
    onDropped?(count)
  }

  /// Writes what is left to whoever reads it within a moment.
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
      // Whatever can be written holds a little.
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
