import ScriptHost

/// A command of the face's own, which every app has.
enum OwnCommand: String, CaseIterable {
  case menus, palette, help, inspector, log, mouse, suspend, quit

  /// The stroke of the command, unless the settings have another one or the app has bound it.
  var usualStroke: Stroke? {
    switch self {
    case .menus: Stroke(modifiers: [], key: "f10")
    case .palette: Stroke(modifiers: .ctrl, key: "p")
    case .help: Stroke(modifiers: [], key: "?")
    case .inspector: Stroke(modifiers: [], key: "f12")
    case .log: Stroke(modifiers: .ctrl, key: "l")
    case .suspend: Stroke(modifiers: .ctrl, key: "z")
    case .quit: Stroke(modifiers: .ctrl, key: "c")
    case .mouse: nil
    }
  }

  var title: String {
    switch self {
    case .menus: "Menus"
    case .palette: "Find a Command"
    case .help: "Keys and Help"
    case .inspector: "Inspector"
    case .log: "Log"
    case .mouse: "Mouse"
    case .suspend: "Suspend"
    case .quit: "Quit"
    }
  }

  /// The commands in the menu at the bar's right end, which is there whatever the app binds.
  static let menu: [OwnCommand?] = [.palette, .help, .inspector, .log, nil, .mouse, nil, .suspend, .quit]

  /// The command's id among those of items; no id of an item begins with this character.
  var id: String { "\u{0}\(rawValue)" }

  init?(id: String) {
    guard id.first == "\u{0}" else { return nil }
    self.init(rawValue: String(id.dropFirst()))
  }
}
