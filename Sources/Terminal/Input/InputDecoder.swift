import ScriptHost

/// The *input decoder* turns a terminal's bytes into keys, deeds of the mouse, pastes and answers.
///
/// Bytes come in any pieces. A lone escape is a key or the beginning of more: the caller waits for `patience`, and then
/// calls `endOfWait()`.
package struct InputDecoder {
  /// The byte of the backspace key, from the terminal's settings.
  package var erase: UInt8 = 0x7F
  /// Whether a program may have requested the cursor's place, because the answer looks like `f3` with a modifier.
  var expectsPositions = false
  private var bytes: [UInt8] = []
  private var start = 0
  /// The bytes of an unfinished paste so far; nil if there is none.
  private var pasted: [UInt8]?

  /// The milliseconds for which a lone escape may be the beginning of more.
  static let escapePatience = 30
  /// The longest pause within a paste in milliseconds. An unfinished paste would swallow every key.
  static let pastePatience = 2000
  /// The most bytes of a paste; the rest is dropped.
  static let longestPaste = 1 << 20
  /// The most bytes of a text for the system.
  static let longestText = 4096

  package init() {}

  package mutating func feed(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// The milliseconds to wait for more before `endOfWait()`; nil if nothing is unfinished.
  package var patience: Int? {
    if pasted != nil { return Self.pastePatience }
    return start < bytes.count ? Self.escapePatience : nil
  }

  /// Returns the next input; nil if there is none, or its end is missing.
  package mutating func next() -> TerminalInput? {
    defer { forgetRead() }
    while start < bytes.count {
      if pasted != nil {
        guard let paste = takePaste() else { return nil }
        return .paste(paste)
      }
      switch read() {
      case .input(let input, let length):
        start += length
        return input
      case .nothing(let length): start += length
      case .unfinished: return nil
      }
    }
    return nil
  }

  /// Makes inputs from the unfinished bytes, after `patience` without new bytes.
  package mutating func endOfWait() -> [TerminalInput] {
    defer { (bytes, start) = ([], 0) }
    if let text = pasted {
      pasted = nil
      return [.paste(String(decoding: text + bytes[start...], as: UTF8.self))]
    }
    guard start < bytes.count, bytes[start] == 0x1B else { return [] }
    // `ESC [` and similar mean alt with that key if nothing follows; a longer unfinished sequence is dropped.
    guard bytes.count - start == 2 else {
      return bytes.count - start == 1 ? [.key(Stroke(modifiers: [], key: "esc"), text: nil)] : []
    }
    return [character(bytes[start + 1], held: .alt)].compactMap { $0 }
  }

  // MARK: - Reading

  private enum Read {
    case input(TerminalInput, length: Int)
    case nothing(length: Int)
    case unfinished
  }

  private mutating func read() -> Read {
    let rest = bytes[start...]
    guard rest[start] == 0x1B else { return readCharacter(rest, held: [], before: 0) }
    guard rest.count > 1 else { return .unfinished }
    switch rest[start + 1] {
    case UInt8(ascii: "["): return readControl(rest.dropFirst(2))
    case UInt8(ascii: "O"): return readShifted(rest.dropFirst(2))
    // Texts for the system, which some terminals send as answers; they end with a bell or with `ESC \`.
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): return readText(rest.dropFirst(2))
    case 0x1B: return .input(.key(Stroke(modifiers: [], key: "esc"), text: nil), length: 1)
    default: return readCharacter(rest.dropFirst(), held: .alt, before: 1)
    }
  }

  private mutating func readControl(_ rest: ArraySlice<UInt8>) -> Read {
    switch ControlSequence.read(rest) {
    case .unfinished: return .unfinished
    case .broken(let length): return .nothing(length: 2 + length)
    case .whole(let sequence, let length):
      guard let input = input(of: sequence) else { return .nothing(length: 2 + length) }
      return .input(input, length: 2 + length)
    }
  }

  /// Reads `ESC O letter`, with xterm's modifiers between.
  private func readShifted(_ rest: ArraySlice<UInt8>) -> Read {
    let number = rest.prefix(3).prefix { (0x30...0x39).contains($0) }
    guard number.count <= 2 else { return .nothing(length: 2 + number.count) }
    guard let letter = rest.dropFirst(number.count).first else { return .unfinished }
    guard let key = KeyCodes.lettered[letter] ?? KeyCodes.keypad[letter] else {
      // No key of this kind follows, so it was alt with a capital O.
      return .input(.key(Stroke(modifiers: [.alt, .shift], key: "o"), text: nil), length: 2)
    }
    let held = KeyCodes.modifiers(number.reduce(0) { $0 * 10 + Int($1) - 0x30 })
    return .input(.key(Stroke(modifiers: held, key: key), text: nil), length: 2 + number.count + 1)
  }

  private func readText(_ rest: ArraySlice<UInt8>) -> Read {
    for (index, byte) in rest.prefix(Self.longestText).enumerated() {
      if byte == 0x07 { return answer(rest.prefix(index), length: 2 + index + 1) }
      guard byte == 0x1B else { continue }
      let end = rest.dropFirst(index + 1).first
      if end == nil { return .unfinished }
      if end == UInt8(ascii: "\\") { return answer(rest.prefix(index), length: 2 + index + 2) }
      return .nothing(length: 2 + index)
    }
    if rest.count >= Self.longestText { return .nothing(length: 2) }
    // If nothing follows `ESC ]`, `endOfWait` makes it alt with that key.
    return .unfinished
  }

  /// Reads the answer in a text for the system: `11;rgb:rrrr/gggg/bbbb` is the background colour.
  private func answer(_ text: ArraySlice<UInt8>, length: Int) -> Read {
    let begin = Array("11;rgb:".utf8)
    guard text.starts(with: begin) else { return .nothing(length: length) }
    let parts = text.dropFirst(begin.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt8? in
      let digits = String(decoding: part, as: UTF8.self)
      guard (1...4).contains(part.count), digits.allSatisfy(\.isHexDigit), let number = Int(digits, radix: 16) else {
        return nil
      }
      return UInt8(number * 255 / ((1 << (4 * part.count)) - 1))
    }
    guard parts.count == 3, numbers.count == 3 else { return .nothing(length: length) }
    let ground = TerminalGround(red: numbers[0], green: numbers[1], blue: numbers[2])
    return .input(.answer(.ground(ground)), length: length)
  }

  private func readCharacter(_ rest: ArraySlice<UInt8>, held: Modifiers, before: Int) -> Read {
    guard let first = rest.first else { return .unfinished }
    if first < 0x80 {
      guard let input = character(first, held: held) else { return .nothing(length: before + 1) }
      return .input(input, length: before + 1)
    }
    let length = first.lengthOfCharacter
    guard length > 1 else { return .nothing(length: before + 1) }
    let encoded = rest.prefix(length)
    // A byte that can't continue the character ends it, so that the next key isn't lost.
    if let wrong = encoded.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return .nothing(length: before + wrong - encoded.startIndex)
    }
    guard encoded.count == length else { return .unfinished }
    let text = String(decoding: encoded, as: UTF8.self)
    guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1, scalar != "\u{FFFD}" else {
      return .nothing(length: before + length)
    }
    return .input(Self.typed(scalar, held: held), length: before + length)
  }

  /// Returns the key of a single byte.
  private func character(_ byte: UInt8, held: Modifiers) -> TerminalInput? {
    if byte == erase { return .key(Stroke(modifiers: held, key: "backspace"), text: nil) }
    switch byte {
    case 0x00: return .key(Stroke(modifiers: held.union(.ctrl), key: "space"), text: nil)
    case 0x09: return .key(Stroke(modifiers: held, key: "tab"), text: nil)
    case 0x0D: return .key(Stroke(modifiers: held, key: "enter"), text: nil)
    case 0x1B: return .key(Stroke(modifiers: held, key: "esc"), text: nil)
    case 0x7F: return .key(Stroke(modifiers: held, key: "backspace"), text: nil)
    case 0x01...0x1A:
      return .key(Stroke(modifiers: held.union(.ctrl), key: String(Unicode.Scalar(byte + 0x60))), text: nil)
    case 0x1C...0x1F:
      return .key(Stroke(modifiers: held.union(.ctrl), key: String(Unicode.Scalar(byte + 0x40))), text: nil)
    default: return Self.typed(Unicode.Scalar(byte), held: held)
    }
  }

  /// Returns the key of a typed character; a capital letter is the small letter with shift.
  private static func typed(_ scalar: Unicode.Scalar, held: Modifiers) -> TerminalInput {
    let text = held.isEmpty ? String(scalar) : nil
    if scalar == " " { return .key(Stroke(modifiers: held, key: "space"), text: text) }
    let small = String(scalar).lowercased()
    let isLarge = small != String(scalar) && small.unicodeScalars.count == 1
    return .key(
      Stroke(modifiers: isLarge ? held.union(.shift) : held, key: isLarge ? small : String(scalar)), text: text)
  }

  // MARK: - Pastes

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  mutating func beginPaste() { pasted = [] }

  /// Returns a paste if its end has come. The end sequence may be split, so the last bytes wait.
  private mutating func takePaste() -> String? {
    guard var text = pasted else { return nil }
    let rest = bytes[start...]
    let end = rest.firstIndex(of: 0x1B).flatMap { first in
      (first..<rest.endIndex).first { rest[$0...].starts(with: Self.pasteEnd) }
    }
    let upTo = end ?? max(start, rest.endIndex - Self.pasteEnd.count + 1)
    text.append(contentsOf: rest[start..<upTo].prefix(Self.longestPaste - text.count))
    start = upTo
    guard end != nil else {
      pasted = text
      return nil
    }
    start += Self.pasteEnd.count
    pasted = nil
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func forgetRead() {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 4096 {
      bytes.removeFirst(start)
      start = 0
    }
  }
}

/// The background colour of a terminal, from its own answer.
package struct TerminalGround: Equatable, Sendable {
  let red, green, blue: UInt8

  /// Whether dark letters are readable on it.
  var isLight: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 128_000 }
}

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
