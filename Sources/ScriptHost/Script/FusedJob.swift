import CLua

/// A perform of a fused plan that waits.
///
/// While it only sleeps nothing is made for it: the plan keeps a job for the next time. What it waits for otherwise is a suspension.
final class FusedJob: PerformJob {
  /// It lives as long as the host, which alone has this go on.
  private let engineReference: Unmanaged<ScriptEngine>
  private let sleep = Cell(Sleep())
  /// Who does it, as long as it goes on with its plan.
  private let planTaker: Outcome.Taker

  private struct Sleep {
    /// What it waits with.
    var wait = clua_Wait()
    /// Stands as long as the perform goes on.
    var plan: FusedPlan?
  }

  private var engine: ScriptEngine { engineReference.takeUnretainedValue() }

  init(_ plan: FusedPlan) {
    engineReference = .passUnretained(plan.engine)
    planTaker = plan.taker
    let candidate = plan.candidate
    let subject = Subject(
      action: candidate.action, responder: candidate.responder, owner: plan.handler.owner,
      isReentrant: plan.handler.isReentrant)
    super.init(plan.engine.dispatcher, subject, taker: plan.taker)
  }

  deinit { sleep.free() }

  /// Waits with what the last perform of the plan waits with.
  @inline(__always)
  func begin(_ plan: FusedPlan, in trace: Trace?) -> Outcome {
    sleep.value.plan = plan
    if let trace { self.trace = trace }
    let outcome = dispatcherReference._withUnsafeGuaranteedRef { dispatcher in
      let isModal = dispatcher.state.value.isModal
      if hasSession != isModal { hasSession = isModal }
      return engineReference._withUnsafeGuaranteedRef { wait(dispatcher, $0) }
    }
    // It may be cancelled at its first wait.
    if outcome.status != .running { letGo() }
    return outcome
  }

  private func wait(_ dispatcher: Dispatcher, _ engine: ScriptEngine) -> Outcome {
    // Of what runs now, which is another stack each time.
    let wait = clua_wait(engine.lua.L)
    guard wait.nanoseconds >= 0, wait.aside == nil, !memory.value.isStray, trace == nil else { return waitOtherwise() }
    sleep.value.wait = wait
    dispatcher.suspend(self, nanoseconds: wait.nanoseconds)
    return Outcome(running: self, by: planTaker)
  }

  @inline(never)
  private func waitOtherwise() -> Outcome {
    dispatcher.wait(self, ScriptSuspension(engine, owner: memory.value.subject.owner, needsContext: true))
  }

  override func wake() {
    guard sleep.value.wait.thread != nil, memory.value.cancellation == nil else { return super.wake() }
    dispatcherReference._withUnsafeGuaranteedRef { dispatcher in
      let outcome = dispatcher.resume(self) {
        engineReference._withUnsafeGuaranteedRef { goOn(dispatcher, $0) }
      }
      if outcome.status != .running { dispatcher.end(self, outcome) }
    }
  }

  @inline(__always)
  private func goOn(_ dispatcher: Dispatcher, _ engine: ScriptEngine) -> Outcome {
    let L = engine.lua.L
    let top = clua_top(L)
    let wait = sleep.value.wait
    sleep.value.wait.thread = nil
    let answer = clua_goOn(
      L, wait, Unmanaged.passUnretained(self).toOpaque(), 0, false, engine.allowance.nanoseconds,
      engine.allowance.instructions)
    defer { clua_setTop(L, top) }
    if answer.what == CLUA_DID.rawValue {
      return Outcome(handledBy: planTaker, result: scalar(at: -1, on: L) ?? engine.value(at: -1, on: L))
    }
    if answer.what == CLUA_WAITS.rawValue { return self.wait(dispatcher, engine) }
    return goOn(after: answer, engine)
  }

  @inline(never)
  private func goOn(after answer: clua_Answer, _ engine: ScriptEngine) -> Outcome {
    let context: Context? =
      answer.what == CLUA_PASSED.rawValue
      ? ScriptContext(engine: engine, adopting: engine.lua.reference(copying: -2, on: engine.lua.L)) : nil
    return goOn(with: engine.reply(answer, owner: memory.value.subject.owner), context: context)
  }

  override func goOn(with reply: Reply, context: Context?) -> Outcome {
    guard let plan = sleep.value.plan, !isKept else { return super.goOn(with: reply, context: context) }
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
    guard let thread = sleep.value.wait.thread else { return }
    sleep.value.wait.thread = nil
    clua_unwind(engine.lua.L, thread)
    engine.endPrograms()
  }

  override func letGo() {
    super.letGo()
    sleep.value.plan = nil
  }
}
