/// The error in the text of a reference, and its location.
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

  /// The offset in bytes.
  public let offset: Int

  /// The column in Unicode scalars, from 1; the end is one after the last.
  public let column: Int

  /// The text around the place, for messages.
  public let excerpt: Excerpt

  /// Whether a '/' ends the part that could be parsed, as in the path of an item.
  package var isPath: Bool { problem == .unexpected(.openingOrEnd, found: "/") }

  /// Creates an error at an offset of these bytes, which are UTF-8 up to there.
  init(_ problem: Problem, in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    self.problem = problem
    self.offset = offset
    column = 1 + bytes.prefix(offset).count { $0 & 0xC0 != 0x80 }
    excerpt = Excerpt(of: bytes, at: offset)
  }
}

extension ReferenceError {
  enum Problem: Sendable, Equatable {
    /// Another scalar was found; nil is the end.
    case unexpected(Expected, found: Unicode.Scalar?)
    case invalidUTF8(byte: UInt8)
    case nameBeginsWithDigit
    case idTooLong(bytes: Int)
    /// A key occurs twice; the key, or the beginning of a long one.
    case doubledKey(String)
    /// An argument has no name; the reference that was probably meant.
    case namelessArgument(meant: String)
    /// A value contains a blank; the value that was probably meant.
    case blankInValue(meant: String)
    /// A blank and more text follow the action's name; the reference that was probably meant.
    case blankInName(meant: String)
    /// A ':' follows the action's name; the reference that was probably meant.
    case colonInName(meant: String)
    /// The name of a responder and a ':' precede an action; the action.
    case addressed(action: String)
    /// '=' is used in place of ':'; the argument that was meant.
    case equalsForColon(meant: String)
    case singleQuote
    case tooDeep
    case numberTooLarge
    case unclosedString
    case unknownEscape(Unicode.Scalar)
    case loneSurrogate(UInt16)
    case controlCharacter(Unicode.Scalar)
  }

  /// The syntax expected at the place.
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

/// The limits of a reference.
enum ReferenceLimit {
  static let idBytes = 256
  static let depth = 64
}

extension ReferenceError: CustomStringConvertible {
  /// Returns the message, the text below it, and a caret below the place.
  public func render() -> String {
    "\(message)\n\(excerpt.render())"
  }

  public var description: String { render() }

  /// The problem in one sentence.
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
      "the key \(quoted(key)) is here twice"
    case .namelessArgument(let meant):
      "an argument needs its name: \(meant)"
    case .blankInValue(let meant):
      "put a text with blanks in double quotes: \(meant)"
    case .blankInName(let meant):
      "a name can't have blanks; put arguments in parentheses: \(meant)"
    case .colonInName(let meant):
      "put arguments in parentheses: \(meant)"
    case .addressed(let action):
      "write the action alone, without a responder: \(action)"
    case .equalsForColon(let meant):
      "put a colon between a key and its value: \(meant)"
    case .singleQuote:
      "put a string in double quotes, not in single ones"
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
  /// The scalar in quotes, or its number if it is invisible.
  fileprivate var shown: String {
    isVisible ? "'\(self)'" : "U+\(hexadecimal(value, digits: 4))"
  }
}

/// Writes a text as a string, with everything visible.
private func quoted(_ text: String) -> String {
  var formatter = ReferenceFormatter()
  formatter.writeQuoted(text)
  return formatter.text
}

/// Writes a number in hexadecimal, with at least `digits` digits.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
