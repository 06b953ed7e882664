/// A *plan* is how one responder takes an action on one walk: steps in a row, prepared once and used until something changes.
///
/// The steps are the providers of the walk, the farthest first, and then those of `Step`. An engine runs the steps that are a script's;
/// `Perform` takes the others. A plan retains all that it was made of, because what runs may change what the host keeps.
class Plan {
  /// The candidate that takes the action.
  var candidate: Candidate {
    didSet { noteHandlers() }
  }
  /// The handlers of the candidate when the plan was prepared; `isCurrent` compares them.
  private(set) var handler: Handler
  private(set) var can: Handler?
  /// Whether the arguments of the reference fit the candidate as they are.
  private var isFitting: Bool
  /// Whether the candidate declares arguments.
  private var takes: Bool
  /// The outline for traces, once a perform was traced.
  var outline: TraceOutline?
  var resolution: Resolution
  /// The hook answers for which this plan was made; `asks` says whether the plan asks the hooks again by itself.
  private(set) var hookAnswers: [HookAnswer] = []
  var asks: Bool { false }
  /// The action, as the reference names it.
  let id: String
  let taker: Outcome.Taker

  init(_ candidate: Candidate, _ resolution: Resolution) {
    self.candidate = candidate
    self.resolution = resolution
    handler = candidate.handler
    can = candidate.can
    isFitting = candidate.takesAsGiven(resolution.reference)
    takes = candidate.takes != nil
    id = resolution.reference.id
    taker = Outcome.Taker(name: candidate.responder.name, via: candidate.via)
  }

  /// Performs the action. The outcome is made in place, because copying one costs as much as the rest.
  func perform(_ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching) -> Outcome {
    let perform = Perform(self, options, dispatcher, watching)
    return dispatcher.allowingPerform { perform.run(self) }
  }

  /// The request to the candidate, the same each time if a call gives nothing.
  final func request(_ options: PerformOptions) -> Request {
    options.isUsual ? usualRequest : Request(resolution, candidate, options)
  }

  private final lazy var usualRequest = Request(resolution, candidate, PerformOptions())

  /// The request as observers are told of it, if a call gives nothing.
  final lazy var usualAsked = ActionEvent.Asked(
    candidate.action, raw: resolution.raw, sender: .app, resolution.reference.arguments, Arguments())

  /// Runs the plan's steps for a validation, up to where observers would be told; the end is that step then. Nil if a step needs Swift.
  /// If the candidate passes, returns the context for the next one too.
  func ask(_ options: PerformOptions, _ dispatcher: Dispatcher) -> (end: End, context: Context?)? { nil }

  /// Runs the steps until one needs the driver. Hooks are asked first, unless the caller just asked them.
  func run(_ perform: Perform, hooksWereAsked: Bool) -> End { .step(resolution.walk.providers.count + Step.arguments) }

  /// The context of a run, which the engine keeps in a slot; a spare one of an earlier run may be used for it.
  func context(at slot: Int32, _ spare: consuming Context?) -> Context { PlainContext() }

  /// Releases what it keeps for its next run, which may retain what the plan was made of.
  func letGo() {}

  /// Frees a run's slot.
  func leave(_ slot: Int32) {}

  /// Whether only `needs` and `can` decide: the candidate declares no arguments, or those of the reference fit and the caller gives none.
  final func fits(_ options: PerformOptions) -> Bool {
    options.isValidated && !(options.isOfItem && candidate.mayBeDrawnDisabled)
      && (!takes || isFitting && !options.givesArguments)
  }

  /// The keys that each provider may write, if all are known and the engine can note which were written; else nil.
  func prepareKeys() -> [[String]]? { nil }

  /// Sets the hook answers for which the plan was made. A plan that can asks the hooks by itself from then on.
  func prepare(_ hookAnswers: [HookAnswer]) { self.hookAnswers = hookAnswers }

  /// Whether the candidate's handlers are still those that the plan was prepared for.
  var isCurrent: Bool { candidate.handler === handler && candidate.can === can }

  /// Updates the plan to the handlers that replaced its candidate's; false if it can't.
  final func follow() -> Bool {
    guard refit(candidate) else { return false }
    noteHandlers()
    return true
  }

  /// The outline for traces, dropped if a handler was replaced since.
  final var presentOutline: TraceOutline? {
    if !isCurrent { noteHandlers() }
    return outline
  }

  private func noteHandlers() {
    handler = candidate.handler
    can = candidate.can
    isFitting = candidate.takesAsGiven(resolution.reference)
    takes = candidate.takes != nil
    outline = nil
  }

  /// Updates the plan to another candidate; false if it can't.
  func refit(_ candidate: Candidate) -> Bool { false }
}
