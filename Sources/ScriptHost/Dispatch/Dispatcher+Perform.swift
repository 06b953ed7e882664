extension Dispatcher {
  /// Performs the action that a text refers to. There is always exactly one outcome.
  @inline(__always)
  func perform(_ text: String) -> Outcome {
    guard let plan = quickPlan(text), beginAction(plan._withUnsafeGuaranteedRef({ $0.id })) else {
      return performOtherwise(text)
    }
    defer { endAction() }
    return plan._withUnsafeGuaranteedRef { plan in
      plan.begin()
      defer { plan.end() }
      let outcome = plan.run(self)
      if hasRecorded, outcome.status != .running { settle(outcome.status, plan.candidate.action) }
      return outcome
    }
  }

  /// Performs what has no quick way now, or has one only with notes.
  @inline(never)
  private func performOtherwise(_ text: String) -> Outcome {
    if state.value.isOnlyTraced, let plan = plan(of: text), let outcome = perform(plan, noting: text) { return outcome }
    return performAsking(text) ?? perform(text, PerformOptions())
  }

  func perform(_ text: String, _ options: PerformOptions) -> Outcome {
    do {
      let index = try references.index(of: text)
      let known = index.flatMap { references[$0] }
      let reference = if let known { known } else { try Reference.parse(text) }
      return perform(reference, raw: text, index: index, options)
    } catch {
      return Outcome(.failed, error: Failure(error))
    }
  }

  func perform(
    _ reference: Reference, raw: String, index: Int?, _ options: PerformOptions, witness: Witness? = nil
  ) -> Outcome {
    if let misuse = stranger(options) ?? whileAskingMisuse("'\(reference.id)' can't be performed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if state.value.isWatched { deliverWaitingURLs() }
    guard beginAction(reference.id) else { return nestedTooDeep(reference.id) }
    defer { endAction() }  // whatever comes of it
    return perform(reference, begun: raw, index: index, options, witness: witness)
  }

  /// Performs an action that was begun.
  private func perform(
    _ reference: Reference, begun raw: String, index: Int?, _ options: PerformOptions, witness: Witness?
  ) -> Outcome {
    engine?.beginAllowance()
    let trace = beginTrace(raw, options)
    let witness = witness ?? trace?.witness
    let walk = walk(options)
    // Kept for the next time, which may go the quick way.
    if trace != nil { _ = resolution(reference, raw: raw, index: index, on: walk) }
    let candidates = Candidates(reference, raw: raw, index: index, on: walk, dispatcher: self, witness: witness)
    var perform = Perform(
      reference, raw: raw, options: options, walk: walk, candidates: candidates, dispatcher: self, witness: witness)
    perform.trace = trace
    let outcome = perform.run()
    engine?.endAllowance()
    if let trace { leave(trace, outcome) }
    if hasRecorded, outcome.status != .running { settle(outcome.status, perform.title) }
    return outcome
  }

  private func nestedTooDeep(_ action: String) -> Outcome {
    let actions = waitingActions + performing + [action]
    let sentence = "performs are nested more than \(Self.nestingLimit) deep"
    return Outcome(.failed, error: Failure(.nesting, "\(sentence): \(Self.described(actions))"))
  }

  /// Which actions perform each other: the circle where there is one, else all.
  private static func described(_ actions: [String]) -> String {
    let length = (1...actions.count / 3).first { length in
      actions.suffix(3 * length).enumerated().allSatisfy { index, action in
        action.hasSameBytes(as: actions[actions.count - 3 * length + index % length])
      }
    }
    guard let length else { return actions.joined(separator: " → ") }
    let circle = actions.suffix(length)
    let shown = (circle.prefix(8) + (length > 8 ? ["…"] : []) + circle.prefix(1)).joined(separator: " → ")
    if length > 1 { return "\(shown); they perform each other without an end" }
    return "\(shown); 'ctx:forward()' performs what the next responder has for it, 'ctx:super()' what the class has"
  }
}

extension Failure {
  /// A reference that can't be read.
  init(_ error: ReferenceError) {
    self.init(.reference, error.message)
    place = Place(file: "reference", line: 1, column: error.column)
    text = error.excerpt.line
  }
}

/// One perform under way.
struct Perform {
  let reference: Reference
  let raw: String
  let options: PerformOptions
  let walk: Walk
  private var candidates: Candidates
  unowned let dispatcher: Dispatcher
  let witness: Witness?
  /// What notes how it goes, where somebody traces.
  var trace: Trace?
  private var context: Context?
  /// Those who are told, as they were when it began.
  private var observers: [Observer] = []
  /// Those who were told that it would be done, and under which name; they hear of its end.
  private var told: (observers: [Observer], action: String)?
  /// Responders that said already that they don't take what they claim.
  private var passed: Set<Int> = []
  /// As which it goes on, once it has waited.
  var job: PerformJob?
  /// The last modal session that was opened before.
  private var lastSession: Int

  init(
    _ reference: Reference, raw: String, options: PerformOptions, walk: Walk, candidates: Candidates,
    dispatcher: Dispatcher, witness: Witness?, observers: [Observer]? = nil
  ) {
    self.reference = reference
    self.raw = raw
    self.options = options
    self.walk = walk
    self.candidates = candidates
    self.dispatcher = dispatcher
    self.witness = witness
    self.observers = observers ?? dispatcher.observers
    lastSession = dispatcher.chain.lastSession
  }

  private var arguments: Arguments { Arguments(reference.arguments).merging(options.arguments) }

  private var skipsValidation: Bool {
    options.skipValidation || arguments["skip_validation"]?.isOn ?? false
  }

  mutating func run() -> Outcome {
    while let candidate = candidates.next(witness) {
      if let outcome = offer(candidate) { return finished(outcome) }
      if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    }
    if let trouble = candidates.trouble {
      let failure = travel(trouble.failure, from: trouble.responder, step: trouble.step)
      return finished(Outcome(.failed, error: failure))
    }
    return goOnWithCatchAlls(after: -1)
  }

  private mutating func goOnWithCatchAlls(after node: Int) -> Outcome {
    // Not in one expression with `finished`, which would see this perform as it was before they were asked.
    let outcome = askCatchAlls(after: node) ?? unhandled()
    return finished(outcome)
  }

  /// Goes on where the quick way ended, at who was asked first.
  mutating func goOn(after end: QuickEnd, _ first: Candidate) -> Outcome {
    // No session was open when it was begun.
    lastSession = job?.hasSession ?? true ? 0 : dispatcher.chain.lastSession
    switch end {
    case .failed(let failure):
      return fail(failure, of: first.responder, via: first.via, step: first.step(on: walk))
    case .waiting(let suspension): return wait(suspension, Asked(first, on: walk))
    case .passed(let built):
      if let built {
        built.request = request(action: first.action, prefix: first.prefix)
        context = built
      }
      if first.isCatchAll { passed.insert(first.responder.number) }
      return run()
    }
  }

  // MARK: A candidate

  /// Has a candidate do it; nil when it passes.
  private mutating func offer(_ candidate: Candidate) -> Outcome? {
    if let session = dispatcher.session(blocking: candidate) {
      return dispatcher.block(candidate.responder.name, via: candidate.via, by: session, options)
    }
    let context = prepare(action: candidate.action, prefix: candidate.prefix, for: candidate.responder)
    switch dispatcher.verdict(candidate, in: context, witness: witness, skipping: skipsValidation) {
    case .pass: return nil
    case .yes: break
    case .running: return running(candidate.responder, candidate.via)
    case .unfit(let misfit):
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: misfit.reason, misfit: misfit)
    case .asks(var question):
      question.confirm = knownQuestion(candidate)
      return Outcome(.asks, by: candidate.responder.name, via: candidate.via, asks: question)
    case .no(let reason):
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: candidate.reason(reason))
    case .failed(let failure):
      dispatcher.report(Diagnostic(failure))
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: "error: \(failure.message)")
    }
    return unconfirmed(candidate, in: context) ?? ask(Asked(candidate, on: walk), in: context)
  }

  /// What a person is to confirm, as far as it is known without asking anybody.
  private func knownQuestion(_ candidate: Candidate) -> String? {
    guard options.asks, options.confirmed == nil else { return nil }
    return options.question ?? (candidate.confirm as? SaidConfirmation)?.text
  }

  /// What comes of it where a person has to confirm it, and hasn't.
  private func unconfirmed(_ candidate: Candidate, in context: Context) -> Outcome? {
    guard options.asks, options.confirmed != true else { return nil }
    let name = candidate.responder.name
    let question: String
    switch options.question.map({ .success($0) }) ?? dispatcher.confirmation(candidate, in: context) {
    case .success(nil): return nil
    case .success(let text?): question = text
    case .failure(let failure):
      dispatcher.report(Diagnostic(failure))
      return Outcome(.disabled, by: name, via: candidate.via, reason: "error: \(failure.message)")
    }
    if options.confirmed == false {
      return Outcome(.cancelled, reason: "'\(options.drawnTitle ?? title)' was not confirmed")
    }
    return Outcome(.asks, by: name, via: candidate.via, asks: Outcome.Question(confirm: question))
  }

  /// Asks a handler to do it; nil when it passes.
  private mutating func ask(_ asked: Asked, in context: Context) -> Outcome? {
    options.beginning?()
    tellWill(by: asked.responder)
    guard let trace else { return outcome(of: asked.handler.perform(for: asked.responder, in: context), asked) }
    let step = trace.begins("do", asked.action, of: asked.responder, place: asked.handler.place)
    let reply = asked.handler.perform(for: asked.responder, in: context)
    trace.ends(step, reply)
    return outcome(of: reply, asked)
  }

  /// What a handler's reply comes to; nil when it passes.
  private mutating func outcome(of reply: Reply, _ asked: Asked) -> Outcome? {
    let name = asked.responder.name
    switch reply {
    case .value(let result): return Outcome(.handled, by: name, via: asked.via, result: result)
    case .pass: return nil
    case .refused(let said):
      return Outcome(.disabled, by: name, via: asked.via, reason: said.isEmpty ? "'\(name)' refuses it" : said)
    case .failed(let failure): return fail(failure, of: asked.responder, via: asked.via, step: asked.step)
    case .waiting(let suspension): return wait(suspension, asked)
    }
  }

  /// A handler waits: this goes on as a job.
  private mutating func wait(_ suspension: Suspension, _ asked: Asked) -> Outcome {
    let job = job ?? PerformJob(dispatcher, Job.Subject(asked), taker: asked.taker)
    job.hasSession = job.hasSession || dispatcher.chain.lastSession > lastSession
    job.keep(self, asked)
    job.trace = trace
    let outcome = dispatcher.wait(job, suspension)
    if outcome.status != .running { job.letGo() }
    return outcome
  }

  /// Goes on with the reply of a handler that waited.
  mutating func goOn(with reply: Reply, of asked: Asked) -> Outcome {
    if job?.hasSession == false { lastSession = dispatcher.chain.lastSession }
    if let outcome = outcome(of: reply, asked) { return finished(outcome) }
    if let node = asked.lastResort { return goOnWithCatchAlls(after: node) }
    if asked.isCatchAll { passed.insert(asked.responder.number) }
    return run()
  }

  private func running(_ responder: Responder, _ via: Outcome.Via) -> Outcome {
    Outcome(.disabled, by: responder.name, via: via, reason: Dispatcher.running)
  }

  /// Lets a failure travel up; what is left of it is the outcome.
  private func fail(_ failure: Failure, of responder: Responder, via: Outcome.Via, step: Int) -> Outcome {
    let failure = travel(failure, from: responder, step: step)
    return Outcome(failure.code == .cancelled ? .cancelled : .failed, by: responder.name, via: via, error: failure)
  }

  private func travel(_ failure: Failure, from responder: Responder, step: Int) -> Failure {
    dispatcher.travel(failure, from: responder, along: walk.upward(from: step), sessionsAbove: lastSession)
  }

  // MARK: Catch-alls

  private mutating func askCatchAlls(after node: Int) -> Outcome? {
    guard !options.isDelivery else { return nil }
    var last = node
    while let (node, handler) = catchAll(after: last) {
      last = node
      let responder = walk.nodes[node]
      guard !passed.contains(responder.number) else { continue }
      if let session = dispatcher.session(blocking: responder) {
        return dispatcher.block(responder.name, via: .unknown, by: session, options)
      }
      if dispatcher.isRunning(handler, reference.name, of: responder) { return running(responder, .unknown) }
      witness?.asked(responder.name, .unknown, reference.name, answer: .takes, place: handler.place)
      let context = prepare(action: reference.name, prefix: reference.prefix, for: responder)
      if let question = options.question, options.confirmed != true {
        if options.confirmed == false {
          return Outcome(.cancelled, reason: "'\(options.drawnTitle ?? title)' was not confirmed")
        }
        return Outcome(.asks, by: responder.name, via: .unknown, asks: Outcome.Question(confirm: question))
      }
      let asked = Asked(lastResort: handler, of: responder, action: reference.name, node: node)
      if let outcome = ask(asked, in: context) { return outcome }
    }
    return nil
  }

  /// The next catch-all as things stand now, which need not be how they were when the walk was made.
  private func catchAll(after last: Int) -> (node: Int, handler: Handler)? {
    guard walk.shape != dispatcher.chain.shape else { return walk.catchAlls.first { $0.node > last } }
    for node in walk.nodes.indices.dropFirst(last + 1) where !walk.nodes[node].isRemoved {
      if let handler = walk.nodes[node].hook(\.unknown) { return (node, handler) }
    }
    return nil
  }

  private func unhandled() -> Outcome {
    if options.isDelivery { return Outcome(.unhandled) }
    let hint = dispatcher.hint(forUnanswered: reference.name)
    return Outcome(.unhandled, reason: "nobody answers '\(reference.name)'\(hint)")
  }

  // MARK: The context, built once

  private mutating func prepare(action: String, prefix: String, for responder: Responder) -> Context {
    if let context {
      context.takeOut()
      context.aim(at: responder, action: action, prefix: prefix)
    }
    let context = context ?? build(action: action, prefix: prefix, for: responder)
    context.resolution = candidates.resolution
    return context
  }

  private mutating func build(action: String, prefix: String, for responder: Responder) -> Context {
    let built = dispatcher.context(of: walk, witness: witness)
    built.taker = responder
    built.begin(request(action: action, prefix: prefix))
    context = built
    return built
  }

  private func request(action: String, prefix: String) -> Request {
    Request(
      raw: raw, action: action, prefix: prefix, arguments: arguments, info: options.info, sender: options.sender,
      modifiers: options.modifiers, subject: options.subject)
  }

  /// What a person calls what was done, where nobody said: the item's title, else the action.
  var title: String {
    if case .item(_, let title, _, _) = options.sender { return title }
    return context?.request?.action ?? reference.name
  }

  // MARK: Observers

  private mutating func tellWill(by responder: Responder) {
    guard told == nil else { return }
    let action = context?.request?.action ?? reference.name
    told = (observers.filter { $0.pattern.matches(action) }, action)
    tell(.will, by: responder.name, nil)
  }

  /// Tells what came of it to everyone who was told that it would come.
  func finished(_ outcome: Outcome) -> Outcome {
    if outcome.status == .running { return outcome }
    if dispatcher.hasRecorded, !outcome.status.isKept { dispatcher.takeBack() }
    if told != nil { tell(outcome.status == .handled ? .did : .failed, by: outcome.by, outcome) }
    if outcome.status == .unhandled, !options.isDelivery { tellUnhandled(outcome) }
    return outcome
  }

  private func tell(_ stage: ActionEvent.Stage, by name: String?, _ outcome: Outcome?) {
    guard let told, !told.observers.isEmpty || options.observe != nil else { return }
    let event = event(stage, by: name, outcome)
    for observer in told.observers where !observer.owner.isGone {
      if let failure = observer.notify(event) { dispatcher.report(Diagnostic(failure)) }
    }
    options.observe?(event)
  }

  private func tellUnhandled(_ outcome: Outcome) {
    guard let listener = dispatcher.onUnhandled else { return }
    listener(event(.failed, by: nil, outcome), dispatcher.knownNames(near: reference.name))
  }

  private func event(_ stage: ActionEvent.Stage, by name: String?, _ outcome: Outcome?) -> ActionEvent {
    ActionEvent(
      stage: stage, action: told?.action ?? reference.name, raw: raw, arguments: arguments, by: name, outcome: outcome,
      job: job)
  }
}
