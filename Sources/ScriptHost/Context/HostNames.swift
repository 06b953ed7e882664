/// The names that a context itself answers to: whoever supplies something under one of them is not heard.
enum HostNames {
  static let fields = ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"]
  static let calls = ["append", "each", "flag", "has", "set", "undo", "refuse", "super", "forward"]

  static let all = fields + calls

  static func contains(_ name: String) -> Bool {
    fields.contains { $0.hasSameBytes(as: name) } || calls.contains { $0.hasSameBytes(as: name) }
  }
}
