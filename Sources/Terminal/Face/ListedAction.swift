import ScriptHost

/// An action that no item does, as the palette has it.
struct ListedAction {
  let entry: ActionEntry

  /// Nil for what an item does, for what nobody answers, and for what takes what no person can say.
  init?(_ entry: ActionEntry) {
    guard entry.items.isEmpty, entry.by != nil else { return nil }
    // What can't be done without something that nobody can type is for scripts, and for rows of a panel.
    guard !entry.takes.contains(where: { $0.isRequired && $0.kind == .any }) else { return nil }
    self.entry = entry
  }

  var title: String { entry.title }
  /// Why it can't be done now.
  var reason: String? { entry.isEnabled ? nil : entry.reason ?? "not now" }

  /// By what it is known where items are known by their ids: no item has an id that begins so.
  var entryID: String { Self.id(entry.name) }

  static func id(_ name: String) -> String { "\u{1}\(name)" }

  var paletteEntry: Palette.Entry {
    Palette.Entry(
      id: entryID, path: [title], action: entry.name, key: entry.keys.first ?? "", reason: reason ?? "",
      isUntitled: title == entry.name)
  }
}
