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
  let taker: QuickTaker
  let resolution: Resolution
  private let request: Request
  private let undo: Undo
  private let memory = Cell(Memory())

  private struct Memory {
    /// The context of the last perform, used again where nobody kept it or wrote into it.
    var context = PlainContext()
    var isBegun = false
    /// Why the last run didn't end.
    var end = QuickEnd.passed(nil)
  }

  init(_ taker: QuickTaker, _ resolution: Resolution, _ undo: Undo) {
    self.undo = undo
    self.taker = taker
    self.resolution = resolution
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
    }
    return nil
  }

  @inline(never)
  private func beginContext() {
    let context = PlainContext()
    context.taker = taker.responder
    context.undoObject = undo
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
    guard entry.pointee.quick != .none, !isAsking, beginAction(entry.pointee.action) else { return nil }
    defer { endAction() }
    // From here on the entry may go: what runs may change the shape.
    guard let object = entry.pointee.object else { return nil }
    let outcome = entry.pointee.quick == .native ? runNative(object) : runFused(object)
    if hasRecorded, let outcome { settle(outcome, object) }
    return outcome
  }

  @inline(__always)
  private func runNative(_ object: AnyObject) -> Outcome {
    let native = unsafeDowncast(object, to: NativeWay.self)
    return withExtendedLifetime(native) { native.run() ?? goOn(after: native.end, native.taker, native.resolution) }
  }

  @inline(__always)
  private func runFused(_ object: AnyObject) -> Outcome? {
    guard let engine = state.value.engine else { return nil }
    return withExtendedLifetime(object) {
      if let outcome = engine.run(Unmanaged.passUnretained(object)) { return outcome }
      let (taker, resolution) = engine.takerAndResolution(of: object)
      return goOn(after: engine.takeQuickEnd(), taker, resolution)
    }
  }

  @inline(never)
  private func settle(_ outcome: Outcome, _ object: AnyObject) {
    let taker = (object as? NativeWay)?.taker ?? state.value.engine?.takerAndResolution(of: object).taker
    settle(outcome, taker?.action ?? "")
  }

  /// Who was asked first passed or failed: the rest goes the general way.
  @inline(never)
  private func goOn(after end: QuickEnd, _ taker: QuickTaker, _ resolution: Resolution) -> Outcome {
    let index = try? references.index(of: resolution.raw)
    let candidates = Candidates(
      resolution.reference, raw: resolution.raw, index: index, on: resolution.walk, dispatcher: self, witness: nil)
    var perform = Perform(
      resolution.reference, raw: resolution.raw, options: PerformOptions(), walk: resolution.walk,
      candidates: candidates, dispatcher: self, witness: nil)
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
    let isPlain = resolution.walk.providers.isEmpty && taker.can == nil && taker.needs.isEmpty
    if taker.via == .native, isPlain || taker.handler.needsNoContext {
      entry.pointee.object = NativeWay(taker, resolution, undo)
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
