import LiveHost
import ScriptHost

/// Writes values in Lua's syntax.
enum LuaText {
  /// Returns a quoted string, with terminal control characters escaped.
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

  /// Returns a value's text; nil if it is or contains a function, an object of the host, invalid UTF-8 or a table as
  /// key.
  static func text(_ value: LuaTree) -> String? {
    switch value {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): value == .min ? "math.mininteger" : "\(value)"
    case .number(let value): text(value)
    case .text(let text): quoted(text)
    case .bytes, .object, .opaque: nil
    case .list(let values): list(values)
    case .map(let entries): table(entries)
    }
  }

  /// Returns a value's text inside a table, where nil is written as `null`.
  private static func part(_ value: LuaTree) -> String? { value == .nil ? "null" : text(value) }

  /// Returns a key's text in a table; nil for a table, which as a key is unequal to all others.
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

  /// Returns a table's text, sorted, because Lua's tables have no order and equal tables must have equal texts.
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
