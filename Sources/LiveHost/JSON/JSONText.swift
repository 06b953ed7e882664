import ScriptHost

/// Writes JSON.
package enum JSONText {
  package static func text(_ value: JSON) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return writer.text
  }

  /// A quoted string with JSON's escapes, in which all characters that control a terminal are escaped too.
  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter(capacity: text.utf8.count + 16)
    writer.string(text)
    return writer.text
  }
}

extension JSONWriter {
  /// Writes a value.
  package mutating func value(_ value: JSON) {
    switch value {
    case .null: raw("null")
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .text(let value): string(value)
    case .element(let element, let isWhole): element.write(to: &self, whole: isWhole)
    case .changes(let all, let isWhole): changes(all, whole: isWhole)
    case .written(let text): written(text)
    case .list(let values):
      raw("[")
      for (index, value) in values.enumerated() {
        if index > 0 { raw(", ") }
        self.value(value)
      }
      raw("]")
    case .object(let members):
      raw("{")
      self.members(members)
      raw("}")
    }
  }

  /// Writes members of an object, behind others or behind its '{'.
  package mutating func members(_ members: [(String, JSON)]) {
    for member in members {
      if last != UInt8(ascii: "{") { raw(", ") }
      string(member.0)
      raw(": ")
      value(member.1)
    }
  }
}
