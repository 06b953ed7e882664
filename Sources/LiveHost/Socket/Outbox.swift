import Glibc

/// An *outbox* holds the lines that wait until their reader takes them. A line for several clients is shared by their outboxes.
struct Outbox {
  /// The line that is being written, and the number of its bytes that were.
  private var line: [UInt8] = []
  private var sent = 0
  /// The lines after it, of which those before `first` were taken.
  private var later: [[UInt8]] = []
  private var first = 0
  /// The number of bytes that wait.
  private(set) var waiting = 0

  /// The most memory that is kept for the next line; most lines are shorter.
  private static let usual = 4 << 10
  /// The most bytes of several short lines that are written at once.
  private static let portion = 64 << 10

  mutating func add(_ line: [UInt8]) {
    if waiting == 0 {
      (self.line, sent) = (line, 0)
    } else {
      later.append(line)
    }
    waiting += line.count
  }

  /// Adds a copy of a line, because the caller uses its memory again. If nothing waits it is copied into the memory of the last line.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    if waiting > 0 { return add(Array(bytes)) }
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: bytes)
    (sent, waiting) = (0, bytes.count)
  }

  mutating func forget() { self = Outbox() }

  /// Writes as much as the reader takes now. Returns the error if nothing can be written any more.
  ///
  /// - Parameter write: writes some of the bytes, like the system's `write`.
  mutating func flush(_ write: (UnsafeRawBufferPointer) -> Int) -> Int32? {
    while waiting > 0 {
      if sent == line.count { next() }
      if sent == 0, first < later.count { gather() }
      let count = line.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN ? nil : errno
      }
      sent += count
      waiting -= count
    }
    if line.capacity > Self.usual { line = [] }
    sent = line.count
    return nil
  }

  private mutating func next() {
    (line, sent) = (later[first], 0)
    taken()
  }

  /// Appends the lines that follow to the one that is written next, as long as all together are short.
  private mutating func gather() {
    while first < later.count, line.count + later[first].count <= Self.portion {
      line += later[first]
      taken()
    }
  }

  private mutating func taken() {
    later[first] = []
    first += 1
    if first == later.count {
      later.removeAll(keepingCapacity: later.capacity < 1024)
      first = 0
    } else if first > 1024 {
      later.removeFirst(first)
      first = 0
    }
  }
}
