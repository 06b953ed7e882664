import ScriptHost

extension String {
  /// Whether the text has more than one line; a newline at its end doesn't count.
  var hasLines: Bool { utf8.dropLast().contains(UInt8(ascii: "\n")) }
}

extension LuaTree {
  /// The value with counts in place of texts of several lines, which are shown below it.
  var summed: LuaTree {
    switch self {
    case .text(let text) where text.hasLines: .opaque(Self.count(text))
    case .map(let entries):
      .map(
        entries.map { entry -> Entry in
          guard case .text = entry.key, case .text(let text) = entry.value, text.hasLines else { return entry }
          var counted = entry
          counted.value = .opaque(Self.count(text))
          return counted
        })
    default: self
    }
  }

  private static func count(_ text: String) -> String {
    "\(text.utf8.dropLast().count { $0 == UInt8(ascii: "\n") } + 1) lines"
  }
}
