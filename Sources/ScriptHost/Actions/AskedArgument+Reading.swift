extension AskedArgument {
  /// Reads a person's answer, from a line of a form or a prompt. Throws why it isn't taken.
  ///
  /// Several values are separated by commas. A choice is named by its value or its title.
  public func read(_ text: String) throws(Misfit) -> Value {
    guard isMany else { return try readOne(text) }
    var values: [Value] = []
    for part in text.split(separator: ",") { values.append(try readOne(String(part).trimmed)) }
    return .list(values)
  }

  private func readOne(_ text: String) throws(Misfit) -> Value {
    let value = value(of: text)
    if let value, isTaken(value) { return value }
    throw Misfit(self, given: value ?? .text(text))
  }

  private func value(of text: String) -> Value? {
    switch kind {
    case .string, .file, .folder: .text(text)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "y", "on": true
      case "false", "no", "n", "off": false
      default: nil
      }
    case .integer, .number, .any: Value(spelling: text)
    case .oneOf:
      choices?.first { $0.value.spelling.hasSameBytes(as: text) || $0.title?.hasSameBytes(as: text) ?? false }?.value
    }
  }

  private func isTaken(_ value: Value) -> Bool {
    switch (kind, value) {
    case (.integer, .integer), (.number, .integer), (.number, .number): admits(value)
    case (.integer, _), (.number, _): false
    case (.string, .text(let text)): admits(.integer(text.unicodeScalars.count))
    case (.file, .text(let path)), (.folder, .text(let path)): !path.isEmpty
    default: true
    }
  }

  /// Whether a number, or the length of a string, is within the bounds.
  func admits(_ number: Value) -> Bool {
    guard Value.order(number, number) != nil else { return false }
    if let from, Value.order(number, from) ?? -1 < 0 { return false }
    if let to, Value.order(number, to) ?? 1 > 0 { return false }
    return true
  }
}

extension Value {
  /// A value as a person writes it where it stands alone.
  package var spelling: String {
    switch self {
    case .text(let text): text
    default: shown
    }
  }

  /// Reads a text as an argument of a reference; if it isn't one, the value is the text itself.
  package init(spelling text: String) {
    let literal = (try? Reference.parse("a(value: \(text))"))?.arguments
    self = literal?.members.count == 1 ? literal?["value"].map(Value.init) ?? .null : .text(text)
  }
}

extension String {
  fileprivate var trimmed: String {
    let blanks: Set<Character> = [" ", "\t"]
    let start = drop { blanks.contains($0) }
    return String(start.reversed().drop { blanks.contains($0) }.reversed())
  }
}
