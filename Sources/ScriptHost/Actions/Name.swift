/// A *name* is an identifier that was given a number, so that comparing, hashing and looking it up cost as much as
/// with an integer.
///
/// Names of one host can be compared with each other, those of two hosts can't.
struct Name: Hashable, Sendable {
  let index: Int32
}

/// The names of one host: each sequence of bytes is one name.
///
/// `é` and `e` with an accent after it are two names, although Swift's strings take them for equal. A name stays for
/// the host's life, so only what is declared is interned; what a script merely asks for is looked up with
/// `name(of:)`.
final class NameTable {
  /// How many names scripts may make.
  static let limit = 65_536
  /// How many of them one plugin may make.
  static let limitOfPlugin = 8192
  private let index = TextIndex()
  private var texts: ContiguousArray<String> = []

  /// How many names there are.
  var count: Int { texts.count }

  /// The name of these bytes, a new one the first time.
  func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Name {
    let number = index.insert(bytes)
    if number == texts.count { texts.append(String(decoding: bytes, as: UTF8.self)) }
    return Name(index: Int32(truncatingIfNeeded: number))
  }

  /// The name of this text, a new one the first time.
  func intern(_ text: String) -> Name {
    text.withBytes(intern)
  }

  /// The name of these bytes, or nil when nobody interned them.
  @inline(__always)
  func name(of bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    index.find(bytes).map { Name(index: Int32(truncatingIfNeeded: $0)) }
  }

  /// The name of this text, or nil when nobody interned it.
  @inline(__always)
  func name(of text: String) -> Name? {
    text.withBytes { bytes in name(of: bytes) }
  }

  /// The text that was interned as this name; empty for a name of another host that has no equal here.
  func text(of name: Name) -> String {
    let index = Int(name.index)
    return texts.indices.contains(index) ? texts[index] : ""
  }
}

extension Unicode.Scalar {
  /// Whether a component of a name may begin with it: a letter of any script, `_` or `-`.
  var beginsName: Bool {
    isASCII ? isASCIILetter || self == "_" || self == "-" : kind == .letter
  }

  /// Whether it may stand further on in a component: also a digit, or a mark that belongs to the letter before.
  var continuesName: Bool {
    isASCII ? beginsName || isASCIIDigit : kind != .other
  }

  /// Whether a bare word may begin with it.
  var beginsBareWord: Bool {
    isASCII ? continuesBareWord : kind == .letter || kind == .digit
  }

  /// Whether it may stand further on in a bare word.
  var continuesBareWord: Bool {
    switch self {
    case ".", "/", "+", "#", "@", "%", "*", "~": true
    default: continuesName
    }
  }

  /// Whether it is a digit of any script.
  var isDigit: Bool {
    isASCII ? isASCIIDigit : kind == .digit
  }

  /// Whether a blank between tokens may be this: one of JSON's four.
  var isBlank: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r"
  }

  /// Whether a terminal may obey it rather than show it.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it can be shown as it is, a shape of its own on one line.
  package var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    case .nonspacingMark, .spacingMark, .enclosingMark: false
    case .spaceSeparator: self == " "
    default: true
    }
  }

  /// Whether it takes no room of its own where text is shown.
  package var isMark: Bool {
    !isASCII && kind == .mark
  }

  /// What a name can do with a scalar outside ASCII.
  private enum Kind {
    case letter, digit, mark, other
  }

  private var kind: Kind {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: .letter
    case .decimalNumber: .digit
    case .nonspacingMark, .spacingMark, .enclosingMark: .mark
    default: .other
    }
  }

  private var isASCIILetter: Bool {
    (97...122).contains(value | 0x20)
  }

  private var isASCIIDigit: Bool {
    (48...57).contains(value)
  }
}
