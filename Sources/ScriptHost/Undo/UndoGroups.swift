/// Groups in the order in which they were done, and how far they are done: those before the place can be undone, those behind it redone.
///
/// What goes is given to the caller, to be let go of when all is in order again: it may hold objects of the embedding program's, which do
/// anything then.
struct UndoGroups {
  typealias Gone = ContiguousArray<UndoGroup?>
  private var groups: ContiguousArray<UndoGroup?> = []
  /// Where the oldest stands; those before it are gone.
  private var first = 0
  private var place = 0

  /// The groups in the order in which one comes to them.
  private func all(_ direction: UndoStack.Direction) -> [UndoGroup] {
    direction == .undo ? groups[first..<place].reversed().compactMap { $0 } : groups[place...].compactMap { $0 }
  }

  /// The place of the group that comes next; nil where there is none.
  @inline(__always)
  private func next(_ direction: UndoStack.Direction) -> Int? {
    if direction == .undo { return place > first ? place - 1 : nil }
    return place < groups.count ? place : nil
  }

  func isEmpty(_ direction: UndoStack.Direction) -> Bool { next(direction) == nil }
  func newest(_ direction: UndoStack.Direction) -> UndoGroup? { next(direction).flatMap { groups[$0] } }
  func titles(_ direction: UndoStack.Direction) -> [String] { all(direction).map(\.title) }

  /// Adds what was done now.
  mutating func push(_ group: consuming UndoGroup, levels: Int, _ gone: inout Gone) {
    groups.append(consume group)
    place += 1
    trimUndoable(to: levels, &gone)
  }

  /// Has the one that was done last take in another, if it is of the same key.
  mutating func absorb(_ later: UndoGroup) -> Bool {
    guard let key = later.key, let index = next(.undo), let known = groups[index]?.key, known.hasSameBytes(as: key)
    else { return false }
    groups[index]?.absorb(later)
    return true
  }

  /// Has the values of the next one swapped, if it can be.
  mutating func swapValues(_ direction: UndoStack.Direction, levels: Int, _ gone: inout Gone) -> Bool {
    guard let index = next(direction), groups[index]?.swapValues() ?? false else { return false }
    pass(direction, levels, &gone)
    return true
  }

  /// Puts what takes the next one back in its place; nil takes it out.
  mutating func replace(
    _ direction: UndoStack.Direction, by other: UndoGroup?, levels: Int, _ gone: inout Gone
  ) {
    guard let index = next(direction) else { return }
    if let other {
      gone.append(groups[index])
      groups[index] = other
      pass(direction, levels, &gone)
    } else {
      gone.append(groups.remove(at: index))
      if direction == .undo { place -= 1 }
    }
  }

  private mutating func pass(_ direction: UndoStack.Direction, _ levels: Int, _ gone: inout Gone) {
    place += direction == .undo ? -1 : 1
    if direction == .undo { trimRedoable(to: levels, &gone) } else { trimUndoable(to: levels, &gone) }
  }

  private mutating func trimRedoable(to levels: Int, _ gone: inout Gone) {
    while groups.count - place > levels { gone.append(groups.removeLast()) }
  }

  private mutating func trimUndoable(to levels: Int, _ gone: inout Gone) {
    while place - first > levels {
      gone.append(groups[first].take())
      first += 1
    }
    if first > 16, first > groups.count / 2 {
      groups.removeFirst(first)
      place -= first
      first = 0
    }
  }

  /// Forgets what was undone.
  mutating func removeRedoable(_ gone: inout Gone) {
    guard place < groups.count else { return }
    gone += groups[place...]
    groups.removeLast(groups.count - place)
  }

  func count(where isCounted: (Reversal) -> Bool) -> Int {
    groups.reduce(0) { $0 + ($1?.reversals.count(where: isCounted) ?? 0) }
  }

  mutating func remove(where isGone: (Reversal) -> Bool, _ gone: inout Gone) {
    func rest(_ range: Range<Int>) -> ContiguousArray<UndoGroup?> {
      ContiguousArray(groups[range].filter { $0?.remove(where: isGone) ?? false })
    }
    gone += groups.flatMap { $0?.reversals.map(UndoGroup.one) ?? [] }
    let undoable = rest(first..<place)
    let all = undoable + rest(place..<groups.count)
    first = 0
    place = undoable.count
    groups = all
  }
}
