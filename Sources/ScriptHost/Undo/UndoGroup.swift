/// An *undo group* is what one perform did of one owner's, undone together.
struct UndoGroup {
  /// What follows "Undo" and "Redo".
  private(set) var title: String
  /// What was done first, and what after it: most groups hold one reversal, and no list is made for it.
  private var first: Reversal
  private var others: [Reversal] = []
  /// What it merges by.
  let key: String?
  /// What tells it from the others that were on its side of a stack.
  var number = 0

  init(title: String, _ only: Reversal, key: String? = nil) {
    self.title = title
    first = only
    self.key = key
  }

  /// Nil where nothing is to be reversed.
  init?(title: String, reversals: [Reversal], key: String? = nil) {
    guard let first = reversals.first else { return nil }
    self.init(title: title, first, key: key)
    others = Array(reversals.dropFirst())
  }

  /// In the order in which it was done.
  var reversals: [Reversal] { [first] + others }

  /// Takes it back where that runs nobody's code, and is then what takes that back in turn; false, with nothing done, where it can't.
  func turn() -> Bool { others.isEmpty && first.turn() }

  /// Takes in a group that was done right after.
  mutating func absorb(_ later: UndoGroup) {
    title = later.title
    for reversal in later.reversals where !(others.last ?? first).absorb(reversal) { others.append(reversal) }
  }

  /// What is left of it without some of what it takes back; nil where nothing is.
  func without(_ isGone: (Reversal) -> Bool) -> UndoGroup? {
    var rest = UndoGroup(title: title, reversals: reversals.filter { !isGone($0) }, key: key)
    rest?.number = number
    return rest
  }
}
