import LiveHost
import ScriptHost

/// The result of replaying a recording.
struct Replay {
  /// A call of a script that has no recorded answer.
  struct Unrecorded {
    let call: String
    let arguments: [JSON]
  }

  /// The first step whose effect was another than recorded.
  struct Difference {
    let deed: Deed
    /// The step's number, counted from 1; `place` is its line in the file.
    let number: Int
    let place: Place
    let differences: [JSONDifference]
    /// The unrecorded calls, which may be the reason.
    let unknown: [Unrecorded]
  }

  let steps: Int
  /// The number of steps with the same effect as recorded.
  var same = 0
  var difference: Difference?
  var isInterrupted = false
  var patience = Patience()
  /// Whether the rest was not replayed, because too many steps spent their limits.
  var isImpatient: Bool { patience.isOver && same < steps }

  var status: ExitStatus {
    if isInterrupted { return .interrupted }
    if isImpatient { return .limit }
    return difference == nil ? .done : .no
  }
}
