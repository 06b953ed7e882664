extension Dispatcher {
  /// Checks if a candidate may do its action now: first its `needs`, then its declared arguments, then its `can`.
  ///
  /// If `can` says no with the arguments known so far, the host doesn't ask a person for missing ones (A4, A13).
  ///
  /// - Parameters:
  ///   - purpose: to perform the action, or to draw its item or its form.
  ///   - skipping: true to skip `needs` and `can` only (A2). An action that waits still can't be done again (V11).
  func verdict(
    _ candidate: Candidate, in context: Context, witness: Witness?, for purpose: Comparing.Purpose = .performing,
    skipping: Bool = false
  ) -> Verdict {
    if let whySetAside = candidate.whySetAside {
      witness?.asked(candidate.responder.name, .can, candidate.action, answer: .no(whySetAside), place: nil)
      return .no(whySetAside)
    }
    if isRunning(candidate) {
      witness?.asked(candidate.responder.name, .running, candidate.action, answer: .yes, place: nil)
      return .running
    }
    if !skipping, let need = candidate.lacks(in: context, witness) {
      let reason = need.reasonOrDerived
      witness?.asked(candidate.responder.name, .needs, candidate.action, answer: .no(reason), place: nil)
      return .no(reason)
    }
    var open: Verdict?
    var unknown: [String] = []
    if let takes = candidate.takes {
      (open, unknown) = refusal(of: takes, candidate, in: context, for: purpose)
      if let open {
        witness?.asked(candidate.responder.name, .takes, candidate.action, answer: open.answer, place: takes.place)
        guard case .asks = open else { return open }
      }
    }
    guard !skipping, let can = candidate.can else { return open ?? .yes }
    guard let verdict = answer(of: can, candidate, in: context, without: unknown) else { return open ?? .yes }
    witness?.asked(candidate.responder.name, .can, candidate.action, answer: verdict.answer, place: can.place)
    if case .yes = verdict { return open ?? .yes }
    return verdict
  }

  /// Calls `can`. Returns nil if `can` reads an argument whose value isn't known yet, so can't decide (A12, A13).
  private func answer(
    of can: Handler, _ candidate: Candidate, in context: Context, without unknown: [String]
  ) -> Verdict? {
    func ask() -> Verdict { asking(in: context) { can.can(for: candidate.responder, in: context) } }
    if unknown.isEmpty { return ask() }
    let unknown = UnknownArguments(unknown)
    context.unknown = unknown
    defer { context.unknown = nil }
    let verdict = ask()
    return unknown.isRead ? nil : verdict
  }

  /// Calls the `look` handler for an item's appearance.
  func look(
    _ handler: Handler, _ candidate: Candidate, in context: Context, _ witness: Witness?
  ) -> Result<Look, Failure> {
    let look = hidingSecrets(of: candidate.takes, in: context) {
      asking(in: context) { handler.look(for: candidate.responder, in: context) }
    }
    var answer = Witness.Answer.yes
    if case .failure(let failure) = look {
      answer = .fails(failure.message)
      report(Diagnostic(failure))
    }
    witness?.asked(candidate.responder.name, .look, candidate.action, answer: answer, place: handler.place)
    return look
  }

  /// Returns why an item is disabled if no responder on a walk handles its action. `elsewhere` is a responder outside
  /// the chain that handles it.
  func nobody(_ reference: Reference, on walk: Walk) -> (reason: String, elsewhere: Responder?) {
    guard let catchAll = walk.catchAlls.first else { return unanswered(reference) }
    let catching = walk.nodes[catchAll.node].name
    let claims = "the catch-all of '\(catching)', which enables only claimed actions"
    return ("nobody handles '\(reference.id)' but \(claims)", nil)
  }

  /// Returns why nobody handles an action, with a hint: a responder outside the chain that would, a client that did, or
  /// the nearest name.
  func unanswered(_ reference: Reference) -> (reason: String, elsewhere: Responder?) {
    let other = elsewhere(reference)
    let hint =
      other.map { "; '\($0.name)' does, but isn't in the chain" }
      ?? clientsGone[ByteText(reference.id)].map { " now that '\($0)' has gone" }
      ?? names(near: reference).first.map { "; did you mean '\($0)'?" } ?? ""
    return ("nobody handles '\(reference.id)'\(hint)", other)
  }

  /// Builds the context of a walk, ignoring whether a provider spends the allowance.
  func context(of walk: Walk, witness: Witness?, row: RowValues? = nil) -> Context {
    var stopped: Failure?
    return context(of: walk, witness: witness, row: row, asking: nil, &stopped)
  }

  /// Builds the context of a walk. Calls each provider once, farthest first, until a failure spends the allowance.
  ///
  /// - Parameters:
  ///   - row: the row whose item the context is for; nil for everything else.
  ///   - options: those of a perform that may ask a person.
  func context(
    of walk: Walk, witness: Witness?, row: RowValues?, asking options: PerformOptions?, _ stopped: inout Failure?
  ) -> Context {
    let context = makeContext()
    context.row = row
    if let options, options.asks { (context.choices, context.about) = ([], options.about) }
    context.undoObject = undo
    if let witness {
      context.suppliers = witness.suppliers
      context.onRead = { witness.read($0) }
      witness.suppliers.current = .provider(Outcome.hostName)
    }
    for (key, value) in hostValues.members { context[key] = value }
    for index in walk.providers.indices where stopped == nil {
      stopped = provide(walk.providers[index], at: index, into: context, witness)
    }
    context.group = walk.providers.count + 1
    let shadowed = context.takeOutHostNames()
    if !shadowed.isEmpty, witness == nil { tellShadowed(shadowed, by: walk.providers) }
    return context
  }

  /// Calls a provider. Returns its failure if that spent the allowance, because then the host can't call the other
  /// providers.
  func provide(_ provider: Walk.Provider, at index: Int, into context: Context, _ witness: Witness?) -> Failure? {
    guard provider.handler.owner.whySetAside == nil else { return nil }
    let name = provider.handler.supplierName ?? provider.responder.name
    context.suppliers?.current = .provider(name)
    context.group = index + 1
    let failure = whileAsking { provider.handler.provide(for: provider.responder, into: context) }
    if let suppliers = context.suppliers {
      tellShadowed(suppliers.takeShadowed(), by: provider.handler)
    } else if context.hasUnheard {
      tellShadowed(context.takeUnheard().map { ($0, provider.responder.name) }[...], by: provider.handler)
    }
    if let witness {
      tracing.current?.provided(by: name, failure, at: provider.handler.place, witness)
    }
    if let failure { report(failure, ofProvider: provider.responder) }
    // Each remaining provider would also fail, and take the blame for the spent allowance.
    guard let failure, let spent = engine?.spent(by: provider.handler.owner) else { return nil }
    return failure.code == spent.code ? failure : spent
  }

  /// Reports a provider's failure, unless the perform was cancelled.
  func report(_ failure: Failure, ofProvider responder: Responder) {
    if failure.code == .cancelled { return }
    var diagnostic = Diagnostic(failure)
    diagnostic.message = "'provide' of '\(responder.name)' failed: \(failure.message)"
    report(diagnostic)
  }

  /// Warns, once for each provider, that scripts can't read values supplied under the host's names.
  func tellShadowed(_ shadowed: ArraySlice<(key: String, by: String)>, by handler: Handler) {
    guard !shadowed.isEmpty, !handler.wasToldOfShadows else { return }
    handler.wasToldOfShadows = true
    for (key, name) in shadowed {
      report(Dispatcher.shadowed(key, by: name, place: handler.place))
    }
  }

  /// Warns of scripts that supply the host's names. Where their code doesn't show which one did, it warns of all
  /// unreadable ones.
  private func tellShadowed(_ keys: [String], by providers: [Walk.Provider]) {
    func supplies(_ provider: Walk.Provider, _ key: String) -> Bool { provider.handler.suppliedKeys.contains(key) }
    for provider in providers where provider.handler.place != nil {
      let supplied = keys.filter { key in
        supplies(provider, key) || !provider.handler.isReadable && !providers.contains { supplies($0, key) }
      }
      tellShadowed(supplied.map { ($0, provider.responder.name) }[...], by: provider.handler)
    }
  }

  static func shadowed(_ key: String, by name: String, place: Place?) -> Diagnostic {
    Diagnostic(
      .warning, "shadowed",
      "'\(name)' supplies '\(key)', a name of the host, so nobody can read it: choose another name",
      place: place)
  }

  /// Returns a misuse if `to` or `from` isn't a responder of this host; nil otherwise.
  func stranger(_ options: PerformOptions) -> Misuse? {
    if let target = options.to, !chain.holds(target) { return chain.misuse(of: target, "it can't be asked") }
    if let start = options.from, !chain.holds(start) { return chain.misuse(of: start, "it can't be asked") }
    return nil
  }

  /// Returns a misuse while the host asks a question; nil otherwise.
  func whileAskingMisuse(_ sentence: @autoclosure () -> String) -> Misuse? {
    guard isAsking else { return nil }
    return Misuse(
      .notNow, "\(sentence()) while the host only asks: 'can', 'look' and sections must not change anything")
  }

  /// Passes a failure up the chain, from its responder, through the `failed` hooks. If no hook ends the failure, the
  /// host reports it and closes modal sessions. These are the sessions that contain the responder, and those with a
  /// number above `number`, which opened since.
  func travel(
    _ failure: Failure, from responder: Responder, along nodes: [Responder], sessionsAbove number: Int = .max
  ) -> Failure {
    var current = failure
    if current.code == .cancelled || current.hasTravelled { return current }
    for node in [responder] + nodes.filter({ $0 !== responder && !$0.isRemoved }) {
      for hook in node.hooks(\.failed) {
        switch hook.failed(current, for: node) {
        case .success(nil):
          current.ended = true
          return current
        case .success(let changed?): current = changed
        case .failure(let own): report(Diagnostic(own))
        }
      }
    }
    report(Diagnostic(current))
    closeSessions(afterFailureOf: responder, openedSince: number)
    return current
  }

  private func elsewhere(_ reference: Reference) -> Responder? {
    for candidate in reference.candidates {
      if let other = unaskedResponder(answering: candidate.name) { return other }
    }
    return nil
  }

  private func unaskedResponder(answering action: String) -> Responder? {
    guard mayLook, let name = names.name(of: action) else { return nil }
    let chained = defaultWalk().nodes
    var found: Responder?
    for one in chain.responders.values where found.map({ one.number < $0.number }) ?? true {
      nearing.steps -= 1 + one.stack.count
      if nearing.steps <= 0 { return nil }
      guard one.entry(.on, name) != nil else { continue }
      nearing.steps -= chained.count
      if !chained.contains(where: { $0 === one }) { found = one }
    }
    return found
  }

  /// Returns the nearest references that a responder handles.
  func names(near wanted: Reference) -> [String] { names(near: wanted, among: answered.lazy.map(names.text)) }

  /// The steps charged for each responder: searching one takes as long as comparing that many names.
  private static let stepsOfLooking = 8

  private var answered: Set<Name> {
    var known = lastNames
    for responder in chain.responders.values where nearing.steps > 0 {
      nearing.steps -= Self.stepsOfLooking
      for behaviour in responder.stack {
        nearing.steps -= behaviour.on.count
        known.formUnion(behaviour.on.keys)
      }
    }
    return known
  }

  /// Returns the known names nearest to a wanted one; empty once this call from outside has spent its search budget.
  func names(near wanted: String, among known: @autoclosure () -> some Sequence<String>) -> [String] {
    mayLook ? nearest(to: wanted, among: known(), within: &nearing.steps) : []
  }

  /// Returns the nearest references whose id, in whole or without leading components, is known. A name without dots is
  /// compared with the last component only, so that suggestions keep the prefix.
  func names(near wanted: Reference, among known: @autoclosure () -> some Sequence<String>) -> [String] {
    guard mayLook else { return [] }
    let known = Array(known())
    let dotted = wanted.prefix.isEmpty ? [] : known.filter { $0.utf8.contains(UInt8(ascii: ".")) }
    let candidates = wanted.candidates
    for (index, candidate) in candidates.enumerated() {
      let near = names(near: candidate.name, among: index == candidates.count - 1 ? known : dotted)
      if !near.isEmpty { return near.map { candidate.prefix.isEmpty ? $0 : "\(candidate.prefix).\($0)" } }
    }
    return []
  }

  private var mayLook: Bool {
    let turn = engine?.turns
    if turn == nil || turn != nearing.turn { nearing = Nearing(turn: turn) }
    return nearing.steps > 0
  }
}

extension Verdict {
  var answer: Witness.Answer {
    switch self {
    case .yes: .yes
    case .no(let reason): .no(reason ?? "")
    case .pass: .passes
    case .unfit(let misfit): .no(misfit.reason)
    case .asks(let question): .no("asks for \(question.keys)")
    case .running: .no(Dispatcher.running)
    case .failed(let failure, _): .fails(failure.message)
    }
  }
}

extension Dispatcher {
  /// Ends the current allowance, and does the work postponed because it was spent.
  func endAllowance() { endAllowance(of: engine) }

  func endAllowance(of engine: (any Engine)?) {
    guard let engine else { return }
    engine.endAllowance()
    if state.hasPostponed { doPostponed() }
  }

  /// Runs a body that calls scripts, with its own allowance.
  func allowing<Answer, Thrown: Error>(_ body: () throws(Thrown) -> Answer) throws(Thrown) -> Answer {
    engine?.beginAllowance()
    defer { endAllowance() }
    return try body()
  }

  /// Calls a handler to do its action. A handler of the program doesn't use the perform's allowance, unless a script
  /// called it. Each perform that it begins has its own allowance.
  func reply(of handler: Handler, for responder: Responder, in context: Context) -> Reply {
    handler.hasRun = true
    guard handler.isOfProgram else { return handler.perform(for: responder, in: context) }
    return outside { handler.perform(for: responder, in: context) }
  }

  /// Runs the program's own code outside the allowances of performs.
  @inline(__always)
  func outside(_ body: () -> Reply) -> Reply {
    guard let engine, engine.stepOutside() else { return body() }
    defer { engine.stepBack() }
    // Work postponed because of a spent limit comes first, in its original order.
    doPostponed()
    return body()
  }

  /// Runs code that reads what the host shows. The perform around it doesn't pay; nested calls share one allowance.
  func allowingRows<Answer>(_ body: () -> Answer) -> Answer {
    guard let engine, engine.stepOutside() else { return allowing(body) }
    defer { engine.stepBack() }
    return allowing(body)
  }

  /// Runs code of an owner that has to go, with an allowance that no caller pays.
  ///
  /// - Parameter isHurried: true for a sixty-fourth of an allowance.
  func allowingApart<Answer>(isHurried: Bool, _ body: () -> Answer) -> Answer {
    let isAside = engine?.stepAside() ?? false
    defer { if isAside { engine?.stepBack() } }
    if isHurried { engine?.beginSmallAllowance() } else { engine?.beginAllowance() }
    defer { endAllowance() }
    return body()
  }

  /// Charges the current allowance for the host's steps and those counted by the chain.
  func chargeWalk(_ steps: Int) { engine?.charge(steps + chain.takeWork()) }
}
