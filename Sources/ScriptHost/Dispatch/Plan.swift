/// A *plan* is how one responder takes an action on one walk: steps in a row, prepared once for as long as nothing changes.
///
/// The steps are the providers of the walk, the farthest first, and then `Step`. An engine runs those that are a script's, from one to the
/// next; `Perform` takes the others. It holds all that it was made of: what runs may change what the host keeps.
class Plan {
  /// Who takes the action.
  var candidate: Candidate {
    didSet { noteHandlers() }
  }
  /// Who did it and who said whether it may be done when it was prepared.
  private(set) var handler: Handler
  private(set) var can: Handler?
  /// Whether what the reference gives fits what its candidate takes as it is.
  private var isFitting: Bool
  /// Whether its candidate says what it takes.
  private var takes: Bool
  /// What there is to tell of each perform, once one was traced.
  var outline: TraceOutline?
  var resolution: Resolution
  /// What functions were heard to say that have a say in who takes the action, and whether it asks them itself when it is run.
  private(set) var hookAnswers: [HookAnswer] = []
  var asks: Bool { false }
  /// What is performed, as the reference names it.
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

  /// Performs it. The outcome is made in its place: to copy one costs as much as the rest.
  func perform(_ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching) -> Outcome {
    let perform = Perform(self, options, dispatcher, watching)
    return dispatcher.allowing { perform.run(self) }
  }

  /// The request to the plan's candidate. Where a call gives nothing it is the same each time.
  final func request(_ options: PerformOptions) -> Request {
    options.isUsual ? usualRequest : Request(resolution, candidate, options)
  }

  private final lazy var usualRequest = Request(resolution, candidate, PerformOptions())

  /// What those who watch are told is asked, where a call gives nothing.
  final lazy var usualAsked = ActionEvent.Asked(
    candidate.action, raw: resolution.raw, sender: .app, resolution.reference.arguments, Arguments())

  /// Asks whether its candidate may do it, up to where it would be told of: then the end is that step. Nil where that takes Swift. Where
  /// it passes, there is a context for who is asked next.
  func ask(_ options: PerformOptions, _ dispatcher: Dispatcher) -> (end: End, context: Context?)? { nil }

  /// Runs it up to what only the driver does. Who has a say in who takes the action is asked first, unless they were heard.
  func run(_ perform: Perform, hooksWereAsked: Bool) -> End { .step(resolution.walk.providers.count + Step.arguments) }

  /// The context of a run, which an engine keeps in its own place; one that was another run's may be used again.
  func context(at slot: Int32, _ spare: consuming Context?) -> Context { PlainContext() }

  /// Lets go of what it keeps for its next run, which may hold what it was prepared of.
  func letGo() {}

  /// Lets go of that place.
  func leave(_ slot: Int32) {}

  /// Whether nothing but `needs` and `can` is to be asked: what the reference gives fits what its candidate takes, and nothing else is given.
  final func fits(_ options: PerformOptions) -> Bool {
    options.isValidated && !(options.isOfItem && candidate.mayBeDrawnDisabled)
      && (!takes || isFitting && !options.givesArguments)
  }

  /// The keys that each provider may write, where each can be told and what was supplied can be noted.
  func prepareKeys() -> [[String]]? { nil }

  /// Prepares what functions were heard to say that have a say in who takes the action. One that can asks them itself from then on.
  func prepare(_ hookAnswers: [HookAnswer]) { self.hookAnswers = hookAnswers }

  /// Whether nobody took the place of who did it.
  var isCurrent: Bool { candidate.handler === handler && candidate.can === can }

  /// Takes on who took the place of who did it; false where it can't.
  final func follow() -> Bool {
    guard refit(candidate) else { return false }
    noteHandlers()
    return true
  }

  /// What there is to tell of each perform, unless another does it since it was prepared.
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

  /// Takes on a candidate in the place of the one it had; false where it can't.
  func refit(_ candidate: Candidate) -> Bool { false }
}
