/// A *quick way* is how a plain perform of one reference goes as long as nothing changes: what it does is what the general way
/// would do, laid out once.
enum QuickWay {
  /// Everything on the way is a script's.
  case fused(AnyObject)
  /// The embedding program does it, and nobody supplies anything.
  case native(NativeWay)
  case none
}

/// An action of the embedding program's without anything on the way.
final class NativeWay {
  let candidate: Candidate
  private let request: Request
  /// The context of the last perform, used again where nobody kept it or wrote into it.
  private let context: Cell<PlainContext>

  init(_ candidate: Candidate, _ resolution: Resolution) {
    self.candidate = candidate
    request = Request(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: Arguments(resolution.reference.arguments))
    context = Cell(PlainContext())
  }

  deinit { context.free() }

  func run() -> QuickAnswer {
    if !isKnownUniquelyReferenced(&context.value) || !context.value.isFresh { context.value = PlainContext() }
    let context = context.value
    if context.request == nil {
      context.taker = candidate.responder
      context.begin(request)
      context.isFresh = true
    }
    switch candidate.handler.perform(for: candidate.responder, in: context) {
    case .value(let result):
      return .outcome(Outcome(.handled, by: candidate.responder.name, via: .native, result: result))
    case .pass: return .passed(nil)
    case .refused(let said):
      return .outcome(Outcome(.disabled, by: candidate.responder.name, via: .native, reason: candidate.refusal(said)))
    case .failed(let failure): return .failed(failure)
    }
  }
}

extension Dispatcher {
  /// Goes the quick way; nil where there is none.
  @inline(__always)
  func quick(_ text: String) -> Outcome? {
    guard let index = text.withBytes(references.known), !state.value.isObserved else { return nil }
    let walk = defaultWalk()
    guard let resolution = walk.resolutions[index] else { return nil }
    return quick(resolution)
  }

  private func quick(_ resolution: Resolution) -> Outcome? {
    if resolution.quick.value.tables != chain.tables {
      guard resolution.isCurrent else { return nil }
      resolution.quick.value.tables = chain.tables
    }
    if !resolution.quick.value.isTried { findQuickWay(of: resolution) }
    guard let way = resolution.quick.value.way, !isAsking, beginAction(resolution.reference.id) else { return nil }
    defer { endAction() }
    let answer: QuickAnswer
    switch way {
    case .none: return nil
    case .fused(let fused):
      guard let engine else { return nil }
      answer = engine.run(fused)
    case .native(let native): answer = native.run()
    }
    if case .outcome(let outcome) = answer { return outcome }
    return goOn(after: answer, resolution)
  }

  /// The first candidate passed or failed: the rest goes the general way.
  @inline(never)
  private func goOn(after answer: QuickAnswer, _ resolution: Resolution) -> Outcome {
    let index = try? references.index(of: resolution.raw)
    let candidates = Candidates(
      resolution.reference, raw: resolution.raw, index: index, on: resolution.walk, dispatcher: self, witness: nil)
    var perform = Perform(
      resolution.reference, raw: resolution.raw, options: PerformOptions(), walk: resolution.walk,
      candidates: candidates, dispatcher: self, witness: nil)
    return perform.goOn(after: answer)
  }

  @inline(never)
  private func findQuickWay(of resolution: Resolution) {
    resolution.quick.value.isTried = true
    resolution.quick.value.way = quickWay(of: resolution)
  }

  private func quickWay(of resolution: Resolution) -> QuickWay {
    guard resolution.walk.isWhole, hostValues.isEmpty, resolution.reference.arguments?["skip_validation"] == nil,
      let candidate = resolution.candidate(0, witness: nil)
    else { return .none }
    if candidate.via == .native, resolution.walk.providers.isEmpty, candidate.can == nil, candidate.needs.isEmpty {
      return .native(NativeWay(candidate, resolution))
    }
    return engine?.fuse(resolution).map(QuickWay.fused) ?? .none
  }
}
