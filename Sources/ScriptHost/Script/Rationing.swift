import CLua

/// What one owner's scripts may still print and log in one go: one call from outside, with whatever it calls in turn.
struct Ration {
  enum Answer {
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
    -> Answer
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

extension ScriptEngine {
  /// Writes a line of an owner's scripts, if they may write so much; else says once that it is left out.
  func ration(_ line: String, of script: ScriptOwner, write: () -> Void) {
    let all = host.limits.output
    let dispatcher = dispatcher
    switch script.ration.take(
      line.utf8.count + 1, of: all, in: clua_turns(lua.L), goesOn: dispatcher.state.value.resumed != nil,
      at: dispatcher.scheduler.now)
    {
    case .given: write()
    case .refused(first: false): break
    case .refused(first: true):
      let name = script.owner.name
      report(
        Diagnostic(
          .warning, "output",
          "'\(name)' wrote \(all) bytes in one go: what it prints and logs from there on is left out until it is called again",
          place: place(lua.place(level: 1, on: lua.L))))
    }
  }
}
