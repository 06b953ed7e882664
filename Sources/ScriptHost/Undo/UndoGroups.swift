/// The groups of a history in the order in which they were done. Undo takes those before `place`, redo the others.
///
/// The caller releases dropped groups after all changes, because their objects may run any code in `deinit`.
struct UndoGroups {
  typealias Gone = ContiguousArray<UndoGroup?>
  private var groups: ContiguousArray<UndoGroup?> = []
  /// The index of the oldest group; earlier ones were dropped.
  private var first = 0
  private var place = 0

  init() {}

  /// Creates groups from those to undo and to redo, each in the order of execution.
  init(undo: ArraySlice<UndoGroup>, redo: ArraySlice<UndoGroup>) {
    groups = ContiguousArray((undo.reversed() + redo).map(Optional.some))
    place = undo.count
  }

  /// Returns the groups in the order in which they are undone or redone.
  func all(_ direction: UndoStack.Direction) -> [UndoGroup] {
    direction == .undo ? groups[first..<place].reversed().compactMap { $0 } : groups[place...].compactMap { $0 }
  }

  /// Returns the index of the next group to undo or redo; nil if there is none.
  @inline(__always)
  private func next(_ direction: UndoStack.Direction) -> Int? {
    if direction == .undo { return place > first ? place - 1 : nil }
    return place < groups.count ? place : nil
  }

  func isEmpty(_ direction: UndoStack.Direction) -> Bool { next(direction) == nil }
  func newest(_ direction: UndoStack.Direction) -> UndoGroup? { next(direction).flatMap { groups[$0] } }
  func titles(_ direction: UndoStack.Direction) -> [String] { all(direction).map(\.title) }

  /// Adds a new group, before the group that contains `write`, if any.
  mutating func push(_ group: UndoGroup, beneath write: FieldWrite?, levels: Int, _ gone: inout Gone) {
    let over = write.flatMap { write in
      groups[first..<place].firstIndex { $0?.reversals.contains { $0 === write } ?? false }
    }
    groups.insert(group, at: over ?? place)
    place += 1
    trimUndoable(to: levels, &gone)
  }

  /// Merges a group into the previous one, if both have the same key.
  mutating func absorb(_ later: UndoGroup) -> Bool {
    guard let key = later.key, let group = newest(.undo), let known = group.key, known.hasSameBytes(as: key)
    else { return false }
    group.absorb(later)
    return true
  }

  /// Replaces the next group after its reversal by one for the other direction; nil removes it.
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

  /// Drops the groups that can be redone.
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
    gone += groups.map { $0.flatMap { UndoGroup(title: $0.title, reversals: $0.reversals, key: $0.key) } }
    let undoable = rest(first..<place)
    let all = undoable + rest(place..<groups.count)
    first = 0
    place = undoable.count
    groups = all
  }
}

/// The reversals of one perform for one history, which are undone together.
final class UndoGroup {
  /// The text after "Undo" or "Redo" in a menu. It has no ellipsis, because undo asks no question.
  private(set) var title: String
  /// The key by which it merges with the next group.
  let key: String?
  /// The reversals, in the order of registration.
  private(set) var reversals: [Reversal]
  /// The number of its last change, the only one of this number in the host; 0 in a history that was stored.
  private(set) var step = 0
  /// The number that it had before the last group merged with it, and that of its first change.
  private(set) var joined = 0, first = 0
  /// Why it can't be reversed, and the journal's change count for which that holds.
  var overwritten: (changes: Int, reason: String?)?

  /// Returns nil if there are no reversals.
  init?(title: String, reversals: [Reversal], key: String?) {
    if reversals.isEmpty { return nil }
    let title = title.withoutEllipsis
    self.title = title
    self.reversals = reversals
    self.key = key
    for reversal in reversals { reversal.title = title }
  }

  /// Numbers the change that made it.
  func begin(at step: Int) { (self.step, first) = (step, step) }

  /// Merges with the group done right after it.
  func absorb(_ later: UndoGroup) {
    (joined, step) = (step, later.step)
    for reversal in later.reversals where reversals.last?.absorb(reversal) != true { reversals.append(reversal) }
    title = later.title
    for reversal in reversals { reversal.title = title }
  }

  /// Drops reversals that match. Returns true if any remain.
  func remove(where isGone: (Reversal) -> Bool) -> Bool {
    reversals.removeAll(where: isGone)
    return !reversals.isEmpty
  }
}

extension String {
  /// The title without the ellipsis that announces a question, unless nothing else remains.
  package var withoutEllipsis: String {
    // Most titles have none, and comparing characters takes a tenth of an undo.
    guard let last = utf8.last, last == UInt8(ascii: ".") || last == "…".utf8.last,
      let end = ["…", "..."].first(where: hasSuffix)
    else { return self }
    let rest = dropLast(end.count)
    let title = rest.last == " " ? rest.dropLast() : rest
    return title.isEmpty ? self : String(title)
  }
}
