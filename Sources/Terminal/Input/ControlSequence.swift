import ScriptHost

/// A *control sequence* is an input after `ESC [`: numbers, and a last byte that defines their meaning.
struct ControlSequence: Equatable {
  /// The byte `<`, `=`, `>` or `?` before the numbers; nil if there is none.
  var marker: UInt8?
  /// The numbers between `;`, each with its parts after colons. A missing number is nil.
  var numbers: [[Int?]]
  /// A byte such as `$` between the numbers and the last byte.
  var intermediate: UInt8?
  var final: UInt8

  /// The most bytes of a sequence; no terminal sends a longer one.
  static let longest = 64
}

extension ControlSequence {
  enum Reading: Equatable {
    case whole(ControlSequence, length: Int)
    /// The sequence is valid so far, but its end is missing.
    case unfinished
    /// The bytes are no control sequence, and so many must be skipped.
    case broken(length: Int)
  }

  /// Reads the bytes after `ESC [`; the length counts from there.
  static func read(_ bytes: some Collection<UInt8>) -> Reading {
    var sequence = ControlSequence(marker: nil, numbers: [], intermediate: nil, final: 0)
    var length = 0
    for byte in bytes {
      length += 1
      if length > longest { return .broken(length: length - 1) }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): sequence.append(digit: Int(byte) - 0x30)
      case UInt8(ascii: ";"): sequence.separate()
      case UInt8(ascii: ":"): sequence.divide()
      case UInt8(ascii: "<")...UInt8(ascii: "?") where length == 1: sequence.marker = byte
      case 0x20...0x2F: sequence.intermediate = byte
      case 0x40...0x7E:
        sequence.final = byte
        return .whole(sequence, length: length)
      // Any other byte, an escape above all, begins a new input.
      default: return .broken(length: length - 1)
      }
    }
    return .unfinished
  }

  /// Returns the number at a place, counted from 0, or the default if it is missing.
  func number(_ place: Int, default missing: Int = 0) -> Int { part(place, 0) ?? missing }

  /// Returns the part of a number at a place between colons.
  func part(_ place: Int, _ index: Int) -> Int? {
    guard numbers.indices.contains(place), numbers[place].indices.contains(index) else { return nil }
    return numbers[place][index]
  }

  private mutating func append(digit: Int) {
    if numbers.isEmpty { numbers = [[nil]] }
    let (last, part) = (numbers.count - 1, numbers[numbers.count - 1].count - 1)
    // Numbers end at seven digits, because no terminal sends a larger one.
    numbers[last][part] = min((numbers[last][part] ?? 0) * 10 + digit, 9_999_999)
  }

  private mutating func separate() {
    if numbers.isEmpty { numbers = [[nil]] }
    numbers.append([nil])
  }

  private mutating func divide() {
    if numbers.isEmpty { numbers = [[nil]] }
    numbers[numbers.count - 1].append(nil)
  }
}

extension InputDecoder {
  /// Returns the input of a control sequence; nil if the face doesn't use it.
  mutating func input(of sequence: ControlSequence) -> TerminalInput? {
    if let marker = sequence.marker { return Self.answer(sequence, marker) ?? Self.mouse(sequence, marker) }
    guard sequence.intermediate == nil else { return nil }
    switch sequence.final {
    case UInt8(ascii: "~"): return numbered(sequence)
    case UInt8(ascii: "u"): return Self.coded(sequence, code: sequence.number(0), held: sequence.number(1, default: 1))
    case UInt8(ascii: "Z"): return Self.key("tab", held: .shift)
    case UInt8(ascii: "I"): return .focus(true)
    case UInt8(ascii: "O"): return .focus(false)
    case UInt8(ascii: "R") where expectsPositions && sequence.numbers.count == 2:
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

  /// Returns the key with the number of its character.
  private static func coded(_ sequence: ControlSequence, code: Int, held number: Int) -> TerminalInput? {
    guard isPressed(sequence), let (name, text) = KeyCodes.key(code) else { return nil }
    var held = KeyCodes.modifiers(number)
    // A character typed with shift is that character: `?` isn't `shift+/`, even with other modifiers.
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

  /// Returns true if the key is pressed. Some terminals report released keys too.
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
    // Buttons after the third, and the wheel, have their own bits.
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
  /// The number of bytes of the UTF-8 character that begins with this byte; 1 for any other byte.
  var lengthOfCharacter: Int {
    switch self {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
