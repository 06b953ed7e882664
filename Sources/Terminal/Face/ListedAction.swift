import ScriptHost

/// An action without an item, as an entry of the palette.
struct ListedAction {
  let entry: ActionEntry

  /// Nil for an action that has an item, that no responder answers, or that needs an argument no person can type.
  init?(_ entry: ActionEntry) {
    guard entry.items.isEmpty, entry.by != nil else { return nil }
    // An action that needs a value of any kind is for scripts and for rows of a panel.
    guard !entry.takes.contains(where: { $0.isRequired && $0.kind == .any }) else { return nil }
    self.entry = entry
  }

  var title: String { entry.title }
  /// The reason why it can't be done now; nil if it can.
  var reason: String? { entry.isEnabled ? nil : entry.reason ?? "not now" }

  /// The action's id among those of items; no id of an item begins with this character.
  var entryID: String { Self.id(entry.name) }

  static func id(_ name: String) -> String { "\u{1}\(name)" }

  var paletteEntry: Palette.Entry {
    Palette.Entry(
      id: entryID, path: [title], action: entry.name, key: entry.keys.first ?? "", reason: reason ?? "",
      isUntitled: title == entry.name)
  }
}
