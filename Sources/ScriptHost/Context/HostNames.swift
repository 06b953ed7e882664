/// The names that a context itself answers to: whoever supplies something under one of them is not heard.
enum HostNames {
  static let fields = ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"]
  static let calls = ["append", "each", "flag", "has", "set", "undo", "refuse", "super", "forward"]

  static let all = fields + calls

  /// A bit for each by its length and its first letter: most names are told from all of these by theirs.
  private static let marks = all.reduce(into: UInt64(0)) { $0 |= mark(of: $1) }

  @inline(__always)
  private static func mark(of name: String) -> UInt64 {
    1 << ((UInt64(name.utf8.first ?? 0) &* 7 &+ UInt64(name.utf8.count)) & 63)
  }

  static func contains(_ name: String) -> Bool {
    marks & mark(of: name) != 0 && all.contains { $0.hasSameBytes(as: name) }
  }
}
