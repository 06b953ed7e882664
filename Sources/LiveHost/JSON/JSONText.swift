import ScriptHost

/// Writes JSON.
package enum JSONText {
  package static func text(_ value: JSON) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.text
  }

  /// A string with JSON's escapes, and with all escaped that a terminal would obey.
  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter(capacity: text.utf8.count + 16)
    writer.string(text)
    return writer.text
  }

  private static func write(_ value: JSON, to writer: inout JSONWriter) {
    switch value {
    case .null: writer.raw("null")
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .text(let value): writer.string(value)
    case .element(let element, let isWhole): element.write(to: &writer, whole: isWhole)
    case .list(let values):
      writer.raw("[")
      for (index, value) in values.enumerated() {
        if index > 0 { writer.raw(", ") }
        write(value, to: &writer)
      }
      writer.raw("]")
    case .object(let members):
      writer.raw("{")
      for (index, member) in members.enumerated() {
        if index > 0 { writer.raw(", ") }
        writer.string(member.0)
        writer.raw(": ")
        write(member.1, to: &writer)
      }
      writer.raw("}")
    }
  }
}
