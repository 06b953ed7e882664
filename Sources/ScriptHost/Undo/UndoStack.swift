/// An *undo stack* is what can be undone and redone of one responder's.
final class UndoStack {
  /// It holds this; once it is taken out of the chain, no more.
  let responder: Responder
  private let undoable = Cell(UndoGroups())
  private let redoable = Cell(UndoGroups())
  /// Whether the newest group may take in another: not after something was undone.
  private var mayMerge = false

  init(of responder: Responder) { self.responder = responder }

  deinit {
    undoable.free()
    redoable.free()
  }

  /// Which way one goes through a history.
  enum Direction: String {
    case undo, redo

    var opposite: Direction { self == .undo ? .redo : .undo }
  }

  private var levels: Int { responder.undoLevels ?? UndoSetting.defaultLevels }

  @inline(__always)
  private func side(_ direction: Direction) -> Cell<UndoGroups> { direction == .undo ? undoable : redoable }

  subscript(direction: Direction) -> UndoGroup? { side(direction).value.newest }

  /// Whether there is nothing to undo, or to redo.
  func isEmpty(_ direction: Direction) -> Bool { side(direction).value.isEmpty }

  /// The titles, newest first.
  func titles(_ direction: Direction) -> [String] { side(direction).value.titles }

  /// Adds what was done now: what was undone before can't be redone any more.
  func place(_ group: UndoGroup) {
    redoable.value.removeAll()
    if mayMerge, undoable.value.absorb(group) { return }
    mayMerge = true
    undoable.value.push(group, levels: levels)
  }

  /// Takes back the newest group where that runs nobody's code, and puts it on the other side; false, with nothing done, where it can't.
  func turn(_ direction: Direction) -> Bool {
    guard side(direction).value.turnNewest(), let group = side(direction).value.pop() else { return false }
    mayMerge = false
    side(direction.opposite).value.push(group, levels: levels)
    return true
  }

  /// Takes out a group that was reversed, if it is still the newest; what takes that back goes to the other side.
  func turn(_ group: UndoGroup, _ direction: Direction, into reversals: [Reversal]) {
    mayMerge = false
    guard self[direction]?.number == group.number else { return }
    _ = side(direction).value.pop()
    guard let turned = UndoGroup(title: group.title, reversals: reversals, key: group.key) else { return }
    side(direction.opposite).value.push(turned, levels: levels)
  }

  /// How many reversals it holds of which something is true.
  func count(where isCounted: (Reversal) -> Bool) -> Int {
    undoable.value.count(where: isCounted) + redoable.value.count(where: isCounted)
  }

  func remove(where isGone: (Reversal) -> Bool) {
    undoable.value.remove(where: isGone)
    redoable.value.remove(where: isGone)
  }
}
