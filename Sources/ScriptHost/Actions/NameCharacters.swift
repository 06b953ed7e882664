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
