import LiveHost
import ScriptHost

extension Verb {
  static let load = Verb(
    name: "load", operands: [.app], summary: "run the script and show the app", legend: legendOfMenus + legendOfChain,
    options: [.perform, .press, .pick, .choose, .focus, .eval, .watch] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let load = VerbBody(.load) { session in
    let deeds = try session.deeds()
    if session.invocation.has(.watch) {
      return try session.watch { session.output.answer(try session.carryOut(deeds).answer) }
    }
    try session.load()
    let (answer, status) = try session.carryOut(deeds)
    return Reply(answer: answer, status: status)
  }
}

extension Verb {
  /// The signs in a menu, for the help.
  static let legendOfMenus = [
    (sign: "✓ ✗", meaning: "it can be done now, or it can't: why not stands behind it"),
    (sign: "• –", meaning: "it is on, or partly"),
    (sign: "choose + 1", meaning: "the item performs 'choose' with one argument more than is shown, from its 'args'"),
    (sign: "#Edit/Undo", meaning: "its id, where the titles don't tell it: menuctl pick APP Edit/Undo"),
    (sign: "(alt: …)", meaning: "what stands there instead while alt is held"),
  ]
  fileprivate static let legendOfChain = [(sign: "▸", meaning: "the responder that has the focus, who is asked first")]
}

extension Session {
  /// Whether a pick or a choice failed because there is no such item.
  private func isUnknown(_ deed: Deed, _ done: Answer.Done) throws(Problem) -> Bool {
    let id: String
    switch deed {
    case .pick(let item, _): id = item
    case .choose(let row): id = row
    default: return false
    }
    guard done.status == .raised else { return false }
    return try asking { subject throws(Unanswered) in try subject.menus() }.find(id) == nil
  }

  /// Carries out the deeds in their order; gives their outcomes together with the app as it is then.
  fileprivate func carryOut(_ deeds: [Deed]) throws -> (answer: Shown, status: ExitStatus) {
    var status = ExitStatus.done
    var outcomes: [Answer.Done] = []
    var patience = Patience()
    for deed in deeds {
      if patience.isOver { break }
      let before = spent
      let done = try carryOut(deed)
      patience.take(spent: done.status == .limit || spent > before)
      if done.status == .interrupted {
        (status, outcomes) = (.interrupted, outcomes + [done])
        break
      }
      // The focus is a part of the app that is shown.
      if case .focused = done { continue }
      status = max(status, try isUnknown(deed, done) ? .usage : done.status)
      outcomes.append(done)
    }
    if patience.isOver { tellOfPatience() }
    var app = try asking { subject throws(Unanswered) in try subject.app() }
    for diagnostic in app.diagnostics { output.show(diagnostic) }
    app.outcomes = outcomes
    return (.app(app), status)
  }
}
