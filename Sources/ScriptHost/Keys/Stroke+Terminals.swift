extension Stroke {
  /// Whether every terminal sends it unambiguously, also one that is older than the keyboard protocols.
  var isSentByTerminals: Bool {
    if modifiers.contains(.super) { return false }
    guard key.unicodeScalars.count == 1, let letter = key.unicodeScalars.first else { return isSentByName }
    if (0x61...0x7A).contains(letter.value) {
      // ctrl+i and ctrl+m are sent as tab and enter, and shift isn't sent together with ctrl.
      return !modifiers.contains(.ctrl) || !modifiers.contains(.shift) && key != "i" && key != "m"
    }
    if modifiers.contains(.ctrl) {
      return !modifiers.contains(.shift) && ["\\", "]", "^", "_", "@", "/"].contains(key)
    }
    // Shift turns a letter into its capital, which tells both; any other character it turns into another one.
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
