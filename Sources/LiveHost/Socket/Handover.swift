import CSocket
import Glibc

/// A *handover* is the queue of messages for a face of this process, which gets values instead of JSON.
///
/// For each message the host sends an empty line to the face.
final class Handover: @unchecked Sendable {
  // The system's mutex, because the thread sanitizer doesn't know Swift's `Mutex`.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var messages: [(message: JSON, weight: Int)] = []
  /// The index of the first message in the queue. Earlier messages are removed once they are half of the array.
  private var first = 0
  /// The approximate number of bytes of the waiting messages as lines.
  private var weight = 0

  init() { pthread_mutex_init(lock, nil) }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  var waiting: Int { locked { weight } }

  func put(_ message: JSON) {
    let weight = message.weight
    locked {
      messages.append((message, weight))
      self.weight += weight
    }
  }

  /// Takes the oldest message; nil if the queue is empty.
  func take() -> JSON? {
    locked {
      guard first < messages.count else { return nil }
      let (message, weight) = messages[first]
      messages[first].message = .null
      first += 1
      self.weight -= weight
      if 2 * first >= messages.count {
        messages.removeFirst(first)
        first = 0
      }
      return message
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

/// The *face's end* of a connection between a live host and a face of its process.
package struct FaceEnd: Sendable {
  package let descriptor: Int32
  let handover: Handover
}

extension JSON {
  /// The approximate number of bytes as text. An element counts little, because it is in memory anyway.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .integer, .number, .element: 16
    case .text(let text), .written(let text): 16 + text.utf8.count
    case .list(let values): values.reduce(16) { $0 + $1.weight }
    case .object(let members): members.reduce(16) { $0 + $1.0.utf8.count + $1.1.weight }
    case .changes(let changes, _): 16 + 64 * changes.count
    }
  }
}

/// An *outlet* writes lines to a descriptor without ever waiting for its reader. It keeps unread lines up to a limit
/// and drops the rest. After the kept lines, `onDropped` gets the number of dropped lines.
package final class Outlet {
  /// The most bytes that are kept, the same as for a client.
  package static let queue = Connection.queue

  package let descriptor: Int32
  /// A second, non-blocking descriptor of the same file, for writing; -1 if there is none.
  private let own: Int32
  private let kind: mode_t
  private var outbox = Outbox()
  private var dropped = 0
  /// The error after which writing stops.
  package private(set) var error: Int32?
  /// Called with the number of dropped lines.
  package var onDropped: ((Int) -> Void)?

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    // `O_NONBLOCK` on the descriptor itself would affect every process that shares it, as with the shell's terminal.
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
