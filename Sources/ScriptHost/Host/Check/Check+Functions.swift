// Finds functions with the wrong parameters, and results that mean something else than they seem to.

extension Check {
  /// Finds handlers and hooks whose first parameter has the name of the second: the responder comes first.
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
    return found + selflessArguments()
  }

  /// Finds the same in the functions of declared arguments.
  private func selflessArguments() -> [Diagnostic] {
    behaviours.filter { $0.owner !== host.program }.flatMap { behaviour in
      behaviour.takes.flatMap { name, takes in
        takes.content.arguments.flatMap { argument in
          let functions = [
            ("one_of", argument.choosing), ("suggest", argument.suggesting), ("default", argument.presetting),
            ("proposal", argument.proposing),
          ]
          func what(_ field: String) -> String { "'\(field)' of takes.\(host.names.text(of: name)).\(argument.key)" }
          return functions.flatMap { field, function in
            function.map { selfless($0, what(field), []) { "\(field) = function(self, \($0)) … end" } } ?? []
          } + surplusSelf(argument.applying, what("when"))
        }
      }
    }
  }

  /// Warns of an argument's `when` whose first parameter is called `self`: it gets the context alone.
  private func surplusSelf(_ handler: Handler?, _ what: String) -> [Diagnostic] {
    guard let handler, handler.parameters.first == "self" else { return [] }
    return [
      Diagnostic(
        .warning, "surplus-self", "\(what) names its first parameter 'self', but that is the context",
        place: place(of: "self", at: handler.place, lines: 1), help: "when = function(ctx) … end")
    ]
  }

  private func described(_ behaviour: Behaviour) -> String {
    behaviour.className.map { "class '\($0)'" } ?? "'\(holder(of: behaviour)?.name ?? "")'"
  }

  /// Returns a warning about a function if its first parameter has a wrong name. `what` and `help` are evaluated only
  /// then.
  private func selfless(
    _ handler: Handler, _ what: @autoclosure () -> String, _ others: [String], help: (String) -> String
  ) -> [Diagnostic] {
    guard let first = handler.parameters.first, (["ctx", "context", "event", "args"] + others).contains(first) else {
      return []
    }
    return [
      Diagnostic(
        .warning, "missing-self", "\(what()) names its first parameter '\(first)', but that is the responder",
        place: place(of: first, at: handler.place, lines: 1),
        help: withColon(help(first), first))
    ]
  }

  /// Returns a declaration with a colon, and the same without.
  private func withColon(_ declaration: String, _ parameter: String) -> String {
    declaration.hasPrefix("function ")
      ? "\(declaration) with a colon, or function(self, \(parameter))" : declaration
  }

  /// Finds handlers whose second parameter is named like an argument: the host passes the responder and the context.
  func overloaded() -> [Diagnostic] {
    [("on", \Behaviour.on), ("can", \.can)].flatMap { table, path in
      registered { $0[keyPath: path] }.compactMap { one in
        guard let argument = misplacedArgument(one) else { return nil }
        return Diagnostic(
          .warning, "argument-parameter",
          "\(one.what(table)) has a parameter '\(argument)', but arguments are in the context",
          place: place(of: argument, at: one.handler.place, lines: 1),
          help: "read it from the context: \(one.declaration(in: table, of: "ctx")) … ctx.\(argument)")
      }
    }
  }

  /// Returns the name of the second parameter, which gets the context, if the action has an argument of this name.
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

  /// Finds `can` functions that only return a text: any text means yes.
  func textsOfCan() -> [Diagnostic] {
    registered { $0.can }.compactMap { one in
      guard let text = one.handler.answeredText else { return nil }
      return Diagnostic(
        .warning, "text-as-yes", "\(one.what("can")) returns a text alone, which means yes",
        place: place(of: text, in: one), help: "return false, \(quoted(text))")
    }
  }

  /// Finds handlers that return `false` and a text, as a `can` does: any result means that the action is done.
  func denialsOfOn() -> [Diagnostic] {
    registered { $0.on }.compactMap { one in
      guard let text = one.handler.answeredDenial else { return nil }
      return Diagnostic(
        .warning, "no-as-done", "\(one.what("on")) returns a reason, but the action then counts as done",
        place: place(of: text, in: one), help: "ctx:refuse(\(quoted(text)))")
    }
  }

  private func place(of text: String, in one: RegisteredHandler) -> Place? {
    let start = one.handler.place
    return start.flatMap { place(of: text, at: $0, lines: one.handler.lineCount) } ?? start
  }

  private func quoted(_ text: String) -> String {
    let shown = text.prefix(60)
    return "\"\(shown)\(shown.endIndex == text.endIndex ? "" : "…")\""
  }

  /// Finds `provide` functions that return a table, which the host ignores.
  func tablesOfProvide() -> [Diagnostic] {
    behaviours.compactMap { behaviour in
      guard behaviour.owner !== host.program, let provide = behaviour.provide, provide.answersTable else { return nil }
      return Diagnostic(
        .warning, "returned-context", "'provide' of \(described(behaviour)) returns a table, but the host ignores it",
        place: provide.place, help: "write into the context instead: ctx.key = value")
    }
  }

  /// Finds sections whose `items` returns no list: all of them, or only those where this is certain.
  func listlessSections(onlyCertain: Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    // The present rows of a panel tell little about its later rows.
    Check.forEachNode(of: host, withPanel: onlyCertain) { node in
      guard let (at, isCertain) = node.element.section?.source.listless, isCertain || !onlyCertain else { return }
      let sentence = isCertain ? "never returns anything" : "returns nil now"
      found.append(
        Diagnostic(
          .warning, "no-list", "'items' of \(node.element.described) \(sentence)",
          place: place(of: "items", at: at, lines: 1),
          help: isCertain
            ? "return the list whose values become rows" : "return {} when there is nothing to show"))
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

// Finds context keys that code reads and nobody supplies, and supplied keys that nobody can read.

extension Check {
  /// Finds keys that code reads, and that no provider, argument or assignment in any script could supply.
  func unsupplied() -> [Diagnostic] {
    let providers = behaviours.compactMap(\.provide) + host.responders.compactMap(\.supplier)
    // The keys that a closure of the program supplies aren't known.
    let hasClosures = providers.contains { $0.owner === host.program && !($0 is PaneSupplier) }
    if hasClosures || words.computesPerformed { return [] }
    let supplied = supplied(by: providers)
    let taken = behaviours.flatMap { $0.takes.values.flatMap(\.content.arguments).map(\.key) }
    let known = providers.flatMap(\.suppliedKeys) + uses.flatMap(\.arguments) + taken
    return reads().filter { !supplied.contains($0.key) && !HostNames.contains($0.key) }.map { read in
      Diagnostic(
        .warning, "unsupplied-key", "\(read.what) reads '\(read.key)' of the context, but nothing supplies it",
        place: read.place, help: near(read.key, known))
    }
  }

  /// Returns all keys under which a provider may supply a value.
  private func supplied(by providers: [Handler]) -> Set<String> {
    var supplied = Set(words.all(.assigned) + dispatcher.hostValues.members.map(\.key))
    let texts = words.all(.text)
    // Pressed keys supply the typed text, and the count (K12).
    if host.responders.contains(where: { $0.bindings.contains { $0.keys == .text } }) { supplied.insert("text") }
    if behaviours.contains(where: { $0.counts ?? false }) { supplied.insert("count") }
    for use in uses { supplied.formUnion(use.arguments) }
    for text in texts {
      guard let reference = try? Reference.parse(text) else { continue }
      supplied.formUnion(reference.arguments?.members.map(\.key) ?? [])
    }
    let writers = providers + registered { $0.on }.map(\.handler)
    supplied.formUnion(writers.flatMap(\.suppliedKeys))
    if !writers.allSatisfy(\.isReadable) { supplied.formUnion(texts) }
    return supplied
  }

  private struct Read {
    let key: String
    /// The reader's name in messages.
    let what: String
    let place: Place?
  }

  /// Returns the keys read by providers and by actions of items and keys. The arguments of other actions aren't known.
  private func reads() -> [Read] {
    let named = Set(uses.flatMap { $0.reference.candidates.map(\.name) })
    var reads: [Read] = []
    for (table, path) in [("on", \Behaviour.on), ("can", \.can), ("look", \.look)] {
      for one in registered({ $0[keyPath: path] }) where named.contains(one.action) {
        reads += self.reads(one.handler.reads, one.what(table))
      }
    }
    for behaviour in behaviours where behaviour.owner !== host.program {
      let by = holder(of: behaviour)
      let whose = behaviour.className.map { "class '\($0)'" } ?? "'\(by?.name ?? "")'"
      if let provide = behaviour.provide { reads += self.reads(provide.reads, "'provide' of \(whose)") }
      for (name, needs) in behaviour.needs where named.contains(host.names.text(of: name)) {
        let action = host.names.text(of: name)
        let what = "'needs.\(action)' of \(whose)"
        let start = written("needs", action) ?? by?.place
        reads += needs.content.map { Read(key: $0.key, what: what, place: place(of: $0.key, at: start)) }
      }
    }
    return reads + readsOfMenus()
  }

  /// Returns the keys that sections and menus read.
  private func readsOfMenus() -> [Read] {
    var reads: [Read] = []
    Check.forEachNode(of: host) { node in
      let what = node.element.described
      for (field, found) in node.element.section?.source.reads ?? [] {
        reads += self.reads(found, "'\(field)' of \(what)")
      }
      if let found = (node.element.menu?.look ?? node.element.look)?.reads {
        reads += self.reads(found, "'look' of \(what)")
      }
    }
    return reads
  }

  private func reads(_ found: ContextReads, _ what: String) -> [Read] {
    found.keys.map { Read(key: $0, what: what, place: place(of: $0, in: found)) }
  }

  /// Returns the place where a function reads a key: as `ctx.key`, else as a string, else the function's place.
  private func place(of key: String, in function: ContextReads) -> Place? {
    guard let start = function.place else { return nil }
    for word in [".\(key)", "\"\(key)\"", "'\(key)'"] {
      if var place = place(of: word, at: start, lines: function.lineCount), let column = place.column {
        place.column = column + 1
        return place
      }
    }
    return start
  }

  /// Finds providers that supply a value under a name of the host, where nobody can read it.
  func shadowed() -> [Diagnostic] {
    behaviours.flatMap { behaviour -> [Diagnostic] in
      guard let provide = behaviour.provide, !provide.wasToldOfShadows, let by = holder(of: behaviour) else {
        return []
      }
      return provide.suppliedKeys.filter(HostNames.contains).map {
        Dispatcher.shadowed($0, by: by.name, place: place(of: $0, in: provide.reads))
      }
    }
  }
}
