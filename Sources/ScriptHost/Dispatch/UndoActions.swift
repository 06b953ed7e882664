/// The actions `undo` and `redo`, which the host does where nobody else answers them.
final class UndoAction: Handler {
  private let direction: UndoStack.Direction
  /// It holds this.
  private let reference: Unmanaged<Dispatcher>
  private var dispatcher: Dispatcher { reference.takeUnretainedValue() }

  init(_ direction: UndoStack.Direction, dispatcher: Dispatcher, owner: Owner) {
    self.direction = direction
    reference = .passUnretained(dispatcher)
    super.init(owner: owner)
  }

  override var needsNoContext: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    reference._withUnsafeGuaranteedRef { $0.reverse(direction, in: context) }
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    let stack = dispatcher.history(in: context).stack
    return dispatcher.refusal(to: direction, of: stack).map { .no($0) } ?? .yes
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    var look = Look()
    let title = dispatcher.history(in: context).stack?[direction]?.title
    look.title = [direction == .undo ? "Undo" : "Redo", title].compactMap { $0 }.joined(separator: " ")
    return .success(look)
  }
}

extension Dispatcher {
  /// Gives a responder the actions `undo` and `redo`.
  func addUndoActions(to responder: Responder, _ owner: Owner) {
    for direction in [UndoStack.Direction.undo, .redo] {
      let action = UndoAction(direction, dispatcher: self, owner: owner)
      let number = chain.newEntryNumber()
      let name = names.intern(direction.rawValue)
      for table in Behaviour.Table.allCases { _ = responder.layers[0].set(table, name, action, number: number) }
    }
  }
}
