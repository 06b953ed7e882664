// Finds responders that answer named actions but are never asked.

extension Check {
  /// Responders outside of the chain that answer what items and keys perform, if nobody in the chain does and nothing can bring them into it.
  func unreached() -> [Diagnostic] {
    // A script that moves the focus later may move it to them, and so may the embedding program at any time.
    guard !words.focusesLater, host.responders.allSatisfy({ $0.kind == .app || $0.owner !== host.program }),
      !behaviours.contains(where: { if case .asked? = $0.redirect { true } else { false } })
    else { return [] }
    let chained = Set(dispatcher.defaultWalk().nodes.map(ObjectIdentifier.init))
    let targets = behaviours.compactMap { if case .to(let name)? = $0.redirect { name } else { nil } }
    let outside = host.responders.filter { one in
      !chained.contains(ObjectIdentifier(one)) && !targets.contains { $0.hasSameBytes(as: one.name) }
    }
    if outside.isEmpty { return [] }
    let lost = unansweredInChain(chained).compactMap { name in host.names.name(of: name).map { (name, $0) } }
    // The search is bounded, since scripts can declare thousands of responders, of behaviours in their stacks, and of items.
    var steps = 1 << 22
    return outside.compactMap { responder in
      steps -= lost.count * (1 + responder.stack.count)
      if steps < 0 { return nil }
      let answers = lost.filter { responder.entry(.on, $0.1) != nil }.map(\.0)
      guard let first = answers.first else { return nil }
      let more = answers.count > 1 ? " and \(answers.count - 1) more that items or keys name" : ""
      return Diagnostic(
        .warning, "out-of-chain", "'\(responder.name)' answers '\(first)'\(more), but isn't in the chain",
        place: place(of: responder.name, at: responder.place, lines: 1), help: wayIn(for: responder))
    }
  }

  /// The names of actions that items and keys perform along the present chain and that nobody in it takes, in the order of their uses.
  private func unansweredInChain(_ chained: Set<ObjectIdentifier>) -> [String] {
    let walk = dispatcher.defaultWalk()
    var met: Set<String> = []
    return uses.filter { $0.holder.map { chained.contains(ObjectIdentifier($0)) } ?? true }.flatMap { use in
      guard met.insert(use.reference.id).inserted else { return [String]() }
      let resolution = Resolution(
        use.reference, raw: use.reference.id, on: walk, dispatcher: dispatcher, isKept: false)
      return resolution.candidate(0, witness: nil) == nil ? use.reference.candidates.map(\.name) : []
    }
  }

  /// Help: what to type so that a responder gets into the chain.
  private func wayIn(for responder: Responder) -> String {
    let focused = host.focused
    var behind = responder.next
    while let known = behind, known !== focused { behind = known.next }
    // If the focus already follows this responder, it can't be put behind the focus.
    if focused.kind == .app || behind != nil { return "focus(\(responder.spelt)) puts it there" }
    return "\(focused.spelt).next = \(responder.spelt) puts it behind '\(focused.name)', which has the focus"
  }
}

extension Check {
  /// How a script declares a function for an action in a table: with a colon, if the action's name is a Lua identifier.
  static func declaration(_ table: String, _ action: String, of parameter: String = "ctx") -> String {
    action.isLuaWord
      ? "function \(table):\(action)(\(parameter))" : "\(table)[\"\(action)\"] = function(self, \(parameter))"
  }
}

extension Check.RegisteredHandler {
  /// How a script most likely refers to the class or responder that has it.
  var spelt: String { registered.behaviour.className ?? registered.by?.spelt ?? "" }

  /// How a script declares it in a table, with the responder as `self` and the context as the parameter.
  func declaration(in table: String, of parameter: String) -> String {
    Check.declaration("\(spelt).\(table)", registered.action, of: parameter)
  }
}

extension Responder {
  /// How a script most likely refers to it.
  var spelt: String {
    let isName = name.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x5F }
    return isName ? name : "app:find(\"\(name)\")"
  }
}
