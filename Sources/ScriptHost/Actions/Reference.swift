/// Names an action and its arguments, as in `image.export(format: jpeg, quality: 0.9)`.
///
/// ```swift
/// let reference = try Reference.parse("image.export(format: jpeg)")
/// print(reference.name)  // export
/// print(reference.prefix)  // image
/// print(reference.arguments?["format"] == .text("jpeg"))  // true
/// ```
public struct Reference: Sendable {
  /// Everything before the parentheses.
  public let id: String

  /// The arguments in parentheses; nil without parentheses, which performs the same as `()`.
  public let arguments: LiteralObject?
  /// Whether to look for the whole id only, not its last component (M16).
  var isExact = false

  package init(id: String, arguments: LiteralObject?) {
    self.id = id
    self.arguments = arguments
  }
}

extension Reference: Equatable {
  public static func == (left: Reference, right: Reference) -> Bool {
    left.id.hasSameBytes(as: right.id) && left.arguments == right.arguments && left.isExact == right.isExact
  }
}

extension Reference {
  /// One way to read the id: the name to look for, and the prefix dropped before it.
  struct Candidate: Sendable, Equatable {
    let name: String
    let prefix: String

    static func == (left: Candidate, right: Candidate) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.prefix.hasSameBytes(as: right.prefix)
    }
  }

  /// The names to look for, in order: the whole id, then one leading component fewer each time.
  ///
  /// Computed on demand, because together they can be a hundred times as long as the id.
  var candidates: [Candidate] {
    var candidates = [Candidate(name: id, prefix: "")]
    if isExact { return candidates }
    var rest = id.utf8[...]
    while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.index(after: dot)...]
      candidates.append(Candidate(name: String(Substring(rest)), prefix: String(id[..<dot])))
    }
    return candidates
  }

  /// The parts of the id between the dots.
  public var components: [String] {
    id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// The last component, which is the action's name if nobody handles it.
  public var name: String {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")) else { return id }
    return String(id[id.utf8.index(after: dot)...])
  }

  /// All components except the last, joined by dots.
  public var prefix: String {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(id[..<dot])
  }
}

extension Reference {
  /// Reads a reference, with or without blanks around it.
  public static func parse(_ text: String) throws(ReferenceError) -> Reference {
    try text.withBytes(parsed).get()
  }

  /// Reads a reference from unchecked bytes.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReferenceError) -> Reference {
    var parser = ReferenceParser(bytes)
    return try parser.reference()
  }

  /// Reads the bytes, and returns the result as a value, which a closure can return.
  private static func parsed(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Reference, ReferenceError> {
    Result { () throws(ReferenceError) in try parse(bytes) }
  }
}

extension Reference {
  /// Writes the reference so that reading returns the same one. It quotes only where needed.
  public func format() -> String {
    var formatter = ReferenceFormatter()
    formatter.write(self)
    return formatter.text
  }
}

extension Literal {
  /// Writes the literal as in a reference. Infinite numbers and NaN become `null`, because they can't be written.
  public func format() -> String {
    var formatter = ReferenceFormatter()
    formatter.write(self)
    return formatter.text
  }
}

/// Writes references and literals in their canonical spelling.
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
  /// Whether a terminal or an editor would obey it instead of showing it.
  fileprivate var breaksLines: Bool {
    isControl || value == 0x2028 || value == 0x2029
  }
}

extension String {
  /// Whether it is valid as a key without quotes.
  fileprivate var isBareWord: Bool {
    guard let first = unicodeScalars.first, first.beginsBareWord else { return false }
    return unicodeScalars.allSatisfy(\.continuesBareWord)
  }

  /// Whether it is valid as a value without quotes, and is then read as text.
  fileprivate var isBareText: Bool {
    isBareWord && withBytes { BareWord($0) == .text }
  }
}

/// The meaning of a bare word as a value.
///
/// Only `true`, `false`, `null` and JSON's spelling of numbers aren't text: `01`, `1.`, `.5` and `+1` are words.
enum BareWord: Equatable {
  case null
  case bool(Bool)
  case integer
  case fraction
  case text

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let keyword = BareWord(keyword: bytes) {
      self = keyword
    } else {
      self = BareWord(number: bytes) ?? .text
    }
  }

  private init?(keyword bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes.count {
    case 4 where bytes.elementsEqual("true".utf8): self = .bool(true)
    case 4 where bytes.elementsEqual("null".utf8): self = .null
    case 5 where bytes.elementsEqual("false".utf8): self = .bool(false)
    default: return nil
    }
  }

  /// Follows JSON's grammar: `-`? (`0` | digit without 0, digits) (`.` digits)? (`e` sign? digits)?
  private init?(number bytes: UnsafeBufferPointer<UInt8>) {
    var cursor = ByteCursor(bytes)
    _ = cursor.take(UInt8(ascii: "-"))
    if !cursor.take(UInt8(ascii: "0")), !cursor.takeDigits() { return nil }
    guard cursor.byte != nil else {
      self = .integer
      return
    }
    if cursor.take(UInt8(ascii: ".")), !cursor.takeDigits() { return nil }
    if cursor.take(UInt8(ascii: "e")) || cursor.take(UInt8(ascii: "E")) {
      _ = cursor.take(UInt8(ascii: "+")) || cursor.take(UInt8(ascii: "-"))
      guard cursor.takeDigits() else { return nil }
    }
    guard cursor.byte == nil else { return nil }
    self = .fraction
  }
}

extension ByteCursor {
  /// Skips ASCII digits. Returns true if there was one.
  fileprivate mutating func takeDigits() -> Bool {
    let start = offset
    skip { $0.isASCII && $0.isDigit }
    return offset > start
  }
}
