/// An *undo stack* is what can be undone and redone of one responder's.
final class UndoStack {
  /// It holds this; once it is taken out of the chain, no more.
  let responder: Responder
  /// It lives longer than this.
  private let chain: Unmanaged<Chain>
  private let undoable = Cell(UndoGroups())
  private let redoable = Cell(UndoGroups())
  private let memory = Cell(Memory())

  private struct Memory {
    /// Whether the newest group may take in another: not after something was undone.
    var mayMerge = false
    /// How many levels it has, at a count of the chain's shape.
    var levels = 0
    var shape = -1
  }

  init(of responder: Responder, in chain: Chain) {
    self.responder = responder
    self.chain = .passUnretained(chain)
  }

  deinit {
    undoable.free()
    redoable.free()
    memory.free()
  }

  /// Which way one goes through a history.
  enum Direction: String {
    case undo, redo

    var opposite: Direction { self == .undo ? .redo : .undo }
  }

  private var levels: Int {
    let shape = chain._withUnsafeGuaranteedRef { $0.shape }
    if memory.value.shape != shape {
      memory.value.levels = responder.undoLevels ?? UndoSetting.defaultLevels
      memory.value.shape = shape
    }
    return memory.value.levels
  }

  @inline(__always)
  private func side(_ direction: Direction) -> Cell<UndoGroups> { direction == .undo ? undoable : redoable }

  subscript(direction: Direction) -> UndoGroup? { side(direction).value.newest }

  /// Whether there is nothing to undo, or to redo.
  func isEmpty(_ direction: Direction) -> Bool { side(direction).value.isEmpty }

  /// The titles, newest first.
  func titles(_ direction: Direction) -> [String] { side(direction).value.titles }

  /// Adds what was done now: what was undone before can't be redone any more.
  func place(_ group: consuming UndoGroup) {
    redoable.value.removeAll()
    if memory.value.mayMerge, undoable.value.absorb(group) { return }
    memory.value.mayMerge = true
    undoable.value.push(group, levels: levels)
  }

  /// Takes back the newest group where that runs nobody's code, and puts it on the other side; false, with nothing done, where it can't.
  func turn(_ direction: Direction) -> Bool {
    guard let group = side(direction).value.pop() else { return false }
    let isTurned = group.turn()
    side(isTurned ? direction.opposite : direction).value.push(group, levels: levels)
    if isTurned { memory.value.mayMerge = false }
    return isTurned
  }

  /// Takes out a group that was reversed, if it is still the newest; what takes that back goes to the other side.
  func turn(_ group: UndoGroup, _ direction: Direction, into reversals: [Reversal]) {
    memory.value.mayMerge = false
    guard self[direction]?.isSame(as: group) ?? false else { return }
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
