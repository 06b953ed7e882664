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
