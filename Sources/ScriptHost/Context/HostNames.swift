/// The names that a context itself answers to: whoever supplies something under one of them is not heard.
enum HostNames {
  static let fields = ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"]
  static let calls = ["append", "each", "flag", "has", "set", "undo", "refuse", "super", "forward"]

  static let all = fields + calls

  /// By their lengths: most names are told from all of these by theirs.
  private static let byLength: [[String]] = (0...9).map { length in all.filter { $0.utf8.count == length } }

  static func contains(_ name: String) -> Bool {
    let length = name.utf8.count
    return length < byLength.count && byLength[length].contains { $0.hasSameBytes(as: name) }
  }
}
