import LiveHost
import ScriptHost

/// Writes values as a script of Lua's has them.
enum LuaText {
  /// A string between quotes, with all escaped that a terminal would obey rather than show.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        let shown = String(scalar).visible
        if shown.unicodeScalars.elementsEqual(CollectionOfOne(scalar)) {
          result += shown
        } else {
          result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
      }
    }
    return result + "\""
  }

  /// A value; nil where it can't be written, because it is a function, an object of the host's, or not UTF-8, or has such a key.
  static func text(_ value: LuaTree) -> String? {
    switch value {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): value == .min ? "math.mininteger" : "\(value)"
    case .number(let value): text(value)
    case .text(let text): quoted(text)
    case .bytes, .opaque: nil
    case .list(let values): list(values)
    case .map(let entries): table(entries)
    }
  }

  /// A value's text in a table, where no value is the script's `null`.
  private static func part(_ value: LuaTree) -> String? { value == .nil ? "null" : text(value) }

  /// A key's text in a table. A table is a key of its own: no other is the same, whatever is in it.
  private static func key(_ key: LuaTree) -> String? {
    switch key {
    case .list, .map: nil
    default: part(key)
    }
  }

  private static func text(_ number: Double) -> String {
    if number.isNaN { return "0/0" }
    if number.isInfinite { return number > 0 ? "math.huge" : "-math.huge" }
    return "\(number)"
  }

  private static func list(_ values: [LuaTree]) -> String? {
    let texts = values.compactMap(part)
    return texts.count == values.count ? "{ \(texts.joined(separator: ", ")) }" : nil
  }

  /// Lua has no order of its own, and what is written twice must be the same.
  private static func table(_ entries: [LuaTree.Entry]) -> String? {
    var parts: [String] = []
    for entry in entries {
      guard let key = Self.key(entry.key), let value = part(entry.value) else { return nil }
      let name = if case .text(let word) = entry.key, word.isLuaWord { word } else { "[\(key)]" }
      parts.append("\(name) = \(value)")
    }
    return parts.isEmpty ? "{}" : "{ \(parts.sorted().joined(separator: ", ")) }"
  }
}
