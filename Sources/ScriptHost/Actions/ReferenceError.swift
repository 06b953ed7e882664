/// What is wrong with the text of a reference, and where.
///
/// ```swift
/// do {
///   _ = try Reference.parse("a(")
/// } catch {
///   print(error.message)  // expected a key or ')' but the reference ends
///   print(error.column)  // 3
/// }
/// ```
public struct ReferenceError: Error, Sendable, Equatable {
  let problem: Problem

  /// The offset of the place in bytes.
  public let offset: Int

  /// Where the place is, counted in Unicode scalars from 1 on; the end is one further than the last.
  public let column: Int

  /// The text around the place, to be shown.
  public let excerpt: Excerpt

  /// Whether a '/' ends the part that could be parsed, as in the path of an item.
  package var isPath: Bool { problem == .unexpected(.openingOrEnd, found: "/") }

  /// An error at an offset of these bytes, before which all is UTF-8.
  init(_ problem: Problem, in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    self.problem = problem
    self.offset = offset
    column = 1 + bytes.prefix(offset).count { $0 & 0xC0 != 0x80 }
    excerpt = Excerpt(of: bytes, at: offset)
  }
}

extension ReferenceError {
  enum Problem: Sendable, Equatable {
    /// Something else stands there; nil is the end.
    case unexpected(Expected, found: Unicode.Scalar?)
    case invalidUTF8(byte: UInt8)
    case nameBeginsWithDigit
    case idTooLong(bytes: Int)
    /// A key stands twice; the key, or the beginning of a long one.
    case doubledKey(String)
    /// An argument has no name; the reference as it was most likely meant.
    case namelessArgument(meant: String)
    /// A value contains a blank; the value as it was most likely meant.
    case blankInValue(meant: String)
    /// Something follows the name of an action and a blank; the reference as it may have been meant.
    case blankInName(meant: String)
    /// A ':' follows the name of an action; the reference as it may have been meant.
    case colonInName(meant: String)
    /// The name of a responder and a ':' stand before an action; the action.
    case addressed(action: String)
    /// '=' stands where ':' belongs; the argument as it was meant.
    case equalsForColon(meant: String)
    case singleQuote
    case tooDeep
    case numberTooLarge
    case unclosedString
    case unknownEscape(Unicode.Scalar)
    case loneSurrogate(UInt16)
    case controlCharacter(Unicode.Scalar)
  }

  /// What could have stood at the place.
  enum Expected: Sendable, Equatable {
    case name
    case nameAfterDot
    case openingOrEnd
    case end
    case keyOr(Closing)
    case keyAfterComma
    case colon
    case value
    case valueOr(Closing)
    case valueAfterComma
    case commaOr(Closing)
    case hexDigits
  }

  /// A closing bracket.
  enum Closing: Character, Sendable {
    case parenthesis = ")"
    case bracket = "]"
    case brace = "}"
  }
}

/// The bounds of what a reference may be.
enum ReferenceLimit {
  static let idBytes = 256
  static let depth = 64
}

extension ReferenceError: CustomStringConvertible {
  /// The sentence, the text below it, and a caret below the place.
  public func render() -> String {
    "\(message)\n\(excerpt.render())"
  }

  public var description: String { render() }

  /// Says in one sentence what is wrong.
  public var message: String {
    switch problem {
    case .unexpected(let expected, found: nil):
      "expected \(expected.text) but the reference ends"
    case .unexpected(let expected, found: let scalar?):
      "expected \(expected.text) but found \(scalar.shown)"
    case .invalidUTF8(let byte):
      "the byte 0x\(hexadecimal(UInt32(byte), digits: 2)) is not UTF-8"
    case .nameBeginsWithDigit:
      "a name can't begin with a digit"
    case .idTooLong(let bytes):
      "a name has at most \(ReferenceLimit.idBytes) bytes, prefixes included, and this one has \(bytes)"
    case .doubledKey(let key):
      "the key \(quoted(key)) stands twice"
    case .namelessArgument(let meant):
      "an argument needs its name: \(meant)"
    case .blankInValue(let meant):
      "what has blanks in it stands in double quotes: \(meant)"
    case .blankInName(let meant):
      "a name has no blanks in it, and arguments stand in parentheses: \(meant)"
    case .colonInName(let meant):
      "arguments stand in parentheses: \(meant)"
    case .addressed(let action):
      "an action is named alone, and whoever is asked first answers it: \(action)"
    case .equalsForColon(let meant):
      "a colon stands between a key and its value: \(meant)"
    case .singleQuote:
      "a string stands in double quotes, not in single ones"
    case .tooDeep:
      "lists and objects can be nested \(ReferenceLimit.depth) deep at most"
    case .numberTooLarge:
      "the number is too large for a float"
    case .unclosedString:
      "the string has no closing '\"'"
    case .unknownEscape(let scalar):
      "'\\' must be followed by one of \" \\ / b f n r t u, not by \(scalar.shown)"
    case .loneSurrogate(let unit):
      "\\u\(hexadecimal(UInt32(unit), digits: 4)) is one half of a surrogate pair without the other"
    case .controlCharacter(let scalar):
      "a control character in a string must be written \\u\(hexadecimal(scalar.value, digits: 4))"
    }
  }
}

extension ReferenceError.Expected {
  fileprivate var text: String {
    switch self {
    case .name: "a name"
    case .nameAfterDot: "a name after '.'"
    case .openingOrEnd: "'(' or the end"
    case .end: "the end after ')'"
    case .keyOr(let closing): "a key or '\(closing.rawValue)'"
    case .keyAfterComma: "a key after ','"
    case .colon: "':' after the key"
    case .value: "a value after ':'"
    case .valueOr(let closing): "a value or '\(closing.rawValue)'"
    case .valueAfterComma: "a value after ','"
    case .commaOr(let closing): "',' or '\(closing.rawValue)'"
    case .hexDigits: "four hexadecimal digits after '\\u'"
    }
  }
}

extension Unicode.Scalar {
  /// The scalar between quotes, or its number where nothing would be seen.
  fileprivate var shown: String {
    isVisible ? "'\(self)'" : "U+\(hexadecimal(value, digits: 4))"
  }
}

/// Writes a text as a string, so that all of it can be seen.
private func quoted(_ text: String) -> String {
  var formatter = ReferenceFormatter()
  formatter.writeQuoted(text)
  return formatter.text
}

/// Writes a number in hexadecimal with at least so many digits.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
