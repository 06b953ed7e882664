import CLua

extension ScriptEngine {
  /// What came of a run that did not simply do it.
  @inline(never)
  func finish(_ first: clua_Answer, _ fused: FusedPlan) -> Outcome {
    let L = lua.L
    var answer = first
    while answer.what == CLUA_PROVIDER_FAILED.rawValue, answer.status != CLUA_LIMIT.rawValue {
      let provider = fused.resolution.walk.providers[Int(answer.index)]
      let failure = failure(lua.takeError(answer.status, on: L), owner: provider.handler.owner)
      dispatcher.report(failure, ofProvider: provider.responder)
      answer = clua_perform(L, fused.pointer, answer.index + 1, true)
    }
    if answer.shadowed != 0 { tellShadowed(answer.shadowed, fused.resolution.walk) }
    return answer.what == CLUA_WAITS.rawValue ? fused.wait() : outcome(answer, fused)
  }

  /// The outcome of an answer whose value is on top; where it is none yet, the general way goes on.
  private func outcome(_ answer: clua_Answer, _ fused: FusedPlan) -> Outcome {
    let L = lua.L
    let taker = fused.candidate
    let by = taker.responder.name
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_DID: return Outcome(.handled, by: by, via: taker.via, result: value(at: -1, on: L))
    case CLUA_PASSED:
      let context = ScriptContext(engine: self, adopting: lua.reference(copying: -2, on: L))
      return dispatcher.goOn(after: .passed(context), fused)
    case CLUA_LACKS:
      let reason = taker.needs[Int(answer.index)].reasonOrDerived
      return Outcome(.disabled, by: by, via: taker.via, reason: reason)
    case CLUA_NO:
      return Outcome(.disabled, by: by, via: taker.via, reason: taker.reason(lua.text(at: -1, on: L)))
    case CLUA_REFUSED:
      return Outcome(.disabled, by: by, via: taker.via, reason: taker.refusal(lua.text(at: -1, on: L) ?? ""))
    case CLUA_CAN_FAILED:
      let failure = failure(lua.takeError(answer.status, on: L), owner: taker.can?.owner ?? taker.handler.owner)
      dispatcher.report(Diagnostic(failure))
      return Outcome(.disabled, by: by, via: taker.via, reason: "error: \(failure.message)")
    case CLUA_PROVIDER_FAILED:
      // A limit is spent, so nobody else can be asked.
      let provider = fused.resolution.walk.providers[Int(answer.index)]
      let failure = failure(lua.takeError(answer.status, on: L), owner: provider.handler.owner)
      if failure.limit != nil { dispatcher.report(failure, ofProvider: provider.responder) }
      return dispatcher.goOn(after: .failed(failure), fused)
    default:
      let failure = failure(lua.takeError(answer.status, on: L), owner: taker.handler.owner)
      return dispatcher.goOn(after: .failed(failure), fused)
    }
  }

  /// Tells of providers that supplied something under a name of the host's.
  private func tellShadowed(_ bits: Int32, _ walk: Walk) {
    let names = HostNames.all.enumerated().filter { bits & (1 << Int32($0.offset)) != 0 }.map(\.element)
    for provider in walk.providers {
      guard let handler = provider.handler as? ScriptHandler, !handler.keepsHostNames else { continue }
      let written = names.filter { handler.fieldUse.writes.contains($0) || !handler.fieldUse.isComplete }
      dispatcher.tellShadowed(written.map { ($0, provider.responder.name) }[...], by: handler)
    }
  }
}
