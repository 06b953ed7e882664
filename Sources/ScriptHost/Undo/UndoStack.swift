/// An *undo stack* is what can be undone and redone of one responder's.
final class UndoStack {
  /// It holds this; once it is taken out of the chain, no more.
  let responder: Responder
  /// It lives longer than this.
  private unowned let chain: Chain
  private let memory = Cell(Memory())

  fileprivate struct Memory {
    var groups = UndoGroups()
    /// Whether the newest group may take in another: not after something was undone.
    var mayMerge = false
    /// The chain's count when something came to be undone next here.
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

  /// Which way one goes through a history.
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

  /// The chain's count when something came to be undone next here.
  var undoableCount: Int { memory.value.undoableCount }

  /// The titles, newest first.
  func titles(_ direction: Direction) -> [String] { memory.value.groups.titles(direction) }

  /// Adds what was done now: what was undone before can't be redone any more. Gives what had to go for it.
  func place(_ group: consuming UndoGroup) -> UndoGroup? {
    // Let go of when all is in order, which may run anybody's code.
    var gone = UndoGroups.Gone()
    memory.value.groups.removeRedoable(&gone)
    memory.value.undoableCount = chain.countUndoable()
    if memory.value.mayMerge, memory.value.groups.absorb(group) { return nil }
    memory.value.mayMerge = true
    memory.value.groups.push(consume group, levels: levels, &gone)
    return gone.popLast() ?? nil
  }

  /// Takes back the newest group where that runs nobody's code, and it is on the other side then; false, with nothing done, where it can't.
  func swapValues(_ direction: Direction) -> Bool {
    var gone = UndoGroups.Gone()
    defer { withExtendedLifetime(gone) {} }
    guard memory.value.groups.swapValues(direction, levels: levels, &gone) else { return false }
    reversed(direction)
    return true
  }

  /// Takes out a group that was reversed, if it is still the newest; what takes that back goes to the other side.
  func swapValues(_ group: UndoGroup, _ direction: Direction, into reversals: [Reversal]) {
    reversed(direction)
    guard self[direction]?.isSame(as: group) ?? false else { return }
    let swapped = UndoGroup(title: group.title, reversals: reversals, key: group.key)
    var gone = UndoGroups.Gone()
    memory.value.groups.replace(direction, by: swapped, levels: levels, &gone)
  }

  /// What comes next is merged with nothing before; what was done again is undone next.
  private func reversed(_ direction: Direction) {
    memory.value.mayMerge = false
    if direction == .redo { memory.value.undoableCount = chain.countUndoable() }
  }

  /// How many reversals it holds of which something is true.
  func count(where isCounted: (Reversal) -> Bool) -> Int { memory.value.groups.count(where: isCounted) }

  func remove(where isGone: (Reversal) -> Bool) {
    var gone = UndoGroups.Gone()
    memory.value.groups.remove(where: isGone, &gone)
  }
}
