/// A *recording* is what performs under way have registered so far, in order.
///
/// A perform that waits takes its own recording with it, so that other performs don't add to it meanwhile.
struct Recording {
  /// The purpose of a recording: what becomes of the reversals in it.
  enum Purpose {
    /// A top-level perform that succeeds places the reversals on their owners' stacks.
    case doing
    /// A group of this stack is being reversed: all reversals make up the group for the other direction.
    case reversing(UndoStack)
    /// Nothing is kept: what failed is being taken back.
    case takingBack
  }

  struct Entry {
    let reversal: Reversal
    /// The number of the responder to whose history it belongs; `nobody` if it only counts where the perform fails.
    let owner: Int
    /// The depth of the perform that takes it back if it fails.
    var depth: Int
    /// The depth of the perform that registered it: of two titles, that of the outer perform counts.
    var level: Int
  }

  /// The number of no responder.
  static let nobody = -1

  var purpose = Purpose.doing
  /// The depth at which a perform counts as top-level in this recording.
  var base = 1
  var entries: ContiguousArray<Entry> = []
  /// The title of the top-level perform that just ended; nil means its plan's.
  var title: String?
}

/// A *write* is a reversal that knows which fields an action wrote, so that it never takes away what a later write put there (U14).
class FieldWrite: Reversal {
  /// The host's undo; it lives as long as anything is reversed.
  unowned let undo: Undo
  /// Whether it takes back an undo: then its fields hold the values of before the action.
  let isUndone: Bool
  /// Whether its fields still hold what it wrote, as far as no later write changed them.
  fileprivate(set) final var stands: Bool
  /// Writes of actions that failed, over which this one wrote: they are taken back right after it, the first of them first.
  fileprivate final var inherited: [FieldWrite] = []
  private let journal: Journal?
  /// Whether the journal has it.
  fileprivate final var isNoted = false
  fileprivate(set) final unowned var earlier: FieldWrite?
  fileprivate(set) final unowned var later: FieldWrite?

  /// Makes the write that was done last, or, if `isApart`, a part of another one.
  init(taker: Responder, undo: Undo, isUndone: Bool, isApart: Bool = false) {
    self.undo = undo
    self.isUndone = isUndone
    stands = !isUndone
    journal = isApart ? nil : undo.journal
    super.init(taker: taker)
    journal?.append(self)
  }

  deinit { journal?.remove(self) }

  /// Puts back what was there, with the writes that it inherited.
  final override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    for write in [self] + inherited {
      if let failure = write.takeBack(for: isUndone ? .redo : .undo) { return .failed(failure) }
    }
    stands = false
    if undo.isTakingBack { journal?.remove(self) }
    return .value(.null)
  }

  /// Notes that its reversal was itself taken back.
  final func standAgain() { stands = !isUndone }

  /// Merges with the write right after it; false if it can't.
  final override func absorb(_ reversal: Reversal) -> Bool {
    guard let write = reversal as? FieldWrite, later === write, write.inherited.isEmpty else { return false }
    return merge(write)
  }

  // MARK: What each kind of write does

  /// Puts back what was there, and registers the write for the other direction.
  func takeBack(for direction: UndoStack.Direction) -> Failure? { nil }
  /// Merges with the write right after it; false if it can't.
  func merge(_ later: FieldWrite) -> Bool { false }
  /// Notes its fields as written by a write of this number.
  func note(in later: LaterWrites, as number: Int) {}
  /// The number of the earliest of the later writes over this one; 0 if there is none.
  func overwriter(in later: LaterWrites) -> Int { 0 }
  /// Moves out what the write of a number wrote over, as a part of that write.
  func split(_ number: Int, in later: LaterWrites) -> FieldWrite? { nil }
}

/// The *journal* has all writes that can be taken back, in the order in which they were done. It retains none.
final class Journal {
  fileprivate(set) unowned var last: FieldWrite?
  /// Counts what changes.
  private(set) var changes = 0

  fileprivate func append(_ write: FieldWrite) {
    write.isNoted = true
    write.earlier = last
    last?.later = write
    last = write
    changes &+= 1
  }

  /// Removes a write, which may be about to go: no reference to it is read.
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

/// The *later writes* than some others, by number: the latest is 1.
final class LaterWrites {
  private var writes: [FieldWrite] = []
  /// What each kind of write notes of its fields.
  var notes: [ObjectIdentifier: AnyObject] = [:]

  var isEmpty: Bool { writes.isEmpty }

  func add(_ write: FieldWrite) {
    writes.append(write)
    write.note(in: self, as: writes.count)
  }

  subscript(number: Int) -> FieldWrite { writes[number - 1] }
}

extension Undo {
  /// The earliest write of others over what these reversals wrote; nil if they can be taken back without taking away anything else. Doing
  /// again what was undone takes nothing away: it writes anew.
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

  /// Leaves what later writes wrote over as it is: it is taken back with the first of these.
  func handOver(_ write: FieldWrite) {
    guard write.later != nil else { return }
    let later = LaterWrites()
    var next = journal.last
    while let other = next, other !== write {
      if other.stands { later.add(other) }
      next = other.earlier
    }
    if later.isEmpty { return }
    for part in [write] + write.inherited {
      while case let number = part.overwriter(in: later), number != 0, let moved = part.split(number, in: later) {
        later[number].inherited.append(moved)
      }
    }
  }
}

/// A *reversal* takes back one thing that was done: by steps of a script, or a closure.
class Reversal {
  /// The responder that did what it takes back.
  let taker: Responder
  /// The title of what was done, if the script or program gave one; in a history, that of its group.
  var title: String?
  /// A reversal merges with the one before it if both have the same key.
  var key: String?

  init(taker: Responder) { self.taker = taker }

  /// The owner of its code; it is dropped with the owner.
  var owner: Owner { taker.owner }

  /// Whether it is skipped, because the responder or the owner of its code is gone.
  var isGone: Bool { owner.takesNothingBack || taker.isRemoved }

  /// Why it can't be taken back now; nil if nothing is known to be in the way.
  var obstacle: String? { nil }

  /// Takes it back, with a context made only if needed. What it registers meanwhile becomes the reversal for the other direction.
  func reverse(_ makeContext: @escaping () -> Context) -> Reply { .value(.null) }

  /// Merges with the reversal registered right after it; false if it can't.
  func absorb(_ later: Reversal) -> Bool { false }
}

/// An *action reversal* takes back what was done by an action, which starts at a responder that it knows by name (U13).
class ActionReversal: Reversal {
  /// The name of the responder at which the action starts.
  let start: String
  /// The reference, and the arguments that are merged over those in it.
  let reference: Reference
  let arguments: LiteralObject

  init(_ reference: Reference, _ arguments: LiteralObject, at start: String, taker: Responder) {
    self.start = start
    self.reference = reference
    self.arguments = arguments
    super.init(taker: taker)
  }

  /// In a kept history it outlives its taker: another responder of that name may come.
  final override var isGone: Bool { owner.takesNothingBack }
}
