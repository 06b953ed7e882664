/// The titles of what can be undone and redone from the focus, the newest first.
public struct UndoHistory: Sendable, Equatable {
  /// What can be undone, of the history that `undo` takes.
  public let undo: [String]
  /// What was undone and can be done again, of the history that `redo` takes.
  public let redo: [String]
  /// The responder whose history `undo` takes: the nearest that has something to undo.
  public let owner: String
  /// The responder whose history `redo` takes: the nearest that has something to redo.
  public let redoOwner: String
}

extension ScriptHost {
  /// Undoes what was done last; the outcome is that of the action `undo`, which a responder may answer itself.
  @discardableResult
  public func undo() -> Outcome { dispatcher.perform(UndoStack.Direction.undo.rawValue) }

  /// Does again what was undone last; the outcome is that of the action `redo`.
  @discardableResult
  public func redo() -> Outcome { dispatcher.perform(UndoStack.Direction.redo.rawValue) }

  /// What `undo` and `redo` would take back and do again now.
  public var undoHistory: UndoHistory {
    func history(_ direction: UndoStack.Direction) -> (titles: [String], owner: String) {
      let (owner, stack) = dispatcher.history(direction, from: nil)
      return (stack?.titles(direction).map(dispatcher.told) ?? [], owner.name)
    }
    let (undo, redo) = (history(.undo), history(.redo))
    return UndoHistory(undo: undo.titles, redo: redo.titles, owner: undo.owner, redoOwner: redo.owner)
  }

  /// Drops what `undo` would take back next, so that an undo that fails doesn't block the others. Nothing is taken back.
  ///
  /// Returns its title. It throws if there is nothing to undo, or something is being taken back.
  @discardableResult
  public func forgetUndo() throws(Misuse) -> String {
    try checkNotAsking("nothing can be forgotten")
    return try dispatcher.forgetUndo { _ in true }
  }

  // MARK: What a person does

  /// Runs a body that does what a person asks for at a face: an undo in it that would pass over an action that can't be undone is refused once,
  /// with a reason that says so.
  package func actingForPerson<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = dispatcher.isOfPerson
    dispatcher.isOfPerson = true
    defer { dispatcher.isOfPerson = outer }
    return try body()
  }

  /// Notes that a person did an action that registered nothing to take it back, in the history of the responder that handled it. The host's own
  /// `undo` and `redo` are no such actions: `find` doesn't know the host's responder.
  package func notePassed(_ title: String, by name: String) {
    guard let responder = find(name), let stack = chain.undoOwner(of: responder).undoStack else { return }
    if !stack.isEmpty(.undo) { stack.passed = title.withoutEllipsis.cut(toBytes: 256).shown(hasLines: false) }
  }

  /// How often something became the next thing to undo, on any stack, because it was done or redone.
  package var undoableCount: Int { chain.undoableCount }

  /// The title of what would be undone next at the focus, if it was done or redone since a count; else nil.
  package func undoable(since count: Int) -> String? {
    guard chain.undoableCount > count else { return nil }
    let stack = dispatcher.history(.undo, from: nil).stack
    return stack.flatMap { $0.undoableCount > count ? $0[.undo].map { dispatcher.told($0.title) } : nil }
  }

  /// Whether a job that has ended just now has done something that can be undone, in any history.
  package func isUndoable(by job: Job) -> Bool { chain.undoableCount > job.memory.value.undoableCount }

  /// What a job that has ended just now has done.
  package func undoable(by job: Job) -> String? { undoable(since: job.memory.value.undoableCount) }

  func setUndo(_ setting: UndoSetting?, in behaviour: Behaviour, of responder: Responder) {
    behaviour.undo = setting
    chain.hooksChanged(of: responder, in: behaviour)
    if responder.undoLevels == nil { responder.undoStack = nil }
    if responder.keepsUndo, let stack = responder.undoStack { dispatcher.undo.recall?(stack) }
  }
}

extension ResponderEditor {
  /// Gives the responder an undo stack of its own, of so many levels at most.
  ///
  /// Windows and the app have one without it. What other responders do belongs to the nearest upward that has one.
  public func keepsUndo(levels: Int = 100) {
    host.setUndo(.levels(max(1, levels)), in: behaviour, of: responder)
  }
}
