import CLua

extension ScriptEngine {
  /// What came of a run that did not simply do it.
  @inline(never)
  func finish(_ first: clua_Answer, _ fused: FusedPlan, in trace: Trace? = nil) -> Outcome {
    let L = lua.L
    let notes = trace?.quick
    var answer = first
    if answer.what == CLUA_HEARD_OTHERWISE.rawValue || answer.what == CLUA_HEARING_FAILED.rawValue {
      return dispatcher.perform(asking: fused.resolution, after: hear(answer, fused.heard))
    }
    while answer.what == CLUA_PROVIDER_FAILED.rawValue, answer.status != CLUA_LIMIT.rawValue {
      let provider = fused.resolution.walk.providers[Int(answer.index)]
      let failure = failure(lua.takeError(answer.status, on: L), owner: provider.handler.owner)
      notes?.failures.append((Int(answer.index), failure.message))
      dispatcher.report(failure, ofProvider: provider.responder)
      answer = clua_perform(L, fused.pointer, answer.index + 1, true, notes?.supplied)
    }
    if answer.shadowed != 0 { tellShadowed(answer.shadowed, fused.resolution.walk) }
    guard answer.what == CLUA_WAITS.rawValue else { return outcome(answer, fused, in: trace) }
    notes?.end = .replied("waits")
    return fused.wait(in: trace)
  }

  /// What was said up to where it was something else than before; what that is is on top.
  func hear(_ answer: clua_Answer, _ known: [Hearing]) -> [Hearing] {
    let index = Int(answer.index)
    guard index < known.count, let hook = known[index].question.hook as? ScriptHandler else { return known }
    let question = known[index].question
    let said: Hearing.Answer =
      answer.what == CLUA_HEARING_FAILED.rawValue
      ? .fails(failure(lua.takeError(answer.status, on: lua.L), owner: hook.owner)) : hook.answer(to: question)
    return known[..<index] + [Hearing(question: question, answer: said)]
  }

  /// The outcome of an answer whose value is on top; where it is none yet, the general way goes on.
  private func outcome(_ answer: clua_Answer, _ fused: FusedPlan, in trace: Trace?) -> Outcome {
    let L = lua.L
    let notes = trace?.quick
    let taker = fused.candidate
    let by = taker.responder.name
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_DID: return Outcome(handledBy: fused.taker, result: scalar(at: -1, on: L) ?? value(at: -1, on: L))
    case CLUA_PASSED:
      notes?.end = answer.index == 0 ? .replied(Reply.pass.words) : .asked(.passes)
      let context = ScriptContext(engine: self, adopting: lua.reference(copying: -2, on: L))
      return dispatcher.goOn(after: .passed(context), fused, in: trace)
    case CLUA_LACKS:
      let reason = taker.needs[Int(answer.index)].reasonOrDerived
      notes?.end = .lacks(reason)
      return Outcome(.disabled, by: by, via: taker.via, reason: reason)
    case CLUA_NO:
      let said = reason(at: -1, on: L)
      notes?.end = .asked(.no(said ?? ""))
      return Outcome(.disabled, by: by, via: taker.via, reason: taker.reason(said))
    case CLUA_REFUSED:
      let said = lua.text(at: -1, on: L) ?? ""
      notes?.end = .replied(Reply.refused(said).words)
      return Outcome(.disabled, by: by, via: taker.via, reason: taker.refusal(said))
    case CLUA_CAN_FAILED:
      let failure = failure(lua.takeError(answer.status, on: L), owner: taker.can?.owner ?? taker.handler.owner)
      notes?.end = .asked(.fails(failure.message))
      dispatcher.report(Diagnostic(failure))
      return Outcome(.disabled, by: by, via: taker.via, reason: "error: \(failure.message)")
    case CLUA_PROVIDER_FAILED:
      // A limit is spent, so nobody else can be asked.
      let provider = fused.resolution.walk.providers[Int(answer.index)]
      let failure = failure(lua.takeError(answer.status, on: L), owner: provider.handler.owner)
      notes?.failures.append((Int(answer.index), failure.message))
      notes?.end = .stopped
      if failure.limit != nil { dispatcher.report(failure, ofProvider: provider.responder) }
      return dispatcher.goOn(after: .failed(failure), fused, in: trace)
    default:
      let failure = failure(lua.takeError(answer.status, on: L), owner: taker.handler.owner)
      notes?.end = .replied(Reply.failed(failure).words)
      return dispatcher.goOn(after: .failed(failure), fused, in: trace)
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
