/// Keeps the reversals that handlers register, and adds them to histories after their perform.
///
/// It runs no reversals; the dispatcher does.
final class Undo {
  private let chain: Chain
  /// The recording to which current performs add.
  private(set) var current = Recording()
  /// Counts changes within the current recording, and changes from one recording to another.
  /// C reads it, so it has an address.
  let changes = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  /// The number of recordings kept by waiting performs.
  var held = 0
  /// Whether recordings may hold reversals of removed or set-aside owners, to drop at the end of their perform.
  var hasGone = false
  /// Fills the stack of a responder that keeps its history.
  var recall: ((UndoStack) -> Void)?
  /// All writes that can be undone, in order.
  let journal = Journal()
  private let actions: CurrentActions

  init(chain: Chain, actions: CurrentActions) {
    self.chain = chain
    self.actions = actions
    changes.initialize(to: 0)
  }

  deinit { changes.deallocate() }

  /// The current nesting depth of performs.
  private var depth: Int { actions.depth }

  /// Whether current performs have registered something.
  var hasRecorded: Bool { !current.entries.isEmpty }

  /// Whether a perform is in progress, so that its handler could register something.
  var isPerforming: Bool { depth > 0 }

  /// Returns the history of a responder, created if needed.
  func stack(of owner: Responder) -> UndoStack {
    if let known = owner.undoStack { return known }
    let stack = UndoStack(of: owner, in: chain)
    owner.undoStack = stack
    if owner.keepsUndo { recall?(stack) }
    return stack
  }

  /// Returns the history of a responder, if it exists or may have been kept.
  func known(of owner: Responder) -> UndoStack? {
    owner.undoStack ?? (owner.keepsUndo ? stack(of: owner) : nil)
  }

  // MARK: Registering

  /// Adds a reversal to the current perform. Returns false if it isn't kept, because something is being undone.
  @discardableResult
  func register(_ reversal: consuming Reversal) -> Bool {
    let owner: Int
    switch current.purpose {
    case .doing: owner = chain.undoOwner(of: reversal.taker).number
    case .reversing(let stack): owner = stack.responder.number
    case .takingBack: return false
    }
    reversal.taker.hasReversals = true
    current.entries.append(
      Recording.Entry(reversal: consume reversal, owner: owner, depth: depth, level: depth))
    noteChange()
    return true
  }

  /// Adds a reversal that runs if the current perform fails, and never enters a history.
  func registerForFailure(_ reversal: Reversal) {
    guard isPerforming, !isTakingBack else { return }
    current.entries.append(
      Recording.Entry(reversal: reversal, owner: Recording.nobody, depth: depth, level: depth))
    noteChange()
  }

  /// The reversal registered last.
  var last: Reversal? { current.entries.last?.reversal }

  /// Records that the current recording has changed, or was replaced.
  func noteChange() {
    changes.pointee &+= 1
  }

  // MARK: Recordings

  /// Makes a new recording current. Returns the previous one, for `continue`.
  func open(_ purpose: Recording.Purpose, base: Int) -> Recording {
    `continue`(Recording(purpose: purpose, base: base))
  }

  /// Makes a recording current. Returns the previous one.
  @discardableResult
  func `continue`(_ other: Recording) -> Recording {
    let before = current
    current = other
    noteChange()
    return before
  }

  /// Whether new reversals don't become a separate group.
  var isReversing: Bool { if case .doing = current.purpose { false } else { true } }

  /// Whether new reversals are dropped, because something is being undone.
  var isTakingBack: Bool { if case .takingBack = current.purpose { true } else { false } }

  /// Removes the entries of the perform at this depth, including nested ones, because it is about to wait.
  func suspend() -> Recording {
    let (purpose, base) = (current.purpose, current.base)
    return Recording(purpose: purpose, base: base, entries: takeOwn())
  }

  /// Makes the recording of a resumed perform current, as a top-level one at this depth. Returns the previous one.
  func resume(_ waiting: Recording) -> Recording {
    var resumed = Recording(purpose: waiting.purpose, base: depth, entries: waiting.entries)
    for index in resumed.entries.indices { resumed.entries[index].depth = depth }
    return `continue`(resumed)
  }

  // MARK: Ends of performs

  /// Removes the entries of the perform at this depth, in the order of registration.
  func takeOwn() -> ContiguousArray<Recording.Entry> {
    let first = firstOwn()
    defer {
      current.entries.removeSubrange(first...)
      noteChange()
    }
    return ContiguousArray(current.entries[first...])
  }

  /// Removes the reversals of the perform at this depth that can still run.
  func takeReversals() -> [Reversal] {
    takeOwn().filter { $0.owner != Recording.nobody }.map(\.reversal)
      .filter { !$0.taker.isRemoved && !$0.owner.takesNothingBack }
  }

  /// Moves the entries of the perform at this depth to the outer perform, which undoes them if it fails.
  func join() {
    for index in firstOwn()..<current.entries.count { current.entries[index].depth = depth - 1 }
  }

  /// Drops reversals of removed and set-aside owners; after the outermost perform none remain.
  private func dropGone() {
    Self.bury(current.entries.lazy.map(\.reversal).filter(\.owner.takesNothingBack))
    current.entries.removeAll { $0.reversal.owner.takesNothingBack }
    noteChange()
    hasGone = depth > 1
  }

  private func firstOwn() -> Int {
    var first = current.entries.count
    while first > 0, current.entries[first - 1].depth >= depth { first -= 1 }
    return first
  }

  /// Adds a group to the history of each owner. The title of a reversal comes before the given one.
  func place(_ title: String) {
    if hasGone { dropGone() }
    var rest = current.entries
    current.entries = []
    noteChange()
    while let owner = rest.first?.owner {
      if owner != Recording.nobody { place(rest.filter { $0.owner == owner }, title) }
      rest.removeAll { $0.owner == owner }
    }
  }

  private func place(_ entries: ContiguousArray<Recording.Entry>, _ title: String) {
    let kept = entries.filter { !$0.reversal.taker.isRemoved }
    guard let first = kept.first,
      let stack = stack(numbered: first.owner, for: first.reversal.taker)
    else { return }
    var said: (title: String, level: Int)?
    for entry in kept {
      if let title = entry.reversal.title, entry.level <= said?.level ?? .max { said = (title, entry.level) }
    }
    let key = kept.lazy.compactMap(\.reversal.key).first
    if let group = UndoGroup(title: said?.title ?? title, reversals: kept.map(\.reversal), key: key) {
      stack.place(group, beneath: overwriter(of: group.reversals))
    }
  }

  /// Returns the history that owned the taker's reversals when registered; nil if its owner was removed meanwhile.
  private func stack(numbered number: Int, for taker: Responder) -> UndoStack? {
    let owner = chain.undoOwner(of: taker)
    return owner.number == number
      ? stack(of: owner) : chain.responders.values.first { $0.number == number }?.undoStack
  }
}

// Drops reversals whose responder or owner was removed.

extension Undo {
  /// Drops the reversals of a removed responder in all histories, and its own history.
  func remove(_ responder: Responder, from responders: some Sequence<Responder>) {
    responder.undoStack?.remove { _ in true }
    guard responder.hasReversals else { return }
    responder.hasReversals = false
    for other in responders {
      let keeps = other.keepsUndo
      other.undoStack?.remove { $0.taker === responder && !(keeps && $0 is ActionReversal) }
    }
  }

  /// Drops all reversals of an owner.
  func removeAll(of owner: Owner, from responders: some Sequence<Responder>) {
    removeDone(by: owner, from: responders)
    current.entries.removeAll { $0.reversal.owner === owner }
    noteChange()
  }

  /// Drops an owner's reversals from all histories. Those in recordings stay until their performs end.
  func removeDone(by owner: Owner, from responders: some Sequence<Responder>) {
    for responder in responders {
      let keeps = responder.keepsUndo && owner.hasLeft
      responder.undoStack?.remove { reversal in
        guard reversal.owner === owner else { return false }
        // A kept entry knows its action by name, which another owner may handle later.
        guard keeps, let action = reversal as? ActionReversal else { return true }
        action.outlivesOwner = true
        return false
      }
    }
    hasGone = isPerforming
    noteChange()
  }
}

/// The *current actions* of a host, outermost first.
final class CurrentActions {
  var names: [String] = []

  /// The nesting depth of performs.
  var depth: Int { names.count }
}
