import Glibc

/// Reads the lines of stdin when it is no terminal.
struct LineStream {
  /// The most bytes that are kept of a line: more than a script may have, which is enough to refuse it.
  private static let most = 256 << 10

  private var bytes: [UInt8] = []
  /// The index of the first byte that was not returned yet.
  private var start = 0
  /// The index up to which no newline was found.
  private var searched = 0
  private var isAtEnd = false

  /// The next line, without its end; nil behind the last.
  mutating func next() -> String? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(to: end, and: 1) }
      searched = bytes.count
      if isAtEnd { return start < bytes.count ? take(to: bytes.count, and: 0) : nil }
      fill()
    }
  }

  private mutating func take(to end: Int, and past: Int) -> String {
    let line = bytes[start..<end].prefix(Self.most)
    start = end + past
    searched = start
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }

  private mutating func fill() {
    bytes.removeFirst(start)
    start = 0
    // The rest of a line that is too long is dropped, but its end is looked for.
    bytes.removeLast(max(0, bytes.count - Self.most))
    searched = bytes.count
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    if count <= 0 { isAtEnd = true } else { bytes += chunk[..<count] }
  }
}
