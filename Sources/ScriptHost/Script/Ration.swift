/// How much an owner's scripts may still print and log in one call from outside, with everything that this calls.
struct Ration {
  enum Decision {
    case given
    /// Not that much is left; `first` tells whether this is the first refusal in the call.
    case refused(first: Bool)
  }

  private var turn: UInt64?
  private var began: Int64 = 0
  private var left = 0
  private var isRefused = false

  /// A job that goes on after a wait may write as much again when this time has passed.
  private static let renewal: Int64 = 1_000_000_000

  /// Takes bytes from what is left. After a line that was too long, shorter ones are refused too, so that nothing is
  /// missing from the middle.
  mutating func take(_ bytes: Int, of all: Int, in turn: UInt64, goesOn: Bool, at now: @autoclosure () -> Int64)
    -> Decision
  {
    if self.turn != turn, !goesOn || self.turn == nil || now() - began >= Self.renewal {
      (began, left, isRefused) = (now(), all, false)
    }
    self.turn = turn
    guard !isRefused, bytes <= left else {
      defer { isRefused = true }
      return .refused(first: !isRefused)
    }
    left -= bytes
    return .given
  }
}
