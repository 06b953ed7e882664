// What has to wait until scripts can be run again. Whenever an allowance ends, or an action that may have had one, it is caught up with.

/// What is *due* could not be done when there was a reason to, because nothing of a script's could be run then.
enum Due {
  /// An action failed: what it registered is taken back.
  case takingBack(ContiguousArray<Recording.Entry>, of: String)
}

extension Dispatcher {
  /// Catches up with what is due, as soon as scripts can be run and nothing else is amid a question, a load or something that is reversed.
  func catchUp() {
    guard !due.isEmpty, !isCatchingUp else { return }
    isCatchingUp = true
    defer { isCatchingUp = false }
    while !due.isEmpty, mayCatchUp {
      switch due.removeFirst() {
      case .takingBack(let entries, let action):
        // It is a part of the action, which others find being performed.
        guard beginAction(action) else { return due.insert(.takingBack(entries, of: action), at: 0) }
        takeBack(entries)
        endAction()
      }
    }
  }

  private var mayCatchUp: Bool {
    !isAsking && !isLoading && !undo.isReversing && !(engine?.isSpent ?? false)
  }
}
