import ScriptHost

extension String {
  /// Whether it is more than one line, with or without an end.
  var hasLines: Bool { utf8.dropLast().contains(UInt8(ascii: "\n")) }
}

extension LuaTree {
  /// The same with a count in the place of lines that are shown below it.
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
