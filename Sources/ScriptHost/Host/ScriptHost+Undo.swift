/// The titles of the undo and redo steps from the focus, the newest first.
public struct UndoHistory: Sendable, Equatable {
  /// The steps of the history that `undo` uses.
  public let undo: [String]
  /// The undone steps of the history that `redo` uses.
  public let redo: [String]
  /// The responder whose history `undo` uses: the nearest that has something to undo.
  public let owner: String
  /// The responder whose history `redo` uses: the nearest that has something to redo.
  public let redoOwner: String
}

extension ScriptHost {
  /// Undoes the last step. The outcome is that of the action `undo`, which a responder may handle itself.
  @discardableResult
  public func undo() -> Outcome { dispatcher.perform(UndoStack.Direction.undo.rawValue) }

  /// Redoes the step that was undone last. The outcome is that of the action `redo`.
  @discardableResult
  public func redo() -> Outcome { dispatcher.perform(UndoStack.Direction.redo.rawValue) }

  /// The steps that `undo` and `redo` would revert and repeat now.
  public var undoHistory: UndoHistory {
    func history(_ direction: UndoStack.Direction) -> (titles: [String], owner: String) {
      let (owner, stack) = dispatcher.history(direction, from: nil)
      return (stack?.titles(direction).map(dispatcher.told) ?? [], owner.name)
    }
    let (undo, redo) = (history(.undo), history(.redo))
    return UndoHistory(undo: undo.titles, redo: redo.titles, owner: undo.owner, redoOwner: redo.owner)
  }

  /// Drops the next undo step without reverting it, so that a failing undo doesn't block the others.
  ///
  /// Returns its title. Throws if there is nothing to undo, or an undo is under way.
  @discardableResult
  public func forgetUndo() throws(Misuse) -> String {
    try checkNotAsking("nothing can be forgotten")
    return try dispatcher.forgetUndo { _ in true }
  }

  // MARK: What a person does

  /// Runs a body on behalf of a person at a face. If an undo in it would pass over an action that can't be undone, it
  /// is refused once, with a reason.
  package func actingForPerson<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = dispatcher.isOfPerson
    dispatcher.isOfPerson = true
    defer { dispatcher.isOfPerson = outer }
    return try body()
  }

  /// Notes, in the history of its responder, that a person did an action without a reversal. The host's own `undo` and
  /// `redo` aren't noted: `find` doesn't know the host's responder.
  package func notePassed(_ title: String, by name: String) {
    guard let responder = find(name), let stack = chain.undoOwner(of: responder).undoStack else { return }
    if !stack.isEmpty(.undo) { stack.passed = title.withoutEllipsis.cut(toBytes: 256).shown(hasLines: false) }
  }

  /// Counts each change of the next undo step, on any stack, by a new action or a redo.
  package var undoableCount: Int { chain.undoableCount }

  /// Returns the title of the next undo step at the focus, if it is newer than a count; else nil.
  package func undoable(since count: Int) -> String? {
    guard chain.undoableCount > count else { return nil }
    let stack = dispatcher.history(.undo, from: nil).stack
    return stack.flatMap { $0.undoableCount > count ? $0.counted.map { dispatcher.told($0.title) } : nil }
  }

  /// The number of the next undo step at the focus, which changes whenever the step does; 0 if there is none.
  package var undoStep: Int { dispatcher.history(.undo, from: nil).stack?[.undo]?.step ?? 0 }

  /// Returns the number of the next undo step at the focus, if it is newer than a count. If it was merged with an older
  /// step, `joined` is the number of that step.
  package func undoStep(since count: Int) -> (number: Int, joined: Int?)? {
    guard chain.undoableCount > count, let group = dispatcher.history(.undo, from: nil).stack?[.undo],
      group.step > count
    else { return nil }
    return (group.step, group.first > count ? nil : group.joined > count ? 0 : group.joined)
  }

  /// Returns the same for the undo step of a job that has just ended.
  package func undoStep(by job: Job) -> (number: Int, joined: Int?)? {
    undoStep(since: job.memory.value.undoableCount)
  }

  /// Returns true if a job that has just ended did something that can be undone, in any history.
  package func isUndoable(by job: Job) -> Bool { chain.undoableCount > job.memory.value.undoableCount }

  /// Returns the title of the undo step of a job that has just ended.
  package func undoable(by job: Job) -> String? { undoable(since: job.memory.value.undoableCount) }

  func setUndo(_ setting: UndoSetting?, in behaviour: Behaviour, of responder: Responder) {
    behaviour.undo = setting
    chain.hooksChanged(of: responder, in: behaviour)
    if responder.undoLevels == nil { responder.undoStack = nil }
    if responder.keepsUndo, let stack = responder.undoStack { dispatcher.undo.recall?(stack) }
  }
}

extension ResponderEditor {
  /// Gives the responder an undo stack with so many levels at most.
  ///
  /// Windows and the app have a stack without it. Actions of other responders go to the nearest stack upward.
  public func keepsUndo(levels: Int = 100) {
    host.setUndo(.levels(max(1, levels)), in: behaviour, of: responder)
  }
}
