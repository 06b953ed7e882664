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

/// An action of the embedding program's without anything on the way.
final class NativeWay {
  private let candidate: Candidate
  private let by: String
  private let request: Request
  /// The context of the last perform, used again where nobody kept it or wrote into it.
  private let context: Cell<PlainContext>

  init(_ candidate: Candidate, _ resolution: Resolution) {
    self.candidate = candidate
    by = candidate.responder.name
    request = Request(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: Arguments(resolution.reference.arguments))
    context = Cell(PlainContext())
  }

  deinit { context.free() }

  /// Why the last run didn't end.
  private(set) var end = QuickEnd.passed(nil)

  func run() -> Outcome? {
    if !isKnownUniquelyReferenced(&context.value) || !context.value.isFresh { context.value = PlainContext() }
    let context = context.value
    if context.request == nil {
      context.taker = candidate.responder
      context.begin(request)
      context.isFresh = true
    }
    switch candidate.handler.perform(for: candidate.responder, in: context) {
    case .value(let result):
      return Outcome(.handled, by: by, via: .native, result: result)
    case .pass:
      end = .passed(nil)
      return nil
    case .refused(let said): return Outcome(.disabled, by: by, via: .native, reason: candidate.refusal(said))
    case .failed(let failure):
      end = .failed(failure)
      return nil
    }
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
    if entry.pointee.quick == .untried {
      let (quick, object) = quickWay(of: resolution)
      entry.pointee.quick = quick
      entry.pointee.object = object
    }
    return true
  }

  private func run(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Outcome? {
    guard entry.pointee.quick != .none, !isAsking, let resolution = entry.pointee.resolution,
      let object = entry.pointee.object, beginAction(resolution.reference.id)
    else { return nil }
    defer { endAction() }
    if entry.pointee.quick == .fused {
      guard let engine else { return nil }
      return engine.run(Unmanaged.passUnretained(object)) ?? goOn(after: engine.takeQuickEnd(), resolution)
    }
    let native = unsafeDowncast(object, to: NativeWay.self)
    return native.run() ?? goOn(after: native.end, resolution)
  }

  /// The first candidate passed or failed: the rest goes the general way.
  @inline(never)
  private func goOn(after end: QuickEnd, _ resolution: Resolution) -> Outcome {
    let index = try? references.index(of: resolution.raw)
    let candidates = Candidates(
      resolution.reference, raw: resolution.raw, index: index, on: resolution.walk, dispatcher: self, witness: nil)
    var perform = Perform(
      resolution.reference, raw: resolution.raw, options: PerformOptions(), walk: resolution.walk,
      candidates: candidates, dispatcher: self, witness: nil)
    return perform.goOn(after: end)
  }

  private func quickWay(of resolution: Resolution) -> (Quick, AnyObject?) {
    guard resolution.walk.isWhole, hostValues.isEmpty, resolution.reference.arguments?["skip_validation"] == nil,
      let candidate = resolution.candidate(0, witness: nil)
    else { return (.none, nil) }
    if candidate.via == .native, resolution.walk.providers.isEmpty, candidate.can == nil, candidate.needs.isEmpty {
      return (.native, NativeWay(candidate, resolution))
    }
    guard let fused = engine?.fuse(resolution) else { return (.none, nil) }
    return (.fused, fused)
  }
}
