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
    (sign: "✓ ✗", meaning: "it is enabled, or disabled with the reason behind it"),
    (sign: "• –", meaning: "it is on, or partly"),
    (sign: "choose + 1", meaning: "the item performs 'choose' with one argument more than is shown, from its 'args'"),
    (sign: "#Edit/Undo", meaning: "its id, if it differs from the titles: menuctl pick APP Edit/Undo"),
    (sign: "(alt: …)", meaning: "the item that alt shows instead"),
  ]
  fileprivate static let legendOfChain = [(sign: "▸", meaning: "the responder with the focus, which comes first")]
}

extension Session {
  /// Returns true if a pick or a choice failed because the item doesn't exist.
  private func isUnknown(_ deed: Deed, _ done: Answer.Done) throws(Problem) -> Bool {
    let id: String
    switch deed {
    case .pick(let item, _): id = item
    case .choose(let row): id = row
    default: return false
    }
    guard done.status == .raised else { return false }
    return (try? subject.element(id)) == nil
  }

  /// Performs the deeds in their order. Returns their outcomes with the app after them.
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

extension Verb {
  static let repl: Verb = Verb(
    name: "repl", operands: [Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "explore an app: lines of Lua, and commands that begin with ':'",
    options: [.strict] + Option.loading.filter { $0 != .json }, asksLive: true
  )
}

extension VerbBody {
  static let repl = VerbBody(.repl) { session in
    if session.invocation.operands.first == "-" {
      throw Problem(.usage, "stdin can't be both the script and the lines", help: "usage: \(Verb.repl.usage)")
    }
    if session.invocation.operands.isEmpty { try session.loadNothing() } else { try session.load() }
    return Reply(status: Repl(session).run())
  }
}

extension Verb {
  static let serve = Verb(
    name: "serve", operands: [.app], summary: "run an app as a live session that other commands reach as @NAME",
    options: [.name, .socket, .watch, .stdio, .noEval] + Option.loading.filter { $0 != .json }
  )

  static let sessions = Verb(
    name: "sessions", operands: [], summary: "list the live apps that run", options: [.json, .color, .help]
  )

  static let apps = Verb(
    name: "apps", operands: [], summary: "list the installed apps, which every verb takes by name",
    options: [.json, .color, .help]
  )

  static let stop = Verb(
    name: "stop", operands: [.live], summary: "end a live app: cancel waiting actions and undo what they did",
    options: [.json, .color, .help]
  )
}

extension VerbBody {
  static let serve = VerbBody(.serve) { session in
    try Serving(session).run()
  }

  static let sessions = VerbBody(.sessions) { _ in
    do throws(LiveError) { return Reply(answer: .sessions(try LiveSession.all())) } catch {
      throw Problem(.no, error.message)
    }
  }

  static let apps = VerbBody(.apps) { _ in Reply(answer: .apps(InstalledApp.all)) }

  static let stop = VerbBody(.stop) { session in
    let name = session.invocation.operands[0]
    let client = try Session.connect(to: name, as: "stop")
    do throws(Unanswered) {
      _ = try client.request("stop", within: Session.patience)
      while true { try client.hear(within: Session.patience) }
    } catch {
      guard error.isGone else { throw Session.problem(error, of: name, process: client.process) }
    }
    return Reply(answer: .text("stopped \(name.visible)"))
  }
}

extension Option {
  static let name = Option(
    name: "--name", value: "NAME", summary: "the session's name; by default the app's name")
  static let socket = Option(name: "--socket", value: "PATH", summary: "listen at this path instead")
  static let stdio = Option(
    name: "--stdio",
    summary: "speak the protocol on stdin and stdout, and end with stdin; others join only with --name")
  static let noEval = Option(name: "--no-eval", summary: "refuse requests that run lines of Lua")
}
