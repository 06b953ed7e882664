import CLua
import CScript

extension FusedPlan {
  /// The end that C's answer comes to; the answer's value is on top. After a provider that failed, the run goes on with
  /// the next one.
  @inline(never)
  func end(after first: clua_Answer, _ perform: Perform, question: UInt64 = 0) -> End {
    let L = engine.lua.L
    let notes = perform.trace?.quick
    var answer = first
    while answer.what == CLUA_PROVIDER_FAILED.rawValue {
      let (failure, isSpent) = providers.failure(of: answer, engine)
      notes?.failures.append((Int(answer.index), failure.message))
      if isSpent { return .stopped(failure) }
      clua_setTop(L, perform.slot)
      answer = enter(from: Int(answer.index) + 1, perform, question: question)
    }
    return end(answer, perform)
  }

  private func end(_ answer: clua_Answer, _ perform: Perform) -> End {
    let L = engine.lua.L
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_HOST: return .step(resolution.walk.providers.count + Step.act)
    case CLUA_ENDED: return perform.ended ?? .step(resolution.walk.providers.count + Step.act)
    case CLUA_HOOK_SAID_OTHERWISE, CLUA_HOOK_FAILED: return .hookAnswers(hookAnswers(answer))
    case CLUA_LACKS: return .lacks(candidate.needs[Int(answer.index)].reasonOrDerived)
    case CLUA_PASSED: return .passed(byHandler: answer.index == 0)
    case CLUA_NO: return .said(.no(engine.reason(at: -1, on: L)))
    case CLUA_CAN_FAILED:
      let owner = candidate.can?.owner ?? candidate.handler.owner
      return .said(.failed(engine.failure(engine.lua.takeError(answer.status, on: L), owner: owner)))
    default: return End(engine.reply(answer, owner: candidate.handler.owner, needsContext: true))
    }
  }

  /// The hooks' answers up to the first that differs from the prepared one; the value of that answer is on top.
  private func hookAnswers(_ answer: clua_Answer) -> [HookAnswer] {
    let index = Int(answer.index)
    guard index < hookAnswers.count, let hook = hookAnswers[index].question.hook as? ScriptHandler else {
      return hookAnswers
    }
    let question = hookAnswers[index].question
    let said: HookAnswer.Said =
      answer.what == CLUA_HOOK_FAILED.rawValue
      ? .fails(engine.failure(engine.lua.takeError(answer.status, on: engine.lua.L), owner: hook.owner))
      : hook.answer(to: question)
    return hookAnswers[..<index] + [HookAnswer(question: question, answer: said)]
  }
}
