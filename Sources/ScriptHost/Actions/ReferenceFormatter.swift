extension Reference {
  /// Writes the reference so that reading it gives the same again, with quotes only where they are needed.
  public func format() -> String {
    var formatter = ReferenceFormatter()
    formatter.write(self)
    return formatter.text
  }
}

extension Literal {
  /// Writes the literal as it would stand in a reference; `null` for a number that is not finite, which has no
  /// spelling.
  public func format() -> String {
    var formatter = ReferenceFormatter()
    formatter.write(self)
    return formatter.text
  }
}

/// Writes references and literals in their one canonical spelling.
struct ReferenceFormatter {
  private(set) var text = ""

  mutating func write(_ reference: Reference) {
    text += reference.id
    guard let arguments = reference.arguments else { return }
    write("(", arguments, ")")
  }

  mutating func write(_ literal: Literal) {
    switch literal {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? value.description : "null"
    case .text(let value): write(value, bare: value.isBareText)
    case .list(let values): write(values)
    case .object(let object): write("{", object, "}")
    }
  }

  private mutating func write(_ values: [Literal]) {
    text += "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += ", " }
      write(value)
    }
    text += "]"
  }

  private mutating func write(_ opening: String, _ object: LiteralObject, _ closing: String) {
    text += opening
    for (index, member) in object.members.enumerated() {
      if index > 0 { text += ", " }
      write(member.key, bare: member.key.isBareWord)
      text += ": "
      write(member.value)
    }
    text += closing
  }

  private mutating func write(_ string: String, bare: Bool) {
    if bare { text += string } else { writeQuoted(string) }
  }

  mutating func writeQuoted(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.breaksLines: text += "\\u" + hexadecimal(scalar.value, digits: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor would obey it rather than show it.
  fileprivate var breaksLines: Bool {
    isControl || value == 0x2028 || value == 0x2029
  }
}

extension String {
  /// Whether it can stand without quotes as a key.
  fileprivate var isBareWord: Bool {
    guard let first = unicodeScalars.first, first.beginsBareWord else { return false }
    return unicodeScalars.allSatisfy(\.continuesBareWord)
  }

  /// Whether it can stand without quotes as a value and is then read as text.
  fileprivate var isBareText: Bool {
    isBareWord && withBytes { BareWord($0) == .text }
  }
}
