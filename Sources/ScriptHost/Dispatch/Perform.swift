/// One perform under way: the *driver*. It goes through the candidates, and through the steps of each; every perform goes through it, but
/// where a plan's run simply did it there is nothing left to do.
final class Perform: StepTaker {
  // Nothing that is asked or told finds what it holds, so no access to that needs to be watched.

  /// Of the first candidate.
  @exclusivity(unchecked) private(set) var resolution: Resolution {
    didSet { providers = resolution.walk.providers }
  }
  /// The providers of its walk, whose steps come before those of a candidate. By way of the walk each step would hold three objects.
  @exclusivity(unchecked) private(set) var providers: [Walk.Provider]
  @exclusivity(unchecked) private(set) var options: PerformOptions
  /// It lives as long as the host, which alone has this go on.
  unowned(unsafe) let dispatcher: Dispatcher
  /// The plan of the first candidate, as long as that is asked: whoever runs it holds it until then.
  @exclusivity(unchecked) unowned(unsafe) var plan: Plan?
  /// What a step ended it with, of a plan's run or of building the context.
  @exclusivity(unchecked) var ended: End?
  /// Watches the walk, where somebody explains or traces.
  @exclusivity(unchecked) var witness: Witness?
  /// What notes how it goes, where somebody traces.
  @exclusivity(unchecked) var trace: Trace?
  /// Those who come after the first; nil until one is wanted.
  @exclusivity(unchecked) var candidates: Candidates?
  @exclusivity(unchecked) var context: Context?
  /// That of another perform, which nobody has any more.
  @exclusivity(unchecked) var spare: Context?
  /// Where an engine keeps the context as long as a plan runs; 0 where it doesn't.
  @exclusivity(unchecked) var slot: Int32 = 0
  /// Who is asked now.
  @exclusivity(unchecked) var asked: Candidate?
  /// Those who are told, as they were when it began, without those who couldn't hear that it would be done.
  @exclusivity(unchecked) var observers: [Observer]
  /// The action of which it was told that it would be done, or whose handler was asked; nil before.
  @exclusivity(unchecked) var toldAction: String?
  /// What is asked, as they were told who hear of its end; nil where there is nobody.
  @exclusivity(unchecked) var told: ActionEvent.Asked?
  /// Who would do it when they were told, where another has taken the place since.
  @exclusivity(unchecked) var replaced: Handler?
  /// Responders that said already that they don't take what they claim.
  @exclusivity(unchecked) var passed: Set<Int> = []
  /// As which it goes on, once it has waited.
  @exclusivity(unchecked) var job: Job?
  /// The last modal session that was opened before.
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

  /// Begins another perform of the same plan, once this rested.
  @inline(__always)
  func begin(_ plan: Plan, _ options: PerformOptions, _ watching: consuming Watching) {
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

  var reference: Reference { resolution.reference }
  var walk: Walk { resolution.walk }

  /// Has a plan's candidate do it, then those who come after it.
  func run(_ plan: Plan, hooksWereAsked: Bool = false) -> Outcome {
    if let session = dispatcher.session(blocking: plan.candidate) {
      return finished(block(plan.candidate, by: session))
    }
    return finish(plan.candidate, after: plan.run(self, hooksWereAsked: hooksWereAsked))
  }

  /// Goes on with what the run of a plan came to.
  func finish(_ candidate: Candidate, after end: End) -> Outcome {
    if case .hookAnswers(let hookAnswers) = end {
      leavePlan()
      return dispatcher.perform(asking: resolution, after: hookAnswers, options)
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
        return finished(Outcome(.disabled, reason: trouble.failure.asReason))
      }
      let failure = travel(trouble.failure, from: trouble.responder, step: trouble.step)
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

  func goOnWithCatchAlls(after node: Int) -> Outcome {
    finished(askCatchAlls(after: node) ?? unhandled())
  }

  /// Takes a step of the plan that runs; false where that ended it.
  override func take(_ step: Int) -> Bool {
    guard asked != nil else { return true }
    // It is held here as long as its plan runs; a name for it would hold it once more.
    let end = Unmanaged.passUnretained(asked.unsafelyUnwrapped)._withUnsafeGuaranteedRef { take(step, $0) }
    guard let end else { return true }
    ended = end
    return false
  }
}
