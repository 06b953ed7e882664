import ScriptHost

/// An action that no item does, as the palette has it.
struct ListedAction {
  let entry: ActionEntry

  /// Nil for what an item does, and for what nobody answers.
  init?(_ entry: ActionEntry) {
    guard entry.items.isEmpty, entry.by != nil else { return nil }
    self.entry = entry
  }

  var title: String { entry.title }
  /// Why it can't be done now.
  var reason: String? { entry.isEnabled ? nil : entry.reason ?? "not now" }

  /// By what it is known where items are known by their ids: no item has an id that begins so.
  var entryID: String { "\u{1}\(entry.name)" }

  var paletteEntry: Palette.Entry {
    Palette.Entry(
      id: entryID, path: [title], action: entry.name, key: entry.keys.first ?? "", reason: reason ?? "")
  }
}
