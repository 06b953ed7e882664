import ScriptHost

extension Verb {
  static let load = Verb(
    name: "load", operands: [.app], summary: "run the script and show the app",
    options: [.perform, .press, .pick, .focus, .eval, .yes] + Option.loading
  ) { session in
    for reference in session.invocation.values(.perform) { try Session.check(reference) }
    for keys in session.invocation.values(.press) { try Session.check(keys: keys) }
    for line in session.invocation.values(.eval) { try session.check(line: line) }
    try session.load()
    var status = ExitStatus.done
    var outcomes: [Answer.Done] = []
    for (option, value) in session.invocation.options {
      let performed: Answer.Performed
      switch option {
      case .perform: performed = session.doing(value) { session.host.perform(value) }
      case .pick: performed = session.doing(value) { session.host.pick(value) }
      case .press: performed = session.doing(value) { session.host.press(value) }
      case .focus:
        try session.focus(value)
        continue
      case .eval:
        let evaluated = session.evaluating(value)
        status = max(status, evaluated.failure.map(ExitStatus.init) ?? .done)
        outcomes.append(.evaluated(evaluated))
        continue
      default: continue
      }
      status = max(status, ExitStatus(performed.outcome))
      outcomes.append(.performed(performed))
    }
    return Reply(answer: .app(session.summary(outcomes)), status: status)
  }
}

extension Session {
  fileprivate func focus(_ name: String) throws {
    let responder = try responder(name)
    do {
      _ = try host.focus(responder)
    } catch {
      throw Problem(.no, error.message)
    }
  }

  fileprivate func summary(_ outcomes: [Answer.Done]) -> Answer.App {
    let menus = host.menus().children
    // What is asked from here on is not what the script did.
    let diagnostics = host.diagnostics
    let chain = host.chainNames.compactMap(host.find)
    let others = host.responders.filter { responder in !chain.contains { $0 === responder } }
    return Answer.App(
      title: host.title, source: source?.name ?? "", focus: host.focused.name, outcomes: outcomes,
      chain: chain.map(node), others: others.map(node), menus: menus,
      diagnostics: diagnostics)
  }

  /// A responder with its actions; each is asked as it would be from the focus.
  private func node(_ responder: Responder) -> Answer.Node {
    let actions = host.actions(of: responder).map { action in
      let validation = quietly { host.validate(action) }
      return Answer.Action(name: action, validation: validation)
    }
    return Answer.Node(
      name: responder.name, owner: responder.owner.name, kind: responder.kind,
      isKey: host.keyWindow === responder, isMain: host.mainWindow === responder, actions: actions)
  }
}
