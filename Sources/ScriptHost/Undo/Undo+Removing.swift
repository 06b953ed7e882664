// What goes with whoever registered it.

extension Undo {
  /// Drops what a responder did that was taken out, wherever it lies; its own history goes with it.
  func remove(_ responder: Responder, from responders: some Sequence<Responder>) {
    responder.undoStack?.remove { _ in true }
    spare = nil
    guard responder.hasReversals else { return }
    responder.hasReversals = false
    for other in responders { other.undoStack?.remove { $0.taker === responder } }
  }

  /// Drops what the code of an owner would have taken back.
  func removeAll(of owner: Owner, from responders: some Sequence<Responder>) {
    removeDone(by: owner, from: responders)
    current.value.entries.removeAll { $0.reversal.owner === owner }
    noteChange()
  }

  /// Drops what the code of an owner would have taken back that is done; what is being done can be taken back until it ends.
  func removeDone(by owner: Owner, from responders: some Sequence<Responder>) {
    for responder in responders { responder.undoStack?.remove { $0.owner === owner } }
    hasGone = isPerforming
    spare = nil
    noteChange()
  }
}
