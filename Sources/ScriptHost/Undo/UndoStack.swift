/// An *undo stack* is the history of one responder: what can be undone and redone.
final class UndoStack {
  /// The responder retains this stack until it is removed.
  let responder: Responder
  /// The chain lives longer than this stack.
  private unowned let chain: Chain
  private var groups = UndoGroups()
  /// Whether the newest group may merge with the next one placed; not after something was undone.
  private var mayMerge = false
  /// The chain's `undoableCount` when a group of this stack last became the next to be undone.
  private(set) var undoableCount = 0
  /// The title of the last action that a person did here, if it can't be undone and the person wasn't told so yet (U15).
  var passed: String?

  init(of responder: Responder, in chain: Chain) {
    self.responder = responder
    self.chain = chain
  }

  /// Whether it has changed since it was last kept.
  var isChanged = false

  /// The two directions in which a history is reversed.
  enum Direction: String {
    case undo, redo
  }

  private var levels: Int { responder.undoLevels ?? UndoSetting.defaultLevels }

  subscript(direction: Direction) -> UndoGroup? { groups.newest(direction) }

  /// Whether there is nothing to undo, or to redo.
  func isEmpty(_ direction: Direction) -> Bool { groups.isEmpty(direction) }

  /// The groups, in the order in which they are undone or redone.
  func groups(_ direction: Direction) -> [UndoGroup] { groups.all(direction) }

  /// Fills an empty history with groups in the same order.
  func fill(undo: [UndoGroup], redo: [UndoGroup]) {
    groups = UndoGroups(undo: undo.prefix(levels), redo: redo.prefix(levels))
    isChanged = false
  }

  /// The titles, newest first.
  func titles(_ direction: Direction) -> [String] { groups.titles(direction) }

  /// Adds a group that was done now; what was undone before can't be redone any more. It comes beneath the group that wrote over it, if this
  /// stack has one, so that both can be undone in turn.
  func place(_ group: UndoGroup, beneath write: FieldWrite?) {
    // Released when all is consistent again, because that may run any code.
    var gone = UndoGroups.Gone()
    defer { withExtendedLifetime(gone) {} }
    groups.removeRedoable(&gone)
    isChanged = true
    passed = nil
    undoableCount = chain.countUndoable()
    if mayMerge, groups.absorb(group) { return }
    mayMerge = true
    groups.push(group, beneath: write, levels: levels, &gone)
  }

  /// Replaces a reversed group, if it is still the newest, by one of the new reversals for the other direction.
  func turn(_ group: UndoGroup, _ direction: Direction, into reversals: [Reversal]) {
    mayMerge = false
    isChanged = true
    passed = nil
    if direction == .redo { undoableCount = chain.countUndoable() }
    guard self[direction] === group else { return }
    let turned = UndoGroup(title: group.title, reversals: reversals, key: group.key)
    var gone = UndoGroups.Gone()
    defer { withExtendedLifetime(gone) {} }
    groups.replace(direction, by: turned, levels: levels, &gone)
  }

  /// Drops the group that is undone next.
  func forget() {
    mayMerge = false
    isChanged = true
    passed = nil
    var gone = UndoGroups.Gone()
    defer { withExtendedLifetime(gone) {} }
    groups.replace(.undo, by: nil, levels: levels, &gone)
  }

  /// Counts the reversals that match a condition.
  func count(where isCounted: (Reversal) -> Bool) -> Int { groups.count(where: isCounted) }

  func remove(where isGone: (Reversal) -> Bool) {
    var gone = UndoGroups.Gone()
    defer { withExtendedLifetime(gone) {} }
    isChanged = true
    groups.remove(where: isGone, &gone)
  }
}

// The responders that have an undo stack.

extension Responder {
  /// The levels of its undo stack; nil if it has none, and what it does belongs to a responder further up.
  var undoLevels: Int? {
    switch hook(\.undo) {
    case .levels(let levels, _)?: levels
    // The app always has a stack, because no responder comes after it.
    case .none?: kind == .app ? UndoSetting.defaultLevels : nil
    case nil: kind == .responder ? nil : UndoSetting.defaultLevels
    }
  }

  /// Whether its history is kept beyond a reload and the end of the process.
  var keepsUndo: Bool {
    if case .levels(_, isKept: true)? = hook(\.undo) { true } else { false }
  }

  /// Its undo stack, once there is one.
  var undoStack: UndoStack? {
    get { undoObject.map { unsafeDowncast($0, to: UndoStack.self) } }
    set { undoObject = newValue }
  }
}

extension Chain {
  /// The owner of the history for what a responder does: the nearest responder upward that has one. The chain retains
  /// it.
  func undoOwner(of responder: Responder) -> Responder {
    if responder.undoShape == shape, let known = responder.knownUndoOwner { return known }
    var node = responder
    while node !== app, node.isRemoved || node.undoLevels == nil { node = node.next ?? app }
    responder.knownUndoOwner = node
    responder.undoShape = shape
    return node
  }
}
