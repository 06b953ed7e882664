/// A *quick plan* is how a plain perform of one reference goes as long as nothing changes: what the general way would do, laid out once.
///
/// It holds all that it was made of: what runs may change what the host keeps.
class QuickPlan {
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

  /// Performs it. The outcome is made in its place: to copy one costs as much as the rest.
  func run(_ dispatcher: Dispatcher) -> Outcome { Outcome(.unhandled) }

  /// Performs it where that runs nobody's code and tells nobody; false, with nothing done, where it can't.
  func turn() -> Bool { false }

  /// The keys that each provider may write, where each can be told and what was supplied can be noted.
  func layOutKeys() -> [[String]]? { nil }

  /// Performs it with notes in a trace; asked only where keys were laid out.
  func run(_ dispatcher: Dispatcher, in trace: Trace) -> Outcome { run(dispatcher) }

  /// Lays out what functions were heard to say that have a say in who takes the action. One that can asks them itself from then on.
  func layOut(_ heard: [Hearing]) { self.heard = heard }

  /// Performs it after those functions were asked.
  func runHeard(_ dispatcher: Dispatcher) -> Outcome { run(dispatcher) }

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

/// An action of the embedding program's without anything on the way: nobody supplies anything.
class NativePlan: QuickPlan {
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

  override func run(_ dispatcher: Dispatcher) -> Outcome {
    if !memory.value.isBegun || !isKnownUniquelyReferenced(&memory.value.context) || !memory.value.context.isFresh {
      beginContext(dispatcher.undo)
    }
    switch handler.perform(for: responder, in: memory.value.context) {
    case .value(let result): return Outcome(handledBy: taker, result: result)
    case .refused(let said): return refused(said)
    case .pass: return dispatcher.goOn(after: .passed(written(dispatcher)), self)
    case .failed(let failure): return dispatcher.goOn(after: .failed(failure), self)
    case .waiting(let suspension): return dispatcher.goOn(after: .waiting(suspension), self)
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

  private func refused(_ said: String) -> Outcome {
    Outcome(.disabled, by: responder.name, via: .native, reason: candidate.refusal(said))
  }
}

extension Dispatcher {
  /// The plan of a reference that goes the quick way now.
  @inline(__always)
  func quickPlan(_ text: String) -> Unmanaged<QuickPlan>? {
    state.value.isWatched ? nil : unretainedPlan(of: text)
  }

  /// What is known of a reference on the walk from the focus.
  @inline(__always)
  func entry(of text: String) -> UnsafeMutablePointer<ResolutionCache.Entry>? {
    guard let index = text.withBytes(references.known) else { return nil }
    return defaultResolutions?._withUnsafeGuaranteedRef { $0.entry(index) }
  }

  /// The plan of a reference, whoever watches.
  func plan(of text: String) -> QuickPlan? { unretainedPlan(of: text)?.takeUnretainedValue() }

  @inline(__always)
  private func unretainedPlan(of text: String) -> Unmanaged<QuickPlan>? {
    guard let entry = entry(of: text) else { return nil }
    if entry.pointee.tables != chain.tables || entry.pointee.isUntried {
      guard prepare(entry) else { return nil }
    }
    guard !isAsking, let plan = entry.pointee.current else { return nil }
    return scheduler.waiting != 0 && plan._withUnsafeGuaranteedRef({ isRunning($0.candidate) }) ? nil : plan
  }

  /// Looks whether what is known of an entry still holds, and finds its quick way the first time.
  @inline(never)
  private func prepare(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    if entry.pointee.standings != chain.standings {
      guard entry.pointee.isCurrent || refit(entry) else { return false }
      entry.pointee.standings = chain.standings
    }
    entry.pointee.tables = chain.tables
    if !entry.pointee.followExchanges() { entry.pointee.forgetPlan() }
    if entry.pointee.isUntried, let resolution = entry.pointee.resolution { findQuickWay(entry, resolution) }
    return true
  }

  /// Has a plan take on what changed in the tables, where only that changed and nothing else holds what is known.
  private func refit(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    guard entry.pointee.isFree, let resolution = entry.pointee.resolution, resolution.findAgain() else { return false }
    if let plan = entry.pointee.plan, let candidate = quickCandidate(of: resolution),
      candidate.takesAsGiven(resolution.reference), plan.refit(candidate)
    {
      plan.candidate = candidate
    } else {
      entry.pointee.forgetPlan()
    }
    return true
  }

  /// Who was asked first passed, failed or waits: the rest goes the general way.
  @inline(never)
  func goOn(after end: QuickEnd, _ plan: QuickPlan, as job: PerformJob? = nil, in trace: Trace? = nil) -> Outcome {
    let resolution = plan.resolution
    let trace = trace ?? job?.trace
    let candidates = Candidates(resolution, after: plan.candidate, dispatcher: self, witness: trace?.witness)
    var perform = Perform(
      resolution.reference, raw: resolution.raw, options: PerformOptions(), walk: resolution.walk,
      candidates: candidates, dispatcher: self, witness: trace?.witness, observers: [])
    perform.job = job
    perform.trace = trace
    return perform.goOn(after: end, plan.candidate)
  }

  /// Finds the quick way of an entry, if there is one.
  private func findQuickWay(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>, _ resolution: Resolution) {
    entry.pointee.go(quickCandidate(of: resolution).flatMap { quickPlan($0, resolution) })
  }

  func quickPlan(_ candidate: Candidate, _ resolution: Resolution) -> QuickPlan? {
    guard resolution.walk.isWhole, hostValues.isEmpty, resolution.reference.arguments?["skip_validation"] == nil,
      candidate.takesAsGiven(resolution.reference)
    else { return nil }
    if candidate.via == .native {
      if let undo = candidate.handler as? UndoAction { return UndoPlan(undo, candidate, resolution) }
      let isPlain = resolution.walk.providers.isEmpty && candidate.can == nil && candidate.needs.isEmpty
      if isPlain { return NativePlan(candidate, resolution) }
    }
    return engine?.fuse(candidate, resolution)
  }

  func quickCandidate(of resolution: Resolution) -> Candidate? {
    if let candidate = resolution.candidate(0, witness: nil) { return candidate }
    guard !resolution.isStuck, resolution.trouble == nil else { return nil }
    return Candidate(lastResortFor: resolution.reference, on: resolution.walk)
  }
}
