import ScriptHost

/// A command of the face's own, which every app has.
enum OwnCommand: String, CaseIterable {
  case menus, palette, help, inspector, log, mouse, suspend, quit

  /// The stroke that does it where nobody says another, and where the app has nothing bound to it.
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

  /// What stands in the menu at the bar's right end, which is there whatever the app binds.
  static let menu: [OwnCommand?] = [.palette, .help, .inspector, .log, nil, .mouse, nil, .suspend, .quit]

  /// By what it is known where items are known by their ids: no item has an id that begins so.
  var id: String { "\u{0}\(rawValue)" }

  init?(id: String) {
    guard id.first == "\u{0}" else { return nil }
    self.init(rawValue: String(id.dropFirst()))
  }
}
