/// A responder of the chain, with its answer to an action.
public struct ChainLink: Sendable {
  /// The responder's name.
  public let name: String
  /// The name of the owner that made it.
  public let owner: String
  /// The way in which it would handle the action; nil if it doesn't.
  public let answer: String?
}

/// A key of a context, with its supplier.
public struct ContextEntry {
  /// The name by which handlers read it.
  public let key: String
  /// The present value.
  public let value: Value
  /// The responder that supplied it, or `arguments`, or `info`, or `host`.
  public let by: String
}

extension ScriptHost {
  /// Explains why an action can be done now or can't, and who handles it.
  public func why(_ reference: String, _ options: PerformOptions = PerformOptions()) throws(ReferenceError)
    -> Explanation
  {
    dispatcher.why(try Reference.parse(reference), raw: reference, options)
  }

  /// Runs many questions within one allowance, so that a request of a person can't take many times as long.
  package func asOneQuestion<Answer, Thrown: Error>(_ body: () throws(Thrown) -> Answer) throws(Thrown) -> Answer {
    try dispatcher.allowing(body)
  }

  /// Returns the responders of the chain, nearest first; with an action, each with its answer.
  public func chain(_ reference: String? = nil) throws(ReferenceError) -> [ChainLink] {
    let walk = dispatcher.defaultWalk()
    guard let reference else { return walk.nodes.map { ChainLink(name: $0.name, owner: $0.owner.name, answer: nil) } }
    let parsed = try Reference.parse(reference)
    let witness = Witness()
    let resolution = Resolution(parsed, raw: reference, on: walk, dispatcher: dispatcher, isKept: false)
    dispatcher.allowing {
      var index = 0
      while resolution.candidate(index, witness: witness) != nil { index += 1 }
    }
    dispatcher.chargeWalk(walk.nodes.count)
    let answers = Dictionary(
      witness.steps.filter { $0.answer != .nothing }.map { (ByteText($0.responder), $0) },
      uniquingKeysWith: { first, _ in first })
    return walk.nodes.map { node in
      let step = answers[ByteText(node.name)]
      return ChainLink(
        name: node.name, owner: node.owner.name, answer: step.map { "\($0.question.rawValue): \($0.answer.words)" })
    }
  }

  /// Returns the context that a handler would get now; with a reference, its arguments too.
  public func context(_ reference: String? = nil) throws(ReferenceError) -> [ContextEntry] {
    let witness = Witness()
    let walk = dispatcher.defaultWalk()
    let context = dispatcher.allowing { dispatcher.context(of: walk, witness: witness) }
    var secrets: Set<String> = []
    if let reference {
      let parsed = try Reference.parse(reference)
      secrets = dispatcher.secrets(of: parsed)
      dispatcher.tellSecrets(of: parsed, Arguments())
      context.begin(
        Request(raw: reference, action: parsed.name, prefix: parsed.prefix, arguments: Arguments(parsed.arguments)))
    }
    func entry(_ key: String) -> ContextEntry {
      let supplier = witness.suppliers.byKey[ByteText(key)]
      let isSecret = supplier == .arguments && secrets.contains(key)
      return ContextEntry(key: key, value: isSecret ? Value(.secret) : context[key], by: supplier?.name ?? "")
    }
    func entries() -> [ContextEntry] {
      context.storedKeys.sorted { $0.precedesByBytes($1) }.map(entry)
    }
    return dispatcher.engine?.copying("the context", entries) ?? entries()
  }
}

extension ScriptHost {
  /// Performs an action: the first handler along the chain that can do it does it. There is always exactly one outcome.
  @discardableResult
  public func perform(_ reference: String) -> Outcome { dispatcher.perform(reference) }

  /// Performs an action with options.
  @discardableResult
  public func perform(_ reference: String, _ options: PerformOptions) -> Outcome {
    let outcome = dispatcher.perform(reference, options)
    onPerformed?(reference, outcome)
    return outcome
  }

  /// Returns whether an action can be done now, why not, and how its item looks.
  public func validate(_ reference: String, _ options: PerformOptions = PerformOptions()) -> Validation {
    dispatcher.validate(reference, options)
  }

  /// Registers a closure that does an action if no responder does. A later closure for the action replaces it.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Value) -> Registration {
    setNative(.on, action, NativeAction(owner: program, body: body))
  }

  /// Registers a closure that does an action without a result if no responder does.
  @discardableResult
  public func on(_ action: String, _ body: @escaping (Command) throws -> Void) -> Registration {
    on(action) { command -> Value in
      try body(command)
      return .null
    }
  }

  /// Registers a closure that decides whether an action of the program may be done now. A no is final and has a reason.
  @discardableResult
  public func can(_ action: String, _ body: @escaping (Command) throws -> Permission) -> Registration {
    setNative(.can, action, NativeCan(owner: program, body: body))
  }

  /// Registers a closure that returns the look of the items of an action of the program.
  @discardableResult
  public func look(_ action: String, _ body: @escaping (Command) throws -> Look) -> Registration {
    setNative(.look, action, NativeLook(owner: program, body: body))
  }

  private func setNative(_ table: Behaviour.Table, _ action: String, _ handler: Handler) -> Registration {
    let added = dispatcher.setNative(action, handler, in: table)
    return Registration { [life = dispatcher.life] in
      life.object?.removeNative(added.name, number: added.number, in: table)
    }
  }

  /// Calls a closure before an action is done, and with its outcome.
  @discardableResult
  public func observe(_ pattern: ActionPattern = .all, _ body: @escaping (ActionEvent) -> Void) -> Registration {
    observe(NativeObserver(pattern, owner: program, body: body))
  }

  func observe(_ observer: Observer) -> Registration {
    let number = chain.newEntryNumber()
    observer.number = number
    dispatcher.add(observer)
    return Registration { [life = dispatcher.life] in life.object?.forgetObservers(where: { $0.number == number }) }
  }
}

// The forms of actions (A12). A face gets a new form after each answer, because other choices may depend on it.

extension ScriptHost {
  /// Returns the form of an action after some answers, without performing anything.
  ///
  /// ```swift
  /// let cities: [String: [AskedArgument.Choice]] = ["CH": [.init("Bern")], "FR": [.init("Lyon"), .init("Nice")]]
  /// let city = DeclaredArgument.oneOf("city") { cities[try $0.context["country", as: String.self] ?? ""] ?? [] }
  /// let trip = try host.responder("trip")
  /// trip.takes("book", .oneOf("country", ["CH", "FR"]).order(1), city.order(2))
  /// trip.on("book") { command in command.arguments["city"] ?? .null }
  /// try host.focus(trip)
  /// print(host.form("book").fields[1].expected)  // one of nothing: there are no choices now
  /// print(host.form("book", answers: ["country": "FR"]).fields[1].expected)  // one of 'Lyon', 'Nice'
  /// print(host.form("book", answers: ["country": "FR", "city": "Bern"]).validation.misfit?.argument ?? "")  // city
  /// ```
  public func form(
    _ reference: String, answers: Arguments = Arguments(), _ options: PerformOptions = PerformOptions()
  ) -> Form {
    dispatcher.form(reference, options, answers: answers)
  }

  /// Called when values that a form waits for have come, because a function for `one_of` or `suggest` waited: draw the form anew.
  public var onFormChanged: (() -> Void)? {
    get { awaitedLists.onCome }
    set { awaitedLists.onCome = newValue }
  }

  /// The jobs for whose values forms wait.
  package var jobsOfForms: [Job] { awaitedLists.begunJobs() }

  /// Returns the form of an item's action. Throws for an id that no item has.
  public func form(
    ofItem id: String, modifiers: [String] = [], answers: Arguments = Arguments()
  ) throws(Misuse) -> Form {
    let held = try Modifiers.names(of: modifiers)
    guard let found = menuTrees.find(id)?.holding(held) else { throw Misuse(.unknownName, unknownElement(id)) }
    return form(of: found, held, answers)
  }

  /// Returns the form of the action that keys perform; nil if nothing is bound to them.
  package func form(ofKeys keys: KeySequence, answers: Arguments) -> Form? {
    let modifiers = keys.strokes.last?.modifiers.names ?? []
    if let binding = binding(of: keys) {
      if binding.isRemoval { return nil }
      var options = PerformOptions(asking: Answered(), modifiers: modifiers)
      if binding.isExact { options.isExact = true }
      return dispatcher.form(first(of: binding, options).raw, options, answers: answers)
    }
    let tree = menuTrees.snapshotTree()
    return tree.keys[keys].map { node in
      form(of: MenuTrees.Found(node: node, tree: tree, options: PerformOptions()), modifiers, answers)
    }
  }

  /// Returns the form of a row's `current` action; nil if there is none.
  package func form(ofRow id: String, answers: Arguments) -> Form? {
    guard let found = menuTrees.find(id), let (reference, options) = choosing(found) else { return nil }
    return dispatcher.form(reference, options, answers: answers)
  }

  private func form(of found: MenuTrees.Found, _ modifiers: [String], _ answers: Arguments) -> Form {
    guard let action = found.node.element.action else {
      return Form([], Validation(enabled: false, reason: found.node.element.reasonWithoutAction))
    }
    return dispatcher.form(action.raw, found.picked(modifiers, Answered(), action), answers: answers)
  }
}

// Questions in the middle of an action (A10).

extension ScriptHost {
  /// The most open questions of an owner.
  static let mostQuestions = 100

  func checkRoomForQuestion(of owner: Owner) throws(Misuse) {
    guard questions.count(where: { $0.memory.subject.owner === owner }) >= Self.mostQuestions else { return }
    throw Misuse(
      .refused, "'\(owner.name)' has \(Self.mostQuestions) open questions already, and that is the limit")
  }

  /// Keeps a question until its end.
  func keep(_ question: PendingQuestion) {
    questions.append(question)
    question.onEnd { [life, weak question] _ in life.object?.questions.removeAll { $0 === question } }
  }

  /// Passes a question to the listener. Returns true if a person will see it.
  var hearingQuestions: (PendingQuestion) -> Bool {
    { [life] question in life.object?.onQuestion?(question) ?? true }
  }
}
