/// The host's names in a context; what a provider supplies under one of them is not stored.
enum HostNames {
  static let fields = ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"]
  static let calls = ["append", "each", "flag", "has", "set", "insert", "remove", "undo", "refuse", "super", "forward"]

  static let all = fields + calls

  /// The names by a mark of their length, first and last letter, which differs for all of them.
  private static let byMark = all.reduce(into: [String](repeating: "", count: 64)) { marks, name in
    marks[name.withBytes(mark)] = name
  }

  @inline(__always)
  private static func mark(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    (5 &* Int(bytes[0]) &+ Int(bytes[bytes.count - 1]) &+ 4 &* bytes.count) & 63
  }

  static func contains(_ name: String) -> Bool { name.withBytes(contains) }

  static func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    !name.isEmpty && byMark[mark(of: name)].withBytes { $0.hasSameBytes(as: name) }
  }
}

extension Arguments {
  /// Those that are supplied to a context under their own keys: one with a name of the host's is read in `args` only.
  var supplied: [(key: String, value: Value)] {
    members.contains { HostNames.contains($0.key) } ? members.filter { !HostNames.contains($0.key) } : members
  }
}
