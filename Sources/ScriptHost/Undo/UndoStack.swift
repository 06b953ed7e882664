/// An *undo stack* is the history of one responder: what can be undone and redone.
final class UndoStack {
  /// The responder retains this stack until it is removed.
  let responder: Responder
  /// The chain lives longer than this stack.
  private unowned let chain: Chain
  private let memory = Cell(Memory())

  fileprivate struct Memory {
    var groups = UndoGroups()
    /// Whether the newest group may merge with the next one placed; not after something was undone.
    var mayMerge = false
    /// The chain's `undoableCount` when a group of this stack last became the next to be undone.
    var undoableCount = 0
    /// How many levels it has, at a count of the chain's shape.
    var levels = 0
    var shape = -1
  }

  init(of responder: Responder, in chain: Chain) {
    self.responder = responder
    self.chain = chain
  }

  deinit {
    memory.free()
  }

  /// The two directions in which a history is reversed.
  enum Direction: String {
    case undo, redo
  }

  private var levels: Int {
    let shape = chain.shape
    if memory.value.shape != shape {
      memory.value.levels = responder.undoLevels ?? UndoSetting.defaultLevels
      memory.value.shape = shape
    }
    return memory.value.levels
  }

  subscript(direction: Direction) -> UndoGroup? { memory.value.groups.newest(direction) }

  /// Whether there is nothing to undo, or to redo.
  func isEmpty(_ direction: Direction) -> Bool { memory.value.groups.isEmpty(direction) }

  /// The chain's `undoableCount` when a group of this stack last became the next to be undone.
  var undoableCount: Int { memory.value.undoableCount }

  /// The titles, newest first.
  func titles(_ direction: Direction) -> [String] { memory.value.groups.titles(direction) }

  /// Adds a group that was done now; what was undone before can't be redone any more. Returns a group that was dropped for it.
  func place(_ group: consuming UndoGroup) -> UndoGroup? {
    // Released when all is consistent again, because that may run any code.
    var gone = UndoGroups.Gone()
    memory.value.groups.removeRedoable(&gone)
    memory.value.undoableCount = chain.countUndoable()
    if memory.value.mayMerge, memory.value.groups.absorb(group) { return nil }
    memory.value.mayMerge = true
    memory.value.groups.push(consume group, levels: levels, &gone)
    return gone.popLast() ?? nil
  }

  /// Reverses the newest group if that runs no code, and moves it to the other direction; false, with nothing done, if it can't.
  func swapValues(_ direction: Direction) -> Bool {
    var gone = UndoGroups.Gone()
    defer { withExtendedLifetime(gone) {} }
    guard memory.value.groups.swapValues(direction, levels: levels, &gone) else { return false }
    reversed(direction)
    return true
  }

  /// Replaces a reversed group, if it is still the newest, by one of the new reversals for the other direction.
  func swapValues(_ group: UndoGroup, _ direction: Direction, into reversals: [Reversal]) {
    reversed(direction)
    guard self[direction]?.isSame(as: group) ?? false else { return }
    let swapped = UndoGroup(title: group.title, reversals: reversals, key: group.key)
    var gone = UndoGroups.Gone()
    memory.value.groups.replace(direction, by: swapped, levels: levels, &gone)
  }

  /// Keeps the next group placed from merging; after a redo, counts that the group can be undone next.
  private func reversed(_ direction: Direction) {
    memory.value.mayMerge = false
    if direction == .redo { memory.value.undoableCount = chain.countUndoable() }
  }

  /// Counts the reversals that match a condition.
  func count(where isCounted: (Reversal) -> Bool) -> Int { memory.value.groups.count(where: isCounted) }

  func remove(where isGone: (Reversal) -> Bool) {
    var gone = UndoGroups.Gone()
    memory.value.groups.remove(where: isGone, &gone)
  }
}
