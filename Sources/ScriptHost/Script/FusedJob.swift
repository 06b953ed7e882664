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
    /// Held as long as the perform goes on.
    var plan: Unmanaged<FusedPlan>?
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

  deinit {
    sleep.value.plan?.release()
    sleep.free()
  }

  /// Has what the last perform of a plan waits with be a sleep, for which nothing is made; false where it is something else.
  @inline(__always)
  func sleeps(_ plan: FusedPlan, in trace: Trace?) -> Bool {
    renew()
    sleep.value.plan = .passRetained(plan)
    if let trace { self.trace = trace }
    return dispatcherReference._withUnsafeGuaranteedRef { dispatcher in
      let isModal = dispatcher.state.value.isModal
      if hasSession != isModal { hasSession = isModal }
      return sleeps(dispatcher)
    }
  }

  @inline(__always)
  private func sleeps(_ dispatcher: Dispatcher) -> Bool {
    // Of what runs now, which is another stack each time.
    guard let wait = engineReference._withUnsafeGuaranteedRef({ clua_wait($0.lua.L) }) else { return false }
    let nanoseconds = wait.pointee.nanoseconds
    guard nanoseconds >= 0, wait.pointee.aside == nil, !memory.value.isStray, trace == nil else { return false }
    sleep.value.wait = wait.pointee
    dispatcher.suspend(self, nanoseconds: nanoseconds)
    return true
  }

  /// Waits for whatever it is. It may be cancelled at its first wait.
  @inline(never)
  func waitOtherwise() -> Outcome {
    let outcome = waitWithSuspension()
    if outcome.status != .running { letGo() }
    return outcome
  }

  private func waitWithSuspension() -> Outcome {
    dispatcher.wait(self, ScriptSuspension(engine, owner: memory.value.subject.owner, needsContext: true))
  }

  override func wake() {
    guard sleep.value.wait.thread != nil, memory.value.cancellation == nil else { return super.wake() }
    dispatcherReference._withUnsafeGuaranteedRef { dispatcher in
      dispatcher.resume(self) { engineReference._withUnsafeGuaranteedRef { goOn(dispatcher, $0) } }
    }
  }

  @inline(__always)
  private func goOn(_ dispatcher: Dispatcher, _ engine: ScriptEngine) -> Outcome.Status {
    let L = engine.lua.L
    let top = clua_top(L)
    var scalar = clua_Scalar()
    let answer = clua_goOn(
      L, &sleep.value.wait, Unmanaged.passUnretained(self).toOpaque(), 0, false, engine.allowance.nanoseconds,
      engine.allowance.instructions, &scalar)
    guard answer.what == CLUA_DID.rawValue, let result = Value(scalar) else {
      return goOn(after: answer, dispatcher, engine, top: top)
    }
    memory.value.outcome.become(handledBy: planTaker, result: result)
    return .handled
  }

  @inline(never)
  private func goOn(
    after answer: clua_Answer, _ dispatcher: Dispatcher, _ engine: ScriptEngine, top: Int32
  ) -> Outcome.Status {
    let L = engine.lua.L
    defer { clua_setTop(L, top) }
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_DID: return note(Outcome(handledBy: planTaker, result: engine.value(at: -1, on: L)))
    case CLUA_WAITS: return sleeps(dispatcher) ? .running : note(waitWithSuspension())
    default: return note(goOn(after: answer, engine))
    }
  }

  private func goOn(after answer: clua_Answer, _ engine: ScriptEngine) -> Outcome {
    let context: Context? =
      answer.what == CLUA_PASSED.rawValue
      ? ScriptContext(engine: engine, adopting: engine.lua.reference(copying: -2, on: engine.lua.L)) : nil
    return goOn(with: engine.reply(answer, owner: memory.value.subject.owner), context: context)
  }

  override func goOn(with reply: Reply, context: Context?) -> Outcome {
    guard let plan = sleep.value.plan?.takeUnretainedValue(), !isKept else {
      return super.goOn(with: reply, context: context)
    }
    var perform = Perform(plan, PerformOptions(), dispatcher)
    perform.job = self
    perform.trace = trace
    if let context { perform.adopt(context, of: plan.candidate) }
    return perform.goOn(with: reply, of: plan.candidate)
  }

  override func unwind() {
    guard let thread = sleep.value.wait.thread else { return }
    sleep.value.wait.thread = nil
    clua_unwind(engine.lua.L, thread)
    engine.endPrograms()
  }

  override func letGo() {
    super.letGo()
    let plan = sleep.value.plan
    sleep.value.plan = nil
    plan?.release()
  }
}
