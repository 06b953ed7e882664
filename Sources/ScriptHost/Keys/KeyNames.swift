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
    let name = name.lowercased()
    if let meant = elsewhere[name], (Modifiers(name: meant) != nil) == isModifier { return meant }
    return nearest(to: name, among: known).first
  }
}
