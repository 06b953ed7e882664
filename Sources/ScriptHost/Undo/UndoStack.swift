/// An *undo stack* is what can be undone and redone of one responder's.
final class UndoStack {
  /// It holds this; once it is taken out of the chain, no more.
  let responder: Responder
  private var undoable = UndoGroups()
  private var redoable = UndoGroups()
  /// Whether the newest group may take in another: not after something was undone.
  private var mayMerge = false

  init(of responder: Responder) { self.responder = responder }

  /// Which way one goes through a history.
  enum Direction: String {
    case undo, redo

    var opposite: Direction { self == .undo ? .redo : .undo }
  }

  private var levels: Int { responder.undoLevels ?? UndoSetting.defaultLevels }

  subscript(direction: Direction) -> UndoGroup? { direction == .undo ? undoable.newest : redoable.newest }

  /// The titles, newest first.
  func titles(_ direction: Direction) -> [String] { direction == .undo ? undoable.titles : redoable.titles }

  /// Adds what was done now: what was undone before can't be redone any more.
  func place(_ group: UndoGroup) {
    redoable.removeAll()
    if mayMerge, let key = group.key, let newest = undoable.newest, let known = newest.key, known.hasSameBytes(as: key)
    {
      return newest.absorb(group)
    }
    mayMerge = true
    undoable.push(group, levels: levels)
  }

  /// Takes out a group that was reversed, if it is still the newest; what takes that back, if anything, goes to the other side.
  func turn(_ group: UndoGroup, _ direction: Direction, into turned: UndoGroup?) {
    mayMerge = false
    guard self[direction] === group else { return }
    if direction == .undo { undoable.pop() } else { redoable.pop() }
    guard let turned else { return }
    if direction == .undo { redoable.push(turned, levels: levels) } else { undoable.push(turned, levels: levels) }
  }

  /// How many reversals it holds of which something is true.
  func count(where isCounted: (Reversal) -> Bool) -> Int {
    undoable.count(where: isCounted) + redoable.count(where: isCounted)
  }

  func remove(where isGone: (Reversal) -> Bool) {
    undoable.remove(where: isGone)
    redoable.remove(where: isGone)
  }
}

/// Groups in the order in which they were done, the oldest of which go first.
private struct UndoGroups {
  private var groups: ContiguousArray<UndoGroup?> = []
  /// Where the oldest stands; those before it are gone.
  private var first = 0

  var newest: UndoGroup? { groups.last ?? nil }
  var titles: [String] { groups[first...].reversed().compactMap { $0?.title } }

  mutating func push(_ group: UndoGroup, levels: Int) {
    groups.append(group)
    while groups.count - first > levels {
      groups[first] = nil
      first += 1
    }
    if first > 16, first > groups.count / 2 {
      groups.removeFirst(first)
      first = 0
    }
  }

  func count(where isCounted: (Reversal) -> Bool) -> Int {
    groups.reduce(0) { $0 + ($1?.reversals.count(where: isCounted) ?? 0) }
  }

  mutating func pop() {
    groups.removeLast()
    if groups.count == first { removeAll() }
  }

  mutating func removeAll() {
    guard !groups.isEmpty else { return }
    groups.removeAll(keepingCapacity: true)
    first = 0
  }

  mutating func remove(where isGone: (Reversal) -> Bool) {
    groups = ContiguousArray(groups[first...].filter { $0?.remove(where: isGone) ?? false })
    first = 0
  }
}
