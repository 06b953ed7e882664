/// The reversals that current performs have registered, in order. A perform that waits keeps its recording, so that
/// other performs don't add to it meanwhile.
struct Recording {
  /// The purpose of a recording, which decides where its reversals go.
  enum Purpose {
    /// When a top-level perform succeeds, its reversals go to their owners' stacks.
    case doing
    /// A group of this stack is being reversed. All reversals form the group for the other direction.
    case reversing(UndoStack)
    /// A failed action is being undone. Nothing is kept.
    case takingBack
  }

  struct Entry {
    let reversal: Reversal
    /// The number of the responder whose history it belongs to; `nobody` if it only runs when the perform fails.
    let owner: Int
    /// The depth of the perform that undoes it on failure.
    var depth: Int
    /// The depth of the perform that registered it. The outermost perform's title applies.
    var level: Int
  }

  /// The number that means no responder.
  static let nobody = -1

  var purpose = Purpose.doing
  /// The depth at which a perform counts as top-level in this recording.
  var base = 1
  var entries: ContiguousArray<Entry> = []
}

/// A reversal that knows which fields an action wrote, so that it never discards a later write (U14).
class FieldWrite: Reversal {
  /// The host's undo, which lives as long as any reversal runs.
  unowned let undo: Undo
  /// Whether it reverses an undo, so that its fields hold the values from before the action.
  let isUndone: Bool
  /// Whether its fields still hold the written values, except where later writes changed them.
  fileprivate(set) final var stands: Bool
  /// The title of a later write over its fields that is in effect, but in no history any more; nil without one.
  fileprivate(set) final var replacer: String?
  /// Earlier writes of failed actions, which this write replaced. They are undone right after it, in order.
  fileprivate final var inherited: [FieldWrite] = []
  private let journal: Journal?
  /// Whether the journal contains it.
  fileprivate final var isNoted = false
  /// Its number in the journal: later writes have higher ones.
  fileprivate final var number = 0
  fileprivate(set) final unowned var earlier: FieldWrite?
  fileprivate(set) final unowned var later: FieldWrite?

  /// Creates the latest write, or a part of another write if `isApart`.
  init(taker: Responder, undo: Undo, isUndone: Bool, isApart: Bool = false) {
    self.undo = undo
    self.isUndone = isUndone
    stands = !isUndone
    journal = isApart ? nil : undo.journal
    super.init(taker: taker)
    journal?.append(self)
  }

  deinit { journal?.remove(self) }

  /// Restores the previous values, including those of the inherited writes.
  final override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    for write in [self] + inherited {
      if let failure = write.takeBack(for: isUndone ? .redo : .undo) { return .failed(failure) }
    }
    stands = false
    if undo.isTakingBack { journal?.remove(self) }
    return .value(.null)
  }

  /// Records that its reversal was itself undone.
  final func standAgain() { stands = !isUndone }

  /// Merges with the write right after it. Returns false if it can't.
  final override func absorb(_ reversal: Reversal) -> Bool {
    guard let write = reversal as? FieldWrite, later === write, write.inherited.isEmpty else { return false }
    return merge(write)
  }

  // MARK: For kinds of writes

  /// Restores the previous values, and registers the write for the other direction.
  func takeBack(for direction: UndoStack.Direction) -> Failure? { nil }
  /// Merges with the write right after it. Returns false if it can't.
  func merge(_ later: FieldWrite) -> Bool { false }
  /// The written fields, roughly.
  var fields: FieldBits { .all }
  /// Records its fields in the later writes, under a number.
  func note(in later: LaterWrites, as number: Int) {}
  /// Returns the number of the earliest write that replaced this write; 0 if there is none.
  func overwriter(in later: LaterWrites) -> Int { 0 }
  /// Moves out the part that a later write replaced, and returns it as a part of the later write.
  func split(_ number: Int, in later: LaterWrites) -> FieldWrite? { nil }
}

/// The fields of a write, as a bit in each of two numbers. They separate most writes to different fields.
struct FieldBits {
  var one: UInt64 = 0, other: UInt64 = 0

  static let all = FieldBits(one: .max, other: .max)

  init(one: UInt64 = 0, other: UInt64 = 0) { (self.one, self.other) = (one, other) }

  init(hash: Int) { self.init(one: 1 << UInt64(hash & 63), other: 1 << UInt64(hash >> 6 & 63)) }

  /// Returns false if none of the fields is the same.
  func mayMeet(_ others: FieldBits) -> Bool { one & others.one != 0 && other & others.other != 0 }

  mutating func add(_ others: FieldBits) { (one, other) = (one | others.one, other | others.other) }
}

/// All writes that can be undone, in order. It retains none.
final class Journal {
  fileprivate(set) unowned var last: FieldWrite?
  /// Counts the changes.
  private(set) var changes = 0

  fileprivate func append(_ write: FieldWrite) {
    write.isNoted = true
    write.earlier = last
    last?.later = write
    last = write
    changes &+= 1
    write.number = changes
  }

  /// Removes a write, which may be about to be released: no reference to it is read.
  fileprivate func remove(_ write: FieldWrite) {
    guard write.isNoted else { return }
    write.isNoted = false
    let (earlier, later) = (write.earlier, write.later)
    earlier?.later = later
    if let later { later.earlier = earlier } else { last = earlier }
    write.earlier = nil
    write.later = nil
    changes &+= 1
  }
}

/// The writes after some others, by number: the latest is 1.
final class LaterWrites {
  private var writes: [FieldWrite] = []
  /// The notes of each kind of write about its fields.
  var notes: [ObjectIdentifier: AnyObject] = [:]

  var isEmpty: Bool { writes.isEmpty }

  func add(_ write: FieldWrite) {
    writes.append(write)
    write.note(in: self, as: writes.count)
  }

  subscript(number: Int) -> FieldWrite { writes[number - 1] }
}

extension Undo {
  /// Returns the earliest other write over the fields of these reversals; nil if undoing them discards nothing else.
  /// Redoing discards nothing, because it writes again.
  func overwriter(of reversals: some Collection<Reversal>) -> FieldWrite? {
    guard let first = reversals.lazy.compactMap({ $0 as? FieldWrite }).first, first.later != nil else { return nil }
    let own = Set(reversals.map(ObjectIdentifier.init))
    let later = LaterWrites()
    var earliest = 0
    var next = journal.last
    while let write = next {
      if own.contains(ObjectIdentifier(write)) {
        if !later.isEmpty, !write.isUndone {
          earliest = ([write] + write.inherited).map { $0.overwriter(in: later) }.reduce(earliest, max)
        }
      } else if write.stands {
        later.add(write)
      }
      next = write === first ? nil : write.earlier
    }
    return earliest == 0 ? nil : later[earliest]
  }

  /// Notes in the writes before some writes that they were replaced, because no history has these writes any more.
  static func bury(_ reversals: some Sequence<Reversal>) {
    let buried = reversals.compactMap { $0 as? FieldWrite }.filter { $0.stands && $0.isNoted }
    var next = buried.max { $0.number < $1.number }
    guard next?.earlier != nil else { return }
    let own = Set(buried.map(ObjectIdentifier.init))
    let later = LaterWrites()
    var fields = FieldBits()
    while let write = next {
      next = write.earlier
      if own.contains(ObjectIdentifier(write)) {
        later.add(write)
        fields.add(write.fields)
      } else if write.stands, write.replacer == nil {
        let parts = ([write] + write.inherited).filter { $0.fields.mayMeet(fields) }
        let number = parts.lazy.map { $0.overwriter(in: later) }.first { $0 != 0 }
        if let number { write.replacer = later[number].title ?? "" }
      }
    }
  }

  /// Returns the title of a write over the fields of these reversals that nobody can undo any more; nil without one.
  func replacer(of reversals: some Sequence<Reversal>) -> String? {
    reversals.lazy.compactMap { ($0 as? FieldWrite)?.replacer }.first
  }

  /// Moves the parts that later writes have overwritten to these writes. They are undone together with the first of
  /// them.
  func handOver(_ write: FieldWrite) {
    let parts = [write] + write.inherited
    let fields = parts.reduce(into: FieldBits()) { $0.add($1.fields) }
    var next = write.later
    while let other = next {
      next = other.later
      guard other.stands, other.fields.mayMeet(fields) else { continue }
      let later = LaterWrites()
      later.add(other)
      for part in parts where part.overwriter(in: later) != 0 {
        if let moved = part.split(1, in: later) { other.inherited.append(moved) }
      }
    }
  }
}

/// Undoes one thing, by steps of a script or by a closure.
class Reversal {
  /// The responder that did it.
  let taker: Responder
  /// The title, if the script or program sets one; in a history, that of its group.
  var title: String?
  /// If the previous reversal has the same key, both merge.
  var key: String?

  init(taker: Responder) { self.taker = taker }

  /// The owner of its code. Removing the owner drops it.
  var owner: Owner { taker.owner }

  /// Whether to skip it, because the responder or the owner of its code is gone.
  var isGone: Bool { owner.takesNothingBack || taker.isRemoved }

  /// Why it can't be undone now; nil if no obstacle is known.
  var obstacle: String? { nil }

  /// Undoes it, and creates a context only if needed. Reversals registered meanwhile serve the other direction.
  func reverse(_ makeContext: @escaping () -> Context) -> Reply { .value(.null) }

  /// Merges with the reversal registered right after it. Returns false if it can't.
  func absorb(_ later: Reversal) -> Bool { false }
}

/// Undoes something with an action, which starts at a responder that it knows by name (U13).
class ActionReversal: Reversal {
  /// The name of the responder at which the action starts.
  let start: String
  /// The reference, and the arguments that override those in it.
  let reference: Reference
  let arguments: LiteralObject

  init(_ reference: Reference, _ arguments: LiteralObject, at start: String, taker: Responder) {
    self.start = start
    self.reference = reference
    self.arguments = arguments
    super.init(taker: taker)
  }

  /// Whether a kept history still has it although its owner is gone.
  final var outlivesOwner = false

  /// In a kept history it outlives its taker, because another responder with that name may appear.
  final override var isGone: Bool { owner.takesNothingBack && !outlivesOwner }
}
