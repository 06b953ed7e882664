// Finds functions whose parameters aren't what they are called with, and answers that don't mean what they seem to.

extension Check {
  /// Handlers and hooks whose first parameter has the name of the second: the responder comes first.
  func selfless() -> [Diagnostic] {
    typealias Handlers = (Behaviour) -> [Name: HandlerEntry]
    let tables: [(String, Handlers)] = [
      ("on", { $0.on }), ("can", { $0.can }), ("look", { $0.look }), ("confirm", { $0.confirm }),
      ("build", { $0.build }),
    ]
    var found: [Diagnostic] = []
    for (table, handlers) in tables {
      for one in registered(handlers) {
        found += selfless(
          one.handler, one.what(table), table == "build" ? ["m"] : []
        ) { one.declaration(in: table, of: $0) }
      }
    }
    for behaviour in behaviours where behaviour.owner !== host.program {
      for (name, hook, action) in behaviour.hooks {
        let spelt = behaviour.className ?? holder(of: behaviour)?.spelt ?? ""
        found += selfless(hook, "'\(name)' of \(described(behaviour))", action ? ["action"] : []) {
          "function \(spelt):\(name)(\($0))"
        }
      }
    }
    return found
  }

  private func described(_ behaviour: Behaviour) -> String {
    behaviour.className.map { "class '\($0)'" } ?? "'\(holder(of: behaviour)?.name ?? "")'"
  }

  /// A warning about one function, if its first parameter has such a name; `what` and `help` are made only then.
  private func selfless(
    _ handler: Handler, _ what: @autoclosure () -> String, _ others: [String], help: (String) -> String
  ) -> [Diagnostic] {
    guard let first = handler.parameters.first, (["ctx", "context", "event", "args"] + others).contains(first) else {
      return []
    }
    return [
      Diagnostic(
        .warning, "missing-self", "\(what()) calls its first parameter '\(first)', and that is the responder",
        place: place(of: first, at: handler.place, lines: 1),
        help: withColon(help(first), first))
    ]
  }

  /// A declaration with a colon, and how to write the same without.
  private func withColon(_ declaration: String, _ parameter: String) -> String {
    declaration.hasPrefix("function ")
      ? "\(declaration) with a colon, or function(self, \(parameter))" : declaration
  }

  /// Handlers whose second parameter is named like an argument: they are called with the responder and the context.
  func overloaded() -> [Diagnostic] {
    [("on", \Behaviour.on), ("can", \.can)].flatMap { table, path in
      registered { $0[keyPath: path] }.compactMap { one in
        guard let argument = misplacedArgument(one) else { return nil }
        return Diagnostic(
          .warning, "argument-parameter",
          "\(one.what(table)) has a parameter '\(argument)', as if it were given arguments",
          place: place(of: argument, at: one.handler.place, lines: 1),
          help: "arguments are in the context: \(one.declaration(in: table, of: "ctx")) … ctx.\(argument)")
      }
    }
  }

  /// The name of the second parameter, which gets the context, if it is the name of an argument of the action.
  private func misplacedArgument(_ one: RegisteredHandler) -> String? {
    guard let second = one.handler.parameters.dropFirst().first else { return nil }
    if ["ctx", "context"].contains(second) { return nil }
    let taken = host.names.name(of: one.action).map { name in
      behaviours.contains { $0.takes[name]?.content.arguments.contains { $0.key == second } ?? false }
    }
    let isGiven = uses.contains { use in
      use.arguments.contains(second) && use.reference.candidates.contains { $0.name == one.action }
    }
    return taken == true || isGiven ? second : nil
  }

  /// `can`s that answer a text alone: whatever it says, it is a yes.
  func textsOfCan() -> [Diagnostic] {
    registered { $0.can }.compactMap { one in
      guard let text = one.handler.answeredText else { return nil }
      let start = one.handler.place
      let found = start.flatMap { place(of: text, at: $0, lines: one.handler.lineCount) }
      let shown = text.prefix(60)
      return Diagnostic(
        .warning, "text-as-yes", "\(one.what("can")) answers a text alone, and that is a yes", place: found ?? start,
        help: "return false, \"\(shown)\(shown.endIndex == text.endIndex ? "" : "…")\"")
    }
  }

  /// `provide` functions that return a table, which is ignored.
  func tablesOfProvide() -> [Diagnostic] {
    behaviours.compactMap { behaviour in
      guard behaviour.owner !== host.program, let provide = behaviour.provide, provide.answersTable else { return nil }
      return Diagnostic(
        .warning, "returned-context", "'provide' of \(described(behaviour)) returns a table, which nobody looks at",
        place: provide.place, help: "write into the context that it is given: ctx.key = value")
    }
  }

  /// Sections whose `items` gives no list: where that is certain, or all of them.
  func listlessSections(onlyCertain: Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    // The rows that a panel has now say little about those that it will have.
    Check.forEachNode(of: host, withPanel: onlyCertain) { node in
      guard let (at, isCertain) = node.element.section?.source.listless, isCertain || !onlyCertain else { return }
      let sentence = isCertain ? "never returns anything" : "answers nil now"
      found.append(
        Diagnostic(
          .warning, "no-list", "'items' of \(node.element.described) \(sentence)",
          place: place(of: "items", at: at, lines: 1),
          help: isCertain
            ? "return the list whose values become rows" : "return {} where there is nothing to show"))
    }
    return found
  }
}

extension Behaviour {
  /// The hooks that are functions with a second parameter, and whether that is an action's name.
  fileprivate var hooks: [(name: String, handler: Handler, isOfAction: Bool)] {
    var hooks: [(String, Handler?, Bool)] = [
      ("provide", provide, false), ("unknown", unknown, false), ("failed", failed, false), ("resolve", resolve, true),
    ]
    if case .asked(let hook)? = redirect { hooks.append(("redirect", hook, true)) }
    if case .asked(let hook)? = claims { hooks.append(("claims", hook, true)) }
    return hooks.compactMap { name, handler, isOfAction in handler.map { (name, $0, isOfAction) } }
  }
}
