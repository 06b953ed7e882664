import LiveHost
import ScriptHost

// Values for people in the REPL: on one line if they fit, else a line for each part.

extension TextRenderer {
  /// The most columns of a value on one line, however wide the terminal is.
  private static let widest = 100
  /// The most characters that are shown of a string.
  private static let mostCharacters = 2000

  func text(_ value: Inspection) -> String { text(value, indent: 0, besides: 0) }

  /// - Parameter besides: the columns of the first line that are taken already.
  private func text(_ value: Inspection, indent: Int, besides: Int) -> String {
    let line = self.line(value)
    if indent + besides + line.width <= min(columns, Self.widest) { return line }
    switch value {
    case .table(let table) where !table.isClosed: return block(table, heading: "", indent: indent)
    case .responder(let name, let fields): return block(fields, heading: name.visible + " ", indent: indent)
    default: return line
    }
  }

  private func block(_ table: Inspection.Table, heading: String, indent: Int) -> String {
    let blank = String(repeating: " ", count: indent + 2)
    let names = names(of: table)
    let width = names.map(\.width).max() ?? 0
    var lines = zip(names, table.entries).map { name, entry in
      let name = name.isEmpty ? "" : name.padded(to: width) + " = "
      return "\(blank)\(name)\(text(entry.value, indent: indent + 2, besides: name.width + 1)),"
    }
    if table.more > 0 { lines.append("\(blank)… \(table.more) more") }
    return (["\(heading){"] + lines + [String(repeating: " ", count: indent) + "}"]).joined(separator: "\n")
  }

  // MARK: On one line

  private func line(_ value: Inspection) -> String {
    switch value {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.isNaN ? "nan" : "\(value)"
    case .text(let text): quoted(text)
    case .bytes(let count): "<\(count) bytes that are not UTF-8>"
    case .function(let place): place.map { "<function of \($0.visible)>" } ?? "<function>"
    case .object(let name): "<\(name.visible)>"
    case .cycle(let path): path.isEmpty ? "<the whole again>" : "<\(path.visible) again>"
    case .responder(let name, let fields):
      fields.entries.isEmpty ? name.visible : "\(name.visible) \(line(fields))"
    case .table(let table): line(table)
    }
  }

  private func line(_ table: Inspection.Table) -> String {
    if table.isClosed { return "{…}" }
    if table.entries.isEmpty { return table.more > 0 ? "{…}" : "{}" }
    let parts = zip(names(of: table), table.entries).map { name, entry in
      (name.isEmpty ? "" : "\(name) = ") + line(entry.value)
    }
    return "{ " + (parts + (table.more > 0 ? ["… \(table.more) more"] : [])).joined(separator: ", ") + " }"
  }

  /// The keys in Lua's syntax; empty for those of a list, 1…n, which are not written.
  private func names(of table: Inspection.Table) -> [String] {
    var next = 1
    return table.entries.map { entry in
      switch entry.key {
      case .integer(next):
        next += 1
        return ""
      case .text(let name) where name.isLuaWord: return name
      default: return "[\(line(entry.key))]"
      }
    }
  }

  /// A quoted string with Lua's escapes, in which characters that a terminal would obey are escaped too.
  private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(Self.mostCharacters)
    let quoted = LuaText.quoted(String(shown))
    let more = scalars.count - shown.count
    return more > 0 ? "\(quoted)… \(more) more characters" : quoted
  }
}
