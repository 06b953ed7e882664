import Glibc

/// An *outbox* holds the lines that wait to be written until somebody takes them. A line that many are told is one in memory.
struct Outbox {
  /// What is being written, and how much of it was.
  private var line: [UInt8] = []
  private var sent = 0
  /// What comes behind it, from the first on that was not taken.
  private var later: [[UInt8]] = []
  private var first = 0
  /// How many bytes wait.
  private(set) var waiting = 0

  /// How much memory is kept for the next line. Most are shorter.
  private static let usual = 4 << 10
  /// So much of several lines is written at once.
  private static let portion = 64 << 10

  mutating func add(_ line: [UInt8]) {
    if waiting == 0 {
      (self.line, sent) = (line, 0)
    } else {
      later.append(line)
    }
    waiting += line.count
  }

  /// Adds one whose memory is used again once this returns. Where nothing waits it has the memory of the last.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    if waiting > 0 { return add(Array(bytes)) }
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: bytes)
    (sent, waiting) = (0, bytes.count)
  }

  mutating func forget() { self = Outbox() }

  /// Writes what is taken now; the error where nothing will be any more.
  ///
  /// - Parameter write: takes some of the bytes, as the system's `write` does.
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

  /// Makes one of what is to be written next and what comes behind it, where both are short.
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
