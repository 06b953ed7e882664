/// An *undo group* is the reversals of one perform for one history, undone together.
final class UndoGroup {
  /// The text after "Undo" or "Redo" in a menu. The ellipsis of an item announces a question, and undo asks none.
  private(set) var title: String
  /// The key by which it merges with the next group.
  let key: String?
  /// The reversals, in the order in which they were registered.
  private(set) var reversals: [Reversal]
  /// Why it can't be reversed, as found at a count of the journal's changes.
  var overwritten: (changes: Int, reason: String?)?

  /// Nil if there are no reversals.
  init?(title: String, reversals: [Reversal], key: String?) {
    if reversals.isEmpty { return nil }
    let title = title.withoutEllipsis
    self.title = title
    self.reversals = reversals
    self.key = key
    for reversal in reversals { reversal.title = title }
  }

  /// Merges with a group that was done right after it.
  func absorb(_ later: UndoGroup) {
    for reversal in later.reversals where reversals.last?.absorb(reversal) != true { reversals.append(reversal) }
    title = later.title
    for reversal in reversals { reversal.title = title }
  }

  /// Drops reversals that match; returns whether any is left.
  func remove(where isGone: (Reversal) -> Bool) -> Bool {
    reversals.removeAll(where: isGone)
    return !reversals.isEmpty
  }
}

extension String {
  /// The title without the ellipsis that announces a question; a title of nothing else stays.
  package var withoutEllipsis: String {
    guard let end = ["…", "..."].first(where: hasSuffix) else { return self }
    let rest = dropLast(end.count)
    let title = rest.last == " " ? rest.dropLast() : rest
    return title.isEmpty ? self : String(title)
  }
}
