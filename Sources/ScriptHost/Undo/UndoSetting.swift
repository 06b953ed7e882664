// Who has an undo stack.

extension Responder {
  /// How many levels its undo stack has; nil where what it does belongs to a responder further up.
  var undoLevels: Int? {
    switch hook(\.undo) {
    case .levels(let levels)?: levels
    // The app is the last that could have one.
    case .none?: kind == .app ? UndoSetting.defaultLevels : nil
    case nil: kind == .responder ? nil : UndoSetting.defaultLevels
    }
  }

  /// What can be undone and redone of its own, once there is something.
  var undoStack: UndoStack? {
    get { undoObject.map { unsafeDowncast($0, to: UndoStack.self) } }
    set { undoObject = newValue }
  }
}

extension Chain {
  /// The owner of the history for what a responder does: the nearest upward that has one, which the chain holds.
  func undoOwner(of responder: Responder) -> Responder {
    if responder.undoShape == shape, let known = responder.knownUndoOwner { return known }
    var node = responder
    while node !== app, node.isRemoved || node.undoLevels == nil { node = node.next ?? app }
    responder.knownUndoOwner = node
    responder.undoShape = shape
    return node
  }
}
