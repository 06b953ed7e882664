/// *Undo* keeps what handlers register to be taken back, and places it when their perform has ended.
///
/// It never runs anything: whoever performs asks it what is to be reversed.
final class Undo {
  private let chain: Chain
  /// What performs under way register in.
  let current = Cell(Recording())
  /// How many reversals the current recording holds. Each perform looks at it, and most see none.
  let recorded = Cell(0)
  /// How often something was added to it, taken out of it, or another became the current one.
  let changes = Cell(0)
  /// How many recordings performs that wait have with them.
  var held = 0
  /// Whether owners were taken out or set aside whose reversals recordings may still hold: once their performs have ended, they are dropped.
  var hasGone = false
  /// The last that went out of a history and can be used again: to make one costs as much as all else that is done with it.
  var spare: Reversal?
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
    return stack
  }

  // MARK: Registering

  /// Keeps a reversal for the perform that executes; false where nothing is kept, as while something is taken back.
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

  /// What was registered last.
  var last: Reversal? { current.value.entries.last?.reversal }

  /// Notes that the current recording is another one, or holds other reversals.
  func noteChange() {
    recorded.value = current.value.entries.count
    changes.value &+= 1
  }

  // MARK: Recordings

  /// Begins a recording of its own; gives the one that was current, to be continued afterwards.
  func open(_ purpose: Recording.Purpose, base: Int) -> Recording {
    `continue`(Recording(purpose: purpose, base: base))
  }

  /// Makes a recording the current one; gives the one that was.
  @discardableResult
  func `continue`(_ other: Recording) -> Recording {
    let before = current.value
    current.value = other
    noteChange()
    return before
  }

  /// Whether what is registered now doesn't become a group of its own.
  var isReversing: Bool { if case .doing = current.value.purpose { false } else { true } }

  /// Whether nothing is kept of what is registered now: something is being taken back.
  var isTakingBack: Bool { if case .takingBack = current.value.purpose { true } else { false } }

  /// Takes out what the perform at this depth and those within it registered: it is about to wait.
  func suspend() -> Recording {
    let (purpose, base) = (current.value.purpose, current.value.base)
    return Recording(purpose: purpose, base: base, entries: takeOwn())
  }

  /// Goes on with a perform that waited, as a top-level one at the depth that it has now; gives the recording that was current.
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

  /// Takes out all that the perform at this depth registered and that can still be reversed.
  func takeReversals() -> [Reversal] {
    takeOwn().map(\.reversal).filter { !$0.taker.isRemoved && !$0.owner.takesNothingBack }
  }

  /// Makes the entries of the perform at this depth those of the one around it, which takes them back if it fails.
  func join() {
    for index in firstOwn()..<current.value.entries.count { current.value.entries[index].depth = depth - 1 }
  }

  /// Drops what the code of owners would take back that were taken out or set aside; the outermost perform is the last that may have any.
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

  /// Notes what the perform is called that has ended and registered something that is kept, where it is a top-level one.
  func note(_ title: String) {
    if depth <= current.value.base { current.value.title = title }
  }

  /// Places what was registered: one group for each owner, called what was said, else by the title that was noted, else by that of a plan.
  func place(_ planned: String) {
    let title = current.value.title.take() ?? planned
    if hasGone { dropGone() }
    if current.value.entries.count == 1 { return placeOnly(title) }
    var rest = current.value.entries
    current.value.entries = []
    noteChange()
    while let owner = rest.first?.owner {
      place(rest.filter { $0.owner == owner }, title)
      rest.removeAll { $0.owner == owner }
    }
  }

  /// Places the one reversal that most performs register.
  private func placeOnly(_ title: String) {
    guard let entry = current.value.entries.popLast() else { return }
    noteChange()
    guard !entry.reversal.taker.isRemoved else { return }
    guard let stack = stack(numbered: entry.owner, for: entry.reversal.taker) else { return }
    if entry.reversal.title == nil { entry.reversal.title = title }
    keepSpare(stack.place(.one((consume entry).reversal)))
  }

  private func place(_ entries: ContiguousArray<Recording.Entry>, _ title: String) {
    let kept = entries.filter { !$0.reversal.taker.isRemoved }
    guard let first = kept.first,
      let stack = stack(numbered: first.owner, for: first.reversal.taker)
    else { return }
    var said: (title: String, level: Int)?
    for entry in entries {
      if let title = entry.reversal.title, entry.level <= said?.level ?? .max { said = (title, entry.level) }
    }
    let key = entries.lazy.compactMap(\.reversal.key).first
    if let group = UndoGroup(title: said?.title ?? title, reversals: kept.map(\.reversal), key: key) {
      keepSpare(stack.place(group))
    }
  }

  /// The history to which something was found to belong that a responder did, unless whose it is went meanwhile.
  private func stack(numbered number: Int, for taker: Responder) -> UndoStack? {
    let owner = chain.undoOwner(of: taker)
    return owner.number == number
      ? stack(of: owner) : chain.responders.values.first { $0.number == number }?.undoStack
  }

  /// Keeps what had to go for something else, if it can be used again.
  private func keepSpare(_ gone: consuming UndoGroup?) {
    if let reversal = gone.takeSole(), reversal.retire() { spare = reversal }
  }
}
