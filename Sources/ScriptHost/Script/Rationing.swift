import CLua

/// What one owner's scripts may still print and log in one go: one call from outside, with whatever it calls in turn.
struct Ration {
  enum Answer {
    case given
    /// There is not so much left. Whether that is so for the first time in this go.
    case refused(first: Bool)
  }

  private var turn: UInt64?
  private var left = 0
  private var isRefused = false

  /// Takes so many bytes. Where one line was too long, a shorter one is too: nothing is missing from the middle.
  mutating func take(_ bytes: Int, of all: Int, in turn: UInt64) -> Answer {
    if self.turn != turn { (self.turn, left, isRefused) = (turn, all, false) }
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
    switch script.ration.take(line.utf8.count + 1, of: all, in: clua_turns(lua.L)) {
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
