// Drops reversals whose responder or owner was removed.

extension Undo {
  /// Drops the reversals of a removed responder, in all histories, and its own history.
  func remove(_ responder: Responder, from responders: some Sequence<Responder>) {
    responder.undoStack?.remove { _ in true }
    guard responder.hasReversals else { return }
    responder.hasReversals = false
    for other in responders {
      let keeps = other.keepsUndo
      other.undoStack?.remove { $0.taker === responder && !(keeps && $0 is ActionReversal) }
    }
  }

  /// Drops all reversals of an owner.
  func removeAll(of owner: Owner, from responders: some Sequence<Responder>) {
    removeDone(by: owner, from: responders)
    current.value.entries.removeAll { $0.reversal.owner === owner }
    noteChange()
  }

  /// Drops an owner's reversals from all histories. Those in recordings stay until their performs end.
  func removeDone(by owner: Owner, from responders: some Sequence<Responder>) {
    for responder in responders { responder.undoStack?.remove { $0.owner === owner } }
    hasGone = isPerforming
    noteChange()
  }
}
