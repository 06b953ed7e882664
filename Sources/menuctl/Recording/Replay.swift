import LiveHost
import ScriptHost

/// What came of doing again what a recording says.
struct Replay {
  /// What scripts asked for that is not recorded.
  struct Unrecorded {
    let call: String
    let arguments: [JSON]
  }

  /// The first step of which something else came.
  struct Difference {
    let deed: Deed
    /// Which step it is, counted from 1, and where it stands in the file.
    let number: Int
    let place: Place
    let differences: [JSONDifference]
    /// What is not recorded and may be why.
    let unknown: [Unrecorded]
  }

  let steps: Int
  /// How many steps went as they did before.
  var same = 0
  var difference: Difference?
  var isInterrupted = false
  var patience = Patience()
  /// Whether so many steps spent their limits that the others were not done.
  var isImpatient: Bool { patience.isOver && same < steps }

  var status: ExitStatus {
    if isInterrupted { return .interrupted }
    if isImpatient { return .limit }
    return difference == nil ? .done : .no
  }
}
