/// The *incoming lines* are the client's bytes, split into lines.
struct IncomingLines {
  enum Line: Equatable {
    case whole(ArraySlice<UInt8>)
    /// A line with too many bytes. It comes once, before the end of the line is known.
    case tooLong
  }

  /// The most bytes that a line may have.
  static let longest = 4 << 20

  private var bytes: [UInt8] = []
  private var searched = 0
  /// Whether to skip the rest of a too long line.
  private var skips = false

  /// Adds received bytes. Returns the lines that they complete, without blank lines.
  mutating func take(_ chunk: some Collection<UInt8>) -> [Line] {
    var lines: [Line] = []
    var start = 0
    bytes += chunk
    while let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[start..<end]
      (start, searched) = (end + 1, end + 1)
      if skips { skips = false } else if !Self.isBlank(line) { lines.append(.whole(line)) }
    }
    bytes.removeFirst(start)
    searched = bytes.count
    if bytes.count > Self.longest {
      if !skips { lines.append(.tooLong) }
      bytes.removeAll()
      (skips, searched) = (true, 0)
    }
    return lines
  }

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
  }
}
