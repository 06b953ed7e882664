/// Remembers the undo steps of the assistant's deeds, so that it takes back nothing of anybody else.
///
/// The host numbers each change of a step. A step that somebody else's deed has joined has another number than before.
struct OwnUndo {
  /// The numbers of the steps, newest last.
  private var steps: [Int] = []

  /// Notes the step of a deed of the assistant.
  ///
  /// - Parameter joined: the number that the step had before, if the deed was merged with it.
  mutating func did(_ step: Int, joined: Int?) {
    if let joined {
      // The rest of a step of somebody else isn't the assistant's.
      guard steps.last == joined else { return }
      steps.removeLast()
    }
    steps.append(step)
  }

  /// Forgets all deeds, because another client has done or undone a deed that undo takes back.
  mutating func lost() { steps.removeAll() }

  /// Returns true if a step is the assistant's last one.
  func isOwn(_ step: Int) -> Bool { steps.last == step }

  /// Notes that the last deed was taken back.
  mutating func undid() { if !steps.isEmpty { steps.removeLast() } }
}
