import ScriptHost

/// An input of a terminal, which the *input decoder* makes from bytes for the face.
package enum TerminalInput: Equatable {
  /// A pressed key; `text` is the text that it types, if any.
  case key(Stroke, text: String?)
  case mouse(Mouse)
  /// A pasted text, unchanged.
  case paste(String)
  /// The terminal's window has got the focus or lost it.
  case focus(Bool)
  /// The terminal has answered a question.
  case answer(TerminalAnswer)
}

/// An answer of a terminal about itself.
package enum TerminalAnswer: Equatable {
  /// The answer that every terminal sends. It is requested last, so a missing answer before it won't come.
  case attributes
  /// The terminal has the kitty keyboard protocol, with these flags on.
  case keyboard(flags: Int)
  /// Whether the terminal knows a private mode, so that it can be on.
  case mode(Int, isKnown: Bool)
  /// The background colour.
  case ground(TerminalGround)
  /// The place of the cursor, counted from 0.
  case cursor(row: Int, column: Int)
}

/// A deed of the mouse and its place. Rows and columns count from 0.
package struct Mouse: Equatable {
  package enum Deed: Equatable {
    case press(Button), release(Button)
    /// The mouse was moved, with a button held or without.
    case move(Button?)
    /// The wheel turned by a number of notches. Down and right are positive.
    case wheel(rows: Int, columns: Int)
  }

  package enum Button: Equatable {
    case left, middle, right
  }

  package var deed: Deed
  package var row: Int
  package var column: Int
  package var modifiers: Modifiers = []
}

/// The numbers and letters of keys that write no character.
enum KeyCodes {
  /// Keys by the number in `CSI number ~`, from DEC's terminals.
  static let numbered = [
    1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end",
    11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10",
    23: "f11", 24: "f12", 25: "f13", 26: "f14", 28: "f15", 29: "menu", 31: "f17", 32: "f18", 33: "f19", 34: "f20",
  ]

  /// Keys by the letter in `CSI letter` and `ESC O letter`.
  static let lettered: [UInt8: String] = [
    UInt8(ascii: "A"): "up", UInt8(ascii: "B"): "down", UInt8(ascii: "C"): "right", UInt8(ascii: "D"): "left",
    UInt8(ascii: "E"): "kp5", UInt8(ascii: "F"): "end", UInt8(ascii: "H"): "home",
    UInt8(ascii: "P"): "f1", UInt8(ascii: "Q"): "f2", UInt8(ascii: "R"): "f3", UInt8(ascii: "S"): "f4",
  ]

  /// Keys by the letter in `ESC O letter`, from a keypad in application mode.
  static let keypad: [UInt8: String] = [
    UInt8(ascii: "M"): "kpenter", UInt8(ascii: "X"): "kpequal", UInt8(ascii: "j"): "kpmultiply",
    UInt8(ascii: "k"): "kpadd", UInt8(ascii: "l"): "kpseparator", UInt8(ascii: "m"): "kpsubtract",
    UInt8(ascii: "n"): "kpdecimal", UInt8(ascii: "o"): "kpdivide",
    UInt8(ascii: "p"): "kp0", UInt8(ascii: "q"): "kp1", UInt8(ascii: "r"): "kp2", UInt8(ascii: "s"): "kp3",
    UInt8(ascii: "t"): "kp4", UInt8(ascii: "u"): "kp5", UInt8(ascii: "v"): "kp6", UInt8(ascii: "w"): "kp7",
    UInt8(ascii: "x"): "kp8", UInt8(ascii: "y"): "kp9",
  ]

  /// The kitty protocol's names for keys without a character, in order from 57344 on.
  private static let kitty =
    ["esc", "enter", "tab", "backspace", "insert", "delete", "left", "right", "up", "down"]
    + ["pageup", "pagedown", "home", "end", "capslock", "scrolllock", "numlock", "printscreen", "pause", "menu"]
    + (1...35).map { "f\($0)" } + (0...9).map { "kp\($0)" }
    + ["kpdecimal", "kpdivide", "kpmultiply", "kpsubtract", "kpadd", "kpenter", "kpequal", "kpseparator"]
    + ["kpleft", "kpright", "kpup", "kpdown", "kppageup", "kppagedown", "kphome", "kpend", "kpinsert", "kpdelete"]
    + ["kp5", "mediaplay", "mediapause", "mediaplaypause", "mediareverse", "mediastop", "mediafastforward"]
    + ["mediarewind", "medianext", "mediaprevious", "mediarecord", "volumedown", "volumeup", "volumemute"]

  private static let firstOfKitty = 57344

  /// Returns a key's name by its number in the kitty protocol or modifyOtherKeys, and its text without modifiers.
  /// Returns nil if the key can't be bound, for example a modifier.
  static func key(_ code: Int) -> (name: String, text: String?)? {
    switch code {
    case 8, 127: return ("backspace", nil)
    case 9: return ("tab", nil)
    case 10, 13: return ("enter", nil)
    case 27: return ("esc", nil)
    case 32: return ("space", " ")
    case firstOfKitty..<(firstOfKitty + kitty.count): return (kitty[code - firstOfKitty], nil)
    default:
      guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init), scalar.isVisible else { return nil }
      // A character for private use is no key.
      if scalar.properties.generalCategory == .privateUse { return nil }
      return (String(scalar).lowercased(), String(scalar))
    }
  }

  /// Returns the modifiers of a terminal's number, which is their bits plus 1.
  static func modifiers(_ number: Int) -> Modifiers {
    let bits = max(0, number - 1)
    var modifiers: Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.ctrl) }
    // Super, and xterm's meta.
    if bits & (8 | 32) != 0 { modifiers.insert(.super) }
    return modifiers
  }
}
