/// The output of a program on one descriptor, cut into lines.
struct WrittenLines {
  /// Longer ones are cut.
  private static let longest = 64 << 10

  private var begun: [UInt8] = []

  /// Takes new output, and returns the lines that it completes.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
        lines.append(begun)
        begun.removeAll(keepingCapacity: true)
        continue
      }
      begun.append(byte)
      guard begun.count >= Self.longest else { continue }
      lines.append(begun)
      begun.removeAll(keepingCapacity: true)
    }
    return lines
  }

  /// The last line, if nothing ended it.
  mutating func rest() -> [[UInt8]] {
    defer { begun = [] }
    return begun.isEmpty ? [] : [begun]
  }
}
