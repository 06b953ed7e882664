/// The undo history of one responder.
final class UndoStack {
  /// The responder retains this stack until it is removed.
  let responder: Responder
  /// The chain outlives this stack.
  private unowned let chain: Chain
  private var groups = UndoGroups()
  /// Whether the newest group may merge with the next one; not after an undo.
  private var mayMerge = false
  /// The chain's `undoableCount` when a group was last placed here or redone, and that group.
  private(set) var undoableCount = 0
  private(set) weak var counted: UndoGroup?
  /// The title of a person's last action here, if it can't be undone and the person doesn't know yet (U15).
  var passed: String?

  init(of responder: Responder, in chain: Chain) {
    self.responder = responder
    self.chain = chain
  }

  /// Whether it has changed since it was last stored.
  var isChanged = false

  /// The two directions in which a history is reversed.
  enum Direction: String {
    case undo, redo
  }

  private var levels: Int { responder.undoLevels ?? UndoSetting.defaultLevels }

  subscript(direction: Direction) -> UndoGroup? { groups.newest(direction) }

  /// Returns true if there is nothing to undo, or to redo.
  func isEmpty(_ direction: Direction) -> Bool { groups.isEmpty(direction) }

  /// Returns the groups, in the order in which they are undone or redone.
  func groups(_ direction: Direction) -> [UndoGroup] { groups.all(direction) }

  /// Fills an empty history with groups in the same order.
  func fill(undo: [UndoGroup], redo: [UndoGroup]) {
    groups = UndoGroups(undo: undo.prefix(levels), redo: redo.prefix(levels))
    isChanged = false
  }

  /// Returns the titles, newest first.
  func titles(_ direction: Direction) -> [String] { groups.titles(direction) }

  /// Adds a new group, and drops the groups that could be redone. If this stack has the group that replaced its values,
  /// the new group goes before that group. Undo then takes both in turn.
  func place(_ group: UndoGroup, beneath write: FieldWrite?) {
    // Released after all changes, because that may run any code.
    var gone = UndoGroups.Gone()
    defer { letGo(gone) }
    groups.removeRedoable(&gone)
    isChanged = true
    passed = nil
    undoableCount = chain.countUndoable()
    group.begin(at: undoableCount)
    counted = group
    // A group that goes before another doesn't merge with it. Its values would be restored last.
    if mayMerge, write == nil, groups.absorb(group) { return counted = self[.undo] }
    mayMerge = true
    groups.push(group, beneath: write, levels: levels, &gone)
  }

  /// Replaces a reversed group, if it is still the newest, by a group of the new reversals for the other direction.
  func turn(_ group: UndoGroup, _ direction: Direction, into reversals: [Reversal]) {
    mayMerge = false
    isChanged = true
    passed = nil
    if direction == .redo { undoableCount = chain.countUndoable() }
    guard self[direction] === group else { return }
    let turned = UndoGroup(title: group.title, reversals: reversals, key: group.key)
    if direction == .redo { turned?.begin(at: undoableCount) }
    var gone = UndoGroups.Gone()
    defer { letGo(gone) }
    groups.replace(direction, by: turned, levels: levels, &gone)
    if direction == .redo { counted = turned }
  }

  /// Drops the next group to undo.
  func forget() {
    mayMerge = false
    isChanged = true
    passed = nil
    var gone = UndoGroups.Gone()
    defer { letGo(gone) }
    groups.replace(.undo, by: nil, levels: levels, &gone)
  }

  /// Counts the reversals that match a condition.
  func count(where isCounted: (Reversal) -> Bool) -> Int { groups.count(where: isCounted) }

  func remove(where isGone: (Reversal) -> Bool) {
    var gone = UndoGroups.Gone()
    defer { letGo(gone, where: isGone) }
    isChanged = true
    groups.remove(where: isGone, &gone)
  }

  /// Lets go of groups, and notes in earlier writes that nobody can undo theirs any more.
  private func letGo(_ gone: UndoGroups.Gone, where isGone: (Reversal) -> Bool = { _ in true }) {
    for case let group? in gone { Undo.bury(group.reversals.filter(isGone)) }
  }
}

// The responders that have an undo stack.

extension Responder {
  /// The levels of its undo stack; nil if it has none, so that a responder further up owns its changes.
  var undoLevels: Int? {
    switch hook(\.undo) {
    case .levels(let levels, _)?: levels
    // The app always has a stack, because no responder comes after it.
    case .none?: kind == .app ? UndoSetting.defaultLevels : nil
    case nil: kind == .responder ? nil : UndoSetting.defaultLevels
    }
  }

  /// Whether its history outlives a reload and the process.
  var keepsUndo: Bool {
    if case .levels(_, isKept: true)? = hook(\.undo) { true } else { false }
  }

  /// Its undo stack, if it exists yet.
  var undoStack: UndoStack? {
    get { undoObject as? UndoStack }
    set { undoObject = newValue }
  }
}

extension Chain {
  /// Returns the owner of the history for a responder's changes: the nearest one upward that has a history.
  func undoOwner(of responder: Responder) -> Responder {
    if responder.undoShape == shape, let known = responder.knownUndoOwner { return known }
    var node = responder
    while node !== app, node.isRemoved || node.undoLevels == nil { node = node.next ?? app }
    responder.knownUndoOwner = node
    responder.undoShape = shape
    return node
  }
}
