/// The names that a context itself answers to: whoever supplies something under one of them is not heard.
enum HostNames {
  static let fields = ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"]
  static let calls = ["append", "each", "flag", "has", "set", "undo", "refuse", "super", "forward"]

  static let all = fields + calls

  /// Each by its length, its first and its last letter, which no two have in common.
  private static let byMark = all.reduce(into: [String](repeating: "", count: 64)) { $0[mark(of: $1)] = $1 }

  @inline(__always)
  private static func mark(of name: String) -> Int {
    (5 &* Int(name.utf8.first ?? 0) &+ Int(name.utf8.last ?? 0) &+ 4 &* name.utf8.count) & 63
  }

  static func contains(_ name: String) -> Bool { !name.isEmpty && byMark[mark(of: name)].hasSameBytes(as: name) }
}
