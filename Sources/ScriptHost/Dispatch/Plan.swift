/// A *plan* is how one responder takes an action on one walk: steps in a row, laid out once for as long as nothing changes.
///
/// The steps are the providers of the walk, the farthest first, and then `Step`. An engine runs those that are a script's, from one to the
/// next; `Perform` takes the others. It holds all that it was made of: what runs may change what the host keeps.
class Plan {
  /// Who takes the action.
  var candidate: Candidate {
    didSet { noteHandlers() }
  }
  /// Who did it and who said whether it may be done when it was laid out.
  private(set) var handler: Handler
  private(set) var can: Handler?
  /// What there is to tell of each perform, once one was traced.
  var course: QuickCourse?
  var resolution: Resolution
  /// What functions were heard to say that have a say in who takes the action, and whether it asks them itself when it is run.
  private(set) var heard: [Hearing] = []
  var asks: Bool { false }
  /// What is performed, as the reference names it.
  let id: String
  let taker: Outcome.Taker
  /// How often it runs now, once within the other, and whether nobody else holds it any more.
  private let use = Cell((count: 0, isLast: false))

  init(_ candidate: Candidate, _ resolution: Resolution) {
    self.candidate = candidate
    self.resolution = resolution
    handler = candidate.handler
    can = candidate.can
    id = resolution.reference.id
    taker = Outcome.Taker(name: candidate.responder.name, via: candidate.via)
  }

  deinit { use.free() }

  /// Whether it doesn't run now.
  final var isIdle: Bool { use.value.count == 0 }

  /// Marks that it runs: until it has, whoever lets go of it has it outlive that.
  @inline(__always)
  final func begin() { use.value.count &+= 1 }

  @inline(__always)
  final func end() {
    use.value.count &-= 1
    if use.value.isLast { leave() }
  }

  @inline(never)
  private final func leave() {
    guard isIdle else { return }
    use.value.isLast = false
    Unmanaged.passUnretained(self).release()
  }

  /// Is told before somebody lets go of it.
  final func outlive() {
    guard !isIdle, !use.value.isLast else { return }
    use.value.isLast = true
    _ = Unmanaged.passRetained(self)
  }

  /// Performs it where nothing is given and nobody watches. The outcome is made in its place: to copy one costs as much as the rest.
  func perform(_ dispatcher: Dispatcher) -> Outcome { perform(dispatcher, PerformOptions()) }

  /// The same with what a call gives.
  func perform(_ dispatcher: Dispatcher, _ options: PerformOptions) -> Outcome {
    dispatcher.allowing {
      var perform = Perform(self, options, dispatcher)
      return perform.run(self)
    }
  }

  /// Asks whether its candidate may do it, up to where it would be told of: then the end is that step. Nil where that takes Swift. Where
  /// it passes, there is a context for who is asked next.
  func ask(_ options: PerformOptions, _ dispatcher: Dispatcher) -> (end: End, context: Context?)? { nil }

  /// Runs it from a step on, as far as that goes without Swift; from -1 on, who has a say in who takes the action is asked first.
  func run(from step: Int, _ perform: inout Perform) -> End {
    .step(max(step, resolution.walk.providers.count + Step.lay))
  }

  /// The context of a run, which an engine keeps in its own place.
  func context(at slot: Int32) -> Context { PlainContext() }

  /// Lets go of that place.
  func leave(_ slot: Int32) {}

  /// Has a perform of it wait of which there is nothing to keep.
  func wait(in trace: Trace?) -> Outcome { Outcome(.unhandled) }

  /// Whether what is given with a call needs not be compared with what its candidate takes: the reference was.
  final func fits(_ options: PerformOptions) -> Bool { candidate.takes == nil || options.isUsual }

  /// Performs it where that runs nobody's code and tells nobody; false, with nothing done, where it can't.
  func turn() -> Bool { false }

  /// The keys that each provider may write, where each can be told and what was supplied can be noted.
  func layOutKeys() -> [[String]]? { nil }

  /// Lays out what functions were heard to say that have a say in who takes the action. One that can asks them itself from then on.
  func layOut(_ heard: [Hearing]) { self.heard = heard }

  /// Whether nobody took the place of who did it.
  var isCurrent: Bool { candidate.handler === handler && candidate.can === can }

  /// Takes on who took the place of who did it; false where it can't.
  final func follow() -> Bool {
    guard refit(candidate) else { return false }
    noteHandlers()
    return true
  }

  /// What there is to tell of each perform, unless another does it since it was laid out.
  final var presentCourse: QuickCourse? {
    if !isCurrent { noteHandlers() }
    return course
  }

  private func noteHandlers() {
    handler = candidate.handler
    can = candidate.can
    course = nil
  }

  /// Takes on a candidate in the place of the one it had; false where it can't.
  func refit(_ candidate: Candidate) -> Bool { false }
}

/// The steps behind the providers, in order.
enum Step {
  /// What is asked is laid over what was supplied.
  static let lay = 0
  /// `needs`, what is taken, and `can`.
  static let ask = 1
  /// A person confirms it, and who observes is told.
  static let tell = 2
  static let act = 3
}

/// What a run of a plan came to.
enum End {
  /// A step of Swift's comes next.
  case step(Int)
  case did(Value)
  /// By its handler, or before that by its `can`.
  case passed(byHandler: Bool)
  case lacks(String)
  case no(String?)
  case running
  case unfit(Misfit)
  case asks(Outcome.Question)
  /// What asks whether it may be done failed.
  case canFailed(Failure)
  case refused(String)
  /// A limit was spent while a provider ran: nobody else can be asked.
  case stopped(Failure)
  case failed(Failure)
  /// A person has to confirm it first, or did not.
  case ended(Outcome)
  /// Its handler waits; nil where the plan keeps what it takes to go on.
  case waits(Suspension?)
  /// Who has a say in who takes the action said something else than when it was laid out.
  case heard([Hearing])

  init(_ reply: Reply) {
    switch reply {
    case .value(let value): self = .did(value)
    case .pass: self = .passed(byHandler: true)
    case .refused(let reason): self = .refused(reason)
    case .failed(let failure): self = .failed(failure)
    case .waiting(let suspension): self = .waits(suspension)
    }
  }

  /// Nil where it may be done.
  init?(_ verdict: Verdict) {
    switch verdict {
    case .yes: return nil
    case .no(let reason): self = .no(reason)
    case .pass: self = .passed(byHandler: false)
    case .running: self = .running
    case .unfit(let misfit): self = .unfit(misfit)
    case .asks(let question): self = .asks(question)
    case .failed(let failure): self = .canFailed(failure)
    }
  }
}

/// An action of the embedding program's without anything on the way: nobody supplies anything.
class NativePlan: Plan {
  private final let responder: Responder
  private final let request: Request
  private final let memory = Cell(Memory())

  private struct Memory {
    /// The context of the last perform, used again where nobody kept it or wrote into it.
    var context = PlainContext()
    var isBegun = false
  }

  override init(_ candidate: Candidate, _ resolution: Resolution) {
    responder = candidate.responder
    request = Request(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: Arguments(resolution.reference.arguments))
    super.init(candidate, resolution)
  }

  deinit { memory.free() }

  override func perform(_ dispatcher: Dispatcher) -> Outcome {
    if !memory.value.isBegun || !isKnownUniquelyReferenced(&memory.value.context) || !memory.value.context.isFresh {
      beginContext(dispatcher.undo)
    }
    let reply = handler.perform(for: responder, in: memory.value.context)
    if case .value(let result) = reply { return Outcome(handledBy: taker, result: result) }
    return goOn(with: reply, dispatcher)
  }

  override func perform(_ dispatcher: Dispatcher, _ options: PerformOptions) -> Outcome {
    options.isUsual && options.from == nil && options.to == nil
      ? perform(dispatcher) : super.perform(dispatcher, options)
  }

  @inline(never)
  private func goOn(with reply: Reply, _ dispatcher: Dispatcher) -> Outcome {
    dispatcher.allowing {
      var perform = Perform(self, PerformOptions(), dispatcher)
      if case .pass = reply, let context = written(dispatcher) { perform.adopt(context, of: candidate) }
      return perform.goOn(with: reply, of: candidate)
    }
  }

  @inline(never)
  private func beginContext(_ undo: Undo) {
    let context = PlainContext()
    context.undoObject = undo
    context.taker = responder
    context.begin(request)
    context.isFresh = true
    memory.value.context = context
    memory.value.isBegun = true
  }

  /// A context with what the handler wrote, for whoever is asked next; nil where it wrote nothing.
  private func written(_ dispatcher: Dispatcher) -> Context? {
    let own = memory.value.context
    guard !own.isFresh else { return nil }
    // Who kept this one goes on to see what is written.
    memory.value.isBegun = false
    return dispatcher.context(continuing: own)
  }
}

extension Dispatcher {
  /// What is known of a reference on the walk from the focus.
  @inline(__always)
  func entry(of text: String) -> UnsafeMutablePointer<ResolutionCache.Entry>? {
    guard let index = text.withBytes(references.known) else { return nil }
    return defaultResolutions?._withUnsafeGuaranteedRef { $0.entry(index) }
  }

  /// The plan of a reference, as things stand now.
  @inline(__always)
  func plan(of text: String) -> Unmanaged<Plan>? { entry(of: text).flatMap(plan) }

  /// The plan of what is known of a reference; nil where it has none, or who takes it can't do it again as long as that waits.
  @inline(__always)
  func plan(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Unmanaged<Plan>? {
    if entry.pointee.tables != chain.tables || entry.pointee.isUntried {
      guard prepare(entry) else { return nil }
    }
    guard !isAsking, let plan = entry.pointee.current else { return nil }
    return scheduler.waiting != 0 && plan._withUnsafeGuaranteedRef({ isRunning($0.candidate) }) ? nil : plan
  }

  /// Looks whether what is known of an entry still holds, and lays out its plan the first time.
  @inline(never)
  private func prepare(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    if entry.pointee.standings != chain.standings {
      guard entry.pointee.isCurrent || refit(entry) else { return false }
      entry.pointee.standings = chain.standings
    }
    entry.pointee.tables = chain.tables
    if !entry.pointee.followExchanges() { entry.pointee.forgetPlan() }
    if entry.pointee.isUntried, let resolution = entry.pointee.resolution {
      entry.pointee.go(firstCandidate(of: resolution).flatMap { layOut($0, resolution) })
    }
    return true
  }

  /// Has a plan take on what changed in the tables, where only that changed and nothing else holds what is known.
  private func refit(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    guard entry.pointee.isFree, let resolution = entry.pointee.resolution, resolution.findAgain() else { return false }
    if let plan = entry.pointee.plan, let candidate = firstCandidate(of: resolution),
      candidate.takesAsGiven(resolution.reference), plan.refit(candidate)
    {
      plan.candidate = candidate
    } else {
      entry.pointee.forgetPlan()
    }
    return true
  }

  /// The plan of a candidate; nil where nothing is won by one.
  func layOut(_ candidate: Candidate, _ resolution: Resolution) -> Plan? {
    guard resolution.walk.isWhole, resolution.reference.arguments?["skip_validation"] == nil,
      candidate.takesAsGiven(resolution.reference)
    else { return nil }
    if candidate.via == .native, hostValues.isEmpty {
      if let undo = candidate.handler as? UndoAction { return UndoPlan(undo, candidate, resolution) }
      let isPlain = resolution.walk.providers.isEmpty && candidate.can == nil && candidate.needs.isEmpty
      if isPlain { return NativePlan(candidate, resolution) }
    }
    return engine?.layOut(candidate, resolution)
  }

  /// Who is asked first, be it because nobody takes the action.
  func firstCandidate(of resolution: Resolution) -> Candidate? {
    if let candidate = resolution.candidate(0, witness: nil) { return candidate }
    guard !resolution.isStuck, resolution.trouble == nil else { return nil }
    return Candidate(lastResortFor: resolution.reference, on: resolution.walk)
  }
}
