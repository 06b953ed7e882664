import LiveHost

extension Verb {
  static let serve = Verb(
    name: "serve", operands: [.app], summary: "run an app that stays, for others to ask and drive as @NAME",
    options: [.name, .socket, .watch, .stdio, .noEval] + Option.loading.filter { $0 != .json }
  )

  static let sessions = Verb(
    name: "sessions", operands: [], summary: "list the live apps that run", options: [.json, .color, .help]
  )

  static let stop = Verb(
    name: "stop", operands: [.live], summary: "end a live app: what waits is cancelled and taken back",
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
    name: "--name", value: "NAME", summary: "what others call it, where that isn't to be the app's own name")
  static let socket = Option(name: "--socket", value: "PATH", summary: "listen at this path instead")
  static let stdio = Option(
    name: "--stdio", summary: "speak the protocol on stdin and stdout too, and end with stdin")
  static let noEval = Option(name: "--no-eval", summary: "evaluate no lines of Lua for anybody")
}
