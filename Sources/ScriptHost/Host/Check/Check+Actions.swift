// Finds actions that nobody handles, handlers that nothing names, and `can` or `look` entries without a handler.

extension Check {
  /// Finds items and keys whose actions nobody handles, wherever the focus is.
  func unanswered() -> [Diagnostic] {
    if words.computesDefined { return [] }
    var known: [ByteText: Bool] = [:]
    var met: Set<String> = []
    var found: [Diagnostic] = []
    let misplaced = misplaced()
    // A catch-all may handle an action that a script performs by name.
    let performed = hasCatchAll ? [] : calls(.performed)
    for use in uses + performed {
      var reference = use.reference
      if host.chain.isExact { reference.isExact = true }
      let id = reference.id
      // The same name may fall back to its last component in one place and not in another (M16).
      let name = ByteText("\(id) \(reference.isExact)")
      let isAnswered = misplaced[ByteText(reference.name)] == nil && (known[name] ?? isAnswered(reference))
      known[name] = isAnswered
      guard !isAnswered else { continue }
      // All that a section or a loop makes has one place, and is reported once.
      let place = place(of: use)
      guard met.insert("\(place.map { "\($0)" } ?? use.what) \(id)").inserted else { continue }
      found.append(
        Diagnostic(
          .warning, "unanswered-action", "\(use.what) performs '\(id)', but no responder handles it", place: place,
          help: misplaced[ByteText(use.reference.name)] ?? near(use.reference, answered)))
    }
    return found
  }

  /// Returns the references that scripts pass to `app:perform` or `app:validate` as literal strings.
  func calls(_ role: CodeWords.Roles) -> [Use] {
    words.all(role).compactMap { text -> Use? in
      guard let reference = try? Reference.parse(text) else { return nil }
      let call = words.has(text, .performed) ? "perform" : "validate"
      return Use(
        reference: reference, given: Arguments(reference.arguments), what: "'app:\(call)'", place: nil, raw: text,
        call: call)
    }
  }

  /// True if a responder has a catch-all.
  private var hasCatchAll: Bool { behaviours.contains { $0.unknown != nil } }

  /// Returns help for actions whose function is in a responder but not in its `on`, by the action's name.
  private func misplaced() -> [ByteText: String] {
    let lost = Set(uses.map(\.reference.name)).subtracting(answered)
    var found: [ByteText: String] = [:]
    for (name, responder, place) in host.engine?.functions(named: lost) ?? [] {
      let at = place.map { " (\($0))" } ?? ""
      found[ByteText(name)] =
        "'\(responder.name)' has a function '\(name)'\(at), which is no handler; to handle the action, write "
        + Check.declaration("\(responder.spelt).on", name)
    }
    return found
  }

  private func isAnswered(_ reference: Reference) -> Bool {
    let names = reference.candidates.map(\.name)
    let later: CodeWords.Roles = words.computesAnswers ? [.defined, .assigned] : [.defined, .answer]
    if names.contains(where: { answered.contains($0) || words.has($0, later) }) {
      return true
    }
    return dynamic.contains { responder in
      let walk = dispatcher.walks.walk(from: responder)
      let resolution = Resolution(reference, raw: reference.id, on: walk, dispatcher: dispatcher, isKept: false)
      return resolution.candidate(0, witness: nil) != nil
    }
  }

  /// Finds items whose whole reference nobody handles, although a handler of its last component exists.
  func fallingBack() -> [Diagnostic] {
    if words.computesDefined { return [] }
    return uses.filter { $0.call == nil && $0.holder == nil && !$0.reference.isExact }.compactMap { use in
      let names = use.reference.candidates.map(\.name)
      guard names.count > 1, !host.chain.isExact, !isAnswered(exactly: use.reference), isAnswered(use.reference) else {
        return nil
      }
      return Diagnostic(
        .note, "falls-back",
        "\(use.what) performs '\(use.reference.id)', but responders handle only '\(use.reference.name)'",
        place: place(of: use), help: "write a handler for the whole name, or set exact = true at the item")
    }
  }

  private func isAnswered(exactly reference: Reference) -> Bool {
    var reference = reference
    reference.isExact = true
    return isAnswered(reference)
  }

  /// Finds listeners of events that nobody emits.
  func unemitted() -> [Diagnostic] {
    if words.computesEmitted { return [] }
    let emitted = host.emittedNames.union(words.all(.emitted))
    return host.eventListeners.flatMap { name, listeners in
      emitted.contains(name)
        ? []
        : listeners.filter { $0.place != nil }.map { listener in
          Diagnostic(
            .note, "unemitted-event", "'\(listener.owner.name)' listens for '\(name)', but no script emits it",
            place: listener.place, help: near(name, emitted))
        }
    }
  }

  /// Finds handlers of actions that no item, no key and no string of the code names. Reports nothing without any items
  /// and keys, because then the embedding program performs the actions.
  func unnamed() -> [Diagnostic] {
    if uses.isEmpty || words.computesPerformed { return [] }
    var named: Set<String> = ["undo", "redo", "openURL", QuitAction.name]
    for use in uses { named.formUnion(use.reference.candidates.map(\.name)) }
    for text in words.all(.text) {
      if let reference = try? Reference.parse(text) { named.formUnion(reference.candidates.map(\.name)) }
    }
    let meant = unansweredNames()
    return registered { $0.on }.filter { !named.contains($0.action) }.map { one in
      Diagnostic(
        .warning, "unnamed-handler", "\(one.what("on")) handles an action that no item, key or perform names",
        place: place(of: one.action, at: one.handler.place),
        help: dispatcher.names(near: one.action, among: meant.keys.map(\.text)).first.map {
          Self.didYouMean(meant[ByteText($0)] ?? $0)
        })
    }
  }

  /// Returns the unhandled references of items and keys, by every name under which a responder could handle them.
  private func unansweredNames() -> [ByteText: String] {
    var found: [ByteText: String] = [:]
    for use in uses {
      let names = use.reference.candidates.map(\.name)
      guard !names.contains(where: answered.contains) else { continue }
      for name in names { found[ByteText(name)] = found[ByteText(name)] ?? use.reference.id }
    }
    return found
  }

  /// Finds entries of `can`, `look`, `needs`, `takes`, `confirm` and `about` for actions that their responder doesn't
  /// handle.
  func strays() -> [Diagnostic] {
    if words.computesDefined { return [] }
    var found: [Diagnostic] = []
    for (table, path) in [("can", \Behaviour.can), ("look", \.look), ("confirm", \.confirm)] {
      for one in registered({ $0[keyPath: path] }) where isStray(one.action, in: one.behaviour) {
        // The host calls this `can` for its own `quit`.
        if table == "can", one.action == QuitAction.name { continue }
        let place = one.handler.place.map { self.place(of: one.action, at: $0) } ?? written(table, one.action)
        found.append(stray(one.what(table), one.registered, at: place))
      }
    }
    for behaviour in behaviours where behaviour.owner !== host.program {
      let said = [
        ("needs", Array(behaviour.needs.keys)), ("takes", Array(behaviour.takes.keys)),
        ("about", Array(behaviour.about.keys)),
      ]
      for (table, names) in said {
        for name in names {
          let one = Registered(action: host.names.text(of: name), behaviour: behaviour, by: holder(of: behaviour))
          if isStray(one.action, in: behaviour) {
            found.append(stray(one.what(table), one, at: place(of: one.action, said: table, by: behaviour, name)))
          }
        }
      }
    }
    return found
  }

  /// Returns the place of an entry that is no function, in `needs`, `takes` or `about`.
  private func place(of action: String, said table: String, by behaviour: Behaviour, _ name: Name) -> Place? {
    let place = table == "takes" ? behaviour.takes[name]?.content.place : nil
    return written(table, action) ?? place ?? holder(of: behaviour)?.place
  }

  /// Returns the place where a script writes into a table under the name of an action.
  func written(_ table: String, _ action: String) -> Place? {
    ["\(table).\(action)", "\(table)[\"\(action)\"]", "\(table)['\(action)']"].lazy
      .compactMap { [host] in host.engine?.place(ofWord: $0) }.first
  }

  private func stray(_ what: String, _ one: Registered, at place: Place?) -> Diagnostic {
    return Diagnostic(
      .warning, "stray-can", "\(what) is never used: no responder that has it handles '\(one.action)'", place: place,
      help: near(one.action, one.by?.stack.flatMap(\.on.keys).map(host.names.text) ?? []))
  }

  /// Returns true if no responder that has the behaviour handles the action, now or later.
  private func isStray(_ action: String, in behaviour: Behaviour) -> Bool {
    let responders = holders(of: behaviour)
    guard !responders.isEmpty, !words.has(action, .defined), let name = host.names.name(of: action) else {
      return false
    }
    return !responders.contains { responder in
      responder.entry(.on, name) != nil || responder.hook(\.resolve) != nil || responder.hook(\.claims) != nil
    }
  }

  // MARK: Registrations

  /// A registration of a script for an action.
  struct Registered {
    let action: String
    let behaviour: Behaviour
    /// The first responder that has it.
    let by: Responder?

    /// Returns the name for messages, as `'on.rate' of 'grid'`.
    func what(_ table: String) -> String {
      let holder = behaviour.className.map { "class '\($0)'" } ?? by.map { "'\($0.name)'" }
      return "'\(table).\(action)'" + (holder.map { " of \($0)" } ?? "")
    }
  }

  /// A function that a script registered for an action.
  @dynamicMemberLookup
  struct RegisteredHandler {
    let registered: Registered
    let handler: Handler

    subscript<Content>(dynamicMember path: KeyPath<Registered, Content>) -> Content { registered[keyPath: path] }
    func what(_ table: String) -> String { registered.what(table) }
  }

  func holder(of behaviour: Behaviour) -> Responder? { holders(of: behaviour).first }

  /// Returns the functions of scripts in a table of each behaviour.
  func registered(_ table: (Behaviour) -> [Name: HandlerEntry]) -> [RegisteredHandler] {
    behaviours.flatMap { behaviour in
      let by = holder(of: behaviour)
      return table(behaviour).filter { $0.value.content.owner !== host.program }
        .map { (host.names.text(of: $0.key), $0.value.content) }
        .sorted { $0.0.precedesByBytes($1.0) }
        .map { action, handler in
          RegisteredHandler(
            registered: Registered(action: action, behaviour: behaviour, by: by), handler: handler)
        }
    }
  }
}

// A8: finds items and keys whose arguments fit no handler of their action, and arguments that no value fits.

extension Check {
  /// Finds arguments that are declared with an empty list of choices.
  func unchoosable() -> [Diagnostic] {
    behaviours.filter { $0.owner !== host.program }.flatMap { behaviour in
      behaviour.takes.flatMap { name, takes in
        takes.content.arguments.filter { $0.facts.choices?.isEmpty ?? false }.map { argument in
          let action = host.names.text(of: name)
          return Diagnostic(
            .warning, "unfit-argument", "takes.\(action).\(argument.key) has no choices, so no value fits it",
            place: place(
              of: "one_of", behind: argument.key, at: written("takes", action) ?? takes.content.place, lines: 32),
            help: "list the choices in 'one_of', or write a function that returns them")
        }
      }
    }
  }

  func unfit() -> [Diagnostic] {
    var met: Set<String> = []
    return (uses + calls(.asked)).compactMap { use in
      guard let misfit = misfit(of: use) else { return nil }
      let place = place(of: use)
      guard met.insert("\(place.map { "\($0)" } ?? use.what) \(misfit.reason)").inserted else { return nil }
      return Diagnostic(
        .warning, "unfit-argument", "\(use.what) performs '\(use.reference.id)': \(misfit.reason)", place: place)
    }
  }

  /// Returns why no handler of the action accepts the arguments, as far as this is known without calling a function.
  private func misfit(of use: Use) -> Misfit? {
    var first: Misfit?
    for candidate in use.reference.candidates {
      guard let name = host.names.name(of: candidate.name) else { continue }
      for responder in host.responders + [dispatcher.hostResponder] where responder.entry(.on, name) != nil {
        guard let takes = responder.said(\.takes, name) else { return nil }
        let comparing = Comparing(
          purpose: .drawing, asking: { _, _ in .failure(Failure(.script, "nobody is asked")) },
          awaiting: { _, _, _ in nil },
          elements: dispatcher.elements(of:most:),
          spend: { [dispatcher] in try dispatcher.spend($0, by: responder.owner) })
        guard case .unfit(let misfit) = takes.fit(use.given, of: candidate.name, comparing) else { return nil }
        if first == nil { first = misfit }
      }
      if first != nil { return first }
    }
    return nil
  }
}

// Finds names that resemble the host's, and names of the host that a script has redefined.

extension Check {
  /// Finds fields of responders and classes whose names resemble the host's.
  func misspelt() -> [Diagnostic] {
    (host.engine?.misspeltFields(words) ?? []).map { field in
      Diagnostic(
        .warning, "misspelt-field", "\(field.holder) has a field '\(field.name)', but nothing reads it",
        place: field.place, help: "did you mean '\(field.meant)'?")
    }
  }

  /// Finds fields that `ctx:set` writes and nobody reads, if a field with a similar name is read.
  func unread() -> [Diagnostic] {
    let stored = words.all(.stored).filter { !words.has($0, .read) }
    if stored.isEmpty { return [] }
    let known = words.all(.read).filter { words.has($0, [.assigned, .stored]) }
    var steps = 1 << 20
    var found: [Diagnostic] = []
    for name in stored where found.count < 16 {
      // Short names are skipped, because many are similar by chance.
      guard name.utf8.count > 3, let meant = nearest(to: name, among: known, within: &steps).first else { continue }
      found.append(
        Diagnostic(
          .warning, "misspelt-field", "'ctx:set' writes the field '\(name)', but nothing reads it",
          place: host.engine?.place(ofText: name), help: "did you mean '\(meant)'?"))
    }
    return found
  }

  /// Finds globals that a function reads or assigns, and that no script defines.
  func undefined() -> [Diagnostic] {
    guard !words.touchesGlobals, let engine = host.engine else { return [] }
    let read = words.all(.global).filter { !words.has($0, [.made, .changed]) }
    let assigned = words.all(.changed).filter { !words.has($0, .made) }
    let found = [(engine.undefinedNames(among: read), "reads"), (engine.undefinedNames(assigned: assigned), "assigns")]
    return found.flatMap { names, use in
      names.map { name, place, help in
        Diagnostic(
          .warning, "undefined-name", "a function \(use) '\(name)', which is not defined", place: place, help: help)
      }
    }
  }

  /// Finds elements that a statement makes and throws away.
  func thrownAway() -> [Diagnostic] {
    words.all(.dropped).map { word in
      let (holder, help) =
        switch word {
        case "menu": ("menu", "put it into the menu bar: menubar { menu \"…\" { … } }")
        case "pane": ("panel", "put it into the panel: panel { pane \"…\" { … } }")
        default:
          ("menu", "put it into the braces of a menu, after a comma, or return it from the 'row' of a section")
        }
      return Diagnostic(
        .warning, "unplaced-element", "this '\(word)' is in no \(holder), so nobody sees it",
        place: host.engine?.place(ofStatement: word), help: help)
    }
  }

  /// Finds words of the language that a script assigns.
  func hidden() -> [Diagnostic] {
    (host.engine?.hiddenWords() ?? []).map { word, place in
      Diagnostic(
        .warning, "hidden-word",
        "this assigns '\(word)', which is a name of the host: from here on it means your value",
        place: place, help: "give it another name")
    }
  }
}
