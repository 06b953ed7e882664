/// What one owner's scripts may still print and log in one go: one call from outside, with whatever it calls in turn.
struct Ration {
  enum Decision {
    case given
    /// There is not so much left. Whether that is so for the first time in this go.
    case refused(first: Bool)
  }

  private var turn: UInt64?
  private var began: Int64 = 0
  private var left = 0
  private var isRefused = false

  /// What goes on after a wait may write as much again when so much time has passed.
  private static let renewal: Int64 = 1_000_000_000

  /// Takes so many bytes. Where one line was too long, a shorter one is too: nothing is missing from the middle.
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
