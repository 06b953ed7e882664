/// A *quick way* is how a plain perform of one reference goes as long as nothing changes: what it does is what the general way
/// would do, laid out once.
enum Quick {
  case untried
  case none
  /// Everything on the way is a script's.
  case fused
  /// The embedding program does it, and nobody supplies anything.
  case native
}

/// Who takes an action the quick way.
final class QuickTaker {
  let responder: Responder
  let name: String
  let via: Outcome.Via
  let handler: Handler
  let action: String
  let prefix: String
  let needs: [Need]
  let can: Handler?
  /// Where the walk goes on when it passes.
  let step: Int
  /// Whether it is asked because nobody takes the action.
  let isLastResort: Bool
  let isCatchAll: Bool

  init(_ candidate: Candidate, on walk: Walk) {
    responder = candidate.responder
    name = responder.name
    via = candidate.via
    handler = candidate.handler
    action = candidate.action
    prefix = candidate.prefix
    needs = candidate.needs
    can = candidate.can
    step = via == .native ? walk.nodes.count : candidate.after.node
    isLastResort = false
    isCatchAll = candidate.isCatchAll
  }

  /// The nearest catch-all of a walk on which nobody takes a reference.
  init?(lastResortFor reference: Reference, on walk: Walk) {
    guard let (node, handler) = walk.catchAlls.first else { return nil }
    responder = walk.nodes[node]
    name = responder.name
    via = .unknown
    self.handler = handler
    action = reference.name
    prefix = reference.prefix
    needs = []
    can = nil
    step = node + 1
    isLastResort = true
    isCatchAll = true
  }

  /// Why it refuses: what was said, or that it does.
  func refusal(_ said: String) -> String { said.isEmpty ? "'\(name)' refuses it" : said }

  /// Why it says no: what was said, or that it does.
  func reason(_ said: String?) -> String {
    if let said, !said.isEmpty { return said }
    return "'\(name)' says no to '\(action)'"
  }
}

/// An action of the embedding program's without anything on the way.
final class NativeWay {
  private let taker: QuickTaker
  private let request: Request
  private let memory = Cell(Memory())

  private struct Memory {
    /// The context of the last perform, used again where nobody kept it or wrote into it.
    var context = PlainContext()
    var isBegun = false
    /// Why the last run didn't end.
    var end = QuickEnd.passed(nil)
  }

  init(_ taker: QuickTaker, _ resolution: Resolution) {
    self.taker = taker
    request = Request(
      raw: resolution.raw, action: taker.action, prefix: taker.prefix,
      arguments: Arguments(resolution.reference.arguments))
  }

  deinit { memory.free() }

  var end: QuickEnd { memory.value.end }

  func run() -> Outcome? {
    if !memory.value.isBegun || !isKnownUniquelyReferenced(&memory.value.context) || !memory.value.context.isFresh {
      beginContext()
    }
    switch taker.handler.perform(for: taker.responder, in: memory.value.context) {
    case .value(let result): return Outcome(.handled, by: taker.name, via: .native, result: result)
    case .refused(let said): return refused(said)
    case .pass: memory.value.end = .passed(nil)
    case .failed(let failure): memory.value.end = .failed(failure)
    case .waiting(let suspension): memory.value.end = .waiting(suspension)
    }
    return nil
  }

  @inline(never)
  private func beginContext() {
    let context = PlainContext()
    context.taker = taker.responder
    context.begin(request)
    context.isFresh = true
    memory.value.context = context
    memory.value.isBegun = true
  }

  private func refused(_ said: String) -> Outcome {
    Outcome(.disabled, by: taker.name, via: .native, reason: taker.refusal(said))
  }
}

extension Dispatcher {
  /// Goes the quick way; nil where there is none.
  @inline(__always)
  func quick(_ text: String) -> Outcome? {
    guard !state.value.isObserved, let index = text.withBytes(references.known),
      let entry = defaultResolutions?._withUnsafeGuaranteedRef({ $0.entry(index) })
    else { return nil }
    if entry.pointee.tables != chain.tables || entry.pointee.quick == .untried {
      guard prepare(entry) else { return nil }
    }
    return run(entry)
  }

  /// Looks whether what is known of an entry still holds, and finds its quick way the first time.
  @inline(never)
  private func prepare(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    guard let resolution = entry.pointee.resolution, resolution.isCurrent else { return false }
    entry.pointee.tables = chain.tables
    if entry.pointee.quick == .untried { findQuickWay(entry, resolution) }
    return true
  }

  @inline(__always)
  private func run(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Outcome? {
    if scheduler.waiting != 0, isRunning(entry) { return nil }
    guard entry.pointee.quick != .none, !isAsking, beginAction(entry.pointee.action) else { return nil }
    defer { endAction() }
    guard let object = entry.pointee.object else { return nil }
    if entry.pointee.quick == .native {
      let native = unsafeDowncast(object, to: NativeWay.self)
      if let outcome = native.run() { return outcome }
      return goOn(after: native.end, entry.pointee)
    }
    guard let engine = state.value.engine else { return nil }
    if let outcome = engine.run(Unmanaged.passUnretained(object)) { return outcome }
    return goOn(after: engine.takeQuickEnd(), entry.pointee)
  }

  /// Who was asked first passed or failed: the rest goes the general way.
  @inline(never)
  private func goOn(after end: QuickEnd, _ entry: ResolutionCache.Entry) -> Outcome {
    guard let resolution = entry.resolution, let taker = entry.taker else { return Outcome(.unhandled) }
    return goOn(after: end, taker, resolution, as: nil)
  }

  func goOn(after end: QuickEnd, _ taker: QuickTaker, _ resolution: Resolution, as job: PerformJob?) -> Outcome {
    let candidates = Candidates(resolution, dispatcher: self)
    var perform = Perform(
      resolution.reference, raw: resolution.raw, options: PerformOptions(), walk: resolution.walk,
      candidates: candidates, dispatcher: self, witness: nil, observers: [])
    perform.job = job
    return perform.goOn(after: end, taker)
  }

  /// Finds the quick way of an entry, if there is one.
  private func findQuickWay(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>, _ resolution: Resolution) {
    entry.pointee.quick = .none
    guard resolution.walk.isWhole, hostValues.isEmpty, resolution.reference.arguments?["skip_validation"] == nil,
      let taker = quickTaker(of: resolution)
    else { return }
    entry.pointee.taker = taker
    entry.pointee.action = resolution.reference.id
    if taker.via == .native, resolution.walk.providers.isEmpty, taker.can == nil, taker.needs.isEmpty {
      entry.pointee.object = NativeWay(taker, resolution)
      entry.pointee.quick = .native
    } else if let fused = engine?.fuse(taker, resolution) {
      entry.pointee.object = fused
      entry.pointee.quick = .fused
    }
  }

  private func quickTaker(of resolution: Resolution) -> QuickTaker? {
    if let candidate = resolution.candidate(0, witness: nil) { return QuickTaker(candidate, on: resolution.walk) }
    guard !resolution.isStuck, resolution.trouble == nil else { return nil }
    return QuickTaker(lastResortFor: resolution.reference, on: resolution.walk)
  }
}
