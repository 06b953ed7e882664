import ScriptHost

extension Verb {
  static let press = Verb(
    name: "press", operands: [.app, Operand(name: "KEY", isRepeated: true, names: [.keys])],
    summary: "press keys one after the other, and show what came of the last", options: [.argument] + Option.loading,
    asksLive: true
  )
}

extension VerbBody {
  static let press = VerbBody(.press) { session in
    let keys = session.invocation.operands.dropFirst().joined(separator: " ")
    try Session.check(keys: keys)
    try session.load()
    let done = try session.carryOut(.press(keys), with: try session.given())
    return Reply(answer: .done(done), status: done.status)
  }
}

extension Session {
  /// Strokes that can be read.
  static func check(keys: String) throws(Problem) {
    do {
      _ = try KeySequence.parse(keys)
    } catch {
      throw Problem(.usage, "'\(keys)': \(error.message)")
    }
  }
}
