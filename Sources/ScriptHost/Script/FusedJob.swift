import CLua

/// A perform of a fused plan that waits.
///
/// While it only sleeps nothing is made for it: the plan keeps a job for the next time. What it waits for otherwise is a suspension.
final class FusedJob: PerformJob {
  /// It lives as long as the host, which alone has this go on.
  unowned(unsafe) private let engine: ScriptEngine
  /// Of what runs now, which is another stack each time.
  private var L: OpaquePointer { engine.lua.L }
  /// Stands as long as the perform goes on.
  private var plan: FusedPlan?
  private let sleep = Cell(clua_Wait())

  init(_ plan: FusedPlan) {
    engine = plan.engine
    let candidate = plan.candidate
    let subject = Subject(
      action: candidate.action, responder: candidate.responder, owner: candidate.handler.owner,
      isReentrant: candidate.handler.isReentrant)
    super.init(plan.engine.dispatcher, subject, taker: plan.taker)
  }

  deinit { sleep.free() }

  /// Waits with what the last perform of the plan waits with.
  @inline(__always)
  func begin(_ plan: FusedPlan) -> Outcome {
    self.plan = plan
    hasSession = !dispatcher.chain.sessions.isEmpty
    return wait()
  }

  private func wait() -> Outcome {
    let wait = clua_wait(L)
    guard wait.nanoseconds >= 0, wait.aside == nil, !memory.value.isStray else { return waitOtherwise() }
    sleep.value = wait
    dispatcher.suspend(self, nanoseconds: wait.nanoseconds)
    return Outcome(running: self, by: taker)
  }

  @inline(never)
  private func waitOtherwise() -> Outcome {
    dispatcher.wait(self, ScriptSuspension(engine, owner: memory.value.subject.owner, needsContext: true))
  }

  override func wake() {
    guard sleep.value.thread != nil, memory.value.cancellation == nil else { return super.wake() }
    let outcome = dispatcher.resume(self) { goOn() }
    if outcome.status != .running { dispatcher.end(self, outcome) }
  }

  private func goOn() -> Outcome {
    let L = L
    let top = clua_top(L)
    let allowance = engine.allowance
    let wait = sleep.value
    sleep.value.thread = nil
    let answer = clua_goOn(
      L, wait, Unmanaged.passUnretained(self).toOpaque(), 0, false, allowance.nanoseconds, allowance.instructions)
    defer { clua_setTop(L, top) }
    if answer.what == CLUA_DID.rawValue {
      return Outcome(handledBy: taker, result: scalar(at: -1, on: L) ?? engine.value(at: -1, on: L))
    }
    if answer.what == CLUA_WAITS.rawValue { return self.wait() }
    let context: Context? =
      answer.what == CLUA_PASSED.rawValue
      ? ScriptContext(engine: engine, adopting: engine.lua.reference(copying: -2, on: L)) : nil
    return goOn(with: engine.reply(answer, owner: memory.value.subject.owner), context: context)
  }

  override func goOn(with reply: Reply, context: Context?) -> Outcome {
    guard let plan, !isKept else { return super.goOn(with: reply, context: context) }
    switch reply {
    case .value(let result): return Outcome(handledBy: plan.taker, result: result)
    case .refused(let said):
      return Outcome(.disabled, by: plan.taker.name, via: plan.taker.via, reason: plan.candidate.refusal(said))
    case .waiting(let suspension): return dispatcher.wait(self, suspension)
    case .pass: return dispatcher.goOn(after: .passed(context), plan, as: self)
    case .failed(let failure): return dispatcher.goOn(after: .failed(failure), plan, as: self)
    }
  }

  override func unwind() {
    guard let thread = sleep.value.thread else { return }
    sleep.value.thread = nil
    clua_unwind(L, thread)
    engine.endPrograms()
  }

  override func letGo() {
    super.letGo()
    plan = nil
  }
}
