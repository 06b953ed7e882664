import LiveHost
import ScriptHost

extension Verb {
  static let press = Verb(
    name: "press", operands: [.app, Operand(name: "KEY", isRepeated: true, names: [.keys])],
    summary: "press keys one after the other, and show what came of the last",
    options: [.choose, .argument] + Option.loading,
    asksLive: true
  )
}

extension VerbBody {
  static let press = VerbBody(.press) { session in
    let keys: KeySequence
    do throws(Problem) {
      keys = try Session.read(keys: session.invocation.operands.dropFirst().joined(separator: " "))
    } catch {
      throw session.turned(error)
    }
    try session.load()
    try session.chooseRows()
    let done = try session.press(keys, with: try session.given())
    return Reply(answer: .done(done), status: done.status)
  }
}

extension Session {
  /// Parses key strokes of the command line.
  @discardableResult
  static func read(keys: String) throws(Problem) -> KeySequence {
    do {
      return try KeySequence.parse(keys)
    } catch {
      throw Problem(.usage, "'\(keys)': \(error.message)")
    }
  }

  /// Presses keys one after the other, as a person types them. A question is answered before the next key. If a key fails, the rest isn't
  /// pressed, since it was meant for another state. Gives the outcome of the last key, and all changes since the first.
  fileprivate func press(_ keys: KeySequence, with given: Answered) throws(Problem) -> Answer.Done {
    if keys.strokes.count == 1 { return try carryOut(.press(keys.text), with: given) }
    let before = try asking { subject throws(Unanswered) in try subject.menus() }
    var pressed = 0
    var performed: Answer.Performed
    repeat {
      let done = try carryOut(.press(keys.strokes[pressed].text), with: given)
      guard case .performed(let one) = done else { return done }
      performed = one
      pressed += 1
    } while pressed < keys.strokes.count && [.handled, .pending].contains(performed.outcome.status)
    let now = try asking { subject throws(Unanswered) in try subject.menus() }
    return .performed(
      Answer.Performed(
        name: keys.strokes[..<pressed].map(\.text).joined(separator: " "), outcome: performed.outcome,
        result: performed.result, changes: Answer.Changes(from: before, to: now), undo: performed.undo,
        trace: performed.trace))
  }
}
