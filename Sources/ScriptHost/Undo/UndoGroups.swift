/// Groups in the order in which they were done, the oldest of which go first.
///
/// What goes is let go of only when all is in order again: it may hold objects of the embedding program's, which do anything then.
struct UndoGroups {
  private var groups: ContiguousArray<UndoGroup?> = []
  /// Where the oldest stands; those before it are gone.
  private var first = 0

  var isEmpty: Bool { groups.isEmpty }
  var newest: UndoGroup? { groups.last ?? nil }
  var titles: [String] { groups[first...].reversed().compactMap { $0?.title } }

  mutating func push(_ group: consuming UndoGroup, levels: Int) {
    groups.append(group)
    while groups.count - first > levels {
      var oldest: UndoGroup?
      swap(&oldest, &groups[first])
      first += 1
    }
    if first > 16, first > groups.count / 2 {
      groups.removeFirst(first)
      first = 0
    }
  }

  mutating func pop() -> UndoGroup? {
    guard !groups.isEmpty else { return nil }
    let newest = groups.removeLast()
    if groups.count == first {
      groups.removeAll(keepingCapacity: true)
      first = 0
    }
    return newest
  }

  /// Has the newest take in another, if there is one of the same key.
  mutating func absorb(_ later: UndoGroup) -> Bool {
    guard let key = later.key, let known = newest?.key, known.hasSameBytes(as: key) else { return false }
    groups[groups.count - 1]?.absorb(later)
    return true
  }

  mutating func removeAll() {
    guard !groups.isEmpty else { return }
    first = 0
    groups = []
  }

  func count(where isCounted: (Reversal) -> Bool) -> Int {
    groups.reduce(0) { $0 + ($1?.reversals.count(where: isCounted) ?? 0) }
  }

  mutating func remove(where isGone: (Reversal) -> Bool) {
    let rest = ContiguousArray(groups[first...].filter { $0?.remove(where: isGone) ?? false })
    first = 0
    groups = rest
  }
}
