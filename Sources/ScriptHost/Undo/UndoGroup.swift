/// An *undo group* is what one perform did of one owner's, undone together.
final class UndoGroup {
  /// What follows "Undo" and "Redo".
  private(set) var title: String
  /// What was done first, and what after it: most groups hold one reversal, and no list is made for it.
  private var first: Reversal
  private var others: [Reversal] = []
  /// What it merges by.
  let key: String?

  init(title: String, _ only: Reversal, key: String? = nil) {
    self.title = title
    first = only
    self.key = key
  }

  /// Nil where nothing is to be reversed.
  convenience init?(title: String, reversals: some Collection<Reversal>, key: String? = nil) {
    guard let first = reversals.first else { return nil }
    self.init(title: title, first, key: key)
    others = Array(reversals.dropFirst())
  }

  /// In the order in which it was done.
  var reversals: [Reversal] { [first] + others }

  /// Takes it back where that runs nobody's code, and is then what takes that back in turn; false, with nothing done, where it can't.
  func turn() -> Bool { others.isEmpty && first.turn() }

  /// Takes in a group that was done right after.
  func absorb(_ later: UndoGroup) {
    title = later.title
    for reversal in later.reversals where !(others.last ?? first).absorb(reversal) { others.append(reversal) }
  }

  /// Lets go of some of what it takes back; whether anything is left.
  func remove(where isGone: (Reversal) -> Bool) -> Bool {
    others.removeAll(where: isGone)
    guard isGone(first) else { return true }
    guard !others.isEmpty else { return false }
    first = others.removeFirst()
    return true
  }
}
