/// What was found out about a row, and whether that is good enough.
struct Result {
  let row: Row
  let timing: Timing
  /// Instructions an iteration; nil where valgrind isn't installed.
  let ours: Double?
  let floor: Double?
  /// The floor's own count as committed.
  let committed: Double?

  /// A floor's count may differ this much: a library's build and hash seeds are in it.
  static let tolerance = 0.01

  var countRatio: Double? {
    guard let ours, let floor else { return nil }
    return ours / floor
  }

  /// What the bound is compared with.
  var judged: Double { row.isTight ? countRatio ?? timing.ratio : timing.ratio }
  var holds: Bool { row.bound.map { judged <= $0 } ?? true }

  var floorHasRisen: Bool {
    guard let floor, let committed else { return false }
    return floor > committed * (1 + Result.tolerance)
  }

  var verdict: String {
    if floorHasRisen, let floor, let committed {
      return "the floor rose: \(fixed(committed, 1)) instructions are committed, \(fixed(floor, 1)) counted"
    }
    guard row.bound != nil else { return "stated" }
    return holds ? "ok" : "BROKEN"
  }

  var judgement: String {
    guard let bound = row.bound else { return "" }
    guard row.isTight else { return "≤ \(fixed(bound, 2)) time" }
    return countRatio == nil ? "≤ \(fixed(bound, 2)) time: no valgrind" : "≤ \(fixed(bound, 2)) count"
  }

  private var other: String {
    if case .program = row.opponent { "theirs" } else { "floor" }
  }

  var numbers: [(key: String, value: Double)] {
    var numbers = [
      ("ours", median(timing.ours)), (other, median(timing.floor)), ("ratio", timing.ratio),
      ("spread", timing.spread),
    ]
    if let ours, let floor { numbers += [("oursInstructions", ours), ("floorInstructions", floor)] }
    if let bound = row.bound { numbers.append(("bound", bound)) }
    return numbers.map { (key: $0.0, value: $0.1) }
  }
}
