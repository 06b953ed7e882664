import ScriptHost

extension LuaTree {
  /// The value as a reference would write it. A value that has no such form is named by its kind; levels too deep to be read are left out.
  package var text: String { text(depth: 6) }

  private func text(depth: Int) -> String {
    switch self {
    case .nil: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): JSONText.quoted(value).visible
    case .bytes(let bytes): "\(bytes.count) bytes that are not UTF-8"
    case .opaque(let what): "<\(what.visible)>"
    case .list where depth == 0, .map where depth == 0: "…"
    case .list(let values): "[\(values.map { $0.text(depth: depth - 1) }.joined(separator: ", "))]"
    case .map(let entries):
      "{\(Self.sorted(entries).map { "\(Self.key($0.key)): \($0.value.text(depth: depth - 1))" }.joined(separator: ", "))}"
    }
  }

  private static func key(_ key: LuaTree) -> String {
    guard case .text(let word) = key else { return "[\(key.text)]" }
    let isBare = (try? Reference.parse("a(\(word): 1)"))?.arguments?.members.first?.key == word
    return isBare ? word : JSONText.quoted(word).visible
  }

  /// Sorts the entries of a table, so that it looks the same each time: Lua has no order of its own.
  private static func sorted(_ entries: [LuaTree.Entry]) -> [LuaTree.Entry] {
    entries.map { (key($0.key), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
