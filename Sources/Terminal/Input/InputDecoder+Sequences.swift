import ScriptHost

extension InputDecoder {
  /// The input of a control sequence; nil if the face has no use for it.
  mutating func input(of sequence: ControlSequence) -> TerminalInput? {
    if let marker = sequence.marker { return Self.answer(sequence, marker) ?? Self.mouse(sequence, marker) }
    guard sequence.intermediate == nil else { return nil }
    switch sequence.final {
    case UInt8(ascii: "~"): return numbered(sequence)
    case UInt8(ascii: "u"): return Self.coded(sequence, code: sequence.number(0), held: sequence.number(1, default: 1))
    case UInt8(ascii: "Z"): return Self.key("tab", held: .shift)
    case UInt8(ascii: "I"): return .focus(true)
    case UInt8(ascii: "O"): return .focus(false)
    case UInt8(ascii: "R") where expectedPositions > 0 && sequence.numbers.count == 2:
      expectedPositions -= 1
      return .answer(.cursor(row: max(0, sequence.number(0) - 1), column: max(0, sequence.number(1) - 1)))
    default:
      guard let key = KeyCodes.lettered[sequence.final], Self.isPressed(sequence) else { return nil }
      return Self.key(key, held: KeyCodes.modifiers(sequence.number(1, default: 1)))
    }
  }

  private mutating func numbered(_ sequence: ControlSequence) -> TerminalInput? {
    let number = sequence.number(0)
    switch number {
    case 200:
      beginPaste()
      return nil
    // xterm's modifyOtherKeys: the modifiers, then the character.
    case 27 where sequence.numbers.count == 3:
      return Self.coded(sequence, code: sequence.number(2), held: sequence.number(1, default: 1))
    default:
      guard let key = KeyCodes.numbered[number], Self.isPressed(sequence) else { return nil }
      return Self.key(key, held: KeyCodes.modifiers(sequence.number(1, default: 1)))
    }
  }

  /// The key with the number of its character.
  private static func coded(_ sequence: ControlSequence, code: Int, held number: Int) -> TerminalInput? {
    guard isPressed(sequence), let (name, text) = KeyCodes.key(code) else { return nil }
    var held = KeyCodes.modifiers(number)
    // A character typed with shift is that character: `?` isn't `shift+/`, whatever other modifiers are held.
    if held.contains(.shift), let shifted = sequence.part(0, 1), let (other, _) = KeyCodes.key(shifted), other != name {
      held.remove(.shift)
      return .key(Stroke(modifiers: held, key: other), text: nil)
    }
    if held.contains(.shift), let text, text.unicodeScalars.allSatisfy(\.isSymbol) { held.remove(.shift) }
    // modifyOtherKeys sends the number of the capital letter, kitty's protocol that of the small one.
    let isLarge = text.map { $0 != name && $0 != " " } ?? false
    if isLarge { held.insert(.shift) }
    let typed: String? = held.subtracting(.shift).isEmpty && !(held.contains(.shift) && !isLarge) ? text : nil
    return .key(Stroke(modifiers: held, key: name), text: typed)
  }

  private static func key(_ name: String, held: Modifiers) -> TerminalInput {
    .key(Stroke(modifiers: held, key: name), text: nil)
  }

  /// Whether a key is pressed, and not released, which some terminals report too.
  private static func isPressed(_ sequence: ControlSequence) -> Bool { sequence.part(1, 1) != 3 }

  // MARK: - Answers

  private static func answer(_ sequence: ControlSequence, _ marker: UInt8) -> TerminalInput? {
    guard marker == UInt8(ascii: "?") else { return nil }
    switch (sequence.final, sequence.intermediate) {
    case (UInt8(ascii: "c"), nil): return .answer(.attributes)
    case (UInt8(ascii: "u"), nil): return .answer(.keyboard(flags: sequence.number(0)))
    // 1 and 2: the mode is on or off; 3: it is always on; 0 and 4: the terminal doesn't have it.
    case (UInt8(ascii: "y"), UInt8(ascii: "$")):
      return .answer(.mode(sequence.number(0), isKnown: (1...3).contains(sequence.number(1))))
    default: return nil
    }
  }

  // MARK: - The mouse

  /// Reads `CSI < what ; column ; row M`, with `m` for a button that is released.
  private static func mouse(_ sequence: ControlSequence, _ marker: UInt8) -> TerminalInput? {
    let isPress = sequence.final == UInt8(ascii: "M")
    guard marker == UInt8(ascii: "<"), isPress || sequence.final == UInt8(ascii: "m"), sequence.numbers.count == 3
    else { return nil }
    let code = sequence.number(0)
    guard let deed = deed(code, isPress: isPress) else { return nil }
    var held: Modifiers = []
    if code & 4 != 0 { held.insert(.shift) }
    if code & 8 != 0 { held.insert(.alt) }
    if code & 16 != 0 { held.insert(.ctrl) }
    return .mouse(
      Mouse(deed: deed, row: max(0, sequence.number(2) - 1), column: max(0, sequence.number(1) - 1), modifiers: held))
  }

  private static func deed(_ code: Int, isPress: Bool) -> Mouse.Deed? {
    let button: Mouse.Button? = [.left, .middle, .right, nil][code & 3]
    // Buttons after the third, and the wheel, have bits of their own.
    if code & 128 != 0 { return nil }
    if code & 64 != 0 {
      switch code & 3 {
      case 0: return .wheel(rows: -1, columns: 0)
      case 1: return .wheel(rows: 1, columns: 0)
      case 2: return .wheel(rows: 0, columns: -1)
      default: return .wheel(rows: 0, columns: 1)
      }
    }
    if code & 32 != 0 { return .move(button) }
    guard let button else { return nil }
    return isPress ? .press(button) : .release(button)
  }
}

extension Unicode.Scalar {
  /// Whether the character may need shift on some keyboard: it is no letter, no digit and no blank.
  fileprivate var isSymbol: Bool { !properties.isAlphabetic && properties.numericType == nil && self != " " }
}

extension UInt8 {
  /// The number of bytes of the UTF-8 character that begins with this byte; 1 if none does.
  var lengthOfCharacter: Int {
    switch self {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
