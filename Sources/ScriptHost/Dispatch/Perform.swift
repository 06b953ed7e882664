/// The *driver* of one perform: it goes through candidates, and through the steps of each. A plan that simply succeeds leaves it nothing
/// to do; three kinds of plan don't even begin one then.
final class Perform: StepTaker {
  // No handler or observer can reach these properties, so their accesses need no exclusivity checks.

  /// The resolution of the first candidate.
  @exclusivity(unchecked) private(set) var resolution: Resolution {
    didSet { providers = resolution.walk.providers }
  }
  /// The walk's providers, whose steps come before a candidate's. Reached through the walk, each step would retain three objects.
  @exclusivity(unchecked) private(set) var providers: [Walk.Provider]
  @exclusivity(unchecked) private(set) var options: PerformOptions
  /// The dispatcher lives as long as the host, which alone runs this.
  unowned(unsafe) let dispatcher: Dispatcher
  /// The plan of the first candidate, while that is asked; whoever runs the plan retains it until then.
  @exclusivity(unchecked) unowned(unsafe) var plan: Plan?
  /// The end that a step of Swift's came to, in a plan's run or while the context was built.
  @exclusivity(unchecked) var ended: End?
  /// Notes what the walk asks, if somebody traces.
  @exclusivity(unchecked) var witness: Witness?
  /// The trace of this perform, if somebody traces.
  @exclusivity(unchecked) var trace: Trace?
  /// The candidates after the plan's; nil until one is needed.
  @exclusivity(unchecked) var candidates: Candidates?
  @exclusivity(unchecked) var context: Context?
  /// The context of an earlier perform, to be used again: nobody else holds it.
  @exclusivity(unchecked) var spare: Context?
  /// The slot in which an engine keeps the context while a plan runs; 0 if it keeps none.
  @exclusivity(unchecked) var slot: Int32 = 0
  /// The candidate that is asked now.
  @exclusivity(unchecked) var asked: Candidate?
  /// The observers when this began, without those that could not be told of the beginning.
  @exclusivity(unchecked) var observers: [Observer]
  /// The action that observers were told will be done, or whose handler was asked and passed; nil before.
  @exclusivity(unchecked) var toldAction: String?
  /// The request as observers were told of it; nil if nobody was.
  @exclusivity(unchecked) var told: ActionEvent.Asked?
  /// The handler that observers were told of, if another was registered meanwhile; it still runs.
  @exclusivity(unchecked) var replaced: Handler?
  /// Responders whose catch-all has passed already.
  @exclusivity(unchecked) var passed: Set<Int> = []
  /// The job as which this goes on, once it has waited.
  @exclusivity(unchecked) var job: Job?
  /// The number of the last modal session opened before this began.
  var lastSession: Int

  /// A perform whose first candidate is a plan's.
  init(_ plan: Plan, _ options: PerformOptions, _ dispatcher: Dispatcher, _ watching: consuming Watching = Watching()) {
    resolution = plan.resolution
    providers = plan.resolution.walk.providers
    self.plan = plan
    self.options = options
    self.dispatcher = dispatcher
    asked = plan.candidate
    (observers, lastSession) = ([], 0)
    super.init()
    watch(watching)
  }

  @inline(__always)
  func watch(_ watching: consuming Watching) {
    observers = watching.observers
    trace = watching.trace
    lastSession = watching.lastSession
  }

  init(_ candidates: Candidates, _ options: PerformOptions, _ dispatcher: Dispatcher, observers: [Observer]) {
    resolution = candidates.resolution
    providers = candidates.resolution.walk.providers
    self.candidates = candidates
    self.options = options
    self.dispatcher = dispatcher
    self.observers = observers
    lastSession = dispatcher.chain.lastSession
  }

  /// Begins another perform of the same plan, after `rest`.
  @inline(__always)
  func begin(_ plan: Plan, _ options: PerformOptions, _ watching: consuming Watching) {
    if resolution !== plan.resolution { resolution = plan.resolution }
    if asked !== plan.candidate { asked = plan.candidate }
    self.plan = plan
    self.options = options
    watch(watching)
  }

  /// Clears what belonged to one perform; false if it did more than its plan, so that it can't be used again.
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

  var reference: Reference { resolution.reference }
  var walk: Walk { resolution.walk }

  /// Runs a plan, then asks the candidates after the plan's.
  func run(_ plan: Plan, hooksWereAsked: Bool = false) -> Outcome {
    if let session = dispatcher.session(blocking: plan.candidate) {
      return finished(block(plan.candidate, by: session))
    }
    return finish(plan.candidate, after: plan.run(self, hooksWereAsked: hooksWereAsked))
  }

  /// Goes on from the end of a plan's run.
  func finish(_ candidate: Candidate, after end: End) -> Outcome {
    if case .hookAnswers(let hookAnswers) = end {
      leavePlan()
      return dispatcher.perform(asking: resolution, after: hookAnswers, options)
    }
    return offer(candidate, after: end).map(finished) ?? goOn(after: candidate)
  }

  /// Offers the action to the candidates, one after the other.
  func run() -> Outcome {
    while let candidate = candidates?.next(witness) {
      if let outcome = offer(candidate) { return finished(outcome) }
      if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    }
    if let hookFailure = candidates?.hookFailure {
      if isAsDrawn, hookFailure.failure.code != .cancelled {
        dispatcher.report(Diagnostic(hookFailure.failure))
        return finished(Outcome(.disabled, reason: hookFailure.failure.asReason))
      }
      let failure = travel(hookFailure.failure, from: hookFailure.responder, step: hookFailure.step)
      return finished(Outcome(Outcome.Status(failure), error: failure))
    }
    return goOnWithCatchAlls(after: -1)
  }

  /// Goes on after a candidate that passed.
  func goOn(after candidate: Candidate) -> Outcome {
    if candidates != nil, let node = candidate.lastResort { return goOnWithCatchAlls(after: node) }
    if candidate.isCatchAll { passed.insert(candidate.responder.number) }
    if candidates == nil {
      witness = witness ?? trace?.witness
      candidates = Candidates(resolution, after: candidate, dispatcher: dispatcher, witness: witness)
    }
    return run()
  }

  /// Asks one handler alone, without looking for candidates.
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

  func goOnWithCatchAlls(after node: Int) -> Outcome {
    finished(askCatchAlls(after: node) ?? unhandled())
  }

  /// Takes a step of the plan that runs; false where that ended it.
  override func take(_ step: Int) -> Bool {
    guard asked != nil else { return true }
    // `asked` retains the candidate while its plan runs; a local variable would retain it again.
    let end = Unmanaged.passUnretained(asked.unsafelyUnwrapped)._withUnsafeGuaranteedRef { take(step, $0) }
    guard let end else { return true }
    ended = end
    return false
  }
}
