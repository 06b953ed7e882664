/// The actions `undo` and `redo`, which the host does where nobody else answers them.
final class UndoAction: Handler {
  let direction: UndoStack.Direction
  /// It holds this.
  private let reference: Unmanaged<Dispatcher>
  private var dispatcher: Dispatcher { reference.takeUnretainedValue() }

  init(_ direction: UndoStack.Direction, dispatcher: Dispatcher, owner: Owner) {
    self.direction = direction
    reference = .passUnretained(dispatcher)
    super.init(owner: owner)
  }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    reference._withUnsafeGuaranteedRef { $0.reverse(direction, in: context) }
  }

  /// The history that it is about on a walk.
  func stack(for walk: Walk) -> UndoStack {
    let owner = dispatcher.chain.undoOwner(of: walk.start ?? dispatcher.chain.focused)
    return dispatcher.undo.stack(of: owner.takeUnretainedValue())
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    dispatcher.refusal(to: direction, of: dispatcher.history(in: context)).map { .no($0) } ?? .yes
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    var look = Look()
    let title = dispatcher.history(in: context).stack?[direction]?.title
    look.title = [direction == .undo ? "Undo" : "Redo", title].compactMap { $0 }.joined(separator: " ")
    return .success(look)
  }
}

/// `undo` or `redo` as long as nobody else answers it: what only set fields is swapped without a context.
final class UndoPlan: NativePlan {
  private let direction: UndoStack.Direction
  /// Whose history it is depends on the shape of the chain alone, with which this goes.
  private let stack: UndoStack

  init(_ action: UndoAction, _ candidate: Candidate, _ resolution: Resolution) {
    direction = action.direction
    stack = action.stack(for: resolution.walk)
    super.init(candidate, resolution)
  }

  // Where there are too many groups one has to go, which may run anybody's code.
  override func swapValues() -> Bool { stack.swapValuesFitting(direction) }

  override func perform(
    _ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching
  ) -> Outcome {
    let isQuiet = watching.observers.isEmpty && options.isUsual && options.isUnwatched(for: candidate)
    return isQuiet && dispatcher.depth.value == 1 && dispatcher.undo.held == 0 && stack.swapValues(direction)
      ? .handledByHost : super.perform(dispatcher, options, watching)
  }
}

extension Dispatcher {
  /// Performs the action `undo` or `redo`. Where that swaps what only set fields it runs nobody's code, so nothing is held for it.
  @inline(__always)
  func perform(_ direction: UndoStack.Direction) -> Outcome {
    swapValues(direction) ? .handledByHost : performFully(direction)
  }

  @inline(never)
  private func performFully(_ direction: UndoStack.Direction) -> Outcome { perform(direction.rawValue) }

  @inline(never)
  private func swapValues(_ direction: UndoStack.Direction) -> Bool {
    let index = direction == .undo ? state.value.indices.undo : state.value.indices.redo
    guard index >= references.firstIndex else { return lookUp(direction) && swapValues(direction) }
    let entry = defaultResolutions?._withUnsafeGuaranteedRef { $0.entry(index) }
    guard depth.value == 0, !state.value.isWatched, let plan = currentPlan(entry),
      plan._withUnsafeGuaranteedRef({ $0.swapValues() })
    else { return false }
    tellActionEnded()
    return true
  }

  /// Finds the reference again, by its text; false where it was not read yet, or is forgotten.
  @inline(never)
  private func lookUp(_ direction: UndoStack.Direction) -> Bool {
    guard let index = direction.rawValue.withBytes(references.known) else { return false }
    if direction == .undo { state.value.indices.undo = index } else { state.value.indices.redo = index }
    return true
  }

  /// The plan of a reference, if nothing changed since that was last found and nothing waits.
  @inline(__always)
  private func currentPlan(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>?) -> Unmanaged<Plan>? {
    guard scheduler.waiting == 0, undo.held == 0, !isAsking, let entry, entry.pointee.tables == chain.tables else {
      return nil
    }
    return entry.pointee.plan.map(Unmanaged.passUnretained)
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
