/// A key pressed while modifiers are held.
public struct Stroke: Hashable, Sendable {
  /// The modifiers that are held.
  public let modifiers: Modifiers
  /// The pressed key: one character, in lower case if it has one, or a name such as `enter`.
  public let key: String

  /// The key that cancels a sequence.
  public static let escape = Stroke(modifiers: [], key: "esc")

  /// In `keys`, every stroke that types a character and has no other binding (K12).
  static let text = Stroke(modifiers: [], key: "text")

  package init(modifiers: Modifiers, key: String) {
    self.modifiers = modifiers
    self.key = key
  }

  /// Returns the same key with other modifiers.
  public func with(_ modifiers: Modifiers) -> Stroke { Stroke(modifiers: modifiers, key: key) }
}

extension Stroke {
  /// The character that the stroke types; nil if it types none.
  package var typed: String? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    if key == "space" { return " " }
    guard key.count == 1 else { return nil }
    return modifiers.contains(.shift) ? key.uppercased() : key
  }

  /// The digit that the stroke types; nil if it types none.
  package var digit: Int? {
    guard modifiers.isEmpty, key.utf8.count == 1, let byte = key.utf8.first, (0x30...0x39).contains(byte) else {
      return nil
    }
    return Int(byte - 0x30)
  }
}

extension Stroke: CustomStringConvertible {
  /// The canonical spelling: modifiers in a fixed order, then the key.
  public var text: String { modifiers.isEmpty ? key : modifiers.names.reduce("") { $0 + $1 + "+" } + key }

  public var description: String { text }
}

/// The keys that are held while another is pressed.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let ctrl = Modifiers(rawValue: 1)
  public static let alt = Modifiers(rawValue: 2)
  public static let shift = Modifiers(rawValue: 4)
  /// The key with the system's symbol: Windows, command.
  public static let `super` = Modifiers(rawValue: 8)

  /// The modifier for an app's commands: ctrl here, command on Apple's systems.
  #if canImport(Darwin)
    public static let mod = Modifiers.super
  #else
    public static let mod = Modifiers.ctrl
  #endif
}

extension Modifiers {
  /// The names of modifiers.
  static let spellings = ["ctrl", "alt", "shift", "super", "mod"]

  /// Reads a modifier's name in any case; nil if there is none with that name.
  public init?(name: String) {
    let name = name.lowercased()
    switch name {
    case "ctrl": self = .ctrl
    case "alt": self = .alt
    case "shift": self = .shift
    case "super": self = .super
    case "mod": self = .mod
    default: return nil
    }
  }

  /// Returns the error for an unknown modifier.
  ///
  /// - Parameter others: other words that are valid in its place.
  static func unknown(_ name: String, beside others: [String] = []) -> String {
    let near = nearest(to: name, among: spellings + others).first
    let known =
      "the modifiers are \(spellings.dropLast().joined(separator: ", ")) and \(spellings[spellings.count - 1])"
    return "there is no modifier '\(name)'\(near.map { "; did you mean '\($0)'?" } ?? ": \(known)")"
  }

  /// The names of the modifiers, in the order of writing.
  public var names: [String] {
    var names: [String] = []
    if contains(.ctrl) { names.append("ctrl") }
    if contains(.alt) { names.append("alt") }
    if contains(.shift) { names.append("shift") }
    if contains(.super) { names.append("super") }
    return names
  }
}

extension Stroke {
  /// Whether every terminal sends it unambiguously, even one older than the keyboard protocols.
  var isSentByTerminals: Bool {
    if modifiers.contains(.super) { return false }
    guard key.unicodeScalars.count == 1, let letter = key.unicodeScalars.first else { return isSentByName }
    if (0x61...0x7A).contains(letter.value) {
      // Terminals send ctrl+i and ctrl+m as tab and enter, and don't send shift together with ctrl.
      return !modifiers.contains(.ctrl) || !modifiers.contains(.shift) && key != "i" && key != "m"
    }
    if modifiers.contains(.ctrl) {
      return !modifiers.contains(.shift) && ["\\", "]", "^", "_", "@", "/"].contains(key)
    }
    // Shift turns a letter into its capital, which identifies both. It turns any other character into a different one.
    return !modifiers.contains(.shift) || letter.properties.isAlphabetic
  }

  private var isSentByName: Bool {
    switch key {
    case "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete": true
    case "esc", "enter", "backspace": modifiers.isSubset(of: .alt)
    case "tab": modifiers.isSubset(of: .shift)
    case "space": modifiers.isSubset(of: [.ctrl, .alt])
    case "menu": modifiers.isEmpty
    default: key.first == "f" && Int(key.dropFirst()).map { $0 <= 12 } ?? false
    }
  }
}

/// A stroke in another program's spelling: `C-s`, `<C-S-p>`, `⌘S`. The parser rejects it and suggests our spelling.
struct ForeignStroke {
  /// Our spelling; nil if it isn't known, or is the same.
  let here: String?

  private static let signs: [Character: String] = ["⌘": "mod", "⌥": "alt", "⌃": "ctrl", "⇧": "shift", "^": "ctrl"]

  /// Our names of modifiers, by the letters that Emacs and Vim use.
  private static let letters = ["c": "ctrl", "m": "alt", "a": "alt", "d": "mod"]

  init?(_ word: Substring) {
    guard word.utf8.count <= 40 else { return nil }
    var rest = word
    if rest.count > 2, rest.first == "<", rest.last == ">" { rest = rest.dropFirst().dropLast() }
    var modifiers: [String] = []
    while rest.count > 1, let first = rest.first {
      if let sign = Self.signs[first] {
        modifiers.append(sign)
        rest = rest.dropFirst()
      } else if let (modifier, behind) = Self.modifier(before: rest) {
        modifiers.append(modifier)
        rest = behind
      } else {
        break
      }
    }
    let spelt = (modifiers + [KeyNames.here(Self.key(rest))]).joined(separator: "+")
    // A suggestion that can't be parsed is no help.
    here = spelt != word.lowercased() && (try? KeySequence.parse(spelt))?.strokes.count == 1 ? spelt : nil
  }

  /// Returns the modifier at the beginning of the text, and the text after its separator.
  private static func modifier(before rest: Substring) -> (name: String, behind: Substring)? {
    guard let end = rest.dropFirst().firstIndex(where: { "-+_,".contains($0) }) else { return nil }
    let behind = rest[rest.index(after: end)...]
    guard !behind.isEmpty else { return nil }
    let written = rest[..<end]
    // Emacs distinguishes shift from super by case.
    if written == "S" { return ("shift", behind) }
    if written == "s" { return ("super", behind) }
    let name = written.lowercased()
    let here = letters[name] ?? KeyNames.here(name)
    return Modifiers(name: here) == nil ? nil : (here, behind)
  }

  /// Returns the name of a key without the prefix of browsers: `KeyS`, `Digit1`.
  private static func key(_ word: Substring) -> String {
    for prefix in ["Key", "Digit"] where word.hasPrefix(prefix) && word.count == prefix.count + 1 {
      return word.dropFirst(prefix.count).lowercased()
    }
    return word.lowercased()
  }
}

/// The names of the keys that don't write a character.
package enum KeyNames {
  private static let names = groups.flatMap(\.names)
  private static let functions = (1...24).map { "f\($0)" }

  /// All names except function keys, in groups, in the order of the help.
  package static let groups: [(title: String, names: [String])] = [
    (
      "Keys",
      [
        "esc", "enter", "tab", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end",
        "pageup", "pagedown",
      ]
    ),
    ("Others", ["menu", "pause", "printscreen", "capslock", "scrolllock", "numlock"]),
    (
      "Keypad",
      (0...9).map { "kp\($0)" } + [
        "kpdecimal", "kpdivide", "kpmultiply", "kpsubtract", "kpadd", "kpenter", "kpequal", "kpseparator", "kpleft",
        "kpright", "kpup", "kpdown", "kppageup", "kppagedown", "kphome", "kpend", "kpinsert", "kpdelete",
      ]
    ),
    (
      "Media",
      [
        "mediaplay", "mediapause", "mediaplaypause", "mediareverse", "mediastop", "mediafastforward", "mediarewind",
        "medianext", "mediaprevious", "mediarecord", "volumedown", "volumeup", "volumemute",
      ]
    ),
  ]

  /// Our names of keys and modifiers, by the names of other systems and programs. They are suggested, not accepted.
  private static let elsewhere = [
    "control": "ctrl", "strg": "ctrl", "cmd": "mod", "command": "mod", "cmdorctrl": "mod", "commandorcontrol": "mod",
    "meta": "super", "win": "super", "windows": "super",
    "option": "alt", "opt": "alt", "del": "delete", "ins": "insert", "pgup": "pageup", "prior": "pageup",
    "pgdn": "pagedown", "pgdown": "pagedown", "next": "pagedown", "plus": "+", "minus": "-", "comma": ",",
    "spacebar": "space", "bs": "backspace", "cr": "enter", "ret": "enter", "spc": "space", "arrowup": "up",
    "arrowdown": "down", "arrowleft": "left",
    "arrowright": "right",
  ]

  /// The key for a name in lower case; nil if there is none.
  static subscript(name: String) -> String? {
    switch name {
    case "escape": "esc"
    case "return": "enter"
    default: names.contains(name) || name.utf8.first == UInt8(ascii: "f") && functions.contains(name) ? name : nil
    }
  }

  /// Returns our name of a key or modifier, given another program's name; the same name if there is none.
  static func here(_ name: String) -> String { elsewhere[name] ?? name }

  /// Returns the known key or modifier nearest to an unknown name.
  static func near(_ name: String, isModifier: Bool) -> String? {
    let known = isModifier ? Modifiers.spellings : names + functions + ["escape", "return"]
    let written = name.lowercased()
    if let meant = elsewhere[written], (Modifiers(name: meant) != nil) == isModifier { return meant }
    return nearest(to: written, among: known).first
  }
}
