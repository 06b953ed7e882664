import LiveHost
import ScriptHost

/// What came of doing again what a recording says.
struct Replay {
  /// The first step of which something else came.
  struct Difference {
    let deed: Deed
    /// Which step it is, counted from 1, and where it stands in the file.
    let number: Int
    let place: Place
    let differences: [JSONDifference]
  }

  let steps: Int
  /// How many steps went as they did before.
  private(set) var same = 0
  private(set) var difference: Difference?
  private(set) var isInterrupted = false

  /// Does the steps until something else comes of one.
  init(_ recording: Recording, on session: Session, file: String) {
    steps = recording.steps.count
    for step in recording.steps {
      let (effect, status) = session.carryingOut(step, named: "step \(same + 1)")
      if status == .interrupted {
        isInterrupted = true
        return
      }
      let differences = JSONDifference.all(step.effect, effect)
      if !differences.isEmpty {
        difference = Difference(
          deed: step.deed, number: same + 1, place: Place(file: file, line: step.line), differences: differences)
        return
      }
      same += 1
    }
  }

  var status: ExitStatus { isInterrupted ? .interrupted : difference == nil ? .done : .no }
}

extension Session {
  /// Does what a step says, with the answers that were given then; what comes of it, and what that means for the shell.
  fileprivate func carryingOut(_ step: Recording.Step, named name: String) -> (effect: JSON, status: ExitStatus) {
    asksPerson = { _, _, _ in .nobody }
    do {
      let deed = if case .evaluate(let line, _) = step.deed { Deed.evaluate(line, name: name) } else { step.deed }
      let done = try carryOut(deed, answering: step.answered)
      return (RecordingText.effect(done), done.status)
    } catch {
      return (.object([("problem", .text(error.sentence))]), error.status)
    }
  }
}
