/// An *undo group* is what one perform did of one owner's, undone together.
enum UndoGroup {
  /// Most: a reversal, whose title and key are the group's.
  case one(Reversal)
  case several(Several)

  final class Several {
    fileprivate(set) var title: String
    let key: String?
    /// In the order in which it was done.
    fileprivate(set) var reversals: [Reversal]

    init(title: String, key: String?, _ reversals: [Reversal]) {
      self.title = title
      self.key = key
      self.reversals = reversals
    }
  }

  /// Nil where nothing is to be reversed.
  init?(title: String, reversals: [Reversal], key: String?) {
    guard let first = reversals.first else { return nil }
    guard reversals.count == 1 else {
      self = .several(Several(title: title, key: key, reversals))
      return
    }
    first.title = title
    first.key = key
    self = .one(first)
  }

  /// What follows "Undo" and "Redo".
  var title: String {
    switch self {
    case .one(let reversal): reversal.title ?? ""
    case .several(let several): several.title
    }
  }

  /// What it merges by.
  var key: String? {
    switch self {
    case .one(let reversal): reversal.key
    case .several(let several): several.key
    }
  }

  /// In the order in which it was done.
  var reversals: [Reversal] {
    switch self {
    case .one(let reversal): [reversal]
    case .several(let several): several.reversals
    }
  }

  /// Takes it back where that runs nobody's code, so that it takes that back from then on; false, with nothing done, where it can't.
  func swapValues() -> Bool {
    if case .one(let reversal) = self { reversal.swapValues() } else { false }
  }

  /// Takes in a group that was done right after.
  mutating func absorb(_ later: UndoGroup) {
    var all = reversals
    for reversal in later.reversals where all.last?.absorb(reversal) != true { all.append(reversal) }
    switch self {
    case .several(let several):
      several.title = later.title
      several.reversals = all
    case .one(let reversal) where all.count == 1: reversal.title = later.title
    case .one(let reversal): self = .several(Several(title: later.title, key: reversal.key, all))
    }
  }

  /// Lets go of some of what it takes back; whether anything is left.
  func remove(where isGone: (Reversal) -> Bool) -> Bool {
    switch self {
    case .one(let reversal): return !isGone(reversal)
    case .several(let several):
      several.reversals.removeAll(where: isGone)
      return !several.reversals.isEmpty
    }
  }

  /// Whether it is what another was, or became of it as more was taken in.
  func isSame(as other: UndoGroup) -> Bool {
    switch (self, other) {
    case (.several(let several), .several(let other)): several === other
    case (_, .one(let other)): reversals.first === other
    default: false
    }
  }
}

extension UndoGroup? {
  /// Takes out the reversal that it is, if it is one that nobody else has.
  mutating func takeSole() -> Reversal? {
    var sole: Reversal?
    if case .one(let reversal)? = self { sole = reversal }
    self = nil
    return isKnownUniquelyReferenced(&sole) ? sole : nil
  }
}
