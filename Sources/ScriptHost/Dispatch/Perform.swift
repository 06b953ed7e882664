/// Who watches a perform, as that was when it began.
struct Watching {
  var observers: [Observer] = []
  var trace: Trace?
  /// The last modal session that was opened before; 0 where none was open.
  var lastSession = 0

  /// Nobody.
  init() {}

  init(_ observers: [Observer], _ chain: Chain, _ trace: Trace? = nil) {
    self.observers = observers
    self.trace = trace
    lastSession = chain.lastSession
  }
}

/// One perform under way: the *driver*. It goes through the candidates, and through the steps of each; every perform goes through it, but
/// where a plan's run simply did it there is nothing left to do.
final class Perform: StepTaker {
  // Nothing that is asked or told finds what it holds, so no access to that needs to be watched.

  /// Of the first candidate.
  private var resolution: Resolution
  @exclusivity(unchecked) private(set) var options: PerformOptions
  /// It lives as long as the host, which alone has this go on.
  private unowned(unsafe) let dispatcher: Dispatcher
  /// The plan of the first candidate, as long as that is asked: it is marked as running until then.
  private(set) unowned(unsafe) var plan: Plan?
  /// What a step ended the run of the plan with.
  private(set) var ended: End?
  /// Watches the walk, where somebody explains or traces.
  var witness: Witness?
  /// What notes how it goes, where somebody traces.
  var trace: Trace?
  /// Those who come after the first; nil until one is wanted.
  private var candidates: Candidates?
  @exclusivity(unchecked) private var context: Context?
  /// That of another perform, which nobody has any more.
  @exclusivity(unchecked) private var spare: Context?
  /// Where an engine keeps the context as long as a plan runs; 0 where it doesn't.
  var slot: Int32 = 0
  /// Who is asked now.
  private(set) var asked: Candidate?
  /// Those who are told, as they were when it began.
  @exclusivity(unchecked) private var observers: [Observer]
  /// The action of which it was told that it would be done, or whose handler was asked; nil before.
  private var toldAction: String?
  /// What they were told who hear of its end; nil where there is nobody.
  @exclusivity(unchecked) private var told: ActionEvent.Asked?
  /// Who would do it when they were told, where another has taken the place since.
  private var replaced: Handler?
  /// Responders that said already that they don't take what they claim.
  private var passed: Set<Int> = []
  /// As which it goes on, once it has waited.
  var job: Job?
  /// The last modal session that was opened before.
  var lastSession: Int

  /// A perform whose first candidate is a plan's.
  init(_ plan: Plan, _ options: PerformOptions, _ dispatcher: Dispatcher, _ watching: Watching = Watching()) {
    resolution = plan.resolution
    self.plan = plan
    self.options = options
    self.dispatcher = dispatcher
    asked = plan.candidate
    (observers, lastSession) = ([], 0)
    super.init()
    watch(watching)
  }

  @inline(__always)
  private func watch(_ watching: Watching) {
    observers = watching.observers
    trace = watching.trace
    lastSession = watching.lastSession
  }

  init(_ candidates: Candidates, _ options: PerformOptions, _ dispatcher: Dispatcher, observers: [Observer]) {
    resolution = candidates.resolution
    self.candidates = candidates
    self.options = options
    self.dispatcher = dispatcher
    self.observers = observers
    lastSession = dispatcher.chain.lastSession
  }

  /// Begins another perform of the same plan, once this rested.
  @inline(__always)
  func begin(_ plan: Plan, _ options: PerformOptions, _ watching: Watching) {
    if resolution !== plan.resolution { resolution = plan.resolution }
    if asked !== plan.candidate { asked = plan.candidate }
    self.plan = plan
    self.options = options
    watch(watching)
  }

  /// Lets go of what was one perform's; whether it did nothing but what its plan says.
  @inline(__always)
  func rest() -> Bool {
    guard plan != nil, candidates == nil, witness == nil, trace == nil, job == nil, ended == nil, replaced == nil,
      passed.isEmpty
    else { return false }
    if var own = context.take(), isKnownUniquelyReferenced(&own), own.rest() { spare = own }
    toldAction = nil
    told = nil
    options = PerformOptions()
    observers = []
    slot = 0
    return true
  }

  private var reference: Reference { resolution.reference }
  private var walk: Walk { resolution.walk }

  private var arguments: Arguments { Arguments(reference.arguments).merging(options.arguments) }

  private var skipsValidation: Bool {
    if options.isValidated { return resolution.leavesOut }
    return options.skipValidation || options.arguments["skip_validation"]?.isOn ?? resolution.leavesOut
  }

  /// Whether somebody wants to be told before a candidate's handler is asked, or has to confirm it.
  func tells(_ candidate: Candidate) -> Bool {
    toldAction == nil && (!observers.isEmpty || !options.isSilent(for: candidate))
  }

  /// Has a plan's candidate do it, then those who come after it.
  func run(_ plan: Plan, isHeard: Bool = false) -> Outcome {
    if let session = dispatcher.session(blocking: plan.candidate) {
      return finished(block(plan.candidate, by: session))
    }
    return finish(plan.candidate, after: plan.run(self, isHeard: isHeard))
  }

  /// Goes on with what the run of a plan came to.
  func finish(_ candidate: Candidate, after end: End) -> Outcome {
    if case .heard(let heard) = end {
      leavePlan()
      return dispatcher.perform(asking: resolution, after: heard, options)
    }
    return offer(candidate, after: end).map(finished) ?? goOn(after: candidate)
  }

  /// Has the candidates do it, one after the other.
  func run() -> Outcome {
    while let candidate = candidates?.next(witness) {
      if let outcome = offer(candidate) { return finished(outcome) }
      if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    }
    if let trouble = candidates?.trouble {
      if options.isOfItem, toldAction == nil, !skipsValidation {
        dispatcher.report(Diagnostic(trouble.failure))
        return finished(Outcome(.disabled, reason: "error: \(trouble.failure.message)"))
      }
      let failure = travel(trouble.failure, from: trouble.responder, step: trouble.step)
      return finished(Outcome(.failed, error: failure))
    }
    return goOnWithCatchAlls(after: -1)
  }

  /// Goes on after a candidate that passed.
  private func goOn(after candidate: Candidate) -> Outcome {
    if candidates != nil, let node = candidate.lastResort { return goOnWithCatchAlls(after: node) }
    if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    if candidates == nil {
      witness = witness ?? trace?.witness
      candidates = Candidates(resolution, after: candidate, dispatcher: dispatcher, witness: witness)
    }
    return run()
  }

  /// Asks one handler alone, for no reference of anybody's.
  func run(_ handler: Handler, for responder: Responder, in context: Context) -> Outcome {
    let node = walk.nodes.lastIndex { $0 === responder } ?? walk.nodes.count - 1
    let candidate = Candidate(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
    self.context = context
    asked = candidate
    tellWill(by: responder)
    let end = End(reply(of: handler, of: candidate, in: context))
    let outcome = self.outcome(of: end, candidate)
    return finished(outcome ?? Outcome(.handled, by: responder.name))
  }

  private func goOnWithCatchAlls(after node: Int) -> Outcome {
    finished(askCatchAlls(after: node) ?? unhandled())
  }

  // MARK: A candidate

  /// Has a candidate do it, step by step, from where a run of its plan has come to; nil when it passes.
  private func offer(_ candidate: Candidate, after begun: End? = nil) -> Outcome? {
    if begun == nil, let session = dispatcher.session(blocking: candidate) { return block(candidate, by: session) }
    asked = candidate
    var end = begun ?? firstEnd(candidate)
    while case .step(let step) = end { end = take(step, candidate) ?? .step(step + 1) }
    if plan != nil, let notes = trace?.quick { notes.end = QuickNotes.End(end) }
    if case .passed = end { _ = laidContext(candidate) }
    leavePlan()
    return outcome(of: end, candidate)
  }

  private func block(_ candidate: Candidate, by session: ModalSession) -> Outcome {
    dispatcher.block(candidate.responder.name, via: candidate.via, by: session, options)
  }

  private func leavePlan() {
    if slot != 0 { plan?.leave(slot) }
    slot = 0
    plan = nil
  }

  private func firstEnd(_ candidate: Candidate) -> End {
    guard let context else { return .step(walk.providers.count + Step.lay) }
    context.takeOut()
    context.aim(at: candidate.responder, action: candidate.action, prefix: candidate.prefix)
    context.resolution = candidates?.resolution ?? resolution
    return .step(walk.providers.count + Step.ask)
  }

  /// Takes a step of the plan that runs; false where that ended it.
  override func take(_ step: Int) -> Bool {
    guard let asked, let end = take(step, asked) else { return true }
    ended = end
    return false
  }

  /// Takes a step of Swift's; nil where the next may come.
  private func take(_ step: Int, _ candidate: Candidate) -> End? {
    let count = walk.providers.count
    switch step - count {
    case ..<Step.lay: dispatcher.provide(step, of: walk, into: suppliedContext, witness)
    case Step.lay: lay(candidate)
    case Step.ask:
      if let reason = drawnDisabled(candidate) { return .ended(Outcome(.disabled, reason: reason)) }
      let context = laidContext(candidate)
      let verdict = dispatcher.verdict(candidate, in: context, witness: witness, skipping: skipsValidation)
      return drawn(End(verdict), candidate, in: context)
    case Step.tell:
      if let outcome = unconfirmed(candidate) { return .ended(outcome) }
      let handler = candidate.handler
      options.beginning?()
      tellWill(by: candidate.responder)
      // Who is told may put another in its place, which is asked the next time.
      if candidate.handler !== handler {
        replaced = handler
        return .step(count + Step.act)
      }
    default: return End(reply(of: replaced ?? candidate.handler, of: candidate, in: laidContext(candidate)))
    }
    return nil
  }

  /// Why an item is disabled that a catch-all would do: what nobody claims is drawn so.
  private func drawnDisabled(_ candidate: Candidate) -> String? {
    guard options.isOfItem, candidate.isLastResort, toldAction == nil, !skipsValidation else { return nil }
    return dispatcher.nobody(reference.name, on: walk)
  }

  /// The end of a question, or that an item is disabled which can't be drawn.
  private func drawn(_ end: End?, _ candidate: Candidate, in context: Context) -> End? {
    guard options.isOfItem, let look = candidate.look, !skipsValidation else { return end }
    switch end {
    case nil, .asks:
      guard case .failure(let failure) = dispatcher.look(look, candidate, in: context, witness) else { return end }
      return .ended(Outcome(.disabled, by: candidate.responder.name, reason: "error: \(failure.message)"))
    default: return end
    }
  }

  /// What a person is to confirm, as far as it is known without asking anybody.
  private func knownQuestion(_ candidate: Candidate) -> String? {
    guard options.asks, options.confirmed == nil else { return nil }
    return options.question ?? (candidate.confirm as? SaidConfirmation)?.text
  }

  /// What comes of it where a person has to confirm it, and hasn't.
  private func unconfirmed(_ candidate: Candidate) -> Outcome? {
    guard options.asks, options.confirmed != true, options.question != nil || candidate.confirm != nil else {
      return nil
    }
    let name = candidate.responder.name
    let question: String
    switch options.question.map({ .success($0) })
      ?? dispatcher.confirmation(candidate, in: laidContext(candidate))
    {
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

  private func reply(of handler: Handler, of candidate: Candidate, in context: Context) -> Reply {
    guard let trace else { return handler.perform(for: candidate.responder, in: context) }
    let step = trace.begins("do", candidate.action, of: candidate.responder, place: handler.place)
    let reply = handler.perform(for: candidate.responder, in: context)
    trace.ends(step, reply)
    return reply
  }

  /// What the end of its steps comes to, the one place where that is told; nil when a candidate passes.
  private func outcome(of end: End, _ candidate: Candidate) -> Outcome? {
    func disabled(_ reason: String) -> Outcome {
      Outcome(.disabled, by: candidate.responder.name, via: candidate.via, reason: reason)
    }
    switch end {
    case .did(let result): return Outcome(handledBy: candidate.taker, result: result)
    case .passed(let byHandler):
      if byHandler, toldAction == nil { toldAction = candidate.action }
      return nil
    case .lacks(let reason): return disabled(reason)
    case .no(let said): return disabled(candidate.reason(said))
    case .running: return disabled(Dispatcher.running)
    case .unfit(let misfit):
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: misfit.reason, misfit: misfit)
    case .asks(var question):
      question.confirm = knownQuestion(candidate)
      return Outcome(.asks, by: candidate.responder.name, via: candidate.via, asks: question)
    case .ended(let outcome): return outcome
    case .canFailed(let failure):
      dispatcher.report(Diagnostic(failure))
      var outcome = disabled("error: \(failure.message)")
      // That it spent what it may is a fact of the perform, not of what was asked.
      if failure.limit != nil { outcome.error = failure }
      return outcome
    case .refused(let said): return disabled(candidate.refusal(said))
    case .stopped(let failure), .failed(let failure):
      let failure = travel(failure, from: candidate.responder, step: candidate.step(on: walk))
      let status: Outcome.Status = failure.code == .cancelled ? .cancelled : .failed
      return Outcome(status, by: candidate.responder.name, via: candidate.via, error: failure)
    case .waits(let suspension): return dispatcher.wait(self, of: candidate, with: suspension)
    case .step, .heard: return nil
    }
  }

  /// Goes on with the reply of a handler that waited, or was asked before this began.
  func goOn(with reply: Reply, of candidate: Candidate) -> Outcome {
    leavePlan()
    asked = candidate
    if let outcome = outcome(of: End(reply), candidate) { return finished(outcome) }
    return goOn(after: candidate)
  }

  private func travel(_ failure: Failure, from responder: Responder, step: Int) -> Failure {
    dispatcher.travel(failure, from: responder, along: walk.upward(from: step), sessionsAbove: lastSession)
  }

  // MARK: Catch-alls

  private func askCatchAlls(after node: Int) -> Outcome? {
    guard !options.isDelivery else { return nil }
    var last = node
    while let (node, handler) = catchAll(after: last) {
      last = node
      let candidate = Candidate(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
      guard !passed.contains(candidate.responder.number) else { continue }
      witness?.asked(candidate.responder.name, .unknown, reference.name, answer: .takes, place: handler.place)
      if let outcome = offer(candidate) { return outcome }
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
    if options.isOfItem, toldAction == nil, !skipsValidation {
      return Outcome(.disabled, reason: dispatcher.nobody(reference.name, on: walk))
    }
    let hint = dispatcher.hint(forUnanswered: reference.name)
    return Outcome(.unhandled, reason: "nobody answers '\(reference.name)'\(hint)")
  }

  // MARK: The context, built once

  /// The context as Swift sees it: that of a plan that runs, or one that is built here.
  private var suppliedContext: Context {
    if let context { return context }
    let known = slot == 0 ? nil : plan?.context(at: slot, spare.take())
    let made = known ?? dispatcher.context(of: walk, witness: witness)
    context = made
    return made
  }

  /// The same, where what is asked lies in it already.
  private func laidContext(_ candidate: Candidate) -> Context {
    let context = suppliedContext
    if context.request == nil { adopt(context, of: candidate) }
    return context
  }

  /// Takes a context that was built already, and in which what a candidate is asked lies.
  func adopt(_ built: Context, of candidate: Candidate) {
    guard context == nil || context === built else { return }
    built.request = request(candidate)
    // One that is used again has them: to count who holds what takes longer than to look.
    if built.undoObject !== dispatcher.undo { built.undoObject = dispatcher.undo }
    if built.takerObject !== candidate.responder { built.takerObject = candidate.responder }
    if built.resolutionObject !== resolution { built.resolutionObject = resolution }
    built.group = Context.handlers
    context = built
  }

  /// Lays what is asked over what was supplied.
  private func lay(_ candidate: Candidate) {
    let context = suppliedContext
    context.undoObject = dispatcher.undo
    context.taker = candidate.responder
    context.resolution = candidates?.resolution ?? resolution
    context.begin(request(candidate))
  }

  private func request(_ candidate: Candidate) -> Request {
    if let plan { return plan.request(options) }
    return Request(resolution, candidate, options)
  }

  /// What a person calls what was done, where nobody said: the item's title, else the action.
  var title: String {
    options.title ?? asked?.action ?? reference.name
  }

  // MARK: Observers

  private func tellWill(by responder: Responder) {
    guard toldAction == nil else { return }
    let action = asked?.action ?? reference.name
    toldAction = action
    if observers.isEmpty, options.observe == nil { return }
    told = described(action)
    tell(.will, by: responder.name, nil)
  }

  /// Tells what came of it to everyone who was told that it would come.
  func finished(_ outcome: consuming Outcome) -> Outcome {
    if outcome.status == .running { return outcome }
    if dispatcher.hasRecorded {
      outcome = dispatcher.checked(outcome)
      if !outcome.status.isKept { dispatcher.takeBack() }
    }
    tell(outcome.status == .handled ? .did : .failed, by: outcome.by, outcome)
    if outcome.status == .unhandled, !options.isDelivery { tellUnhandled(outcome) }
    return outcome
  }

  private func tell(_ stage: ActionEvent.Stage, by name: String?, _ outcome: Outcome?) {
    guard let told else { return }
    let event = ActionEvent(stage, told, by: name, outcome, job)
    for index in observers.indices {
      // It is held by the list: to hold it once more takes as long as to tell it.
      Unmanaged.passUnretained(observers[index])._withUnsafeGuaranteedRef { observer in
        guard observer.watches(event.action) else { return }
        if let failure = observer.notify(event) { dispatcher.report(Diagnostic(failure)) }
      }
    }
    options.observe?(event)
  }

  private func tellUnhandled(_ outcome: Outcome) {
    guard let listener = dispatcher.onUnhandled else { return }
    let event = ActionEvent(.failed, told ?? described(toldAction ?? reference.name), by: nil, outcome, job)
    listener(event, dispatcher.knownNames(near: reference.name))
  }

  /// What is asked, as it is told under a name.
  private func described(_ action: String) -> ActionEvent.Asked {
    guard dispatcher.chain.hasSecrets else {
      if let plan, options.isUsual { return plan.usualAsked }
      return ActionEvent.Asked(
        action, raw: resolution.raw, sender: options.sender, reference.arguments, options.arguments)
    }
    return ActionEvent.Asked(
      action, raw: dispatcher.masked(resolution.raw, reference), sender: dispatcher.masked(options.sender), nil,
      dispatcher.masked(arguments, of: reference))
  }
}

extension Request {
  /// What a candidate is asked that a resolution came to.
  convenience init(_ resolution: Resolution, _ candidate: Candidate, _ options: PerformOptions) {
    self.init(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: Arguments(resolution.reference.arguments).merging(options.arguments), info: options.info,
      sender: options.sender, modifiers: options.modifiers, subject: options.subject)
  }
}
