/// One JSON value under construction; members stay in the order in which they are given.
indirect enum JSON {
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case null
  case list([JSON])
  case object([(String, JSON)])
}

/// Writes JSON.
enum JSONText {
  static func text(_ value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): quoted(value)
    case .list(let values): "[\(values.map(text).joined(separator: ", "))]"
    case .object(let members): "{\(members.map { "\(quoted($0)): \(text($1))" }.joined(separator: ", "))}"
    }
  }

  /// A string with JSON's escapes, and with all escaped that a terminal would obey.
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
        if isObeyed(scalar) {
          for unit in String(scalar).utf16 { result += escape(unit) }
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  private static func escape(_ unit: UInt16) -> String {
    let text = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - text.utf8.count) + text
  }
}
