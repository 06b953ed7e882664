/// One thing done by us, and the same done by what it is compared with.
struct Row {
  /// What the second side is.
  enum Opponent {
    /// Bare C, whose own count of instructions is committed.
    case floor
    /// Another way of ours, by its name.
    case ours(String)
  }

  var name: String
  /// What the ratio may be at most; nil where it is only stated.
  var bound: Double?
  var opponent = Opponent.floor
  /// How often it is done in a round: one to three milliseconds long.
  var iterations: Int
  /// What so many iterations answer, on both sides.
  var answer: (Int) -> Int
  /// Makes both sides afresh: each round has interpreters of its own, because their hash seeds differ and so does their speed.
  var make: () throws -> Sides

  /// A bound so tight that time is too noisy to judge it.
  var isTight: Bool { bound.map { $0 < 1.2 } ?? false }
}

/// Does its work so many times and answers a sum of the results.
typealias Body = (Int) throws -> Int

struct Sides {
  var ours: Body
  var floor: Body

  subscript(side: Side) -> Body { side == .ours ? ours : floor }
}

enum Side: String {
  case ours, floor
}
