import Glibc

/// An *inbox* holds the bytes that a connection has received, and finds the lines in them. A line is read in place, without being copied.
struct Inbox: ~Copyable {
  enum Line {
    /// The bytes of the line, valid until the next `fill`.
    case text(UnsafeBufferPointer<UInt8>)
    /// A line that is longer than allowed.
    case tooLong
  }

  private let longest: Int
  private var bytes: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  /// The numbers of bytes in the buffer: those of lines that were taken, and all.
  private var taken = 0
  private var count = 0
  /// The index of the next line's end; nil if none has come whole.
  private var lineEnd: Int?
  /// Whether the line under way is too long, so that the rest of it is dropped.
  private var isSkipping = false
  private var hasSkipped = false

  /// The first size of the buffer, which is enough for most clients, and the size above which an empty buffer is given up.
  private static let least = 4 << 10
  private static let usual = 64 << 10

  /// - Parameter longest: the most bytes that a line may have.
  init(longest: Int) { self.longest = longest }

  deinit { bytes?.deallocate() }

  /// Whether `next()` has a line, a too long one included.
  var hasLine: Bool { hasSkipped || lineEnd != nil }

  /// Reads more bytes; called only if no line waits to be taken.
  ///
  /// - Parameter read: fills a part of the buffer that it is given, like the system's `read`.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    makeRoom()
    let got = read(UnsafeMutableRawBufferPointer(start: bytes.map { $0 + count }, count: capacity - count))
    if got > 0 { add(got) }
    return got
  }

  /// Takes the next whole line, without its end; nil if there is none.
  mutating func next() -> Line? {
    if hasSkipped {
      hasSkipped = false
      return .tooLong
    }
    guard let end = lineEnd else { return nil }
    let line = UnsafeBufferPointer(start: bytes.map { UnsafePointer($0 + taken) }, count: end - taken)
    taken = end + 1
    lineEnd = find(from: taken)
    return line.count > longest ? .tooLong : .text(line)
  }

  private func find(from start: Int) -> Int? {
    guard let bytes, start < count else { return nil }
    return memchr(bytes + start, 0x0A, count - start).map { bytes.distance(to: $0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// Moves the line under way to the front of the buffer, and doubles the buffer if that fills it.
  private mutating func makeRoom() {
    let rest = count - taken
    let wanted = rest == capacity ? max(Self.least, 2 * capacity) : rest == 0 && capacity > Self.usual ? 0 : capacity
    if wanted != capacity || capacity == 0 {
      let size = max(wanted, Self.least)
      let room = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
      if let bytes { room.update(from: bytes + taken, count: rest) }
      bytes?.deallocate()
      (bytes, capacity) = (room, size)
    } else if let bytes, taken > 0, rest > 0 {
      memmove(bytes, bytes + taken, rest)
    }
    (taken, count) = (0, rest)
  }

  private mutating func add(_ got: Int) {
    let start = count
    count += got
    if isSkipping {
      guard let end = find(from: start) else { return forget() }
      taken = end + 1
      isSkipping = false
      lineEnd = find(from: taken)
    } else {
      lineEnd = find(from: start)
    }
    if lineEnd == nil, count - taken > longest {
      isSkipping = true
      hasSkipped = true
      forget()
    }
  }

  private mutating func forget() { (taken, count) = (0, 0) }
}
