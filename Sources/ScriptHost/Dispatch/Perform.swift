/// Drives one action: offers it to the candidates, one after the other, until one handles it.
///
/// Picks, key presses, `app:perform` and traces all use it. The steps for one candidate are in `offer`, in order.
final class Perform {
  let options: PerformOptions
  private let dispatcher: Dispatcher
  private var candidates: Candidates
  /// Built for the first candidate, then aimed at each further one.
  private(set) var context: Context?
  /// The current candidate.
  private(set) var asked: Candidate?
  /// The trace of this perform, if somebody traces.
  let trace: Trace?
  /// Observers registered when the perform began, except those that missed `will`.
  private var observers: [Observer]
  /// The action of the `will` event, or of a handler that passed; nil before.
  private var toldAction: String?
  /// The request as observers saw it; nil if none did.
  private var told: ActionEvent.Asked?
  /// Responders whose catch-all has passed.
  private var passed: Set<Int> = []
  /// The job of this perform, once it has waited.
  var job: Job?
  /// The number of the last modal session opened before the perform began.
  var lastSession: Int

  init(
    _ candidates: Candidates, _ options: PerformOptions, _ dispatcher: Dispatcher, trace: Trace? = nil,
    observers: [Observer]
  ) {
    self.candidates = candidates
    self.options = options
    self.dispatcher = dispatcher
    self.trace = trace
    self.observers = observers
    lastSession = dispatcher.chain.lastSession
  }

  private var reference: Reference { candidates.resolution.reference }
  private var walk: Walk { candidates.resolution.walk }
  /// Records the questions of the walk, if somebody traces.
  private var witness: Witness? { trace?.witness }

  // MARK: The candidates

  /// Offers the action to the remaining candidates, then to the catch-alls.
  func run() -> Outcome {
    while let candidate = candidates.next(witness) {
      if context?.forwarded?.hasPassed(candidate) == true { continue }
      if let outcome = offer(candidate) { return finished(outcome) }
      if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    }
    return finished(hookFailed() ?? askCatchAlls(after: -1) ?? unhandled())
  }

  /// Continues with the reply of a handler that waited.
  func goOn(with reply: Reply, of candidate: Candidate) -> Outcome {
    asked = candidate
    if let outcome = outcome(of: reply, candidate) { return finished(outcome) }
    if let node = candidate.lastResort { return finished(askCatchAlls(after: node) ?? unhandled()) }
    if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    return run()
  }

  /// Runs one handler, without looking for candidates.
  func run(_ handler: Handler, for responder: Responder, in context: Context) -> Outcome {
    let node = walk.nodes.lastIndex { $0 === responder } ?? walk.nodes.count - 1
    let candidate = Candidate(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
    self.context = context
    asked = candidate
    tellWill(by: responder)
    let outcome = outcome(of: reply(of: handler, of: candidate, in: context), candidate)
    return finished(outcome ?? Outcome(.handled, by: responder.name))
  }

  /// Offers the action to the catch-alls after a node, because nobody else handles it.
  private func askCatchAlls(after node: Int) -> Outcome? {
    guard !options.isDelivery else { return nil }
    var last = node
    while let (node, handler) = catchAll(after: last) {
      last = node
      let candidate = candidates.resolution.lastResort(handler, at: node)
      guard !passed.contains(candidate.responder.number) else { continue }
      witness?.asked(candidate.responder.name, .unknown, reference.name, answer: .takes, place: handler.place)
      if let outcome = offer(candidate) { return outcome }
    }
    return nil
  }

  /// Returns the next catch-all after a node. The chain may have changed since the walk was made.
  private func catchAll(after last: Int) -> (node: Int, handler: Handler)? {
    guard walk.shape != dispatcher.chain.shape else { return walk.catchAlls.first { $0.node > last } }
    for node in walk.nodes.indices.dropFirst(last + 1) where !walk.nodes[node].isRemoved {
      if let handler = walk.nodes[node].hook(\.unknown) { return (node, handler) }
    }
    return nil
  }

  /// Returns the outcome if a hook failed during the search for candidates; nil otherwise.
  private func hookFailed() -> Outcome? {
    guard let hook = candidates.hookFailure else { return nil }
    if isAsDrawn, hook.failure.code != .cancelled {
      dispatcher.report(Diagnostic(hook.failure))
      return Outcome(.disabled, reason: hook.failure.asReason)
    }
    let failure = travel(hook.failure, from: hook.responder, step: hook.step)
    return Outcome(Outcome.Status(failure), error: failure)
  }

  private func unhandled() -> Outcome {
    if options.isDelivery {
      // After a wait this is the end of a job, and its URL waits again.
      guard job != nil, case .text(let url)? = options.arguments["url"] else { return Outcome(.unhandled) }
      return Outcome(.pending, reason: Dispatcher.waits(url))
    }
    if isAsDrawn { return disabledByNobody() }
    let nobody = dispatcher.unanswered(reference)
    return Outcome(.unhandled, reason: nobody.reason, elsewhere: nobody.elsewhere?.name)
  }

  private func disabledByNobody() -> Outcome {
    let nobody = dispatcher.nobody(reference, on: walk)
    return Outcome(.disabled, reason: nobody.reason, elsewhere: nobody.elsewhere?.name)
  }

  // MARK: One candidate

  /// Offers the action to a candidate, step by step. Returns nil if it passes.
  private func offer(_ candidate: Candidate) -> Outcome? {
    if let session = dispatcher.session(blocking: candidate) {
      return dispatcher.block(candidate.responder.name, via: candidate.via, by: session, options)
    }
    asked = candidate
    var stopped: Failure?
    let context = aimedContext(candidate, &stopped)
    if let stopped { return failed(stopped, candidate) }
    if isAsDrawn, candidate.isLastResort {
      // The catch-all doesn't claim the action, so the item appears disabled.
      return disabledByNobody()
    }
    let verdict = dispatcher.verdict(candidate, in: context, witness: witness, skipping: skipsValidation)
    if case .pass = verdict { return nil }
    if let outcome = lookFailed(verdict, candidate, in: context) ?? outcome(of: verdict, candidate) { return outcome }
    if let outcome = unfilled(candidate, in: context) ?? unconfirmed(candidate, in: context) { return outcome }
    options.beginning?()
    // An observer may replace the handler, but this perform still calls the old one.
    let handler = candidate.handler
    tellWill(by: candidate.responder)
    return outcome(of: reply(of: handler, of: candidate, in: context), candidate)
  }

  /// Returns the context, aimed at a candidate. Sets `stopped` if a provider spent the allowance.
  private func aimedContext(_ candidate: Candidate, _ stopped: inout Failure?) -> Context {
    if let context {
      context.takeOut()
      context.resolution = candidates.resolution
      context.aim(at: candidate.responder, action: candidate.action, prefix: candidate.prefix)
      return context
    }
    let context = dispatcher.context(of: walk, witness: witness, row: options.row, asking: options, &stopped)
    context.taker = candidate.responder
    context.resolution = candidates.resolution
    context.begin(
      options.isUsual
        ? candidate.usualRequest(candidates.resolution) : Request(candidates.resolution, candidate, options))
    self.context = context
    // `undo` and `redo` don't use the context, so a spent allowance doesn't stop them.
    if stopped != nil, candidate.handler is UndoAction { stopped = nil }
    return context
  }

  var skipsValidation: Bool {
    if options.isValidated { return candidates.resolution.leavesOut }
    return options.skipValidation || options.arguments.skipsValidation ?? candidates.resolution.leavesOut
  }

  /// Whether the checks that disable the item also prevent this perform: no handler has been called yet.
  private var isAsDrawn: Bool { options.isOfItem && toldAction == nil && !skipsValidation }

  /// Returns the outcome if the item's `look` fails, which disables the item; nil otherwise.
  private func lookFailed(_ verdict: Verdict, _ candidate: Candidate, in context: Context) -> Outcome? {
    guard isAsDrawn, let look = candidate.look else { return nil }
    switch verdict {
    case .yes, .asks:
      guard case .failure(let failure) = dispatcher.look(look, candidate, in: context, witness) else { return nil }
      return Outcome(.disabled, by: candidate.responder.name, reason: failure.asReason)
    default: return nil
    }
  }

  /// Returns the outcome if a verdict prevents the action; nil otherwise.
  private func outcome(of verdict: Verdict, _ candidate: Candidate) -> Outcome? {
    if case .yes = verdict { return nil }
    let name = candidate.responder.name
    let reason = candidate.reason(of: verdict)
    switch verdict {
    case .yes, .pass: return nil
    // A delivered URL waits until the previous one has opened.
    case .running where options.isDelivery:
      dispatcher.waitToOpen(untilEndOf: candidate)
      return Outcome(.unhandled)
    case .no where lacksChoice, .failed where lacksChoice: return choiceChanged(candidate)
    case .no, .running: return Outcome(.disabled, by: name, via: candidate.via, reason: reason)
    case .unfit(let misfit): return Outcome(.disabled, by: name, via: candidate.via, reason: reason, misfit: misfit)
    case .asks(var question):
      question.confirm = knownQuestion(candidate)
      return asks(question, candidate)
    case .failed(let failure, let misfit):
      dispatcher.report(Diagnostic(failure))
      // A spent limit concerns the whole perform, so it is the outcome's error too.
      return Outcome(
        .disabled, by: name, via: candidate.via, reason: reason, error: failure.limit == nil ? nil : failure,
        misfit: misfit)
    }
  }

  /// Returns the outcome of a handler's reply; nil if the handler passes.
  private func outcome(of reply: Reply, _ candidate: Candidate) -> Outcome? {
    switch reply {
    case .value(let result):
      var outcome = Outcome(handledBy: candidate.taker, result: result)
      outcome.onlyLooks = candidate.onlyLooks
      return outcome
    case .pass:
      toldAction = toldAction ?? candidate.action
      // The handler has forwarded the action already, and leaves the outcome to that candidate.
      guard let forwarded = context?.forwarded?.last else { return nil }
      return outcome(of: forwarded.reply, forwarded.candidate)
    case .refused(let said):
      let reason = candidate.refusal(said)
      return Outcome(.disabled, by: candidate.responder.name, via: candidate.via, reason: reason)
    case .failed(let failure) where failure.code == .script && lacksChoice: return choiceChanged(candidate)
    case .failed(let failure): return failed(failure, candidate)
    case .waiting(let suspension): return dispatcher.wait(self, of: candidate, with: suspension)
    }
  }

  private func failed(_ failure: Failure, _ candidate: Candidate) -> Outcome {
    let failure = travel(failure, from: candidate.responder, step: candidate.step(on: walk))
    return Outcome(Outcome.Status(failure), by: candidate.responder.name, via: candidate.via, error: failure)
  }

  private func reply(of handler: Handler, of candidate: Candidate, in context: Context) -> Reply {
    guard let trace else { return dispatcher.reply(of: handler, for: candidate.responder, in: context) }
    let step = trace.begins("do", candidate.action, of: candidate.responder, place: handler.place)
    let reply = dispatcher.reply(of: handler, for: candidate.responder, in: context)
    trace.ends(step, reply)
    return reply
  }

  private func travel(_ failure: Failure, from responder: Responder, step: Int) -> Failure {
    // The `failed` hooks run even if the allowance is spent: a perform from outside gets a second one, once. Postponed
    // reversals run before the hooks.
    if failure.limit != nil, let engine = dispatcher.engine, dispatcher.depth == 1 || engine.isOutermost,
      engine.isSpent || dispatcher.isTakingBackNext
    {
      engine.renewAllowance()
    }
    return dispatcher.travel(failure, from: responder, along: walk.upward(from: step), sessionsAbove: lastSession)
  }

  // MARK: Forms and confirmations

  private func asks(_ question: Outcome.Question, _ candidate: Candidate) -> Outcome {
    var question = question
    question.about = context?.choices ?? []
    if !question.arguments.isEmpty { question.rows = context.flatMap(candidate.rows) }
    return Outcome(.asks, by: candidate.responder.name, via: candidate.via, asks: question)
  }

  /// Whether the context has no rows or lines, because the question was about others.
  private var lacksChoice: Bool { context?.lacksChoice ?? false }

  /// The outcome of an action that needs the rows or lines of the question.
  private func choiceChanged(_ candidate: Candidate) -> Outcome {
    Outcome(
      .disabled, by: candidate.responder.name, via: candidate.via,
      reason: "what this was about has changed meanwhile, so nothing was done")
  }

  /// Returns the outcome if a person picks an action that shows its form, with no arguments (A13); nil otherwise.
  private func unfilled(_ candidate: Candidate, in context: Context) -> Outcome? {
    guard options.showsForm(of: candidate), let takes = candidate.takes, let request = context.request,
      request.given.isEmpty, candidates.resolution.reference.arguments == nil
    else { return nil }
    switch dispatcher.form(of: takes, candidate, in: context, besides: request.given, with: Arguments()) {
    case .failure(let failure): return outcome(of: Verdict.failed(failure), candidate)
    case .success(let fields):
      guard fields.contains(where: \.isForPeople) else {
        // The form has no fields for a person, so the defaults apply.
        _ = dispatcher.refusal(of: takes, candidate, in: context, for: .performing)
        return nil
      }
      dispatcher.reportFailures(of: fields)
      return asks(Outcome.Question(confirm: knownQuestion(candidate), arguments: fields), candidate)
    }
  }

  /// Returns the question that a person has to confirm, if known without calling a function.
  private func knownQuestion(_ candidate: Candidate) -> String? {
    guard options.asks, options.confirmed == nil else { return nil }
    return options.question ?? (candidate.confirm as? SaidConfirmation)?.text
  }

  /// Returns the outcome if a person hasn't confirmed, or has confirmed another question; nil otherwise.
  private func unconfirmed(_ candidate: Candidate, in context: Context) -> Outcome? {
    guard options.mayAskToConfirm(candidate) else { return nil }
    let question: String
    switch confirmation(candidate, in: context) {
    case .success(nil): return nil
    case .success(let text?): question = text
    case .failure(let failure): return outcome(of: Verdict.failed(failure), candidate)
    }
    if options.confirmed == false {
      return Outcome(.cancelled, reason: "'\(options.drawnTitle ?? title)' was not confirmed")
    }
    if options.confirmed == true, options.asked?.hasSameBytes(as: question) ?? true { return nil }
    return asks(Outcome.Question(confirm: question), candidate)
  }

  /// Returns the question before a candidate acts: that of its item, or else its own; nil if there is none.
  private func confirmation(_ candidate: Candidate, in context: Context) -> Result<String?, Failure> {
    if let question = options.question { return .success(question) }
    let items = context.request.map { options.itemQuestions.questions(before: $0, candidate.takes, in: context) }
    if let question = items?.same { return .success(question) }
    let own = dispatcher.confirmation(candidate, in: context)
    // Its own question is about these arguments, and that of an item perhaps about others.
    if case .success(nil) = own { return .success(items?.perhaps) }
    return own
  }

  // MARK: Telling

  /// The title for undo: the item's title, or else the action.
  var title: String { options.title ?? asked?.action ?? reference.name }

  private func tellWill(by responder: Responder) {
    guard toldAction == nil else { return }
    let action = asked?.action ?? candidates.resolution.reference.name
    toldAction = action
    if observers.isEmpty, !options.isObserved { return }
    let event = ActionEvent(.will, described(action), by: responder.name, nil, nil)
    told = event.asked
    tell(event)
  }

  /// Reports the outcome to all observers of `will`.
  func finished(_ outcome: consuming Outcome) -> Outcome {
    if outcome.status == .running { return outcome }
    context?.end()
    if dispatcher.hasRecorded {
      outcome = dispatcher.checked(outcome)
      if !outcome.status.isKept { dispatcher.takeBack() }
    }
    if let told {
      let event = ActionEvent(outcome.status == .handled ? .did : .failed, told, by: outcome.by, outcome, job)
      if outcome.status == .handled || !dispatcher.postpones(event, by: self) { tell(event) }
    }
    if outcome.status == .unhandled, !options.isDelivery { tellUnhandled(outcome) }
    return outcome
  }

  func tell(_ event: ActionEvent) {
    // An observer that spends the allowance during `will` doesn't get the end. Neither do those that missed `will`
    // because of it, even if there is an allowance by then.
    var deaf: Set<ObjectIdentifier> = []
    for observer in observers where observer.watches(event.action) {
      guard let failure = observer.notify(event) else { continue }
      if failure.limit != nil, dispatcher.engine?.isSpent == true { deaf.insert(ObjectIdentifier(observer)) }
      dispatcher.report(Diagnostic(failure))
    }
    if !deaf.isEmpty { observers = observers.filter { !deaf.contains(ObjectIdentifier($0)) } }
    options.observe?(event)
  }

  private func tellUnhandled(_ outcome: Outcome) {
    guard let listener = dispatcher.onUnhandled else { return }
    let asked = told ?? described(toldAction ?? reference.name)
    let event = ActionEvent(.failed, asked, by: nil, outcome, job)
    listener(event, dispatcher.names(near: reference))
  }

  /// Returns the request for observers, under an action's name and with secrets masked.
  private func described(_ action: String) -> ActionEvent.Asked {
    let raw = candidates.resolution.raw
    guard dispatcher.chain.hasSecrets else {
      return ActionEvent.Asked(action, raw: raw, sender: options.sender, reference.arguments, options.arguments)
    }
    return ActionEvent.Asked(
      action, raw: dispatcher.masked(raw, reference), sender: dispatcher.masked(options.sender), nil,
      dispatcher.masked(Arguments(reference.arguments, under: options.arguments), of: reference))
  }
}

extension Request {
  /// Creates the request for a candidate of a resolution.
  convenience init(_ resolution: Resolution, _ candidate: Candidate, _ options: PerformOptions) {
    self.init(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: options.givesArguments
        ? Arguments(resolution.reference.arguments, under: options.arguments) : resolution.arguments,
      info: options.info,
      sender: options.sender, modifiers: options.modifiers, subject: options.subject)
  }
}
