import CLua
import CScript

// Runs the plan in C, with a driver where a step is Swift's.

extension FusedPlan {
  /// The outcome, if the handler simply did the action; nil for every other answer.
  @inline(__always)
  func done(_ answer: clua_Answer) -> Outcome? {
    guard answer.what == CLUA_DID.rawValue else { return nil }
    return Outcome(handledBy: taker, result: scalar(at: -1, on: lua.L) ?? engine.value(at: -1, on: lua.L))
  }

  /// Performs the action with a driver, which takes Swift's steps. Observers are told within the same allowance.
  func drive(_ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching) -> Outcome {
    let isAlone = watching.observers.isEmpty && !options.isObserved
    let perform = driver(dispatcher, options, watching)
    if !isAlone { _ = clua_beginPerform(lua.L, plan.value.nanoseconds, plan.value.instructions) }
    let outcome = drive(perform, dispatcher, isAlone: isAlone)
    if !isAlone { dispatcher.endAllowance(of: lua) }
    keep(perform)
    return outcome
  }

  @inline(__always)
  private func drive(_ perform: Perform, _ dispatcher: Dispatcher, isAlone: Bool) -> Outcome {
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top) }
    let answer = begin(perform, hooksWereAsked: false, isAlone: isAlone)
    if let outcome = done(answer) { return perform.finished(outcome) }
    if !isAlone { return perform.finish(candidate, after: end(after: answer, perform)) }
    return dispatcher.allowingPerform { perform.finish(candidate, after: end(after: answer, perform)) }
  }

  /// The spare driver, if there is one, else a new one.
  @inline(__always)
  private func driver(
    _ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching
  ) -> Perform {
    guard let known = spare.take() else { return Perform(self, options, dispatcher, watching) }
    known.begin(self, options, watching)
    return known
  }

  /// Keeps a driver as the spare one, unless somebody else retains it.
  @inline(__always)
  private func keep(_ perform: consuming Perform) {
    if isKnownUniquelyReferenced(&perform), perform.rest() { spare.value = consume perform }
  }

  /// The outcome of a run whose handler did not simply do the action.
  @inline(never)
  func goOn(
    after answer: clua_Answer, _ top: Int32, _ dispatcher: Dispatcher, _ options: PerformOptions
  ) -> Outcome {
    dispatcher.allowingPerform {
      let perform = Perform(self, options, dispatcher)
      perform.slot = top
      return perform.finish(candidate, after: end(after: answer, perform))
    }
  }

  func begin(_ perform: Perform, hooksWereAsked: Bool, isAlone: Bool = false) -> clua_Answer {
    let L = lua.L
    perform.slot = clua_top(L) + 1
    if !providers.givesValues { pushHostValues(L) }
    return enter(from: hooksWereAsked ? 0 : first, perform, isAlone: isAlone)
  }

  /// Makes C run the plan from a step on for a perform. If there is a context yet, it is at the perform's slot.
  func enter(from step: Int, _ perform: Perform, isAlone: Bool = false, question: UInt64 = 0) -> clua_Answer {
    let slot = perform.slot
    let hasContext = clua_top(lua.L) == slot
    let given = pushGiven(perform.options, hasContext: hasContext)
    // The slot in the stack on which C runs the steps.
    perform.slot = 1
    defer { perform.slot = slot }
    return enter(
      from: step, perform, given ?? GivenKeys(hasContext: hasContext), putsArguments: given != nil, isAlone: isAlone,
      question: question)
  }

  @inline(__always)
  func enter(
    from step: Int, _ perform: Perform?, _ given: GivenKeys, putsArguments: Bool = true, isAlone: Bool,
    question: UInt64 = 0
  ) -> clua_Answer {
    // The Lua state is passed and not stored: the plan may be prepared on a coroutine that is gone when it runs.
    clua_perform(
      lua.L, pointer,
      clua_RunOptions(
        taker: perform.map { Unmanaged<StepTaker>.passUnretained($0).toOpaque() },
        from: Int32(truncatingIfNeeded: step),
        given: given.count, hasContext: given.hasContext, putsArguments: hasPlainArguments && putsArguments,
        asksItself: asksItself && perform.map { fits($0.options) } ?? true, tells: perform?.tells(candidate) ?? false,
        isAlone: isAlone, question: question,
        noted: perform?.trace?.quick?.supplied))
  }

  /// Pushes a new context with what the embedding program gave.
  func pushHostValues(_ L: OpaquePointer) {
    clua_newContext(L, plan.value.fields)
    for (key, value) in engine.dispatcher.hostValues.members {
      clua_pushReference(L, engine.key(key))
      engine.push(value, on: L)
      _ = clua_rawSet(L, -3)
    }
  }
}
