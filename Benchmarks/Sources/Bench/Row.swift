/// One thing done by us, and the same done by what it is compared with.
struct Row {
  /// What the second side is.
  enum Opponent {
    /// Bare C, whose own count of instructions is committed.
    case floor
    /// Another way of ours, by its name.
    case ours(String)
    /// Another program, by its name.
    case program(String)
  }

  static let usualRounds = 31

  var name: String
  /// What the ratio may be at most; nil where it is only stated.
  var bound: Double?
  var opponent = Opponent.floor
  var rounds = Row.usualRounds
  /// How often it is done in a round: a few milliseconds long.
  var iterations: Int
  /// Interpreters that a count is spread over, where they are so large that making as many as usual takes long.
  var interpreters: Int?
  /// What so many iterations answer, on both sides.
  var answer: (Int) -> Int
  /// What isn't installed; then the row is skipped.
  var missing: () -> String? = { nil }
  /// Makes both sides afresh: each round has interpreters of its own, because their hash seeds differ and so does their speed.
  var make: () throws -> Sides

  /// A bound so tight that time is too noisy to judge it.
  var isTight: Bool { isCounted && bound.map { $0 < 1.2 } ?? false }

  /// Whether callgrind can count it: not what other programs do.
  var isCounted: Bool {
    if case .program = opponent { false } else { true }
  }
}

/// Does its work so many times and answers a sum of the results.
typealias Body = (Int) throws -> Int

/// Nanoseconds that have passed for one side.
typealias Clock = () -> Int

struct Sides {
  var ours: Body
  var floor: Body
  var clocks: (ours: Clock, floor: Clock) = (threadTime, threadTime)

  subscript(side: Side) -> Body { side == .ours ? ours : floor }
  func clock(_ side: Side) -> Clock { side == .ours ? clocks.ours : clocks.floor }
}

enum Side: String {
  case ours, floor
}
