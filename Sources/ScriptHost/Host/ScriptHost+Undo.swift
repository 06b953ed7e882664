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

  /// How often something became the next thing to undo, on any stack, because it was done or redone.
  package var undoableCount: Int { chain.undoableCount }

  /// The title of what would be undone next at the focus, if it was done or redone since a count; else nil.
  package func undoable(since count: Int) -> String? {
    guard chain.undoableCount > count else { return nil }
    let stack = dispatcher.history(.undo, from: nil).stack
    return stack.flatMap { $0.undoableCount > count ? $0[.undo].map { dispatcher.told($0.title) } : nil }
  }

  /// What a job that has ended just now has done.
  package func undoable(by job: Job) -> String? { undoable(since: job.memory.value.undoableCount) }

  func setUndo(_ setting: UndoSetting?, in behaviour: Behaviour, of responder: Responder) {
    behaviour.undo = setting
    chain.hooksChanged(of: responder, in: behaviour)
    if responder.undoLevels == nil { responder.undoStack = nil }
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
