import ScriptHost

extension TextRenderer {
  /// A value as a reference would have it; what can't be written is named.
  func text(_ value: LuaTree) -> String {
    switch value {
    case .nil: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): JSONText.quoted(value).visible
    case .bytes(let bytes): "\(bytes.count) bytes that are not UTF-8"
    case .opaque(let what): "<\(what.visible)>"
    case .list(let values): "[\(values.map(text).joined(separator: ", "))]"
    case .map(let entries): "{\(sorted(entries).map { "\(key($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
    }
  }

  private func key(_ key: LuaTree) -> String {
    guard case .text(let word) = key else { return "[\(text(key))]" }
    let isBare = (try? Reference.parse("a(\(word): 1)"))?.arguments?.members.first?.key == word
    return isBare ? word : JSONText.quoted(word).visible
  }

  /// Lua has no order of its own, and what is shown twice must look the same.
  private func sorted(_ entries: [LuaTree.Entry]) -> [LuaTree.Entry] {
    entries.map { (key($0.key), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
