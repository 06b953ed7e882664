import Glibc

/// An *outbox* holds the lines that wait to be written until somebody takes them.
struct Outbox {
  private var lines: [[UInt8]] = []
  private var first = 0
  private var sent = 0
  /// How many bytes wait.
  private(set) var waiting = 0

  mutating func add(_ line: [UInt8]) {
    lines.append(line)
    waiting += line.count
  }

  mutating func forget() { self = Outbox() }

  /// Writes what is taken now; the error where nothing will be any more.
  ///
  /// - Parameter write: takes some of the bytes, as the system's `write` does.
  mutating func flush(_ write: (UnsafeRawBufferPointer) -> Int) -> Int32? {
    while waiting > 0 {
      let count = lines[first].withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN ? nil : errno
      }
      sent += count
      waiting -= count
      if sent == lines[first].count { next() }
    }
    return nil
  }

  private mutating func next() {
    sent = 0
    lines[first] = []
    first += 1
    if first == lines.count {
      lines.removeAll(keepingCapacity: lines.capacity < 1024)
      first = 0
    } else if first > 1024 {
      lines.removeFirst(first)
      first = 0
    }
  }
}
