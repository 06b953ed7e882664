/// An *undo group* is the reversals of one perform for one history, undone together.
enum UndoGroup {
  /// A single reversal, as most groups are; its title and key are the group's.
  case one(Reversal)
  case several(Several)

  final class Several {
    fileprivate(set) var title: String
    let key: String?
    /// The reversals, in the order in which they were registered.
    fileprivate(set) var reversals: [Reversal]

    init(title: String, key: String?, _ reversals: [Reversal]) {
      self.title = title
      self.key = key
      self.reversals = reversals
    }
  }

  /// Nil if there are no reversals.
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

  /// The text after "Undo" or "Redo" in a menu.
  var title: String {
    switch self {
    case .one(let reversal): reversal.title ?? ""
    case .several(let several): several.title
    }
  }

  /// The key by which it merges with the next group.
  var key: String? {
    switch self {
    case .one(let reversal): reversal.key
    case .several(let several): several.key
    }
  }

  /// The reversals, in the order in which they were registered.
  var reversals: [Reversal] {
    switch self {
    case .one(let reversal): [reversal]
    case .several(let several): several.reversals
    }
  }

  /// Reverses the group if that runs no code; it then holds the reversal for the other direction. False, with nothing done, if it can't.
  func swapValues() -> Bool {
    if case .one(let reversal) = self { reversal.swapValues() } else { false }
  }

  /// Merges with a group that was done right after it.
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

  /// Drops reversals that match; returns whether any is left.
  func remove(where isGone: (Reversal) -> Bool) -> Bool {
    switch self {
    case .one(let reversal): return !isGone(reversal)
    case .several(let several):
      several.reversals.removeAll(where: isGone)
      return !several.reversals.isEmpty
    }
  }

  /// Whether it is the same group as another one, also if more was merged into it since.
  func isSame(as other: UndoGroup) -> Bool {
    switch (self, other) {
    case (.several(let several), .several(let other)): several === other
    case (_, .one(let other)): reversals.first === other
    default: false
    }
  }
}

extension UndoGroup? {
  /// Takes out the group's only reversal, if nobody else retains it.
  mutating func takeSole() -> Reversal? {
    var sole: Reversal?
    if case .one(let reversal)? = self { sole = reversal }
    self = nil
    return isKnownUniquelyReferenced(&sole) ? sole : nil
  }
}
