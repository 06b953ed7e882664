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

  override func can(for responder: Responder, in context: Context) -> Verdict {
    dispatcher.refusal(to: direction, of: dispatcher.history(direction, in: context)).map { .no($0) } ?? .yes
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    var look = Look()
    let title = dispatcher.history(direction, in: context).stack?[direction].map { dispatcher.told($0.title) }
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
      for table in [Behaviour.Table.on, .can, .look] {
        _ = responder.layers[0].set(table, name, action, number: number)
      }
    }
  }
}
