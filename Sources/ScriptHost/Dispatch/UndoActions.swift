/// The handler of the host's actions `undo` and `redo`, asked if nobody else answers them.
final class UndoAction: Handler {
  let direction: UndoStack.Direction
  /// The dispatcher retains this handler.
  private unowned let dispatcher: Dispatcher

  init(_ direction: UndoStack.Direction, dispatcher: Dispatcher, owner: Owner) {
    self.direction = direction
    self.dispatcher = dispatcher
    super.init(owner: owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    dispatcher.reverse(direction, in: context)
  }

  /// The history that the action is about on a walk.
  func stack(for walk: Walk) -> UndoStack {
    dispatcher.undo.stack(of: dispatcher.chain.undoOwner(of: walk.start ?? dispatcher.chain.focused))
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    dispatcher.refusal(to: direction, of: dispatcher.history(in: context)).map { .no($0) } ?? .yes
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    var look = Look()
    let title = dispatcher.history(in: context).stack?[direction].map { dispatcher.told($0.title) }
    look.title = [direction == .undo ? "Undo" : "Redo", title].compactMap { $0 }.joined(separator: " ")
    return .success(look)
  }
}

/// The plan of `undo` or `redo` if nobody else answers it. A group that only set fields is swapped without a context.
final class UndoPlan: NativePlan {
  private let direction: UndoStack.Direction
  /// The history depends only on the chain's shape, and a plan is dropped when that changes.
  private let stack: UndoStack

  init(_ action: UndoAction, _ candidate: Candidate, _ resolution: Resolution) {
    direction = action.direction
    stack = action.stack(for: resolution.walk)
    super.init(candidate, resolution)
  }

  override func perform(
    _ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching
  ) -> Outcome {
    let isQuiet = watching.observers.isEmpty && options.isUsual && options.isUnwatched(for: candidate)
    return isQuiet && dispatcher.depth.value == 1 && dispatcher.undo.held == 0 && stack.swapValues(direction)
      ? .handledByHost : super.perform(dispatcher, options, watching)
  }
}

extension Dispatcher {
  /// Gives a responder the actions `undo` and `redo`.
  func addUndoActions(to responder: Responder, _ owner: Owner) {
    for direction in [UndoStack.Direction.undo, .redo] {
      let action = UndoAction(direction, dispatcher: self, owner: owner)
      let number = chain.newEntryNumber()
      let name = names.intern(direction.rawValue)
      for table in [Behaviour.Table.on, .can, .look] {
        _ = responder.layers[0].set(table, name, action, number: number)
      }
    }
  }
}
