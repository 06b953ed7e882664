// The responders that have an undo stack.

extension Responder {
  /// The levels of its undo stack; nil if it has none, and what it does belongs to a responder further up.
  var undoLevels: Int? {
    switch hook(\.undo) {
    case .levels(let levels, _)?: levels
    // The app always has a stack, because no responder comes after it.
    case .none?: kind == .app ? UndoSetting.defaultLevels : nil
    case nil: kind == .responder ? nil : UndoSetting.defaultLevels
    }
  }

  /// Whether its history is kept beyond a reload and the end of the process.
  var keepsUndo: Bool {
    if case .levels(_, isKept: true)? = hook(\.undo) { true } else { false }
  }

  /// Its undo stack, once there is one.
  var undoStack: UndoStack? {
    get { undoObject.map { unsafeDowncast($0, to: UndoStack.self) } }
    set { undoObject = newValue }
  }
}

extension Chain {
  /// The owner of the history for what a responder does: the nearest responder upward that has one. The chain retains
  /// it.
  func undoOwner(of responder: Responder) -> Responder {
    if responder.undoShape == shape, let known = responder.knownUndoOwner { return known }
    var node = responder
    while node !== app, node.isRemoved || node.undoLevels == nil { node = node.next ?? app }
    responder.knownUndoOwner = node
    responder.undoShape = shape
    return node
  }
}
