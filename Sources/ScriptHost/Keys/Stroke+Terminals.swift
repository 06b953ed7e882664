extension Stroke {
  /// Whether every terminal sends it, and as nothing else: what is older than the protocols for keys has no more than this.
  var isSentByTerminals: Bool {
    if modifiers.contains(.super) { return false }
    guard key.unicodeScalars.count == 1, let letter = key.unicodeScalars.first else { return isSentByName }
    if (0x61...0x7A).contains(letter.value) {
      // With ctrl two of them are tab and enter by another name, and shift is not told.
      return !modifiers.contains(.ctrl) || !modifiers.contains(.shift) && key != "i" && key != "m"
    }
    if modifiers.contains(.ctrl) {
      return !modifiers.contains(.shift) && ["\\", "]", "^", "_", "@", "/"].contains(key)
    }
    // What shift makes of a sign is another sign; of a letter that has two sizes it is that letter.
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
