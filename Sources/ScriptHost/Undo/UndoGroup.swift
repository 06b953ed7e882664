/// An *undo group* is what one perform did of one owner's, undone together.
final class UndoGroup {
  /// What follows "Undo" and "Redo".
  private(set) var title: String
  /// In the order in which it was done.
  private(set) var reversals: [Reversal]
  /// What it merges by.
  let key: String?

  init(title: String, reversals: [Reversal], key: String? = nil) {
    self.title = title
    self.reversals = reversals
    self.key = key
  }

  /// Takes in a group that was done right after.
  func absorb(_ later: UndoGroup) {
    title = later.title
    for reversal in later.reversals {
      if let last = reversals.last, last.absorb(reversal) { continue }
      reversals.append(reversal)
    }
  }

  /// Lets go of some of what it takes back; whether anything is left.
  func remove(where isGone: (Reversal) -> Bool) -> Bool {
    reversals.removeAll(where: isGone)
    return !reversals.isEmpty
  }
}
