/// *Undo* keeps the reversals that handlers register, and places them in histories when their perform has ended.
///
/// It runs no reversal; the dispatcher does.
final class Undo {
  private let chain: Chain
  /// The recording to which performs under way add.
  let current = Cell(Recording())
  /// How many reversals the current recording holds. Each perform reads it, and mostly it is 0.
  let recorded = Cell(0)
  /// Counts changes of the current recording, and changes to another one.
  let changes = Cell(0)
  /// How many recordings are put away with performs that wait.
  var held = 0
  /// Whether recordings may hold reversals of owners that were removed or set aside; they are dropped when their perform ends.
  var hasGone = false
  /// Fills the stack of a responder that keeps its history.
  var recall: ((UndoStack) -> Void)?
  /// All writes that can be taken back, in their order.
  let journal = Journal()
  private let currentDepth: UnsafePointer<Int>

  init(chain: Chain, depth: UnsafePointer<Int>) {
    self.chain = chain
    currentDepth = depth
  }

  deinit {
    current.free()
    recorded.free()
    changes.free()
  }

  /// How deep performs are nested now.
  private var depth: Int { currentDepth.pointee }

  /// Whether a perform is under way whose handler could register something.
  var isPerforming: Bool { depth > 0 }

  /// The history of a responder that has one.
  func stack(of owner: Responder) -> UndoStack {
    if let known = owner.undoStack { return known }
    let stack = UndoStack(of: owner, in: chain)
    owner.undoStack = stack
    if owner.keepsUndo { recall?(stack) }
    return stack
  }

  /// The history of a responder, if it has something, or may have kept something.
  func known(of owner: Responder) -> UndoStack? {
    owner.undoStack ?? (owner.keepsUndo ? stack(of: owner) : nil)
  }

  // MARK: Registering

  /// Adds a reversal for the perform that executes; false if none is kept, because something is being taken back.
  @discardableResult
  func register(_ reversal: consuming Reversal) -> Bool {
    let owner: Int
    switch current.value.purpose {
    case .doing: owner = chain.undoOwner(of: reversal.taker).number
    case .reversing(let stack): owner = stack.responder.number
    case .takingBack: return false
    }
    reversal.taker.hasReversals = true
    current.value.entries.append(
      Recording.Entry(reversal: consume reversal, owner: owner, depth: depth, level: depth))
    noteChange()
    return true
  }

  /// Adds a reversal that runs if the perform that executes fails, and never gets into a history.
  func registerForFailure(_ reversal: Reversal) {
    guard isPerforming, !isTakingBack else { return }
    current.value.entries.append(
      Recording.Entry(reversal: reversal, owner: Recording.nobody, depth: depth, level: depth))
    noteChange()
  }

  /// The reversal registered last.
  var last: Reversal? { current.value.entries.last?.reversal }

  /// Notes that the current recording has changed, or is another one.
  func noteChange() {
    recorded.value = current.value.entries.count
    changes.value &+= 1
  }

  // MARK: Recordings

  /// Makes a new recording current. Returns the one before, for `continue`.
  func open(_ purpose: Recording.Purpose, base: Int) -> Recording {
    `continue`(Recording(purpose: purpose, base: base))
  }

  /// Makes a recording current. Returns the one before.
  @discardableResult
  func `continue`(_ other: Recording) -> Recording {
    let before = current.value
    current.value = other
    noteChange()
    return before
  }

  /// Whether reversals registered now don't become a group of their own.
  var isReversing: Bool { if case .doing = current.value.purpose { false } else { true } }

  /// Whether reversals registered now are not kept, because something is being taken back.
  var isTakingBack: Bool { if case .takingBack = current.value.purpose { true } else { false } }

  /// Takes out the entries of the perform at this depth, nested ones included, because it is about to wait.
  func suspend() -> Recording {
    let (purpose, base) = (current.value.purpose, current.value.base)
    return Recording(purpose: purpose, base: base, entries: takeOwn())
  }

  /// Makes the recording of a perform that waited current, with that perform as a top-level one at the present depth. Returns the
  /// recording before.
  func resume(_ waiting: Recording) -> Recording {
    var resumed = Recording(purpose: waiting.purpose, base: depth, entries: waiting.entries)
    for index in resumed.entries.indices { resumed.entries[index].depth = depth }
    return `continue`(resumed)
  }

  // MARK: Ends of performs

  /// Takes out the entries of the perform at this depth, in the order in which they were registered.
  func takeOwn() -> ContiguousArray<Recording.Entry> {
    let first = firstOwn()
    defer {
      current.value.entries.removeSubrange(first...)
      current.value.title = nil
      noteChange()
    }
    return ContiguousArray(current.value.entries[first...])
  }

  /// Takes out the reversals of the perform at this depth that can still run.
  func takeReversals() -> [Reversal] {
    takeOwn().filter { $0.owner != Recording.nobody }.map(\.reversal)
      .filter { !$0.taker.isRemoved && !$0.owner.takesNothingBack }
  }

  /// Joins the entries of the perform at this depth to the perform around it, which takes them back if it fails.
  func join() {
    for index in firstOwn()..<current.value.entries.count { current.value.entries[index].depth = depth - 1 }
  }

  /// Drops reversals of owners that were removed or set aside; after the outermost perform none are left.
  private func dropGone() {
    current.value.entries.removeAll { $0.reversal.owner.takesNothingBack }
    noteChange()
    hasGone = depth > 1
  }

  private func firstOwn() -> Int {
    var first = current.value.entries.count
    while first > 0, current.value.entries[first - 1].depth >= depth { first -= 1 }
    return first
  }

  /// Notes the title of a perform that has ended, if it is a top-level one.
  func note(_ title: String) {
    if depth <= current.value.base { current.value.title = title }
  }

  /// Places what was registered, one group for each owner. A group's title is the one that a reversal has, else the one noted, else the
  /// plan's.
  func place(_ planned: String) {
    let title = current.value.title.take() ?? planned
    if hasGone { dropGone() }
    var rest = current.value.entries
    current.value.entries = []
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

  /// The history that owned the taker's reversals when they were registered; nil if its owner was removed meanwhile.
  private func stack(numbered number: Int, for taker: Responder) -> UndoStack? {
    let owner = chain.undoOwner(of: taker)
    return owner.number == number
      ? stack(of: owner) : chain.responders.values.first { $0.number == number }?.undoStack
  }
}

// Drops reversals whose responder or owner was removed.

extension Undo {
  /// Drops the reversals of a removed responder, in all histories, and its own history.
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
    current.value.entries.removeAll { $0.reversal.owner === owner }
    noteChange()
  }

  /// Drops an owner's reversals from all histories. Those in recordings stay until their performs end.
  func removeDone(by owner: Owner, from responders: some Sequence<Responder>) {
    for responder in responders { responder.undoStack?.remove { $0.owner === owner } }
    hasGone = isPerforming
    noteChange()
  }
}
