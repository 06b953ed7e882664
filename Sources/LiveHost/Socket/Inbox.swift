import Glibc

/// An *inbox* holds the bytes that have come from a client, which are read where they were put, up to the end of the last line that was taken.
struct Inbox: ~Copyable {
  enum Line {
    /// Its bytes, which are there until more is taken in.
    case text(UnsafeBufferPointer<UInt8>)
    /// One of more than what a line may have, which was not kept.
    case tooLong
  }

  private let longest: Int
  private var bytes: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  /// What was taken, and how far it is filled.
  private var taken = 0
  private var count = 0
  /// Where the next line ends, if it has come whole.
  private var lineEnd: Int?
  /// Whether the line under way is too long, so that what comes of it is dropped.
  private var isSkipping = false
  private var hasSkipped = false

  /// What most clients never say more than in one go, and what is not kept for one that did.
  private static let least = 4 << 10
  private static let usual = 64 << 10

  /// - Parameter longest: what a line may have.
  init(longest: Int) { self.longest = longest }

  deinit { bytes?.deallocate() }

  /// Whether a line has come whole, be it one that was not kept.
  var hasLine: Bool { hasSkipped || lineEnd != nil }

  /// Takes in more, where no line is there that was not taken.
  ///
  /// - Parameter read: fills some of what there is room for, as the system's `read` does.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    makeRoom()
    let got = read(UnsafeMutableRawBufferPointer(start: bytes.map { $0 + count }, count: capacity - count))
    if got > 0 { add(got) }
    return got
  }

  /// The next line that has come whole, without its end.
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

  /// Puts what was begun first, and makes room for as much again where there is none.
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
