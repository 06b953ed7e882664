// Settles the reversals that handlers registered: adds them to histories, joins them to the outer perform, or runs
// them.

extension Outcome.Status {
  /// Whether the changes of the action are kept.
  var isKept: Bool { self == .handled }
}

extension Dispatcher {
  /// Ends the recording of a perform. At the top level it becomes undo groups with this title.
  @inline(never)
  func settle(_ status: Outcome.Status, _ title: String) {
    if !status.isKept { takeBack() }
    if depth > undo.current.base { return undo.join() }
    guard hasRecorded else { return }
    if isAside { _ = undo.takeOwn() } else { undo.place(title) }
  }

  /// Undoes what the current perform registered, newest first. Postponed if the allowance is spent.
  func takeBack() {
    let entries = undo.takeOwn()
    guard engine?.isSpent ?? false else {
      takeBack(entries)
      return
    }
    if !entries.isEmpty { postponed.append(.takingBack(entries, of: actions.names.last ?? "")) }
  }

  /// Undoes recorded entries. Returns true if that spent the allowance.
  @discardableResult
  func takeBack(_ entries: ContiguousArray<Recording.Entry>, isHurried: Bool = false) -> Bool {
    guard !entries.isEmpty else { return false }
    let outer = undo.open(.takingBack, base: depth + 1)
    if isHurried { engine?.beginSmallAllowance() } else { engine?.beginAllowance() }
    for entry in entries.reversed() {
      if let write = entry.reversal as? FieldWrite {
        undo.handOver(write)
      } else if engine?.isSpent ?? false {
        // The host has reported the failure that spent the allowance. Each of the others would build a context, then
        // fail.
        continue
      }
      switch atOnce(reverse(entry.reversal)) {
      case .failed(let failure): reportNotTakenBack(failure.message, failure)
      case .refused(let reason): reportNotTakenBack(reason, nil)
      case .value, .pass, .waiting: break
      }
    }
    let isSpent = engine?.isSpent ?? false
    endAllowance()
    undo.continue(outer)
    return isSpent
  }

  /// Runs a reversal. Its function gets a context with the providers' current values.
  func reverse(_ reversal: Reversal) -> Reply {
    reversal.reverse { [unowned self] in contextOfReversal(for: reversal.taker) }
  }

  /// Runs a reply to its end. A sleeping reversal continues at once. One that a client does goes on by itself. One that
  /// waits for another action fails, because nothing else may happen before a failed action is undone.
  private func atOnce(_ reply: Reply) -> Reply {
    var reply = reply
    while case .waiting(let suspension) = reply {
      if suspension.isNested, let job = suspension.awaited as? PerformJob, hurry(job) {
        reply = suspension.resume()
        continue
      }
      if suspension.isNested, let job = suspension.awaited as? PerformJob, job.isDoneByClient {
        reportEnd(ofTakingBack: job)
        return .waiting(suspension)
      }
      guard suspension.nanoseconds >= 0 else {
        drop(suspension)
        return .failed(Failure(.misuse, "an undo of a failed action can't wait for another action"))
      }
      reply = suspension.resume()
    }
    return reply
  }

  /// Continues a job at once as long as it only sleeps, up to a thousand times. Returns true if it has ended.
  private func hurry(_ job: PerformJob) -> Bool {
    job.memory.isAside = true
    for _ in 0..<1000 {
      guard job.isWaiting, let suspension = job.memory.suspension else { break }
      if suspension.isNested, let inner = suspension.awaited as? PerformJob {
        guard hurry(inner) else { return false }
      } else if suspension.nanoseconds < 0 || suspension.stillWaits != nil {
        return false
      }
      scheduler.leave(job)
      resume(job)
    }
    return !job.isWaiting
  }

  /// Reports a reversal of a client that ends without success. Nothing waits for it.
  private func reportEnd(ofTakingBack job: PerformJob) {
    let action = actions.names.last ?? ""
    job.onEnd { [unowned self] outcome in
      if outcome.status == .handled { return }
      reportNotTakenBack(outcome.error?.message ?? outcome.reason ?? outcome.status.rawValue, outcome.error, action)
    }
  }

  private func reportNotTakenBack(_ reason: String, _ failure: Failure?, _ named: String? = nil) {
    let action = named ?? actions.names.last ?? ""
    var diagnostic = failure.map(Diagnostic.init) ?? Diagnostic(.error, Failure.Code.script.rawValue, reason)
    diagnostic.message = "'\(action)' could not be undone: \(reason)"
    report(diagnostic)
  }

  /// Builds a reversal's context: the providers' current values, and the action being undone.
  private func contextOfReversal(for taker: Responder) -> Context {
    let action = actions.names.last ?? ""
    let context = context(of: defaultWalk(), witness: nil)
    context.begin(Request(raw: action, action: action, prefix: "", arguments: Arguments()))
    context.aim(at: taker, action: action, prefix: "")
    return context
  }

  // MARK: Undoing and redoing

  /// Finds the history for `undo` or `redo`: the nearest, from a start upward, that isn't empty or is locked (U10).
  ///
  /// If all are empty, returns the nearest.
  ///
  /// - Parameter looked: called with the owner of each history visited, nearest first.
  func history(
    _ direction: UndoStack.Direction, from start: Responder?, looked: (Responder) -> Void = { _ in }
  ) -> (owner: Responder, stack: UndoStack?) {
    let nearest = chain.undoOwner(of: start ?? chain.focused)
    var owner = nearest
    looked(owner)
    while undo.known(of: owner)?.isEmpty(direction) ?? true, lock(on: owner) == nil {
      if owner === chain.app { return (nearest, nearest.undoStack) }
      owner = chain.undoOwner(of: owner.next ?? chain.app)
      looked(owner)
    }
    return (owner, owner.undoStack)
  }

  func history(_ direction: UndoStack.Direction, in context: Context) -> (owner: Responder, stack: UndoStack?) {
    history(direction, from: context.resolution?.walk.start)
  }

  /// Returns why nothing can be undone or redone now; nil if something can. A validation asks about the time after the
  /// current action.
  func refusal(
    to direction: UndoStack.Direction, of history: (owner: Responder, stack: UndoStack?)
  ) -> String? {
    if depth > 1, !isValidating {
      let other = actions.names[depth - 2]
      return "nothing can be \(direction.participle) while '\(other)' is being performed"
    }
    if let reason = lock(on: history.owner) { return reason }
    guard let group = history.stack?[direction] else { return "there is nothing to \(direction.rawValue)" }
    return group.reversals.lazy.compactMap(\.obstacle).first ?? overwritten(group)
  }

  /// Returns why a group can't be reversed: a later group has overwritten its changes (U14). Nil if none has.
  private func overwritten(_ group: UndoGroup) -> String? {
    let changes = undo.journal.changes
    if !hasRecorded, let known = group.overwritten, known.changes == changes { return known.reason }
    let reason =
      undo.replacer(of: group.reversals).map(overwritten(byTitle:))
      ?? undo.overwriter(of: group.reversals).map(overwritten(by:))
    group.overwritten = (changes, reason)
    return reason
  }

  /// Returns the reason for an overwritten change, with the title of the later write's group.
  func overwritten(by write: FieldWrite) -> String {
    let jobs = scheduler.jobs.lazy.compactMap { $0 as? PerformJob }
    let job = jobs.first { $0.recording?.entries.contains { $0.reversal === write } ?? false }
    return overwritten(byTitle: job?.title ?? write.title ?? actions.names.last ?? "")
  }

  private func overwritten(byTitle title: String) -> String {
    "'\(told(title.withoutEllipsis))' has changed the same data since"
  }

  /// Reverses the newest group of a history for `undo` or `redo`, completely or not at all.
  func reverse(_ direction: UndoStack.Direction, in context: Context) -> Reply {
    let history = history(direction, in: context)
    if let reason = refusal(to: direction, of: history) { return .refused(reason) }
    guard let stack = history.stack, let group = stack[direction] else { return .pass }
    if direction == .undo, isOfPerson, let passed = stack.passed.take() {
      return .refused("'\(passed)' can't be undone; undo again to take back '\(told(group.title))'")
    }
    return Reversing(self, group, of: stack, direction).run()
  }

  /// Drops the next group of `undo`, so that a failing one doesn't block the others (U15). Returns its title.
  func forgetUndo(where mayForget: (Reversal) -> Bool) throws(Misuse) -> String {
    let (owner, stack) = history(.undo, from: nil)
    if undo.isReversing { throw Misuse(.notNow, "nothing can be forgotten during an undo") }
    if let reason = lock(on: owner) { throw Misuse(.notNow, reason) }
    guard let stack, let group = stack[.undo] else { throw Misuse(.notNow, "there is nothing to undo") }
    let title = told(group.title)
    guard group.reversals.allSatisfy(mayForget) else {
      throw Misuse(.notNow, "'\(title)' belongs to another script: only the app or that script can forget it")
    }
    stack.forget()
    return title
  }

  /// Passes a reversal's failure up from the responder that registered it, not from the responder that undoes.
  func travelled(_ failure: Failure, from taker: Responder) -> Failure {
    let nodes = chain.nodes(from: taker.isRemoved ? chain.app : taker)
    var travelled = travel(failure, from: taker, along: nodes)
    travelled.hasTravelled = true
    return travelled
  }
}

extension PerformJob {
  /// Whether it waits for a client, directly or through other actions.
  fileprivate var isDoneByClient: Bool {
    switch memory.suspension?.awaited {
    case is ClientCall: true
    case let job as PerformJob: job.isDoneByClient
    default: false
    }
  }
}

extension UndoStack.Direction {
  fileprivate var participle: String { self == .undo ? "undone" : "redone" }
}

/// Reverses an undo group, from its last reversal to its first. Any of them may wait.
final class Reversing: Suspension {
  /// The dispatcher outlives suspensions.
  private unowned let dispatcher: Dispatcher
  private let group: UndoGroup
  private let stack: UndoStack
  private let direction: UndoStack.Direction
  /// The group's reversals in their original order, and how many are left to reverse.
  private let reversals: [Reversal]
  private var left: Int
  private var waiting: Suspension?
  /// The recording that was current before, to restore afterwards.
  private var outer: Recording

  init(_ dispatcher: Dispatcher, _ group: UndoGroup, of stack: UndoStack, _ direction: UndoStack.Direction) {
    self.dispatcher = dispatcher
    self.group = group
    self.stack = stack
    self.direction = direction
    reversals = group.reversals
    left = reversals.count
    outer = dispatcher.undo.open(.reversing(stack), base: dispatcher.depth)
    super.init()
  }

  func run() -> Reply {
    dispatcher.engine?.beginAllowance()
    var reply = reverse()
    dispatcher.endAllowance()
    switch reply {
    case .waiting: return reply
    case .value, .pass:
      stack.turn(group, direction, into: dispatcher.undo.takeReversals())
    case .refused:
      standAgain()
      dispatcher.takeBack()
    case .failed(let failure):
      standAgain()
      dispatcher.takeBack()
      reply = .failed(dispatcher.allowing { dispatcher.travelled(failure, from: reversals[left - 1].taker) })
    }
    dispatcher.undo.continue(outer)
    return reply
  }

  /// Marks the writes reversed so far as in effect again, because the host restores the whole group.
  private func standAgain() { for case let write as FieldWrite in reversals[left...] { write.standAgain() } }

  private func reverse() -> Reply {
    // Checked again after each wait: others may have written meanwhile.
    if let write = dispatcher.undo.overwriter(of: reversals[..<left]) {
      return .refused(dispatcher.overwritten(by: write))
    }
    while left > 0 {
      // The responder or owner of the reversal may have been removed or set aside during the wait.
      if waiting == nil, reversals[left - 1].isGone {
        left -= 1
        continue
      }
      let reply = waiting?.resume() ?? dispatcher.reverse(reversals[left - 1])
      waiting = nil
      switch reply {
      case .value, .pass: left -= 1
      case .refused, .failed: return reply
      case .waiting(let suspension):
        waiting = suspension
        follow(suspension)
        return .waiting(self)
      }
    }
    return .value(.null)
  }

  override func resume() -> Reply {
    outer = Recording(base: dispatcher.depth)
    return dispatcher.outside { run() }
  }

  override func unwind() {
    waiting?.unwind()
    standAgain()
  }

  override var stray: Owner? { waiting?.stray }

  override func suspended() { dispatcher.undo.continue(outer) }
}
