import ScriptHost

extension Verb {
  static let load = Verb(
    name: "load", operands: [.app], summary: "run the script and show the app",
    options: [.perform, .press, .pick, .focus, .eval, .watch] + Option.loading
  ) { session in
    let deeds = try session.deeds()
    if session.invocation.has(.watch) {
      return try session.watch { session.output.answer(try session.carryOut(deeds).answer) }
    }
    try session.load()
    let (answer, status) = try session.carryOut(deeds)
    return Reply(answer: answer, status: status)
  }
}

extension Session {
  /// Does what the options say, in their order, and tells of it and of the app as it is then.
  fileprivate func carryOut(_ deeds: [Deed]) throws -> (answer: Answer, status: ExitStatus) {
    var status = ExitStatus.done
    var outcomes: [Answer.Done] = []
    for deed in deeds {
      let done = try carryOut(deed)
      // The app that is shown tells who has the focus.
      if case .focused = done { continue }
      status = max(status, done.status)
      outcomes.append(done)
    }
    return (.app(summary(outcomes)), status)
  }

  fileprivate func summary(_ outcomes: [Answer.Done]) -> Answer.App {
    let menus = host.menus().children
    // What is asked from here on is not what the script did.
    let diagnostics = host.diagnostics
    let chain = host.chainNames.compactMap(host.find)
    let others = host.responders.filter { responder in !chain.contains { $0 === responder } }
    // Where there are menus they show what can be done.
    let node = menus.isEmpty ? self.asked : self.node
    return Answer.App(
      title: host.title, source: source?.name ?? "", focus: host.focused.name, outcomes: outcomes,
      chain: chain.map(node), others: others.map(node), menus: menus,
      diagnostics: diagnostics)
  }

  /// A responder with its actions; each is asked as it would be from the focus.
  private func asked(_ responder: Responder) -> Answer.Node {
    var node = node(responder)
    node.actions = host.actions(of: responder).map { action in
      let validation = quietly { host.validate(action) }
      return Answer.Action(name: action, validation: validation)
    }
    return node
  }

  private func node(_ responder: Responder) -> Answer.Node {
    Answer.Node(
      name: responder.name, owner: responder.owner.name, kind: responder.kind,
      isKey: host.keyWindow === responder, isMain: host.mainWindow === responder)
  }
}
